//! Memory that can be had: who is refused some is ended by the system, with all that Python holds.

use radar_wire::Failure;

/// Refuses what takes more than there is.
pub fn refuse_beyond(need: u64, what: &str, action: &str) -> Result<(), Failure> {
    match free() {
        Some(free) if need > free => {
            let (need, free) = (need / 1_000_000, free / 1_000_000);
            Err(too_little(&format!("{what} take about {need} MB, and {free} MB are free"), action))
        }
        _ => Ok(()),
    }
}

/// There is no room for it.
pub fn too_little(cause: &str, action: &str) -> Failure {
    Failure::input("too-little-memory", cause, action)
}

/// Bytes that are free, where the system tells: of the machine, and below the limit of this process (`ulimit -v`).
fn free() -> Option<u64> {
    let limit = || {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).ok();
        below_limit(&read("limits")?, &read("status")?)
    };
    radar_machine::free_memory().into_iter().chain(limit()).min()
}

fn below_limit(limits: &str, status: &str) -> Option<u64> {
    let field = |text: &str, name: &str| -> Option<u64> {
        text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
    };
    let most = field(limits, "Max address space")?;
    Some(most.saturating_sub(field(status, "VmSize:")? * 1024))
}
