//! Where the stones of a sowing fall: one table row for each pit and count.

use crate::side::{MAX_PITS, MAX_STONES, Side};

/// Where the last stone of a sowing fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// In one of the sower's pits.
    Own(u8),
    /// In the sower's store.
    Store,
    /// In one of the opponent's pits (counted from the opponent's left).
    Other(u8),
}

/// How a game lays its stones along the board. Sowing is counter-clockwise everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lap {
    /// From the next pit on, through the own store (Kalah).
    ThroughStore,
    /// As [`Lap::ThroughStore`], but of two or more stones the first goes back into the origin
    /// (Mangala).
    FirstBackThroughStore,
    /// As [`Lap::FirstBackThroughStore`], but past the stores (Bestemshe).
    FirstBackPastStores,
    /// From the next pit on, past the stores, skipping the origin on every lap (Oware).
    SkipOrigin,
}

/// What one sowing adds to the board, before captures.
#[derive(Clone, Copy, Debug)]
pub struct Drop {
    own: u64,
    other: u64,
    /// Stones that fall into the sower's store.
    pub store: u8,
    /// Stones that fall into the opponent's pits: the first this many pits that the track
    /// reaches there, lap after lap.
    pub spill: u8,
    /// Where the last stone falls.
    pub last: Last,
}

impl Drop {
    /// The sower's side after lifting the origin and laying the stones.
    #[inline]
    #[must_use]
    pub const fn own(&self, side: Side) -> Side {
        side.shifted(self.own)
    }

    /// The opponent's side after the stones that reach it.
    #[inline]
    #[must_use]
    pub const fn other(&self, side: Side) -> Side {
        side.shifted(self.other)
    }
}

/// All sowings of a board size: [`Drop`] for each pit and each number of stones in it.
#[derive(Clone, Debug)]
pub struct Track {
    pits: usize,
    drops: Box<[Drop]>,
}

const COUNTS: usize = MAX_STONES as usize + 1;

impl Track {
    /// Lays out the sowings of a board with `pits` pits a side.
    #[must_use]
    pub fn new(pits: usize, lap: Lap) -> Track {
        debug_assert!((1..=MAX_PITS).contains(&pits));
        let drops = (0..pits)
            .flat_map(|pit| (0..COUNTS).map(move |count| lay(pits, lap, pit, count)))
            .collect();
        Track { pits, drops }
    }

    /// Pits a side.
    #[inline]
    #[must_use]
    pub const fn pits(&self) -> usize {
        self.pits
    }

    /// What sowing `count` stones from `pit` (0 is the sower's leftmost) adds.
    #[inline]
    #[must_use]
    pub fn drop(&self, pit: usize, count: u32) -> &Drop {
        &self.drops[pit * COUNTS + count as usize]
    }
}

/// Lays `count` stones one by one, as the game's text says; the twin of the table is
/// [`crate::plain`], which does the same on whole boards.
fn lay(pits: usize, lap: Lap, origin: usize, count: usize) -> Drop {
    let lane = |pit: usize| Side::EMPTY.plus(pit, 1).bits();
    let mut drop = Drop {
        own: 0u64.wrapping_sub(Side::EMPTY.plus(origin, count as u32).bits()),
        other: 0,
        store: 0,
        spill: 0,
        last: Last::Own(origin as u8),
    };
    // Places along the track: own pits, the own store, the opponent's pits.
    let places = 2 * pits + 1;
    let mut place = origin;
    let mut left = count;
    let first_back = matches!(lap, Lap::FirstBackThroughStore | Lap::FirstBackPastStores);
    let past_stores = matches!(lap, Lap::FirstBackPastStores | Lap::SkipOrigin);
    if first_back && count >= 2 {
        drop.own = drop.own.wrapping_add(lane(origin));
        left -= 1;
    }
    while left > 0 {
        place = (place + 1) % places;
        if past_stores && place == pits || lap == Lap::SkipOrigin && place == origin {
            continue;
        }
        left -= 1;
        drop.last = if place < pits {
            drop.own = drop.own.wrapping_add(lane(place));
            Last::Own(place as u8)
        } else if place == pits {
            drop.store += 1;
            Last::Store
        } else {
            let pit = place - pits - 1;
            drop.other = drop.other.wrapping_add(lane(pit));
            drop.spill += 1;
            Last::Other(pit as u8)
        };
    }
    drop
}
