//! Compiles and lowers the files given and prints the bytecode (with `--quiet`: only what failed).

use norn_frontend::{Options, load};
use std::path::PathBuf;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let quiet = args.iter().position(|a| a == "--quiet").map(|i| args.remove(i)).is_some();
    let (flags, files): (Vec<_>, Vec<_>) = args.into_iter().partition(|a| a.starts_with('-'));
    let inputs: Vec<_> = files.into_iter().map(PathBuf::from).collect();
    let options = Options { clang: None, flags: &flags, provided: |_| true };
    match load(&inputs, &options) {
        Ok(loaded) => {
            loaded.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
            if quiet {
                loaded.program.messages.iter().for_each(|message| println!("{message}"));
            } else {
                print!("{}", loaded.program);
            }
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}
