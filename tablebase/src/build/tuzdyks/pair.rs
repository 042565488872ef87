//! A part of a layer and its mirror image, worked out together.
//!
//! First every position is evaluated once: the best that a sowing into a lower layer or the end of
//! the game gives, and how many sowings stay in the pair. Then, for each value v from the highest
//! down to 1, the positions become known that are won or lost by v: won by a sowing into a lower layer,
//! or into a position lost by v; lost if that is the best of all sowings, those that stay being into
//! positions won by v or more. Each known position is taken once and its value pushed to those it
//! can be reached from.
//!
//! *What becomes known is right.* The sowings that make a position known lead to positions known
//! before it, so play for the value comes, in finitely many sowings, to a lower layer, whose values
//! are right, or to the end of the game. Nobody gets more: of two values of a position the higher
//! one is found first, and the losing player has no other sowings.
//!
//! *What is never known is worth 0.* A player to move there has a sowing worth 0 that leaves the
//! pair, or one to a position that is not known either, for else he would have lost; and none that
//! gains. So has his opponent after him. Each keeps to such sowings and gets 0, if not from a lower
//! layer then from play without end.

use games::Playable;
use games::toguz::{Board, Toguz};
use memmap2::MmapMut;

use crate::index::{Numbering, TuzdykIndex};

/// Marks a position none of whose sowings leaves the pair.
const NOTHING: i8 = i8::MIN;
/// In place of the sowings that are open, once the value is known.
const CLOSED: u8 = u8::MAX;

/// What all pairs of a layer share.
pub(super) struct Ground<'a> {
    pub(super) rules: &'a Toguz,
    pub(super) index: &'a TuzdykIndex,
    /// The layers below.
    pub(super) lower: &'a [MmapMut],
    pub(super) stones: u32,
}

/// Positions with some tuzdyks.
struct Part<'a> {
    tuzdyks: [usize; 2],
    /// The number of the first one.
    start: u64,
    /// The value, once it is known; before, the most that a sowing which leaves the pair gives.
    best: &'a mut [i8],
    /// How many sowings lead to positions that are not known to be won by as much as the level
    /// in work; [`CLOSED`] once the value is known.
    open: Vec<u8>,
}

/// The positions with some tuzdyks, and those with the same tuzdyks seen from the other side: one
/// part if these are the same ones.
pub(super) struct Pair<'a> {
    parts: Vec<Part<'a>>,
}

/// A position that has become known: its part, and where it is there.
type Known = (usize, usize);

impl<'a> Pair<'a> {
    /// A pair of the part with some tuzdyks alone, whose first position has the number `start`.
    pub(super) fn new(tuzdyks: [usize; 2], start: u64, values: &'a mut [i8]) -> Pair<'a> {
        Pair { parts: vec![Part { tuzdyks, start, best: values, open: Vec::new() }] }
    }

    /// Adds the mirror image of the part.
    pub(super) fn add(&mut self, mirrored: Pair<'a>) {
        self.parts.extend(mirrored.parts);
    }

    /// The tuzdyks of the first part.
    pub(super) fn tuzdyks(&self) -> [usize; 2] {
        self.parts[0].tuzdyks
    }

    pub(super) fn positions(&self) -> u64 {
        self.parts.iter().map(|part| part.best.len() as u64).sum()
    }

    /// Fills in the values.
    pub(super) fn solve(mut self, ground: &Ground<'_>) {
        self.parts.iter_mut().for_each(|part| part.evaluate(ground));
        let mut known = Vec::new();
        for level in (1..=ground.stones as i8).rev() {
            for part in 0..self.parts.len() {
                let mut next = 0;
                while let Some(at) = self.parts[part].decided(next, level) {
                    self.parts[part].open[at] = CLOSED;
                    known.push((part, at));
                    self.spread(ground, level, &mut known);
                    next = at + 1;
                }
            }
        }
        self.parts.iter_mut().for_each(Part::finish);
    }

    /// Goes back from all known positions.
    fn spread(&mut self, ground: &Ground<'_>, level: i8, known: &mut Vec<Known>) {
        let Ground { rules, index, stones, .. } = *ground;
        while let Some((part, at)) = known.pop() {
            let Part { tuzdyks, start, best, .. } = &self.parts[part];
            let board = index.board_in(stones, *tuzdyks, start + at as u64);
            let is_won = best[at] > 0;
            let mirrored = self.parts.len() - 1 - part;
            let before = &mut self.parts[mirrored];
            rules.unsow(board, |board| {
                let at = (index.number(board).1 - before.start) as usize;
                if before.learns(at, is_won, level) {
                    known.push((mirrored, at));
                }
            });
        }
    }
}

impl Part<'_> {
    /// Evaluates all sowings that leave the pair, and counts the others.
    fn evaluate(&mut self, ground: &Ground<'_>) {
        let numbers = self.start..self.start + self.best.len() as u64;
        let boards = ground.index.boards(ground.stones, numbers);
        self.open = Vec::with_capacity(self.best.len());
        for (board, best) in boards.zip(&mut *self.best) {
            let open;
            (*best, open) = ground.evaluate(board);
            self.open.push(open);
        }
    }

    /// The first position from `from` on that is decided at a level by what leaves the pair.
    fn decided(&self, from: usize, level: i8) -> Option<usize> {
        let decides = |(&best, &open): (&i8, &u8)| {
            (best == level && open != CLOSED) || (best == -level && open == 0)
        };
        let found = self.best[from..].iter().zip(&self.open[from..]).position(decides);
        found.map(|at| from + at)
    }

    /// What a position makes of a successor that is won or lost by a level. Gives whether its value
    /// is known now.
    #[inline]
    fn learns(&mut self, at: usize, is_won: bool, level: i8) -> bool {
        let (best, open) = (&mut self.best[at], &mut self.open[at]);
        if *open == CLOSED {
            return false;
        }
        if is_won {
            *open -= 1;
            if *open > 0 || *best > -level {
                return false;
            }
        }
        *best = if is_won { -level } else { level };
        *open = CLOSED;
        true
    }

    fn finish(&mut self) {
        for (best, &open) in self.best.iter_mut().zip(&self.open) {
            *best = if open == CLOSED { *best } else { 0 };
        }
    }
}

impl Ground<'_> {
    /// The most that a sowing which leaves the pair gives, and how many do not.
    #[inline]
    fn evaluate(&self, board: Board) -> (i8, u8) {
        if let Some(remainder) = self.rules.remainder(board) {
            return (remainder.value() as i8, 0);
        }
        let (mut best, mut open) = (NOTHING, 0);
        for pit in self.rules.legal(board) {
            let sown = self.rules.sow(board, pit);
            if sown.gain == 0 && sown.given == 0 {
                open += 1;
                continue;
            }
            let (layer, number) = self.index.number(sown.board);
            let next = self.lower[layer as usize][number as usize] as i8;
            best = best.max(sown.value(next.into()) as i8);
        }
        (best, open)
    }
}
