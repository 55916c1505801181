//! CPU mathematics that every solver crate may use: seeded streams of random numbers, shortest-path
//! closure, dense assignment. Knows no problems, routes or files. The only crate with `unsafe`.

pub mod assignment;
pub mod closure;
pub mod path;
pub mod random;
