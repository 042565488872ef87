//! The study of Oware: its endgames, layer by layer, with those of Awari beside them.

mod page;
#[cfg(test)]
mod tests;

use std::io;
use std::time::Instant;

use games::Ruleset;

use self::page::document;
use super::check::{Checker, ruleset, wrong};
use super::results::{self, Source};
use super::{Request, Study};
use crate::endgame::{self, Endgames, Given, Layer};
use crate::error::Error;
use crate::output;

/// The games, and the committed result of each.
const GAMES: [(&str, &str); 2] =
    [("oware", "oware-endgames.json"), ("awari", "awari-endgames.json")];
/// Layers to this one are computed again to check committed results.
const CHECKED: u32 = 9;

/// The study, from committed results or computed anew.
pub(super) fn study(request: &mut Request) -> Result<Option<Study>, Error> {
    let mut sources = Vec::new();
    let games = match request.recompute {
        true => compute(request)?,
        false => committed(&mut request.checker, &mut sources)?,
    };
    if games.is_empty() {
        return Ok(None);
    }
    Ok(Some(Study::new(document(&games)?, sources, &games)?))
}

fn committed(checker: &mut Checker, sources: &mut Vec<Source>) -> Result<Vec<Endgames>, Error> {
    let mut games = Vec::new();
    for (_, name) in GAMES {
        let Some(found) = results::find::<Endgames>(name)? else {
            continue;
        };
        let known = found.value;
        let Endgames { command, program, seconds, .. } = &known;
        sources.push(Source::new(name, found.text, command, program, *seconds));
        check(checker, name, &known)?;
        games.push(known);
    }
    Ok(games)
}

/// Studies the games, and keeps what can be committed in the folder of the reports.
fn compute(request: &Request) -> Result<Vec<Endgames>, Error> {
    GAMES
        .into_iter()
        .map(|(text, name)| {
            let start = Instant::now();
            let game = ruleset("the study", text)?;
            let resources = request.checker.resources;
            let given = Given { folder: resources.tables(), memory: resources.memory() };
            let told = |stones, positions| {
                resources.say(&format!("{text}: layer {stones}, {positions} positions"));
            };
            let study = || endgame::study(&game, request.endgame_stones, &given, &told);
            let layers = resources.pool()?.install(study)?;
            let endgames = Endgames {
                game: game.to_string(),
                command: crate::cli::command(),
                program: crate::cli::VERSION.to_owned(),
                seconds: start.elapsed().as_secs_f64(),
                layers,
            };
            let path = request.kept(name);
            let json = serde_json::to_vec_pretty(&endgames).map_err(io::Error::from);
            json.and_then(|bytes| output::save(&path, &bytes))
                .map_err(|reason| Error::Output { path, reason })?;
            Ok(endgames)
        })
        .collect()
}

/// Plays the longest wins out, and computes the lower layers again.
fn check(checker: &mut Checker, name: &str, known: &Endgames) -> Result<(), Error> {
    let game = ruleset(name, &known.game)?;
    for layer in &known.layers {
        check_line(name, &game, layer)?;
    }
    let most = known.layers.len();
    checker.done.push(format!(
        "{name}: the longest win of each of the {most} layers played out, it wins what it says in as many plies"
    ));
    if checker.samples == 0 {
        return Ok(());
    }
    let given = Given { folder: None, memory: checker.resources.memory() };
    let study = || endgame::study(&game, CHECKED, &given, &|_, _| ());
    let again = checker.resources.pool()?.install(study)?;
    for (told, found) in known.layers.iter().zip(&again) {
        check_layer(checker, name, told, found)?;
    }
    let again = again.len().min(most);
    checker.done.push(format!("{name}: the first {again} layers computed again, tables and all"));
    Ok(())
}

fn check_line(name: &str, game: &Ruleset, layer: &Layer) -> Result<(), Error> {
    let Some(line) = &layer.longest else {
        return Ok(());
    };
    let played = endgame::replay(game, &line.position, &line.line);
    let as_told = played.is_some_and(|(positions, won)| {
        won == line.value && positions.len() == usize::from(line.plies)
    });
    let stones = layer.stones;
    let told = format!("the longest win of layer {stones} does not go as it says");
    if as_told { Ok(()) } else { Err(wrong(name, told)) }
}

/// Compares a layer part by part, so that an error names the part.
fn check_layer(checker: &Checker, name: &str, told: &Layer, found: &Layer) -> Result<(), Error> {
    let stones = told.stones;
    let parts = |layer| serde_json::to_value(layer).map_err(|error| wrong(name, error));
    let (told, found) = (parts(told)?, parts(found)?);
    for (part, value) in found.as_object().into_iter().flatten() {
        checker.agrees(name, &format!("`{part}` of layer {stones}"), &told[part], value)?;
    }
    Ok(())
}
