//! The dash form: `s1-..-sm-n1-..-nm-STORES-STOREN-S`, each side's pits from its own left, then
//! the stores of South and North and the player to move. Aalina writes oware this way.

use thiserror::Error;

use super::{NumberError, letter, number, player};
use crate::position::Setup;

/// Why a text is not a position in the dash form.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DashError {
    /// The number of fields fits no board.
    #[error(
        "a position in the dash form has 2 x pits + 2 numbers and S or N, for example \
         4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; this has {0} fields"
    )]
    Fields(usize),
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
    let numbers = numbers.split('-').enumerate().map(|(index, field)| {
        number(field).map_err(|error| DashError::Number { index: index + 1, error })
    });
    let numbers = numbers.collect::<Result<Vec<u32>, DashError>>()?;
    if numbers.len() < 4 || !numbers.len().is_multiple_of(2) {
        return Err(DashError::Fields(numbers.len() + 1));
    }
    let (pits, stores) = numbers.split_at(numbers.len() - 2);
    let (south, north) = pits.split_at(pits.len() / 2);
    Ok(Setup { pits: [south.to_vec(), north.to_vec()], stores: [stores[0], stores[1]], to_move })
}

/// Writes a position in the dash form.
#[must_use]
pub fn format(setup: &Setup) -> String {
    let numbers = setup.pits.iter().flatten().chain(&setup.stores);
    let numbers: String = numbers.map(|stones| format!("{stones}-")).collect();
    format!("{numbers}{}", letter(setup.to_move))
}
