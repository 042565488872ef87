//! Exact values by null-window searches on all threads, over tables.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use games::{Board, Game, MAX_STONES, Rules, Ruleset};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tablebase::Probe;

use crate::checkpoint;
use crate::counts::Counts;
use crate::cyclic;
use crate::error::SearchError;
use crate::judge::Oracle;
use crate::key::Keys;
use crate::questions::{Driver, Goal, Question, Questions};
use crate::transposition::Transpositions;
use crate::unsolvable::refuse;
use crate::worker::{Busy, Stop, Worker};

/// Stack of a search thread, far more than the longest game takes.
const STACK: usize = 256 << 20;

/// Bytes for the graphs of a cyclic search, at least: with less hardly a question is answered.
const LEAST_GRAPHS: u64 = 32 << 20;

/// Nodes that a null window of a cyclic game may take in the first round, and by what this grows.
const FIRST_EFFORT: u64 = 1 << 12;
const EFFORT_GROWTH: u64 = 4;

/// Time between two checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// Where and when what is proved was kept.
#[derive(Debug)]
struct Checkpoint {
    path: PathBuf,
    saved: Mutex<Instant>,
}

/// What all questions together may take. It is looked at a thousand times a second or so.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    /// When to stop.
    pub until: Option<Instant>,
    /// Boards to be searched.
    pub nodes: Option<u64>,
}

/// How far a search is.
#[derive(Clone, Copy, Default, Debug)]
pub struct Status {
    /// Boards searched.
    pub nodes: u64,
    /// Values read from tables.
    pub probes: u64,
}

/// Someone who follows a search and may stop it. Each method does nothing unless told otherwise.
pub trait Watch: Sync {
    /// Called many times a second by all threads; may stop the search.
    fn tick(&self, _status: Status) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The value of a board that was asked for is proved to lie between two bounds.
    fn proved(&self, _board: Board, _lower: i32, _upper: i32) {}

    /// Tables up to so many stones, so many positions, are being built.
    fn building(&self, _stones: u32, _positions: u64) {}

    /// So many positions more are built; called by all threads.
    fn built(&self, _positions: u64) {}
}

/// Nobody watches.
impl Watch for () {}

impl<W: Watch + Send> Watch for Arc<W> {
    fn tick(&self, status: Status) -> ControlFlow<()> {
        W::tick(self, status)
    }

    fn proved(&self, board: Board, lower: i32, upper: i32) {
        W::proved(self, board, lower, upper);
    }

    fn building(&self, stones: u32, positions: u64) {
        W::building(self, stones, positions);
    }

    fn built(&self, positions: u64) {
        W::built(self, positions);
    }
}

/// A search of any game. What it has proved it keeps from one question to the next.
#[derive(Debug)]
pub struct Search<P, W = ()> {
    pub(crate) rules: Rules,
    pub(crate) tables: P,
    /// The highest layer of the tables, -1 without tables.
    pub(crate) most: i32,
    /// Whether all values of a board have the parity of its stones.
    pub(crate) parity: bool,
    cyclic: bool,
    /// Bytes for the graphs of a cyclic game.
    graph_memory: u64,
    most_stones: u32,
    table_key: String,
    pub(crate) keys: Keys,
    pub(crate) transpositions: Transpositions,
    /// Nodes searched since the table of transpositions grew.
    since_growth: u64,
    driver: Driver,
    deadline: Option<Instant>,
    limits: Limits,
    /// Bounds of the boards that were asked for.
    proved: HashMap<Board, (i32, i32)>,
    checkpoint: Option<Checkpoint>,
    pub(crate) busy: Busy,
    pub(crate) counts: Counts,
    pub(crate) watch: W,
    pool: ThreadPool,
}

impl<P: Probe, W: Watch> Search<P, W> {
    /// A search of positions with up to `stones` stones on `threads` threads (0: one for each
    /// core), with `memory` bytes for what it proves; in cyclic games half of them are for the
    /// boards of the layers in work.
    ///
    /// # Errors
    /// The ruleset cannot be searched, or memory or threads are not to be had.
    pub fn new(
        ruleset: &Ruleset,
        stones: u32,
        tables: P,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Search<P, W>, SearchError> {
        refuse(ruleset)?;
        let too_few = || SearchError::Keys { memory, pits: ruleset.pits(), stones };
        let stones = stones.min(MAX_STONES);
        let keys = Keys::new(ruleset.pits(), stones).ok_or_else(too_few)?;
        let cyclic = ruleset.spec().cyclic;
        let (graph_memory, transpositions) = match cyclic {
            true => ((memory / 2).max(LEAST_GRAPHS), Transpositions::full(memory / 2, keys.bits())),
            false => (0, Transpositions::new(memory, keys.bits())),
        };
        let transpositions = transpositions.ok_or_else(too_few)??;
        Ok(Search {
            rules: ruleset.rules(),
            most: highest_layer(&tables),
            tables,
            parity: ruleset.has_parity(),
            cyclic,
            graph_memory,
            most_stones: stones,
            table_key: ruleset.table_key(),
            keys,
            transpositions,
            since_growth: 0,
            driver: Driver::default(),
            deadline: None,
            limits: Limits::default(),
            proved: HashMap::new(),
            checkpoint: None,
            busy: Busy::new(),
            counts: Counts::default(),
            watch,
            pool: ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?,
        })
    }

    /// Goes on over other tables of the ruleset, with all that is proved; gives the present ones.
    pub fn exchange_tables(&mut self, tables: P) -> P {
        self.most = highest_layer(&tables);
        std::mem::replace(&mut self.tables, tables)
    }

    /// How far the search is.
    #[must_use]
    pub fn status(&self) -> Status {
        self.counts.status()
    }

    /// Who watches the search.
    #[must_use]
    pub fn watch(&self) -> &W {
        &self.watch
    }

    /// Stops questions that are not answered at some time with [`SearchError::Late`].
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Stops all questions from now on with [`SearchError::Limit`] when the limits are reached.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What is proved of the value of a board, whether or not the last question about it was
    /// answered: a lower and an upper bound.
    #[must_use]
    pub fn bounds(&self, board: Board) -> (i32, i32) {
        if let Some(value) = self.known(board) {
            return (value, value);
        }
        let stones = board.stones() as i32;
        self.proved.get(&board).copied().unwrap_or((-stones, stones))
    }

    /// Forgets what [`Search::bounds`] tells of the boards asked for so far. Their proofs stay, as
    /// long as there is room for them.
    pub fn forget_bounds(&mut self) {
        self.proved.clear();
    }

    /// Takes up what an earlier run proved and kept in a file, if it is there, and keeps there
    /// now and then what this one proves. Gives the number of boards taken up.
    ///
    /// # Errors
    /// The file is damaged, of another search, or cannot be written.
    pub fn keep_in(&mut self, path: &Path) -> Result<u64, SearchError> {
        let found = checkpoint::load(path, &self.table_key, &mut self.transpositions)?;
        let saved = Mutex::new(Instant::now());
        self.checkpoint = Some(Checkpoint { path: path.to_owned(), saved });
        if found == 0 {
            // A place that cannot be written is better told now than after hours.
            self.save()?;
        }
        Ok(found)
    }

    /// Keeps what is proved in the file of [`Search::keep_in`], if there is one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self) -> Result<(), SearchError> {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint::save(&checkpoint.path, &self.table_key, &self.transpositions)?;
        }
        Ok(())
    }

    /// What each thread does now and then. None does it for the others: on a busy machine it might
    /// get no time as long as they search.
    pub(crate) fn tick(&self) -> Result<(), Stop> {
        if self.watch.tick(self.status()).is_break() {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Late);
        }
        let Limits { until, nodes } = self.limits;
        if until.is_some_and(|until| Instant::now() >= until)
            || nodes.is_some_and(|nodes| self.status().nodes >= nodes)
        {
            return Err(Stop::Limit);
        }
        if let Some(checkpoint) = &self.checkpoint
            && let Ok(mut saved) = checkpoint.saved.try_lock()
            && saved.elapsed() >= CHECKPOINT_EVERY
        {
            self.save().map_err(|_| Stop::Checkpoint)?;
            *saved = Instant::now();
        }
        Ok(())
    }

    /// The highest layer of the tables.
    #[must_use]
    pub fn table_stones(&self) -> Option<u32> {
        self.tables.most_stones()
    }

    /// The threads of the search.
    #[must_use]
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// The value of a board that needs no search.
    fn known(&self, board: Board) -> Option<i32> {
        if let Some(rest) = self.rules.remainder(board) {
            return Some(rest.value());
        }
        let value = self.tables.value(board)?;
        self.counts.add(Status { nodes: 0, probes: 1 });
        Some(value)
    }

    /// A bound on the value of a board: if it is at least `threshold`, a lower bound of that
    /// kind, else an upper bound below it.
    ///
    /// # Errors
    /// The search was stopped, or the board has too many stones.
    pub fn bound(&mut self, board: Board, threshold: i32) -> Result<i32, SearchError> {
        // Without a limit nobody gives up.
        self.bound_within(board, threshold, u64::MAX)?.ok_or(SearchError::Limit)
    }

    /// As [`Search::bound`]. In a cyclic game each thread gives up after about `limit` nodes: then
    /// there is no bound.
    fn bound_within(
        &mut self,
        board: Board,
        threshold: i32,
        limit: u64,
    ) -> Result<Option<i32>, SearchError> {
        let found = self.ask(&[board], Goal::AtLeast(threshold), limit)?;
        let (lower, upper) = self.bounds(board);
        Ok(found.then_some(if lower >= threshold { lower } else { upper }))
    }

    /// Asks all threads the same of some boards; [`Search::bounds`] has the answers. In a cyclic
    /// game each thread gives up after about `limit` nodes a window; gives whether none did.
    fn ask(&mut self, boards: &[Board], goal: Goal, limit: u64) -> Result<bool, SearchError> {
        let open = boards.iter().copied().filter(|&board| self.known(board).is_none());
        let open: Vec<Board> = open.collect();
        if open.iter().any(|board| board.stones() > self.most_stones) {
            return Err(SearchError::Stones(self.most_stones));
        }
        loop {
            let question = |&board| Question::new(board, goal, self.bounds(board));
            let questions = open.iter().map(question).filter(Question::is_open);
            let questions: Vec<Question> = questions.collect();
            if questions.is_empty() {
                return Ok(true);
            }
            match self.run(questions, limit) {
                Ok(()) => return Ok(true),
                Err(Stop::GaveUp) => return Ok(false),
                Err(Stop::Full) => {
                    self.since_growth = 0;
                    let Search { pool, transpositions, .. } = self;
                    pool.install(|| transpositions.grow())?;
                }
                Err(Stop::Late) => return Err(SearchError::Late),
                Err(Stop::Limit) => return Err(SearchError::Limit),
                Err(Stop::Room) => return Err(SearchError::Room),
                // Tells why it could not be saved, or saves what the moment did not allow.
                Err(Stop::Checkpoint) => self.save()?,
                Err(Stop::Interrupted | Stop::Done | Stop::Overtaken(_)) => {
                    return Err(SearchError::Interrupted);
                }
            }
        }
    }

    /// Spreads all threads over the windows of some questions until all are answered.
    fn run(&mut self, questions: Vec<Question>, limit: u64) -> Result<(), Stop> {
        // Many short questions take long as well.
        self.tick()?;
        let threads = self.pool.current_num_threads();
        // Graphs come and go with their questions, so a cyclic search has its room from the start.
        let room = match self.transpositions.can_grow() {
            true => (self.transpositions.capacity() / 2).saturating_sub(self.since_growth),
            false => u64::MAX,
        };
        let before = self.status().nodes;
        let questions = Questions::new(questions);
        self.pool.broadcast(|context| {
            let (thread, share) = (context.index(), threads as u64);
            let mut worker = Worker::new(self, threads > 1, room / share);
            while let Some(window) = questions.next() {
                let found = if self.cyclic {
                    let memory = self.graph_memory / share;
                    cyclic::Worker::new(self, thread, memory, &window.stop).bound(
                        window.board,
                        window.threshold,
                        limit,
                    )
                } else {
                    worker.search(&window)
                };
                if let Some((lower, upper)) = questions.answer(&window, found) {
                    self.watch.proved(window.board, lower, upper);
                }
            }
        });
        self.since_growth += self.status().nodes - before;
        let (questions, ended) = questions.into_parts();
        self.proved.extend(questions.iter().map(|question| (question.board, question.bounds)));
        ended.map_or(Ok(()), Err)
    }

    /// Chooses how values are narrowed down.
    pub fn set_driver(&mut self, driver: Driver) {
        self.driver = driver;
    }

    /// The exact value of a board of a cyclic game. Null windows near the value may be a thousand
    /// times as hard as others, and which ones is not known before; so both bounds are moved, in
    /// steps that double as long as it is easy, and what is not easy waits for the next round.
    fn narrow_with_growing_effort(&mut self, board: Board) -> Result<i32, SearchError> {
        let mut effort = FIRST_EFFORT;
        loop {
            self.move_bound(board, effort, true)?;
            self.move_bound(board, effort, false)?;
            let (lower, upper) = self.bounds(board);
            if lower == upper {
                return Ok(lower);
            }
            effort = effort.saturating_mul(EFFORT_GROWTH);
        }
    }

    /// Moves the lower or the upper bound of a board as far as it goes with windows of some effort.
    fn move_bound(&mut self, board: Board, effort: u64, lower: bool) -> Result<(), SearchError> {
        let mut step = 1;
        loop {
            let (least, most) = self.bounds(board);
            if least == most {
                return Ok(());
            }
            let threshold =
                if lower { (least + step).min(most) } else { (most + 1 - step).max(least + 1) };
            match self.bound_within(board, threshold, effort)? {
                Some(bound) if (bound >= threshold) == lower => step *= 2,
                None if step == 1 => return Ok(()),
                _ => step = (step / 2).max(1),
            }
        }
    }
}

fn highest_layer(tables: &impl Probe) -> i32 {
    tables.most_stones().map_or(-1, |most| most as i32)
}

impl<P: Probe, W: Watch> Oracle for Search<P, W> {
    type Error = SearchError;

    fn value(&mut self, board: Board) -> Result<i32, SearchError> {
        if let Some(value) = self.known(board) {
            return Ok(value);
        }
        if self.cyclic {
            return self.narrow_with_growing_effort(board);
        }
        self.ask(&[board], Goal::Value(self.driver), u64::MAX)?;
        Ok(self.bounds(board).0)
    }

    /// All threads at once, spread over the boards; in cyclic games one board after the other.
    fn values(&mut self, boards: &[Board]) -> Result<Vec<i32>, SearchError> {
        if self.cyclic {
            return boards.iter().map(|&board| self.value(board)).collect();
        }
        self.ask(boards, Goal::Value(self.driver), u64::MAX)?;
        Ok(boards.iter().map(|&board| self.bounds(board).0).collect())
    }

    fn at_least(&mut self, board: Board, threshold: i32) -> Result<bool, SearchError> {
        Ok(self.bound(board, threshold)? >= threshold)
    }

    fn overlooks_layer(&self, board: Board) -> bool {
        board.stones() as i32 <= self.most
    }
}
