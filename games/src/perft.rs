//! Perft: counting sowings ply by ply.

use crate::game::Game;
use crate::position::Position;
use crate::registry::Rules;
use crate::ruleset::Ruleset;

/// The number of legal sequences of exactly 0, 1, ..., `depth` sowings from a position.
///
/// A finished game has no continuation; an extra sowing is a ply of its own; repetition is
/// ignored. `rules` are those of the ruleset.
#[must_use]
pub fn perft(ruleset: &Ruleset, rules: &Rules, position: &Position, depth: usize) -> Vec<u64> {
    let mut nodes = vec![0; depth + 1];
    count(rules, ruleset.stops_at_majority(), position, &mut nodes);
    nodes
}

/// Adds what is below `position` to `nodes`, whose first entry counts the position itself.
fn count(rules: &Rules, stops_at_majority: bool, position: &Position, nodes: &mut [u64]) {
    nodes[0] += 1;
    let below = &mut nodes[1..];
    let over = rules.remainder(position.board()).is_some()
        || (stops_at_majority && position.has_majority());
    if below.is_empty() || over {
        return;
    }
    let legal = rules.legal(position.board());
    if below.len() == 1 {
        below[0] += legal.len() as u64;
        return;
    }
    for pit in legal {
        count(rules, stops_at_majority, &position.sow(rules, pit).0, below);
    }
}
