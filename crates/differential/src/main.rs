//! The long mode: compares as many random programs as it is asked to.

use clap::Parser;
use norn_differential::{
    Check, Difference, Feature, Features, Program, Settings, Verdict, compare, generate, print,
    shrink, unknown_to_interpreter,
};
use norn_models::ModelName;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Compares Norn with an independent interpreter on random concurrent C programs.
#[derive(Parser)]
struct Options {
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many programs.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Programs at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only these features.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Feature>,
    /// All features but these.
    #[arg(long, value_delimiter = ',')]
    without: Vec<Feature>,
    /// Programs with more states than this are left out.
    #[arg(long, default_value_t = 20_000)]
    states: usize,
    /// Stop after that many differences.
    #[arg(long, default_value_t = 10)]
    differences: usize,
    /// Only under these models.
    #[arg(long, value_delimiter = ',')]
    models: Vec<ModelName>,
    /// Only sc, by every algorithm with one worker.
    #[arg(long)]
    quick: bool,
    /// Take deadlocks and livelocks for the same.
    #[arg(long)]
    stuck_alike: bool,
    /// Check the interpreter instead of Norn: run each program so many times on this machine and look
    /// for what the interpreter does not know.
    #[arg(long, default_value_t = 0)]
    native: usize,
    /// Print the programs instead of comparing them.
    #[arg(long)]
    print: bool,
}

#[derive(Default)]
struct Tally {
    same: u64,
    too_large: u64,
    declined: BTreeMap<String, u64>,
    faulty: u64,
    results: usize,
    differences: Vec<u64>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let features = match options.only.is_empty() {
        true => Features::all_but(&options.without),
        false => Features::of(&options.only),
    };
    if options.print {
        for seed in options.seed..options.seed + options.count {
            println!("// seed {seed}\n{}", print(&generate(seed, &features)));
        }
        return ExitCode::SUCCESS;
    }
    let settings = Settings {
        states: options.states,
        checks: checks(&options),
        stuck_alike: options.stuck_alike,
        ..Settings::default()
    };
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let watch = Watch::default();
    let started = Instant::now();
    std::thread::scope(|scope| {
        let worker = || {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let enough = tally.lock().expect("no worker panics").differences.len();
                    if number >= options.count || enough >= options.differences {
                        break;
                    }
                    let seed = options.seed + number;
                    let program = generate(seed, &features);
                    if options.native > 0 {
                        run_natively(seed, &program, &options, &tally);
                        continue;
                    }
                    let verdict = watch.during(seed, || compare(&program, &settings));
                    if let Verdict::Different(difference) = &verdict {
                        report(seed, program, difference, &settings);
                    }
                    let mut tally = tally.lock().expect("no worker panics");
                    tally.add(seed, &verdict);
                    if (number + 1) % 100 == 0 {
                        let seconds = started.elapsed().as_secs();
                        eprintln!("{} programs in {seconds} s: {}", number + 1, tally.text());
                    }
                }
            })
        };
        let workers: Vec<_> = (0..options.jobs).map(|_| worker()).collect();
        scope.spawn(|| watch.watch());
        let ends: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        watch.over.store(true, Ordering::Relaxed);
        ends.into_iter().for_each(|end| end.expect("no worker panics"));
    });
    let tally = tally.into_inner().expect("no worker panics");
    println!("{}", tally.text());
    if tally.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Which programs take long.
#[derive(Default)]
struct Watch {
    /// Whether all programs were compared.
    over: AtomicBool,
    busy: Mutex<BTreeMap<u64, Instant>>,
}

/// A program that takes longer is named.
const LONG: Duration = Duration::from_secs(30);

impl Watch {
    fn during<R>(&self, seed: u64, work: impl FnOnce() -> R) -> R {
        self.busy.lock().expect("nobody panics").insert(seed, Instant::now());
        let done = work();
        self.busy.lock().expect("nobody panics").remove(&seed);
        done
    }

    /// Names them until all is over.
    fn watch(&self) {
        let mut named = 0;
        while !self.over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(200));
            let busy = self.busy.lock().expect("nobody panics");
            for (&seed, since) in busy.iter().filter(|(_, since)| since.elapsed() > LONG) {
                if since.elapsed().as_secs() / LONG.as_secs() > named {
                    eprintln!("seed {seed} takes {} s", since.elapsed().as_secs());
                }
            }
            let longest = busy.values().map(Instant::elapsed).max().unwrap_or_default();
            named = longest.as_secs() / LONG.as_secs();
        }
    }
}

fn run_natively(seed: u64, program: &Program, options: &Options, tally: &Mutex<Tally>) {
    let text = match unknown_to_interpreter(program, options.native, 5 * options.states) {
        Ok(None) => {
            tally.lock().expect("no worker panics").same += 1;
            return;
        }
        Ok(Some(result)) => format!("the interpreter does not know {result:?}"),
        Err(error) => error,
    };
    println!("=== seed {seed}: a native run: {text}\n{}", print(program));
    tally.lock().expect("no worker panics").differences.push(seed);
}

fn checks(options: &Options) -> Vec<Check> {
    let mut checks = if options.quick { Check::quick() } else { Check::all() };
    if !options.models.is_empty() {
        checks.retain(|check| options.models.contains(&check.model()));
    }
    checks
}

/// Prints a difference with the smallest program that shows it.
fn report(seed: u64, program: Program, difference: &Difference, settings: &Settings) {
    let checks = difference.check.into_iter().collect();
    let settings = Settings { checks, ..settings.clone() };
    let small = shrink(program, |program| match compare(program, &settings) {
        Verdict::Different(other) => other.kind() == difference.kind(),
        _ => false,
    });
    let Verdict::Different(difference) = compare(&small, &settings) else {
        println!("=== seed {seed}: {difference}\nwhich does not happen every time");
        return;
    };
    println!("=== seed {seed}: {difference}\n{}", print(&small));
}

impl Tally {
    fn add(&mut self, seed: u64, verdict: &Verdict) {
        match verdict {
            Verdict::TooLarge => self.too_large += 1,
            Verdict::Declined(what) => *self.declined.entry(what.clone()).or_default() += 1,
            Verdict::Same(behaviour) => {
                self.same += 1;
                self.results += behaviour.results.len();
                self.faulty += u64::from(!behaviour.faults.is_empty());
            }
            Verdict::Different(_) => self.differences.push(seed),
        }
    }

    fn text(&self) -> String {
        format!(
            "{} agree ({} results, {} with faults), {} too large, declined {:?}, {} differ {:?}",
            self.same,
            self.results,
            self.faulty,
            self.too_large,
            self.declined,
            self.differences.len(),
            self.differences
        )
    }
}
