//! The transposition table: proved bounds, exactly identified.
//!
//! A hash collision cannot give a wrong value, because there are none. The key of a board is a
//! bijection ([`Keys`](crate::key::Keys)); it is mixed by a bijection of its bits; and the mixed
//! bits are the number of the bucket and the tag of the entry together. So two boards that agree
//! in both are the same board. An entry is one 64-bit word, read and written as a whole: threads
//! share the table without locks and never see half an entry.
//!
//! ```text
//!   63          26 25      18 17      10 9      6 5         0
//!  |     tag      |  lower   |  upper   |  pit   |  effort   |
//! ```

use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::raw::Words;

const TAG_SHIFT: u32 = 26;
const TAG_BITS: u32 = u64::BITS - TAG_SHIFT;
/// Entries of a bucket, half a cache line.
const WAYS: usize = 4;
const NO_PIT: u64 = 15;
/// Words that a thread moves at a time when the table grows.
const PART: usize = 1 << 16;

/// What is proved about a board, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
    /// The pit that proved the lower bound, if one did.
    pub(crate) pit: Option<usize>,
}

impl Bounds {
    /// The bound that tells whether the value is at least `threshold`, if one does.
    #[inline]
    pub(crate) fn answer(self, threshold: i32) -> Option<i32> {
        if self.lower >= threshold {
            Some(self.lower)
        } else {
            (self.upper < threshold).then_some(self.upper)
        }
    }
}

/// Where a board belongs in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    bucket: usize,
    tag: u64,
}

/// All that the table holds of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The mixed key.
    pub(crate) mixed: u64,
    pub(crate) lower: i8,
    pub(crate) upper: i8,
    /// The pit, or 15 for none.
    pub(crate) pit: u8,
    /// One more than the binary logarithm of the nodes it took.
    pub(crate) effort: u8,
}

/// A bijection of the numbers of some bits.
#[derive(Clone, Copy, Debug)]
struct Mix {
    mask: u64,
    half: u32,
}

impl Mix {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

    fn new(bits: u32) -> Mix {
        Mix { mask: u64::MAX >> (u64::BITS - bits), half: bits.div_ceil(2) }
    }

    /// Multiplications by an odd number and shifts by half the bits can each be undone.
    #[inline]
    fn apply(self, key: u64) -> u64 {
        let mut mixed = key ^ (key >> self.half);
        mixed = mixed.wrapping_mul(Mix::FACTOR) & self.mask;
        mixed ^= mixed >> self.half;
        mixed = mixed.wrapping_mul(Mix::FACTOR) & self.mask;
        mixed ^ (mixed >> self.half)
    }
}

/// The table. It starts small and grows when asked, so that a short search does not pay for the
/// pages of a long one.
#[derive(Debug)]
pub(crate) struct Transpositions {
    words: Words,
    mix: Mix,
    bucket_bits: u32,
    most_bucket_bits: u32,
}

impl Transpositions {
    /// Buckets of a new table.
    const FIRST_BUCKET_BITS: u32 = 20;

    /// A table for keys of `key_bits` that may grow to `bytes`; `None` if a table of this size
    /// cannot tell the keys apart.
    pub(crate) fn new(bytes: u64, key_bits: u32) -> Option<io::Result<Transpositions>> {
        Transpositions::starting_with(Transpositions::FIRST_BUCKET_BITS, bytes, key_bits)
    }

    /// As [`Transpositions::new`], but of full size from the start: for searches that cannot be
    /// continued after a pause to grow.
    pub(crate) fn full(bytes: u64, key_bits: u32) -> Option<io::Result<Transpositions>> {
        Transpositions::starting_with(u32::MAX, bytes, key_bits)
    }

    fn starting_with(
        bucket_bits: u32,
        bytes: u64,
        key_bits: u32,
    ) -> Option<io::Result<Transpositions>> {
        let buckets = bytes / (size_of::<AtomicU64>() * WAYS) as u64;
        // More buckets than keys would be of no use.
        let most_bucket_bits = buckets.max(1).ilog2().min(key_bits);
        let least = key_bits.saturating_sub(TAG_BITS);
        if most_bucket_bits < least {
            return None;
        }
        let bucket_bits = bucket_bits.clamp(least, most_bucket_bits);
        let table = Words::new(WAYS << bucket_bits).map(|words| Transpositions {
            words,
            mix: Mix::new(key_bits),
            bucket_bits,
            most_bucket_bits,
        });
        Some(table)
    }

    /// Entries the table has room for.
    pub(crate) fn capacity(&self) -> u64 {
        (WAYS as u64) << self.bucket_bits
    }

    /// Whether the table may still grow.
    pub(crate) fn can_grow(&self) -> bool {
        self.bucket_bits < self.most_bucket_bits
    }

    /// Grows fourfold, or as far as allowed, and keeps all entries: those of a bucket have the
    /// buckets they go to for themselves. Takes the threads of the current rayon pool, since
    /// most of it is waiting for memory.
    pub(crate) fn grow(&mut self) -> io::Result<()> {
        let bucket_bits = (self.bucket_bits + 2).min(self.most_bucket_bits);
        let words = Words::new(WAYS << bucket_bits)?;
        let grown = Transpositions { words, bucket_bits, ..*self };
        let parts = self.words.all().par_chunks(PART).enumerate();
        parts.for_each(|(part, words)| {
            self.entries_among(part * PART, words).for_each(|entry| grown.put_entry(entry));
        });
        *self = grown;
        Ok(())
    }

    /// How many bits a key has.
    pub(crate) fn key_bits(&self) -> u32 {
        u64::BITS - self.mix.mask.leading_zeros()
    }

    /// All entries. While threads search it is a selection of what they put.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.entries_among(0, self.words.all())
    }

    /// The entries among some of the words, of which the first is number `start`.
    fn entries_among<'a>(
        &self,
        start: usize,
        words: &'a [AtomicU64],
    ) -> impl Iterator<Item = Entry> + 'a {
        let bucket_bits = self.bucket_bits;
        let words = (start..).zip(words).map(|(index, word)| (index, word.load(Relaxed)));
        words.filter(|&(_, word)| word != 0).map(move |(index, word)| Entry {
            mixed: word >> TAG_SHIFT << bucket_bits | (index / WAYS) as u64,
            lower: (word >> 18) as i8,
            upper: (word >> 10) as i8,
            pit: (word >> 6 & 15) as u8,
            effort: (word & 63) as u8,
        })
    }

    /// Adds an entry of a table for the same keys.
    pub(crate) fn put_entry(&self, entry: Entry) {
        let pit = Some(usize::from(entry.pit)).filter(|&pit| pit != NO_PIT as usize);
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        let slot = self.slot_of_mixed(entry.mixed);
        self.put_with(slot, Bounds { lower, upper, pit }, u64::from(entry.effort));
    }

    /// The slot of a key.
    #[inline]
    pub(crate) fn slot(&self, key: u64) -> Slot {
        self.slot_of_mixed(self.mix.apply(key))
    }

    #[inline]
    fn slot_of_mixed(&self, mixed: u64) -> Slot {
        let bucket = (mixed & ((1 << self.bucket_bits) - 1)) as usize * WAYS;
        Slot { bucket, tag: mixed >> self.bucket_bits }
    }

    /// Asks the processor to fetch a slot.
    #[inline]
    pub(crate) fn prefetch(&self, slot: Slot) {
        self.words.prefetch(slot.bucket);
    }

    #[inline]
    fn ways(&self, slot: Slot) -> &[AtomicU64] {
        &self.words.all()[slot.bucket..slot.bucket + WAYS]
    }

    /// What the table knows of a board.
    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<Bounds> {
        let words = self.ways(slot).iter().map(|word| word.load(Relaxed));
        words.filter(|&word| word != 0 && word >> TAG_SHIFT == slot.tag).map(unpack).next()
    }

    /// Adds a proved bound that took `nodes` nodes. It replaces what took least.
    #[inline]
    pub(crate) fn put(&self, slot: Slot, bounds: Bounds, nodes: u64) {
        self.put_with(slot, bounds, u64::from(nodes.max(1).ilog2()) + 1);
    }

    #[inline]
    fn put_with(&self, slot: Slot, mut bounds: Bounds, mut effort: u64) {
        let mut victim = (0, u64::MAX);
        for (way, word) in self.ways(slot).iter().enumerate() {
            let word = word.load(Relaxed);
            if word != 0 && word >> TAG_SHIFT == slot.tag {
                let known = unpack(word);
                bounds.lower = bounds.lower.max(known.lower);
                bounds.upper = bounds.upper.min(known.upper);
                bounds.pit = bounds.pit.or(known.pit);
                effort = effort.max(word & 63);
                victim.0 = way;
                break;
            }
            if (word & 63) < victim.1 {
                victim = (way, word & 63);
            }
        }
        let word = slot.tag << TAG_SHIFT | pack(bounds) | effort.min(63);
        self.ways(slot)[victim.0].store(word, Relaxed);
    }
}

/// The bounds and the pit in their bits; an entry with its effort is never zero.
#[inline]
fn pack(bounds: Bounds) -> u64 {
    let byte = |bound: i32| u64::from(bound as i8 as u8);
    let pit = bounds.pit.map_or(NO_PIT, |pit| pit as u64);
    byte(bounds.lower) << 18 | byte(bounds.upper) << 10 | pit << 6
}

#[inline]
fn unpack(word: u64) -> Bounds {
    let bound = |shift: u32| i32::from((word >> shift) as u8 as i8);
    let pit = word >> 6 & 15;
    let pit = (pit != NO_PIT).then_some(pit as usize);
    Bounds { lower: bound(18), upper: bound(10), pit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_a_bijection() {
        for bits in [1, 2, 3, 8, 15, 16] {
            let mix = Mix::new(bits);
            let mut mixed: Vec<u64> = (0..1 << bits).map(|key| mix.apply(key)).collect();
            mixed.sort_unstable();
            assert!(mixed.into_iter().eq(0..1 << bits));
        }
    }

    #[test]
    fn bounds_survive_packing_and_growth() {
        let bits = 24;
        let bytes = 8 << 22;
        let mut table = Transpositions::new(bytes, bits).expect("tags suffice").expect("memory");
        let bounds = |key: u64| {
            let lower = key as i32 % 128 - 127;
            Bounds {
                lower,
                upper: -lower,
                pit: (!key.is_multiple_of(10)).then_some(key as usize % 9),
            }
        };
        let keys = || (0..1 << bits).step_by(37);
        for key in keys() {
            table.put(table.slot(key), bounds(key), 1);
        }
        let kept = keys().filter(|&key| table.get(table.slot(key)).is_some()).count();
        assert!(kept > 300_000);
        for _ in 0..2 {
            let found = keys().filter_map(|key| Some((key, table.get(table.slot(key))?)));
            let found: Vec<_> = found.collect();
            assert_eq!(found.len(), kept);
            assert!(found.iter().all(|&(key, found)| found == bounds(key)));
            table.grow().expect("memory");
        }
    }

    #[test]
    fn a_table_too_small_for_its_keys_is_refused() {
        assert!(Transpositions::new(1 << 20, 60).is_none());
        assert!(Transpositions::new(1 << 27, 60).is_some());
    }
}
