//! What sowings do to opponents' sides, sorted by what follows from it.
//!
//! Where a sowing captures, it leads to a lower layer and is evaluated once ([`Captures`]).
//! Where it does not, it is an edge of the graph of the layer, needed against its direction
//! ([`Unsown`]).

use crate::build::sowings::{Effect, Sowings};
use crate::index::Sides;

use super::slots::{WORD, words_of_a_bit};

/// Sides are given by their number among those of as many stones.
type Place = u32;

/// An effect on all sides.
#[derive(Debug)]
pub(super) struct SortedEffect {
    /// By the stones of the side before the sowing.
    pub(super) forward: Vec<Captures>,
    /// By the stones of the side after the sowing.
    pub(super) backward: Vec<Unsown>,
}

/// The sides of a number of stones of which an effect captures some.
#[derive(Default, Debug)]
pub(super) struct Captures {
    /// For each number of stones captured, the sides before and after.
    pub(super) by_stones: Vec<(u8, Vec<(Place, Place)>)>,
    /// The sides before that are captured whole.
    pub(super) whole: Vec<Place>,
}

/// The sides of a number of stones to which an effect leads without a capture.
#[derive(Default, Debug)]
pub(super) struct Unsown {
    /// A bit for each side, set if the effect leads there.
    pub(super) reached: Vec<u64>,
    /// A summary of those bits, as of a row of marks.
    pub(super) summary: u64,
    /// The side that it comes from; anything where no bit is set.
    pub(super) before: Vec<Place>,
}

impl SortedEffect {
    pub(super) fn all(sowings: &Sowings, sides: &Sides) -> Vec<SortedEffect> {
        sowings.effects.iter().map(|effect| SortedEffect::new(effect, sides)).collect()
    }

    fn new(effect: &Effect, sides: &Sides) -> SortedEffect {
        let most = sides.max_stones();
        let spill = u32::from(effect.spill);
        let mut forward: Vec<Captures> = (0..=most).map(|_| Captures::default()).collect();
        let mut backward: Vec<Unsown> = (0..=most).map(|_| Unsown::default()).collect();
        for stones in 0..=most.saturating_sub(spill) {
            let after_stones = stones + spill;
            let mut unsown = Unsown::none(sides.of(after_stones).len());
            for (place, rank) in (0..).zip(sides.of(stones)) {
                let after = effect.after.get(rank as usize).map_or(rank, |&after| after);
                let captured = effect.captured.get(rank as usize).map_or(0, |&captured| captured);
                let after_stones = after_stones - u32::from(captured);
                let after = after - sides.of(after_stones).start;
                match captured {
                    0 => unsown.add(place, after),
                    _ => forward[stones as usize].add(captured, place, after, after_stones == 0),
                }
            }
            backward[after_stones as usize] = unsown;
        }
        SortedEffect { forward, backward }
    }
}

impl Captures {
    fn add(&mut self, captured: u8, before: Place, after: Place, whole: bool) {
        let known = self.by_stones.iter_mut().find(|(stones, _)| *stones == captured);
        match known {
            Some((_, sides)) => sides.push((before, after)),
            None => self.by_stones.push((captured, vec![(before, after)])),
        }
        if whole {
            self.whole.push(before);
        }
    }
}

impl Unsown {
    fn none(sides: usize) -> Unsown {
        let reached = vec![0; sides.div_ceil(WORD)];
        Unsown { reached, summary: 0, before: vec![0; sides] }
    }

    fn add(&mut self, before: Place, after: Place) {
        let word = after as usize / WORD;
        self.summary |= 1 << (word / words_of_a_bit(self.reached.len()));
        self.reached[word] |= 1 << (after as usize % WORD);
        self.before[after as usize] = before;
    }
}
