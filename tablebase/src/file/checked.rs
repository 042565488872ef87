//! Which blocks of a layer were found undamaged.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A bit a block, set once its checksum was right. Two threads may both check a block.
#[derive(Debug)]
pub(crate) struct Checked(Box<[AtomicU64]>);

impl Checked {
    pub(crate) fn new(blocks: u64) -> Checked {
        Checked((0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether a block is undamaged; `check` tells of one that is not known to be.
    #[inline]
    pub(crate) fn or_check(&self, block: u64, check: impl FnOnce() -> bool) -> bool {
        let (word, bit) = (&self.0[(block / 64) as usize], 1 << (block % 64));
        if word.load(Relaxed) & bit != 0 {
            return true;
        }
        let undamaged = check();
        if undamaged {
            word.fetch_or(bit, Relaxed);
        }
        undamaged
    }
}
