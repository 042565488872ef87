//! What the study of Oware says.

use super::GAMES;
use crate::endgame::{Endgames, Layer};
use crate::error::Error;
use crate::report::check::ruleset;
use crate::report::document::{Block, Cell, Document, Figure, Section, Table};
use crate::report::plot::{self, Curve};

mod positions;

/// A part of a whole in percent.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn share(part: u64, whole: u64) -> Cell {
    Cell::number(format!("{:.2}", percent(part, whole)))
}

/// A sum over so many.
fn mean(sum: impl Into<i128>, count: u64) -> f64 {
    sum.into() as f64 / count.max(1) as f64
}

/// A figure for a tile: with millions written out or in short.
fn short(count: u64) -> String {
    if count >= 1_000_000 { format!("{:.1} M", count as f64 / 1e6) } else { count.to_string() }
}

impl Layer {
    fn mean(&self) -> f64 {
        let sum: i128 = self.values.iter().map(|(&v, &n)| i128::from(v) * i128::from(n)).sum();
        mean(sum, self.positions)
    }

    fn wins(&self) -> u64 {
        self.count(|value| value > 0)
    }

    fn draws(&self) -> u64 {
        self.count(|value| value == 0)
    }

    fn losses(&self) -> u64 {
        self.count(|value| value < 0)
    }

    /// By how much the value of live positions rises with each stone of advantage, by least
    /// squares.
    fn slope(&self) -> f64 {
        let positions: f64 = self.material.iter().map(|row| row.positions as f64).sum();
        let sum = |f: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
            let rows = self.material.iter();
            rows.map(|row| f(f64::from(row.advantage), row.positions as f64, row.sum as f64)).sum()
        };
        let (x, y) = (sum(&|a, n, _| a * n) / positions, sum(&|_, _, s| s) / positions);
        let square = sum(&|a, n, _| n * (a - x) * (a - x));
        if square > 0.0 { sum(&|a, n, s| (a - x) * (s - n * y)) / square } else { 0.0 }
    }
}

pub(super) fn document(games: &[Endgames]) -> Result<Document, Error> {
    let main = &games[0];
    let game = ruleset("the endgames", &main.game)?;
    let most = main.layers.len().saturating_sub(1);
    let mut sections = vec![outcomes(&main.layers), material(&main.layers)];
    sections.push(positions::zugzwang(&game, &main.layers)?);
    sections.push(positions::longest(&game, &main.layers)?);
    sections.push(positions::greed(&game, &main.layers)?);
    sections.push(independence(&main.layers));
    sections.extend(games.get(1).map(|other| beside(main, other)));
    sections.push(checksums(games));
    Ok(Document {
        name: "oware",
        title: "Oware: the endgames, solved".to_owned(),
        lead: format!(
            "Every position of `{}` with up to {most} stones on the board. A value is the number of stones that the \
             player to move will win more than the opponent of those on the board, under best play of \
             both; stores do not enter it. A win is a positive value. Play without end counts 0.",
            main.game
        ),
        highlights: highlights(&main.layers),
        sections,
    })
}

fn highlights(layers: &[Layer]) -> Vec<(String, String)> {
    let sum = |f: &dyn Fn(&Layer) -> u64| layers.iter().map(f).sum::<u64>();
    let of = |part: u64, whole: u64| format!("{:.1} %", percent(part, whole));
    let longest = layers.iter().filter_map(Layer::longest_wins).map(|(plies, _)| plies).max();
    let most = layers.len().saturating_sub(1);
    vec![
        (short(sum(&|layer| layer.positions)), format!("positions of up to {most} stones")),
        (
            format!("{} plies", longest.unwrap_or(0)),
            "until the longest forced win is cashed".to_owned(),
        ),
        (
            of(sum(&|layer| layer.tempo.zugzwang), sum(&|layer| layer.tempo.positions)),
            "of positions are zugzwangs: better off not to move".to_owned(),
        ),
        (
            of(sum(&|layer| layer.greed.thrown), sum(&|layer| layer.greed.positions)),
            "of won positions with a capture are won no more after taking most".to_owned(),
        ),
        (
            of(sum(&|layer| layer.independent.all), sum(&|layer| layer.positions)),
            "of positions are worth the same under every rule of repetition".to_owned(),
        ),
    ]
}

fn outcomes(layers: &[Layer]) -> Section {
    let columns =
        ["stones", "positions", "not over", "wins, %", "draws, %", "losses, %", "mean value"];
    let caption = "Positions of each layer by the outcome for the player to move, the stones on the board alone";
    let mut table = Table::new("layers", caption, &columns);
    for layer in layers {
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(layer.positions),
            Cell::number(layer.live),
            share(layer.wins(), layer.positions),
            share(layer.draws(), layer.positions),
            share(layer.losses(), layer.positions),
            Cell::number(format!("{:.3}", layer.mean())),
        ]);
    }
    let row = |layer: &Layer| {
        let parts = [layer.wins(), layer.draws(), layer.losses()];
        let shares = parts.iter().map(|&part| percent(part, layer.positions)).collect();
        (layer.stones.to_string(), shares)
    };
    let rows: Vec<(String, Vec<f64>)> = layers.iter().map(row).collect();
    let parts = [("win", "good"), ("draw", "even"), ("loss", "bad")];
    let figure = Figure {
        caption: "Wins, draws and losses of the player to move by the stones on the board"
            .to_owned(),
        svg: plot::shares("Shares of wins, draws and losses by layer", &parts, &rows),
    };
    let mut values = Table::new(
        "values",
        "Positions of each layer by value",
        &["stones", "value", "positions", "share, %"],
    );
    values.long = true;
    for layer in layers {
        for (&value, &count) in &layer.values {
            values.rows.push(vec![
                Cell::number(layer.stones),
                Cell::stones(value),
                Cell::number(count),
                share(count, layer.positions),
            ]);
        }
    }
    Section::new(
        "Layer by layer",
        vec![Block::Figure(figure), Block::Table(table), Block::Table(values)],
    )
}

fn material(layers: &[Layer]) -> Section {
    let mut table = Table::new(
        "material",
        "Live positions of each layer by the stones on the mover's side less those on the opponent's",
        &["stones", "advantage", "positions", "mean value", "wins, %", "draws, %", "losses, %"],
    );
    table.long = true;
    let mut moves = Table::new(
        "move",
        "What a stone of advantage and the move are worth on average in each layer",
        &["stones", "a stone of advantage", "the move"],
    );
    for layer in layers {
        for row in &layer.material {
            let draws = row.positions - row.wins - row.losses;
            table.rows.push(vec![
                Cell::number(layer.stones),
                Cell::number(row.advantage),
                Cell::number(row.positions),
                Cell::number(format!("{:.3}", mean(row.sum, row.positions))),
                share(row.wins, row.positions),
                share(draws, row.positions),
                share(row.losses, row.positions),
            ]);
        }
        if layer.tempo.positions > 0 {
            moves.rows.push(vec![
                Cell::number(layer.stones),
                Cell::number(format!("{:.3}", layer.slope())),
                Cell::number(format!("{:.3}", mean(layer.tempo.sum, layer.tempo.positions))),
            ]);
        }
    }
    let text = "The advantage is how many stones more are on the mover's side. They are in no store yet, so it is worth less \
                than its stones: what a stone of it is worth is the slope of the value over the advantage, by least \
                squares. The move is worth the mean of what having it brings: the value with the move plus the value that \
                the opponent would have with it, over all boards that are not over whoever moves.";
    let mut blocks = vec![Block::Text(text.to_owned())];
    let top = layers.len().saturating_sub(1);
    let curve = |layer: &Layer| -> Vec<(f64, f64)> {
        let rows = layer.material.iter();
        rows.map(|row| (f64::from(row.advantage), mean(row.sum, row.positions))).collect()
    };
    let named: Vec<(String, &Layer)> = [layers.get(top / 2), layers.get(top)]
        .into_iter()
        .flatten()
        .map(|layer| (format!("{} stones", layer.stones), layer))
        .collect();
    let curves: Vec<Curve> = named
        .iter()
        .zip(["series1", "series0"])
        .map(|((name, layer), class)| Curve { name, class, points: curve(layer) })
        .collect();
    let title = "Mean value by material";
    let tempo = |layer: &Layer| {
        let mean = mean(layer.tempo.sum, layer.tempo.positions);
        (layer.tempo.positions > 0).then(|| (f64::from(layer.stones), mean))
    };
    let moves_curve = [Curve {
        name: "the move, in stones",
        class: "series0",
        points: layers.iter().filter_map(tempo).collect(),
    }];
    blocks.push(Block::Row(vec![
        Figure {
            caption: "Mean value by the advantage in stones on the board".to_owned(),
            svg: plot::curves(title, "advantage on the board", &curves),
        },
        Figure {
            caption: "What having the move is worth on average".to_owned(),
            svg: plot::curves("What the move is worth", "stones on the board", &moves_curve),
        },
    ]));
    blocks.extend([Block::Table(moves), Block::Table(table)]);
    Section::new("Material and the move", blocks)
}

fn independence(layers: &[Layer]) -> Section {
    let mut table = Table::new(
        "independent",
        "Positions whose value is the same under every rule of repetition",
        &["stones", "positions", "share, %", "not over", "share of these, %", "mean distance"],
    );
    for layer in layers {
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(layer.independent.all),
            share(layer.independent.all, layer.positions),
            Cell::number(layer.independent.live),
            share(layer.independent.live, layer.live),
            Cell::number(format!("{:.2}", mean(layer.independent.width, layer.positions))),
        ]);
    }
    let points = |f: &dyn Fn(&Layer) -> f64| -> Vec<(f64, f64)> {
        layers.iter().map(|layer| (f64::from(layer.stones), f(layer))).collect()
    };
    let curves = [
        Curve {
            name: "all",
            class: "series0",
            points: points(&|layer| percent(layer.independent.all, layer.positions)),
        },
        Curve {
            name: "not over",
            class: "series1",
            points: points(&|layer| percent(layer.independent.live, layer.live)),
        },
    ];
    let text = "What becomes of play without end is decided differently: the stones left are split, or each player takes \
                his own row. Two more tables count it as the worst and as the best for the player to move. Where \
                their bounds meet, the value is the same under every rule; the distance is what they are apart.";
    let figure = Figure {
        caption: "Positions with the same value under every rule of repetition, %".to_owned(),
        svg: plot::curves("Share of rule-independent values", "stones on the board", &curves),
    };
    Section::new(
        "Under every rule of repetition",
        vec![Block::Text(text.to_owned()), Block::Figure(figure), Block::Table(table)],
    )
}

/// The same of another ruleset, in short.
fn beside(main: &Endgames, other: &Endgames) -> Section {
    let named = |name: &str| [name.to_owned(), format!("oware: {name}")];
    let names = ["wins, %", "zugzwangs, %", "wins thrown away, %", "longest win", "independent, %"];
    let columns: Vec<String> =
        std::iter::once("stones".to_owned()).chain(names.into_iter().flat_map(named)).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let caption = format!("Layers of `{}`, each figure with that of oware", other.game);
    let mut table = Table::new("awari", &caption, &columns);
    for (layer, known) in other.layers.iter().zip(&main.layers) {
        let mut row = vec![Cell::number(layer.stones)];
        let shares: [&dyn Fn(&Layer) -> Cell; 5] = [
            &|layer| share(layer.wins(), layer.positions),
            &|layer| share(layer.tempo.zugzwang, layer.tempo.positions),
            &|layer| share(layer.greed.thrown, layer.greed.positions),
            &|layer| Cell::number(layer.longest_wins().map_or(0, |(plies, _)| plies)),
            &|layer| share(layer.independent.all, layer.positions),
        ];
        row.extend(shares.into_iter().flat_map(|figure| [figure(layer), figure(known)]));
        table.rows.push(row);
    }
    let text = format!(
        "The rules of `{}` differ in what a capture of all stones of the opponent is: illegal there unless nothing \
         else can be sown, here legal without taking anything.",
        GAMES[1].0
    );
    Section::new("Awari beside it", vec![Block::Text(text), Block::Table(table)])
}

fn checksums(games: &[Endgames]) -> Section {
    let caption = "CRC-32 of the values and bounds of each layer, a signed byte a position in the order of the index";
    let mut table =
        Table::new("checksums", caption, &["game", "stones", "values", "lower", "upper"]);
    table.long = true;
    for Endgames { game, layers, .. } in games {
        for layer in layers {
            table.rows.push(vec![
                Cell::text(format!("`{game}`")),
                Cell::number(layer.stones),
                Cell::text(format!("`{}`", layer.checksums.values)),
                Cell::text(format!("`{}`", layer.checksums.lower)),
                Cell::text(format!("`{}`", layer.checksums.upper)),
            ]);
        }
    }
    Section::new("The tables", vec![Block::Table(table)])
}
