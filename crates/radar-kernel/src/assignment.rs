//! Dense assignment.
