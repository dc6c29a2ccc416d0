//! Prints a tree as C.
//!
//! What the library needs to be told before use (kinds of mutexes, counts of semaphores, barriers, keys)
//! stands at the start of `main`, before any thread exists; in the tree it is part of the program's
//! initial state. Where a result is not asked for, the call stands alone.

use crate::tree::{
    Body, Expr, Function, Local, Mode, MutexKind, Operator, Patience, Place, Program, RmwOp, Role,
    Statement,
};
use std::fmt::Write;

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
    locals(function, &text) + &text
}

/// The locals that a body mentions.
fn locals(function: &Function, body: &str) -> String {
    let mut lines = Vec::new();
    if matches!(function.role, Role::Thread | Role::Destructor) {
        lines.push(("r0".to_owned(), "int r0 = (int)(long)argument;".to_owned()));
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

struct Printer<'p> {
    program: &'p Program,
    role: Role,
    text: &'p mut String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{:1$}{2}", "", 4 * self.depth, line.as_ref());
    }

    fn initialise(&mut self) {
        for (i, kind) in self.program.mutexes.iter().enumerate() {
            let name = match kind {
                MutexKind::Recursive => "RECURSIVE",
                MutexKind::ErrorCheck => "ERRORCHECK",
                _ => continue,
            };
            self.line(format!("pthread_mutexattr_t kind{i};"));
            self.line(format!("pthread_mutexattr_init(&kind{i});"));
            self.line(format!("pthread_mutexattr_settype(&kind{i}, PTHREAD_MUTEX_{name});"));
            self.line(format!("pthread_mutex_init(&m{i}, &kind{i});"));
        }
        for (i, count) in self.program.semaphores.iter().enumerate() {
            self.line(format!("sem_init(&s{i}, 0, {count});"));
        }
        for (i, count) in self.program.barriers.iter().enumerate() {
            self.line(format!("pthread_barrier_init(&e{i}, NULL, {count});"));
        }
        for (i, destructor) in self.program.keys.iter().enumerate() {
            let destructor = destructor.map_or("NULL".to_owned(), |id| format!("f{id}"));
            self.line(format!("pthread_key_create(&k{i}, {destructor});"));
        }
    }

    /// What the last line of a function must be if the body does not say so itself.
    fn end(&mut self, body: &Body) {
        let returns = matches!(body.last(), Some(Statement::Return(_)));
        if self.role == Role::Thread && !returns {
            self.line("return NULL;");
        } else if matches!(self.role, Role::Main | Role::Helper) && !returns {
            self.line("return 0;");
        }
    }

    fn body(&mut self, body: &Body) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn block(&mut self, body: &Body) {
        self.depth += 1;
        self.body(body);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                self.line(format!("if ({}) {{", expr(condition)));
                self.block(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.block(otherwise);
                }
                self.line("}");
            }
            Statement::Repeat { count, body } => {
                let i = self.depth;
                self.line(format!("for (int i{i} = 0; i{i} < {count}; i{i}++) {{"));
                self.block(body);
                self.line("}");
            }
            Statement::Cas { to, place, expected, desired, mode } => {
                self.line("{");
                self.depth += 1;
                self.line(format!("int expected = {};", expr(expected)));
                let failure = failure_mode(*mode);
                self.line(format!(
                    "r{to} = atomic_compare_exchange_strong_explicit(&{}, &expected, {}, {}, {});",
                    self::place(place),
                    expr(desired),
                    order(*mode),
                    order(failure)
                ));
                self.depth -= 1;
                self.line("}");
            }
            Statement::New { to, values: [a, b] } => {
                self.line(format!("b{to} = malloc(sizeof *b{to});"));
                self.line(format!("atomic_init(&b{to}->a, {});", expr(a)));
                self.line(format!("b{to}->b = {};", expr(b)));
            }
            Statement::Join { handle, to: Some(to) } => {
                self.line("{");
                self.depth += 1;
                self.line("void *result;");
                self.line(format!("pthread_join(h{handle}, &result);"));
                self.line(format!("r{to} = (int)(long)result;"));
                self.depth -= 1;
                self.line("}");
            }
            other => {
                let text = self.simple(other);
                self.line(text);
            }
        }
    }

    /// A statement that fits a line.
    fn simple(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign { to, value } => format!("r{to} = {};", expr(value)),
            Statement::Load { to, from, mode } => format!("r{to} = {};", load(from, *mode)),
            Statement::Store { to, value, mode: Mode::Plain } => {
                format!("{} = {};", place(to), expr(value))
            }
            Statement::Store { to, value, mode } => {
                let (to, value) = (place(to), expr(value));
                format!("atomic_store_explicit(&{to}, {value}, {});", order(*mode))
            }
            Statement::Rmw { to, place, op, value, mode } => {
                let name = match op {
                    RmwOp::Add => "fetch_add",
                    RmwOp::Exchange => "exchange",
                };
                let (place, value) = (self::place(place), expr(value));
                format!("r{to} = atomic_{name}_explicit(&{place}, {value}, {});", order(*mode))
            }
            Statement::Fence(mode) => format!("atomic_thread_fence({});", order(*mode)),
            Statement::LoadBox { to, from, mode: Mode::Plain } => format!("b{to} = q{from};"),
            Statement::LoadBox { to, from, mode } => {
                format!("b{to} = atomic_load_explicit(&q{from}, {});", order(*mode))
            }
            Statement::StoreBox { to, value, mode: Mode::Plain } => {
                format!("q{to} = {};", pointer(*value))
            }
            Statement::StoreBox { to, value, mode } => {
                format!("atomic_store_explicit(&q{to}, {}, {});", pointer(*value), order(*mode))
            }
            Statement::SwapBox { to, place, value, mode } => {
                let value = pointer(*value);
                format!("b{to} = atomic_exchange_explicit(&q{place}, {value}, {});", order(*mode))
            }
            Statement::Free(pointer) => format!("free(b{pointer});"),
            Statement::Assert(condition) => format!("assert({});", expr(condition)),
            Statement::Await { place, value, mode } => {
                format!("while ({} != {value});", load(place, *mode))
            }
            Statement::AwaitLock(mutex) => {
                format!("while (pthread_mutex_trylock(&m{mutex}) != 0);")
            }
            Statement::SetKey { key, value } => {
                format!("pthread_setspecific(k{key}, (void *)(long)({}));", expr(value))
            }
            Statement::GetKey { to, key } => {
                format!("r{to} = (int)(long)pthread_getspecific(k{key});")
            }
            Statement::Create { handle, thread, argument } => {
                let argument = expr(argument);
                format!("pthread_create(&h{handle}, NULL, f{thread}, (void *)(long)({argument}));")
            }
            Statement::Join { handle, .. } => format!("pthread_join(h{handle}, NULL);"),
            Statement::Call { to, function, argument } => {
                format!("r{to} = f{function}({});", expr(argument))
            }
            Statement::Once(once) => {
                format!("pthread_once(&o{once}, f{});", self.program.onces[*once])
            }
            Statement::AtExit(function) => format!("atexit(f{function});"),
            Statement::Exit => "exit(0);".to_owned(),
            Statement::ThreadExit(value) => {
                format!("pthread_exit((void *)(long)({}));", expr(value))
            }
            Statement::Return(value) => match self.role {
                Role::Main | Role::Helper => format!("return {};", expr(value)),
                Role::Thread => format!("return (void *)(long)({});", expr(value)),
                Role::Once | Role::Destructor | Role::Handler => "return;".to_owned(),
            },
            Statement::Print(values) => {
                let format = vec!["%d"; values.len()].join(" ");
                let values: String = values.iter().map(|v| format!(", {}", expr(v))).collect();
                format!("printf(\"{format}\\n\"{values});")
            }
            other => library_call(other),
        }
    }
}

/// Calls that wait or wake.
fn library_call(statement: &Statement) -> String {
    match statement {
        Statement::Lock { mutex, to } => {
            format!("{}pthread_mutex_lock(&m{mutex});", result(*to))
        }
        Statement::TryLock { mutex, to } => format!("r{to} = pthread_mutex_trylock(&m{mutex});"),
        Statement::TimedLock { mutex, to } => {
            format!("r{to} = pthread_mutex_timedlock(&m{mutex}, &soon);")
        }
        Statement::Unlock { mutex, to } => {
            format!("{}pthread_mutex_unlock(&m{mutex});", result(*to))
        }
        Statement::RwLock { lock, write, patience, to } => {
            let which = if *write { "wr" } else { "rd" };
            let (before, after) = patience_words(*patience, "", "timed", ", &soon");
            format!("{}pthread_rwlock_{before}{which}lock(&w{lock}{after});", result(*to))
        }
        Statement::RwUnlock(lock) => format!("pthread_rwlock_unlock(&w{lock});"),
        Statement::Wait { condition, mutex, timed: false, to } => {
            format!("{}pthread_cond_wait(&c{condition}, &m{mutex});", result(*to))
        }
        Statement::Wait { condition, mutex, timed: true, to } => {
            format!("{}pthread_cond_timedwait(&c{condition}, &m{mutex}, &soon);", result(*to))
        }
        Statement::WaitWhile { plain, value, condition, mutex } => {
            format!("while (p{plain} == {value}) pthread_cond_wait(&c{condition}, &m{mutex});")
        }
        Statement::Notify { condition, all: false } => {
            format!("pthread_cond_signal(&c{condition});")
        }
        Statement::Notify { condition, all: true } => {
            format!("pthread_cond_broadcast(&c{condition});")
        }
        Statement::SemWait { semaphore, patience, to } => {
            let (before, after) = patience_words(*patience, "", "timed", ", &soon");
            let compare = if to.is_some() { " == 0" } else { "" };
            format!("{}sem_{before}wait(&s{semaphore}{after}){compare};", result(*to))
        }
        Statement::SemPost(semaphore) => format!("sem_post(&s{semaphore});"),
        Statement::SemValue { semaphore, to } => format!("sem_getvalue(&s{semaphore}, &r{to});"),
        Statement::Barrier { barrier, to: Some(to) } => {
            let call = format!("pthread_barrier_wait(&e{barrier})");
            format!("r{to} = {call} == PTHREAD_BARRIER_SERIAL_THREAD;")
        }
        Statement::Barrier { barrier, to: None } => format!("pthread_barrier_wait(&e{barrier});"),
        other => unreachable!("{other:?} is printed elsewhere"),
    }
}

fn patience_words(
    patience: Patience,
    wait: &'static str,
    timed: &'static str,
    limit: &'static str,
) -> (&'static str, &'static str) {
    match patience {
        Patience::Wait => (wait, ""),
        Patience::Try => ("try", ""),
        Patience::Timed => (timed, limit),
    }
}

fn result(to: Option<Local>) -> String {
    to.map_or(String::new(), |to| format!("r{to} = "))
}

fn pointer(pointer: Option<usize>) -> String {
    pointer.map_or("NULL".to_owned(), |pointer| format!("b{pointer}"))
}

fn place(place: &Place) -> String {
    match place {
        Place::Atomic(i) => format!("x{i}"),
        Place::Plain(i) => format!("p{i}"),
        Place::Element(i, index) => format!("a{i}[{}]", expr(index)),
        Place::Field(pointer, 0) => format!("b{pointer}->a"),
        Place::Field(pointer, _) => format!("b{pointer}->b"),
    }
}

fn load(from: &Place, mode: Mode) -> String {
    match mode {
        Mode::Plain => place(from),
        _ => format!("atomic_load_explicit(&{}, {})", place(from), order(mode)),
    }
}

fn expr(value: &Expr) -> String {
    match value {
        Expr::Const(value) => value.to_string(),
        Expr::Local(local) => format!("r{local}"),
        Expr::IsSet(pointer) => format!("(b{pointer} != NULL)"),
        Expr::Binary(operator, left, right) => {
            let sign = match operator {
                Operator::Add => "+",
                Operator::Sub => "-",
                Operator::Mul => "*",
                Operator::And => "&",
                Operator::Eq => "==",
                Operator::Ne => "!=",
                Operator::Less => "<",
            };
            format!("({} {sign} {})", expr(left), expr(right))
        }
    }
}

fn order(mode: Mode) -> &'static str {
    match mode {
        Mode::Plain | Mode::Relaxed => "memory_order_relaxed",
        Mode::Acquire => "memory_order_acquire",
        Mode::Release => "memory_order_release",
        Mode::AcqRel => "memory_order_acq_rel",
        Mode::SeqCst => "memory_order_seq_cst",
    }
}

/// The mode of a failed compare-exchange: what is left without the store.
fn failure_mode(mode: Mode) -> Mode {
    match mode {
        Mode::AcqRel | Mode::Acquire => Mode::Acquire,
        Mode::Release => Mode::Relaxed,
        other => other,
    }
}
