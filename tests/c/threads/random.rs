//! Random programs of two or three threads, as texts and as lists of steps, one access to memory each.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::decided;
use crate::support::c::{asked, number};
use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_c::Property;

/// The variables that all threads share; behind them, a lock.
const SHARED: [&str; 3] = ["x", "y", "z"];
const LOCK: usize = 3;

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
    Lock,
    Unlock,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: [i8; 4],
    /// For each thread where it is, and what it has read.
    threads: Vec<(usize, i8)>,
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
                    self.steps.push(Step::Lock);
                    let _ = write!(self.text, "if ({x} == {number}) {{ ");
                    self.statements(random, 1, true);
                    self.text.push_str("} ");
                    let skips = self.steps.len() - branch;
                    self.steps[branch] = Step::Unless { is: number, skips };
                }
                _ => {
                    self.steps.push(Step::Lock);
                    self.text.push_str("pthread_mutex_lock(&m); ");
                    self.statements(random, 2, true);
                    self.steps.push(Step::Unlock);
                    self.text.push_str("pthread_mutex_unlock(&m); ");
                }
            }
        }
    }
}

/// The values in memory when all threads have ended, over all orders.
fn ends(threads: &[Thread]) -> HashSet<[i8; 4]> {
    let start = State { memory: [0; 4], threads: vec![(0, 0); threads.len()] };
    let (mut seen, mut open) = (HashSet::from([start.clone()]), vec![start]);
    let mut found = HashSet::new();
    while let Some(state) = open.pop() {
        let is_over = |(i, thread): (usize, &Thread)| state.threads[i].0 == thread.steps.len();
        if threads.iter().enumerate().all(is_over) {
            found.insert(state.memory);
        }
        for (i, thread) in threads.iter().enumerate() {
            let mut next = state.clone();
            let (at, read) = &mut next.threads[i];
            let Some(step) = thread.steps.get(*at) else { continue };
            *at += 1;
            match *step {
                Step::Read { variable } => *read = next.memory[variable],
                Step::Write { variable, plus } => next.memory[variable] = *read + plus,
                Step::Set { variable, to } => next.memory[variable] = to,
                Step::Unless { is, .. } if *read == is => {}
                Step::Unless { skips, .. } => *at += skips - 1,
                Step::Add { variable, by } => next.memory[variable] += by,
                Step::Copy { from, to } => next.memory[to] = next.memory[from],
                Step::Lock if next.memory[LOCK] == 1 => continue,
                Step::Lock => next.memory[LOCK] = 1,
                Step::Unlock => next.memory[LOCK] = 0,
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

fn text(threads: &[Thread], [x, y, z]: [i8; 3]) -> String {
    let mut text = "typedef unsigned long pthread_t; typedef union { struct { int l; unsigned c; int o; unsigned u; int k; } d; char s[40]; long a; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void);
int x, y, z; pthread_mutex_t m;\n"
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

/// Whether some order ends with certain values: those of one that does, or others near them.
#[test]
fn random_programs() {
    let mut random = Random::new(number("HARDBOP_FUZZ_SEED", 5601) as u64);
    let (mut reached, mut missed) = (0, 0);
    for _ in 0..number("HARDBOP_FUZZ", 12) {
        let count = 2 + usize::from(random.below(4) == 0);
        let mut threads: Vec<Thread> = (0..count).map(|_| Thread::default()).collect();
        for thread in &mut threads {
            let statements = 1 + random.below(if count == 2 { 3 } else { 2 });
            thread.statements(&mut random, statements, false);
        }
        let ends = ends(&threads);
        let mut sorted: Vec<[i8; 4]> = ends.iter().copied().collect();
        sorted.sort_unstable();
        let mut values = sorted[random.below(sorted.len())];
        if random.below(2) == 0 {
            values[random.below(3)] += 1;
        }
        let is_reached = ends.iter().any(|end| end[..3] == values[..3]);
        *(if is_reached { &mut reached } else { &mut missed }) += 1;
        let text = text(&threads, [values[0], values[1], values[2]]);
        let expected = if is_reached { "UNSAFE" } else { "SAFE" };
        // What else is asked for changes nothing.
        let checks = [Checks::default(), Checks::of(&[Check::Bounds])][random.below(2)];
        let (found, why) = decided(&asked(&text, Property { checks, ..Property::default() }));
        assert_eq!(found, expected, "{why}\n{text}");
    }
    assert!(reached > 0 && missed > 0, "{reached} reached, {missed} missed");
}
