//! Tables of cyclic games: the plain builder against published counts, the fast one against it.

mod common;

use std::collections::BTreeMap;

use common::{in_pool, rulesets};
use games::Ruleset;
use serde_json::Value;
use tablebase::build::cyclic::Builder;
use tablebase::build::cyclic::plain::PlainBuilder;
use tablebase::index::Index;

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
        builder.fill_next(&|_| ());
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
        for game in ["awari", "oware"] {
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
        builder.fill_next(&|_| ());
        assert_eq!(counted(builder.layer(layer)), awari_oracle()[&layer], "layer {layer}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_values() {
    let ruleset: Ruleset = "oware".parse().unwrap();
    let built = [1, 2, 5].map(|threads| {
        in_pool(threads, || {
            let mut builder = Builder::new(&ruleset, 10);
            (0..=10).for_each(|_| builder.fill_next(&|_| ()));
            builder.layer(10).to_vec()
        })
    });
    assert!(built[0] == built[1] && built[0] == built[2]);
}
