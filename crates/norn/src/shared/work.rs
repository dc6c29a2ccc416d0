//! `norn worker`: claims bundles, goes on with them, and records what came of it.

use super::{
    Delta, Done, Open, Orders, Posted, bytes, chance, names, own_name, place, posted, raw,
    unreadable,
};
use crate::CheckOptions;
use crate::check::{Job, Source};
use crate::control::Control;
use crate::error::InputError;
use crate::log::Log;
use crate::model::PlannedModel;
use crate::plan::BoundName;
use crate::program::{Endings, Prepared, Watcher, prepare};
use crate::sha256::sha256;
use crate::tally::Tally;
use norn_board::{Board, Lease};
use norn_explore::{
    Algorithm, Bound, Explorer, ExplorerVisitor, Frontier, Mismatch, Options, Slice, Sliced, slice,
};
use norn_frontend::Compiled;
use norn_machine::{Config, Vm};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a worker that has something to do says so and looks at its orders.
const BEAT: Duration = Duration::from_millis(100);
/// How long one that has nothing to do waits before it looks again.
const WAIT: Duration = Duration::from_millis(20);
/// How long a coordinator has to make a lost board again.
const RETURN: Duration = Duration::from_secs(3);

/// How a worker works.
#[derive(Clone, Debug, Default)]
pub struct WorkOptions {
    /// How many threads it has; 0 for as many as the machine has cores.
    pub jobs: usize,
    /// Give up if nothing was posted for that long.
    pub wait: Option<Duration>,
    /// Leave when that many bytes of memory are used; `None`: three quarters of what the machine has.
    pub max_memory: Option<u64>,
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worked {
    /// How many bundles.
    pub bundles: u64,
    /// Complete executions, of bundles that counted.
    pub executions: u64,
}

/// Works on the search on a board until it is over, or somebody stops it.
pub fn work(
    directory: &Path,
    options: &WorkOptions,
    control: &Control,
) -> Result<Worked, InputError> {
    let name = own_name();
    let cannot = |cause| unreadable(directory, cause);
    let mut board = place::at(directory, &name, Duration::ZERO).map_err(cannot)?;
    let (mut worked, mut seen, began) = (Worked::default(), None::<Instant>, Instant::now());
    while !control.is_interrupted() {
        let Some(posted) = posted(board.as_ref(), directory)? else {
            let patience = if board.may_return() { RETURN } else { Duration::ZERO };
            let is_gone = seen.is_some_and(|at| at.elapsed() >= patience);
            let is_late = options.wait.is_some_and(|wait| began.elapsed() >= wait);
            if is_gone || seen.is_none() && is_late {
                break;
            }
            std::thread::sleep(WAIT);
            continue;
        };
        board.set_patience(posted.lease);
        let check = options_of(&posted, directory, options)?;
        let model = PlannedModel::load(&check.model, &check.libraries)?;
        let job = Job::new(&check, model, Source::Nothing, control, Instant::now())?;
        let Some(Prepared { program, config, .. }) = prepare(&job)? else { break };
        let program = Arc::new(program);
        if sha256(&(&program, &config)) != posted.sha256 {
            let why =
                "the program is not the one that was posted; use the same build of norn everywhere";
            return Err(InputError::Board { path: directory.to_owned(), why: why.to_owned() });
        }
        let halt = Some(Arc::clone(&job.halt));
        let lessons = posted.lessons.clone();
        let vm = Vm::new(program, Config { lessons, halt, meter: job.meter(), ..config });
        let worker =
            Worker { board: board.as_ref(), posted: &posted, job: &job, vm: &vm, name: &name };
        let done = worker.run(&mut worked);
        seen = Some(Instant::now());
        match done {
            Ok(goes_on) if goes_on => {}
            // The board is gone when the search is over, or else it is made again.
            Err(error) if error.kind() == io::ErrorKind::NotFound && board.may_return() => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error)),
            _ => break,
        }
    }
    Ok(worked)
}

/// The check that was posted.
fn options_of(
    posted: &Posted,
    directory: &Path,
    options: &WorkOptions,
) -> Result<CheckOptions, InputError> {
    let damaged = |why| InputError::Board { path: directory.to_owned(), why };
    let compiled = |(file, text): &(PathBuf, String)| Compiled {
        file: file.clone(),
        text: text.clone().into_bytes(),
    };
    Ok(CheckOptions {
        jobs: options.jobs,
        max_memory: options.max_memory,
        compiled: Some(posted.sources.iter().map(compiled).collect()),
        ..posted.check.options().map_err(damaged)?
    })
}

struct Worker<'w> {
    board: &'w dyn Board,
    posted: &'w Posted,
    job: &'w Job<'w>,
    vm: &'w Vm,
    name: &'w str,
}

impl Worker<'_> {
    /// What is to be done; none if this search was ended and another one posted.
    fn orders(&self) -> io::Result<Option<Orders>> {
        let text = self.board.read("orders")?;
        let orders = text.and_then(|text| serde_json::from_slice::<Orders>(&text).ok());
        Ok(match orders {
            Some(orders) if orders.search != self.posted.search => None,
            orders => Some(orders.unwrap_or_default()),
        })
    }

    /// Works on one generation of the search. True if there is another one, false if the worker is to leave.
    fn run(&self, worked: &mut Worked) -> io::Result<bool> {
        let mut looked = None::<Instant>;
        while self.job.is_over().is_none() {
            let Some(orders) = self.orders()? else {
                std::thread::sleep(WAIT);
                return Ok(true);
            };
            if orders.stop {
                break;
            }
            if orders.generation > self.posted.generation {
                return Ok(true);
            }
            let Some((lease, bundle)) = self.board.claim(self.name)? else {
                if looked.is_none_or(|at| at.elapsed() > 5 * BEAT) {
                    looked = Some(Instant::now());
                    self.board.set_hungry(self.name, true)?;
                    if !self.board.exists(&super::job_file(0))? {
                        return Err(io::Error::new(io::ErrorKind::NotFound, "nothing is posted"));
                    }
                }
                std::thread::sleep(WAIT);
                continue;
            };
            if looked.take().is_some() {
                self.board.set_hungry(self.name, false)?;
            }
            let open = serde_json::from_slice::<Open>(&bundle).ok();
            let Some(open) = open.filter(|open| open.id == lease.id && self.posted.knows(&open.id))
            else {
                // It is damaged, or of a search that was ended. What is wanted is offered again.
                self.board.withdraw(&lease.id)?;
                continue;
            };
            if let Some(record) = self.attempt(&lease, &open, &orders)? {
                if self.board.commit(&lease.id, &bytes(&record))? {
                    worked.bundles += 1;
                    worked.executions += record.sum.summary.counts().0;
                }
                self.board.withdraw(&lease.id)?;
            }
        }
        self.board.set_hungry(self.name, false)?;
        Ok(false)
    }

    /// Goes on with a bundle for a slice; none if nobody wants to know any more.
    fn attempt(&self, lease: &Lease, open: &Open, orders: &Orders) -> io::Result<Option<Done>> {
        let (leave, lost) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let (hurry, done) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
        let options = Options { interrupt: Some(Arc::clone(&leave)), ..self.job.search_options() };
        let (mut quiet, log) = (|_: &crate::Progress| {}, Log::default());
        let tally = Tally::new(&mut quiet);
        let turn = Turn {
            worker: self,
            open,
            orders,
            options: &options,
            hurry: Arc::clone(&hurry),
            watcher: &|| Watcher::of_ends(&tally, &log),
        };
        let PlannedModel::Named(model) = self.job.plan.model() else {
            return Err(io::Error::other("the model does not travel"));
        };
        let strict = self.job.plan.strict_bound();
        let algorithm = match self.job.plan.bound() {
            Some(BoundName::Preemptions(preemptions)) => {
                Algorithm::Bounded(Bound { preemptions, strict })
            }
            Some(BoundName::Auto) | None => Algorithm::Trust,
        };
        let record = std::thread::scope(|scope| {
            let beat = || self.beat(lease, open, (&leave, &lost, &hurry, &done));
            let beats = scope.spawn(beat);
            let record = algorithm.with(*model, self.vm, &options, turn);
            done.store(true, Ordering::Relaxed);
            beats.thread().unpark();
            record
        });
        if lost.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let record = record.ok_or_else(|| io::Error::other("the model has no such search"))?;
        record.map(Some).map_err(|mismatch| io::Error::other(mismatch.to_string()))
    }

    /// Says now and then that the work goes on, and looks whether it is wanted.
    fn beat(
        &self,
        lease: &Lease,
        open: &Open,
        (leave, lost, hurry, done): (&AtomicBool, &AtomicBool, &AtomicBool, &AtomicBool),
    ) {
        let mut last = Instant::now();
        let mut look = || -> io::Result<bool> {
            if last.elapsed() >= self.posted.lease / 5 {
                last = Instant::now();
                self.board.beat(lease)?;
            }
            let Some(orders) = self.orders()? else { return Ok(false) };
            let is_behind = orders.limit.as_ref().is_some_and(|limit| open.place > *limit);
            if orders.stop || is_behind || orders.generation > self.posted.generation {
                return Ok(false);
            }
            hurry.store(self.board.is_short()?, Ordering::Relaxed);
            Ok(true)
        };
        while !done.load(Ordering::Relaxed) {
            std::thread::park_timeout(BEAT);
            if !look().unwrap_or(false) {
                lost.store(true, Ordering::Relaxed);
                leave.store(true, Ordering::Relaxed);
                return;
            }
            if self.job.flag().load(Ordering::Relaxed) {
                leave.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// One attempt at a bundle, with whatever explorer it is handed.
struct Turn<'t, 'w, F> {
    worker: &'t Worker<'w>,
    open: &'t Open,
    orders: &'t Orders,
    options: &'t Options,
    hurry: Arc<AtomicBool>,
    watcher: &'t F,
}

impl<'p, 'f, 'v: 't, 't, F: Fn() -> Watcher<'v, 'p, 'f>> ExplorerVisitor<Vm> for Turn<'t, '_, F>
where
    'p: 'v,
    'f: 'p,
{
    type Output = Result<Done, Mismatch>;

    fn visit<E: Explorer<Vm>>(self, explorer: impl Fn() -> E) -> Result<Done, Mismatch> {
        let Turn { worker, open, orders, options, hurry, watcher } = self;
        let damaged = |error: serde_json::Error| Mismatch { message: error.to_string() };
        let part: Option<Frontier<E::Saved>> =
            serde_json::from_str(open.bundle.get()).map_err(damaged)?;
        let is_whole = open.id == worker.posted.whole();
        let setup = Slice {
            jobs: worker.job.plan.jobs(),
            part,
            threads: orders.threads.clone(),
            time: worker.posted.slice,
            hurry,
        };
        let done: Sliced<E::Saved, _> = slice(options, explorer, watcher, setup)?;
        let attempt = chance();
        let mut sum = Delta { lessons: done.lessons.iter().copied().collect(), ..Delta::default() };
        if done.is_void() && !(is_whole && sum.lessons.is_empty()) {
            // What it did does not count: it goes back as it came.
            sum.met.extend(names::paths(&done.met.unwrap_or_default()));
            let left = Open { id: worker.posted.left(&attempt, 0), ..open.clone() };
            return Ok(Done { worker: worker.name.to_owned(), sum, left: vec![left] });
        }
        let hungry = worker.board.hungry().unwrap_or(0);
        let executions = done.left.summary().counts().0;
        sum.threads = done.met.filter(|_| is_whole).unwrap_or_default();
        sum.summary = done.left.summary().clone();
        sum.seen = done.observers.iter().fold(Endings::default(), |mut all, watcher| {
            all.add(&watcher.endings);
            all
        });
        sum.workers.insert(worker.name.to_owned(), executions);
        let count = (hungry + 1).min(done.left.tasks());
        let bundles = done.left.without_summary().deal(count).into_iter();
        let name = |(index, (bundle, place)): (usize, (Frontier<E::Saved>, _))| Open {
            id: worker.posted.left(&attempt, index),
            place,
            bundle: raw(&bundle),
        };
        // The first task of each is the earliest. Where none is left, there is no place.
        let left = bundles.zip(done.positions).enumerate().map(name).collect();
        Ok(Done { worker: worker.name.to_owned(), sum, left })
    }
}
