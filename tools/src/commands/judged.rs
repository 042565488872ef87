//! A judged position, as every command that judges one tells it.

use games::{Playable, Player, Position, Ruleset};
use serde::Serialize;
use solver::{Bounded, Judgement};
use tablebase::Interval;

use super::Stores;
use super::children::Children;
use crate::error::Error;

/// What is exactly known of a position.
#[derive(Serialize)]
pub(crate) struct Judged {
    game: String,
    position: String,
    /// `None` where it hangs on what becomes of repetitions.
    value: Option<i32>,
    #[serde(flatten)]
    bounds: Option<Bounds>,
    #[serde(rename = "final")]
    stores_at_end: Option<Stores>,
    best: Option<String>,
    moves: Vec<Move>,
    line: String,
    source: &'static str,
    #[serde(flatten)]
    children: Option<Children>,
    #[serde(skip)]
    player: Player,
    #[serde(skip)]
    cut: bool,
}

#[derive(Serialize)]
struct Move {
    pit: usize,
    value: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[i32; 2]>,
    captured: u8,
    again: bool,
}

/// What holds under every rule of repetition.
#[derive(Serialize)]
struct Bounds {
    bounds: [i32; 2],
    /// Whether they meet.
    rule_independent: bool,
    /// Pits that make sure of the lower bound.
    keep_lower: Vec<usize>,
    /// Pits that leave the upper bound possible.
    keep_upper: Vec<usize>,
}

impl Bounds {
    fn new(bounded: &Bounded) -> Bounds {
        Bounds {
            bounds: pair(bounded.bounds),
            rule_independent: bounded.bounds.value().is_some(),
            keep_lower: bounded.keeping_lower().map(|pit| pit + 1).collect(),
            keep_upper: bounded.keeping_upper().map(|pit| pit + 1).collect(),
        }
    }

    fn text(&self) -> String {
        let [lower, upper] = self.bounds;
        if self.rule_independent {
            return "rules  the same value under every rule of repetition\n".to_owned();
        }
        let pits = |pits: &[usize]| {
            let pits: Vec<String> = pits.iter().map(ToString::to_string).collect();
            pits.join(", ")
        };
        let mut text = format!("rules  {lower} to {upper}, as repetitions from here on count\n");
        if !self.keep_lower.is_empty() {
            text += &format!("       at least {lower} by {}\n", pits(&self.keep_lower));
            text += &format!("       up to {upper} by {}\n", pits(&self.keep_upper));
        }
        text
    }
}

fn pair(bounds: Interval) -> [i32; 2] {
    [bounds.lower, bounds.upper]
}

impl Judged {
    /// The fields of the object.
    pub(crate) const FIELDS: &'static [&'static str] = &[
        "game",
        "position",
        "value",
        "bounds",
        "rule_independent",
        "keep_lower",
        "keep_upper",
        "final",
        "best",
        "moves",
        "line",
        "source",
        Judged::CHILDREN,
    ];

    /// The field of [`Judged::with_children`].
    pub(crate) const CHILDREN: &'static str = "children";

    pub(crate) const COLUMNS: &'static [&'static str] =
        &["game", "position", "pit", "value", "captured", "again", "lower", "upper"];

    /// `dashes` is the position in the dash form.
    pub(crate) fn new<R: Playable>(
        game: &Ruleset<R>,
        position: &Position<R::Board>,
        dashes: String,
        judgement: &Judgement,
        source: &'static str,
    ) -> Judged {
        let sowing = |sowing: &solver::Move| Move {
            pit: sowing.pit + 1,
            value: Some(sowing.value),
            bounds: None,
            captured: sowing.captured,
            again: sowing.again,
        };
        Judged {
            game: game.to_string(),
            position: dashes,
            value: Some(judgement.value),
            bounds: None,
            stores_at_end: judgement.stores.map(Stores::from),
            best: judgement.best().map(ToString::to_string),
            moves: judgement.moves.iter().map(sowing).collect(),
            line: judgement.line.to_string(),
            source,
            children: None,
            player: position.to_move(),
            cut: judgement.cut,
        }
    }

    /// A position that has bounds and no value of its own, unless they meet.
    pub(crate) fn bounded<R: Playable>(
        game: &Ruleset<R>,
        position: &Position<R::Board>,
        dashes: String,
        bounded: &Bounded,
    ) -> Judged {
        let moves = bounded.moves.iter().map(|sowing| Move {
            pit: sowing.pit + 1,
            value: sowing.bounds.value(),
            bounds: Some(pair(sowing.bounds)),
            captured: sowing.captured,
            again: false,
        });
        Judged {
            game: game.to_string(),
            position: dashes,
            value: bounded.bounds.value(),
            bounds: Some(Bounds::new(bounded)),
            stores_at_end: bounded.stores.map(Stores::from),
            best: bounded.line.turns().first().map(ToString::to_string),
            moves: moves.collect(),
            line: bounded.line.to_string(),
            source: "table",
            children: None,
            player: position.to_move(),
            cut: false,
        }
    }

    /// Whether the value is known.
    pub(crate) fn is_exact(&self) -> bool {
        self.value.is_some()
    }

    /// Adds what holds under every rule of repetition.
    pub(crate) fn with_bounds(mut self, bounded: &Bounded) -> Judged {
        self.bounds = Some(Bounds::new(bounded));
        for (sowing, bounded) in self.moves.iter_mut().zip(&bounded.moves) {
            sowing.bounds = Some(pair(bounded.bounds));
        }
        self
    }

    /// Told as the published awari database tells positions.
    pub(crate) fn with_children<R: Playable>(
        mut self,
        game: &Ruleset<R>,
        position: &Position<R::Board>,
    ) -> Result<Judged, Error> {
        let exact = |sowing: &Move| Some((sowing.pit, sowing.value?));
        let moves: Option<Vec<_>> = self.moves.iter().map(exact).collect();
        let (Some(value), Some(moves)) = (self.value, moves) else {
            let text = "--children tells exact values, which this rule of repetition leaves open; \
                        ask with repetition=split";
            return Err(Error::Usage(text.to_owned()));
        };
        self.children = Some(Children::new(game, position, value, moves.into_iter()));
        Ok(self)
    }

    /// A field of the object by its name; null if there is no such field.
    pub(crate) fn field(&self, name: &str) -> serde_json::Value {
        let object = serde_json::to_value(self);
        object.map(|mut object| object[name].take()).unwrap_or_default()
    }

    fn outcome(&self) -> String {
        let Some(Stores { south, north }) = self.stores_at_end else {
            let end = if self.cut {
                "the line is cut before its end"
            } else {
                "play goes round without end"
            };
            return end.to_owned();
        };
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => format!("South wins {south} to {north}"),
            std::cmp::Ordering::Less => format!("North wins {north} to {south}"),
            std::cmp::Ordering::Equal => format!("a draw, {south} each"),
        }
    }

    /// The game and the position, as every row names them.
    pub(crate) fn place(&self) -> [String; 2] {
        [self.game.clone(), self.position.clone()]
    }

    /// One row a sowing.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let row = |sowing: &Move| {
            let Move { pit, value, bounds, captured, again } = sowing;
            let number = |number: Option<i32>| number.map_or(String::new(), |n| n.to_string());
            let cells = [pit.to_string(), number(*value), captured.to_string(), again.to_string()];
            let bounds = [0, 1].map(|which| number(bounds.map(|bounds| bounds[which])));
            self.place().into_iter().chain(cells).chain(bounds).collect()
        };
        self.moves.iter().map(row).collect()
    }

    pub(crate) fn text(&self) -> String {
        if let Some(children) = &self.children {
            return children.text();
        }
        let Judged { game, position, value, line, .. } = self;
        let player = self.player.name();
        let mut text = format!("{game}\n{position}\n\n");
        text += &match value {
            Some(value) => format!("value  {value} for {player}, to move: {}\n", self.outcome()),
            None => format!("value  hangs on repetitions, for {player}, to move\n"),
        };
        text += &self.bounds.as_ref().map_or(String::new(), Bounds::text);
        if let Some(best) = &self.best {
            text += &format!("best   {best}\nline   {line}\n");
        }
        if !self.moves.is_empty() {
            text += "\n pit  value  captured\n";
        }
        for Move { pit, value, bounds, captured, again } in &self.moves {
            let again = if *again { "  sows again" } else { "" };
            let value = value.map_or("?".to_owned(), |value| value.to_string());
            let rules = match bounds {
                Some([lower, upper]) if lower != upper => format!("  {lower} to {upper}"),
                _ => String::new(),
            };
            text += &format!("{pit:>4}  {value:>5}  {captured:>8}{again}{rules}\n");
        }
        text
    }
}
