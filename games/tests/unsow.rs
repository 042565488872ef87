//! Sowing backwards: from every board the boards before it, as sowing forwards finds them.

mod common;

use std::collections::HashMap;

use games::toguz::{Board, Toguz};
use games::{Playable, Position, Ruleset};

/// All boards of exactly so many stones, with every pair of tuzdyks that can be packed.
fn boards(pits: usize, stones: u32) -> Vec<Board> {
    let tuzdyks = || std::iter::once(None).chain((0..pits).map(Some));
    let mut boards = Vec::new();
    common::each_row(&mut vec![0; 2 * pits], 0, stones, &mut |row| {
        let setup = common::setup_of_row(row);
        for tuzdyks in tuzdyks().flat_map(|one| tuzdyks().map(move |two| [one, two])) {
            let position = Position::pack(&games::Setup { tuzdyks, ..setup.clone() }, pits);
            boards.extend(position.map(|position: Position<Board>| position.board()).ok());
        }
    });
    boards.retain(|board| board.stones() == stones);
    boards
}

/// Few pits with many stones lap the board several times.
#[test]
fn every_quiet_sowing_is_found_backwards_and_no_other() {
    for (pits, most) in [(1, 24), (2, 15), (3, 9), (4, 6), (5, 4), (9, 3)] {
        let rules = format!("toguz:{pits}x1").parse::<Ruleset<Toguz>>().expect("a ruleset").rules();
        let mut found = 0;
        for stones in 0..=most {
            let boards = boards(pits, stones);
            let mut forwards: HashMap<Board, Vec<Board>> = HashMap::new();
            for &board in boards.iter().filter(|&&board| rules.remainder(board).is_none()) {
                for sown in rules.legal(board).map(|pit| rules.sow(board, pit)) {
                    if sown.gain == 0 && sown.given == 0 {
                        forwards.entry(sown.board).or_default().push(board);
                    }
                }
            }
            for board in boards {
                let mut before = Vec::new();
                rules.unsow(board, |board| before.push(board));
                before.sort_unstable();
                let mut expected = forwards.remove(&board).unwrap_or_default();
                expected.sort_unstable();
                assert_eq!(before, expected, "{board:?}");
                found += before.len();
            }
        }
        assert!(found > 10, "{pits}: {found}");
    }
}
