//! `mancala query`: exact values of positions in batch.

mod answer;
mod chunks;
mod fields;
mod flow;
mod input;
mod progress;
mod records;
mod render;
mod sink;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use clap::ArgAction;
use games::{AnyRuleset, Ruleset};
use serde::Serialize;

use self::answer::{Answers, Asked, Means};
use self::fields::Field;
use self::flow::Batch;
use self::input::{Input, Kind};
use self::progress::Progress;
use self::render::Renderer;
use self::sink::{Begun, Question};
use super::judged::Judged;
use crate::engine::{Resources, seconds};
use crate::error::Error;
use crate::output::{Format, Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    game: AnyRuleset,
    /// Positions in any form that `show` reads, or lines of play from the start, as in
    /// "line: 4-6 4-3-1" [default: one a line from standard input]
    positions: Vec<String>,
    /// A file of positions, `-` for standard input; gzip and zstd are unpacked. Can be given
    /// several times
    #[arg(long = "input", value_name = "FILE", conflicts_with = "positions",
          action = ArgAction::Append)]
    inputs: Vec<PathBuf>,
    /// How positions are written in the inputs [default: as the name of the file ends, .csv,
    /// .jsonl or .ndjson (before .gz or .zst); else lines]
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "positions")]
    input_format: Option<Kind>,
    /// The column of CSV, or the field of JSON objects, with the positions [default: position]
    #[arg(long, value_name = "NAME", conflicts_with = "positions")]
    column: Option<String>,
    /// What of each answer to write
    #[arg(long, value_delimiter = ',', value_name = "FIELDS", conflicts_with = "value_only")]
    fields: Option<Vec<Field>>,
    /// Write the value alone, the fast form; as `--fields value`
    #[arg(long)]
    value_only: bool,
    /// Tell the value of each sowing in pit order, 127 for none, as the published awari database
    /// does
    #[arg(long, conflicts_with_all = ["value_only", "fields"])]
    children: bool,
    /// Refuse positions that the tables do not reach instead of searching
    #[arg(long, requires = "tables")]
    tables_only: bool,
    /// Search a position no longer than this; then the bounds that are proved are its answer
    #[arg(long, value_name = "SECONDS", conflicts_with = "tables_only", value_parser = time,
          allow_negative_numbers = true)]
    time: Option<Duration>,
    /// Stop at the first bad position, with exit code 2
    #[arg(long)]
    strict: bool,
    /// Continue an interrupted run after its last whole answer
    #[arg(long, requires = "output")]
    resume: bool,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    output: Output,
}

/// Reads a number of seconds in which something may be found.
fn time(text: &str) -> Result<Duration, String> {
    match seconds(text)? {
        Duration::ZERO => Err("in no time nothing is found".to_owned()),
        time => Ok(time),
    }
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.game {
            AnyRuleset::Sides(game) => self.run_with(game),
            AnyRuleset::Toguz(_) if self.children => {
                let text = "the form of the awari database knows no tuzdyks; leave out --children";
                Err(Error::Usage(text.to_owned()))
            }
            AnyRuleset::Toguz(game) => self.run_with(game),
        }
    }

    fn run_with<R: Asked>(&self, game: &Ruleset<R>) -> Result<(), Error> {
        match (self.positions.as_slice(), self.chosen()) {
            ([text], None) => self.one(game, text),
            (_, chosen) => self.batch(game, self.renderer(game, chosen)),
        }
    }

    /// The fields that the user wants.
    fn chosen(&self) -> Option<Vec<Field>> {
        if self.value_only { Some(vec![Field::Value]) } else { self.fields.clone() }
    }

    /// The form of the answers to many positions.
    fn renderer<R: Asked>(&self, game: &Ruleset<R>, chosen: Option<Vec<Field>>) -> Renderer {
        let (format, name) = (self.output.format(), game.to_string());
        let mut renderer = Renderer::new(format, chosen, name, game.pits());
        if self.children
            && let Some(fields) = &mut renderer.fields
        {
            fields.push(Field::CHILDREN);
        }
        renderer
    }

    fn means(&self, renderer: &Renderer) -> Means {
        let fields = renderer.fields.iter().flatten();
        Means {
            resources: self.resources.clone(),
            tables_only: self.tables_only,
            many: self.positions.is_empty(),
            time: self.time,
            judge: renderer.needs_judgement(),
            children: self.children || { fields }.any(|&field| field == Field::CHILDREN),
        }
    }

    /// Answers one position as `solve` does, in full.
    fn one<R: Asked>(&self, game: &Ruleset<R>, text: &str) -> Result<(), Error> {
        let failed = |reason: String| Error::Bad(format!("position `{text}`: {reason}"));
        let answers = Answers::new(game, self.means(&self.renderer(game, None)))?;
        let position = answers.read(text).map_err(|reason| failed(reason.to_string()))?;
        let answer = answers.answer(position).map_err(failed)?;
        match answer.judged {
            Some(judged) => self.output.write(&One(judged)),
            None => self.output.write(&Open {
                game: game.to_string(),
                position: answers.dashes(&position),
                value: answer.value,
                bounds: answer.bounds,
                exact: answer.value.is_some(),
                source: answer.source,
            }),
        }
    }

    fn batch<R: Asked>(&self, game: &Ruleset<R>, renderer: Renderer) -> Result<(), Error> {
        self.check()?;
        let inputs = Input::all(&self.positions, &self.inputs);
        let answers = Answers::new(game, self.means(&renderer))?;
        let question = self.question(&renderer, &inputs);
        let path = self.output.path();
        let (mut sink, mut done) = match Begun::new(path, self.resume, &question, &renderer)? {
            Begun::Open(sink, done) => (sink, done),
            Begun::Whole(done) => {
                self.resources.say("all answers are in the output already");
                return verdict(done.bad, done.positions);
            }
        };
        if done.positions > 0 {
            self.resources.say(&format!("continuing after {} answers", done.positions));
        }
        let consumed = Arc::new(AtomicU64::new(0));
        let size = inputs.iter().map(Input::size).sum();
        let quiet = self.resources.quiet();
        let mut progress = Progress::new(size, consumed.clone(), quiet, sink.is_stdout());
        let batch = Batch {
            inputs,
            kind: self.input_format,
            column: self.column.clone(),
            skip: done.positions,
            strict: self.strict,
            answers,
            renderer,
            consumed,
        };
        flow::run(batch, self.resources.threads(), |piece| {
            sink.write(&piece.bytes)?;
            done.positions += piece.positions;
            done.bad += piece.bad;
            if let Some(progress) = &mut progress {
                progress.add(piece.positions);
            }
            Ok(())
        })?;
        drop(progress);
        sink.finish()?;
        verdict(done.bad, done.positions)
    }

    /// Refuses what clap cannot see.
    fn check(&self) -> Result<(), Error> {
        let wrong = |text: &str| Err(Error::Usage(text.to_owned()));
        if self.positions.iter().any(|text| text.trim().is_empty()) {
            return wrong("one of the positions is empty");
        }
        self.output.spare(&self.inputs)?;
        let kinds = Input::all(&self.positions, &self.inputs);
        let is_lines = |input: &Input| self.input_format.unwrap_or(input.kind()) == Kind::Lines;
        if self.column.is_some() && kinds.iter().all(is_lines) {
            return wrong(
                "--column is for CSV and JSON Lines; say which with --input-format csv or jsonl",
            );
        }
        if self.resume && self.output.format() == Format::Json {
            return wrong("a JSON list cannot be continued; take --format jsonl, csv or text");
        }
        Ok(())
    }

    fn question(&self, renderer: &Renderer, inputs: &[Input]) -> Question {
        let fields = renderer.fields.iter().flatten();
        Question {
            game: self.game.to_string(),
            format: self.output.format().name(),
            fields: fields.map(|field| field.name().to_owned()).collect(),
            inputs: inputs.iter().map(Input::name).collect(),
            tables_only: self.tables_only,
        }
    }
}

/// What a batch ends with.
fn verdict(bad: u64, all: u64) -> Result<(), Error> {
    if bad > 0 { Err(Error::Batch { bad, all }) } else { Ok(()) }
}

/// The only position asked for.
#[derive(Serialize)]
#[serde(transparent)]
struct One(Judged);

impl Report for One {
    const COLUMNS: &'static [&'static str] = Judged::COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        self.0.rows()
    }

    fn text(&self) -> String {
        self.0.text()
    }
}

/// The only position asked for, not judged in time.
#[derive(Serialize)]
struct Open {
    game: String,
    position: String,
    value: Option<i32>,
    bounds: Option<[i32; 2]>,
    exact: bool,
    source: &'static str,
}

impl Report for Open {
    const COLUMNS: &'static [&'static str] = &["game", "position", "lower", "upper"];

    fn rows(&self) -> Vec<Vec<String>> {
        let bounds = self.bounds.iter().flatten().map(i32::to_string);
        vec![[self.game.clone(), self.position.clone()].into_iter().chain(bounds).collect()]
    }

    fn text(&self) -> String {
        let Open { game, position, bounds, .. } = self;
        let bounds: Vec<String> = bounds.iter().flatten().map(i32::to_string).collect();
        let bounds = bounds.join(" to ");
        format!(
            "{game}\n{position}\n\nvalue  {bounds} for the player to move, not judged in time\n"
        )
    }
}
