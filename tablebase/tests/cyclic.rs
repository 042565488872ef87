//! Tables of cyclic games: the plain builder against published counts, the fast one against it.

mod common;

use std::collections::BTreeMap;

use games::Ruleset;
use serde_json::Value;
use tablebase::build::cyclic::plain::PlainBuilder;

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
