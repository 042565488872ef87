//! What captures and the end of the game give, evaluated once.

use games::{Board, Game, Side};

use memmap2::MmapMut;

use super::work::{Ground, NOTHING, Row, Work};

/// Evaluates the captures of a layer and counts the other sowings. `lower` are the values of
/// the layers below.
pub(super) fn evaluate(ground: &Ground, work: &mut Work, lower: &[MmapMut]) {
    let layer = Layer { ground, lower, stones: work.stones };
    work.rows(ground, |row| layer.row(row));
}

struct Layer<'a> {
    ground: &'a Ground,
    lower: &'a [MmapMut],
    stones: u32,
}

impl Layer<'_> {
    fn row(&self, row: Row<'_>) {
        let Row { mover_stones, mover, best, open, .. } = row;
        let others = self.stones - mover_stones;
        if mover_stones == 0 || others == 0 {
            for (place, (best, open)) in best.iter_mut().zip(open).enumerate() {
                (*best, *open) = self.position(mover, others, place as u32);
            }
            return;
        }
        best.fill(NOTHING);
        open.fill(self.ground.sowings.of(mover).count() as i8);
        for sowing in self.ground.sowings.of(mover) {
            let effect = &self.ground.effects[sowing.effect()];
            for (captured, sides) in &effect.forward[others as usize].by_stones {
                let layer = self.stones - u32::from(*captured);
                let next = self.lower_row(layer, u32::from(sowing.own_stones), sowing.own);
                for &(before, after) in sides {
                    let value = *captured as i8 - next[after as usize];
                    let best = &mut best[before as usize];
                    *best = (*best).max(value);
                    open[before as usize] -= 1;
                }
            }
        }
        // Whether a sowing that leaves the opponent no stone is legal hangs on the other
        // sowings as well.
        for sowing in self.ground.sowings.of(mover) {
            let effect = &self.ground.effects[sowing.effect()];
            for &place in &effect.forward[others as usize].whole {
                let at = place as usize;
                (best[at], open[at]) = self.position(mover, others, place);
            }
        }
    }

    /// The values of a lower layer in which the opponent has a given side.
    fn lower_row(&self, layer: u32, other_stones: u32, other: u32) -> &[i8] {
        let rows = self.ground.index.rows(layer, layer - other_stones);
        let start = rows.number(rows.movers.start, other) as usize;
        bytemuck::cast_slice(&self.lower[layer as usize][start..start + rows.movers.len()])
    }

    /// The same for one position, by the rules.
    #[cold]
    fn position(&self, mover: u32, other_stones: u32, place: u32) -> (i8, i8) {
        let sides = self.ground.sides();
        let other = sides.side(sides.of(other_stones).start + place);
        let board = Board::new(sides.side(mover), other);
        if let Some(remainder) = self.ground.rules.remainder(board) {
            return (remainder.value() as i8, 0);
        }
        let (mut best, mut open) = (NOTHING, 0);
        for pit in self.ground.rules.legal(board) {
            let sown = self.ground.rules.sow(board, pit);
            if sown.captured == 0 {
                open += 1;
                continue;
            }
            let (layer, number) = self.ground.index.number(sown.board);
            let next = i32::from(self.lower[layer as usize][number as usize] as i8);
            best = best.max(sown.value(next) as i8);
        }
        debug_assert!(best > NOTHING || open > 0 || board == Board::new(Side::EMPTY, other));
        (best, open)
    }
}
