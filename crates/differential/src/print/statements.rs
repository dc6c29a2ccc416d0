//! Statements as lines of C.

use super::calls::library_call;
use super::expressions::{at, expr, failure_mode, load, order, pointer};
use crate::tree::{Body, Mode, MutexKind, Program, RmwOp, Role, Statement};
use std::fmt::Write;

/// Writes the body of a function.
pub(super) struct Printer<'p> {
    pub program: &'p Program,
    pub role: Role,
    pub text: &'p mut String,
    pub depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{:1$}{2}", "", 4 * self.depth, line.as_ref());
    }

    pub(super) fn initialise(&mut self) {
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
    pub(super) fn end(&mut self, body: &Body) {
        let returns = matches!(body.last(), Some(Statement::Return(_)));
        if self.role == Role::Thread && !returns {
            self.line("return NULL;");
        } else if matches!(self.role, Role::Main | Role::Helper) && !returns {
            self.line("return 0;");
        }
    }

    pub(super) fn body(&mut self, body: &Body) {
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
                    at(place),
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

    /// A statement that fits a line. Those that access memory are here.
    fn simple(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign { to, value } => format!("r{to} = {};", expr(value)),
            Statement::Load { to, from, mode } => format!("r{to} = {};", load(from, *mode)),
            Statement::Store { to, value, mode: Mode::Plain } => {
                format!("{} = {};", at(to), expr(value))
            }
            Statement::Store { to, value, mode } => {
                let (to, value) = (at(to), expr(value));
                format!("atomic_store_explicit(&{to}, {value}, {});", order(*mode))
            }
            Statement::Rmw { to, place, op, value, mode } => {
                let name = match op {
                    RmwOp::Add => "fetch_add",
                    RmwOp::Exchange => "exchange",
                };
                let (place, value) = (at(place), expr(value));
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
            other => self.control(other),
        }
    }

    /// The same, for one that does not access memory by itself.
    fn control(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assert(condition) => format!("assert({});", expr(condition)),
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
            other => waiting_loop(other).unwrap_or_else(|| library_call(other)),
        }
    }
}

/// A loop that waits; none if it is no such statement.
fn waiting_loop(statement: &Statement) -> Option<String> {
    Some(match statement {
        Statement::Await { place, value, mode } => {
            format!("while ({} != {value});", load(place, *mode))
        }
        Statement::TestAndSet { place, value, mode } => {
            let (place, mode) = (at(place), order(*mode));
            format!("while (atomic_exchange_explicit(&{place}, {value}, {mode}) == {value});")
        }
        Statement::AwaitBits { place, mask, value, mode } => {
            format!("while (({} & {mask}) != {value});", load(place, *mode))
        }
        Statement::AwaitSame { first, second, mode } => {
            let (first, second) = (load(first, *mode), load(second, *mode));
            format!("{{ int seen; do seen = {first}; while (seen != {second}); }}")
        }
        Statement::AwaitKept { place, value, kept, before, mode } => {
            let look = format!("kept = {}", load(place, *mode));
            let body = match before {
                Some(before) => {
                    format!("kept = r{kept}; do {{ r{before} = kept; {look}; }} while")
                }
                None => format!("do {look}; while"),
            };
            format!(
                "{{ static _Thread_local int kept; {body} (kept != {value}); r{kept} = kept; }}"
            )
        }
        Statement::AwaitCas { place, expected, desired, mode } => {
            let (place, mode) = (at(place), order(*mode));
            format!(
                "{{ int seen; do seen = {expected}; while (!atomic_compare_exchange_strong_explicit(\
                 &{place}, &seen, {desired}, {mode}, memory_order_relaxed)); }}"
            )
        }
        Statement::TakeBack { place, taken, above, mode, waits } => {
            let (name, mode) = (at(place), order(*mode));
            let take = format!("atomic_fetch_sub_explicit(&{name}, {taken}, {mode})");
            let give = format!("atomic_fetch_add_explicit(&{name}, {taken}, {mode});");
            if *waits {
                let look = load(place, Mode::Relaxed);
                format!(
                    "{{ int seen = {take}; while (seen <= {above}) {{ {give} while ({look} <= {above}); \
                     seen = {take}; }} }}"
                )
            } else {
                format!("while ({take} <= {above}) {give}")
            }
        }
        Statement::AwaitAbove { place, above, mode } => {
            format!("while ({} <= {above});", load(place, *mode))
        }
        Statement::Give { place, value, mode } => {
            format!("atomic_fetch_add_explicit(&{}, {value}, {});", at(place), order(*mode))
        }
        Statement::AwaitLock(mutex) => {
            format!("while (pthread_mutex_trylock(&m{mutex}) != 0);")
        }
        _ => return None,
    })
}
