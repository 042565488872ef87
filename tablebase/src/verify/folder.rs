//! Checking the files of a ruleset.

use std::path::{Path, PathBuf};

use games::notation::dash;
use games::{Player, Rows, Ruleset, Setup};
use thiserror::Error;

use crate::bounds::keeper;
use crate::file::{FileError, ValueKind, file_path, folder_name, layers_of_kind};
use crate::index::Numbering;
use crate::probe::Probe;
use crate::tabled::Tabled;
use crate::tables::{OpenError, ResidentTables, Tables};

use super::progress::{Unfounded, Values, unfounded};
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
        "{} is missing, so layer {above} cannot be checked, nor what is above; build it",
        .path.display()
    )]
    Gap {
        /// The file that is missing.
        path: PathBuf,
        /// The lowest layer that hangs on it.
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
pub fn verify<R: Tabled>(
    ruleset: &Ruleset<R>,
    tables: &Path,
    memory: u64,
    sample: Option<u64>,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Verified, VerifyError> {
    Check { ruleset, dir: tables, kinds: &[ValueKind::Exact], tell }.run(memory, sample)
}

/// The same for the bounds of a ruleset, whatever its rule of repetition.
///
/// # Errors
/// As [`verify`].
pub fn verify_bounds<R: Tabled>(
    ruleset: &Ruleset<R>,
    tables: &Path,
    memory: u64,
    sample: Option<u64>,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Verified, VerifyError> {
    let ruleset = &keeper(ruleset);
    Check { ruleset, dir: tables, kinds: &ValueKind::BOUNDS, tell }.run(memory, sample)
}

/// Files of a ruleset that are checked together.
struct Check<'a, R: Tabled> {
    ruleset: &'a Ruleset<R>,
    /// The folder the user gave.
    dir: &'a Path,
    /// One table, or the two bounds.
    kinds: &'a [ValueKind],
    tell: &'a (dyn Fn(Event) + Sync),
}

impl<R: Tabled> Check<'_, R> {
    fn run(&self, memory: u64, sample: Option<u64>) -> Result<Verified, VerifyError> {
        let files = self.open()?;
        let layers: Vec<u32> = files.iter().map(|files| files.most_stones() + 1).collect();
        let count = layers.iter().copied().min().unwrap_or(0);
        (self.tell)(Event::Found(count));
        for layer in 0..count {
            (self.tell)(Event::Checksums(layer));
            files.iter().try_for_each(|files| files.layers()[layer as usize].verify_checksums())?;
        }
        let tables = resident(files, memory)?;
        let rules = self.ruleset.rules();
        let mut positions = 0;
        for layer in 0..count {
            positions += self.layer(&rules, &tables, layer, sample)?;
        }
        match self.gap(&layers)? {
            Some(gap) => Err(gap),
            None => Ok(Verified { most_stones: count - 1, positions }),
        }
    }

    fn open(&self) -> Result<Vec<Tables<R>>, VerifyError> {
        let open = |&kind| match Tables::open_kind(self.dir, self.ruleset, games::MAX_STONES, kind)
        {
            Err(empty @ OpenError::Empty { .. }) => {
                Err(self.gap(&vec![0; self.kinds.len()])?.unwrap_or(empty.into()))
            }
            files => Ok(files?),
        };
        self.kinds.iter().map(open).collect()
    }

    /// Checks the values of a layer; gives how many.
    fn layer(
        &self,
        rules: &R,
        tables: &[ResidentTables<R>],
        layer: u32,
        sample: Option<u64>,
    ) -> Result<u64, VerifyError> {
        let cyclic = self.ruleset.spec().cyclic;
        let count = sample.unwrap_or(u64::MAX).min(tables[0].index().positions(layer));
        // The other bound, or the only table.
        let replies = tables.iter().rev();
        for ((tables, replies), &kind) in tables.iter().zip(replies).zip(self.kinds) {
            (self.tell)(Event::Values(layer, count));
            let verifier = Verifier { rules, tables, replies, cyclic };
            let tell = |positions| (self.tell)(Event::Checked(positions));
            if let Some(wrong) = verifier.sample(layer, count, &tell) {
                let position = self.describe(tables, layer, wrong.number);
                return Err(VerifyError::Value { path: self.path(layer, kind), position, wrong });
            }
        }
        if let (true, None) = (cyclic, sample) {
            (self.tell)(Event::Progress(layer));
            self.prove(rules, tables, layer)?;
        }
        Ok(count * tables.len() as u64)
    }

    /// Refuses values of a cyclic layer that nothing brings about.
    fn prove(
        &self,
        rules: &R,
        tables: &[ResidentTables<R>],
        layer: u32,
    ) -> Result<(), VerifyError> {
        let values = match tables {
            [lower, upper] => Values { lower, upper, floor: -(layer as i32) },
            _ => Values { lower: &tables[0], upper: &tables[0], floor: 0 },
        };
        let Some(Unfounded { upper, number }) = unfounded(rules, values, layer) else {
            return Ok(());
        };
        let at = if upper { tables.len() - 1 } else { 0 };
        let position = self.describe(&tables[at], layer, number);
        let value = tables[at].value_at((layer, number));
        let path = self.path(layer, self.kinds[at]);
        Err(VerifyError::Unfounded { path, position, number, value })
    }

    /// Tells if there are layers above a missing one, or without their other bound. `layers`
    /// says of each kind how many are there from layer 0 on.
    fn gap(&self, layers: &[u32]) -> Result<Option<VerifyError>, FileError> {
        let key = self.ruleset.table_key();
        if !self.dir.join(folder_name(&key)).is_dir() {
            return Ok(None);
        }
        for (&kind, &missing) in self.kinds.iter().zip(layers) {
            for &other in self.kinds {
                let mut there = layers_of_kind(self.dir, &key, other)?.into_iter();
                if let Some(above) = there.find(|&layer| layer >= missing) {
                    let path = self.path(missing, kind);
                    return Ok(Some(VerifyError::Gap { path, above }));
                }
            }
        }
        Ok(None)
    }

    /// A position in the dash form, its mover as South.
    fn describe(&self, tables: &ResidentTables<R>, layer: u32, number: u64) -> String {
        let [south, north] = tables.index().board(layer, number).unpack(self.ruleset.pits());
        let (pits, tuzdyks) = ([south.0, north.0], [south.1, north.1]);
        dash::format(&Setup { pits, tuzdyks, stores: [0; 2], to_move: Player::South })
    }

    fn path(&self, layer: u32, kind: ValueKind) -> PathBuf {
        file_path(self.dir, &self.ruleset.table_key(), layer, kind)
    }
}

/// Unpacks compressed layers into at most `memory` bytes in all.
fn resident<R: Tabled>(
    files: Vec<Tables<R>>,
    memory: u64,
) -> Result<Vec<ResidentTables<R>>, OpenError> {
    let mut left = memory;
    let unpack = |files: Tables<R>| {
        let tables = files.into_resident(left)?;
        left = left.saturating_sub(tables.unpacked());
        Ok(tables)
    };
    files.into_iter().map(unpack).collect()
}
