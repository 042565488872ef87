//! What the tables of a folder know of a game: values, bounds of them, or both.

use std::path::Path;

use games::notation::dash;
use games::{Position, Rules, Ruleset};
use solver::{Bounded, Oracle, judge, judge_bounds, tables};
use tablebase::bounds::keeper;
use tablebase::{BoundTables, Tables};

use super::judged::Judged;
use crate::error::Error;

/// Open tables of a game.
pub(crate) struct Known {
    /// `None` under rules of repetition that leave a position no value of its own.
    values: Option<Tables>,
    bounds: Option<BoundTables>,
}

impl Known {
    /// Opens what a folder has of a game.
    pub(crate) fn open(folder: &Path, game: &Ruleset) -> Result<Known, Error> {
        let bounds = match game.spec().cyclic {
            true => BoundTables::open(folder, game, games::MAX_STONES)?,
            false => None,
        };
        if has_values(game) {
            let values = Some(Tables::open(folder, game, games::MAX_STONES)?);
            return Ok(Known { values, bounds });
        }
        if bounds.is_none() {
            let (key, folder) = (keeper(game).table_key(), folder.display().to_string());
            return Err(Error::NoBounds { key, folder });
        }
        Ok(Known { values: None, bounds })
    }

    /// Judges a position, which the user gave as `text`.
    pub(crate) fn judge(
        &self,
        game: &Ruleset,
        rules: &Rules,
        position: &Position,
        text: &str,
    ) -> Result<Judged, Error> {
        let failed = |reason| Error::Query { text: text.to_owned(), reason };
        let dashes = dash::format(&position.setup(game.pits()));
        let Some(mut values) = self.values.as_ref() else {
            let bounded = self.bounded(rules, position).map_err(failed)?;
            let bounded = bounded.ok_or_else(|| failed(self.beyond(position)))?;
            return Ok(Judged::bounded(game, position, dashes, &bounded));
        };
        // Its own layer first, so that an error is about it and not about what follows.
        let judgement = Oracle::value(&mut values, position.board())
            .and_then(|_| judge(rules, &mut values, position))
            .map_err(failed)?;
        let judged = Judged::new(game, position, dashes, &judgement, "table");
        let bounded = self.bounded(rules, position).map_err(failed)?;
        Ok(bounded.iter().fold(judged, Judged::with_bounds))
    }

    /// What the bounds say, if they reach so far.
    fn bounded(
        &self,
        rules: &Rules,
        position: &Position,
    ) -> Result<Option<Bounded>, tables::Error> {
        let stones = position.board().stones();
        let reaching = self.bounds.as_ref().filter(|bounds| stones <= bounds.most_stones());
        reaching.map(|bounds| judge_bounds(rules, bounds, position)).transpose()
    }

    fn beyond(&self, position: &Position) -> tables::Error {
        let most = self.bounds.as_ref().map_or(0, BoundTables::most_stones);
        tables::Error::Beyond { stones: position.board().stones(), most }
    }
}

/// Whether the rule of repetition gives each position a value of its own.
pub(crate) fn has_values(game: &Ruleset) -> bool {
    game.choice("repetition").is_none_or(|rule| rule == "split")
}
