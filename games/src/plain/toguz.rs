//! Toguz kumalak and Bestemshe, stone by stone.

use crate::position::Setup;

use super::Sowing;

/// Sows a pit that holds stones; `tuzdyks` tells toguz kumalak from Bestemshe.
pub(super) fn sow(tuzdyks: bool, setup: &Setup, pit: usize) -> Sowing {
    let me = setup.to_move as usize;
    let you = 1 - me;
    let pits = setup.pits[me].len();
    let mut next = setup.clone();
    let hand = std::mem::take(&mut next.pits[me][pit]);
    // Two or more stones: the first goes back. A single one goes to the next pit.
    let (mut row, mut at) = (me, pit);
    if hand == 1 {
        (row, at) = following(pits, row, at);
    }
    let mut last = (row, at);
    for _ in 0..hand {
        next.pits[row][at] += 1;
        last = (row, at);
        (row, at) = following(pits, row, at);
    }
    let captured = if last.0 == you { end(tuzdyks, &mut next, last.1) } else { 0 };
    next.stores[me] += captured;
    for (row, owner) in [(me, you), (you, me)] {
        if let Some(tuzdyk) = next.tuzdyks[row] {
            next.stores[owner] += std::mem::take(&mut next.pits[row][tuzdyk]);
        }
    }
    next.to_move = setup.to_move.opponent();
    let [gain, given] = [me, you].map(|player| next.stores[player] - setup.stores[player]);
    Sowing { setup: next, gain, given, captured, again: false }
}

/// The pit after a pit: those of the other row follow those of this one.
fn following(pits: usize, row: usize, at: usize) -> (usize, usize) {
    if at + 1 < pits { (row, at + 1) } else { (1 - row, 0) }
}

/// What the last stone does in a pit of the opponent: gives the stones it captures, or makes the
/// pit a tuzdyk.
fn end(tuzdyks: bool, next: &mut Setup, last: usize) -> u32 {
    let me = next.to_move as usize;
    let you = 1 - me;
    let mine = next.tuzdyks[you];
    if mine == Some(last) {
        return 0;
    }
    let stones = next.pits[you][last];
    if stones.is_multiple_of(2) {
        next.pits[you][last] = 0;
        return stones;
    }
    let has_one = mine.is_some();
    let is_last = last + 1 == next.pits[you].len();
    let same_number = next.tuzdyks[me] == Some(last);
    if tuzdyks && stones == 3 && !has_one && !is_last && !same_number {
        next.tuzdyks[you] = Some(last);
    }
    0
}
