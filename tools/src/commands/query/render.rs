//! Answers as lines of text, CSV or JSON: each answer is one line.

use std::io::Write;

use games::Rows;
use serde_json::{Value, json};

use super::answer::Answer;
use super::fields::{Field, USUAL};
use crate::commands::judged::Judged;
use crate::output::Format;

/// The longest reason told; an input line may be very long, and reasons quote it.
const MAX_REASON: usize = 300;

/// What a line of text that is no answer starts with.
const ERROR: &str = "error: ";

/// Where a position came from.
pub(crate) struct Place<'a> {
    /// The input, if there are several.
    pub(crate) input: Option<&'a str>,
    pub(crate) line: u64,
    /// The position as it was given; empty if that is unknown.
    pub(crate) text: &'a str,
}

/// Writes answers.
pub(crate) struct Renderer {
    pub(crate) format: Format,
    /// The fields to write; `None` for the whole judgement as an object.
    pub(crate) fields: Option<Vec<Field>>,
    pub(crate) game: String,
    pub(crate) pits: usize,
}

impl Renderer {
    pub(crate) fn new(
        format: Format,
        chosen: Option<Vec<Field>>,
        game: String,
        pits: usize,
    ) -> Renderer {
        let usual = matches!(format, Format::Text | Format::Csv).then(|| USUAL.to_vec());
        Renderer { format, fields: chosen.or(usual), game, pits }
    }

    pub(crate) fn needs_judgement(&self) -> bool {
        let needs = |fields: &Vec<Field>| fields.iter().any(|field| field.needs_judgement());
        self.fields.as_ref().is_none_or(needs)
    }

    /// The first line of a table: the fields, and a last column for what was wrong.
    pub(crate) fn header(&self) -> Vec<u8> {
        match (self.format, &self.fields) {
            (Format::Csv, Some(fields)) => {
                let names = fields.iter().map(|field| field.name());
                let names: Vec<&str> = names.chain(["error"]).collect();
                (names.join(",") + "\n").into_bytes()
            }
            _ => Vec::new(),
        }
    }

    /// Appends an answer.
    pub(crate) fn answer<B: Rows>(&self, out: &mut Vec<u8>, place: &Place<'_>, answer: &Answer<B>) {
        match (self.format, &self.fields) {
            (Format::Text, Some(fields)) => self.cells(out, fields, place, answer, b'\t', "-"),
            (Format::Csv, Some(fields)) => {
                self.cells(out, fields, place, answer, b',', "");
                out.pop();
                out.extend(b",\n");
            }
            (_, Some(fields)) => self.object(out, fields, place, answer),
            (_, None) => match &answer.judged {
                Some(judged) => push_line(out, judged),
                None => self.object(out, &WITHOUT_JUDGEMENT, place, answer),
            },
        }
    }

    /// Appends what was wrong with a position.
    pub(crate) fn bad(&self, out: &mut Vec<u8>, place: &Place<'_>, reason: &str) {
        let reason = shortened(reason);
        match self.format {
            Format::Json | Format::Jsonl => {
                let line = place.line;
                // `write!` to memory cannot fail.
                let _ = write!(out, "{{\"line\":{line},");
                if let Some(input) = place.input {
                    let _ = write!(out, "\"file\":{},", json!(input));
                }
                let _ = writeln!(out, "\"error\":{}}}", json!(reason));
            }
            Format::Text => {
                let _ = writeln!(out, "{ERROR}{}", escaped(&place.told(&reason)));
            }
            Format::Csv => {
                let columns = self.fields.as_ref().map_or(0, Vec::len);
                out.extend(std::iter::repeat_n(b',', columns));
                push_cell(out, &escaped(&place.told(&reason)), b',');
                out.push(b'\n');
            }
        }
    }

    /// Whether a line that was written tells of a bad position.
    pub(crate) fn is_bad(&self, line: &[u8]) -> bool {
        match self.format {
            Format::Json | Format::Jsonl => line
                .strip_prefix(b"{\"line\":")
                .and_then(|rest| rest.first())
                .is_some_and(u8::is_ascii_digit),
            Format::Text => line.starts_with(ERROR.as_bytes()),
            // The last column is empty otherwise.
            Format::Csv => !line.ends_with(b","),
        }
    }

    fn cells<B: Rows>(
        &self,
        out: &mut Vec<u8>,
        fields: &[Field],
        place: &Place<'_>,
        answer: &Answer<B>,
        between: u8,
        nothing: &str,
    ) {
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                out.push(between);
            }
            match (field, answer.value, answer.bounds) {
                (Field::Value, Some(value), _) => push_number(out, value),
                (Field::Value, None, Some([lower, upper])) => {
                    let _ = write!(out, "{lower}..{upper}");
                }
                _ => match self.field(*field, place, answer) {
                    Value::Null => out.extend(nothing.as_bytes()),
                    Value::String(text) => push_cell(out, &escaped(&text), between),
                    other => push_cell(out, &other.to_string(), between),
                },
            }
        }
        out.push(b'\n');
    }

    /// An object of the fields. That a value is not exact is told whether asked for or not.
    fn object<B: Rows>(
        &self,
        out: &mut Vec<u8>,
        fields: &[Field],
        place: &Place<'_>,
        answer: &Answer<B>,
    ) {
        let more = match answer.value {
            Some(_) => [].as_slice(),
            None => &[Field::Bounds, Field::Exact],
        };
        let more = more.iter().filter(|field| !fields.contains(field));
        for (index, field) in fields.iter().chain(more).enumerate() {
            out.extend(if index == 0 { b"{\"" } else { b",\"" });
            out.extend(field.name().as_bytes());
            out.extend(b"\":");
            match (field, answer.value) {
                (Field::Value, Some(value)) => push_number(out, value),
                _ => {
                    let _ = write!(out, "{}", self.field(*field, place, answer));
                }
            }
        }
        out.extend(b"}\n");
    }

    fn field<B: Rows>(&self, field: Field, place: &Place<'_>, answer: &Answer<B>) -> Value {
        match field {
            Field::Number => json!(place.line),
            Field::Input => json!(place.text),
            Field::Game => json!(self.game),
            Field::Position => {
                json!(games::notation::dash::format(&answer.position.setup(self.pits)))
            }
            Field::Value => json!(answer.value),
            Field::Bounds => json!(answer.bounds),
            Field::Exact => json!(answer.value.is_some()),
            Field::Source => json!(answer.source),
            Field::Nodes => json!(answer.searched.map(|searched| searched.nodes)),
            Field::Seconds => json!(answer.searched.map(|searched| rounded(searched.seconds))),
            Field::Judged(name) => {
                answer.judged.as_ref().map_or(Value::Null, |judged| judged.field(name))
            }
        }
    }
}

/// What is told of a position that was not judged in time.
const WITHOUT_JUDGEMENT: [Field; 6] =
    [Field::Game, Field::Position, Field::Value, Field::Bounds, Field::Exact, Field::Source];

impl Place<'_> {
    pub(crate) fn told(&self, reason: &str) -> String {
        let input = self.input.map(|input| format!("{input}, ")).unwrap_or_default();
        format!("{input}line {}: {reason}", self.line)
    }
}

fn push_line(out: &mut Vec<u8>, judged: &Judged) {
    // Judgements are plain data, and memory takes every byte.
    let _ = serde_json::to_writer(&mut *out, judged);
    out.push(b'\n');
}

/// Seconds to a tenth of a millisecond: smaller numbers would be written with exponents.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}

fn push_number(out: &mut Vec<u8>, number: i32) {
    let _ = write!(out, "{number}");
}

/// Appends a cell, in quotes where a table needs them.
fn push_cell(out: &mut Vec<u8>, text: &str, between: u8) {
    match between == b',' && text.contains([',', '"']) {
        true => {
            let _ = write!(out, "\"{}\"", text.replace('"', "\"\""));
        }
        false => out.extend(text.as_bytes()),
    }
}

/// Without line breaks and tabs, so that an answer stays one line.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    match text.contains(char::is_control) {
        true => text.chars().map(escape).collect(),
        false => text.to_owned(),
    }
}

fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}...", &reason[..end]),
        None => reason.to_owned(),
    }
}
