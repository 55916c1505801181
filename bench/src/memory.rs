//! What the system says of the memory of this process.

/// The most gigabytes it ever had at once.
pub fn peak_gigabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / (1024.0 * 1024.0)
}

/// From here on only what comes counts as its peak, where the system allows that.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
