//! The dash form: `s1-..-sm-n1-..-nm-STORES-STOREN-S`, each side's pits from its own left, then
//! the stores of South and North and the player to move. Aalina writes oware this way. A pit that
//! is a tuzdyk is a `t`.

use std::fmt::Write;

use thiserror::Error;

use super::{NumberError, PitError, Row, TUZDYK, letter, number, player};
use crate::position::{Player, Setup};

/// Why a text is not a position in the dash form.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DashError {
    /// The number of fields fits no board.
    #[error(
        "a position in the dash form has 2 x pits + 2 numbers and S or N, for example \
         4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; this has {0} fields"
    )]
    Fields(usize),
    /// A field is no pit.
    #[error("field {index} of the position: {error}")]
    Pit {
        /// Which field, from 1.
        index: usize,
        /// What is wrong with it.
        error: PitError,
    },
    /// A field is no number of stones.
    #[error("field {index} of the position: {error}")]
    Number {
        /// Which field, from 1.
        index: usize,
        /// What is wrong with it.
        error: NumberError,
    },
    /// The last field names no player.
    #[error("the last field is `{0}`, but must name the player to move: S or N")]
    ToMove(String),
}

/// Reads a position in the dash form.
///
/// # Errors
/// Which field is wrong.
pub fn parse(text: &str) -> Result<Setup, DashError> {
    let (numbers, to_move) = text.trim().rsplit_once('-').ok_or(DashError::Fields(1))?;
    let to_move = player(to_move).ok_or_else(|| DashError::ToMove(to_move.to_owned()))?;
    let fields: Vec<&str> = numbers.split('-').collect();
    if fields.len() < 4 || !fields.len().is_multiple_of(2) {
        return Err(DashError::Fields(fields.len() + 1));
    }
    let pits = fields.len() / 2 - 1;
    let mut rows = [Row::default(), Row::default()];
    let mut stores = [0; 2];
    for (at, &field) in fields.iter().enumerate() {
        let index = at + 1;
        match at.checked_sub(2 * pits) {
            None => {
                let taken = rows[at / pits].push(field);
                taken.map_err(|error| DashError::Pit { index, error })?;
            }
            Some(store) => {
                let stones = number(field).map_err(|error| DashError::Number { index, error });
                stores[store] = stones?;
            }
        }
    }
    let [south, north] = rows;
    let tuzdyks = [south.tuzdyk, north.tuzdyk];
    Ok(Setup { pits: [south.pits, north.pits], tuzdyks, stores, to_move })
}

/// Writes a position in the dash form.
#[must_use]
pub fn format(setup: &Setup) -> String {
    let mut text = String::new();
    for player in Player::BOTH {
        for pit in super::row(setup, player) {
            // A string takes whatever is written to it.
            let _ = match pit {
                Some(stones) => write!(text, "{stones}-"),
                None => write!(text, "{TUZDYK}-"),
            };
        }
    }
    let [south, north] = setup.stores;
    let _ = write!(text, "{south}-{north}-{}", letter(setup.to_move));
    text
}
