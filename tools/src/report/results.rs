//! The committed results, which the binary holds.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;

/// The files of `data/results` by name, with their text.
static RESULTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/results.rs"));

/// Where a value of a study comes from.
#[derive(Serialize)]
pub(crate) struct Source {
    pub(crate) name: String,
    /// Of the text of the file.
    pub(crate) bytes: usize,
    pub(crate) crc32: String,
    /// The command that computed it.
    pub(crate) command: String,
    pub(crate) program: String,
    /// What the computation took.
    pub(crate) seconds: f64,
}

/// A result with the file it is from.
pub(crate) struct Found<T> {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) value: T,
}

/// Reads a committed result; `None` if there is none of this name.
pub(crate) fn find<T: DeserializeOwned>(name: &str) -> Result<Option<Found<T>>, Error> {
    let Some(&(name, text)) = RESULTS.iter().find(|(known, _)| *known == name) else {
        return Ok(None);
    };
    let value = serde_json::from_str(text)
        .map_err(|error| Error::Results { name: name.to_owned(), reason: error.to_string() })?;
    Ok(Some(Found { name, text, value }))
}

impl Source {
    pub(crate) fn new(
        name: &str,
        text: &str,
        command: &str,
        program: &str,
        seconds: f64,
    ) -> Source {
        Source {
            name: name.to_owned(),
            bytes: text.len(),
            crc32: format!("{:08x}", crc32fast::hash(text.as_bytes())),
            command: command.to_owned(),
            program: program.to_owned(),
            seconds,
        }
    }
}
