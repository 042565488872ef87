//! What is proved of a position when its search is stopped.

use games::{Game, Ruleset};
use serde::Serialize;
use solver::SearchError;

use crate::args::{self, Reached};
use crate::engine::{Effort, Engine};
use crate::output::Report;

/// Bounds in place of values, where these are not known.
#[derive(Serialize)]
pub(crate) struct Stopped {
    game: String,
    position: String,
    /// `null` unless the bounds meet.
    value: Option<i32>,
    exact: bool,
    bounds: [i32; 2],
    moves: Vec<Move>,
    source: &'static str,
    /// Why the search was stopped.
    stopped: String,
    #[serde(flatten)]
    effort: Effort,
}

#[derive(Serialize)]
struct Move {
    pit: usize,
    value: Option<i32>,
    bounds: [i32; 2],
    captured: u8,
}

/// The value between two bounds that meet.
fn exact([lower, upper]: [i32; 2]) -> Option<i32> {
    (lower == upper).then_some(lower)
}

impl Stopped {
    pub(crate) fn new(
        game: &Ruleset,
        reached: &Reached,
        engine: &Engine,
        reason: &SearchError,
    ) -> Stopped {
        let Reached { rules, position, .. } = reached;
        let board = position.board();
        let bounded = |pit| {
            let sown = rules.sow(board, pit);
            let mut bounds = engine.bounds(sown.board).map(|bound| sown.value(bound));
            bounds.sort_unstable();
            Move { pit: pit + 1, value: exact(bounds), bounds, captured: sown.captured }
        };
        let over = rules.remainder(board).is_some();
        let moves: Vec<Move> = rules.legal(board).filter(|_| !over).map(bounded).collect();
        // The position is worth what its best sowing is.
        let [mut lower, mut upper] = engine.bounds(board);
        if let Some(most) = moves.iter().map(|sowing| sowing.bounds[1]).max() {
            upper = upper.min(most);
            lower = moves.iter().map(|sowing| sowing.bounds[0]).fold(lower, i32::max);
        }
        let bounds = [lower, upper];
        Stopped {
            game: game.to_string(),
            position: args::dashes(game, position),
            value: exact(bounds),
            exact: exact(bounds).is_some(),
            bounds,
            moves,
            source: "search",
            stopped: reason.to_string(),
            effort: engine.effort(),
        }
    }
}

/// A value or the bounds of one.
fn tell(bounds: [i32; 2]) -> String {
    match exact(bounds) {
        Some(value) => value.to_string(),
        None => format!("{} to {}", bounds[0], bounds[1]),
    }
}

impl Report for Stopped {
    const COLUMNS: &'static [&'static str] =
        &["game", "position", "pit", "lower", "upper", "captured"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |pit: String, [lower, upper]: [i32; 2], captured: String| {
            let place = [self.game.clone(), self.position.clone(), pit];
            let rest = [lower.to_string(), upper.to_string(), captured];
            place.into_iter().chain(rest).collect()
        };
        // The position itself has no pit.
        let all = row(String::new(), self.bounds, String::new());
        let moves = self.moves.iter();
        let moves = moves
            .map(|sowing| row(sowing.pit.to_string(), sowing.bounds, sowing.captured.to_string()));
        std::iter::once(all).chain(moves).collect()
    }

    fn text(&self) -> String {
        let Stopped { game, position, bounds, moves, stopped, effort, .. } = self;
        let value = tell(*bounds);
        let mut text =
            format!("{game}\n{position}\n\nvalue  {value} for the player to move: {stopped}\n");
        if !moves.is_empty() {
            text += "\n pit  captured  value\n";
        }
        for Move { pit, bounds, captured, .. } in moves {
            text += &format!("{pit:>4}  {captured:>8}  {}\n", tell(*bounds));
        }
        format!("{text}\n{effort}\n")
    }
}
