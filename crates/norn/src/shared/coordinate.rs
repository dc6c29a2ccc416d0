//! `norn check --board`: posts a search, folds what workers record, and ends it.

use super::{
    BoardOptions, Delta, Done, FILES, FORMAT, Open, Orders, Posted, Search, Status, VERSION, bytes,
    job_file, names, own_name, posted, raw, whole,
};
use crate::CheckOptions;
use crate::check::Job;
use crate::error::InputError;
use crate::plan::{Algorithm, BoundName, Plan};
use crate::program::Endings;
use crate::resume::SavedCheck;
use crate::tally::Share;
use norn_action::Lesson;
use norn_board::{Board, DEATHS, Directory, Fold};
use norn_explore::{Frontier, Position};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How often the coordinator looks for records: soon after there was one, and later and later after that.
const QUICK: Duration = Duration::from_millis(5);
const SLOW: Duration = Duration::from_millis(100);
/// How often it looks at everything else.
const ROUND: Duration = Duration::from_millis(500);
/// A coordinator that is not heard of for so long is taken for dead.
const SILENT: Duration = Duration::from_secs(2);
/// So many records are folded before what they said is kept in one file.
const MANY: usize = 64;
/// How long at least a violation that comes before the one at hand is looked for, as in a search by one process.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a search on a board came to.
pub(crate) struct Shared {
    /// What was found and what is left; none if nothing was searched.
    pub(crate) frontier: Option<String>,
    pub(crate) seen: Endings,
    pub(crate) lessons: Vec<Lesson>,
    /// The bundles that nobody survived.
    pub(crate) set_aside: Vec<String>,
    /// Whether everything that is wanted was searched, so that nothing on the board is needed any more.
    pub(crate) is_over: bool,
}

/// Refuses what cannot be searched by several processes.
pub(crate) fn refuse(options: &CheckOptions, plan: &Plan) -> Result<(), InputError> {
    let why = if plan.algorithm() != Algorithm::Trust {
        let name = plan.algorithm().name();
        format!(
            "--board: the parts of a search by {name} learn from each other; use --algorithm trust"
        )
    } else if plan.bound() == Some(BoundName::Auto) {
        "--board searches up to one bound; give --bound a number".to_owned()
    } else if matches!(options.model, crate::ModelChoice::File(_)) {
        "--board needs a model that is built in".to_owned()
    } else if options.libraries.iter().any(crate::LibraryChoice::is_file) {
        "--board needs libraries that come with norn".to_owned()
    } else if options.max_executions.is_some() {
        "--board does not count executions to a limit; use --timeout".to_owned()
    } else if options.checkpoint.is_some() {
        "--board keeps the search in the directory; leave --checkpoint out".to_owned()
    } else if options.profile {
        "--profile counts where one process branches; leave it out with --board".to_owned()
    } else if options.files.iter().any(|file| crate::litmus::is_test(file)) {
        "--board is for programs; a litmus test is too small to need it".to_owned()
    } else {
        return Ok(());
    };
    Err(InputError::Refused(why))
}

/// Posts the search of a program, or goes on with it if it was posted before, until it is over or time is.
pub(crate) fn coordinate(
    job: &Job<'_>,
    options: &BoardOptions,
    sha256: String,
    share: &mut Share<'_, '_, '_>,
) -> Result<Shared, InputError> {
    let path = &options.directory;
    let cannot = |cause| InputError::Unwritable { path: path.clone(), cause };
    let board = Directory::open(path, &own_name(), options.lease).map_err(cannot)?;
    let wanted = Posted {
        norn_board: FORMAT,
        version: VERSION.to_owned(),
        generation: 0,
        check: SavedCheck::of(job.options, job.plan.model()),
        sources: sources(job.options)?,
        sha256,
        lessons: Vec::new(),
        slice: options.slice,
        lease: options.lease,
    };
    let posted = match posted(&board, path)? {
        None => wanted,
        Some(known) if known.is_of(&wanted) => known,
        Some(known) => {
            let why = format!(
                "there is the search of another program, or by other flags, on it: {}; end that by `norn cancel {}`, \
                 or use another directory",
                known
                    .sources
                    .iter()
                    .map(|(file, _)| file.display().to_string())
                    .collect::<Vec<_>>()
                    .join(" "),
                path.display()
            );
            return Err(InputError::Board { path: path.clone(), why });
        }
    };
    let mut coordinator = Coordinator::new(&board, posted).map_err(cannot)?;
    if coordinator.is_coordinated(job).map_err(cannot)? {
        let why = "another process coordinates the search on it; `norn worker` joins".to_owned();
        return Err(InputError::Board { path: path.clone(), why });
    }
    let done = coordinator.run(job, share).map_err(cannot)?;
    Ok(coordinator.end(done))
}

/// The files as LLVM IR.
fn sources(options: &CheckOptions) -> Result<Vec<(std::path::PathBuf, String)>, InputError> {
    let compiled = options.compiled.iter().flatten();
    let text = |one: &norn_frontend::Compiled| {
        let text = String::from_utf8(one.text.clone()).map_err(|_| {
            let file = one.file.display();
            InputError::Refused(format!("--board: the LLVM IR of {file} is not text in UTF-8"))
        })?;
        Ok((one.file.clone(), text))
    };
    compiled.map(text).collect()
}

impl Posted {
    /// Whether it is the same search.
    fn is_of(&self, other: &Posted) -> bool {
        self.sha256 == other.sha256 && bytes(&self.check) == bytes(&other.check)
    }
}

/// What is kept of a fold, so that the records that it took can go.
#[derive(Serialize, Deserialize)]
struct KeptFold<F> {
    generation: u32,
    fold: F,
}

struct Coordinator<'b> {
    board: &'b Directory,
    name: String,
    posted: Posted,
    fold: Search,
    /// The threads that have an agreed id, and how many lists of names that took.
    threads: Vec<(u32, u32)>,
    lists: u32,
    orders: Orders,
    /// The bundles whose records were taken since the fold was kept.
    folded: Vec<String>,
    began: Instant,
    violated: Option<Instant>,
}

impl<'b> Coordinator<'b> {
    fn new(board: &'b Directory, posted: Posted) -> std::io::Result<Coordinator<'b>> {
        board.create(&job_file(posted.generation), &bytes(&posted))?;
        let fold = Coordinator::start(&posted);
        let mut new = Coordinator {
            board,
            name: own_name(),
            posted,
            fold,
            threads: Vec::new(),
            lists: 0,
            orders: Orders::default(),
            folded: Vec::new(),
            began: Instant::now(),
            violated: None,
        };
        let kept = board.read("fold")?;
        let kept = kept.and_then(|text| serde_json::from_slice::<KeptFold<Search>>(&text).ok());
        if let Some(KeptFold { generation, fold }) = kept
            && generation == new.posted.generation
        {
            new.fold = fold;
        }
        Ok(new)
    }

    /// A search that has not begun.
    fn start(posted: &Posted) -> Search {
        let sum = Delta { keep_going: posted.check.keeps_going(), ..Delta::default() };
        let place = Position::default();
        Fold::new(sum, Open { id: whole(posted.generation), place, bundle: raw(&()) })
    }

    /// Whether another process coordinates; if not, this one does. One that was killed was heard of until a moment
    /// ago: it is waited for. Two at a time would do no harm, but double work.
    fn is_coordinated(&self, job: &Job<'_>) -> std::io::Result<bool> {
        let mut last = None;
        while job.is_over().is_none() {
            let age = self.board.age("coordinator")?;
            let Some(age) = age.filter(|&age| age < SILENT) else { break };
            if last.is_some_and(|last| age < last) {
                return Ok(true);
            }
            last = Some(age);
            std::thread::sleep(SLOW);
        }
        self.board.replace("coordinator", self.name.as_bytes())?;
        Ok(false)
    }

    /// Works until the search is over, which is true then, or there is no time left.
    fn run(&mut self, job: &Job<'_>, share: &mut Share<'_, '_, '_>) -> std::io::Result<bool> {
        let (mut pause, mut round) = (QUICK, None::<Instant>);
        loop {
            let changed = self.fold_records()?;
            self.learn()?;
            self.agree()?;
            let is_over = self.is_over(job);
            self.tell(is_over)?;
            let (executions, blocked) = self.fold.sum.summary.counts();
            share.report(executions, blocked);
            if is_over {
                return Ok(true);
            }
            if round.is_none_or(|at| at.elapsed() >= ROUND) {
                round = Some(Instant::now());
                self.look_around()?;
                if self.board.read("cancel")?.is_some() {
                    job.interrupt();
                }
            }
            if job.is_over().is_some() {
                self.keep()?;
                // Somebody else may go on at once.
                self.board.discard("coordinator")?;
                return Ok(false);
            }
            pause = if changed { QUICK } else { (2 * pause).min(SLOW) };
            std::thread::sleep(pause);
        }
    }

    /// Takes all records of open bundles; whether there was one.
    fn fold_records(&mut self) -> std::io::Result<bool> {
        let mut changed = false;
        loop {
            let fold = &self.fold;
            let records = self.board.records(&|id| fold.is_open(id))?;
            if records.is_empty() {
                break;
            }
            for (id, text) in records {
                let record: Done = serde_json::from_slice(&text)?;
                let Some(change) = self.fold.take(&id, record) else { continue };
                changed = true;
                self.board.withdraw(&id)?;
                for left in change.opened {
                    self.board.put(&left.id, &bytes(&left))?;
                }
                change.closed.iter().try_for_each(|closed| self.board.withdraw(closed))?;
                self.folded.push(id);
            }
        }
        if self.folded.len() >= MANY {
            self.keep()?;
        }
        Ok(changed)
    }

    /// Keeps the fold, and forgets the records that it took.
    fn keep(&mut self) -> std::io::Result<()> {
        let kept = KeptFold { generation: self.posted.generation, fold: &self.fold };
        self.board.replace("fold", &bytes(&kept))?;
        self.folded.drain(..).try_for_each(|id| self.board.forget(&id))
    }

    /// If the machine has to know something from the start, the search begins again.
    fn learn(&mut self) -> std::io::Result<()> {
        if self.fold.sum.lessons.is_empty() {
            return Ok(());
        }
        let all = self.posted.lessons.iter().chain(&self.fold.sum.lessons);
        self.posted.lessons = all.copied().collect::<BTreeSet<_>>().into_iter().collect();
        self.posted.generation += 1;
        self.board.create(&job_file(self.posted.generation), &bytes(&self.posted))?;
        let open: Vec<String> = self.fold.open().map(|left| left.id.clone()).collect();
        open.iter().try_for_each(|id| self.board.withdraw(id))?;
        self.fold = Coordinator::start(&self.posted);
        (self.threads, self.lists) = (Vec::new(), 0);
        self.folded.clear();
        self.violated = None;
        self.keep()
    }

    /// Gives ids to threads that somebody met: see the head of the folder.
    fn agree(&mut self) -> std::io::Result<()> {
        if self.threads.is_empty() {
            self.threads.clone_from(&self.fold.sum.threads);
        }
        loop {
            let list = format!("names.{}.{}", self.posted.generation, self.lists + 1);
            let known = self.board.record(&list)?;
            let new = match known {
                Some(text) => serde_json::from_slice(&text)?,
                None => {
                    let new = names::unknown(&self.threads, &self.fold.sum.met);
                    if new.is_empty() {
                        return Ok(());
                    }
                    if !self.board.commit(&list, &bytes(&new))? {
                        continue;
                    }
                    new
                }
            };
            names::append(&mut self.threads, &new);
            self.lists += 1;
        }
    }

    /// Tells the workers what has changed.
    fn tell(&mut self, stop: bool) -> std::io::Result<()> {
        use norn_board::Sum;
        let orders = Orders {
            generation: self.posted.generation,
            threads: self.threads.clone(),
            limit: self.fold.sum.limit(),
            stop,
        };
        if orders != self.orders {
            self.board.set_orders(&bytes(&orders))?;
            self.orders = orders;
        }
        Ok(())
    }

    /// Whether all that is wanted is done. As in a search by one process, what comes before a violation is not looked
    /// for without end.
    fn is_over(&mut self, job: &Job<'_>) -> bool {
        let keep_going = self.fold.sum.keep_going;
        if !keep_going && self.fold.sum.summary.first().is_some() {
            let at = *self.violated.get_or_insert_with(Instant::now);
            let patience = PATIENCE.max(at - self.began);
            if job.options.any || at.elapsed() > patience {
                return true;
            }
        }
        self.fold.is_over()
    }

    /// Offers again what got lost, sets aside what nobody survives, and says how far the search is.
    fn look_around(&mut self) -> std::io::Result<()> {
        let offers = self.board.offers()?;
        for offer in &offers {
            let is_dead = offer.attempts >= DEATHS && offer.is_free(self.posted.lease);
            if is_dead && self.fold.is_open(&offer.id) {
                let set_aside = BTreeSet::from([offer.id.clone()]);
                let sum = Delta { set_aside, ..Delta::default() };
                let record = Done { worker: self.name.clone(), sum, left: Vec::new() };
                self.board.commit(&offer.id, &bytes(&record))?;
            }
            if !self.fold.is_open(&offer.id) {
                self.board.withdraw(&offer.id)?;
            }
        }
        let offered: BTreeSet<&str> = offers.iter().map(|offer| offer.id.as_str()).collect();
        for left in self.fold.open().filter(|left| !offered.contains(left.id.as_str())) {
            self.board.put(&left.id, &bytes(left))?;
        }
        let (executions, blocked) = self.fold.sum.summary.counts();
        let status = Status {
            executions,
            blocked,
            open: self.fold.open().count(),
            records: self.fold.records,
            seconds: self.began.elapsed().as_secs_f64(),
            workers: self.fold.sum.workers.clone(),
        };
        self.board.replace("status", &bytes(&status))?;
        self.board.replace("coordinator", self.name.as_bytes())
    }

    /// What the search came to.
    fn end(self, is_over: bool) -> Shared {
        let Coordinator { fold, threads, posted, .. } = self;
        let set_aside = fold.sum.set_aside.iter().cloned().collect();
        let (keep_going, seen) = (fold.sum.keep_going, fold.sum.seen.clone());
        let begun = fold.records > 0;
        let mut parts = vec![Frontier::over(threads, fold.sum.summary.clone())];
        if !is_over {
            // Whoever makes the report sees that something is left.
            let open = fold.open().filter_map(|left| {
                serde_json::from_str::<Frontier<Box<RawValue>>>(left.bundle.get()).ok()
            });
            parts.extend(open);
        }
        let frontier = Frontier::merge(parts, keep_going).ok().filter(|_| begun);
        let frontier = frontier.map(|all| serde_json::to_string(&all).expect("it was read"));
        Shared { frontier, seen, lessons: posted.lessons, set_aside, is_over }
    }
}

/// Removes a board.
pub(super) fn remove(board: &Directory) -> std::io::Result<()> {
    let mut generation = 0;
    while board.read(&job_file(generation))?.is_some() {
        generation += 1;
    }
    let jobs: Vec<String> = (0..generation).map(job_file).collect();
    // Whoever looks first sees that nothing is posted.
    let files = jobs.iter().rev().map(String::as_str).chain(FILES).chain(["orders"]);
    board.remove(&files.collect::<Vec<_>>())
}

impl BoardOptions {
    /// Removes the board: its search is over.
    pub(crate) fn remove(&self) -> Result<(), InputError> {
        let board = Directory::at(&self.directory, &own_name(), self.lease);
        let cannot = |cause| InputError::Unwritable { path: self.directory.clone(), cause };
        remove(&board).map_err(cannot)
    }
}
