//! Positions and lines are read back as written, and a wrong one says what is wrong.

mod common;

use games::notation::{Line, Turn, dash, fen, integers, parse_position};
use games::{MAX_PITS, Play, Player, Position, Ruleset, Setup};
use proptest::prelude::*;

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

fn any_setup() -> impl Strategy<Value = Setup> {
    (1..=MAX_PITS).prop_flat_map(common::setup)
}

fn any_line() -> impl Strategy<Value = Line> {
    let turn = prop::collection::vec(0..MAX_PITS, 1..6).prop_map(Turn::new);
    prop::collection::vec(turn, 0..8).prop_map(Line::new)
}

/// Text near the notations, and far from them.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9SNsn,/ +-]{0,40}", "([0-9]{1,12}[-, /S]{0,2}){0,20}[SN]?", any::<String>()]
}

proptest! {
    #[test]
    fn every_form_of_a_position_is_read_back(setup in any_setup(), move_number: u32) {
        prop_assert_eq!(dash::parse(&dash::format(&setup)), Ok(setup.clone()));
        let text = fen::format(&setup, move_number);
        prop_assert_eq!(fen::parse(&text), Ok((setup.clone(), move_number)));
        let [mover, other] = [setup.to_move, setup.to_move.opponent()];
        let pits = [mover, other].map(|player| setup.pits[player as usize].clone());
        let seen = Setup { pits, tuzdyks: [None; 2], stores: [0, 0], to_move: Player::South };
        prop_assert_eq!(integers::parse(&integers::format(&setup)), Ok(seen.clone()));

        let pits = setup.pits[0].len();
        let position = Position::new(&setup, pits).expect("fits");
        prop_assert_eq!(position.setup(pits), setup.clone());
        prop_assert_eq!(parse_position(&dash::format(&setup), pits), Ok(position));
        prop_assert_eq!(parse_position(&text, pits), Ok(position));
        let position = Position::new(&seen, pits).expect("fits");
        prop_assert_eq!(parse_position(&integers::format(&setup), pits), Ok(position));
    }

    #[test]
    fn every_line_is_read_back(line in any_line()) {
        prop_assert_eq!(line.to_string().parse(), Ok(line));
    }

    #[test]
    fn every_ruleset_is_read_back(
        (ruleset, _) in common::ruleset_and_setup(),
        seeds in 0..=7u32,
    ) {
        let text = ruleset.to_string().replacen("x0", &format!("x{seeds}"), 1);
        let read: Ruleset = text.parse().expect("made of the registry's words");
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn no_text_panics(text in any_text(), pits in 0..12usize) {
        let _ = parse_position(&text, pits);
        let _ = (dash::parse(&text), fen::parse(&text), integers::parse(&text));
        let _ = (text.parse::<Line>(), text.parse::<Ruleset>());
    }
}

#[test]
fn the_fen_of_playstrategy() {
    let start = "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1";
    let (setup, move_number) = fen::parse(start).expect("a FEN");
    assert_eq!((dash::format(&setup), move_number), (START.to_owned(), 1));
    // North's row runs against North's numbering; a run of empty pits is one number.
    let setup = dash::parse("0-0-3-0-1-0-9-0-0-0-0-12-5-18-N").expect("a position");
    let text = "12S,4,9S/2,3S,1,1S,1 5 18 N 34";
    assert_eq!(fen::format(&setup, 34), text);
    assert_eq!(fen::parse(text), Ok((setup, 34)));
}

#[test]
fn twelve_integers_begin_with_the_mover() {
    let setup = dash::parse("1-2-3-4-5-6-7-8-9-10-11-12-20-30-N").expect("a position");
    assert_eq!(integers::format(&setup), "7 8 9 10 11 12 1 2 3 4 5 6");
    let position = parse_position("7, 8,9 10 11 12,1 2 3 4 5 6", 6).expect("a position");
    assert_eq!(dash::format(&position.setup(6)), "7-8-9-10-11-12-1-2-3-4-5-6-0-0-S");
}

#[test]
fn a_wrong_position_says_what_is_wrong() {
    let dash_fields = "a position in the dash form has 2 x pits + 2 numbers and S or N, for \
                       example 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S; this has";
    let fen_fields = "a FEN has 5 fields: rows, store of South, store of North, player, move \
                      number, for example 4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1; this has";
    let fen_rows = "the board of a FEN has 2 rows with a / between them, North's first; this has";
    let count = "a position written as integers has 2 x pits of them, the mover's first, for \
                 example 4 4 4 4 4 4 4 4 4 4 4 4; this has";
    let to_move = "but must name the player to move: S or N";
    for (text, error) in [
        ("4-4-4-4-0-0-S", "South has 2 pits, but the board has 3 a side".to_owned()),
        ("4-4-4-4-4-0-0-S", format!("{dash_fields} 8 fields")),
        ("0-0-S", format!("{dash_fields} 3 fields")),
        ("4-4-4-4-4-4-0-0", format!("the last field is `0`, {to_move}")),
        ("4-4-4-4-4-4-0-0-W", format!("the last field is `W`, {to_move}")),
        ("4-4-4-4-4-4-0-0-é", format!("the last field is `é`, {to_move}")),
        ("4-4-4-4-4-4-0-0-S-1", format!("the last field is `1`, {to_move}")),
        ("4-4-4-4-4-4-0-0-S-", format!("the last field is ``, {to_move}")),
        ("--", format!("the last field is ``, {to_move}")),
        ("4-4--4-4-4-0-0-S", "field 3 of the position: `` is not a number".to_owned()),
        ("4-4-+4-4-4-4-0-0-S", "field 3 of the position: `+4` is not a number".to_owned()),
        ("4-x-4-4-4-4-0-0-S", "field 2 of the position: `x` is not a number".to_owned()),
        (
            "4-4-4-4-4-4-0-4294967296-S",
            "field 8 of the position: the number 4294967296 is too large".to_owned(),
        ),
        ("60-4-4-60-0-0-0-0-S", "128 stones on the board: at most 127 fit".to_owned()),
        (
            "0-0-0-0-4294967295-4294967295-0-0-S",
            "8589934590 stones on the board: at most 127 fit".to_owned(),
        ),
        (
            "4-4-4-4-4-4-0-1000000000-S",
            "1000000000 stones in the store of North: at most 999999999 can be counted".to_owned(),
        ),
        ("4S,4S,4S/4S,4S,4S 0 0 S", format!("{fen_fields} 4")),
        ("4S,4S,4S/4S,4S,4S 0 0 S 1 2", format!("{fen_fields} 6")),
        ("4S,4S,4S 0 0 S 1", format!("{fen_rows} 1")),
        ("3/3/3 0 0 S 1", format!("{fen_rows} 3")),
        ("3/4S,4S 0 0 S 1", "South has 2 pits, but the board has 3 a side".to_owned()),
        ("3/4S,,4S 0 0 S 1", "in the row of South, item 2: `` is not a number".to_owned()),
        ("4S,xS,1/3 0 0 S 1", "in the row of North, item 2: `x` is not a number".to_owned()),
        ("3/4294967295 0 0 S 1", "the row of South has more than 9 pits".to_owned()),
        ("3/3 0 x S 1", "the store of North: `x` is not a number".to_owned()),
        ("3/3 0 0 S one", "the move number: `one` is not a number".to_owned()),
        ("3/3 0 0 W 1", "the player to move is S or N, not `W`".to_owned()),
        ("4 4 4 4 4", format!("{count} 5")),
        ("", format!("{count} 0")),
        ("4 4 4 4", "South has 2 pits, but the board has 3 a side".to_owned()),
        ("4 4 4.5 4 4 4", "integer 3 of the position: `4.5` is not a number".to_owned()),
        (
            "4 4 4 4 4 99999999999",
            "integer 6 of the position: the number 99999999999 is too large".to_owned(),
        ),
    ] {
        let found = parse_position(text, 3).map_err(|error| error.to_string());
        assert_eq!(found, Err(error), "{text}");
    }
}

#[test]
fn a_wrong_line_says_which_turn_is_wrong() {
    let pits = "is not a list of pits such as 4-3-1 (pits are numbered from 1 to at most 9)";
    for (text, turn) in [
        ("4-6 4-x", "turn 2 `4-x`"),
        ("4-", "turn 1 `4-`"),
        ("0", "turn 1 `0`"),
        ("1 10", "turn 2 `10`"),
        ("+4", "turn 1 `+4`"),
    ] {
        let error = text.parse::<Line>().expect_err("not a line").to_string();
        assert_eq!(error, format!("{turn} {pits}"));
    }
}

#[test]
fn a_line_that_cannot_be_played_says_why() {
    for (game, from, line, error) in [
        ("kalah", START, "4 7", "turn 2 `7`, sowing 1: there is no pit 7: pits are 1 to 6"),
        ("kalah", START, "3-3", "turn 1 `3-3`, sowing 2: pit 3 of South is empty"),
        (
            "oware",
            "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S",
            "1",
            "turn 1 `1`, sowing 1: the rules forbid South to sow pit 1 here",
        ),
        ("kalah", "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "6 1", "turn 2 `1`, sowing 1: the game is over"),
        (
            "kalah",
            START,
            "3 4",
            "turn 1 `3`, sowing 1: the last stone fell into the store, so South sows again in \
             the same turn",
        ),
        (
            "kalah",
            START,
            "1-2",
            "turn 1 `1-2`, sowing 1: the turn is over after this sowing, so South cannot sow \
             again",
        ),
    ] {
        let ruleset: Ruleset = game.parse().expect("a ruleset");
        let rules = ruleset.rules();
        let mut play = Play::new(&ruleset, &rules, parse_position(from, 6).expect("a position"));
        let found = play.line(&line.parse().expect("a line")).map_err(|error| error.to_string());
        assert_eq!(found, Err(error.to_owned()), "{game} {line}");
    }
}
