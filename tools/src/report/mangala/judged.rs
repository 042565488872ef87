//! A line of play turn by turn, drawn, with what follows each turn.

use games::notation::{self, Turn};
use games::{Player, Position, Ruleset};

use super::parse;
use crate::commands::TurnValue;
use crate::commands::line::{self, Answers, Judged};
use crate::error::Error;
use crate::openings::{outcome, player_name};
use crate::report::board;
use crate::report::check::wrong;
use crate::report::document::{Block, Cell, Figure, Section, Table, Tone};

/// How many positions of best play are drawn, the one before it included.
const DRAWN: usize = 4;

/// The turns after a line, with their values for the player who has them.
pub(super) struct Replies {
    /// Stores, South's less North's.
    lead: i32,
    south: bool,
    turns: Vec<TurnValue>,
}

impl Replies {
    pub(super) fn new(position: &Position, turns: &[TurnValue]) -> Replies {
        let [south, north] = position.stores().map(|store| store as i32);
        let is_south = position.to_move() == Player::South;
        Replies { lead: south - north, south: is_south, turns: turns.to_vec() }
    }

    pub(super) fn value(&self, turn: &str) -> Option<i32> {
        self.turns.iter().find(|known| known.turn == turn).map(|known| known.value)
    }

    pub(super) fn best_value(&self) -> i32 {
        self.turns.iter().map(|turn| turn.value).max().unwrap_or(0)
    }

    pub(super) fn best(&self) -> Vec<&str> {
        let best = self.turns.iter().filter(|turn| turn.value == self.best_value());
        best.map(|turn| turn.turn.as_str()).collect()
    }

    /// By how much South finishes ahead after a turn of some value.
    pub(super) fn margin(&self, value: i32) -> i32 {
        self.lead + if self.south { value } else { -value }
    }
}

/// A line turn by turn, with best play after each.
pub(super) fn judged_line(judged: &Judged, game: &Ruleset) -> Result<Section, Error> {
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
