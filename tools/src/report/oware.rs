//! The study of Oware: its endgames, layer by layer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::{Block, Cell, Document, Section, Table};
use super::results::{self, Source};
use super::{Request, Study};
use crate::error::Error;

/// What `mancala stats` counts on each layer, gathered into one file.
const LAYERS: &str = "oware-layers.json";

/// What the study is made from.
#[derive(Serialize, Deserialize)]
struct Data {
    game: String,
    command: String,
    program: String,
    seconds: f64,
    layers: Vec<Layer>,
}

/// A layer as `mancala stats` counts it.
#[derive(Serialize, Deserialize)]
struct Layer {
    stones: u32,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Positions by value for the player to move.
    values: BTreeMap<i32, u64>,
}

/// The study; `None` as long as there are no results to make it from. They come from tables that
/// take long to build, so there is nothing to compute anew.
pub(super) fn study(request: &mut Request) -> Result<Option<Study>, Error> {
    let found = results::find::<Data>(LAYERS)?.filter(|_| !request.recompute);
    let Some(found) = found else {
        return Ok(None);
    };
    let data = found.value;
    let source = Source::new(LAYERS, found.text, &data.command, &data.program, data.seconds);
    Ok(Some(Study::new(document(&data), vec![source], &data)?))
}

fn document(data: &Data) -> Document {
    let all: u64 = data.layers.iter().map(|layer| layer.positions).sum();
    let most = data.layers.iter().map(|layer| layer.stones).max().unwrap_or(0);
    Document {
        name: "oware",
        title: "Oware: the endgames, solved".to_owned(),
        lead: format!(
            "Every position of `{}` with up to {most} stones on the board. A value is the number of stones that the \
             player to move will win more than the opponent.",
            data.game
        ),
        highlights: vec![(all.to_string(), format!("positions of up to {most} stones"))],
        sections: vec![Section::new("Layer by layer", vec![Block::Table(layers(&data.layers))])],
    }
}

/// The outcomes of each layer and its mean value.
fn layers(layers: &[Layer]) -> Table {
    let columns = ["stones", "positions", "wins, %", "draws, %", "losses, %", "mean value"];
    let caption = "Positions of each layer by the outcome for the player to move, the stones on the board alone";
    let mut table = Table::new("layers", caption, &columns);
    for layer in layers {
        let positions = layer.positions.max(1) as f64;
        let share = |count: u64| Cell::number(format!("{:.2}", 100.0 * count as f64 / positions));
        let sum: f64 = layer.values.iter().map(|(&v, &count)| f64::from(v) * count as f64).sum();
        table.rows.push(vec![
            Cell::number(layer.stones),
            Cell::number(layer.positions),
            share(layer.wins),
            share(layer.draws),
            share(layer.losses),
            Cell::number(format!("{:.3}", sum / positions)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_has_its_shares_and_mean() {
        let values = BTreeMap::from([(-1, 2), (0, 1), (3, 5)]);
        let layer = Layer { stones: 3, positions: 8, wins: 5, draws: 1, losses: 2, values };
        let row: Vec<String> = layers(&[layer]).rows[0].iter().map(Cell::plain).collect();
        assert_eq!(row, ["3", "8", "62.50", "12.50", "25.00", "1.625"]);
    }
}
