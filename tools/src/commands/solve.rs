//! `mancala solve`: exact values by search, or estimates of games too large for that.

use std::path::Path;
use std::time::Instant;

use games::toguz::Toguz;
use games::{AnyRuleset, Game, Player, Position, Rows, Ruleset};
use serde::Serialize;
use solver::estimate::{Ending, Estimated, Scope};
use solver::{Oracle, SearchError, for_each_turn, judge, turns};
use tablebase::build::folder::{BuildError, What, check_memory};
use tablebase::build::tuzdyks;
use tablebase::{NoTables, Tabled, Tables};

use super::TurnValue;
use super::estimate::Ahead;
use super::judged::Judged;
use super::known::Known;
use super::stopped::Stopped;
use crate::args::{self, Reached, Subject};
use crate::engine::{Allowed, Effort, Engine, Options};
use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject<AnyRuleset>,
    /// Prove only the value of the position
    #[arg(long, conflicts_with_all = ["winner", "turns"])]
    value_only: bool,
    /// Prove only who wins, the stores counted
    #[arg(long, conflicts_with = "turns")]
    winner: bool,
    /// Prove the value of every whole turn as well
    #[arg(long)]
    turns: bool,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    allowed: Allowed,
    #[command(flatten)]
    ahead: Ahead,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.subject.game {
            AnyRuleset::Toguz(game) => self.solve_toguz(game, &self.subject.reach_in(game)?),
            AnyRuleset::Sides(game) => self.solve(game, &self.subject.reach_in(game)?),
        }
    }

    fn solve_toguz(&self, game: &Ruleset<Toguz>, reached: &Reached<Toguz>) -> Result<(), Error> {
        let most = self.options.table_stones();
        if let Some(folder) = self.options.tables() {
            let most = most.unwrap_or(games::MAX_STONES);
            return self.over_tables(folder, game, reached, most);
        }
        match most {
            None => self.estimate(game, reached, &NoTables),
            Some(most) => self.estimate(game, reached, &self.layers(game, most)?),
        }
    }

    /// Builds layers of toguz in memory.
    fn layers(&self, game: &Ruleset<Toguz>, most: u32) -> Result<tuzdyks::Builder, Error> {
        let allowed = self.options.memory();
        let needed = check_memory(game, most, What::Values, allowed)?;
        let refused = |source| BuildError::Reserve { needed, source };
        let mut layers = tuzdyks::Builder::new(game, most);
        let fill = || (0..=most).try_for_each(|_| layers.fill_next(&|_| ()));
        self.options.pool()?.install(fill).map_err(refused)?;
        Ok(layers)
    }

    /// Looks the position up, or what a search from it comes to.
    fn over_tables<R: Estimated + Tabled>(
        &self,
        folder: &Path,
        game: &Ruleset<R>,
        reached: &Reached<R>,
        most: u32,
    ) -> Result<(), Error> {
        let tables = Tables::open(folder, game, most)?;
        let stones = reached.position.board().stones();
        if stones <= tables.most_stones() && !self.value_only {
            return self.look_up(folder, game, reached);
        }
        self.options.pool()?.install(|| tables.verify_checksums(stones))?;
        self.estimate(game, reached, &tables.into_resident(self.options.memory())?)
    }

    fn solve(&self, game: &Ruleset, reached: &Reached) -> Result<(), Error> {
        let folder = self.options.tables();
        if let (Some(folder), false) = (folder, game.has_values()) {
            return self.look_up(folder, game, reached);
        }
        if Estimated::can_estimate(game) {
            if self.options.table_stones().is_some() {
                let text = "tables of this game are built in files: mancala build GAME --stones N \
                            --tables DIR, then solve --tables DIR";
                return Err(Error::Usage(text.to_owned()));
            }
            return match folder {
                None => self.estimate(game, reached, &NoTables),
                Some(folder) => self.over_tables(folder, game, reached, games::MAX_STONES),
            };
        }
        if self.ahead.is_given() {
            let text = "--depth is for the estimates of toguz and bestemshe; this game is solved \
                        exactly, leave it out";
            return Err(Error::Usage(text.to_owned()));
        }
        let mut engine = self.options.engine(game, reached.position.board().stones())?;
        self.allowed.limit(&mut engine);
        let answer = self.answer(&mut engine, game, reached);
        match engine.finish(answer) {
            Err(Error::Search(error)) if error.is_stop() => {
                let stopped = Stopped::new(game, reached, &engine, &error);
                self.output.write(&stopped)?;
                // Who interrupts knows it from the exit code; a limit is no failure.
                if matches!(error, SearchError::Interrupted) { Err(error.into()) } else { Ok(()) }
            }
            answer => answer?.write(&self.output),
        }
    }

    /// What was asked for.
    fn answer(
        &self,
        engine: &mut Engine,
        game: &Ruleset,
        reached: &Reached,
    ) -> Result<Answer, SearchError> {
        let name = game.to_string();
        let position = args::dashes(game, &reached.position);
        let board = reached.position.board();
        if self.winner {
            let winner = winner(engine, &reached.position)?;
            let effort = engine.effort();
            return Ok(Answer::Winner(Winner {
                game: name,
                position,
                winner,
                exact: true,
                effort,
            }));
        }
        if self.value_only {
            engine.label(board, "value".to_owned(), 0, true);
            let value = engine.value(board)?;
            let (exact, bounds, effort) = (true, [value; 2], engine.effort());
            return Ok(Answer::Value(Value { game: name, position, value, exact, bounds, effort }));
        }
        let (judgement, turns) = self.judge(engine, game, reached)?;
        let judged = Judged::new(game, &reached.position, position, &judgement, "search");
        let (exact, bounds, effort) = (true, [judgement.value; 2], engine.effort());
        Ok(match turns {
            None => Answer::Solved(Solved { judged, exact, bounds: Some(bounds), effort }),
            Some(turns) => Answer::WithTurns(WithTurns { judged, turns, exact, bounds, effort }),
        })
    }

    /// Tells what the position seems to be worth.
    fn estimate<R: Estimated>(
        &self,
        game: &Ruleset<R>,
        reached: &Reached<R>,
        ending: &dyn Ending<R::Board>,
    ) -> Result<(), Error> {
        if self.winner || self.turns || self.options.keeps() {
            let text = "this game is estimated, not solved, and a turn is one sowing; leave out \
                        --winner, --turns, --checkpoint";
            return Err(Error::Usage(text.to_owned()));
        }
        let scope = if self.value_only { Scope::Value } else { Scope::Sowings };
        let how = (scope, &self.options);
        self.ahead.tell(game, reached, ending, how, (&self.allowed, &self.output))
    }

    /// Judges the position by tables: by bounds, where that is all there is.
    fn look_up<R: Tabled>(
        &self,
        folder: &Path,
        game: &Ruleset<R>,
        reached: &Reached<R>,
    ) -> Result<(), Error> {
        if self.value_only || self.winner || self.turns {
            let text = "what tables say of a position is told with its sowings; leave out \
                        --value-only, --winner, --turns";
            return Err(Error::Usage(text.to_owned()));
        }
        let start = Instant::now();
        let known = Known::open(folder, game, games::MAX_STONES, 0)?;
        let judged = known.judge(game, &reached.rules, &reached.position).map_err(|reason| {
            Error::Query { text: args::dashes(game, &reached.position), reason }
        })?;
        let effort = Effort { nodes: 0, probes: 0, seconds: start.elapsed().as_secs_f64() };
        let exact = judged.is_exact();
        self.output.write(&Solved { judged, exact, bounds: None, effort })
    }

    /// Judges the position and, if wanted, every turn.
    fn judge(
        &self,
        engine: &mut Engine,
        game: &Ruleset,
        Reached { rules, position, .. }: &Reached,
    ) -> Result<(solver::Judgement, Option<Vec<TurnValue>>), SearchError> {
        let board = position.board();
        if rules.remainder(board).is_none() {
            for pit in rules.legal(board) {
                let sown = rules.sow(board, pit);
                engine.label_turn((pit + 1).to_string(), 0, &sown);
            }
        }
        // First the question that matters most, in case there is no time for the others.
        if self.allowed.is_limited() || game.spec().cyclic {
            engine.value(board)?;
        }
        let mut found = None;
        if self.turns {
            for_each_turn(rules, board, &mut |turn, won, last| {
                engine.label_turn(turn.to_string(), won, last);
                Ok::<_, SearchError>(())
            })?;
            let values = turns(rules, engine, board)?.into_iter();
            let values = values.map(|(turn, value)| TurnValue::new(&turn, value));
            found = Some(values.collect());
        }
        Ok((judge(rules, engine, position)?, found))
    }
}

/// Who wins: two null windows at most.
fn winner(engine: &mut Engine, position: &Position) -> Result<Option<Player>, SearchError> {
    let stores = position.stores().map(|store| store as i32);
    let player = position.to_move();
    // The mover wins if he gains more than the lead of the opponent.
    let lead = stores[player.opponent() as usize] - stores[player as usize];
    let board = position.board();
    Ok(if engine.at_least(board, lead + 1)? {
        Some(player)
    } else if engine.at_least(board, lead)? {
        None
    } else {
        Some(player.opponent())
    })
}

/// A question answered in full.
enum Answer {
    Value(Value),
    Winner(Winner),
    Solved(Solved),
    WithTurns(WithTurns),
}

impl Answer {
    fn write(&self, output: &Output) -> Result<(), Error> {
        match self {
            Answer::Value(answer) => output.write(answer),
            Answer::Winner(answer) => output.write(answer),
            Answer::Solved(answer) => output.write(answer),
            Answer::WithTurns(answer) => output.write(answer),
        }
    }
}

#[derive(Serialize)]
struct Value {
    game: String,
    position: String,
    value: i32,
    exact: bool,
    bounds: [i32; 2],
    #[serde(flatten)]
    effort: Effort,
}

impl Report for Value {
    const COLUMNS: &'static [&'static str] = &["game", "position", "value"];

    fn rows(&self) -> Vec<Vec<String>> {
        vec![vec![self.game.clone(), self.position.clone(), self.value.to_string()]]
    }

    fn text(&self) -> String {
        let Value { game, position, value, effort, .. } = self;
        format!("{game}\n{position}\n\nvalue  {value} for the player to move\n\n{effort}\n")
    }
}

#[derive(Serialize)]
struct Winner {
    game: String,
    position: String,
    #[serde(serialize_with = "name")]
    winner: Option<Player>,
    exact: bool,
    #[serde(flatten)]
    effort: Effort,
}

fn name<S: serde::Serializer>(winner: &Option<Player>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&winner_name(*winner))
}

fn winner_name(winner: Option<Player>) -> String {
    winner.map_or("draw".to_owned(), |player| player.name().to_lowercase())
}

impl Report for Winner {
    const COLUMNS: &'static [&'static str] = &["game", "position", "winner"];

    fn rows(&self) -> Vec<Vec<String>> {
        vec![vec![self.game.clone(), self.position.clone(), winner_name(self.winner)]]
    }

    fn text(&self) -> String {
        let Winner { game, position, winner, effort, .. } = self;
        let result = winner.map_or("a draw".to_owned(), |player| format!("{} wins", player.name()));
        format!("{game}\n{position}\n\n{result}\n\n{effort}\n")
    }
}

#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    judged: Judged,
    exact: bool,
    /// `None` where the judgement itself tells bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[i32; 2]>,
    #[serde(flatten)]
    effort: Effort,
}

impl Report for Solved {
    const COLUMNS: &'static [&'static str] = Judged::COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        self.judged.rows()
    }

    fn text(&self) -> String {
        format!("{}\n{}\n", self.judged.text(), self.effort)
    }
}

#[derive(Serialize)]
struct WithTurns {
    #[serde(flatten)]
    judged: Judged,
    turns: Vec<TurnValue>,
    exact: bool,
    bounds: [i32; 2],
    #[serde(flatten)]
    effort: Effort,
}

impl Report for WithTurns {
    const COLUMNS: &'static [&'static str] = &["game", "position", "turn", "value"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |TurnValue { turn, value }: &TurnValue| {
            let [game, position] = self.judged.place();
            vec![game, position, turn.clone(), value.to_string()]
        };
        self.turns.iter().map(row).collect()
    }

    fn text(&self) -> String {
        let mut turns: Vec<&TurnValue> = self.turns.iter().collect();
        turns.sort_by_key(|turn| std::cmp::Reverse(turn.value));
        let list = turns.iter().map(|TurnValue { turn, value }| format!("{value:>5}  {turn}\n"));
        let heading = if turns.is_empty() { "" } else { "\nevery turn, the best first\n\n" };
        let list: String = list.collect();
        format!("{}{heading}{list}\n{}\n", self.judged.text(), self.effort)
    }
}
