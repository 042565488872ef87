//! Any bytes are read as records without a panic; what replays is written and read back equal.
//!
//! `cargo +nightly fuzz run records -- -max_total_time=60` from the root.

#![no_main]

use games::record::{Form, Reader, replay, write};
use games::toguz::Toguz;
use games::{Playable, Rules, Ruleset};
use libfuzzer_sys::fuzz_target;

fn read<R: Playable>(game: &str, text: &[u8]) {
    let ruleset: Ruleset<R> = game.parse().expect("a game");
    let rules = ruleset.rules();
    let form = Form::of(&ruleset, &rules);
    for located in Reader::new(text, form).flatten() {
        let record = located.record;
        let _ = replay(&ruleset, &rules, &record);
        let mut written = Vec::new();
        if write(&record, form, &mut written).is_ok() {
            let read: Vec<_> = Reader::new(written.as_slice(), form).collect();
            assert!(matches!(read.as_slice(), [Ok(read)] if read.record == record));
        }
    }
}

fuzz_target!(|text: &[u8]| {
    read::<Toguz>("toguz", text);
    for game in ["kalah", "oware", "bestemshe"] {
        read::<Rules>(game, text);
    }
});
