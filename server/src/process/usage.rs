//! What the process uses of the machine, as Linux says it.
//!
//! Deliberately absent: how often that is asked. To count open files takes as long as there are files.

/// Memory and files in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Usage {
    /// Bytes of memory that are resident.
    pub(crate) resident_bytes: u64,
    /// Open file descriptors, sockets among them.
    pub(crate) open_files: u64,
}

/// What this process uses now; `None` where the system does not say it.
pub(crate) fn usage() -> Option<Usage> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let open_files = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(Usage { resident_bytes: kib_of(&status, "VmRSS:")? * 1024, open_files: open_files as u64 })
}

/// The number after a label, in a file of `/proc` that counts in KiB.
pub(crate) fn kib_of(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_memory_and_files() {
        let before = usage().unwrap();
        let file = std::fs::File::open("/proc/self/status").unwrap();
        assert!(usage().unwrap().open_files > 3, "the three standard streams and this one");
        assert!(before.resident_bytes > 1 << 20, "{before:?}");
        drop(file);
    }

    #[test]
    fn the_number_after_a_label() {
        assert_eq!(kib_of("VmPeak:\t 9 kB\nVmRSS:\t   1234 kB\n", "VmRSS:"), Some(1_234));
        assert_eq!(kib_of("VmPeak:\t 9 kB\n", "VmRSS:"), None);
    }
}
