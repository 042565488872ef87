//! How much memory there is.

use std::fs;
use std::path::Path;

/// Assumed where the system does not tell.
const UNKNOWN: u64 = 4 << 30;

/// Where Linux tells of the control group of a container.
const GROUP: &str = "/sys/fs/cgroup";

/// Bytes that may well be filled: what is available, less a tenth for everything else.
pub(crate) fn most_of_available() -> u64 {
    let available = available().unwrap_or(UNKNOWN);
    available.min(left_to_group(Path::new(GROUP)).unwrap_or(u64::MAX)) / 10 * 9
}

/// What Linux would give without swapping.
fn available() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The files of a control group that tell of its memory.
struct Names {
    limit: &'static str,
    used: &'static str,
    details: &'static str,
    /// What of the details is held for files.
    files: [&'static str; 2],
}

const VERSIONS: [Names; 2] = [
    Names {
        limit: "memory.max",
        used: "memory.current",
        details: "memory.stat",
        files: ["inactive_file", "active_file"],
    },
    Names {
        limit: "memory/memory.limit_in_bytes",
        used: "memory/memory.usage_in_bytes",
        details: "memory/memory.stat",
        files: ["total_inactive_file", "total_active_file"],
    },
];

/// What a control group leaves, if it has a limit. Files held in memory count as used there, but
/// make way, as they do in `MemAvailable`: whoever has just written a lot is not out of memory.
fn left_to_group(group: &Path) -> Option<u64> {
    VERSIONS.iter().find_map(|names| {
        let read = |name| fs::read_to_string(group.join(name)).ok();
        let number = |name| read(name)?.trim().parse::<u64>().ok();
        let (limit, used) = (number(names.limit)?, number(names.used)?);
        let details = read(names.details).unwrap_or_default();
        let rows = details.lines().filter_map(|line| line.split_once(' '));
        let files = rows.filter(|(name, _)| names.files.contains(name));
        let files: u64 = files.filter_map(|(_, bytes)| bytes.parse::<u64>().ok()).sum();
        Some(limit.saturating_sub(used.saturating_sub(files)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group of which 700 bytes are used, 300 of them for files.
    fn left(folder: &str, [limit, used]: [&str; 2], prefix: &str, most: &str) -> Option<u64> {
        let group = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(group.path().join(folder)).expect("made");
        let write = |name: &str, text: &str| {
            fs::write(group.path().join(folder).join(name), text).expect("written");
        };
        write(limit, most);
        write(used, "700\n");
        let details = "anon 400\n{p}inactive_file 200\n{p}active_file 100\n{p}unevictable 50\n";
        write("memory.stat", &details.replace("{p}", prefix));
        left_to_group(group.path())
    }

    #[test]
    fn files_in_memory_make_way() {
        let second = ["memory.max", "memory.current"];
        assert_eq!(left("", second, "", "1000\n"), Some(600));
        assert_eq!(left("", second, "", "300\n"), Some(0));
        assert_eq!(left("", second, "", "max\n"), None);
        let first = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
        assert_eq!(left("memory", first, "total_", "1000\n"), Some(600));
        let none = tempfile::tempdir().expect("a folder");
        assert_eq!(left_to_group(none.path()), None);
    }
}
