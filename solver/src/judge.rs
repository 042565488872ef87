//! From the values of boards to the judgement of a position.

use std::collections::HashMap;

use games::notation::{Line, Turn};
use games::{Board, Playable, Position, Rows, Rules, Sown};

use crate::circles::Progress;

/// Whatever knows the exact values of boards: a search, or tables.
pub trait Oracle<B: Rows = Board> {
    /// Why a value could not be found.
    type Error;

    /// The exact value of a board for its mover: the stones he will still win minus those the
    /// opponent will still win under best play. Finished boards have their end value.
    ///
    /// # Errors
    /// Whatever keeps the value from being found.
    fn value(&mut self, board: B) -> Result<i32, Self::Error>;

    /// The values of several boards, which may be found together.
    ///
    /// # Errors
    /// As [`Oracle::value`].
    fn values(&mut self, boards: &[B]) -> Result<Vec<i32>, Self::Error> {
        boards.iter().map(|&board| self.value(board)).collect()
    }

    /// Whether the value of a board is at least `threshold`, which may be cheaper to find.
    ///
    /// # Errors
    /// As [`Oracle::value`].
    fn at_least(&mut self, board: B, threshold: i32) -> Result<bool, Self::Error> {
        Ok(self.value(board)? >= threshold)
    }

    /// Whether the values of all positions of a board's layer are at hand, so that a win can be
    /// followed through them however many they are.
    fn overlooks_layer(&self, _board: B) -> bool {
        true
    }
}

/// A sowing that the rules allow, and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The pit sown (0 is the mover's leftmost).
    pub pit: usize,
    /// The value of the sowing for the sower.
    pub value: i32,
    /// Stones captured.
    pub captured: u8,
    /// Whether the sower really sows again: the last stone fell into the store and the game
    /// is not over.
    pub again: bool,
}

/// What is exactly known of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The value of the position for the player to move.
    pub value: i32,
    /// All sowings the rules allow, by pit; none if the game is over.
    pub moves: Vec<Move>,
    /// Best play of both players to the end. Of equally good sowings the lowest pit is played.
    pub line: Line,
    /// The stores of South and North at the end of [`Judgement::line`]. `None` if best play has no
    /// end: then the line stops where it comes round to an earlier board, what is left there is
    /// split, and the value is by how much the stores differ. `None` as well if the line is
    /// [cut](Judgement::cut).
    pub stores: Option<[u32; 2]>,
    /// Whether the line stops before its end, at a position that is won: its lowest best pits only
    /// go round, and the oracle does not [overlook](Oracle::overlooks_layer) the layer to tell
    /// which ones make progress.
    pub cut: bool,
}

impl Judgement {
    /// A best turn of the player to move: the lexicographically first of the best turns, as
    /// [`Judgement::line`] plays it. `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<&Turn> {
        self.line.turns().first()
    }
}

/// Judges a position. Values and line are those of full play: options that only stop play
/// (`stop=majority`) have no part in them.
///
/// # Errors
/// Those of the oracle.
pub fn judge<R: Playable, O: Oracle<R::Board>>(
    rules: &R,
    oracle: &mut O,
    position: &Position<R::Board>,
) -> Result<Judgement, O::Error> {
    let moves = moves(rules, oracle, position.board())?;
    let value = match moves.iter().map(|sowing| sowing.value).max() {
        Some(value) => value,
        None => oracle.value(position.board())?,
    };
    let BestLine { line, stores, cut } = best_line(rules, oracle, position, value)?;
    Ok(Judgement { value, moves, line, stores, cut })
}

/// Every sowing of a board with its value, by pit.
fn moves<R: Playable, O: Oracle<R::Board>>(
    rules: &R,
    oracle: &mut O,
    board: R::Board,
) -> Result<Vec<Move>, O::Error> {
    if rules.remainder(board).is_some() {
        return Ok(Vec::new());
    }
    let sowings: Vec<(usize, Sown<R::Board>)> =
        rules.legal(board).map(|pit| (pit, rules.sow(board, pit))).collect();
    let boards: Vec<R::Board> = sowings.iter().map(|(_, sown)| sown.board).collect();
    let values = oracle.values(&boards)?;
    let judged = sowings.iter().zip(values).map(|(&(pit, sown), value)| Move {
        pit,
        value: sown.value(value),
        captured: sown.captured,
        again: sows_again(rules, &sown),
    });
    Ok(judged.collect())
}

/// Every whole turn of a position with its value for the player to move; none if the game is
/// over.
///
/// # Errors
/// Those of the oracle.
pub fn turns<O: Oracle>(
    rules: &Rules,
    oracle: &mut O,
    board: Board,
) -> Result<Vec<(Turn, i32)>, O::Error> {
    let (mut turns, mut boards) = (Vec::new(), Vec::new());
    for_each_turn(rules, board, &mut |turn, won, last| {
        turns.push((turn.clone(), won, *last));
        boards.push(last.board);
        Ok(())
    })?;
    let values = oracle.values(&boards)?.into_iter();
    let turns = turns.into_iter().zip(values);
    Ok(turns.map(|((turn, won, last), value)| (turn, won + last.value(value))).collect())
}

/// Calls `visit` for every whole turn of a board, by pits: with the turn, the stones won by its
/// sowings before the last, and the last one. After that the opponent is to move, unless it
/// ended the game in the sower's store.
///
/// # Errors
/// Those of `visit`.
pub fn for_each_turn<E>(
    rules: &Rules,
    board: Board,
    visit: &mut impl FnMut(&Turn, i32, &Sown) -> Result<(), E>,
) -> Result<(), E> {
    visit_turns(rules, board, &Turn::default(), 0, visit)
}

fn visit_turns<E>(
    rules: &Rules,
    board: Board,
    so_far: &Turn,
    won: i32,
    visit: &mut impl FnMut(&Turn, i32, &Sown) -> Result<(), E>,
) -> Result<(), E> {
    if rules.remainder(board).is_some() {
        return Ok(());
    }
    for pit in rules.legal(board) {
        let sown = rules.sow(board, pit);
        let mut turn = so_far.clone();
        turn.push(pit);
        if sows_again(rules, &sown) {
            visit_turns(rules, sown.board, &turn, won + i32::from(sown.gain), visit)?;
        } else {
            visit(&turn, won, &sown)?;
        }
    }
    Ok(())
}

/// Whether the sower has to sow again: not if the board is finished.
fn sows_again<R: Playable>(rules: &R, sown: &Sown<R::Board>) -> bool {
    sown.again && rules.remainder(sown.board).is_none()
}

/// The last three fields of a [`Judgement`].
struct BestLine {
    line: Line,
    stores: Option<[u32; 2]>,
    cut: bool,
}

/// Plays best turns to the end; gives the line and the stores after it. Where this comes round to
/// the same board, a win is played on by sowings that make progress, and a draw has no end.
fn best_line<R: Playable, O: Oracle<R::Board>>(
    rules: &R,
    oracle: &mut O,
    start: &Position<R::Board>,
    value: i32,
) -> Result<BestLine, O::Error> {
    let mut turns = Vec::new();
    let (mut position, mut value) = (*start, value);
    let mut progress = None;
    // Boards of the layer, and the turns before them.
    let mut seen = HashMap::new();
    loop {
        let board = position.board();
        if let Some(before) = seen.insert(board, turns.len()) {
            let cut = value != 0 && !oracle.overlooks_layer(board);
            if value == 0 || cut {
                return Ok(BestLine { line: Line::new(turns), stores: None, cut });
            }
            turns.truncate(before);
            let mut claim = |board, _| oracle.value(board);
            progress = Some(Progress::search(rules, &mut claim, board, value > 0)?);
            seen.retain(|_, &mut turns| turns <= before);
        }
        let way = progress.as_ref().filter(|_| value > 0);
        let Some(best) = best_turn(rules, oracle, &position, value, way)? else {
            break;
        };
        turns.push(best.turn);
        (position, value) = (best.position, best.value);
        if position.board().stones() < board.stones() {
            seen.clear();
            progress = None;
        }
    }
    let stores = rules
        .remainder(position.board())
        .map_or(position.stores(), |rest| position.stores_after(rest.mover, rest.other));
    Ok(BestLine { line: Line::new(turns), stores: Some(stores), cut: false })
}

/// A best turn and where it leads.
pub(crate) struct BestTurn<B> {
    pub(crate) turn: Turn,
    position: Position<B>,
    /// The value of the position for its player to move.
    value: i32,
}

/// Plays sowings that keep `value`, the value of the position, until the turn ends: of several
/// the one of the lowest pit, and only such as make progress if that is asked for. `None` if the
/// game is over.
pub(crate) fn best_turn<R: Playable, O: Oracle<R::Board>>(
    rules: &R,
    oracle: &mut O,
    start: &Position<R::Board>,
    value: i32,
    way: Option<&Progress<R::Board>>,
) -> Result<Option<BestTurn<R::Board>>, O::Error> {
    let mut best = BestTurn { turn: Turn::default(), position: *start, value };
    while let Some(pit) = keeping(rules, oracle, best.position.board(), best.value, way)? {
        let (position, sown) = best.position.sow(rules, pit);
        let rest = best.value - sown.won();
        best.turn.push(pit);
        best.value = if sown.again { rest } else { -rest };
        best.position = position;
        if !sows_again(rules, &sown) {
            return Ok(Some(best));
        }
    }
    Ok(None)
}

/// The lowest pit whose sowing is worth `value`, the value of the board, and makes progress if
/// that is asked for; `None` on a finished board.
fn keeping<R: Playable, O: Oracle<R::Board>>(
    rules: &R,
    oracle: &mut O,
    board: R::Board,
    value: i32,
    progress: Option<&Progress<R::Board>>,
) -> Result<Option<usize>, O::Error> {
    if rules.remainder(board).is_some() {
        return Ok(None);
    }
    for pit in rules.legal(board) {
        let sown = rules.sow(board, pit);
        if progress.is_some_and(|progress| !progress.advances(board, &sown)) {
            continue;
        }
        let rest = value - sown.won();
        let keeps = if sown.again {
            oracle.at_least(sown.board, rest)?
        } else {
            !oracle.at_least(sown.board, 1 - rest)?
        };
        if keeps {
            return Ok(Some(pit));
        }
    }
    Ok(None)
}
