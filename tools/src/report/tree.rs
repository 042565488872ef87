//! An opening book as tables and charts, for the studies that have one.

use std::collections::BTreeMap;

use maud::Markup;

use super::chart::{self, Dots};
use super::document::{Cell, Table, Tone};
use crate::openings::{Book, Opening, outcome};

/// Every first turn: what it is worth, and what the opponent has against it.
pub(crate) fn first_turns(name: &str, caption: &str, book: &Book) -> Table {
    let columns =
        ["first turn", "value", "end", "best replies", "hold", "of", "South", "draw", "North"];
    let mut table = Table::new(name, caption, &columns);
    for reply in book.start().map(Opening::by_value).unwrap_or_default() {
        let after = book.after(&reply.turn);
        let best = after.map_or(&[][..], |opening| &opening.best);
        let (hold, of) = after.map_or((0, 0), |opening| (opening.best.len(), opening.turns.len()));
        table.rows.push(vec![
            Cell::turn(&reply.turn),
            Cell::stones(reply.value),
            Cell::text(outcome(reply.margin)),
            Cell::turns(best),
            Cell::number(hold),
            Cell::number(of),
            Cell::number(reply.ends.south),
            Cell::number(reply.ends.draw),
            Cell::number(reply.ends.north),
        ]);
    }
    table
}

/// Every reply to every first turn.
pub(crate) fn replies(name: &str, caption: &str, book: &Book) -> Table {
    let columns =
        ["first turn", "reply", "value for North", "loses", "end", "verdict", "position after it"];
    let mut table = Table::new(name, caption, &columns);
    table.long = true;
    for first in book.start().map(Opening::by_value).unwrap_or_default() {
        for reply in book.after(&first.turn).map(Opening::by_value).unwrap_or_default() {
            table.rows.push(vec![
                Cell::turn(&first.turn),
                Cell::turn(&reply.turn),
                Cell::number(reply.value),
                Cell::number(reply.loss),
                Cell::text(outcome(reply.margin)).toned(Tone::of(reply.margin)),
                Cell::text(&reply.verdict),
                Cell::text(format!("`{}`", reply.position)),
            ]);
        }
    }
    table
}

/// How the game ends after each reply: for each first turn a row of dots.
pub(crate) fn reply_chart(title: &str, book: &Book) -> Markup {
    let firsts = book.start().map(Opening::by_value).unwrap_or_default().into_iter();
    let rows: Vec<Dots> = firsts
        .map(|first| {
            let mut dots: BTreeMap<i32, Vec<String>> = BTreeMap::new();
            let replies = book.after(&first.turn).map(|opening| &opening.turns[..]);
            for reply in replies.unwrap_or_default() {
                dots.entry(reply.margin).or_default().push(reply.turn.clone());
            }
            Dots { name: first.turn.clone(), dots }
        })
        .collect();
    chart::dots(title, &rows)
}

/// In how many positions after the first turn only one reply holds the value, and in how many all.
pub(crate) fn only_moves(book: &Book) -> (usize, usize) {
    let second = book.positions.iter().filter(|o| o.line.split_whitespace().count() == 1);
    let only = second.clone().filter(|opening| opening.has_only_move());
    (only.count(), second.count())
}
