//! A study as Markdown: what the page says, without its drawings.

use super::document::{Block, Document, Figure, Table};

pub(crate) fn text(document: &Document) -> String {
    let Document { name, title, lead, highlights, sections } = document;
    let mut text = format!("# {title}\n\n{lead}\n\n");
    for (figure, about) in highlights {
        text += &format!("- **{figure}**: {about}\n");
    }
    for section in sections {
        text += &format!("\n## {}\n", section.title);
        for block in &section.blocks {
            match block {
                Block::Text(paragraph) => text += &format!("\n{paragraph}\n"),
                Block::List(items) => {
                    text.push('\n');
                    items.iter().for_each(|item| text += &format!("- {item}\n"));
                }
                Block::Table(table) => text += &self::table(name, table),
                Block::Figure(figure) => text += &self::figure(figure),
                Block::Row(figures) => figures.iter().for_each(|one| text += &self::figure(one)),
            }
        }
    }
    text
}

fn figure(figure: &Figure) -> String {
    format!("\n*Drawn in the page: {}*\n", figure.caption)
}

fn table(study: &str, table: &Table) -> String {
    let caption = &table.caption;
    let file = format!("[{study}-{0}.csv]({study}-{0}.csv)", table.name);
    if table.long {
        return format!("\n{caption}: {} rows in {file}\n", table.rows.len());
    }
    let row = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
    let numeric = table.rows.first();
    let rules = (0..table.columns.len()).map(|column| {
        let right = numeric.and_then(|row| row.get(column)).is_some_and(|cell| cell.numeric);
        if right { "--:" } else { "---" }
    });
    let mut text = format!("\n{caption} ({file}):\n\n");
    text += &row(table.columns.iter().map(String::as_str).collect());
    text += &row(rules.collect());
    for cells in &table.rows {
        text += &row(cells.iter().map(|cell| cell.text.as_str()).collect());
    }
    text
}
