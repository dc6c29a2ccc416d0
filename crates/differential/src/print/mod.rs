//! Prints a tree as C.
//!
//! What the library needs to be told before use (kinds of mutexes, counts of semaphores, barriers, keys)
//! stands at the start of `main`, before any thread exists; in the tree it is part of the program's
//! initial state. Where a result is not asked for, the call stands alone.

mod calls;
mod expressions;
mod statements;

use crate::tree::{Function, MutexKind, Program, Role};
use statements::Printer;

/// Headers, and what is declared in them.
const HEADERS: [(&str, &[&str]); 6] = [
    ("assert", &["assert("]),
    ("pthread", &["pthread_"]),
    ("semaphore", &["sem_"]),
    ("stdatomic", &["atomic_", "_Atomic"]),
    ("stdio", &["printf", "NULL"]),
    ("stdlib", &["malloc", "free", "exit"]),
];

/// The program as C.
pub fn print(program: &Program) -> String {
    let bodies: Vec<String> = (0..program.functions.len()).map(|id| body(program, id)).collect();
    let used = reachable(program, &bodies);
    let mut code = String::new();
    for &id in used.iter().filter(|&&id| id != 0) {
        code += &format!("{};\n", signature(id, program.functions[id].role));
    }
    for &id in used.iter().rev() {
        code += &format!("\n{} {{\n{}}}\n", signature(id, program.functions[id].role), bodies[id]);
    }
    let mut text = declarations(program, &code) + &code;
    text.insert(0, '\n');
    let headers = HEADERS.iter().filter(|(_, names)| names.iter().any(|name| text.contains(name)));
    let headers: String = headers.map(|(header, _)| format!("#include <{header}.h>\n")).collect();
    let extensions = if text.contains("_NP;") { "#define _GNU_SOURCE\n" } else { "" };
    format!("{extensions}{headers}{text}")
}

/// The functions that can be reached from `main`, in order.
fn reachable(program: &Program, bodies: &[String]) -> Vec<usize> {
    let mut used = vec![0];
    let mut next = 0;
    while let Some(&id) = used.get(next) {
        next += 1;
        for other in 0..program.functions.len() {
            if mentions(&bodies[id], &format!("f{other}")) && !used.contains(&other) {
                used.push(other);
            }
        }
    }
    used.sort_unstable();
    used
}

/// Whether a name occurs in a text as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// What stands between the braces of a function.
fn body(program: &Program, id: usize) -> String {
    let function = &program.functions[id];
    let mut text = String::new();
    let mut printer = Printer { program, role: function.role, text: &mut text, depth: 1 };
    if function.role == Role::Main {
        printer.initialise();
    }
    printer.body(&function.body);
    printer.end(&function.body);
    locals(program, function, &text) + &text
}

/// The locals that a body mentions.
fn locals(program: &Program, function: &Function, body: &str) -> String {
    let mut lines = Vec::new();
    if matches!(function.role, Role::Thread | Role::Destructor) {
        let is_flag = program.alike && function.role == Role::Thread;
        let value = if is_flag { "argument != NULL" } else { "(int)(long)argument" };
        lines.push(("r0".to_owned(), format!("int r0 = {value};")));
    }
    for i in usize::from(function.role.has_argument())..function.locals {
        lines.push((format!("r{i}"), format!("int r{i} = 0;")));
    }
    for i in 0..function.pointers {
        lines.push((format!("b{i}"), format!("struct box *b{i} = NULL;")));
    }
    for i in 0..function.handles {
        lines.push((format!("h{i}"), format!("pthread_t h{i};")));
    }
    let used = lines.iter().filter(|(name, _)| mentions(body, name));
    used.map(|(_, line)| format!("    {line}\n")).collect()
}

/// The types and globals that the code mentions.
fn declarations(program: &Program, code: &str) -> String {
    let mut text = String::new();
    if code.contains("struct box") || !program.boxes.is_empty() {
        text += "struct box {\n    atomic_int a;\n    int b;\n};\n\n";
    }
    if !program.words.is_empty() {
        text += "union word {\n    atomic_int all;\n    _Atomic(unsigned short) half[2];\n    int plain;\n    \
                 unsigned short plain_half[2];\n};\n\n";
    }
    let globals = globals(program);
    let used = globals.iter().filter(|(name, _)| mentions(code, name));
    text.extend(used.map(|(_, line)| format!("static {line};\n")));
    text
}

/// All globals: their names and declarations.
fn globals(program: &Program) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |letter: char, i: usize, kind: &str, rest: String| {
        let name = format!("{letter}{i}");
        let space = if kind.ends_with('*') { "" } else { " " };
        all.push((name.clone(), format!("{kind}{space}{name}{rest}")));
    };
    for (i, value) in program.atomics.iter().enumerate() {
        add('x', i, "atomic_int", format!(" = {value}"));
    }
    for (i, value) in program.plains.iter().enumerate() {
        add('p', i, "int", format!(" = {value}"));
    }
    for (i, value) in program.words.iter().enumerate() {
        add('u', i, "union word", format!(" = {{{value}}}"));
    }
    for (i, array) in program.arrays.iter().enumerate() {
        let kind = if array.atomic { "atomic_int" } else { "int" };
        let values = array.values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        add('a', i, kind, format!("[{}] = {{{values}}}", array.values.len()));
    }
    for (i, &atomic) in program.boxes.iter().enumerate() {
        add('q', i, if atomic { "_Atomic(struct box *)" } else { "struct box *" }, String::new());
    }
    for (i, kind) in program.mutexes.iter().enumerate() {
        let initial = match kind {
            MutexKind::Normal => " = PTHREAD_MUTEX_INITIALIZER",
            MutexKind::StaticRecursive => " = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
            MutexKind::StaticErrorCheck => " = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
            MutexKind::Recursive | MutexKind::ErrorCheck => "",
        };
        add('m', i, "pthread_mutex_t", initial.to_owned());
    }
    for i in 0..program.rwlocks {
        add('w', i, "pthread_rwlock_t", " = PTHREAD_RWLOCK_INITIALIZER".to_owned());
    }
    for i in 0..program.conditions {
        add('c', i, "pthread_cond_t", " = PTHREAD_COND_INITIALIZER".to_owned());
    }
    (0..program.semaphores.len()).for_each(|i| add('s', i, "sem_t", String::new()));
    (0..program.barriers.len()).for_each(|i| add('e', i, "pthread_barrier_t", String::new()));
    for i in 0..program.onces.len() {
        add('o', i, "pthread_once_t", " = PTHREAD_ONCE_INIT".to_owned());
    }
    (0..program.keys.len()).for_each(|i| add('k', i, "pthread_key_t", String::new()));
    all.push(("soon".to_owned(), "const struct timespec soon = {1, 0}".to_owned()));
    all
}

fn signature(id: usize, role: Role) -> String {
    match role {
        Role::Main => "int main(void)".to_owned(),
        Role::Thread => format!("static void *f{id}(void *argument)"),
        Role::Helper => format!("static int f{id}(int r0)"),
        Role::Once | Role::Handler => format!("static void f{id}(void)"),
        Role::Destructor => format!("static void f{id}(void *argument)"),
    }
}
