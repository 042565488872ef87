//! The moves of PlayStrategy, `f1e2 d2e1`: the square of the pit sown, then the one where the last
//! stone falls. South's pits are a1, b1, ... from his left; North's lie opposite, so that his first
//! pit is the last letter of row 2 (i2 on nine pits).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::playable::Playable;
use crate::position::{Player, Position};
use crate::side::MAX_PITS;
use crate::track::Last;

/// A pit as it lies on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Square {
    player: Player,
    /// From the left as South sees it; 0 is `a`.
    column: usize,
}

impl Square {
    /// The square of a player's pit (0 is his leftmost) on a board with `pits` pits a side.
    #[must_use]
    pub fn of(player: Player, pit: usize, pits: usize) -> Square {
        let column = match player {
            Player::South => pit,
            Player::North => pits - 1 - pit,
        };
        Square { player, column }
    }

    /// Whose pit it is.
    #[must_use]
    pub fn player(self) -> Player {
        self.player
    }

    /// The pit (0 is its owner's leftmost) on a board with `pits` pits a side, if it has this square.
    #[must_use]
    pub fn pit(self, pits: usize) -> Option<usize> {
        let from_right = pits.checked_sub(self.column + 1)?;
        Some(match self.player {
            Player::South => self.column,
            Player::North => from_right,
        })
    }

    fn parse(column: u8, row: u8) -> Option<Square> {
        let column = usize::from(column.checked_sub(b'a')?);
        let player = match row {
            b'1' => Player::South,
            b'2' => Player::North,
            _ => return None,
        };
        (column < MAX_PITS).then_some(Square { player, column })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column as u8);
        write!(f, "{column}{}", self.player as u8 + 1)
    }
}

/// A sowing: its pit, and where its last stone falls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SquareMove {
    /// The pit sown.
    pub from: Square,
    /// The pit where the last stone falls.
    pub to: Square,
}

impl SquareMove {
    /// The move that sows a pit (0 is the mover's leftmost) with stones on a board with `pits` pits a
    /// side. `None` if its last stone falls into the store.
    #[must_use]
    pub fn of<R: Playable>(
        rules: &R,
        position: &Position<R::Board>,
        pit: usize,
        pits: usize,
    ) -> Option<SquareMove> {
        let player = position.to_move();
        let to = match rules.last(position.board(), pit) {
            Last::Own(last) => Square::of(player, last.into(), pits),
            Last::Other(last) => Square::of(player.opponent(), last.into(), pits),
            Last::Store => return None,
        };
        Some(SquareMove { from: Square::of(player, pit, pits), to })
    }

    fn parse(text: &str) -> Option<SquareMove> {
        let &[from_column, from_row, to_column, to_row] = text.as_bytes() else {
            return None;
        };
        let from = Square::parse(from_column, from_row)?;
        Some(SquareMove { from, to: Square::parse(to_column, to_row)? })
    }
}

impl fmt::Display for SquareMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// Moves of both players one after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SquareLine(Vec<SquareMove>);

/// Why a text is not a line of moves.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "move {number} `{text}` is not the squares of two pits such as f1e2 (a to i; row 1 is South's, \
     row 2 North's)"
)]
pub struct SquareLineError {
    number: usize,
    text: String,
}

impl SquareLine {
    /// A line of the given moves.
    #[must_use]
    pub fn new(moves: Vec<SquareMove>) -> SquareLine {
        SquareLine(moves)
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[SquareMove] {
        &self.0
    }
}

impl FromStr for SquareLine {
    type Err = SquareLineError;

    fn from_str(text: &str) -> Result<SquareLine, SquareLineError> {
        let moves = text.split_whitespace().enumerate().map(|(index, text)| {
            let error = || SquareLineError { number: index + 1, text: text.to_owned() };
            SquareMove::parse(text).ok_or_else(error)
        });
        moves.collect::<Result<_, _>>().map(SquareLine)
    }
}

impl fmt::Display for SquareLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, sowing) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{sowing}")?;
        }
        Ok(())
    }
}
