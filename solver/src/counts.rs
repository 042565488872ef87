//! What a search takes, counted on many threads.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::search::Status;

/// The counts of all threads together.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    nodes: AtomicU64,
    probes: AtomicU64,
}

impl Counts {
    pub(crate) fn status(&self) -> Status {
        Status { nodes: self.nodes.load(Relaxed), probes: self.probes.load(Relaxed) }
    }

    pub(crate) fn add(&self, Status { nodes, probes }: Status) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.probes.fetch_add(probes, Relaxed);
    }
}

/// The counts of one thread. They are added to the common ones now and then, and at the end.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    common: &'a Counts,
    pub(crate) nodes: u64,
    pub(crate) probes: u64,
    /// What of them is in the common ones.
    told: Status,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(common: &'a Counts) -> Tally<'a> {
        Tally { common, nodes: 0, probes: 0, told: Status::default() }
    }

    pub(crate) fn tell(&mut self) {
        let Tally { nodes, probes, .. } = *self;
        self.common
            .add(Status { nodes: nodes - self.told.nodes, probes: probes - self.told.probes });
        self.told = Status { nodes, probes };
    }
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}
