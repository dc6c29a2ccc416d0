//! A saved search that was damaged is refused, or goes on without a panic. The bytes say which search it is and
//! how it is damaged.

#![no_main]

#[path = "../../crates/norn/tests/all/damage.rs"]
mod damage;

use damage::{damage, parsed, printed};
use norn_explore::{
    Aids, Algorithm, Bound, Conflicts, Explorer, ExplorerVisitor, Frontier, Options, Setup, search,
};
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::ModelName;
use serde_json::Value;
use std::sync::LazyLock;
use std::time::Duration;

/// The ways to search that are tried.
fn searches() -> [(Algorithm, ModelName); 7] {
    [
        (Algorithm::Trust, ModelName::C20),
        (Algorithm::Trust, ModelName::Tso),
        (Algorithm::Rf, ModelName::Ra),
        (Algorithm::Rf, ModelName::C20),
        (Algorithm::Rvf(Aids::default()), ModelName::Sc),
        (Algorithm::Await(Conflicts::default()), ModelName::Sc),
        (Algorithm::Bounded(Bound { preemptions: 2, strict: false }), ModelName::Sc),
    ]
}

/// How many programs.
const PROGRAMS: u64 = 16;

/// Each program with what was saved of each search after some executions.
static SAVED: LazyLock<Vec<(LitmusMachine, Vec<Option<Value>>)>> = LazyLock::new(|| {
    (0..PROGRAMS)
        .map(|seed| {
            let machine = LitmusMachine::new(generate(seed, &Shape::default()));
            let save = |(algorithm, model): (Algorithm, ModelName)| {
                let options = Options { max_executions: Some(3 + seed % 5), ..options() };
                let saved = algorithm.with(model, &machine, &options, Save(&options));
                saved.flatten().map(|text| parsed(&text))
            };
            let saved = searches().map(save).into_iter().collect();
            (machine, saved)
        })
        .collect()
});

fn options() -> Options {
    Options { keep_going: true, ..Options::default() }
}

/// Runs a search up to its limit: what is left, if something is.
struct Save<'o>(&'o Options);

impl ExplorerVisitor<LitmusMachine> for Save<'_> {
    type Output = Option<String>;

    fn visit<E: Explorer<LitmusMachine>>(self, explorer: impl Fn() -> E) -> Option<String> {
        let mut saved = None;
        let mut keeper = |frontier: &Frontier<E::Saved>, _: &[&()], _: bool| {
            saved = Some(serde_json::to_string(frontier).expect("text"));
        };
        let hour = Duration::from_secs(3600);
        let setup = Setup { keeper: Some((hour, &mut keeper)), ..Setup::of(1) };
        search(self.0, explorer, || (), setup).expect("nothing that might not fit");
        saved
    }
}

/// Goes on with what was saved.
struct GoOn<'o>(&'o Options, String);

impl ExplorerVisitor<LitmusMachine> for GoOn<'_> {
    type Output = ();

    fn visit<E: Explorer<LitmusMachine>>(self, explorer: impl Fn() -> E) {
        let Ok(frontier) = serde_json::from_str::<Frontier<E::Saved>>(&self.1) else { return };
        let setup = Setup { resume: Some(frontier), ..Setup::of(1) };
        let _ = search(self.0, explorer, || (), setup);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [which, program, damages, rest @ ..] = bytes else { return };
    let index = usize::from(*which) % searches().len();
    let (machine, saved) = &SAVED[usize::from(*program) % SAVED.len()];
    let Some(mut value) = saved[index].clone() else { return };
    let mut bytes =
        rest.chunks(2).map(|pair| pair.iter().fold(0, |n, &b| n * 256 + usize::from(b)));
    let mut pick = |count: usize| bytes.next().unwrap_or(0) % count.max(1);
    for _ in 0..1 + damages % 3 {
        damage(&mut value, &mut pick);
    }
    let (algorithm, model) = searches()[index];
    let options = Options { max_executions: Some(100), ..options() };
    algorithm.with(model, machine, &options, GoOn(&options, printed(&value)));
});
