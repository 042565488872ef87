//! The turns of a game judged: what each was worth, and what it gave away.

use std::fmt;

use games::notation::{Line, Turn};
use games::{Play, PlayError, Player, Position, Rules, Ruleset};

use crate::judge::{Oracle, best_turn};

/// A line with the positions it passes.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    rules: Rules,
    line: Line,
    /// One more than the line has turns: that before each, and the last.
    positions: Vec<Position>,
}

/// A turn of a line and what is exactly known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedTurn {
    /// Who played it.
    pub player: Player,
    /// The turn as it was played.
    pub turn: Turn,
    /// The position after it.
    pub position: Position,
    /// The value of the turn for its player, from the position before it.
    pub value: i32,
    /// The lexicographically first of the best turns.
    pub best: Turn,
    /// The value of the best turns.
    pub best_value: i32,
    /// What follows from the values.
    pub verdict: Verdict,
}

/// How a game ends for a player under best play, the stores counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The opponent gets more stones.
    Loss,
    /// Both get the same.
    Draw,
    /// The player gets more stones.
    Win,
}

/// What a turn did to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No turn is better.
    Best,
    /// Another turn is worth so many stones more, but the outcome is the same.
    Loses(i32),
    /// The outcome is no longer what it was.
    Turns {
        /// The outcome of the best turn.
        from: Outcome,
        /// The outcome of this one.
        to: Outcome,
    },
}

impl PlayedLine {
    /// Plays a line from a position; its last turn may stop in the middle.
    ///
    /// # Errors
    /// The turn and the sowing that cannot be played.
    pub fn new(ruleset: &Ruleset, start: Position, line: &Line) -> Result<PlayedLine, PlayError> {
        let rules = ruleset.rules();
        Play::new(ruleset, &rules, start).line(line)?;
        let mut positions = vec![start];
        for turn in line.turns() {
            let sow = |position: Position, &pit: &usize| position.sow(&rules, pit).0;
            let before = *positions.last().unwrap_or(&start);
            positions.push(turn.pits().iter().fold(before, sow));
        }
        Ok(PlayedLine { rules, line: line.clone(), positions })
    }

    /// The turns with the positions before and after them.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = (&Turn, &Position, &Position)> {
        let steps = self.line.turns().iter().zip(self.positions.windows(2));
        steps.map(|(turn, pair)| (turn, &pair[0], &pair[1]))
    }

    /// Judges every turn. A turn that stops in the middle is worth what its player can still
    /// make of it. As in [`judge`](crate::judge), options that only stop play have no part in
    /// the values.
    ///
    /// # Errors
    /// Those of the oracle.
    pub fn judge<O: Oracle>(&self, oracle: &mut O) -> Result<Vec<JudgedTurn>, O::Error> {
        let mut judged = Vec::new();
        let last = self.positions.last().map(Position::board);
        let mut after_value = last.map_or(Ok(0), |board| oracle.value(board))?;
        // From the end: what is proved of a late position helps with those before it.
        for (turn, before, after) in self.turns().rev() {
            let best_value = oracle.value(before.board())?;
            let best = best_turn(&self.rules, oracle, before, best_value, None)?;
            let best = best.map_or_else(Turn::default, |best| best.turn);
            let value = turn_value(before, after, after_value);
            let verdict = Verdict::new(before, value, best_value);
            let (player, turn, position) = (before.to_move(), turn.clone(), *after);
            judged.push(JudgedTurn { player, turn, position, value, best, best_value, verdict });
            after_value = best_value;
        }
        judged.reverse();
        Ok(judged)
    }
}

impl JudgedTurn {
    /// Stones that the best turn would have been worth more.
    #[must_use]
    pub fn loss(&self) -> i32 {
        self.best_value - self.value
    }
}

/// The value for its player of a turn that leads to a position of value `next`.
pub(crate) fn turn_value(before: &Position, after: &Position, next: i32) -> i32 {
    let player = before.to_move();
    let store = |position: &Position| position.stores()[player as usize];
    let won = (store(after) - store(before)) as i32;
    if after.to_move() == player { won + next } else { won - next }
}

impl Outcome {
    /// The outcome for the player to move of a position that is worth `value` to him.
    #[must_use]
    pub fn new(position: &Position, value: i32) -> Outcome {
        let player = position.to_move();
        let [own, other] =
            [player, player.opponent()].map(|player| position.stores()[player as usize] as i32);
        match (own - other + value).signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        }
    }
}

impl Verdict {
    /// The verdict on a turn of some value where the best turns are worth `best_value`.
    #[must_use]
    pub fn new(before: &Position, value: i32, best_value: i32) -> Verdict {
        let [from, to] = [best_value, value].map(|value| Outcome::new(before, value));
        if value == best_value {
            Verdict::Best
        } else if from == to {
            Verdict::Loses(best_value - value)
        } else {
            Verdict::Turns { from, to }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Best => f.write_str("best"),
            Verdict::Loses(stones) => write!(f, "loses {stones}"),
            Verdict::Turns { from, to } => write!(f, "turns a {from} into a {to}"),
        }
    }
}
