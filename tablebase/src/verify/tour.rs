//! In which order the positions of a layer are checked.

use std::ops::Range;

use games::{Board, MAX_PITS, Side};

use crate::index::{Index, Numbering, Rows, Sides, TuzdykIndex};

/// Mover's sides of a tile. With one of them fixed, each sowing leads along a row of the table
/// as the opponent's side varies, so a tile reads few cache lines.
const TILE_MOVERS: usize = 1024;
/// Opponent's sides of a tile.
const TILE_OTHERS: usize = 128;
/// Positions of a tile of neighbouring numbers.
const TILE: u64 = 1 << 17;

/// An order of the positions of a layer in which the successors of one are close to those of the
/// one before.
pub trait Tour: Numbering {
    /// Some positions of a layer.
    type Tile: Send;
    /// What is remembered of the sowings of the position before.
    type Memory;

    /// All positions of a layer.
    fn tiles(&self, stones: u32) -> Vec<Self::Tile>;

    /// The lowest number of a tile, and how many positions it has.
    fn extent(tile: &Self::Tile) -> (u64, u64);

    /// Visits the positions of a tile with their numbers.
    fn visit(
        &self,
        stones: u32,
        tile: &Self::Tile,
        visit: impl FnMut(u64, Self::Board, &mut Self::Memory),
    );

    /// Remembers nothing.
    fn memory(&self) -> Self::Memory;

    /// The layer of the position that the sowing of a pit leads to, and its number there.
    fn number_after(&self, memory: &mut Self::Memory, pit: usize, board: Self::Board)
    -> (u32, u64);
}

impl Tour for Index {
    type Tile = Rows;
    type Memory = Ranks;

    fn tiles(&self, stones: u32) -> Vec<Rows> {
        let cut = |range: &Range<u32>, size: usize| {
            let end = range.end;
            range.clone().step_by(size).map(move |start| start..end.min(start + size as u32))
        };
        let tiles = (0..=stones).flat_map(|k| {
            let rows = self.rows(stones, k);
            cut(&rows.others, TILE_OTHERS)
                .flat_map(|others| cut(&rows.movers, TILE_MOVERS).map(move |m| (m, others.clone())))
                .map(|(movers, others)| rows.part(movers, others))
                .collect::<Vec<_>>()
        });
        tiles.collect()
    }

    fn extent(tile: &Rows) -> (u64, u64) {
        (tile.number(tile.movers.start, tile.others.start), tile.len())
    }

    fn visit(&self, _: u32, tile: &Rows, mut visit: impl FnMut(u64, Board, &mut Ranks)) {
        let sides = self.sides();
        for mover in tile.movers.clone() {
            let mut ranks = self.memory();
            for other in tile.others.clone() {
                let board = Board::new(sides.side(mover), sides.side(other));
                visit(tile.number(mover, other), board, &mut ranks);
            }
        }
    }

    fn memory(&self) -> Ranks {
        Ranks { known: [[(Side::EMPTY, self.sides().rank(Side::EMPTY)); 2]; MAX_PITS] }
    }

    #[inline]
    fn number_after(&self, ranks: &mut Ranks, pit: usize, board: Board) -> (u32, u64) {
        self.number_ranked(board, ranks.of(self.sides(), pit, board))
    }
}

/// Ranks of the sides that each sowing of a mover's side last led to: as the opponent's side
/// varies, one of the two mostly stays the same.
#[derive(Debug)]
pub struct Ranks {
    known: [[(Side, u32); 2]; MAX_PITS],
}

impl Ranks {
    /// The ranks of the mover's and of the opponent's side after the sowing of a pit.
    #[inline]
    fn of(&mut self, sides: &Sides, pit: usize, sown: Board) -> [u32; 2] {
        let [mover, other] = &mut self.known[pit];
        for (known, side) in [(&mut *mover, sown.mover), (&mut *other, sown.other)] {
            if known.0 != side {
                *known = (side, sides.rank(side));
            }
        }
        [mover.1, other.1]
    }
}

impl Tour for TuzdykIndex {
    type Tile = Range<u64>;
    type Memory = ();

    fn tiles(&self, stones: u32) -> Vec<Range<u64>> {
        let positions = self.positions(stones);
        let starts = (0..positions).step_by(TILE as usize);
        starts.map(|start| start..positions.min(start + TILE)).collect()
    }

    fn extent(tile: &Range<u64>) -> (u64, u64) {
        (tile.start, tile.end - tile.start)
    }

    fn visit(
        &self,
        stones: u32,
        tile: &Range<u64>,
        mut visit: impl FnMut(u64, Self::Board, &mut ()),
    ) {
        let boards = self.boards(stones, tile.clone());
        tile.clone().zip(boards).for_each(|(number, board)| visit(number, board, &mut ()));
    }

    fn memory(&self) {}

    #[inline]
    fn number_after(&self, (): &mut (), _: usize, board: Self::Board) -> (u32, u64) {
        self.number(board)
    }
}
