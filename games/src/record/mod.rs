//! Records of played games: reading, replaying and writing them.
//!
//! A record is a list of tag pairs and then the numbered turns and the result, as PGN has it:
//!
//! ```text
//! [White "Aru"]
//! [Black "Dana"]
//! [Result "0-1"]
//!
//! 1. 76(10) 87(2) 2. 99 67 {a comment} 3. 88X 79 (3... 12 45) 0-1 {zero}
//! ```
//!
//! Text may wrap anywhere between words, lines end in LF or CRLF, a file may start with a byte
//! order mark and holds any number of records. As in PGN `; a comment` goes to the end of its line,
//! and lines that begin with `%` are skipped. How a turn is written follows from the game, see
//! [`Form`].
//!
//! Reading goes in three steps that can run in different threads: a [`Splitter`] cuts a stream
//! into [`Piece`]s at the lines where tags begin, with bounded memory and little work;
//! [`records`] reads those of a piece; [`replay`] plays a record by the rules. [`Reader`] joins
//! the first two. What cannot be read is told as [`Broken`], and reading goes on at the next
//! record.

mod error;
mod form;
mod lex;
mod model;
mod read;
mod replay;
mod result;
mod split;
mod tags;
mod write;

pub use error::{Broken, Reason};
pub use form::Form;
pub use model::{Note, NoteKind, Record, Sowing};
pub use read::{Located, ReadError, Reader, Records, records};
pub use replay::{Fault, Illegal, Mismatch, Problem, Replayed, replay};
pub use result::GameResult;
pub use split::{MAX_RECORD, Piece, Splitter};
pub use tags::{TagError, Tags};
pub use write::{WriteError, write};
