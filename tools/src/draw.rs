//! The board as the players see it.

use games::{Player, Position, Rows};

/// Draws the board: North's pits on top from right to left, the stores at the sides, the pits'
/// numbers along the rows, an arrow at the player to move. A tuzdyk is a `t`.
pub(crate) fn draw<B: Rows>(position: &Position<B>, pits: usize) -> String {
    let setup = position.setup(pits);
    let [south, north] = &setup.pits;
    let row = |row: &[u32], tuzdyk: Option<usize>| -> Vec<String> {
        let cells = row.iter().enumerate();
        cells
            .map(|(pit, stones)| match tuzdyk == Some(pit) {
                true => "t".to_owned(),
                false => stones.to_string(),
            })
            .collect()
    };
    let (south, mut north) = (row(south, setup.tuzdyks[0]), row(north, setup.tuzdyks[1]));
    north.reverse();
    let stones = setup.pits.iter().flatten().chain(&setup.stores);
    let width = stones.map(|count| count.to_string().len()).max().unwrap_or(1).max(2);
    let numbers: Vec<String> = (1..=pits).map(|pit| pit.to_string()).collect();
    let reversed: Vec<String> = numbers.iter().rev().cloned().collect();

    let margin = " ".repeat(width + 2);
    let rule = format!("+{}", "-".repeat(width + 2)).repeat(pits);
    let cells = |row: &[String], between: &str| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        cells.join(between)
    };
    let labels = |row: &[String]| format!("{margin}  {}\n", cells(row, "   "));
    let counts = |row: &[String]| format!("{margin}| {} |\n", cells(row, " | "));
    let edge = format!("{margin}{rule}+\n");
    let name = |player: Player| {
        let arrow = if position.to_move() == player { "  <- to move" } else { "" };
        format!("{margin}  {}{arrow}\n", player.name())
    };

    let [south_store, north_store] = setup.stores;
    let stores = format!(" {north_store:>width$} {rule}+ {south_store:>width$}\n");
    [
        name(Player::North),
        labels(&reversed),
        edge.clone(),
        counts(&north),
        stores,
        counts(&south),
        edge,
        labels(&numbers),
        name(Player::South),
    ]
    .concat()
}
