//! What the study of Kalah says.

use std::collections::BTreeMap;

use super::{BOARD, Boards, CAPTURES, Data, PUBLISHED, Published, SIZES};
use crate::error::Error;
use crate::openings::{Book, outcome};
use crate::report::check::{ruleset, wrong};
use crate::report::document::{Block, Cell, Document, Figure, Section, Table, Tone};
use crate::report::{chart, tree};
use crate::survey::Solved;

pub(super) fn document(data: &Data) -> Result<Document, Error> {
    let published: Published =
        serde_json::from_str(PUBLISHED).map_err(|error| wrong("values.json", error))?;
    let published = [published.nonempty, published.empty];
    let boards = Boards::new(&data.survey)?;
    let (compared, differing) = compared(&boards, &published);
    let mut sections = vec![who_wins(&boards)];
    sections.extend(first_turns(&boards));
    for book in &data.books {
        let game = ruleset("the openings of Kalah", &book.game)?;
        sections.push(replies(book, game.choice("capture").unwrap_or_default()));
    }
    sections.push(capture_rules(&boards));
    sections.push(every_board(&boards));
    sections.push(against_published(compared, differing));
    Ok(Document {
        name: "kalah",
        title: "Kalah, solved: who wins, and with which first turn".to_owned(),
        lead: "Exact results under best play of both sides, for boards of 1 to 6 pits a side and 1 to 6 stones \
               a pit. A value is the number of stones by which the first player, South, finishes ahead; \
               a negative one is a win of the second player."
            .to_owned(),
        highlights: highlights(&boards, differing),
        sections,
    })
}

fn size_text((pits, seeds): (u32, u32)) -> String {
    format!("{pits}x{seeds}")
}

fn highlights(boards: &Boards, differing: usize) -> Vec<(String, String)> {
    let mut tiles = Vec::new();
    let [nonempty, empty] = [0, 1].map(|capture| boards.get(BOARD, capture));
    if let (Some(nonempty), Some(empty)) = (nonempty, empty) {
        let figure = format!("+{} / +{}", nonempty.value, empty.value);
        let text = "the first player's win on 6x4 under `capture=nonempty` and `capture=empty`";
        tiles.push((figure, text.to_owned()));
    }
    let all: Vec<i32> = boards.all().map(|(_, _, solved)| solved.value).collect();
    let count = |wanted: Tone| all.iter().filter(|&&value| Tone::of(value) == wanted).count();
    let figure =
        format!("{} \u{b7} {} \u{b7} {}", count(Tone::Good), count(Tone::Even), count(Tone::Bad));
    let text = format!("wins, draws and losses of the first player on {} solved boards", all.len());
    tiles.push((figure, text));
    tiles.push((
        differing.to_string(),
        "boards whose value differs from a published one".to_owned(),
    ));
    tiles
}

fn who_wins(boards: &Boards) -> Section {
    let grid = |capture: usize| {
        let rule = CAPTURES[capture];
        let caption = format!(
            "Value for the first player under `capture={rule}`: pits a side down, stones a pit across"
        );
        let columns: Vec<String> = SIZES.map(|seeds| seeds.to_string()).collect();
        let columns: Vec<&str> =
            std::iter::once("pits").chain(columns.iter().map(String::as_str)).collect();
        let mut table = Table::new(&format!("values-{rule}"), &caption, &columns);
        for pits in SIZES {
            let cell = |seeds| match boards.get((pits, seeds), capture) {
                Some(solved) => Cell::stones(solved.value),
                None => Cell::number(""),
            };
            let row = std::iter::once(Cell::number(pits)).chain(SIZES.map(cell));
            table.rows.push(row.collect());
        }
        Block::Table(table)
    };
    let text = "Under `capture=nonempty` a last stone in an empty own pit captures only if the opposite pit holds \
                stones; under `capture=empty` it goes to the store in any case. An empty cell is a board that has \
                not been solved.";
    Section::new("Who wins", vec![Block::Text(text.to_owned()), grid(0), grid(1)])
}

/// The first turns of the board that is played most.
fn first_turns(boards: &Boards) -> Option<Section> {
    let [nonempty, empty] = [boards.get(BOARD, 0)?, boards.get(BOARD, 1)?];
    let mut values: BTreeMap<&str, [Option<i32>; 2]> = BTreeMap::new();
    for (capture, solved) in [nonempty, empty].into_iter().enumerate() {
        for turn in &solved.turns {
            values.entry(&turn.turn).or_default()[capture] = Some(turn.value);
        }
    }
    let mut turns: Vec<_> = values.into_iter().collect();
    turns.sort_by_key(|(_, values)| std::cmp::Reverse(*values));
    let columns = ["first turn", "nonempty", "empty", "difference"];
    let caption = "Every first turn of 6x4 and its value under both capture rules";
    let mut table = Table::new("first-turns-6x4", caption, &columns);
    let mut bars = Vec::new();
    for (turn, values) in turns {
        let value = |value: Option<i32>| value.map_or(Cell::number(""), Cell::stones);
        let [one, other] = values;
        let difference = one.zip(other).map(|(one, other)| other - one);
        table.rows.push(vec![
            Cell::turn(turn),
            value(one),
            value(other),
            difference.map_or(Cell::number(""), Cell::number),
        ]);
        bars.extend(one.zip(other).map(|(one, other)| (turn.to_owned(), vec![one, other])));
    }
    let best = |solved: &Solved| best_turns(solved).join("`, `");
    let text = format!(
        "Under `capture=nonempty` the best first turn is `{}`, worth {}; under `capture=empty` it is `{}`, worth {}. \
         A turn is written as its sowings: `3-6` sows pit 3, whose last stone falls into the store, and then pit 6.",
        best(nonempty),
        nonempty.value,
        best(empty),
        empty.value
    );
    let figure = Figure {
        caption: "Value of every first turn of 6x4 for South; right of zero South wins".to_owned(),
        svg: chart::bars(
            "Values of the first turns of Kalah 6x4 under both capture rules",
            &["capture=nonempty", "capture=empty"],
            &bars,
        ),
    };
    let blocks = vec![Block::Text(text), Block::Figure(figure), Block::Table(table)];
    Some(Section::new("The first turns of 6x4", blocks))
}

fn best_turns(solved: &Solved) -> Vec<&str> {
    let best = solved.turns.iter().filter(|turn| turn.value == solved.value);
    best.map(|turn| turn.turn.as_str()).collect()
}

/// The replies to the first turns of 6x4.
fn replies(book: &Book, rule: &str) -> Section {
    let (only, of) = tree::only_moves(book);
    let text = format!(
        "After {only} of the {of} first turns exactly one reply holds the value. `hold` counts the replies that do, \
         the last three columns all replies by the winner when best play follows."
    );
    let figure = Figure {
        caption: format!(
            "How the game ends after each reply under `capture={rule}`: stones by which South finishes ahead. A number \
             counts replies that end the same; the leftmost dot of a row is best for North"
        ),
        svg: tree::reply_chart(&format!("Ends after every reply, capture={rule}"), book),
    };
    let first = tree::first_turns(
        &format!("openings-{rule}"),
        &format!("First turns of 6x4 and their best replies, `capture={rule}`"),
        book,
    );
    let replies = tree::replies(
        &format!("replies-{rule}"),
        &format!("Every reply to every first turn, `capture={rule}`"),
        book,
    );
    let blocks =
        vec![Block::Text(text), Block::Figure(figure), Block::Table(first), Block::Table(replies)];
    Section::new(&format!("Replies on 6x4, capture={rule}"), blocks)
}

/// Where the two capture rules lead to different values.
fn capture_rules(boards: &Boards) -> Section {
    let columns = ["board", "nonempty", "empty", "difference", "best, nonempty", "best, empty"];
    let caption = "Boards whose value depends on the capture rule";
    let mut table = Table::new("capture-rules", caption, &columns);
    let (mut both, mut same_best) = (0, 0);
    for (&size, solved) in &boards.0 {
        let [Some(nonempty), Some(empty)] = solved else {
            continue;
        };
        both += 1;
        let [one, other] = [nonempty, empty].map(|solved| best_turns(solved));
        same_best += usize::from(one == other);
        if nonempty.value != empty.value {
            table.rows.push(vec![
                Cell::text(size_text(size)),
                Cell::stones(nonempty.value),
                Cell::stones(empty.value),
                Cell::number(empty.value - nonempty.value),
                Cell::turns(&one),
                Cell::turns(&other),
            ]);
        }
    }
    let text = format!(
        "Of {both} boards solved under both rules {} have another value under the other; on {same_best} the best \
         first turns are the same.",
        table.rows.len()
    );
    Section::new("What the capture rule changes", vec![Block::Text(text), Block::Table(table)])
}

fn every_board(boards: &Boards) -> Section {
    let columns = [
        "board",
        "capture",
        "value",
        "end",
        "best first turns",
        "winning",
        "drawing",
        "losing",
        "nodes",
        "seconds",
    ];
    let caption =
        "Every board: its value, its best first turns and how many first turns win, draw and lose";
    let mut table = Table::new("boards", caption, &columns);
    table.long = true;
    for (size, capture, solved) in boards.all() {
        let count =
            |wanted| solved.turns.iter().filter(|turn| Tone::of(turn.value) == wanted).count();
        table.rows.push(vec![
            Cell::text(size_text(size)),
            Cell::text(CAPTURES[capture]),
            Cell::stones(solved.value),
            Cell::text(outcome(solved.value)),
            Cell::turns(&best_turns(solved)),
            Cell::number(count(Tone::Good)),
            Cell::number(count(Tone::Even)),
            Cell::number(count(Tone::Bad)),
            Cell::number(solved.nodes),
            Cell::number(format!("{:.2}", solved.seconds)),
        ]);
    }
    let columns = ["board", "capture", "first turn", "value", "end"];
    let mut turns = Table::new("first-turns", "Every first turn of every board", &columns);
    turns.long = true;
    for (size, capture, solved) in boards.all() {
        turns.rows.extend(solved.turns.iter().map(|turn| {
            vec![
                Cell::text(size_text(size)),
                Cell::text(CAPTURES[capture]),
                Cell::turn(&turn.turn),
                Cell::stones(turn.value),
                Cell::text(outcome(turn.value)),
            ]
        }));
    }
    Section::new("Every board", vec![Block::Table(table), Block::Table(turns)])
}

/// Each board beside its published value, and how many differ.
fn compared(boards: &Boards, published: &[BTreeMap<String, i32>; 2]) -> (Table, usize) {
    let columns = ["board", "capture", "computed", "published", "agrees"];
    let caption =
        "Computed and published values; without a published value the last columns are empty";
    let mut table = Table::new("published", caption, &columns);
    table.long = true;
    let mut differing = 0;
    for (size, capture, solved) in boards.all() {
        let known = published[capture].get(&size_text(size));
        let agrees = known.map(|&value| value == solved.value);
        differing += usize::from(agrees == Some(false));
        let verdict = match agrees {
            Some(agrees) => {
                Cell::text(if agrees { "yes" } else { "no" }).toned(Tone::right(agrees))
            }
            None => Cell::text(""),
        };
        table.rows.push(vec![
            Cell::text(size_text(size)),
            Cell::text(CAPTURES[capture]),
            Cell::number(solved.value),
            known.map_or(Cell::number(""), Cell::number),
            verdict,
        ]);
    }
    (table, differing)
}

fn against_published(table: Table, differing: usize) -> Section {
    let known = table.rows.iter().filter(|row| !row[3].text.is_empty()).count();
    let text = format!(
        "{known} of {} computed values have a published one, and {} of these agree with it. The published values: \
         Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000, for `capture=empty`; for \
         `capture=nonempty` independent programs, of which 6x4 and 6x5 agree with Rawlings, 2015.",
        table.rows.len(),
        known - differing
    );
    Section::new("Against the published values", vec![Block::Text(text), Block::Table(table)])
}
