//! `mancala solve` of games that are too large to be solved: estimates, and what is proved.

use std::time::{Duration, Instant};

use games::{Play, Player, Position, Ruleset};
use serde::Serialize;
use solver::SearchError;
use solver::estimate::{
    Analysis, Ending, Estimated, Limits, MAX_DEPTH, Scope, Sowing, UNIT, analyse,
};

use super::Stores;
use crate::args::{self, Reached};
use crate::engine::{Allowed, Effort, Options};
use crate::error::Error;
use crate::interrupt;
use crate::output::{Output, Report};

/// How long is looked ahead if nothing is said.
const TIME: Duration = Duration::from_secs(5);

/// How far an estimate looks ahead.
#[derive(clap::Args)]
pub(crate) struct Ahead {
    /// Estimates (toguz, bestemshe): look so many sowings ahead
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "nodes"], allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u8>,
}

impl Ahead {
    /// Whether the user has said how far.
    pub(crate) fn is_given(&self) -> bool {
        self.depth.is_some()
    }

    /// Looks ahead from a position and tells what is found. Ctrl-C has what was found so far told.
    pub(crate) fn tell<R: Estimated>(
        &self,
        game: &Ruleset<R>,
        reached: &Reached<R>,
        ending: &dyn Ending<R::Board>,
        (scope, options): (Scope, &Options),
        (allowed, output): (&Allowed, &Output),
    ) -> Result<(), Error> {
        let start = Instant::now();
        let time = allowed.estimate_time()?.or_else(|| self.depth.is_none().then_some(TIME));
        // A time past all reckoning is none.
        let end = time.and_then(|time| start.checked_add(time));
        let stop = || interrupt::asked() || end.is_some_and(|end| Instant::now() >= end);
        interrupt::heed();
        let depth = self.depth.unwrap_or(MAX_DEPTH);
        let position = &reached.position;
        let step = if self.depth.is_some() { 2 } else { 1 };
        let limits = Limits { depth, step, memory: options.memory(), stop: &stop };
        let (rules, board, lead) = (&reached.rules, position.board(), lead(position));
        let pool = options.pool()?;
        let analysis = pool.install(|| analyse(rules, ending, board, lead, scope, &limits));
        output.write(&Estimate::new(game, reached, &analysis, start))?;
        if interrupt::asked() { Err(SearchError::Interrupted.into()) } else { Ok(()) }
    }
}

/// By how much the store of the player to move is ahead.
fn lead<B: games::Rows>(position: &Position<B>) -> i64 {
    let [mover, other] = [position.to_move(), position.to_move().opponent()]
        .map(|player| i64::from(position.stores()[player as usize]));
    mover - other
}

/// What is told of a position.
#[derive(Serialize)]
struct Estimate {
    game: String,
    position: String,
    /// `null` unless it is proved.
    value: Option<i32>,
    exact: bool,
    bounds: [i32; 2],
    /// In stones, as the value would be; only where that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<f64>,
    /// Who is proved to win, or `draw`; `null` while that is open.
    winner: Option<String>,
    /// The stores at the end, if the game is over.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    stores_at_end: Option<Stores>,
    /// Sowings looked ahead.
    depth: u8,
    best: Option<usize>,
    moves: Vec<Move>,
    line: String,
    source: &'static str,
    #[serde(flatten)]
    effort: Effort,
    #[serde(skip)]
    player: Player,
}

#[derive(Serialize)]
struct Move {
    pit: usize,
    value: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<f64>,
    bounds: [i32; 2],
    captured: u8,
    again: bool,
}

fn exact([lower, upper]: [i32; 2]) -> Option<i32> {
    (lower == upper).then_some(lower)
}

fn stones(units: i32) -> f64 {
    f64::from(units) / f64::from(UNIT)
}

impl Move {
    fn new(sowing: &Sowing) -> Move {
        let Sowing { pit, estimate, bounds, captured } = *sowing;
        let value = exact(bounds);
        let estimate = value.is_none().then_some(stones(estimate));
        Move { pit: pit + 1, value, estimate, bounds, captured, again: false }
    }

    fn worth(&self) -> String {
        worth(self.value, self.estimate)
    }
}

/// An exact value as such, an estimate with its sign and its fraction.
fn worth(value: Option<i32>, estimate: Option<f64>) -> String {
    match (value, estimate) {
        (Some(value), _) => value.to_string(),
        (None, estimate) => format!("{:+.2}", estimate.unwrap_or(0.0)),
    }
}

impl Estimate {
    fn new<R: Estimated>(
        game: &Ruleset<R>,
        reached: &Reached<R>,
        analysis: &Analysis,
        start: Instant,
    ) -> Estimate {
        let position = &reached.position;
        let value = analysis.value();
        let pits = played(game, reached, &analysis.line).iter().map(|pit| pit + 1);
        let line: Vec<String> = pits.clone().map(|pit| pit.to_string()).collect();
        let effort = Effort {
            nodes: analysis.nodes,
            probes: analysis.probes,
            seconds: start.elapsed().as_secs_f64(),
        };
        Estimate {
            game: game.to_string(),
            position: args::dashes(game, position),
            value,
            exact: value.is_some(),
            bounds: analysis.bounds,
            estimate: value.is_none().then_some(stones(analysis.estimate)),
            winner: winner(reached, analysis.bounds),
            stores_at_end: reached.stores.map(Stores::from),
            depth: analysis.depth,
            best: pits.into_iter().next(),
            moves: analysis.moves.iter().map(Move::new).collect(),
            line: line.join(" "),
            source: "search",
            effort,
            player: position.to_move(),
        }
    }
}

/// As much of a line as is played before the game is over.
fn played<'a, R: Estimated>(
    game: &Ruleset<R>,
    reached: &Reached<R>,
    line: &'a [usize],
) -> &'a [usize] {
    let mut play = Play::new(game, &reached.rules, reached.position);
    let sown = line.iter().take_while(|&&pit| play.sow(pit).is_ok()).count();
    &line[..sown]
}

/// Who wins, if that is certain.
fn winner<R: Estimated>(reached: &Reached<R>, bounds: [i32; 2]) -> Option<String> {
    let position = &reached.position;
    let mover = position.to_move();
    let ahead = match reached.stores {
        Some([south, north]) => {
            let margin = (i64::from(south) - i64::from(north)).signum();
            if mover == Player::South { margin } else { -margin }
        }
        None => {
            let [lower, upper] = bounds.map(|bound| (lead(position) + i64::from(bound)).signum());
            (lower == upper).then_some(lower)?
        }
    };
    Some(match ahead {
        0 => "draw".to_owned(),
        1 => mover.name().to_lowercase(),
        _ => mover.opponent().name().to_lowercase(),
    })
}

impl Report for Estimate {
    const COLUMNS: &'static [&'static str] =
        &["game", "position", "pit", "value", "estimate", "lower", "upper", "captured"];

    /// The position itself has no pit.
    fn rows(&self) -> Vec<Vec<String>> {
        let row = |pit: String, value: Option<i32>, estimate: Option<f64>, bounds: [i32; 2]| {
            let number = |number: Option<String>| number.unwrap_or_default();
            let worth =
                [number(value.map(|v| v.to_string())), number(estimate.map(|e| e.to_string()))];
            let place = [self.game.clone(), self.position.clone(), pit];
            let row = place.into_iter().chain(worth).chain(bounds.map(|bound| bound.to_string()));
            row.collect::<Vec<String>>()
        };
        let mut rows = vec![row(String::new(), self.value, self.estimate, self.bounds)];
        rows[0].push(String::new());
        for sowing in &self.moves {
            let mut cells =
                row(sowing.pit.to_string(), sowing.value, sowing.estimate, sowing.bounds);
            cells.push(sowing.captured.to_string());
            rows.push(cells);
        }
        rows
    }

    fn text(&self) -> String {
        let Estimate { game, position, bounds: [lower, upper], depth, effort, .. } = self;
        let player = self.player.name();
        let what = if self.exact { "value   " } else { "estimate" };
        let worth = worth(self.value, self.estimate);
        let mut text = format!("{game}\n{position}\n\n{what}  {worth} for {player}, to move");
        if !self.exact {
            let ply = if *depth == 1 { "sowing" } else { "sowings" };
            text += &format!(", {depth} {ply} ahead\nproved    {lower} to {upper}");
        }
        text += "\n";
        if let Some(winner) = &self.winner {
            text += &format!("result    {}\n", result(winner));
        }
        if let Some(best) = self.best {
            text += &format!("best      {best}\nline      {}\n", self.line);
        }
        if !self.moves.is_empty() {
            text += "\n pit  estimate  captured  proved\n";
        }
        for sowing in &self.moves {
            let Move { pit, bounds: [lower, upper], captured, value, .. } = sowing;
            let proved = match value {
                Some(_) => "exact".to_owned(),
                None => format!("{lower} to {upper}"),
            };
            text += &format!("{pit:>4}  {:>8}  {captured:>8}  {proved}\n", sowing.worth());
        }
        format!("{text}\n{effort}\n")
    }
}

fn result(winner: &str) -> &str {
    match winner {
        "south" => "South wins, proved",
        "north" => "North wins, proved",
        _ => "a draw, proved",
    }
}
