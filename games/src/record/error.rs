//! Why a record cannot be read.

use thiserror::Error;

use super::split::MAX_RECORD;
use super::tags::TagError;

/// A record that cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {reason}")]
pub struct Broken {
    /// The line of the text, from 1.
    pub line: u64,
    /// The sowing that would come next, from 1; 0 where no record has begun.
    pub ply: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl Broken {
    /// Whether this was meant to be a record of a game, and not just any text.
    #[must_use]
    pub fn is_game(&self) -> bool {
        self.ply > 0 || self.reason == Reason::NoTags
    }
}

/// What is wrong with the text of a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    /// A tag pair has no closing `"]`, or is otherwise not of the form `[Name "value"]`.
    #[error("a tag pair must be of the form [Name \"value\"] in one line")]
    TagForm,
    /// A tag that cannot be kept.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// A tag pair stands between turns.
    #[error("a tag pair among the turns")]
    TagInside,
    /// The text ends inside a comment.
    #[error("the comment that begins here has no closing }}")]
    OpenComment,
    /// The text ends inside a variation.
    #[error("the variation that begins here has no closing )")]
    OpenVariation,
    /// A bracket closes what was not opened.
    #[error("`{0}` closes nothing")]
    Closing(char),
    /// A word is no turn of this game.
    #[error("`{0}` is no turn as records of this game have them")]
    Turn(String),
    /// Turns are not numbered 1, 2, 3 ...
    #[error("turn number {found} where {expected} should come")]
    Number {
        /// The number that stands there.
        found: String,
        /// The number that should.
        expected: usize,
    },
    /// The record has no result.
    #[error("the record is cut off: its result is missing")]
    NoResult,
    /// There are tags, but neither turns nor a result.
    #[error("tags without a game")]
    OnlyTags,
    /// There are turns, but no tags before them.
    #[error("a game without tags")]
    NoTags,
    /// Text that is no part of any record.
    #[error("text that is no record: `{0}`")]
    Rubbish(String),
    /// The record is longer than any game.
    #[error("the record is longer than {MAX_RECORD} bytes")]
    TooLong,
}

/// The beginning of a word, fit to be shown in one line.
pub(super) fn shown(word: &[u8]) -> String {
    const MOST: usize = 24;
    let text = String::from_utf8_lossy(&word[..word.len().min(4 * MOST)]);
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().count() > MOST || word.len() > 4 * MOST {
        shown += "...";
    }
    shown
}
