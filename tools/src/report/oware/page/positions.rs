//! The parts of the study that show positions.

use games::notation::{Turn, dash};
use games::{Player, Position, Ruleset};

use super::{mean, percent, share};
use crate::endgame::{self, Greedy, Layer, Line, Waiting};
use crate::error::Error;
use crate::report::board;
use crate::report::check::wrong;
use crate::report::document::{Block, Cell, Figure, Section, Table};
use crate::report::plot::{self, Curve};

/// Boards drawn of each kind.
const DRAWN: usize = 4;
/// Boards drawn of a line, its first included.
const OF_LINE: usize = 12;

fn parse(game: &Ruleset, text: &str) -> Result<Position, Error> {
    let setup = dash::parse(text).map_err(|error| wrong(text, error))?;
    Position::new(&setup, game.pits()).map_err(|error| wrong(text, error))
}

fn code(text: &str) -> Cell {
    Cell::text(format!("`{text}`"))
}

fn pits(pits: &[usize]) -> String {
    let pits: Vec<String> = pits.iter().map(|pit| format!("`{pit}`")).collect();
    pits.join(", ")
}

/// A value with its sign.
fn signed(value: i32) -> String {
    match value {
        1.. => format!("+{value}"),
        _ => value.to_string().replace('-', "\u{2212}"),
    }
}

/// The strongest of the examples of all layers: those that cost most, then with fewest stones.
fn strongest<T>(layers: &[Layer], of: fn(&Layer) -> &[T], loss: fn(&T) -> i32) -> Vec<&T> {
    let mut all: Vec<&T> = layers.iter().flat_map(of).collect();
    all.sort_by_key(|example| -loss(example));
    all.truncate(DRAWN);
    all
}

fn share_curve(title: &str, name: &str, points: Vec<(f64, f64)>) -> maud::Markup {
    plot::curves(title, "stones on the board", &[Curve { name, class: "series0", points }])
}

pub(super) fn zugzwang(game: &Ruleset, layers: &[Layer]) -> Result<Section, Error> {
    let mut table = Table::new(
        "zugzwang",
        "Zugzwangs among the boards of each layer that are not over whoever moves",
        &["stones", "boards", "zugzwangs", "share, %", "both lose", "share of zugzwangs, %"],
    );
    let mut examples = Table::new(
        "zugzwang-examples",
        "The zugzwangs that cost most in each layer",
        &["stones", "position", "value with the move", "value without it", "costs"],
    );
    examples.long = true;
    for layer in layers.iter().filter(|layer| layer.tempo.positions > 0) {
        let tempo = &layer.tempo;
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(tempo.positions),
            Cell::number(tempo.zugzwang),
            share(tempo.zugzwang, tempo.positions),
            Cell::number(tempo.both_lose),
            share(tempo.both_lose, tempo.zugzwang),
        ]);
        for Waiting { position, value, waiting } in &tempo.strongest {
            examples.rows.push(vec![
                Cell::number(layer.stones),
                code(position),
                Cell::stones(*value),
                Cell::stones(*waiting),
                Cell::number(waiting - value),
            ]);
        }
    }
    let text = "A zugzwang is a board on which each player would rather have the other one move: the value with the move is \
                less than the value if the opponent had it. What it costs is the same for both, so zugzwangs \
                come in pairs, the same board with the sides exchanged. Some are lost by whoever has to move.";
    let drawn = |example: &&Waiting| {
        let position = parse(game, &example.position)?;
        let [with, without] = [example.value, example.waiting].map(signed);
        let caption = format!("Worth {with} to South with the move, {without} without it");
        Ok(Figure { caption, svg: board::draw(&position, game.pits(), None) })
    };
    let examples_drawn = strongest(
        layers,
        |layer| &layer.tempo.strongest,
        |example| example.waiting - example.value,
    );
    let figures: Vec<Figure> = examples_drawn.iter().map(drawn).collect::<Result<_, Error>>()?;
    let points = layers.iter().filter(|layer| layer.tempo.positions > 0).map(|layer| {
        (f64::from(layer.stones), percent(layer.tempo.zugzwang, layer.tempo.positions))
    });
    let chart = Figure {
        caption: "Boards that are zugzwangs, %".to_owned(),
        svg: share_curve("Share of zugzwangs by layer", "zugzwangs, %", points.collect()),
    };
    Ok(Section::new(
        "Zugzwang: better off not to move",
        vec![
            Block::Text(text.to_owned()),
            Block::Figure(chart),
            Block::Table(table),
            Block::Text("Those that cost most:".to_owned()),
            Block::Row(figures),
            Block::Table(examples),
        ],
    ))
}

pub(super) fn longest(game: &Ruleset, layers: &[Layer]) -> Result<Section, Error> {
    let columns = [
        "stones",
        "longest, plies",
        "such positions",
        "mean plies",
        "first such position",
        "value",
    ];
    let mut table = Table::new("longest", "The longest forced wins of each layer", &columns);
    let mut lines = Table::new(
        "longest-lines",
        "How the longest wins go",
        &["stones", "position", "value", "plies", "sowings"],
    );
    lines.long = true;
    let mut all = Vec::new();
    for layer in layers {
        let (Some((plies, count)), Some(line)) = (layer.longest_wins(), &layer.longest) else {
            continue;
        };
        let wins: u64 = layer.wins.values().sum();
        let sum: u64 = layer.wins.iter().map(|(&plies, &count)| u64::from(plies) * count).sum();
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(plies),
            Cell::number(count),
            Cell::number(format!("{:.2}", mean(sum, wins))),
            code(&line.position),
            Cell::stones(line.value),
        ]);
        let Line { position, value, plies, line: text } = line;
        lines.rows.push(vec![
            Cell::number(layer.stones),
            code(position),
            Cell::stones(*value),
            Cell::number(plies),
            code(text),
        ]);
        all.push((layer.stones, line));
    }
    let text = "Plies are counted until a win is cashed: until the stones captured make up the value, so that nobody \
                will win more than the other of what is left, or until the game is over. Both players sow only what keeps the value; \
                whoever is ahead in what is left hurries, the other delays.";
    let points = |f: &dyn Fn(&Layer) -> Option<f64>| -> Vec<(f64, f64)> {
        layers.iter().filter_map(|layer| Some((f64::from(layer.stones), f(layer)?))).collect()
    };
    let chart = share_curve(
        "Plies of the longest wins by layer",
        "longest win, plies",
        points(&|layer| layer.longest_wins().map(|(plies, _)| f64::from(plies))),
    );
    let mut blocks = vec![
        Block::Text(text.to_owned()),
        Block::Figure(Figure { caption: "Plies of the longest wins".to_owned(), svg: chart }),
        Block::Table(table),
    ];
    // Of equally long ones the one with the fewest stones.
    let longest = all.iter().rev().max_by_key(|(_, line)| line.plies);
    if let Some((stones, line)) = longest {
        blocks.push(Block::Text(format!(
            "The longest of all has {stones} stones and takes {} plies; it is worth {}. South and North sow by turns: `{}`. \
             Drawn: the position and the boards after the captures.",
            line.plies,
            signed(line.value),
            line.line
        )));
        blocks.push(Block::Row(captures(game, line)?));
    }
    blocks.push(Block::Table(lines));
    Ok(Section::new("The longest forced wins", blocks))
}

/// The position of a line and those after its captures.
fn captures(game: &Ruleset, line: &Line) -> Result<Vec<Figure>, Error> {
    let start = parse(game, &line.position)?;
    let caption = format!("The start, worth {} to South", signed(line.value));
    let mut figures = vec![Figure { caption, svg: board::draw(&start, game.pits(), None) }];
    let played = endgame::replay(game, &line.position, &line.line);
    let (positions, _) =
        played.ok_or_else(|| wrong(&line.position, "its line cannot be played"))?;
    let mut stores = start.stores();
    for ((ply, position), pit) in (1..).zip(&positions).zip(line.line.split_whitespace()) {
        if position.stores() == stores || figures.len() == OF_LINE {
            continue;
        }
        stores = position.stores();
        let player = position.to_move().opponent();
        let turn: games::notation::Line = pit.parse().map_err(|error| wrong(pit, error))?;
        let turn = turn.turns().first().cloned().unwrap_or_default();
        figures.push(Figure {
            caption: format!("Ply {ply}: {} `{pit}`", player.name()),
            svg: board::draw(position, game.pits(), Some((player, &turn))),
        });
    }
    Ok(figures)
}

pub(super) fn greed(game: &Ruleset, layers: &[Layer]) -> Result<Section, Error> {
    let columns = [
        "stones",
        "won, with a capture",
        "costs stones",
        "share, %",
        "throws the win away",
        "share of won, %",
        "loses",
    ];
    let caption = "Won positions with a capture, and what taking most there brings";
    let mut table = Table::new("greed", caption, &columns);
    let mut examples = Table::new(
        "greed-examples",
        "The thrown wins that cost most in each layer",
        &["stones", "position", "value", "best", "greedy", "takes", "value of it", "costs"],
    );
    examples.long = true;
    for layer in layers.iter().filter(|layer| layer.greed.positions > 0) {
        let greed = &layer.greed;
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(greed.positions),
            Cell::number(greed.costly),
            share(greed.costly, greed.positions),
            Cell::number(greed.thrown),
            share(greed.thrown, greed.positions),
            Cell::number(greed.lost),
        ]);
        for example in &greed.strongest {
            examples.rows.push(vec![
                Cell::number(layer.stones),
                code(&example.position),
                Cell::stones(example.value),
                Cell::text(pits(&example.best)),
                Cell::text(pits(&example.greedy)),
                Cell::number(example.captured),
                Cell::stones(example.greedy_value),
                Cell::number(example.value - example.greedy_value),
            ]);
        }
    }
    let text = "A greedy sowing takes as many stones as any other. Counted are the won positions in which something can be \
                taken; a win is thrown away where every greedy sowing leaves a draw or a loss.";
    let drawn = |example: &&Greedy| greedy_figure(game, example);
    let most = strongest(
        layers,
        |layer| &layer.greed.strongest,
        |example| example.value - example.greedy_value,
    );
    let figures: Vec<Figure> = most.iter().map(drawn).collect::<Result<_, Error>>()?;
    let points = layers
        .iter()
        .filter(|layer| layer.greed.positions > 0)
        .map(|layer| (f64::from(layer.stones), percent(layer.greed.thrown, layer.greed.positions)));
    let chart = Figure {
        caption: "Won positions with a capture where taking most throws the win away, %".to_owned(),
        svg: share_curve("Share of wins thrown away by greed", "thrown away, %", points.collect()),
    };
    Ok(Section::new(
        "Greed",
        vec![
            Block::Text(text.to_owned()),
            Block::Figure(chart),
            Block::Table(table),
            Block::Text("Those that cost most; the greedy pit is marked:".to_owned()),
            Block::Row(figures),
            Block::Table(examples),
        ],
    ))
}

fn greedy_figure(game: &Ruleset, example: &Greedy) -> Result<Figure, Error> {
    let position = parse(game, &example.position)?;
    let text: Vec<String> = example.greedy.iter().map(usize::to_string).collect();
    let line: games::notation::Line =
        text.join("-").parse().map_err(|error| wrong(&example.position, error))?;
    let turn: Turn = line.turns().first().cloned().unwrap_or_default();
    let caption = format!(
        "{} takes {} and is worth {}; {} is worth {}",
        pits(&example.greedy),
        example.captured,
        signed(example.greedy_value),
        pits(&example.best),
        signed(example.value)
    );
    let svg = board::draw(&position, game.pits(), Some((Player::South, &turn)));
    Ok(Figure { caption, svg })
}
