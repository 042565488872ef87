//! The plain twin: all rules once more, stone by stone on unpacked pits.
//!
//! It is written from the text of the rules, not from the packed code, and shares nothing with it
//! but the names of the options. Tests compare the two; nothing else should need it, as it is
//! slow.

mod toguz;

use crate::game::Remainder;
use crate::playable::Playable;
use crate::position::Setup;
use crate::ruleset::Ruleset;

/// What a sowing leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sowing {
    /// The position afterwards.
    pub setup: Setup,
    /// Stones that reached the sower's store: sown into it, captured, fallen into his tuzdyk.
    pub gain: u32,
    /// Stones that reached the opponent's store.
    pub given: u32,
    /// Stones captured.
    pub captured: u32,
    /// Whether the sower sows again.
    pub again: bool,
}

/// A place on the way of a stone, as the sower sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Own(usize),
    Store,
    Other(usize),
}

/// Sows a pit (0 is the mover's leftmost) that holds stones; [`legal`] says whether it may be
/// sown.
///
/// # Panics
/// If the position does not have the ruleset's pits.
#[must_use]
pub fn sow<R: Playable>(ruleset: &Ruleset<R>, setup: &Setup, pit: usize) -> Sowing {
    let game = ruleset.spec().name;
    if is_toguz(ruleset) {
        return toguz::sow(game == "toguz", setup, pit);
    }
    let me = setup.to_move as usize;
    let you = 1 - me;
    let mut next = setup.clone();
    let mut hand = std::mem::take(&mut next.pits[me][pit]);
    if game == "mangala" && hand >= 2 {
        next.pits[me][pit] += 1;
        hand -= 1;
    }
    let mut last = Place::Own(pit);
    for place in way(ruleset, pit).into_iter().cycle().take(hand as usize) {
        match place {
            Place::Own(pit) => next.pits[me][pit] += 1,
            Place::Store => next.stores[me] += 1,
            Place::Other(pit) => next.pits[you][pit] += 1,
        }
        last = place;
    }
    let captured = match game {
        "kalah" => capture_kalah(ruleset, &mut next, last),
        "mangala" => capture_mangala(ruleset, &mut next, last),
        _ => capture_oware(ruleset, &mut next, last),
    };
    next.stores[me] += captured;
    let again = last == Place::Store;
    if !again {
        next.to_move = setup.to_move.opponent();
    }
    Sowing { gain: next.stores[me] - setup.stores[me], given: 0, setup: next, captured, again }
}

/// One lap from the pit on: its places in the order in which stones reach them.
fn way<R: Playable>(ruleset: &Ruleset<R>, pit: usize) -> Vec<Place> {
    let pits = ruleset.pits();
    let own = (0..pits).map(Place::Own);
    let other = (0..pits).map(Place::Other);
    let mut way: Vec<Place> = own.chain([Place::Store]).chain(other).collect();
    way.rotate_left(pit + 1);
    if is_oware(ruleset) {
        way.retain(|&place| place != Place::Store && place != Place::Own(pit));
    }
    way
}

fn capture_kalah<R: Playable>(ruleset: &Ruleset<R>, next: &mut Setup, last: Place) -> u32 {
    match last {
        Place::Own(pit) => capture_opposite(next, pit, ruleset.choice("capture") == Some("empty")),
        _ => 0,
    }
}

fn capture_mangala<R: Playable>(ruleset: &Ruleset<R>, next: &mut Setup, last: Place) -> u32 {
    let you = 1 - next.to_move as usize;
    match last {
        Place::Own(pit) => capture_opposite(next, pit, ruleset.choice("lone") == Some("take")),
        Place::Other(pit) if next.pits[you][pit].is_multiple_of(2) => {
            std::mem::take(&mut next.pits[you][pit])
        }
        _ => 0,
    }
}

/// If the last stone lies alone in the sower's pit, takes it and the opposite stones; without
/// opposite stones only if `lone`.
fn capture_opposite(next: &mut Setup, pit: usize, lone: bool) -> u32 {
    let me = next.to_move as usize;
    let opposite = next.pits[me].len() - 1 - pit;
    if next.pits[me][pit] != 1 || (next.pits[1 - me][opposite] == 0 && !lone) {
        return 0;
    }
    next.pits[me][pit] = 0;
    1 + std::mem::take(&mut next.pits[1 - me][opposite])
}

fn capture_oware<R: Playable>(ruleset: &Ruleset<R>, next: &mut Setup, last: Place) -> u32 {
    let Place::Other(last) = last else {
        return 0;
    };
    let row = &mut next.pits[1 - next.to_move as usize];
    let before = row.clone();
    let mut captured = 0;
    for pit in (0..=last).rev() {
        if row[pit] != 2 && row[pit] != 3 {
            break;
        }
        captured += row[pit];
        row[pit] = 0;
    }
    if is_empty(row) && ruleset.choice("slam") == Some("nothing") {
        *row = before;
        return 0;
    }
    captured
}

/// The pits (0 is the mover's leftmost) that may be sown, if the board is not finished.
///
/// # Panics
/// If the position does not have the ruleset's pits.
#[must_use]
pub fn legal<R: Playable>(ruleset: &Ruleset<R>, setup: &Setup) -> Vec<usize> {
    let me = setup.to_move as usize;
    let mut pits: Vec<usize> = (0..ruleset.pits()).filter(|&pit| setup.pits[me][pit] > 0).collect();
    if !is_oware(ruleset) {
        return pits;
    }
    if is_empty(&setup.pits[1 - me]) && ruleset.choice("feed") == Some("must") {
        let feeding = feeding(ruleset, setup);
        if !feeding.is_empty() || ruleset.choice("end") == Some("unfed") {
            return feeding;
        }
    }
    match ruleset.choice("slam") {
        Some("illegal") => pits.retain(|&pit| {
            let takes_all = sow(ruleset, setup, pit).captured > 0 && starves(ruleset, setup, pit);
            !takes_all
        }),
        Some("illegal-unless-only") if !pits.iter().all(|&pit| starves(ruleset, setup, pit)) => {
            pits.retain(|&pit| !starves(ruleset, setup, pit));
        }
        _ => {}
    }
    pits
}

/// Who gets the stones left, if the board is finished.
///
/// # Panics
/// If the position does not have the ruleset's pits.
#[must_use]
pub fn remainder<R: Playable>(ruleset: &Ruleset<R>, setup: &Setup) -> Option<Remainder> {
    let me = setup.to_move as usize;
    let [mine, yours] = [&setup.pits[me], &setup.pits[1 - me]];
    if is_toguz(ruleset) {
        let rest = Remainder { mover: 0, other: yours.iter().sum() };
        return is_empty(mine).then_some(rest);
    }
    let finished = if is_oware(ruleset) {
        let unfed = ruleset.choice("end") == Some("unfed")
            && is_empty(yours)
            && feeding(ruleset, setup).is_empty();
        unfed || legal(ruleset, setup).is_empty()
    } else {
        is_empty(mine) || (ruleset.choice("end") == Some("either") && is_empty(yours))
    };
    let (mine, yours) = (mine.iter().sum(), yours.iter().sum());
    finished.then(|| match ruleset.choice("remainder") {
        Some("none") => Remainder { mover: 0, other: 0 },
        Some("emptied") if mine == 0 => Remainder { mover: yours, other: 0 },
        Some("emptied") => Remainder { mover: 0, other: mine },
        _ => Remainder { mover: mine, other: yours },
    })
}

/// The oware sowings that give an opponent without stones some. Where capturing them all again
/// is illegal, only those count that leave him some.
fn feeding<R: Playable>(ruleset: &Ruleset<R>, setup: &Setup) -> Vec<usize> {
    let me = setup.to_move as usize;
    let slam = ruleset.choice("slam");
    let slam_is_illegal = slam == Some("illegal") || slam == Some("illegal-unless-only");
    let feeds = |&pit: &usize| {
        let gives = sow(ruleset, setup, pit).captured > 0;
        !starves(ruleset, setup, pit) || (gives && !slam_is_illegal)
    };
    (0..ruleset.pits()).filter(|&pit| setup.pits[me][pit] > 0).filter(feeds).collect()
}

/// Whether the sowing leaves the opponent no stone.
fn starves<R: Playable>(ruleset: &Ruleset<R>, setup: &Setup, pit: usize) -> bool {
    is_empty(&sow(ruleset, setup, pit).setup.pits[1 - setup.to_move as usize])
}

fn is_oware<R: Playable>(ruleset: &Ruleset<R>) -> bool {
    matches!(ruleset.spec().name, "oware" | "awari")
}

fn is_toguz<R: Playable>(ruleset: &Ruleset<R>) -> bool {
    matches!(ruleset.spec().name, "toguz" | "bestemshe")
}

fn is_empty(row: &[u32]) -> bool {
    row.iter().all(|&stones| stones == 0)
}
