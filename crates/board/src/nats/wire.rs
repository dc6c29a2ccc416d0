//! Asking the server. Whatever is asked may be asked again: a server that was away may have done it already.

use super::address::{Address, refusal};
use async_nats::connection::State;
use async_nats::{Client, Event, HeaderMap, Message, Request, RequestErrorKind};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(3);
/// How long the server may be away before it is given up, at first and later.
const REACH: Duration = Duration::from_secs(10);
pub(super) const AWAY: Duration = Duration::from_secs(120);
/// How long is waited before something is tried again.
const AGAIN: Duration = Duration::from_millis(50);

/// What the server says of a publication that came too late.
const NOT_LAST: u64 = 10_071;
/// There is no such stream, or no such consumer.
const NO_STREAM: u64 = 10_059;
const NO_CONSUMER: u64 = 10_014;

/// A connection.
pub(super) struct Wire {
    client: Client,
    /// The last thing that the server refused.
    refused: Arc<Mutex<Option<String>>>,
    runtime: Runtime,
}

/// An error of the server.
#[derive(Debug, Deserialize)]
struct Refusal {
    #[serde(default)]
    err_code: u64,
    #[serde(default)]
    description: String,
}

#[derive(Deserialize)]
struct Reply {
    error: Option<Refusal>,
}

impl Wire {
    pub(super) fn connect(address: &Address) -> io::Result<Wire> {
        // One thread, which only looks after the connection.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let refused = Arc::<Mutex<Option<String>>>::default();
        let began = Instant::now();
        loop {
            let heard = Arc::clone(&refused);
            let connection = async {
                let options = address.options().await?.name("norn").ping_interval(ANSWER);
                let options = options.connection_timeout(ANSWER).max_reconnects(None);
                let options = options.reconnect_delay_callback(|_| 2 * AGAIN);
                let options = options.event_callback(move |event| {
                    let heard = Arc::clone(&heard);
                    async move {
                        if let Event::ServerError(error) = event {
                            *heard.lock().expect("nobody panics with it") = Some(error.to_string());
                        }
                    }
                });
                Ok::<_, io::Error>(options.connect(address.server()).await)
            };
            match runtime.block_on(connection)? {
                Ok(client) => return Ok(Wire { client, refused, runtime }),
                Err(error) => {
                    let (error, waits) = refusal(&error);
                    if !waits || began.elapsed() > REACH {
                        return Err(error);
                    }
                    std::thread::sleep(4 * AGAIN);
                }
            }
        }
    }

    /// How much a message can have, beside its head.
    pub(super) fn room(&self) -> io::Result<usize> {
        let all = self.client.max_payload();
        let small = || io::Error::new(ErrorKind::InvalidInput, SMALL);
        if all < 8192 { Err(small()) } else { Ok(all - 4096) }
    }

    /// Asks once. None if there is no answer.
    pub(super) fn ask_once(
        &self,
        subject: &str,
        headers: Option<HeaderMap>,
        payload: &[u8],
        time: Duration,
    ) -> io::Result<Option<Message>> {
        let request = Request::new().payload(payload.to_vec().into()).timeout(Some(time));
        self.send(subject, headers.into_iter().fold(request, Request::headers))
    }

    /// Asks once for a message that has a subject of its own.
    pub(super) fn ask_for_message(
        &self,
        subject: &str,
        payload: &[u8],
        time: Duration,
    ) -> io::Result<Option<Message>> {
        let request = Request::new().payload(payload.to_vec().into()).timeout(Some(time));
        self.send(subject, request.inbox(self.client.new_inbox()))
    }

    fn send(&self, subject: &str, request: Request) -> io::Result<Option<Message>> {
        let asked = self.client.send_request(subject.to_owned(), request);
        match self.runtime.block_on(asked) {
            Ok(message) => Ok(Some(message)),
            Err(error) => match error.kind() {
                RequestErrorKind::NoResponders => Err(gone()),
                RequestErrorKind::TimedOut | RequestErrorKind::Other => {
                    match self.refused.lock().expect("nobody panics with it").take() {
                        Some(why) => Err(io::Error::new(ErrorKind::PermissionDenied, why)),
                        None => Ok(None),
                    }
                }
                _ => Err(io::Error::new(ErrorKind::InvalidInput, error.to_string())),
            },
        }
    }

    /// Asks until there is an answer; how often that took, too.
    pub(super) fn ask(
        &self,
        subject: &str,
        headers: Option<&HeaderMap>,
        payload: &[u8],
    ) -> io::Result<(Message, u32)> {
        let began = Instant::now();
        let mut tries = 0;
        while began.elapsed() < AWAY {
            // What is asked while the server is away would come to it much later.
            if self.client.connection_state() == State::Connected {
                tries += 1;
                if let Some(answer) = self.ask_once(subject, headers.cloned(), payload, ANSWER)? {
                    return Ok((answer, tries));
                }
            }
            std::thread::sleep(AGAIN);
        }
        Err(away())
    }

    /// Calls the server's own functions.
    pub(super) fn call(&self, function: &str, arguments: &Value) -> io::Result<Value> {
        let payload = if arguments.is_null() { Vec::new() } else { serde_json::to_vec(arguments)? };
        let (answer, _) = self.ask(&format!("$JS.API.{function}"), None, &payload)?;
        check(&answer.payload)?;
        Ok(serde_json::from_slice(&answer.payload)?)
    }

    /// Whether the server is there.
    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}

const SMALL: &str =
    "the server takes no messages above some kilobytes; raise its max_payload to 1MB";

/// That the server is not there.
pub(super) fn away() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "the server does not answer any more")
}

/// That the stream is not there.
pub(super) fn gone() -> io::Error {
    io::Error::new(ErrorKind::NotFound, "nothing of norn is on the server")
}

/// What went wrong, as the server says. [`ErrorKind::AlreadyExists`] if somebody was faster.
pub(super) fn check(answer: &[u8]) -> io::Result<()> {
    let Reply { error } = serde_json::from_slice(answer)?;
    let Some(Refusal { err_code, description }) = error else { return Ok(()) };
    Err(match err_code {
        NOT_LAST => io::Error::new(ErrorKind::AlreadyExists, description),
        NO_STREAM | NO_CONSUMER => gone(),
        _ => io::Error::other(format!("the server says: {description}")),
    })
}
