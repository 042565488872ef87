//! Reading files and counting their games, in parallel and in the order of the records.

use std::collections::HashSet;
use std::io::{self, BufRead};

use games::Playable;
use games::record::{Piece, Splitter};
use rayon::prelude::*;

use super::judge::{Judge, Sound, Verdict};
use super::stats::{Complaint, GamesStats};

/// Records that are judged together while the next ones are read.
const BATCH: usize = 4096;
/// Bytes of records after which a batch is full.
const BATCH_BYTES: usize = 4 << 20;

/// Counts the games of files.
pub(super) struct Counter {
    stats: GamesStats,
    /// Keys of the games so far; `None` if duplicates count like other games.
    seen: Option<HashSet<u128>>,
}

/// Some pieces of a file, and why there are no more.
struct Batch {
    pieces: Vec<Piece>,
    failure: Option<io::Error>,
}

impl Counter {
    pub(super) fn new(stats: GamesStats, keep_duplicates: bool) -> Counter {
        Counter { stats, seen: (!keep_duplicates).then(HashSet::new) }
    }

    /// What was counted.
    pub(super) fn finish(self) -> GamesStats {
        self.stats
    }

    /// Counts the games of a file. While the threads judge a batch, one of them reads the next.
    pub(super) fn read<R: Playable>(
        &mut self,
        input: impl BufRead + Send,
        file: &str,
        judge: &Judge<'_, R>,
    ) {
        let mut splitter = Splitter::new(input);
        let mut game = 0;
        let mut batch = next_batch(&mut splitter);
        loop {
            let judged = || -> Vec<Vec<Verdict>> {
                batch.pieces.par_iter().map(|piece| judge.piece(piece)).collect()
            };
            let is_last = batch.failure.is_some() || batch.pieces.is_empty();
            let (verdicts, next) =
                rayon::join(judged, || (!is_last).then(|| next_batch(&mut splitter)));
            for verdict in verdicts.into_iter().flatten() {
                self.take(verdict, file, &mut game);
            }
            match next {
                Some(next) => batch = next,
                None => break,
            }
        }
        if let Some(failure) = batch.failure {
            let error = format!("the file cannot be read further: {failure}");
            let line = splitter.line();
            self.stats
                .complain(false, Complaint { file: file.to_owned(), game, line, ply: 0, error });
        }
    }

    /// Takes the next verdict of a file; `game` is the number of the record before.
    fn take(&mut self, verdict: Verdict, file: &str, game: &mut u64) {
        *game += u64::from(!matches!(&verdict, Verdict::Broken(broken) if !broken.is_game()));
        let complaint =
            |line, ply, error| Complaint { file: file.to_owned(), game: *game, line, ply, error };
        match verdict {
            Verdict::LeftOut => {}
            Verdict::Broken(broken) => {
                self.stats.games += u64::from(broken.is_game());
                let error = broken.reason.to_string();
                self.stats.complain(false, complaint(broken.line, broken.ply, error));
            }
            Verdict::Faulty { line, ply, is_mismatch, reason } => {
                self.stats.games += 1;
                self.stats.complain(is_mismatch, complaint(line, ply, reason));
            }
            Verdict::Sound(sound) => self.count(&sound),
        }
    }

    fn count(&mut self, sound: &Sound) {
        self.stats.games += 1;
        if self.seen.as_mut().is_some_and(|seen| !seen.insert(sound.key)) {
            self.stats.duplicates += 1;
        } else {
            self.stats.count(sound);
        }
    }
}

fn next_batch(splitter: &mut Splitter<impl BufRead>) -> Batch {
    let mut batch = Batch { pieces: Vec::new(), failure: None };
    let mut bytes = 0;
    while batch.pieces.len() < BATCH && bytes < BATCH_BYTES {
        match splitter.piece() {
            Ok(Some(piece)) => {
                bytes += piece.text.len();
                batch.pieces.push(piece);
            }
            Ok(None) => break,
            Err(failure) => {
                batch.failure = Some(failure);
                break;
            }
        }
    }
    batch
}
