//! Alpha-beta to a fixed depth.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use games::{MAX_PITS, Rows, Sown};

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::horizon::Horizon;
use super::memo::{Memo, Range, Task};

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 12;

/// Stones a pit that the history tells apart; more share a place.
const HISTORY_STONES: usize = 32;

/// Alpha-beta with null windows for all but the first sowing, a transposition table and an
/// order of sowings that learns. It leaves out only what cannot change the result: there is no
/// reduction, no null move and no cut that guesses, so the value of a board is what a search
/// without any cut finds, and one thread searches the same nodes whenever it is asked the same.
pub(super) struct Search<'a, R: Estimated> {
    rules: &'a R,
    ending: &'a dyn Ending<R::Board>,
    /// Boards of up to this many stones are looked up; less than 0 for none.
    looked_up: i32,
    memo: Memo,
    /// How well a sowing of a pit with so many stones did where it was tried.
    history: Box<[[u32; HISTORY_STONES]; MAX_PITS]>,
    killers: Vec<[u8; 2]>,
    stop: &'a dyn Fn() -> bool,
    /// Whether the search was told to stop; what it returns means nothing then.
    pub(super) stopped: bool,
    /// Whether it looks at `stop` at all.
    pub(super) may_stop: bool,
    next_look: u64,
    pub(super) nodes: u64,
    pub(super) probes: u64,
}

/// A sowing to be tried.
struct Try<B> {
    pit: usize,
    sown: Sown<B>,
    order: Order,
}

/// How soon a sowing is tried: the greater the sooner, the fields compared from the first on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    remembered: bool,
    won: i16,
    killer: u8,
    history: u32,
    pit: u8,
}

/// No pit, among killers.
const NOTHING: u8 = u8::MAX;

impl<'a, R: Estimated> Search<'a, R> {
    pub(super) fn new(
        rules: &'a R,
        ending: &'a dyn Ending<R::Board>,
        memory: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a, R> {
        Search {
            rules,
            ending,
            looked_up: ending.most_stones().map_or(-1, |most| most as i32),
            memo: Memo::new(memory),
            history: Box::new([[0; HISTORY_STONES]; MAX_PITS]),
            killers: vec![[NOTHING; 2]; usize::from(u8::MAX) + 1],
            stop,
            stopped: false,
            may_stop: false,
            next_look: 0,
            nodes: 0,
            probes: 0,
        }
    }

    /// Makes ready for a deeper search.
    pub(super) fn deepen(&mut self) {
        self.memo.grow_if_full();
        // What is older counts less.
        self.history.iter_mut().flatten().for_each(|count| *count /= 8);
    }

    /// The worth of a board in units when `depth` sowings are looked ahead, if it is between
    /// `alpha` and `beta`; otherwise a bound of it on the right side of these.
    pub(super) fn value<H: Horizon>(
        &mut self,
        board: R::Board,
        depth: u8,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let stones = board.stones() as i32;
        match self.settled(board, stones) {
            Some(value) => value,
            None if depth == 0 => H::leaf(self.rules, board, stones),
            None => self.inner::<H>(board, stones, depth, alpha, beta),
        }
    }

    /// The worth of a board that needs no search.
    #[inline]
    fn settled(&mut self, board: R::Board, stones: i32) -> Option<i32> {
        self.nodes += 1;
        if let Some(rest) = self.rules.remainder(board) {
            return Some(rest.value() * UNIT);
        }
        (stones <= self.looked_up).then(|| {
            self.probes += 1;
            self.ending.value(board) * UNIT
        })
    }

    /// The worth of a board that is not settled, from its sowings.
    fn inner<H: Horizon>(
        &mut self,
        board: R::Board,
        stones: i32,
        depth: u8,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let most = stones * UNIT;
        if most <= alpha {
            return most;
        }
        if -most >= beta {
            return -most;
        }
        if depth == 1 {
            return self.last_ply::<H>(board, stones, beta);
        }
        if self.is_stopped() {
            return 0;
        }
        let (task, identity) = (Task { depth, kind: H::KIND }, R::identity(board));
        let (known, remembered) = self.memo.get(identity, task);
        let mut range = known.unwrap_or(Range { lower: -most, upper: most });
        if range.lower >= beta || range.lower == range.upper {
            return range.lower;
        }
        if range.upper <= alpha {
            return range.upper;
        }
        alpha = alpha.max(range.lower);
        beta = beta.min(range.upper);
        let floor = alpha;
        let tries = self.tries(board, depth, remembered);
        let (mut best, mut best_pit) = (i32::MIN, 0);
        for (number, Try { pit, sown, .. }) in tries.iter().enumerate() {
            let value = self.sowing::<H>(sown, stones, depth, alpha, beta, number == 0);
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, best_pit) = (value, *pit);
                alpha = alpha.max(best);
                if alpha >= beta {
                    self.learn(board, *pit, depth);
                    break;
                }
            }
        }
        if best < beta {
            range.upper = range.upper.min(best);
        }
        if best > floor {
            range.lower = range.lower.max(best);
        }
        self.memo.put(identity, task, range, best_pit);
        best
    }

    /// Whether to give up; looks at the clock now and then.
    #[inline]
    fn is_stopped(&mut self) -> bool {
        if self.may_stop && self.nodes >= self.next_look {
            self.next_look = self.nodes + LOOK_EVERY;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }

    /// The worth of a sowing: by a null window first, unless it is the first one.
    #[inline]
    fn sowing<H: Horizon>(
        &mut self,
        sown: &Sown<R::Board>,
        stones: i32,
        depth: u8,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> i32 {
        let (gain, left) = gain_and_left(sown, stones);
        if let Some(value) = self.settled(sown.board, left) {
            return gain - value;
        }
        let mut child = |alpha: i32, beta: i32| {
            gain - self.inner::<H::Next>(sown.board, left, depth - 1, gain - beta, gain - alpha)
        };
        if !first && beta - alpha > 1 {
            let value = child(alpha, alpha + 1);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        child(alpha, beta)
    }

    /// The last sowing before the horizon: nothing is sorted or remembered.
    fn last_ply<H: Horizon>(&mut self, board: R::Board, stones: i32, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for pit in self.rules.legal(board).rev() {
            let sown = self.rules.sow(board, pit);
            let (gain, left) = gain_and_left(&sown, stones);
            let value = match self.settled(sown.board, left) {
                Some(value) => value,
                None => H::Next::leaf(self.rules, sown.board, left),
            };
            best = best.max(gain - value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The sowings, the most promising first: what was best before, then by the stones they win,
    /// then what has refuted others at this depth, then what has done so anywhere.
    fn tries(
        &self,
        board: R::Board,
        depth: u8,
        remembered: Option<usize>,
    ) -> ArrayVec<Try<R::Board>, MAX_PITS> {
        let killers = self.killers[usize::from(depth)];
        let mut tries = ArrayVec::new();
        for pit in self.rules.legal(board) {
            let sown = self.rules.sow(board, pit);
            let killer = killers.iter().position(|&killer| usize::from(killer) == pit);
            let order = Order {
                remembered: remembered == Some(pit),
                won: i16::from(sown.gain) - i16::from(sown.given),
                killer: killer.map_or(0, |place| 2 - place as u8),
                history: self.history[pit][history_place(R::held(board, pit))],
                pit: pit as u8,
            };
            tries.push(Try { pit, sown, order });
        }
        tries.sort_unstable_by_key(|one| Reverse(one.order));
        tries
    }

    /// Remembers a sowing that was enough.
    fn learn(&mut self, board: R::Board, pit: usize, depth: u8) {
        let count = &mut self.history[pit][history_place(R::held(board, pit))];
        *count = count.saturating_add(u32::from(depth) * u32::from(depth));
        let killers = &mut self.killers[usize::from(depth)];
        if usize::from(killers[0]) != pit {
            *killers = [pit as u8, killers[0]];
        }
    }
}

fn history_place(stones: u32) -> usize {
    (stones as usize).min(HISTORY_STONES - 1)
}

/// What a sowing wins, in units, and how many stones it leaves.
#[inline]
fn gain_and_left<B>(sown: &Sown<B>, stones: i32) -> (i32, i32) {
    let (gain, given) = (i32::from(sown.gain), i32::from(sown.given));
    ((gain - given) * UNIT, stones - gain - given)
}
