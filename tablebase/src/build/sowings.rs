//! All sowings, worked out side by side instead of position by position.
//!
//! What a sowing does to the sower's side depends on that side alone ([`SideSowing`]); what it
//! does to the opponent's side depends on the sower's only through a few *effects*: how many
//! stones spill over, and what the last one may capture ([`Effect`]).

use std::collections::BTreeMap;

use games::{Capture, Game, Last, Rules};

use crate::index::Sides;

/// Marks the pits of a side that are empty.
const NO_SOWING: u16 = u16::MAX;

/// One sowing of one side, for all opponents at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideSowing {
    /// Rank of the sower's side afterwards.
    pub(crate) own: u32,
    /// Rank of the sower's side afterwards if the capturing stone is taken as well.
    pub(crate) cleared: u32,
    /// Stones of the side `own`.
    pub(crate) own_stones: u8,
    /// Stones sown into the store.
    pub(crate) store: u8,
    effect: u16,
}

impl SideSowing {
    /// The effect on the opponent's side, an index into [`Sowings::effects`].
    pub(crate) fn effect(&self) -> usize {
        usize::from(self.effect)
    }
}

/// What a sowing does to any opponent's side.
#[derive(Debug)]
pub(crate) struct Effect {
    /// Stones that fall on the opponent's side.
    pub(crate) spill: u8,
    pub(crate) kind: EffectKind,
    /// For the rank of an opponent's side before the sowing, its rank afterwards; with
    /// [`CAPTURER`] set where the capturing stone is taken as well. Empty if nothing changes.
    pub(crate) after: Vec<u32>,
    /// For the rank of an opponent's side before the sowing, the stones captured, capturer
    /// included. Empty if nothing is.
    pub(crate) captured: Vec<u8>,
}

/// What the table builder must tell apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EffectKind {
    /// The move passes, nothing is captured.
    Pass,
    /// The same player sows again.
    Again,
    /// The move passes, the opponent's stones may be captured.
    Capture,
    /// The move passes, the opponent's stones and the capturer may be captured.
    CaptureOpposite,
}

/// Flag of [`Effect::after`].
pub(crate) const CAPTURER: u32 = 1 << 31;

/// All sowings of all sides up to a number of stones.
#[derive(Debug)]
pub(crate) struct Sowings {
    pits: usize,
    of_sides: Vec<SideSowing>,
    pub(crate) effects: Vec<Effect>,
}

/// What tells effects apart: stones spilled, what may be captured, whether the sower goes on.
type Key = (u8, Capture, bool);

impl Sowings {
    pub(crate) fn new(rules: &Rules, sides: &Sides) -> Sowings {
        let pits = sides.pits();
        let mut keys = BTreeMap::new();
        let count = sides.up_to(sides.max_stones());
        let mut of_sides = Vec::with_capacity(count as usize * pits);
        for rank in 0..count {
            of_sides.extend((0..pits).map(|pit| side_sowing(rules, sides, rank, pit, &mut keys)));
        }
        let mut effects: Vec<(Key, u16)> = keys.into_iter().collect();
        effects.sort_by_key(|&(_, id)| id);
        let effects = effects.into_iter().map(|(key, _)| effect(rules, sides, key)).collect();
        Sowings { pits, of_sides, effects }
    }

    /// The sowings of a side, by rank.
    #[inline]
    pub(crate) fn of(&self, rank: u32) -> impl Iterator<Item = &SideSowing> {
        let start = rank as usize * self.pits;
        let all = &self.of_sides[start..start + self.pits];
        all.iter().filter(|sowing| sowing.effect != NO_SOWING)
    }

    /// An upper estimate of the bytes that the sowings of all sides occupy.
    pub(crate) fn memory(pits: usize, max_stones: u32) -> u64 {
        let sides = |stones| crate::index::side_count_up_to(pits, stones);
        let own = sides(max_stones) * (pits * size_of::<SideSowing>()) as u64;
        // One effect a number of spilled stones, and one a pit for captures opposite.
        let spills: u64 = (0..max_stones).map(sides).sum();
        own + 5 * (spills + pits as u64 * sides(max_stones))
    }
}

fn side_sowing(
    rules: &Rules,
    sides: &Sides,
    rank: u32,
    pit: usize,
    keys: &mut BTreeMap<Key, u16>,
) -> SideSowing {
    let side = sides.side(rank);
    let count = side.get(pit);
    if count == 0 {
        return SideSowing { own: 0, cleared: 0, own_stones: 0, store: 0, effect: NO_SOWING };
    }
    let drop = rules.track().drop(pit, count);
    let own = drop.own(side);
    let capture = rules.reach(own, drop.last);
    let next = keys.len() as u16;
    let effect = *keys.entry((drop.spill, capture, drop.last == Last::Store)).or_insert(next);
    let cleared = match capture {
        Capture::Opposite(pit) => own.cleared(pit as usize),
        Capture::None | Capture::Other(_) => own,
    };
    SideSowing {
        own: sides.rank(own),
        cleared: sides.rank(cleared),
        own_stones: own.stones() as u8,
        store: drop.store,
        effect,
    }
}

/// Works out an effect for every opponent's side that it can meet.
fn effect(rules: &Rules, sides: &Sides, (spill, capture, again): Key) -> Effect {
    let kind = match capture {
        _ if again => EffectKind::Again,
        Capture::None => EffectKind::Pass,
        Capture::Other(_) => EffectKind::Capture,
        Capture::Opposite(_) => EffectKind::CaptureOpposite,
    };
    let mut effect = Effect { spill, kind, after: Vec::new(), captured: Vec::new() };
    if spill == 0 && capture == Capture::None {
        return effect;
    }
    // The sower held the spilled stones, and one more if it fell into the store on the way.
    let store = rules.track().drop(sides.pits() - 1, 1).store;
    let fewer = u32::from(spill) + u32::from(store).min(u32::from(spill));
    let Some(most) = sides.max_stones().checked_sub(fewer) else {
        return effect;
    };
    for rank in 0..sides.up_to(most) {
        let mut other = sides.side(rank);
        for stone in 0..usize::from(spill) {
            other = other.plus(stone % sides.pits(), 1);
        }
        let taken = rules.take(capture, other);
        let flag = if taken.capturer { CAPTURER } else { 0 };
        effect.after.push(sides.rank(taken.other) | flag);
        effect.captured.push(taken.stones + u8::from(taken.capturer));
    }
    if kind == EffectKind::Pass || kind == EffectKind::Again {
        effect.captured = Vec::new();
    }
    effect
}
