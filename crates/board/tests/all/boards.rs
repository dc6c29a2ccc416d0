//! What every board promises.

use norn_board::{Board, DEATHS, Directory};
use std::time::Duration;

const SOON: Duration = Duration::from_millis(60);
const LATE: Duration = Duration::from_secs(3600);

/// Where boards are: each has a name, and several processes may open the same.
trait Place: Sync {
    fn open(&self, board: &str, process: &str, patience: Duration) -> Box<dyn Board>;
}

impl Place for tempfile::TempDir {
    fn open(&self, board: &str, process: &str, patience: Duration) -> Box<dyn Board> {
        let path = self.path().join(board);
        Box::new(Directory::open(&path, process, patience).expect("a board"))
    }
}

#[cfg(feature = "nats")]
impl Place for crate::server::Server {
    fn open(&self, board: &str, process: &str, patience: Duration) -> Box<dyn Board> {
        let address = norn_board::Address::parse(&self.address(board)).expect("an address");
        Box::new(norn_board::Nats::open(&address, process, patience).expect("a board"))
    }
}

/// A test of a place where boards are.
type Test = fn(&dyn Place);

const TESTS: [(&str, Test); 8] = [
    ("a bundle has one worker and one record", a_bundle_has_one_worker_and_one_record),
    ("who is silent loses the bundle", who_is_silent_loses_the_bundle_and_who_comes_back_is_told),
    ("nobody survives", a_bundle_that_nobody_survives_is_offered_no_more),
    ("of many one is first", of_many_one_is_first),
    ("names have contents", names_have_contents),
    ("what is long", what_is_long_comes_back_whole),
    ("records come in time", records_come_when_they_are_wanted),
    ("done bundles", what_is_done_is_not_handed_out),
];

fn test(place: &dyn Place) {
    for (name, test) in TESTS {
        println!("{name}");
        test(place);
    }
}

#[test]
fn a_directory_keeps_its_promises() {
    test(&tempfile::tempdir().expect("a folder"));
}

#[cfg(feature = "nats")]
#[test]
fn a_server_keeps_its_promises() {
    if let Some(server) = crate::server::Server::start("max_payload: 16384") {
        test(&server);
    }
}

fn a_bundle_has_one_worker_and_one_record(place: &dyn Place) {
    let open = |name| place.open("one-worker", name, LATE);
    let (one, two) = (open("one"), open("two"));
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
    assert!(!one.exists("orders").expect("to look"), "nothing is left");
    assert!(one.offers().is_err(), "nothing is left");
}

fn who_is_silent_loses_the_bundle_and_who_comes_back_is_told(place: &dyn Place) {
    let open = |name| place.open("silent", name, SOON);
    let (one, two) = (open("one"), open("two"));
    one.put("a", b"bundle").expect("to put");
    let (silent, _) = one.claim("one").expect("to look").expect("a bundle");
    std::thread::sleep(4 * SOON);
    let (lease, _) = two.claim("two").expect("to look").expect("a bundle");
    assert_eq!(lease.attempt, 2);
    assert!(one.beat(&silent).is_err(), "it is somebody else's");
    two.beat(&lease).expect("to beat");
}

fn a_bundle_that_nobody_survives_is_offered_no_more(place: &dyn Place) {
    let one = place.open("deadly", "one", Duration::ZERO);
    one.put("a", b"bundle").expect("to put");
    for attempt in 1..=DEATHS {
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(one.claim("one").expect("to look").expect("a bundle").0.attempt, attempt);
    }
    std::thread::sleep(Duration::from_millis(20));
    assert!(one.claim("one").expect("to look").is_none());
    assert_eq!(one.offers().expect("to look")[0].attempts, DEATHS);
    one.withdraw("a").expect("to withdraw");
}

/// How many of four, side by side, are told that they were the first.
fn race(place: &dyn Place, act: impl Fn(&dyn Board, &str) -> bool + Sync) -> usize {
    std::thread::scope(|scope| {
        let act = &act;
        let start = |number: usize| {
            scope.spawn(move || {
                let name = format!("w{number}");
                act(place.open("race", &name, LATE).as_ref(), &name)
            })
        };
        let all: Vec<_> = (0..4).map(start).collect();
        all.into_iter().map(|one| usize::from(one.join().expect("no panic"))).sum()
    })
}

/// Many claim and commit side by side.
fn of_many_one_is_first(place: &dyn Place) {
    let main = place.open("race", "main", LATE);
    for round in 0..6 {
        let id = format!("bundle{round}");
        main.put(&id, b"bundle").expect("to put");
        let claims = race(place, |board, name| board.claim(name).expect("to look").is_some());
        let commits =
            race(place, |board, name| board.commit(&id, name.as_bytes()).expect("to commit"));
        assert_eq!((claims, commits), (1, 1), "one claims and one commits");
        main.withdraw(&id).expect("to withdraw");
    }
}

fn names_have_contents(place: &dyn Place) {
    let board = place.open("names", "one", LATE);
    assert_eq!(board.read("job.0").expect("to look"), None);
    assert!(board.create("job.0", b"first").expect("to write"));
    assert!(!board.create("job.0", b"second").expect("to write"));
    assert_eq!(board.read("job.0").expect("to look").as_deref(), Some(b"first".as_slice()));
    board.replace("job.0", b"third").expect("to write");
    assert_eq!(board.read("job.0").expect("to look").as_deref(), Some(b"third".as_slice()));
    // A file's time may be some milliseconds old already when it is written.
    std::thread::sleep(2 * SOON);
    let age = board.age("job.0").expect("to look").expect("it is there");
    assert!(age >= SOON && age < 100 * SOON, "{age:?}");
    board.discard("job.0").expect("to remove");
    assert!(!board.exists("job.0").expect("to look"));
    assert_eq!(board.age("job.0").expect("to look"), None);
}

/// Longer than a message, where a board has messages.
fn what_is_long_comes_back_whole(place: &dyn Place) {
    let board = place.open("long", "one", LATE);
    let long: Vec<u8> =
        (0..100_000_u32).map(|number| (number.wrapping_mul(number) >> 7) as u8).collect();
    let longer = [long.as_slice(), b"and more"].concat();
    board.replace("fold", &long).expect("to write");
    assert_eq!(board.read("fold").expect("to read").as_deref(), Some(long.as_slice()));
    board.replace("fold", &longer).expect("to write");
    assert_eq!(board.read("fold").expect("to read").as_deref(), Some(longer.as_slice()));
    board.put("a", &long).expect("to put");
    let (lease, bundle) = board.claim("one").expect("to look").expect("a bundle");
    assert_eq!(bundle, long);
    assert!(board.commit(&lease.id, &longer).expect("to commit"));
    assert!(!board.commit(&lease.id, &long).expect("to commit"));
    let records = board.records(&|_| true).expect("to read");
    assert_eq!(records, [("a".to_owned(), longer)]);
    board.withdraw("a").expect("to withdraw");
    board.forget("a").expect("to forget");
    assert_eq!(board.record("a").expect("to read"), None);
}

fn records_come_when_they_are_wanted(place: &dyn Place) {
    let open = |name| place.open("wanted", name, LATE);
    let (one, two) = (open("one"), open("two"));
    for id in ["c.1", "b", "a"] {
        assert!(two.commit(id, id.as_bytes()).expect("to commit"));
    }
    let ids = |wanted: &[&str]| {
        let found = one.records(&|id| wanted.contains(&id)).expect("to read");
        let mut ids: Vec<_> = found.into_iter().map(|(id, _)| id).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&["b"]), ["b"]);
    assert_eq!(ids(&["a", "c.1"]), ["a", "c.1"]);
    one.forget("a").expect("to forget");
    assert_eq!(ids(&["a", "c.1", "d"]), ["c.1"]);
    assert!(two.commit("d", b"d").expect("to commit"));
    assert_eq!(ids(&["a", "d"]), ["d"]);
}

fn what_is_done_is_not_handed_out(place: &dyn Place) {
    let open = |name| place.open("done", name, SOON);
    let (one, two) = (open("one"), open("two"));
    one.put("a", b"bundle").expect("to put");
    let (lease, _) = two.claim("two").expect("to look").expect("a bundle");
    assert!(two.commit(&lease.id, b"record").expect("to commit"));
    // It dies before it says that the bundle is done.
    drop(two);
    std::thread::sleep(4 * SOON);
    assert!(one.claim("one").expect("to look").is_none());
    assert_eq!(one.records(&|_| true).expect("to read").len(), 1);
}

#[test]
fn the_hungry_are_those_who_said_so_lately() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = folder.open("hungry", "one", SOON);
    board.set_hungry("a", true).expect("to write");
    assert_eq!(board.hungry().expect("to look"), 1);
    assert!(board.is_short().expect("to look"));
    board.put("a", b"bundle").expect("to put");
    assert!(!board.is_short().expect("to look"), "something is there");
    std::thread::sleep(4 * SOON);
    assert_eq!(board.hungry().expect("to look"), 0);
    board.set_hungry("a", true).expect("to write");
    board.set_hungry("a", false).expect("to write");
    assert_eq!(board.hungry().expect("to look"), 0);
}

/// The clock of a server may be set back.
#[test]
fn a_claim_in_the_future_is_an_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = folder.open("future", "one", SOON);
    board.put("a", b"bundle").expect("to put");
    assert!(board.claim("one").expect("to look").is_some());
    board.replace("coordinator", b"one").expect("to write");
    for name in ["lease/a.1", "coordinator"] {
        let file = folder.path().join("future").join(name);
        let file = std::fs::OpenOptions::new().write(true).open(file).expect("it is there");
        let later = std::time::SystemTime::now() + LATE;
        file.set_modified(later).expect("to set the time");
    }
    assert_eq!(board.claim("two").expect("to look").expect("it is free").0.attempt, 2);
    assert!(board.age("coordinator").expect("to look").expect("it is there") > SOON);
}
