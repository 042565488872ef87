//! Toguz kumalak: each rule by example, and the packed rules against the plain twin.

mod common;

use games::notation::{AnyLine, dash, fen, parse_setup};
use games::toguz::{Board, Toguz};
use games::{Finish, Last, Play, Playable, Player, Position, Rows, Ruleset, Setup, plain};
use proptest::prelude::*;

type ToguzPosition = Position<Board>;

fn ruleset(pits: usize, options: &str) -> Ruleset<Toguz> {
    format!("toguz:{pits}x1{options}").parse().expect("a ruleset")
}

fn position(text: &str) -> (ToguzPosition, usize) {
    let setup = dash::parse(text).expect("a position");
    let pits = setup.pits[0].len();
    (Position::pack(&setup, pits).expect("fits"), pits)
}

/// Sows one pit (numbered from 1): the position reached and the stones captured.
fn sow(text: &str, pit: usize) -> (String, u8) {
    let (position, pits) = position(text);
    let (after, sown) = position.sow(&ruleset(pits, "").rules(), pit - 1);
    assert_eq!(after.total(), position.total());
    (dash::format(&after.setup(pits)), sown.captured)
}

fn reached(text: &str, captured: u8) -> (String, u8) {
    (text.to_owned(), captured)
}

/// Why and how the game ends after a line.
fn end(options: &str, text: &str, line: &str) -> Option<(Finish, [u32; 2])> {
    let (position, pits) = position(text);
    let ruleset = ruleset(pits, options);
    let rules = ruleset.rules();
    let mut play = Play::new(&ruleset, &rules, position);
    play.any_line(&line.parse::<AnyLine>().expect("a line")).expect("a legal line");
    play.finish().zip(play.final_stores())
}

#[test]
fn of_two_or_more_stones_the_first_goes_back_and_a_single_stone_moves_on() {
    assert_eq!(sow("2-1-0-0-1-0-0-0-0-0-S", 1), reached("1-2-0-0-1-0-0-0-0-0-N", 0));
    assert_eq!(sow("1-1-0-0-1-0-0-0-0-0-S", 1), reached("0-2-0-0-1-0-0-0-0-0-N", 0));
    assert_eq!(sow("0-0-0-1-0-0-0-0-0-0-S", 4), reached("0-0-0-0-1-0-0-0-0-0-N", 0));
}

#[test]
fn laps_pass_through_every_pit_and_no_store() {
    assert_eq!(sow("9-0-0-0-0-0-0-0-0-0-S", 1), reached("2-1-1-1-1-1-1-1-0-0-N", 0));
}

#[test]
fn an_opponents_pit_that_becomes_even_is_captured() {
    assert_eq!(sow("0-0-0-2-1-0-0-0-0-0-S", 4), reached("0-0-0-1-0-0-0-0-2-0-N", 2));
    assert_eq!(sow("0-0-0-2-4-1-0-0-0-0-S", 4), reached("0-0-0-1-5-1-0-0-0-0-N", 0));
    // Also in the ninth pit, and for North.
    assert_eq!(sow("0-0-0-5-0-0-0-3-0-0-S", 4), reached("0-0-0-1-1-1-1-0-4-0-N", 4));
    assert_eq!(sow("1-0-0-0-0-0-0-2-0-7-N", 4), reached("0-0-0-0-0-0-0-1-0-9-S", 2));
}

#[test]
fn an_opponents_pit_of_three_becomes_a_tuzdyk() {
    assert_eq!(sow("0-0-0-2-2-1-0-0-0-0-S", 4), reached("0-0-0-1-t-1-0-0-3-0-N", 0));
    assert_eq!(sow("2-0-0-1-0-0-0-2-0-0-N", 4), reached("t-0-0-1-0-0-0-1-0-3-S", 0));
}

#[test]
fn the_last_pit_becomes_no_tuzdyk_and_keeps_its_three_stones() {
    assert_eq!(sow("0-0-0-5-0-0-0-2-0-0-S", 4), reached("0-0-0-1-1-1-1-3-0-0-N", 0));
    let ninth = "0-0-0-0-0-0-0-0-10-0-0-0-0-0-0-0-0-2-0-0-S";
    assert_eq!(sow(ninth, 9), reached("0-0-0-0-0-0-0-0-1-1-1-1-1-1-1-1-1-3-0-0-N", 0));
}

#[test]
fn a_player_has_one_tuzdyk() {
    assert_eq!(sow("0-0-0-2-2-t-0-1-0-0-S", 4), reached("0-0-0-1-3-t-0-1-0-0-N", 0));
}

#[test]
fn the_tuzdyks_have_different_numbers() {
    assert_eq!(sow("t-0-0-2-2-1-0-0-0-0-S", 4), reached("t-0-0-1-3-1-0-0-0-0-N", 0));
    assert_eq!(sow("0-t-0-2-2-1-0-0-0-0-S", 4), reached("0-t-0-1-t-1-0-0-3-0-N", 0));
    // Numbers count from each owner's left, so opposite pits have different ones.
    assert_eq!(sow("0-0-t-3-1-2-0-0-0-0-S", 4), reached("0-0-t-1-2-t-0-0-3-0-N", 0));
}

#[test]
fn stones_that_fall_into_a_tuzdyk_go_to_its_owner_from_either_side() {
    assert_eq!(sow("0-0-0-3-t-4-0-0-0-0-S", 4), reached("0-0-0-1-t-5-0-0-1-0-N", 0));
    assert_eq!(sow("4-4-4-4-t-0-0-6-0-0-N", 4), reached("5-5-5-5-t-0-0-1-1-0-S", 0));
    assert_eq!(sow("0-2-t-0-1-0-0-0-0-0-S", 2), reached("0-1-t-0-1-0-0-0-0-1-N", 0));
    // Both tuzdyks, each twice, while the last stone captures.
    let both = "18-0-t-0-0-t-0-1-0-0-S";
    assert_eq!(sow(both, 1), reached("3-3-t-2-2-t-2-3-2-2-N", 0));
    let (after, sown) = position(both).0.sow(&ruleset(4, "").rules(), 0);
    assert_eq!((sown.gain, sown.given, after.stores()), (2, 2, [2, 2]));
}

#[test]
fn a_tuzdyk_is_not_captured() {
    assert_eq!(sow("0-0-0-2-t-1-0-0-0-0-S", 4), reached("0-0-0-1-t-1-0-0-1-0-N", 0));
    // Two stones have fallen there, an even number.
    assert_eq!(sow("0-0-0-10-t-0-0-0-0-0-S", 4), reached("1-1-1-2-t-1-1-1-2-0-N", 0));
    // Three have: it stays what it is.
    assert_eq!(sow("0-0-0-18-t-0-0-0-0-0-S", 4), reached("2-2-2-3-t-2-2-2-3-0-N", 0));
}

#[test]
fn a_tuzdyk_is_not_played() {
    let (position, pits) = position("2-t-0-1-1-0-0-0-0-0-S");
    let ruleset = ruleset(pits, "");
    let rules = ruleset.rules();
    assert_eq!(rules.legal(position.board()).collect::<Vec<_>>(), [0, 3]);
    let error = Play::new(&ruleset, &rules, position).sow(1).expect_err("illegal").to_string();
    assert_eq!(error, "pit 2 of South is a tuzdyk of North, which is never sown from");
}

#[test]
fn stop_82_ends_play_at_82() {
    let from = |store| format!("0-0-0-0-0-0-0-0-2-1-0-0-0-0-0-0-0-{}-{store}-2-S", 157 - store);
    assert_eq!(end("", &from(80), "9"), Some((Finish::Majority, [82, 2])));
    assert_eq!(end("", &from(79), "9"), None);
    assert_eq!(end(",stop=none", &from(80), "9"), None);
    assert_eq!(end(",stop=majority", &from(80), "9"), Some((Finish::Majority, [82, 2])));
    assert_eq!(
        end(",stop=majority", "0-0-0-2-1-0-0-1-2-0-S", "4"),
        Some((Finish::Majority, [4, 0]))
    );
}

#[test]
fn without_stones_to_move_the_other_keeps_his_rest() {
    assert_eq!(end("", "0-0-0-2-1-0-0-0-0-0-S", "4"), Some((Finish::Board, [3, 0])));
    assert_eq!(end("", "0-0-0-0-1-2-0-3-0-0-S", ""), Some((Finish::Board, [0, 6])));
    // The opponent may be without stones while the mover has some.
    assert_eq!(end("", "1-0-0-0-0-0-0-0-0-0-S", ""), None);
}

#[test]
fn eighty_one_each_is_a_draw() {
    let last = "1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-80-81-N";
    assert_eq!(end("", last, ""), Some((Finish::Board, [81, 81])));
}

#[test]
fn the_line_of_the_playstrategy_notation() {
    for (options, line, reached) in [
        (
            "toguz",
            "f1e2 d2e1 i1a2 b2i1 b1g2 f2e1",
            "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4",
        ),
        ("toguz", "", "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"),
    ] {
        let ruleset: Ruleset<Toguz> = options.parse().expect("a ruleset");
        common::plays_to_fen(&ruleset, line, reached);
    }
    let ruleset: Ruleset = "bestemshe".parse().expect("a ruleset");
    let line = "c1d2 c2b1 c1d1 b2d1 e1a2 e2b1 c1d1 c2a2 e1e2 d2c2 a1c2";
    common::plays_to_fen(&ruleset, line, "2S,4S,3S,2S,1S/1S,1S,1S,2S,1S 16 16 N 6");
}

#[test]
fn a_wrong_position_says_what_is_wrong() {
    for (text, error) in [
        ("1-t-1-1-0-0-S", "pit 2 of South cannot be a tuzdyk: it is the last of its row"),
        ("t-t-1-1-0-0-S", "field 2 of the position: a row has at most one tuzdyk"),
        ("1-1-1-1-t-0-S", "field 5 of the position: `t` is not a number"),
        ("t,t/2 0 0 S 1", "in the row of North, item 2: a row has at most one tuzdyk"),
        ("t,1S/2 0 0 S 1", "pit 2 of North cannot be a tuzdyk: it is the last of its row"),
        ("100-62-1-0-0-0-S", "163 stones on the board: at most 162 fit"),
    ] {
        let found = parse_setup(text).map_err(|error| error.to_string());
        let found = found.and_then(|setup| {
            Position::<Board>::pack(&setup, 2).map_err(|error| error.to_string())
        });
        let found = found.expect_err(text);
        assert!(found.starts_with(error), "{text}: {found}");
    }
    let same = dash::parse("t-0-0-t-0-0-0-0-S").expect("a position");
    let error = Position::<Board>::pack(&same, 3).expect_err("same numbers").to_string();
    assert_eq!(error, "pit 1 of both players is a tuzdyk, but tuzdyks have different numbers");
    let mut full = same.clone();
    (full.tuzdyks, full.pits[0][0]) = ([Some(0), None], 2);
    let error = Position::<Board>::pack(&full, 3).expect_err("stones").to_string();
    assert_eq!(error, "pit 1 of South is a tuzdyk and cannot hold stones");
}

/// Compares everything the rules say of a position.
fn compare(ruleset: &Ruleset<Toguz>, rules: &Toguz, setup: &Setup) {
    let pits = ruleset.pits();
    let position = ToguzPosition::pack(setup, pits).expect("fits");
    assert_eq!(position.setup(pits), *setup);
    let board = position.board();
    assert_eq!(u64::from(board.stones()), setup.on_board());
    assert_eq!(board.flipped().flipped(), board);
    let remainder = plain::remainder(ruleset, setup);
    assert_eq!(rules.remainder(board), remainder, "{setup:?}");
    let legal: Vec<usize> = rules.legal(board).collect();
    assert_eq!(legal, plain::legal(ruleset, setup), "{setup:?}");
    assert_eq!(legal.is_empty(), remainder.is_some());
    assert_eq!(rules.legal(board).len(), legal.len());
    assert!(rules.legal(board).rev().eq(legal.iter().rev().copied()));
    for pit in legal {
        let expected = plain::sow(ruleset, setup, pit);
        let (after, sown) = position.sow(rules, pit);
        assert_eq!(after.setup(pits), expected.setup, "{setup:?} {pit}");
        let found = [sown.gain, sown.given, sown.captured].map(u32::from);
        assert_eq!(found, [expected.gain, expected.given, expected.captured], "{setup:?} {pit}");
        assert!(!sown.again);
    }
}

/// The position with every choice of tuzdyks in its empty pits.
fn with_tuzdyks(setup: &Setup, visit: &mut impl FnMut(&Setup)) {
    let pits = setup.pits[0].len();
    let choices = |player: usize| {
        let empty = (0..pits - 1).filter(move |&pit| setup.pits[player][pit] == 0);
        [None].into_iter().chain(empty.map(Some))
    };
    for south in choices(0) {
        for north in choices(1).filter(|&north| north.is_none() || north != south) {
            visit(&Setup { tuzdyks: [south, north], ..setup.clone() });
        }
    }
}

#[test]
fn every_position_of_small_boards_with_all_tuzdyks() {
    for (pits, stones) in [(1, 60), (2, 24), (3, 11), (4, 7), (5, 5)] {
        let ruleset = ruleset(pits, "");
        let rules = ruleset.rules();
        common::each_row(&mut vec![0; 2 * pits], 0, stones, &mut |row| {
            let setup = common::setup_of_row(row);
            with_tuzdyks(&setup, &mut |setup| compare(&ruleset, &rules, setup));
        });
    }
}

/// Any position of up to 162 stones on up to nine pits, with or without tuzdyks.
fn any_setup() -> impl Strategy<Value = Setup> {
    let picks = prop::array::uniform2(prop::option::of(any::<prop::sample::Index>()));
    (1..=games::MAX_PITS)
        .prop_flat_map(|pits| common::setup_of(pits, Board::MAX_STONES))
        .prop_flat_map(move |setup| (Just(setup), picks.clone()))
        .prop_map(|(mut setup, picks)| {
            let pits = setup.pits[0].len();
            for (player, pick) in picks.iter().enumerate().filter(|_| pits > 1) {
                let pit = pick.map(|pick| pick.index(pits - 1));
                if pit.is_some() && pit != setup.tuzdyks[1 - player] {
                    setup.tuzdyks[player] = pit;
                    setup.pits[player][pit.unwrap_or(0)] = 0;
                }
            }
            setup
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_position_of_up_to_162_stones(setup in any_setup()) {
        let ruleset = ruleset(setup.pits[0].len(), "");
        compare(&ruleset, &ruleset.rules(), &setup);
    }

    #[test]
    fn every_form_of_a_position_is_read_back(setup in any_setup(), move_number: u32) {
        prop_assert_eq!(dash::parse(&dash::format(&setup)), Ok(setup.clone()));
        let text = fen::format(&setup, move_number);
        prop_assert_eq!(fen::parse(&text), Ok((setup.clone(), move_number)));
        prop_assert_eq!(parse_setup(&text), Ok(setup.clone()));
        prop_assert_eq!(parse_setup(&dash::format(&setup)), Ok(setup));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_game_agrees_with_the_plain_rules_to_its_end(picks in prop::collection::vec(0..9usize, 200)) {
        let ruleset: Ruleset<Toguz> = "toguz,stop=none".parse().expect("a ruleset");
        let rules = ruleset.rules();
        let mut position = ToguzPosition::start(&ruleset);
        for pick in picks {
            compare(&ruleset, &rules, &position.setup(9));
            assert_eq!(position.total(), 162);
            let legal: Vec<usize> = rules.legal(position.board()).collect();
            let Some(&pit) = legal.get(pick % legal.len().max(1)) else { break };
            position = position.sow(&rules, pit).0;
        }
    }
}

#[test]
fn the_last_stone_is_told_by_whose_pit_and_its_number() {
    let (position, pits) = position("0-0-0-2-1-0-0-0-0-0-S");
    let rules = ruleset(pits, "").rules();
    assert_eq!(rules.last(position.board(), 3), Last::Other(0));
    let (position, _) = self::position("2-1-0-0-1-0-0-0-0-0-S");
    assert_eq!(rules.last(position.board(), 0), Last::Own(1));
}

#[test]
fn keys_and_words_tell_boards_apart() {
    let mut keys = std::collections::HashMap::new();
    common::each_row(&mut [0; 6], 0, 7, &mut |row| {
        let (south, north) = row.split_at(3);
        let setup = Setup {
            pits: [south.to_vec(), north.to_vec()],
            tuzdyks: [None; 2],
            stores: [0; 2],
            to_move: Player::South,
        };
        with_tuzdyks(&setup, &mut |setup| {
            let board = ToguzPosition::pack(setup, 3).expect("fits").board();
            assert_eq!(keys.insert(board.key(), board.words()), None, "{setup:?}");
        });
    });
}
