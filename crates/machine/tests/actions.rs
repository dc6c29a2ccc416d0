//! Which actions a thread takes: privacy and publication, loops, synchronisation.

mod script;

use norn_action::{Action, ObjectKind, Saving, Value};
use norn_machine::Config;
use script::{Script, machine, show};

fn default() -> Config {
    Config::default()
}

#[test]
fn one_thread_alone_takes_no_actions() {
    let source = "static int x; static atomic_int a; static pthread_mutex_t m;
        int main(void) { int *p = malloc(4); *p = 3; x = *p; a += x; free(p);
            pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
            atomic_thread_fence(memory_order_seq_cst); return x + a; }";
    assert_eq!(Script::new(source, default()).shown(), "exit 7");
}

#[test]
fn the_first_spawn_publishes_globals_and_what_they_reach() {
    let source = "struct n { int v; struct n *next; }; static struct n *head; static int x = 5;
        static const int constant = 1;
        int main(void) { head = malloc(sizeof *head); head->v = 7; head->next = malloc(sizeof *head);
            head->next->v = 8; head->next->next = 0; int *mine = malloc(4); *mine = 1;
            start(); return *mine + constant + (x - 5); }";
    let mut script = Script::new(source, default());
    let Action::Publish(images, _) = &script.action else { panic!("{}", script.shown()) };
    let heap: Vec<_> = images.iter().filter(|image| image.kind == ObjectKind::Heap).collect();
    assert_eq!(heap.len(), 2, "the list, not what nobody points to");
    assert_eq!(heap[0].bytes[0], 7);
    assert_eq!(heap[0].undefined, vec![0xf0, 0], "the padding");
    assert!(images.iter().any(|image| image.size == 4 && image.bytes.first() == Some(&5)));
    assert!(matches!(script.next(0), Action::Spawn { index: 0, .. }));
    assert_eq!(script.then(1), "load x plain");
    assert_eq!(script.then(5), "exit 2", "constants and private memory stay direct");
}

#[test]
fn private_memory_is_published_when_its_address_is_stored() {
    let source = "static int *shared; static _Atomic uintptr_t tagged;
        int main(void) { start(); int *p = malloc(8); p[0] = 9; p[1] = *p + 1; shared = p;
            p[0] = 2; uintptr_t q = (uintptr_t)malloc(8); tagged = q | 5 | (1ull << 60); return 0; }";
    let mut script = Script::after_start(source, default());
    let Action::Publish(images, _) = &script.action else { panic!("{}", script.shown()) };
    assert_eq!(images[0].bytes, [9, 0, 0, 0, 10, 0, 0, 0]);
    assert!(script.then(0).starts_with("store shared:8 plain"));
    assert!(script.then(0).starts_with("store heap of main"), "no longer private");
    assert_eq!(script.then(0), "publish 1", "tags do not hide an address");
    assert!(script.then(0).starts_with("store tagged:8 seq_cst"));
    assert_eq!(script.then(0), "exit 0");
}

#[test]
fn atomics_are_never_private_once_threads_exist() {
    let source = "int main(void) { start(); atomic_int *p = malloc(4); atomic_init(p, 1);
        return atomic_fetch_add(p, 2); }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.shown(), "publish 1");
    assert!(script.then(0).starts_with("Add heap of main"));
    assert_eq!(script.then(1), "exit 1");
}

#[test]
fn without_privatising_own_objects_are_visible() {
    let source = "int main(void) { start(); int *p = malloc(4); *p = 1; return *p; }";
    let config = Config { privatise: false, ..default() };
    let mut script = Script::after_start(source, config);
    assert!(script.shown().starts_with("store stack of main"), "the handle: {}", script.shown());
    let mut seen = Vec::new();
    while !script.action.is_final() {
        seen.push(script.then(1));
    }
    assert!(seen.iter().any(|action| action.starts_with("store heap of main")), "{seen:?}");
    assert!(seen.iter().any(|action| action.starts_with("load heap of main")), "{seen:?}");
}

#[test]
fn ends_of_published_objects_are_actions() {
    let source = "static int *volatile shared;
        static void f(void) { int local = 3; shared = &local; }
        int main(void) { start(); f(); int *p = malloc(4); *p = 0; shared = p; free(p);
            free(malloc(4)); return 0; }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.shown(), "publish 1");
    script.next(0);
    assert_eq!(script.then(0), "free scope_end=true");
    assert_eq!(script.then(0), "publish 1");
    script.next(0);
    assert_eq!(script.then(0), "free scope_end=false");
    assert_eq!(script.then(0), "exit 0", "the other one was private");
}

#[test]
fn a_loop_that_only_reads_spins() {
    let source = "static atomic_int x; int main(void) { start();
        while (!atomic_load_explicit(&x, memory_order_acquire)) ; return 1; }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.shown(), "load x acquire");
    let mut free = Script::after_start(source, Config { detect_spin: false, ..default() });
    assert_eq!(script.thread.clone().id(), free.thread.id());
    assert_eq!(free.then(0), "load x acquire");
    let mut other = script.thread.clone();
    assert_eq!(script.then(0), "spin");
    assert_eq!(show(&script.vm, &script.vm.resume(&mut other, Value(4))), "exit 1");
}

#[test]
fn a_loop_that_changes_something_does_not_spin() {
    let counts = "static atomic_int x; int main(void) { start(); int n = 0;
        while (!atomic_load(&x)) n++; return n; }";
    let writes = "static atomic_int x, y; int main(void) { start();
        while (!atomic_load(&x)) atomic_store(&y, 1); return 0; }";
    let private = "static atomic_int x; int main(void) { start(); int *p = calloc(1, 4);
        while (!atomic_load(&x)) ++*p; return *p; }";
    for source in [counts, writes, private] {
        let mut script = Script::after_start(source, default());
        for _ in 0..10 {
            assert!(!script.action.is_final(), "{source}: {}", script.shown());
            script.next(0);
        }
    }
}

#[test]
fn locals_of_the_iteration_are_no_effect() {
    let source = "static atomic_int x; static int poll(int *seen) { int local[2] = {1, 2};
            memcpy(seen, local, 4); return atomic_load(&x); }
        int main(void) { start(); int v = 0; for (;;) { int seen; if (poll(&seen)) break; }
            return v; }";
    let mut script = Script::after_start(source, default());
    let mut loads = 0;
    while !script.action.is_final() {
        script.next(0);
        loads += 1;
    }
    assert_eq!(script.shown(), "spin");
    assert!(loads <= 2, "{loads}");
}

#[test]
fn a_failing_compare_exchange_spins_when_nothing_changes() {
    let source = "static atomic_int x; int main(void) { start(); int e;
        do { e = 0; } while (!atomic_compare_exchange_strong(&x, &e, 1)); return 0; }";
    let mut script = Script::after_start(source, default());
    assert!(script.shown().starts_with("Exchange x seq_cst 1"), "{}", script.shown());
    let mut ends = Vec::new();
    while !script.action.is_final() {
        ends.push(script.then(1));
    }
    assert_eq!(ends.last().map(String::as_str), Some("spin"));
    assert!(ends.len() <= 2, "{ends:?}");
}

#[test]
fn unrolling_cuts_the_iteration_after_the_bound() {
    let source = |n: u32| {
        format!(
            "static atomic_int x; int main(void) {{ start(); for (int j = 0; j < 3; j++)
                for (int i = 0; i < {n}; i++) x++; return 0; }}"
        )
    };
    let end = |n: u32, bound: u32| {
        let config = Config { unroll: Some(bound), ..default() };
        let mut script = Script::after_start(&source(n), config);
        let mut actions = 1;
        while !script.action.is_final() {
            script.next(0);
            actions += 1;
        }
        (script.shown(), actions)
    };
    assert_eq!(end(3, 4), ("exit 0".into(), 10));
    assert_eq!(end(4, 4), ("exit 0".into(), 13), "the fifth visit only leaves the loop");
    assert_eq!(end(5, 4).0, "cut", "the fifth iteration is one too many");
    assert_eq!(end(9, 4).1, 5);
}

#[test]
fn a_loop_without_end_is_given_up() {
    let sources = [
        "int main(void) { for (;;) ; }",
        "int main(void) { for (unsigned n = 0;; n++) for (int i = 0; i < 1; i++) n += i; }",
        "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
         int main(void) { return f(60); }",
    ];
    for source in sources {
        let script = Script::new(source, Config { step_limit: 1000, ..default() });
        assert_eq!(script.shown(), "unsupported", "{source}");
    }
    let bound = Config { step_limit: 1000, unroll: Some(3), ..default() };
    assert_eq!(Script::new(sources[2], bound).shown(), "cut", "a recursion is bounded, too");
}

#[test]
fn equal_answers_give_equal_actions() {
    let source = "static atomic_int x; static int *p; int main(void) { start();
        for (int i = 0; i < 5; i++) { int *q = malloc(4 + x); *q = i; p = q; } return x; }";
    let mut script = Script::after_start(source, default());
    let mut copy = script.thread.clone();
    while !script.action.is_final() {
        let again = script.vm.resume(&mut copy, Value(3));
        script.next(3);
        assert_eq!(again, script.action);
        let mut reused = script.thread.clone();
        reused.clone_from(&copy);
        copy = reused;
    }
    assert_eq!(script.shown(), "exit 3");
}

#[test]
fn addresses_depend_on_the_thread_alone() {
    let source = "static void *shared; static void *work(void *p) { shared = malloc(4); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }";
    let vm = machine(source, default());
    let (mut thread, mut action) = vm.start();
    while !matches!(action, Action::Spawn { .. }) {
        action = vm.resume(&mut thread, Value::ZERO);
    }
    let published = |id: u32| match vm.spawn(&thread, norn_action::ThreadId(id)).1 {
        Action::Publish(images, _) => images[0].start.0,
        other => panic!("{other:?}"),
    };
    assert_eq!(published(1), published(1));
    assert_eq!(published(2) - published(1), 1 << 36);
}

#[test]
fn copies_follow_the_alignment_of_their_type() {
    let source = "struct ints { int a, b; } s, d; struct longs { long a, b; } t, e;
        int main(void) { start(); d = s; e = t; return 0; }";
    let mut script = Script::after_start(source, default());
    let mut seen = vec![script.shown()];
    while !script.action.is_final() {
        seen.push(script.then(0));
    }
    let count = |start: &str| seen.iter().filter(|action| action.starts_with(start)).count();
    assert_eq!(count("load s"), 2, "{seen:?}");
    assert_eq!(count("store d"), 2, "{seen:?}");
    assert_eq!(count("load t"), 2, "{seen:?}");
}

#[test]
fn copies_follow_the_members_of_known_types() {
    let source = "struct item { int key; char *name; short a, b; } shared;
        int main(void) { start(); struct item local = {1, 0, 2, 3}; shared = local;
            struct item *p = malloc(sizeof *p); *p = shared; return p->key; }";
    let mut script = Script::after_start(source, default());
    let mut seen = vec![script.shown()];
    while !script.action.is_final() {
        seen.push(script.then(1));
    }
    let expected = [
        "store shared.key plain = 1",
        "store shared.name:8 plain = 0",
        "store shared.a:2 plain = 2",
        "store shared.b:2 plain = 3",
        "load shared.key plain",
        "load shared.name:8 plain",
        "load shared.a:2 plain",
        "load shared.b:2 plain",
        "exit 1",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn mutexes_are_cells() {
    let source = "static pthread_mutex_t m; int main(void) { start();
        pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return pthread_mutex_trylock(&m); }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.shown(), "Or m:8 acquire 1 wait Mutex", "the owner's id plus one");
    assert_eq!(script.then(0), "store m:8 release = 0");
    assert_eq!(script.then(0), "Or m:8 acquire 1");
    assert_eq!(script.then(2), "exit 16", "EBUSY");
}

#[test]
fn a_wait_enters_before_it_unlocks() {
    let source = "static pthread_mutex_t m; static pthread_cond_t c; int main(void) { start();
        pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.then(0), "choose 2", "a signal, or nothing at all");
    assert!(script.then(0).starts_with("Enlist c:8 relaxed"));
    assert_eq!(script.then(0), "store m:8 release = 0");
    assert_eq!(script.then(0), "load c:8 acquire wait Condition");
    assert_eq!(script.then(0), "Or m:8 acquire 1 wait Mutex");
    assert_eq!(script.then(0), "store m:8 release = 0");
    assert_eq!(script.then(0), "exit 0");
}

#[test]
fn a_signal_chooses_a_waiter_and_wakes_only_that_one() {
    let source = "static pthread_cond_t c; int main(void) { start();
        return pthread_cond_signal(&c); }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.shown(), "load c:8 relaxed");
    let before = script.thread.clone();
    assert_eq!(script.then(0), "exit 0", "nobody waits");
    script.thread = before;
    assert_eq!(script.then(0b1010), "choose 2");
    let clear = format!("And c:8 acq_rel {}", !0b1000u64);
    assert_eq!(script.then(1), clear);
    let before = script.thread.clone();
    assert_eq!(script.then(0b1010), "exit 0");
    script.thread = before;
    assert_eq!(script.then(0b1110), "abandon", "another operation came in between");
}

#[test]
fn a_timed_wait_may_time_out() {
    let source = "static pthread_mutex_t m; static pthread_cond_t c; int main(void) { start();
        struct timespec t = {0, 0}; pthread_mutex_lock(&m);
        return pthread_cond_timedwait(&c, &m, &t); }";
    let mut script = Script::after_start(source, default());
    assert_eq!(script.then(0), "choose 3");
    assert_eq!(script.then(1), "store m:8 release = 0", "it need not enter");
    assert_eq!(script.then(0), "Or m:8 acquire 1 wait Mutex");
    assert_eq!(script.then(0), "exit 110", "ETIMEDOUT");
}

#[test]
fn choices_are_bounded() {
    let source = "int main(void) { return norn_choose(3, 7); }";
    let mut script = Script::new(source, default());
    assert_eq!(script.shown(), "choose 5");
    assert_eq!(script.then(2), "exit 5");
    let source = "int main(void) { return norn_choose(-3, 3) == -1; }";
    let mut script = Script::new(source, default());
    assert_eq!(script.shown(), "choose 7");
    assert_eq!(script.then(2), "exit 1");
}
