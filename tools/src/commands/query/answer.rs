//! Answers to positions: from tables where they reach, by search where they do not.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::toguz::Toguz;
use games::{Board, Position, ReadError, Rows, Rules, Ruleset, read_position};
use solver::judge;
use tablebase::Tabled;

use crate::args;
use crate::commands::judged::Judged;
use crate::commands::known::{Entry, Known};
use crate::engine::{Engine, Resources};
use crate::error::Error;

/// Where values come from, as answers name it.
const TABLE: &str = "table";
const SEARCH: &str = "search";

/// What is known of a position.
pub(crate) struct Answer<B> {
    pub(crate) position: Position<B>,
    /// The exact value, if it is known.
    pub(crate) value: Option<i32>,
    /// What is known to hold whatever becomes of repetitions, or what a search has proved in its
    /// time; `None` if there is only a value, which hangs on the rule of repetition.
    pub(crate) bounds: Option<[i32; 2]>,
    pub(crate) source: &'static str,
    /// What the search took, if there was one.
    pub(crate) searched: Option<Searched>,
    /// What follows for sowings and play, if it was asked for and found in time.
    pub(crate) judged: Option<Judged>,
}

/// What a search took, tables that it built included.
#[derive(Clone, Copy)]
pub(crate) struct Searched {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// How answers are found.
pub(crate) struct Means {
    pub(crate) resources: Resources,
    /// Whether positions that the tables do not reach are refused.
    pub(crate) tables_only: bool,
    /// Whether there will be many positions, so that it pays to unpack compressed tables.
    pub(crate) many: bool,
    /// The longest time to search one position.
    pub(crate) time: Option<Duration>,
    /// Whether sowings and lines are asked for, not values alone.
    pub(crate) judge: bool,
    /// Whether sowings are to be told as the published awari database does.
    pub(crate) children: bool,
}

/// Finds what tables do not know.
pub(crate) trait Search<R: Tabled>: Send {
    /// The answer to a position; `dashes` is its dash form.
    fn answer(
        &mut self,
        rules: &R,
        position: Position<R::Board>,
        dashes: String,
    ) -> Result<Answer<R::Board>, String>;
}

/// Games that are asked about.
pub(crate) trait Asked: Tabled {
    /// The search for exact values; `None` where there are only tables.
    fn search(game: &Ruleset<Self>, means: Means) -> Option<Box<dyn Search<Self>>>;
}

impl Asked for Rules {
    fn search(game: &Ruleset, means: Means) -> Option<Box<dyn Search<Rules>>> {
        Some(Box::new(Searcher::new(game.clone(), means)))
    }
}

impl Asked for Toguz {
    fn search(_: &Ruleset<Toguz>, _: Means) -> Option<Box<dyn Search<Toguz>>> {
        None
    }
}

/// Finds the answers; threads may share it.
pub(crate) struct Answers<R: Asked> {
    game: Ruleset<R>,
    rules: R,
    judge: bool,
    children: bool,
    tables: Option<Known<R>>,
    search: Option<Mutex<Box<dyn Search<R>>>>,
}

impl<R: Asked> Answers<R> {
    pub(crate) fn new(game: &Ruleset<R>, means: Means) -> Result<Answers<R>, Error> {
        // A search may need all the memory.
        let memory = match means.many && means.tables_only {
            true => means.resources.memory(),
            false => 0,
        };
        let most = means.resources.most_stones(game)?;
        let folder = means.resources.tables();
        let tables = folder.map(|folder| Known::open(folder, game, most, memory)).transpose()?;
        if means.many && tables.as_ref().is_some_and(Known::reads_blocks) {
            means.resources.say(
                "the compressed tables are read block by block, which is slow; unpack them, or \
                 allow more memory with --tables-only",
            );
        }
        let Means { judge, children, .. } = means;
        // What has no value cannot be searched for it.
        let searches = !means.tables_only && (game.has_values() || tables.is_none());
        let search = searches.then(|| R::search(game, means)).flatten().map(Mutex::new);
        if tables.is_none() && search.is_none() {
            let name = game.spec().name;
            let text =
                format!("{name} is not solved exactly; give tables to look up: --tables DIR");
            return Err(Error::Usage(text));
        }
        Ok(Answers { game: game.clone(), rules: game.rules(), judge, children, tables, search })
    }

    pub(crate) fn read(&self, text: &str) -> Result<Position<R::Board>, ReadError> {
        read_position(&self.game, &self.rules, text)
    }

    /// Whether the tables know a board.
    pub(crate) fn in_tables(&self, board: R::Board) -> bool {
        self.tables.as_ref().is_some_and(|tables| board.stones() <= tables.most_stones())
    }

    /// Looks up boards that the tables know.
    pub(crate) fn look_up(&self, boards: &[R::Board]) -> Vec<Result<Entry, String>> {
        self.tables.as_ref().map_or_else(Vec::new, |tables| tables.look_up(boards))
    }

    /// The answer to a position from what the tables know of it.
    pub(crate) fn by_tables(
        &self,
        position: Position<R::Board>,
        entry: Entry,
    ) -> Result<Answer<R::Board>, String> {
        let Entry { value, bounds } = entry;
        let bounds = bounds.map(|bounds| [bounds.lower, bounds.upper]);
        let bounds = bounds.or(value.map(|value| [value; 2]).filter(|_| !self.game.spec().cyclic));
        let mut answer =
            Answer { position, value, bounds, source: TABLE, searched: None, judged: None };
        if self.judge
            && let Some(tables) = &self.tables
        {
            let judged = tables.judge(&self.game, &self.rules, &position);
            answer.judged = Some(judged.map_err(|reason| reason.to_string())?);
        }
        self.with_children(answer)
    }

    /// The answer to a position that the tables do not know.
    pub(crate) fn by_search(
        &self,
        position: Position<R::Board>,
    ) -> Result<Answer<R::Board>, String> {
        let Some(search) = &self.search else {
            let beyond = self.tables.as_ref().map(|tables| tables.beyond(position.board()));
            return Err(beyond.map(|reason| reason.to_string()).unwrap_or_default());
        };
        let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
        self.with_children(search.answer(&self.rules, position, self.dashes(&position))?)
    }

    /// The answer to one position.
    pub(crate) fn answer(&self, position: Position<R::Board>) -> Result<Answer<R::Board>, String> {
        let board = position.board();
        match self.look_up(&[board][..usize::from(self.in_tables(board))]).pop() {
            Some(entry) => self.by_tables(position, entry?),
            None => self.by_search(position),
        }
    }

    fn with_children(&self, mut answer: Answer<R::Board>) -> Result<Answer<R::Board>, String> {
        if self.children
            && let Some(judged) = answer.judged.take()
        {
            let judged = judged.with_children(&self.game, &answer.position);
            answer.judged = Some(judged.map_err(|reason| reason.to_string())?);
        }
        Ok(answer)
    }

    pub(crate) fn dashes(&self, position: &Position<R::Board>) -> String {
        args::dashes(&self.game, position)
    }
}

/// The solver, made when the first position needs it.
struct Searcher {
    game: Ruleset,
    means: Means,
    /// The most stones it was made for, and why it could not be.
    engine: Option<(u32, Result<Engine, String>)>,
}

impl Searcher {
    fn new(game: Ruleset, means: Means) -> Searcher {
        Searcher { game, means, engine: None }
    }

    /// A solver of positions of so many stones.
    fn engine(&mut self, stones: u32) -> Result<&mut Engine, String> {
        let most = stones.max(self.game.stones());
        if self.engine.as_ref().is_none_or(|(made_for, _)| *made_for < most) {
            // The memory of the old one goes first.
            self.engine = None;
            let made = self.means.resources.engine(&self.game, most, None);
            self.engine = Some((most, made.map_err(|reason| reason.to_string())));
        }
        match &mut self.engine {
            Some((_, Ok(engine))) => Ok(engine),
            Some((_, Err(reason))) => Err(reason.clone()),
            None => Err("there is no solver".to_owned()),
        }
    }
}

impl Search<Rules> for Searcher {
    fn answer(
        &mut self,
        rules: &Rules,
        position: Position,
        dashes: String,
    ) -> Result<Answer<Board>, String> {
        let (time, judges) = (self.means.time, self.means.judge);
        let game = self.game.clone();
        let start = Instant::now();
        let engine = self.engine(position.board().stones())?;
        let before = engine.effort().nodes;
        let bounds = engine.bounds_within(position.board(), time).map_err(|e| e.to_string())?;
        let [lower, upper] = bounds;
        let value = (lower == upper).then_some(lower);
        let bounds = Some(bounds);
        let mut judged = None;
        if judges && value.is_some() {
            let judgement = judge(rules, engine, &position);
            let judgement = engine.in_time(judgement).map_err(|e| e.to_string())?;
            judged = judgement
                .map(|judgement| Judged::new(&game, &position, dashes, &judgement, SEARCH));
        }
        let nodes = engine.effort().nodes - before;
        let searched = Some(Searched { nodes, seconds: start.elapsed().as_secs_f64() });
        Ok(Answer { position, value, bounds, source: SEARCH, searched, judged })
    }
}
