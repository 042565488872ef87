//! `mancala line`: every turn of a line judged against the best.

use games::notation;
use games::{Position, Ruleset};
use serde::{Deserialize, Serialize};
use solver::{JudgedTurn, PlayedLine, SearchError, judge, turns};

use super::TurnValue;
use crate::args;
use crate::cli;
use crate::engine::{Effort, Engine, Options};
use crate::error::Error;
use crate::openings::player_name;
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
    /// Add every reply to each turn with its value, and best play after the turn
    #[arg(long)]
    replies: bool,
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
        let played = played(&self.game, start, &self.line)?;
        let mut engine = self.options.engine(&self.game, start.board().stones())?;
        let judged = Judged::new(&self.game, start, &played, self.replies, &mut engine)?;
        self.output.write(&judged)
    }
}

/// Plays a line from a position.
pub(crate) fn played(
    game: &Ruleset,
    start: Position,
    line: &notation::Line,
) -> Result<PlayedLine, Error> {
    PlayedLine::new(game, start, line)
        .map_err(|reason| Error::Line { text: line.to_string(), reason })
}

impl Judged {
    /// Judges a line played from a position, with the replies to each turn if they are wanted.
    pub(crate) fn new(
        game: &Ruleset,
        start: Position,
        played: &PlayedLine,
        replies: bool,
        engine: &mut Engine,
    ) -> Result<Judged, Error> {
        label(engine, played);
        let answer = played.judge(engine).and_then(|judged| {
            let answers = if replies { answers(game, &judged, engine)? } else { Vec::new() };
            Ok((judged, answers))
        });
        let (judged, answers) = engine.finish(answer)?;
        let answers = answers.into_iter().map(Some).chain(std::iter::repeat(None));
        let turns = (1..).zip(judged.iter().zip(answers));
        let turns = turns.map(|(number, (turn, answers))| Turn::new(game, number, turn, answers));
        Ok(Judged {
            game: game.to_string(),
            command: replies.then(cli::command),
            program: replies.then(|| cli::VERSION.to_owned()),
            position: args::dashes(game, &start),
            turns: turns.collect(),
            effort: engine.effort(),
        })
    }
}

/// What may follow each turn.
fn answers(
    game: &Ruleset,
    judged: &[JudgedTurn],
    engine: &mut Engine,
) -> Result<Vec<Answers>, SearchError> {
    let rules = game.rules();
    // From the end, as the line itself is judged.
    let answers = judged.iter().rev().map(|turn| {
        let found = turns(&rules, engine, turn.position.board())?;
        let play = judge(&rules, engine, &turn.position)?.line.to_string();
        let reply = |(turn, value): (_, i32)| TurnValue::new(&turn, value);
        Ok(Answers { replies: found.into_iter().map(reply).collect(), play })
    });
    let mut answers = answers.collect::<Result<Vec<_>, SearchError>>()?;
    answers.reverse();
    Ok(answers)
}

impl Turn {
    fn new(game: &Ruleset, number: usize, judged: &JudgedTurn, answers: Option<Answers>) -> Turn {
        Turn {
            number,
            player: judged.player.name().to_lowercase(),
            turn: judged.turn.to_string(),
            position: args::dashes(game, &judged.position),
            value: judged.value,
            best: judged.best.to_string(),
            best_value: judged.best_value,
            loss: judged.loss(),
            verdict: judged.verdict.to_string(),
            answers,
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

/// A judged line.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    pub(crate) position: String,
    pub(crate) turns: Vec<Turn>,
    #[serde(flatten)]
    pub(crate) effort: Effort,
}

/// A judged turn.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) number: usize,
    pub(crate) player: String,
    pub(crate) turn: String,
    /// After the turn.
    pub(crate) position: String,
    pub(crate) value: i32,
    pub(crate) best: String,
    pub(crate) best_value: i32,
    pub(crate) loss: i32,
    pub(crate) verdict: String,
    #[serde(flatten)]
    pub(crate) answers: Option<Answers>,
}

/// What may follow a turn.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Answers {
    /// Every turn of the position after it.
    pub(crate) replies: Vec<TurnValue>,
    /// Best play from there to the end.
    pub(crate) play: String,
}

impl Report for Judged {
    const COLUMNS: &'static [&'static str] =
        &["number", "player", "turn", "position", "value", "best", "best_value", "loss", "verdict"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |turn: &Turn| {
            vec![
                turn.number.to_string(),
                turn.player.clone(),
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
            let player = player_name(player);
            text += &format!(
                "{number:>3}  {player:6}  {turn:turns$}  {value:>5}  {best:bests$}  \
                 {best_value:>5}  {verdict:verdicts$}  {position}\n"
            );
        }
        for Turn { turn, answers, .. } in &self.turns {
            let Some(Answers { replies, play }) = answers else {
                continue;
            };
            let mut replies: Vec<&TurnValue> = replies.iter().collect();
            replies.sort_by_key(|reply| std::cmp::Reverse(reply.value));
            let replies: Vec<String> = replies.iter().map(ToString::to_string).collect();
            text += &format!("\nafter {turn}: {}\nbest play: {play}\n", replies.join(", "));
        }
        text + &format!("\n{effort}\n")
    }

    /// A line a turn.
    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.turns.iter().map(serde_json::to_string).collect()
    }
}
