//! Endgame tables of sowing games: their index, builders and files.
//!
//! [`mod@file`] keeps the values of one layer in one file; `FORMAT.md` beside this crate describes the
//! bytes.

#![deny(unsafe_code)]

pub mod file;
mod raw;
