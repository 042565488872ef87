//! What a game's rules must say, and how a sowing follows from it.

use crate::board::Board;
use crate::side::{PitSet, Side};
use crate::track::{Last, Track};

/// What a sowing may capture, as far as the sower's own side and the last stone decide it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Capture {
    /// Nothing, whatever the opponent holds.
    None,
    /// The last stone fell into this empty pit of the sower: the opposite pit decides.
    Opposite(u8),
    /// The last stone fell into this pit of the opponent, which decides.
    Other(u8),
}

impl Capture {
    /// What a last stone may capture in games where it captures nothing but from its own pit on
    /// the opponent's side.
    #[inline]
    #[must_use]
    pub const fn on_other_side(last: Last) -> Capture {
        match last {
            Last::Other(pit) => Capture::Other(pit),
            Last::Own(_) | Last::Store => Capture::None,
        }
    }
}

/// What a capture takes from the opponent's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The opponent's side afterwards.
    pub other: Side,
    /// Stones taken from the opponent.
    pub stones: u8,
    /// Whether the capturing stone in the sower's pit is taken as well.
    pub capturer: bool,
}

impl Taken {
    /// A capture that takes nothing.
    #[inline]
    #[must_use]
    pub const fn nothing(other: Side) -> Taken {
        Taken { other, stones: 0, capturer: false }
    }

    /// Takes one pit of the opponent.
    #[inline]
    #[must_use]
    pub const fn pit(other: Side, pit: usize) -> Taken {
        Taken { other: other.cleared(pit), stones: other.get(pit) as u8, capturer: false }
    }
}

/// What a sowing leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sown<B = Board> {
    /// The board, with the player to move next as its mover.
    pub board: B,
    /// Stones that reached the sower's store: sown into it, captured, fallen into his tuzdyk.
    pub gain: u8,
    /// Stones that reached the opponent's store: fallen into his tuzdyk.
    pub given: u8,
    /// Stones captured.
    pub captured: u8,
    /// Whether the sower sows again: the last stone fell into the store.
    pub again: bool,
}

impl<B> Sown<B> {
    /// What the sower has won by it, less what the opponent has.
    #[inline]
    #[must_use]
    pub const fn won(&self) -> i32 {
        self.gain as i32 - self.given as i32
    }

    /// Turns the value of [`Sown::board`] for its mover into the value of the sowing for the
    /// sower.
    #[inline]
    #[must_use]
    pub const fn value(&self, next: i32) -> i32 {
        self.won() + if self.again { next } else { -next }
    }
}

/// Who gets the stones left on a finished board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remainder {
    /// Stones for the player whose move it would be.
    pub mover: u32,
    /// Stones for the opponent.
    pub other: u32,
}

impl Remainder {
    /// The value of the finished board for the player whose move it would be.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.mover as i32 - self.other as i32
    }
}

/// The rules of a game on two packed [sides](Side) of pits.
///
/// The rules come in the pieces that tables are built from: [`Game::reach`] sees only the
/// sower's side and [`Game::take`] only the opponent's, so each can be worked out once for a
/// side instead of once for a position. Play composes them in [`Game::sow`].
pub trait Game {
    /// The sowings of the board.
    fn track(&self) -> &Track;

    /// What may be captured when the sowing left the sower `own` and ended in `last`.
    fn reach(&self, own: Side, last: Last) -> Capture;

    /// What `capture` takes from the opponent, whose side the sowing made `other`.
    fn take(&self, capture: Capture, other: Side) -> Taken;

    /// Pits (0 is the mover's leftmost) the player to move may sow, if the board is not
    /// finished.
    fn legal(&self, board: Board) -> PitSet {
        board.mover.occupied()
    }

    /// Who gets what, if the board is finished.
    fn remainder(&self, board: Board) -> Option<Remainder>;

    /// Sows a pit that holds stones. Whether the rules allow it is [`Game::legal`]'s question.
    #[inline]
    fn sow(&self, board: Board, pit: usize) -> Sown {
        let drop = self.track().drop(pit, board.mover.get(pit));
        let mut own = drop.own(board.mover);
        let mut other = drop.other(board.other);
        let mut captured = 0;
        let capture = self.reach(own, drop.last);
        if capture != Capture::None {
            let taken = self.take(capture, other);
            other = taken.other;
            captured = taken.stones;
            if let (Capture::Opposite(pit), true) = (capture, taken.capturer) {
                own = own.cleared(pit as usize);
                captured += 1;
            }
        }
        let again = drop.last == Last::Store;
        let board = if again { Board::new(own, other) } else { Board::new(other, own) };
        Sown { board, gain: drop.store + captured, given: 0, captured, again }
    }
}
