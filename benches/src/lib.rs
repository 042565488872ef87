//! The benches are in `benches/`; run them with `cargo bench`. Each asserts the answers of what it
//! times.
