//! Opening books: the exact tree of the first turns of a game.

mod book;
pub(crate) mod played;
mod store;

use games::{Position, Ruleset};
use solver::{Oracle, Shape, Tree};

use crate::engine::{Effort, Engine};
use crate::error::Error;

pub(crate) use book::{Book, Lines, Opening, Reply, outcome, player_name};
pub(crate) use store::{Store, board_text};

/// What [`solve`] found.
pub(crate) struct Solution {
    pub(crate) tree: Tree,
    /// Boards that were solved for it.
    pub(crate) solved: usize,
    pub(crate) effort: Effort,
}

/// Solves the tree of the first turns of a game: from the store what it knows, the rest by the
/// engine that `engine` makes when there is a rest. `say` tells of each board.
pub(crate) fn solve(
    game: &Ruleset,
    turns: usize,
    store: &mut Store,
    engine: impl FnOnce() -> Result<Engine, Error>,
    say: &dyn Fn(&str),
) -> Result<Solution, Error> {
    let shape = Shape::new(&game.rules(), Position::start(game), turns);
    let mut open = shape.boards();
    let all = open.len();
    open.retain(|&board| store.get(board).is_none());
    say(&format!("{} positions; {} of {all} boards to solve", shape.positions(), open.len()));
    let mut effort = Effort::default();
    if !open.is_empty() {
        let mut engine = engine()?;
        for (number, &board) in (1..).zip(&open) {
            let value = match engine.value(board) {
                Ok(value) => value,
                Err(error) => return engine.finish(Err(error)),
            };
            store.keep(board, value)?;
            let (of, text) = (open.len(), board_text(board, game.pits()));
            let seconds = engine.effort().seconds;
            say(&format!("{number} of {of}: {value} for {text} after {seconds:.0} s"));
        }
        engine.finish(Ok(()))?;
        effort = engine.effort();
    }
    let tree = shape.valued(|board| store.get(board)).expect("every open board has been solved");
    keep_inner(&tree, store)?;
    store.sync()?;
    Ok(Solution { tree, solved: open.len(), effort })
}

/// Keeps the values that follow from those solved. What the store knew of them already must be
/// the same.
fn keep_inner(tree: &Tree, store: &mut Store) -> Result<(), Error> {
    for node in tree.levels().iter().flatten().filter(|node| !node.turns.is_empty()) {
        let board = node.position.board();
        match store.get(board) {
            None => store.keep(board, node.value)?,
            Some(known) if known == node.value => {}
            Some(known) => {
                let line = node.line.to_string();
                return Err(Error::Contradiction { line, known, found: node.value });
            }
        }
    }
    Ok(())
}
