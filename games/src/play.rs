//! A game being played: what stops it, and what may be sown.

use std::collections::HashMap;

use thiserror::Error;

use crate::game::Sown;
use crate::notation::{AnyLine, Line, Square, SquareLine, SquareMove};
use crate::playable::Playable;
use crate::position::{Player, Position};
use crate::registry::Rules;
use crate::rows::Rows;
use crate::ruleset::{Ruleset, Stop};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// The rules finish the board.
    Board,
    /// A store holds so many stones that play stops (`stop=majority`, `stop=82`).
    Majority,
    /// A position occurred for the third time (`repetition=own-side`, `repetition=draw`).
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
    /// The pit is a tuzdyk.
    #[error("pit {pit} of {} is a tuzdyk of {}, which is never sown from", .player.name(), .player.opponent().name())]
    Tuzdyk {
        /// Whose row.
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
    /// The board has no such square.
    #[error("there is no square {0} on this board")]
    NoSquare(Square),
    /// The square is a pit of the opponent.
    #[error("{square} is no pit of {}, who is to move", .player.name())]
    NotOwn {
        /// Who is to move.
        player: Player,
        /// The square.
        square: Square,
    },
    /// The last stone falls elsewhere.
    #[error("the last stone falls {}", .0.map_or("into the store".to_owned(), |to| format!("on {to}")))]
    Lands(Option<Square>),
    /// A move of a line cannot be played.
    #[error("move {number} `{text}`: {error}")]
    Move {
        /// The move's number in the line, from 1.
        number: usize,
        /// The move.
        text: SquareMove,
        /// What is wrong with it.
        error: Box<PlayError>,
    },
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

/// Who gets the stones left when a position occurs for the third time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repeated {
    OwnSide,
    Draw,
}

/// A game in progress, stopped by every rule of its ruleset.
#[derive(Clone, Debug)]
pub struct Play<'a, R: Playable = Rules> {
    rules: &'a R,
    pits: usize,
    stop: Stop,
    /// Whether a third occurrence of a position ends the game, and how.
    repeated: Option<Repeated>,
    /// How often each position occurred, where that matters.
    seen: HashMap<Position<R::Board>, u32>,
    position: Position<R::Board>,
    finish: Option<Finish>,
}

impl<'a, R: Playable> Play<'a, R> {
    /// Starts from a position. `rules` are those of the ruleset.
    #[must_use]
    pub fn new(ruleset: &Ruleset<R>, rules: &'a R, position: Position<R::Board>) -> Play<'a, R> {
        let mut play = Play {
            rules,
            pits: ruleset.pits(),
            stop: ruleset.stop(),
            repeated: match ruleset.choice("repetition") {
                Some("own-side") => Some(Repeated::OwnSide),
                Some("draw") => Some(Repeated::Draw),
                _ => None,
            },
            seen: HashMap::new(),
            position,
            finish: None,
        };
        play.enter(position);
        play
    }

    /// The position reached.
    #[must_use]
    pub fn position(&self) -> Position<R::Board> {
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
            Finish::Repetition => match self.repeated? {
                Repeated::OwnSide => {
                    let [mover, other] =
                        board.unpack(self.pits).map(|(pits, _)| pits.iter().sum::<u32>());
                    self.position.stores_after(mover, other)
                }
                Repeated::Draw => self.levelled(),
            },
        })
    }

    /// The stores made alike with the stones left; an odd one is nobody's. A store that holds more
    /// than half of all stones keeps its lead, and the other takes the rest.
    fn levelled(&self) -> [u32; 2] {
        let (total, [south, north]) = (self.position.total(), self.position.stores());
        match total / 2 {
            half if south > half => [south, total - south],
            half if north > half => [total - north, north],
            half => [half; 2],
        }
    }

    /// Sows a pit (0 is the mover's leftmost).
    ///
    /// # Errors
    /// The game is over, or the sowing is not legal; nothing changes then.
    pub fn sow(&mut self, pit: usize) -> Result<Sown<R::Board>, PlayError> {
        self.check(pit)?;
        let (position, sown) = self.position.sow(self.rules, pit);
        self.enter(position);
        Ok(sown)
    }

    /// Whether a pit may be sown.
    fn check(&self, pit: usize) -> Result<(), PlayError> {
        let (board, player) = (self.position.board(), self.position.to_move());
        let number = pit + 1;
        if pit >= self.pits {
            return Err(PlayError::NoPit { pit: number, pits: self.pits });
        }
        if self.finish.is_some() {
            return Err(PlayError::Over);
        }
        if !self.rules.legal(board).any(|legal| legal == pit) {
            let [(pits, tuzdyk), _] = board.unpack(self.pits);
            return Err(match pits[pit] {
                0 if tuzdyk == Some(pit) => PlayError::Tuzdyk { player, pit: number },
                0 => PlayError::Empty { player, pit: number },
                _ => PlayError::Illegal { player, pit: number },
            });
        }
        Ok(())
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

    /// Plays a line of moves from square to square.
    ///
    /// # Errors
    /// The move that cannot be played.
    pub fn squares(&mut self, line: &SquareLine) -> Result<(), PlayError> {
        (1..).zip(line.moves()).try_for_each(|(number, &text)| {
            let at = |error| PlayError::Move { number, text, error: Box::new(error) };
            self.square_move(text).map_err(at)
        })
    }

    fn square_move(&mut self, sowing: SquareMove) -> Result<(), PlayError> {
        let (square, player) = (sowing.from, self.position.to_move());
        let pit = square.pit(self.pits).ok_or(PlayError::NoSquare(square))?;
        if square.player() != player {
            return Err(PlayError::NotOwn { player, square });
        }
        self.check(pit)?;
        let right = SquareMove::of(self.rules, &self.position, pit, self.pits);
        if right != Some(sowing) {
            return Err(PlayError::Lands(right.map(|right| right.to)));
        }
        self.sow(pit).map(|_| ())
    }

    /// Plays a line in either notation.
    ///
    /// # Errors
    /// What cannot be played.
    pub fn any_line(&mut self, line: &AnyLine) -> Result<(), PlayError> {
        match line {
            AnyLine::Turns(line) => self.line(line),
            AnyLine::Squares(line) => self.squares(line),
        }
    }

    fn enter(&mut self, position: Position<R::Board>) {
        self.position = position;
        let occurrences = match self.repeated {
            Some(_) => {
                let occurrences = self.seen.entry(position).or_default();
                *occurrences += 1;
                *occurrences
            }
            None => 0,
        };
        self.finish = if self.rules.remainder(position.board()).is_some() {
            Some(Finish::Board)
        } else if self.stop.reached(&position) {
            Some(Finish::Majority)
        } else if occurrences >= 3 {
            Some(Finish::Repetition)
        } else {
            None
        };
    }
}
