//! Road matrices that instances are cut out of.

use radar::{Kind, Problem};
use radar_format::Given;
use radar_sample::Roads;

use crate::failure::Failure;

/// The tables and points of any file that has them; what else it says is not looked at.
pub fn roads(name: &str, bytes: &[u8]) -> Result<Roads, Failure> {
    // A table is neither tour nor routes; any kind will do to have it read.
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let loaded = radar_format::read(Some(name), bytes, &given)
        .or_else(|_| radar_format::read(Some(name), bytes, &Given::default()))?;
    let [problem] = <[Problem; 1]>::try_from(loaded.problems).map_err(|all| {
        let cause = format!("{name} holds {} problems", all.len());
        Failure::input("set-of-problems", cause, "give one road matrix")
    })?;
    Roads::of(problem)
        .map_err(|error| Failure::input("bad-roads", format!("{name}: {error}"), "give a road matrix"))
}
