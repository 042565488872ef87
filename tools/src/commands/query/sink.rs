//! Where the answers of a batch go.
//!
//! Answers to a file are collected in `FILE.partial`, which becomes `FILE` when the last one is
//! there. `FILE.query.json` tells what is asked. An interrupted run is continued after the last
//! whole line of `FILE.partial`: each answer is one line, in the order of the input.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::render::Renderer;
use crate::error::Error;
use crate::output::{Format, resolved, save, with_ending};

/// What is asked, as `FILE.query.json` tells it.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) game: String,
    pub(crate) format: String,
    /// The fields of an answer; none for all of a judgement.
    pub(crate) fields: Vec<String>,
    pub(crate) inputs: Vec<String>,
    /// Whether positions beyond the tables were refused.
    pub(crate) tables_only: bool,
}

/// Takes the answers.
pub(crate) struct Sink {
    target: Target,
    /// How JSON lines are put together to one list; `None` if they are not.
    list: Option<List>,
}

enum Target {
    Stdout,
    /// A device or a pipe: nothing of it can be kept.
    Special(PathBuf, File),
    Partial {
        path: PathBuf,
        partial: PathBuf,
        file: File,
    },
}

struct List {
    empty: bool,
}

/// How many answers there are already.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) positions: u64,
    pub(crate) bad: u64,
}

/// What there is of an output.
pub(crate) enum Begun {
    /// Answers are missing.
    Open(Sink, Done),
    /// All answers are in the file.
    Whole(Done),
}

impl Begun {
    /// Opens standard output or a file; with `resume` goes on with what is there.
    pub(crate) fn new(
        path: Option<&Path>,
        resume: bool,
        question: &Question,
        renderer: &Renderer,
    ) -> Result<Begun, Error> {
        let Some(path) = path else {
            return Sink::start(Target::Stdout, renderer);
        };
        let failed = |reason| Error::Output { path: path.to_owned(), reason };
        let path = resolved(path);
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&path).map_err(failed)?;
            return Sink::start(Target::Special(path, file), renderer);
        }
        let partial = with_ending(&path, ".partial");
        let told = with_ending(&path, ".query.json");
        // What is asked is written before the first answer.
        let begun = fs::metadata(&partial).is_ok_and(|metadata| metadata.len() > 0);
        if begun && !resume {
            lock(&File::open(&partial).map_err(failed)?, &partial)?;
            return Err(Error::Resume {
                path: partial,
                reason: "it holds the answers of an interrupted run; continue it with --resume, \
                         or remove it"
                    .to_owned(),
            });
        }
        if resume && (begun || path.exists()) {
            check(&told, &path, question)?;
            if !begun {
                return Ok(Begun::Whole(count(&path, renderer).map_err(failed)?.0));
            }
        }
        let file = File::options().read(true).append(true).create(true).open(&partial);
        let file = file.map_err(failed)?;
        lock(&file, &partial)?;
        let (done, end) = count(&partial, renderer).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        if !begun {
            let text = serde_json::to_string_pretty(question).unwrap_or_default() + "\n";
            save(&told, text.as_bytes()).map_err(failed)?;
        }
        let target = Target::Partial { path, partial, file };
        match end {
            0 => Sink::start(target, renderer),
            _ => Ok(Begun::Open(Sink { target, list: None }, done)),
        }
    }
}

impl Sink {
    fn start(target: Target, renderer: &Renderer) -> Result<Begun, Error> {
        let list = (renderer.format == Format::Json).then_some(List { empty: true });
        let mut sink = Sink { target, list };
        sink.push(&renderer.header())?;
        Ok(Begun::Open(sink, Done::default()))
    }

    /// Writes whole lines.
    pub(crate) fn write(&mut self, lines: &[u8]) -> Result<(), Error> {
        match &mut self.list {
            None => self.push(lines),
            Some(list) => {
                let text = list.add(lines);
                self.push(&text)
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.target {
            Target::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(Error::Stdout)
            }
            Target::Special(path, file) | Target::Partial { path, file, .. } => {
                file.write_all(bytes).map_err(|reason| Error::Output { path: path.clone(), reason })
            }
        }
    }

    /// All answers are written.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if let Some(list) = &self.list {
            let end = if list.empty { "[]\n" } else { "\n]\n" };
            self.push(end.as_bytes())?;
        }
        if let Target::Partial { path, partial, file } = self.target {
            file.sync_all()
                .and_then(|()| fs::rename(&partial, &path))
                .map_err(|reason| Error::Output { path, reason })?;
        }
        Ok(())
    }

    /// Whether the answers go to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout)
    }
}

impl List {
    /// The elements of the list that lines are.
    fn add(&mut self, lines: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(lines.len() + 8);
        for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            text.extend(if self.empty { b"[\n  ".as_slice() } else { b",\n  " });
            text.extend(line);
            self.empty = false;
        }
        text
    }
}

/// Refuses to go on with the answers to another question.
fn check(told: &Path, path: &Path, question: &Question) -> Result<(), Error> {
    let refuse = |reason: String| Err(Error::Resume { path: path.to_owned(), reason });
    let text = match fs::read_to_string(told) {
        Ok(text) => text,
        Err(reason) => {
            return refuse(format!(
                "what was asked cannot be read from {}: {reason}; name another output",
                told.display()
            ));
        }
    };
    match serde_json::from_str::<Question>(&text) {
        Ok(found) if found == *question => Ok(()),
        _ => refuse(format!(
            "it holds the answers to another question, told in {}; ask the same, or name another \
             output",
            told.display()
        )),
    }
}

/// Two runs that go on with the same file would mix their answers.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Error::Resume {
            path: path.to_owned(),
            reason: "another run is writing it; wait for its end".to_owned(),
        },
        TryLockError::Error(reason) => Error::Output { path: path.to_owned(), reason },
    })
}

/// Counts the whole lines that are answers, and the bytes to the end of the last one.
fn count(path: &Path, renderer: &Renderer) -> io::Result<(Done, u64)> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut done, mut end, mut line) = (Done::default(), 0, Vec::new());
    let header = renderer.header();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        let Some(text) = line.strip_suffix(b"\n") else { break };
        if end > 0 || header.is_empty() {
            done.positions += 1;
            done.bad += u64::from(renderer.is_bad(text));
        }
        end += line.len() as u64;
    }
    Ok((done, end))
}
