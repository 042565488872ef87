//! A position as the published awari database tells it.
//!
//! Source: the README and `db_lookup.py` that come with it (Vrije Universiteit Amsterdam, 2024,
//! after the tool of Romein & Bal 2003): three lines, the board as it was read, the value for the
//! player to move, and the value of each of his sowings in pit order, 127 where there is none.
//! (That program has values of some sowings that awari's rules forbid as well, for they
//! capture everything; here they count as none.)

use games::notation::integers;
use games::{Playable, Position, Ruleset};
use serde::Serialize;

/// Stands for a sowing that there is not.
const NONE: i32 = 127;

/// The values of a position and its sowings.
#[derive(Serialize)]
pub(crate) struct Children {
    #[serde(skip)]
    board: String,
    #[serde(skip)]
    value: i32,
    children: Vec<i32>,
}

impl Children {
    /// `moves` are the pits sown, from 1, with the value of each.
    pub(crate) fn new<R: Playable>(
        game: &Ruleset<R>,
        position: &Position<R::Board>,
        value: i32,
        moves: impl Iterator<Item = (usize, i32)>,
    ) -> Children {
        let board = integers::format(&position.setup(game.pits()));
        let mut children = vec![NONE; game.pits()];
        moves.for_each(|(pit, value)| children[pit - 1] = value);
        Children { board, value, children }
    }

    /// The three lines; as there, a space follows each number of a list.
    pub(crate) fn text(&self) -> String {
        let Children { board, value, children } = self;
        let children: String = children.iter().map(|child| format!("{child} ")).collect();
        format!("board: {board} \nscore: {value}\nchildren scores:  {children}\n")
    }
}
