//! Rulesets whose positions a search gives no exact value.

use games::Ruleset;
use thiserror::Error;

/// Why a ruleset cannot be solved by search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unsolvable {
    /// Play may go on for ever, and then plain alpha-beta does not end.
    #[error(
        "{0} cannot be solved by the plain search: its positions can recur, so play may never end"
    )]
    Cyclic(&'static str),
    /// The value of a position depends on what was played before.
    #[error(
        "no exact values under repetition={0}: there a position is worth something else \
         after another history; repetition=split has a value for each position, and bounds come from \
         tables: mancala build --bounds, then solve --tables DIR"
    )]
    Repetition(&'static str),
}

/// Refuses rulesets that cannot be solved by search.
pub(crate) fn refuse(ruleset: &Ruleset) -> Result<(), Unsolvable> {
    match ruleset.choice("repetition") {
        Some(rule) if !ruleset.has_values() => Err(Unsolvable::Repetition(rule)),
        _ => Ok(()),
    }
}
