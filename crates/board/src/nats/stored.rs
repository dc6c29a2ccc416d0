//! What the server keeps: messages, of which each subject has one, and values, which may be longer than a message.

use super::wire::{AWAY, Wire, away, check, gone};
use async_nats::{HeaderMap, Message, StatusCode};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many further messages have the rest of a value, and what tells them from others.
const PARTS: &str = "Norn-Parts";
const KEY: &str = "Norn-Key";
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";
/// How often a value is read again that somebody replaces meanwhile.
const READS: u32 = 20;
/// How long it may take to read a message.
const GET: Duration = Duration::from_secs(1);

/// A message that is kept.
pub(super) struct Stored {
    pub(super) sequence: u64,
    /// When it was kept, by the clock of the server.
    pub(super) time: Duration,
    pub(super) subject: String,
    headers: HeaderMap,
    head: Vec<u8>,
}

/// A stream and what begins the subjects in it.
pub(super) struct Store {
    pub(super) wire: Wire,
    pub(super) stream: String,
    pub(super) prefix: String,
    /// What tells this process from all others.
    owner: String,
    /// Whether the stream was there when somebody looked.
    is_there: AtomicBool,
    written: AtomicU64,
    /// The parts of long values, by their subjects.
    parts: Mutex<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Kept {
    seq: u64,
}

impl Store {
    pub(super) fn new(wire: Wire, stream: String, prefix: String, owner: &str) -> Store {
        let (is_there, written) = (AtomicBool::new(false), AtomicU64::new(0));
        let parts = Mutex::default();
        Store { wire, stream, prefix, owner: owner.to_owned(), is_there, written, parts }
    }

    /// Publishes, if the last message of the subject is as `expected`. Its number; none if it is another one.
    fn publish(
        &self,
        subject: &str,
        expected: Option<u64>,
        mut headers: HeaderMap,
        payload: &[u8],
    ) -> io::Result<(Option<u64>, u32)> {
        if let Some(expected) = expected {
            headers.insert(EXPECTED, expected.to_string().as_str());
        }
        let (answer, tries) = self.wire.ask(subject, Some(&headers), payload)?;
        match check(&answer.payload) {
            Ok(()) => Ok((Some(serde_json::from_slice::<Kept>(&answer.payload)?.seq), tries)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok((None, tries)),
            Err(error) => Err(error),
        }
    }

    /// Makes something the value of a subject, if the last message there is as `expected`. Its number; none if it is
    /// another one.
    pub(super) fn write(
        &self,
        subject: &str,
        expected: Option<u64>,
        value: &[u8],
    ) -> io::Result<Option<u64>> {
        let room = self.wire.room()?;
        let mut headers = HeaderMap::new();
        let mut pieces = value.chunks(room);
        let head = pieces.next().unwrap_or_default();
        let key = (value.len() > room).then(|| {
            let number = self.written.fetch_add(1, Ordering::Relaxed);
            format!("{}-{number}", self.owner)
        });
        if let Some(key) = &key {
            // Nobody looks at these before the first one is there.
            let mut count = 0_usize;
            for (index, piece) in pieces.enumerate() {
                let part = format!("{}.part.{key}.{index}", self.prefix);
                self.publish(&part, None, HeaderMap::new(), piece)?;
                count = index + 1;
            }
            headers.insert(PARTS, count.to_string().as_str());
            headers.insert(KEY, key.as_str());
        }
        let (sequence, tries) = self.publish(subject, expected, headers, head)?;
        if sequence.is_some() {
            let old = {
                let mut parts = self.parts.lock().expect("no panic");
                let old = parts.remove(subject);
                parts.extend(key.map(|key| (subject.to_owned(), key)));
                old
            };
            self.drop_parts(old)?;
        } else if tries > 1 {
            // The first try may have been the one that was faster.
            let there = self.last(subject)?;
            if let Some(there) = there
                && self.value(&there)?.as_deref() == Some(value)
            {
                return Ok(Some(there.sequence));
            }
        }
        Ok(sequence)
    }

    fn stored(message: Message) -> io::Result<Option<Stored>> {
        if message.status == Some(StatusCode::NOT_FOUND) {
            return Ok(None);
        }
        let headers = message.headers.unwrap_or_default();
        let text = |name: &str| headers.get(name).map(|value| value.as_str().to_owned());
        let strange = || {
            let why = message.description.clone().unwrap_or_default();
            io::Error::other(format!("the server answers what norn does not understand {why}"))
        };
        let sequence = text("Nats-Sequence").and_then(|text| text.parse().ok());
        let time = text("Nats-Time-Stamp").and_then(|text| since_epoch(&text));
        let (Some(sequence), Some(time), Some(subject)) = (sequence, time, text("Nats-Subject"))
        else {
            return Err(strange());
        };
        Ok(Some(Stored { sequence, time, subject, headers, head: message.payload.to_vec() }))
    }

    fn get(&self, request: &serde_json::Value) -> io::Result<Option<Stored>> {
        let subject = format!("$JS.API.DIRECT.GET.{}", self.stream);
        let request = serde_json::to_vec(request)?;
        let began = Instant::now();
        while began.elapsed() < AWAY {
            self.look_for_stream()?;
            if let Some(answer) = self.wire.ask_once(&subject, None, &request, GET)? {
                return Store::stored(answer);
            }
            self.is_there.store(false, Ordering::Relaxed);
        }
        Err(away())
    }

    /// An error if the stream is not there: nobody answers questions about what is in it then.
    fn look_for_stream(&self) -> io::Result<()> {
        if !self.is_there.load(Ordering::Relaxed) {
            self.wire.call(&format!("STREAM.INFO.{}", self.stream), &serde_json::Value::Null)?;
            self.is_there.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The same, whatever was known before.
    pub(super) fn look_again(&self) -> io::Result<()> {
        self.is_there.store(false, Ordering::Relaxed);
        self.look_for_stream()
    }

    /// The message of a subject.
    pub(super) fn last(&self, subject: &str) -> io::Result<Option<Stored>> {
        self.get(&json!({ "last_by_subj": subject }))
    }

    /// The next message of some subjects, from a number on.
    pub(super) fn next(&self, subjects: &str, from: u64) -> io::Result<Option<Stored>> {
        self.get(&json!({ "seq": from.max(1), "next_by_subj": subjects }))
    }

    /// The whole of a value; none if somebody has replaced it meanwhile.
    pub(super) fn value(&self, stored: &Stored) -> io::Result<Option<Vec<u8>>> {
        self.whole(&stored.subject, &stored.headers, stored.head.clone())
    }

    /// The whole of a value of which the first message is known.
    pub(super) fn whole(
        &self,
        subject: &str,
        headers: &HeaderMap,
        head: Vec<u8>,
    ) -> io::Result<Option<Vec<u8>>> {
        let text = |name: &str| headers.get(name).map(|value| value.as_str());
        let (Some(count), Some(key)) = (text(PARTS), text(KEY)) else { return Ok(Some(head)) };
        let count: u64 = count.parse().map_err(io::Error::other)?;
        self.parts.lock().expect("no panic").insert(subject.to_owned(), key.to_owned());
        let mut value = head;
        for index in 0..count {
            let part = self.last(&format!("{}.part.{key}.{index}", self.prefix))?;
            let Some(part) = part else { return Ok(None) };
            value.extend(part.head);
        }
        Ok(Some(value))
    }

    /// The value of a subject.
    pub(super) fn read(&self, subject: &str) -> io::Result<Option<Vec<u8>>> {
        for _ in 0..READS {
            let Some(stored) = self.last(subject)? else { return Ok(None) };
            if let Some(value) = self.value(&stored)? {
                return Ok(Some(value));
            }
        }
        Err(io::Error::other(format!("a part of {subject} is missing on the server")))
    }

    /// Takes away what is there of some subjects of a stream.
    pub(super) fn purge(&self, stream: &str, subjects: &str) -> io::Result<()> {
        let old = self.parts.lock().expect("no panic").remove(subjects);
        self.drop_parts(old)?;
        let purged =
            self.wire.call(&format!("STREAM.PURGE.{stream}"), &json!({ "filter": subjects }));
        purged.map(drop)
    }

    fn drop_parts(&self, key: Option<String>) -> io::Result<()> {
        let Some(key) = key else { return Ok(()) };
        let filter = format!("{}.part.{key}.*", self.prefix);
        let stream = &self.stream;
        self.wire.call(&format!("STREAM.PURGE.{stream}"), &json!({ "filter": filter })).map(drop)
    }

    /// Makes a stream, unless there is one.
    pub(super) fn make(&self, stream: &str, configuration: &serde_json::Value) -> io::Result<()> {
        match self.wire.call(&format!("STREAM.INFO.{stream}"), &serde_json::Value::Null) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let made = self.wire.call(&format!("STREAM.CREATE.{stream}"), configuration);
                made.map(drop).map_err(|error| match error.kind() {
                    ErrorKind::NotFound => io::Error::new(ErrorKind::Unsupported, NO_JETSTREAM),
                    _ => error,
                })
            }
            done => done.map(drop),
        }
    }

    /// Removes a stream.
    pub(super) fn unmake(&self, stream: &str) -> io::Result<()> {
        let done = self.wire.call(&format!("STREAM.DELETE.{stream}"), &serde_json::Value::Null);
        crate::existing(done).map(drop)
    }
}

const NO_JETSTREAM: &str = "the server has no JetStream; start it with `nats-server -js`";

/// A time such as `2026-01-31T07:08:09.123456789Z`.
fn since_epoch(text: &str) -> Option<Duration> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let seconds = time.next()?? * 3600 + time.next()?? * 60 + time.next()??;
    // Years that begin in March have their odd day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    let nanos: u64 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    let days = u64::try_from(days).ok()?;
    Some(Duration::from_secs(days * 86_400 + seconds) + Duration::from_nanos(nanos))
}

/// That a stream is not there is no error where something is looked up.
pub(super) fn there<T>(found: io::Result<Option<T>>) -> io::Result<Option<T>> {
    crate::existing(found).map(Option::flatten)
}

/// An error if something is gone that was there a moment ago.
pub(super) fn still<T>(found: Option<T>) -> io::Result<T> {
    found.ok_or_else(gone)
}

#[cfg(test)]
mod tests {
    use super::since_epoch;
    use std::time::Duration;

    #[test]
    fn times_are_what_they_say() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2000-02-29T12:34:56.5Z", 951_827_696, 500_000_000),
            ("2000-03-01T00:00:00.000000001Z", 951_868_800, 1),
            ("2026-12-31T23:59:59.123456789Z", 1_798_761_599, 123_456_789),
        ] {
            assert_eq!(since_epoch(text), Some(Duration::new(seconds, nanos)), "{text}");
        }
        assert_eq!(since_epoch("yesterday"), None);
    }
}
