//! The words of a record.

use super::error::Reason;
use super::tags::{BYTE_ORDER_MARK, is_name, name_in};

/// A part of a record's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`.
    Tag { name: String, value: String },
    /// `12.` or `12...`.
    Number { digits: &'a [u8], dots: usize },
    /// A turn or a result.
    Word(&'a [u8]),
    /// `{comment}`, without the braces, or `; comment` to the end of the line.
    Comment(&'a [u8]),
    /// `(variation)`, without the outermost parentheses.
    Variation(&'a [u8]),
}

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lexer<'a> {
    /// `line` is the number of the text's first line.
    pub(super) fn new(text: &'a [u8], line: u64) -> Lexer<'a> {
        Lexer { text, at: 0, line }
    }

    /// The line reached, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The line of the next token, or of the end.
    pub(super) fn peek_line(&mut self) -> u64 {
        self.skip_space();
        self.line
    }

    /// Whether a tag pair comes next, by its name and the beginning of its value.
    pub(super) fn is_at_tag(&self) -> bool {
        name_in(&self.text[self.at..]).is_some()
    }

    /// The line of the next token, then the token.
    pub(super) fn next(&mut self) -> Option<(u64, Result<Token<'a>, Reason>)> {
        self.skip_space();
        let line = self.line;
        let token = match *self.text.get(self.at)? {
            b'[' => self.tag(),
            b'{' => self.enclosed(Reason::OpenComment, comment_length).map(Token::Comment),
            b';' => Ok(Token::Comment(&self.line_rest()[1..])),
            b'(' => self.enclosed(Reason::OpenVariation, variation_length).map(Token::Variation),
            close @ (b'}' | b')') => Err(Reason::Closing(close.into())),
            _ => Ok(self.word()),
        };
        Some((line, token))
    }

    /// White space, byte order marks, the `$1` that PGN has for judging moves, and its lines for
    /// programs, which begin with `%`.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let skipped = match rest {
                [byte, ..] if byte.is_ascii_whitespace() => 1,
                [b'$', digits @ ..] => 1 + leading_digits(digits),
                [b'%', ..] if self.begins_line() => line_length(rest),
                [0xef, ..] if rest.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len(),
                _ => return,
            };
            self.advance(skipped);
        }
    }

    fn begins_line(&self) -> bool {
        self.text[..self.at].last().is_none_or(|&before| before == b'\n')
    }

    /// What is left of the line.
    fn line_rest(&mut self) -> &'a [u8] {
        self.advance(line_length(&self.text[self.at..]))
    }

    fn advance(&mut self, bytes: usize) -> &'a [u8] {
        let passed = &self.text[self.at..self.at + bytes];
        self.at += bytes;
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        passed
    }

    fn tag(&mut self) -> Result<Token<'a>, Reason> {
        let (name, value, length) = tag_pair(&self.text[self.at..]).ok_or(Reason::TagForm)?;
        self.advance(length);
        let name = String::from_utf8_lossy(name).into_owned();
        Ok(Token::Tag { name, value: String::from_utf8_lossy(&value).into_owned() })
    }

    /// What stands between two brackets; `length` finds the closing one.
    fn enclosed(
        &mut self,
        open: Reason,
        length: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<&'a [u8], Reason> {
        let length = length(&self.text[self.at + 1..]).ok_or(open)?;
        let passed = self.advance(length + 2);
        Ok(&passed[1..=length])
    }

    fn word(&mut self) -> Token<'a> {
        let rest = &self.text[self.at..];
        let digits = leading_digits(rest);
        let dots = rest[digits..].iter().take_while(|&&byte| byte == b'.').count();
        if digits > 0 && dots > 0 {
            self.advance(digits + dots);
            return Token::Number { digits: &rest[..digits], dots };
        }
        Token::Word(self.advance(word_length(rest)))
    }
}

/// The length of the word that a text begins with. The `(10)` of `76(10)` belongs to it, other
/// brackets end it.
fn word_length(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = text.get(length) {
        match byte {
            b'(' => {
                let digits = leading_digits(&text[length + 1..]);
                if digits == 0 || text.get(length + 1 + digits) != Some(&b')') {
                    break;
                }
                length += digits + 2;
            }
            b'{' | b'}' | b')' | b'[' | b';' => break,
            _ if byte.is_ascii_whitespace() => break,
            _ => length += 1,
        }
    }
    length
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Bytes before the end of the line.
fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// Bytes before the brace that closes a comment. Braces do not nest.
fn comment_length(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| byte == b'}')
}

/// Bytes before the parenthesis that closes a variation. Variations nest, and a parenthesis in
/// a comment counts for nothing.
pub(super) fn variation_length(text: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut in_comment = false;
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            b'(' if !in_comment => depth += 1,
            b')' if !in_comment && depth == 0 => return Some(index),
            b')' if !in_comment => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a line has nothing but tag pairs.
pub(super) fn is_of_tags(line: &[u8]) -> bool {
    tokens(line).all(|token| matches!(token, Ok(Token::Tag { .. })))
}

/// Whether a line has nothing but comments and what is skipped.
pub(super) fn is_of_comments(line: &[u8]) -> bool {
    tokens(line).all(|token| matches!(token, Ok(Token::Comment(_))))
}

/// What a line has up to the first error.
fn tokens(line: &[u8]) -> impl Iterator<Item = Result<Token<'_>, Reason>> {
    let mut lexer = Lexer::new(line, 1);
    std::iter::from_fn(move || lexer.next().map(|(_, token)| token))
}

/// The name and the value of the tag pair that a text begins with, and the bytes they take.
fn tag_pair(text: &[u8]) -> Option<(&[u8], Vec<u8>, usize)> {
    let inner = text.strip_prefix(b"[")?.trim_ascii_start();
    let end = inner.iter().position(|byte| !is_name(&[*byte]))?;
    let (name, rest) = inner.split_at(end);
    let mut rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
    let mut value = Vec::new();
    loop {
        match rest {
            [b'\\', escaped @ (b'"' | b'\\'), after @ ..] => {
                value.push(*escaped);
                rest = after;
            }
            [b'"', after @ ..] => {
                let after = after.trim_ascii_start().strip_prefix(b"]")?;
                return (!name.is_empty()).then(|| (name, value, text.len() - after.len()));
            }
            [b'\n' | b'\r', ..] | [] => return None,
            [byte, after @ ..] => {
                value.push(*byte);
                rest = after;
            }
        }
    }
}
