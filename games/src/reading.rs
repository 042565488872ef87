//! Positions as users list them: written down, or as the line that leads to them.

use thiserror::Error;

use crate::notation::{self, LineError, PositionError};
use crate::play::{Play, PlayError};
use crate::playable::Playable;
use crate::position::Position;
use crate::ruleset::Ruleset;

/// What a line of play starts with where positions are expected.
const LINE: &str = "line:";

/// Why a text names no position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// It is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// After `line:` there are no turns.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The turns cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Reads a position in any form of [`notation::parse_position`], or as the turns that lead to it
/// from the start, `line: 4-6 4-3-1`; the last turn may stop in the middle, and without turns it
/// is the start. `rules` are those of the ruleset.
///
/// # Errors
/// What is wrong with the text, or with the position or the turns on this board.
pub fn read_position<R: Playable>(
    ruleset: &Ruleset<R>,
    rules: &R,
    text: &str,
) -> Result<Position<R::Board>, ReadError> {
    let text = text.trim();
    let Some(line) = text.strip_prefix(LINE) else {
        let setup = notation::parse_setup(text)?;
        return Ok(Position::pack(&setup, ruleset.pits()).map_err(PositionError::from)?);
    };
    let mut play = Play::new(ruleset, rules, Position::start(ruleset));
    play.line(&line.parse()?)?;
    Ok(play.position())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::dash;

    fn read(game: &str, text: &str) -> Result<String, String> {
        let ruleset: Ruleset = game.parse().expect("a ruleset");
        read_position(&ruleset, &ruleset.rules(), text)
            .map(|position| dash::format(&position.setup(ruleset.pits())))
            .map_err(|reason| reason.to_string())
    }

    #[test]
    fn a_line_leads_to_its_position() {
        let reached = "4-4-4-1-5-1-1-6-2-3-7-6-2-2-S".to_owned();
        assert_eq!(read("mangala", "line: 4-6 4-3-1"), Ok(reached.clone()));
        assert_eq!(read("mangala", "  line:4-6  4-3-1 "), Ok(reached));
        assert_eq!(read("mangala:2x1", "line:"), Ok("1-1-1-1-0-0-S".to_owned()));
    }

    #[test]
    fn every_notation_is_read() {
        for text in ["1-0-0-2-0-0-S", "2S,1/1S,1 0 0 S 1", "1 0 0 2", "1,0,0,2"] {
            assert_eq!(read("kalah:2x1", text), Ok("1-0-0-2-0-0-S".to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let told = |text| read("mangala", text).expect_err(text);
        assert!(told("line: 4-x").contains("turn 1 `4-x`"));
        assert!(told("line: 4-6-1").contains("the turn is over"));
        assert!(told("lines: 4").contains("is not a number"));
    }
}
