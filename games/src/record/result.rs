//! The result at the end of a record.

use std::fmt;

use crate::position::Player;

/// How a game ended, as its record says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0` or `0-1`: this player won.
    Win(Player),
    /// `1/2-1/2`.
    Draw,
    /// `26-22`: the stones of South and of North, as programs for oware write it.
    Score([u32; 2]),
    /// `*`: not known, or not yet.
    #[default]
    Unknown,
}

impl GameResult {
    /// Reads a result. `1-0` and `0-1` are wins, any other two numbers are stones.
    #[must_use]
    pub fn parse(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => return Some(GameResult::Win(Player::South)),
            "0-1" => return Some(GameResult::Win(Player::North)),
            "1/2-1/2" => return Some(GameResult::Draw),
            "*" => return Some(GameResult::Unknown),
            _ => {}
        }
        let (south, north) = text.split_once('-')?;
        let number = |text: &str| crate::notation::number(text).ok();
        Some(GameResult::Score([number(south)?, number(north)?]))
    }

    /// The result of these stones in the stores of South and of North.
    #[must_use]
    pub fn of_stores([south, north]: [u32; 2]) -> GameResult {
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => GameResult::Win(Player::South),
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Less => GameResult::Win(Player::North),
        }
    }

    /// The same without the stones: a win, a draw, or unknown.
    #[must_use]
    pub fn outcome(self) -> GameResult {
        match self {
            GameResult::Score(stores) => GameResult::of_stores(stores),
            other => other,
        }
    }

    /// Whether both can be true of one game.
    #[must_use]
    pub fn agrees_with(self, other: GameResult) -> bool {
        match (self, other) {
            (GameResult::Unknown, _) | (_, GameResult::Unknown) => true,
            (GameResult::Score(a), GameResult::Score(b)) => a == b,
            (a, b) => a.outcome() == b.outcome(),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Win(Player::South) => f.write_str("1-0"),
            GameResult::Win(Player::North) => f.write_str("0-1"),
            GameResult::Draw => f.write_str("1/2-1/2"),
            GameResult::Score([south, north]) => write!(f, "{south}-{north}"),
            GameResult::Unknown => f.write_str("*"),
        }
    }
}
