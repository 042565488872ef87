//! What a long search says on stderr while it runs.

use std::io::Write;
use std::time::{Duration, Instant};

/// A search that is quicker than this says nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Gives a plain line every few seconds about boards visited and boards kept.
pub(crate) fn lines() -> impl FnMut(u64, usize) + Send + 'static {
    let start = Instant::now();
    let mut next = PATIENCE;
    move |nodes, kept| {
        let elapsed = start.elapsed();
        if elapsed >= next {
            next = elapsed + PATIENCE;
            let seconds = elapsed.as_secs();
            // Progress that nobody can read is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{seconds} s: {nodes} nodes, {kept} boards kept");
        }
    }
}
