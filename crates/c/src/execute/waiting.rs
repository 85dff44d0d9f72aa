//! Locks, semaphores and barriers of a program with one thread: what waits for another one never returns.

use rustc_hash::FxHashMap;

/// Who has a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The one who may write; of locks of other kinds, the only one.
    Alone,
    /// So many who read.
    Shared(u64),
}

/// What is known of the objects at addresses.  Calls whose results are used are not followed: they may fail.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    locks: FxHashMap<u64, Held>,
    semaphores: FxHashMap<u64, u64>,
    /// How many a barrier waits for, and how many have come.
    barriers: FxHashMap<u64, (u64, u64)>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.locks.is_empty() && self.semaphores.is_empty() && self.barriers.is_empty()
    }

    /// Takes in a call with these arguments; false if it never returns.
    pub(super) fn returns(&mut self, name: &str, [object, second, third]: [u64; 3]) -> bool {
        let own = name.strip_prefix("pthread_");
        let own =
            own.or_else(|| Some(name).filter(|n| n.starts_with("sem_") || n.starts_with("mtx_")));
        let Some((family, what)) = own.and_then(|own| own.split_once('_')) else { return true };
        match (family, what) {
            ("mutex" | "spin" | "rwlock" | "mtx", "init" | "destroy") => {
                self.locks.remove(&object);
            }
            ("mutex" | "spin" | "mtx", "lock") | ("rwlock", "wrlock") => {
                return self.locks.insert(object, Held::Alone).is_none();
            }
            ("mutex" | "spin" | "mtx", "trylock" | "timedlock")
            | ("rwlock", "trywrlock" | "timedwrlock") => {
                self.locks.entry(object).or_insert(Held::Alone);
            }
            ("rwlock", "rdlock" | "tryrdlock" | "timedrdlock") => {
                match self.locks.entry(object).or_insert(Held::Shared(0)) {
                    Held::Alone => return what != "rdlock",
                    Held::Shared(readers) => *readers += 1,
                }
            }
            ("mutex" | "spin" | "rwlock" | "mtx", "unlock") => match self.locks.get_mut(&object) {
                Some(Held::Shared(readers)) if *readers > 1 => *readers -= 1,
                _ => drop(self.locks.remove(&object)),
            },
            // Other processes may have a shared one.
            ("sem", "init") if second == 0 => drop(self.semaphores.insert(object, third)),
            ("sem", "init" | "destroy") => drop(self.semaphores.remove(&object)),
            ("sem", "post") => {
                self.semaphores.entry(object).and_modify(|count| *count = count.saturating_add(1));
            }
            ("sem", "wait" | "trywait" | "timedwait") => match self.semaphores.get_mut(&object) {
                Some(0) => return what != "wait",
                Some(count) => *count -= 1,
                None => {}
            },
            ("barrier", "init") => drop(self.barriers.insert(object, (third, 0))),
            ("barrier", "destroy") => drop(self.barriers.remove(&object)),
            ("barrier", "wait") => {
                if let Some((all, come)) = self.barriers.get_mut(&object) {
                    *come += 1;
                    if *come < *all {
                        return false;
                    }
                    *come = 0;
                }
            }
            _ => {}
        }
        true
    }
}
