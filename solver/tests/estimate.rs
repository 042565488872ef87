//! Estimates: against the plain twin, against exact values, and on positions that show a rule.

use std::str::FromStr;

use games::notation::dash;
use games::toguz::Toguz;
use games::{Play, Playable, Player, Position, Rows, Rules, Ruleset, Setup};
use proptest::prelude::*;
use solver::estimate::plain::look_ahead;
use solver::estimate::{Analysis, Ending, Estimated, Limits, Scope, UNIT, analyse};
use solver::judge;
use tablebase::build::folder::build;
use tablebase::build::tuzdyks;
use tablebase::file::{Codec, Encoding};
use tablebase::index::{Index, Numbering, TuzdykIndex};
use tablebase::{NoTables, Tables};

const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;

fn limits(depth: u8) -> Limits<'static> {
    Limits { depth, step: 1, memory: 1 << 22, stop: NEVER }
}

fn position<R: Playable>(text: &str) -> Position<R::Board> {
    let setup = dash::parse(text).expect("a position");
    Position::pack(&setup, setup.pits[0].len()).expect("fits")
}

fn ruleset<R: Playable>(text: &str) -> Ruleset<R>
where
    Ruleset<R>: FromStr<Err: std::fmt::Debug>,
{
    text.parse().expect("a ruleset")
}

/// What an analysis of a position says.
fn toguz(text: &str, depth: u8) -> Analysis {
    let position = position::<Toguz>(text);
    let pits = dash::parse(text).expect("a position").pits[0].len();
    let rules = ruleset::<Toguz>(&format!("toguz:{pits}x1")).rules();
    let [south, north] = position.stores().map(i64::from);
    let lead = if position.to_move() == Player::South { south - north } else { north - south };
    analyse(&rules, &NoTables, position.board(), lead, Scope::Sowings, &limits(depth))
}

/// All scopes find what the twin finds, at every depth up to `depth`.
fn check<R: Estimated>(rules: &R, ending: &dyn Ending<R::Board>, board: R::Board, depth: u8) {
    let mut before: Option<[i32; 2]> = None;
    for depth in 1..=depth {
        let (estimate, bounds) = look_ahead(rules, ending, board, depth);
        let [lower, upper] = bounds.map(|bound| bound / UNIT);
        assert_eq!(bounds, [lower * UNIT, upper * UNIT]);
        assert!((bounds[0]..=bounds[1]).contains(&estimate), "{board:?} {depth}");
        if let Some(before) = before {
            assert!(before[0] <= lower && upper <= before[1], "{board:?} {depth}");
        }
        before = Some([lower, upper]);
        let find = |scope| analyse(rules, ending, board, 0, scope, &limits(depth));
        let analysis = find(Scope::Estimate);
        assert_eq!((analysis.depth, analysis.estimate), (depth, estimate), "{board:?}");
        for scope in [Scope::Value, Scope::Sowings] {
            let analysis = find(scope);
            assert_eq!(analysis.bounds, [lower, upper], "{board:?} {depth} {scope:?}");
            if analysis.depth == depth {
                assert_eq!(analysis.estimate, estimate, "{board:?} {depth} {scope:?}");
            } else {
                // What is proved needs no deeper look.
                assert_eq!(lower, upper, "{board:?} {depth} {scope:?}");
            }
        }
        if lower == upper {
            break;
        }
    }
}

/// A position some random sowings after the start.
fn after<R: Playable>(game: &Ruleset<R>, pits: &[prop::sample::Index]) -> R::Board {
    let rules = game.rules();
    let mut position = Position::start(game);
    for pit in pits {
        if rules.remainder(position.board()).is_some() {
            break;
        }
        let legal: Vec<usize> = rules.legal(position.board()).collect();
        position = position.sow(&rules, *pit.get(&legal)).0;
    }
    position.board()
}

fn pits() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..90)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn toguz_is_estimated_as_without_cuts(pits in pits()) {
        for (game, depth) in [("toguz", 4), ("toguz:5x6", 6), ("toguz:3x4", 7)] {
            let game = ruleset::<Toguz>(game);
            check(&game.rules(), &NoTables, after(&game, &pits), depth);
        }
    }

    #[test]
    fn bestemshe_is_estimated_as_without_cuts(pits in pits()) {
        for (game, depth) in [("bestemshe", 6), ("bestemshe:3x4", 8)] {
            let game = ruleset::<Rules>(game);
            check(&game.rules(), &NoTables, after(&game, &pits), depth);
        }
    }
}

/// Each sowing, and the position by them, is told what the twin finds of the board it leaves,
/// whether the search deepens by one or by two sowings and whatever it can remember.
fn check_sowings<R: Estimated>(
    rules: &R,
    ending: &dyn Ending<R::Board>,
    board: R::Board,
    depth: u8,
) {
    if rules.remainder(board).is_some() {
        return;
    }
    let (estimate, bounds) = look_ahead(rules, ending, board, depth);
    for (step, memory) in [(1, 1 << 20), (2, 1 << 20), (2, 0)] {
        let limits = Limits { depth, step, memory, stop: NEVER };
        let analysis = analyse(rules, ending, board, 0, Scope::Sowings, &limits);
        let told = analysis.bounds.map(|bound| bound * UNIT);
        if analysis.depth < depth {
            // What is proved needs no deeper look.
            assert_eq!((told, told[0]), (bounds, told[1]), "{board:?} {depth}");
            continue;
        }
        assert_eq!((analysis.estimate, told), (estimate, bounds), "{board:?} {depth} {step}");
        assert!(analysis.moves.iter().map(|sowing| sowing.pit).eq(rules.legal(board)));
        for sowing in &analysis.moves {
            let sown = rules.sow(board, sowing.pit);
            let won = (i32::from(sown.gain) - i32::from(sown.given)) * UNIT;
            let (estimate, [lower, upper]) = look_ahead(rules, ending, sown.board, depth - 1);
            let bounds = sowing.bounds.map(|bound| bound * UNIT);
            assert_eq!(sowing.estimate, won - estimate, "{board:?} {depth} {sowing:?}");
            assert_eq!(bounds, [won - upper, won - lower], "{board:?} {depth} {sowing:?}");
        }
    }
}

/// All boards of up to so many stones.
fn boards<I: Numbering>(pits: usize, most: u32) -> Vec<I::Board> {
    let index = I::new(pits, most);
    let layer = |stones| index.boards(stones, 0..index.positions(stones));
    (0..=most).flat_map(layer).collect()
}

/// The values of all boards of toguz of up to so many stones.
fn layers(game: &Ruleset<Toguz>, most: u32) -> tuzdyks::Builder {
    let mut layers = tuzdyks::Builder::new(game, most);
    (0..=most).for_each(|_| layers.fill_next(&|_| ()).expect("memory"));
    layers
}

/// All positions of small boards, also over tables of fewer stones.
#[test]
fn each_sowing_of_small_boards_is_worth_what_it_is_without_cuts() {
    for (pits, most, built, depths) in [(2, 6, 3, [4, 7]), (3, 4, 2, [3, 4]), (4, 3, 1, [2, 3])] {
        let game = ruleset::<Toguz>(&format!("toguz:{pits}x1"));
        let (rules, few) = (game.rules(), layers(&game, built));
        for board in boards::<TuzdykIndex>(pits, most) {
            for depth in depths {
                check_sowings(&rules, &NoTables, board, depth);
                check_sowings(&rules, &few, board, depth);
            }
        }
    }
    let game = ruleset::<Rules>("bestemshe:2x3");
    for board in boards::<Index>(2, 9) {
        for depth in [4, 7] {
            check_sowings(&game.rules(), &NoTables, board, depth);
        }
    }
}

/// What the search takes for the most of a sowing is no less than what the board after it is worth.
fn check_most_after<R: Estimated>(rules: &R, board: R::Board) {
    if rules.remainder(board).is_some() {
        return;
    }
    for pit in rules.legal(board) {
        let sown = rules.sow(board, pit);
        if i32::from(sown.gain) < R::other_stones(board) {
            assert_eq!(rules.remainder(sown.board), None, "{board:?} {pit}");
            let left = sown.board.stones() as i32;
            let most = rules.most_after(board, sown.gain.into(), left);
            let worth = -rules.evaluate(sown.board, left);
            assert!(worth <= most, "{board:?} {pit}: {worth}, more than {most}");
        }
    }
}

#[test]
fn boards_promise_no_less_than_they_are_worth() {
    for (pits, most) in [(2, 9), (3, 5), (4, 4)] {
        let rules = ruleset::<Toguz>(&format!("toguz:{pits}x1")).rules();
        for board in boards::<TuzdykIndex>(pits, most) {
            check_most_after(&rules, board);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn boards_of_games_promise_no_less_than_they_are_worth(pits in pits()) {
        let game = ruleset::<Toguz>("toguz");
        check_most_after(&game.rules(), after(&game, &pits));
        let game = ruleset::<Rules>("bestemshe");
        check_most_after(&game.rules(), after(&game, &pits));
    }
}

/// All that is told is the same, the nodes too, as threads share nothing that they search with.
#[test]
fn any_number_of_threads_finds_the_same() {
    fn check<R: Estimated>(game: &Ruleset<R>, board: R::Board, depth: u8) {
        let rules = game.rules();
        for (scope, memory) in
            [(Scope::Estimate, 1 << 22), (Scope::Value, 0), (Scope::Sowings, 1 << 24)]
        {
            let find = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let limits = Limits { depth, step: 2, memory, stop: NEVER };
                let find = || analyse(&rules, &NoTables, board, 0, scope, &limits);
                pool.expect("threads").install(find)
            };
            let alone = find(1);
            assert_eq!(alone.depth, depth);
            for threads in [2, 3, 8] {
                assert_eq!(find(threads), alone, "{board:?} {scope:?} {threads}");
            }
        }
    }
    let game = ruleset::<Toguz>("toguz");
    check(&game, Position::start(&game).board(), 7);
    check(&game, position::<Toguz>("5-6-7-5-6-7-6-6-4-2-1-8-7-5-7-6-7-8-30-29-S").board(), 6);
    let game = ruleset::<Rules>("bestemshe");
    check(&game, Position::start(&game).board(), 9);
}

/// Bounds hold, and over tables the search finds values that are not in them.
#[test]
fn what_is_proved_is_so() {
    let game = ruleset::<Rules>("bestemshe:3x3");
    let rules = game.rules();
    let built = |stones: u32| {
        let dir = tempfile::tempdir().expect("a folder");
        let encoding = Encoding::new(Codec::Byte);
        build(&game, stones, dir.path(), encoding, 1 << 30, &|_| ()).expect("built");
        let tables = Tables::open(dir.path(), &game, stones).expect("opened");
        (tables, dir)
    };
    let (all, _all_dir) = built(9);
    let (few, _few_dir) = built(6);
    let few = few.into_resident(1 << 20).expect("memory");
    let mut proved = [0; 2];
    for stones in 7..=9 {
        for number in (0..all.index().positions(stones)).step_by(37) {
            let board = all.index().board(stones, number);
            let value = all.value(board).expect("readable").expect("here");
            for (which, ending) in [&NoTables as &dyn Ending<_>, &few].into_iter().enumerate() {
                check(&rules, ending, board, 3);
                let analysis = analyse(&rules, ending, board, 0, Scope::Sowings, &limits(8));
                let [lower, upper] = analysis.bounds;
                assert!((lower..=upper).contains(&value), "{board:?}: {analysis:?}, not {value}");
                assert!(analysis.value().is_none_or(|proved| proved == value));
                proved[which] += u32::from(analysis.value().is_some());
                if let (Some(_), Some(&best)) = (analysis.value(), analysis.line.first()) {
                    let sowing = analysis.moves.iter().find(|sowing| sowing.pit == best);
                    assert_eq!(sowing.map(|sowing| sowing.bounds), Some([value; 2]));
                }
            }
        }
    }
    assert!(0 < proved[0] && proved[0] < proved[1], "{proved:?}");
}

#[test]
fn the_same_question_takes_the_same_nodes() {
    let start = |depth| toguz("9-9-9-9-9-9-9-9-9-9-9-9-9-9-9-9-9-9-0-0-S", depth);
    assert_eq!(start(7), start(7));
}

/// The line is legal, as long as the look ahead, and its end is where the estimate comes from.
#[test]
fn lines_lead_to_what_is_estimated() {
    let game = ruleset::<Toguz>("toguz");
    let rules = game.rules();
    let board = Position::start(&game).board();
    let analysis = analyse(&rules, &NoTables, board, 0, Scope::Sowings, &limits(6));
    assert_eq!(analysis.line.len(), 6);
    let (mut board, mut won, mut sign) = (board, 0, 1);
    for &pit in &analysis.line {
        assert!(rules.legal(board).any(|legal| legal == pit));
        let sown = rules.sow(board, pit);
        won += sign * (i32::from(sown.gain) - i32::from(sown.given)) * UNIT;
        (board, sign) = (sown.board, -sign);
    }
    let stones = board.stones() as i32;
    assert_eq!(won + sign * rules.evaluate(board, stones), analysis.estimate);
}

/// Pit 9 captures ten stones, which make 82, pit 5 only two.
#[test]
fn a_capture_that_wins_is_found_and_proved() {
    let text = "0-0-0-0-2-0-0-0-2-9-0-0-0-0-0-0-0-0-72-77-S";
    let analysis = toguz(text, 1);
    assert_eq!(analysis.line, [8]);
    // 82 of 162: more than half, whatever becomes of the rest.
    assert!(72 - 77 + analysis.bounds[0] > 0, "{analysis:?}");
}

/// A win that is proved comes before an estimate that promises more.
#[test]
fn a_certain_win_comes_first() {
    let text = "0-0-0-0-2-0-0-0-2-9-0-0-0-0-0-0-0-0-72-77-S";
    let analysis = toguz(text, 6);
    let best = analysis.moves.iter().find(|sowing| Some(&sowing.pit) == analysis.line.first());
    let best = best.expect("a best sowing");
    assert!(72 - 77 + best.bounds[0] > 0, "{analysis:?}");
}

/// Pit 5 makes one; pit 8 would capture eight stones.
#[test]
fn a_tuzdyk_is_made_where_it_is_best() {
    let text = "5-6-7-5-6-7-6-6-4-2-1-8-7-5-7-6-7-8-30-29-S";
    for depth in 1..=5 {
        let analysis = toguz(text, depth);
        assert_eq!(analysis.line[0], 4, "{depth}: {analysis:?}");
    }
}

#[test]
fn finished_games_have_their_value() {
    let analysis = toguz("0-0-0-0-1-2-0-0-0-0-S", 9);
    assert_eq!((analysis.value(), analysis.moves.len()), (Some(-3), 0));
    let analysis = toguz("0-0-0-1-0-0-0-0-0-0-S", 9);
    // North moves South's last stone on, and then South has none.
    assert_eq!((analysis.value(), &analysis.line[..]), (Some(-1), &[3, 0][..]));
}

/// However soon the search is stopped, one sowing is looked ahead.
#[test]
fn a_stopped_search_has_an_answer() {
    let game = ruleset::<Toguz>("toguz");
    let limits = Limits { depth: 200, step: 1, memory: 0, stop: &|| true };
    let board = Position::start(&game).board();
    let analysis = analyse(&game.rules(), &NoTables, board, 0, Scope::Sowings, &limits);
    assert!(analysis.depth >= 1);
    assert_eq!(analysis.moves.len(), 9);
}

/// The search over the lower layers finds the values of the higher ones.
#[test]
fn toguz_is_searched_over_tables() {
    let game = ruleset::<Toguz>("toguz:3x1");
    let rules = game.rules();
    let [all, few] = [5, 3].map(|most| layers(&game, most));
    let mut exact = 0;
    for board in boards::<TuzdykIndex>(3, 5) {
        let analysis = analyse(&rules, &few, board, 0, Scope::Value, &limits(7));
        let [lower, upper] = analysis.bounds;
        let value = Ending::value(&all, board);
        assert!((lower..=upper).contains(&value), "{board:?}: {analysis:?}");
        exact += u32::from(analysis.value().is_some());
    }
    assert!(exact > 1000, "{exact}");
}

/// A judged position of toguz: its value, a line of that value, and the stores after it.
#[test]
fn toguz_is_judged_by_tables() {
    let game = ruleset::<Toguz>("toguz:3x1");
    let dir = tempfile::tempdir().expect("a folder");
    build(&game, 5, dir.path(), Encoding::new(Codec::Packed), 1 << 30, &|_| ()).expect("built");
    let tables = Tables::open(dir.path(), &game, 5).expect("opened");
    let rules = game.rules();
    let mut ended = 0;
    for board in tables.index().boards(5, 0..tables.index().positions(5)) {
        let [(south, mine), (north, theirs)] = board.unpack(3);
        let (pits, tuzdyks, to_move) = ([south, north], [mine, theirs], Player::South);
        let setup = Setup { pits, tuzdyks, stores: [0; 2], to_move };
        let position = Position::pack(&setup, 3).expect("fits");
        let judgement = judge(&rules, &mut &tables, &position).expect("readable");
        assert_eq!(tables.value(board).expect("readable"), Some(judgement.value));
        let mut play = Play::new(&game, &rules, position);
        play.line(&judgement.line).expect("a legal line");
        assert_eq!(play.final_stores(), judgement.stores, "{board:?}");
        if let Some([south, north]) = judgement.stores {
            assert_eq!(south as i32 - north as i32, judgement.value, "{board:?}");
            ended += 1;
        }
    }
    assert!(ended > 100, "{ended}");
}
