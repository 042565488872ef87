//! The packed rules equal the plain twin.

mod common;

use games::{Game, Position, Rules, Ruleset, Setup, plain};
use proptest::prelude::*;

/// Compares everything the rules say of a position.
fn compare(ruleset: &Ruleset, rules: &Rules, setup: &Setup) {
    let position = Position::new(setup, ruleset.pits()).expect("fits");
    let board = position.board();
    let remainder = plain::remainder(ruleset, setup);
    assert_eq!(rules.remainder(board), remainder, "{ruleset} {setup:?}");
    if remainder.is_none() {
        let legal: Vec<usize> = rules.legal(board).collect();
        assert_eq!(legal, plain::legal(ruleset, setup), "{ruleset} {setup:?}");
        assert!(!legal.is_empty(), "{ruleset} {setup:?}: neither finished nor anything to sow");
    }
    for pit in board.mover.occupied() {
        let expected = plain::sow(ruleset, setup, pit);
        let (after, sown) = position.sow(rules, pit);
        assert_eq!(after.setup(ruleset.pits()), expected.setup, "{ruleset} {setup:?} {pit}");
        let outcome = (u32::from(sown.gain), u32::from(sown.captured), sown.again);
        assert_eq!(
            outcome,
            (expected.gain, expected.captured, expected.again),
            "{ruleset} {setup:?} {pit}"
        );
    }
}

#[test]
fn every_position_of_small_layers_under_every_option() {
    // Few pits with many stones lap the board; six pits are the usual board.
    for (pits, stones) in [(1, 40), (2, 15), (3, 9), (4, 6), (5, 5), (6, 5)] {
        for ruleset in common::games_on_sides().flat_map(|spec| common::rulesets(spec, pits)) {
            let rules = ruleset.rules();
            common::each_row(&mut vec![0; 2 * pits], 0, stones, &mut |row| {
                let setup = common::setup_of_row(row);
                compare(&ruleset, &rules, &setup);
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_position_of_up_to_127_stones((ruleset, setup) in common::ruleset_and_setup()) {
        compare(&ruleset, &ruleset.rules(), &setup);
    }
}
