//! What was played in recorded games, beside what it is worth.
//!
//! The statistics are the JSON of `mancala games-stats`: a tree of turns, each with its count, the
//! results of its games, their mean margin, and the turns that followed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use solver::Tree;

use super::Opening;
use crate::error::Error;

/// The part of the statistics that is read here.
#[derive(Deserialize)]
struct Recorded {
    #[serde(default)]
    game: Option<String>,
    openings: Vec<Counted>,
}

/// A turn of recorded games.
#[derive(Deserialize)]
struct Counted {
    turn: String,
    count: u64,
    #[serde(default)]
    results: Results,
    /// The mean of the final stores, South's less North's, over games of known result.
    #[serde(default)]
    mean_margin: Option<f64>,
    #[serde(default)]
    replies: Vec<Counted>,
}

/// Games by the winner. Games without a result are in none.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    south: u64,
    draw: u64,
    north: u64,
}

/// Statistics laid over a tree: positions that several lines reach have those of all lines.
pub(crate) struct Statistics {
    /// By level and index of the position, for each index of a turn.
    positions: HashMap<(usize, usize), BTreeMap<usize, Sum>>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    count: u64,
    results: Results,
    /// Sum of the margins, and the games that it is over.
    margins: (f64, u64),
}

/// How a turn was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) count: u64,
    /// Of the games that came to the position.
    pub(crate) share: f64,
    pub(crate) results: Results,
    /// Points a game for the player: 1 for a win, a half for a draw.
    pub(crate) score: Option<f64>,
    /// South's store less North's at the end.
    pub(crate) mean_margin: Option<f64>,
}

/// What players do against what they should.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Practice {
    /// For each turn number, from the first.
    turns: Vec<Level>,
    /// Turns that are not best, those played most often first.
    mistakes: Vec<Mistake>,
}

/// How well the turns of one number are played.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Level {
    number: usize,
    /// Turns of recorded games.
    count: u64,
    /// The share of them that held the value.
    best: f64,
    /// Stones that they gave away on average.
    mean_loss: f64,
    /// Positions, and those of them in which the turn played most is best.
    positions: u64,
    favourite_best: u64,
}

/// A turn that gives something away.
#[derive(Clone, Serialize, Deserialize)]
struct Mistake {
    line: String,
    turn: String,
    player: String,
    count: u64,
    share: f64,
    loss: i32,
    verdict: String,
    best: Vec<String>,
}

impl Statistics {
    /// Lays the statistics of a file over the tree of a game.
    pub(crate) fn read(path: &Path, game: &str, tree: &Tree) -> Result<Statistics, Error> {
        let wrong = |reason| Error::Statistics { path: path.to_owned(), reason };
        let text = fs::read_to_string(path).map_err(wrong)?;
        let recorded: Recorded =
            serde_json::from_str(&text).map_err(|error| wrong(error.into()))?;
        if let Some(of) = recorded.game.filter(|of| of != game) {
            return Err(wrong(io::Error::other(format!("they are of {of}, not of {game}"))));
        }
        let mut statistics = Statistics { positions: HashMap::new() };
        statistics
            .lay(tree, 0, 0, &recorded.openings)
            .map_err(|reason| wrong(io::Error::other(reason)))?;
        Ok(statistics)
    }

    fn lay(
        &mut self,
        tree: &Tree,
        depth: usize,
        place: usize,
        turns: &[Counted],
    ) -> Result<(), String> {
        if depth + 1 >= tree.levels().len() {
            return Ok(());
        }
        let node = &tree.levels()[depth][place];
        for counted in turns {
            let found =
                node.turns.iter().position(|branch| branch.turn.to_string() == counted.turn);
            let index = found.ok_or_else(|| {
                let after = match node.line.to_string() {
                    line if line.is_empty() => "at the start".to_owned(),
                    line => format!("after `{line}`"),
                };
                format!("{after} the turn `{}` is not to be played", counted.turn)
            })?;
            self.positions
                .entry((depth, place))
                .or_default()
                .entry(index)
                .or_default()
                .add(counted);
            self.lay(tree, depth + 1, node.turns[index].next, &counted.replies)?;
        }
        Ok(())
    }

    /// How a turn of a position was played; `None` if it was not.
    pub(crate) fn of(&self, depth: usize, place: usize, index: usize) -> Option<Played> {
        let turns = self.positions.get(&(depth, place))?;
        let sum = turns.get(&index)?;
        let all: u64 = turns.values().map(|sum| sum.count).sum();
        let Results { south, draw, north } = sum.results;
        let (games, wins) =
            (south + draw + north, if depth.is_multiple_of(2) { south } else { north });
        let points = wins as f64 + draw as f64 / 2.0;
        Some(Played {
            count: sum.count,
            share: sum.count as f64 / all.max(1) as f64,
            results: sum.results,
            score: (games > 0).then(|| points / games as f64),
            mean_margin: (sum.margins.1 > 0).then(|| sum.margins.0 / sum.margins.1 as f64),
        })
    }
}

impl Sum {
    fn add(&mut self, counted: &Counted) {
        self.count = self.count.saturating_add(counted.count);
        let Results { south, draw, north } = counted.results;
        self.results.south = self.results.south.saturating_add(south);
        self.results.draw = self.results.draw.saturating_add(draw);
        self.results.north = self.results.north.saturating_add(north);
        if let Some(margin) = counted.mean_margin {
            self.margins.0 += margin * counted.count as f64;
            self.margins.1 = self.margins.1.saturating_add(counted.count);
        }
    }
}

impl Played {
    /// Count, share, score and mean margin as cells of a table; empty if the turn was not played.
    pub(crate) fn cells(played: Option<&Played>) -> [String; 4] {
        let number = |number: Option<f64>| number.map_or(String::new(), |n| format!("{n:.4}"));
        played.map_or_else(Default::default, |played| {
            let share = number(Some(played.share));
            [played.count.to_string(), share, number(played.score), number(played.mean_margin)]
        })
    }

    pub(super) fn text(&self) -> String {
        let score =
            self.score.map_or(String::new(), |score| format!(", scores {:.1} %", 100.0 * score));
        format!("; played {} times, {:.1} %{score}", self.count, 100.0 * self.share)
    }
}

impl Practice {
    /// Compares the turns of the positions of a book.
    pub(crate) fn new(positions: &[Opening]) -> Practice {
        let mut levels: Vec<Level> = Vec::new();
        let mut mistakes = Vec::new();
        for opening in positions {
            let number = opening.line.split_whitespace().count();
            if levels.len() <= number {
                levels.resize_with(number + 1, Level::default);
            }
            levels[number].number = number + 1;
            levels[number].add(opening);
            mistakes.extend(opening.turns.iter().filter_map(|reply| {
                let played = reply.played.as_ref().filter(|_| reply.loss > 0)?;
                Some(Mistake {
                    line: opening.line.clone(),
                    turn: reply.turn.clone(),
                    player: opening.player.clone(),
                    count: played.count,
                    share: played.share,
                    loss: reply.loss,
                    verdict: reply.verdict.clone(),
                    best: opening.best.clone(),
                })
            }));
        }
        for level in &mut levels {
            let count = level.count.max(1) as f64;
            level.best /= count;
            level.mean_loss /= count;
        }
        // A stable sort: equally frequent ones stay in the order of play.
        mistakes.sort_by_key(|mistake| std::cmp::Reverse(mistake.count));
        Practice { turns: levels, mistakes }
    }

    pub(super) fn text(&self) -> String {
        let mut text = "\nplayed against exact\n".to_owned();
        for Level { number, count, best, mean_loss, positions, favourite_best } in &self.turns {
            text += &format!(
                "  turn {number}: {count} played, {:.1} % of them best, {mean_loss:.2} stones given \
                 away; the usual turn is best in {favourite_best} of {positions} positions\n",
                100.0 * best
            );
        }
        text += "\nmistakes made most\n";
        for mistake in self.mistakes.iter().take(20) {
            let Mistake { line, turn, count, share, verdict, best, .. } = mistake;
            let (share, best) = (100.0 * share, best.join(", "));
            let at = if line.is_empty() { String::new() } else { format!("{line} ") };
            text += &format!("  {count:>8}  {share:>5.1} %  {at}{turn}: {verdict}; best {best}\n");
        }
        text
    }
}

impl Level {
    /// Adds a position; `best` and `mean_loss` are sums so far.
    fn add(&mut self, opening: &Opening) {
        let played = opening.turns.iter().filter_map(|reply| Some((reply, reply.played.as_ref()?)));
        for (reply, played) in played.clone() {
            self.count += played.count;
            self.best += if reply.loss == 0 { played.count as f64 } else { 0.0 };
            self.mean_loss += f64::from(reply.loss) * played.count as f64;
        }
        if let Some((favourite, _)) = played.max_by_key(|(_, played)| played.count) {
            self.positions += 1;
            self.favourite_best += u64::from(favourite.loss == 0);
        }
    }
}
