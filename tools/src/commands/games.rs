//! `mancala games`: the games there are.

use games::{AnyRuleset, GameSpec, OptionSpec, registry};
use serde::Serialize;

use crate::error::Error;
use crate::output::{Output, Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.output.write(&Games { games: registry::games().map(Game::new).collect() })
    }
}

#[derive(Serialize)]
struct Games {
    games: Vec<Game>,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    title: &'static str,
    source: &'static str,
    /// The canonical ruleset with nothing but the name given.
    default: String,
    cyclic: bool,
    options: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    play_only: bool,
    default: &'static str,
    default_when: Option<Condition>,
    values: Vec<Value>,
}

/// Another default, taken when an earlier option has some value.
#[derive(Serialize)]
struct Condition {
    option: &'static str,
    value: &'static str,
    default: &'static str,
}

#[derive(Serialize)]
struct Value {
    value: &'static str,
    meaning: &'static str,
}

impl Game {
    fn new(spec: &'static GameSpec) -> Game {
        Game {
            name: spec.name,
            title: spec.title,
            source: spec.source,
            default: spec
                .name
                .parse::<AnyRuleset>()
                .map_or_else(|_| String::new(), |r| r.to_string()),
            cyclic: spec.cyclic,
            options: spec.options.iter().map(Choice::new).collect(),
        }
    }

    fn text(&self) -> String {
        let Game { title, source, default, .. } = self;
        let options: String = self.options.iter().map(Choice::text).collect();
        format!("{title}\n  {default}\n  source: {source}\n{options}")
    }
}

impl Choice {
    fn new(spec: &'static OptionSpec) -> Choice {
        let value = |&(value, meaning)| Value { value, meaning };
        let condition = |(option, value, default)| Condition { option, value, default };
        Choice {
            name: spec.name,
            about: spec.about,
            source: spec.source,
            play_only: spec.play_only,
            default: spec.default,
            default_when: spec.default_when.map(condition),
            values: spec.values.iter().map(value).collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("\n  {}: {}\n  source: {}\n", self.name, self.about, self.source);
        let width = self.values.iter().map(|value| value.value.len()).max().unwrap_or(0);
        for Value { value, meaning } in &self.values {
            let mark = if *value == self.default { "*" } else { " " };
            text += &format!("  {mark} {value:width$}  {meaning}\n");
        }
        if let Some(Condition { option, value, default }) = &self.default_when {
            text += &format!("    with {option}={value} the default is {default}\n");
        }
        text
    }
}

impl Report for Games {
    const COLUMNS: &'static [&'static str] = &["game", "option", "value", "default", "meaning"];

    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for game in &self.games {
            for option in &game.options {
                for Value { value, meaning } in &option.values {
                    let default = (*value == option.default).to_string();
                    let cells = [game.name, option.name, value, &default, meaning];
                    rows.push(cells.map(str::to_owned).to_vec());
                }
            }
        }
        rows
    }

    fn text(&self) -> String {
        let games: Vec<String> = self.games.iter().map(Game::text).collect();
        format!("{}\n* is the default\n", games.join("\n"))
    }

    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.games.iter().map(serde_json::to_string).collect()
    }
}
