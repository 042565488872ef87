//! One thread's part in null-window searches.
//!
//! All threads share what they prove through the transposition table, also while they search
//! windows of [several boards](crate::questions). In one window a thread leaves a sowing that
//! another one is searching for later (ABDADA, Weill 1996), so that they spread over the tree.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

use arrayvec::ArrayVec;
use games::{Board, Game, MAX_PITS, Sown};
use tablebase::Probe;

use crate::counts::Tally;
use crate::order::order;
use crate::questions::Window;
use crate::search::{Search, Watch};
use crate::transposition::{Bounds, Slot};

/// Nodes between two looks at what the others and the watcher want.
const TICK: u64 = 1 << 10;
/// Boards so few stones above the tables are searched without asking who else does.
const SMALL: i32 = 3;

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// Another thread has the answer, or a reason to stop.
    Done,
    /// Another thread has decided the board at this depth of the worker's path.
    Overtaken(usize),
    /// The watcher wants no more.
    Interrupted,
    /// The deadline is past.
    Late,
    /// The time or the nodes that the user allowed are spent.
    Limit,
    /// The graphs fill their memory.
    Room,
    /// The question takes more nodes than it is worth for now.
    GaveUp,
    /// What is proved could not be kept in its file.
    Checkpoint,
    /// The transposition table is full and may grow.
    Full,
}

/// The boards that threads are searching: a hint, so collisions are harmless.
#[derive(Debug)]
pub(crate) struct Busy(Box<[AtomicU32]>);

impl Busy {
    const BITS: u32 = 14;

    pub(crate) fn new() -> Busy {
        Busy((0..1 << Busy::BITS).map(|_| AtomicU32::new(0)).collect())
    }

    /// The cell of a board and what marks the board there.
    fn cell(&self, board: Board) -> (&AtomicU32, u32) {
        let mixed = (board.mover.bits() ^ board.other.bits().rotate_left(31))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let cell = mixed >> (u64::BITS - Busy::BITS);
        (&self.0[cell as usize], (mixed >> 16) as u32 | 1)
    }
}

/// Where a sowing leads that is not decided yet.
#[derive(Clone, Copy)]
struct Child<Place> {
    pit: usize,
    sown: Sown,
    stones: u32,
    target: Target<Place>,
    order: i32,
}

#[derive(Clone, Copy)]
enum Target<Place> {
    Table(Place),
    Search(Slot),
}

type Children<Place> = ArrayVec<Child<Place>, MAX_PITS>;

pub(crate) struct Worker<'a, P, W> {
    search: &'a Search<P, W>,
    /// Whether other threads search with this one.
    shared: bool,
    tally: Tally<'a>,
    /// Nodes until the transposition table is full.
    room: u64,
    /// The boards being searched that other threads may be searching too, with their thresholds.
    path: Vec<(Slot, i32)>,
    /// Set when the window is of no more use.
    stop: Arc<AtomicBool>,
}

impl<'a, P: Probe, W: Watch> Worker<'a, P, W> {
    pub(crate) fn new(search: &'a Search<P, W>, shared: bool, room: u64) -> Self {
        let tally = Tally::new(&search.counts);
        Worker { search, shared, tally, room, path: Vec::new(), stop: Arc::default() }
    }

    /// A bound on the value of the board of a window, as [`Worker::bound`].
    pub(crate) fn search(&mut self, window: &Window) -> Result<i32, Stop> {
        self.stop = window.stop.clone();
        let slot = self.search.transpositions.slot(self.search.keys.key(window.board));
        self.bound(window.board, window.board.stones(), slot, window.threshold)
    }

    /// A bound on the value of a board that is neither finished nor in the tables: at least
    /// `threshold` and a lower bound, or below it and an upper bound.
    fn bound(
        &mut self,
        board: Board,
        stones: u32,
        slot: Slot,
        threshold: i32,
    ) -> Result<i32, Stop> {
        let search = self.search;
        let before = self.tally.nodes;
        self.tally.nodes += 1;
        if self.tally.nodes.is_multiple_of(TICK) {
            self.tick()?;
        }
        let all = stones as i32;
        // Between two values of the right parity there is none.
        let threshold = threshold + (i32::from(search.parity) & (threshold + all));
        if threshold > all {
            return Ok(all);
        }
        if threshold <= -all {
            return Ok(-all);
        }
        let mut remembered = None;
        if let Some(bounds) = search.transpositions.get(slot) {
            if let Some(bound) = bounds.answer(threshold) {
                return Ok(bound);
            }
            remembered = bounds.pit;
        }
        let mut best = Best { bound: -all, pit: None, threshold };
        let mut children = Children::new();
        self.expand(board, stones, remembered, &mut best, &mut children);
        if !best.decides() {
            self.look_up(stones, &mut best, &mut children);
        }
        if !best.decides() {
            children.sort_unstable_by_key(|child| -child.order);
            let depth = self.path.len();
            let shares = self.spreads(stones);
            if shares {
                self.path.push((slot, threshold));
            }
            let descent = self.descend(&mut best, &children);
            self.path.truncate(depth);
            match descent {
                // What the other thread proved is in the table, or was replaced already.
                Err(Stop::Overtaken(at)) if shares && at == depth => {
                    return self.bound(board, stones, slot, threshold);
                }
                descent => descent?,
            }
        }
        let bounds = match best.decides() {
            true => Bounds { lower: best.bound, upper: all, pit: best.pit },
            false => Bounds { lower: -all, upper: best.bound, pit: None },
        };
        search.transpositions.put(slot, bounds, self.tally.nodes - before);
        Ok(best.bound)
    }

    /// Whether what is proved of the boards after a board's sowings is looked up before one of
    /// them is searched. One stone above the tables it costs more than it saves: on kalah:6x4
    /// over 19 stones 3 % of the nodes, for a random access to memory each.
    #[inline]
    fn looks_ahead(&self, stones: u32) -> bool {
        stones as i32 > self.search.most + 1
    }

    /// Lists the sowings that the stones left do not decide, and has the memory that knows more
    /// of them fetched.
    #[inline]
    fn expand(
        &self,
        board: Board,
        stones: u32,
        remembered: Option<usize>,
        best: &mut Best,
        children: &mut Children<P::Place>,
    ) {
        let search = self.search;
        let looks_ahead = self.looks_ahead(stones);
        for pit in search.rules.legal(board).rev() {
            let sown = search.rules.sow(board, pit);
            let gain = i32::from(sown.gain);
            let left = stones - u32::from(sown.gain);
            let most = gain + left as i32;
            if most < best.threshold {
                best.refuted(most);
                continue;
            }
            let target = if left as i32 <= search.most {
                let place = search.tables.locate(sown.board);
                search.tables.prefetch(place);
                Target::Table(place)
            } else if let Some(rest) = search.rules.remainder(sown.board) {
                best.exact(pit, sown.value(rest.value()));
                if best.decides() {
                    return;
                }
                continue;
            } else {
                let slot = search.transpositions.slot(search.keys.key(sown.board));
                if looks_ahead {
                    search.transpositions.prefetch(slot);
                }
                Target::Search(slot)
            };
            let order = order(pit, &sown, remembered);
            children.push(Child { pit, sown, stones: left, target, order });
        }
    }

    /// Decides sowings by the tables and by what is proved already (enhanced transposition
    /// cutoffs, Plaat et al. 1996).
    #[inline]
    fn look_up(&mut self, stones: u32, best: &mut Best, children: &mut Children<P::Place>) {
        let search = self.search;
        let looks_ahead = self.looks_ahead(stones);
        let mut open = 0;
        for index in 0..children.len() {
            let child = children[index];
            match child.target {
                Target::Table(place) => {
                    self.tally.probes += 1;
                    best.exact(child.pit, child.sown.value(search.tables.value_at(place)));
                }
                Target::Search(slot) => {
                    let bounds = if looks_ahead { search.transpositions.get(slot) } else { None };
                    if bounds.is_some_and(|bounds| best.known(&child.sown, child.pit, bounds)) {
                        continue;
                    }
                    children[open] = child;
                    open += 1;
                }
            }
            if best.decides() {
                return;
            }
        }
        children.truncate(open);
    }

    /// Searches the sowings that are left, those that other threads search last.
    fn descend(&mut self, best: &mut Best, children: &Children<P::Place>) -> Result<(), Stop> {
        let mut later = Children::new();
        for (index, child) in children.iter().enumerate() {
            if index > 0 && self.is_busy(child) {
                later.push(*child);
                continue;
            }
            self.search_child(best, child)?;
            if best.decides() {
                return Ok(());
            }
        }
        for child in &later {
            self.search_child(best, child)?;
            if best.decides() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether threads spread over the sowings that lead to a board.
    fn spreads(&self, stones: u32) -> bool {
        self.shared && stones as i32 > self.search.most + SMALL
    }

    fn is_busy(&self, child: &Child<P::Place>) -> bool {
        let (cell, mark) = self.search.busy.cell(child.sown.board);
        self.spreads(child.stones) && cell.load(Relaxed) == mark
    }

    fn search_child(&mut self, best: &mut Best, child: &Child<P::Place>) -> Result<(), Stop> {
        let Target::Search(slot) = child.target else {
            return Ok(());
        };
        let Child { pit, sown, stones, .. } = *child;
        let busy = self.spreads(stones).then(|| self.search.busy.cell(sown.board));
        if let Some((cell, mark)) = busy {
            cell.store(mark, Relaxed);
        }
        // The sowing is worth the threshold if the sower keeps it, or if the opponent stays
        // below what would take it from him.
        let gain = i32::from(sown.gain);
        let threshold = if sown.again { best.threshold - gain } else { gain - best.threshold + 1 };
        let bound = self.bound(sown.board, stones, slot, threshold);
        if let Some((cell, mark)) = busy {
            // Another board may have taken the cell.
            let _ = cell.compare_exchange(mark, 0, Relaxed, Relaxed);
        }
        best.exact(pit, sown.value(bound?));
        Ok(())
    }

    /// Adds to the common counts, and stops if there is a reason to.
    fn tick(&mut self) -> Result<(), Stop> {
        self.tally.tell();
        if self.stop.load(Relaxed) {
            return Err(Stop::Done);
        }
        if self.tally.nodes >= self.room {
            return Err(Stop::Full);
        }
        let transpositions = &self.search.transpositions;
        let decided = |&(slot, threshold): &(Slot, i32)| {
            transpositions.get(slot).is_some_and(|bounds| bounds.answer(threshold).is_some())
        };
        if let Some(depth) = self.path.iter().position(decided) {
            return Err(Stop::Overtaken(depth));
        }
        self.search.tick()
    }
}

/// The best that is known of the sowings of a board.
struct Best {
    bound: i32,
    /// The sowing that reaches the threshold.
    pit: Option<usize>,
    threshold: i32,
}

impl Best {
    /// Whether the board's value is known to be at least the threshold.
    #[inline]
    fn decides(&self) -> bool {
        self.pit.is_some()
    }

    /// A sowing is worth at most `bound`, below the threshold.
    #[inline]
    fn refuted(&mut self, bound: i32) {
        self.bound = self.bound.max(bound);
    }

    /// A sowing is worth `bound`: at least so much from the threshold on, at most so much below
    /// it.
    #[inline]
    fn exact(&mut self, pit: usize, bound: i32) {
        if bound >= self.threshold {
            self.pit = Some(pit);
        }
        self.bound = self.bound.max(bound);
    }

    /// Whether what is proved of the board after a sowing decides the sowing.
    #[inline]
    fn known(&mut self, sown: &Sown, pit: usize, bounds: Bounds) -> bool {
        let (one, other) = (sown.value(bounds.lower), sown.value(bounds.upper));
        let (lower, upper) = (one.min(other), one.max(other));
        if lower >= self.threshold {
            self.exact(pit, lower);
            true
        } else if upper < self.threshold {
            self.refuted(upper);
            true
        } else {
            false
        }
    }
}
