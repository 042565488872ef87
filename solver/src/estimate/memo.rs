//! The transposition table of estimates.
//!
//! An entry holds the whole board, so another board is never taken for it. Stores are not in it,
//! because neither the worth of a finished board nor the evaluation depends on them: what was won
//! on the way is added by the search. Bounds are used only for a search of the same depth, so the
//! table changes how long an estimate takes, never the estimate; entries of other depths serve
//! for the order of the sowings.

use super::evaluation::Identity;
use crate::raw::prefetch;

/// What is known of a board to some depth, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

/// For which search an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Task {
    pub(super) depth: u8,
    pub(super) kind: u8,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    board: Identity,
    lower: i16,
    upper: i16,
    task: Task,
    /// The best pit, numbered from 1; 0 in an entry that is not in use.
    pit: u8,
}

/// Two entries in a cache line: the first keeps the deepest search, the second the latest.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

/// The table. It starts small and grows when half full, so that a short search does not pay for
/// the memory of a long one: with a megabyte from the start for each question, looking ahead twelve
/// sowings from positions of bestemshe took twice as long.
pub(super) struct Memo {
    buckets: Vec<Bucket>,
    most: usize,
    used: usize,
}

impl Memo {
    const FIRST_BUCKETS: usize = 1 << 9;

    /// A table that may grow to `bytes`.
    pub(super) fn new(bytes: u64) -> Memo {
        let fits = (bytes / size_of::<Bucket>() as u64).max(1).ilog2().min(usize::BITS - 7);
        let most = 1 << fits;
        Memo { buckets: vec![Bucket::default(); most.min(Memo::FIRST_BUCKETS)], most, used: 0 }
    }

    /// Grows if there is memory. Entries are kept.
    #[cold]
    fn grow(&mut self) {
        let len = (self.buckets.len() * 4).min(self.most);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(len).is_err() {
            self.most = self.buckets.len();
            return;
        }
        buckets.resize(len, Bucket::default());
        let old = std::mem::replace(&mut self.buckets, buckets);
        self.used = 0;
        for entry in old.iter().flat_map(|bucket| bucket.0).filter(|entry| entry.pit > 0) {
            let range = Range { lower: entry.lower.into(), upper: entry.upper.into() };
            self.put(entry.board, entry.task, range, usize::from(entry.pit) - 1);
        }
    }

    #[inline]
    fn at(&self, board: Identity) -> usize {
        board.hash() as usize & (self.buckets.len() - 1)
    }

    /// Has the memory fetch what is known of a board.
    #[inline]
    pub(super) fn prefetch(&self, board: Identity) {
        prefetch(&self.buckets, self.at(board));
    }

    /// What is known for a task, and the pit that was best in it or in another.
    #[inline]
    pub(super) fn get(&self, board: Identity, task: Task) -> (Option<Range>, Option<usize>) {
        let mut pit = None;
        for entry in &self.buckets[self.at(board)].0 {
            if entry.pit > 0 && entry.board == board {
                pit = Some(usize::from(entry.pit) - 1);
                if entry.task == task {
                    let range = Range { lower: entry.lower.into(), upper: entry.upper.into() };
                    return (Some(range), pit);
                }
            }
        }
        (None, pit)
    }

    /// Keeps what a search has found.
    #[inline]
    pub(super) fn put(&mut self, board: Identity, task: Task, range: Range, pit: usize) {
        let at = self.at(board);
        let [deep, late] = &mut self.buckets[at].0;
        let is_same = |entry: &Entry| entry.task == task && entry.board == board;
        let entry = if is_same(late) || (task.depth < deep.task.depth && !is_same(deep)) {
            late
        } else {
            deep
        };
        self.used += usize::from(entry.pit == 0);
        let bound = |units: i32| units.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let (lower, upper) = (bound(range.lower), bound(range.upper));
        *entry = Entry { board, lower, upper, task, pit: pit as u8 + 1 };
        if self.used > self.buckets.len() && self.buckets.len() < self.most {
            self.grow();
        }
    }
}
