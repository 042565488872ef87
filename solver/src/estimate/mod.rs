//! Estimates of games that are too large to be solved: what a position seems to be worth some
//! sowings ahead, and what is proved of it.
//!
//! [`analyse`] deepens an alpha-beta search ply by ply. At its horizon a board counts what the
//! evaluation says ([`Estimated::evaluate`]), and twice more as if all its stones were lost to the
//! one or to the other player: that gives bounds of the exact value, which hold under every rule of
//! repetition, because they are reached in so many sowings. Where they meet, the value is proved;
//! where they leave the lead no doubt, it is proved who wins. Boards of few stones are looked up in
//! an [`Ending`], if there is one: layers of table files, or layers built in memory.
//!
//! As everywhere, worth is about the stones that are still to be won, so the table of the search
//! holds boards without stores. [`plain`] is the same without any cut.

mod analysis;
mod ending;
mod evaluation;
mod horizon;
mod memo;
pub mod plain;
mod question;
mod search;

pub use analysis::{Analysis, Limits, MAX_DEPTH, Scope, Sowing, analyse};
pub use ending::Ending;
pub use evaluation::{Estimated, Identity, UNIT};
