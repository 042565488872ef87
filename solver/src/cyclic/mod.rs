//! Null windows of games whose positions recur.
//!
//! # The question
//!
//! Play without end is worth 0 from the last capture on. *Is a board worth at least t to its
//! mover?* A player who needs more than 0 has to get it by a capture or the end of the game, since
//! going on for ever gives him too little; his opponent is content with that. So one of them, the
//! *attacker*, has to force a *goal* g > 0 in finitely many sowings and the *defender* only has
//! to prevent it: for t > 0 the mover attacks with g = t; for t <= 0 he defends against g = 1 - t.
//! While nothing is captured attacker and goal stay the same. A capture of c stones leads to a
//! question about a board of a lower layer, with threshold c - t + 1 for the opponent, where the
//! roles may be others; stones never come back, so the questions of a layer rest on answers about
//! lower ones, and never the other way round.
//!
//! # The answer
//!
//! Within a layer the boards that the attacker wins are the least set that holds
//!
//! - a board where he moves and has a sowing into the set, or one out of the layer (a capture,
//!   the end, a board known elsewhere to be won) that gives him the goal, and
//! - a board where the defender moves, all of whose sowings lead into the set or give the
//!   attacker the goal.
//!
//! The boards of this set he wins in a bounded number of sowings, by induction; from any other
//! the defender can stay outside for ever. [`Graph`](graph::Graph) finds by need whether the
//! board asked for is in the set (as the local algorithms of Liu & Smolka, Simple Linear-Time
//! Algorithms for Minimal Fixed Points, 1998). Boards are entered as the search comes to them,
//! each of them once, whatever the path. Two rules decide:
//!
//! 1. A board becomes *won* by one of the two lines above, from boards that are won already. By
//!    induction all these are in the set.
//! 2. Of each board where the defender moves, one sowing that is not lost is the one he *relies*
//!    on. Take the boards that can be reached by all sowings of the attacker and those the
//!    defender relies on. If the sowings of all of them are listed and every one of these that
//!    leaves the graph is answered, in favour of the defender, then this set of boards, the
//!    *closure*, is one that the attacker cannot leave and does not win in. So none of them is in
//!    the least set, for that would have a first board to be added among them. All are *held*.
//!
//! Neither rule knows a path: no answer depends on how the board was reached, and everything
//! that is proved may be kept in the transposition table and used anywhere (there is no
//! graph-history interaction). A repetition is a closure that closes; it is never scored. What
//! is looked at first, and what the defender relies on, only decides how long it takes.
//!
//! # The order
//!
//! A closure may be a handful of boards or millions, and that depends on what the defender relies
//! on. As in proof-number search (Allis 1994) it is the sowing behind which least is left to do:
//! the *effort* of a board where the attacker moves is the sum of that of his sowings, of one
//! where the defender moves the least. A board not yet looked at counts by the threats that the
//! attacker has there, those that a capture of known value parries at once left out: so the
//! defender looks for forcing play. When the closure has grown by a quarter it is walked and all
//! efforts are found anew, from its end to its start; what was met before counts nothing, for it
//! closes. On awari's layer of 21 stones over tables to 20, closures that had not ended at a
//! million boards with a fixed choice, by the most captured, ended at some hundreds.
//!
//! The boards of the closure that the attacker is nearest to winning by are looked at first, those
//! on the way of the least *proof*: the least of that of his sowings, the sum of the defender's.
//!
//! A sowing into a lower layer is searched when the closure is as large as that search is allowed
//! to become. If that is not enough it is parked, counts for more, and may go on later with twice as
//! much; meanwhile the defender may find something better.

mod graph;
mod known;
mod parked;

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use games::{Board, Game};
use tablebase::Probe;

use crate::counts::Tally;
use crate::search::{Search, Watch};
use crate::worker::Stop;

use graph::{Graph, State, Walk};
use known::passed_on;
use parked::Parked;

/// So that nodes and edges have numbers of 32 bits.
const MOST_NODES: u64 = 1 << 28;
/// Nodes between two looks at what the others and the watcher want.
const TICK: u64 = 1 << 8;
/// The closure is walked anew when it has grown by one part in so many.
const SHARE: usize = 4;
/// Boards that are looked at between two walks, at least.
const LEAST: usize = 16;
/// How large a closure is when a search one layer above the tables begins, and by what this
/// grows from layer to layer and from try to try. Measured on random positions of awari with 24
/// and 27 stones over tables to 20: with 16 and 3 they take up to three times as many nodes, with
/// a growth of 1.4 up to twice as many.
const FIRST_COST: f64 = 64.0;
const GROWTH: f64 = 2.0;
/// Boards that a search in a lower layer may look at, for each board of the closure.
const SHARE_BELOW: f64 = 4.0;

/// One thread's part in a question about a board. All threads put the same question, each in
/// its own order, and share what they prove through the transposition table.
pub(crate) struct Worker<'a, P, W> {
    search: &'a Search<P, W>,
    /// The number of the thread.
    thread: usize,
    /// Boards that the graphs may still take.
    room: usize,
    parked: Parked,
    /// The count of nodes at which the search in work is given up.
    limit: u64,
    tally: Tally<'a>,
    /// Set when the window is of no more use.
    stop: &'a AtomicBool,
}

impl<'a, P: Probe, W: Watch> Worker<'a, P, W> {
    /// The worker of a thread whose graphs take at most `memory` bytes.
    pub(crate) fn new(
        search: &'a Search<P, W>,
        thread: usize,
        memory: u64,
        stop: &'a AtomicBool,
    ) -> Self {
        let room = (memory / Graph::NODE_BYTES).min(MOST_NODES) as usize;
        let parked = Parked::default();
        let tally = Tally::new(&search.counts);
        Worker { search, thread, room, parked, limit: 0, tally, stop }
    }

    /// A bound on the value of a board: `threshold` if it is at least so much, else one less.
    /// Gives up after about `limit` nodes.
    pub(crate) fn bound(&mut self, board: Board, threshold: i32, limit: u64) -> Result<i32, Stop> {
        self.limit = limit;
        let reached = self.reaches(board, threshold)?.ok_or(Stop::GaveUp)?;
        Ok(threshold - i32::from(!reached))
    }

    /// Whether a board is worth at least `threshold` to its mover, if that is found within the
    /// limit.
    fn reaches(&mut self, board: Board, threshold: i32) -> Result<Option<bool>, Stop> {
        if let Some(known) = self.known(board, threshold) {
            return Ok(Some(known));
        }
        let before = self.tally.nodes;
        let mut graph = self.parked.take(board, threshold);
        let Some(won) = self.decide(&mut graph)? else {
            if self.parked.nodes() + graph.len() <= self.room {
                self.parked.put(board, threshold, graph);
            }
            return Ok(None);
        };
        let reached = won == graph.root().attacks;
        self.keep(board, threshold, reached, self.tally.nodes - before);
        Ok(Some(reached))
    }

    /// Whether the attacker wins from the root of a graph; `None` at the limit.
    fn decide(&mut self, graph: &mut Graph) -> Result<Option<bool>, Stop> {
        let mut walk = Walk::default();
        loop {
            graph.walk(&mut walk);
            graph.estimate(&walk);
            graph.walk(&mut walk);
            match graph.root().state {
                State::Won => return Ok(Some(true)),
                State::Held => return Ok(Some(false)),
                State::Fresh | State::Open => {}
            }
            if walk.fresh.is_empty() && walk.unmet.is_empty() && walk.lower.is_empty() {
                self.keep_closure(graph, &walk);
                return Ok(Some(false));
            }
            if self.tally.nodes >= self.limit {
                return Ok(None);
            }
            self.work(graph, &mut walk)?;
        }
    }

    /// What rule 2 proves.
    fn keep_closure(&self, graph: &Graph, walk: &Walk) {
        for node in walk.open.iter().map(|&number| graph.node(number)) {
            self.keep(node.board, graph.threshold(node.attacks), !node.attacks, 1);
        }
    }

    /// Looks at boards of the closure for a while, then searches sowings that leave the layer, as
    /// far as they are worth it; something in any case.
    fn work(&mut self, graph: &mut Graph, walk: &mut Walk) -> Result<(), Stop> {
        let size = walk.open.len();
        let until = (self.tally.nodes + (size / SHARE + LEAST) as u64).min(self.limit);
        let size = size.max(4 * LEAST) as f64;
        let mut idle = walk.fresh.is_empty() && walk.unmet.is_empty();
        graph.sort(&mut walk.fresh);
        self.list_all(graph, walk, until)?;
        // The cheapest first; each thread has its own order of equal ones.
        walk.lower.sort_by_key(|&(height, edge)| (height, edge.rotate_right(self.thread as u32)));
        for &(height, edge) in &walk.lower {
            let cost = FIRST_COST * GROWTH.powi(i32::from(height) - self.search.most - 1);
            let enough = self.tally.nodes >= until || cost > size;
            if graph.root().state == State::Won || self.tally.nodes >= self.limit || !idle && enough
            {
                break;
            }
            if graph.is_needed(edge) {
                idle = false;
                self.search_lower(graph, edge, (SHARE_BELOW * cost) as u64)?;
                self.keep_won(graph);
            }
        }
        Ok(())
    }

    /// Lists the sowings of fresh and unmet boards, and of those that the defender then relies on.
    fn list_all(&mut self, graph: &mut Graph, walk: &Walk, until: u64) -> Result<(), Stop> {
        let mut fresh = walk.fresh.iter();
        graph.wanted.clear();
        graph.wanted.extend(walk.unmet.iter().rev());
        while graph.root().state != State::Won && self.tally.nodes < until {
            let number = match graph.wanted.pop() {
                Some(edge) => {
                    let rules = &self.search.rules;
                    graph.meet(edge, |node, pit| rules.sow(node.board, pit).board)
                }
                None => match fresh.next() {
                    Some(&number) => Some(number),
                    None => break,
                },
            };
            if let Some(number) = number.filter(|&number| graph.node(number).state == State::Fresh)
            {
                self.list(graph, number)?;
                self.keep_won(graph);
                self.fit(graph)?;
            }
        }
        Ok(())
    }

    /// Sees to it that the graphs fit their memory.
    fn fit(&mut self, graph: &Graph) -> Result<(), Stop> {
        if graph.len() + self.parked.nodes() > self.room {
            self.parked.clear();
        }
        if graph.len() > self.room { Err(Stop::Room) } else { Ok(()) }
    }

    /// Searches the board that a sowing out of the layer leads to, in at most so many nodes, and
    /// tells the graph what it is worth.
    fn search_lower(&mut self, graph: &mut Graph, edge: u32, nodes: u64) -> Result<(), Stop> {
        let (node, pit) = graph.sowing(edge);
        let sown = self.search.rules.sow(node.board, pit);
        let threshold = passed_on(&sown, graph.threshold(node.attacks));
        let (limit, room) = (self.limit, self.room);
        self.limit = limit.min(self.tally.nodes + nodes);
        // The graphs of lower layers have what this one leaves.
        self.room = room.saturating_sub(graph.len());
        let reached = self.reaches(sown.board, threshold)?;
        (self.limit, self.room) = (limit, room);
        match reached {
            Some(reached) => graph.answer(edge, (reached == sown.again) == node.attacks),
            None => graph.give_up(edge),
        }
        Ok(())
    }

    /// What rule 1 proved since the last call.
    fn keep_won(&self, graph: &mut Graph) {
        while let Some(number) = graph.news.pop() {
            let node = graph.node(number);
            self.keep(node.board, graph.threshold(node.attacks), node.attacks, 1);
        }
    }

    /// Counts a board, and now and then stops if there is a reason to.
    fn tick(&mut self) -> Result<(), Stop> {
        self.tally.nodes += 1;
        if !self.tally.nodes.is_multiple_of(TICK) {
            return Ok(());
        }
        self.tally.tell();
        if self.stop.load(Relaxed) {
            return Err(Stop::Done);
        }
        self.search.tick()
    }
}
