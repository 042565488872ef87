//! Any bytes are read as records without a panic; what is written is read back equal.
//!
//! `cargo +nightly fuzz run records -- -max_total_time=60` from the root.

#![no_main]

use std::sync::LazyLock;

use games::record::{Form, Reader, replay, write};
use games::toguz::Toguz;
use games::{Playable, Rules, Ruleset};
use libfuzzer_sys::fuzz_target;

/// A game, made once.
struct Game<R> {
    ruleset: Ruleset<R>,
    rules: R,
    form: Form,
}

impl<R: Playable> Game<R> {
    fn new(name: &str) -> Game<R> {
        let ruleset: Ruleset<R> = name.parse().expect("a game");
        let rules = ruleset.rules();
        Game { form: Form::of(&ruleset, &rules), ruleset, rules }
    }

    fn read(&self, text: &[u8]) {
        for located in Reader::new(text, self.form).flatten() {
            let record = located.record;
            let _ = replay(&self.ruleset, &self.rules, &record);
            let mut written = Vec::new();
            if write(&record, self.form, &mut written).is_ok() {
                let read: Vec<_> = Reader::new(written.as_slice(), self.form).collect();
                assert!(matches!(read.as_slice(), [Ok(read)] if read.record == record));
            }
        }
    }
}

static TOGUZ: LazyLock<Game<Toguz>> = LazyLock::new(|| Game::new("toguz"));
static OTHERS: LazyLock<[Game<Rules>; 3]> =
    LazyLock::new(|| ["kalah", "oware", "bestemshe"].map(Game::new));

fuzz_target!(|text: &[u8]| {
    TOGUZ.read(text);
    OTHERS.iter().for_each(|game| game.read(text));
});
