//! Ctrl-C: ends the run at once, unless a long search asks to save its work first.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Exit code of a run that the user interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

static HEEDED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub(crate) fn handle() {
    // Without the handler the signal ends the run as well, only not with the documented code.
    let _ = ctrlc::set_handler(|| {
        // Whoever asks twice does not want to wait.
        if !HEEDED.load(Relaxed) || ASKED.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}

/// From now on the run ends only when it has seen [`asked`].
pub(crate) fn heed() {
    HEEDED.store(true, Relaxed);
}

/// Whether the user wants the run to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Relaxed)
}
