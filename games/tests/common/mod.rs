//! What several tests need.
#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use games::notation::{SquareLine, SquareMove, fen};
use games::{Build, GameSpec, Play, Playable, Player, Position, Ruleset, Setup, registry};
use proptest::prelude::*;

/// The games whose boards are two packed sides.
pub(crate) fn games_on_sides() -> impl Iterator<Item = &'static GameSpec> {
    registry::games().filter(|spec| matches!(spec.build, Build::Sides(_)))
}

/// Every ruleset of a game on a board of `pits` pits a side, options that only stop play left
/// at their defaults.
pub(crate) fn rulesets(spec: &GameSpec, pits: usize) -> Vec<Ruleset> {
    let mut texts = vec![format!("{}:{pits}x0", spec.name)];
    for option in spec.options.iter().filter(|option| !option.play_only) {
        let with = |text: &String| -> Vec<String> {
            let values = option.values.iter();
            values.map(|(value, _)| format!("{text},{}={value}", option.name)).collect()
        };
        texts = texts.iter().flat_map(with).collect();
    }
    texts.iter().map(|text| text.parse().expect("made of the registry's words")).collect()
}

/// Any ruleset of any game and a position for it with up to 127 stones, spread over all pits or
/// heaped up in few.
pub(crate) fn ruleset_and_setup() -> impl Strategy<Value = (Ruleset, Setup)> {
    let games: Vec<&GameSpec> = games_on_sides().collect();
    (prop::sample::select(games), 1..=games::MAX_PITS)
        .prop_flat_map(|(spec, pits)| (prop::sample::select(rulesets(spec, pits)), setup(pits)))
}

/// A position with empty stores and South to move: South's pits, then North's.
pub(crate) fn setup_of_row(row: &[u32]) -> Setup {
    let (south, north) = row.split_at(row.len() / 2);
    Setup {
        pits: [south.to_vec(), north.to_vec()],
        tuzdyks: [None; 2],
        stores: [0; 2],
        to_move: Player::South,
    }
}

/// All ways to lay up to `stones` stones into the pits from `pit` on.
pub(crate) fn each_row(row: &mut [u32], pit: usize, stones: u32, visit: &mut impl FnMut(&[u32])) {
    if pit == row.len() {
        return visit(row);
    }
    for count in 0..=stones {
        row[pit] = count;
        each_row(row, pit + 1, stones - count, visit);
    }
    row[pit] = 0;
}

/// Any position on a board of `pits` pits a side with up to 127 stones.
pub(crate) fn setup(pits: usize) -> impl Strategy<Value = Setup> {
    setup_of(pits, games::MAX_STONES)
}

/// The same with up to `most` stones.
pub(crate) fn setup_of(pits: usize, most: u32) -> impl Strategy<Value = Setup> {
    let heaps = prop::collection::vec(0..2 * pits, 1..=2 * pits);
    let stones = prop::collection::vec(any::<prop::sample::Index>(), 0..=most as usize);
    let stores = prop::array::uniform2(0..=games::MAX_STORE);
    (heaps, stones, stores, any::<bool>()).prop_map(move |(heaps, stones, stores, south)| {
        let mut all = vec![0; 2 * pits];
        for stone in stones {
            all[*stone.get(&heaps)] += 1;
        }
        let north = all.split_off(pits);
        let to_move = if south { Player::South } else { Player::North };
        Setup { pits: [all, north], tuzdyks: [None; 2], stores, to_move }
    })
}

/// Plays a line of square moves from the start, writing each move and the FEN reached.
pub(crate) fn plays_to_fen<R: Playable>(ruleset: &Ruleset<R>, line: &str, reached: &str) {
    let (rules, pits) = (ruleset.rules(), ruleset.pits());
    let mut play = Play::new(ruleset, &rules, Position::start(ruleset));
    let line: SquareLine = line.parse().expect("a line");
    let mut written = Vec::new();
    for &sowing in line.moves() {
        let position = play.position();
        let pit = sowing.from.pit(pits).expect("on the board");
        written.extend(SquareMove::of(&rules, &position, pit, pits));
        play.squares(&SquareLine::new(vec![sowing])).expect("a legal move");
    }
    assert_eq!(SquareLine::new(written), line);
    let moves = line.moves().len() as u32 / 2 + 1;
    let setup = play.position().setup(pits);
    assert_eq!(fen::format(&setup, moves), reached);
    assert_eq!(fen::parse(reached), Ok((setup, moves)));
}
