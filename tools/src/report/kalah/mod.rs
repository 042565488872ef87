//! The study of Kalah: which boards and first turns win and by how much, under both capture rules.

mod page;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::page::document;
use super::check::{Checker, ruleset, wrong};
use super::results::{self, Source};
use super::{Request, Study};
use crate::error::Error;
use crate::openings::Book;
use crate::survey::{self, Solved, Survey};

/// The published values.
const PUBLISHED: &str = include_str!("../../../../data/oracles/values.json");
const SURVEY: &str = "kalah.json";
const BOOKS: [&str; 2] = ["kalah-openings.json", "kalah-openings-empty.json"];
/// The capture rules, in the order of every table.
const CAPTURES: [&str; 2] = ["nonempty", "empty"];
/// The boards: up to so many pits a side and stones a pit.
const SIZES: std::ops::RangeInclusive<u32> = 1..=6;
/// The board whose first turns are studied.
const BOARD: (u32, u32) = (6, 4);

/// What the study is made from.
#[derive(Serialize)]
struct Data {
    survey: Survey,
    books: Vec<Book>,
}

#[derive(Deserialize)]
struct Published {
    #[serde(rename = "kalah capture=nonempty")]
    nonempty: BTreeMap<String, i32>,
    #[serde(rename = "kalah capture=empty")]
    empty: BTreeMap<String, i32>,
}

/// The study, from committed results or computed anew.
pub(super) fn study(request: &mut Request) -> Result<Option<Study>, Error> {
    let mut sources = Vec::new();
    let data = match request.recompute {
        true => compute(request)?,
        false => match committed(&mut request.checker, &mut sources)? {
            Some(data) => data,
            None => return Ok(None),
        },
    };
    let document = document(&data)?;
    Ok(Some(Study::new(document, sources, &data)?))
}

fn committed(checker: &mut Checker, sources: &mut Vec<Source>) -> Result<Option<Data>, Error> {
    let Some(found) = results::find::<Survey>(SURVEY)? else {
        return Ok(None);
    };
    let survey = found.value;
    let seconds = survey.boards.iter().map(|board| board.seconds).sum();
    sources.push(Source::new(found.name, found.text, &survey.command, &survey.program, seconds));
    checker.survey(SURVEY, &survey)?;
    let mut books = Vec::new();
    for name in BOOKS {
        if let Some(found) = results::find::<Book>(name)? {
            let book = found.value;
            let Book { command, program, effort, .. } = &book;
            sources.push(Source::new(name, found.text, command, program, effort.seconds));
            checker.book(name, &book)?;
            books.push(book);
        }
    }
    Ok(Some(Data { survey, books }))
}

/// Solves the boards, and the first turns of the most played one if it is among them.
fn compute(request: &Request) -> Result<Data, Error> {
    let path = request.kept("kalah-survey.json");
    let mut survey = Survey::open(&path, request.checker.resources)?;
    let mut games = Vec::new();
    for capture in CAPTURES {
        for (pits, seeds) in SIZES.flat_map(|pits| SIZES.map(move |seeds| (pits, seeds))) {
            games.push(ruleset("the study", &format!("kalah:{pits}x{seeds},capture={capture}"))?);
        }
    }
    games.retain(|game| game.stones() <= request.most_stones);
    games.sort_by_key(games::Ruleset::stones);
    for game in games {
        if !survey.boards.iter().any(|solved| solved.game == game.to_string()) {
            survey.boards.push(survey::solve(&game, request.checker.resources, None)?);
            survey.save(&path)?;
        }
    }
    let mut books = Vec::new();
    for capture in CAPTURES {
        let game = format!("kalah:{}x{},capture={capture}", BOARD.0, BOARD.1);
        let game = ruleset("the study", &game)?;
        if game.stones() <= request.most_stones {
            books.push(request.book(&game, 2)?);
        }
    }
    Ok(Data { survey, books })
}

/// The boards of the survey by size, under each capture rule.
struct Boards<'a>(BTreeMap<(u32, u32), [Option<&'a Solved>; 2]>);

impl Boards<'_> {
    fn new(survey: &Survey) -> Result<Boards<'_>, Error> {
        let mut boards: BTreeMap<_, [Option<&Solved>; 2]> = BTreeMap::new();
        for solved in &survey.boards {
            let game = ruleset(SURVEY, &solved.game)?;
            let capture = CAPTURES.iter().position(|&c| Some(c) == game.choice("capture"));
            let capture = capture.ok_or_else(|| wrong(SURVEY, "a board has no capture rule"))?;
            boards.entry((game.pits() as u32, game.seeds())).or_default()[capture] = Some(solved);
        }
        Ok(Boards(boards))
    }

    fn get(&self, size: (u32, u32), capture: usize) -> Option<&Solved> {
        self.0.get(&size).and_then(|both| both[capture])
    }

    fn all(&self) -> impl Iterator<Item = ((u32, u32), usize, &Solved)> {
        let both = |(&size, both): (&(u32, u32), &[Option<_>; 2])| {
            both.iter()
                .enumerate()
                .filter_map(|(c, solved)| Some((size, c, (*solved)?)))
                .collect::<Vec<_>>()
        };
        self.0.iter().flat_map(both)
    }
}
