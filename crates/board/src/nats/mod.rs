//! A board on a NATS server with JetStream.
//!
//! | subject | in the stream | what it is |
//! |---|---|---|
//! | `norn.NAME.queue.ID` | `NORN_NAME_QUEUE` | a bundle that is offered; the consumer `workers` hands it out |
//! | `norn.NAME.lease.ID` | `NORN_NAME` | the last claim of it: the how manieth, and by whom. Written again with each beat |
//! | `norn.NAME.done.ID` | `NORN_NAME` | its record |
//! | `norn.NAME.key.WORD` | `NORN_NAME` | what the search keeps there |
//! | `norn.NAME.part.WRITER.N` | `NORN_NAME` | the rest of a value that is longer than a message |
//! | `norn.NAME.clock.PROCESS` | `NORN_NAME` | written to know what time it is at the server |
//!
//! Each subject has one message. What must be the first of its subject is published with the condition that there is
//! none, and a beat with the condition that the last claim is the own one.
//!
//! The consumer is there for speed: an acknowledgement that is lost, repeated or late changes only who works on what.
//! Records are read by their numbers in the stream, from where the last reading ended; so are leases. A server that
//! has forgotten what came last gives the same numbers again. So a bundle that is neither offered nor recorded, as far
//! as the coordinator knows, is looked up by its id before it is offered again.

mod address;
mod stored;
mod wire;

pub use address::Address;

use crate::{Board, DEATHS, Lease, Offer};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use stored::{Store, Stored, still, there};
use wire::Wire;

/// How long one asks for a bundle before it looks at its orders again.
const LOOK: Duration = Duration::from_millis(250);
/// How long one waits for the answer to what need not be answered.
const ASIDE: Duration = Duration::from_millis(500);
/// How long the difference between two clocks is taken to be the same.
const SAME: Duration = Duration::from_secs(30);
/// How long a bundle may lie there while somebody waits for one.
const STUCK: Duration = Duration::from_secs(1);
/// The server counts less than that as nothing, which is its default of half a minute.
const LEAST: Duration = Duration::from_millis(1);

/// The board.
pub struct Nats {
    store: Store,
    queue: String,
    /// What tells this process from all others.
    name: String,
    /// How long a worker may be silent before somebody else takes its bundle.
    patience: Duration,
    /// What time it was at the server, and when that was.
    clock: Mutex<Option<(Duration, Instant)>>,
    held: Mutex<BTreeMap<String, Held>>,
    records: Mutex<Read<()>>,
    leases: Mutex<Read<Claim>>,
    /// Since when there has been something for those who wait, and they did not get it.
    stuck: Mutex<Option<Instant>>,
}

/// A bundle that this process has claimed.
struct Held {
    attempt: u32,
    /// The number of the last beat.
    beat: u64,
    /// Where the server wants to hear that it is done.
    reply: Option<String>,
}

/// What was read of a stream.
struct Read<T> {
    /// The next number that may be new.
    next: u64,
    since: Instant,
    known: BTreeMap<String, T>,
}

impl<T> Default for Read<T> {
    fn default() -> Self {
        Read { next: 0, since: Instant::now(), known: BTreeMap::new() }
    }
}

#[derive(Clone)]
struct Claim {
    attempt: u32,
    worker: String,
    time: Duration,
}

impl Claim {
    fn read(stored: &Stored, value: &[u8]) -> Option<Claim> {
        let text = std::str::from_utf8(value).ok()?;
        let (attempt, worker) = text.split_once(' ')?;
        let attempt = attempt.parse().ok()?;
        Some(Claim { attempt, worker: worker.to_owned(), time: stored.time })
    }

    fn written(attempt: u32, worker: &str) -> Vec<u8> {
        format!("{attempt} {worker}").into_bytes()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with the lock")
}

/// Dots part the words of a subject.
fn word(id: &str) -> String {
    id.replace('.', "~")
}

fn id_of(subject: &str) -> String {
    subject.rsplit('.').next().unwrap_or_default().replace('~', ".")
}

impl Nats {
    /// The board of an address, whether it is there or not. `name` tells this process from all others.
    pub fn at(address: &Address, name: &str, patience: Duration) -> io::Result<Nats> {
        let wire = Wire::connect(address)?;
        wire.room()?;
        let (stream, prefix) = (format!("NORN_{}", address.name), format!("norn.{}", address.name));
        Ok(Nats {
            queue: format!("{stream}_QUEUE"),
            store: Store::new(wire, stream, prefix, name),
            name: name.to_owned(),
            patience,
            clock: Mutex::default(),
            held: Mutex::default(),
            records: Mutex::default(),
            leases: Mutex::default(),
            stuck: Mutex::default(),
        })
    }

    /// The board of an address, which is made if it is not there.
    pub fn open(address: &Address, name: &str, patience: Duration) -> io::Result<Nats> {
        let board = Nats::at(address, name, patience)?;
        board.make()?;
        Ok(board)
    }

    fn make(&self) -> io::Result<()> {
        let (stream, queue, prefix) = (&self.store.stream, &self.queue, &self.store.prefix);
        let words = ["done.*", "key.*", "lease.*", "part.*.*", "clock.*"];
        // What does not fit is refused: nothing that is there may go for it.
        let configuration = json!({
            "name": stream,
            "subjects": words.map(|word| format!("{prefix}.{word}")),
            "retention": "limits", "storage": "file", "discard": "new", "num_replicas": 1,
            "max_consumers": -1, "max_msgs": -1, "max_bytes": -1, "max_msg_size": -1, "max_age": 0,
            "max_msgs_per_subject": 1, "allow_direct": true,
        });
        self.store.make(stream, &configuration)?;
        let configuration = json!({
            "name": queue,
            "subjects": [format!("{prefix}.queue.*")],
            "retention": "workqueue", "storage": "file", "discard": "new", "num_replicas": 1,
            "max_consumers": -1, "max_msgs": -1, "max_bytes": -1, "max_msg_size": -1, "max_age": 0,
        });
        self.store.make(queue, &configuration)?;
        self.make_consumer()
    }

    fn make_consumer(&self) -> io::Result<()> {
        let queue = &self.queue;
        let patience = self.patience.max(LEAST).as_nanos() as u64;
        // Nothing may be handed out so often that it is never handed out again.
        let configuration = json!({
            "stream_name": queue,
            "config": {
                "durable_name": "workers", "deliver_policy": "all", "replay_policy": "instant",
                "ack_policy": "explicit", "ack_wait": patience,
                "max_deliver": -1, "max_ack_pending": -1, "max_waiting": 8192,
            },
        });
        let function = format!("CONSUMER.DURABLE.CREATE.{queue}.workers");
        self.store.wire.call(&function, &configuration).map(drop)
    }

    /// A server that was killed may take bundles for handed out and acknowledged that are still there. If so, the
    /// consumer is made anew: it begins with the first bundle, and leases tell which are taken.
    fn mend_consumer(&self, is_stuck: bool) -> io::Result<()> {
        let mut stuck = lock(&self.stuck);
        if !is_stuck {
            *stuck = None;
        } else if stuck.get_or_insert_with(Instant::now).elapsed() > STUCK {
            *stuck = None;
            let function = format!("CONSUMER.DELETE.{}.workers", self.queue);
            crate::existing(self.store.wire.call(&function, &Value::Null))?;
            self.make_consumer()?;
        }
        Ok(())
    }

    fn subject(&self, kind: &str, id: &str) -> String {
        format!("{}.{kind}.{}", self.store.prefix, word(id))
    }

    /// What time it is at the server.
    fn now(&self) -> io::Result<Duration> {
        let mut clock = lock(&self.clock);
        if let Some((time, at)) = *clock
            && at.elapsed() < SAME
        {
            return Ok(time + at.elapsed());
        }
        let subject = self.subject("clock", &self.name);
        self.store.write(&subject, None, b".")?;
        let at = Instant::now();
        let time = still(self.store.last(&subject)?)?.time;
        *clock = Some((time, at));
        Ok(time)
    }

    /// Reads what is new of some subjects. Begins anew now and then: a server may give its numbers a second time.
    fn read_on<T>(
        &self,
        kind: &str,
        read: &mut Read<T>,
        take: impl Fn(&Stored) -> io::Result<Option<T>>,
    ) -> io::Result<()> {
        if read.since.elapsed() > SAME {
            *read = Read::default();
        }
        let subjects = format!("{}.{kind}.*", self.store.prefix);
        while let Some(stored) = self.store.next(&subjects, read.next)? {
            read.next = stored.sequence + 1;
            if let Some(value) = take(&stored)? {
                read.known.insert(id_of(&stored.subject), value);
            }
        }
        Ok(())
    }

    fn claim_of(&self, stored: &Stored) -> io::Result<Option<Claim>> {
        let value = self.store.value(stored)?;
        Ok(value.and_then(|value| Claim::read(stored, &value)))
    }

    /// Tells the consumer something of a bundle. Nothing depends on whether it hears.
    fn tell(&self, reply: Option<&str>, what: &str) -> io::Result<()> {
        let Some(reply) = reply else { return Ok(()) };
        let told = self.store.wire.ask_once(reply, None, what.as_bytes(), ASIDE);
        crate::existing(told).map(drop)
    }

    /// Takes what the consumer hands out, unless somebody else works on it or it is done.
    fn accept(
        &self,
        worker: &str,
        message: async_nats::Message,
    ) -> io::Result<Option<(Lease, Vec<u8>)>> {
        let (subject, reply) = (message.subject.to_string(), message.reply.as_deref());
        let id = id_of(&subject);
        if self.store.last(&self.subject("done", &id))?.is_some() {
            self.tell(reply, "+ACK")?;
            return Ok(None);
        }
        let place = self.subject("lease", &id);
        let stored = self.store.last(&place)?;
        let (before, sequence) = match &stored {
            Some(stored) => (self.claim_of(stored)?, stored.sequence),
            None => (None, 0),
        };
        if let Some(before) = &before {
            let silent = self.now()?.abs_diff(before.time);
            if silent <= self.patience {
                let rest = (self.patience - silent).max(LEAST).as_nanos();
                self.tell(reply, &format!("-NAK {{\"delay\": {rest}}}"))?;
                return Ok(None);
            }
        }
        let attempts = before.map_or(0, |before| before.attempt);
        if attempts >= DEATHS {
            return Ok(None);
        }
        let attempt = attempts + 1;
        let claim = Claim::written(attempt, worker);
        let Some(beat) = self.store.write(&place, Some(sequence), &claim)? else { return Ok(None) };
        let headers = message.headers.unwrap_or_default();
        let bundle = self.store.whole(&subject, &headers, message.payload.to_vec())?;
        // Without some of its parts, it is offered again by whoever offered it.
        let Some(bundle) = bundle else { return Ok(None) };
        let reply = message.reply.map(|reply| reply.to_string());
        lock(&self.held).insert(id.clone(), Held { attempt, beat, reply });
        Ok(Some((Lease { id, attempt, worker: worker.to_owned() }, bundle)))
    }

    fn key(&self, name: &str) -> String {
        self.subject("key", name)
    }
}

impl Board for Nats {
    fn put(&self, id: &str, bundle: &[u8]) -> io::Result<()> {
        if self.store.last(&self.subject("done", id))?.is_some() {
            lock(&self.records).known.insert(id.to_owned(), ());
            return Ok(());
        }
        self.store.write(&self.subject("queue", id), Some(0), bundle).map(drop)
    }

    fn claim(&self, worker: &str) -> io::Result<Option<(Lease, Vec<u8>)>> {
        let began = Instant::now();
        while let Some(rest) = LOOK.checked_sub(began.elapsed()) {
            if !self.store.wire.is_connected() {
                std::thread::sleep(rest);
                break;
            }
            let expires = rest.max(LEAST).as_nanos() as u64;
            let request = json!({ "batch": 1, "expires": expires });
            let function = format!("$JS.API.CONSUMER.MSG.NEXT.{}.workers", self.queue);
            let request = serde_json::to_vec(&request)?;
            let answer = self.store.wire.ask_for_message(&function, &request, rest + ASIDE)?;
            let Some(message) = answer else {
                self.store.look_again()?;
                break;
            };
            if message.status.is_some() {
                break;
            }
            if let Some(claimed) = self.accept(worker, message)? {
                return Ok(Some(claimed));
            }
        }
        Ok(None)
    }

    fn beat(&self, lease: &Lease) -> io::Result<()> {
        let lost = || io::Error::new(ErrorKind::NotFound, "somebody else has it");
        let (beat, reply) = match lock(&self.held).get(&lease.id) {
            Some(held) if held.attempt == lease.attempt => (held.beat, held.reply.clone()),
            _ => return Err(lost()),
        };
        let claim = Claim::written(lease.attempt, &lease.worker);
        let subject = self.subject("lease", &lease.id);
        let beat = self.store.write(&subject, Some(beat), &claim)?.ok_or_else(lost)?;
        if let Some(held) = lock(&self.held).get_mut(&lease.id) {
            held.beat = beat;
        }
        self.tell(reply.as_deref(), "+WPI")
    }

    fn commit(&self, id: &str, record: &[u8]) -> io::Result<bool> {
        Ok(self.store.write(&self.subject("done", id), Some(0), record)?.is_some())
    }

    fn record(&self, id: &str) -> io::Result<Option<Vec<u8>>> {
        self.store.read(&self.subject("done", id))
    }

    fn records(&self, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<Vec<(String, Vec<u8>)>> {
        let records = RefCell::new(Vec::new());
        let mut read = lock(&self.records);
        // What was not wanted when it was read may be now.
        let later: Vec<String> = read.known.keys().filter(|id| is_wanted(id)).cloned().collect();
        self.read_on("done", &mut read, |stored| {
            let id = id_of(&stored.subject);
            if is_wanted(&id)
                && let Some(value) = self.store.value(stored)?
            {
                records.borrow_mut().push((id, value));
            }
            Ok(Some(()))
        })?;
        let mut records = records.into_inner();
        for id in later {
            if let Some(record) = self.record(&id)? {
                records.push((id, record));
            }
        }
        Ok(records)
    }

    fn forget(&self, id: &str) -> io::Result<()> {
        lock(&self.records).known.remove(id);
        self.store.purge(&self.store.stream, &self.subject("done", id))
    }

    fn withdraw(&self, id: &str) -> io::Result<()> {
        let held = lock(&self.held).remove(id);
        match held {
            // A worker may not be allowed to do more than that. The coordinator does the rest.
            Some(held) => self.tell(held.reply.as_deref(), "+ACK"),
            None => {
                lock(&self.leases).known.remove(id);
                self.store.purge(&self.queue, &self.subject("queue", id))?;
                self.store.purge(&self.store.stream, &self.subject("lease", id))
            }
        }
    }

    fn offers(&self) -> io::Result<Vec<Offer>> {
        let now = self.now()?;
        let leases = {
            let mut read = lock(&self.leases);
            self.read_on("lease", &mut read, |stored| self.claim_of(stored))?;
            read.known.clone()
        };
        let arguments = json!({ "subjects_filter": format!("{}.queue.*", self.store.prefix) });
        let info = self.store.wire.call(&format!("STREAM.INFO.{}", self.queue), &arguments)?;
        if info["state"]["consumer_count"].as_u64() == Some(0) {
            self.make_consumer()?;
        }
        let subjects = info["state"]["subjects"].as_object();
        let offer = |subject: &String| {
            let id = id_of(subject);
            let claim = leases.get(&id);
            Offer {
                attempts: claim.map_or(0, |claim| claim.attempt),
                worker: claim.map(|claim| claim.worker.clone()),
                silent: claim.map(|claim| now.abs_diff(claim.time)),
                id,
            }
        };
        let offers: Vec<Offer> =
            subjects.into_iter().flat_map(serde_json::Map::keys).map(offer).collect();
        let is_free =
            |offer: &Offer| offer.attempts < DEATHS && offer.is_free(self.patience + STUCK);
        self.mend_consumer(offers.iter().any(is_free) && self.hungry()? > 0)?;
        Ok(offers)
    }

    // Who waits has asked the consumer.
    fn set_hungry(&self, _: &str, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn hungry(&self) -> io::Result<usize> {
        let function = format!("CONSUMER.INFO.{}.workers", self.queue);
        let info = self.store.wire.call(&function, &Value::Null)?;
        Ok(info["num_waiting"].as_u64().unwrap_or_default() as usize)
    }

    // Who asks gets what is there at once.
    fn is_short(&self) -> io::Result<bool> {
        Ok(self.hungry()? > 0)
    }

    fn create(&self, name: &str, content: &[u8]) -> io::Result<bool> {
        Ok(self.store.write(&self.key(name), Some(0), content)?.is_some())
    }

    fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.store.write(&self.key(name), None, content).map(drop)
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        there(self.store.read(&self.key(name)))
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        Ok(there(self.store.last(&self.key(name)))?.is_some())
    }

    fn age(&self, name: &str) -> io::Result<Option<Duration>> {
        let Some(stored) = there(self.store.last(&self.key(name)))? else { return Ok(None) };
        Ok(Some(self.now()?.abs_diff(stored.time)))
    }

    fn discard(&self, name: &str) -> io::Result<()> {
        self.store.purge(&self.store.stream, &self.key(name))
    }

    fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    fn may_return(&self) -> bool {
        true
    }

    fn restore(&self) -> io::Result<()> {
        *lock(&self.records) = Read::default();
        *lock(&self.leases) = Read::default();
        *lock(&self.clock) = None;
        self.make()
    }

    // Whoever looks sees first that nothing is posted.
    fn remove(&self, _: &[&str]) -> io::Result<()> {
        self.store.unmake(&self.store.stream)?;
        self.store.unmake(&self.queue)
    }

    fn tidy(&self) -> io::Result<()> {
        let clock = self.subject("clock", &self.name);
        crate::existing(self.store.purge(&self.store.stream, &clock)).map(drop)
    }
}
