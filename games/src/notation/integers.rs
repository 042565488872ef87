//! Integers alone: the pits of the player to move from his leftmost on, then those of the
//! opponent from the opponent's leftmost on, which is once around the board counter-clockwise.
//! The published awari database writes positions this way, twelve integers each. Neither stores
//! nor players are in it, nor are tuzdyks.

use thiserror::Error;

use super::{NumberError, number};
use crate::position::{Player, Setup};

/// Why a text is not a position written as integers.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum IntegersError {
    /// The number of integers fits no board.
    #[error(
        "a position written as integers has 2 x pits of them, the mover's first, for example \
         4 4 4 4 4 4 4 4 4 4 4 4; this has {0}"
    )]
    Count(usize),
    /// One of them is no number of stones.
    #[error("integer {index} of the position: {error}")]
    Number {
        /// Which, from 1.
        index: usize,
        /// What is wrong with it.
        error: NumberError,
    },
}

/// Reads a position written as integers, separated by spaces, commas or both. The mover becomes
/// South; the stores are empty.
///
/// # Errors
/// Which integer is wrong, or that they fit no board.
pub fn parse(text: &str) -> Result<Setup, IntegersError> {
    let fields = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|s| !s.is_empty());
    let numbers = fields.enumerate().map(|(index, field)| {
        number(field).map_err(|error| IntegersError::Number { index: index + 1, error })
    });
    let mut mover = numbers.collect::<Result<Vec<u32>, IntegersError>>()?;
    if mover.is_empty() || !mover.len().is_multiple_of(2) {
        return Err(IntegersError::Count(mover.len()));
    }
    let other = mover.split_off(mover.len() / 2);
    Ok(Setup { pits: [mover, other], tuzdyks: [None; 2], stores: [0; 2], to_move: Player::South })
}

/// Writes the pits of a position as integers separated by spaces; stores and the name of the
/// player to move are lost.
#[must_use]
pub fn format(setup: &Setup) -> String {
    let [mover, other] = [setup.to_move, setup.to_move.opponent()];
    let pits = setup.pits[mover as usize].iter().chain(&setup.pits[other as usize]);
    pits.map(u32::to_string).collect::<Vec<_>>().join(" ")
}
