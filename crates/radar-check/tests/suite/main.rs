//! All integration tests of the checker in one binary, so that they link once.

mod clauses;
mod explain_plan;
mod explain_stop;
mod laws;
mod oracle;
mod random;
mod robust;
mod scenarios;
mod schedule;
