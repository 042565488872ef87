//! Graphs of questions that were given up for the time being.

use std::collections::HashMap;

use games::Board;

use super::graph::Graph;

/// Graphs by the board and the threshold of their question.
#[derive(Debug, Default)]
pub(super) struct Parked {
    graphs: HashMap<(Board, i32), Graph>,
    nodes: usize,
}

impl Parked {
    /// Nodes of all graphs.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// The graph of a question, where it was left, or a new one.
    pub(super) fn take(&mut self, board: Board, threshold: i32) -> Graph {
        let Some(graph) = self.graphs.remove(&(board, threshold)) else {
            return Graph::new(board, threshold);
        };
        self.nodes -= graph.len();
        graph
    }

    pub(super) fn put(&mut self, board: Board, threshold: i32, graph: Graph) {
        self.nodes += graph.len();
        self.graphs.insert((board, threshold), graph);
    }

    /// Makes room: all that the graphs knew for good is in the transposition table.
    pub(super) fn clear(&mut self) {
        *self = Parked::default();
    }
}
