//! The study against the definitions, applied to every position of small layers with the plain builders.

use std::collections::{BTreeMap, HashMap};

use games::{Board, Game, Rules, Ruleset};
use tablebase::build::cyclic::plain::{PlainBounds, PlainBuilder};
use tablebase::file::{LayerFile, LayerWriter};
use tablebase::index::Index;

use super::*;

const MEMORY: u64 = 1 << 28;

/// Everything by board, without tables.
struct Plain {
    rules: Rules,
    index: Index,
    values: HashMap<Board, i32>,
    bounds: HashMap<Board, [i32; 2]>,
    plies: HashMap<Board, u16>,
    crc: Vec<[String; 3]>,
}

impl Plain {
    fn new(game: &Ruleset, stones: u32) -> Plain {
        let index = Index::new(game.pits(), stones);
        let (mut values, mut bounds) =
            (PlainBuilder::new(game, stones), PlainBounds::new(game, stones));
        let mut plain = Plain {
            rules: game.rules(),
            index,
            values: HashMap::new(),
            bounds: HashMap::new(),
            plies: HashMap::new(),
            crc: Vec::new(),
        };
        for layer in 0..=stones {
            values.fill_next();
            bounds.fill_next();
            let (values, [lower, upper]) = (values.layer(layer), bounds.layer(layer));
            let bytes = |values: &[i8]| values.iter().map(|&v| v as u8).collect::<Vec<u8>>();
            let crc = |values| format!("{:08x}", crc32fast::hash(&bytes(values)));
            plain.crc.push([crc(values), crc(lower), crc(upper)]);
            for (number, board) in plain.boards(layer).into_iter().enumerate() {
                plain.values.insert(board, values[number].into());
                plain.bounds.insert(board, [lower[number].into(), upper[number].into()]);
            }
            plain.add_plies(layer);
        }
        plain
    }

    fn boards(&self, stones: u32) -> Vec<Board> {
        let numbers = 0..self.index.positions(stones);
        numbers.map(|number| self.index.board(stones, number)).collect()
    }

    fn live(&self, board: Board) -> bool {
        self.rules.remainder(board).is_none()
    }

    /// Pit, stones captured, value and next board of each sowing.
    fn sowings(&self, board: Board) -> Vec<(usize, u8, i32, Board)> {
        let sow = |pit| {
            let sown = self.rules.sow(board, pit);
            (pit + 1, sown.captured, sown.value(self.values[&sown.board]), sown.board)
        };
        self.rules.legal(board).map(sow).collect()
    }

    /// Starts from play that never comes to an end, and shortens it as long as that is possible.
    fn add_plies(&mut self, stones: u32) {
        const ENDLESS: u16 = u16::MAX;
        let boards = self.boards(stones);
        for &board in &boards {
            let done = !self.live(board) || self.values[&board] == 0;
            self.plies.insert(board, if done { 0 } else { ENDLESS });
        }
        let open: Vec<Board> =
            boards.into_iter().filter(|board| self.plies[board] == ENDLESS).collect();
        loop {
            let mut changed = false;
            for &board in &open {
                let value = self.values[&board];
                let keeping = self.sowings(board).into_iter().filter(|sowing| sowing.2 == value);
                let plies = keeping.map(|sowing| self.plies[&sowing.3]);
                let next = if value > 0 { plies.min() } else { plies.max() };
                let plies = next.expect("a sowing keeps the value").saturating_add(1);
                changed |= self.plies.insert(board, plies) != Some(plies);
            }
            if !changed {
                break;
            }
        }
        assert!(open.iter().all(|board| self.plies[board] < ENDLESS));
    }

    /// The boards that cost most.
    fn strongest(mut all: Vec<(i32, Board)>) -> Vec<Board> {
        all.sort_by_key(|&(cost, _)| -cost);
        all.into_iter().take(3).map(|(_, board)| board).collect()
    }

    fn text(&self, board: Board) -> String {
        let pits = |side: games::Side| {
            let pits: Vec<String> =
                side.iter(self.index.sides().pits()).map(|stones| stones.to_string()).collect();
            pits.join("-")
        };
        format!("{}-{}-0-0-S", pits(board.mover), pits(board.other))
    }

    fn material(&self, live: &[Board]) -> Vec<Material> {
        let mut rows: BTreeMap<i32, Material> = BTreeMap::new();
        for board in live {
            let advantage = board.mover.stones() as i32 - board.other.stones() as i32;
            let value = self.values[board];
            let row = rows.entry(advantage).or_default();
            row.advantage = advantage;
            row.positions += 1;
            row.sum += i64::from(value);
            row.wins += u64::from(value > 0);
            row.losses += u64::from(value < 0);
        }
        rows.into_values().collect()
    }

    fn tempo(&self, live: &[Board]) -> Tempo {
        let mut tempo = Tempo::default();
        let mut all = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for &board in live.iter().filter(|board| self.live(board.flipped())) {
            let (value, waiting) = (self.values[&board], -self.values[&board.flipped()]);
            tempo.positions += 1;
            tempo.sum += i64::from(value - waiting);
            if waiting > value {
                tempo.zugzwang += 1;
                tempo.both_lose += u64::from(value < 0 && waiting > 0);
                seen.insert(board);
                if board == board.flipped() || !seen.contains(&board.flipped()) {
                    all.push((waiting - value, board));
                }
            }
        }
        let example = |board: Board| Waiting {
            position: self.text(board),
            value: self.values[&board],
            waiting: -self.values[&board.flipped()],
        };
        tempo.strongest = Plain::strongest(all).into_iter().map(example).collect();
        tempo
    }

    fn greed(&self, live: &[Board]) -> Greed {
        let mut greed = Greed::default();
        let mut all = Vec::new();
        for &board in live.iter().filter(|board| self.values[board] > 0) {
            let sowings = self.sowings(board);
            let most = sowings.iter().map(|sowing| sowing.1).max().expect("a sowing");
            if most == 0 {
                continue;
            }
            let value = self.values[&board];
            let most: Vec<i32> =
                sowings.iter().filter(|sowing| sowing.1 == most).map(|sowing| sowing.2).collect();
            greed.positions += 1;
            greed.costly += u64::from(most.iter().all(|&v| v < value));
            greed.lost += u64::from(most.iter().all(|&v| v < 0));
            if most.iter().all(|&v| v <= 0) {
                greed.thrown += 1;
                all.push((value - most.iter().max().expect("a sowing"), board));
            }
        }
        let example = |board: Board| {
            let (sowings, value) = (self.sowings(board), self.values[&board]);
            let captured = sowings.iter().map(|sowing| sowing.1).max().expect("a sowing");
            let most: Vec<_> = sowings.iter().filter(|sowing| sowing.1 == captured).collect();
            Greedy {
                position: self.text(board),
                value,
                best: sowings.iter().filter(|s| s.2 == value).map(|s| s.0).collect(),
                greedy: most.iter().map(|s| s.0).collect(),
                captured,
                greedy_value: most.iter().map(|s| s.2).max().expect("a sowing"),
            }
        };
        greed.strongest = Plain::strongest(all).into_iter().map(example).collect();
        greed
    }

    fn layer(&self, stones: u32) -> Layer {
        let boards = self.boards(stones);
        let live: Vec<Board> = boards.iter().copied().filter(|&board| self.live(board)).collect();
        let mut values = BTreeMap::new();
        boards.iter().for_each(|board| *values.entry(self.values[board]).or_default() += 1);
        let won = || live.iter().filter(|board| self.values[board] > 0);
        let mut wins = BTreeMap::new();
        won().for_each(|board| *wins.entry(self.plies[board]).or_default() += 1);
        let longest = wins.last_key_value().map(|(&plies, _)| {
            let board = *won().find(|board| self.plies[board] == plies).expect("one is longest");
            let line = String::new();
            Line { position: self.text(board), value: self.values[&board], plies, line }
        });
        let independent = |board: &&Board| self.bounds[board][0] == self.bounds[board][1];
        let [values_crc, lower, upper] = self.crc[stones as usize].clone();
        Layer {
            stones,
            positions: boards.len() as u64,
            live: live.len() as u64,
            values,
            material: self.material(&live),
            tempo: self.tempo(&live),
            greed: self.greed(&live),
            wins,
            longest,
            independent: Independent {
                all: boards.iter().filter(independent).count() as u64,
                live: live.iter().filter(independent).count() as u64,
                width: boards.iter().map(|b| (self.bounds[b][1] - self.bounds[b][0]) as u64).sum(),
            },
            checksums: Checksums { values: values_crc, lower, upper },
        }
    }

    /// The line takes the sowings that it should, the lowest pit of several.
    fn check_line(&self, game: &Ruleset, line: &Line) {
        let (positions, won) = replay(game, &line.position, &line.line).expect("it can be played");
        assert_eq!((positions.len(), won), (usize::from(line.plies), line.value), "{line:?}");
        let pits: Vec<u32> = line.position.split('-').map_while(|n| n.parse().ok()).collect();
        let side = |pits: &[u32]| games::Side::from_pits(pits).expect("a side");
        let (mover, rest) = pits.split_at(game.pits());
        let mut board = Board::new(side(mover), side(&rest[..game.pits()]));
        for pit in line.line.split(' ') {
            let (value, plies) = (self.values[&board], self.plies[&board]);
            let as_long =
                |s: &&(usize, u8, i32, Board)| s.2 == value && self.plies[&s.3] + 1 == plies;
            let sowings = self.sowings(board);
            let lowest = sowings.iter().find(as_long).expect("one is as long");
            assert_eq!(pit, lowest.0.to_string(), "{line:?}");
            board = lowest.3;
        }
    }
}

fn study_of(game: &Ruleset, stones: u32) -> Vec<Layer> {
    let given = Given { folder: None, memory: MEMORY };
    study(game, stones, &given, &|_, _| ()).expect("it can be made")
}

#[test]
fn every_count_and_example_follows_from_its_definition() {
    let slams = ["nothing", "illegal-unless-only", "takes-all", "illegal"];
    let small = slams.map(|slam| (format!("oware:3x0,slam={slam}"), 9));
    let others = [("oware:2x0", 12), ("oware:1x0", 20), ("oware", 6), ("awari", 6)];
    let others = others.map(|(game, stones)| (game.to_owned(), stones));
    let mut zugzwangs = 0;
    let mut thrown = 0;
    for (text, stones) in small.into_iter().chain(others) {
        let game: Ruleset = text.parse().expect("a ruleset");
        let plain = Plain::new(&game, stones);
        let found = study_of(&game, stones);
        assert_eq!(found.len() as u32, stones + 1);
        for (stones, mut layer) in (0..).zip(found) {
            if let Some(line) = &mut layer.longest {
                plain.check_line(&game, line);
                line.line.clear();
            }
            assert_eq!(layer, plain.layer(stones), "{game}, layer {stones}");
            zugzwangs += layer.tempo.both_lose;
            thrown += layer.greed.lost;
        }
    }
    assert!(zugzwangs > 1000 && thrown > 50, "{zugzwangs} {thrown}");
}

#[test]
fn any_number_of_threads_makes_the_same_study() {
    let game: Ruleset = "oware".parse().expect("a ruleset");
    let [one, four] = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| study_of(&game, 8))
    });
    assert_eq!(one, four);
}

/// A won position whose value no sowing keeps, and a draw by repetition that claims to be won.
#[test]
fn values_that_nothing_brings_about_are_found() {
    let game: Ruleset = "oware".parse().expect("a ruleset");
    let key = game.table_key();
    let built = Given { folder: None, memory: MEMORY };
    let open = built.open(&game, 3).expect("they can be built");
    let folder = open.files.layers()[3].path().ancestors().nth(2).expect("it is in a folder");
    let given = Given { folder: Some(folder), memory: MEMORY };
    let path = tablebase::file::layer_path(folder, &key, 3);
    let file = LayerFile::open(&path, &key).expect("it is there");
    let mut right = vec![0; file.header().count() as usize];
    file.read_range(0, &mut right).expect("readable");
    for kind in [1, 0, -1] {
        let is_lie = |&(number, _): &(usize, &i8)| {
            let board = open.values.index().board(3, number as u64);
            open.rules.remainder(board).is_none() && right[number].signum() == kind
        };
        let mut values = right.clone();
        let (lie, _) = right.iter().enumerate().find(is_lie).expect("there is one");
        values[lie] = if kind < 0 { -2 } else { 2 };
        let (spec, encoding) = (file.header().spec().clone(), file.header().encoding());
        let folder = path.parent().expect("it is in a folder");
        let mut writer = LayerWriter::create(folder, spec, encoding).expect("writable");
        writer.write(&values).expect("writable");
        writer.finish().expect("writable");
        let error = study(&game, 3, &given, &|_, _| ()).expect_err("it is wrong");
        assert_eq!(error.exit_code(), 1, "{error}");
        assert!(matches!(error, Error::Unfounded(Unfounded { stones: 3 })), "{error}");
    }
}

#[test]
fn tables_without_bounds_are_told() {
    let game: Ruleset = "oware".parse().expect("a ruleset");
    let folder = tempfile::tempdir().expect("a folder");
    let given = Given { folder: Some(folder.path()), memory: MEMORY };
    let error = study(&game, 3, &given, &|_, _| ()).expect_err("there is nothing");
    assert!(matches!(error, Error::NoBounds { .. }), "{error}");
}

#[test]
fn lines_that_break_the_rules_are_not_played() {
    let game: Ruleset = "oware".parse().expect("a ruleset");
    let start = "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S";
    for line in ["1", "0", "7", "x", "6 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"] {
        assert!(replay(&game, start, line).is_none(), "{line}");
    }
    assert!(replay(&game, "0-0", "1").is_none());
    let (positions, won) = replay(&game, start, "6").expect("it can be played");
    // The last stone makes two of the only pit of the opponent: a grand slam, which takes nothing. Then
    // nobody can feed South, and North keeps his row.
    assert_eq!((positions.len(), won), (1, -2));
}
