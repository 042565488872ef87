//! Perft equals the published and independently computed counts.

use games::{AnyRuleset, Playable, Position, Ruleset, perft};

#[test]
fn every_count_of_perft_json() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/oracles/perft.json");
    let text = std::fs::read_to_string(path).expect("data/oracles/perft.json can be read");
    let oracle: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let games = oracle["games"].as_object().expect("it has games");
    assert_eq!(games.len(), 7);
    for (names, nodes) in games {
        let nodes: Vec<u64> = serde_json::from_value(nodes.clone()).expect("a list of counts");
        // A key is one ruleset or several, then a remark: `oware:6x4 and awari:6x4 (defaults)`.
        let names = names.split(" (").next().expect("split yields a first part");
        for name in names.split(" and ") {
            match name.parse().expect("a ruleset") {
                AnyRuleset::Sides(ruleset) => compare(&ruleset, &nodes),
                AnyRuleset::Toguz(ruleset) => compare(&ruleset, &nodes),
            }
        }
    }
}

fn compare<R: Playable>(ruleset: &Ruleset<R>, nodes: &[u64]) {
    let start = Position::start(ruleset);
    assert_eq!(perft(ruleset, &ruleset.rules(), &start, nodes.len() - 1), nodes, "{ruleset}");
}
