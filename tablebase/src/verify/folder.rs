//! Checking the files of a ruleset.

use std::path::{Path, PathBuf};

use games::notation::dash;
use games::{Board, Player, Ruleset, Setup};
use thiserror::Error;

use crate::file::{FileError, layer_path, layers_in};
use crate::probe::Probe;
use crate::tables::{OpenError, Tables};

use super::{Verifier, Wrong};

/// What a check tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// So many layers are there.
    Found(u32),
    /// The checksums of a layer are being compared.
    Checksums(u32),
    /// So many values of a layer are being recomputed.
    Values(u32, u64),
    /// So many values more are right; told from any thread.
    Checked(u64),
    /// It is being proved that the values of a cyclic layer are brought about by play.
    Progress(u32),
}

/// What was found right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The highest layer; it and all below are right.
    pub most_stones: u32,
    /// Positions whose value was recomputed.
    pub positions: u64,
}

/// Why tables are not right, or could not be checked.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A value is wrong, though the checksums are right.
    #[error(
        "{path} has a wrong value: position {position} (number {number}) has {stored}, but {right} \
         follows from its successors; delete the file and build the layer again",
        path = .path.display(), number = .wrong.number, stored = .wrong.stored, right = .wrong.right
    )]
    Value {
        /// The file.
        path: PathBuf,
        /// The position in the dash form, its mover as South.
        position: String,
        /// Where, what is there, and what should be.
        wrong: Wrong,
    },
    /// Layers cannot be checked because a lower one is missing.
    #[error(
        "{} is missing, so layer {above} and what else is above cannot be checked; build it",
        .path.display()
    )]
    Gap {
        /// The file that is missing.
        path: PathBuf,
        /// The lowest layer above.
        above: u32,
    },
    /// Values follow from each other, but nothing brings them about.
    #[error(
        "{path} claims a value that nothing brings about: position {position} (number {number}) has \
         {value}, but play for it only leads round to positions that claim the same; delete the \
         file and build the layer again", path = .path.display()
    )]
    Unfounded {
        /// The file.
        path: PathBuf,
        /// The position in the dash form, its mover as South.
        position: String,
        /// Its number in the [index](crate::index) of the layer.
        number: u64,
        /// What it claims.
        value: i32,
    },
    /// A file is damaged or cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl VerifyError {
    /// Whether the tables were found to be wrong; otherwise they could not be checked.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(
            self,
            VerifyError::Open(
                OpenError::Empty { .. }
                    | OpenError::Memory { .. }
                    | OpenError::File(FileError::Io { .. })
            )
        )
    }
}

impl From<FileError> for VerifyError {
    fn from(error: FileError) -> VerifyError {
        VerifyError::Open(error.into())
    }
}

/// Checks all layers of a ruleset below the folder `tables` on the threads of the current rayon
/// pool: the checksums of all files, then the values from layer 0 on, all of them or `sample`
/// random ones a layer. Random values of a cyclic game are only compared with their successors,
/// which finds damage but proves nothing. `memory` is the most bytes to unpack compressed layers into.
///
/// # Errors
/// What is wrong first, or keeps the layers from being checked.
pub fn verify(
    ruleset: &Ruleset,
    tables: &Path,
    memory: u64,
    sample: Option<u64>,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Verified, VerifyError> {
    let key = ruleset.table_key();
    let files = match Tables::open(tables, ruleset, games::MAX_STONES) {
        Err(empty @ OpenError::Empty { .. }) => {
            return Err(gap(tables, &key, 0)?.unwrap_or(empty.into()));
        }
        files => files?,
    };
    let most_stones = files.most_stones();
    tell(Event::Found(most_stones + 1));
    for (layer, file) in (0..).zip(files.layers()) {
        tell(Event::Checksums(layer));
        file.verify_checksums()?;
    }
    let resident = files.into_resident(memory)?;
    let rules = ruleset.rules();
    let cyclic = ruleset.spec().cyclic;
    let verifier = Verifier { rules: &rules, tables: &resident, cyclic };
    let mut positions = 0;
    for layer in 0..=most_stones {
        let count = sample.unwrap_or(u64::MAX).min(resident.index().positions(layer));
        tell(Event::Values(layer, count));
        let wrong = verifier.sample(layer, count, &|positions| tell(Event::Checked(positions)));
        if let Some(wrong) = wrong {
            let position = describe(wrong.board, ruleset.pits());
            return Err(VerifyError::Value {
                path: layer_path(tables, &key, layer),
                position,
                wrong,
            });
        }
        if let (true, None) = (cyclic, sample) {
            tell(Event::Progress(layer));
            check_progress(&verifier, layer, ruleset.pits(), &layer_path(tables, &key, layer))?;
        }
        positions += count;
    }
    match gap(tables, &key, most_stones + 1)? {
        Some(gap) => Err(gap),
        None => Ok(Verified { most_stones, positions }),
    }
}

/// Tells if there are layers above a missing one.
fn gap(tables: &Path, key: &str, missing: u32) -> Result<Option<VerifyError>, FileError> {
    let path = layer_path(tables, key, missing);
    if !path.parent().is_some_and(Path::is_dir) {
        return Ok(None);
    }
    let above = layers_in(tables, key)?.into_iter().find(|&layer| layer > missing);
    Ok(above.map(|above| VerifyError::Gap { path, above }))
}

/// Refuses values of a cyclic layer that nothing brings about.
fn check_progress(
    verifier: &Verifier<'_>,
    layer: u32,
    pits: usize,
    path: &Path,
) -> Result<(), VerifyError> {
    let Some(number) = verifier.unfounded(layer) else {
        return Ok(());
    };
    let position = describe(verifier.tables.index().board(layer, number), pits);
    let value = verifier.tables.value_at((layer, number));
    Err(VerifyError::Unfounded { path: path.to_owned(), position, number, value })
}

fn describe(board: Board, pits: usize) -> String {
    let side = |side: games::Side| side.iter(pits).collect();
    let pits = [side(board.mover), side(board.other)];
    dash::format(&Setup { pits, stores: [0; 2], to_move: Player::South })
}
