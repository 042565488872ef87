//! How the statistics are shown.

use super::stats::{GamesStats, Opening};
use crate::output::Report;

impl Report for GamesStats {
    const COLUMNS: &'static [&'static str] =
        &["game", "line", "turns", "count", "south", "draw", "north", "mean_margin", "mean_rating"];

    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        each(&self.openings, &mut Vec::new(), &mut |line, opening| {
            let results = opening.results;
            let counts = [opening.count, results.south, results.draw, results.north];
            let means = [opening.mean_margin, opening.mean_rating];
            let mut row = vec![self.game.clone(), line.join(" "), line.len().to_string()];
            row.extend(counts.map(|count| count.to_string()));
            row.extend(means.map(|mean| mean.map(rounded).unwrap_or_default()));
            rows.push(row);
        });
        rows
    }

    fn text(&self) -> String {
        let GamesStats { results, plies, .. } = self;
        let counts = [
            ("games", self.games),
            ("without moves", self.without_moves),
            ("without result", self.without_result),
            ("duplicates", self.duplicates),
            ("illegal", self.illegal_count),
            ("mismatches", self.mismatch_count),
            ("South won", results.south),
            ("draws", results.draw),
            ("North won", results.north),
            ("longest", plies.max),
        ];
        let mut text = format!("{}\n\n", self.game);
        for (name, count) in counts {
            text += &format!("{name:<14}  {count:>10}\n");
        }
        text += &format!("{:<14}  {:>10}\n", "mean plies", shown(plies.mean));
        text += &format!(
            "\n{:<16}  {:>9}  {:>6}  {:>6}  {:>6}  {:>7}  {:>7}\n",
            "line", "games", "South", "draw", "North", "margin", "rating"
        );
        each(&self.openings, &mut Vec::new(), &mut |line, opening| {
            let results = opening.results;
            let [south, draw, north] = [results.south, results.draw, results.north]
                .map(|games| format!("{:.1}%", 100.0 * games as f64 / opening.count as f64));
            let (margin, rating) = (shown(opening.mean_margin), shown(opening.mean_rating));
            let (line, count) = (line.join(" "), opening.count);
            text += &format!(
                "{line:<16}  {count:>9}  {south:>6}  {draw:>6}  {north:>6}  {margin:>7}  {rating:>7}\n"
            );
        });
        text
    }
}

/// Visits the lines of the tree, each before those that go on from it.
fn each<'a>(
    openings: &'a [Opening],
    line: &mut Vec<&'a str>,
    visit: &mut impl FnMut(&[&str], &Opening),
) {
    for opening in openings {
        line.push(&opening.turn);
        visit(line, opening);
        each(&opening.replies, line, visit);
        line.pop();
    }
}

fn rounded(mean: f64) -> String {
    format!("{mean:.3}")
}

fn shown(mean: Option<f64>) -> String {
    mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.1}"))
}
