//! How far a batch is.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between two plain lines.
const PAUSE: Duration = Duration::from_secs(30);

/// Shows how much of the input is answered, if its size is known: a bar on a terminal, otherwise
/// plain lines now and then.
pub(crate) struct Progress {
    size: u64,
    consumed: Arc<AtomicU64>,
    positions: u64,
    start: Instant,
    next_line: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// `None` if there is nothing to show or nobody to see it.
    pub(crate) fn new(
        size: Option<u64>,
        consumed: Arc<AtomicU64>,
        quiet: bool,
        to_stdout: bool,
    ) -> Option<Progress> {
        let size = size.filter(|_| !quiet)?;
        let on_terminal = stderr().is_terminal();
        if on_terminal && to_stdout && stdout().is_terminal() {
            // The answers themselves show it, and the bar would run into them.
            return None;
        }
        let start = Instant::now();
        let bar = on_terminal.then(|| bar(size));
        Some(Progress { size, consumed, positions: 0, start, next_line: start + PAUSE, bar })
    }

    /// So many positions more are answered.
    pub(crate) fn add(&mut self, positions: u64) {
        self.positions += positions;
        let now = Instant::now();
        let (consumed, rate) = (self.consumed.load(Relaxed), self.rate(now));
        match &self.bar {
            Some(bar) => {
                bar.set_position(consumed);
                bar.set_message(rate);
            }
            None if now >= self.next_line => {
                self.next_line = now + PAUSE;
                let percent = 100 * consumed.min(self.size) / self.size.max(1);
                let _ = writeln!(stderr(), "{percent} % of the input read, {rate}");
            }
            None => {}
        }
    }

    fn rate(&self, now: Instant) -> String {
        let seconds = (now - self.start).as_secs_f64().max(1e-3);
        let rate = self.positions as f64 / seconds;
        format!("{} positions answered, {rate:.0} a second", self.positions)
    }
}

/// The bar must not stay under an error.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(size: u64) -> ProgressBar {
    let template = "[{bar:30}] {percent:>3} % of {total_bytes}, {msg}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    ProgressBar::new(size).with_style(style.progress_chars("=> "))
}
