//! What a study says, apart from any form: HTML, Markdown and CSV are made from it.

use maud::Markup;
use serde::{Serialize, Serializer};

/// A study, ready to be written. Text may hold `code` in backticks.
pub(crate) struct Document {
    /// The study's name, the stem of its files.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lead: String,
    /// The answers in short: a figure and what it says.
    pub(crate) highlights: Vec<(String, String)>,
    pub(crate) sections: Vec<Section>,
}

/// A part with a heading.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

pub(crate) enum Block {
    Text(String),
    List(Vec<String>),
    Table(Table),
    Figure(Figure),
    /// Figures side by side where there is room.
    Row(Vec<Figure>),
}

/// A table; its CSV is the file `STUDY-NAME.csv`.
#[derive(Serialize)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) caption: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Whether it is long, so that a page shows it only when asked to.
    #[serde(skip)]
    pub(crate) long: bool,
}

/// A cell of a table.
#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) tone: Tone,
    pub(crate) numeric: bool,
}

/// What a cell or a bar means, apart from its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Even,
    Bad,
}

/// A drawing.
pub(crate) struct Figure {
    pub(crate) caption: String,
    pub(crate) svg: Markup,
}

impl Section {
    pub(crate) fn new(title: &str, blocks: Vec<Block>) -> Section {
        Section { title: title.to_owned(), blocks }
    }
}

impl Document {
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }
}

impl Table {
    pub(crate) fn new(name: &str, caption: &str, columns: &[&str]) -> Table {
        Table {
            name: name.to_owned(),
            caption: caption.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
            long: false,
        }
    }

    pub(crate) fn csv(&self) -> std::io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::plain))?;
        }
        writer.into_inner().map_err(|error| error.into_error())
    }
}

impl Tone {
    /// The tone of a number of stones won or lost.
    pub(crate) fn of(stones: i32) -> Tone {
        match stones {
            1.. => Tone::Good,
            0 => Tone::Even,
            _ => Tone::Bad,
        }
    }

    /// The tone of a claim that is right or not.
    pub(crate) fn right(right: bool) -> Tone {
        if right { Tone::Good } else { Tone::Bad }
    }

    /// Its class in a page.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Good => "good",
            Tone::Even => "even",
            Tone::Bad => "bad",
        }
    }
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), tone: Tone::Plain, numeric: false }
    }

    /// Turns, which a line break must not part.
    pub(crate) fn turns<T: AsRef<str>>(turns: &[T]) -> Cell {
        let turns: Vec<String> = turns.iter().map(|turn| format!("`{}`", turn.as_ref())).collect();
        Cell::text(turns.join(", "))
    }

    pub(crate) fn turn(turn: &str) -> Cell {
        Cell::turns(&[turn])
    }

    pub(crate) fn number(number: impl ToString) -> Cell {
        Cell { text: number.to_string(), tone: Tone::Plain, numeric: true }
    }

    /// A number of stones, toned by its sign.
    pub(crate) fn stones(stones: i32) -> Cell {
        Cell { text: stones.to_string(), tone: Tone::of(stones), numeric: true }
    }

    /// The text without marks of code, for programs that read it.
    pub(crate) fn plain(&self) -> String {
        self.text.replace('`', "")
    }

    pub(crate) fn toned(self, tone: Tone) -> Cell {
        Cell { tone, ..self }
    }
}

/// The JSON of a table holds what its CSV does.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain())
    }
}
