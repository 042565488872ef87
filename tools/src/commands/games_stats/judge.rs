//! What one record adds to the statistics: the work that threads share.

use std::hash::{DefaultHasher, Hash, Hasher};

use games::notation::Turn;
use games::record::{Broken, Form, Located, Piece, Problem, Record, Replayed, records, replay};
use games::{Playable, Player, Ruleset};

use super::filter::{Filter, Winner};

/// Judges records by the rules of a game.
pub(super) struct Judge<'a, R: Playable> {
    ruleset: &'a Ruleset<R>,
    rules: &'a R,
    form: Form,
    filter: &'a Filter,
    turns: usize,
}

/// What becomes of a record.
pub(super) enum Verdict {
    /// It cannot be read.
    Broken(Broken),
    /// The filter leaves it out.
    LeftOut,
    /// It cannot be played, or contradicts the rules.
    Faulty { line: u64, ply: usize, is_mismatch: bool, reason: String },
    /// It counts.
    Sound(Sound),
}

/// A record that the rules agree with.
pub(super) struct Sound {
    /// Equal for records of one game.
    pub(super) key: u128,
    pub(super) plies: u64,
    /// The first turns, if the game begins at the start.
    pub(super) turns: Vec<String>,
    pub(super) winner: Option<Winner>,
    /// Stones South has at the end more than North.
    pub(super) margin: i64,
    pub(super) ratings: [Option<u32>; 2],
}

impl<'a, R: Playable> Judge<'a, R> {
    pub(super) fn new(
        ruleset: &'a Ruleset<R>,
        rules: &'a R,
        filter: &'a Filter,
        turns: u32,
    ) -> Judge<'a, R> {
        let form = Form::of(ruleset, rules);
        Judge { ruleset, rules, form, filter, turns: turns as usize }
    }

    /// The verdicts on the records of a piece.
    pub(super) fn piece(&self, piece: &Piece) -> Vec<Verdict> {
        records(piece, self.form)
            .map(|read| read.map_or_else(Verdict::Broken, |located| self.record(&located)))
            .collect()
    }

    fn record(&self, located: &Located) -> Verdict {
        if !self.filter.takes(&located.record) {
            return Verdict::LeftOut;
        }
        match replay(self.ruleset, self.rules, &located.record) {
            Ok(replayed) => Verdict::Sound(self.sound(&located.record, replayed)),
            Err(fault) => Verdict::Faulty {
                line: fault.line(located),
                ply: fault.ply,
                is_mismatch: matches!(fault.problem, Problem::Mismatch(_)),
                reason: fault.problem.to_string(),
            },
        }
    }

    fn sound(&self, record: &Record, replayed: Replayed) -> Sound {
        let [south, north] = replayed.stores.map(i64::from);
        let turns = if replayed.from_start { self.turns } else { 0 };
        let turns = record.sowings.split_inclusive(|sowing| sowing.ends_turn).take(turns);
        let turns = turns.map(|turn| {
            Turn::new(turn.iter().map(|sowing| sowing.pit.into()).collect()).to_string()
        });
        Sound {
            key: key(record),
            plies: record.sowings.len() as u64,
            turns: turns.collect(),
            winner: Winner::of(replayed.outcome),
            margin: south - north,
            ratings: Player::BOTH.map(|player| record.tags.rating(player)),
        }
    }
}

/// A hash of what tells games apart: players, date, round, start, sowings and result. Of 128 bits,
/// so that among a hundred million games two different ones share it with a chance of 1 in 10^22.
fn key(record: &Record) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        let tags = &record.tags;
        Player::BOTH.map(|player| tags.player(player)).hash(&mut hasher);
        ["Date", "Round", "FEN"].map(|name| tags.get(name)).hash(&mut hasher);
        record.sowings.len().hash(&mut hasher);
        record.sowings.iter().for_each(|sowing| hasher.write_u8(sowing.pit));
        record.result.hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(0)) << 64 | u128::from(half(1))
}
