//! Days as records and users write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A day of which the month, or only the day of the month, may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Date {
    year: u32,
    month: Option<u32>,
    day: Option<u32>,
}

impl Date {
    /// The first day that may be meant, in an order of days.
    pub(crate) fn first(self) -> u32 {
        self.number(1)
    }

    /// The last day that may be meant.
    pub(crate) fn last(self) -> u32 {
        self.number(99)
    }

    fn number(self, unknown: u32) -> u32 {
        let [month, day] = [self.month, self.day].map(|part| part.unwrap_or(unknown));
        (self.year * 100 + month) * 100 + day
    }
}

/// `2025`, `2025-01`, `2025-01-31`, and as records have it `2025.01.??`.
impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let wrong = || {
            format!("`{text}` is no date: write a year, a month or a day, for example 2025-01-31")
        };
        let mut parts = text.trim().split(['-', '.']);
        let mut part = |digits: usize, most: u32| match parts.next() {
            None => Ok(None),
            Some(part) if !part.is_empty() && part.bytes().all(|byte| byte == b'?') => Ok(None),
            Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
                let number = part.parse().ok().filter(|number| (1..=most).contains(number));
                number.map(Some).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
        };
        let (year, month, day) = (part(4, 9999)?, part(2, 12)?, part(2, 31)?);
        match (year, parts.next()) {
            (Some(year), None) if month.is_some() || day.is_none() => {
                let days = month.map_or(31, |month| days_of(year, month));
                let exists = day.is_none_or(|day| day <= days);
                exists.then_some(Date { year, month, day }).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }
}

/// The days of a month in the Gregorian calendar.
fn days_of(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        let parts = self.month.into_iter().chain(self.day);
        parts.into_iter().try_for_each(|part| write!(f, "-{part:02}"))
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Date, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_cover_the_days_they_may_mean() {
        let dates = [
            ("2025", "2025", 20250101, 20259999),
            ("2025-03", "2025-03", 20250301, 20250399),
            ("2025.03.??", "2025-03", 20250301, 20250399),
            ("2025.??.??", "2025", 20250101, 20259999),
            ("2025-03-09", "2025-03-09", 20250309, 20250309),
        ];
        for (text, written, first, last) in dates {
            let date: Date = text.parse().expect(text);
            assert_eq!(
                (date.to_string().as_str(), date.first(), date.last()),
                (written, first, last)
            );
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        let wrong = [
            "",
            "?",
            "????.??.??",
            "25",
            "2025-13",
            "2025-1",
            "2025-01-32",
            "2025-04-31",
            "2025-02-29",
            "1900-02-29",
            "2025-00",
            "2025-??-09",
            "2025-01-01-01",
            "2025-01-",
            "+025",
            "2025/01",
        ];
        for text in wrong {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
