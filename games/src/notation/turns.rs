//! Turns and lines: `4`, `4-6`, `4-3-1`; turns are separated by spaces.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::number;
use crate::side::MAX_PITS;

/// Why a text is not a line of turns.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "turn {number} `{turn}` is not a list of pits such as 4-3-1 (pits are numbered from 1 to at \
     most {MAX_PITS})"
)]
pub struct LineError {
    number: usize,
    turn: String,
}

/// The sowings of a player until the move passes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Turn(Vec<usize>);

impl Turn {
    /// A turn of the given pits (0 is the mover's leftmost).
    #[must_use]
    pub fn new(pits: Vec<usize>) -> Turn {
        Turn(pits)
    }

    /// The pits sown, one after the other (0 is the mover's leftmost).
    #[must_use]
    pub fn pits(&self) -> &[usize] {
        &self.0
    }

    /// Adds a sowing to the turn.
    pub fn push(&mut self, pit: usize) {
        self.0.push(pit);
    }

    fn parse(text: &str) -> Option<Turn> {
        let pits = text.split('-').map(|pit| {
            let number = number(pit).ok().map(|number| number as usize);
            number.filter(|number| (1..=MAX_PITS).contains(number)).map(|number| number - 1)
        });
        pits.collect::<Option<Vec<usize>>>().map(Turn)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, pit) in self.0.iter().enumerate() {
            let dash = if index > 0 { "-" } else { "" };
            write!(f, "{dash}{}", pit + 1)?;
        }
        Ok(())
    }
}

/// Turns of both players one after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Line(Vec<Turn>);

impl Line {
    /// A line of the given turns.
    #[must_use]
    pub fn new(turns: Vec<Turn>) -> Line {
        Line(turns)
    }

    /// The turns.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.0
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Line, LineError> {
        let turns = text.split_whitespace().enumerate().map(|(index, turn)| {
            Turn::parse(turn).ok_or_else(|| LineError { number: index + 1, turn: turn.to_owned() })
        });
        turns.collect::<Result<_, _>>().map(Line)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, turn) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{turn}")?;
        }
        Ok(())
    }
}
