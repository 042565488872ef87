//! Sets of sides and of positions as bits.

use std::ops::Range;
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
        Bits(zeros(words))
    }

    /// Adds a member.
    #[inline]
    pub(super) fn set(&self, at: usize) {
        set(&self.0[at / WORD], 1 << (at % WORD));
    }

    #[inline]
    pub(super) fn words(&self) -> &[AtomicU64] {
        &self.0
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

/// How many words of a row of so many words share a bit of its summary.
#[inline]
pub(super) fn words_of_a_bit(words: usize) -> usize {
    words.div_ceil(WORD).next_power_of_two()
}

/// A set of positions of a layer: a row of bits for each opponent's side, in it one for each
/// side of the mover. Few of a row are members at a time, so there is a summary of each row that
/// tells which of its words have members, and the set of the rows that have any.
#[derive(Debug)]
pub(super) struct Marks {
    bits: Vec<AtomicU64>,
    /// For each slot.
    summaries: Vec<AtomicU64>,
    rows: Bits,
    /// For each number of stones of the opponent.
    blocks: Vec<Block>,
}

/// The rows of opponents of equally many stones.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The word where the row of slot 0 would start if all rows were as long as these (it wraps
    /// below zero).
    base: usize,
    words: usize,
    /// How many bits a place in the row is shifted to get its bit of the summary.
    shift: u32,
}

/// The members of a row of [`Marks`].
#[derive(Debug)]
pub(super) struct MarkedRow<'a> {
    pub(super) summary: u64,
    pub(super) words: &'a [AtomicU64],
}

impl Marks {
    /// An empty set of positions of the layer of `layer` stones.
    pub(super) fn new(sides: &Sides, slots: &Slots, layer: u32) -> Marks {
        let mut start = 0usize;
        let blocks = (0..=layer).map(|stones| {
            let words = sides.of(layer - stones).len().div_ceil(WORD);
            let base = start.wrapping_sub(slots.first(stones) as usize * words);
            start += sides.of(stones).len() * words;
            Block { base, words, shift: (WORD * words_of_a_bit(words)).ilog2() }
        });
        let blocks = blocks.collect();
        Marks {
            bits: zeros(start),
            summaries: zeros(slots.words(layer) * WORD),
            rows: Bits::new(slots.words(layer)),
            blocks,
        }
    }

    /// Adds the position of an opponent's side and the mover's side of a number among those of
    /// as many stones.
    #[inline]
    pub(super) fn set(&self, slot: u32, stones: u32, mover: usize) {
        let block = self.blocks[stones as usize];
        let start = block.base.wrapping_add(slot as usize * block.words);
        set(&self.bits[start + mover / WORD], 1 << (mover % WORD));
        if set(&self.summaries[slot as usize], 1 << (mover >> block.shift)) {
            self.rows.set(slot as usize);
        }
    }

    /// The members of a row.
    #[inline]
    pub(super) fn row(&self, slot: u32, stones: u32) -> MarkedRow<'_> {
        let block = self.blocks[stones as usize];
        let start = block.base.wrapping_add(slot as usize * block.words);
        MarkedRow {
            summary: self.summaries[slot as usize].load(Relaxed),
            words: &self.bits[start..start + block.words],
        }
    }

    /// The rows that have members, a bit for each slot.
    pub(super) fn rows(&self) -> &[AtomicU64] {
        self.rows.words()
    }

    /// Removes all members.
    pub(super) fn clear(&mut self, slots: &Slots) {
        for (stones, &block) in (0..).zip(&self.blocks) {
            for word in slots.first(stones) as usize / WORD..slots.words(stones) {
                for at in members(std::mem::take(self.rows.0[word].get_mut())) {
                    let slot = word * WORD + at;
                    let start = block.base.wrapping_add(slot * block.words);
                    let row = &mut self.bits[start..start + block.words];
                    let summary = std::mem::take(self.summaries[slot].get_mut());
                    for words in summarised(summary, row.len()) {
                        row[words].iter_mut().for_each(|word| *word.get_mut() = 0);
                    }
                }
            }
        }
    }
}

/// The words of a row that the bits of a summary stand for.
#[inline]
pub(super) fn summarised(summary: u64, words: usize) -> impl Iterator<Item = Range<usize>> {
    let each = words_of_a_bit(words);
    members(summary).map(move |bit| bit * each..words.min((bit + 1) * each))
}

fn zeros(words: usize) -> Vec<AtomicU64> {
    (0..words).map(|_| AtomicU64::new(0)).collect()
}

/// Sets a bit; gives whether the word had none before.
#[inline]
fn set(word: &AtomicU64, bit: u64) -> bool {
    // Mostly it is set already where this is called often, and reading is cheap.
    let old = word.load(Relaxed);
    old & bit == 0 && word.fetch_or(bit, Relaxed) == 0
}
