//! What a board seems to be worth where the search stops.

use games::toguz::{self, Toguz};
use games::{Board, Game, MAX_PITS, Playable, Rules, Ruleset};

/// Units of a stone: estimates are counted in quarters.
pub const UNIT: i32 = 4;

/// What tells a board from all others of its game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Identity {
    pub(super) rows: [u64; 2],
    pub(super) rest: u32,
}

impl Identity {
    #[inline]
    pub(super) const fn hash(self) -> u64 {
        const FACTORS: [u64; 3] =
            [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
        let [mover, other] = self.rows;
        let mut hash = mover.wrapping_mul(FACTORS[0]);
        hash = (hash ^ hash >> 32 ^ other).wrapping_mul(FACTORS[1]);
        hash = (hash ^ hash >> 29 ^ self.rest as u64).wrapping_mul(FACTORS[2]);
        hash ^ hash >> 32
    }
}

/// Rules whose positions can be estimated. A turn is one sowing: none sows again.
pub trait Estimated: Playable {
    /// Whether the game of a ruleset is one of these.
    fn can_estimate(ruleset: &Ruleset<Self>) -> bool;

    /// What a board that is not finished seems to be worth to its mover, in [units](UNIT), stores
    /// left aside: between plus and minus its stones, which `stones` are.
    fn evaluate(&self, board: Self::Board, stones: i32) -> i32;

    /// The most that the evaluation can give the sower, in [units](UNIT), if he gains `gain` stones
    /// by a sowing of this board that leaves `left` and does not finish it: told without the board
    /// that he leaves, so that most sowings before the horizon need not be evaluated.
    fn most_after(&self, board: Self::Board, gain: i32, left: i32) -> i32;

    /// The stones of the player not to move.
    fn other_stones(board: Self::Board) -> i32;

    /// What tells the board from all others.
    fn identity(board: Self::Board) -> Identity;
}

/// Units that a pit to choose from is worth.
const CHOICE: i32 = 1;

/// A tuzdyk takes what passes through it to the end of the game: this part of the stones left.
/// One pit of eighteen would be a little more than a twentieth of what is sown, but stones are sown
/// several times before they are won.
const TUZDYK_PART: i32 = 6;

impl Estimated for Toguz {
    fn can_estimate(_ruleset: &Ruleset<Toguz>) -> bool {
        true
    }

    #[inline]
    fn evaluate(&self, board: toguz::Board, stones: i32) -> i32 {
        let other = board.flipped();
        let tuzdyks = i32::from(other.tuzdyk().is_some()) - i32::from(board.tuzdyk().is_some());
        let choices = board.occupied().len() as i32 - other.occupied().len() as i32;
        judged(tuzdyks, choices, stones)
    }

    /// A new tuzdyk gains its three stones; no more than one pit is emptied.
    #[inline]
    fn most_after(&self, board: toguz::Board, gain: i32, left: i32) -> i32 {
        let other = board.flipped();
        let own_tuzdyk = other.tuzdyk().is_some() || gain >= 3;
        let tuzdyks = i32::from(own_tuzdyk) - i32::from(board.tuzdyk().is_some());
        let choices = most_choices(MAX_PITS, other.occupied().len(), gain);
        judged(tuzdyks, choices, left)
    }

    #[inline]
    fn other_stones(board: toguz::Board) -> i32 {
        board.flipped().mover_stones() as i32
    }

    #[inline]
    fn identity(board: toguz::Board) -> Identity {
        let [mover, other, rest] = board.words();
        // Each half of the third word is in use up to its sixteenth bit.
        Identity { rows: [mover, other], rest: (rest | rest >> 16) as u32 }
    }
}

impl Estimated for Rules {
    fn can_estimate(ruleset: &Ruleset) -> bool {
        ruleset.spec().name == "bestemshe"
    }

    #[inline]
    fn evaluate(&self, board: Board, stones: i32) -> i32 {
        let choices = board.mover.occupied().len() as i32 - board.other.occupied().len() as i32;
        judged(0, choices, stones)
    }

    #[inline]
    fn most_after(&self, board: Board, gain: i32, left: i32) -> i32 {
        judged(0, most_choices(self.track().pits(), board.other.occupied().len(), gain), left)
    }

    #[inline]
    fn other_stones(board: Board) -> i32 {
        board.other.stones() as i32
    }

    #[inline]
    fn identity(board: Board) -> Identity {
        Identity { rows: [board.mover.bits(), board.other.bits()], rest: 0 }
    }
}

/// What a lead of so many tuzdyks and so many pits to choose from is worth.
#[inline]
fn judged(tuzdyks: i32, choices: i32, stones: i32) -> i32 {
    let units = tuzdyks * stones * UNIT / TUZDYK_PART + choices * CHOICE;
    // Nobody can win more than there is.
    units.clamp(-stones * UNIT, stones * UNIT)
}

/// By how many pits to choose from a sower can be ahead at most, whose opponent had so many before
/// the sowing: it fills all his own and empties one if it gains anything.
#[inline]
fn most_choices(pits: usize, other: usize, gain: i32) -> i32 {
    pits as i32 - other as i32 + i32::from(gain > 0)
}
