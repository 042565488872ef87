//! The endgames of a cyclic game, layer by layer: what its tables say about all positions at once.
//!
//! A value is what the player to move will win more than the opponent of the stones on the board.
//! Words that the counts rest on:
//!
//! * *Live*: the game is not over.
//! * *Tempo* of a live board that is live as well with the other player to move: the value with the
//!   move plus the value that the opponent would have with it, so what having the move is worth. It is
//!   the same for both players.
//! * *Zugzwang*: the tempo is negative; each player would rather have the other one move.
//! * *Greedy*: a sowing that captures as much as any other of the position, and something.
//! * *Plies* to a value other than 0: the sowings until the value of what is left is 0 or the game is
//!   over. Whoever is ahead in what is left hurries, the other delays, and both sow only what keeps the
//!   value. So a win is *cashed*: the stones won since make up the value, and nobody gets more
//!   than the other from then on, though play may go on for ever.
//! * *Rule-independent*: the value is the same under every [rule of repetition](tablebase::bounds).

mod examples;
mod plies;
mod sowings;
mod tables;
mod tally;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use games::Ruleset;
use serde::{Deserialize, Serialize};
use tablebase::{BoundCounts, Counts};

pub(crate) use self::examples::{Greedy, Line, Waiting, replay};
use self::plies::Plies;
use self::tables::Open;
pub(crate) use self::tables::{Given, Unfounded};
use self::tally::Tally;
use crate::error::Error;

/// The study of a game.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Endgames {
    pub(crate) game: String,
    pub(crate) command: String,
    pub(crate) program: String,
    pub(crate) seconds: f64,
    /// From layer 0 on.
    pub(crate) layers: Vec<Layer>,
}

/// All positions of a layer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Layer {
    pub(crate) stones: u32,
    pub(crate) positions: u64,
    pub(crate) live: u64,
    /// Positions by value, over all of the layer.
    pub(crate) values: BTreeMap<i32, u64>,
    /// Live positions by how many stones more are on the mover's side.
    pub(crate) material: Vec<Material>,
    pub(crate) tempo: Tempo,
    pub(crate) greed: Greed,
    /// Live won positions by plies.
    pub(crate) wins: BTreeMap<u16, u64>,
    /// The first of the live positions with the longest wins, and how it goes.
    pub(crate) longest: Option<Line>,
    pub(crate) independent: Independent,
    pub(crate) checksums: Checksums,
}

/// Live positions with the same material.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Material {
    /// Stones on the mover's side less those on the opponent's.
    pub(crate) advantage: i32,
    pub(crate) positions: u64,
    /// Sum of the values.
    pub(crate) sum: i64,
    pub(crate) wins: u64,
    pub(crate) losses: u64,
}

/// Boards that are live whoever has the move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tempo {
    pub(crate) positions: u64,
    /// Sum of the tempos.
    pub(crate) sum: i64,
    /// Positions in zugzwang.
    pub(crate) zugzwang: u64,
    /// Those of them that both players lose if they have the move.
    pub(crate) both_lose: u64,
    /// The zugzwangs that cost most, one of each two that are the same with the sides exchanged.
    pub(crate) strongest: Vec<Waiting>,
}

/// Won positions in which something can be captured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Greed {
    pub(crate) positions: u64,
    /// Every greedy sowing wins less than the best.
    pub(crate) costly: u64,
    /// Every greedy sowing wins nothing any more.
    pub(crate) thrown: u64,
    /// Every greedy sowing even loses.
    pub(crate) lost: u64,
    /// The wins thrown away that cost most.
    pub(crate) strongest: Vec<Greedy>,
}

/// Positions whose value is the same under every rule of repetition.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Independent {
    pub(crate) all: u64,
    pub(crate) live: u64,
    /// Sum of the distances of the bounds over all positions.
    pub(crate) width: u64,
}

/// CRC-32 of the values of a layer, a signed byte each in the order of the index, whatever the
/// form of the files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Checksums {
    pub(crate) values: String,
    pub(crate) lower: String,
    pub(crate) upper: String,
}

impl Layer {
    /// Positions of the layer whose value is of some kind.
    pub(crate) fn count(&self, kind: impl Fn(i32) -> bool) -> u64 {
        self.values.iter().filter(|&(&value, _)| kind(value)).map(|(_, count)| count).sum()
    }

    /// The plies of the longest wins and how many positions have such; `None` if there are no
    /// live wins.
    pub(crate) fn longest_wins(&self) -> Option<(u16, u64)> {
        self.wins.last_key_value().map(|(&plies, &count)| (plies, count))
    }
}

/// Studies the layers 0 to `stones`, or to where the given tables end, on the threads of the
/// current rayon pool. Memory is that of the highest layer, about 35 bytes a position in all, mapped
/// tables included. `told` is called for each layer before it is studied.
pub(crate) fn study(
    game: &Ruleset,
    stones: u32,
    given: &Given,
    told: &dyn Fn(u32, u64),
) -> Result<Vec<Layer>, Error> {
    let open = given.open(game, stones)?;
    let mut plies = Plies::default();
    (0..=open.most_stones())
        .map(|stones| {
            told(stones, open.values.index().positions(stones));
            layer(&open, stones, &mut plies)
        })
        .collect()
}

fn layer(open: &Open, stones: u32, plies: &mut Plies) -> Result<Layer, Error> {
    let index = open.values.index();
    let (files, bounds) = open.files(stones)?;
    let checksums = tables::checksums(files, bounds)?;
    let counts = Counts::of(&open.rules, index, files)?;
    let bounds = BoundCounts::of(&open.rules, index, bounds)?;
    let tally = Tally::of(open, stones);
    plies.add_layer(open, stones)?;
    let wins = plies.of_wins(open, stones);
    let longest = wins.last_key_value().and_then(|(&most, _)| plies.line(open, stones, most));
    Ok(Layer {
        stones,
        positions: index.positions(stones),
        live: counts.live().map(|(_, count)| count).sum(),
        values: counts.all().collect(),
        tempo: tally.tempo(open),
        greed: tally.greed(open),
        material: tally.material(),
        wins,
        longest,
        independent: independent(&bounds),
        checksums,
    })
}

fn independent(bounds: &BoundCounts) -> Independent {
    let mut sum = Independent::default();
    for (interval, all, live) in bounds.all() {
        sum.width += u64::from(interval.upper.abs_diff(interval.lower)) * all;
        if interval.value().is_some() {
            sum.all += all;
            sum.live += live;
        }
    }
    sum
}
