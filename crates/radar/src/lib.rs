//! radar
