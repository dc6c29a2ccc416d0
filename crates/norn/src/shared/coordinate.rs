//! `norn check --board`: posts a search, folds what workers record, and ends it.

use super::{
    BoardOptions, Delta, Done, FORMAT, Open, Orders, Posted, Search, VERSION, bytes, chance,
    job_file, names, own_name, place, posted, raw,
};
use crate::CheckOptions;
use crate::check::Job;
use crate::error::InputError;
use crate::program::Endings;
use crate::resume::SavedCheck;
use crate::tally::Share;
use norn_action::Lesson;
use norn_board::{Board, Fold};
use norn_explore::{Frontier, Position};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;
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

/// Posts the search of a program, or goes on with it if it was posted before, until it is over or time is.
pub(crate) fn coordinate(
    job: &Job<'_>,
    options: &BoardOptions,
    sha256: String,
    share: &mut Share<'_, '_, '_>,
) -> Result<Shared, InputError> {
    let path = &options.directory;
    let cannot = |cause| InputError::Unwritable { path: path.clone(), cause };
    let board = place::open(path, &own_name(), options.lease).map_err(cannot)?;
    let wanted = Posted {
        norn_board: FORMAT,
        version: VERSION.to_owned(),
        search: chance(),
        generation: 0,
        check: SavedCheck::of(job.options, job.plan.model()),
        sources: sources(job.options)?,
        sha256,
        lessons: Vec::new(),
        slice: options.slice,
        lease: options.lease,
    };
    let refuse = |why| Err(InputError::Board { path: path.clone(), why });
    let posted = post(board.as_ref(), path, wanted)?;
    let mut coordinator = Coordinator::new(board.as_ref(), posted).map_err(cannot)?;
    if coordinator.is_coordinated(job).map_err(cannot)? {
        let why = "another process coordinates the search on it; `norn worker` joins";
        return refuse(why.to_owned());
    }
    let done = coordinator.run(job, share).map_err(cannot)?;
    Ok(coordinator.end(done))
}

/// Posts a search, unless it is there.
fn post(board: &dyn Board, path: &Path, wanted: Posted) -> Result<Posted, InputError> {
    let cannot = |cause| InputError::Unwritable { path: path.to_owned(), cause };
    loop {
        match posted(board, path)? {
            None => {
                // Another one may be as quick.
                if board.create(&job_file(0), &bytes(&wanted)).map_err(cannot)? {
                    // What an earlier search may have left behind.
                    board.discard("cancel").map_err(cannot)?;
                    return Ok(wanted);
                }
            }
            Some(known) if known.is_of(&wanted) => return Ok(known),
            Some(known) => {
                let files: Vec<_> =
                    known.sources.iter().map(|(file, _)| file.display().to_string()).collect();
                let why = format!(
                    "there is the search of another program, or by other flags, on it: {}; end that by `norn cancel \
                     {}`, or use another board",
                    files.join(" "),
                    path.display()
                );
                return Err(InputError::Board { path: path.to_owned(), why });
            }
        }
    }
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
    search: String,
    generation: u32,
    fold: F,
    threads: Vec<(u32, u32)>,
    lists: u32,
}

pub(super) struct Coordinator<'b> {
    pub(super) board: &'b dyn Board,
    pub(super) name: String,
    pub(super) posted: Posted,
    pub(super) fold: Search,
    /// The threads that have an agreed id, and how many lists of names that took.
    threads: Vec<(u32, u32)>,
    lists: u32,
    pub(super) orders: Orders,
    /// The bundles whose records were taken since the fold was kept.
    folded: Vec<String>,
    pub(super) began: Instant,
    violated: Option<Instant>,
}

impl<'b> Coordinator<'b> {
    fn new(board: &'b dyn Board, posted: Posted) -> io::Result<Coordinator<'b>> {
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
        if let Some(KeptFold { search, generation, fold, threads, lists }) = kept
            && (search.as_str(), generation) == (&new.posted.search, new.posted.generation)
        {
            (new.fold, new.threads, new.lists) = (fold, threads, lists);
        }
        Ok(new)
    }

    /// A search that has not begun.
    fn start(posted: &Posted) -> Search {
        let sum = Delta { keep_going: posted.check.keeps_going(), ..Delta::default() };
        let place = Position::default();
        Fold::new(sum, Open { id: posted.whole(), place, bundle: raw(&()) })
    }

    /// Whether another process coordinates; if not, this one does. One that was killed was heard of until a moment
    /// ago: it is waited for. Two at a time would do no harm, but double work.
    fn is_coordinated(&self, job: &Job<'_>) -> io::Result<bool> {
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
    fn run(&mut self, job: &Job<'_>, share: &mut Share<'_, '_, '_>) -> io::Result<bool> {
        let (mut pause, mut round) = (QUICK, None::<Instant>);
        self.orders = Orders { search: self.posted.search.clone(), ..Orders::default() };
        self.board.replace("orders", &bytes(&self.orders))?;
        loop {
            let is_round = round.is_none_or(|at| at.elapsed() >= ROUND);
            let (changed, is_over) = match self.step(job, share, is_round) {
                // A server may have lost all that it had. A directory that somebody has removed is not made again.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    self.restore()?;
                    (true, None)
                }
                done => done?,
            };
            if let Some(is_over) = is_over {
                return Ok(is_over);
            }
            if is_round {
                round = Some(Instant::now());
            }
            pause = if changed { QUICK } else { (2 * pause).min(SLOW) };
            std::thread::sleep(pause);
        }
    }

    /// Takes what is new, and says so. Whether there was something, and, if that was all, whether the search is over.
    fn step(
        &mut self,
        job: &Job<'_>,
        share: &mut Share<'_, '_, '_>,
        is_round: bool,
    ) -> io::Result<(bool, Option<bool>)> {
        if is_round {
            self.still_wanted()?;
        }
        let changed = self.fold_records()?;
        self.learn()?;
        self.agree()?;
        let is_over = self.is_over(job);
        self.tell(is_over)?;
        let (executions, blocked) = self.fold.sum.summary.counts();
        share.report(executions, blocked);
        if is_over {
            return Ok((changed, Some(true)));
        }
        if is_round {
            self.look_around()?;
            if self.board.exists("cancel")? {
                job.interrupt();
            }
        }
        if job.is_over().is_some() {
            self.keep()?;
            // Somebody else may go on at once.
            self.board.discard("coordinator")?;
            return Ok((changed, Some(false)));
        }
        Ok((changed, None))
    }

    /// Takes all records of open bundles; whether there was one.
    fn fold_records(&mut self) -> io::Result<bool> {
        let mut changed = false;
        loop {
            let fold = &self.fold;
            let records = self.board.records(&|id| fold.is_open(id))?;
            if records.is_empty() {
                break;
            }
            for (id, text) in records {
                let Ok(record) = serde_json::from_slice::<Done>(&text) else {
                    // Its bundle is open, so nobody knows what was in it: somebody else does the same again.
                    self.board.forget(&id)?;
                    continue;
                };
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
    pub(super) fn keep(&mut self) -> io::Result<()> {
        let kept = KeptFold {
            search: self.posted.search.clone(),
            generation: self.posted.generation,
            fold: &self.fold,
            threads: self.threads.clone(),
            lists: self.lists,
        };
        self.board.replace("fold", &bytes(&kept))?;
        self.folded.drain(..).try_for_each(|id| self.board.forget(&id))
    }

    /// If the machine has to know something from the start, the search begins again.
    fn learn(&mut self) -> io::Result<()> {
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
    fn agree(&mut self) -> io::Result<()> {
        if self.threads.is_empty() {
            self.threads.clone_from(&self.fold.sum.threads);
        }
        loop {
            let list = self.posted.names(self.lists + 1);
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
    pub(super) fn tell(&mut self, stop: bool) -> io::Result<()> {
        use norn_board::Sum;
        let orders = Orders {
            search: self.posted.search.clone(),
            generation: self.posted.generation,
            threads: self.threads.clone(),
            limit: self.fold.sum.limit(),
            stop,
        };
        if orders != self.orders {
            self.still_wanted()?;
            self.board.replace("orders", &bytes(&orders))?;
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

impl BoardOptions {
    /// Removes the board: its search is over.
    pub(crate) fn remove(&self) -> Result<(), InputError> {
        let cannot = |cause| InputError::Unwritable { path: self.directory.clone(), cause };
        let board = place::at(&self.directory, &own_name(), self.lease).map_err(cannot)?;
        place::remove(board.as_ref()).map_err(cannot)
    }
}
