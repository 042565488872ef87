//! The way of positions through the program: one thread reads, many answer, one writes.
//!
//! Chunks are numbered by nothing but their order: the reader queues for each a channel on which
//! its answers will come, and the writer empties these channels one after the other. The queue
//! has room for a few chunks only, so a slow reader of the output, or one slow position, holds
//! the input back and memory stays the same however long the input is.
//!
//! A position that has to be searched is searched by all threads at once, and one after the other:
//! to spread the threads over as many positions took 2,000 positions of kalah, 14 stones above the
//! tables, as long on two threads and a quarter more CPU time on eight.

use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use games::Position;

use super::answer::{Answer, Answers, Asked};
use super::chunks::{Chunk, Chunks};
use super::input::{Input, Kind};
use super::records::{Form, Record};
use super::render::{Place, Renderer};
use crate::error::Error;

/// Chunks on their way at a time, for each thread that answers.
const AHEAD: usize = 4;

/// Answers that take long are handed on after this time.
const PATIENCE: Duration = Duration::from_millis(100);

/// What is asked, and how it is answered.
pub(crate) struct Batch<R: Asked> {
    pub(crate) inputs: Vec<Input>,
    pub(crate) kind: Option<Kind>,
    pub(crate) column: Option<String>,
    /// Positions that are answered already.
    pub(crate) skip: u64,
    /// Whether the first bad position ends the run.
    pub(crate) strict: bool,
    pub(crate) answers: Answers<R>,
    pub(crate) renderer: Renderer,
    pub(crate) consumed: Arc<AtomicU64>,
}

/// Some answers, in the order of their positions.
#[derive(Default)]
pub(crate) struct Piece {
    pub(crate) bytes: Vec<u8>,
    pub(crate) positions: u64,
    pub(crate) bad: u64,
    /// Why the run ends here.
    pub(crate) fatal: Option<Error>,
    /// Whether these are the last answers of their chunk.
    last: bool,
}

/// A chunk to be answered.
struct Job {
    chunk: Chunk,
    form: Arc<Form>,
    /// The name of the input, if there are several.
    input: Option<Arc<str>>,
    answers: Sender<Piece>,
}

/// A chunk whose answers will come, or why the input ended.
type Promise = Result<Receiver<Piece>, Error>;

/// Answers a batch on so many threads; calls `write` with the answers in order.
///
/// The threads are not waited for: when the output is closed, one of them may be waiting for an
/// input that never comes.
pub(crate) fn run<R: Asked>(
    batch: Batch<R>,
    threads: usize,
    mut write: impl FnMut(&Piece) -> Result<(), Error>,
) -> Result<(), Error> {
    let (job_sender, jobs) = sync_channel(threads);
    let (promise_sender, promises) = sync_channel(AHEAD * threads);
    let (batch, jobs) = (Arc::new(batch), Arc::new(Mutex::new(jobs)));
    for _ in 0..threads {
        let (batch, jobs) = (batch.clone(), jobs.clone());
        thread::spawn(move || while take(&jobs).is_some_and(|job| batch.answer(job)) {});
    }
    thread::spawn(move || {
        if let Err(error) = batch.read(&job_sender, &promise_sender) {
            // Nobody listens when the run has ended for another reason.
            let _ = promise_sender.send(Err(error));
        }
    });
    for promise in promises {
        let answers = promise?;
        loop {
            let piece = answers.recv().map_err(|_| Error::Lost)?;
            write(&piece)?;
            if let Some(error) = piece.fatal {
                return Err(error);
            }
            if piece.last {
                break;
            }
        }
    }
    Ok(())
}

fn take(jobs: &Mutex<Receiver<Job>>) -> Option<Job> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl<R: Asked> Batch<R> {
    /// Reads all inputs and queues their chunks.
    fn read(&self, jobs: &SyncSender<Job>, promises: &SyncSender<Promise>) -> Result<(), Error> {
        let mut skip = self.skip;
        for input in &self.inputs {
            let several = self.inputs.len() > 1;
            let name = several.then(|| Arc::from(input.name()));
            let mut chunks = Chunks::new(input.open(&self.consumed)?);
            let mut next = || chunks.next().map_err(|reason| input.error(reason));
            let mut chunk = next()?;
            let kind = self.kind.unwrap_or(input.kind());
            let form = Form::new(input, kind, self.column.as_deref(), chunk.as_mut())?;
            let form = Arc::new(form);
            while let Some(mut lines) = chunk {
                skip -= lines.skip(skip);
                let (answers, promise) = channel();
                let job = Job { chunk: lines, form: form.clone(), input: name.clone(), answers };
                if promises.send(Ok(promise)).is_err() || jobs.send(job).is_err() {
                    return Ok(());
                }
                chunk = next()?;
            }
        }
        match skip {
            0 => Ok(()),
            _ => Err(Error::Usage(
                "more positions are answered in the output to be continued than there are in the \
                 input; give the input that it was begun with"
                    .to_owned(),
            )),
        }
    }

    /// Answers a chunk; gives whether somebody still wants answers.
    fn answer(&self, job: Job) -> bool {
        let records: Vec<Record<'_>> = job.form.records(&job.chunk).collect();
        let read = |record: &Record<'_>| {
            let text = record.text.as_ref().map_err(String::clone)?;
            self.answers.read(text).map_err(|reason| format!("`{text}`: {reason}"))
        };
        let positions: Vec<Result<Position<R::Board>, String>> = records.iter().map(read).collect();
        let boards = positions.iter().flatten().map(Position::board);
        let known: Vec<R::Board> = boards.filter(|&board| self.answers.in_tables(board)).collect();
        let mut entries = self.answers.look_up(&known).into_iter();
        let mut pieces = Pieces { to: &job.answers, open: Piece::default(), since: Instant::now() };
        for (record, position) in records.iter().zip(positions) {
            let answer = position.and_then(|position| {
                if !self.answers.in_tables(position.board()) {
                    // What is known need not wait for a search.
                    pieces.hand_on();
                    return self.answers.by_search(position);
                }
                let entry = entries.next().unwrap_or_else(|| Err("there is no value".to_owned()));
                self.answers.by_tables(position, entry?)
            });
            pieces.add(self, record, job.input.as_deref(), answer);
            if pieces.open.fatal.is_some() {
                break;
            }
        }
        pieces.open.last = true;
        pieces.hand_on()
    }
}

/// Answers on their way to the writer.
struct Pieces<'a> {
    to: &'a Sender<Piece>,
    open: Piece,
    since: Instant,
}

impl Pieces<'_> {
    fn add<R: Asked>(
        &mut self,
        batch: &Batch<R>,
        record: &Record<'_>,
        input: Option<&str>,
        answer: Result<Answer<R::Board>, String>,
    ) {
        let text = record.text.as_deref().unwrap_or_default();
        let place = Place { input, line: record.line, text };
        match answer {
            Ok(answer) => {
                let slow = answer.judged.is_some();
                batch.renderer.answer(&mut self.open.bytes, &place, &answer);
                self.open.positions += 1;
                if slow && self.since.elapsed() > PATIENCE {
                    self.hand_on();
                }
            }
            Err(reason) if batch.strict => {
                self.open.fatal = Some(Error::Bad(place.told(&reason)));
            }
            Err(reason) => {
                batch.renderer.bad(&mut self.open.bytes, &place, &reason);
                self.open.positions += 1;
                self.open.bad += 1;
            }
        }
    }

    /// Gives whether somebody wanted the answers.
    fn hand_on(&mut self) -> bool {
        self.since = Instant::now();
        self.to.send(std::mem::take(&mut self.open)).is_ok()
    }
}
