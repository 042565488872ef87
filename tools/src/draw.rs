//! The board as the players see it.

use games::{Player, Position};

/// Draws the board: North's pits on top from right to left, the stores at the sides, the pits'
/// numbers along the rows, an arrow at the player to move.
pub(crate) fn draw(position: &Position, pits: usize) -> String {
    let setup = position.setup(pits);
    let [south, north] = &setup.pits;
    let stones = setup.pits.iter().flatten().chain(&setup.stores);
    let width = stones.map(|count| count.to_string().len()).max().unwrap_or(1).max(2);
    let numbers: Vec<u32> = (1..=pits as u32).collect();
    let reversed = |row: &[u32]| row.iter().rev().copied().collect::<Vec<u32>>();

    let margin = " ".repeat(width + 2);
    let rule = format!("+{}", "-".repeat(width + 2)).repeat(pits);
    let cells = |row: &[u32], between: &str| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        cells.join(between)
    };
    let labels = |row: &[u32]| format!("{margin}  {}\n", cells(row, "   "));
    let counts = |row: &[u32]| format!("{margin}| {} |\n", cells(row, " | "));
    let edge = format!("{margin}{rule}+\n");
    let name = |player: Player| {
        let arrow = if position.to_move() == player { "  <- to move" } else { "" };
        format!("{margin}  {}{arrow}\n", player.name())
    };

    let [south_store, north_store] = setup.stores;
    let stores = format!(" {north_store:>width$} {rule}+ {south_store:>width$}\n");
    [
        name(Player::North),
        labels(&reversed(&numbers)),
        edge.clone(),
        counts(&reversed(north)),
        stores,
        counts(south),
        edge,
        labels(&numbers),
        name(Player::South),
    ]
    .concat()
}
