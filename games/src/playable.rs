//! Rules that can be played, whatever board they are played on.

use std::fmt::Debug;

use crate::board::Board;
use crate::game::{Game, Remainder, Sown};
use crate::registry::Rules;
use crate::rows::Rows;
use crate::ruleset::{Build, Ruleset, RulesetError};
use crate::side::PitSet;
use crate::track::Last;

/// What playing, counting and drawing ask of a game. [`Rules`] answers for all games whose
/// boards are two packed [sides](crate::Side), by their [`Game`];
/// [`Toguz`](crate::toguz::Toguz) has a board of its own.
pub trait Playable: Clone + Debug + Send + Sync + Sized + 'static {
    /// The board played on.
    type Board: Rows;
    /// A set of pits, listed from left to right.
    type Pits: DoubleEndedIterator<Item = usize> + ExactSizeIterator + Copy;

    /// What makes these rules of a ruleset.
    ///
    /// # Errors
    /// The game's rules are of another type.
    fn builder(build: &Build, game: &'static str) -> Result<Builder<Self>, RulesetError>;

    /// Pits (0 is the mover's leftmost) the player to move may sow, if the board is not finished.
    fn legal(&self, board: Self::Board) -> Self::Pits;

    /// Who gets what, if the board is finished.
    fn remainder(&self, board: Self::Board) -> Option<Remainder>;

    /// Sows a pit that holds stones. Whether the rules allow it is [`Playable::legal`]'s question.
    fn sow(&self, board: Self::Board, pit: usize) -> Sown<Self::Board>;

    /// Where the last stone falls of a pit that holds stones.
    fn last(&self, board: Self::Board, pit: usize) -> Last;
}

/// Makes rules of a ruleset.
pub type Builder<R> = fn(&Ruleset<R>) -> R;

impl Playable for Rules {
    type Board = Board;
    type Pits = PitSet;

    fn builder(build: &Build, game: &'static str) -> Result<Builder<Rules>, RulesetError> {
        match build {
            Build::Sides(build) => Ok(*build),
            Build::Toguz(_) => Err(RulesetError::Tuzdyks(game)),
        }
    }

    #[inline]
    fn legal(&self, board: Board) -> PitSet {
        Game::legal(self, board)
    }

    #[inline]
    fn remainder(&self, board: Board) -> Option<Remainder> {
        Game::remainder(self, board)
    }

    #[inline]
    fn sow(&self, board: Board, pit: usize) -> Sown {
        Game::sow(self, board, pit)
    }

    #[inline]
    fn last(&self, board: Board, pit: usize) -> Last {
        self.track().drop(pit, board.mover.get(pit)).last
    }
}
