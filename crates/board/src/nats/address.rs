//! Where a board is, and with what its server lets somebody in.

use async_nats::{ConnectErrorKind, ConnectOptions};
use std::env;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// What a board is called that has no name.
const DEFAULT_NAME: &str = "search";

/// A board on a server: `nats://host[:port][/name]`, or with `tls://` if nothing else than TLS will do. There are as
/// many boards on a server as names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    server: String,
    pub(super) name: String,
    is_secure: bool,
}

impl Address {
    /// Whether it is meant for a server rather than for a file.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("nats://") || text.starts_with("tls://")
    }

    /// Reads one.
    pub fn parse(text: &str) -> io::Result<Address> {
        let wrong = |why: &str| Err(io::Error::new(ErrorKind::InvalidInput, why.to_owned()));
        let Some((scheme, rest)) = text.split_once("://") else {
            return wrong("an address begins with nats:// or tls://");
        };
        let (host, name) = rest.split_once('/').unwrap_or((rest, ""));
        if host.contains('@') {
            return wrong(
                "a secret in the address can be seen by all users of the machine; use NATS_TOKEN, NATS_CREDS, or \
                 NATS_USER and NATS_PASSWORD",
            );
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if host.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return wrong(
                "an address is nats://host, nats://host:port or nats://host:port/name, where the name has letters, \
                 digits, '-' and '_'",
            );
        }
        let name = if name.is_empty() { DEFAULT_NAME } else { name };
        let is_secure = scheme == "tls";
        Ok(Address { server: format!("{scheme}://{host}"), name: name.to_owned(), is_secure })
    }

    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// How to connect, from the variables that other tools for NATS read, too.
    pub(super) async fn options(&self) -> io::Result<ConnectOptions> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let file = |name: &str| variable(name).map(PathBuf::from);
        let mut options = ConnectOptions::new();
        if let Some(path) = file("NATS_CREDS") {
            options = options.credentials_file(&path).await.map_err(|error| about(&path, error))?;
        } else if let Some(path) = file("NATS_NKEY") {
            let seed = std::fs::read_to_string(&path).map_err(|error| about(&path, error))?;
            options = options.nkey(seed.trim().to_owned());
        } else if let Some(token) = variable("NATS_TOKEN") {
            options = options.token(token);
        } else if let Some(user) = variable("NATS_USER") {
            options =
                options.user_and_password(user, variable("NATS_PASSWORD").unwrap_or_default());
        }
        if let Some(path) = file("NATS_CA") {
            options = options.add_root_certificates(path);
        }
        if let (Some(certificate), Some(key)) = (file("NATS_CERT"), file("NATS_KEY")) {
            options = options.add_client_certificate(certificate, key);
        }
        Ok(options.require_tls(self.is_secure || file("NATS_CA").is_some()))
    }
}

fn about(path: &std::path::Path, error: io::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("{}: {error}", path.display()))
}

/// Why there is no connection; whether it may help to wait.
pub(super) fn refusal(error: &async_nats::ConnectError) -> (io::Error, bool) {
    let (kind, why, waits) = match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => (
            ErrorKind::PermissionDenied,
            "the server does not let us in; set NATS_TOKEN, NATS_CREDS, NATS_NKEY, or NATS_USER and NATS_PASSWORD"
                .to_owned(),
            false,
        ),
        ConnectErrorKind::ServerParse => {
            (ErrorKind::InvalidInput, "this is no address of a server".to_owned(), false)
        }
        ConnectErrorKind::Tls => (
            ErrorKind::PermissionDenied,
            format!("TLS does not work with the server ({error}); NATS_CA names a file of certificates to trust"),
            false,
        ),
        _ => (ErrorKind::TimedOut, format!("the server cannot be reached ({error})"), true),
    };
    (io::Error::new(kind, why), waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_perhaps_a_name() {
        let parse = |text: &str| Address::parse(text).map(|it| (it.server, it.name, it.is_secure));
        let made = |server: &str, name: &str, tls| Some((server.to_owned(), name.to_owned(), tls));
        assert_eq!(parse("nats://here").ok(), made("nats://here", DEFAULT_NAME, false));
        assert_eq!(parse("tls://[::1]:99/a-b_7").ok(), made("tls://[::1]:99", "a-b_7", true));
        for wrong in ["here", "nats://", "nats:///x", "nats://here/a.b", "nats://here/a/b"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let error = parse("nats://me:secret@here").expect_err("a secret").to_string();
        assert!(error.contains("NATS_TOKEN") && !error.contains("me:"), "{error}");
    }
}
