//! The plain twin.
