//! The exact solver as commands use it: with tables from a folder or its own, watched, stopped
//! by Ctrl-C, keeping what it has proved.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use games::{Board, Playable, Ruleset, Sown};
use serde::{Deserialize, Serialize};
use solver::{
    Limits, Oracle, SearchError, Solver, Status, Watch, check_table_stones, most_table_stones,
};
use tablebase::Tables;
use tablebase::build::MemoryTables;

use crate::args::{Memory, Threads};
use crate::claim::Claim;
use crate::error::Error;
use crate::interrupt;
use crate::output;
use crate::progress::Meter;

/// Between two lines about a search.
const PAUSE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, ValueEnum)]
enum Driver {
    /// From the bound that the last null window gave
    Mtdf,
    /// By halves
    Bisection,
}

impl From<Driver> for solver::Driver {
    fn from(driver: Driver) -> solver::Driver {
        match driver {
            Driver::Mtdf => solver::Driver::Mtdf,
            Driver::Bisection => solver::Driver::Bisection,
        }
    }
}

/// What a search may use.
#[derive(clap::Args, Clone)]
pub(crate) struct Resources {
    /// A folder with tables of the ruleset; without it, and above it for games whose positions
    /// recur, the tables that pay are built in memory
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Search over tables of exactly the layers 0 to N instead of those that pay; with --tables only
    /// for games whose positions recur
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    table_stones: Option<u32>,
    /// How values are narrowed down; they are the same either way
    #[arg(long, value_enum, default_value_t = Driver::Mtdf)]
    driver: Driver,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
}

/// How to search.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    resources: Resources,
    /// A file that keeps what is proved: written every minute and at the end, taken up when the
    /// command is given again
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// What a search may take before it is stopped.
#[derive(clap::Args)]
pub(crate) struct Allowed {
    /// Stop after so many seconds and tell the bounds proved so far; estimates (toguz, bestemshe)
    /// look ahead for so long [default there: 5 without --depth]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Stop after about so many boards searched and tell the bounds proved so far
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    nodes: Option<u64>,
}

impl Allowed {
    /// Whether there is a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.time.is_some() || self.nodes.is_some()
    }

    /// The time of an estimate, which counts no boards.
    pub(crate) fn estimate_time(&self) -> Result<Option<Duration>, Error> {
        if self.nodes.is_some() {
            let text = "--nodes is for games that are solved exactly; give --time or --depth";
            return Err(Error::Usage(text.to_owned()));
        }
        Ok(self.time)
    }

    /// Limits an engine, counted from its start. From now on Ctrl-C stops its search, not the program.
    pub(crate) fn limit(&self, engine: &mut Engine) {
        engine.limit(engine.start, self.time, self.nodes);
        interrupt::heed();
    }
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "it takes a number of seconds, for example 60 or 0.5".to_owned())
}

/// The exact solver of one ruleset.
pub(crate) struct Engine {
    solver: Solver<Arc<Watcher>>,
    watcher: Arc<Watcher>,
    start: Instant,
    /// Of the checkpoint.
    claim: Option<Claim>,
}

impl Options {
    /// The folder of the tables, if one is given.
    pub(crate) fn tables(&self) -> Option<&Path> {
        self.resources.tables()
    }

    /// The memory of a search.
    pub(crate) fn memory(&self) -> u64 {
        self.resources.memory()
    }

    /// The highest layer of the tables to be built, if the user names one.
    pub(crate) fn table_stones(&self) -> Option<u32> {
        self.resources.table_stones
    }

    /// The threads to work with.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        self.resources.pool()
    }

    /// Whether what is proved is to be kept in a file.
    pub(crate) fn keeps(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Says something about progress.
    pub(crate) fn say(&self, text: &str) {
        self.resources.say(text);
    }

    /// A solver of positions with up to `stones` stones on the board.
    pub(crate) fn engine(&self, game: &Ruleset, stones: u32) -> Result<Engine, Error> {
        self.resources.engine(game, stones, self.checkpoint.as_deref())
    }
}

impl Resources {
    /// Says something about progress.
    pub(crate) fn say(&self, text: &str) {
        Meter::new(self.quiet).say(text);
    }

    /// Whether nothing is to be said about progress.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// The folder of the tables, if one is given.
    pub(crate) fn tables(&self) -> Option<&Path> {
        self.tables.as_deref()
    }

    /// Starts threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        self.threads.pool()
    }

    /// The threads of a search.
    pub(crate) fn threads(&self) -> usize {
        match self.threads.number() {
            0 => std::thread::available_parallelism().map_or(1, Into::into),
            threads => threads,
        }
    }

    /// The memory of a search.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.allowed()
    }

    /// The tables of the folder, if one is given.
    fn opened(&self, game: &Ruleset, stones: u32, memory: u64) -> Result<Opened, Error> {
        let Some(folder) = &self.tables else {
            return Ok(Opened::Part(MemoryTables::none(game)));
        };
        let tables = Tables::open(folder, game, self.most_stones(game)?)?;
        // A damaged layer would spoil all that is found above it; those above the position are
        // never asked.
        self.pool()?.install(|| tables.verify_checksums(stones))?;
        let there = tables.most_stones();
        let grows = match self.table_stones {
            Some(layers) => there < layers,
            None => there < stones && there <= most_table_stones(game, memory),
        };
        if !game.spec().cyclic || !grows {
            return Ok(Opened::Enough(tables));
        }
        // Before the layers that are there fill it.
        self.table_stones.map_or(Ok(()), |layers| check_table_stones(game, layers, memory))?;
        Ok(Opened::Part(MemoryTables::load(game, &tables)?))
    }

    /// The highest layer of a folder that may be used.
    pub(crate) fn most_stones<R: Playable>(&self, game: &Ruleset<R>) -> Result<u32, Error> {
        match self.table_stones {
            Some(_) if self.tables.is_some() && !game.spec().cyclic => {
                let text = "--table-stones with --tables is for games whose positions recur; leave \
                            one out";
                Err(Error::Usage(text.to_owned()))
            }
            layers => Ok(layers.unwrap_or(games::MAX_STONES)),
        }
    }

    /// A solver of positions with up to `stones` stones on the board, which keeps what it proves
    /// in a file.
    pub(crate) fn engine(
        &self,
        game: &Ruleset,
        stones: u32,
        checkpoint: Option<&Path>,
    ) -> Result<Engine, Error> {
        let start = Instant::now();
        let watcher = Arc::new(Watcher::new(self.quiet));
        let memory = self.memory.allowed();
        let threads = self.threads.number();
        let watch = watcher.clone();
        let mut solver = match (self.opened(game, stones, memory)?, self.table_stones) {
            (Opened::Enough(tables), _) => {
                let tables = tables.into_resident(memory)?.into();
                Solver::over(game, stones, tables, memory, threads, watch)?
            }
            (Opened::Part(tables), None) => {
                Solver::new(game, stones, tables, memory, threads, watch)?
            }
            (Opened::Part(tables), Some(layers)) => {
                Solver::over_layers(game, stones, tables, layers, memory, threads, watch)?
            }
        };
        solver.search_mut().set_driver(self.driver.into());
        let mut engine = Engine { solver, watcher, start, claim: None };
        if let Some(path) = checkpoint {
            engine.keep_in(path)?;
        }
        Ok(engine)
    }
}

/// The tables that a search begins with.
enum Opened {
    /// Those of a folder, which stay as they are.
    Enough(Tables),
    /// Those that others are built on.
    Part(MemoryTables),
}

impl Engine {
    fn keep_in(&mut self, path: &Path) -> Result<(), Error> {
        let path = &output::resolved(path);
        self.claim = Some(Claim::new(path)?);
        let found = self.solver.search_mut().keep_in(path)?;
        if found > 0 {
            let path = path.display();
            self.watcher.meter.say(&format!("continuing: {found} proved boards from {path}"));
        }
        interrupt::heed();
        Ok(())
    }

    /// What is proved of the value of a board, also when a question about it was stopped: a
    /// lower and an upper bound.
    pub(crate) fn bounds(&self, board: Board) -> [i32; 2] {
        self.solver.search().bounds(board).into()
    }

    /// Shows the bounds of a board's value as those of a sowing or a turn: `base` and the
    /// board's value, or less it if the opponent is to move.
    pub(crate) fn label(&self, board: Board, name: String, base: i32, again: bool) {
        let shown = Shown { name, base, again, bounds: None };
        lock(&self.watcher.shown).entry(board).or_insert(shown);
    }

    /// Shows the bounds of a turn's value: of the stones won before its last sowing, and of that.
    pub(crate) fn label_turn(&self, name: String, won: i32, last: &Sown) {
        self.label(last.board, name, won + i32::from(last.gain), last.again);
    }

    /// Limits the questions from now on.
    fn limit(&mut self, from: Instant, time: Option<Duration>, nodes: Option<u64>) {
        // A time past all reckoning is none.
        let until = time.and_then(|time| from.checked_add(time));
        self.solver.search_mut().set_limits(Limits { until, nodes });
    }

    /// What the value of a board is proved to lie between in some time, `None` for as long as it
    /// takes; the time goes on for what is asked next.
    pub(crate) fn bounds_within(
        &mut self,
        board: Board,
        time: Option<Duration>,
    ) -> Result<[i32; 2], Error> {
        // A batch of any length must not fill the memory with what nobody asks for again.
        lock(&self.watcher.shown).clear();
        self.solver.search_mut().forget_bounds();
        self.label(board, "value".to_owned(), 0, true);
        self.limit(Instant::now(), time, None);
        let value = self.value(board);
        let value = self.in_time(value)?;
        Ok(value.map_or_else(|| self.bounds(board), |value| [value; 2]))
    }

    /// An answer; `None` if its time was over, or its memory full.
    pub(crate) fn in_time<T>(&self, answer: Result<T, SearchError>) -> Result<Option<T>, Error> {
        match answer {
            Err(SearchError::Limit | SearchError::Room) => Ok(None),
            answer => self.finish(answer).map(Some),
        }
    }

    /// The most stones of the tables in use.
    pub(crate) fn table_stones(&self) -> u32 {
        self.solver.table_stones()
    }

    /// What it took so far.
    pub(crate) fn effort(&self) -> Effort {
        let Status { nodes, probes } = self.solver.search().status();
        Effort { nodes, probes, seconds: self.start.elapsed().as_secs_f64() }
    }

    /// Saves what is proved, whatever came of the question.
    pub(crate) fn finish<T>(&self, answer: Result<T, SearchError>) -> Result<T, Error> {
        self.watcher.meter.end();
        if let Err(error) = self.solver.search().save() {
            // The answer does not suffer from it.
            self.watcher.meter.say(&format!("warning: {error}"));
        }
        Ok(answer?)
    }
}

impl Oracle for Engine {
    type Error = SearchError;

    fn value(&mut self, board: Board) -> Result<i32, SearchError> {
        self.solver.value(board)
    }

    fn values(&mut self, boards: &[Board]) -> Result<Vec<i32>, SearchError> {
        self.solver.values(boards)
    }

    fn at_least(&mut self, board: Board, threshold: i32) -> Result<bool, SearchError> {
        self.solver.at_least(board, threshold)
    }

    fn overlooks_layer(&self, board: Board) -> bool {
        self.solver.overlooks_layer(board)
    }
}

/// What an answer took; part of its JSON.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Effort {
    pub(crate) nodes: u64,
    /// Values read from tables.
    pub(crate) probes: u64,
    pub(crate) seconds: f64,
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Effort { nodes, probes, seconds } = self;
        write!(f, "{nodes} nodes and {probes} table probes in {seconds:.2} s")
    }
}

/// Tells how far a search is, and stops it when the user wants so.
struct Watcher {
    meter: Meter,
    next_line: Mutex<(Instant, Status)>,
    shown: Mutex<BTreeMap<Board, Shown>>,
    /// Whether the user knows that tables are built to their end.
    warned: AtomicBool,
}

/// A sowing or a turn whose bounds are told.
struct Shown {
    name: String,
    base: i32,
    again: bool,
    bounds: Option<(i32, i32)>,
}

impl Watcher {
    fn new(quiet: bool) -> Watcher {
        Watcher {
            meter: Meter::new(quiet),
            next_line: Mutex::new((Instant::now() + PAUSE, Status::default())),
            shown: Mutex::default(),
            warned: AtomicBool::default(),
        }
    }
}

impl Watch for Watcher {
    fn tick(&self, status: Status) -> ControlFlow<()> {
        let now = Instant::now();
        // Whoever finds another thread telling need not wait to tell the same.
        if let Ok(mut next) = self.next_line.try_lock()
            && now >= next.0
        {
            let seconds = (now + PAUSE - next.0).as_secs_f64();
            // The thread may have slept since it asked how far the search is.
            let rate = status.nodes.saturating_sub(next.1.nodes) as f64 / seconds / 1e6;
            let mut line =
                format!("{:.1} M nodes, {rate:.1} M a second", status.nodes as f64 / 1e6);
            let mut known: Vec<String> =
                lock(&self.shown).values().filter_map(Shown::tell).collect();
            known.sort();
            if !known.is_empty() {
                line += &format!("; {}", known.join(", "));
            }
            self.meter.say(&line);
            *next = (now + PAUSE, status);
        }
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn proved(&self, board: Board, lower: i32, upper: i32) {
        if let Some(shown) = lock(&self.shown).get_mut(&board) {
            shown.bounds = Some((lower, upper));
        }
    }

    fn building(&self, stones: u32, positions: u64) {
        self.meter.start(&format!("tables to {stones}"), positions);
    }

    fn built(&self, positions: u64) {
        self.meter.add(positions);
        if interrupt::asked() && !self.warned.swap(true, Relaxed) {
            self.meter.say("stopping when these tables are built; Ctrl-C once more stops at once");
        }
    }
}

impl Shown {
    fn tell(&self) -> Option<String> {
        let (lower, upper) = self.bounds?;
        let (lower, upper) = match self.again {
            true => (self.base + lower, self.base + upper),
            false => (self.base - upper, self.base - lower),
        };
        let name = &self.name;
        Some(if lower == upper {
            format!("{name}: {lower}")
        } else {
            format!("{name}: {lower} to {upper}")
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
