//! What a layer file is about: ruleset, layer, kind of values.

use std::fmt;

use thiserror::Error;

use crate::index::{side_layer_positions, tuzdyk_layer_positions};

use super::codes::Codes;

/// Longest ruleset key a header has room for.
pub(crate) const MAX_KEY: usize = 1024;

/// What the stored values say about the true ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// They are the true values.
    Exact,
    /// The true values are at least these.
    LowerBound,
    /// The true values are at most these.
    UpperBound,
}

impl ValueKind {
    /// All kinds; the place of each is its number in the header.
    pub const ALL: [ValueKind; 3] =
        [ValueKind::Exact, ValueKind::LowerBound, ValueKind::UpperBound];

    /// The bounds of values that hold under any rule of repetition, the lower one first.
    pub const BOUNDS: [ValueKind; 2] = [ValueKind::LowerBound, ValueKind::UpperBound];
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueKind::Exact => "exact values",
            ValueKind::LowerBound => "lower bounds",
            ValueKind::UpperBound => "upper bounds",
        })
    }
}

/// How the positions of a layer are numbered; `FORMAT.md` describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// Two sides, by the [index](crate::index::Index) of most games.
    Sides,
    /// The tuzdyks, then two rows, by the [index](crate::index::TuzdykIndex) of toguz kumalak.
    Tuzdyks,
}

impl Scheme {
    /// All schemes; the place of each is its number in the header, less one.
    pub const ALL: [Scheme; 2] = [Scheme::Sides, Scheme::Tuzdyks];

    /// The number of positions of a layer; `None` if 64 bits do not count them.
    #[must_use]
    pub fn positions(self, pits: usize, stones: u32) -> Option<u64> {
        match self {
            Scheme::Sides => side_layer_positions(pits, stones),
            Scheme::Tuzdyks => tuzdyk_layer_positions(pits, stones),
        }
    }
}

/// The distance between neighbouring values of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Every value of -n..=n may occur.
    One,
    /// All values have the parity of n.
    Two,
}

/// Why a layer cannot be described.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// The ruleset key is empty or too long.
    #[error("a ruleset key has 1 to {MAX_KEY} bytes, this one {0}")]
    Key(usize),
    /// Too many stones for values of one byte.
    #[error("{0} stones are more than the {max} a board holds", max = games::MAX_STONES)]
    Stones(u32),
    /// No such board.
    #[error("{0} pits a side; 1 to {max} are possible", max = games::MAX_PITS)]
    Pits(u32),
    /// More positions than 64 bits count.
    #[error("layer {stones} of {pits} pits a side has more positions than 64 bits count")]
    Count {
        /// The layer.
        stones: u32,
        /// Pits a side.
        pits: u32,
    },
}

/// What a layer file holds, apart from how it is encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerSpec {
    key: String,
    scheme: Scheme,
    pits: u32,
    stones: u32,
    step: Step,
    kind: ValueKind,
    count: u64,
    codes: Codes,
}

impl LayerSpec {
    /// Exact values of layer `stones` under the rulesets of `key`
    /// ([`games::Ruleset::table_key`]).
    ///
    /// # Errors
    ///
    /// If the format has no room for such a layer.
    pub fn new(
        key: &str,
        scheme: Scheme,
        pits: u32,
        stones: u32,
        step: Step,
    ) -> Result<LayerSpec, SpecError> {
        if !(1..=MAX_KEY).contains(&key.len()) {
            return Err(SpecError::Key(key.len()));
        }
        if !(1..=games::MAX_PITS as u32).contains(&pits) {
            return Err(SpecError::Pits(pits));
        }
        let codes = Codes::new(stones, step).ok_or(SpecError::Stones(stones))?;
        let count = scheme.positions(pits as usize, stones);
        let count = count.ok_or(SpecError::Count { stones, pits })?;
        let kind = ValueKind::Exact;
        Ok(LayerSpec { key: key.to_owned(), scheme, pits, stones, step, kind, count, codes })
    }

    /// The same layer with values of another kind.
    #[must_use]
    pub fn with_kind(self, kind: ValueKind) -> LayerSpec {
        LayerSpec { kind, ..self }
    }

    /// The ruleset key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How positions are numbered.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Pits a side.
    #[must_use]
    pub fn pits(&self) -> u32 {
        self.pits
    }

    /// The layer: stones on the board.
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// Whether values have the layer's parity.
    #[must_use]
    pub fn step(&self) -> Step {
        self.step
    }

    /// What the values say.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// Positions of the layer.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The codes of the packed form.
    #[must_use]
    pub fn codes(&self) -> Codes {
        self.codes
    }
}

#[cfg(test)]
mod tests {
    use super::Scheme;

    /// Counts of the 6-pit layers that the issue names.
    #[test]
    fn layer_sizes() {
        let positions = |pits, stones| Scheme::Sides.positions(pits, stones);
        assert_eq!(positions(6, 0), Some(1));
        assert_eq!(positions(6, 1), Some(12));
        assert_eq!(positions(1, 5), Some(6));
        let up_to = |n: u32| (0..=n).map(|n| positions(6, n).unwrap()).sum::<u64>();
        assert_eq!(up_to(26) / 10_000_000, 270);
        assert_eq!(up_to(30) / 10_000_000, 1105);
        assert_eq!(positions(9, 127), None);
    }
}
