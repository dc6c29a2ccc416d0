//! Reads each file given and says how long it took; a quick look at speed and coverage.

use std::time::Instant;

fn main() {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                failed = true;
                continue;
            }
        };
        let start = Instant::now();
        match norn_llvm::read(&text) {
            Ok(module) => println!(
                "{path}: {} bytes, {} functions, {} ms",
                text.len(),
                module.functions.len(),
                start.elapsed().as_millis()
            ),
            Err(error) => {
                eprintln!("{path}:{error}");
                failed = true;
            }
        }
    }
    std::process::exit(i32::from(failed));
}
