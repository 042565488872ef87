//! How much is left to do behind a board: what the search turns to first, and nothing that an
//! answer depends on.

use super::{Edge, Graph, MOST_EFFORT, State, Target, Walk};

/// What a sowing of the defender takes to be won that he does not rely on.
const OTHER_PROOF: u32 = 2;

impl Graph {
    /// The effort behind an edge; `None` if it is lost for the defender. What the last walk met
    /// before `place` counts where it was met.
    pub(super) fn effort(&self, edge: usize, place: u32) -> Option<u32> {
        let Edge { to, effort, .. } = self.edges[edge];
        match to {
            Target::Inner(to) => {
                let node = &self.nodes[to as usize];
                match node.state {
                    State::Won => None,
                    State::Held => Some(0),
                    State::Fresh => Some(effort),
                    State::Open if node.walk == self.walks && node.place < place => Some(0),
                    State::Open => Some(node.effort),
                }
            }
            Target::Unmet | Target::Lower(_) => Some(effort),
            Target::Holds => Some(0),
            Target::Loses => None,
        }
    }

    /// What a sowing still takes to be won for the attacker; `None` if the defender holds it. What
    /// the last walk met before `place` is of no help: a way round.
    fn proof(&self, edge: usize, place: u32) -> Option<u32> {
        let Edge { to, tries, .. } = self.edges[edge];
        match to {
            Target::Inner(to) => {
                let node = &self.nodes[to as usize];
                let round = node.walk == self.walks && node.place < place;
                match node.state {
                    State::Won => Some(0),
                    State::Held => None,
                    State::Open if round => None,
                    State::Fresh | State::Open => Some(node.proof),
                }
            }
            Target::Unmet => Some(1),
            Target::Lower(_) => Some(2 << tries.min(20)),
            Target::Holds => None,
            Target::Loses => Some(0),
        }
    }

    /// Estimates effort and proof of the closure just walked anew, from its end to the root, and
    /// has the defender rely on what takes least effort now.
    pub(in crate::cyclic) fn estimate(&mut self, walk: &Walk) {
        for &number in walk.open.iter().rev() {
            if self.node(number).attacks {
                self.estimate_attacker(number);
            } else {
                self.rely(number);
                self.estimate_defender(number);
            }
        }
        self.wanted.clear();
    }

    /// All sowings have to be held; one is enough to win.
    fn estimate_attacker(&mut self, number: u32) {
        let place = self.node(number).place;
        let effort = self.edges_of(number).filter_map(|edge| self.effort(edge, place)).sum::<u32>();
        let proof = self.edges_of(number).filter_map(|edge| self.proof(edge, place)).min();
        let node = &mut self.nodes[number as usize];
        node.effort = effort.min(MOST_EFFORT);
        node.proof = proof.unwrap_or(MOST_EFFORT);
    }

    /// The sowing relied on has to be won, and then the others, which nobody has looked at.
    fn estimate_defender(&mut self, number: u32) {
        let node = self.node(number);
        let left = self.edges_of(number).filter(|&edge| self.effort(edge, node.place).is_some());
        let others = left.count().saturating_sub(1) as u32;
        let proof = self.proof(Graph::relied_on(&node) as usize, node.place);
        let proof = proof.unwrap_or(MOST_EFFORT) + OTHER_PROOF * others;
        self.nodes[number as usize].proof = proof.min(MOST_EFFORT);
    }
}
