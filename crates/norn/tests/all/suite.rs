//! `norn test`: files that say what is to be found in them.

use std::path::Path;
use std::process::Command;

const RACE: &str = "
#include <pthread.h>
#include VALUE
static int x;
static void *other(void *unused) { x = value; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    x = 1;
    pthread_join(thread, 0);
}
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("inner/value.h", "enum { value = 2 };\n");
        folder.write("inner/right.c", "// norn: expect verified --no-race-detection\n");
        folder.append("inner/right.c", &RACE.replace("VALUE", "\"value.h\""));
        folder.write("wrong.c", "// norn: violation data_race line=7\n");
        folder.append("wrong.c", &RACE.replace("VALUE", "\"inner/value.h\""));
        folder.write("silent.c", "int main(void) {}\n");
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("to make it");
        std::fs::write(path, text).expect("to write");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("to read")
    }

    fn append(&self, name: &str, text: &str) {
        self.write(name, &(self.read(name) + text));
    }

    /// `norn test` in this folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        command.arg("test").args(arguments).current_dir(self.path());
        command.env("XDG_CACHE_HOME", self.path().join(".cache"));
        command
    }

    /// What it prints, without the seconds, and its exit code.
    fn test(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.command(arguments).output().expect("to run norn");
        let text = String::from_utf8(output.stdout).expect("text")
            + &String::from_utf8(output.stderr).expect("text");
        let lines: Vec<String> = text.lines().map(without_seconds).collect();
        (lines.join("\n"), output.status.code().expect("an exit code"))
    }
}

fn without_seconds(line: &str) -> String {
    let Some((head, tail)) = line.rsplit_once(" (") else { return line.to_owned() };
    match tail.split_once(" s") {
        Some((number, rest)) if number.parse::<f64>().is_ok() => format!("{head} ( s{rest}"),
        _ => line.to_owned(),
    }
}

#[test]
fn what_is_not_as_expected_is_shown_and_can_be_blessed() {
    let folder = Folder::new();
    let (text, code) = folder.test(&[".", "--jobs", "1"]);
    let said = "ok    ./inner/right.c --no-race-detection ( s)\n\
                WRONG ./wrong.c\n      \
                expected violation data_race line=7\n      \
                found    violation data_race line=6\n\
                1 of 2 checks are as expected; 1 file says nothing ( s)";
    assert_eq!((text.as_str(), code), (said, 1));
    let (text, code) = folder.test(&[".", "--bless"]);
    assert!(code == 0 && text.contains("\nrewrote ./wrong.c\n1 of 2 checks are"), "{text}");
    assert!(folder.read("wrong.c").starts_with("// norn: violation data_race line=6\n"));
    let (text, code) = folder.test(&[".", "--bless"]);
    assert!(code == 0 && !text.contains("rewrote"), "{text}");
}

/// What has not changed is not checked again; a header is a part of it.
#[test]
fn what_has_not_changed_is_known() {
    let folder = Folder::new();
    let known = |text: &str| text.matches(", known)").count();
    folder.test(&[".", "--bless"]);
    assert_eq!(known(&folder.test(&["."]).0), 1, "the other file was rewritten");
    assert_eq!(known(&folder.test(&["."]).0), 2);
    folder.write("inner/value.h", "enum { value = 1 };\n");
    assert_eq!(known(&folder.test(&["."]).0), 0, "the header was changed");
    assert_eq!(known(&folder.test(&["."]).0), 2);
    assert_eq!(known(&folder.test(&[".", "--no-cache"]).0), 0);
    folder.write("inner/right.c", &folder.read("inner/right.c").replace("--no-race-detection", ""));
    let (text, code) = folder.test(&["."]);
    assert!(text.contains("found    violation data_race"), "{text}");
    assert_eq!(code, 1);
}

/// Whatever makes the compiler read something else, or the check be another, is noticed.
#[test]
fn nothing_that_matters_is_taken_for_known() {
    let folder = Folder::new();
    let known = |text: &str| text.matches(", known)").count();
    let twice = |arguments: &[&str]| {
        folder.test(arguments);
        known(&folder.test(arguments).0)
    };
    folder.write("first/empty.h", "");
    folder.write("test.c", "// norn: expect verified\n#include \"number.h\"\nint main(void) {}\n");
    folder.write("second/number.h", "");
    let flags = ["test.c", "--", "-Ifirst", "-I", "second"];
    assert_eq!(twice(&flags), 1);
    assert_eq!(known(&folder.test(&["test.c", "--", "-Isecond"]).0), 0, "other flags");
    folder.write("first/number.h", "#error it is another\n");
    let (text, code) = folder.test(&flags);
    assert!(code == 1 && text.contains("it is another"), "{text}");

    folder
        .write("asks.c", "// norn: expect verified\n#if __has_include(\"x.h\")\n#error\n#endif\n");
    folder.append("asks.c", "int main(void) {}\n");
    assert_eq!(twice(&["asks.c"]), 0, "a header may come to be there");
    folder.write("my.cat", "acyclic po | rf | co | fr as sc\n");
    folder.write("model.c", "// norn: expect verified --model my.cat\nint main(void) {}\n");
    assert_eq!(twice(&["model.c"]), 0, "a model may be changed");
    folder.write("plain.c", "// norn: expect verified\nint main(void) {}\n");
    folder.write("flags", "-DX");
    assert_eq!(twice(&["plain.c"]), 1);
    assert_eq!(twice(&["plain.c", "--", "@flags"]), 0, "flags may be changed");
    folder.write("loop.c", "// norn: expect inconclusive unroll --unroll 1\nint x;\n");
    folder.append("loop.c", "int main(void) { for (int i = 0; i < 3; i++) x = i; }\n");
    assert_eq!(twice(&["loop.c"]), 0, "what is inconclusive is tried again");
}

/// Names that have to be marked in a rule for `make`.
#[test]
fn headers_with_odd_names_are_noticed() {
    let names = ["a#1.h", "b$2.h", "c 3.h", "d\u{fc}.h", "\u{fc} $#/e.h"];
    for name in names {
        let folder = Folder::new();
        folder.write(name, "enum { value = 1 };\n");
        folder.write("odd.c", "// norn: expect verified\n#include <assert.h>\n");
        folder.append("odd.c", &format!("#include \"{name}\"\n"));
        folder.append("odd.c", "int main(void) { assert(value == 1); }\n");
        folder.test(&["odd.c"]);
        let (text, code) = folder.test(&["odd.c"]);
        assert!(code == 0 && text.contains(", known)"), "{name}: {text}");
        folder.write(name, "enum { value = 2 };\n");
        let (text, code) = folder.test(&["odd.c"]);
        assert!(code == 1 && text.contains("violation assertion"), "{name}: {text}");
    }
}

#[test]
fn blessed_lines_end_as_they_did() {
    let folder = Folder::new();
    folder.write("crlf.c", "// norn: expect violation\r\nint main(void) {}\r\n");
    assert_eq!(folder.test(&["crlf.c", "--bless"]).1, 0);
    assert_eq!(folder.read("crlf.c"), "// norn: expect verified\r\nint main(void) {}\r\n");
}

/// Somebody works on a file while it is checked.
#[test]
#[cfg(unix)]
fn what_was_changed_in_the_meantime_is_not_rewritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("mine.c", "#include <assert.h>\n// norn: expect verified\n");
    folder.append("mine.c", "int main(void) { assert(0); }\n");
    folder.write("clang", "#!/bin/sh\n${REAL:-clang} \"$@\"\necho 'int x;' >mine.c\n");
    let clang = folder.path().join("clang");
    std::fs::set_permissions(&clang, PermissionsExt::from_mode(0o755)).expect("to be allowed");
    let mut command = folder.command(&["mine.c", "--bless"]);
    if let Some(real) = std::env::var_os("NORN_CLANG") {
        command.env("REAL", real);
    }
    let output = command.env("NORN_CLANG", clang).output().expect("to run norn");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("mine.c was changed while it was checked"), "{text}");
    assert_eq!((output.status.code(), folder.read("mine.c").as_str()), (Some(2), "int x;\n"));
}

/// Several entries and option sets in one file.
#[test]
fn a_file_can_have_several_checks() {
    let folder = Folder::new();
    let head = "// norn: expect violation data_race --model rc11\n\
                // norn: expect verified --model sc --no-race-detection\n\
                // norn: expect verified executions=1 --entry alone\n\
                // norn: expect violation assertion --entry wrong -- -DWRONG=1\n";
    folder.write("several.c", head);
    folder.append("several.c", &RACE.replace("VALUE", "\"inner/value.h\""));
    folder.append("several.c", "#include <assert.h>\nvoid alone(void) { x = 3; }\n");
    folder.append("several.c", "#ifdef WRONG\nvoid wrong(void) { assert(x); }\n#endif\n");
    let (text, code) = folder.test(&["several.c", "--jobs", "1"]);
    assert_eq!(text.matches("ok    several.c").count(), 4, "{text}");
    assert_eq!(code, 0);
    folder.write("several.c", &folder.read("several.c").replace("executions=1", "executions=2"));
    assert_eq!(folder.test(&["several.c", "--bless"]).1, 0);
    assert!(folder.read("several.c").starts_with(head), "only what differs is rewritten");
}

#[test]
fn violations_are_replayed_if_that_is_asked_for() {
    let folder = Folder::new();
    folder.test(&["wrong.c", "--bless"]);
    let (text, code) = folder.test(&["wrong.c", "--replay"]);
    assert!(code == 0 && !text.contains("known"), "{text}");
}

#[test]
fn files_that_cannot_be_tests_are_refused() {
    let folder = Folder::new();
    let (text, code) = folder.test(&["silent.c"]);
    assert!(text.contains("silent.c does not say what is to be found"), "{text}");
    assert_eq!(code, 2);
    folder.write("none/silent.c", "int main(void) {}\n");
    let (text, code) = folder.test(&["none"]);
    assert!(code == 2 && text.contains("none does not say"), "a folder without tests: {text}");
    folder.write("silent.c", "\u{feff}// norn: expect success\nint main(void) {}\n");
    let (text, code) = folder.test(&["."]);
    assert!(text.contains("./silent.c:1: `success` is no verdict"), "{text}");
    assert_eq!(code, 2);
    folder.write("silent.c", "// norn: expect verified\nint main(void) { return }\n");
    let (text, code) = folder.test(&["silent.c"]);
    assert!(text.contains("WRONG silent.c") && text.contains("expected expression"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn results_can_be_given_to_other_tools() {
    let folder = Folder::new();
    let (text, _) = folder.test(&[".", "--format", "github", "--junit", "results.xml"]);
    let first = text.lines().next().expect("a line");
    assert!(first.starts_with("::error file=./wrong.c,line=1,title=norn test::expected"), "{text}");
    assert!(folder.read("results.xml").contains("tests=\"2\" failures=\"1\" errors=\"0\""));
}
