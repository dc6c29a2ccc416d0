//! Drives one thread of a C program by hand: the test gives the answers.

use norn_action::{Action, Saving, ThreadId, Value};
use norn_machine::{Config, Thread, Vm, runtime_functions};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Includes and declarations that the sources below share.
const PRELUDE: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
    #include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
    long long norn_choose(long long, long long);\n\
    static void *idle(void *p) { return p; }\n\
    static void start(void) { pthread_t t; pthread_create(&t, 0, idle, 0); }\n";

/// A machine for the C source.
pub fn machine(source: &str, config: Config) -> Vm {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("norn-script-{}-{number}.c", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, format!("{PRELUDE}{source}\n")).expect("a temporary file");
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &[], provided };
    let loaded = norn_frontend::load(std::slice::from_ref(&file), &options);
    std::fs::remove_file(&file).expect("the file can be removed");
    Vm::new(Arc::new(loaded.expect("a loadable program").program), config)
}

/// A thread and the action it is paused at.
pub struct Script {
    pub vm: Vm,
    pub thread: Thread,
    pub action: Action,
}

impl Script {
    /// The main thread at its first action.
    pub fn new(source: &str, config: Config) -> Script {
        let vm = machine(source, config);
        let (thread, action) = vm.start();
        Script { vm, thread, action }
    }

    /// Runs `main`, which calls `start()` first, to the first action after the thread was started.
    pub fn after_start(source: &str, config: Config) -> Script {
        let mut script = Script::new(source, config);
        while !matches!(script.action, Action::Spawn { .. }) {
            assert!(!script.action.is_final(), "no spawn: {:?}", script.action);
            script.next(0);
        }
        script.next(1);
        script
    }

    /// Gives an answer; the next action.
    pub fn next(&mut self, answer: u64) -> &Action {
        self.action = self.vm.resume(&mut self.thread, Value::from(answer));
        &self.action
    }

    /// Gives an answer and says what the next action is, in a short form.
    pub fn then(&mut self, answer: u64) -> String {
        self.next(answer);
        self.shown()
    }

    /// The action in a short form.
    pub fn shown(&self) -> String {
        show(&self.vm, &self.action)
    }

    /// The child of the pending spawn.
    #[allow(dead_code)]
    pub fn child(&self, id: u32) -> (Thread, Action) {
        self.vm.spawn(&self.thread, ThreadId(id))
    }
}

/// An action in a short form.
pub fn show(vm: &Vm, action: &Action) -> String {
    let name = |access: &norn_action::Access| {
        format!("{}{} {}", vm.describe_address(access.address), size(access.size), access.mode)
    };
    match action {
        Action::Load(access, wait) => {
            let wait = wait.map_or(String::new(), |(_, wait)| format!(" wait {wait:?}"));
            format!("load {}{wait}", name(access))
        }
        Action::Store(access, value) => format!("store {} = {value}", name(access)),
        Action::Rmw(rmw) => {
            let wait = rmw.wait.map_or(String::new(), |wait| format!(" wait {wait:?}"));
            format!("{:?} {} {}{wait}", rmw.op, name(&rmw.access), rmw.operand)
        }
        Action::Publish(images, _) => format!("publish {}", images.len()),
        Action::Free { by, .. } => format!("free scope_end={}", by.is_none()),
        Action::Choose { count, .. } => format!("choose {count}"),
        Action::Finish(value) => format!("finish {value}"),
        Action::Exit(code) => format!("exit {code}"),
        Action::Spin { .. } => "spin".into(),
        Action::Cut(_) => "cut".into(),
        Action::Abandon(_) => "abandon".into(),
        Action::Fail(fault) => format!("fail {}", fault.kind()),
        Action::Unsupported(_) => "unsupported".into(),
        other => format!("{other:?}"),
    }
}

fn size(size: u8) -> String {
    if size == 4 { String::new() } else { format!(":{size}") }
}
