//! The statistics: what is counted, how two of them are added, how they are kept.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::filter::{Filter, Winner};
use super::judge::Sound;

/// The most records of a kind that are listed; all are counted.
const MOST_LISTED: usize = 1000;
/// The most characters of what is wrong, as it may quote the record.
const MOST_SAID: usize = 300;
/// The most that a kept count may be, so that sums cannot overflow.
const MOST: u64 = 1 << 53;

/// Statistics of recorded games. `illegal` and `mismatches` list the first thousand bad records,
/// `illegal_count` and `mismatch_count` count all. Means follow from the sums beside them, which
/// is why two statistics can be added without loss.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesStats {
    /// The canonical ruleset.
    pub(crate) game: String,
    /// Which games count.
    pub(crate) filter: Filter,
    /// Turns of the opening tree.
    pub(crate) turns: u32,
    /// Records that the filter takes, and records that cannot be read.
    pub(crate) games: u64,
    /// Sound records without moves. A record is sound if it is neither illegal nor a mismatch nor
    /// a duplicate.
    pub(crate) without_moves: u64,
    /// Sound records that do not tell the result, and whose moves do not either.
    pub(crate) without_result: u64,
    /// Records equal to an earlier one: players, date, round, start, moves and result.
    pub(crate) duplicates: u64,
    /// Records that cannot be read or played.
    pub(crate) illegal_count: u64,
    /// The first of them.
    pub(crate) illegal: Vec<Complaint>,
    /// Records that can be played, but contradict the rules.
    pub(crate) mismatch_count: u64,
    /// The first of them.
    pub(crate) mismatches: Vec<Complaint>,
    /// Sound records by winner, with or without moves.
    pub(crate) results: Results,
    /// Sowings of the sound records with moves.
    pub(crate) plies: Plies,
    /// The first turns, the most frequent first.
    pub(crate) openings: Vec<Opening>,
}

/// A bad record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Complaint {
    /// The file.
    pub(crate) file: String,
    /// Its number in the file, from 1; of text that is no record that of the record before.
    pub(crate) game: u64,
    /// The line in the file, from 1.
    pub(crate) line: u64,
    /// The sowing, from 1; 0 before the first.
    pub(crate) ply: usize,
    /// What is wrong.
    pub(crate) error: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint { file, game, line, ply, error } = self;
        write!(f, "{file}: line {line}: game {game}, ply {ply}: {error}")
    }
}

/// Games by winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Results {
    pub(crate) south: u64,
    pub(crate) draw: u64,
    pub(crate) north: u64,
}

/// Lengths of games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plies {
    /// Sowings a game; `null` without games.
    pub(crate) mean: Option<f64>,
    /// Sowings of the longest game.
    pub(crate) max: u64,
    /// Sowings of all games.
    pub(crate) sum: u64,
    /// Games.
    pub(crate) games: u64,
}

/// A turn of the opening tree: the games in which the line up to it was played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opening {
    /// The turn, as in a line: `4-6`.
    pub(crate) turn: String,
    /// Games.
    pub(crate) count: u64,
    /// Games by winner.
    pub(crate) results: Results,
    /// Stones that South has at the end more than North, on average; the end is the record's, with
    /// the stones left if the game is over by the rules.
    pub(crate) mean_margin: Option<f64>,
    /// The sum of those margins.
    pub(crate) margin_sum: i64,
    /// The rating of the player whose turn it is, on average over the games that give it.
    pub(crate) mean_rating: Option<f64>,
    /// The sum of those ratings.
    pub(crate) rating_sum: u64,
    /// Games that give it.
    pub(crate) rated: u64,
    /// The turns that follow, the most frequent first.
    pub(crate) replies: Vec<Opening>,
}

impl GamesStats {
    /// Of no games yet.
    pub(super) fn new(game: String, filter: Filter, turns: u32) -> GamesStats {
        GamesStats {
            game,
            filter,
            turns,
            games: 0,
            without_moves: 0,
            without_result: 0,
            duplicates: 0,
            illegal_count: 0,
            illegal: Vec::new(),
            mismatch_count: 0,
            mismatches: Vec::new(),
            results: Results::default(),
            plies: Plies::default(),
            openings: Vec::new(),
        }
    }

    /// Adds a bad record to one of the two lists.
    pub(super) fn complain(&mut self, is_mismatch: bool, mut complaint: Complaint) {
        if let Some((end, _)) = complaint.error.char_indices().nth(MOST_SAID) {
            complaint.error.truncate(end);
        }
        let (count, list) = match is_mismatch {
            true => (&mut self.mismatch_count, &mut self.mismatches),
            false => (&mut self.illegal_count, &mut self.illegal),
        };
        *count += 1;
        if list.len() < MOST_LISTED {
            list.push(complaint);
        }
    }

    /// Adds a sound record.
    pub(super) fn count(&mut self, sound: &Sound) {
        self.without_result += u64::from(sound.winner.is_none());
        self.results.count(sound.winner);
        if sound.plies == 0 {
            self.without_moves += 1;
            return;
        }
        self.plies.games += 1;
        self.plies.sum += sound.plies;
        self.plies.max = self.plies.max.max(sound.plies);
        let mut openings = &mut self.openings;
        for (turn, &rating) in sound.turns.iter().zip(sound.ratings.iter().cycle()) {
            let opening = find(openings, turn);
            opening.count += 1;
            opening.results.count(sound.winner);
            opening.margin_sum += sound.margin;
            opening.rating_sum += u64::from(rating.unwrap_or(0));
            opening.rated += u64::from(rating.is_some());
            openings = &mut opening.replies;
        }
    }

    /// Adds statistics of other games; theirs come first in the lists.
    pub(super) fn add(&mut self, kept: GamesStats) {
        let new = std::mem::replace(self, kept);
        self.games += new.games;
        self.without_moves += new.without_moves;
        self.without_result += new.without_result;
        self.duplicates += new.duplicates;
        self.illegal_count += new.illegal_count;
        self.illegal.extend(new.illegal);
        self.illegal.truncate(MOST_LISTED);
        self.mismatch_count += new.mismatch_count;
        self.mismatches.extend(new.mismatches);
        self.mismatches.truncate(MOST_LISTED);
        self.results.add(new.results);
        self.plies.sum += new.plies.sum;
        self.plies.games += new.plies.games;
        self.plies.max = self.plies.max.max(new.plies.max);
        add(&mut self.openings, new.openings);
    }

    /// Works out the means and sorts the tree.
    pub(super) fn settle(&mut self) {
        self.plies.mean = mean(self.plies.sum as f64, self.plies.games);
        settle(&mut self.openings);
    }

    /// Reads statistics that `new` can be added to.
    pub(super) fn kept(path: &Path, new: &GamesStats) -> Result<GamesStats, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let kept: GamesStats = serde_json::from_str(&text)
            .map_err(|error| format!("this is not the JSON of games-stats: {error}"))?;
        if kept.game != new.game {
            return Err(format!("these are games of {}, not of {}", kept.game, new.game));
        }
        if kept.turns != new.turns {
            return Err(format!("this tree has {0} turns; give --turns {0}", kept.turns));
        }
        if kept.filter != new.filter {
            return Err("these games were chosen by other filters; give the same".to_owned());
        }
        if !kept.is_sane() {
            return Err("its numbers contradict each other".to_owned());
        }
        Ok(kept)
    }

    /// Whether the numbers can be those of games, and are far from the ends of their types.
    fn is_sane(&self) -> bool {
        let Results { south, draw, north } = self.results;
        let parts = [south, draw, north, self.without_result, self.duplicates];
        let bad = self.illegal_count.checked_add(self.mismatch_count);
        let parts = parts.into_iter().chain(bad).try_fold(0u64, u64::checked_add);
        // Text that is no record is illegal, but no game.
        parts.is_some_and(|parts| self.games <= parts && parts <= MOST)
            && self.plies.sum <= MOST
            && self.plies.games <= self.games
            && are_sane(&self.openings, self.games)
    }
}

impl Results {
    fn count(&mut self, winner: Option<Winner>) {
        match winner {
            Some(Winner::South) => self.south += 1,
            Some(Winner::Draw) => self.draw += 1,
            Some(Winner::North) => self.north += 1,
            None => {}
        }
    }

    fn add(&mut self, other: Results) {
        self.south += other.south;
        self.draw += other.draw;
        self.north += other.north;
    }
}

fn find<'a>(openings: &'a mut Vec<Opening>, turn: &str) -> &'a mut Opening {
    let index = openings.iter().position(|opening| opening.turn == turn).unwrap_or_else(|| {
        openings.push(Opening { turn: turn.to_owned(), ..Opening::default() });
        openings.len() - 1
    });
    &mut openings[index]
}

fn add(openings: &mut Vec<Opening>, more: Vec<Opening>) {
    for new in more {
        let opening = find(openings, &new.turn);
        opening.count += new.count;
        opening.results.add(new.results);
        opening.margin_sum += new.margin_sum;
        opening.rating_sum += new.rating_sum;
        opening.rated += new.rated;
        add(&mut opening.replies, new.replies);
    }
}

fn settle(openings: &mut [Opening]) {
    openings.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.turn.cmp(&b.turn)));
    for opening in openings {
        opening.mean_margin = mean(opening.margin_sum as f64, opening.count);
        opening.mean_rating = mean(opening.rating_sum as f64, opening.rated);
        settle(&mut opening.replies);
    }
}

fn are_sane(openings: &[Opening], games: u64) -> bool {
    let counts = openings.iter().map(|opening| opening.count);
    let sum = counts.into_iter().try_fold(0, u64::checked_add);
    let is_sane = |opening: &Opening| {
        let Results { south, draw, north } = opening.results;
        let results = [south, draw, north].into_iter().try_fold(0, u64::checked_add);
        results.is_some_and(|results| results <= opening.count)
            && opening.margin_sum.unsigned_abs() <= MOST
            && opening.rating_sum <= MOST
            && opening.rated <= opening.count
            && are_sane(&opening.replies, opening.count)
    };
    sum.is_some_and(|sum| sum <= games) && openings.iter().all(is_sane)
}

fn mean(sum: f64, of: u64) -> Option<f64> {
    (of > 0).then(|| sum / of as f64)
}
