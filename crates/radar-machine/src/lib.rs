//! What the machine tells: time spent, memory left.

use std::path::Path;
use std::time::Duration;

/// The CPU time of this process, where the system tells it: user and system time, in hundredths of seconds.
pub fn cpu_time() -> Option<Duration> {
    cpu_time_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

fn cpu_time_in(text: &str) -> Option<Duration> {
    // The name of the program may hold anything; behind its bracket are plain numbers.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

/// Bytes that can be had without anybody being killed, where the system tells: of the machine, or of the part
/// of it that a container may use.
pub fn free_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number = |name: &str| {
        let text = std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(name)).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let part =
        number("memory.max").zip(number("memory.current")).map(|(most, used)| most.saturating_sub(used));
    machine.into_iter().chain(part).min()
}

fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let text = "MemTotal:       24682416 kB\nMemFree:  1 kB\nMemAvailable:   2048 kB\n";
        assert_eq!(available(text), Some(2 << 20));
        assert_eq!(available("MemTotal: 1 kB"), None);
        let text = "7 (a ) b) R 1 1 1 0 -1 4194304 100 0 0 0 150 25 0 0 20 0 1 0";
        assert_eq!(cpu_time_in(text), Some(Duration::from_millis(1750)));
    }
}
