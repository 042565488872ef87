//! What of an answer is told.

use std::str::FromStr;

use crate::commands::judged::Judged;

/// Part of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// The number of the line in its input, or of the argument.
    Number,
    /// The position as it was given.
    Input,
    Game,
    Position,
    Value,
    /// What the value lies between.
    Bounds,
    /// Whether the value is known exactly.
    Exact,
    Source,
    /// Boards that a search looked at, and its seconds.
    Nodes,
    Seconds,
    /// What only a judgement knows: sowings and a best line.
    Judged(&'static str),
}

const OWN: [(&str, Field); 10] = [
    ("number", Field::Number),
    ("input", Field::Input),
    ("game", Field::Game),
    ("position", Field::Position),
    ("value", Field::Value),
    ("bounds", Field::Bounds),
    ("exact", Field::Exact),
    ("source", Field::Source),
    ("nodes", Field::Nodes),
    ("seconds", Field::Seconds),
];

/// What text and tables tell unless the user chooses.
pub(crate) const USUAL: [Field; 4] =
    [Field::Position, Field::Value, Field::Judged("best"), Field::Source];

impl Field {
    /// The values of the sowings in pit order.
    pub(crate) const CHILDREN: Field = Field::Judged(Judged::CHILDREN);

    /// All names, in the order in which they are listed.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let own = OWN.map(|(name, _)| name);
        let judged = Judged::FIELDS.iter().copied().filter(move |name| !own.contains(name));
        own.into_iter().chain(judged)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Field::Judged(name) => name,
            own => OWN.iter().find(|(_, field)| *field == own).map_or("", |(name, _)| name),
        }
    }

    /// Whether it takes more than the value of the position.
    pub(crate) fn needs_judgement(self) -> bool {
        matches!(self, Field::Judged(_))
    }
}

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Field, String> {
        let own = OWN.iter().find(|(name, _)| *name == text).map(|&(_, field)| field);
        let judged = || Judged::FIELDS.iter().find(|name| **name == text);
        own.or_else(|| judged().map(|name| Field::Judged(name))).ok_or_else(|| {
            let known: Vec<&str> = Field::names().collect();
            format!("no such field; the fields are {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for name in Field::names() {
            assert_eq!(name.parse::<Field>().expect(name).name(), name);
        }
        assert!("moves".parse::<Field>().expect("a field").needs_judgement());
        assert!(!"value".parse::<Field>().expect("a field").needs_judgement());
        assert!("valu".parse::<Field>().expect_err("no field").contains("number, input, game"));
    }
}
