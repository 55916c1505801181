//! CPU mathematics that every solver crate may use: seeded streams of random numbers, shortest-path
//! closure, dense assignment, vectorised functions, matrix products, singular triplets. Knows no problems,
//! routes or files. The only crate with `unsafe`.

pub mod allocator;
pub mod assignment;
pub mod attention;
pub mod closure;
pub mod ensemble;
pub mod isa;
pub mod norm;
pub mod path;
pub mod product;
pub mod random;
pub mod simd;
pub mod svd;
pub mod transport;
