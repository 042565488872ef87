//! Judgements over tables of games whose positions recur.

use games::{Game, Play, Player, Position, Ruleset, Setup};
use solver::judge;
use tablebase::Tables;
use tablebase::build::folder::build;
use tablebase::file::{Codec, Encoding};

/// Every win is played to its end, and only what is split may go round.
#[test]
fn lines_cash_what_the_value_says() {
    for (name, stones) in [("awari:6x4", 5), ("oware:3x4", 8), ("awari:2x4", 12)] {
        let ruleset: Ruleset = name.parse().expect("a ruleset");
        let dir = tempfile::tempdir().expect("a folder");
        let encoding = Encoding::new(Codec::Byte);
        build(&ruleset, stones, dir.path(), encoding, 1 << 30, &|_| ()).expect("built");
        let tables = Tables::open(dir.path(), &ruleset, stones).expect("opened");
        let mut endless = 0;
        for number in 0..tables.index().positions(stones) {
            endless += u32::from(!check(&ruleset, &tables, stones, number));
        }
        assert!(endless > 0, "{name}");
    }
}

/// Gives whether play ends.
fn check(ruleset: &Ruleset, mut tables: &Tables, stones: u32, number: u64) -> bool {
    let board = tables.index().board(stones, number);
    let pits = [board.mover, board.other].map(|side| side.iter(ruleset.pits()).collect());
    let setup = Setup { pits, tuzdyks: [None; 2], stores: [0; 2], to_move: Player::South };
    let position = Position::new(&setup, ruleset.pits()).expect("fits");
    let rules = ruleset.rules();
    let judgement = judge(&rules, &mut tables, &position).expect("in the tables");
    let stored = tables.value(board).expect("readable").expect("here");
    assert_eq!(judgement.value, stored, "{board:?}");
    let mut play = Play::new(ruleset, &rules, position);
    play.line(&judgement.line).expect("best play is legal");
    match judgement.stores {
        Some([south, north]) => {
            assert_eq!(south as i32 - north as i32, stored, "{board:?}");
            assert_eq!(play.final_stores(), judgement.stores, "{board:?}");
        }
        None => {
            // What is left is split.
            let [south, north] = play.position().stores();
            assert_eq!(south as i32 - north as i32, stored, "{board:?}");
            assert!(rules.remainder(play.position().board()).is_none(), "{board:?}");
            assert!(!judgement.line.turns().is_empty());
        }
    }
    judgement.stores.is_some()
}
