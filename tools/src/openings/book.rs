//! The book: what is told of a tree.

use games::{Player, Position, Ruleset};
use serde::{Deserialize, Serialize};
use solver::{Branch, Ends, Node, Verdict};

use super::Solution;
use super::played::{Played, Practice, Statistics};
use crate::args;
use crate::engine::Effort;
use crate::output::Report;

/// The exact tree of the first turns of a game.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) game: String,
    pub(crate) command: String,
    pub(crate) program: String,
    /// How many turns the tree has.
    pub(crate) turns: usize,
    /// Lines of so many turns by who wins when best play follows them.
    pub(crate) ends: Lines,
    /// Boards of the tree that this run solved; those before came from the store.
    pub(crate) solved: usize,
    #[serde(flatten)]
    pub(crate) effort: Effort,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) practice: Option<Practice>,
    /// The positions before each turn, in the order of play.
    pub(crate) positions: Vec<Opening>,
}

/// Numbers of lines by the winner.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) south: u64,
    pub(crate) draw: u64,
    pub(crate) north: u64,
}

/// A position of the book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// The first line that reaches it, by pits.
    pub(crate) line: String,
    /// How many lines reach it.
    pub(crate) lines: u64,
    pub(crate) position: String,
    /// The player to move.
    pub(crate) player: String,
    /// The value for the player to move.
    pub(crate) value: i32,
    /// By how much South's store is ahead at the end of best play.
    pub(crate) margin: i32,
    /// The turns that hold the value.
    pub(crate) best: Vec<String>,
    pub(crate) turns: Vec<Reply>,
}

/// A turn of the book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) turn: String,
    /// The value for the player.
    pub(crate) value: i32,
    /// By how much the best turns are worth more.
    pub(crate) loss: i32,
    pub(crate) verdict: String,
    /// By how much South's store is ahead at the end, when best play follows.
    pub(crate) margin: i32,
    /// The position after the turn.
    pub(crate) position: String,
    /// Lines of the tree through this turn, by the winner.
    pub(crate) ends: Lines,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) played: Option<Played>,
}

impl Book {
    /// The book of a tree, with what is known of games that were played.
    pub(crate) fn new(
        game: &Ruleset,
        turns: usize,
        solution: &Solution,
        statistics: Option<&Statistics>,
    ) -> Book {
        let levels = solution.tree.levels();
        let inner = levels.iter().enumerate().take(turns);
        let nodes =
            inner.flat_map(|(depth, level)| (0..).zip(level).map(move |(i, n)| (depth, i, n)));
        let positions = nodes.filter(|(_, _, node)| !node.turns.is_empty());
        let positions: Vec<Opening> = positions
            .map(|(depth, place, node)| {
                let played = |index| statistics.and_then(|all| all.of(depth, place, index));
                Opening::new(game, node, &levels[depth + 1], played)
            })
            .collect();
        Book {
            game: game.to_string(),
            command: crate::cli::command(),
            program: crate::cli::VERSION.to_owned(),
            turns,
            ends: levels[0][0].ends.into(),
            solved: solution.solved,
            effort: solution.effort,
            practice: statistics.map(|_| Practice::new(&positions)),
            positions,
        }
    }

    /// The position before the first turn; `None` if the tree has no turns.
    pub(crate) fn start(&self) -> Option<&Opening> {
        self.positions.first()
    }

    /// The position after a line.
    pub(crate) fn after(&self, line: &str) -> Option<&Opening> {
        let mut opening = self.start()?;
        for turn in line.split_whitespace() {
            let reply = opening.reply(turn)?;
            opening = self.positions.iter().find(|next| next.position == reply.position)?;
        }
        Some(opening)
    }
}

impl Opening {
    fn new(
        game: &Ruleset,
        node: &Node,
        next: &[Node],
        played: impl Fn(usize) -> Option<Played>,
    ) -> Opening {
        let text = |position: &Position| args::dashes(game, position);
        let reply = |(index, branch): (usize, &Branch)| {
            let after = &next[branch.next];
            Reply {
                turn: branch.turn.to_string(),
                value: branch.value,
                loss: node.value - branch.value,
                verdict: Verdict::new(&node.position, branch.value, node.value).to_string(),
                margin: after.margin(),
                position: text(&after.position),
                ends: after.ends.into(),
                played: played(index),
            }
        };
        Opening {
            line: node.line.to_string(),
            lines: node.lines,
            position: text(&node.position),
            player: node.position.to_move().name().to_lowercase(),
            value: node.value,
            margin: node.margin(),
            best: node.best().map(|branch| branch.turn.to_string()).collect(),
            turns: node.turns.iter().enumerate().map(reply).collect(),
        }
    }

    /// A turn of the position.
    pub(crate) fn reply(&self, turn: &str) -> Option<&Reply> {
        self.turns.iter().find(|reply| reply.turn == turn)
    }

    /// The turns, the best first.
    pub(crate) fn by_value(&self) -> Vec<&Reply> {
        let mut turns: Vec<&Reply> = self.turns.iter().collect();
        turns.sort_by_key(|reply| reply.loss);
        turns
    }

    /// Whether only one of several turns holds the value.
    pub(crate) fn has_only_move(&self) -> bool {
        self.best.len() == 1 && self.turns.len() > 1
    }
}

impl From<Ends> for Lines {
    fn from(Ends { south, draw, north }: Ends) -> Lines {
        Lines { south, draw, north }
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.south, self.draw, self.north)
    }
}

/// The name of a player for reading.
pub(crate) fn player_name(player: &str) -> &'static str {
    if player == "north" { Player::North.name() } else { Player::South.name() }
}

/// How a game ends that South finishes ahead by so much.
pub(crate) fn outcome(margin: i32) -> String {
    match margin {
        0 => "draw".to_owned(),
        1.. => format!("{} +{margin}", Player::South.name()),
        _ => format!("{} +{}", Player::North.name(), -margin),
    }
}

impl Report for Book {
    const COLUMNS: &'static [&'static str] = &[
        "line",
        "lines",
        "before",
        "player",
        "turn",
        "value",
        "loss",
        "verdict",
        "best_turns",
        "margin",
        "after",
        "south",
        "draw",
        "north",
        "count",
        "share",
        "score",
        "mean_margin",
    ];

    /// A row a turn.
    fn rows(&self) -> Vec<Vec<String>> {
        let row = |opening: &Opening, reply: &Reply| {
            let Reply { turn, value, loss, verdict, margin, position, ends, played } = reply;
            let exact = vec![
                opening.line.clone(),
                opening.lines.to_string(),
                opening.position.clone(),
                opening.player.clone(),
                turn.clone(),
                value.to_string(),
                loss.to_string(),
                verdict.clone(),
                opening.best.len().to_string(),
                margin.to_string(),
                position.clone(),
                ends.south.to_string(),
                ends.draw.to_string(),
                ends.north.to_string(),
            ];
            exact.into_iter().chain(Played::cells(played.as_ref())).collect()
        };
        let positions = self.positions.iter();
        positions
            .flat_map(|opening| opening.turns.iter().map(|reply| row(opening, reply)))
            .collect()
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.game);
        let (count, only) =
            (self.positions.len(), self.positions.iter().filter(|o| o.has_only_move()).count());
        text += &format!("{count} positions of the first {} turns; ", self.turns);
        text += &format!("in {only} of them only one turn holds the value\n");
        let Lines { south, draw, north } = self.ends;
        text += &format!(
            "lines by the winner under best play after them: South {south}, draw {draw}, North {north}\n"
        );
        for opening in &self.positions {
            text += &opening.text();
        }
        if let Some(practice) = &self.practice {
            text += &practice.text();
        }
        text + &format!("\n{} boards solved: {}\n", self.solved, self.effort)
    }

    /// A line a position.
    fn lines(&self) -> serde_json::Result<Vec<String>> {
        self.positions.iter().map(serde_json::to_string).collect()
    }
}

impl Opening {
    fn text(&self) -> String {
        let title = match self.line.as_str() {
            "" => "the start".to_owned(),
            line => format!("after {line}"),
        };
        let ways = if self.lines > 1 {
            format!(", reached by {} lines", self.lines)
        } else {
            String::new()
        };
        let mut text = format!(
            "\n{title}{ways}: {} for {} to move, {} of {} turns hold it\n",
            self.value,
            player_name(&self.player),
            self.best.len(),
            self.turns.len()
        );
        let width = self.turns.iter().map(|reply| reply.turn.len()).max().unwrap_or(0).max(4);
        text += &format!("  {:width$}  value  end        lines S/D/N  verdict\n", "turn");
        for reply in self.by_value() {
            let Reply { turn, value, verdict, margin, ends, played, .. } = reply;
            let played = played.as_ref().map(Played::text).unwrap_or_default();
            let (end, ends) = (outcome(*margin), ends.to_string());
            text +=
                &format!("  {turn:width$}  {value:>5}  {end:9}  {ends:>11}  {verdict}{played}\n");
        }
        text
    }
}
