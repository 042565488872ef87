//! Reading and writing positions and lines.
//!
//! Positions: the [dash form](dash), the [FEN](fen) of PlayStrategy and the
//! [integers](integers) of the published awari database; [`parse_position`] tells them apart.
//! Lines of play: [`Line`].

pub mod dash;
mod turns;

pub use turns::{Line, LineError, Turn};
