//! Cutting a stream into records, in bounded memory.

use std::io::{self, BufRead, Read};

use super::lex::{is_of_comments, is_of_tags};
use super::tags::{MAX_TAGS, name_in};

/// The most bytes of a record that are read. A real one has about a thousand.
pub const MAX_RECORD: usize = 1 << 20;
/// The most bytes of a line that are looked at in one go.
const MAX_STRETCH: u64 = 1 << 16;

/// The text from one head of tags to the next: as a rule one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The line its text begins with, from 1.
    pub line: u64,
    /// The text.
    pub text: Vec<u8>,
    /// Whether the text was cut because it is longer than [`MAX_RECORD`].
    pub too_long: bool,
}

/// Cuts a stream where tags begin: at a line that starts with a tag pair and follows a line of
/// turns, or whose tag the head has already, or follows an empty line after a head with anything
/// but tags in it. Nothing else counts, not even an open comment, so that a broken record cannot
/// swallow the next.
#[derive(Debug)]
pub struct Splitter<R> {
    input: R,
    /// The number of the line that `stretch` belongs to.
    line: u64,
    /// A line, or a part of one that is longer than [`MAX_STRETCH`]; not yet in `piece`.
    stretch: Vec<u8>,
    /// Whether `stretch` is the beginning of its line.
    begins_line: bool,
    piece: Piece,
    /// The names of the tags that lines of `piece` begin with.
    names: Vec<Vec<u8>>,
    /// Whether a line of `piece` that begins with a tag has anything else, as a broken tag.
    has_broken_tags: bool,
    /// Whether `piece` has anything but a head and comments.
    has_turns: bool,
    /// Why the stream cannot be read further, to be told after the last piece.
    failure: Option<io::Error>,
}

impl<R: BufRead> Splitter<R> {
    /// Cuts what `input` gives.
    pub fn new(input: R) -> Splitter<R> {
        Splitter {
            input,
            line: 1,
            stretch: Vec::new(),
            begins_line: true,
            piece: Piece { line: 1, text: Vec::new(), too_long: false },
            names: Vec::new(),
            has_broken_tags: false,
            has_turns: false,
            failure: None,
        }
    }

    /// The line that reading has reached, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next piece; `None` at the end of the stream.
    ///
    /// # Errors
    /// The stream cannot be read further; the text before was given by then.
    pub fn piece(&mut self) -> io::Result<Option<Piece>> {
        loop {
            if self.stretch.is_empty() && self.failure.is_none() {
                self.advance();
            }
            if self.stretch.is_empty() {
                return match self.rest() {
                    None => self.failure.take().map_or(Ok(None), Err),
                    piece => Ok(piece),
                };
            }
            let head = name_in(&self.stretch).filter(|_| self.begins_line);
            if head.is_some_and(|name| self.has_turns || self.names_hold(name))
                && let Some(piece) = self.rest()
            {
                return Ok(Some(piece));
            }
            self.take();
        }
    }

    /// Reads the next stretch; it stays empty at the end.
    fn advance(&mut self) {
        let read = self.input.by_ref().take(MAX_STRETCH).read_until(b'\n', &mut self.stretch);
        self.failure = read.err();
    }

    /// What is left of a stream that can be read no further, or of the piece before a new head.
    fn rest(&mut self) -> Option<Piece> {
        let next = Piece { line: self.line, text: Vec::new(), too_long: false };
        self.names.clear();
        self.has_broken_tags = false;
        self.has_turns = false;
        let piece = std::mem::replace(&mut self.piece, next);
        (!piece.text.trim_ascii().is_empty()).then_some(piece)
    }

    fn names_hold(&self, name: &[u8]) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Moves the stretch into the piece.
    fn take(&mut self) {
        let start = self.piece.text.len();
        match name_in(&self.stretch).filter(|_| self.begins_line) {
            // Of a head that is too long to be read it does not matter where it ends.
            Some(_) if self.names.len() > MAX_TAGS => {}
            Some(name) => {
                self.names.push(name.to_vec());
                self.has_broken_tags |= !is_of_tags(&self.stretch);
            }
            None if self.stretch.trim_ascii().is_empty() => self.has_turns |= self.has_broken_tags,
            None => self.has_turns |= !is_of_comments(&self.stretch),
        }
        let room = MAX_RECORD - start;
        self.piece.too_long |= self.stretch.len() > room;
        self.piece.text.extend_from_slice(&self.stretch[..self.stretch.len().min(room)]);
        self.begins_line = self.stretch.ends_with(b"\n");
        self.line += u64::from(self.begins_line);
        self.stretch.clear();
    }
}
