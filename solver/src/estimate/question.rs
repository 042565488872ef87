//! One question about a board, asked ever deeper.

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::horizon::{Guess, Lower, Upper};
use super::search::Search;

/// What is asked of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// What it seems to be worth.
    Guess,
    /// What it is worth at least.
    Lower,
    /// What it is worth at most.
    Upper,
}

/// A question with a search of its own, so that several threads answer several questions by the
/// same nodes as one thread does. One search for all questions about the nine sowings of toguz took
/// two parts in five more nodes: they push out of its table, and of its order, what others have
/// learned, and have few boards in common.
pub(super) struct Question<'a, R: Estimated> {
    rules: &'a R,
    board: R::Board,
    view: View,
    search: Search<'a, R>,
    /// The last answers in units, by whether the depth was even or odd. The one who sows last before
    /// the horizon is at an advantage, so the next answer is close to the last but one.
    worth: [i32; 2],
}

impl<'a, R: Estimated> Question<'a, R> {
    pub(super) fn new(
        (rules, ending): (&'a R, &'a dyn Ending<R::Board>),
        (board, view): (R::Board, View),
        memory: u64,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Question<'a, R> {
        let search = Search::new(rules, ending, memory, stop);
        Question { rules, board, view, search, worth: [0; 2] }
    }

    /// Answers in units when `depth` sowings are looked ahead; `None` if stopped, which it may be
    /// unless `unstopped`.
    pub(super) fn ask(&mut self, depth: u8, unstopped: bool) -> Option<i32> {
        self.search.may_stop = !unstopped;
        let guess = &mut self.worth[usize::from(depth % 2)];
        *guess = match self.view {
            View::Guess => self.search.worth::<Guess>(self.board, depth, *guess),
            View::Lower => self.search.worth::<Lower>(self.board, depth, *guess),
            View::Upper => self.search.worth::<Upper>(self.board, depth, *guess),
        };
        (!self.search.stopped).then_some(*guess)
    }

    /// What follows when both play for the estimate. The search has just been there, so its table
    /// answers almost all.
    pub(super) fn line(&mut self, depth: u8) -> Vec<usize> {
        self.search.may_stop = false;
        self.search.stopped = false;
        let (mut line, mut board) = (vec![], self.board);
        for depth in (1..=depth).rev() {
            let Some(pit) = self.best_pit(board, depth) else { break };
            line.push(pit);
            board = self.rules.sow(board, pit).board;
        }
        line
    }

    /// The first pit that attains the estimate of a board.
    fn best_pit(&mut self, board: R::Board, depth: u8) -> Option<usize> {
        if self.rules.remainder(board).is_some() {
            return None;
        }
        let worth = self.search.worth::<Guess>(board, depth, 0);
        self.rules.legal(board).find(|&pit| {
            let sown = self.rules.sow(board, pit);
            let gain = i32::from(sown.gain) - i32::from(sown.given);
            let wanted = gain * UNIT - worth;
            self.search.bound::<Guess>(sown.board, depth - 1, wanted + 1) <= wanted
        })
    }

    /// Boards seen.
    pub(super) fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Values looked up.
    pub(super) fn probes(&self) -> u64 {
        self.search.probes
    }
}
