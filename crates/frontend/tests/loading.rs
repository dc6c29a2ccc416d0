//! The way from files to a program: compiler, linking, and what is wrong with inputs.

mod support;

use norn_frontend::{FrontendError, Options, load, lower_modules};
use std::path::{Path, PathBuf};
use support::{directory, interpret};

fn options(flags: &[String]) -> Options<'_> {
    Options { clang: None, flags, provided: |_| true }
}

fn write(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a file can be written");
    file
}

#[test]
fn several_files_are_one_program() {
    let files = ["main.c", "one.c", "two.cpp"].map(|name| directory("link").join(name));
    let seen = interpret(&files, &[]);
    assert_eq!(seen.output, "1110 1011 1 2\n7 9 one 42\n");
    assert_eq!(seen.end, "exit 7");
}

#[test]
fn definitions_must_be_unique_and_main_may_be_missing() {
    let one = directory("link").join("one.c");
    let error = load(&[one.clone(), one.clone()], &options(&[])).unwrap_err();
    assert!(error.to_string().contains("defined in two of the inputs"), "{error}");
    let loaded = load(&[one], &options(&[])).expect("a part of a program");
    assert!(loaded.program.main.is_none(), "who runs it chooses where it starts");
}

#[test]
fn what_clang_says_is_passed_on() {
    let file = write("broken.c", "int main(void) { return undeclared; }\n");
    match load(&[file], &options(&[])).unwrap_err() {
        FrontendError::ClangFailed { stderr, .. } => {
            assert!(stderr.contains("broken.c:1:25: error"), "{stderr}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_missing_compiler_or_file_is_an_error_with_advice() {
    let file = write("fine.c", "int main(void) { return 0; }\n");
    let clang = Some(Path::new("no-such-compiler"));
    let error = load(&[file], &Options { clang, ..options(&[]) }).unwrap_err();
    assert!(error.to_string().contains("install"), "{error}");
    let error = load(&["no-such-file.c".into()], &options(&[])).unwrap_err();
    assert!(matches!(error, FrontendError::Io { .. }), "{error}");
}

#[test]
fn norn_h_is_found_by_c_and_cpp() {
    let text = "#include <norn.h>\nint main(void) { norn_assume(1); int x = 1; norn_await(x == 1); \
                norn_await_eq(&x, 1); return (int)norn_choose(3, 3); }\n";
    for name in ["uses_norn.c", "uses_norn.cpp"] {
        let program = load(&[write(name, text)], &options(&[])).unwrap().program;
        assert!(program.externals.iter().any(|external| external.name == "norn_choose"));
    }
}

#[test]
fn other_targets_are_refused() {
    let module = norn_llvm::read("target datalayout = \"E-p:32:32\"\ntarget triple = \"ppc\"\n");
    let error = lower_modules(&[module.unwrap()], |_| true).unwrap_err();
    assert!(error.to_string().contains("ppc"), "{error}");
}

#[test]
fn unreadable_ir_names_file_line_and_column() {
    let file = write("bad.ll", "@x = global i32 0\n@y = global i32 nonsense\n");
    let error = load(std::slice::from_ref(&file), &options(&[])).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}:2:", file.display())), "{error}");
}

#[test]
fn what_is_not_supported_matters_only_when_reached() {
    let text =
        "int main(int argc, char **argv) { if (argc > 5) __asm__ volatile(\"hlt\"); return 3; }";
    assert_eq!(interpret(&[write("asm_unreached.c", text)], &[]).end, "exit 3");
    let text = "int main(void) { __asm__ volatile(\"hlt\"); return 3; }";
    let seen = interpret(&[write("asm_reached.c", text)], &[]);
    assert!(seen.end.contains("Unsupported") && seen.end.contains("hlt"), "{}", seen.end);
}

#[test]
fn locations_types_and_loops_are_recorded() {
    let text = "struct node { int value; struct node *next; };\n\
                struct { int head; struct node nodes[3]; } queue;\n\
                int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 3; i++)\n    sum += i;\n\
                  return sum;\n}\n";
    let file = write("described.c", text);
    let program = load(std::slice::from_ref(&file), &options(&[])).unwrap().program;
    let queue = program.globals.iter().position(|g| g.name == "queue").unwrap();
    let id = norn_program::GlobalId(queue as u32);
    assert_eq!(program.describe_global(id, 32), "queue.nodes[1].next");
    let [the_loop] = &program.loops[..] else { panic!("one loop") };
    // The sum and the counter are live at the header, and nothing else.
    assert_eq!(the_loop.live.len(), 2);
    let place = program.format_place(norn_action::Place(the_loop.header)).unwrap();
    assert_eq!(place, format!("{}:5:19", file.display()));
}

#[test]
fn reading_an_uninitialised_local_is_a_fault() {
    let text = "int main(int argc, char **argv) { int x; if (argc > 5) x = 1; return x; }";
    let seen = interpret(&[write("uninitialised.c", text)], &[]);
    assert!(seen.end.contains("Unwritten") && seen.end.contains("x"), "{}", seen.end);
    let text = "int main(int argc, char **argv) { int x; if (argc < 5) x = 1; return x; }";
    assert_eq!(interpret(&[write("initialised.c", text)], &[]).end, "exit 1");
}

#[test]
fn passing_a_structure_is_no_use_of_its_unwritten_bytes() {
    let text = "struct s { long a, b; }; static long f(struct s s) { return s.a; }\n\
                int main(void) { struct s s; s.a = 4; return (int)f(s); }";
    assert_eq!(interpret(&[write("partly_written.c", text)], &[]).end, "exit 4");
    let text = "struct s { long a, b; }; static long f(long b) { return b; }\n\
                int main(void) { struct s s; s.a = 4; return (int)f(s.b); }";
    let seen = interpret(&[write("unwritten_member.c", text)], &[]);
    assert!(seen.end.contains("Unwritten"), "{}", seen.end);
}
