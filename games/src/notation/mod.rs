//! Reading and writing positions and lines.
//!
//! Positions: the [dash form](dash), the [FEN](fen) of PlayStrategy and the
//! [integers] of the published awari database; [`parse_position`] tells them apart.
//! Lines of play: [`Line`], and [`SquareLine`] as PlayStrategy writes them; [`AnyLine`] reads both.

pub mod dash;
pub mod fen;
pub mod integers;
mod squares;
mod turns;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::position::{Player, Position, Setup, SetupError};

pub use squares::{Square, SquareLine, SquareLineError, SquareMove};
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

/// Why a text is not a pit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PitError {
    /// It is no number of stones.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// The row has a tuzdyk already.
    #[error("a row has at most one tuzdyk")]
    SecondTuzdyk,
}

/// Reads a position of a board of two packed sides with `pits` pits each, in any form that
/// [`parse_setup`] reads.
///
/// # Errors
/// What is wrong with the text, or with the position on this board.
pub fn parse_position(text: &str, pits: usize) -> Result<Position, PositionError> {
    Ok(Position::new(&parse_setup(text)?, pits)?)
}

/// Reads a position in any form: with a `/` it is a [FEN](fen), with a `-` the
/// [dash form](dash), with an `S` or `N` again a FEN (of one row), else a list of [integers].
/// [`Position::pack`] checks it against a board.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_setup(text: &str) -> Result<Setup, PositionError> {
    Ok(if text.contains('/') {
        fen::parse(text)?.0
    } else if text.contains('-') {
        dash::parse(text)?
    } else if text.contains(['S', 'N']) {
        fen::parse(text)?.0
    } else {
        integers::parse(text)?
    })
}

/// What stands for a pit that is a tuzdyk.
const TUZDYK: &str = "t";

fn is_tuzdyk(text: &str) -> bool {
    text.eq_ignore_ascii_case(TUZDYK)
}

/// A player's row while it is read.
#[derive(Default)]
struct Row {
    pits: Vec<u32>,
    tuzdyk: Option<usize>,
}

impl Row {
    fn push(&mut self, text: &str) -> Result<(), PitError> {
        if is_tuzdyk(text) {
            return self.push_tuzdyk();
        }
        self.pits.push(number(text)?);
        Ok(())
    }

    fn push_tuzdyk(&mut self) -> Result<(), PitError> {
        if self.tuzdyk.replace(self.pits.len()).is_some() {
            return Err(PitError::SecondTuzdyk);
        }
        self.pits.push(0);
        Ok(())
    }

    /// Counts the pits from the other end.
    fn reverse(&mut self) {
        self.pits.reverse();
        self.tuzdyk = self.tuzdyk.map(|pit| self.pits.len() - 1 - pit);
    }
}

/// The stones of a player's pits, and `None` for a tuzdyk.
fn row(setup: &Setup, player: Player) -> impl DoubleEndedIterator<Item = Option<u32>> {
    let tuzdyk = setup.tuzdyks[player as usize];
    let pits = setup.pits[player as usize].iter().enumerate();
    pits.map(move |(pit, &stones)| (tuzdyk != Some(pit)).then_some(stones))
}

/// A line of play in either notation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AnyLine {
    /// Turns of pit numbers.
    Turns(Line),
    /// Moves from square to square.
    Squares(SquareLine),
}

/// Why a text is no line of play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnyLineError {
    /// It begins as turns do.
    #[error(transparent)]
    Turns(#[from] LineError),
    /// It begins with a letter, as squares do.
    #[error(transparent)]
    Squares(#[from] SquareLineError),
}

impl FromStr for AnyLine {
    type Err = AnyLineError;

    fn from_str(text: &str) -> Result<AnyLine, AnyLineError> {
        Ok(match text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => AnyLine::Squares(text.parse()?),
            false => AnyLine::Turns(text.parse()?),
        })
    }
}

impl fmt::Display for AnyLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyLine::Turns(line) => line.fmt(f),
            AnyLine::Squares(line) => line.fmt(f),
        }
    }
}

/// Reads digits; unlike [`str::parse`] no sign.
pub(crate) fn number(text: &str) -> Result<u32, NumberError> {
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
