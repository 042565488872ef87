//! The plain builder of toguz kumalak: positions as they are written down, sown by the plain rules
//! and looked ahead one sowing further until nothing changes.
//!
//! It knows nothing of parts, numbers and packed boards, and is what the fast builder is compared
//! with.

use std::collections::HashMap;

use games::toguz::{Board, Toguz};
use games::{Player, Position, Rows, Ruleset, Setup, plain};

/// A position without stores, South to move: the pits and the tuzdyk of each row.
type Key = [(Vec<u32>, Option<usize>); 2];

/// Layers filled one after the other, play without end counting 0.
#[derive(Debug)]
pub struct PlainBuilder {
    ruleset: Ruleset<Toguz>,
    layers: Vec<HashMap<Key, i32>>,
}

impl PlainBuilder {
    /// A builder without layers.
    #[must_use]
    pub fn new(ruleset: &Ruleset<Toguz>) -> PlainBuilder {
        PlainBuilder { ruleset: ruleset.clone(), layers: Vec::new() }
    }

    /// Fills the next layer.
    ///
    /// After k rounds each position has its value in the game that is stopped after k sowings in
    /// this layer, and counts 0 then. A gain that can be forced in some number of sowings is there
    /// after as many rounds, and stays; likewise a loss. Lower layers must be complete before: a
    /// value that is too high for some rounds could keep itself up by going round.
    pub fn fill_next(&mut self) {
        let setups = setups(self.ruleset.pits(), self.layers.len() as u32);
        let mut values: HashMap<Key, i32> = setups.iter().map(|setup| (key(setup), 0)).collect();
        loop {
            let next = |setup| (key(setup), self.looked_ahead(setup, &values));
            let next = setups.iter().map(next).collect();
            if values == next {
                break;
            }
            values = next;
        }
        self.layers.push(values);
    }

    /// The positions of a filled layer.
    ///
    /// # Panics
    /// The layer is not filled.
    pub fn layer(&self, stones: usize) -> impl Iterator<Item = (Board, i32)> {
        self.layers[stones].iter().map(|([south, north], &value)| {
            let (pits, tuzdyks) = ([south.0.clone(), north.0.clone()], [south.1, north.1]);
            let setup = Setup { pits, tuzdyks, stores: [0; 2], to_move: Player::South };
            let position = Position::pack(&setup, self.ruleset.pits());
            (position.expect("a position of few stones fits").board(), value)
        })
    }

    /// The value of a position by those of the layer in work.
    fn looked_ahead(&self, setup: &Setup, values: &HashMap<Key, i32>) -> i32 {
        if let Some(rest) = plain::remainder(&self.ruleset, setup) {
            return rest.value();
        }
        let sowings = plain::legal(&self.ruleset, setup).into_iter().map(|pit| {
            let sowing = plain::sow(&self.ruleset, setup, pit);
            let layer = self.layers.get(sowing.setup.on_board() as usize).unwrap_or(values);
            sowing.gain as i32 - sowing.given as i32 - layer[&key(&sowing.setup)]
        });
        sowings.max().expect("who has stones can sow")
    }
}

/// The position with the player to move as South.
fn key(setup: &Setup) -> Key {
    let row = |player: Player| {
        let player = player as usize;
        (setup.pits[player].clone(), setup.tuzdyks[player])
    };
    [row(setup.to_move), row(setup.to_move.opponent())]
}

/// All positions of a layer, South to move: those that can be packed, of all that can be written.
fn setups(pits: usize, stones: u32) -> Vec<Setup> {
    let mut rows = vec![vec![]];
    for _ in 0..2 * pits {
        let longer = rows.iter().flat_map(|row: &Vec<u32>| {
            let left = stones - row.iter().sum::<u32>();
            (0..=left).map(move |stones| [&row[..], &[stones]].concat())
        });
        rows = longer.collect();
    }
    rows.retain(|row| row.iter().sum::<u32>() == stones);
    let tuzdyks = || std::iter::once(None).chain((0..pits).map(Some));
    let pairs: Vec<_> = tuzdyks().flat_map(|one| tuzdyks().map(move |two| [one, two])).collect();
    let setups = rows.iter().flat_map(|row| {
        let (south, north) = row.split_at(pits);
        pairs.iter().map(|&tuzdyks| Setup {
            pits: [south.to_vec(), north.to_vec()],
            tuzdyks,
            stores: [0; 2],
            to_move: Player::South,
        })
    });
    setups.filter(|setup| Board::pack(setup).is_ok()).collect()
}
