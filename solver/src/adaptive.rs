//! A search that builds the tables it needs, as large as they pay.
//!
//! How many layers pay differs from game to game and from position to position: on Kalah 6x4 two
//! layers more halve the search, on Mangala they make it nine times smaller. So it is measured:
//! the search runs over small tables until it has taken as long as the next larger ones would
//! take to build; then they are built, and it goes on with all that it has proved. So the whole
//! takes at most about twice as long as with the best size known in advance.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, Instant};

use games::{Board, Ruleset};
use tablebase::build::MemoryTables;
use tablebase::index::positions_up_to;

use crate::error::SearchError;
use crate::judge::Oracle;
use crate::search::{Driver, Limits, Search, Status, Watch};

/// Positions of the first tables, at most: they take a moment, those of cyclic games twenty times
/// as long a position.
const FIRST_POSITIONS: u64 = 100_000_000;
const FIRST_CYCLIC_POSITIONS: u64 = 5_000_000;
/// By how many layers tables grow.
const STEP: u32 = 3;
/// The share of the memory that tables may take, in tenths; the rest is for what is proved.
const TABLE_TENTHS: u64 = 7;

/// An exact solver that needs nothing on disk.
#[derive(Debug)]
pub struct Solver<W> {
    ruleset: Ruleset,
    /// `None` only while tables are exchanged, and if that failed.
    search: Option<Search<MemoryTables, W>>,
    /// The highest layer of the tables, and that of the largest ones that may be built.
    stones: u32,
    most_stones: u32,
    /// What the tables took to build.
    build_time: Duration,
    /// What the search has taken over these tables.
    search_time: Duration,
}

impl<W: Watch> Solver<W> {
    /// A solver of positions with up to `stones` stones that takes at most `memory` bytes and
    /// runs on `threads` threads (0: one for each core). Builds the first tables.
    ///
    /// # Errors
    /// The ruleset cannot be searched, or memory or threads are not to be had.
    pub fn new(
        ruleset: &Ruleset,
        stones: u32,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let pits = ruleset.pits();
        let for_tables = memory / 10 * TABLE_TENTHS;
        let most_stones =
            MemoryTables::most_stones_within(ruleset, for_tables).unwrap_or(0).min(stones);
        let most_first =
            if ruleset.spec().cyclic { FIRST_CYCLIC_POSITIONS } else { FIRST_POSITIONS };
        let first = (0..=most_stones).take_while(|&n| positions_up_to(pits, n) <= most_first);
        let first = first.last().unwrap_or(0);
        Solver::start(ruleset, stones, first..=most_stones, memory, threads, watch)
    }

    /// As [`Solver::new`], but over tables of exactly the layers 0 to `table_stones`.
    ///
    /// # Errors
    /// As [`Solver::new`], and if these tables do not fit nine tenths of the memory.
    pub fn over_layers(
        ruleset: &Ruleset,
        stones: u32,
        table_stones: u32,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let needed = MemoryTables::memory(ruleset, table_stones);
        if needed > memory / 10 * 9 {
            return Err(SearchError::Tables { stones: table_stones, needed, memory });
        }
        Solver::start(ruleset, stones, table_stones..=table_stones, memory, threads, watch)
    }

    fn start(
        ruleset: &Ruleset,
        stones: u32,
        layers: RangeInclusive<u32>,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let (first, most_stones) = layers.into_inner();
        let memory = memory.saturating_sub(MemoryTables::memory(ruleset, most_stones));
        let search = Search::new(ruleset, stones, tablebase::NoTables, memory, threads, watch)?;
        let mut solver = Solver {
            ruleset: ruleset.clone(),
            search: None,
            stones: first,
            most_stones,
            build_time: Duration::ZERO,
            search_time: Duration::ZERO,
        };
        solver.search = Some(solver.build(search)?);
        Ok(solver)
    }

    /// Builds the tables of the present size for a search.
    fn build<P: tablebase::Probe>(
        &mut self,
        search: Search<P, W>,
    ) -> Result<Search<MemoryTables, W>, SearchError> {
        let start = Instant::now();
        // The old tables go before the new ones come.
        let search = search.with_tables(tablebase::NoTables);
        let watch = search.watch();
        watch.building(self.stones, positions_up_to(self.ruleset.pits(), self.stones));
        let tables = search.pool().install(|| {
            MemoryTables::build(&self.ruleset, self.stones, &|positions| watch.built(positions))
        })?;
        self.build_time = start.elapsed();
        self.search_time = Duration::ZERO;
        Ok(search.with_tables(tables))
    }

    /// What the next larger tables would take to build; `None` if there are none.
    fn next_build_time(&self) -> Option<Duration> {
        let next = self.next_stones();
        let positions = |stones| positions_up_to(self.ruleset.pits(), stones) as f64;
        let growth = positions(next) / positions(self.stones);
        (next > self.stones).then(|| self.build_time.mul_f64(growth))
    }

    /// When to leave a search for larger tables, if there are some and time is left to build them.
    fn patience(&self, now: Instant) -> Option<Instant> {
        let time = self.next_build_time()?;
        let leave = now + time.saturating_sub(self.search_time);
        let until = self.search.as_ref()?.limits().until;
        until.is_none_or(|until| leave + time < until).then_some(leave)
    }

    fn next_stones(&self) -> u32 {
        (self.stones + STEP).min(self.most_stones)
    }

    /// The search with its present tables.
    fn search_mut(&mut self) -> Result<&mut Search<MemoryTables, W>, SearchError> {
        self.search.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory).into())
    }

    /// Puts a question to the search, over larger tables when it takes long.
    fn ask<T>(
        &mut self,
        question: impl Fn(&mut Search<MemoryTables, W>) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        loop {
            let start = Instant::now();
            let deadline = self.patience(start);
            let search = self.search_mut()?;
            search.set_deadline(deadline);
            let answer = question(search);
            self.search_time += start.elapsed();
            if !matches!(answer, Err(SearchError::Late)) {
                return answer;
            }
            // Building cannot be stopped, so what is proved is kept first.
            self.save()?;
            self.stones = self.next_stones();
            if let Some(search) = self.search.take() {
                self.search = Some(self.build(search)?);
            }
        }
    }

    /// The highest layer of the tables.
    #[must_use]
    pub fn table_stones(&self) -> u32 {
        self.stones
    }

    /// How far the search is.
    #[must_use]
    pub fn status(&self) -> Status {
        self.search.as_ref().map(Search::status).unwrap_or_default()
    }

    /// Keeps what is proved in the file of [`Solver::keep_in`], if there is one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self) -> Result<(), SearchError> {
        self.search.as_ref().map_or(Ok(()), Search::save)
    }

    /// Chooses how values are narrowed down.
    ///
    /// # Errors
    /// The search has been lost with its memory.
    pub fn set_driver(&mut self, driver: Driver) -> Result<(), SearchError> {
        self.search_mut()?.set_driver(driver);
        Ok(())
    }

    /// As [`Search::set_limits`]. Building the first tables is not counted; larger ones are not
    /// built if they would take longer than is left.
    ///
    /// # Errors
    /// The search has been lost with its memory.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), SearchError> {
        self.search_mut()?.set_limits(limits);
        Ok(())
    }

    /// As [`Search::bounds`].
    #[must_use]
    pub fn bounds(&self, board: Board) -> (i32, i32) {
        let all = board.stones() as i32;
        self.search.as_ref().map_or((-all, all), |search| search.bounds(board))
    }

    /// As [`Search::forget_bounds`].
    pub fn forget_bounds(&mut self) {
        if let Some(search) = &mut self.search {
            search.forget_bounds();
        }
    }

    /// Takes up and keeps what is proved, as [`Search::keep_in`].
    ///
    /// # Errors
    /// The file is damaged, of another search, or cannot be written.
    pub fn keep_in(&mut self, path: &Path) -> Result<u64, SearchError> {
        self.search_mut()?.keep_in(path)
    }
}

impl<W: Watch> Oracle for Solver<W> {
    type Error = SearchError;

    fn value(&mut self, board: Board) -> Result<i32, SearchError> {
        self.ask(|search| search.value(board))
    }

    fn at_least(&mut self, board: Board, threshold: i32) -> Result<bool, SearchError> {
        self.ask(|search| search.at_least(board, threshold))
    }

    fn overlooks_layer(&self, board: Board) -> bool {
        board.stones() <= self.stones
    }
}
