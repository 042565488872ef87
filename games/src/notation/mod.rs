//! Reading and writing positions and lines.
//!
//! Positions: the [dash form](dash), the [FEN](fen) of PlayStrategy and the
//! [integers] of the published awari database; [`parse_position`] tells them apart.
//! Lines of play: [`Line`].

pub mod dash;
pub mod fen;
pub mod integers;
mod turns;

use thiserror::Error;

use crate::position::{Player, Position, SetupError};

pub use turns::{Line, LineError, Turn};

/// Why a text is not a number.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NumberError {
    /// It holds something else than digits, or nothing.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// More than can be counted.
    #[error("the number {0} is too large")]
    TooLarge(String),
}

/// Why a text is not a position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// It looks like the dash form, but is not.
    #[error(transparent)]
    Dash(#[from] dash::DashError),
    /// It looks like a FEN, but is not.
    #[error(transparent)]
    Fen(#[from] fen::FenError),
    /// It looks like integers, but is not.
    #[error(transparent)]
    Integers(#[from] integers::IntegersError),
    /// The form is right, but the board is another.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a position of a board with `pits` pits a side in any form: with a `/` it is a [FEN](fen),
/// with a `-` the [dash form](dash), with an `S` or `N` again a FEN (of one row), else a list of
/// [integers].
///
/// # Errors
/// What is wrong with the text, or with the position on this board.
pub fn parse_position(text: &str, pits: usize) -> Result<Position, PositionError> {
    let setup = if text.contains('/') {
        fen::parse(text)?.0
    } else if text.contains('-') {
        dash::parse(text)?
    } else if text.contains(['S', 'N']) {
        fen::parse(text)?.0
    } else {
        integers::parse(text)?
    };
    Ok(Position::new(&setup, pits)?)
}

/// Reads digits; unlike [`str::parse`] no sign.
fn number(text: &str) -> Result<u32, NumberError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::NotANumber(text.to_owned()));
    }
    text.parse().map_err(|_| NumberError::TooLarge(text.to_owned()))
}

/// Reads the letter of a player.
fn player(text: &str) -> Option<Player> {
    match text {
        "S" | "s" => Some(Player::South),
        "N" | "n" => Some(Player::North),
        _ => None,
    }
}

/// The letter of a player.
fn letter(player: Player) -> char {
    match player {
        Player::South => 'S',
        Player::North => 'N',
    }
}
