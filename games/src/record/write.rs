//! Writing records.

use std::io::{self, Write};

use thiserror::Error;

use super::form::Form;
use super::lex::variation_length;
use super::model::{Note, NoteKind, Record, Sowing};
use super::result::GameResult;

/// Columns of a line, unless one word is longer.
const COLUMNS: usize = 59;

/// Why a record cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A record without tags cannot be told from a part of the one before.
    #[error("a record needs at least one tag")]
    NoTags,
    /// The form of the game has no word for a turn.
    #[error("the turn before sowing {0} cannot be written in the form of this game")]
    Turn(usize),
    /// The form of the game takes the result for a turn.
    #[error("the result {0} reads as something else in records of this game")]
    Result(GameResult),
    /// A comment or variation would end too early, or stands inside a turn or out of order.
    #[error("the note `{0}` cannot be written where it stands")]
    Note(String),
    /// The writer failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes a record and an empty line behind it. [`records`](super::records) reads back an equal
/// one.
///
/// # Errors
/// The record cannot be written, or not to `output`; only then is a part of it written.
pub fn write(record: &Record, form: Form, output: &mut impl Write) -> Result<(), WriteError> {
    if record.tags.is_empty() {
        return Err(WriteError::NoTags);
    }
    let words = words(record, form)?;
    writeln!(output, "{}", record.tags)?;
    output.write_all(wrapped(&words).as_bytes())?;
    // Servers put it behind the result whether or not it fits the line.
    output.write_all(if record.atsyrau { b" {zero}\n\n" } else { b"\n\n" })?;
    Ok(())
}

/// The turns, the notes and the result, word for word.
fn words(record: &Record, form: Form) -> Result<Vec<String>, WriteError> {
    let mut words = Vec::new();
    let mut notes = record.notes.iter().peekable();
    let mut sowings = 0;
    let turns = record.sowings.split_inclusive(|sowing: &Sowing| sowing.ends_turn);
    for (index, turn) in turns.enumerate() {
        push_notes(&mut words, &mut notes, sowings)?;
        if index % 2 == 0 {
            words.push(format!("{}.", index / 2 + 1));
        }
        sowings += turn.len();
        words.push(form.format(turn).ok_or(WriteError::Turn(sowings))?);
    }
    push_notes(&mut words, &mut notes, sowings)?;
    if let Some(note) = notes.next() {
        return Err(WriteError::Note(note.text.clone()));
    }
    let result = record.result.to_string();
    let is_turn = form.parse(result.as_bytes(), &mut Vec::new()).is_some();
    if is_turn || GameResult::parse(&result) != Some(record.result) {
        return Err(WriteError::Result(record.result));
    }
    words.push(result);
    Ok(words)
}

/// Adds the notes that stand behind so many sowings.
fn push_notes<'a>(
    words: &mut Vec<String>,
    notes: &mut std::iter::Peekable<impl Iterator<Item = &'a Note>>,
    after: usize,
) -> Result<(), WriteError> {
    while let Some(note) = notes.next_if(|note| note.after == after) {
        let text = note.text.as_str();
        let is_plain = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ") == text;
        let (open, close, fits) = match note.kind {
            NoteKind::Comment => ('{', '}', !text.contains('}') && text != "zero"),
            NoteKind::Variation => {
                let length = variation_length(format!("{text})").as_bytes());
                ('(', ')', length == Some(text.len()))
            }
        };
        if !is_plain || !fits {
            return Err(WriteError::Note(note.text.clone()));
        }
        words.extend(format!("{open}{text}{close}").split(' ').map(str::to_owned));
    }
    Ok(())
}

/// The words in lines. No line begins with a word that might be taken for a tag.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let is_like_tag = word.trim_start_matches('\u{feff}').starts_with('[');
        if column > 0 && column + 1 + word.len() > COLUMNS && !is_like_tag {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text
}
