//! Sets of sides and of positions as bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::index::Sides;

/// Bits of a word.
pub(super) const WORD: usize = u64::BITS as usize;

/// A bit for each side: the sides of each number of stones begin a new word, so that sets of
/// such sides can be cut out.
#[derive(Debug)]
pub(super) struct Slots {
    /// For each number of stones, the slot of its first side and the rank of that side; at the
    /// end the number of all slots.
    firsts: Vec<(u32, u32)>,
}

impl Slots {
    pub(super) fn new(sides: &Sides) -> Slots {
        let mut slot = 0u32;
        let firsts = (0..=sides.max_stones()).map(|stones| {
            let ranks = sides.of(stones);
            let first = (slot, ranks.start);
            slot += (ranks.len() as u32).next_multiple_of(WORD as u32);
            first
        });
        let mut firsts: Vec<_> = firsts.collect();
        firsts.push((slot, 0));
        Slots { firsts }
    }

    /// The slot of the first side of `stones` stones: the end of those of fewer.
    pub(super) fn first(&self, stones: u32) -> u32 {
        self.firsts[stones as usize].0
    }

    /// The slot of a side of `stones` stones.
    #[inline]
    pub(super) fn of(&self, rank: u32, stones: u32) -> u32 {
        let (slot, first) = self.firsts[stones as usize];
        slot + rank - first
    }

    /// Words for the slots of the sides with at most `stones` stones.
    pub(super) fn words(&self, stones: u32) -> usize {
        self.first(stones + 1) as usize / WORD
    }
}

/// A set that threads add to.
#[derive(Debug)]
pub(super) struct Bits(Vec<AtomicU64>);

impl Bits {
    pub(super) fn new(words: usize) -> Bits {
        Bits((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a member.
    #[inline]
    pub(super) fn set(&self, at: usize) {
        let (word, bit) = (&self.0[at / WORD], 1 << (at % WORD));
        // Mostly it is a member already where this is called often, and reading is cheap.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        &self.0
    }

    /// Removes all members of some words.
    pub(super) fn clear(&mut self, start: usize, words: usize) {
        self.0[start..start + words].iter_mut().for_each(|word| *word.get_mut() = 0);
    }
}

/// The places of the members of a word.
#[inline]
pub(super) fn members(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        at
    })
}

/// A set of positions of a layer: a row of bits for each opponent's side, in it one for each
/// side of the mover, and the set of the rows that have members.
#[derive(Debug)]
pub(super) struct Marks {
    bits: Bits,
    rows: Bits,
    /// For each number of stones of the opponent: the word where the row of slot 0 would start
    /// if all rows were as long as these (it wraps below zero), and their words.
    blocks: Vec<(usize, usize)>,
}

impl Marks {
    /// An empty set of positions of the layer of `layer` stones.
    pub(super) fn new(sides: &Sides, slots: &Slots, layer: u32) -> Marks {
        let mut start = 0usize;
        let blocks = (0..=layer).map(|stones| {
            let words = sides.of(layer - stones).len().div_ceil(WORD);
            let base = start.wrapping_sub(slots.first(stones) as usize * words);
            start += sides.of(stones).len() * words;
            (base, words)
        });
        let blocks = blocks.collect();
        Marks { bits: Bits::new(start), rows: Bits::new(slots.words(layer)), blocks }
    }

    #[inline]
    fn start(&self, slot: u32, stones: u32) -> (usize, usize) {
        let (base, words) = self.blocks[stones as usize];
        (base.wrapping_add(slot as usize * words), words)
    }

    /// Adds the position of an opponent's side and the mover's side of a number among those of
    /// as many stones.
    #[inline]
    pub(super) fn set(&self, slot: u32, stones: u32, mover: usize) {
        let (start, _) = self.start(slot, stones);
        self.bits.set(start * WORD + mover);
        self.rows.set(slot as usize);
    }

    /// The members of a row, if it has any.
    #[inline]
    pub(super) fn row(&self, slot: u32, stones: u32) -> Option<&[AtomicU64]> {
        let at = slot as usize;
        let some = self.rows.words()[at / WORD].load(Relaxed) >> (at % WORD) & 1 == 1;
        some.then(|| {
            let (start, words) = self.start(slot, stones);
            &self.bits.words()[start..start + words]
        })
    }

    /// The rows that have members, a bit for each slot.
    pub(super) fn rows(&self) -> &[AtomicU64] {
        self.rows.words()
    }

    /// Removes all members.
    pub(super) fn clear(&mut self, slots: &Slots) {
        for stones in 0..self.blocks.len() as u32 {
            for word in slots.first(stones) as usize / WORD..slots.words(stones) {
                let rows = std::mem::take(self.rows.0[word].get_mut());
                for at in members(rows) {
                    let (start, words) = self.start((word * WORD + at) as u32, stones);
                    self.bits.clear(start, words);
                }
            }
        }
    }
}
