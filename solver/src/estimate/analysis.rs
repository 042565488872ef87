//! Deepening, and what is told of a position.

use std::cmp::Reverse;

use games::Rows;
use rayon::prelude::*;

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::question::{Question, View};

/// The most sowings that are looked ahead.
pub const MAX_DEPTH: u8 = 250;

/// When an analysis ends.
pub struct Limits<'a> {
    /// The most sowings looked ahead, from 1 to [`MAX_DEPTH`].
    pub depth: u8,
    /// How many sowings are added at a time, 1 or 2. By 2 it takes three quarters of the time to
    /// one depth; by 1 it gets further in a given time.
    pub step: u8,
    /// Bytes that the transposition tables may take.
    pub memory: u64,
    /// Whether to stop now; asked now and then by every thread, but not before the first look ahead.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Limits<'_> {
    /// How far is looked ahead, again and again: at last `depth` sowings.
    fn depths(&self) -> impl Iterator<Item = u8> {
        let (depth, step) = (self.depth.clamp(1, MAX_DEPTH), self.step.max(1));
        ((depth - 1) % step + 1..=depth).step_by(step.into())
    }
}

/// What is wanted of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The estimate of the position alone; nothing is proved.
    Estimate,
    /// The estimate of the position and bounds of its value.
    Value,
    /// The worth of each sowing as well, and a line.
    Sowings,
}

impl Scope {
    /// What is asked of a board, the estimate first.
    fn views(self) -> &'static [View] {
        match self {
            Scope::Estimate => &[View::Guess],
            Scope::Value | Scope::Sowings => &[View::Guess, View::Lower, View::Upper],
        }
    }
}

/// What a sowing seems to be worth to the sower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sowing {
    /// The pit sown (0 is the mover's leftmost).
    pub pit: usize,
    /// Its estimate, in [units](UNIT).
    pub estimate: i32,
    /// Proved bounds of its value, in stones.
    pub bounds: [i32; 2],
    /// Stones captured.
    pub captured: u8,
}

/// What is known and guessed of a position, for the player to move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Analysis {
    /// Sowings looked ahead.
    pub depth: u8,
    /// What the position seems to be worth, in [units](UNIT).
    pub estimate: i32,
    /// Proved bounds of its value, in stones.
    pub bounds: [i32; 2],
    /// All sowings, by pit; none if the game is over or [`Scope::Value`] was asked for.
    pub moves: Vec<Sowing>,
    /// The best pit and what is expected to follow; none where there are no `moves`.
    pub line: Vec<usize>,
    /// Boards seen.
    pub nodes: u64,
    /// Values looked up.
    pub probes: u64,
}

impl Analysis {
    /// The exact value, if it is proved.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        (self.bounds[0] == self.bounds[1]).then_some(self.bounds[0])
    }
}

/// Looks ahead ever further until a limit is reached or the value is proved. `lead` is what the
/// player to move is ahead in the stores: among the sowings, those come first that are proved to win.
///
/// The threads of the pool that this is called in share the work; what is found, and the nodes that
/// it takes, are the same for any number of them.
#[must_use]
pub fn analyse<R: Estimated>(
    rules: &R,
    ending: &dyn Ending<R::Board>,
    board: R::Board,
    lead: i64,
    scope: Scope,
    limits: &Limits<'_>,
) -> Analysis {
    let roots = roots(rules, board, scope);
    let views = scope.views();
    let share = limits.memory / (roots.len() * views.len()) as u64;
    let question = |asked| Question::new((rules, ending), asked, share, limits.stop);
    let asked = roots.iter().flat_map(|root| views.iter().map(|&view| (root.board, view)));
    let mut questions: Vec<_> = asked.map(question).collect();
    let mut analysis = Analysis::default();
    for depth in limits.depths() {
        let is_first = analysis.depth == 0;
        if !is_first && (limits.stop)() {
            break;
        }
        let answers: Option<Vec<i32>> = questions
            .par_iter_mut()
            .with_max_len(1)
            .map(|question| question.ask(depth - roots[0].sown(), is_first))
            .collect();
        let Some(answers) = answers else { break };
        analysis = told(depth, &roots, answers.chunks_exact(views.len()));
        if analysis.value().is_some() {
            break;
        }
    }
    let merit = |&at: &usize| merit(&analysis.moves[at], lead);
    if let Some(best) = (0..analysis.moves.len()).max_by_key(merit) {
        let follows = questions[best * views.len()].line(analysis.depth - 1);
        analysis.line = [&[analysis.moves[best].pit], &follows[..]].concat();
    }
    analysis.nodes = questions.iter().map(Question::nodes).sum();
    analysis.probes = questions.iter().map(Question::probes).sum();
    analysis
}

/// A board that questions are asked about.
struct Root<B> {
    board: B,
    /// What leads to it, with nothing proved and guessed yet; `None` for the position itself.
    sowing: Option<Sowing>,
}

impl<B> Root<B> {
    /// Sowings from the position to the board.
    fn sown(&self) -> u8 {
        self.sowing.is_some().into()
    }
}

/// The boards that an analysis asks about: the one after each sowing if these are to be told.
fn roots<R: Estimated>(rules: &R, board: R::Board, scope: Scope) -> Vec<Root<R::Board>> {
    if scope != Scope::Sowings || rules.remainder(board).is_some() {
        return vec![Root { board, sowing: None }];
    }
    let root = |pit| {
        let sown = rules.sow(board, pit);
        let (estimate, bounds) = (sown.won() * UNIT, [sown.won(); 2]);
        let sowing = Sowing { pit, estimate, bounds, captured: sown.captured };
        Root { board: sown.board, sowing: Some(sowing) }
    };
    rules.legal(board).map(root).collect()
}

/// Puts together what was answered about each root, in the order of [`Scope::views`].
fn told<'a, B: Rows>(
    depth: u8,
    roots: &[Root<B>],
    answers: impl Iterator<Item = &'a [i32]>,
) -> Analysis {
    let mut analysis = Analysis { depth, ..Analysis::default() };
    for (root, answers) in roots.iter().zip(answers) {
        let (estimate, bounds) = match *answers {
            [estimate, lower, upper] => (estimate, [lower / UNIT, upper / UNIT]),
            _ => (answers[0], all_of(root.board)),
        };
        match root.sowing {
            None => return Analysis { estimate, bounds, ..analysis },
            Some(sowing) => analysis.moves.push(Sowing {
                estimate: sowing.estimate - estimate,
                bounds: [sowing.bounds[0] - bounds[1], sowing.bounds[1] - bounds[0]],
                ..sowing
            }),
        }
    }
    let most = |of: fn(&Sowing) -> i32| analysis.moves.iter().map(of).max().unwrap_or(0);
    let bounds = [most(|sowing| sowing.bounds[0]), most(|sowing| sowing.bounds[1])];
    Analysis { estimate: most(|sowing| sowing.estimate), bounds, ..analysis }
}

/// Bounds of a value of which nothing is proved.
fn all_of<B: Rows>(board: B) -> [i32; 2] {
    let all = board.stones() as i32;
    [-all, all]
}

/// How good a sowing is: by the result that is proved, then by the estimate, then by the value
/// that is proved; of equal ones the lowest pit is the best.
fn merit(sowing: &Sowing, lead: i64) -> (i64, i32, i32, Reverse<usize>) {
    let result = sowing.bounds.map(|bound| (i64::from(bound) + lead).signum());
    (result.iter().sum(), sowing.estimate, sowing.bounds[0], Reverse(sowing.pit))
}
