//! What is known of a board without a graph of its own, and what follows for the sowings that
//! lead to it.

use arrayvec::ArrayVec;
use games::{Board, Game, MAX_PITS, Sown};
use tablebase::Probe;

use crate::search::Watch;
use crate::transposition::Bounds;
use crate::worker::Stop;

use super::Worker;
use super::graph::{Graph, State, Target};

/// What a capture by the attacker counts as a threat, if its worth is not known.
const LOWER_THREAT: i32 = 4;

/// The threshold that a sowing puts to the board it leads to. It is worth `threshold` if the
/// sower reaches that when he sows again, or if the opponent does not reach it.
pub(super) fn passed_on(sown: &Sown, threshold: i32) -> i32 {
    let gain = i32::from(sown.gain);
    if sown.again { threshold - gain } else { gain - threshold + 1 }
}

/// A sowing that is not decided.
struct Choice {
    /// The greater, the sooner a defender relies on it, all else being equal.
    order: i32,
    pit: u8,
    sown: Sown,
    effort: i32,
}

impl<P: Probe, W: Watch> Worker<'_, P, W> {
    /// Whether a board is worth at least `threshold`, if the stones, the end of the game, the
    /// tables or the transposition table tell.
    #[inline]
    pub(super) fn known(&mut self, board: Board, threshold: i32) -> Option<bool> {
        let search = self.search;
        let stones = board.stones() as i32;
        if threshold > stones || threshold <= -stones {
            return Some(threshold <= 0);
        }
        if stones <= search.most {
            self.tally.probes += 1;
            return Some(search.tables.value_at(search.tables.locate(board)) >= threshold);
        }
        if let Some(rest) = search.rules.remainder(board) {
            return Some(rest.value() >= threshold);
        }
        let bounds =
            search.transpositions.get(search.transpositions.slot(search.keys.key(board)))?;
        Some(bounds.answer(threshold)? >= threshold)
    }

    /// Keeps that a board is worth at least `threshold`, or that it is not.
    pub(super) fn keep(&self, board: Board, threshold: i32, reached: bool, nodes: u64) {
        let all = board.stones() as i32;
        let slot = self.search.transpositions.slot(self.search.keys.key(board));
        let (lower, upper) = if reached { (threshold, all) } else { (-all, threshold - 1) };
        self.search.transpositions.put(slot, Bounds { lower, upper, pit: None }, nodes);
    }

    /// Whether a sowing is known to be worth `threshold`, or known not to be.
    #[inline]
    fn worth(&mut self, sown: &Sown, threshold: i32) -> Option<bool> {
        Some(self.known(sown.board, passed_on(sown, threshold))? == sown.again)
    }

    /// Lists the sowings of a fresh board that are not decided; decides the board if one of them
    /// or all of them are.
    pub(super) fn list(&mut self, graph: &mut Graph, number: u32) -> Result<(), Stop> {
        self.tick()?;
        let node = graph.node(number);
        let threshold = graph.threshold(node.attacks);
        let mut open: ArrayVec<(usize, Sown), MAX_PITS> = ArrayVec::new();
        for pit in self.search.rules.legal(node.board).rev() {
            let sown = self.search.rules.sow(node.board, pit);
            match self.worth(&sown, threshold) {
                Some(true) => {
                    graph.settle(number, node.attacks);
                    self.keep(node.board, threshold, true, 1);
                    return Ok(());
                }
                Some(false) => {}
                None => open.push((pit, sown)),
            }
        }
        let options =
            open.iter().filter_map(|&(pit, sown)| self.option(graph, node.attacks, pit, sown));
        let mut options: ArrayVec<Choice, MAX_PITS> = options.collect();
        options.sort_unstable_by_key(|option| -option.order);
        let stones = node.board.stones();
        let sowings = options.iter().map(|option| {
            let left = option.sown.board.stones();
            let to = match left < stones {
                true => Target::Lower(left as u8),
                false if node.attacks => Target::Inner(graph.number(option.sown.board, false)),
                false => graph.find(option.sown.board, true).map_or(Target::Unmet, Target::Inner),
            };
            (option.pit, to, option.effort as u32)
        });
        let sowings: ArrayVec<_, MAX_PITS> = sowings.collect();
        if node.attacks && sowings.is_empty() {
            graph.settle(number, false);
            self.keep(node.board, threshold, false, 1);
        } else {
            // A defender without a sowing has lost; the graph sees to it.
            graph.open(number, &sowings);
        }
        Ok(())
    }

    /// What a sowing that is not decided by itself promises; `None` if a look further decides it
    /// against the mover.
    fn option(&mut self, graph: &Graph, attacks: bool, pit: usize, sown: Sown) -> Option<Choice> {
        if attacks && sown.gain == 0 && self.parries(sown.board, graph.threshold(true)) {
            return None;
        }
        let mut order = i32::from(sown.gain) << 8 | pit as i32;
        let mut effort = 1;
        if sown.gain > 0 {
            effort = sown.board.stones() as i32 - self.search.most;
        } else if !attacks {
            match graph.state(sown.board, true) {
                Some(State::Won) => return None,
                // What is in the graph may close.
                Some(State::Open | State::Held) => order += 1 << 16,
                Some(State::Fresh) | None => {}
            }
            effort = self.threats(sown.board, graph.threshold(true))?;
        }
        Some(Choice { order, pit: pit as u8, sown, effort })
    }

    /// How much the defender has to do about a board where the attacker moves: his sowings that are
    /// not parried at once. `None` if one of them is known to win.
    ///
    /// Only captures are looked up, here and in [`Worker::parries`]: most other boards are not
    /// known, and looking takes longer than all else.
    fn threats(&mut self, board: Board, goal: i32) -> Option<i32> {
        let mut threats = 0;
        for pit in self.search.rules.legal(board) {
            let sown = self.search.rules.sow(board, pit);
            threats += match sown.gain {
                0 => i32::from(!self.parries(sown.board, goal)),
                _ => match self.worth(&sown, goal) {
                    Some(true) => return None,
                    Some(false) => 0,
                    None => LOWER_THREAT,
                },
            };
        }
        Some(threats)
    }

    /// Whether the defender, to move, has a capture that is known to hold.
    fn parries(&mut self, board: Board, goal: i32) -> bool {
        self.search.rules.legal(board).any(|pit| {
            let sown = self.search.rules.sow(board, pit);
            sown.gain > 0 && self.worth(&sown, 1 - goal) == Some(true)
        })
    }
}
