//! Random programs of two or three threads, as texts and as lists of steps, one access to memory each.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::decided;
use crate::support::c::{asked, number};
use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_c::Property;

/// The variables that all threads share; behind them, two locks.
const SHARED: [&str; 3] = ["x", "y", "z"];
const LOCKS: [&str; 2] = ["m", "n"];

/// What one thread does at once.
#[derive(Clone, Copy)]
enum Step {
    Read {
        variable: usize,
    },
    /// The value that was read last, and a number.
    Write {
        variable: usize,
        plus: i8,
    },
    Set {
        variable: usize,
        to: i8,
    },
    /// Goes so many steps on, where what was read is not this number; that is nothing others can tell.
    Unless {
        is: i8,
        skips: usize,
    },
    Add {
        variable: usize,
        by: i8,
    },
    /// A read and a write to another variable without anything between.
    Copy {
        from: usize,
        to: usize,
    },
    Lock(usize),
    Unlock(usize),
}

impl Step {
    /// The variables that it accesses, whether it writes, and whether it is atomic.
    fn accesses(self) -> Vec<(usize, bool, bool)> {
        match self {
            Self::Read { variable } => vec![(variable, false, false)],
            Self::Write { variable, .. } | Self::Set { variable, .. } => {
                vec![(variable, true, false)]
            }
            Self::Add { variable, .. } => vec![(variable, true, true)],
            Self::Copy { from, to } => vec![(from, false, true), (to, true, true)],
            Self::Unless { .. } | Self::Lock(_) | Self::Unlock(_) => vec![],
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: [i8; 5],
    /// For each thread where it is, and what it has read.
    threads: Vec<(usize, i8)>,
}

impl State {
    /// The state behind a step of a thread, if that has not to wait.
    fn after(&self, thread: usize, step: Step) -> Option<Self> {
        let mut next = self.clone();
        let (at, read) = &mut next.threads[thread];
        *at += 1;
        match step {
            Step::Read { variable } => *read = next.memory[variable],
            Step::Write { variable, plus } => next.memory[variable] = *read + plus,
            Step::Set { variable, to } => next.memory[variable] = to,
            Step::Unless { is, .. } if *read == is => {}
            Step::Unless { skips, .. } => *at += skips - 1,
            Step::Add { variable, by } => next.memory[variable] += by,
            Step::Copy { from, to } => next.memory[to] = next.memory[from],
            Step::Lock(lock) if next.memory[3 + lock] == 1 => return None,
            Step::Lock(lock) => next.memory[3 + lock] = 1,
            Step::Unlock(lock) => next.memory[3 + lock] = 0,
        }
        Some(next)
    }
}

/// A thread as steps and as the statements of a function.
#[derive(Default)]
struct Thread {
    steps: Vec<Step>,
    text: String,
}

impl Thread {
    /// Adds statements; those under a lock or a condition have no others of that kind in them.
    fn statements(&mut self, random: &mut Random, count: usize, is_inner: bool) {
        for _ in 0..count {
            let [a, b] = [random.below(3), random.below(3)];
            let number = random.below(3) as i8;
            let (x, y) = (SHARED[a], SHARED[b]);
            match random.below(if is_inner { 5 } else { 9 }) {
                0 => {
                    self.steps.push(Step::Set { variable: a, to: number });
                    let _ = write!(self.text, "{x} = {number}; ");
                }
                1 => {
                    self.steps.extend([
                        Step::Read { variable: b },
                        Step::Write { variable: a, plus: number },
                    ]);
                    let _ = write!(self.text, "{x} = {y} + {number}; ");
                }
                2 => {
                    self.steps
                        .extend([Step::Read { variable: a }, Step::Write { variable: a, plus: 1 }]);
                    let _ = write!(self.text, "{x}++; ");
                }
                3 => {
                    self.steps
                        .extend([Step::Read { variable: b }, Step::Write { variable: a, plus: 1 }]);
                    let _ = write!(self.text, "{{ int l = {y}; int m = l + 1; {x} = m; }} ");
                }
                4 => {
                    self.steps.push(Step::Add { variable: a, by: number });
                    let _ = write!(self.text, "__sync_fetch_and_add(&{x}, {number}); ");
                }
                5 => {
                    self.steps.push(Step::Copy { from: b, to: a });
                    let _ = write!(
                        self.text,
                        "__VERIFIER_atomic_begin(); {x} = {y}; __VERIFIER_atomic_end(); "
                    );
                }
                6 | 7 => {
                    self.steps.push(Step::Read { variable: a });
                    let branch = self.steps.len();
                    self.steps.push(Step::Lock(0));
                    let _ = write!(self.text, "if ({x} == {number}) {{ ");
                    self.statements(random, 1, true);
                    self.text.push_str("} ");
                    let skips = self.steps.len() - branch;
                    self.steps[branch] = Step::Unless { is: number, skips };
                }
                _ => {
                    self.locked(random);
                }
            }
        }
    }

    /// Adds statements under one lock or both, in any order.
    fn locked(&mut self, random: &mut Random) {
        let (first, count) = (random.below(3) / 2, 1 + random.below(2));
        let locks = &[first, 1 - first][..count];
        for &lock in locks {
            self.steps.push(Step::Lock(lock));
            let _ = write!(self.text, "pthread_mutex_lock(&{}); ", LOCKS[lock]);
        }
        self.statements(random, 2, true);
        for &lock in locks {
            self.steps.push(Step::Unlock(lock));
            let _ = write!(self.text, "pthread_mutex_unlock(&{}); ", LOCKS[lock]);
        }
    }
}

/// What there is over all orders.
#[derive(Default)]
struct Orders {
    /// The values in memory when all threads have ended.
    ends: HashSet<[i8; 5]>,
    /// Whether accesses of two threads, of which one writes and one is not atomic, may be next at once.
    races: bool,
    /// Whether no thread can go on, and not all have ended.
    stops: bool,
}

fn orders(threads: &[Thread]) -> Orders {
    let start = State { memory: [0; 5], threads: vec![(0, 0); threads.len()] };
    let (mut seen, mut open) = (HashSet::from([start.clone()]), vec![start]);
    let mut found = Orders::default();
    while let Some(state) = open.pop() {
        let is_over = |(i, thread): (usize, &Thread)| state.threads[i].0 == thread.steps.len();
        let are_over = threads.iter().enumerate().all(is_over);
        if are_over {
            found.ends.insert(state.memory);
        }
        let next = |i: usize| threads[i].steps.get(state.threads[i].0).map(|step| step.accesses());
        let meet = |a: &(usize, bool, bool), b: &(usize, bool, bool)| {
            a.0 == b.0 && (a.1 || b.1) && !(a.2 && b.2)
        };
        for (i, j) in (0..threads.len()).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let [a, b] = [next(i), next(j)].map(Option::unwrap_or_default);
            found.races |= a.iter().any(|a| b.iter().any(|b| meet(a, b)));
        }
        let mut goes_on = false;
        for (i, thread) in threads.iter().enumerate() {
            let Some(&step) = thread.steps.get(state.threads[i].0) else { continue };
            let Some(next) = state.after(i, step) else { continue };
            goes_on = true;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        found.stops |= !goes_on && !are_over;
    }
    found
}

fn text(threads: &[Thread], [x, y, z]: [i8; 3]) -> String {
    let mut text = "typedef unsigned long pthread_t; typedef union { struct { int l; unsigned c; int o; unsigned u; int k; } d; char s[40]; long a; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void);
int x, y, z; pthread_mutex_t m, n;\n"
        .to_owned();
    for (i, thread) in threads.iter().enumerate() {
        let _ = writeln!(
            text,
            "void *f{i}(void *unused) {{ {}{} }}",
            thread.text,
            ["return 0;", ""][i % 2]
        );
    }
    text.push_str("int main(void) { pthread_t t[3]; ");
    for i in 0..threads.len() {
        let _ = write!(text, "pthread_create(&t[{i}], 0, f{i}, 0); ");
    }
    for i in 0..threads.len() {
        let _ = write!(text, "pthread_join(t[{i}], 0); ");
    }
    let _ = write!(text, "if (x == {x} && y == {y} && z == {z}) reach_error(); return 0; }}");
    text
}

/// Threads of which so many statements of four are under locks, besides those that happen to be.
fn random_threads(random: &mut Random, locked: usize) -> Vec<Thread> {
    let count = 2 + usize::from(random.below(4) == 0);
    let mut threads: Vec<Thread> = (0..count).map(|_| Thread::default()).collect();
    for thread in &mut threads {
        for _ in 0..1 + random.below(if count == 2 { 3 } else { 2 }) {
            match random.below(4) < locked {
                true => thread.locked(random),
                false => thread.statements(random, 1, false),
            }
        }
    }
    threads
}

fn seeded() -> Random {
    Random::new(number("HARDBOP_FUZZ_SEED", 5601) as u64)
}

/// Values of the shared variables: those of an end, or others near them; and whether they are those of an end.
fn asked_for(random: &mut Random, ends: &HashSet<[i8; 5]>) -> Option<([i8; 3], bool)> {
    let mut sorted: Vec<[i8; 5]> = ends.iter().copied().collect();
    sorted.sort_unstable();
    let [x, y, z, ..] = *sorted.get(random.below(sorted.len().max(1)))?;
    let mut values = [x, y, z];
    if random.below(2) == 0 {
        values[random.below(3)] += 1;
    }
    let is_reached = ends.iter().any(|end| end[..3] == values);
    Some((values, is_reached))
}

/// Whether some order ends with certain values: those of one that does, or others near them.
#[test]
fn random_programs() {
    let mut random = seeded();
    let (mut reached, mut missed, mut open) = (0, 0, 0);
    for _ in 0..number("HARDBOP_FUZZ", 12) {
        let threads = random_threads(&mut random, 0);
        let ends = orders(&threads).ends;
        let Some((values, is_reached)) = asked_for(&mut random, &ends) else { continue };
        *(if is_reached { &mut reached } else { &mut missed }) += 1;
        let text = text(&threads, values);
        // What else is asked for changes nothing.
        let checks = [Checks::default(), Checks::of(&[Check::Bounds])][random.below(2)];
        open += usize::from(!is_decided(&text, checks, is_reached));
    }
    assert!(reached > 0 && missed > 0, "{reached} reached, {missed} missed");
    assert!(open * 50 <= reached + missed, "{open} are open");
}

/// Whether a program is decided; never wrongly.
fn is_decided(text: &str, checks: Checks, is_reached: bool) -> bool {
    let expected = if is_reached { "UNSAFE" } else { "SAFE" };
    let (found, why) = decided(&asked(text, Property { checks, ..Property::default() }));
    assert!([expected, "UNKNOWN"].contains(&found), "{found} {checks:?} {why}\n{text}");
    found == expected
}

/// Whether threads race, and whether they may all wait for each other.
#[test]
fn random_races_and_deadlocks() {
    let mut random = seeded();
    let (mut found, mut open) = ([0; 4], 0);
    for _ in 0..number("HARDBOP_FUZZ", 24) {
        let threads = random_threads(&mut random, 3);
        let Orders { races, stops, .. } = orders(&threads);
        let text = text(&threads, [100; 3]);
        let (check, is_reached) = [(Check::Race, races), (Check::Deadlock, stops)][random.below(2)];
        open += usize::from(!is_decided(&text, Checks::of(&[check]), is_reached));
        found[2 * usize::from(check == Check::Race) + usize::from(is_reached)] += 1;
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
    assert!(open * 50 <= found.iter().sum(), "{open} are open");
}

/// A handler that gives variables numbers or values of others, so that memory has finitely many states.
fn random_handler(random: &mut Random) -> Thread {
    let mut handler = Thread::default();
    for _ in 0..1 + random.below(3) {
        let [a, b] = [random.below(3), random.below(3)];
        if random.below(2) == 0 {
            let to = random.below(3) as i8;
            handler.steps.push(Step::Set { variable: a, to });
            let _ = write!(handler.text, "{} = {to}; ", SHARED[a]);
        } else {
            handler.steps.push(Step::Copy { from: b, to: a });
            let _ = write!(handler.text, "{} = {}; ", SHARED[a], SHARED[b]);
        }
    }
    handler
}

/// The values in memory when `main` has ended, where a handler may run as a whole between any two of its steps.
fn interrupted(main: &Thread, handler: &Thread) -> HashSet<[i8; 5]> {
    let start = State { memory: [0; 5], threads: vec![(0, 0)] };
    let (mut seen, mut open) = (HashSet::from([start.clone()]), vec![start]);
    let mut ends = HashSet::new();
    while let Some(state) = open.pop() {
        if state.threads[0].0 == main.steps.len() {
            ends.insert(state.memory);
        }
        let mut by_signal = state.clone();
        for &step in &handler.steps {
            let State { memory, .. } = by_signal.after(0, step).expect("handlers have no locks");
            by_signal.memory = memory;
        }
        let next = main.steps.get(state.threads[0].0).and_then(|&step| state.after(0, step));
        for next in next.into_iter().chain([by_signal]) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    ends
}

/// Whether some execution in which a signal comes between the steps of `main` ends with certain values.
#[test]
fn random_signals() {
    let mut random = seeded();
    let (mut reached, mut missed, mut open) = (0, 0, 0);
    for _ in 0..number("HARDBOP_FUZZ", 12) {
        let mut main = Thread::default();
        let is_plain =
            |step: &Step| !matches!(step, Step::Copy { .. } | Step::Lock(_) | Step::Unlock(_));
        while main.steps.is_empty() || !main.steps.iter().all(is_plain) {
            main = Thread::default();
            main.statements(&mut random, 3, false);
        }
        let handler = random_handler(&mut random);
        let ends = interrupted(&main, &handler);
        let Some((values, is_reached)) = asked_for(&mut random, &ends) else { continue };
        *(if is_reached { &mut reached } else { &mut missed }) += 1;
        let [x, y, z] = values;
        // The signals are blocked when the values are looked at.
        let text = format!(
            "void (*signal(int, void (*)(int)))(int); int sigprocmask(int, const unsigned long *, unsigned long *);
            int sigfillset(unsigned long *); void reach_error(void);
            int x, y, z; unsigned long set[16];
            void handler(int number) {{ {} }}
            int main(void) {{ sigfillset(set); signal(2, handler); {}
            sigprocmask(0, set, 0); if (x == {x} && y == {y} && z == {z}) reach_error(); return 0; }}",
            handler.text, main.text
        );
        open += usize::from(!is_decided(&text, Checks::default(), is_reached));
    }
    assert!(reached > 0 && missed > 0, "{reached} reached, {missed} missed");
    assert!(open * 50 <= reached + missed, "{open} are open");
}
