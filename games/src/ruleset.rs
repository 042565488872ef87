//! Games with every option fixed, and their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::playable::{Builder, Playable};
use crate::position::Position;
use crate::registry::{self, Rules};
use crate::rows::Rows;
use crate::side::MAX_PITS;
use crate::toguz::Toguz;

/// A game as the registry lists it: its name, its usual board and its options.
#[derive(Debug)]
pub struct GameSpec {
    /// The name users write.
    pub name: &'static str,
    /// The game in one line.
    pub title: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// Pits a side and stones a pit when the user names none.
    pub default_size: (usize, u32),
    /// Whether a position can recur, so that play need not end by itself.
    pub cyclic: bool,
    /// The options, in the order of the canonical ruleset string.
    pub options: &'static [OptionSpec],
    /// Makes the rules of a ruleset of this game.
    pub build: Build,
}

/// Makes the rules of a ruleset: each type of rules is of another type of board.
#[derive(Debug)]
pub enum Build {
    /// On two packed [sides](crate::Side).
    Sides(Builder<Rules>),
    /// On the board of toguz kumalak.
    Toguz(Builder<Toguz>),
}

/// One option of a game.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name users write.
    pub name: &'static str,
    /// What the option decides.
    pub about: &'static str,
    /// Where the option comes from.
    pub source: &'static str,
    /// Whether the option decides only when play stops, never what a position is worth.
    pub play_only: bool,
    /// Its values, each with its meaning.
    pub values: &'static [(&'static str, &'static str)],
    /// The value taken when the user gives none.
    pub default: &'static str,
    /// Another default that a value of an earlier option brings:
    /// `(option, value, default)`.
    pub default_when: Option<(&'static str, &'static str, &'static str)>,
}

/// `stop`: whether play ends as soon as the result is certain.
pub(crate) const STOP_MAJORITY: OptionSpec = OptionSpec {
    name: "stop",
    about: "when play stops before the board is finished",
    source: "tournament practice; values stay those of full play",
    play_only: true,
    values: &[
        ("none", "play goes on until the board is finished"),
        ("majority", "play stops when a store holds more than half of all stones"),
    ],
    default: "none",
    default_when: None,
};

/// A game with every option fixed. Its [`Display`](fmt::Display) form is the canonical ruleset
/// string, which [`FromStr`] reads back, with anything left out at its default.
///
/// `R` are the rules it makes; games of other rules are refused. [`AnyRuleset`] takes all.
#[derive(Clone)]
pub struct Ruleset<R = Rules> {
    spec: &'static GameSpec,
    pits: usize,
    seeds: u32,
    /// For each option of the game the index of its value.
    choices: Vec<usize>,
    build: Builder<R>,
}

/// A ruleset of any game of the [registry].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyRuleset {
    /// On two packed [sides](crate::Side).
    Sides(Ruleset),
    /// On the board of toguz kumalak.
    Toguz(Ruleset<Toguz>),
}

impl fmt::Display for AnyRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyRuleset::Sides(ruleset) => ruleset.fmt(f),
            AnyRuleset::Toguz(ruleset) => ruleset.fmt(f),
        }
    }
}

impl FromStr for AnyRuleset {
    type Err = RulesetError;

    fn from_str(text: &str) -> Result<AnyRuleset, RulesetError> {
        match text.parse() {
            Err(RulesetError::Tuzdyks(_)) => text.parse().map(AnyRuleset::Toguz),
            ruleset => ruleset.map(AnyRuleset::Sides),
        }
    }
}

impl AnyRuleset {
    /// As [`Ruleset::from_table_key`], of any game.
    ///
    /// # Errors
    /// No ruleset has this key.
    pub fn from_table_key(key: &str) -> Result<AnyRuleset, RulesetError> {
        let sides = Ruleset::from_table_key(key).map(AnyRuleset::Sides);
        sides.or_else(|_| Ruleset::from_table_key(key).map(AnyRuleset::Toguz))
    }
}

/// When play stops before the board is finished: the option `stop`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Not before.
    Never,
    /// When a store holds more than half of all stones.
    Majority,
    /// When a store holds this many stones or more.
    At(u32),
}

impl Stop {
    /// Whether play stops at a position.
    #[inline]
    #[must_use]
    pub fn reached<B: Rows>(self, position: &Position<B>) -> bool {
        match self {
            Stop::Never => false,
            Stop::Majority => position.has_majority(),
            Stop::At(stones) => position.stores().iter().any(|&store| store >= stones),
        }
    }
}

/// Why a ruleset string was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    /// The registry has no such game.
    #[error("unknown game `{name}`; known games: {known}")]
    Game {
        /// What was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The size is not of the form `PITSxSEEDS`.
    #[error("board size `{0}` is not PITSxSEEDS, for example 6x4")]
    Size(String),
    /// The board does not fit the packing.
    #[error(
        "a board of {pits}x{seeds} does not fit: 1 to {MAX_PITS} pits a side and at most \
         {most} stones on the board are possible"
    )]
    TooLarge {
        /// Stones that fit.
        most: u32,
        /// Pits a side.
        pits: u32,
        /// Stones a pit.
        seeds: u32,
    },
    /// The game has no such option.
    #[error("{game} has no option `{option}`; its options: {known}")]
    Option {
        /// The game.
        game: &'static str,
        /// What was given.
        option: String,
        /// The options there are.
        known: String,
    },
    /// The option has no such value.
    #[error("option `{option}` of {game} cannot be `{value}`; its values: {known}")]
    Value {
        /// The game.
        game: &'static str,
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
        /// The values there are.
        known: String,
    },
    /// No ruleset has this table key.
    #[error("`{0}` is not the table key of any ruleset known here")]
    Key(String),
    /// Only games on two packed sides are asked for.
    #[error(
        "{0} is not for this command, because of its tuzdyks; it can be shown, counted and estimated \
         (show, perft, solve), and tables of it be built and asked (build, verify, stats, query)"
    )]
    Tuzdyks(&'static str),
    /// A game without tuzdyks in place of toguz kumalak.
    #[error("{0} is not a game with tuzdyks, which is asked for here")]
    NoTuzdyks(&'static str),
    /// An option was given twice.
    #[error("option `{0}` is given twice")]
    Twice(&'static str),
}

impl<R: Playable> Ruleset<R> {
    /// The game's entry in the registry.
    #[must_use]
    pub fn spec(&self) -> &'static GameSpec {
        self.spec
    }

    /// Pits a side.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// Stones a pit at the start.
    #[must_use]
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// All stones of the start position.
    #[must_use]
    pub fn stones(&self) -> u32 {
        2 * self.pits as u32 * self.seeds
    }

    /// The value chosen for an option; `None` if the game has no option of this name.
    #[must_use]
    pub fn choice(&self, option: &str) -> Option<&'static str> {
        self.chosen().find(|(spec, _)| spec.name == option).map(|(_, value)| value)
    }

    /// The same ruleset with another value of an option; `None` if the game has no such option
    /// or the option no such value.
    #[must_use]
    pub fn with(&self, option: &str, value: &str) -> Option<Ruleset<R>> {
        let (index, choice) = parse_choice(self.spec, option, value).ok()?;
        let mut choices = self.choices.clone();
        choices[index] = choice;
        Some(Ruleset { choices, ..self.clone() })
    }

    /// The options with the values chosen, in canonical order.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static OptionSpec, &'static str)> + '_ {
        self.spec.options.iter().zip(&self.choices).map(|(spec, &i)| (spec, spec.values[i].0))
    }

    /// When play stops before the board is finished.
    #[must_use]
    pub fn stop(&self) -> Stop {
        match self.choice("stop") {
            None | Some("none") => Stop::Never,
            Some(number) => number.parse().map_or(Stop::Majority, Stop::At),
        }
    }

    /// Whether each position has a value of its own. It has none under rules of repetition by which
    /// it is worth something else after another history.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.choice("repetition").is_none_or(|rule| rule == "split")
    }

    /// Whether every value has the parity of the stones on the board: play ends, and each stone
    /// goes to a player.
    #[must_use]
    pub fn has_parity(&self) -> bool {
        !self.spec.cyclic && self.choice("remainder") != Some("none")
    }

    /// The rules, ready to play.
    #[must_use]
    pub fn rules(&self) -> R {
        (self.build)(self)
    }

    /// What values depend on: the canonical string without the stones a pit and without the
    /// options that only stop play. All rulesets of one key share their tables.
    #[must_use]
    pub fn table_key(&self) -> String {
        let mut key = format!("{}:{}", self.spec.name, self.pits);
        for (option, value) in self.chosen().filter(|(option, _)| !option.play_only) {
            key += &format!(",{}={value}", option.name);
        }
        key
    }
}

impl<R: Playable> Ruleset<R> {
    /// A ruleset of a table key: with the game's usual stones a pit and the defaults of options
    /// that only stop play, which the key leaves open.
    ///
    /// # Errors
    /// No ruleset has this key.
    pub fn from_table_key(key: &str) -> Result<Ruleset<R>, RulesetError> {
        let (name, rest) = key.split_once(':').unwrap_or((key, ""));
        let (pits, options) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
        registry::find(name)
            .map(|spec| format!("{name}:{pits}x{}{options}", spec.default_size.1))
            .and_then(|text| text.parse().ok())
            .filter(|ruleset: &Ruleset<R>| ruleset.table_key() == key)
            .ok_or_else(|| RulesetError::Key(key.to_owned()))
    }
}

impl<R: Playable> fmt::Display for Ruleset<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}x{}", self.spec.name, self.pits, self.seeds)?;
        self.chosen().try_for_each(|(option, value)| write!(f, ",{}={value}", option.name))
    }
}

impl<R: Playable> fmt::Debug for Ruleset<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ruleset({self})")
    }
}

impl<R: Playable> PartialEq for Ruleset<R> {
    fn eq(&self, other: &Ruleset<R>) -> bool {
        self.to_string() == other.to_string()
    }
}

impl<R: Playable> Eq for Ruleset<R> {}

impl<R: Playable> FromStr for Ruleset<R> {
    type Err = RulesetError;

    fn from_str(text: &str) -> Result<Ruleset<R>, RulesetError> {
        let mut parts = text.trim().split(',');
        let head = parts.next().unwrap_or_default();
        let (name, size) = match head.split_once(':') {
            Some((name, size)) => (name, Some(size)),
            None => (head, None),
        };
        let spec = registry::find(name).ok_or_else(|| RulesetError::Game {
            name: name.to_owned(),
            known: join(registry::games().map(|spec| spec.name)),
        })?;
        let build = R::builder(&spec.build, spec.name)?;
        let most = R::Board::MAX_STONES;
        let (pits, seeds) = size.map_or(Ok(spec.default_size), |size| parse_size(size, most))?;
        let mut given = vec![None; spec.options.len()];
        for part in parts {
            let (option, value) = part.split_once('=').unwrap_or((part, ""));
            let (index, choice) = parse_choice(spec, option, value)?;
            if given[index].replace(choice).is_some() {
                return Err(RulesetError::Twice(spec.options[index].name));
            }
        }
        let choices = fill_defaults(spec, &given);
        Ok(Ruleset { spec, pits, seeds, choices, build })
    }
}

fn parse_size(size: &str, most: u32) -> Result<(usize, u32), RulesetError> {
    // `parse` would read a sign as well.
    let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let parse = |text: &str| Some(text).filter(digits)?.parse::<u32>().ok();
    let (pits, seeds) = size
        .split_once('x')
        .and_then(|(pits, seeds)| Some((parse(pits)?, parse(seeds)?)))
        .ok_or_else(|| RulesetError::Size(size.to_owned()))?;
    let stones = u64::from(pits) * u64::from(seeds) * 2;
    if !(1..=MAX_PITS as u32).contains(&pits) || stones > u64::from(most) {
        return Err(RulesetError::TooLarge { most, pits, seeds });
    }
    Ok((pits as usize, seeds))
}

/// The index of an option and of its value.
fn parse_choice(
    spec: &'static GameSpec,
    option: &str,
    value: &str,
) -> Result<(usize, usize), RulesetError> {
    let index = spec.options.iter().position(|known| known.name == option).ok_or_else(|| {
        RulesetError::Option {
            game: spec.name,
            option: option.to_owned(),
            known: join(spec.options.iter().map(|known| known.name)),
        }
    })?;
    let values = spec.options[index].values;
    let choice = values.iter().position(|(known, _)| *known == value).ok_or_else(|| {
        RulesetError::Value {
            game: spec.name,
            option: spec.options[index].name,
            value: value.to_owned(),
            known: join(values.iter().map(|(known, _)| *known)),
        }
    })?;
    Ok((index, choice))
}

/// Completes what the user gave, option by option, in canonical order.
fn fill_defaults(spec: &'static GameSpec, given: &[Option<usize>]) -> Vec<usize> {
    let mut choices: Vec<usize> = Vec::with_capacity(given.len());
    for (option, given) in spec.options.iter().zip(given) {
        let brought = option.default_when.filter(|(name, value, _)| {
            let earlier = spec.options.iter().zip(&choices);
            earlier.clone().any(|(o, &c)| o.name == *name && o.values[c].0 == *value)
        });
        let default = brought.map_or(option.default, |(_, _, default)| default);
        let index = option.values.iter().position(|(value, _)| *value == default);
        choices.push(given.or(index).expect("a default is one of the option's values"));
    }
    choices
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
