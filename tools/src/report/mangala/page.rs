//! What the study of Mangala says.

use games::Ruleset;

use super::claims::{self, Verdict};
use super::judged::judged_line;
use super::{BOOK, Data};
use crate::error::Error;
use crate::openings::{Book, Lines, Opening, outcome};
use crate::report::check::wrong;
use crate::report::document::{Block, Document, Figure, Section};
use crate::report::{chart, tree};

pub(super) fn document(
    data: &Data,
    verdicts: &[Verdict],
    game: &Ruleset,
) -> Result<Document, Error> {
    let mut sections = vec![first_turns(&data.book), replies(&data.book), claims(verdicts)];
    for judged in &data.lines {
        sections.push(judged_line(judged, game)?);
    }
    let start = data.book.start().ok_or_else(|| wrong(BOOK, "it has no positions"))?;
    let holding = claims::holding(verdicts);
    Ok(Document {
        name: "mangala",
        title: "Mangala 6x4, solved: every first turn and every reply".to_owned(),
        lead: format!(
            "Exact results under best play of both sides, ruleset `{}`. A value is the number of stones that the player \
             of a turn will win from there more than the opponent; an end is by how much South or North finishes ahead.",
            data.book.game
        ),
        highlights: vec![
            (outcome(start.margin), "the result under best play of both sides".to_owned()),
            (start.best.join(", "), format!("the best of {} first turns", start.turns.len())),
            (
                format!("{holding} of {}", verdicts.len()),
                "claims about openings from 20,000 played games are exactly true".to_owned(),
            ),
        ],
        sections,
    })
}

fn first_turns(book: &Book) -> Section {
    let turns = book.start().map(Opening::by_value).unwrap_or_default();
    let bars: Vec<_> = turns.iter().map(|turn| (turn.turn.clone(), vec![turn.value])).collect();
    let figure = Figure {
        caption: "Value of every first turn for South; left of zero North wins".to_owned(),
        svg: chart::bars("Values of the first turns of Mangala 6x4", &["value"], &bars),
    };
    let caption = "First turns and what North has against them; `hold` of all replies keep the value, the last three \
                   columns count the replies by the winner under best play after them";
    let text = "A turn is written as its sowings: `4-6` sows pit 4, whose last stone falls into the store, and \
                then pit 6. Pits are numbered from each player's own left.";
    Section::new(
        "First turns",
        vec![
            Block::Text(text.to_owned()),
            Block::Figure(figure),
            Block::Table(tree::first_turns("first-turns", caption, book)),
        ],
    )
}

fn replies(book: &Book) -> Section {
    let (only, of) = tree::only_moves(book);
    let Lines { south, draw, north } = book.ends;
    let text = format!(
        "After {only} of the {of} first turns exactly one reply holds the value. Of all {} lines of two turns, best \
         play afterwards wins {south} for South and {north} for North; {draw} are draws.",
        south + draw + north
    );
    let figure = Figure {
        caption: "How the game ends after each reply: stones by which South finishes ahead. A row is a first turn, a number \
                  counts replies that end the same; the leftmost dot is the best reply"
            .to_owned(),
        svg: tree::reply_chart("Ends after every reply to every first turn of Mangala 6x4", book),
    };
    let table = tree::replies("replies", "Every reply to every first turn", book);
    Section::new("Replies", vec![Block::Text(text), Block::Figure(figure), Block::Table(table)])
}

fn claims(verdicts: &[Verdict]) -> Section {
    let text = "A summary of 20,000 games on a public server says which first turns are played, how they are \
                usually answered and which are good. Each claim against the exact values; a usual reply is called \
                good if no reply is better.";
    let table = claims::table(verdicts);
    Section::new("Claims judged", vec![Block::Text(text.to_owned()), Block::Table(table)])
}
