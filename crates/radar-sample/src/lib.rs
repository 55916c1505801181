//! radar-sample
