//! The tree of first turns, compared with the plain solver and with games played one by one.

#![allow(missing_docs, reason = "a test")]

mod common;

use std::collections::{BTreeSet, HashMap};

use common::ruleset;
use games::notation::{Line, Turn};
use games::{Board, Game, Position, Rules, Ruleset};
use solver::{Ends, Oracle, Outcome, Shape, Tree, for_each_turn, plain, turns};

/// The tree with the values of its last boards by the plain solver.
fn tree(game: &Ruleset, oracle: &mut plain::Plain, depth: usize) -> Tree {
    let shape = Shape::new(&game.rules(), Position::start(game), depth);
    let boards = shape.boards().into_iter();
    let values: HashMap<Board, i32> =
        boards.map(|board| (board, oracle.value(board).expect("small"))).collect();
    shape.valued(|board| values.get(&board).copied()).expect("all boards are solved")
}

fn oracle(game: &Ruleset) -> plain::Plain {
    plain::Plain::new(game, 1 << 28).expect("an acyclic game")
}

/// The turns of a position, as [`turns`] gives them, with the position after each.
fn played(rules: &Rules, position: &Position) -> Vec<(Turn, Position)> {
    let mut found = Vec::new();
    let visited: Result<(), std::convert::Infallible> =
        for_each_turn(rules, position.board(), &mut |turn, _, _| {
            let after = turn.pits().iter().fold(*position, |at, &pit| at.sow(rules, pit).0);
            found.push((turn.clone(), after));
            Ok(())
        });
    let Ok(()) = visited;
    found
}

#[test]
fn every_turn_is_worth_what_the_plain_solver_says() {
    // Under end=mover it matters who has to sow when a turn ends the game in the store.
    for text in [
        "kalah:3x3",
        "mangala:3x3",
        "kalah:4x2,capture=empty",
        "mangala:4x2",
        "kalah:2x1",
        "kalah:1x1,end=mover,remainder=emptied",
        "kalah:2x2,end=mover,remainder=emptied",
        "kalah:3x2,end=mover,remainder=emptied",
        "mangala:1x5,end=mover",
    ] {
        let game = ruleset(text);
        let (rules, mut oracle) = (game.rules(), oracle(&game));
        let tree = tree(&game, &mut oracle, 3);
        for (depth, level) in tree.levels().iter().enumerate() {
            for node in level {
                let board = node.position.board();
                assert_eq!(node.value, oracle.value(board).expect("small"), "{text} {}", node.line);
                assert_eq!(node.line.turns().len(), depth);
                let of_node: Vec<(Turn, i32)> =
                    node.turns.iter().map(|branch| (branch.turn.clone(), branch.value)).collect();
                let expected = turns(&rules, &mut oracle, board).expect("small");
                if let Some(best) = expected.iter().map(|&(_, value)| value).max() {
                    assert_eq!(best, node.value, "{text} {}", node.line);
                }
                assert_eq!(of_node, if depth < 3 { expected } else { Vec::new() });
                for (branch, (_, after)) in node.turns.iter().zip(played(&rules, &node.position)) {
                    assert_eq!(tree.levels()[depth + 1][branch.next].position, after);
                }
            }
        }
    }
}

/// All lines of up to `depth` turns, one by one: how often each position is reached, and how the
/// games end.
fn walk(
    rules: &Rules,
    oracle: &mut plain::Plain,
    position: Position,
    depth: usize,
    seen: &mut HashMap<(usize, Position), u64>,
) -> Ends {
    *seen.entry((depth, position)).or_default() += 1;
    let over = rules.remainder(position.board()).is_some();
    if depth == 0 || over {
        let value = oracle.value(position.board()).expect("small");
        let south = position.to_move() == games::Player::South;
        return match Outcome::new(&position, value) {
            Outcome::Draw => Ends { draw: 1, ..Ends::default() },
            outcome if (outcome == Outcome::Win) == south => Ends { south: 1, ..Ends::default() },
            _ => Ends { north: 1, ..Ends::default() },
        };
    }
    let mut sum = Ends::default();
    for (_, after) in played(rules, &position) {
        let ends = walk(rules, oracle, after, depth - 1, seen);
        sum.south += ends.south;
        sum.draw += ends.draw;
        sum.north += ends.north;
    }
    sum
}

#[test]
fn transpositions_are_one_position_and_lines_are_counted_one_by_one() {
    let mut shared = 0;
    for text in ["kalah:3x2", "mangala:3x3", "kalah:4x1", "kalah:1x2"] {
        let game = ruleset(text);
        let (rules, mut oracle) = (game.rules(), oracle(&game));
        let depth = 4;
        let tree = tree(&game, &mut oracle, depth);
        let mut seen = HashMap::new();
        let ends = walk(&rules, &mut oracle, Position::start(&game), depth, &mut seen);
        assert_eq!(tree.levels()[0][0].ends, ends, "{text}");
        for (turn, level) in tree.levels().iter().enumerate() {
            let positions: BTreeSet<String> =
                level.iter().map(|node| format!("{:?}", node.position)).collect();
            assert_eq!(positions.len(), level.len(), "{text}: a position is there twice");
            for node in level {
                assert_eq!(
                    node.lines,
                    seen[&(depth - turn, node.position)],
                    "{text} {}",
                    node.line
                );
                shared += u64::from(node.lines > 1);
            }
        }
        let count: usize = tree.levels().iter().map(Vec::len).sum();
        assert_eq!(count, seen.len(), "{text}");
    }
    assert!(shared > 100, "only {shared} positions are reached twice");
}

#[test]
fn the_best_turns_and_the_margin_follow_from_the_values() {
    // South wins kalah:4x2 by 6, and 1 and 4-1 are no way to do so.
    let game = ruleset("kalah:4x2");
    let mut oracle = oracle(&game);
    let tree = tree(&game, &mut oracle, 1);
    let root = &tree.levels()[0][0];
    assert_eq!((root.value, root.margin(), root.lines), (6, 6, 1));
    for branch in &root.turns {
        assert_eq!(tree.levels()[1][branch.next].margin(), branch.value, "{}", branch.turn);
    }
    let best: Vec<&Turn> = root.best().map(|branch| &branch.turn).collect();
    let expected: Vec<&Turn> =
        root.turns.iter().filter(|branch| branch.value == 6).map(|branch| &branch.turn).collect();
    assert_eq!(best, expected);
    assert!(!best.is_empty() && best.len() < root.turns.len());
}

#[test]
fn a_missing_value_makes_no_tree_and_a_finished_board_needs_none() {
    let game = ruleset("kalah:3x2");
    let shape = Shape::new(&game.rules(), Position::start(&game), 2);
    assert!(shape.valued(|_| None).is_none());
    let over: Position = games::notation::parse_position("0-0-0-1-0-0-3-8-S", 3).expect("right");
    let shape = Shape::new(&game.rules(), over, 2);
    assert!(shape.boards().is_empty());
    let tree = shape.valued(|_| None).expect("nothing to solve");
    let root = &tree.levels()[0][0];
    assert_eq!((root.value, root.margin(), root.line.clone()), (-1, -6, Line::default()));
    assert_eq!(root.ends, Ends { north: 1, ..Ends::default() });
}
