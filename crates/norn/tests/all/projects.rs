//! Small projects that use Norn from what they are built with, from a fresh build directory.

use crate::support::{is_there, root};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a command prints, which must succeed. It finds `norn` first.
fn run(command: &mut Command) -> String {
    let norn = Path::new(env!("CARGO_BIN_EXE_norn"));
    let mut path = OsString::from(norn.parent().expect("a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let output = command.env("PATH", path).env("XDG_CACHE_HOME", cache).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}");
    text.into_owned()
}

fn project(name: &str) -> PathBuf {
    root().join("tests/projects").join(name)
}

#[test]
fn cmake_runs_checks_as_tests() {
    if !is_there("cmake") || !is_there("ctest") || !is_there("cc") {
        return;
    }
    let build = tempfile::tempdir().expect("a folder");
    run(Command::new("cmake").arg("-S").arg(project("cmake")).arg("-B").arg(build.path()));
    run(Command::new("cmake").arg("--build").arg(build.path()));
    let text = run(Command::new("ctest").arg("-V").current_dir(build.path()));
    assert!(text.contains("100% tests passed, 0 tests failed out of 3"), "{text}");
    // A test that must fail does so for the right reason.
    assert!(text.contains("error[data_race]"), "{text}");
    assert!(text.contains("2 of 2 checks are as expected"), "{text}");
}

#[test]
fn meson_runs_checks_as_tests() {
    if !is_there("meson") || !is_there("ninja") || !is_there("cc") {
        return;
    }
    let build = tempfile::tempdir().expect("a folder");
    run(Command::new("meson").arg("setup").arg(build.path()).arg(project("meson")));
    let text = run(Command::new("meson").args(["test", "-v", "-C"]).arg(build.path()));
    assert!(text.contains("error[data_race]"), "{text}");
    assert!(text.contains("2 of 2 checks are as expected"), "{text}");
}

#[test]
fn make_runs_a_folder_of_checks() {
    if !is_there("make") {
        return;
    }
    let text = run(Command::new("make").arg("-C").arg(project("make")).arg("check"));
    assert!(text.contains("2 of 2 checks are as expected"), "{text}");
}

/// What `norn init` writes works as it says, and is never written over anything.
#[test]
fn a_project_can_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let norn = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        command.args(arguments).current_dir(folder.path());
        command
    };
    let text = run(&mut norn(&["init"]));
    assert!(text.contains("norn test tests/concurrency\n"), "{text}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let workflow = read(".github/workflows/norn.yml");
    assert!(
        workflow.contains("- run: norn test tests/concurrency --format github\n"),
        "{workflow}"
    );
    let text = run(&mut norn(&["test", "tests/concurrency"]));
    assert!(text.contains("2 of 2 checks are as expected"), "{text}");
    let check = ["check", "tests/concurrency/first.c", "--", "-DRELAXED"];
    assert_eq!(norn(&check).output().expect("to run norn").status.code(), Some(1));

    std::fs::write(folder.path().join("tests/concurrency/first.c"), "mine").expect("to write");
    let again = norn(&["init"]).output().expect("to run norn");
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("first.c is there already"));
    assert_eq!(read("tests/concurrency/first.c"), "mine");
    // All or nothing: the workflow is there.
    assert_eq!(norn(&["init", "elsewhere"]).output().expect("to run norn").status.code(), Some(2));
    assert!(!folder.path().join("elsewhere").exists());
    run(&mut norn(&["init", "elsewhere", "--no-ci"]));
    assert!(folder.path().join("elsewhere/first.c").exists());
}

/// The name of a folder is what a shell and YAML would take for something else.
#[test]
fn a_folder_may_have_any_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut init = Command::new(env!("CARGO_BIN_EXE_norn"));
    let text = run(init.args(["init", "it's $(x): #1"]).current_dir(folder.path()));
    assert!(text.contains(r"norn test 'it'\''s $(x): #1'"), "{text}");
    let workflow = std::fs::read_to_string(folder.path().join(".github/workflows/norn.yml"));
    let workflow = workflow.expect("a workflow");
    let step = r#"- run: "norn test 'it'\\''s $(x): #1' --format github""#;
    assert!(workflow.contains(step), "{workflow}");
    let mut nameless = Command::new(env!("CARGO_BIN_EXE_norn"));
    let nameless = nameless.args(["init", ""]).current_dir(folder.path()).output();
    assert_eq!(nameless.expect("to run norn").status.code(), Some(2));
}
