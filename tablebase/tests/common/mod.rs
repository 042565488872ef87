//! What several tests need.
#![allow(dead_code, missing_docs, reason = "each test uses a part of it")]

use games::{Ruleset, registry};

/// Every ruleset of a game that has its own tables, on a board of `pits` pits a side.
pub(crate) fn rulesets(game: &str, pits: usize) -> Vec<Ruleset> {
    let mut texts = vec![format!("{game}:{pits}x0")];
    let spec = registry::find(game).unwrap();
    for option in spec.options.iter().filter(|option| !option.play_only) {
        let with = |text: &String| -> Vec<String> {
            let values = option.values.iter();
            values.map(|(value, _)| format!("{text},{}={value}", option.name)).collect()
        };
        texts = texts.iter().flat_map(with).collect();
    }
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Runs on a pool of its own.
pub(crate) fn in_pool<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}
