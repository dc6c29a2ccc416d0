//! What random programs may contain; each part can be left out.

use std::fmt;
use std::str::FromStr;

/// A part of the language, apart from atomic accesses, conditions, threads and joins, which are always
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Plain variables, mostly under a mutex.
    Plain,
    /// Words whose halves are accessed too.
    Halves,
    /// Arrays that are indexed by what was read.
    Arrays,
    /// Boxes that are allocated, handed over and freed.
    Boxes,
    /// Helper functions.
    Helpers,
    /// Loops that go round a number of times.
    Loops,
    /// Loops that wait for a value.
    Awaits,
    /// Such loops that keep what they see in memory that only their thread uses.
    Kept,
    /// Loops that take back what they did if they must go round once more.
    TakeBacks,
    /// Mutexes.
    Mutexes,
    /// Locks that give up.
    TryLocks,
    /// Recursive and error-checking mutexes.
    MutexKinds,
    /// The same by static initialisers.
    StaticKinds,
    /// Reader-writer locks.
    RwLocks,
    /// Condition variables.
    Conditions,
    /// Waits and locks that time out.
    Timeouts,
    /// Semaphores.
    Semaphores,
    /// Barriers.
    Barriers,
    /// The result of a barrier.
    SerialThread,
    /// `pthread_once`.
    Onces,
    /// Thread-specific values and their destructors.
    Keys,
    /// Destructors that set their value again.
    KeyRounds,
    /// Threads that are started alike.
    Alike,
    /// Threads that start threads.
    Nesting,
    /// Assertions.
    Assertions,
    /// Unlocks of what is not held, frees of what is freed, indices out of bounds.
    Mistakes,
    /// `main` returns while threads run; handlers.
    EarlyReturn,
    /// `exit` in any thread.
    Exits,
    /// `pthread_exit` in any thread.
    ThreadExits,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 29] = [
        Feature::Plain,
        Feature::Halves,
        Feature::Arrays,
        Feature::Boxes,
        Feature::Helpers,
        Feature::Loops,
        Feature::Awaits,
        Feature::Kept,
        Feature::TakeBacks,
        Feature::Mutexes,
        Feature::TryLocks,
        Feature::MutexKinds,
        Feature::StaticKinds,
        Feature::RwLocks,
        Feature::Conditions,
        Feature::Timeouts,
        Feature::Semaphores,
        Feature::Barriers,
        Feature::SerialThread,
        Feature::Onces,
        Feature::Keys,
        Feature::KeyRounds,
        Feature::Alike,
        Feature::Nesting,
        Feature::Assertions,
        Feature::Mistakes,
        Feature::EarlyReturn,
        Feature::Exits,
        Feature::ThreadExits,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Plain => "plain",
            Feature::Halves => "halves",
            Feature::Arrays => "arrays",
            Feature::Boxes => "boxes",
            Feature::Helpers => "helpers",
            Feature::Loops => "loops",
            Feature::Awaits => "awaits",
            Feature::Kept => "kept",
            Feature::TakeBacks => "take-backs",
            Feature::Mutexes => "mutexes",
            Feature::TryLocks => "try-locks",
            Feature::MutexKinds => "mutex-kinds",
            Feature::StaticKinds => "static-kinds",
            Feature::RwLocks => "rwlocks",
            Feature::Conditions => "conditions",
            Feature::Timeouts => "timeouts",
            Feature::Semaphores => "semaphores",
            Feature::Barriers => "barriers",
            Feature::SerialThread => "serial-thread",
            Feature::Onces => "onces",
            Feature::Keys => "keys",
            Feature::KeyRounds => "key-rounds",
            Feature::Alike => "alike",
            Feature::Nesting => "nesting",
            Feature::Assertions => "assertions",
            Feature::Mistakes => "mistakes",
            Feature::EarlyReturn => "early-return",
            Feature::Exits => "exits",
            Feature::ThreadExits => "thread-exits",
        }
    }

    /// A part that makes no sense without another one.
    fn needs(self) -> Option<Feature> {
        match self {
            Feature::TryLocks | Feature::MutexKinds | Feature::StaticKinds => {
                Some(Feature::Mutexes)
            }
            Feature::Conditions => Some(Feature::Mutexes),
            Feature::Kept => Some(Feature::Awaits),
            Feature::SerialThread => Some(Feature::Barriers),
            Feature::KeyRounds => Some(Feature::Keys),
            _ => None,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(text: &str) -> Result<Feature, String> {
        Feature::ALL.into_iter().find(|feature| feature.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
            format!("no feature is called `{text}`; there are {}", names.join(", "))
        })
    }
}

/// A set of features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(Vec<Feature>);

impl Features {
    /// Everything but loops that take back what they did: others may notice that in very many ways, so that searches of
    /// such programs are long. They are for programs with little else. Nor are there loops that keep what they see: under pso
    /// memory of a thread's own is as visible as any, and such loops have no end.
    pub fn all() -> Features {
        Features::all_but(&[Feature::TakeBacks, Feature::Kept])
    }

    /// These, and what they need.
    pub fn of(features: &[Feature]) -> Features {
        let mut set = features.to_vec();
        set.extend(features.iter().filter_map(|feature| feature.needs()));
        set.sort_unstable();
        set.dedup();
        Features(set)
    }

    /// Everything but these and what needs them.
    pub fn all_but(left_out: &[Feature]) -> Features {
        let stays = |feature: &Feature| {
            let needs = feature.needs();
            !left_out.contains(feature) && !needs.is_some_and(|needed| left_out.contains(&needed))
        };
        Features(Feature::ALL.into_iter().filter(stays).collect())
    }

    /// Whether a feature is in the set.
    pub fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }

    /// All in the set.
    pub fn list(&self) -> &[Feature] {
        &self.0
    }
}
