//! Best play in games whose positions recur: a win is kept by many sowings, but some of them
//! only lead round in circles.

use std::collections::HashMap;

use games::{Board, Game, Rules, Sown};

use crate::judge::Oracle;

/// For positions of one layer that best play can reach: how many sowings are left until the value
/// is cashed by a capture or the end, if the winner hurries.
#[derive(Debug)]
pub(crate) struct Progress {
    left: HashMap<Board, u32>,
}

/// A position between the sowings that keep its value.
struct Node {
    board: Board,
    wins: bool,
    /// Whether the value can be kept without staying in the layer.
    leaves: bool,
    /// The nodes it can stay at.
    next: Vec<usize>,
}

impl Progress {
    /// Searches from a position whose value is not 0, in rounds: a winner's position gets its
    /// number one round after any that keeps the win, a loser's after all.
    pub(crate) fn search<O: Oracle>(
        rules: &Rules,
        oracle: &mut O,
        start: Board,
    ) -> Result<Progress, O::Error> {
        let nodes = explore(rules, oracle, start)?;
        let mut left: Vec<Option<u32>> = vec![None; nodes.len()];
        for round in 0.. {
            let ready = |node: &Node| {
                let before = |&next: &usize| left[next].is_some();
                match node.wins {
                    true => node.leaves || node.next.iter().any(before),
                    false => node.next.iter().all(before),
                }
            };
            let numbered = |&at: &usize| left[at].is_none() && ready(&nodes[at]);
            let found: Vec<usize> = (0..nodes.len()).filter(numbered).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|at| left[at] = Some(round));
        }
        let boards = nodes.iter().map(|node| node.board).zip(left);
        Ok(Progress { left: boards.filter_map(|(board, left)| Some((board, left?))).collect() })
    }

    /// Whether a sowing of the winner from `board` gets on.
    pub(crate) fn advances(&self, board: Board, sown: &Sown) -> bool {
        sown.board.stones() < board.stones() || self.left.get(&sown.board) < self.left.get(&board)
    }
}

/// All positions of the layer that sowings reach which keep the value.
fn explore<O: Oracle>(rules: &Rules, oracle: &mut O, start: Board) -> Result<Vec<Node>, O::Error> {
    let mut known = HashMap::from([(start, 0)]);
    let mut boards = vec![start];
    let mut nodes = Vec::new();
    while let Some(&board) = boards.get(nodes.len()) {
        let value = oracle.value(board)?;
        let mut node = Node { board, wins: value > 0, leaves: false, next: Vec::new() };
        if rules.remainder(board).is_some() {
            node.leaves = true;
            nodes.push(node);
            continue;
        }
        for pit in rules.legal(board) {
            let sown = rules.sow(board, pit);
            if sown.value(oracle.value(sown.board)?) != value {
                continue;
            }
            if sown.board.stones() < board.stones() {
                node.leaves = true;
                continue;
            }
            let at = *known.entry(sown.board).or_insert(boards.len());
            if at == boards.len() {
                boards.push(sown.board);
            }
            node.next.push(at);
        }
        nodes.push(node);
    }
    Ok(nodes)
}
