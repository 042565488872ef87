//! What several tests need.
#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use games::{Board, Ruleset, Side};
use proptest::prelude::*;
use serde_json::Value;
use solver::{Search, Watch};
use tablebase::build::MemoryTables;

/// The oracle file: sources are named in it.
pub(crate) fn published() -> Value {
    let text = include_str!("../../../data/oracles/values.json");
    serde_json::from_str(text).expect("the oracle file is JSON")
}

pub(crate) fn table<T: serde::de::DeserializeOwned>(value: &Value) -> BTreeMap<String, T> {
    serde_json::from_value(value.clone()).expect("the oracle file has this form")
}

pub(crate) fn ruleset(text: &str) -> Ruleset {
    text.parse().expect("a ruleset of the registry")
}

/// A board of the mover's pits and the opponent's.
pub(crate) fn board(pits: &[u32]) -> Board {
    let (mover, other) = pits.split_at(pits.len() / 2);
    let side = |pits| Side::from_pits(pits).expect("fits");
    Board::new(side(mover), side(other))
}

/// A search over tables of all positions of up to `layer` stones.
pub(crate) fn search<W: Watch>(
    ruleset: &Ruleset,
    stones: u32,
    layer: u32,
    (memory, threads): (u64, usize),
    watch: W,
) -> Search<MemoryTables, W> {
    let tables = MemoryTables::build(ruleset, layer, &|_| ()).expect("memory");
    Search::new(ruleset, stones, tables, memory, threads, watch).expect("an acyclic game")
}

/// Kalah and Mangala under all options that values depend on, `PITSx1` for the board.
pub(crate) fn any_ruleset() -> impl Strategy<Value = String> {
    let kalah = (
        prop::sample::select(vec!["nonempty", "empty"]),
        prop::sample::select(vec!["owner", "emptied", "none"]),
        prop::sample::select(vec!["either", "mover"]),
    );
    let mangala = (
        prop::sample::select(vec!["stay", "take"]),
        prop::sample::select(vec!["emptied", "owner"]),
        prop::sample::select(vec!["either", "mover"]),
    );
    prop_oneof![
        kalah.prop_map(|(c, r, e)| format!("kalah:PITSx1,capture={c},remainder={r},end={e}")),
        mangala.prop_map(|(l, r, e)| format!("mangala:PITSx1,lone={l},remainder={r},end={e}")),
    ]
}

/// Pits of both sides of a board with up to `most` stones and up to `widest` pits a side.
pub(crate) fn any_pits(widest: usize, most: usize) -> impl Strategy<Value = Vec<u32>> {
    let stones = move |pits| (Just(pits), prop::collection::vec(0..2 * pits, 0..=most));
    (1..=widest).prop_flat_map(stones).prop_map(|(pits, stones)| {
        let mut sides = vec![0; 2 * pits];
        stones.into_iter().for_each(|pit| sides[pit] += 1);
        sides
    })
}
