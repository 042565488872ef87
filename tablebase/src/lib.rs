//! Endgame tables of sowing games: index, builders, files and probing.
//!
//! [`index`] numbers the positions of a layer, [`build`] computes their values, [`mod@file`] keeps
//! the values of one layer in one file (`FORMAT.md` beside this crate describes the bytes), and
//! [`Tables`] answers questions from a folder of such files. [`mod@verify`] proves them right. What
//! all this needs of a game, [`Tabled`] says.

#![deny(unsafe_code)]

pub mod bounds;
pub mod build;
mod count;
pub mod file;
pub mod index;
mod probe;
mod raw;
mod tabled;
mod tables;
pub mod verify;
pub mod vu;

pub use bounds::{BoundTables, Interval};
pub use count::{BoundCounts, Counts};
pub use probe::{NoTables, Probe};
pub use tabled::Tabled;
pub use tables::{OpenError, ResidentTables, Tables};
