//! Shortest-path closure.
