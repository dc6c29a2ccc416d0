//! Everything that the installed versions of clang make of the corpus can be read.

mod support;

use std::sync::Mutex;

#[test]
fn all_versions_at_all_levels() {
    let mut jobs = Vec::new();
    for compiler in support::compilers() {
        for file in support::corpus() {
            for level in ["-O0", "-O1", "-O2"] {
                jobs.push((compiler.clone(), file.clone(), level));
            }
        }
    }
    let total = jobs.len();
    let queue = Mutex::new(jobs);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get().min(8)) {
            scope.spawn(|| {
                loop {
                    let job = queue.lock().unwrap().pop();
                    let Some((compiler, file, level)) = job else { break };
                    let text = support::compile(&compiler, level, &file);
                    match norn_llvm::read(&text) {
                        Ok(module) => support::check(&module),
                        Err(error) => {
                            let what = format!("{compiler} {level} {}:{error}", file.display());
                            failures.lock().unwrap().push(what);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {total} failed:\n{}", failures.len(), failures.join("\n"));
}
