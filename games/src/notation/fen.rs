//! The FEN of PlayStrategy for oware, toguz kumalak and Bestemshe,
//! `4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1`.
//!
//! Both rows as South sees the board, North's first: North's pits from his last to his first,
//! then South's from his first to his last. `4S` is a pit of four stones, a number alone that
//! many empty pits, `t` a pit that is a tuzdyk of the other player. Then the stores of South and North, the player to move, the move number.

use thiserror::Error;

use super::{NumberError, PitError, Row, TUZDYK, is_tuzdyk, letter, number, player};
use crate::position::{Player, Setup};
use crate::side::MAX_PITS;

/// Why a text is not a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// The number of fields is wrong.
    #[error(
        "a FEN has 5 fields: rows, store of South, store of North, player, move number, for \
         example 4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1; this has {0}"
    )]
    Fields(usize),
    /// The rows are not two.
    #[error("the board of a FEN has 2 rows with a / between them, North's first; this has {0}")]
    Rows(usize),
    /// A pit, or a run of empty pits, is not understood.
    #[error("in the row of {}, item {index}: {error}", .player.name())]
    Pit {
        /// Whose row.
        player: Player,
        /// Which item, from 1, as the row is written.
        index: usize,
        /// What is wrong with it.
        error: PitError,
    },
    /// A row has more pits than any board.
    #[error("the row of {} has more than {MAX_PITS} pits", .0.name())]
    Pits(Player),
    /// A field after the rows is no number.
    #[error("{field}: {error}")]
    Number {
        /// The name of the field.
        field: &'static str,
        /// What is wrong with it.
        error: NumberError,
    },
    /// The fourth field names no player.
    #[error("the player to move is S or N, not `{0}`")]
    ToMove(String),
}

/// Reads a FEN: the position and the move number.
///
/// # Errors
/// Which field is wrong.
pub fn parse(text: &str) -> Result<(Setup, u32), FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[rows, south, north, to_move, move_number] = fields.as_slice() else {
        return Err(FenError::Fields(fields.len()));
    };
    let rows: Vec<&str> = rows.split('/').collect();
    let &[upper, lower] = rows.as_slice() else {
        return Err(FenError::Rows(rows.len()));
    };
    let mut upper = parse_row(upper, Player::North)?;
    upper.reverse();
    let lower = parse_row(lower, Player::South)?;
    let read = |text, field| number(text).map_err(|error| FenError::Number { field, error });
    let stores = [read(south, "the store of South")?, read(north, "the store of North")?];
    let to_move = player(to_move).ok_or_else(|| FenError::ToMove(to_move.to_owned()))?;
    let tuzdyks = [lower.tuzdyk, upper.tuzdyk];
    let setup = Setup { pits: [lower.pits, upper.pits], tuzdyks, stores, to_move };
    Ok((setup, read(move_number, "the move number")?))
}

/// Reads a row from left to right.
fn parse_row(text: &str, player: Player) -> Result<Row, FenError> {
    let mut row = Row::default();
    for (index, item) in text.split(',').enumerate() {
        let at = |error| FenError::Pit { player, index: index + 1, error };
        match item.strip_suffix('S') {
            Some(stones) => row.pits.push(number(stones).map_err(|error| at(error.into()))?),
            None if is_tuzdyk(item) => row.push_tuzdyk().map_err(at)?,
            None => {
                let empty = number(item).map_err(|error| at(error.into()))? as usize;
                row.pits.resize(row.pits.len() + empty.min(MAX_PITS + 1), 0);
            }
        }
        if row.pits.len() > MAX_PITS {
            return Err(FenError::Pits(player));
        }
    }
    Ok(row)
}

/// Writes a position with a move number as a FEN.
#[must_use]
pub fn format(setup: &Setup, move_number: u32) -> String {
    let [lower, upper] = Player::BOTH.map(|player| super::row(setup, player));
    let (upper, lower) = (format_row(upper.rev()), format_row(lower));
    let [south, north] = setup.stores;
    format!("{upper}/{lower} {south} {north} {} {move_number}", letter(setup.to_move))
}

fn format_row(pits: impl Iterator<Item = Option<u32>>) -> String {
    let pits: Vec<Option<u32>> = pits.collect();
    let runs = pits.chunk_by(|a, b| *a == Some(0) && *b == Some(0)).map(|run| match run[0] {
        Some(0) => run.len().to_string(),
        Some(stones) => format!("{stones}S"),
        None => TUZDYK.to_owned(),
    });
    runs.collect::<Vec<_>>().join(",")
}
