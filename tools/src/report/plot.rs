//! Charts of shares and of curves in SVG.

use maud::{Markup, html};

use super::chart::WIDTH;

/// Height of a drawing of curves, in its units.
const HEIGHT: i32 = 230;
/// Room for the names of rows and for the numbers of an axis.
const LEFT: i32 = 46;
const RIGHT: i32 = 14;
const TOP: i32 = 8;
/// Room for the numbers of the other axis, and for what they are.
const BOTTOM: i32 = 36;
const LEGEND: i32 = 22;
/// Height of a bar with its margin.
const ROW: i32 = 18;

/// Bars of the same length, each cut into the shares of its parts, with the names of the parts and
/// their classes. The shares are percentages.
pub(crate) fn shares(title: &str, parts: &[(&str, &str)], rows: &[(String, Vec<f64>)]) -> Markup {
    let height = LEGEND + ROW * rows.len() as i32 + 4;
    let room = f64::from(WIDTH - LEFT - RIGHT);
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) {
            title { (title) }
            (legend(parts))
            @for (number, (name, shares)) in (0..).zip(rows) {
                @let y = LEGEND + number * ROW;
                text.name x=(LEFT - 8) y=(y + 12) { (name) }
                @for (index, (&share, (part, class))) in shares.iter().zip(parts).enumerate() {
                    @let x = f64::from(LEFT) + room * shares[..index].iter().sum::<f64>() / 100.0;
                    rect class=(format!("bar {class}")) x=(format!("{x:.1}")) y=(y) width=(format!("{:.1}", room * share / 100.0)) height=(ROW - 4) {
                        title { (name) ", " (part) ": " (format!("{share:.2} %")) }
                    }
                }
            }
        }
    }
}

/// A curve: its name, its class, its points from left to right.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    pub(crate) class: &'a str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// An axis of a chart: from where to where it goes.
struct Axis {
    least: f64,
    most: f64,
    /// From one mark to the next.
    step: f64,
}

impl Axis {
    /// From the least of some numbers to the most, zero included, rounded to marks.
    fn new(numbers: impl Iterator<Item = f64>) -> Axis {
        let (least, most) = numbers.fold((0.0, 0.0), |(a, b): (f64, f64), n| (a.min(n), b.max(n)));
        let span = (most - least).max(1e-6);
        let power = 10_f64.powf((span / 6.0).log10().floor());
        let fits = |factor: &f64| span / (factor * power) <= 8.0;
        let step = [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power;
        let (least, most) = ((least / step).floor() * step, (most / step).ceil() * step);
        Axis { least, most, step }
    }

    /// Where a number is between the ends, from 0 to 1.
    fn part(&self, number: f64) -> f64 {
        (number - self.least) / (self.most - self.least)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.most - self.least) / self.step).round() as i32;
        (0..=count).map(|mark| self.least + f64::from(mark) * self.step)
    }

    fn text(&self, number: f64) -> String {
        // Zero has no sign, whatever rounding made of it.
        let number = if number.abs() < self.step / 2.0 { 0.0 } else { number };
        let digits = (-self.step.log10()).ceil().max(0.0) as usize;
        format!("{number:.digits$}").replace('-', "\u{2212}")
    }
}

/// Curves over the same axes; `across` is what is on the horizontal one.
pub(crate) fn curves(title: &str, across: &str, curves: &[Curve]) -> Markup {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let name = across;
    let across = Axis::new(points().map(|point| point.0));
    let up = Axis::new(points().map(|point| point.1));
    let top = TOP + LEGEND;
    let x = |n: f64| f64::from(LEFT) + across.part(n) * f64::from(WIDTH - LEFT - RIGHT);
    let y = |n: f64| f64::from(HEIGHT - BOTTOM) - up.part(n) * f64::from(HEIGHT - BOTTOM - top);
    let names: Vec<(&str, &str)> = curves.iter().map(|curve| (curve.name, curve.class)).collect();
    let place = |&(a, b): &(f64, f64)| format!("{:.1},{:.1}", x(a), y(b));
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            title { (title) }
            (legend(&names))
            @for mark in up.marks() {
                @let at = format!("{:.1}", y(mark));
                line.grid.zero[mark.abs() < 1e-9] x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at) y2=(at) {}
                text.name.tick x=(LEFT - 6) y=(format!("{:.1}", y(mark) + 4.0)) { (up.text(mark)) }
            }
            @for mark in across.marks() {
                @let at = format!("{:.1}", x(mark));
                line.grid.zero[mark.abs() < 1e-9] x1=(at) x2=(at) y1=(top) y2=(HEIGHT - BOTTOM) {}
                text.label x=(at) y=(HEIGHT - BOTTOM + 14) { (across.text(mark)) }
            }
            text.label x=((WIDTH + LEFT - RIGHT) / 2) y=(HEIGHT - 4) { (name) }
            @for curve in curves {
                @let line: Vec<String> = curve.points.iter().map(place).collect();
                polyline class=(format!("curve {}", curve.class)) points=(line.join(" ")) {}
                @for point in &curve.points {
                    circle class=(format!("dot {}", curve.class)) cx=(format!("{:.1}", x(point.0))) cy=(format!("{:.1}", y(point.1))) r="3" {
                        title { (curve.name) ", " (name) " " (format!("{}: {:.3}", point.0, point.1)) }
                    }
                }
            }
        }
    }
}

fn legend(names: &[(&str, &str)]) -> Markup {
    // Room for each in proportion to its name.
    let starts = names.iter().scan(LEFT, |x, (name, _)| {
        let start = *x;
        *x += 32 + 7 * name.chars().count() as i32;
        Some(start)
    });
    html! {
        @for ((name, class), x) in names.iter().zip(starts) {
            rect class=(format!("bar {class}")) x=(x) y="2" width="12" height="12" rx="2" {}
            text.legend x=(x + 17) y="12" { (name) }
        }
    }
}
