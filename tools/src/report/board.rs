//! Boards drawn in SVG.

use games::notation::Turn;
use games::{Player, Position};
use maud::{Markup, html};

/// Width of a pit with its margin, in units of the drawing.
const PIT: usize = 46;
/// Width of a store with its margin.
const STORE: usize = 48;
/// Height of a row of pits.
const ROW: usize = 46;
/// Room for the numbers of the pits above and below the rows.
const LABEL: usize = 18;

/// Draws a position: North's pits on top from right to left, the stores at the sides. The pits that
/// the turn before it sowed are marked; the player to move has an arrow.
pub(crate) fn draw(position: &Position, pits: usize, sown: Option<(Player, &Turn)>) -> Markup {
    let setup = position.setup(pits);
    let (width, height) = (2 * STORE + pits * PIT, 2 * (ROW + LABEL));
    let label = describe(position, pits);
    let column = |player: Player, pit: usize| match player {
        Player::South => pit,
        Player::North => pits - 1 - pit,
    };
    html! {
        svg.board viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label) {
            title { (label) }
            rect.wood x="1" y=(LABEL) width=(width - 2) height=(2 * ROW) rx="22" {}
            (store(4, setup.stores[Player::North as usize]))
            (store(width - STORE + 4, setup.stores[Player::South as usize]))
            @for player in Player::BOTH {
                @for (pit, &stones) in setup.pits[player as usize].iter().enumerate() {
                    @let x = STORE + column(player, pit) * PIT + PIT / 2;
                    @let (y, label_y) = rows(player);
                    @let marked = sown.is_some_and(|(by, turn)| by == player && turn.pits().contains(&pit));
                    circle.pit.sown[marked] cx=(x) cy=(y) r="19" {}
                    text.count.none[stones == 0] x=(x) y=(y + 6) { (stones) }
                    text.label x=(x) y=(label_y) { (pit + 1) }
                }
            }
            @let (arrow_x, arrow_y) = match position.to_move() {
                Player::South => (width - STORE / 2, rows(Player::South).1),
                Player::North => (STORE / 2, rows(Player::North).1),
            };
            text.label.moves x=(arrow_x) y=(arrow_y) { "to move" }
        }
    }
}

/// Where the pits of a player are, and their numbers.
fn rows(player: Player) -> (usize, usize) {
    match player {
        Player::North => (LABEL + ROW / 2, LABEL - 5),
        Player::South => (LABEL + ROW + ROW / 2, 2 * (LABEL + ROW) - 5),
    }
}

fn store(x: usize, stones: u32) -> Markup {
    html! {
        rect.store x=(x) y=(LABEL + 6) width=(STORE - 8) height=(2 * ROW - 12) rx="18" {}
        text.count x=(x + STORE / 2 - 4) y=(LABEL + ROW + 6) { (stones) }
    }
}

/// The position in words.
fn describe(position: &Position, pits: usize) -> String {
    let setup = position.setup(pits);
    let side = |player: Player| {
        let row: Vec<String> = setup.pits[player as usize].iter().map(u32::to_string).collect();
        let store = setup.stores[player as usize];
        format!("{}: pits {}, store {store}", player.name(), row.join(" "))
    };
    let to_move = position.to_move().name();
    format!("{}. {}. {to_move} to move.", side(Player::South), side(Player::North))
}
