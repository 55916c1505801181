//! The `radar` command.
fn main() {}
