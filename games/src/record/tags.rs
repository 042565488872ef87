//! The tag pairs at the head of a record.

use std::fmt;

use thiserror::Error;

use crate::position::Player;

/// Why a tag pair cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TagError {
    /// The name is not made of ASCII letters, digits and `_`.
    #[error("`{0}` cannot be the name of a tag: only letters, digits and _ can")]
    Name(String),
    /// The value holds the end of a line.
    #[error("the value of tag {0} goes over several lines")]
    Value(String),
    /// There are too many.
    #[error("more than {MAX_TAGS} tags")]
    TooMany,
    /// There is such a tag already.
    #[error("tag {0} is there twice")]
    Twice(String),
}

/// The most tags of a record.
pub(super) const MAX_TAGS: usize = 256;

/// Tag pairs: names, each once, with their values. Any name is possible; a few have a meaning
/// here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All names and values in the order in which they stand.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a tag at the end.
    ///
    /// # Errors
    /// The pair cannot be written, or the name is there already.
    pub fn push(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name.as_bytes()) {
            return Err(TagError::Name(name.to_owned()));
        }
        if value.contains(['\n', '\r']) {
            return Err(TagError::Value(name.to_owned()));
        }
        if self.0.len() >= MAX_TAGS {
            return Err(TagError::TooMany);
        }
        if self.get(name).is_some() {
            return Err(TagError::Twice(name.to_owned()));
        }
        self.0.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// The name of a player: the tags `South` and `North`, or `White` and `Black`.
    #[must_use]
    pub fn player(&self, player: Player) -> Option<&str> {
        self.either(player, ["South", "White"], ["North", "Black"])
    }

    /// The rating of a player: the tags `SouthElo` and `NorthElo`, or `WhiteElo` and `BlackElo`;
    /// `None` also where the value is no number.
    #[must_use]
    pub fn rating(&self, player: Player) -> Option<u32> {
        let rating = self.either(player, ["SouthElo", "WhiteElo"], ["NorthElo", "BlackElo"])?;
        crate::notation::number(rating).ok()
    }

    fn either(&self, player: Player, south: [&str; 2], north: [&str; 2]) -> Option<&str> {
        let names = match player {
            Player::South => south,
            Player::North => north,
        };
        names.into_iter().find_map(|name| self.get(name))
    }
}

/// One pair a line, `"` and `\` in values after a `\`.
impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(name, value)| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        })
    }
}

/// Whether this can be the name of a tag.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The name of the tag pair that a line begins with, if it does.
pub(super) fn name_in(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
    let rest = line.strip_prefix(b"[")?.trim_ascii_start();
    let end = rest.iter().position(|&byte| byte.is_ascii_whitespace() || byte == b'"')?;
    let (name, rest) = rest.split_at(end);
    (is_name(name) && rest.trim_ascii_start().starts_with(b"\"")).then_some(name)
}

/// What some programs put at the head of a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
