//! Single positions of a study, written out.

use games::notation::dash;
use games::{Board, Game, Player, Position, Ruleset};
use serde::{Deserialize, Serialize};
use tablebase::Probe;

use super::sowings::{Sowing, greedy};
use super::tables::Open;
use crate::openings::board_text;

/// A position in zugzwang. The player to move is South, stores are empty, here and below.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) position: String,
    /// With South to move.
    pub(crate) value: i32,
    /// What the same board with North to move is worth to South.
    pub(crate) waiting: i32,
}

/// A won position in which taking most throws the win away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Greedy {
    pub(crate) position: String,
    pub(crate) value: i32,
    /// The pits that keep the value, from 1.
    pub(crate) best: Vec<usize>,
    /// The pits that capture most, from 1.
    pub(crate) greedy: Vec<usize>,
    /// What they capture.
    pub(crate) captured: u8,
    /// The value of the best of them.
    pub(crate) greedy_value: i32,
}

/// A win and how it is cashed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) position: String,
    pub(crate) value: i32,
    pub(crate) plies: u16,
    /// The sowings, of several as good ones the lowest pit.
    pub(crate) line: String,
}

impl Open {
    pub(super) fn text(&self, board: Board) -> String {
        board_text(board, self.pits)
    }

    pub(super) fn value(&self, board: Board) -> i32 {
        self.values.value_at(self.values.locate(board))
    }
}

pub(super) fn waiting_example(open: &Open, board: Board) -> Waiting {
    let (value, waiting) = (open.value(board), -open.value(board.flipped()));
    Waiting { position: open.text(board), value, waiting }
}

pub(super) fn greedy_example(open: &Open, board: Board) -> Greedy {
    let sowings: Vec<Sowing> = open.sowings(board).collect();
    let value = open.value(board);
    let pit = |sowing: &Sowing| sowing.pit + 1;
    let most = || greedy(&sowings);
    Greedy {
        position: open.text(board),
        value,
        best: sowings.iter().filter(|sowing| sowing.value == value).map(pit).collect(),
        greedy: most().map(pit).collect(),
        captured: most().map(|sowing| sowing.captured).max().unwrap_or(0),
        greedy_value: most().map(|sowing| sowing.value).max().unwrap_or(0),
    }
}

/// Plays a line of sowings from a position. Gives the positions after each, and what South has
/// then won more than North, the stones of a finished board included; `None` if it cannot be
/// played.
pub(crate) fn replay(game: &Ruleset, position: &str, line: &str) -> Option<(Vec<Position>, i32)> {
    let rules = game.rules();
    let setup = dash::parse(position).ok()?;
    let mut position = Position::new(&setup, game.pits()).ok()?;
    let mut positions = Vec::new();
    for text in line.split_whitespace() {
        let pit = text.parse::<usize>().ok()?.checked_sub(1)?;
        let legal = rules.remainder(position.board()).is_none()
            && rules.legal(position.board()).any(|known| known == pit);
        if !legal {
            return None;
        }
        position = position.sow(&rules, pit).0;
        positions.push(position);
    }
    let rest = rules.remainder(position.board()).map_or(0, |rest| rest.value());
    let [south, north] = position.stores().map(|store| store as i32);
    let rest = if position.to_move() == Player::South { rest } else { -rest };
    Some((positions, south - north + rest))
}
