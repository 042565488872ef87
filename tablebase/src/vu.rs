//! The form of the published awari database (Romein & Bal, Vrije Universiteit Amsterdam, 2002).
//!
//! A file `scores.N` holds layer N without a header: one signed byte a position, what the mover
//! will still win minus what the opponent will. It has the positions in which at least one pit
//! of the opponent is empty, as it is for whoever has just sown, in rising lexicographic order:
//! the opponent's last pit is the most significant, then his others downwards, then the mover's
//! last pit and his others downwards.

use std::io::{self, Read, Write};

use games::{Board, Side};
use thiserror::Error;

use crate::file::FileError;
use crate::index::layer_positions;
use crate::tables::Tables;

/// Why a layer could not be written or compared.
#[derive(Debug, Error)]
pub enum VuError {
    /// A table is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// The values cannot be written or read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the values of a layer in this form, and gives their number.
///
/// # Errors
/// The layer is damaged, or cannot be written.
///
/// # Panics
/// If the layer is not in the tables.
pub fn write(tables: &Tables, stones: u32, out: &mut impl Write) -> Result<u64, VuError> {
    let mut count = 0;
    for board in boards(tables.index().sides().pits(), stones) {
        let value = tables.value(board)?.expect("the layer is in the tables");
        out.write_all(&(value as i8).to_le_bytes())?;
        count += 1;
    }
    Ok(count)
}

/// A value that is not the one of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Differing {
    /// The number of the value in the file, from 0.
    pub number: u64,
    /// Its position.
    pub board: Board,
    /// The value of the file.
    pub found: i8,
    /// The value of the tables.
    pub right: i32,
}

/// Compares the values of a layer in this form with the tables. Calls `differs` for each that is
/// another, and gives how many those are.
///
/// # Errors
/// The layer is damaged, or the values cannot be read or are too few.
///
/// # Panics
/// If the layer is not in the tables.
pub fn compare(
    tables: &Tables,
    stones: u32,
    values: &mut impl Read,
    differs: &mut impl FnMut(Differing),
) -> Result<u64, VuError> {
    let mut differing = 0;
    for (number, board) in (0..).zip(boards(tables.index().sides().pits(), stones)) {
        let right = tables.value(board)?.expect("the layer is in the tables");
        let mut byte = [0];
        values.read_exact(&mut byte)?;
        let found = i8::from_le_bytes(byte);
        if i32::from(found) != right {
            differing += 1;
            differs(Differing { number, board, found, right });
        }
    }
    Ok(differing)
}

/// How many positions of a layer this form has: all but those where no pit of the opponent is
/// empty.
#[must_use]
pub fn count(pits: usize, stones: u32) -> u64 {
    let full = stones.checked_sub(pits as u32).map_or(0, |rest| layer_positions(pits, rest));
    layer_positions(pits, stones) - full
}

/// The positions of a layer that this form has, in its order.
pub fn boards(pits: usize, stones: u32) -> impl Iterator<Item = Board> {
    // From the most significant pit on.
    let mut digits = vec![0; 2 * pits];
    digits[2 * pits - 1] = stones;
    let all = std::iter::successors(Some(digits), move |digits| {
        let last = digits.iter().rposition(|&digit| digit > 0).filter(|&last| last > 0)?;
        let mut next = digits.clone();
        next[last - 1] += 1;
        let rest = std::mem::take(&mut next[last]) - 1;
        next[2 * pits - 1] = rest;
        Some(next)
    });
    all.filter(move |digits| digits[..pits].contains(&0)).map(move |mut digits| {
        digits.reverse();
        let side = |pits: &[u32]| Side::from_pits(pits).expect("a layer's side fits the packing");
        Board::new(side(&digits[..pits]), side(&digits[pits..]))
    })
}
