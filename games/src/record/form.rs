//! How the turns of a game are written.

use std::fmt::Write;

use super::model::Sowing;
use crate::notation::number;
use crate::playable::Playable;
use crate::position::{Player, Position, Setup};
use crate::ruleset::Ruleset;
use crate::track::Last;

/// How records of a game write turns.
///
/// Where a sowing can give another one, because stores are sown, a turn is the pits sown: `5`,
/// `4-6` or `46`. In other games a turn is one sowing: the pit `5`, or the pit and the pit where
/// the last stone lands, `76`, or a letter, `A` to `I` for South and `a` to `i` for North.
/// Behind it may stand `X` (it makes a tuzdyk), `(10)` (stones in the mover's store after a
/// capture), `+3` or `x3` (stones captured), and the `!` and `?` of commentators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// Whether stores are sown.
    repeats: bool,
}

impl Form {
    /// The form of a game.
    #[must_use]
    pub fn of<R: Playable>(ruleset: &Ruleset<R>, rules: &R) -> Form {
        let pits = ruleset.pits();
        // Enough stones to reach the store, whether or not the first goes back into its pit.
        let reaches_store = |stones: u32| {
            let mut row = vec![0; pits];
            row[0] = stones;
            let pits_of_both = [row, vec![0; pits]];
            let setup = Setup {
                pits: pits_of_both,
                tuzdyks: [None; 2],
                stores: [0; 2],
                to_move: Player::South,
            };
            let position = Position::pack(&setup, pits);
            position.is_ok_and(|position| rules.last(position.board(), 0) == Last::Store)
        };
        Form { repeats: (1..=pits as u32 + 1).any(reaches_store) }
    }

    /// Reads a turn and adds its sowings; `None`, adding nothing, if the word is no turn.
    pub(super) fn parse(self, word: &[u8], sowings: &mut Vec<Sowing>) -> Option<()> {
        let start = sowings.len();
        let marks = self.parse_pits(word, sowings).and_then(|marks| {
            let last = sowings.last_mut()?;
            last.ends_turn = true;
            parse_marks(marks, last)
        });
        if marks.is_none() {
            sowings.truncate(start);
        }
        marks
    }

    /// Reads the pits of a turn; returns the rest of the word.
    fn parse_pits<'a>(self, word: &'a [u8], sowings: &mut Vec<Sowing>) -> Option<&'a [u8]> {
        let (first, mut rest) = word.split_first()?;
        if !self.repeats {
            let mut sowing = match pit_of_letter(*first) {
                Some((pit, player)) => Sowing { player: Some(player), ..Sowing::of_pit(pit) },
                None => Sowing::of_pit(pit_of_digit(*first)?),
            };
            if let (None, [digit @ b'0'..=b'9', after @ ..]) = (sowing.player, rest) {
                sowing.landing = Some(pit_of_digit(*digit)?);
                rest = after;
            }
            sowings.push(sowing);
            return Some(rest);
        }
        let mut sow = |digit: u8| {
            let pit = pit_of_digit(digit)?;
            sowings.push(Sowing { ends_turn: false, ..Sowing::of_pit(pit) });
            Some(())
        };
        sow(*first)?;
        // All pits are joined alike, so that `26-22` is a result and no turn.
        let dashes = rest.starts_with(b"-");
        loop {
            match rest {
                [b'-', digit, after @ ..] if dashes => {
                    sow(*digit)?;
                    rest = after;
                }
                [digit @ b'0'..=b'9', after @ ..] if !dashes => {
                    sow(*digit)?;
                    rest = after;
                }
                _ => return Some(rest),
            }
        }
    }

    /// Writes the turn that the sowings are; `None` if this form cannot say it.
    pub(super) fn format(self, turn: &[Sowing]) -> Option<String> {
        // Of pits that no digit or letter can say it makes what does not read back.
        let mut word = String::new();
        for (index, sowing) in turn.iter().enumerate() {
            if index > 0 {
                word.push('-');
            }
            word.push(match sowing.player {
                None => char::from(b'1'.wrapping_add(sowing.pit)),
                Some(Player::South) => char::from(b'A'.wrapping_add(sowing.pit)),
                Some(Player::North) => char::from(b'a'.wrapping_add(sowing.pit)),
            });
            if let Some(landing) = sowing.landing {
                word.push(char::from(b'1'.wrapping_add(landing)));
            }
            if sowing.tuzdyk {
                word.push('X');
            }
            // Writing to a string cannot fail.
            if let Some(store) = sowing.store {
                let _ = write!(word, "({store})");
            }
            if let Some(captured) = sowing.captured {
                let _ = write!(word, "+{captured}");
            }
        }
        let mut read = Vec::new();
        self.parse(word.as_bytes(), &mut read)?;
        (read == turn).then_some(word)
    }
}

/// Reads what stands behind the pits.
fn parse_marks(mut marks: &[u8], sowing: &mut Sowing) -> Option<()> {
    loop {
        let taken;
        (taken, marks) = match marks {
            [] => return Some(()),
            [b'!' | b'?', after @ ..] => (true, after),
            [b'X', after @ ..] => (!std::mem::replace(&mut sowing.tuzdyk, true), after),
            [b'+' | b'x', after @ ..] => {
                let (number, after) = leading_number(after)?;
                (sowing.captured.replace(number).is_none(), after)
            }
            [b'(', after @ ..] => {
                let (number, after) = leading_number(after)?;
                (sowing.store.replace(number).is_none(), after.strip_prefix(b")")?)
            }
            _ => return None,
        };
        if !taken {
            return None;
        }
    }
}

fn leading_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    Some((number(std::str::from_utf8(digits).ok()?).ok()?, rest))
}

fn pit_of_digit(digit: u8) -> Option<u8> {
    matches!(digit, b'1'..=b'9').then(|| digit - b'1')
}

fn pit_of_letter(letter: u8) -> Option<(u8, Player)> {
    match letter {
        b'A'..=b'I' => Some((letter - b'A', Player::South)),
        b'a'..=b'i' => Some((letter - b'a', Player::North)),
        _ => None,
    }
}
