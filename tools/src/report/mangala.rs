//! The study of Mangala: every first turn and reply of 6x4, what is claimed of them, and a line of
//! play with its refutation.

use games::notation::{self, Turn, dash};
use games::{Finish, Play, Player, Position, Ruleset};
use serde::Serialize;

use super::check::{Checker, ruleset, wrong};
use super::claims::{self, Verdict};
use super::document::{Block, Cell, Document, Figure, Section, Table, Tone};
use super::results::{self, Source};
use super::{Request, Study, board, chart, tree};
use crate::commands::TurnValue;
use crate::commands::line::{self, Answers, Judged};
use crate::error::Error;
use crate::openings::{Book, Opening, outcome, player_name};

const GAME: &str = "mangala:6x4";
const BOOK: &str = "mangala-openings.json";
/// The lines that are judged turn by turn, and the committed result of each.
const LINES: [(&str, &str); 2] =
    [("4-6 4-3-1", "mangala-line-4-6.json"), ("5 5", "mangala-line-5-5.json")];
/// How many turns of best play are drawn.
const DRAWN: usize = 4;

/// What the study is made from.
#[derive(Serialize)]
pub(crate) struct Data {
    pub(crate) book: Book,
    lines: Vec<Judged>,
}

/// The turns after a line, with their values for the player who has them.
pub(crate) struct Replies {
    /// Stores, South's less North's.
    lead: i32,
    south: bool,
    turns: Vec<TurnValue>,
}

/// The study, from committed results or computed anew.
pub(crate) fn study(request: &mut Request) -> Result<Option<Study>, Error> {
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
    pub(crate) fn replies(&self, line: &str) -> Option<Replies> {
        let game: Ruleset = self.book.game.parse().ok()?;
        if let Some(opening) = self.book.after(line) {
            let turn = |reply: &crate::openings::Reply| TurnValue {
                turn: reply.turn.clone(),
                value: reply.value,
            };
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

impl Replies {
    fn new(position: &Position, turns: &[TurnValue]) -> Replies {
        let [south, north] = position.stores().map(|store| store as i32);
        let is_south = position.to_move() == Player::South;
        Replies { lead: south - north, south: is_south, turns: turns.to_vec() }
    }

    pub(crate) fn value(&self, turn: &str) -> Option<i32> {
        self.turns.iter().find(|known| known.turn == turn).map(|known| known.value)
    }

    pub(crate) fn best_value(&self) -> i32 {
        self.turns.iter().map(|turn| turn.value).max().unwrap_or(0)
    }

    pub(crate) fn best(&self) -> Vec<&str> {
        let best = self.turns.iter().filter(|turn| turn.value == self.best_value());
        best.map(|turn| turn.turn.as_str()).collect()
    }

    /// By how much South finishes ahead after a turn of some value.
    pub(crate) fn margin(&self, value: i32) -> i32 {
        self.lead + if self.south { value } else { -value }
    }
}

fn document(data: &Data, verdicts: &[Verdict], game: &Ruleset) -> Result<Document, Error> {
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
            (start.best.join(", "), format!("of {} first turns hold it", start.turns.len())),
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
    let crate::openings::Lines { south, draw, north } = book.ends;
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

/// A line turn by turn, with best play after each.
fn judged_line(judged: &Judged, game: &Ruleset) -> Result<Section, Error> {
    let turns: Vec<&str> = judged.turns.iter().map(|turn| turn.turn.as_str()).collect();
    let name = turns.join(" ");
    let stem = format!("line-{}", name.replace(' ', "_"));
    let mut blocks = vec![Block::Table(turns_table(&stem, judged))];
    for turn in &judged.turns {
        let position = parse(&name, game, &turn.position)?;
        let player = if turn.player == "north" { Player::North } else { Player::South };
        let sown = one_turn(&turn.turn)?;
        let Some(Answers { replies, play }) = &turn.answers else {
            continue;
        };
        let known = Replies::new(&position, replies);
        let (number, who) = (turn.number, player_name(&turn.player));
        blocks.push(Block::Text(format!(
            "{number}. {who} `{}` {}. Best against it: `{}`, {}.",
            turn.turn,
            verdict(turn),
            known.best().join("`, `"),
            outcome(known.margin(known.best_value())),
        )));
        let drawn = board::draw(&position, game.pits(), Some((player, &sown)));
        let caption = format!("After `{}`", turns[..number].join(" "));
        let mut row = vec![Figure { caption, svg: drawn }];
        row.extend(best_play(&position, play, game)?);
        blocks.push(Block::Row(row));
        blocks.push(Block::Text(format!("Best play to the end: `{play}`")));
        let caption = format!("Every turn after `{}`", turns[..number].join(" "));
        blocks.push(Block::Table(replies_table(
            &format!("{stem}-after-{number}"),
            &caption,
            &known,
        )));
    }
    Ok(Section::new(&format!("The line {name}"), blocks))
}

fn verdict(turn: &line::Turn) -> String {
    match turn.loss {
        0 => "is best".to_owned(),
        _ => format!("{} (best is `{}`)", turn.verdict, turn.best),
    }
}

fn one_turn(text: &str) -> Result<Turn, Error> {
    let line: notation::Line = text.parse().map_err(|error| wrong(text, error))?;
    Ok(line.turns().first().cloned().unwrap_or_default())
}

/// The first turns of best play, drawn.
fn best_play(position: &Position, play: &str, game: &Ruleset) -> Result<Vec<Figure>, Error> {
    let line: notation::Line = play.parse().map_err(|error| wrong(play, error))?;
    let rules = game.rules();
    let mut position = *position;
    let mut figures = Vec::new();
    for turn in line.turns().iter().take(DRAWN - 1) {
        let player = position.to_move();
        position = turn.pits().iter().fold(position, |at, &pit| at.sow(&rules, pit).0);
        figures.push(Figure {
            caption: format!("Best play: {} `{turn}`", player.name()),
            svg: board::draw(&position, game.pits(), Some((player, turn))),
        });
    }
    Ok(figures)
}

fn turns_table(stem: &str, judged: &Judged) -> Table {
    let columns =
        ["turn", "player", "played", "value", "best", "value of best", "loses", "verdict"];
    let mut table = Table::new(stem, "The line turn by turn", &columns);
    for turn in &judged.turns {
        table.rows.push(vec![
            Cell::number(turn.number),
            Cell::text(player_name(&turn.player)),
            Cell::turn(&turn.turn),
            Cell::number(turn.value),
            Cell::turn(&turn.best),
            Cell::number(turn.best_value),
            Cell::number(turn.loss),
            Cell::text(&turn.verdict).toned(Tone::right(turn.loss == 0)),
        ]);
    }
    table
}

fn replies_table(name: &str, caption: &str, replies: &Replies) -> Table {
    let mut table = Table::new(name, caption, &["turn", "value", "end"]);
    let mut turns: Vec<&TurnValue> = replies.turns.iter().collect();
    turns.sort_by_key(|turn| std::cmp::Reverse(turn.value));
    for turn in turns {
        let margin = replies.margin(turn.value);
        table.rows.push(vec![
            Cell::turn(&turn.turn),
            Cell::number(turn.value),
            Cell::text(outcome(margin)).toned(Tone::of(margin)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use games::Board;
    use solver::Shape;

    use super::*;
    use crate::engine::Effort;
    use crate::openings::{Solution, board_text};

    /// Values that are not exact but fit each other, so that claims can be judged without hours of
    /// search: they depend on the board alone and have its parity.
    fn made_up(board: Board) -> i32 {
        let hash = crc32fast::hash(board_text(board, 6).as_bytes());
        let stones = board.stones() as i32;
        2 * (hash % 8) as i32 - 8 + stones % 2
    }

    fn book(game: &Ruleset, turns: usize) -> Book {
        let shape = Shape::new(&game.rules(), Position::start(game), turns);
        let values: HashMap<Board, i32> =
            shape.boards().into_iter().map(|board| (board, made_up(board))).collect();
        let tree = shape.valued(|board| values.get(&board).copied()).expect("all are known");
        let solution = Solution { tree, solved: values.len(), effort: Effort::default() };
        Book::new(game, turns, &solution, None)
    }

    /// The line of a book, each turn with the replies of the book; best play is its first turn.
    fn judged(book: &Book, line: &str) -> Judged {
        let mut turns = Vec::new();
        let mut so_far = String::new();
        for (number, turn) in (1..).zip(line.split(' ')) {
            let before = book.after(&so_far).expect("in the book");
            let reply = before.reply(turn).expect("in the book");
            so_far = format!("{so_far} {turn}").trim().to_owned();
            let after = book.after(&so_far).expect("in the book");
            let value = |reply: &crate::openings::Reply| TurnValue {
                turn: reply.turn.clone(),
                value: reply.value,
            };
            turns.push(line::Turn {
                number,
                player: before.player.clone(),
                turn: turn.to_owned(),
                position: reply.position.clone(),
                value: reply.value,
                best: before.best[0].clone(),
                best_value: before.value,
                loss: reply.loss,
                verdict: reply.verdict.clone(),
                answers: Some(Answers {
                    replies: after.turns.iter().map(value).collect(),
                    play: after.best[0].clone(),
                }),
            });
        }
        Judged {
            game: book.game.clone(),
            command: None,
            program: None,
            position: book.positions[0].position.clone(),
            turns,
            effort: Effort::default(),
        }
    }

    fn data() -> (Ruleset, Book, Data) {
        let game: Ruleset = GAME.parse().expect("a ruleset");
        let deep = book(&game, 3);
        let lines = LINES.map(|(line, _)| judged(&deep, line)).into();
        // The same values to two turns only, as the study has them.
        let mut shallow = deep.clone();
        shallow.turns = 2;
        shallow.positions.retain(|opening| opening.line.split_whitespace().count() < 2);
        (game, deep, Data { book: shallow, lines })
    }

    #[test]
    fn every_claim_is_judged_by_the_values_of_the_book() {
        let (_, deep, data) = data();
        let verdicts = serde_json::to_value(claims::judge(&data).expect("judged")).expect("JSON");
        let verdicts = verdicts.as_array().expect("a list").clone();
        let expect = |claim: String, holds: bool| {
            let found = verdicts.iter().find(|verdict| verdict["claim"] == claim.as_str());
            assert_eq!(found.unwrap_or_else(|| panic!("{claim}"))["holds"], holds, "{claim}");
        };
        let usual = "1 4-6;2 4-6;3 4-6;5 5;6 1;4-1 4-5;4-1 4-6;4-2 4-6;4-3 4-6;4-4 5;4-4 6;4-5 5;4-5 4-1;\
                     4-6 4-3-1;5 5 5;5 5 4-1";
        let usual: Vec<&str> = usual.split(';').collect();
        assert_eq!(verdicts.len(), usual.len() + 2);
        for claim in usual {
            let (line, turn) = claim.rsplit_once(' ').expect("a line and a reply");
            let reply = deep.after(line).and_then(|opening| opening.reply(turn)).expect("legal");
            expect(format!("after `{line}` the reply `{turn}` is good"), reply.loss == 0);
        }
        let start = &deep.positions[0];
        expect("`5` is the best first turn".into(), start.reply("5").expect("legal").loss == 0);
        let loses = start.reply("4-6").expect("legal").margin < 0;
        expect("the first turn `4-6` loses".into(), loses);
    }

    #[test]
    fn the_study_draws_the_line_turn_by_turn() {
        let (game, _, data) = data();
        let verdicts = claims::judge(&data).expect("judged");
        let document = document(&data, &verdicts, &game).expect("a document");
        let names: Vec<&str> = document.tables().map(|table| table.name.as_str()).collect();
        let expected = ["first-turns", "replies", "claims", "line-4-6_4-3-1"];
        assert_eq!(names[..4], expected);
        let page = super::super::html::page(&document);
        let boards = page.matches("<svg class=\"board\"").count();
        // A position after each turn of both lines, and the one turn of best play that is known.
        assert_eq!(boards, 8);
        assert!(
            page.contains("South: pits 4 4 4 1 5 1, store 2. North: pits 5 5 5 4 4 4, store 0.")
        );
    }

    #[test]
    fn a_line_that_contradicts_the_book_or_the_rules_is_refused() {
        let (game, _, data) = data();
        let refused = |change: &dyn Fn(&mut Judged)| {
            let mut judged = data.lines[0].clone();
            change(&mut judged);
            check_line("it", &game, &data.book, &judged).expect_err("it is wrong").to_string()
        };
        assert!(
            refused(&|judged| judged.turns[0].value += 2).contains("another value in the book")
        );
        let moved = |judged: &mut Judged| judged.turns[0].position.replace_range(0..1, "3");
        assert!(refused(&moved).contains("another position"));
        assert!(refused(&|judged| judged.turns[0].answers = None).contains("no replies"));
        // Best play that stops before the game is over proves nothing.
        assert!(refused(&|_| ()).contains("does not end as it says"));
    }
}
