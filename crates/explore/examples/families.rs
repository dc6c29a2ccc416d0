//! Runs one family of litmus programs: `families NAME SIZE MODEL [MODE] [JOBS]`, or, with a bound on
//! preemptions, `families NAME SIZE sc bound PREEMPTIONS`. For profiling.

use norn_explore::{Bound, Options, Trust, search};
use norn_litmus::LitmusMachine;
use norn_models::{Rc11, Sc};

fn program(name: &str, n: usize) -> String {
    let mut threads: Vec<String> = Vec::new();
    match name {
        "fib" => {
            for target in ["x", "y"] {
                let mut body = String::new();
                for i in 0..n {
                    body += &format!(
                        "int a{i} = atomic_load_explicit(x, memory_order_acquire);
                         int b{i} = atomic_load_explicit(y, memory_order_acquire);
                         atomic_store_explicit({target}, a{i} + b{i}, memory_order_release);"
                    );
                }
                threads.push(body);
            }
            threads.push(
                "int r0 = atomic_load_explicit(x, memory_order_acquire);
                 if (r0 <= 144) { int r1 = atomic_load_explicit(y, memory_order_acquire); }"
                    .into(),
            );
        }
        "writers" => {
            for i in 0..n {
                threads.push(format!("atomic_store_explicit(x, {i}, memory_order_release);"));
            }
            threads.push("int r0 = atomic_load_explicit(x, memory_order_acquire);".into());
        }
        "ainc" => {
            threads =
                vec!["int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);".into(); n]
        }
        "cinc" => {
            let body: String = ["x", "y", "z"]
                .map(|l| {
                    format!("int {l}0 = atomic_fetch_add_explicit({l}, 1, memory_order_relaxed);")
                })
                .concat();
            threads = vec![body; n];
        }
        _ => panic!("no such family"),
    }
    let mut text = "C family\n{ [x] = 1; [y] = 1; [z] = 0; }\n".to_owned();
    for (i, body) in threads.iter().enumerate() {
        text += &format!("P{i} (atomic_int* x, atomic_int* y, atomic_int* z) {{ {body} }}\n");
    }
    text + "exists (x=0)\n"
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let size = arguments[2].parse().expect("a size");
    let weaken = |text: String| match arguments.get(4) {
        Some(mode) if mode != "bound" => text
            .replace("memory_order_acquire", mode)
            .replace("memory_order_release", mode)
            .replace("memory_order_relaxed", mode),
        _ => text,
    };
    let program = norn_litmus::read(&weaken(program(&arguments[1], size))).expect("a program");
    let machine = LitmusMachine::new(program);
    let options = Options { keep_going: true, ..Options::default() };
    let last = arguments.get(5).map_or(1, |number| number.parse().expect("a number"));
    let bounded = arguments.get(4).is_some_and(|mode| mode == "bound");
    let (summary, _) = if bounded {
        let bound = Bound { preemptions: last, strict: false };
        (Trust::<_, Sc, _>::bounded(&machine, options, bound).run(&mut ()), vec![])
    } else if arguments[3] == "sc" {
        search::<_, Sc, ()>(&machine, &options, last as usize, || ())
    } else {
        search::<_, Rc11, ()>(&machine, &options, last as usize, || ())
    };
    println!(
        "{} executions ({} beyond the bound), {} blocked, {} blocked by the bound, {} discarded, {} \
         events added",
        summary.executions,
        summary.beyond_bound,
        summary.blocked,
        summary.bound_blocked,
        summary.discarded,
        summary.events
    );
}
