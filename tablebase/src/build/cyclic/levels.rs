//! The values of a layer from the highest gain down.
//!
//! At level v the positions worth v and -v become known; those worth more either way are. The
//! first are those where a capture gives v, or where no sowing is open and a capture gives -v.
//! From there it goes against the direction of play, in rounds: a position that can sow into a
//! loss of v is a win of v, and one whose last open sowing leads into a win of v or more, and
//! which has no capture worth more than -v, is a loss of v. What no level reaches is worth 0:
//! there both players can go on for ever. Each edge of the graph is used at most once: in
//! awari's layer of 16 stones 2.7 of them a position, in up to 45 rounds a level. Whole sweeps
//! would evaluate all sowings of each position in every sweep, 46 times at 14 stones.
//!
//! The method is that of Romein & Bal 2002 (Awari is solved) and Lincke 2002, done here side by
//! side: rounds go from all marked positions (mover b', opponent a') of a row to the
//! positions (mover a, opponent b) for one sowing of a that leaves a', so what is looked up and
//! what is written each lies in one row.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use games::PitSet;

use crate::raw;

use super::keep::Keep;
use super::slots::{Marks, WORD, members, summarised};
use super::work::{CLOSED, Ground, Part, Row, Work, sources};

/// Finds all values of a layer that are not 0, captures being evaluated and all levels above
/// `from` done. `known` is told how many positions became known.
pub(super) fn close(
    ground: &Ground,
    work: &mut Work,
    from: i8,
    known: &(dyn Fn(u64) + Sync),
    keep: &mut dyn Keep,
) {
    let (mut won, mut lost) = marks(ground, work.stones);
    let alone = alone(ground, work.stones);
    for level in (1..=from).rev() {
        let step = Step { ground, stones: work.stones, alone: &alone, level, known };
        let decided = |best, open| is_won(best, open, level) | is_lost(best, open, level);
        work.rows(ground, |row| {
            step.seed(row, decided, |best| if best > 0 { &won } else { &lost })
        });
        loop {
            let any = step.round(work, &won, &lost, from_won);
            won.clear(&ground.slots);
            let more = step.round(work, &lost, &won, from_lost);
            lost.clear(&ground.slots);
            if !any && !more {
                break;
            }
        }
        if level > 1 {
            keep.reached(level - 1, &[work]);
        }
    }
}

/// Finds what the mover can get of each position of a layer, and what the opponent can hold him
/// to, by play that ends.
///
/// It is the same from the highest level to the lowest, gains and losses apart: at level v
/// positions become known from which the mover can force v or more (in `lower`), and from which
/// the opponent can (in `upper`). What no level reaches in one of them is decided by play
/// without end.
pub(super) fn close_bounds(
    ground: &Ground,
    lower: &mut Work,
    upper: &mut Work,
    from: i8,
    known: &(dyn Fn(u64) + Sync),
    keep: &mut dyn Keep,
) {
    let stones = lower.stones;
    let (mut won, mut lost) = marks(ground, stones);
    let alone = alone(ground, stones);
    let lowest = -(stones as i8);
    for level in (lowest..=from).rev() {
        let step = Step { ground, stones, alone: &alone, level, known };
        let (is_won, is_lost) =
            (|best, open| is_won(best, open, level), |best, open| is_lost(best, open, level));
        lower.rows(ground, |row| step.seed(row, is_won, |_| &won));
        upper.rows(ground, |row| step.seed(row, is_lost, |_| &lost));
        loop {
            let any = step.round(upper, &won, &lost, from_won);
            won.clear(&ground.slots);
            let more = step.round(lower, &lost, &won, from_lost);
            lost.clear(&ground.slots);
            if !any && !more {
                break;
            }
        }
        if level > lowest {
            keep.reached(level - 1, &[lower, upper]);
        }
    }
}

/// Sets of the positions won and of those lost at a level.
fn marks(ground: &Ground, stones: u32) -> (Marks, Marks) {
    let marks = || Marks::new(ground.sides(), &ground.slots, stones);
    (marks(), marks())
}

/// The pits that each side of all stones may sow.
fn alone(ground: &Ground, stones: u32) -> Vec<PitSet> {
    ground.sides().of(stones).map(|mover| ground.legal_alone(mover)).collect()
}

/// Whether a capture or the end of the game wins a position at a level.
#[inline]
fn is_won(best: i8, open: i8, level: i8) -> bool {
    best == level && open != CLOSED
}

/// Whether it loses it.
#[inline]
fn is_lost(best: i8, open: i8, level: i8) -> bool {
    best == -level && open == 0
}

/// One level of a layer.
struct Step<'a> {
    ground: &'a Ground,
    stones: u32,
    /// The pits that each side of all stones may sow.
    alone: &'a [PitSet],
    level: i8,
    known: &'a (dyn Fn(u64) + Sync),
}

/// What a marked successor does to a position, given its best capture and open sowings, at a
/// level; gives whether its value is known now.
trait Pull: Fn(&mut i8, &mut i8, i8) -> bool + Sync {}
impl<F: Fn(&mut i8, &mut i8, i8) -> bool + Sync> Pull for F {}

impl Step<'_> {
    /// Marks what captures decide at this level: where to, by the best of them.
    fn seed<'m>(
        &self,
        row: Row<'_>,
        decided: impl Fn(i8, i8) -> bool,
        marks: impl Fn(i8) -> &'m Marks,
    ) {
        let Row { mover_stones, place, best, open, .. } = row;
        let others = self.stones - mover_stones;
        let first = self.ground.slots.first(others);
        let mut found = 0;
        let parts = best.chunks(WORD).zip(open.chunks_mut(WORD));
        for (part, (best, open)) in parts.enumerate() {
            for at in members(flagged(best, open, &decided)) {
                marks(best[at]).set(first + (part * WORD + at) as u32, others, place);
                open[at] = CLOSED;
                found += 1;
            }
        }
        if found > 0 {
            (self.known)(found);
        }
    }

    /// Goes from all members of `from` to the positions that can be sown into them, and adds to
    /// `to` those that became known. Gives whether there was a member.
    fn round(&self, work: &mut Work, from: &Marks, to: &Marks, pull: impl Pull) -> bool {
        if from.rows().iter().all(|word| word.load(Relaxed) == 0) {
            return false;
        }
        let rows = sources(self.ground, self.stones, from.rows());
        work.parts(self.ground, Some(&rows), |part| self.part(part, from, to, &pull));
        true
    }

    /// The rows of a part. What is read of them lies far apart, so it is asked for from memory
    /// some time before.
    fn part(&self, mut part: Part<'_>, from: &Marks, to: &Marks, pull: &impl Pull) {
        let mut found = 0;
        let mut edges = ArrayVec::<Edge, AHEAD>::new();
        for row in members(part.wanted) {
            let mover = part.mover + row as u32;
            self.edges(part.mover_stones, mover, part.place + row, from, |before| {
                let at = row * part.width + before as usize;
                raw::prefetch(bytemuck::cast_slice(part.open), at);
                raw::prefetch(bytemuck::cast_slice(part.best), at);
                edges.push(Edge { row: row as u32, before });
                if edges.is_full() {
                    found += self.pull(&mut part, &edges, to, pull);
                    edges.clear();
                }
            });
        }
        found += self.pull(&mut part, &edges, to, pull);
        if found > 0 {
            (self.known)(found);
        }
    }

    /// Visits the sides of opponents from which a sowing of a side leads into a marked position.
    #[inline]
    fn edges(
        &self,
        mover_stones: u32,
        mover: u32,
        place: usize,
        from: &Marks,
        mut visit: impl FnMut(u32),
    ) {
        let legal = (mover_stones == self.stones).then(|| self.alone[place]);
        let pits = self.ground.sides().side(mover).occupied();
        for (sowing, pit) in self.ground.sowings.of(mover).zip(pits) {
            if legal.is_some_and(|legal| !legal.contains(pit)) {
                continue;
            }
            let left = u32::from(sowing.own_stones);
            let marked = from.row(self.ground.slots.of(sowing.own, left), left);
            let effect = &self.ground.effects[sowing.effect()];
            let unsown = &effect.backward[(self.stones - left) as usize];
            let words = summarised(marked.summary & unsown.summary, marked.words.len());
            for word in words.flatten() {
                let reached = marked.words[word].load(Relaxed) & unsown.reached[word];
                members(reached).for_each(|member| visit(unsown.before[word * WORD + member]));
            }
        }
    }

    /// Goes back along edges, and gives how many positions became known.
    fn pull(&self, part: &mut Part<'_>, edges: &[Edge], to: &Marks, pull: &impl Pull) -> u64 {
        let others = self.stones - part.mover_stones;
        let first = self.ground.slots.first(others);
        let mut found = 0;
        for &Edge { row, before } in edges {
            let at = row as usize * part.width + before as usize;
            if pull(&mut part.best[at], &mut part.open[at], self.level) {
                to.set(first + before, others, part.place + row as usize);
                found += 1;
            }
        }
        found
    }
}

/// Edges kept while their positions come from memory.
const AHEAD: usize = 64;

/// A sowing into a marked position: from which row of a part, and which position of it.
#[derive(Clone, Copy, Debug)]
struct Edge {
    row: u32,
    before: u32,
}

/// What a position makes of a successor that the opponent wins by `level`: one open sowing less.
/// Gives whether its value is known now.
#[inline]
fn from_won(best: &mut i8, open: &mut i8, level: i8) -> bool {
    if *open == CLOSED {
        return false;
    }
    *open -= 1;
    let known = *open == 0 && *best <= -level;
    if known {
        (*best, *open) = (-level, CLOSED);
    }
    known
}

/// The same of a successor that the opponent loses by `level`.
#[inline]
fn from_lost(best: &mut i8, open: &mut i8, level: i8) -> bool {
    let known = *open != CLOSED;
    if known {
        (*best, *open) = (level, CLOSED);
    }
    known
}

/// The positions of a part of a row that are decided, one bit each.
#[inline]
fn flagged(best: &[i8], open: &[i8], decided: &impl Fn(i8, i8) -> bool) -> u64 {
    let mut flags = [0u8; WORD];
    for (flag, (&best, &open)) in flags.iter_mut().zip(best.iter().zip(open)) {
        *flag = u8::from(decided(best, open));
    }
    let bytes = flags.chunks_exact(8).enumerate();
    bytes.fold(0, |word, (byte, flags)| {
        let flags = u64::from_le_bytes(flags.try_into().expect("eight bytes"));
        // Brings the lowest bit of each of eight bytes together in the highest byte.
        word | (flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * byte)
    })
}
