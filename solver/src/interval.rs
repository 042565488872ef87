//! Judging positions by bounds that hold under any rule of repetition.
//!
//! What the bounds are worth, and for whom, is the theorem of [`tablebase::bounds`]:
//! repetitions are counted from the position judged on.

use std::collections::HashMap;

use games::notation::{Line, Turn};
use games::{Position, Rows};
use tablebase::{BoundTables, Interval, Tabled};

use crate::circles::Progress;
use crate::tables::Error;

/// A sowing that the rules allow, and between what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundedMove {
    /// The pit sown (0 is the mover's leftmost).
    pub pit: usize,
    /// The bounds of the sowing for the sower.
    pub bounds: Interval,
    /// Stones captured.
    pub captured: u8,
}

/// What is known of a position under any rule of repetition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// The bounds of the position for the player to move.
    pub bounds: Interval,
    /// All sowings the rules allow, by pit; none if the game is over.
    pub moves: Vec<BoundedMove>,
    /// Best play of both players to the end, without a repetition, where the bounds meet;
    /// otherwise empty.
    pub line: Line,
    /// The stores of South and North at its end.
    pub stores: Option<[u32; 2]>,
}

impl Bounded {
    /// The pits whose sowing lets the mover make sure of the lower bound, whatever the opponent
    /// does.
    pub fn keeping_lower(&self) -> impl Iterator<Item = usize> + '_ {
        let keeps = |sowing: &&BoundedMove| sowing.bounds.lower == self.bounds.lower;
        self.moves.iter().filter(keeps).map(|sowing| sowing.pit)
    }

    /// The pits whose sowing leaves the upper bound possible.
    pub fn keeping_upper(&self) -> impl Iterator<Item = usize> + '_ {
        let keeps = |sowing: &&BoundedMove| sowing.bounds.upper == self.bounds.upper;
        self.moves.iter().filter(keeps).map(|sowing| sowing.pit)
    }
}

/// Judges a position by bounds.
///
/// # Errors
/// Its layer is not in the tables, or a file is damaged.
pub fn judge_bounds<R: Tabled>(
    rules: &R,
    tables: &BoundTables<R>,
    position: &Position<R::Board>,
) -> Result<Bounded, Error> {
    let judge = Judge { rules, tables };
    let board = position.board();
    let bounds = judge.bounds(board)?;
    let moves = judge.moves(board)?;
    let (line, stores) = match bounds.value() {
        Some(value) => judge.line(position, value)?,
        None => (Line::default(), None),
    };
    Ok(Bounded { bounds, moves, line, stores })
}

struct Judge<'a, R: Tabled> {
    rules: &'a R,
    tables: &'a BoundTables<R>,
}

impl<R: Tabled> Judge<'_, R> {
    fn bounds(&self, board: R::Board) -> Result<Interval, Error> {
        let beyond = Error::Beyond { stones: board.stones(), most: self.tables.most_stones() };
        self.tables.bounds(board)?.ok_or(beyond)
    }

    fn moves(&self, board: R::Board) -> Result<Vec<BoundedMove>, Error> {
        if self.rules.remainder(board).is_some() {
            return Ok(Vec::new());
        }
        let judge = |pit| {
            let sown = self.rules.sow(board, pit);
            let bounds = self.bounds(sown.board)?.before(&sown);
            Ok(BoundedMove { pit, bounds, captured: sown.captured })
        };
        self.rules.legal(board).map(judge).collect()
    }

    /// Plays sowings worth exactly the value to the end, of several the lowest pit. Where that
    /// comes round to the same board, the player to whom play is worth something (the mover there,
    /// if nothing) plays on by sowings that make progress.
    fn line(
        &self,
        start: &Position<R::Board>,
        value: i32,
    ) -> Result<(Line, Option<[u32; 2]>), Error> {
        let mut turns = Vec::new();
        let (mut position, mut value) = (*start, value);
        let mut progress: Option<Progress<R::Board>> = None;
        // Whether the player to move makes progress.
        let mut forcing = false;
        // Positions of the layer, and the turns before them.
        let mut seen = HashMap::new();
        while self.rules.remainder(position.board()).is_none() {
            let board = position.board();
            if let Some(before) = seen.insert((board, position.to_move()), turns.len()) {
                turns.truncate(before);
                seen.retain(|_, &mut turns| turns <= before);
                forcing = value >= 0;
                progress = Some(self.progress(board, forcing)?);
            }
            let way = progress.as_ref().filter(|_| forcing);
            let Some(pit) = self.keeping(board, value, way)? else {
                break;
            };
            let (next, sown) = position.sow(self.rules, pit);
            let mut turn = Turn::default();
            turn.push(pit);
            turns.push(turn);
            (position, value) = (next, sown.won() - value);
            forcing = !forcing;
            if next.board().stones() < board.stones() {
                seen.clear();
                progress = None;
            }
        }
        let rest = self.rules.remainder(position.board());
        let stores = rest.map(|rest| position.stores_after(rest.mover, rest.other));
        Ok((Line::new(turns), stores))
    }

    fn progress(&self, board: R::Board, forcing: bool) -> Result<Progress<R::Board>, Error> {
        let mut claim = |board, forcing| {
            let Interval { lower, upper } = self.bounds(board)?;
            Ok(if forcing { lower } else { upper })
        };
        Progress::search(self.rules, &mut claim, board, forcing)
    }

    /// The lowest pit whose sowing makes sure of `value`, and makes progress if that is asked
    /// for.
    fn keeping(
        &self,
        board: R::Board,
        value: i32,
        progress: Option<&Progress<R::Board>>,
    ) -> Result<Option<usize>, Error> {
        for pit in self.rules.legal(board) {
            let sown = self.rules.sow(board, pit);
            let advances = progress.is_none_or(|progress| progress.advances(board, &sown));
            if advances && self.bounds(sown.board)?.before(&sown).lower == value {
                return Ok(Some(pit));
            }
        }
        Ok(None)
    }
}
