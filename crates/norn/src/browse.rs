//! `--explore-html`: the executions of a small program, each with what it ends in and what is wrong with it.
//!
//! The program is searched once more, by the algorithm that shows every graph, without stopping at violations. What is
//! wrong with an execution is looked for again when it has ended: a search finds it once, perhaps on the way to another.

use crate::check::{CheckOptions, Job};
use crate::error::InputError;
use crate::lookers::Lookers;
use crate::search::{self, Explored, Inputs};
use crate::store::Store;
use crate::tally::{Listener, Share, Tally};
use norn_action::{Claim, Machine};
use norn_explore::{Observer, Options, Violation, Visit};
use norn_graph::Graph;
use norn_report::{Browsable, Browsed, Names, ViolationReport};

/// Says what a complete execution ends in.
pub(crate) type Ends<'e, M> = dyn Fn(&Visit<'_, M>) -> End + Sync + 'e;

/// What a complete execution ends in.
#[derive(Default)]
pub(crate) struct End {
    pub(crate) outcome: String,
    /// Whether that satisfies what was asked.
    pub(crate) satisfies: Option<bool>,
    /// Whether it must not be so.
    pub(crate) is_wrong: bool,
}

/// Finds the executions of the program of `machine`.
pub(crate) fn browse<M: Machine>(
    job: &Job<'_>,
    machine: &M,
    names: &dyn Names,
    ends: Option<&Ends<'_, M>>,
    progress: &mut Listener<'_>,
) -> Result<Browsed, InputError> {
    let most = job.options.max_executions.unwrap_or(Browsed::MOST).min(Browsed::MOST);
    let options = CheckOptions {
        timeout: job.time_left(Some(job.options.effort)),
        max_executions: Some(most),
        checkpoint: None,
        symmetry: false,
        ..job.options.clone()
    };
    let job = job.alike(&options);
    let plan = job.plan.clone().for_graphs().with_jobs(1);
    let search_options =
        Options { keep_going: true, every: true, again: true, ..job.search_options() };
    let tally = Tally::new(progress);
    let inputs = Inputs {
        machine,
        plan: &plan,
        options: &search_options,
        tally: &tally,
        log: &job.options.log,
        store: &mut Store::new((), String::new(), None, None)?,
    };
    let lookers = Lookers::new();
    let watcher = || lookers.add(Collector { ends, found: Vec::new(), share: tally.share() });
    let Explored { summary, observers, .. } = search::explore(inputs, watcher)?;
    let facts = plan.model().facts();
    let report = |violation: &Violation| ViolationReport::new(violation, facts, names);
    // There is one worker.
    let found = lookers.take(observers).flat_map(|one| one.found);
    let executions = found.map(|one| Browsable {
        outcome: one.outcome,
        ends: one.ends,
        wrong: one.wrong.iter().map(|wrong| report(wrong).message).collect(),
        satisfies: one.satisfies,
        view: report(one.wrong.first().unwrap_or(&one.execution)),
    });
    let executions: Vec<Browsable> = executions.collect();
    let left_out = (summary.executions + summary.blocked).saturating_sub(executions.len() as u64);
    let limit = (job.options.max_executions == Some(Browsed::MOST)).then_some(Browsed::MOST);
    let (_, reasons) = job.decide(&summary);
    let because = reasons.iter().map(|reason| Browsed::why(reason, limit));
    let mut browsed = Browsed { executions, left_out, because: because.collect() };
    if ends.is_none() {
        browsed.name_outcomes();
    }
    Ok(browsed)
}

/// An execution that has ended.
struct Found {
    execution: Violation,
    outcome: String,
    ends: bool,
    satisfies: Option<bool>,
    wrong: Vec<Violation>,
}

/// Keeps the first executions of a search.
struct Collector<'e, 't, 'p, 'f, M: Machine> {
    ends: Option<&'e Ends<'e, M>>,
    found: Vec<Found>,
    share: Share<'t, 'p, 'f>,
}

impl<M: Machine> Collector<'_, '_, '_, '_, M> {
    fn keep(&mut self, visit: &Visit<'_, M>, ends: bool) {
        if self.found.len() as u64 >= Browsed::MOST {
            return;
        }
        let End { outcome, satisfies, is_wrong } = match self.ends.filter(|_| ends) {
            Some(ends) => ends(visit),
            None => End::default(),
        };
        let claim =
            Claim::FinalState { outcome: outcome.clone(), satisfies: satisfies.unwrap_or(true) };
        let execution = Violation::at_end(visit, claim);
        let wrong = if is_wrong { vec![execution.clone()] } else { Vec::new() };
        self.found.push(Found { execution, outcome, ends, satisfies, wrong });
    }
}

impl<M: Machine> Observer<M> for Collector<'_, '_, '_, '_, M> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        self.keep(execution, true);
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        self.keep(execution, false);
    }

    /// What is wrong with the execution that was shown last comes after it.
    fn violation(&mut self, violation: &Violation) {
        if let Some(last) = self.found.last_mut()
            && is_same(&last.execution.graph, &violation.graph)
            && last.wrong.iter().all(|known| known.key() != violation.key())
        {
            last.wrong.push(violation.clone());
        }
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.share.report(executions, blocked);
    }
}

fn is_same(one: &Graph, other: &Graph) -> bool {
    let co = |graph: &Graph, id| graph.event(id).is_write().then(|| graph.co_index(id));
    let of = |graph: &Graph| -> Vec<_> {
        graph.order().iter().map(|&id| (id, graph.event(id).rf, co(graph, id))).collect()
    };
    one.len() == other.len() && of(one) == of(other)
}
