//! The file that keeps every proved board.
//!
//! JSON Lines, a board a line, added as soon as it is proved:
//!
//! ```text
//! {"game":"mangala:6,lone=stay,remainder=emptied,end=either","board":"1-..-4-0-0-S","value":-2,"crc":"5d0c7a11"}
//! ```
//!
//! - `game`: the ruleset without what values do not depend on (the stones a pit at the start, the
//!   options that only stop play), so that boards of any start position serve each other. One file
//!   may hold boards of many rulesets.
//! - `board`: in the dash form, the mover as South, the stores empty: they are no part of the value.
//! - `value`: stones the mover will still win minus those the opponent will.
//! - `crc`: CRC-32 of the text `GAME BOARD VALUE`, in hexadecimal: a damaged value would be a false
//!   theorem.
//!
//! The order of lines means nothing and lines may be doubled, so files are joined with `cat`. A
//! line is written by one call; what a crash left without its end is dropped when the file is
//! opened again. One process at a time holds the file.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::notation::dash;
use games::{Board, Player, Position, Ruleset, Setup};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Between two times that what is written is forced onto the disk: as much work may be lost when
/// the machine fails. A process that is killed loses nothing.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Proved boards of one ruleset, and the file that they are kept in.
pub(crate) struct Store {
    pits: usize,
    key: String,
    values: HashMap<Board, i32>,
    kept: Option<Kept>,
}

struct Kept {
    path: PathBuf,
    file: File,
    synced: Instant,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    game: std::borrow::Cow<'a, str>,
    board: std::borrow::Cow<'a, str>,
    value: i32,
    crc: std::borrow::Cow<'a, str>,
}

impl Store {
    /// Boards that are kept in memory only.
    pub(crate) fn in_memory(game: &Ruleset) -> Store {
        Store { pits: game.pits(), key: game.table_key(), values: HashMap::new(), kept: None }
    }

    /// Reads what a file holds of a ruleset, and adds to it from now on.
    pub(crate) fn open(path: &Path, game: &Ruleset) -> Result<Store, Error> {
        let unusable = |reason| Error::Store { path: path.to_owned(), reason };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(unusable)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => unusable(io::Error::other("another run is using it")),
            TryLockError::Error(reason) => unusable(reason),
        })?;
        let mut store = Store::in_memory(game);
        let whole = store.read(&mut file).map_err(unusable)?;
        file.set_len(whole).map_err(unusable)?;
        store.kept = Some(Kept { path: path.to_owned(), file, synced: Instant::now() });
        Ok(store)
    }

    /// Reads the lines of a file; gives the length of those that are whole.
    fn read(&mut self, file: &mut File) -> io::Result<u64> {
        file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(file);
        let (mut text, mut whole, mut number) = (Vec::new(), 0, 0);
        loop {
            text.clear();
            let read = reader.read_until(b'\n', &mut text)?;
            let Some(line) = text.strip_suffix(b"\n") else {
                return Ok(whole);
            };
            number += 1;
            let wrong = |reason: String| io::Error::other(format!("line {number}: {reason}"));
            if let Some((board, value)) = self.parse(line).map_err(wrong)?
                && self.values.insert(board, value).is_some_and(|before| before != value)
            {
                return Err(wrong("an earlier line gives the board another value".into()));
            }
            whole += read as u64;
        }
    }

    /// A board and its value; `None` if they are of another ruleset.
    fn parse(&self, line: &[u8]) -> Result<Option<(Board, i32)>, String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if checksum(&line.game, &line.board, line.value) != *line.crc {
            return Err("its checksum is wrong: the line is damaged or was edited".into());
        }
        if *line.game != self.key {
            return Ok(None);
        }
        let setup = dash::parse(&line.board).map_err(|error| error.to_string())?;
        let position = Position::new(&setup, self.pits).map_err(|error| error.to_string())?;
        if position.to_move() != Player::South || position.stores() != [0, 0] {
            return Err("a board is written with South to move and empty stores".into());
        }
        let board = position.board();
        if line.value.unsigned_abs() > board.stones() {
            return Err(format!("{} is more than all stones of the board", line.value));
        }
        Ok(Some((board, line.value)))
    }

    /// How many boards of the ruleset are known.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of a board, if it is known.
    pub(crate) fn get(&self, board: Board) -> Option<i32> {
        self.values.get(&board).copied()
    }

    /// Keeps a proved value.
    pub(crate) fn keep(&mut self, board: Board, value: i32) -> Result<(), Error> {
        if self.values.insert(board, value).is_some() {
            return Ok(());
        }
        let text = board_text(board, self.pits);
        let crc = checksum(&self.key, &text, value);
        let line =
            Line { game: (&*self.key).into(), board: (&*text).into(), value, crc: (&*crc).into() };
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        let mut write = || {
            let line = serde_json::to_string(&line)? + "\n";
            kept.file.write_all(line.as_bytes())?;
            if kept.synced.elapsed() >= SYNC_EVERY {
                kept.file.sync_data()?;
                kept.synced = Instant::now();
            }
            Ok(())
        };
        write().map_err(|reason| Error::Output { path: kept.path.clone(), reason })
    }

    /// Forces all that is kept onto the disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        let Some(kept) = &self.kept else {
            return Ok(());
        };
        let path = kept.path.clone();
        kept.file.sync_all().map_err(|reason| Error::Output { path, reason })
    }
}

/// A board in the dash form, the mover as South.
pub(crate) fn board_text(board: Board, pits: usize) -> String {
    let pits = [board.mover, board.other].map(|side| side.iter(pits).collect());
    dash::format(&Setup { pits, tuzdyks: [None; 2], stores: [0, 0], to_move: Player::South })
}

fn checksum(game: &str, board: &str, value: i32) -> String {
    format!("{:08x}", crc32fast::hash(format!("{game} {board} {value}").as_bytes()))
}
