//! What a record holds.

use super::result::GameResult;
use super::tags::Tags;
use crate::position::Player;

/// A played game as it was written down, not yet checked by any rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The tag pairs, in the order in which they stand.
    pub tags: Tags,
    /// The sowings of both players one after the other.
    pub sowings: Vec<Sowing>,
    /// The result behind the turns.
    pub result: GameResult,
    /// Whether the record says `{zero}`: the game ended because the player to move had no stones.
    pub atsyrau: bool,
    /// Comments and variations, by where they stand.
    pub notes: Vec<Note>,
}

/// One sowing, with what the record says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sowing {
    /// The pit sown; 0 is the mover's leftmost.
    pub pit: u8,
    /// Whether the turn is written to end with this sowing.
    pub ends_turn: bool,
    /// The player whose pit it is, where the pit is written as a letter: `A` to `I` are South's,
    /// `a` to `i` North's.
    pub player: Option<Player>,
    /// The pit in which the last stone lands; 0 is its owner's leftmost. A record that writes it
    /// also writes every capture and every tuzdyk.
    pub landing: Option<u8>,
    /// Whether the sowing is written to make a tuzdyk (`X`).
    pub tuzdyk: bool,
    /// Stones in the mover's store after a capture (`(10)`).
    pub store: Option<u32>,
    /// Stones captured (`+3`, `x3`).
    pub captured: Option<u32>,
}

impl Sowing {
    /// A turn of one sowing, of which nothing more is said.
    #[must_use]
    pub fn of_pit(pit: u8) -> Sowing {
        Sowing {
            pit,
            ends_turn: true,
            player: None,
            landing: None,
            tuzdyk: false,
            store: None,
            captured: None,
        }
    }
}

/// A comment or a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// How many sowings stand before it.
    pub after: usize,
    /// Which of the two it is.
    pub kind: NoteKind,
    /// The text between the brackets, each run of white space as one space.
    pub text: String,
}

/// What the brackets of a [`Note`] say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// `{comment}`.
    Comment,
    /// `(variation)`: kept as it is written, not replayed.
    Variation,
}
