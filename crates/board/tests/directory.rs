//! The board in a directory.

use norn_board::{Board, DEATHS, Directory};
use std::time::Duration;

const SOON: Duration = Duration::from_millis(30);
const LATE: Duration = Duration::from_secs(3600);

fn board(folder: &tempfile::TempDir, name: &str, patience: Duration) -> Directory {
    Directory::open(folder.path(), name, patience).expect("a board")
}

#[test]
fn a_bundle_has_one_worker_and_one_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (board(&folder, "one", LATE), board(&folder, "two", LATE));
    assert!(one.claim("one").expect("to look").is_none());
    one.put("a", b"bundle").expect("to put");
    one.put("a", b"another").expect("to put");
    let (lease, bundle) = two.claim("two").expect("to look").expect("a bundle");
    assert_eq!((lease.id.as_str(), bundle.as_slice()), ("a", b"bundle".as_slice()));
    assert!(one.claim("one").expect("to look").is_none(), "it is taken");
    assert_eq!(one.offers().expect("to look")[0].worker.as_deref(), Some("two"));
    two.beat(&lease).expect("to beat");
    assert!(two.commit("a", b"first").expect("to commit"));
    assert!(!one.commit("a", b"second").expect("to commit"));
    two.withdraw("a").expect("to withdraw");
    assert_eq!(one.record("a").expect("to read").as_deref(), Some(b"first".as_slice()));
    assert_eq!(one.records(&|_| true).expect("to read").len(), 1);
    assert!(one.offers().expect("to look").is_empty());
    one.remove(&["orders"]).expect("to remove");
    assert!(!folder.path().exists(), "nothing is left");
}

#[test]
fn who_is_silent_loses_the_bundle_and_who_comes_back_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (board(&folder, "one", SOON), board(&folder, "two", SOON));
    one.put("a", b"bundle").expect("to put");
    let (silent, _) = one.claim("one").expect("to look").expect("a bundle");
    std::thread::sleep(4 * SOON);
    let (lease, _) = two.claim("two").expect("to look").expect("a bundle");
    assert_eq!(lease.attempt, 2);
    assert!(one.beat(&silent).is_err(), "it is somebody else's");
    two.beat(&lease).expect("to beat");
}

#[test]
fn a_bundle_that_nobody_survives_is_offered_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = board(&folder, "one", Duration::ZERO);
    one.put("a", b"bundle").expect("to put");
    for attempt in 1..=DEATHS {
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(one.claim("one").expect("to look").expect("a bundle").0.attempt, attempt);
    }
    std::thread::sleep(Duration::from_millis(20));
    assert!(one.claim("one").expect("to look").is_none());
    assert_eq!(one.offers().expect("to look")[0].attempts, DEATHS);
}

/// How many of four, side by side, are told that they were the first.
fn race(folder: &tempfile::TempDir, act: impl Fn(&Directory, &str) -> bool + Sync) -> usize {
    std::thread::scope(|scope| {
        let act = &act;
        let start = |number: usize| {
            scope.spawn(move || {
                let name = format!("w{number}");
                act(&board(folder, &name, LATE), &name)
            })
        };
        let all: Vec<_> = (0..4).map(start).collect();
        all.into_iter().map(|one| usize::from(one.join().expect("no panic"))).sum()
    })
}

/// Many claim and commit side by side.
#[test]
fn of_many_one_is_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let main = board(&folder, "main", LATE);
    for round in 0..20 {
        let id = format!("bundle{round}");
        main.put(&id, b"bundle").expect("to put");
        let claims = race(&folder, |board, name| board.claim(name).expect("to look").is_some());
        let commits =
            race(&folder, |board, name| board.commit(&id, name.as_bytes()).expect("to commit"));
        assert_eq!((claims, commits), (1, 1), "one claims and one commits");
        main.withdraw(&id).expect("to withdraw");
    }
}

#[test]
fn the_hungry_are_those_who_said_so_lately() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = board(&folder, "one", SOON);
    board.set_hungry("a", true).expect("to write");
    assert_eq!(board.hungry().expect("to look"), ["a"]);
    std::thread::sleep(4 * SOON);
    assert!(board.hungry().expect("to look").is_empty());
    board.set_hungry("a", true).expect("to write");
    board.set_hungry("a", false).expect("to write");
    assert!(board.hungry().expect("to look").is_empty());
}
