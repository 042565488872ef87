//! What long work says on stderr while it runs.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Between two plain lines about a step.
const PAUSE: Duration = Duration::from_secs(5);
/// A step that is quicker than this leaves no bar behind.
const BRIEF: Duration = Duration::from_secs(1);

/// Shows how far a job of counted steps is: a bar a step on a terminal, otherwise plain lines now
/// and then. Threads may share it.
pub(crate) struct Meter {
    quiet: bool,
    on_terminal: bool,
    done: AtomicU64,
    step: Mutex<Option<Step>>,
}

struct Step {
    name: String,
    len: u64,
    start: Instant,
    next_line: Instant,
    bar: ProgressBar,
}

impl Meter {
    pub(crate) fn new(quiet: bool) -> Meter {
        let on_terminal = std::io::stderr().is_terminal();
        Meter { quiet, on_terminal, done: AtomicU64::new(0), step: Mutex::new(None) }
    }

    /// Says something between steps.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Ends the step and starts another of so many positions.
    pub(crate) fn start(&self, name: &str, len: u64) {
        self.end();
        if self.quiet {
            return;
        }
        self.done.store(0, Ordering::Relaxed);
        let start = Instant::now();
        let bar = if self.on_terminal { bar(name, len) } else { ProgressBar::hidden() };
        let step = Step { name: name.to_owned(), len, start, next_line: start + PAUSE, bar };
        *self.lock() = Some(step);
    }

    /// So many positions more are done.
    pub(crate) fn add(&self, positions: u64) {
        if self.quiet {
            return;
        }
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        // Whoever finds another thread telling need not wait to tell the same.
        let Ok(mut step) = self.step.try_lock() else {
            return;
        };
        if let Some(step) = &mut *step {
            step.bar.set_position(done);
            let now = Instant::now();
            if !self.on_terminal && now >= step.next_line {
                step.next_line = now + PAUSE;
                self.say(&step.line(done));
            }
        }
    }

    /// Says what is done after the last position.
    pub(crate) fn message(&self, text: &'static str) {
        if let Some(step) = &*self.lock() {
            step.bar.set_position(self.done.load(Ordering::Relaxed));
            step.bar.set_message(text);
        }
    }

    /// Ends the step.
    pub(crate) fn end(&self) {
        if let Some(step) = self.lock().take() {
            step.bar.set_message("");
            match step.start.elapsed() < BRIEF {
                true => step.bar.finish_and_clear(),
                false => step.bar.finish(),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Step>> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// On failure the bar must not stay under the error.
impl Drop for Meter {
    fn drop(&mut self) {
        self.end();
    }
}

impl Step {
    fn line(&self, done: u64) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = done as f64 / seconds;
        let left = self.len.saturating_sub(done) as f64 / rate;
        format!(
            "{}: {} % of {} positions, {:.1} M a second, {left:.0} s left",
            self.name,
            100 * done / self.len.max(1),
            self.len,
            rate / 1e6
        )
    }
}

fn bar(name: &str, len: u64) -> ProgressBar {
    let template =
        "{prefix:>16} [{bar:30}] {percent:>3} % of {human_len}, {rate}, {eta} left {msg}";
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // A bar that cannot be drawn is no reason to stop.
        let _ = write!(text, "{:.1} M a second", state.per_sec() / 1e6);
    };
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    let style = style.with_key("rate", rate).progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::stderr());
    bar.with_style(style).with_prefix(name.to_owned())
}
