//! Claims about openings, and what is exactly true of them.

use serde::{Deserialize, Serialize};

use super::Data;
use crate::error::Error;
use crate::openings::outcome;
use crate::report::check::wrong;
use crate::report::document::{Cell, Table, Tone};

/// The published summary of 20,000 games.
const SUMMARY: &str = include_str!("../../../../data/mangala/openings-20000.csv");

/// A row of the summary: after `line` the usual replies are these, and the line is said to be
/// `best` or to lose.
#[derive(Deserialize)]
struct Row {
    line: String,
    usual_replies: String,
    claim: String,
}

/// A claim with its exact verdict.
#[derive(Serialize)]
pub(super) struct Verdict {
    claim: String,
    holds: bool,
    exact: String,
}

/// Judges every claim of the summary.
pub(super) fn judge(data: &Data) -> Result<Vec<Verdict>, Error> {
    let mut verdicts = Vec::new();
    for row in csv::Reader::from_reader(SUMMARY.as_bytes()).deserialize() {
        let row: Row = row.map_err(|error| wrong("openings-20000.csv", error))?;
        if let Some(verdict) = about_line(data, &row)? {
            verdicts.push(verdict);
        }
        for reply in row.usual_replies.split_whitespace() {
            verdicts.push(about_reply(data, &row.line, reply)?);
        }
    }
    Ok(verdicts)
}

/// Whether a usual reply is a best one.
fn about_reply(data: &Data, line: &str, turn: &str) -> Result<Verdict, Error> {
    let replies = data.replies(line).ok_or_else(|| unknown(line))?;
    let value = replies.value(turn).ok_or_else(|| unknown(&format!("{line} {turn}")))?;
    let (best, best_value) = (replies.best(), replies.best_value());
    let holds = value == best_value;
    let exact = if holds {
        let others: Vec<&str> = best.iter().copied().filter(|&other| other != turn).collect();
        let others = match others.is_empty() {
            true => "the only best reply".to_owned(),
            false => format!("as good as `{}`", others.join("`, `")),
        };
        format!("{others}; {} after it", outcome(replies.margin(value)))
    } else {
        let given = best_value - value;
        format!(
            "gives away {given} stones: {} after it, {} after `{}`",
            outcome(replies.margin(value)),
            outcome(replies.margin(best_value)),
            best.join("`, `")
        )
    };
    Ok(Verdict { claim: format!("after `{line}` the reply `{turn}` is good"), holds, exact })
}

/// Whether what is said of the first turn of a line is so.
fn about_line(data: &Data, row: &Row) -> Result<Option<Verdict>, Error> {
    let start = data.book.start().ok_or_else(|| unknown(""))?;
    let reply = || start.reply(&row.line).ok_or_else(|| unknown(&row.line));
    Ok(match row.claim.as_str() {
        "" => None,
        "best" => {
            let (best, end) = (start.best.join("`, `"), outcome(reply()?.margin));
            let alone = start.has_only_move();
            let exact = format!(
                "{} after it; {} `{best}`",
                end,
                if alone { "the only best first turn is" } else { "the best first turns are" }
            );
            let claim = format!("`{}` is the best first turn", row.line);
            Some(Verdict { claim, holds: reply()?.loss == 0, exact })
        }
        "loses" => {
            let margin = reply()?.margin;
            let exact = format!("{} after it under best play", outcome(margin));
            let claim = format!("the first turn `{}` loses", row.line);
            Some(Verdict { claim, holds: margin < 0, exact })
        }
        other => return Err(wrong("openings-20000.csv", format!("unknown claim `{other}`"))),
    })
}

fn unknown(line: &str) -> Error {
    wrong("the openings of Mangala", format!("nothing is known of `{line}`"))
}

/// The verdicts as a table.
pub(super) fn table(verdicts: &[Verdict]) -> Table {
    let caption = "The claims of the published summary and what is exactly true";
    let mut table = Table::new("claims", caption, &["claim", "verdict", "exact"]);
    for Verdict { claim, holds, exact } in verdicts {
        let verdict = Cell::text(if *holds { "true" } else { "false" });
        table.rows.push(vec![
            Cell::text(claim),
            verdict.toned(Tone::right(*holds)),
            Cell::text(exact),
        ]);
    }
    table
}

/// How many hold.
pub(super) fn holding(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|verdict| verdict.holds).count()
}
