//! Best play in games whose positions recur: a win is kept by many sowings, but some of them
//! only lead round in circles.

use std::collections::HashMap;

use games::{Playable, Rows, Sown};

/// A board, and whether the player who makes progress moves there.
type Place<B> = (B, bool);

/// For positions of one layer that best play can reach: how many sowings are left until the value
/// is cashed by a capture or the end, if one of the players hurries.
#[derive(Debug)]
pub(crate) struct Progress<B: Rows> {
    left: HashMap<Place<B>, u32>,
}

/// A position between the sowings that keep its value.
struct Node<B> {
    place: Place<B>,
    /// Whether the value can be kept without staying in the layer.
    leaves: bool,
    /// The nodes it can stay at.
    next: Vec<usize>,
}

impl<B: Rows> Progress<B> {
    /// Searches from a position, in rounds: one of the player who makes progress gets its number
    /// one round after any that keeps the value, one of the other player after all. `claim` tells what a
    /// board is worth to its mover: what he can force, given `true` as the player who makes
    /// progress, or what he is held to. `forcing` tells which he is at the start.
    pub(crate) fn search<R: Playable<Board = B>, E>(
        rules: &R,
        claim: &mut impl FnMut(B, bool) -> Result<i32, E>,
        start: B,
        forcing: bool,
    ) -> Result<Progress<B>, E> {
        let nodes = explore(rules, claim, (start, forcing))?;
        let mut left: Vec<Option<u32>> = vec![None; nodes.len()];
        for round in 0.. {
            let ready = |node: &Node<B>| {
                let before = |&next: &usize| left[next].is_some();
                match node.place.1 {
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
        let places = nodes.iter().map(|node| node.place).zip(left);
        Ok(Progress { left: places.filter_map(|(place, left)| Some((place, left?))).collect() })
    }

    /// Whether a sowing from `board` of the player who makes progress gets on.
    pub(crate) fn advances(&self, board: B, sown: &Sown<B>) -> bool {
        let fewer = |next: &u32| self.left.get(&(board, true)).is_some_and(|left| next < left);
        sown.board.stones() < board.stones() || self.left.get(&after(true, sown)).is_some_and(fewer)
    }
}

/// Where a sowing leads.
fn after<B: Copy>(forcing: bool, sown: &Sown<B>) -> Place<B> {
    (sown.board, forcing == sown.again)
}

/// All positions of the layer that sowings reach which keep the value.
fn explore<R: Playable, E>(
    rules: &R,
    claim: &mut impl FnMut(R::Board, bool) -> Result<i32, E>,
    start: Place<R::Board>,
) -> Result<Vec<Node<R::Board>>, E> {
    let mut known = HashMap::from([(start, 0)]);
    let mut places = vec![start];
    let mut nodes = Vec::new();
    while let Some(&place) = places.get(nodes.len()) {
        let (board, forcing) = place;
        let value = claim(board, forcing)?;
        let mut node = Node { place, leaves: false, next: Vec::new() };
        if rules.remainder(board).is_some() {
            node.leaves = true;
            nodes.push(node);
            continue;
        }
        for pit in rules.legal(board) {
            let sown = rules.sow(board, pit);
            let next = after(forcing, &sown);
            if sown.value(claim(next.0, next.1)?) != value {
                continue;
            }
            if sown.board.stones() < board.stones() {
                node.leaves = true;
                continue;
            }
            let at = *known.entry(next).or_insert(places.len());
            if at == places.len() {
                places.push(next);
            }
            node.next.push(at);
        }
        nodes.push(node);
    }
    Ok(nodes)
}
