//! How much memory this process uses, as far as the system tells.

/// The unit of the system's numbers, on all targets that tell them.
const PAGE: u64 = 4096;

/// The most it ever used, in bytes; 0 if that is not known.
pub(crate) fn peak() -> u64 {
    status("VmHWM:").unwrap_or(0)
}

/// What it uses now, in bytes; 0 if that is not known.
pub(crate) fn now() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = text.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}

fn status(field: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
