//! Runs one family of litmus programs: `families NAME SIZE MODEL [MODE|-] [JOBS|rf|bound=K]`, where a
//! bound on preemptions means the model sc. For profiling.

use norn_explore::{Bound, Options, Rf, Summary, Trust, search_with};
use norn_litmus::LitmusMachine;
use norn_models::{Arrange, ModelName, Pso, Ra, Rc11, Sc, Tso};

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

fn run<Mo: Arrange>(machine: &LitmusMachine, algorithm: &str) -> Summary {
    let options = Options { keep_going: true, ..Options::default() };
    match algorithm {
        "rf" => Rf::<_, Mo>::new(machine, options).run(&mut ()),
        bounded if bounded.starts_with("bound=") => {
            let preemptions = bounded[6..].parse().expect("a number of preemptions");
            let bound = Bound { preemptions, strict: false };
            Trust::<_, Sc, _>::bounded(machine, options, bound).run(&mut ())
        }
        jobs => {
            let jobs = jobs.parse().expect("a number of workers");
            let trust = || Trust::<_, Mo>::new(machine, options.clone());
            search_with(jobs, &options, trust, || ()).0
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let size = arguments[2].parse().expect("a size");
    let weaken = |text: String| match arguments.get(4).map(String::as_str) {
        None | Some("-") => text,
        Some(mode) => text
            .replace("memory_order_acquire", mode)
            .replace("memory_order_release", mode)
            .replace("memory_order_relaxed", mode),
    };
    let program = norn_litmus::read(&weaken(program(&arguments[1], size))).expect("a program");
    let machine = LitmusMachine::new(program);
    let algorithm = arguments.get(5).map_or("1", String::as_str);
    let summary = match arguments[3].parse().expect("a model") {
        ModelName::Sc => run::<Sc>(&machine, algorithm),
        ModelName::Tso => run::<Tso>(&machine, algorithm),
        ModelName::Pso => run::<Pso>(&machine, algorithm),
        ModelName::Ra => run::<Ra>(&machine, algorithm),
        ModelName::Rc11 => run::<Rc11>(&machine, algorithm),
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
