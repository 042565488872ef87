//! The text of a position in each line of an input.

use std::borrow::Cow;

use csv::ByteRecord;
use serde_json::Value;

use super::chunks::{Chunk, MAX_LINE};
use super::input::{Input, Kind};
use crate::error::Error;

/// The column of a table, or the field of an object, that holds positions.
pub(crate) const COLUMN: &str = "position";

/// Where in a line the position is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The whole line.
    Line,
    /// A cell of a table.
    Cell { column: usize, columns: usize },
    /// A field of an object.
    Field(String),
}

/// A line that asks for an answer.
pub(crate) struct Record<'a> {
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// The position as it is written, or why there is none.
    pub(crate) text: Result<Cow<'a, str>, String>,
}

impl Form {
    /// Where lines of some kind have their positions; takes the header of a table away.
    pub(crate) fn new(
        input: &Input,
        kind: Kind,
        column: Option<&str>,
        first: Option<&mut Chunk>,
    ) -> Result<Form, Error> {
        let name = column.unwrap_or(COLUMN);
        Ok(match kind {
            Kind::Lines => Form::Line,
            Kind::Jsonl => Form::Field(name.to_owned()),
            Kind::Csv => {
                let no_header = || Error::Usage(format!("{} has no header line", input.name()));
                let header = first.ok_or_else(no_header)?;
                Form::cell(input, name, &header.take_line().ok_or_else(no_header)?)?
            }
        })
    }

    fn cell(input: &Input, name: &str, header: &[u8]) -> Result<Form, Error> {
        let header = String::from_utf8_lossy(without_mark(header.trim_ascii())).into_owned();
        let cells = cells(header.as_bytes()).map_err(|reason| {
            Error::Usage(format!("the header line of {}: {reason}", input.name()))
        })?;
        let names: Vec<&str> =
            cells.iter().map(|cell| str::from_utf8(cell).unwrap_or_default().trim()).collect();
        let mut found = names.iter().enumerate().filter(|(_, known)| **known == name);
        let known = names.join(", ");
        match (found.next(), found.next()) {
            (Some((column, _)), None) => Ok(Form::Cell { column, columns: names.len() }),
            (None, _) => Err(Error::Usage(format!(
                "{} has no column `{name}`; name one with --column, its columns are: {known}",
                input.name()
            ))),
            (Some(_), Some(_)) => {
                Err(Error::Usage(format!("{} has the column `{name}` twice", input.name())))
            }
        }
    }

    /// The records of a chunk.
    pub(crate) fn records<'a>(&'a self, chunk: &'a Chunk) -> impl Iterator<Item = Record<'a>> {
        chunk.lines().map(|(line, bytes)| Record { line, text: self.text(bytes) })
    }

    fn text<'a>(&self, line: &'a [u8]) -> Result<Cow<'a, str>, String> {
        if line.len() > MAX_LINE {
            return Err(format!("the line is longer than {MAX_LINE} bytes"));
        }
        let line = without_mark(line);
        let text = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
        match self {
            Form::Line if text.starts_with('{') => {
                Err("a position is expected, not an object; for JSON Lines give \
                     --input-format jsonl"
                    .to_owned())
            }
            Form::Line => Ok(Cow::Borrowed(text)),
            Form::Cell { column, columns } => cell(text, *column, *columns),
            Form::Field(name) => field(text, name).map(Cow::Owned),
        }
    }
}

/// Some programs put a byte order mark before the first line.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// A cell of a record of a table.
fn cell(text: &str, column: usize, columns: usize) -> Result<Cow<'_, str>, String> {
    let counted = |found: usize| match found == columns {
        true => Ok(()),
        false => Err(format!("the record has {found} cells, the header {columns}")),
    };
    if !text.contains('"') {
        counted(text.bytes().filter(|&byte| byte == b',').count() + 1)?;
        return Ok(Cow::Borrowed(text.split(',').nth(column).unwrap_or_default()));
    }
    let cells = cells(text.as_bytes())?;
    counted(cells.len())?;
    let cell = cells.get(column).unwrap_or_default();
    Ok(Cow::Owned(String::from_utf8_lossy(cell).into_owned()))
}

/// The cells of one record; a quoted cell may not go on in the next line.
fn cells(line: &[u8]) -> Result<ByteRecord, String> {
    if line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 {
        return Err("a quoted cell does not end in its line".to_owned());
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let mut record = ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => Ok(record),
        Ok(false) => Err("the record is empty".to_owned()),
        Err(reason) => Err(reason.to_string()),
    }
}

/// A field of an object.
fn field(text: &str, name: &str) -> Result<String, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|reason| format!("the line is not JSON: {reason}"))?;
    let Value::Object(mut object) = value else {
        return Err("the line is no JSON object".to_owned());
    };
    match object.remove(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("the field `{name}` is not a string")),
        None => Err(format!("the object has no field `{name}`")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Records without quotes are cut as the CSV library cuts them.
        #[test]
        fn plain_cells_are_those_of_the_library(
            text in "[a-c,;-]{1,20}", column in 0usize..4, columns in 1usize..5
        ) {
            let record = cells(text.as_bytes()).expect("a record");
            let expected = (record.len() == columns)
                .then(|| String::from_utf8_lossy(record.get(column).unwrap_or_default()).into_owned());
            prop_assert_eq!(cell(&text, column, columns).ok().map(Cow::into_owned), expected);
        }

        /// No bytes make a reader of lines panic.
        #[test]
        fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let chunk = Chunk { first_line: 1, bytes };
            let cell = Form::Cell { column: 1, columns: 2 };
            for form in [Form::Line, cell, Form::Field(COLUMN.to_owned())] {
                let lines = chunk.lines().count();
                prop_assert_eq!(form.records(&chunk).count(), lines);
            }
        }
    }

    #[test]
    fn the_text_of_a_position_is_found() {
        let cell = Form::Cell { column: 1, columns: 2 };
        let field = Form::Field("p".to_owned());
        let right = [
            (&Form::Line, "line: 4-6", "line: 4-6"),
            (&Form::Line, "\u{feff}4 4", "4 4"),
            (&cell, "x,1-2-S", "1-2-S"),
            (&cell, "\"x,y\",\"1,2\"", "1,2"),
            (&cell, "\"say \"\"x\"\"\",1", "1"),
            (&field, r#"{"q":1,"p":"1-2-S"}"#, "1-2-S"),
        ];
        for (form, line, text) in right {
            assert_eq!(form.text(line.as_bytes()).expect(line), text);
        }
        let wrong: [(&Form, &[u8], &str); 9] = [
            (&Form::Line, b"\xff", "not UTF-8"),
            (&Form::Line, b"{}", "--input-format jsonl"),
            (&cell, b"x", "1 cells, the header 2"),
            (&cell, b"x,y,z", "3 cells"),
            (&cell, b"\"x,y", "does not end"),
            (&field, b"4-4", "not JSON"),
            (&field, b"[]", "no JSON object"),
            (&field, b"{}", "no field `p`"),
            (&field, br#"{"p":4}"#, "not a string"),
        ];
        for (form, line, part) in wrong {
            let reason = form.text(line).expect_err(part);
            assert!(reason.contains(part), "{reason}");
        }
    }

    #[test]
    fn a_header_names_the_column() {
        let form = |header: &[u8], column: Option<&str>| {
            let mut chunk = Chunk { first_line: 1, bytes: header.to_vec() };
            Form::new(&Input::Stdin, Kind::Csv, column, Some(&mut chunk))
                .map_err(|error| error.to_string())
        };
        assert_eq!(form(b"a,position\r\n1,2\n", None), Ok(Form::Cell { column: 1, columns: 2 }));
        assert_eq!(
            form(b"\xef\xbb\xbf\"p\", q\n", Some("p")),
            Ok(Form::Cell { column: 0, columns: 2 })
        );
        assert!(form(b"a,b\n", None).expect_err("no column").contains("its columns are: a, b"));
        assert!(form(b"p,p\n", Some("p")).expect_err("two").contains("twice"));
        assert!(form(b"", None).expect_err("nothing").contains("no header"));
    }
}
