//! Reading records.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::error::{Broken, Reason, shown};
use super::form::Form;
use super::lex::{Lexer, Token};
use super::model::{Note, NoteKind, Record};
use super::result::GameResult;
use super::split::{Piece, Splitter};

/// A record, and where its parts stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// The record.
    pub record: Record,
    /// The line it begins with, from 1.
    pub line: u64,
    /// The line of each sowing.
    pub sowing_lines: Vec<u64>,
    /// The line of the result.
    pub result_line: u64,
}

/// Reads the records of a piece.
#[must_use]
pub fn records(piece: &Piece, form: Form) -> Records<'_> {
    Records {
        lexer: Lexer::new(&piece.text, piece.line),
        form,
        too_long: piece.too_long,
        ended: false,
    }
}

/// The records of a piece. Of several in one piece all but the first have no tags; after text
/// that cannot be read nothing more comes.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    lexer: Lexer<'a>,
    form: Form,
    too_long: bool,
    ended: bool,
}

impl Iterator for Records<'_> {
    type Item = Result<Located, Broken>;

    fn next(&mut self) -> Option<Result<Located, Broken>> {
        if self.ended {
            return None;
        }
        let start = self.lexer.peek_line();
        let draft = Draft::new(self.form, start);
        let read = match draft.read(&mut self.lexer) {
            Ok(Some(located)) if located.record.tags.is_empty() => {
                return Some(Err(Broken { line: start, ply: 0, reason: Reason::NoTags }));
            }
            Ok(Some(located)) => return Some(Ok(located)),
            Ok(None) => None,
            Err(broken) => Some(broken),
        };
        self.ended = true;
        match read {
            broken if self.too_long => {
                let (line, ply) = broken.map_or((start, 0), |broken| (broken.line, broken.ply));
                Some(Err(Broken { line, ply, reason: Reason::TooLong }))
            }
            broken => broken.map(Err),
        }
    }
}

/// A record being read.
struct Draft {
    form: Form,
    located: Located,
    /// Turns so far, one more if North's comes first.
    turns: usize,
}

impl Draft {
    fn new(form: Form, line: u64) -> Draft {
        let record = Record::default();
        let located = Located { record, line, sowing_lines: Vec::new(), result_line: line };
        Draft { form, located, turns: 0 }
    }

    /// Reads one record, with the comments behind its result; `None` if no more come.
    fn read(mut self, lexer: &mut Lexer<'_>) -> Result<Option<Located>, Broken> {
        let mut line = lexer.line();
        while let Some((at, token)) = lexer.next() {
            line = at;
            let is_result = token.and_then(|token| self.take(token, line));
            if is_result.map_err(|reason| self.broken(line, reason, lexer.is_at_tag()))? {
                self.located.result_line = line;
                self.take_last_notes(lexer);
                return Ok(Some(self.located));
            }
        }
        let record = &self.located.record;
        let reason = match (record.tags.is_empty(), record.sowings.is_empty()) {
            (true, true) => return Ok(None),
            (false, true) => Reason::OnlyTags,
            (_, false) => Reason::NoResult,
        };
        Err(self.broken(line, reason, false))
    }

    /// Takes a token in; returns whether it was the result.
    fn take(&mut self, token: Token<'_>, line: u64) -> Result<bool, Reason> {
        match token {
            Token::Tag { name, value } => {
                if !self.located.record.sowings.is_empty() {
                    return Err(Reason::TagInside);
                }
                self.located.record.tags.push(&name, &value)?;
            }
            Token::Number { digits, dots } => self.check_number(digits, dots)?,
            Token::Comment(text) => self.note(NoteKind::Comment, text),
            Token::Variation(text) => self.note(NoteKind::Variation, text),
            Token::Word(word) => {
                let sowings = &mut self.located.record.sowings;
                if self.form.parse(word, sowings).is_some() {
                    self.turns += 1;
                    let sowings = sowings.len();
                    self.located.sowing_lines.resize(sowings, line);
                } else {
                    self.located.record.result = self.result(word)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn result(&self, word: &[u8]) -> Result<GameResult, Reason> {
        let record = &self.located.record;
        let is_empty = record.tags.is_empty() && record.sowings.is_empty();
        let result = std::str::from_utf8(word).ok().and_then(GameResult::parse);
        result.filter(|_| !is_empty).ok_or_else(|| {
            let text = shown(word);
            if is_empty { Reason::Rubbish(text) } else { Reason::Turn(text) }
        })
    }

    /// Turns are numbered in pairs; North's turn may repeat the number, as after a comment.
    fn check_number(&mut self, digits: &[u8], dots: usize) -> Result<(), Reason> {
        if self.turns == 0 && dots > 1 {
            self.turns = 1;
        }
        let expected = self.turns / 2 + 1;
        if digits != expected.to_string().as_bytes() {
            return Err(Reason::Number { found: shown(digits), expected });
        }
        Ok(())
    }

    /// The comments and variations behind the result.
    fn take_last_notes(&mut self, lexer: &mut Lexer<'_>) {
        loop {
            let before = lexer.clone();
            match lexer.next() {
                Some((_, Ok(Token::Comment(text)))) => self.note(NoteKind::Comment, text),
                Some((_, Ok(Token::Variation(text)))) => self.note(NoteKind::Variation, text),
                _ => {
                    *lexer = before;
                    return;
                }
            }
        }
    }

    fn note(&mut self, kind: NoteKind, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let text = words.join(" ");
        let record = &mut self.located.record;
        if kind == NoteKind::Comment && text == "zero" {
            record.atsyrau = true;
        } else {
            record.notes.push(Note { after: record.sowings.len(), kind, text });
        }
    }

    /// `at_tag`: what is wrong is a tag, with which a record begins.
    fn broken(&self, line: u64, reason: Reason, at_tag: bool) -> Broken {
        let record = &self.located.record;
        let begun = at_tag || !record.tags.is_empty() || !record.sowings.is_empty();
        let ply = if begun { record.sowings.len() + 1 } else { 0 };
        Broken { line, ply, reason }
    }
}

/// What stops a [`Reader`] from giving a record.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The record cannot be read; others may follow.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The stream cannot be read further.
    #[error("line {line}: {error}")]
    Io {
        /// The line reached, from 1.
        line: u64,
        /// Why.
        error: io::Error,
    },
}

/// Reads the records of a stream one after the other.
#[derive(Debug)]
pub struct Reader<R> {
    splitter: Splitter<R>,
    form: Form,
    /// Records of the piece read last.
    ready: VecDeque<Result<Located, Broken>>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads records of games that write turns in this form.
    pub fn new(input: R, form: Form) -> Reader<R> {
        Reader { splitter: Splitter::new(input), form, ready: VecDeque::new(), ended: false }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Located, ReadError>;

    fn next(&mut self) -> Option<Result<Located, ReadError>> {
        loop {
            if let Some(read) = self.ready.pop_front() {
                return Some(read.map_err(ReadError::from));
            }
            if self.ended {
                return None;
            }
            match self.splitter.piece() {
                Ok(Some(piece)) => self.ready.extend(records(&piece, self.form)),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(ReadError::Io { line: self.splitter.line(), error }));
                }
            }
        }
    }
}
