//! Counting the executions of one program.

use norn_explore::{Options, Rf, Summary, Trust, search_with};
use norn_machine::{Config, Vm};
use norn_models::{Arrange, ModelName, Pso, Ra, Rc11, Sc, Tso};
use std::path::Path;
use std::sync::Arc;

/// What was counted.
#[derive(Debug)]
pub struct Counted {
    /// The numbers of the search.
    pub summary: Summary,
    /// What is wrong with the program or could not be run, a sentence each.
    pub complaints: Vec<String>,
}

/// How executions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Every execution graph once, by that many workers.
    Trust(usize),
    /// Every reads-from relation once.
    Rf,
}

/// Explores the program in `file` to the end (or to `limit` executions), compiled with `flags`.
pub fn count(
    file: &Path,
    flags: &[String],
    model: ModelName,
    search: Search,
    limit: Option<u64>,
) -> Result<Counted, String> {
    let options = norn_frontend::Options {
        clang: None,
        flags,
        provided: |name| norn_machine::runtime_functions().iter().any(|(known, _)| *known == name),
    };
    let loaded =
        norn_frontend::load(&[file.to_path_buf()], &options).map_err(|error| error.to_string())?;
    let config =
        Config { capture_output: false, privatise: model != ModelName::Pso, ..Config::default() };
    let vm = Vm::new(Arc::new(loaded.program), config);
    let options = Options { keep_going: true, max_executions: limit, ..Options::default() };
    let summary = match model {
        ModelName::Sc => explore::<Sc>(&vm, options, search),
        ModelName::Tso => explore::<Tso>(&vm, options, search),
        ModelName::Pso => explore::<Pso>(&vm, options, search),
        ModelName::Ra => explore::<Ra>(&vm, options, search),
        ModelName::Rc11 => explore::<Rc11>(&vm, options, search),
    };
    let place = |place| vm.format_place(place).unwrap_or_default();
    let wrong = summary.violations.iter().map(|violation| {
        let fault = &violation.fault;
        format!("{}: {}: {}", place(fault.place), fault.kind, fault.message)
    });
    let unsupported =
        summary.unsupported.iter().map(|what| format!("{}: {}", place(what.place), what.message));
    let complaints = wrong.chain(unsupported).collect();
    Ok(Counted { summary, complaints })
}

fn explore<Mo: Arrange>(vm: &Vm, options: Options, how: Search) -> Summary {
    match how {
        Search::Trust(jobs) => {
            let trust = || Trust::<_, Mo>::new(vm, options.clone());
            search_with(jobs, &options, trust, || ()).0
        }
        Search::Rf => Rf::<_, Mo>::new(vm, options).run(&mut ()),
    }
}
