//! From a side back to the sides whose sowings leave it.

use crate::build::sowings::Sowings;
use crate::index::Sides;

use super::slots::Slots;

/// For each side the sides that a sowing turns into it, stones spilled or not.
#[derive(Debug)]
pub(super) struct Sources {
    /// Where the list of each slot starts.
    starts: Vec<u32>,
    /// Slots, rising within a list.
    slots: Vec<u32>,
}

impl Sources {
    pub(super) fn new(sowings: &Sowings, sides: &Sides, slots: &Slots) -> Sources {
        let most = sides.max_stones();
        let edges = || {
            (0..=most).flat_map(|stones| sides.of(stones).map(move |rank| (rank, stones))).flat_map(
                |(rank, stones)| {
                    let from = slots.of(rank, stones);
                    let left = |own_stones: u8, own| slots.of(own, u32::from(own_stones));
                    sowings.of(rank).map(move |sowing| (from, left(sowing.own_stones, sowing.own)))
                },
            )
        };
        let mut starts = vec![0u32; slots.first(most + 1) as usize + 1];
        edges().for_each(|(_, to)| starts[to as usize + 1] += 1);
        for slot in 1..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; edges().count()];
        for (from, to) in edges() {
            sources[next[to as usize] as usize] = from;
            next[to as usize] += 1;
        }
        Sources { starts, slots: sources }
    }

    /// The slots of the sides that lead to a side.
    #[inline]
    pub(super) fn of(&self, slot: usize) -> &[u32] {
        &self.slots[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}
