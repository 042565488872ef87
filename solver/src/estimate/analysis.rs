//! Deepening, and what is told of a position.

use std::cmp::Reverse;

use games::Rows;

use super::ending::Ending;
use super::evaluation::{Estimated, UNIT};
use super::horizon::{Guess, Lower, Upper};
use super::search::Search;

/// The most sowings that are looked ahead.
pub const MAX_DEPTH: u8 = 250;

/// When an analysis ends.
pub struct Limits<'a> {
    /// The most sowings looked ahead, from 1 to [`MAX_DEPTH`].
    pub depth: u8,
    /// Bytes that the transposition table may take.
    pub memory: u64,
    /// Whether to stop now; asked now and then, but not before one sowing was looked ahead.
    pub stop: &'a dyn Fn() -> bool,
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

/// Looks ahead ply by ply until a limit is reached or the value is proved. `lead` is what the
/// player to move is ahead in the stores: among the sowings, those come first that are proved to win.
#[must_use]
pub fn analyse<R: Estimated>(
    rules: &R,
    ending: &dyn Ending<R::Board>,
    board: R::Board,
    lead: i64,
    scope: Scope,
    limits: &Limits<'_>,
) -> Analysis {
    let mut analyst = Analyst {
        rules,
        lead,
        guess: Search::new(rules, ending, limits.memory / 2, limits.stop),
        proof: Search::new(rules, ending, limits.memory / 2, limits.stop),
    };
    let mut analysis = Analysis::default();
    for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
        if depth > 1 && (limits.stop)() {
            break;
        }
        let next = match scope {
            Scope::Estimate => analyst.estimate(board, depth),
            Scope::Value => analyst.position(board, depth),
            Scope::Sowings => analyst.sowings(board, depth),
        };
        let Some(next) = next else { break };
        analysis = next;
        if analysis.value().is_some() {
            break;
        }
        analyst.deepen();
    }
    if let Some(best) = analysis.moves.iter().max_by_key(|sowing| analyst.merit(sowing)) {
        analysis.line = analyst.line(board, best, analysis.depth);
    }
    analysis.nodes = analyst.guess.nodes + analyst.proof.nodes;
    analysis.probes = analyst.guess.probes + analyst.proof.probes;
    analysis
}

struct Analyst<'a, R: Estimated> {
    rules: &'a R,
    lead: i64,
    guess: Search<'a, R>,
    /// Of its own, so that bounds do not push estimates out of the table.
    proof: Search<'a, R>,
}

impl<R: Estimated> Analyst<'_, R> {
    /// From now on the search may be stopped.
    fn deepen(&mut self) {
        for search in [&mut self.guess, &mut self.proof] {
            search.deepen();
            search.may_stop = true;
        }
    }

    /// The estimate of a board in units.
    fn estimate(&mut self, board: R::Board, depth: u8) -> Option<Analysis> {
        let all = board.stones() as i32;
        let estimate = self.guess.value::<Guess>(board, depth, -all * UNIT, all * UNIT);
        let bounds = [-all, all];
        (!self.guess.stopped).then_some(Analysis { depth, estimate, bounds, ..Analysis::default() })
    }

    /// The estimate of a board in units and bounds of its value in stones; `None` if stopped.
    fn position(&mut self, board: R::Board, depth: u8) -> Option<Analysis> {
        let analysis = self.estimate(board, depth)?;
        let all = board.stones() as i32 * UNIT;
        let lower = self.proof.value::<Lower>(board, depth, -all, all) / UNIT;
        let upper = self.proof.value::<Upper>(board, depth, -all, all) / UNIT;
        (!self.proof.stopped).then_some(Analysis { bounds: [lower, upper], ..analysis })
    }

    /// The same of each sowing, and of the position by them.
    fn sowings(&mut self, board: R::Board, depth: u8) -> Option<Analysis> {
        if self.rules.remainder(board).is_some() {
            return self.position(board, depth);
        }
        let mut moves = Vec::new();
        for pit in self.rules.legal(board) {
            let sown = self.rules.sow(board, pit);
            let after = self.position(sown.board, depth - 1)?;
            let gain = i32::from(sown.gain) - i32::from(sown.given);
            let [lower, upper] = after.bounds;
            moves.push(Sowing {
                pit,
                estimate: gain * UNIT - after.estimate,
                bounds: [gain - upper, gain - lower],
                captured: sown.captured,
            });
        }
        let most = |of: fn(&Sowing) -> i32| moves.iter().map(of).max().unwrap_or(0);
        Some(Analysis {
            depth,
            estimate: most(|sowing| sowing.estimate),
            bounds: [most(|sowing| sowing.bounds[0]), most(|sowing| sowing.bounds[1])],
            moves,
            ..Analysis::default()
        })
    }

    /// How good a sowing is: by the result that is proved, then by the estimate, then by the value
    /// that is proved; of equal ones the lowest pit is the best.
    fn merit(&self, sowing: &Sowing) -> (i64, i32, i32, Reverse<usize>) {
        let result = sowing.bounds.map(|bound| (i64::from(bound) + self.lead).signum());
        (result.iter().sum(), sowing.estimate, sowing.bounds[0], Reverse(sowing.pit))
    }

    /// A sowing and what follows when both play for the estimate. The search has just been there,
    /// so its table answers almost all.
    fn line(&mut self, board: R::Board, first: &Sowing, depth: u8) -> Vec<usize> {
        self.guess.may_stop = false;
        self.guess.stopped = false;
        let mut line = vec![first.pit];
        let mut board = self.rules.sow(board, first.pit).board;
        for depth in (1..depth).rev() {
            let Some(pit) = self.best_pit(board, depth) else { break };
            line.push(pit);
            board = self.rules.sow(board, pit).board;
        }
        line
    }

    /// The first pit that attains the estimate of a board.
    fn best_pit(&mut self, board: R::Board, depth: u8) -> Option<usize> {
        if self.rules.remainder(board).is_some() {
            return None;
        }
        let all = board.stones() as i32 * UNIT;
        let value = self.guess.value::<Guess>(board, depth, -all, all);
        self.rules.legal(board).find(|&pit| {
            let sown = self.rules.sow(board, pit);
            let gain = i32::from(sown.gain) - i32::from(sown.given);
            let wanted = gain * UNIT - value;
            self.guess.value::<Guess>(sown.board, depth - 1, wanted, wanted + 1) <= wanted
        })
    }
}
