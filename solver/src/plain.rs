//! The plain solver: alpha-beta on boards with a hash map of proved bounds, and nothing else.
//!
//! It is the twin of faster solvers, so it keeps to what can be seen to be right: whole boards
//! as keys, no tables, no approximate hashing, no replacement. What it cannot finish in its
//! memory it refuses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::thread;

use games::{Board, Game, Rules, Ruleset, Sown};
use thiserror::Error;

use crate::judge::Oracle;
use crate::unsolvable::{Unsolvable, refuse};

/// Why the plain solver gives no value.
#[derive(Debug, Error)]
pub enum Error {
    /// The ruleset cannot be solved by search.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
    /// The proved bounds need more memory than they may have.
    #[error(
        "{entries} positions fill the memory: the next step needs {wanted} bytes and the limit \
         is {limit} bytes"
    )]
    Memory {
        /// Bytes the bounds would need at once.
        wanted: u64,
        /// Bytes they may have.
        limit: u64,
        /// Positions with a proved bound so far.
        entries: usize,
    },
    /// The system gives less memory than the limit allows.
    #[error("the system refuses {wanted} bytes of memory: lower the limit or free some")]
    Allocation {
        /// Bytes asked for.
        wanted: u64,
    },
    /// The game tree is deeper than the stack of the search.
    #[error("play goes on for more than {0} sowings, deeper than the search can follow")]
    Depth(usize),
    /// The thread of the search could not be started.
    #[error("the search cannot be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// What is proved of a board's value.
#[derive(Clone, Copy)]
struct Bounds {
    lower: i8,
    upper: i8,
}

/// Stack for one sowing of the search, several times what a build without optimisation needs.
const FRAME: usize = 4096;

/// Bytes the map takes for one bucket: an entry and its control byte.
const BUCKET: u64 = size_of::<(Board, Bounds)>() as u64 + 1;

/// A quick hash of the two words of a board; equality stays with the map.
#[derive(Clone, Copy, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The plain solver of one ruleset. Boards once proved stay proved for later questions.
pub struct Plain {
    rules: Rules,
    pits: usize,
    memo: HashMap<Board, Bounds, BuildHasherDefault<Mix>>,
    memory: u64,
    nodes: u64,
    /// Sowings of the longest line that the search follows.
    longest: usize,
    watch: Option<Box<Watch>>,
}

/// Hears now and then of the boards visited and of those with a proved bound.
type Watch = dyn FnMut(u64, usize) + Send;

/// Boards between two reports.
const REPORT_EVERY: u64 = 1 << 18;

/// No game of Kalah or Mangala has more sowings: one that drops no stone into a store moves
/// stones nearer to it, which is possible at most `pits * n` times while `n` are on the board.
const fn longest_game(pits: usize, stones: usize) -> usize {
    pits * stones * (stones + 1) / 2 + stones
}

impl Plain {
    /// A solver that keeps what it proves in at most `memory` bytes.
    ///
    /// # Errors
    /// The game is cyclic.
    pub fn new(ruleset: &Ruleset, memory: u64) -> Result<Plain, Error> {
        refuse(ruleset)?;
        if ruleset.spec().cyclic {
            return Err(Unsolvable::Cyclic(ruleset.spec().name).into());
        }
        let (rules, memo) = (ruleset.rules(), HashMap::default());
        let pits = ruleset.pits();
        Ok(Plain { rules, pits, memo, memory, nodes: 0, longest: 0, watch: None })
    }

    /// Has `watch` told every 2^18 boards how many were visited and how many are kept.
    pub fn watch(&mut self, watch: impl FnMut(u64, usize) + Send + 'static) {
        self.watch = Some(Box::new(watch));
    }

    /// Boards visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a board, from both sides: each search proves the last answer too high or
    /// too low until one bound meets the other (MTD(f); Plaat et al. 1996).
    fn prove(&mut self, board: Board, stones: i32) -> Result<i32, Error> {
        let (mut lower, mut upper, mut guess) = (-stones, stones, 0);
        while lower < upper {
            let beta = guess.max(lower + 1);
            guess = self.search(board, beta - 1, beta, 0)?;
            if guess < beta {
                upper = guess;
            } else {
                lower = guess;
            }
        }
        Ok(lower)
    }

    /// The value of `board` if it lies between `alpha` and `beta`; else a bound of it on the
    /// same side of the window.
    fn search(&mut self, board: Board, alpha: i32, beta: i32, depth: usize) -> Result<i32, Error> {
        self.nodes += 1;
        if let Some(watch) = &mut self.watch
            && self.nodes.is_multiple_of(REPORT_EVERY)
        {
            watch(self.nodes, self.memo.len());
        }
        if let Some(rest) = self.rules.remainder(board) {
            return Ok(rest.value());
        }
        let known = self.memo.get(&board).copied().unwrap_or_else(|| {
            let stones = board.stones() as i8;
            Bounds { lower: -stones, upper: stones }
        });
        let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
        if lower >= beta || lower == upper {
            return Ok(lower);
        }
        if upper <= alpha {
            return Ok(upper);
        }
        let (alpha, beta) = (alpha.max(lower), beta.min(upper));
        let best = self.best(board, alpha, beta, depth)?;
        let proved = best as i8;
        self.keep(
            board,
            Bounds {
                lower: if best > alpha { proved } else { known.lower },
                upper: if best < beta { proved } else { known.upper },
            },
        )?;
        Ok(best)
    }

    /// The best value of any sowing, in the sense of [`Plain::search`].
    fn best(&mut self, board: Board, alpha: i32, beta: i32, depth: usize) -> Result<i32, Error> {
        if depth == self.longest {
            return Err(Error::Depth(self.longest));
        }
        let mut best = i32::MIN;
        let mut sowings = [None; games::MAX_PITS];
        for sown in self.order(board, &mut sowings) {
            let gain = i32::from(sown.gain);
            let alpha = alpha.max(best);
            let value = if sown.again {
                gain + self.search(sown.board, alpha - gain, beta - gain, depth + 1)?
            } else {
                gain - self.search(sown.board, gain - beta, gain - alpha, depth + 1)?
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The sowings, likely good ones first: extra sowings, then by stones gained, then right
    /// to left.
    fn order<'s>(
        &self,
        board: Board,
        sowings: &'s mut [Option<Sown>; games::MAX_PITS],
    ) -> impl Iterator<Item = Sown> + use<'s> {
        for (slot, pit) in sowings.iter_mut().zip(self.rules.legal(board)) {
            *slot = Some(self.rules.sow(board, pit));
        }
        sowings.sort_by_key(|sown| sown.map(|sown| (sown.again, sown.gain)));
        sowings.iter().rev().copied().flatten()
    }

    /// Keeps what is proved of a board, if the memory allows.
    fn keep(&mut self, board: Board, bounds: Bounds) -> Result<(), Error> {
        if self.memo.len() == self.memo.capacity() {
            self.grow()?;
        }
        self.memo.insert(board, bounds);
        Ok(())
    }

    /// Makes room for twice as many boards. The map copies itself, so old and new count.
    fn grow(&mut self) -> Result<(), Error> {
        let buckets = |capacity: usize| (capacity as u64 * 8 / 7).next_power_of_two();
        let old = self.memo.capacity();
        let wanted = (buckets(old) + buckets(old + 1)) * BUCKET;
        if wanted > self.memory {
            let (limit, entries) = (self.memory, self.memo.len());
            return Err(Error::Memory { wanted, limit, entries });
        }
        self.memo.try_reserve(1).map_err(|_| Error::Allocation { wanted })
    }
}

impl Oracle for Plain {
    type Error = Error;

    /// Searches on a thread of its own, whose stack holds the longest game.
    fn value(&mut self, board: Board) -> Result<i32, Error> {
        let stones = board.stones() as i32;
        self.longest = longest_game(self.pits, stones as usize);
        let stack = (self.longest + 16) * FRAME;
        thread::scope(|scope| {
            let search = || self.prove(board, stones);
            let search = thread::Builder::new().stack_size(stack).spawn_scoped(scope, search)?;
            search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
