//! Sizes in bytes as users write them: `8GiB`, `512MiB`, `4GB`, `1000000`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size(pub(crate) u64);

#[derive(Debug, Error)]
pub(crate) enum SizeError {
    #[error("`{0}` is not a size: write whole bytes or a unit, for example 8GiB, 512MiB or 4GB")]
    Form(String),
    #[error("`{0}` is more than any machine has")]
    TooLarge(String),
}

const UNITS: [(&str, u64); 9] = [
    ("", 1),
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
];

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let form = || SizeError::Form(text.to_owned());
        let large = || SizeError::TooLarge(text.to_owned());
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        if number.is_empty() {
            return Err(form());
        }
        let number: u64 = number.parse().map_err(|_| large())?;
        let known = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()));
        let (_, factor) = known.ok_or_else(form)?;
        number.checked_mul(*factor).map(Size).ok_or_else(large)
    }
}

/// In the largest binary unit that leaves at least one of it.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = [("TiB", 1u64 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        match binary.into_iter().find(|&(_, unit)| self.0 >= unit) {
            Some((name, unit)) if self.0.is_multiple_of(unit) => {
                write!(f, "{}{name}", self.0 / unit)
            }
            Some((name, unit)) => write!(f, "{:.1}{name}", self.0 as f64 / unit as f64),
            None => write!(f, "{}B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let sizes = [
            ("8GiB", 8 << 30),
            ("512mib", 512 << 20),
            ("4GB", 4_000_000_000),
            ("4 KB", 4_000),
            ("0", 0),
            ("123B", 123),
        ];
        for (text, bytes) in sizes {
            assert_eq!(text.parse::<Size>().expect(text), Size(bytes));
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "GiB", "-1", "8 apples", "1.5GiB", "99999999999999999999", "99999999TiB"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_written() {
        let sizes = [(0, "0B"), (1 << 30, "1GiB"), (3 << 29, "1.5GiB"), (4_000, "3.9KiB")];
        for (bytes, text) in sizes {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }
}
