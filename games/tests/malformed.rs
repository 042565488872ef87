//! Malformed and odd positions: each gets the right error, or is read as what it is.

use games::notation::dash;
use games::{Ruleset, read_position};
use proptest::prelude::*;

const CASES: &str = include_str!("../../data/malformed/positions.tsv");

fn kalah() -> Ruleset {
    "kalah".parse().expect("a ruleset")
}

#[test]
fn every_malformed_position_gets_the_right_error() {
    let (ruleset, rules) = (kalah(), kalah().rules());
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let (expected, text) = line.split_once('\t').expect("two columns");
        let found = read_position(&ruleset, &rules, text);
        let right = match (&found, expected.strip_prefix('!')) {
            (Ok(position), None) => dash::format(&position.setup(6)) == expected,
            (Err(reason), Some(part)) => reason.to_string().contains(part),
            _ => false,
        };
        count += 1;
        if !right {
            wrong.push(format!("`{text}`: {found:?} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 200, "{count}");
}

proptest! {
    /// Whatever is read has a text that is read as the same again; nothing panics.
    #[test]
    fn any_text_is_read_or_refused(
        text in prop_oneof![
            any::<String>(), "(line:)?[0-9SNsn,/ +-]{0,60}", "(line: ?)([1-6](-| )){0,30}"
        ]
    ) {
        let (ruleset, rules) = (kalah(), kalah().rules());
        if let Ok(position) = read_position(&ruleset, &rules, &text) {
            let dashes = dash::format(&position.setup(6));
            prop_assert_eq!(read_position(&ruleset, &rules, &dashes), Ok(position));
        }
    }
}
