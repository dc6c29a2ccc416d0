//! A NATS server on a free port of this machine, with a store that goes with it. Tests are skipped where there is none.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server.
pub struct Server {
    child: Option<Child>,
    folder: tempfile::TempDir,
    port: u16,
    configuration: String,
    /// What it is to know of its store.
    limits: String,
}

impl Server {
    /// Starts one with more lines of configuration. None where there is no such program.
    pub fn start(configuration: &str) -> Option<Server> {
        Server::start_with(configuration, "")
    }

    /// The same, with limits of the store.
    pub fn start_with(configuration: &str, limits: &str) -> Option<Server> {
        let folder = tempfile::tempdir().expect("a folder");
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
        let (configuration, limits) = (configuration.to_owned(), limits.to_owned());
        let mut server = Server { child: None, folder, port, configuration, limits };
        server.wake().then_some(server)
    }

    /// Starts it again, with what it has kept.
    pub fn wake(&mut self) -> bool {
        self.end();
        let file = self.folder.path().join("server.conf");
        let (store, port) = (self.store(), self.port);
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: {store:?}, {} }}\n{}\n",
            self.limits, self.configuration
        );
        std::fs::write(&file, text).expect("to write");
        // Debian puts it where only the administrator looks.
        let paths = ["nats-server", "/usr/sbin/nats-server"];
        let run = |path: &&str| {
            let mut command = Command::new(path);
            command.arg("-c").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok()
        };
        self.child = paths.iter().find_map(run);
        if self.child.is_none() {
            println!("skipped: there is no nats-server here");
            return false;
        }
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        true
    }

    /// Kills it.
    pub fn end(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            child.wait().expect("to wait");
        }
    }

    /// Where it keeps what it was told.
    pub fn store(&self) -> std::path::PathBuf {
        Path::join(self.folder.path(), "store")
    }

    /// The address of a board on it.
    pub fn address(&self, name: &str) -> String {
        format!("nats://127.0.0.1:{}/{name}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}
