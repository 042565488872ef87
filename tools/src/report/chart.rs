//! Charts in SVG: bars from zero, and dots along a scale.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::document::Tone;

/// Width of a drawing, in its units: a phone shows it without making its text small.
pub(super) const WIDTH: i32 = 400;
/// Room for the names of the rows.
const NAMES: i32 = 52;
/// Room at both ends of the scale for the numbers at bars.
const MARGIN: i32 = 34;
/// Height of a bar, and of a row of dots.
const BAR: i32 = 16;
const DOTS: i32 = 26;
/// Height of the scale.
const SCALE: i32 = 22;

/// Where a number is on the scale of a chart.
struct Scale {
    least: i32,
    most: i32,
}

impl Scale {
    fn new(values: impl Iterator<Item = i32>) -> Scale {
        let (least, most) = values.fold((0, 0), |(a, b), value| (a.min(value), b.max(value)));
        Scale { least, most: most.max(least + 1) }
    }

    fn x(&self, value: i32) -> i32 {
        let room = WIDTH - NAMES - 2 * MARGIN;
        NAMES + MARGIN + (value - self.least) * room / (self.most - self.least)
    }

    /// Numbers to write under the scale: about seven, zero among them.
    fn marks(&self) -> impl Iterator<Item = i32> {
        let span = self.most - self.least;
        let step = [1, 2, 4, 5, 10, 20].into_iter().find(|step| span / step <= 8).unwrap_or(40);
        let first = -(-self.least / step) * step;
        (first..=self.most).step_by(step as usize)
    }

    fn draw(&self, height: i32) -> Markup {
        html! {
            @for mark in self.marks() {
                line.grid.zero[mark == 0] x1=(self.x(mark)) x2=(self.x(mark)) y1="2" y2=(height) {}
                text.label x=(self.x(mark)) y=(height + 15) { (signed(mark)) }
            }
        }
    }
}

/// Horizontal bars: for each row its name and one number a series. With one series bars are
/// coloured by sign, with more by series.
pub(crate) fn bars(title: &str, series: &[&str], rows: &[(String, Vec<i32>)]) -> Markup {
    let scale = Scale::new(rows.iter().flat_map(|(_, values)| values).copied());
    let row_height = BAR * series.len() as i32 + 8;
    let bottom = row_height * rows.len() as i32 + 4;
    let legend = if series.len() > 1 { 20 } else { 0 };
    let height = bottom + SCALE + legend;
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) {
            title { (title) }
            (scale.draw(bottom))
            @for (number, (name, values)) in (0..).zip(rows) {
                @let y = number * row_height + 6;
                text.name x=(NAMES - 8) y=(y + row_height / 2) { (name) }
                @for (index, &value) in values.iter().enumerate() {
                    @let (zero, end) = (scale.x(0), scale.x(value));
                    @let class = if series.len() > 1 { format!("series{index}") } else { Tone::of(value).class().to_owned() };
                    @let top = y + BAR * index as i32;
                    rect class=(format!("bar {class}")) x=(zero.min(end) - 1) y=(top) width=((zero - end).abs() + 2) height=(BAR - 3) rx="2" {
                        title { (name) ": " (signed(value)) }
                    }
                    @let (x, anchor) = if value < 0 { (end - 5, "end") } else { (end + 5, "start") };
                    text.value x=(x) y=(top + BAR - 5) text-anchor=(anchor) { (signed(value)) }
                }
            }
            @if series.len() > 1 {
                @for (index, name) in series.iter().enumerate() {
                    @let x = NAMES + index as i32 * 170;
                    rect class=(format!("bar series{index}")) x=(x) y=(height - 14) width="12" height="12" rx="2" {}
                    text.legend x=(x + 18) y=(height - 4) { (name) }
                }
            }
        }
    }
}

/// A row of dots: its name, and for each number what has it.
pub(crate) struct Dots {
    pub(crate) name: String,
    pub(crate) dots: BTreeMap<i32, Vec<String>>,
}

/// A dot for each number of a row, larger for what several have.
pub(crate) fn dots(title: &str, rows: &[Dots]) -> Markup {
    let numbers = rows.iter().flat_map(|row| row.dots.keys()).copied();
    let scale = Scale::new(numbers);
    let bottom = DOTS * rows.len() as i32 + 4;
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {}", bottom + SCALE)) role="img" aria-label=(title) {
            title { (title) }
            (scale.draw(bottom))
            @for (number, Dots { name, dots }) in (0..).zip(rows) {
                @let y = number * DOTS + DOTS / 2 + 2;
                text.name x=(NAMES - 8) y=(y + 4) { (name) }
                @for (value, names) in dots {
                    @let count = names.len();
                    circle class=(format!("dot {}", Tone::of(*value).class())) cx=(scale.x(*value)) cy=(y) r=(if count > 1 { 10 } else { 6 }) {
                        title { (signed(*value)) ": " (names.join(", ")) }
                    }
                    @if count > 1 {
                        text.inside x=(scale.x(*value)) y=(y + 4) { (count) }
                    }
                }
            }
        }
    }
}

/// A number with its sign, as charts write it.
fn signed(value: i32) -> String {
    match value {
        1.. => format!("+{value}"),
        0 => "0".to_owned(),
        _ => format!("\u{2212}{}", -value),
    }
}
