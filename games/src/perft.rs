//! Perft: counting sowings ply by ply.

use crate::playable::Playable;
use crate::position::Position;
use crate::ruleset::{Ruleset, Stop};

/// The number of legal sequences of exactly 0, 1, ..., `depth` sowings from a position.
///
/// A finished game has no continuation; an extra sowing is a ply of its own; repetition is
/// ignored. `rules` are those of the ruleset.
#[must_use]
pub fn perft<R: Playable>(
    ruleset: &Ruleset<R>,
    rules: &R,
    position: &Position<R::Board>,
    depth: usize,
) -> Vec<u64> {
    let mut nodes = vec![0; depth + 1];
    count(rules, ruleset.stop(), position, &mut nodes);
    nodes
}

/// Adds what is below `position` to `nodes`, whose first entry counts the position itself.
fn count<R: Playable>(rules: &R, stop: Stop, position: &Position<R::Board>, nodes: &mut [u64]) {
    nodes[0] += 1;
    let below = &mut nodes[1..];
    let over = rules.remainder(position.board()).is_some() || stop.reached(position);
    if below.is_empty() || over {
        return;
    }
    let legal = rules.legal(position.board());
    if below.len() == 1 {
        below[0] += legal.len() as u64;
        return;
    }
    for pit in legal {
        count(rules, stop, &position.sow(rules, pit).0, below);
    }
}
