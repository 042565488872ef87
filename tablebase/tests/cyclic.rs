//! Tables of cyclic games: the plain builder against published counts, the fast one against it.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{in_pool, rulesets};
use games::{Game, Rules, Ruleset};
use serde_json::Value;
use tablebase::build::MemoryTables;
use tablebase::build::cyclic::plain::{PlainBounds, PlainBuilder};
use tablebase::build::cyclic::{BoundsBuilder, Builder};
use tablebase::build::folder::build;
use tablebase::file::{Codec, Encoding, LayerFile, LayerWriter, layer_path};
use tablebase::index::{Index, positions_up_to};
use tablebase::verify::{Verified, VerifyError, verify};
use tablebase::{Probe, Tables};

/// Counts per value of each layer in a data file, all positions.
fn oracle(text: &str, title: Option<&str>) -> BTreeMap<u32, BTreeMap<i32, u64>> {
    let mut oracle: Value = serde_json::from_str(text).unwrap();
    let layers = match title {
        Some(title) => oracle[title].take(),
        None => oracle,
    };
    let layers = layers.as_object().unwrap().iter();
    layers
        .filter_map(|(layer, counts)| {
            let counts: BTreeMap<String, u64> = serde_json::from_value(counts.clone()).ok()?;
            let counts = counts.iter().map(|(value, &count)| (value.parse().unwrap(), count));
            Some((layer.parse().ok()?, counts.collect()))
        })
        .collect()
}

/// Lincke 2002, appendix B.
fn awari_oracle() -> BTreeMap<u32, BTreeMap<i32, u64>> {
    oracle(include_str!("../../data/oracles/awari-lincke.json"), None)
}

fn oware_oracle() -> BTreeMap<u32, BTreeMap<i32, u64>> {
    oracle(include_str!("../../data/oracles/layers.json"), Some("oware"))
}

fn counted(values: &[i8]) -> BTreeMap<i32, u64> {
    let mut counts = BTreeMap::new();
    values.iter().for_each(|&value| *counts.entry(i32::from(value)).or_default() += 1);
    counts
}

/// Built at once, layer by layer, and on layers from files.
#[test]
fn tables_in_memory_grow_from_what_is_there() {
    for name in ["awari:4x1", "oware:4x1", "kalah:4x1"] {
        let ruleset: Ruleset = name.parse().unwrap();
        let whole = MemoryTables::build(&ruleset, 9, &|_| ()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let encoding = Encoding::new(Codec::ZstdPacked);
        build(&ruleset, 5, dir.path(), encoding, u64::MAX, &|_| ()).unwrap();
        let mut grown = vec![MemoryTables::none(&ruleset)];
        assert_eq!(grown[0].most_stones(), None);
        if ruleset.spec().cyclic {
            let files = Tables::open(dir.path(), &ruleset, 127).unwrap();
            grown.push(MemoryTables::load(&ruleset, &files).unwrap());
            assert_eq!(grown[1].most_stones(), Some(5));
        }
        let index = Index::new(4, 9);
        for mut tables in grown {
            for stones in [2, 7, 9] {
                tables.grow(&ruleset, stones, &|_| ()).unwrap();
            }
            assert_eq!(tables.most_stones(), Some(9));
            for layer in 0..=9 {
                for number in 0..index.positions(layer) {
                    let board = index.board(layer, number);
                    assert_eq!(tables.value(board), whole.value(board), "{name}: {board:?}");
                }
            }
        }
    }
}

#[test]
fn plain_counts_agree_with_published_ones() {
    for (name, oracle) in [("awari", awari_oracle()), ("oware", oware_oracle())] {
        let ruleset: Ruleset = name.parse().unwrap();
        let mut plain = PlainBuilder::new(&ruleset, 8);
        for layer in 0..=8 {
            plain.fill_next();
            assert_eq!(counted(plain.layer(layer)), oracle[&layer], "{name} layer {layer}");
        }
    }
}

fn check_against_the_plain_builder(ruleset: &Ruleset, stones: u32) {
    let mut builder = Builder::new(ruleset, stones);
    let mut plain = PlainBuilder::new(ruleset, stones);
    let index = Index::new(ruleset.pits(), stones);
    for layer in 0..=stones {
        builder.fill_next(&|_| ()).unwrap();
        plain.fill_next();
        let values = builder.layer(layer).iter().zip(plain.layer(layer));
        for (number, (fast, slow)) in (0..).zip(values) {
            let board = index.board(layer, number);
            assert_eq!(fast, slow, "{ruleset}, layer {layer}: {board:?}");
        }
    }
}

/// Every combination of options, every position; on small boards that is many laps.
#[test]
fn every_ruleset_agrees_with_the_plain_builder_on_every_position() {
    for (pits, stones) in [(1, 40), (2, 18), (3, 11), (4, 8), (5, 6), (6, 5)] {
        for game in ["awari", "oware", "bestemshe"] {
            for ruleset in rulesets(game, pits) {
                check_against_the_plain_builder(&ruleset, stones);
            }
        }
    }
}

#[test]
fn larger_layers_agree_with_the_plain_builder() {
    for (game, pits, stones) in [
        ("awari", 1, 127),
        ("oware", 1, 127),
        ("oware", 2, 30),
        ("awari", 3, 16),
        ("awari", 6, 8),
        ("oware", 6, 8),
        ("bestemshe", 1, 127),
        ("bestemshe", 2, 30),
        ("bestemshe", 3, 16),
        ("bestemshe", 5, 10),
    ] {
        let ruleset: Ruleset = format!("{game}:{pits}x0").parse().unwrap();
        check_against_the_plain_builder(&ruleset, stones);
    }
}

#[test]
fn fast_counts_agree_with_published_ones() {
    let ruleset: Ruleset = "awari".parse().unwrap();
    let mut builder = Builder::new(&ruleset, 12);
    for layer in 0..=12 {
        builder.fill_next(&|_| ()).unwrap();
        assert_eq!(counted(builder.layer(layer)), awari_oracle()[&layer], "layer {layer}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_values() {
    let ruleset: Ruleset = "oware".parse().unwrap();
    let built = [1, 2, 5].map(|threads| {
        in_pool(threads, || {
            let mut builder = Builder::new(&ruleset, 10);
            (0..=10).for_each(|_| builder.fill_next(&|_| ()).unwrap());
            builder.layer(10).to_vec()
        })
    });
    assert!(built[0] == built[1] && built[0] == built[2]);
}

const MEMORY: u64 = 1 << 30;

fn built(ruleset: &Ruleset, stones: u32, codec: Codec) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    build(ruleset, stones, dir.path(), Encoding::new(codec), MEMORY, &|_| ()).unwrap();
    dir
}

fn check(dir: &Path, ruleset: &Ruleset) -> Result<Verified, VerifyError> {
    verify(ruleset, dir, MEMORY, None, &|_| ())
}

fn read(dir: &Path, ruleset: &Ruleset, layer: u32) -> Vec<i8> {
    let key = ruleset.table_key();
    let file = LayerFile::open(&layer_path(dir, &key, layer), &key).unwrap();
    let mut values = vec![0; file.header().count() as usize];
    file.read_range(0, &mut values).unwrap();
    values
}

/// Replaces a layer, with right checksums.
fn plant(dir: &Path, ruleset: &Ruleset, layer: u32, values: &[i8]) {
    let key = ruleset.table_key();
    let path = layer_path(dir, &key, layer);
    let file = LayerFile::open(&path, &key).unwrap();
    let (spec, encoding) = (file.header().spec().clone(), file.header().encoding());
    let mut writer = LayerWriter::create(path.parent().unwrap(), spec, encoding).unwrap();
    writer.write(values).unwrap();
    writer.finish().unwrap();
}

#[test]
fn what_the_builder_makes_is_proved_in_every_codec() {
    for codec in Codec::ALL {
        for name in ["awari", "oware", "oware:4x1,slam=illegal", "bestemshe"] {
            let ruleset: Ruleset = name.parse().unwrap();
            let dir = built(&ruleset, 8, codec);
            let verified = check(dir.path(), &ruleset).unwrap();
            assert_eq!(verified.most_stones, 8);
            assert_eq!(verified.positions, positions_up_to(ruleset.pits(), 8));
        }
    }
    for ruleset in ["awari", "oware", "bestemshe"].iter().flat_map(|game| rulesets(game, 2)) {
        let split = ruleset.choice("repetition") == Some("split");
        if split {
            check(built(&ruleset, 12, Codec::Byte).path(), &ruleset).unwrap();
        }
    }
}

#[test]
fn every_single_wrong_value_of_a_layer_is_found() {
    let ruleset: Ruleset = "awari:2x1".parse().unwrap();
    let dir = built(&ruleset, 7, Codec::Byte);
    let right = read(dir.path(), &ruleset, 7);
    for number in 0..right.len() {
        for lie in [-7, -1, 0, 1, 7].into_iter().filter(|&lie| lie != right[number]) {
            let mut values = right.clone();
            values[number] = lie;
            plant(dir.path(), &ruleset, 7, &values);
            let error = check(dir.path(), &ruleset).unwrap_err();
            assert!(error.is_failure(), "{number} {lie}: {error}");
        }
    }
}

/// A layer with what is below, to ask the rules about by number.
struct Layer<'a> {
    rules: Rules,
    index: Index,
    layers: &'a [Vec<i8>],
}

impl Layer<'_> {
    fn stones(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    fn values(&self) -> &[i8] {
        &self.layers[self.stones() as usize]
    }

    /// The successors of a position in the layer.
    fn successors(&self, number: u64) -> Vec<u64> {
        let board = self.index.board(self.stones(), number);
        let sown = self.rules.legal(board).map(|pit| self.rules.sow(board, pit).board);
        let inside = sown.filter(|sown| sown.stones() == self.stones());
        inside.map(|sown| self.index.number(sown).1).collect()
    }

    fn follows(&self, number: u64, values: &[i8]) -> i8 {
        let board = self.index.board(self.stones(), number);
        if let Some(remainder) = self.rules.remainder(board) {
            return remainder.value() as i8;
        }
        let follows = self.rules.legal(board).map(|pit| {
            let sown = self.rules.sow(board, pit);
            let (layer, number) = self.index.number(sown.board);
            let inside = layer == self.stones();
            let next = if inside { values } else { &self.layers[layer as usize] };
            sown.value(i32::from(next[number as usize])) as i8
        });
        follows.max().unwrap()
    }

    /// A layer in which every value follows from its successors, but a draw is claimed as won:
    /// by sowing into a draw claimed as lost, from where all sowings lead to draws claimed as won.
    /// `None` if it cannot be kept up.
    fn consistent_lie(&self, start: u64) -> Option<Vec<i8>> {
        let mut values = self.values().to_vec();
        let mut wins = vec![start];
        while let Some(win) = wins.pop() {
            let draw = |&next: &u64| self.values()[next as usize] == 0;
            if values[win as usize] == 1 {
                continue;
            }
            if values[win as usize] != 0 || !draw(&win) {
                return None;
            }
            values[win as usize] = 1;
            let loss = self.successors(win).into_iter().filter(draw);
            let loss = loss.max_by_key(|&next| std::cmp::Reverse(self.successors(next).len()))?;
            if values[loss as usize] == 1 {
                return None;
            }
            values[loss as usize] = -1;
            // Won anyway, if not a draw.
            wins.extend(self.successors(loss).into_iter().filter(draw));
        }
        let numbers = 0..values.len() as u64;
        for _ in 0..40 {
            let before = values.clone();
            for number in numbers.clone() {
                values[number as usize] = self.follows(number, &values);
            }
            if values == before {
                return (values != self.values()).then_some(values);
            }
        }
        None
    }
}

/// Two positions that justify each other's win pass every look at successors.
#[test]
fn a_consistent_lie_is_caught() {
    let mut lies = 0;
    for (name, stones) in [("awari:4x1", 4), ("oware:4x1", 5)] {
        let ruleset: Ruleset = name.parse().unwrap();
        let dir = built(&ruleset, stones, Codec::Byte);
        let layers: Vec<_> = (0..=stones).map(|n| read(dir.path(), &ruleset, n)).collect();
        let index = Index::new(ruleset.pits(), stones);
        let layer = Layer { rules: ruleset.rules(), index, layers: &layers };
        for number in 0..layer.values().len() as u64 {
            let Some(values) = layer.consistent_lie(number) else {
                continue;
            };
            plant(dir.path(), &ruleset, stones, &values);
            // Looking at successors alone does not find it.
            verify(&ruleset, dir.path(), MEMORY, Some(values.len() as u64), &|_| ()).unwrap();
            let error = check(dir.path(), &ruleset).unwrap_err();
            assert!(
                matches!(error, VerifyError::Unfounded { .. }) && error.is_failure(),
                "{error}"
            );
            assert!(error.to_string().contains("nothing brings about"), "{error}");
            lies += 1;
        }
    }
    assert!(lies > 0);
}

/// What repetitions are worth under any rule lies between the worst and the best, so does what
/// they are worth with repetition=split.
#[test]
fn bounds_agree_with_the_plain_builder_and_enclose_the_value() {
    for (pits, stones) in [(1, 20), (2, 14), (3, 9), (4, 6), (6, 5)] {
        for ruleset in ["awari", "oware", "bestemshe"].iter().flat_map(|game| rulesets(game, pits))
        {
            let mut builder = Builder::new(&ruleset, stones);
            let mut bounds = BoundsBuilder::new(&ruleset, stones);
            let mut plain = PlainBounds::new(&ruleset, stones);
            for layer in 0..=stones {
                builder.fill_next(&|_| ()).unwrap();
                bounds.fill_next(&|_| ()).unwrap();
                plain.fill_next();
                let [lower, upper] = plain.layer(layer);
                assert!(bounds.lower(layer) == lower, "{ruleset} layer {layer}");
                assert!(bounds.upper(layer) == upper, "{ruleset} layer {layer}");
                let enclosed = builder.layer(layer).iter().zip(lower.iter().zip(upper));
                for (&value, (&lower, &upper)) in enclosed {
                    assert!(lower <= value && value <= upper, "{ruleset} layer {layer}");
                }
            }
        }
    }
}
