//! Single-threaded programs print and return the same here as natively.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{Seen, directory, files, for_all, interpret, interpret_with, native};

const LIMIT: Duration = Duration::from_secs(20);

/// Compares the native run with interpreted ones, one for each level of optimisation.
fn same(file: &Path, native_flags: &[&str], flags: &[&str]) -> Result<(), String> {
    let native_flags: Vec<String> = native_flags.iter().map(|f| f.to_string()).collect();
    let expected = native(file, &native_flags, LIMIT).expect("the native program ends");
    for level in ["-O0", "-O1", "-O2"] {
        let flags = flags.iter().chain(&["-w", level]).map(|f| f.to_string()).collect::<Vec<_>>();
        let found = interpret(&[file.to_owned()], &flags);
        if found != expected {
            return Err(format!("{} {level}: {}", file.display(), difference(&found, &expected)));
        }
    }
    Ok(())
}

/// The first line that differs.
fn difference(found: &Seen, expected: &Seen) -> String {
    let text = |seen: &Seen| format!("{}\n{}", seen.output, seen.end);
    let (found, expected) = (text(found), text(expected));
    let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b).unwrap_or(0);
    let end = found.lines().last().unwrap_or("");
    let show =
        |text: &str| text.lines().nth(line).unwrap_or("").chars().take(300).collect::<String>();
    format!(
        "line {}\n  found    {}\n  expected {}\n  end      {end}",
        line + 1,
        show(&found),
        show(&expected)
    )
}

#[test]
fn all_versions_of_clang_give_the_same() {
    let installed = |name: &&PathBuf| {
        Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    let compilers = ["clang-14", "clang-16", "clang-19", "clang-22"].map(PathBuf::from);
    let compilers: Vec<_> = compilers.iter().filter(installed).collect();
    assert!(!compilers.is_empty(), "no version of clang is installed");
    for_all(files(&directory("run"), "c"), |file| {
        let run = |compiler: &Path| {
            interpret_with(Some(compiler), std::slice::from_ref(&file), &["-w".into()])
        };
        let first = run(compilers[0]);
        for compiler in &compilers[1..] {
            let other = run(compiler);
            if other != first {
                let difference = difference(&other, &first);
                return Err(format!("{} {}: {difference}", file.display(), compiler.display()));
            }
        }
        Ok(())
    });
}

#[test]
fn programs_run_as_natively() {
    let programs = files(&directory("run"), "c");
    assert!(programs.len() >= 145, "the programs are there");
    for_all(programs, |file| same(&file, &[], &[]));
}

#[test]
fn cpp_programs_run_as_natively() {
    let programs = files(&directory("run"), "cpp");
    assert!(programs.len() >= 4, "the programs are there");
    for_all(programs, |file| same(&file, &["-std=c++17", "-lstdc++"], &["-std=c++17"]));
}
