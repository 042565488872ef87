//! The commands, each in a file of its own.

mod against;
pub(crate) mod bench;
pub(crate) mod build;
mod children;
mod estimate;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod games_stats;
mod judged;
mod known;
pub(crate) mod line;
pub(crate) mod openings;
pub(crate) mod pack;
pub(crate) mod perft;
pub(crate) mod query;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
mod stopped;
pub(crate) mod survey;
pub(crate) mod verify;

use ::games::notation::Turn;
use serde::{Deserialize, Serialize};

/// Stores of both players.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Stores {
    pub(crate) south: u32,
    pub(crate) north: u32,
}

impl From<[u32; 2]> for Stores {
    fn from([south, north]: [u32; 2]) -> Stores {
        Stores { south, north }
    }
}

/// A turn and what it is worth to its player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TurnValue {
    pub(crate) turn: String,
    pub(crate) value: i32,
}

impl TurnValue {
    pub(crate) fn new(turn: &Turn, value: i32) -> TurnValue {
        TurnValue { turn: turn.to_string(), value }
    }
}

impl std::fmt::Display for TurnValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.turn, self.value)
    }
}
