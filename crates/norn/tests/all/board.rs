//! One search by several processes, which are killed and stopped, and in parts that go their own ways: all find what
//! one process finds.

use crate::support;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = "bench/programs/fib_bench.c";

pub(crate) fn norn() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(&path);
    path
}

pub(crate) fn worker(board: &Path) -> Child {
    let mut command = norn();
    command.arg("worker").arg(board).args(["--jobs", "1", "--wait", "3s"]);
    command.spawn().expect("to run norn")
}

pub(crate) fn check(file: &Path, options: &[&str]) -> Command {
    let mut command = norn();
    command.arg("check").arg(file).args(["--format", "json", "--algorithm", "trust"]);
    command.args(options);
    command
}

pub(crate) fn shared(file: &Path, board: &Path, options: &[&str]) -> Command {
    let mut command = norn();
    command.arg("check").arg(file).args(["--format", "json", "--slice", "100ms", "--lease", "1s"]);
    command.arg("--board").arg(board).args(options);
    command
}

pub(crate) fn run(mut command: Command) -> (Value, i32) {
    let output = command.output().expect("to run norn");
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().unwrap_or_else(|| panic!("no exit code: {errors}"));
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("exit code {code}: {errors}")), code)
}

/// What must not depend on who searched what.
pub(crate) fn essence((report, code): &(Value, i32)) -> (Vec<Value>, i32) {
    let names = [
        "verdict",
        "executions",
        "blocked",
        "beyond_bound",
        "bound_blocked",
        "reasons",
        "warnings",
    ];
    (names.map(|name| report[name].clone()).to_vec(), *code)
}

/// The first violation, apart from how many executions one process saw before it.
pub(crate) fn violation((report, _): &(Value, i32)) -> Value {
    let mut violation = report["violation"].clone();
    if let Some(fields) = violation.as_object_mut() {
        fields.remove("executions_before");
    }
    violation
}

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % end
    }
}

pub(crate) fn send(signal: &str, child: &Child) {
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
}

pub(crate) fn end(mut child: Child) {
    let _ = child.kill();
    child.wait().expect("to wait");
}

/// What happens to the processes of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Troubles {
    pub(crate) workers: u32,
    pub(crate) coordinators: u32,
    pub(crate) servers: u32,
}

impl Troubles {
    fn all(&self) -> u32 {
        self.workers + self.coordinators + self.servers
    }
}

/// A board, and how its server is killed and started again, if it has one.
pub(crate) struct Scene<'s> {
    pub(crate) board: PathBuf,
    pub(crate) disturb: Option<&'s mut dyn FnMut()>,
}

/// Three workers and a coordinator, of which one is killed or stopped now and then. What the last coordinator says.
pub(crate) fn searched_in_trouble(
    seed: u64,
    Scene { board, disturb }: &mut Scene<'_>,
    coordinator: &dyn Fn() -> Command,
    troubles: &mut Troubles,
) -> (Value, i32) {
    let mut random = Random(seed);
    let mut workers: Vec<Child> = (0..3).map(|_| worker(board)).collect();
    let mut check = coordinator().spawn().expect("to run norn");
    let (began, before) = (Instant::now(), *troubles);
    while check.try_wait().expect("to look").is_none() {
        assert!(began.elapsed() < Duration::from_secs(200), "seed {seed}: the search does not end");
        std::thread::sleep(Duration::from_millis(20 + random.below(150)));
        // On a machine that has much else to do, nobody would come to anything.
        if troubles.all() - before.all() >= 10 {
            continue;
        }
        let victim = random.below(3) as usize;
        match random.below(10) {
            0..=2 => {
                end(std::mem::replace(&mut workers[victim], worker(board)));
                troubles.workers += 1;
            }
            3 => {
                send("-STOP", &workers[victim]);
                std::thread::sleep(Duration::from_millis(100 + random.below(1400)));
                send("-CONT", &workers[victim]);
                troubles.workers += 1;
            }
            4 if troubles.coordinators - before.coordinators < 2
                && check.try_wait().expect("to look").is_none() =>
            {
                end(check);
                check = coordinator().spawn().expect("to run norn");
                troubles.coordinators += 1;
            }
            5 => {
                if let Some(disturb) = disturb
                    && troubles.servers - before.servers < 2
                {
                    disturb();
                    troubles.servers += 1;
                }
            }
            _ => {}
        }
        for worker in &mut workers {
            if let Some(status) = worker.try_wait().expect("to look") {
                // One that leaves does so because nothing is left to do, or it would be missed.
                assert!(status.success(), "seed {seed}: a worker gives up");
            }
        }
    }
    let output = check.wait_with_output().expect("to wait");
    workers.into_iter().for_each(end);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    let report = report.unwrap_or_else(|_| panic!("seed {seed}: {errors}"));
    (report, output.status.code().expect("an exit code"))
}

/// Whether nothing of a search is left.
pub(crate) fn is_clean(board: &Path) -> bool {
    let mut status = norn();
    let output = status.arg("status").arg(board).output().expect("to run norn");
    String::from_utf8_lossy(&output.stdout).contains("there is no search") && !board.exists()
}

fn compare_in_trouble(
    seeds: std::ops::Range<u64>,
    wanted: u32,
    options: &[&str],
    size: &str,
) -> Troubles {
    let program = Path::new(PROGRAM);
    let flags = [options, &["--", size]].concat();
    let alone = run(check(program, &flags));
    let mut troubles = Troubles::default();
    for seed in seeds {
        let board = temporary(&format!("trouble{}{seed}", options.len()));
        let mut scene = Scene { board: board.clone(), disturb: None };
        let coordinator = || shared(program, &board, &flags);
        let found = searched_in_trouble(seed, &mut scene, &coordinator, &mut troubles);
        assert_eq!(essence(&alone), essence(&found), "seed {seed}");
        assert!(is_clean(&board), "something is left of seed {seed}");
    }
    let some = troubles.all();
    assert!(some >= wanted, "only {some} were killed or stopped");
    println!("{troubles:?}");
    troubles
}

#[cfg(unix)]
#[test]
fn nothing_is_lost_or_counted_twice_when_processes_die() {
    compare_in_trouble(0..2, 4, &[], "-DN=5");
    compare_in_trouble(2..3, 2, &["--model", "sc", "--bound", "6"], "-DN=5");
}

/// `cargo test -p norn -- --ignored many_processes_die`: some minutes.
#[cfg(unix)]
#[test]
#[ignore = "takes some minutes"]
fn nothing_is_lost_when_many_processes_die() {
    let troubles = compare_in_trouble(100..115, 50, &[], "-DN=5");
    assert!(troubles.workers >= 50 && troubles.coordinators >= 5, "{troubles:?}");
    compare_in_trouble(200..210, 20, &["--model", "sc", "--bound", "6"], "-DN=5");
}

/// Two threads that only some executions start, in which something is wrong. Which of them is met first depends on
/// the workers.
const LATE: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, u, v, noise;
static void *left(void *unused) {
    atomic_store(&u, 1);
    assert(!(atomic_load(&v) == 1 && atomic_load(&noise) == 2));
    return unused;
}
static void *right(void *unused) {
    atomic_store(&v, 1);
    assert(!(atomic_load(&u) == 1 && atomic_load(&noise) == 2));
    return unused;
}
static void *one(void *unused) {
    pthread_t thread;
    if (atomic_load(&x) == 1) {
        pthread_create(&thread, 0, left, 0);
        pthread_join(thread, 0);
    }
    return unused;
}
static void *two(void *unused) {
    pthread_t thread;
    if (atomic_load(&y) == 1) {
        pthread_create(&thread, 0, right, 0);
        pthread_join(thread, 0);
    }
    return unused;
}
static void *noisy(void *unused) {
    for (int i = 1; i < 5; i++) atomic_store(&noise, i);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, two, 0);
    pthread_create(&threads[1], 0, one, 0);
    pthread_create(&threads[2], 0, noisy, 0);
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
";

#[test]
fn the_first_violation_does_not_depend_on_who_meets_a_thread_first() {
    let program = temporary("late.c");
    std::fs::write(&program, LATE).expect("to write");
    let place = |(report, _): (Value, i32)| report["violation"]["line"].clone();
    let alone = place(run(check(&program, &["--jobs", "1"])));
    assert!(alone.is_u64(), "something is wrong with it");
    for round in 0..40 {
        let jobs = ["2", "3", "4"][round % 3];
        assert_eq!(place(run(check(&program, &["--jobs", jobs]))), alone, "{jobs} workers");
    }
}

#[test]
fn the_first_violation_is_that_of_one_process() {
    for name in ["assertion", "assertion_try_lock", "assertion_section", "abort"] {
        let file = PathBuf::from(format!("tests/faults/{name}.c"));
        let board = temporary(&format!("first-{name}"));
        let workers = [worker(&board), worker(&board)];
        let found = run(shared(&file, &board, &[]));
        workers.into_iter().for_each(end);
        let alone = run(check(&file, &["--jobs", "1"]));
        assert!(alone.0["violation"].is_object(), "{name}");
        assert_eq!(violation(&alone), violation(&found), "{name}");
        assert_eq!(alone.1, found.1, "{name}");
    }
}

/// The programs of tests/faults in which one worker finds something, with what it finds.
pub(crate) fn faulty() -> Vec<(PathBuf, (Value, i32))> {
    let all = support::programs(&support::root().join("tests/faults"));
    let found = all.into_iter().filter_map(|file| {
        let text = std::fs::read_to_string(&file).expect("a program");
        let line = text.lines().next().unwrap_or_default();
        // Some need more flags, of which the first line tells.
        let is_plain = line.starts_with("// norn: violation") && !line.contains("options=");
        let alone = is_plain.then(|| run(check(&file, &["--jobs", "1"])))?;
        alone.0["violation"].is_object().then_some((file, alone))
    });
    found.collect()
}

/// `cargo test -p norn -- --ignored first_violation_of_every`: about an hour.
#[cfg(unix)]
#[test]
#[ignore = "takes an hour"]
fn the_first_violation_of_every_fault_is_that_of_one_process_whoever_dies() {
    let seeds = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let (mut compared, mut troubles) = (0, Troubles::default());
    for (file, alone) in faulty() {
        for seed in 0..seeds {
            let board = temporary(&format!("fault{seed}"));
            let mut scene = Scene { board: board.clone(), disturb: None };
            let coordinator = || shared(&file, &board, &[]);
            let found = searched_in_trouble(seed, &mut scene, &coordinator, &mut troubles);
            assert_eq!(violation(&alone), violation(&found), "{} {seed}", file.display());
            assert_eq!(alone.1, found.1, "{} {seed}", file.display());
            compared += 1;
        }
    }
    println!("{compared} searches, {troubles:?}");
    assert!(compared >= 50 * seeds, "there are more programs");
}

/// What a search leaves behind that was ended counts for no other one, though its bundles stand at the same places.
#[test]
fn records_of_an_earlier_search_do_not_count() {
    let program = Path::new(PROGRAM);
    let old = temporary("earlier");
    let begun = norn().arg("worker").arg(&old).args(["--jobs", "1"]).spawn().expect("to run norn");
    let text = std::fs::read_to_string(support::root().join(PROGRAM)).expect("the program");
    let longer = temporary("longer.c");
    std::fs::write(&longer, text.replace("144", "100000")).expect("to write");
    let (_, code) = run(shared(&longer, &old, &["--timeout", "4s", "--", "-DN=7"]));
    end(begun);
    assert_eq!(code, 3, "it was not done");
    let board = temporary("later");
    let mut copied = 0;
    for folder in ["done", "queue", "lease"] {
        std::fs::create_dir_all(board.join(folder)).expect("to make it");
        for entry in std::fs::read_dir(old.join(folder)).expect("to look") {
            let entry = entry.expect("to look");
            let to = board.join(folder).join(entry.file_name());
            std::fs::copy(entry.path(), to).expect("to copy");
            copied += 1;
        }
    }
    assert!(copied > 0, "something was left behind");
    for name in ["orders", "fold", "cancel"] {
        let _ = std::fs::copy(old.join(name), board.join(name));
    }
    let workers = [worker(&board), worker(&board)];
    let found = run(shared(program, &board, &["--", "-DN=4"]));
    workers.into_iter().for_each(end);
    assert_eq!(essence(&found), essence(&run(check(program, &["--", "-DN=4"]))));
    std::fs::remove_dir_all(old).expect("to remove");
}

/// A record or a bundle that cannot be read is made again.
#[test]
fn damaged_files_are_made_again() {
    let program = Path::new(PROGRAM);
    let board = temporary("damaged");
    let mut check_it = shared(program, &board, &["--", "-DN=4"]);
    let checks = check_it.spawn().expect("to run norn");
    let workers = [worker(&board), worker(&board)];
    let mut damaged = 0;
    let mut random = Random(7);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) && damaged < 12 && board_is_busy(&board, began)
    {
        for folder in ["done", "queue"] {
            let Ok(entries) = std::fs::read_dir(board.join(folder)) else { continue };
            let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            paths.retain(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 20));
            paths.sort();
            if paths.is_empty() {
                continue;
            }
            let path = &paths[random.below(paths.len() as u64) as usize];
            let file = std::fs::OpenOptions::new().write(true).open(path);
            damaged += u32::from(file.and_then(|file| file.set_len(20)).is_ok());
        }
        std::thread::sleep(Duration::from_millis(15));
    }
    let output = checks.wait_with_output().expect("to wait");
    workers.into_iter().for_each(end);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"));
    assert!(damaged > 0, "nothing was damaged");
    let found = (report, output.status.code().expect("a code"));
    assert_eq!(essence(&found), essence(&run(check(program, &["--", "-DN=4"]))));
}

/// Whether a search is there, or may still come.
fn board_is_busy(board: &Path, began: Instant) -> bool {
    board.join("job.0").exists() || began.elapsed() < Duration::from_secs(5)
}

/// The error message of a command that is refused.
pub(crate) fn refusal(mut command: Command) -> String {
    let output = command.output().expect("to run norn");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{text}");
    text
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let program = Path::new(PROGRAM);
    let board = temporary("refused");
    for (options, why) in [
        (vec!["--algorithm", "rf"], "use --algorithm trust"),
        (vec!["--algorithm", "await", "--model", "sc"], "use --algorithm trust"),
        (vec!["--model", "sc", "--bound", "auto"], "give --bound a number"),
        (vec!["--max-executions", "5"], "use --timeout"),
        (vec!["--checkpoint", "x.norn"], "leave --checkpoint out"),
    ] {
        assert!(refusal(shared(program, &board, &options)).contains(why), "{options:?}");
    }
    assert!(!board.exists(), "nothing was posted");
    // A search that was left on a board: another one is refused, and so is another version.
    let (report, code) = run(shared(program, &board, &["--timeout", "3s", "--", "-DN=4"]));
    assert_eq!((report["reasons"][0]["kind"].as_str(), code), (Some("timeout"), 3));
    assert!(board.join("job.0").exists(), "there was time to post it");
    let other = refusal(shared(program, &board, &["--", "-DN=5"]));
    assert!(other.contains("the search of another program"), "{other}");
    let job = std::fs::read_to_string(board.join("job.0")).expect("what was posted");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    std::fs::write(board.join("job.0"), job.replace(&version, "\"version\":\"0.0.1\""))
        .expect("to write");
    let mut worker = norn();
    worker.arg("worker").arg(&board);
    assert!(refusal(worker).contains("norn 0.0.1"));
    std::fs::write(board.join("job.0"), job.replace("\"sha256\":\"", "\"sha256\":\"0"))
        .expect("to write");
    let mut worker = norn();
    worker.arg("worker").arg(&board);
    assert!(refusal(worker).contains("the program is not the one"));
    let mut status = norn();
    status.arg("status").arg(&board);
    let status = status.output().expect("to run norn");
    assert!(String::from_utf8_lossy(&status.stdout).contains(PROGRAM));
    let mut cancel = norn();
    cancel.arg("cancel").arg(&board);
    assert!(cancel.output().expect("to run norn").status.success());
    assert!(!board.exists(), "something is left");
}

#[test]
fn parts_add_up_and_none_is_forgotten() {
    let program = Path::new(PROGRAM);
    let file = temporary("split.norn");
    let text = file.to_str().expect("a name");
    let alone = run(check(program, &["--", "-DN=4"]));
    let begun = ["--checkpoint", text, "--max-executions", "5000", "--jobs", "1", "--", "-DN=4"];
    assert_eq!(run(check(program, &begun)).1, 3);
    let part = |number: u32| PathBuf::from(format!("{text}.{number}"));
    let merge = |numbers: &[u32]| {
        let mut command = norn();
        command.arg("merge").args(numbers.iter().map(|&number| part(number)));
        command.arg("-o").arg(&file);
        command
    };
    let split = |file: &Path, number: &str| {
        let mut command = norn();
        command.arg("split").arg(file).args(["-n", number]);
        command
    };
    assert!(split(&file, "5").output().expect("to run norn").status.success());
    for number in [4, 2, 5] {
        let mut resume = norn();
        resume.args(["resume", "--format", "json"]).arg(part(number));
        let (report, code) = run(resume);
        assert_eq!((report["reasons"][0]["kind"].as_str(), code), (Some("part"), 3));
    }
    assert!(refusal(split(&part(1), "2")).contains("it is a part itself"));
    assert!(refusal(merge(&[1, 2, 4, 5])).contains("missing: 3"));
    assert!(refusal(merge(&[1, 2, 3, 4, 5, 2])).contains("the same part"));
    let merged = merge(&[3, 1, 5, 2, 4]).output().expect("to run norn");
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let mut resume = norn();
    resume.args(["resume", "--format", "json"]).arg(&file);
    assert_eq!(essence(&run(resume)), essence(&alone));
}

/// A violation of a late part is known before the early parts are searched: it is saved with its place, so that the
/// first one is still the one that counts.
#[test]
fn the_first_violation_does_not_depend_on_the_part_that_is_searched_first() {
    let text = std::fs::read_to_string(support::root().join(PROGRAM)).expect("the program");
    let program = temporary("fails.c");
    std::fs::write(&program, text.replace("144", "143")).expect("to write");
    let alone = run(check(&program, &["--jobs", "1", "--", "-DN=5"]));
    assert_eq!(alone.1, 1, "something is wrong with it");
    let file = temporary("fails.norn");
    let name = file.to_str().expect("a name");
    let begun = ["--checkpoint", name, "--max-executions", "500", "--jobs", "1", "--", "-DN=5"];
    assert_eq!(run(check(&program, &begun)).1, 3);
    let part = |number: u32| PathBuf::from(format!("{name}.{number}"));
    let mut split = norn();
    assert!(split.arg("split").arg(&file).args(["-n", "6"]).status().expect("to run").success());
    let mut violated = 0;
    for number in (2..=6).rev() {
        let mut resume = norn();
        resume.args(["resume", "--format", "json", "--jobs", "1"]).arg(part(number));
        violated += u32::from(run(resume).1 == 1);
    }
    assert!(violated > 0, "no part but the first has a violation");
    let mut merge = norn();
    merge.arg("merge").args((1..=6).map(part)).arg("-o").arg(&file);
    assert!(merge.status().expect("to run").success());
    let mut resume = norn();
    resume.args(["resume", "--format", "json"]).arg(&file);
    assert_eq!(violation(&run(resume)), violation(&alone));
}
