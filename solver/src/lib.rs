//! Exact values of positions, and what follows from them.
//!
//! Anything that knows the exact value of a board is an [`Oracle`]; [`judge`] turns its values
//! into the [`Judgement`] that users read: the value of each sowing, the best turn, a best line
//! and the stores at its end. [`plain`] is the oracle that is obviously right, and the one that
//! faster ones are compared with; [`tables`] asks layer files.

#![forbid(unsafe_code)]

mod judge;
pub mod plain;
pub mod tables;

pub use judge::{Judgement, Move, Oracle, judge};
