//! Alpha-beta to a fixed depth.

use arrayvec::ArrayVec;
use games::{MAX_PITS, Rows, Sown};

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::horizon::Horizon;
use super::memo::{Memo, Range, Task};

/// Nodes between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 12;

/// The least sowings ahead that boards are remembered for. With two, most of the table was for those
/// and its cache misses took longer than the two parts in a hundred of the nodes that it saved.
const REMEMBERED: u8 = 3;

/// Alpha-beta by null windows, with a transposition table. It leaves out only what cannot change the
/// result: there is no reduction, no null move and no cut that guesses, so the value of a board is
/// what a search without any cut finds, and the same questions in the same order take the same nodes.
///
/// Measured on toguz, 20 positions after five random plies, each sowing 12 sowings ahead: of the
/// boards where some sowing is good enough, the first one tried is in 95 of 100, so there is little
/// left to learn. A history of what was good changed the nodes by less than one in a hundred.
pub(super) struct Search<'a, R: Estimated> {
    rules: &'a R,
    ending: &'a dyn Ending<R::Board>,
    /// Boards of up to this many stones are looked up; less than 0 for none.
    looked_up: i32,
    memo: Memo,
    /// By depth, the pits that were good enough last.
    killers: Vec<[u8; 2]>,
    stop: &'a (dyn Fn() -> bool + Sync),
    /// Whether the search was told to stop; what it returns means nothing then.
    pub(super) stopped: bool,
    /// Whether it looks at `stop` at all.
    pub(super) may_stop: bool,
    next_look: u64,
    pub(super) nodes: u64,
    pub(super) probes: u64,
}

/// Sowings that are still to be tried: the pit in the lowest byte, above it how soon, the greater
/// the sooner. What they leave is not kept, as most are never tried.
type Tries = ArrayVec<u32, MAX_PITS>;

/// Bits of a pit in [`Tries`], and of what is next to it there.
const PIT_BITS: u32 = 8;

/// No pit, among killers.
const NOTHING: u8 = u8::MAX;

impl<'a, R: Estimated> Search<'a, R> {
    pub(super) fn new(
        rules: &'a R,
        ending: &'a dyn Ending<R::Board>,
        memory: u64,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Search<'a, R> {
        Search {
            rules,
            ending,
            looked_up: ending.most_stones().map_or(-1, |most| most as i32),
            memo: Memo::new(memory),
            killers: vec![[NOTHING; 2]; usize::from(u8::MAX) + 1],
            stop,
            stopped: false,
            may_stop: false,
            next_look: 0,
            nodes: 0,
            probes: 0,
        }
    }

    /// The worth of a board in units when `depth` sowings are looked ahead, by null windows from a
    /// first guess on (MTD(f), Plaat and others 1996). They took a few nodes in a hundred less than
    /// one window that is open.
    pub(super) fn worth<H: Horizon>(&mut self, board: R::Board, depth: u8, guess: i32) -> i32 {
        let all = board.stones() as i32 * UNIT;
        let (mut lower, mut upper) = (-all, all);
        let mut worth = guess.clamp(lower, upper);
        while lower < upper && !self.stopped {
            let beta = worth + i32::from(worth == lower);
            worth = self.bound::<H>(board, depth, beta);
            *(if worth < beta { &mut upper } else { &mut lower }) = worth;
        }
        worth
    }

    /// A lower bound of the worth of a board that reaches `beta`, if it does; otherwise an upper
    /// bound that does not.
    pub(super) fn bound<H: Horizon>(&mut self, board: R::Board, depth: u8, beta: i32) -> i32 {
        let stones = board.stones() as i32;
        match self.settled(board, stones) {
            Some(value) => value,
            None if depth == 0 => H::leaf(self.rules, board, stones),
            None => self.inner::<H>(board, stones, depth, beta),
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

    /// The bound of a board that is not settled, from its stones.
    fn inner<H: Horizon>(&mut self, board: R::Board, stones: i32, depth: u8, beta: i32) -> i32 {
        let most = stones * UNIT;
        if most < beta {
            most
        } else if -most >= beta {
            -most
        } else if depth == 1 {
            self.last_ply::<H>(board, stones, beta)
        } else if depth < REMEMBERED {
            let tries = self.tries(board, depth);
            self.best::<H>(board, stones, (depth, beta), tries).0
        } else {
            self.remembered::<H>(board, stones, depth, beta)
        }
    }

    /// The bound of a board by what is remembered, or by its sowings.
    fn remembered<H: Horizon>(
        &mut self,
        board: R::Board,
        stones: i32,
        depth: u8,
        beta: i32,
    ) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        let (task, identity) = (Task { depth, kind: H::KIND }, R::identity(board));
        // Most boards are new, so the table is fetched while their sowings are listed.
        self.memo.prefetch(identity);
        let mut tries = self.tries(board, depth);
        let (known, good) = self.memo.get(identity, task);
        let most = stones * UNIT;
        let mut range = known.unwrap_or(Range { lower: -most, upper: most });
        if range.lower >= beta {
            return range.lower;
        }
        if range.upper < beta {
            return range.upper;
        }
        if let Some(good) = good {
            put_first(&mut tries, good);
        }
        let (best, pit) = self.best::<H>(board, stones, (depth, beta), tries);
        if self.stopped {
            return 0;
        }
        *(if best < beta { &mut range.upper } else { &mut range.lower }) = best;
        self.memo.put(identity, task, range, pit);
        best
    }

    /// The best sowing and its bound; what is found when stopped means nothing.
    #[inline]
    fn best<H: Horizon>(
        &mut self,
        board: R::Board,
        stones: i32,
        (depth, beta): (u8, i32),
        mut tries: Tries,
    ) -> (i32, usize) {
        let (mut best, mut best_pit) = (i32::MIN, 0);
        while let Some(pit) = next_pit(&mut tries) {
            let sown = self.rules.sow(board, pit);
            let (gain, left) = gain_and_left(&sown, stones);
            let value = match self.settled(sown.board, left) {
                Some(value) => gain - value,
                None => gain - self.inner::<H::Next>(sown.board, left, depth - 1, gain - beta + 1),
            };
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_pit) = (value, pit);
                if best >= beta {
                    self.learn(pit, depth);
                    break;
                }
            }
        }
        (best, best_pit)
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

    /// The last sowing before the horizon: nothing is sorted or remembered, and boards that
    /// promise too little are not seen. That halves the nodes.
    fn last_ply<H: Horizon>(&mut self, board: R::Board, stones: i32, beta: i32) -> i32 {
        let other_stones = R::other_stones(board);
        let mut best = i32::MIN;
        for pit in self.rules.legal(board).rev() {
            let sown = self.rules.sow(board, pit);
            let (gain, left) = gain_and_left(&sown, stones);
            let gained = i32::from(sown.gain);
            // Neither finished, as the opponent keeps stones, nor looked up.
            if gained < other_stones && left > self.looked_up {
                let most = gain + H::most_after(self.rules, board, gained, left);
                if most < beta {
                    best = best.max(most);
                    continue;
                }
            }
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

    /// The sowings: those that win most stones are tried first, of these what has refuted others at
    /// this depth.
    #[inline]
    fn tries(&self, board: R::Board, depth: u8) -> Tries {
        let killers = self.killers[usize::from(depth)].map(usize::from);
        let order = |pit| {
            let sown = self.rules.sow(board, pit);
            // No more is lost than a byte holds.
            let won = 1 << 8 | u32::from(sown.gain);
            let won = won - u32::from(sown.given);
            let killer = 2 * u32::from(killers[0] == pit) + u32::from(killers[1] == pit);
            (won << PIT_BITS | killer) << PIT_BITS | pit as u32
        };
        self.rules.legal(board).map(order).collect()
    }

    /// Remembers a sowing that was enough.
    #[inline]
    fn learn(&mut self, pit: usize, depth: u8) {
        let killers = &mut self.killers[usize::from(depth)];
        if usize::from(killers[0]) != pit {
            *killers = [pit as u8, killers[0]];
        }
    }
}

const fn pit_of(one: u32) -> usize {
    (one & ((1 << PIT_BITS) - 1)) as usize
}

/// Has a pit tried before all others.
fn put_first(tries: &mut Tries, pit: usize) {
    if let Some(one) = tries.iter_mut().find(|one| pit_of(**one) == pit) {
        *one |= 1 << 31;
    }
}

/// Takes off the pit that is to be tried first. As the first one is mostly enough, the others are
/// not sorted.
#[inline]
fn next_pit(tries: &mut Tries) -> Option<usize> {
    let best = (0..tries.len()).max_by_key(|&at| tries[at])?;
    Some(pit_of(tries.swap_remove(best)))
}

/// What a sowing wins, in units, and how many stones it leaves.
#[inline]
fn gain_and_left<B>(sown: &Sown<B>, stones: i32) -> (i32, i32) {
    (sown.won() * UNIT, stones - i32::from(sown.gain) - i32::from(sown.given))
}
