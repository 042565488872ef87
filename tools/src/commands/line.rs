//! `mancala line`: every turn of a line judged against the best.

use games::notation::{self, dash};
use games::{Position, Ruleset};
use serde::Serialize;
use solver::{JudgedTurn, PlayedLine};

use crate::args;
use crate::engine::{Effort, Engine, Options};
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`
    game: Ruleset,
    /// The turns to judge, for example "4-6 4-3-1"; the last may stop in the middle
    #[arg(value_name = "TURNS")]
    line: notation::Line,
    /// The position before the line, in any form that `show` reads [default: the start]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        if self.line.turns().is_empty() {
            return Err(Error::Usage("the line has no turns; name some, as in \"4 1-2\"".into()));
        }
        let start = args::start(&self.game, self.position.as_deref())?;
        let played = PlayedLine::new(&self.game, start, &self.line)
            .map_err(|reason| Error::Line { text: self.line.to_string(), reason })?;
        let mut engine = self.options.engine(&self.game, start.board().stones())?;
        label(&engine, &played);
        let judged = played.judge(&mut engine);
        let judged = engine.finish(judged)?;
        let turns = (1..).zip(&judged).map(|(number, turn)| self.turn(number, turn));
        self.output.write(&Judged {
            game: self.game.to_string(),
            position: self.dashes(&start),
            turns: turns.collect(),
            effort: engine.effort(),
        })
    }

    fn dashes(&self, position: &Position) -> String {
        dash::format(&position.setup(self.game.pits()))
    }

    fn turn(&self, number: usize, judged: &JudgedTurn) -> Turn {
        Turn {
            number,
            player: judged.player.name(),
            turn: judged.turn.to_string(),
            position: self.dashes(&judged.position),
            value: judged.value,
            best: judged.best.to_string(),
            best_value: judged.best_value,
            loss: judged.loss(),
            verdict: judged.verdict.to_string(),
        }
    }
}

/// Has the bounds of each turn told while they are searched.
fn label(engine: &Engine, played: &PlayedLine) {
    for (number, (turn, before, after)) in (1..).zip(played.turns()) {
        let player = before.to_move();
        let won = after.stores()[player as usize] - before.stores()[player as usize];
        let again = after.to_move() == player;
        engine.label(after.board(), format!("{number}. {turn}"), won as i32, again);
    }
}

#[derive(Serialize)]
struct Judged {
    game: String,
    position: String,
    turns: Vec<Turn>,
    #[serde(flatten)]
    effort: Effort,
}

#[derive(Serialize)]
struct Turn {
    number: usize,
    #[serde(serialize_with = "lowercase")]
    player: &'static str,
    turn: String,
    /// After the turn.
    position: String,
    value: i32,
    best: String,
    best_value: i32,
    loss: i32,
    verdict: String,
}

fn lowercase<S: serde::Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&name.to_lowercase())
}

impl Report for Judged {
    const COLUMNS: &'static [&'static str] =
        &["number", "player", "turn", "position", "value", "best", "best_value", "loss", "verdict"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |turn: &Turn| {
            vec![
                turn.number.to_string(),
                turn.player.to_lowercase(),
                turn.turn.clone(),
                turn.position.clone(),
                turn.value.to_string(),
                turn.best.clone(),
                turn.best_value.to_string(),
                turn.loss.to_string(),
                turn.verdict.clone(),
            ]
        };
        self.turns.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let Judged { game, position, effort, .. } = self;
        let width = |text: fn(&Turn) -> &String| {
            self.turns.iter().map(|turn| text(turn).len()).max().unwrap_or(0).max("turn".len())
        };
        let [turns, bests, verdicts] = [
            width(|turn| &turn.turn),
            width(|turn| &turn.best),
            width(|turn| &turn.verdict).max(7),
        ];
        let mut text = format!("{game}\n{position}\n\n");
        text += &format!(
            "     player  {:turns$}  value  {:bests$}  value  {:verdicts$}  position after it\n",
            "turn", "best", "verdict"
        );
        for Turn { number, player, turn, position, value, best, best_value, verdict, .. } in
            &self.turns
        {
            text += &format!(
                "{number:>3}  {player:6}  {turn:turns$}  {value:>5}  {best:bests$}  \
                 {best_value:>5}  {verdict:verdicts$}  {position}\n"
            );
        }
        text + &format!("\n{effort}\n")
    }

    /// A line a turn.
    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.turns.iter().map(serde_json::to_string).collect()
    }
}
