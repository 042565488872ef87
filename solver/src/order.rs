//! In which order sowings are tried.

use games::Sown;

/// What an extra sowing counts, in stones.
const AGAIN: i32 = 2;

/// The greater, the sooner a sowing is tried: the one that did it before, then by the stones it
/// wins, an extra sowing counted as two, then the nearest to the store.
///
/// Measured on one thread, in nodes of the value of kalah:6x4,capture=empty over 18 stones and
/// of mangala:5x4 over 18: this 15.9 M and 1.8 M; captures instead of all stones won 36.3 M and
/// 2.6 M; all extra sowings first 15.3 M and 2.6 M; less what the opponent may win next, four
/// times as many.
#[inline]
pub(crate) fn order(pit: usize, sown: &Sown, remembered: Option<usize>) -> i32 {
    let stones = i32::from(sown.gain) + if sown.again { AGAIN } else { 0 };
    i32::from(remembered == Some(pit)) << 16 | stones << 4 | pit as i32
}
