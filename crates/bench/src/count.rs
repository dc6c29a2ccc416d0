//! Counting the executions of one program.

use norn_explore::{Options, Summary, search};
use norn_machine::{Config, Vm};
use norn_models::{ModelName, Pso, Ra, Rc11, Sc, Tso};
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

/// Explores the program in `file` to the end (or to `limit` executions), compiled with `flags`.
pub fn count(
    file: &Path,
    flags: &[String],
    model: ModelName,
    jobs: usize,
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
    let (summary, _) = match model {
        ModelName::Sc => search::<_, Sc, ()>(&vm, &options, jobs, || ()),
        ModelName::Tso => search::<_, Tso, ()>(&vm, &options, jobs, || ()),
        ModelName::Pso => search::<_, Pso, ()>(&vm, &options, jobs, || ()),
        ModelName::Ra => search::<_, Ra, ()>(&vm, &options, jobs, || ()),
        ModelName::Rc11 => search::<_, Rc11, ()>(&vm, &options, jobs, || ()),
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
