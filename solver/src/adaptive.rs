//! A search that builds the tables it needs, as large as they pay.
//!
//! How many layers pay differs from game to game and from position to position: on Kalah 6x4 two
//! layers more halve the search, on Mangala they make it nine times smaller. So it is measured:
//! the search runs over small tables until it has taken as long as the next larger ones would
//! take to build; then they are built, and it goes on with all that it has proved. So the whole
//! takes at most about twice as long as with the best size known in advance.
//!
//! In cyclic games a layer more is built upon those that are there, for half as much again, and
//! makes the search several times smaller: of 30 random positions of awari with 27 stones 11 were
//! solved within 3 M nodes over tables to 20, and all 100 with 5.7 M nodes together where the tables grew.
//! So patience pays less there.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use games::{Board, Ruleset};
use tablebase::Probe;
use tablebase::build::MemoryTables;
use tablebase::index::positions_up_to;

use crate::error::SearchError;
use crate::judge::Oracle;
use crate::search::{Search, Watch};

/// How tables grow.
struct Growth {
    /// Positions of the first tables, at most: they take a moment.
    first_positions: u64,
    /// By how many layers tables grow.
    step: u32,
    /// For how much of the time that the next tables take to build the search goes on before.
    patience: f64,
    /// Positions that a thread builds in a second, as long as it is not measured.
    rate: f64,
}

const ACYCLIC: Growth = Growth { first_positions: 100_000_000, step: 3, patience: 1.0, rate: 50e6 };
const CYCLIC: Growth = Growth { first_positions: 5_000_000, step: 1, patience: 0.25, rate: 5e6 };

/// The share of the memory that tables may take, in tenths; the rest is for what is proved.
const TABLE_TENTHS: u64 = 7;

/// An exact solver that needs nothing on disk.
#[derive(Debug)]
pub struct Solver<W> {
    ruleset: Ruleset,
    search: Search<MemoryTables, W>,
    /// The highest layer of the largest tables that may be built.
    most_stones: u32,
    /// Positions built in a second.
    rate: f64,
    /// What the search has taken over the present tables.
    search_time: Duration,
}

fn growth(ruleset: &Ruleset) -> Growth {
    if ruleset.spec().cyclic { CYCLIC } else { ACYCLIC }
}

/// The highest layer of the largest tables that a [`Solver`] with `memory` bytes builds.
#[must_use]
pub fn most_table_stones(ruleset: &Ruleset, memory: u64) -> u32 {
    MemoryTables::most_stones_within(ruleset, memory / 10 * TABLE_TENTHS).unwrap_or(0)
}

/// Refuses tables that leave a search less than a tenth of `memory` bytes.
///
/// # Errors
/// [`SearchError::Tables`].
pub fn check_table_stones(ruleset: &Ruleset, stones: u32, memory: u64) -> Result<(), SearchError> {
    let needed = MemoryTables::memory(ruleset, stones);
    if needed > memory / 10 * 9 {
        return Err(SearchError::Tables { stones, needed, memory });
    }
    Ok(())
}

impl<W: Watch> Solver<W> {
    /// A solver of positions with up to `stones` stones that takes at most `memory` bytes and
    /// runs on `threads` threads (0: one for each core). Builds the first tables, on `tables`.
    ///
    /// # Errors
    /// The ruleset cannot be searched, or memory or threads are not to be had.
    pub fn new(
        ruleset: &Ruleset,
        stones: u32,
        tables: MemoryTables,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let most = most_table_stones(ruleset, memory).min(stones);
        let most_positions = growth(ruleset).first_positions;
        let fits = |&n: &u32| positions_up_to(ruleset.pits(), n) <= most_positions;
        let first = (0..=most).take_while(fits).last().unwrap_or(0);
        Solver::start(ruleset, stones, tables, first..=most, memory, threads, watch)
    }

    /// As [`Solver::new`], but over tables of exactly the layers 0 to `table_stones`.
    ///
    /// # Errors
    /// As [`Solver::new`], and if these tables do not fit nine tenths of the memory.
    pub fn over_layers(
        ruleset: &Ruleset,
        stones: u32,
        tables: MemoryTables,
        table_stones: u32,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        check_table_stones(ruleset, table_stones, memory)?;
        let layers = table_stones..=table_stones;
        Solver::start(ruleset, stones, tables, layers, memory, threads, watch)
    }

    /// A solver over tables that stay as they are and take none of the memory.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn over(
        ruleset: &Ruleset,
        stones: u32,
        tables: MemoryTables,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let most_stones = tables.most_stones().unwrap_or(0);
        let search = Search::new(ruleset, stones, tables, memory, threads, watch)?;
        Ok(Solver::with_search(ruleset, search, most_stones))
    }

    /// A solver whose tables reach from the lowest to the highest of `layers` as they grow.
    fn start(
        ruleset: &Ruleset,
        stones: u32,
        tables: MemoryTables,
        layers: RangeInclusive<u32>,
        memory: u64,
        threads: usize,
        watch: W,
    ) -> Result<Solver<W>, SearchError> {
        let (first, most_stones) = layers.into_inner();
        let memory = memory.saturating_sub(MemoryTables::memory(ruleset, most_stones));
        let search = Search::new(ruleset, stones, tables, memory, threads, watch)?;
        let mut solver = Solver::with_search(ruleset, search, most_stones);
        if solver.search.table_stones().is_none_or(|stones| stones < first) {
            solver.build(first)?;
        }
        Ok(solver)
    }

    fn with_search(
        ruleset: &Ruleset,
        search: Search<MemoryTables, W>,
        most_stones: u32,
    ) -> Solver<W> {
        let rate = growth(ruleset).rate * search.pool().current_num_threads() as f64;
        Solver { ruleset: ruleset.clone(), search, most_stones, rate, search_time: Duration::ZERO }
    }

    /// Positions that have to be built for tables up to a layer.
    fn positions_to_build(&self, stones: u32) -> u64 {
        let all = |stones| positions_up_to(self.ruleset.pits(), stones);
        let there = self.search.table_stones().filter(|_| self.ruleset.spec().cyclic);
        all(stones) - there.map_or(0, all)
    }

    /// Builds the tables up to a layer.
    fn build(&mut self, stones: u32) -> Result<(), SearchError> {
        let start = Instant::now();
        let positions = self.positions_to_build(stones);
        let mut tables = self.search.exchange_tables(MemoryTables::none(&self.ruleset));
        let watch = self.search.watch();
        watch.building(stones, positions);
        let built = self
            .search
            .pool()
            .install(|| tables.grow(&self.ruleset, stones, &|positions| watch.built(positions)));
        self.search.exchange_tables(tables);
        self.rate = positions as f64 / start.elapsed().as_secs_f64();
        self.search_time = Duration::ZERO;
        Ok(built?)
    }

    /// The next larger tables, if there are some, and what they would take to build.
    fn next(&self) -> Option<(u32, Duration)> {
        let stones = (self.table_stones() + growth(&self.ruleset).step).min(self.most_stones);
        let seconds = self.positions_to_build(stones) as f64 / self.rate;
        // A time past all reckoning is never over.
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        (stones > self.table_stones()).then_some((stones, time))
    }

    /// When to leave a search for larger tables, if there are some and time is left to build them.
    fn patience(&self, now: Instant) -> Option<Instant> {
        let (_, time) = self.next()?;
        let patience = time.mul_f64(growth(&self.ruleset).patience);
        let leave = now + patience.saturating_sub(self.search_time);
        let until = self.search.limits().until;
        until.is_none_or(|until| leave + time < until).then_some(leave)
    }

    /// Puts a question to the search, over larger tables when it takes long.
    fn ask<T>(
        &mut self,
        question: impl Fn(&mut Search<MemoryTables, W>) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        loop {
            let start = Instant::now();
            let deadline = self.patience(start);
            self.search.set_deadline(deadline);
            let answer = question(&mut self.search);
            self.search_time += start.elapsed();
            if !matches!(answer, Err(SearchError::Late)) {
                return answer;
            }
            // Building cannot be stopped, so what is proved is kept first.
            self.search.save()?;
            if let Some((stones, _)) = self.next() {
                self.build(stones)?;
            }
        }
    }

    /// The highest layer of the tables.
    #[must_use]
    pub fn table_stones(&self) -> u32 {
        self.search.table_stones().unwrap_or(0)
    }

    /// The search over the present tables.
    #[must_use]
    pub fn search(&self) -> &Search<MemoryTables, W> {
        &self.search
    }

    /// As [`Solver::search`]. The first tables are built whatever limits are set for it; larger
    /// ones are not if they would take longer than is left.
    pub fn search_mut(&mut self) -> &mut Search<MemoryTables, W> {
        &mut self.search
    }
}

impl<W: Watch> Oracle for Solver<W> {
    type Error = SearchError;

    fn value(&mut self, board: Board) -> Result<i32, SearchError> {
        self.ask(|search| search.value(board))
    }

    fn values(&mut self, boards: &[Board]) -> Result<Vec<i32>, SearchError> {
        self.ask(|search| search.values(boards))
    }

    fn at_least(&mut self, board: Board, threshold: i32) -> Result<bool, SearchError> {
        self.ask(|search| search.at_least(board, threshold))
    }

    fn overlooks_layer(&self, board: Board) -> bool {
        board.stones() <= self.table_stones()
    }
}
