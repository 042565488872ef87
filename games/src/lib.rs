//! Rulesets, packed boards, sowing and notation of mancala games.
//!
//! A game is one file ([`kalah`], [`mangala`], [`oware`], [`bestemshe`]) that implements [`Game`],
//! listed in [`registry`]. A [`Ruleset`] is a game with every option fixed; [`Ruleset::rules`] makes
//! the [`Rules`] that sow a [`Board`]. [`toguz`] has a board and rules of its own; what can be said
//! of all games is generic over [`Playable`] rules, and [`AnyRuleset`] is a ruleset of any game. A [`Position`] is a board with stores and the player to move;
//! it is read from a [`Setup`], which [`notation`] parses and writes. [`record`] reads, replays and
//! writes recorded games. [`plain`] says all rules a
//! second time, slowly and without packing, and is what the tests compare with.

#![forbid(unsafe_code)]

pub mod bestemshe;
mod board;
mod ending;
mod game;
pub mod kalah;
pub mod mangala;
pub mod notation;
pub mod oware;
mod perft;
pub mod plain;
mod play;
mod playable;
mod position;
mod reading;
pub mod record;
pub mod registry;
mod rows;
mod ruleset;
mod side;
pub mod toguz;
mod track;

pub use board::Board;
pub use game::{Capture, Game, Remainder, Sown, Taken};
pub use perft::perft;
pub use play::{Finish, Play, PlayError};
pub use playable::{Builder, Playable};
pub use position::{MAX_STORE, Player, Position, Setup, SetupError};
pub use reading::{ReadError, read_position};
pub use registry::Rules;
pub use rows::Rows;
pub use ruleset::{AnyRuleset, Build, GameSpec, OptionSpec, Ruleset, RulesetError, Stop};
pub use side::{MAX_PITS, MAX_STONES, PitSet, Side};
pub use track::{Drop, Lap, Last, Track};
