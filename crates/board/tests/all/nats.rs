//! What a board on a server does when the server dies, forgets or refuses.

use crate::server::Server;
use norn_board::{Address, Board, Nats};
use std::time::Duration;

const LATE: Duration = Duration::from_secs(3600);

fn address(server: &Server, name: &str) -> Address {
    Address::parse(&server.address(name)).expect("an address")
}

fn open(server: &Server, name: &str, process: &str) -> Nats {
    Nats::open(&address(server, name), process, LATE).expect("a board")
}

#[test]
fn who_waits_is_hungry() {
    let Some(server) = Server::start("") else { return };
    let (one, two) = (open(&server, "hungry", "one"), open(&server, "hungry", "two"));
    assert!(!one.is_short().expect("to look"));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| two.claim("two").expect("to look"));
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(one.hungry().expect("to look"), 1);
        one.put("a", b"bundle").expect("to put");
        assert!(waits.join().expect("no panic").is_some(), "it gets what comes");
    });
    assert!(!one.is_short().expect("to look"));
}

#[test]
fn a_server_that_is_killed_goes_on_where_it_was() {
    let Some(mut server) = Server::start("") else { return };
    let board = open(&server, "killed", "one");
    board.put("a", b"bundle").expect("to put");
    board.put("b", b"bundle").expect("to put");
    let (lease, _) = board.claim("one").expect("to look").expect("a bundle");
    for round in 0..3 {
        server.end();
        assert!(board.claim("one").expect("it may come back").is_none());
        std::thread::scope(|scope| {
            let commits = scope.spawn(|| board.commit(&format!("r{round}"), b"record"));
            std::thread::sleep(Duration::from_millis(300));
            assert!(server.wake());
            assert!(commits.join().expect("no panic").expect("to commit"), "it was the first");
        });
        assert!(!board.commit(&format!("r{round}"), b"other").expect("to commit"));
        board.beat(&lease).expect("to beat");
    }
    assert_eq!(board.records(&|_| true).expect("to read").len(), 3);
    assert_eq!(board.offers().expect("to look").len(), 2);
}

#[test]
fn a_server_that_has_forgotten_everything_is_told_again() {
    let Some(mut server) = Server::start("") else { return };
    let board = open(&server, "forgotten", "one");
    for id in ["a", "b", "c"] {
        assert!(board.commit(id, b"record").expect("to commit"));
    }
    assert_eq!(board.records(&|_| true).expect("to read").len(), 3);
    server.end();
    std::fs::remove_dir_all(server.store()).expect("to remove");
    assert!(server.wake());
    let error = board.records(&|_| true).expect_err("nothing is there");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(!board.exists("job").expect("to look"));
    board.restore().expect("to make it anew");
    assert!(board.commit("d", b"record").expect("to commit"));
    let records = board.records(&|_| true).expect("to read");
    assert_eq!(records, [("d".to_owned(), b"record".to_vec())], "of the new numbers");
    board.put("e", b"bundle").expect("to put");
    assert!(board.claim("one").expect("to look").is_some());
}

#[test]
fn what_the_server_refuses_is_said() {
    let Some(server) = Server::start("authorization { token: right }") else { return };
    let began = std::time::Instant::now();
    let error = Nats::open(&address(&server, "refused"), "one", LATE).err().expect("refused");
    assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "{error}");
    assert!(error.to_string().contains("NATS_TOKEN"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5), "at once");
    let Some(small) = Server::start("max_payload: 2048") else { return };
    let error = Nats::open(&address(&small, "small"), "one", LATE).err().expect("refused");
    assert!(error.to_string().contains("max_payload"), "{error}");
}

/// A store that is full loses nothing that is in it.
#[test]
fn a_full_store_refuses_what_is_new() {
    let Some(mut small) = Server::start_with("", "max_file_store: 262144") else { return };
    let board = open(&small, "full", "one");
    let content = vec![b'x'; 30_000];
    let mut kept = 0;
    let error = loop {
        match board.commit(&format!("r{kept}"), &content) {
            Ok(made) => assert!(made),
            Err(error) => break error,
        }
        kept += 1;
        assert!(kept < 100, "it is not full");
    };
    assert!(error.to_string().contains("the server says"), "{error}");
    assert_eq!(board.records(&|_| true).expect("to read").len(), kept);
    for number in 0..kept {
        board.forget(&format!("r{number}")).expect("to forget");
    }
    // Server 2.9.10 notices only when it starts.
    assert!(small.wake());
    assert!(board.commit("new", b"record").expect("there is room again"));
}

/// However often the server is killed, all that is offered is handed out while somebody looks after it.
#[test]
fn nothing_that_is_offered_is_stranded() {
    let Some(mut server) = Server::start("") else { return };
    let patience = Duration::from_millis(500);
    let open =
        |process| Nats::open(&address(&server, "stranded"), process, patience).expect("a board");
    let (coordinator, worker) = (open("coordinator"), open("worker"));
    let mut done = 0;
    for round in 0..4 {
        for number in 0..4 {
            coordinator.put(&format!("b{round}-{number}"), b"bundle").expect("to put");
        }
        for _ in 0..2 {
            if let Some((lease, _)) = worker.claim("worker").expect("to look") {
                worker.withdraw(&lease.id).expect("to say so");
                done += 1;
            }
        }
        server.end();
        assert!(server.wake());
    }
    assert!(done > 0, "some are done");
    let began = std::time::Instant::now();
    while !coordinator.offers().expect("to look").is_empty() {
        assert!(began.elapsed() < Duration::from_secs(40), "some are stranded");
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| worker.claim("worker").expect("to look"));
            std::thread::sleep(Duration::from_millis(50));
            coordinator.offers().expect("to look");
            if let Some((lease, _)) = waits.join().expect("no panic") {
                worker.withdraw(&lease.id).expect("to say so");
            }
        });
    }
}
