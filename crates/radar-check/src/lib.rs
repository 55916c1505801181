//! radar-check
