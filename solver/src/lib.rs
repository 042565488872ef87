//! Exact values of positions, and what follows from them.
//!
//! Anything that knows the exact value of a board is an [`Oracle`]; [`judge`] turns its values
//! into the [`Judgement`] that users read: the value of each sowing, the best turn, a best line
//! and the stores at its end, [`PlayedLine`] judges the turns
//! of a game, [`Tree`] holds the first turns of all games. [`Search`] finds values by null-window searches over tables, of
//! cyclic games too, [`Solver`] builds the tables it needs as well, [`tables`] asks layer files, and [`plain`] is
//! the oracle that is obviously right, which the others are compared with.

#![deny(unsafe_code)]

mod adaptive;
mod checkpoint;
mod circles;
mod counts;
mod cyclic;
mod error;
pub mod estimate;
mod interval;
mod judge;
mod key;
mod line;
mod order;
pub mod plain;
mod questions;
mod raw;
mod search;
pub mod tables;
mod transposition;
mod tree;
mod unsolvable;
mod worker;

pub use adaptive::{Solver, check_table_stones, most_table_stones};
pub use checkpoint::CheckpointError;
pub use error::SearchError;
pub use interval::{Bounded, BoundedMove, judge_bounds};
pub use judge::{Judgement, Move, Oracle, for_each_turn, judge, turns};
pub use line::{JudgedTurn, Outcome, PlayedLine, Verdict};
pub use questions::Driver;
pub use search::{Limits, Search, Status, Watch};
pub use tree::{Branch, Ends, Node, Shape, Tree};
pub use unsolvable::Unsolvable;
