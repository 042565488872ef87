//! Proving a sample of committed values again.

use std::collections::HashMap;

use games::notation::dash;
use games::{Board, Player, Position, Ruleset};
use solver::{Oracle, Shape};

use crate::engine::{Effort, Resources};
use crate::error::Error;
use crate::openings::{Book, Opening, Solution, board_text};
use crate::survey::{self, Survey};

/// Boards of a survey that took longer are not in its sample.
const MOST_SECONDS: f64 = 10.0;

/// How committed values are checked.
pub(crate) struct Checker<'a> {
    pub(crate) resources: &'a Resources,
    /// Boards that are solved again of each result.
    pub(crate) samples: usize,
    pub(crate) random: fastrand::Rng,
    /// What has been checked, in words.
    pub(crate) done: Vec<String>,
}

impl Checker<'_> {
    /// Solves some boards of a survey again, with all their first turns.
    pub(crate) fn survey(&mut self, name: &str, survey: &Survey) -> Result<(), Error> {
        let quick = survey.boards.iter().filter(|solved| solved.seconds <= MOST_SECONDS);
        let quick: Vec<_> = quick.collect();
        for expected in self.random.choose_multiple(quick, 4 * self.samples) {
            let game = ruleset(name, &expected.game)?;
            let found = survey::solve(&game, self.resources, None)?;
            self.agrees(name, &expected.game, &expected.value, &found.value)?;
            self.agrees(name, &expected.game, &expected.turns, &found.turns)?;
            self.done.push(format!("{name}: `{}` and its first turns solved again", expected.game));
        }
        Ok(())
    }

    /// Makes the whole tree of a book again from the values of its last positions, and proves some
    /// of those again.
    pub(crate) fn book(&mut self, name: &str, book: &Book) -> Result<(), Error> {
        let game = ruleset(name, &book.game)?;
        let values = last_values(name, &game, book)?;
        let shape = Shape::new(&game.rules(), Position::start(&game), book.turns);
        let missing = || wrong(name, "its last positions are not those of the game");
        let tree = shape.valued(|board| values.get(&board).copied()).ok_or_else(missing)?;
        let solution = Solution { tree, solved: 0, effort: Effort::default() };
        let again = Book::new(&game, book.turns, &solution, None);
        self.agrees(name, "its lines", &book.ends, &again.ends)?;
        self.agrees(
            name,
            "the number of its positions",
            &book.positions.len(),
            &again.positions.len(),
        )?;
        for (told, made) in book.positions.iter().zip(&again.positions) {
            self.agrees(name, &told.line, told, made)?;
        }
        let count = book.positions.len();
        self.done.push(format!(
            "{name}: all {count} positions follow from those at the end of the tree"
        ));

        // Those with the fewest stones are proved soonest.
        let mut boards = shape.boards();
        boards.truncate((boards.len() / 4).max(self.samples));
        self.random.shuffle(&mut boards);
        boards.truncate(self.samples);
        if boards.is_empty() {
            return Ok(());
        }
        let mut engine = self.resources.engine(&game, game.stones(), None)?;
        for board in boards {
            let value = values.get(&board).copied().ok_or_else(missing)?;
            // Two null windows: at least the value, and not more.
            let answer = engine
                .at_least(board, value)
                .and_then(|reached| Ok(reached && !engine.at_least(board, value + 1)?));
            let right = match answer {
                Ok(right) => right,
                Err(error) => return engine.finish(Err(error)),
            };
            let text = board_text(board, game.pits());
            self.agrees(name, &format!("{text} being worth {value}"), &true, &right)?;
            self.done.push(format!("{name}: `{text}` proved to be worth {value} again"));
        }
        engine.finish(Ok(()))
    }

    pub(super) fn agrees<T: PartialEq + std::fmt::Debug>(
        &self,
        name: &str,
        what: &str,
        expected: &T,
        found: &T,
    ) -> Result<(), Error> {
        if expected == found {
            return Ok(());
        }
        let text = |value| format!("{value:?}");
        let (expected, found) = (text(expected), text(found));
        Err(Error::Sample { name: name.to_owned(), what: what.to_owned(), expected, found })
    }
}

/// The values of the boards at the end of a book, from the margins of the last turns.
fn last_values(name: &str, game: &Ruleset, book: &Book) -> Result<HashMap<Board, i32>, Error> {
    let depth = |opening: &&Opening| opening.line.split_whitespace().count() + 1 == book.turns;
    let mut values = HashMap::new();
    for reply in book.positions.iter().filter(depth).flat_map(|opening| &opening.turns) {
        let setup = dash::parse(&reply.position).map_err(|error| wrong(name, error))?;
        let position = Position::new(&setup, game.pits()).map_err(|error| wrong(name, error))?;
        let [south, north] = position.stores().map(|store| store as i32);
        let value = reply.margin - (south - north);
        let value = if position.to_move() == Player::South { value } else { -value };
        values.insert(position.board(), value);
    }
    Ok(values)
}

pub(crate) fn ruleset(name: &str, text: &str) -> Result<Ruleset, Error> {
    text.parse().map_err(|error| wrong(name, error))
}

pub(crate) fn wrong(name: &str, reason: impl ToString) -> Error {
    Error::Results { name: name.to_owned(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::openings::{self, Store};

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        resources: Resources,
    }

    fn checked(resources: &Resources, book: &Book) -> Result<Vec<String>, Error> {
        let random = fastrand::Rng::with_seed(1);
        let mut checker = Checker { resources, samples: 100, random, done: Vec::new() };
        checker.book("it", book)?;
        Ok(checker.done)
    }

    #[test]
    fn a_wrong_value_anywhere_in_a_book_is_found() {
        let given = Given::parse_from(["mancala", "--quiet", "--memory", "256MiB"]);
        let game: Ruleset = "kalah:3x3".parse().expect("a ruleset");
        let mut store = Store::in_memory(&game);
        let engine = || given.resources.engine(&game, game.stones(), None);
        let solution = openings::solve(&game, 2, &mut store, engine, &|_| ()).expect("solved");
        let book = Book::new(&game, 2, &solution, None);
        let done = checked(&given.resources, &book).expect("all is right");
        assert!(done.len() > 10, "{done:?}");

        let mut wrong = 0;
        for place in 0..book.positions.len() {
            for turn in 0..book.positions[place].turns.len() {
                let mut altered = book.clone();
                altered.positions[place].turns[turn].value += 2;
                assert!(checked(&given.resources, &altered).is_err());
                let mut altered = book.clone();
                altered.positions[place].turns[turn].margin += 2;
                assert!(checked(&given.resources, &altered).is_err());
                wrong += 1;
            }
        }
        assert!(wrong > 15, "{wrong}");
        // All values wrong in the same way agree with each other; proving one again finds it.
        let shape = Shape::new(&game.rules(), Position::start(&game), 2);
        let tree = shape.valued(|board| store.get(board).map(|value| value - 2)).expect("known");
        let altered = Solution { tree, solved: 0, effort: Effort::default() };
        let error = checked(&given.resources, &Book::new(&game, 2, &altered, None));
        let error = error.expect_err("it is wrong").to_string();
        assert!(error.contains("solved again it is false"), "{error}");
    }
}
