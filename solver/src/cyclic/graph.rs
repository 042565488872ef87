//! The boards of one layer that a question has come to, and what is decided of them.

mod estimate;

use std::ops::Range;

use games::Board;
use hashbrown::HashTable;

/// No edge.
const NONE: u32 = u32::MAX;
/// More effort than any closure takes; sums of a board's sowings do not overflow.
const MOST_EFFORT: u32 = u32::MAX / 16;

/// What is known of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Its sowings are not listed yet.
    Fresh,
    /// Its sowings are listed, and nothing is decided.
    Open,
    /// The attacker wins.
    Won,
    /// The attacker does not win, as known from outside the graph.
    Held,
}

/// A board of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) board: Board,
    /// Whether the mover is the attacker.
    pub(super) attacks: bool,
    pub(super) state: State,
    /// Its sowings that were undecided when they were listed: the first edge and how many.
    first: u32,
    count: u8,
    /// Of a defender's sowings the one he relies on.
    choice: u8,
    /// About how many boards are left to be looked at until the closure closes behind it.
    effort: u32,
    /// About how many boards have to be looked at until the attacker is seen to win.
    proof: u32,
    /// How much more that is by the way of the last walk than by the best one.
    detour: u32,
    /// The last edge into the node.
    parents: u32,
    /// The last walk that met it, and as which of its open nodes.
    walk: u32,
    place: u32,
}

/// A sowing.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: Target,
    /// The next edge into the same node.
    next: u32,
    pit: u8,
    /// How often a search of the board in a lower layer was given up.
    tries: u8,
    /// As [`Node::effort`], as long as nobody has looked.
    effort: u32,
}

/// Where a sowing leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// To a node.
    Inner(u32),
    /// To a board of the layer that has no node yet: it gets one when the defender relies on it.
    Unmet,
    /// Out of the layer, to a board of so many stones that has to be searched.
    Lower(u8),
    /// Out of the layer, in favour of the defender.
    Holds,
    /// Out of the layer, in favour of the attacker.
    Loses,
}

/// The graph of a question about node 0, the root.
#[derive(Debug)]
pub(super) struct Graph {
    goal: i32,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    numbers: HashTable<u32>,
    walks: u32,
    /// Sowings to fresh and unmet boards that defenders have come to rely on.
    pub(super) wanted: Vec<u32>,
    /// Nodes that have become won.
    pub(super) news: Vec<u32>,
}

/// What a walk over the closure found, the nearest to the root first.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) open: Vec<u32>,
    pub(super) fresh: Vec<u32>,
    /// Sowings to unmet boards.
    pub(super) unmet: Vec<u32>,
    /// Sowings to be searched in lower layers: the stones there, one more for each try, and the edge.
    pub(super) lower: Vec<(u8, u32)>,
}

impl Graph {
    /// Bytes that a node takes, with its edges and what the vectors hold in reserve.
    pub(super) const NODE_BYTES: u64 = 160;

    /// The graph of the question whether `board` is worth at least `threshold`.
    pub(super) fn new(board: Board, threshold: i32) -> Graph {
        let attacks = threshold > 0;
        let mut graph = Graph {
            goal: if attacks { threshold } else { 1 - threshold },
            nodes: Vec::new(),
            edges: Vec::new(),
            numbers: HashTable::new(),
            walks: 0,
            wanted: Vec::new(),
            news: Vec::new(),
        };
        graph.number(board, attacks);
        graph
    }

    /// What is asked of a board: the goal, or what the mover keeps if the goal is missed.
    pub(super) fn threshold(&self, attacks: bool) -> i32 {
        if attacks { self.goal } else { 1 - self.goal }
    }

    pub(super) fn root(&self) -> Node {
        self.nodes[0]
    }

    pub(super) fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of a board's node, which is made if it is not there.
    pub(super) fn number(&mut self, board: Board, attacks: bool) -> u32 {
        if let Some(number) = self.find(board, attacks) {
            return number;
        }
        let Graph { nodes, numbers, .. } = self;
        let number = nodes.len() as u32;
        nodes.push(Node {
            board,
            attacks,
            state: State::Fresh,
            first: 0,
            count: 0,
            choice: 0,
            effort: 0,
            proof: if attacks { 1 } else { board.mover.occupied().len() as u32 },
            detour: 0,
            parents: NONE,
            walk: 0,
            place: 0,
        });
        let rehash =
            |&number: &u32| hash(nodes[number as usize].board, nodes[number as usize].attacks);
        numbers.insert_unique(hash(board, attacks), number, rehash);
        number
    }

    /// The number of a board's node, if there is one.
    pub(super) fn find(&self, board: Board, attacks: bool) -> Option<u32> {
        let is_it = |&number: &u32| is(&self.nodes[number as usize], board, attacks);
        self.numbers.find(hash(board, attacks), is_it).copied()
    }

    /// The state of a board that has a node.
    pub(super) fn state(&self, board: Board, attacks: bool) -> Option<State> {
        Some(self.node(self.find(board, attacks)?).state)
    }

    /// Decides a fresh node by what is known outside the graph.
    pub(super) fn settle(&mut self, number: u32, won: bool) {
        if won {
            self.win(number);
        } else {
            self.nodes[number as usize].state = State::Held;
        }
    }

    /// Gives a fresh node its undecided sowings: pit, target and effort. An attacker has at least
    /// one.
    pub(super) fn open(&mut self, number: u32, sowings: &[(u8, Target, u32)]) {
        let first = self.edges.len() as u32;
        let mut wins = false;
        for &(pit, to, effort) in sowings {
            let mut next = NONE;
            if let Target::Inner(to) = to {
                let edge = self.edges.len() as u32;
                let node = &mut self.nodes[to as usize];
                next = std::mem::replace(&mut node.parents, edge);
                wins |= node.state == State::Won;
            }
            self.edges.push(Edge { from: number, to, next, pit, tries: 0, effort });
        }
        let node = &mut self.nodes[number as usize];
        (node.first, node.count) = (first, sowings.len() as u8);
        (node.state, node.effort) = (State::Open, MOST_EFFORT);
        if node.attacks && wins || !node.attacks && !self.rely(number) {
            self.win(number);
        }
    }

    fn edges_of(&self, number: u32) -> Range<usize> {
        let node = &self.nodes[number as usize];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    /// The edge that a defender relies on.
    fn relied_on(node: &Node) -> u32 {
        node.first + u32::from(node.choice)
    }

    /// Has a defender rely on the sowing of least effort, of equal ones the first. Gives whether
    /// he has one that is not lost.
    fn rely(&mut self, number: u32) -> bool {
        let node = self.node(number);
        let place = if node.walk == self.walks { node.place } else { 0 };
        let efforts = self.edges_of(number).enumerate();
        let efforts = efforts.filter_map(|(at, edge)| Some((self.effort(edge, place)?, at)));
        let Some((effort, at)) = efforts.min() else {
            return false;
        };
        let node = &mut self.nodes[number as usize];
        (node.effort, node.choice) = (effort, at as u8);
        let edge = node.first + at as u32;
        let wanted = match self.edges[edge as usize].to {
            Target::Inner(to) => self.nodes[to as usize].state == State::Fresh,
            to => to == Target::Unmet,
        };
        if wanted {
            self.wanted.push(edge);
        }
        true
    }

    /// Rule 1: marks a node as won, and all that are won because of it.
    fn win(&mut self, number: u32) {
        let mut new = vec![number];
        while let Some(number) = new.pop() {
            let node = &mut self.nodes[number as usize];
            if std::mem::replace(&mut node.state, State::Won) == State::Won {
                continue;
            }
            self.news.push(number);
            let mut edge = node.parents;
            while edge != NONE {
                let Edge { from, next, .. } = self.edges[edge as usize];
                let parent = self.node(from);
                let loses = || Graph::relied_on(&parent) == edge;
                if parent.state == State::Open && (parent.attacks || loses() && !self.rely(from)) {
                    new.push(from);
                }
                edge = next;
            }
        }
    }

    /// The board and the pit of an edge.
    pub(super) fn sowing(&self, edge: u32) -> (Node, usize) {
        let Edge { from, pit, .. } = self.edges[edge as usize];
        (self.node(from), pit.into())
    }

    /// The node that a sowing within the layer leads to; an unmet board gets one. `None` if it is
    /// of no use to the defender, who then has given it up.
    pub(super) fn meet(
        &mut self,
        edge: u32,
        board: impl FnOnce(Node, usize) -> Board,
    ) -> Option<u32> {
        let Edge { from, to, pit, .. } = self.edges[edge as usize];
        if let Target::Inner(to) = to {
            return Some(to);
        }
        let node = self.node(from);
        let to = self.number(board(node, pit.into()), !node.attacks);
        let next = std::mem::replace(&mut self.nodes[to as usize].parents, edge);
        let met = &mut self.edges[edge as usize];
        (met.to, met.next) = (Target::Inner(to), next);
        if self.node(to).state != State::Won {
            return Some(to);
        }
        if node.state == State::Open && Graph::relied_on(&node) == edge && !self.rely(from) {
            self.win(from);
        }
        None
    }

    /// Sorts fresh nodes: first those that the attacker is most likely to win by.
    pub(super) fn sort(&self, fresh: &mut [u32]) {
        fresh.sort_by_key(|&number| self.node(number).detour);
    }

    /// Whether a sowing out of the layer still matters to its board.
    pub(super) fn is_needed(&self, edge: u32) -> bool {
        let Edge { from, to, .. } = self.edges[edge as usize];
        let node = self.node(from);
        matches!(to, Target::Lower(_))
            && node.state == State::Open
            && (node.attacks || Graph::relied_on(&node) == edge)
    }

    /// Enters what was found about a sowing out of the layer that [is needed](Self::is_needed):
    /// whether it is in the attacker's favour.
    pub(super) fn answer(&mut self, edge: u32, wins: bool) {
        let Edge { from, to, .. } = &mut self.edges[edge as usize];
        *to = if wins { Target::Loses } else { Target::Holds };
        let from = *from;
        if wins && (self.node(from).attacks || !self.rely(from)) {
            self.win(from);
        }
    }

    /// Enters that the search of a sowing out of the layer was given up for now.
    pub(super) fn give_up(&mut self, edge: u32) {
        let edge = &mut self.edges[edge as usize];
        edge.tries = edge.tries.saturating_add(1);
        edge.effort = (2 * edge.effort).min(MOST_EFFORT);
        let from = edge.from;
        if !self.node(from).attacks {
            // There is one at least: this.
            self.rely(from);
        }
    }

    /// Walks over the closure: from the root over all sowings of the attacker and those that
    /// the defender relies on. It is closed if there is nothing fresh and nothing to be searched.
    pub(super) fn walk(&mut self, walk: &mut Walk) {
        self.walks += 1;
        let Walk { open, fresh, unmet, lower } = walk;
        open.clear();
        fresh.clear();
        unmet.clear();
        lower.clear();
        let mut next = 0;
        self.visit(0, 0, open, fresh);
        while let Some(&number) = open.get(next) {
            next += 1;
            let node = self.node(number);
            let relied_on = Graph::relied_on(&node) as usize;
            let edges = if node.attacks { self.edges_of(number) } else { relied_on..relied_on + 1 };
            for edge in edges {
                match self.edges[edge].to {
                    Target::Inner(to) => {
                        let proof = self.nodes[to as usize].proof;
                        let more = if node.attacks { proof.saturating_sub(node.proof) } else { 0 };
                        self.visit(to, node.detour + more, open, fresh);
                    }
                    Target::Unmet => unmet.push(edge as u32),
                    Target::Lower(stones) => {
                        let tries = self.edges[edge].tries;
                        lower.push((stones.saturating_add(tries), edge as u32));
                    }
                    Target::Holds | Target::Loses => {}
                }
            }
        }
    }

    /// Meets a node on a walk.
    fn visit(&mut self, number: u32, detour: u32, open: &mut Vec<u32>, fresh: &mut Vec<u32>) {
        let node = &mut self.nodes[number as usize];
        if std::mem::replace(&mut node.walk, self.walks) == self.walks {
            return;
        }
        node.detour = detour.min(MOST_EFFORT);
        match node.state {
            State::Open => {
                node.place = open.len() as u32;
                open.push(number);
            }
            State::Fresh => fresh.push(number),
            State::Held | State::Won => {}
        }
    }
}

fn is(node: &Node, board: Board, attacks: bool) -> bool {
    node.board == board && node.attacks == attacks
}

/// Mixes the words of a board; equality stays with the boards.
fn hash(board: Board, attacks: bool) -> u64 {
    let mix = |a: u64, b: u64| {
        let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
        product as u64 ^ (product >> 64) as u64
    };
    mix(mix(board.mover.bits(), board.other.bits()), 0xa076_1d64_78bd_642f ^ u64::from(attacks))
}
