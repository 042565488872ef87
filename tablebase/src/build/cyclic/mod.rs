//! Building the tables of cyclic games, where positions recur and infinite play counts 0.
//!
//! A [`Builder`] fills layer after layer: captures lead to lower layers and are evaluated once,
//! then values spread within the layer from the highest down. [`plain`] is the slow twin.

mod effects;
mod forward;
mod levels;
pub mod plain;
mod slots;
mod unsow;
mod work;

use games::Ruleset;

use crate::index::Index;

use work::{Ground, Work};

/// A builder that keeps all layers in memory, one byte a position; the layer in work takes two
/// and a quarter.
#[derive(Debug)]
pub struct Builder {
    ground: Ground,
    layers: Vec<Vec<i8>>,
}

impl Builder {
    /// A builder for the layers 0 to `stones` of a game without stores in its track.
    #[must_use]
    pub fn new(ruleset: &Ruleset, stones: u32) -> Builder {
        let index = Index::new(ruleset.pits(), stones);
        Builder { ground: Ground::new(ruleset.rules(), index), layers: Vec::new() }
    }

    /// Fills the next layer on the threads of the current rayon pool. `progress` is told the
    /// positions done since its last call, from any thread.
    pub fn fill_next(&mut self, progress: &(dyn Fn(u64) + Sync)) {
        let stones = self.layers.len() as u32;
        let mut work = Work::new(&self.ground, stones);
        forward::evaluate(&self.ground, &mut work, &self.layers);
        levels::close(&self.ground, &mut work, progress);
        self.layers.push(work.into_values(&self.ground));
    }

    /// The values of a filled layer, in the order of the [index](crate::index).
    #[must_use]
    pub fn layer(&self, stones: u32) -> &[i8] {
        &self.layers[stones as usize]
    }
}
