//! How much memory there is.

use std::fs;

/// Assumed where the system does not tell.
const UNKNOWN: u64 = 4 << 30;

/// Bytes that may well be filled: what is available, less a tenth for everything else.
pub(crate) fn most_of_available() -> u64 {
    let available = available().unwrap_or(UNKNOWN);
    available.min(left_to_group().unwrap_or(u64::MAX)) / 10 * 9
}

/// What Linux would give without swapping.
fn available() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What the control group of a container leaves, if it has a limit.
fn left_to_group() -> Option<u64> {
    let read = |name| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let limit: u64 = read("max")?.trim().parse().ok()?;
    let used: u64 = read("current")?.trim().parse().ok()?;
    Some(limit.saturating_sub(used))
}
