//! Positions as players know them: a board, the stores, the player to move.

use thiserror::Error;

use crate::board::Board;
use crate::game::{Game, Sown};
use crate::registry::Rules;
use crate::ruleset::Ruleset;
use crate::side::{MAX_PITS, MAX_STONES, Side};

/// One of the two players. South moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The player at the bottom of the drawn board.
    South,
    /// The player at the top.
    North,
}

impl Player {
    /// Both players, South first: the order of everything listed by player.
    pub const BOTH: [Player; 2] = [Player::South, Player::North];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::South => Player::North,
            Player::North => Player::South,
        }
    }

    /// `South` or `North`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Player::South => "South",
            Player::North => "North",
        }
    }
}

/// The largest number of stones a store may be set up with.
pub const MAX_STORE: u32 = 999_999_999;

/// A position as it was written down, not checked against any board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pits of South and of North, each from their owner's left.
    pub pits: [Vec<u32>; 2],
    /// The stores of South and of North.
    pub stores: [u32; 2],
    /// The player to move.
    pub to_move: Player,
}

/// Why a [`Setup`] is no position of a ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A side has not as many pits as the board.
    #[error("{} has {found} pits, but the board has {expected} a side", .player.name())]
    Pits {
        /// Whose side.
        player: Player,
        /// Pits given.
        found: usize,
        /// Pits of the board.
        expected: usize,
    },
    /// More stones than a board can pack.
    #[error("{0} stones on the board: at most {MAX_STONES} fit")]
    Stones(u64),
    /// More stones in a store than can be counted.
    #[error("{stones} stones in the store of {}: at most {MAX_STORE} can be counted", .player.name())]
    Store {
        /// Whose store.
        player: Player,
        /// Stones given.
        stones: u32,
    },
}

/// A checked position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    stores: [u32; 2],
    to_move: Player,
}

impl Position {
    /// The start position of a ruleset, South to move.
    #[must_use]
    pub fn start(ruleset: &Ruleset) -> Position {
        let board = Board::start(ruleset.pits(), ruleset.seeds())
            .expect("a ruleset's board fits the packing");
        Position { board, stores: [0; 2], to_move: Player::South }
    }

    /// Checks a position against the number of pits of its board. Any number of stones that
    /// can be packed and any stores are legal.
    ///
    /// # Errors
    /// What does not fit.
    pub fn new(setup: &Setup, pits: usize) -> Result<Position, SetupError> {
        for (player, side) in Player::BOTH.into_iter().zip(&setup.pits) {
            if side.len() != pits || pits > MAX_PITS {
                return Err(SetupError::Pits { player, found: side.len(), expected: pits });
            }
            let stones = setup.stores[player as usize];
            if stones > MAX_STORE {
                return Err(SetupError::Store { player, stones });
            }
        }
        let stones = setup.pits.iter().flatten().map(|&stones| u64::from(stones)).sum();
        if stones > u64::from(MAX_STONES) {
            return Err(SetupError::Stones(stones));
        }
        let [south, north] = [0, 1].map(|player| Side::from_pits(&setup.pits[player]));
        let board = south.zip(north).map(|(south, north)| match setup.to_move {
            Player::South => Board::new(south, north),
            Player::North => Board::new(north, south),
        });
        let board = board.ok_or(SetupError::Stones(stones))?;
        Ok(Position { board, stores: setup.stores, to_move: setup.to_move })
    }

    /// The position written out for a board with `pits` pits a side.
    #[must_use]
    pub fn setup(&self, pits: usize) -> Setup {
        let side = |player| self.side(player).iter(pits).collect();
        Setup { pits: Player::BOTH.map(side), stores: self.stores, to_move: self.to_move }
    }

    /// The board, as the player to move sees it.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// A player's pits.
    #[must_use]
    pub fn side(&self, player: Player) -> Side {
        if player == self.to_move { self.board.mover } else { self.board.other }
    }

    /// The stores of South and of North.
    #[must_use]
    pub const fn stores(&self) -> [u32; 2] {
        self.stores
    }

    /// The player to move.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.to_move
    }

    /// All stones, stores included.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.board.stones() + self.stores[0] + self.stores[1]
    }

    /// Sows a pit (0 is the mover's leftmost) that holds stones.
    #[inline]
    #[must_use]
    pub fn sow(&self, rules: &Rules, pit: usize) -> (Position, Sown) {
        let sown = rules.sow(self.board, pit);
        let mut stores = self.stores;
        stores[self.to_move as usize] += u32::from(sown.gain);
        let to_move = if sown.again { self.to_move } else { self.to_move.opponent() };
        (Position { board: sown.board, stores, to_move }, sown)
    }

    /// The stores with some stones more for the player to move and for the opponent.
    #[must_use]
    pub fn stores_after(&self, mover: u32, other: u32) -> [u32; 2] {
        let mut stores = self.stores;
        stores[self.to_move as usize] += mover;
        stores[self.to_move.opponent() as usize] += other;
        stores
    }

    /// Whether a store holds more than half of all stones.
    #[must_use]
    pub fn has_majority(&self) -> bool {
        let total = u64::from(self.total());
        self.stores.iter().any(|&store| 2 * u64::from(store) > total)
    }
}
