//! Where positions come from: arguments, files, standard input; plain or compressed.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use clap::ValueEnum;

use crate::error::Error;
use crate::input::unpacked;

/// How positions are written in an input. It is told by the name of a file or by the user, never
/// guessed from what the input holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kind {
    /// A position a line, in any notation
    Lines,
    /// A header, then a record a line; positions are in one column
    Csv,
    /// A JSON object a line; positions are in one field
    Jsonl,
}

/// Names of files that say their kind, before the ending of compression.
const ENDINGS: [(&str, Kind); 3] =
    [(".csv", Kind::Csv), (".jsonl", Kind::Jsonl), (".ndjson", Kind::Jsonl)];

impl Kind {
    /// The kind that the name of a file says: lines, unless it ends otherwise.
    fn of(path: &Path) -> Kind {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let plain = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
        let name = plain.unwrap_or(&name);
        let known = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        known.map_or(Kind::Lines, |&(_, kind)| kind)
    }
}

/// One input, not opened yet.
#[derive(Clone)]
pub(crate) enum Input {
    /// Positions given as arguments.
    Arguments(Vec<String>),
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The inputs the user named: standard input if none.
    pub(crate) fn all(arguments: &[String], files: &[PathBuf]) -> Vec<Input> {
        let file = |path: &PathBuf| match path.as_os_str() == "-" {
            true => Input::Stdin,
            false => Input::File(path.clone()),
        };
        match (arguments, files) {
            ([], []) => vec![Input::Stdin],
            ([], files) => files.iter().map(file).collect(),
            (arguments, _) => vec![Input::Arguments(arguments.to_vec())],
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Input::Arguments(_) => "the arguments".to_owned(),
            Input::Stdin => "standard input".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// How positions are written here, unless the user says otherwise.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Input::File(path) => Kind::of(path),
            Input::Arguments(_) | Input::Stdin => Kind::Lines,
        }
    }

    /// Bytes, as they are stored, if that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Input::Arguments(texts) => Some(joined(texts).len() as u64),
            Input::Stdin => None,
            Input::File(path) => {
                let metadata = path.metadata().ok()?;
                metadata.is_file().then_some(metadata.len())
            }
        }
    }

    /// The plain bytes; `consumed` counts those read as they are stored.
    pub(crate) fn open(&self, consumed: &Arc<AtomicU64>) -> Result<Box<dyn Read + Send>, Error> {
        let raw: Box<dyn Read + Send> = match self {
            Input::Arguments(texts) => Box::new(Cursor::new(joined(texts))),
            Input::Stdin => Box::new(io::stdin()),
            Input::File(path) => Box::new(File::open(path).map_err(|reason| self.error(reason))?),
        };
        let counted = Counted { reader: raw, consumed: consumed.clone() };
        unpacked(Box::new(counted)).map_err(|reason| self.error(reason))
    }

    pub(crate) fn error(&self, reason: io::Error) -> Error {
        Error::Input { name: self.name(), reason }
    }
}

/// A line an argument.
fn joined(texts: &[String]) -> Vec<u8> {
    let lines = texts.iter().map(|text| text.replace(['\n', '\r'], " ") + "\n");
    lines.collect::<String>().into_bytes()
}

/// Counts what is read.
struct Counted<R> {
    reader: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.consumed.fetch_add(read as u64, Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_say_their_kind() {
        let kinds = [
            ("a.csv", Kind::Csv),
            ("a.CSV.gz", Kind::Csv),
            ("a.jsonl.zst", Kind::Jsonl),
            ("a.ndjson", Kind::Jsonl),
            ("a.txt", Kind::Lines),
            ("csv", Kind::Lines),
            ("a.csv.bak", Kind::Lines),
        ];
        for (name, kind) in kinds {
            assert_eq!(Kind::of(Path::new(name)), kind, "{name}");
        }
    }
}
