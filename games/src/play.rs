//! A game being played: what stops it, and what may be sown.

use std::collections::HashMap;

use thiserror::Error;

use crate::game::{Game, Sown};
use crate::notation::Line;
use crate::position::{Player, Position};
use crate::registry::Rules;
use crate::ruleset::Ruleset;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// The rules finish the board.
    Board,
    /// A store holds more than half of all stones (`stop=majority`).
    Majority,
    /// A position occurred for the third time (`repetition=own-side`).
    Repetition,
}

/// Why a sowing cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The board has no such pit.
    #[error("there is no pit {pit}: pits are 1 to {pits}")]
    NoPit {
        /// The pit's number.
        pit: usize,
        /// Pits a side.
        pits: usize,
    },
    /// The pit is empty.
    #[error("pit {pit} of {} is empty", .player.name())]
    Empty {
        /// Whose pit.
        player: Player,
        /// The pit's number.
        pit: usize,
    },
    /// The rules forbid the sowing.
    #[error("the rules forbid {} to sow pit {pit} here", .player.name())]
    Illegal {
        /// Who wanted to sow.
        player: Player,
        /// The pit's number.
        pit: usize,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A turn ends though its player has to sow again.
    #[error("the last stone fell into the store, so {} sows again in the same turn", .0.name())]
    TurnGoesOn(Player),
    /// A turn goes on though it has passed to the opponent.
    #[error("the turn is over after this sowing, so {} cannot sow again", .0.name())]
    TurnIsOver(Player),
    /// A turn of a line cannot be played.
    #[error("turn {number} `{turn}`, sowing {sowing}: {error}")]
    Turn {
        /// The turn's number in the line, from 1.
        number: usize,
        /// The turn.
        turn: String,
        /// The sowing's number in the turn, from 1.
        sowing: usize,
        /// What is wrong with it.
        error: Box<PlayError>,
    },
}

/// A game in progress, stopped by every rule of its ruleset.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    rules: &'a Rules,
    pits: usize,
    stops_at_majority: bool,
    /// How often each position occurred, where a third occurrence matters.
    seen: Option<HashMap<Position, u32>>,
    position: Position,
    finish: Option<Finish>,
}

impl<'a> Play<'a> {
    /// Starts from a position. `rules` are those of the ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset, rules: &'a Rules, position: Position) -> Play<'a> {
        let mut play = Play {
            rules,
            pits: ruleset.pits(),
            stops_at_majority: ruleset.stops_at_majority(),
            seen: (ruleset.choice("repetition") == Some("own-side")).then(HashMap::new),
            position,
            finish: None,
        };
        play.enter(position);
        play
    }

    /// The position reached.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Why the game is over, if it is.
    #[must_use]
    pub fn finish(&self) -> Option<Finish> {
        self.finish
    }

    /// The stores of South and of North once the game is over.
    #[must_use]
    pub fn final_stores(&self) -> Option<[u32; 2]> {
        let board = self.position.board();
        Some(match self.finish? {
            Finish::Board => {
                let rest = self.rules.remainder(board)?;
                self.position.stores_after(rest.mover, rest.other)
            }
            Finish::Majority => self.position.stores(),
            Finish::Repetition => {
                self.position.stores_after(board.mover.stones(), board.other.stones())
            }
        })
    }

    /// Sows a pit (0 is the mover's leftmost).
    ///
    /// # Errors
    /// The game is over, or the sowing is not legal; nothing changes then.
    pub fn sow(&mut self, pit: usize) -> Result<Sown, PlayError> {
        let (board, player) = (self.position.board(), self.position.to_move());
        let number = pit + 1;
        if pit >= self.pits {
            return Err(PlayError::NoPit { pit: number, pits: self.pits });
        }
        if self.finish.is_some() {
            return Err(PlayError::Over);
        }
        if board.mover.get(pit) == 0 {
            return Err(PlayError::Empty { player, pit: number });
        }
        if !self.rules.legal(board).contains(pit) {
            return Err(PlayError::Illegal { player, pit: number });
        }
        let (position, sown) = self.position.sow(self.rules, pit);
        self.enter(position);
        Ok(sown)
    }

    /// Plays a line; its last turn may stop in the middle.
    ///
    /// # Errors
    /// The turn and the sowing that cannot be played.
    pub fn line(&mut self, line: &Line) -> Result<(), PlayError> {
        for (index, turn) in line.turns().iter().enumerate() {
            let is_last = index + 1 == line.turns().len();
            let at = |sowing: usize, error| PlayError::Turn {
                number: index + 1,
                turn: turn.to_string(),
                sowing: sowing + 1,
                error: Box::new(error),
            };
            let sowings = turn.pits();
            for (sowing, &pit) in sowings.iter().enumerate() {
                let player = self.position.to_move();
                let sown = self.sow(pit).map_err(|error| at(sowing, error))?;
                let ends_turn = sowing + 1 == sowings.len();
                let goes_on = sown.again && self.finish.is_none();
                if !ends_turn && !sown.again {
                    return Err(at(sowing, PlayError::TurnIsOver(player)));
                }
                if ends_turn && goes_on && !is_last {
                    return Err(at(sowing, PlayError::TurnGoesOn(player)));
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, position: Position) {
        self.position = position;
        let occurrences = self.seen.as_mut().map_or(0, |seen| {
            let occurrences = seen.entry(position).or_default();
            *occurrences += 1;
            *occurrences
        });
        self.finish = if self.rules.remainder(position.board()).is_some() {
            Some(Finish::Board)
        } else if self.stops_at_majority && position.has_majority() {
            Some(Finish::Majority)
        } else if occurrences >= 3 {
            Some(Finish::Repetition)
        } else {
            None
        };
    }
}
