//! How much memory this process uses and may use, as far as the system tells.

use crate::error::InputError;
use nix::unistd::{SysconfVar, sysconf};
use std::path::Path;
use std::sync::OnceLock;

/// The part of the machine's memory that a check may use unless it is told otherwise.
const SHARE: f64 = 0.75;

/// The most it ever used, in bytes; 0 if that is not known.
pub(crate) fn peak() -> u64 {
    kilobytes(Path::new("/proc/self/status"), "VmHWM:").unwrap_or(0)
}

/// What it uses now, in bytes, if that can be known.
pub(crate) fn now() -> Option<u64> {
    static PAGE: OnceLock<Option<u64>> = OnceLock::new();
    let page = *PAGE.get_or_init(|| u64::try_from(sysconf(SysconfVar::PAGE_SIZE).ok()??).ok());
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page?)
}

/// Whether memory that is touched from now on becomes this process's in small pages only, as far as the system lets us
/// say. Large ones are faster, but a limit cannot be kept to the byte when a touch may cost two megabytes.
pub(crate) fn use_small_pages(small: bool) {
    // Where it cannot be had, the limit is kept less exactly.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(small);
    #[cfg(not(target_os = "linux"))]
    let _ = small;
}

/// How many bytes a check may use: what is asked for, or a share of what there is. None if that cannot be
/// watched; asking for a limit is then refused.
pub(crate) fn limit(asked: Option<u64>) -> Result<Option<u64>, InputError> {
    choose(asked, now(), available)
}

fn choose(
    asked: Option<u64>,
    used: Option<u64>,
    available: impl Fn() -> Option<u64>,
) -> Result<Option<u64>, InputError> {
    match (asked, used) {
        (Some(_), None) => Err(InputError::Refused(
            "--max-memory: this system does not tell how much memory a process uses; leave the \
             option out and limit the process by other means"
                .into(),
        )),
        (Some(limit), Some(_)) => Ok(Some(limit)),
        (None, None) => Ok(None),
        (None, Some(_)) => Ok(available().map(|bytes| (bytes as f64 * SHARE) as u64)),
    }
}

/// The memory of the machine, or of the container if that has less.
fn available() -> Option<u64> {
    let machine = kilobytes(Path::new("/proc/meminfo"), "MemTotal:");
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let container = container(&groups, Path::new("/sys/fs/cgroup"));
    [machine, container].into_iter().flatten().min()
}

/// The least limit of the control groups that `groups`, a text as in `/proc/self/cgroup`, names, and of
/// those around them.
fn container(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let inner = root.join(group.trim_start_matches('/'));
        let around = inner.ancestors().take_while(|folder| folder.starts_with(&root));
        // A group without a limit says `max`, which is no number.
        around.filter_map(|folder| number(&folder.join(file))).min()
    });
    limits.min()
}

fn number(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The number of kilobytes that follows `field` in a file, in bytes.
fn kilobytes(file: &Path, field: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_what_is_asked_for_or_a_share_of_what_there_is() {
        let there = || Some(4096);
        assert_eq!(choose(Some(7), Some(1), there).expect("a limit"), Some(7));
        assert_eq!(choose(None, Some(1), there).expect("a limit"), Some(3072));
        assert_eq!(choose(None, None, there).expect("no limit"), None);
        let refusal = choose(Some(7), None, there).expect_err("a refusal").to_string();
        assert!(refusal.contains("--max-memory"), "{refusal}");
    }

    #[test]
    fn this_machine_has_memory_and_this_process_uses_some_of_it() {
        let used = now().expect("a number");
        assert!(used > 0 && used <= peak() && used < available().expect("a number"));
        assert!(limit(None).expect("a limit").is_some_and(|limit| limit > used));
    }

    #[test]
    fn containers_have_limits_at_every_level() {
        let root = std::env::temp_dir().join(format!("norn-groups-{}", std::process::id()));
        let inner = root.join("outer/inner");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::write(inner.join("memory.max"), "max\n").expect("a file");
        std::fs::write(root.join("outer/memory.max"), "1000\n").expect("a file");
        let old = root.join("memory/job");
        std::fs::create_dir_all(&old).expect("a folder");
        std::fs::write(old.join("memory.limit_in_bytes"), "500\n").expect("a file");
        assert_eq!(container("0::/outer/inner\n", &root), Some(1000));
        assert_eq!(container("4:cpu,memory:/job\n2:pids:/job\n", &root), Some(500));
        assert_eq!(container("0::/elsewhere\n", &root), None);
        std::fs::remove_dir_all(&root).expect("to clean up");
    }
}
