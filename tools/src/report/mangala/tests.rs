//! The study over made-up values, and lines that must be refused.

use std::collections::HashMap;

use games::Board;
use solver::Shape;

use super::*;
use crate::commands::line::Answers;
use crate::engine::Effort;
use crate::openings::{Solution, board_text};

/// Values that are not exact but fit each other, so that claims can be judged without hours of
/// search: they depend on the board alone and have its parity.
fn made_up(board: Board) -> i32 {
    let hash = crc32fast::hash(board_text(board, 6).as_bytes());
    let stones = board.stones() as i32;
    2 * (hash % 8) as i32 - 8 + stones % 2
}

fn book(game: &Ruleset, turns: usize) -> Book {
    let shape = Shape::new(&game.rules(), Position::start(game), turns);
    let values: HashMap<Board, i32> =
        shape.boards().into_iter().map(|board| (board, made_up(board))).collect();
    let tree = shape.valued(|board| values.get(&board).copied()).expect("all are known");
    let solution = Solution { tree, solved: values.len(), effort: Effort::default() };
    Book::new(game, turns, &solution, None)
}

/// The line of a book, each turn with the replies of the book; best play is its first turn.
fn judged(book: &Book, line: &str) -> Judged {
    let mut turns = Vec::new();
    let mut so_far = String::new();
    for (number, turn) in (1..).zip(line.split(' ')) {
        let before = book.after(&so_far).expect("in the book");
        let reply = before.reply(turn).expect("in the book");
        so_far = format!("{so_far} {turn}").trim().to_owned();
        let after = book.after(&so_far).expect("in the book");
        let value = |reply: &Reply| TurnValue { turn: reply.turn.clone(), value: reply.value };
        turns.push(line::Turn {
            number,
            player: before.player.clone(),
            turn: turn.to_owned(),
            position: reply.position.clone(),
            value: reply.value,
            best: before.best[0].clone(),
            best_value: before.value,
            loss: reply.loss,
            verdict: reply.verdict.clone(),
            answers: Some(Answers {
                replies: after.turns.iter().map(value).collect(),
                play: after.best[0].clone(),
            }),
        });
    }
    Judged {
        game: book.game.clone(),
        command: None,
        program: None,
        position: book.positions[0].position.clone(),
        turns,
        effort: Effort::default(),
    }
}

fn data() -> (Ruleset, Book, Data) {
    let game: Ruleset = GAME.parse().expect("a ruleset");
    let deep = book(&game, 3);
    let lines = LINES.map(|(line, _)| judged(&deep, line)).into();
    // The same values to two turns only, as the study has them.
    let mut shallow = deep.clone();
    shallow.turns = 2;
    shallow.positions.retain(|opening| opening.line.split_whitespace().count() < 2);
    (game, deep, Data { book: shallow, lines })
}

#[test]
fn every_claim_is_judged_by_the_values_of_the_book() {
    let (_, deep, data) = data();
    let verdicts = serde_json::to_value(claims::judge(&data).expect("judged")).expect("JSON");
    let verdicts = verdicts.as_array().expect("a list").clone();
    let expect = |claim: String, holds: bool| {
        let found = verdicts.iter().find(|verdict| verdict["claim"] == claim.as_str());
        assert_eq!(found.unwrap_or_else(|| panic!("{claim}"))["holds"], holds, "{claim}");
    };
    let usual = "1 4-6;2 4-6;3 4-6;5 5;6 1;4-1 4-5;4-1 4-6;4-2 4-6;4-3 4-6;4-4 5;4-4 6;4-5 5;4-5 4-1;\
                 4-6 4-3-1;5 5 5;5 5 4-1";
    let usual: Vec<&str> = usual.split(';').collect();
    assert_eq!(verdicts.len(), usual.len() + 2);
    for claim in usual {
        let (line, turn) = claim.rsplit_once(' ').expect("a line and a reply");
        let reply = deep.after(line).and_then(|opening| opening.reply(turn)).expect("legal");
        expect(format!("after `{line}` the reply `{turn}` is good"), reply.loss == 0);
    }
    let start = &deep.positions[0];
    expect("`5` is the best first turn".into(), start.reply("5").expect("legal").loss == 0);
    let loses = start.reply("4-6").expect("legal").margin < 0;
    expect("the first turn `4-6` loses".into(), loses);
}

#[test]
fn the_study_draws_the_line_turn_by_turn() {
    let (game, _, data) = data();
    let verdicts = claims::judge(&data).expect("judged");
    let document = document(&data, &verdicts, &game).expect("a document");
    let names: Vec<&str> = document.tables().map(|table| table.name.as_str()).collect();
    let expected = ["first-turns", "replies", "claims", "line-4-6_4-3-1"];
    assert_eq!(names[..4], expected);
    let page = crate::report::html::page(&document);
    let boards = page.matches("<svg class=\"board\"").count();
    // A position after each turn of both lines, and the one turn of best play that is known.
    assert_eq!(boards, 8);
    assert!(page.contains("South: pits 4 4 4 1 5 1, store 2. North: pits 5 5 5 4 4 4, store 0."));
}

#[test]
fn a_line_that_contradicts_the_book_or_the_rules_is_refused() {
    let (game, _, data) = data();
    let refused = |change: &dyn Fn(&mut Judged)| {
        let mut judged = data.lines[0].clone();
        change(&mut judged);
        check_line("it", &game, &data.book, &judged).expect_err("it is wrong").to_string()
    };
    assert!(refused(&|judged| judged.turns[0].value += 2).contains("another value in the book"));
    let moved = |judged: &mut Judged| judged.turns[0].position.replace_range(0..1, "3");
    assert!(refused(&moved).contains("another position"));
    assert!(refused(&|judged| judged.turns[0].answers = None).contains("no replies"));
    // Best play that stops before the game is over proves nothing.
    assert!(refused(&|_| ()).contains("does not end as it says"));
}
