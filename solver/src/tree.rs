//! The exact tree of the first turns of a game, positions that several orders reach shared.
//!
//! Only the last positions of the tree have to be solved: those before them are worth what their
//! best turn is. A [`Shape`] is the tree without values, and tells which boards those are;
//! [`Shape::valued`] makes the [`Tree`].

use std::collections::{BTreeSet, HashMap};

use games::notation::{Line, Turn};
use games::{Board, Game, Player, Position, Rules};

use crate::judge::for_each_turn;
use crate::line::{Outcome, turn_value};

/// A tree of turns whose values are not known yet.
#[derive(Clone, Debug)]
pub struct Shape {
    levels: Vec<Vec<Bud>>,
}

/// A position of a [`Shape`].
#[derive(Clone, Debug)]
struct Bud {
    position: Position,
    line: Line,
    lines: u64,
    /// The value of a finished board.
    end: Option<i32>,
    turns: Vec<(Turn, usize)>,
}

/// The exact tree of the first turns of a position.
#[derive(Clone, Debug)]
pub struct Tree {
    levels: Vec<Vec<Node>>,
}

/// A position of the tree: all ways to it are one.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position, with its stores.
    pub position: Position,
    /// The first line that reaches it, by pits.
    pub line: Line,
    /// How many lines reach it.
    pub lines: u64,
    /// Its value for the player to move.
    pub value: i32,
    /// Every turn; none at the end of the tree and of the game.
    pub turns: Vec<Branch>,
    /// The lines of the tree from here to its end, by how the game ends after them.
    pub ends: Ends,
}

/// A turn of a [`Node`].
#[derive(Clone, Debug)]
pub struct Branch {
    /// The turn.
    pub turn: Turn,
    /// Its value for the player.
    pub value: i32,
    /// The index of the position after it, in the next level.
    pub next: usize,
}

/// Numbers of lines by who wins when best play follows them, the stores counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// Lines after which South wins.
    pub south: u64,
    /// Lines after which nobody does.
    pub draw: u64,
    /// Lines after which North wins.
    pub north: u64,
}

impl Shape {
    /// All lines of up to `turns` turns.
    #[must_use]
    pub fn new(rules: &Rules, start: Position, turns: usize) -> Shape {
        let mut levels = vec![vec![Bud::new(rules, start, Line::default())]];
        for _ in 0..turns {
            let next = levels.last_mut().map(|level| grow(rules, level)).unwrap_or_default();
            levels.push(next);
        }
        Shape { levels }
    }

    /// The boards that have to be solved, those with the fewest stones first: what is proved of
    /// them helps with the others.
    #[must_use]
    pub fn boards(&self) -> Vec<Board> {
        let last = self.levels.iter().next_back().into_iter().flatten();
        let open = last.filter(|bud| bud.end.is_none()).map(|bud| bud.position.board());
        let boards: BTreeSet<(u32, Board)> = open.map(|board| (board.stones(), board)).collect();
        boards.into_iter().map(|(_, board)| board).collect()
    }

    /// How many positions the tree has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// The tree with the values of [`Shape::boards`]; `None` if one of them is missing.
    #[must_use]
    pub fn valued(&self, value: impl Fn(Board) -> Option<i32>) -> Option<Tree> {
        let mut levels: Vec<Vec<Node>> = Vec::new();
        for level in self.levels.iter().rev() {
            let next = levels.last().map_or(&[][..], Vec::as_slice);
            let nodes: Option<Vec<Node>> = level.iter().map(|bud| bud.node(next, &value)).collect();
            levels.push(nodes?);
        }
        levels.reverse();
        Some(Tree { levels })
    }
}

/// Adds every turn to the positions of a level; gives the next level.
fn grow(rules: &Rules, level: &mut [Bud]) -> Vec<Bud> {
    let mut next: Vec<Bud> = Vec::new();
    let mut places: HashMap<Position, usize> = HashMap::new();
    for bud in level {
        let (before, line, lines) = (bud.position, bud.line.clone(), bud.lines);
        let turns = &mut bud.turns;
        let visited: Result<(), std::convert::Infallible> =
            for_each_turn(rules, before.board(), &mut |turn, _, _| {
                let sow = |position: Position, &pit: &usize| position.sow(rules, pit).0;
                let after = turn.pits().iter().fold(before, sow);
                let place = *places.entry(after).or_insert_with(|| {
                    let line = line.turns().iter().chain([turn]).cloned().collect();
                    next.push(Bud { lines: 0, ..Bud::new(rules, after, Line::new(line)) });
                    next.len() - 1
                });
                next[place].lines = next[place].lines.saturating_add(lines);
                turns.push((turn.clone(), place));
                Ok(())
            });
        let Ok(()) = visited;
    }
    next
}

impl Bud {
    fn new(rules: &Rules, position: Position, line: Line) -> Bud {
        let end = rules.remainder(position.board()).map(|rest| rest.value());
        Bud { position, line, lines: 1, end, turns: Vec::new() }
    }

    fn node(&self, next: &[Node], value: &impl Fn(Board) -> Option<i32>) -> Option<Node> {
        let branch = |(turn, place): &(Turn, usize)| {
            let after = &next[*place];
            let value = turn_value(&self.position, &after.position, after.value);
            Branch { turn: turn.clone(), value, next: *place }
        };
        let turns: Vec<Branch> = self.turns.iter().map(branch).collect();
        let best = turns.iter().map(|branch| branch.value).max();
        let value = best.or(self.end).or_else(|| value(self.position.board()))?;
        let ends = match turns.is_empty() {
            true => Ends::one(&self.position, value),
            false => Ends::sum(turns.iter().map(|branch| next[branch.next].ends)),
        };
        let Bud { position, ref line, lines, .. } = *self;
        Some(Node { position, line: line.clone(), lines, value, turns, ends })
    }
}

impl Tree {
    /// The positions after 0, 1, 2... turns.
    #[must_use]
    pub fn levels(&self) -> &[Vec<Node>] {
        &self.levels
    }
}

impl Node {
    /// By how much South's store is ahead of North's at the end of best play.
    #[must_use]
    pub fn margin(&self) -> i32 {
        let [south, north] = self.position.stores().map(|store| store as i32);
        let value = match self.position.to_move() {
            Player::South => self.value,
            Player::North => -self.value,
        };
        south - north + value
    }

    /// The turns that hold the value of the position.
    pub fn best(&self) -> impl Iterator<Item = &Branch> {
        self.turns.iter().filter(|branch| branch.value == self.value)
    }
}

impl Ends {
    fn one(position: &Position, value: i32) -> Ends {
        let south = position.to_move() == Player::South;
        match (Outcome::new(position, value), south) {
            (Outcome::Draw, _) => Ends { draw: 1, ..Ends::default() },
            (Outcome::Win, true) | (Outcome::Loss, false) => Ends { south: 1, ..Ends::default() },
            (Outcome::Loss, true) | (Outcome::Win, false) => Ends { north: 1, ..Ends::default() },
        }
    }

    fn sum(parts: impl Iterator<Item = Ends>) -> Ends {
        parts.fold(Ends::default(), |sum, part| Ends {
            south: sum.south.saturating_add(part.south),
            draw: sum.draw.saturating_add(part.draw),
            north: sum.north.saturating_add(part.north),
        })
    }

    /// All lines.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.south.saturating_add(self.draw).saturating_add(self.north)
    }
}
