//! Recorded cases, files and laws.

mod checkpoint;
mod file;
mod laws;
mod parity;
