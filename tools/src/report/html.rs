//! A study as one page that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::document::{Block, Cell, Document, Figure, Section, Table};

/// Cells of up to so many bytes are kept on one line.
const SHORT: usize = 14;

/// The whole page.
pub(crate) fn page(document: &Document) -> String {
    let Document { title, lead, highlights, sections, .. } = document;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                main {
                    h1 { (title) }
                    p.lead { (inline(lead)) }
                    @if !highlights.is_empty() {
                        ul.highlights {
                            @for (figure, text) in highlights {
                                li { strong { (figure) } span { (inline(text)) } }
                            }
                        }
                    }
                    @for part in sections { (section(part)) }
                }
            }
        }
    };
    page.into_string()
}

fn section(section: &Section) -> Markup {
    html! {
        section {
            h2 { (section.title) }
            @for block in &section.blocks {
                @match block {
                    Block::Text(text) => p { (inline(text)) },
                    Block::Table(table) => (self::table(table)),
                    Block::List(items) => ul { @for item in items { li { (inline(item)) } } },
                    Block::Figure(figure) => (self::figure(figure)),
                    Block::Row(figures) => div.row { @for figure in figures { (self::figure(figure)) } },
                }
            }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        figure {
            (figure.svg)
            figcaption { (inline(&figure.caption)) }
        }
    }
}

fn table(table: &Table) -> Markup {
    let Table { caption, rows, .. } = table;
    html! {
        @if table.long {
            details {
                summary { (inline(caption)) " (" (rows.len()) " rows)" }
                (grid(table))
            }
        } @else {
            p.caption { (inline(caption)) }
            (grid(table))
        }
    }
}

fn grid(table: &Table) -> Markup {
    let numeric = |column: usize| {
        table.rows.first().and_then(|row| row.get(column)).is_some_and(|cell| cell.numeric)
    };
    html! {
        // Reached by the keyboard, so that it can be scrolled without a pointer.
        div.scroll tabindex="0" role="region" aria-label=(table.caption.replace('`', "")) {
            table {
                thead {
                    tr {
                        @for (column, name) in table.columns.iter().enumerate() {
                            th.number[numeric(column)] scope="col" { (name) }
                        }
                    }
                }
                tbody { @for row in &table.rows { tr { @for cell in row { (self::cell(cell)) } } } }
            }
        }
    }
}

fn cell(cell: &Cell) -> Markup {
    let kind = match cell.numeric {
        true => "number",
        false if cell.text.len() <= SHORT => "short",
        false => "text",
    };
    html! {
        td class=(format!("{kind} {}", cell.tone.class())) { (inline(&cell.text)) }
    }
}

/// Text with what stands in backticks as code.
fn inline(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
