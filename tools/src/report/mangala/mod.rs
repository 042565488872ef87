//! The study of Mangala: every first turn and reply of 6x4, what is claimed of them, and a line of
//! play with its refutation.

mod claims;
mod judged;
mod page;
#[cfg(test)]
mod tests;

use games::notation::{self, dash};
use games::{Finish, Play, Position, Ruleset};
use serde::Serialize;

use self::judged::Replies;
use self::page::document;
use super::check::{Checker, ruleset, wrong};
use super::results::{self, Source};
use super::{Request, Study};
use crate::commands::TurnValue;
use crate::commands::line::{self, Judged};
use crate::error::Error;
use crate::openings::{Book, Reply};

const GAME: &str = "mangala:6x4";
const BOOK: &str = "mangala-openings.json";
/// The lines that are judged turn by turn, and the committed result of each.
const LINES: [(&str, &str); 2] =
    [("4-6 4-3-1", "mangala-line-4-6.json"), ("5 5", "mangala-line-5-5.json")];

/// What the study is made from.
#[derive(Serialize)]
pub(super) struct Data {
    book: Book,
    lines: Vec<Judged>,
}

/// The study, from committed results or computed anew.
pub(super) fn study(request: &mut Request) -> Result<Option<Study>, Error> {
    let mut sources = Vec::new();
    let game = ruleset("the study", GAME)?;
    let data = match request.recompute {
        true => Some(compute(request, &game)?),
        false => committed(&mut request.checker, &mut sources, &game)?,
    };
    let Some(data) = data else {
        return Ok(None);
    };
    let verdicts = claims::judge(&data)?;
    let document = document(&data, &verdicts, &game)?;
    Ok(Some(Study::new(document, sources, &(&data, &verdicts))?))
}

fn committed(
    checker: &mut Checker,
    sources: &mut Vec<Source>,
    game: &Ruleset,
) -> Result<Option<Data>, Error> {
    let Some(found) = results::find::<Book>(BOOK)? else {
        return Ok(None);
    };
    let book = found.value;
    sources.push(Source::new(BOOK, found.text, &book.command, &book.program, book.effort.seconds));
    let mut lines = Vec::new();
    for (_, name) in LINES {
        let Some(found) = results::find::<Judged>(name)? else {
            return Ok(None);
        };
        let judged = found.value;
        let told = |text: &Option<String>| text.clone().unwrap_or_default();
        sources.push(Source::new(
            name,
            found.text,
            &told(&judged.command),
            &told(&judged.program),
            judged.effort.seconds,
        ));
        check_line(name, game, &book, &judged)?;
        checker.done.push(format!(
            "{name}: agrees with {BOOK}, and its best play ends with the stores that the values say"
        ));
        lines.push(judged);
    }
    checker.book(BOOK, &book)?;
    Ok(Some(Data { book, lines }))
}

fn compute(request: &Request, game: &Ruleset) -> Result<Data, Error> {
    let book = request.book(game, 2)?;
    let start = Position::start(game);
    let judge = |(line, _): (&str, _)| {
        let line: notation::Line = line.parse().map_err(|error| wrong(line, error))?;
        let played = line::played(game, start, &line)?;
        let mut engine = request.checker.resources.engine(game, game.stones(), None)?;
        Judged::new(game, start, &played, true, &mut engine)
    };
    let lines = LINES.into_iter().map(judge).collect::<Result<_, Error>>()?;
    Ok(Data { book, lines })
}

/// A judged line must agree with the book, with itself, and with the rules: best play must end with
/// the stores that its value says.
fn check_line(name: &str, game: &Ruleset, book: &Book, judged: &Judged) -> Result<(), Error> {
    let rules = game.rules();
    let mut play = Play::new(game, &rules, Position::start(game));
    let mut before = String::new();
    for turn in &judged.turns {
        let step: notation::Line = turn.turn.parse().map_err(|error| wrong(name, error))?;
        play.line(&step).map_err(|error| wrong(name, error))?;
        if let Some(opening) = book.after(&before) {
            let known = opening.reply(&turn.turn).map(|reply| (reply.value, opening.value));
            if known != Some((turn.value, turn.best_value)) {
                return Err(wrong(name, format!("`{}` has another value in the book", turn.turn)));
            }
        }
        before = format!("{before} {}", turn.turn).trim().to_owned();
        let position = parse(name, game, &turn.position)?;
        if position != play.position() {
            return Err(wrong(name, format!("`{before}` leads to another position")));
        }
        let answers = turn.answers.as_ref().ok_or_else(|| wrong(name, "it has no replies"))?;
        let end: notation::Line = answers.play.parse().map_err(|error| wrong(name, error))?;
        let mut rest = play.clone();
        rest.line(&end).map_err(|error| wrong(name, error))?;
        let best = answers.replies.iter().map(|reply| reply.value).max().unwrap_or(0);
        let margin = Replies::new(&position, &answers.replies).margin(best);
        let ends = rest.final_stores().filter(|_| rest.finish() == Some(Finish::Board));
        if ends.map(|[south, north]| south as i32 - north as i32) != Some(margin) {
            return Err(wrong(name, format!("best play after `{before}` does not end as it says")));
        }
    }
    Ok(())
}

fn parse(name: &str, game: &Ruleset, text: &str) -> Result<Position, Error> {
    let setup = dash::parse(text).map_err(|error| wrong(name, error))?;
    Position::new(&setup, game.pits()).map_err(|error| wrong(name, error))
}

impl Data {
    /// The turns after a line, as far as the book and the judged lines tell.
    fn replies(&self, line: &str) -> Option<Replies> {
        let game: Ruleset = self.book.game.parse().ok()?;
        if let Some(opening) = self.book.after(line) {
            let turn = |reply: &Reply| TurnValue { turn: reply.turn.clone(), value: reply.value };
            let turns: Vec<TurnValue> = opening.turns.iter().map(turn).collect();
            return Some(Replies::new(&parse(BOOK, &game, &opening.position).ok()?, &turns));
        }
        let of_line = |judged: &&Judged| {
            let turns: Vec<&str> = judged.turns.iter().map(|turn| turn.turn.as_str()).collect();
            turns.join(" ") == line
        };
        let last = self.lines.iter().find(of_line)?.turns.last()?;
        let position = parse(line, &game, &last.position).ok()?;
        Some(Replies::new(&position, &last.answers.as_ref()?.replies))
    }
}
