//! Perft equals the published and independently computed counts.

use games::{Position, Ruleset, perft};

#[test]
fn every_count_of_perft_json() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/oracles/perft.json");
    let text = std::fs::read_to_string(path).expect("data/oracles/perft.json can be read");
    let oracle: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let games = oracle["games"].as_object().expect("it has games");
    assert_eq!(games.len(), 5);
    for (names, nodes) in games {
        let nodes: Vec<u64> = serde_json::from_value(nodes.clone()).expect("a list of counts");
        // A key is one ruleset or several, then a remark: `oware:6x4 and awari:6x4 (defaults)`.
        let names = names.split(" (").next().expect("split yields a first part");
        for name in names.split(" and ") {
            let ruleset: Ruleset = name.parse().expect("a ruleset");
            let start = Position::start(&ruleset);
            let counted = perft(&ruleset, &ruleset.rules(), &start, nodes.len() - 1);
            assert_eq!(counted, nodes, "{ruleset}");
        }
    }
}
