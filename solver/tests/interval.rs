//! Judgements by bounds against rules of repetition played out with the whole history.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use games::{Board, Finish, Game, Play, Player, Position, Rules, Ruleset, Setup};
use solver::{Bounded, judge_bounds};
use tablebase::BoundTables;
use tablebase::build::folder::{Plan, What};
use tablebase::file::{Codec, Encoding};

fn bounds(ruleset: &Ruleset, stones: u32, dir: &Path) -> BoundTables {
    let plan = Plan {
        ruleset,
        stones,
        what: What::Bounds,
        tables: dir,
        encoding: Encoding::new(Codec::Byte),
        memory: 1 << 30,
        keep_every: Duration::from_secs(600),
    };
    plan.run(&|_| ()).expect("built");
    BoundTables::open(dir, ruleset, stones).expect("opened").expect("there")
}

fn position(board: Board, pits: usize) -> Position {
    let pits_of = [board.mover, board.other].map(|side| side.iter(pits).collect());
    let setup = Setup { pits: pits_of, tuzdyks: [None; 2], stores: [0; 2], to_move: Player::South };
    Position::new(&setup, pits).expect("fits")
}

/// What the mover of a board has of it when a repetition ends the game, less what his opponent has.
type Award = fn(Board) -> i32;

/// The game under a rule of repetition, with the history of the layer.
struct Repetition<'a> {
    rules: &'a Rules,
    /// The occurrence that ends the game.
    ends_at: u32,
    /// What the mover of the board then has of it, less what his opponent has.
    award: Award,
    /// Positions that may still be looked at.
    left: u32,
}

impl Repetition<'_> {
    /// The value of a board to move from, given how often boards of the layer have occurred with
    /// each player to move; `None` if that takes too long.
    fn value(
        &mut self,
        place: (Board, bool),
        seen: &mut HashMap<(Board, bool), u32>,
    ) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        let (board, player) = place;
        if let Some(remainder) = self.rules.remainder(board) {
            return Some(remainder.value());
        }
        let occurrences = seen.get(&place).copied().unwrap_or(0) + 1;
        if occurrences == self.ends_at {
            return Some((self.award)(board));
        }
        seen.insert(place, occurrences);
        let mut best = None;
        for pit in self.rules.legal(board) {
            let value = self.sowing(board, pit, player, seen)?;
            best = best.max(Some(value));
        }
        seen.insert(place, occurrences - 1);
        best
    }

    fn sowing(
        &mut self,
        board: Board,
        pit: usize,
        player: bool,
        seen: &mut HashMap<(Board, bool), u32>,
    ) -> Option<i32> {
        let sown = self.rules.sow(board, pit);
        let next = (sown.board, !player);
        let value = if sown.board.stones() < board.stones() {
            self.value(next, &mut HashMap::new())
        } else {
            self.value(next, seen)
        };
        Some(sown.value(value?))
    }
}

/// What each player holds on his own side.
fn own_side(board: Board) -> i32 {
    board.mover.stones() as i32 - board.other.stones() as i32
}

/// Something else on each board, as a court of hares might have it.
fn whimsical(board: Board) -> i32 {
    let stones = board.stones() as i32;
    let mixed = board.mover.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ board.other.bits() << 7;
    (mixed % (2 * stones as u64 + 1)) as i32 - stones
}

/// The theorem of `tablebase::bounds`, played out: for the position under any such rule, for each
/// sowing if a third occurrence is needed.
#[test]
fn bounds_hold_under_rules_of_repetition_played_out() {
    let cases: [(u32, Award); 4] = [(3, own_side), (2, own_side), (2, whimsical), (3, whimsical)];
    for (ends_at, award) in cases {
        let (mut apart, mut meeting) = (0, 0);
        for (name, stones) in [
            ("awari:2x1", 5),
            ("oware:2x1", 5),
            ("oware:2x1,slam=takes-all", 4),
            ("awari:1x1", 8),
            ("oware:3x1", 3),
        ] {
            let ruleset: Ruleset = name.parse().expect("a ruleset");
            let dir = tempfile::tempdir().expect("a folder");
            let tables = bounds(&ruleset, stones, dir.path());
            let rules = ruleset.rules();
            for number in 0..tables.index().positions(stones) {
                let board = tables.index().board(stones, number);
                let judged =
                    judge_bounds(&rules, &tables, &position(board, ruleset.pits())).expect("there");
                let mut game = Repetition { rules: &rules, ends_at, award, left: 20_000 };
                let Some(value) = game.value((board, true), &mut HashMap::new()) else {
                    continue;
                };
                let within = |bounds: tablebase::Interval, value: i32| {
                    bounds.lower <= value && value <= bounds.upper
                };
                assert!(within(judged.bounds, value), "{name} {ends_at} {board:?}: {value}");
                match judged.bounds.value() {
                    Some(_) => meeting += 1,
                    None => apart += 1,
                }
                if ends_at < 3 {
                    continue;
                }
                for sowing in &judged.moves {
                    let mut game = Repetition { rules: &rules, ends_at, award, left: 20_000 };
                    let mut seen = HashMap::from([((board, true), 1)]);
                    let value = game.sowing(board, sowing.pit, true, &mut seen);
                    let holds = value.is_none_or(|value| within(sowing.bounds, value));
                    assert!(holds, "{name} {board:?} {sowing:?}: {value:?}");
                }
            }
        }
        assert!(apart > 50 && meeting > 50, "{ends_at}: {apart} {meeting}");
    }
}

/// Where the bounds meet, best play ends without a position occurring three times, and its stores
/// differ by the value; elsewhere some sowing keeps each bound.
#[test]
fn lines_cash_bounds_that_meet() {
    for (name, stones) in [("oware:6x4", 6), ("oware:3x4", 8), ("awari:2x4", 12)] {
        let own_side = format!("{name},repetition=own-side");
        let ruleset: Ruleset = own_side.parse().expect("a ruleset");
        let dir = tempfile::tempdir().expect("a folder");
        let tables = bounds(&ruleset, stones, dir.path());
        let rules = ruleset.rules();
        let mut met = [0; 3];
        for number in 0..tables.index().positions(stones) {
            let position = position(tables.index().board(stones, number), ruleset.pits());
            let judged = judge_bounds(&rules, &tables, &position).expect("there");
            let over = rules.remainder(position.board()).is_some();
            assert!(over || judged.keeping_lower().next().is_some(), "{position:?}");
            assert!(over || judged.keeping_upper().next().is_some(), "{position:?}");
            let Some(value) = judged.bounds.value() else {
                assert!(judged.line.turns().is_empty() && judged.stores.is_none());
                continue;
            };
            check_line(&ruleset, &rules, position, &judged, value);
            met[(value.signum() + 1) as usize] += u32::from(!over);
        }
        assert!(met.iter().all(|&met| met > 0), "{name}: {met:?}");
    }
}

fn check_line(ruleset: &Ruleset, rules: &Rules, position: Position, judged: &Bounded, value: i32) {
    let mut play = Play::new(ruleset, rules, position);
    play.line(&judged.line).expect("best play is legal");
    assert_eq!(play.finish(), Some(Finish::Board), "{position:?}");
    assert_eq!(play.final_stores(), judged.stores, "{position:?}");
    let [south, north] = judged.stores.expect("it ends");
    assert_eq!(south as i32 - north as i32, value, "{position:?}");
}
