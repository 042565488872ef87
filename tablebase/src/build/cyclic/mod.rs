//! Building the tables of cyclic games, where positions recur and infinite play counts 0.

pub mod plain;
