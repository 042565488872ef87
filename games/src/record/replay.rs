//! Playing records by the rules.

use thiserror::Error;

use super::model::{Record, Sowing};
use super::read::Located;
use super::result::GameResult;
use crate::game::Sown;
use crate::notation::{self, PositionError};
use crate::play::{Finish, Play, PlayError};
use crate::playable::Playable;
use crate::position::{Player, Position};
use crate::rows::Rows;
use crate::ruleset::Ruleset;
use crate::track::Last;

/// What a record says that the rules do not, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("ply {ply}: {problem}")]
pub struct Fault {
    /// The sowing, from 1; 0 if it is about the start, the number of sowings if it is about the
    /// result.
    pub ply: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// It cannot be played.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// It can be played, but does not tell what happens then.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// Why a record cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Illegal {
    /// The tag `FEN` is no position of the game.
    #[error("the position in the tag FEN: {0}")]
    Start(PositionError),
    /// A sowing is not legal.
    #[error(transparent)]
    Sowing(PlayError),
    /// The letter of a pit is of the other player.
    #[error("the letter is that of a pit of {}, but {} is to move", .0.name(), .0.opponent().name())]
    Letter(Player),
}

/// What a record says otherwise than the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Mismatch {
    /// The last stone lands in another place.
    #[error("the last stone lands in {}, not in pit {written}", place(*.real))]
    Landing {
        /// The number of the pit that is written.
        written: u8,
        /// Where it lands.
        real: Last,
    },
    /// The store after a capture holds another number of stones.
    #[error("{} has {real} stones in the store then, not {written}", .player.name())]
    Store {
        /// Whose store.
        player: Player,
        /// What is written.
        written: u32,
        /// What it holds.
        real: u32,
    },
    /// Another number of stones is captured than is written.
    #[error("{real} stones are captured, not {written}")]
    Captured {
        /// What is written; 0 if a capture should be and is not.
        written: u32,
        /// What is captured.
        real: u32,
    },
    /// A capture is written where nothing is captured.
    #[error("a capture is written, but nothing is captured")]
    NoCapture,
    /// `X` where no tuzdyk is made.
    #[error("a tuzdyk is written, but the rules make none here")]
    NoTuzdyk,
    /// No `X` where a tuzdyk is made.
    #[error("a tuzdyk is made here, but none is written")]
    Tuzdyk,
    /// The tag `Result` says something else than the end of the record.
    #[error("the tag Result says {tag}, the end of the record {end}")]
    Tag {
        /// The result in the tag.
        tag: GameResult,
        /// The result behind the turns.
        end: GameResult,
    },
    /// The game is over by the rules, with another result.
    #[error("the result {written} is written, but the game is over with {} to {} stones", .real[0], .real[1])]
    Result {
        /// What is written.
        written: GameResult,
        /// The stores of South and North.
        real: [u32; 2],
    },
    /// A score that cannot be reached any more.
    #[error("a score of {} to {} is written, but {} and {} of {stones} stones are in the stores", .written[0], .written[1], .stores[0], .stores[1])]
    Score {
        /// What is written.
        written: [u32; 2],
        /// What is in the stores.
        stores: [u32; 2],
        /// All stones.
        stones: u32,
    },
    /// `{zero}` where the player to move has stones.
    #[error("the game is said to end because the player to move has no stones, but he has some")]
    NoAtsyrau,
}

fn place(last: Last) -> String {
    match last {
        Last::Store => "the store".to_owned(),
        Last::Own(pit) => format!("pit {} of the mover", pit + 1),
        Last::Other(pit) => format!("pit {} of the opponent", pit + 1),
    }
}

impl Fault {
    /// The line of the text where it stands.
    #[must_use]
    pub fn line(&self, located: &Located) -> u64 {
        use Mismatch::{NoAtsyrau, Result, Score, Tag};
        match self.problem {
            Problem::Mismatch(Tag { .. } | Result { .. } | Score { .. } | NoAtsyrau) => {
                located.result_line
            }
            _ => {
                let sowing = self.ply.checked_sub(1).and_then(|at| located.sowing_lines.get(at));
                sowing.copied().unwrap_or(located.line)
            }
        }
    }
}

/// What becomes of a record that the rules agree with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Whether it begins at the start of the ruleset.
    pub from_start: bool,
    /// Why the game is over by the rules; `None` if the players ended it: one resigned or ran out
    /// of time, or they agreed on a draw.
    pub finish: Option<Finish>,
    /// The stores of South and of North, with the stones left if the rules give them to a player.
    pub stores: [u32; 2],
    /// Who won: as the record says, or by the rules if it does not.
    pub outcome: GameResult,
}

/// Plays a record from the start, or from the position of its tag `FEN`, and compares all it says
/// with the rules.
///
/// A record that writes where last stones land writes every capture and every tuzdyk as well, so a
/// missing mark is a mismatch there; elsewhere marks may be left out. A game that is over by the
/// rules must have the result they give. A game that is not over may have any winner, as players
/// resign and run out of time, but a score must leave each what is in his store. An unknown result
/// contradicts nothing.
///
/// # Errors
/// The first thing that is wrong.
pub fn replay<R: Playable>(
    ruleset: &Ruleset<R>,
    rules: &R,
    record: &Record,
) -> Result<Replayed, Fault> {
    let start = start(ruleset, record)
        .map_err(|error| Fault { ply: 0, problem: Illegal::Start(error).into() })?;
    let mut play = Play::new(ruleset, rules, start);
    for (index, sowing) in record.sowings.iter().enumerate() {
        let is_last = index + 1 == record.sowings.len();
        sow(&mut play, rules, sowing, is_last)
            .map_err(|problem| Fault { ply: index + 1, problem })?;
    }
    let from_start = start == Position::start(ruleset);
    end(&play, record, from_start)
        .map_err(|mismatch| Fault { ply: record.sowings.len(), problem: mismatch.into() })
}

fn start<R: Playable>(
    ruleset: &Ruleset<R>,
    record: &Record,
) -> Result<Position<R::Board>, PositionError> {
    match record.tags.get("FEN") {
        Some(text) => Ok(Position::pack(&notation::parse_setup(text)?, ruleset.pits())?),
        None => Ok(Position::start(ruleset)),
    }
}

fn sow<R: Playable>(
    play: &mut Play<'_, R>,
    rules: &R,
    sowing: &Sowing,
    is_last: bool,
) -> Result<(), Problem> {
    let before = play.position();
    let player = before.to_move();
    if let Some(written) = sowing.player.filter(|&written| written != player) {
        return Err(Illegal::Letter(written).into());
    }
    let sown = play.sow(sowing.pit.into()).map_err(Illegal::Sowing)?;
    let goes_on = sown.again && play.finish().is_none();
    if !sowing.ends_turn && !sown.again {
        return Err(Illegal::Sowing(PlayError::TurnIsOver(player)).into());
    }
    if sowing.ends_turn && goes_on && !is_last {
        return Err(Illegal::Sowing(PlayError::TurnGoesOn(player)).into());
    }
    if let Some(written) = sowing.landing {
        let real = rules.last(before.board(), sowing.pit.into());
        if !matches!(real, Last::Own(pit) | Last::Other(pit) if pit == written) {
            return Err(Mismatch::Landing { written: written + 1, real }.into());
        }
    }
    check_tuzdyk::<R>(sowing, before, play.position())?;
    check_capture(sowing, player, &sown, play.position().stores()[player as usize])?;
    Ok(())
}

fn check_tuzdyk<R: Playable>(
    sowing: &Sowing,
    before: Position<R::Board>,
    after: Position<R::Board>,
) -> Result<(), Mismatch> {
    let tuzdyks =
        |position: Position<R::Board>| position.board().tuzdyks().into_iter().flatten().count();
    let made = tuzdyks(after) > tuzdyks(before);
    match (sowing.tuzdyk, made) {
        (true, false) => Err(Mismatch::NoTuzdyk),
        (false, true) if sowing.landing.is_some() => Err(Mismatch::Tuzdyk),
        _ => Ok(()),
    }
}

/// Compares what is written about captures; `real` is what the store of the sower holds then.
fn check_capture<B>(
    sowing: &Sowing,
    player: Player,
    sown: &Sown<B>,
    real: u32,
) -> Result<(), Mismatch> {
    let captured = u32::from(sown.captured);
    match (sowing.store, sowing.captured) {
        (Some(_), _) if captured == 0 => return Err(Mismatch::NoCapture),
        (_, Some(written)) if written != captured => {
            return Err(Mismatch::Captured { written, real: captured });
        }
        (None, None) if captured > 0 && sowing.landing.is_some() => {
            return Err(Mismatch::Captured { written: 0, real: captured });
        }
        _ => {}
    }
    match sowing.store.filter(|&written| written != real) {
        Some(written) => Err(Mismatch::Store { player, written, real }),
        None => Ok(()),
    }
}

fn end<R: Playable>(
    play: &Play<'_, R>,
    record: &Record,
    from_start: bool,
) -> Result<Replayed, Mismatch> {
    let written = record.result;
    // A tag that is no result, as `?` is none, says nothing.
    let tag = record.tags.get("Result").and_then(GameResult::parse).unwrap_or_default();
    if !tag.agrees_with(written) {
        return Err(Mismatch::Tag { tag, end: written });
    }
    let (finish, position) = (play.finish(), play.position());
    if record.atsyrau && finish != Some(Finish::Board) {
        return Err(Mismatch::NoAtsyrau);
    }
    let stores = play.final_stores().unwrap_or_else(|| position.stores());
    for written in [written, tag] {
        if finish.is_some() && !written.agrees_with(GameResult::Score(stores)) {
            return Err(Mismatch::Result { written, real: stores });
        }
        if let (GameResult::Score(written), None) = (written, finish) {
            let stones = position.total();
            let reached = (0..2).all(|player| stores[player] <= written[player]);
            let sum: u64 = written.iter().map(|&stones| u64::from(stones)).sum();
            if !reached || sum > stones.into() {
                return Err(Mismatch::Score { written, stores, stones });
            }
        }
    }
    let by_rules = finish.map_or(GameResult::Unknown, |_| GameResult::of_stores(stores));
    let told = [written, tag, by_rules].into_iter().map(GameResult::outcome);
    let outcome = told.into_iter().find(|&outcome| outcome != GameResult::Unknown);
    Ok(Replayed { from_start, finish, stores, outcome: outcome.unwrap_or_default() })
}
