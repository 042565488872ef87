//! What the tables of a folder know of a game: values, bounds of them, or both.

use std::path::Path;

use games::{Position, Rows, Rules, Ruleset};
use solver::{Bounded, Oracle, judge, judge_bounds, tables};
use tablebase::bounds::keeper;
use tablebase::{BoundTables, Interval, OpenError, Probe, ResidentTables, Tabled, Tables};

use super::judged::Judged;
use crate::args;
use crate::error::Error;

/// Open tables of a game; threads may share them.
pub(crate) struct Known<R: Tabled = Rules> {
    /// `None` under rules of repetition that leave a position no value of its own.
    values: Option<Values<R>>,
    bounds: Option<BoundTables<R>>,
}

/// Exact values.
enum Values<R: Tabled> {
    /// Compressed ones, read block by block.
    Blocks(Tables<R>),
    /// One memory access away.
    Resident(ResidentTables<R>),
}

/// What tables know of one position.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// `None` where it hangs on what becomes of repetitions.
    pub(crate) value: Option<i32>,
    /// What holds under every rule of repetition, if that is known.
    pub(crate) bounds: Option<Interval>,
}

impl<R: Tabled> Known<R> {
    /// Opens what a folder has of a game up to the layer `most`. Compressed values are unpacked if
    /// `memory` bytes hold them, otherwise read block by block.
    pub(crate) fn open(
        folder: &Path,
        game: &Ruleset<R>,
        most: u32,
        memory: u64,
    ) -> Result<Known<R>, Error> {
        let bounds = match game.spec().cyclic {
            true => BoundTables::open(folder, game, most)?,
            false => None,
        };
        if game.has_values() {
            let values = Some(Values::open(folder, game, most, memory)?);
            return Ok(Known { values, bounds });
        }
        if bounds.is_none() {
            let (key, folder) = (keeper(game).table_key(), folder.display().to_string());
            return Err(Error::NoBounds { key, folder });
        }
        Ok(Known { values: None, bounds })
    }

    /// The most stones of a position that can be looked up.
    pub(crate) fn most_stones(&self) -> u32 {
        match (&self.values, &self.bounds) {
            (Some(values), _) => values.most_stones(),
            (None, Some(bounds)) => bounds.most_stones(),
            (None, None) => 0,
        }
    }

    /// Whether compressed values are read block by block.
    pub(crate) fn reads_blocks(&self) -> bool {
        matches!(self.values, Some(Values::Blocks(_)))
    }

    /// Looks up boards of at most [`Known::most_stones`] stones.
    pub(crate) fn look_up(&self, boards: &[R::Board]) -> Vec<Result<Entry, String>> {
        if let (Some(Values::Resident(tables)), None) = (&self.values, &self.bounds) {
            let mut values = vec![0; boards.len()];
            if tables.checked_values(boards, &mut values).is_ok() {
                let entry = |value| Ok(Entry { value: Some(value), bounds: None });
                return values.into_iter().map(entry).collect();
            }
        }
        let entry = |&board| self.entry(board).map_err(|reason| reason.to_string());
        boards.iter().map(entry).collect()
    }

    fn entry(&self, board: R::Board) -> Result<Entry, tables::Error> {
        let bounds = match &self.bounds {
            Some(bounds) => bounds.bounds(board)?,
            None => None,
        };
        let value = match self.values.as_ref() {
            Some(mut values) => Some(Oracle::value(&mut values, board)?),
            None => bounds.and_then(Interval::value),
        };
        Ok(Entry { value, bounds })
    }

    /// Judges a position.
    pub(crate) fn judge(
        &self,
        game: &Ruleset<R>,
        rules: &R,
        position: &Position<R::Board>,
    ) -> Result<Judged, tables::Error> {
        let dashes = args::dashes(game, position);
        let bounded = self.bounded(rules, position)?;
        let Some(mut values) = self.values.as_ref() else {
            let bounded = bounded.ok_or_else(|| self.beyond(position.board()))?;
            return Ok(Judged::bounded(game, position, dashes, &bounded));
        };
        // Its own layer first, so that an error is about it and not about what follows.
        Oracle::value(&mut values, position.board())?;
        let judgement = judge(rules, &mut values, position)?;
        let judged = Judged::new(game, position, dashes, &judgement, "table");
        Ok(bounded.iter().fold(judged, Judged::with_bounds))
    }

    /// What the bounds say, if they reach so far.
    fn bounded(
        &self,
        rules: &R,
        position: &Position<R::Board>,
    ) -> Result<Option<Bounded>, tables::Error> {
        let stones = position.board().stones();
        let reaching = self.bounds.as_ref().filter(|bounds| stones <= bounds.most_stones());
        reaching.map(|bounds| judge_bounds(rules, bounds, position)).transpose()
    }

    /// Says that a board has too many stones.
    pub(crate) fn beyond(&self, board: R::Board) -> tables::Error {
        tables::Error::Beyond { stones: board.stones(), most: self.most_stones() }
    }
}

impl<R: Tabled> Values<R> {
    fn open(folder: &Path, game: &Ruleset<R>, most: u32, memory: u64) -> Result<Values<R>, Error> {
        let open = || Tables::open(folder, game, most);
        match open()?.into_resident(memory) {
            Ok(tables) => Ok(Values::Resident(tables)),
            Err(OpenError::Memory { .. }) => Ok(Values::Blocks(open()?)),
            Err(reason) => Err(reason.into()),
        }
    }

    fn most_stones(&self) -> u32 {
        match self {
            Values::Blocks(tables) => tables.most_stones(),
            Values::Resident(tables) => tables.most_stones().unwrap_or(0),
        }
    }
}

impl<R: Tabled> Oracle<R::Board> for &Values<R> {
    type Error = tables::Error;

    fn value(&mut self, board: R::Board) -> Result<i32, tables::Error> {
        match self {
            Values::Blocks(tables) => Oracle::value(&mut { tables }, board),
            Values::Resident(tables) => {
                let (stones, most) = (board.stones(), self.most_stones());
                if stones > most {
                    return Err(tables::Error::Beyond { stones, most });
                }
                let mut value = [0];
                tables.checked_values(&[board], &mut value)?;
                Ok(value[0])
            }
        }
    }
}
