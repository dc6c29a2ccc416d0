//! One search by several processes over a NATS server, all of which are killed now and then.

use crate::board::{
    PROGRAM, Scene, Troubles, check, end, essence, faulty, is_clean, norn, refusal, run,
    searched_in_trouble, shared, violation, worker,
};
use crate::nats_server::Server;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn compare_in_trouble(seeds: std::ops::Range<u64>, options: &[&str], size: &str) -> Troubles {
    let mut troubles = Troubles::default();
    let Some(mut server) = Server::start("") else { return troubles };
    let program = Path::new(PROGRAM);
    let flags = [options, &["--", size]].concat();
    let alone = run(check(program, &flags));
    for seed in seeds {
        let board = PathBuf::from(server.address(&format!("trouble{seed}")));
        let mut disturb = || {
            server.end();
            std::thread::sleep(Duration::from_millis(300));
            assert!(server.wake());
        };
        let mut scene = Scene { board: board.clone(), disturb: Some(&mut disturb) };
        let coordinator = || shared(program, &board, &flags);
        let found = searched_in_trouble(seed, &mut scene, &coordinator, &mut troubles);
        assert_eq!(essence(&alone), essence(&found), "seed {seed}");
        assert!(is_clean(&board), "something is left of seed {seed}");
    }
    println!("{troubles:?}");
    troubles
}

#[cfg(unix)]
#[test]
fn nothing_is_lost_when_processes_or_the_server_die() {
    compare_in_trouble(0..2, &[], "-DN=5");
    compare_in_trouble(2..3, &["--model", "sc", "--bound", "6"], "-DN=5");
}

/// `cargo test -p norn --features nats -- --ignored server_dies_often`: some minutes.
#[cfg(unix)]
#[test]
#[ignore = "takes some minutes"]
fn nothing_is_lost_when_the_server_dies_often() {
    let troubles = compare_in_trouble(100..115, &[], "-DN=5");
    let enough = troubles.workers >= 50 && troubles.coordinators >= 5 && troubles.servers >= 3;
    assert!(enough, "{troubles:?}");
    compare_in_trouble(200..206, &["--model", "sc", "--bound", "6"], "-DN=5");
}

#[test]
fn the_first_violation_is_that_of_one_process() {
    let Some(server) = Server::start("") else { return };
    for name in ["assertion", "assertion_section", "data_race"] {
        let file = PathBuf::from(format!("tests/faults/{name}.c"));
        let board = PathBuf::from(server.address(name));
        let workers = [worker(&board), worker(&board)];
        let found = run(shared(&file, &board, &[]));
        workers.into_iter().for_each(end);
        let alone = run(check(&file, &["--jobs", "1"]));
        assert!(alone.0["violation"].is_object(), "{name}");
        assert_eq!(violation(&alone), violation(&found), "{name}");
        assert_eq!(alone.1, found.1, "{name}");
    }
}

/// `cargo test -p norn --features nats -- --ignored every_fault`: about an hour.
#[cfg(unix)]
#[test]
#[ignore = "takes an hour"]
fn the_first_violation_of_every_fault_is_that_of_one_process_over_a_server() {
    let Some(server) = Server::start("") else { return };
    let mut troubles = Troubles::default();
    for (file, alone) in faulty() {
        for seed in 0..20 {
            let board = PathBuf::from(server.address("fault"));
            let mut scene = Scene { board: board.clone(), disturb: None };
            let coordinator = || shared(&file, &board, &[]);
            let found = searched_in_trouble(seed, &mut scene, &coordinator, &mut troubles);
            assert_eq!(violation(&alone), violation(&found), "{} {seed}", file.display());
        }
    }
}

/// A server whose store is gone is told again what the coordinator knows.
#[test]
fn a_lost_store_loses_nothing() {
    let Some(mut server) = Server::start("") else { return };
    let program = Path::new(PROGRAM);
    let board = PathBuf::from(server.address("lost"));
    let checks = shared(program, &board, &["--", "-DN=5"]).spawn().expect("to run norn");
    let workers = [worker(&board), worker(&board)];
    for _ in 0..2 {
        std::thread::sleep(Duration::from_secs(2));
        server.end();
        let _ = std::fs::remove_dir_all(server.store());
        assert!(server.wake());
    }
    let output = checks.wait_with_output().expect("to wait");
    workers.into_iter().for_each(end);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"));
    let found = (report, output.status.code().expect("a code"));
    assert_eq!(essence(&found), essence(&run(check(program, &["--", "-DN=5"]))));
}

#[test]
fn what_is_wrong_with_a_server_is_said_in_a_sentence() {
    let program = Path::new(PROGRAM);
    let secret = refusal(shared(program, Path::new("nats://me:secret@127.0.0.1"), &[]));
    assert!(secret.contains("NATS_TOKEN") && secret.lines().count() == 1, "{secret}");
    let Some(server) = Server::start("authorization { token: right }") else { return };
    let board = PathBuf::from(server.address("token"));
    let with = |mut command: std::process::Command, token: &str| {
        command.env("NATS_TOKEN", token);
        command
    };
    let wrong = refusal(with(shared(program, &board, &[]), "wrong"));
    assert!(wrong.contains("does not let us in") && wrong.lines().count() == 1, "{wrong}");
    let mut worker = norn();
    worker.arg("worker").arg(&board);
    assert!(refusal(with(worker, "wrong")).contains("does not let us in"));
    // A search that is left there: the right token shows it, another program is refused, and it can be ended.
    let left = with(shared(program, &board, &["--timeout", "3s", "--", "-DN=5"]), "right");
    assert_eq!(run(left).1, 3);
    let other = refusal(with(shared(program, &board, &["--", "-DN=4"]), "right"));
    assert!(other.contains("the search of another program"), "{other}");
    let mut status = with(norn(), "right");
    let status = status.arg("status").arg(&board).output().expect("to run norn");
    assert!(String::from_utf8_lossy(&status.stdout).contains(PROGRAM));
    let mut cancel = with(norn(), "right");
    assert!(cancel.arg("cancel").arg(&board).status().expect("to run norn").success());
    let mut status = with(norn(), "right");
    let status = status.arg("status").arg(&board).output().expect("to run norn");
    assert!(String::from_utf8_lossy(&status.stdout).contains("there is no search"));
}

/// What docs/scale.md gives workers is enough for them, and they cannot end a search with it.
#[test]
fn a_worker_needs_no_more_than_the_documented_permissions() {
    let page = std::fs::read_to_string(crate::support::root().join("docs/scale.md"));
    let page = page.expect("the page");
    let begin = page.find("accounts-begin").expect("the configuration");
    let text = &page[begin..];
    let text = text.split("```").nth(1).expect("a block").trim_start_matches("conf");
    let text = text.replace("$COORDINATOR_PASSWORD", "one").replace("$WORKER_PASSWORD", "two");
    let text = text.replace("NAME", "allowed").replace("norn.search", "norn.allowed");
    let text = text.replace("NORN_search", "NORN_allowed");
    let Some(server) = Server::start(&text) else { return };
    let board = PathBuf::from(server.address("allowed"));
    let by = |mut command: std::process::Command, user: &str, password: &str| {
        command.env("NATS_USER", user).env("NATS_PASSWORD", password);
        command
    };
    let work = || {
        let mut command = by(norn(), "worker", "two");
        command.arg("worker").arg(&board).args(["--jobs", "1", "--wait", "20s"]);
        command.spawn().expect("to run norn")
    };
    let program = Path::new(PROGRAM);
    let checks = by(shared(program, &board, &["--", "-DN=4"]), "coordinator", "one");
    let checks = { checks }.spawn().expect("to run norn");
    let workers = [work(), work()];
    let output = checks.wait_with_output().expect("to wait");
    workers.into_iter().for_each(end);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"));
    let found = (report, output.status.code().expect("a code"));
    assert_eq!(essence(&found), essence(&run(check(program, &["--", "-DN=4"]))));
    let left =
        by(shared(program, &board, &["--timeout", "2s", "--", "-DN=5"]), "coordinator", "one");
    assert_eq!(run(left).1, 3);
    let mut cancel = by(norn(), "worker", "two");
    let cancel = refusal({
        cancel.arg("cancel").arg(&board);
        cancel
    });
    assert!(cancel.contains("ermissions"), "{cancel}");
}
