//! Readers of positions, lines and rulesets: nothing makes them panic, and what they read is
//! written and read again as the same.

#![no_main]

use std::sync::LazyLock;

use games::notation::{Line, dash, fen, integers};
use games::{Rules, Ruleset, read_position};
use libfuzzer_sys::fuzz_target;

/// Games with different boards and rules.
static GAMES: LazyLock<Vec<(Ruleset, Rules)>> = LazyLock::new(|| {
    ["kalah", "mangala:2x3", "oware", "awari:9x4"]
        .map(|name| name.parse::<Ruleset>().expect("a ruleset"))
        .map(|ruleset| (ruleset.clone(), ruleset.rules()))
        .into()
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for (ruleset, rules) in GAMES.iter() {
        let Ok(position) = read_position(ruleset, rules, text) else { continue };
        let setup = position.setup(ruleset.pits());
        assert_eq!(read_position(ruleset, rules, &dash::format(&setup)), Ok(position));
        assert_eq!(read_position(ruleset, rules, &fen::format(&setup, 1)), Ok(position));
        let seen = read_position(ruleset, rules, &integers::format(&setup));
        assert_eq!(seen.map(|seen| seen.board()), Ok(position.board()));
    }
    if let Ok(line) = text.parse::<Line>() {
        assert_eq!(line.to_string().parse(), Ok(line));
    }
    if let Ok(ruleset) = text.parse::<Ruleset>() {
        assert_eq!(ruleset.to_string().parse(), Ok(ruleset));
    }
});
