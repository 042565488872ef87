//! A judged position, as every command that judges one tells it.

use games::{Player, Position, Ruleset};
use serde::Serialize;
use solver::Judgement;

use super::Stores;

/// What is exactly known of a position.
#[derive(Serialize)]
pub(crate) struct Judged {
    game: String,
    position: String,
    value: i32,
    #[serde(rename = "final")]
    stores_at_end: Option<Stores>,
    best: Option<String>,
    moves: Vec<Move>,
    line: String,
    source: &'static str,
    #[serde(skip)]
    player: Player,
}

#[derive(Serialize)]
struct Move {
    pit: usize,
    value: i32,
    captured: u8,
    again: bool,
}

impl Judged {
    pub(crate) const COLUMNS: &'static [&'static str] =
        &["game", "position", "pit", "value", "captured", "again"];

    /// `dashes` is the position in the dash form.
    pub(crate) fn new(
        game: &Ruleset,
        position: &Position,
        dashes: String,
        judgement: &Judgement,
        source: &'static str,
    ) -> Judged {
        let sowing = |sowing: &solver::Move| Move {
            pit: sowing.pit + 1,
            value: sowing.value,
            captured: sowing.captured,
            again: sowing.again,
        };
        Judged {
            game: game.to_string(),
            position: dashes,
            value: judgement.value,
            stores_at_end: judgement.stores.map(Stores::from),
            best: judgement.best().map(ToString::to_string),
            moves: judgement.moves.iter().map(sowing).collect(),
            line: judgement.line.to_string(),
            source,
            player: position.to_move(),
        }
    }

    fn outcome(&self) -> String {
        let Some(Stores { south, north }) = self.stores_at_end else {
            return "play goes round without end".to_owned();
        };
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => format!("South wins {south} to {north}"),
            std::cmp::Ordering::Less => format!("North wins {north} to {south}"),
            std::cmp::Ordering::Equal => format!("a draw, {south} each"),
        }
    }

    /// The game and the position, as every row names them.
    pub(crate) fn place(&self) -> [String; 2] {
        [self.game.clone(), self.position.clone()]
    }

    /// One row a sowing.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let row = |sowing: &Move| {
            let Move { pit, value, captured, again } = sowing;
            let cells = [pit.to_string(), value.to_string(), captured.to_string()];
            self.place().into_iter().chain(cells).chain([again.to_string()]).collect()
        };
        self.moves.iter().map(row).collect()
    }

    pub(crate) fn text(&self) -> String {
        let Judged { game, position, value, line, .. } = self;
        let player = self.player.name();
        let mut text = format!("{game}\n{position}\n\n");
        text += &format!("value  {value} for {player}, to move: {}\n", self.outcome());
        if let Some(best) = &self.best {
            text += &format!("best   {best}\nline   {line}\n\n pit  value  captured\n");
        }
        for Move { pit, value, captured, again } in &self.moves {
            let again = if *again { "  sows again" } else { "" };
            text += &format!("{pit:>4}  {value:>5}  {captured:>8}{again}\n");
        }
        text
    }
}
