//! Splits one task into several runs: as it was asked, by other ways to the same verdict, and for
//! the properties of the program one by one.
//!
//! The first answer counts.  Which answer that is does not depend on what was the first, as all of
//! them are true: two that contradict each other are an error in hardbop, and the result says so.

use crate::results::Finished;
use hardbop_report::document::{Reason, Verdict};

/// A run: a task, and which part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    pub task: usize,
    pub part: usize,
}

/// The share of the question that a part answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// The question itself.
    Whole,
    /// The question for some of the properties: an error is one of the task, and all proofs
    /// together are one.
    Properties,
}

/// A part of a task.
#[derive(Debug, Clone)]
pub struct Part {
    pub name: String,
    /// The options of `check`, in place of those of the task.
    pub options: Vec<String>,
    pub share: Share,
    /// Does it begin with what other runs have learned, and is that kept of it?
    pub learns: bool,
    /// Is a certificate kept of it?
    pub certifies: bool,
}

/// How far a part is.
#[derive(Debug, Clone, PartialEq)]
enum State {
    Waits,
    Runs,
    /// Nobody waits for its result any more.
    Cancelled,
    Ended(Finished),
}

/// The parts of a task, of which the first one is the task as it was asked.
#[derive(Debug)]
pub struct Split {
    parts: Vec<Part>,
    states: Vec<State>,
}

/// The state of a task by the results so far.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Parts that have not ended may still decide.
    Open,
    /// The result, and the part whose files belong to it, where it is only one.
    Settled(Box<Finished>, Option<usize>),
}

impl Split {
    /// A task that is not split yet.
    #[must_use]
    pub fn new(whole: Part) -> Self {
        Self { parts: vec![whole], states: vec![State::Waits] }
    }

    /// Adds further parts.
    pub fn add(&mut self, parts: Vec<Part>) {
        self.states.extend(parts.iter().map(|_| State::Waits));
        self.parts.extend(parts);
    }

    #[must_use]
    pub fn part(&self, part: usize) -> &Part {
        &self.parts[part]
    }

    /// All parts, with their numbers.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate()
    }

    /// The first part that waits.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        self.states.iter().position(|state| *state == State::Waits)
    }

    pub fn start(&mut self, part: usize) {
        self.states[part] = State::Runs;
    }

    /// A part has ended; its run may have been started by an earlier campaign.
    pub fn end(&mut self, part: usize, result: Finished) {
        self.states[part] = State::Ended(result);
    }

    /// A part is not waited for any more.
    pub fn cancel(&mut self, part: usize) {
        self.states[part] = State::Cancelled;
    }

    /// The parts that run.
    #[must_use]
    pub fn running(&self) -> Vec<usize> {
        (0..self.parts.len()).filter(|&i| self.states[i] == State::Runs).collect()
    }

    /// How the task as it was asked has ended, where it has.
    #[must_use]
    pub fn whole(&self) -> Option<&Finished> {
        self.ended(0)
    }

    fn ended(&self, part: usize) -> Option<&Finished> {
        match &self.states[part] {
            State::Ended(result) => Some(result),
            _ => None,
        }
    }

    /// The state of the task by the results so far.
    #[must_use]
    pub fn standing(&self) -> Standing {
        if let Some(bad) = self.whole().filter(|r| has_code(r, "bad-input")) {
            return Standing::Settled(Box::new(bad.clone()), Some(0));
        }
        match (self.says(Verdict::Safe), self.says(Verdict::Unsafe)) {
            (Some(safe), Some(error)) => {
                let names = [&safe, &error].map(|parts| self.names(parts));
                let message = format!(
                    "the parts of the task disagree: SAFE by {}, UNSAFE by {}",
                    names[0], names[1]
                );
                let result = self.sum(&[safe, error].concat(), Verdict::Unknown);
                let reason = Some(Reason::new("internal", &message));
                Standing::Settled(Box::new(Finished { reason, ..result }), None)
            }
            (Some(parts), None) => self.settled(&parts, Verdict::Safe),
            (None, Some(parts)) => self.settled(&parts, Verdict::Unsafe),
            (None, None) if self.states.iter().all(|s| matches!(s, State::Ended(_))) => {
                self.undecided()
            }
            (None, None) => Standing::Open,
        }
    }

    /// The parts that say so of the task.
    fn says(&self, verdict: Verdict) -> Option<Vec<usize>> {
        let is_so = |i: usize| self.ended(i).is_some_and(|r| r.verdict == verdict);
        let of = |share| move |&i: &usize| self.parts[i].share == share;
        let all = || 0..self.parts.len();
        if let Some(one) = all().filter(of(Share::Whole)).find(|&i| is_so(i)) {
            return Some(vec![one]);
        }
        let properties: Vec<usize> = all().filter(of(Share::Properties)).collect();
        match verdict {
            Verdict::Unsafe => properties.into_iter().find(|&i| is_so(i)).map(|one| vec![one]),
            _ if properties.is_empty() => None,
            _ => properties.iter().all(|&i| is_so(i)).then_some(properties),
        }
    }

    fn settled(&self, parts: &[usize], verdict: Verdict) -> Standing {
        let only = (parts.len() == 1).then(|| parts[0]);
        let part = (only != Some(0)).then(|| self.names(parts));
        Standing::Settled(Box::new(Finished { part, ..self.sum(parts, verdict) }), only)
    }

    /// The state of the task if all parts have ended, and none has an answer.
    fn undecided(&self) -> Standing {
        let all: Vec<usize> = (0..self.parts.len()).collect();
        if let [only] = all[..] {
            return self.settled(&[only], Verdict::Unknown);
        }
        let reason = |i: usize| self.ended(i).and_then(|r| r.reason.as_ref());
        // An error in hardbop is never hidden; and a limit is worth a higher one.
        let worst = ["internal", "time", "memory", "bdd-table"];
        let with =
            |code: &str| all.iter().copied().find(|&i| reason(i).is_some_and(|r| r.code == code));
        let first = worst.into_iter().find_map(with).unwrap_or(0);
        let Some(first) = reason(first) else { return Standing::Open };
        let mut said: Vec<(String, Vec<&str>)> = vec![];
        for (i, part) in self.parts() {
            let message = match (reason(i), self.ended(i)) {
                (Some(reason), _) => reason.message.as_str(),
                (None, Some(result)) => result.verdict.word(),
                (None, None) => continue,
            };
            match said.iter_mut().find(|(known, _)| known == message) {
                Some((_, names)) => names.push(&part.name),
                None => said.push((message.to_owned(), vec![&part.name])),
            }
        }
        let message = match &said[..] {
            [(only, _)] => format!("{only}, by all of {} parts", all.len()),
            several => {
                let words =
                    several.iter().map(|(why, names)| format!("{why} ({})", names.join(", ")));
                words.collect::<Vec<_>>().join("; ")
            }
        };
        let reason = Some(Reason::stored(first.code.to_string(), message));
        let part = Some(ALL.to_owned());
        let result = Finished { reason, part, ..self.sum(&all, Verdict::Unknown) };
        Standing::Settled(Box::new(result), None)
    }

    fn names(&self, parts: &[usize]) -> String {
        parts.iter().map(|&i| self.parts[i].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// A result with what these parts have taken.
    fn sum(&self, parts: &[usize], verdict: Verdict) -> Finished {
        let mut all = parts.iter().filter_map(|&i| self.ended(i)).cloned();
        let nothing = super::outcome::stopped("internal", "", 0.0);
        let first = Finished { verdict, ..all.next().unwrap_or(nothing) };
        all.fold(first, |sum, next| Finished {
            seconds: sum.seconds + next.seconds,
            cpu_seconds: sum.cpu_seconds.zip(next.cpu_seconds).map(|(a, b)| a + b),
            memory_bytes: sum.memory_bytes.max(next.memory_bytes),
            ..sum
        })
    }
}

/// The part that the result of a task names where all parts have ended without an answer.
pub const ALL: &str = "all";

fn has_code(result: &Finished, code: &str) -> bool {
    result.reason.as_ref().is_some_and(|r| r.code == code)
}

/// Is it the result of an error in hardbop?
#[must_use]
pub fn is_defect(result: &Finished) -> bool {
    has_code(result, "internal")
}

#[cfg(test)]
mod tests {
    use super::super::outcome::stopped;
    use super::*;

    fn part(name: &str, share: Share) -> Part {
        let (name, options) = (name.to_owned(), vec![]);
        Part { name, options, share, learns: false, certifies: false }
    }

    /// Whole, another way, two groups of properties.
    fn split() -> Split {
        let mut split = Split::new(part("whole", Share::Whole));
        let others = [("impact", Share::Whole), ("p", Share::Properties), ("q", Share::Properties)];
        split.add(others.map(|(name, share)| part(name, share)).to_vec());
        split
    }

    fn result(word: &str) -> Finished {
        let verdict = match word {
            "SAFE" => Verdict::Safe,
            "UNSAFE" => Verdict::Unsafe,
            code => {
                return stopped(
                    ["time", "model", "internal", "bad-input"]
                        .into_iter()
                        .find(|c| *c == code)
                        .expect("a code"),
                    code,
                    1.0,
                );
            }
        };
        Finished { verdict, reason: None, ..stopped("time", "", 1.0) }
    }

    /// Verdict, code, message, part and seconds, once so many parts have ended in this way.
    fn after(ends: &[(usize, &str)]) -> Option<String> {
        let mut split = split();
        ends.iter().for_each(|(i, word)| split.end(*i, result(word)));
        let Standing::Settled(found, _) = split.standing() else { return None };
        let reason = found.reason.map(|r| format!("{}: {}", r.code, r.message));
        let (word, part) = (found.verdict.word(), found.part.unwrap_or_default());
        Some(format!("{word}|{}|{part}|{}", reason.unwrap_or_default(), found.seconds))
    }

    #[test]
    fn the_first_answer_counts_and_no_other_can_change_it() {
        type Ends<'a> = &'a [(usize, &'a str)];
        let cases: [(Ends<'_>, Option<&str>); 12] = [
            (&[], None),
            (&[(0, "time")], None),
            (&[(0, "SAFE")], Some("SAFE|||1")),
            (&[(0, "bad-input")], Some("UNKNOWN|bad-input: bad-input||1")),
            (&[(1, "UNSAFE"), (0, "time")], Some("UNSAFE||impact|1")),
            (&[(2, "UNSAFE")], Some("UNSAFE||p|1")),
            // A proof of one property is none of the others.
            (&[(2, "SAFE")], None),
            (&[(2, "SAFE"), (3, "time")], None),
            (&[(3, "SAFE"), (2, "SAFE")], Some("SAFE||p, q|2")),
            (
                &[(0, "time"), (1, "time"), (2, "SAFE"), (3, "model")],
                Some("UNKNOWN|time: time (whole, impact); SAFE (p); model (q)|all|4"),
            ),
            (
                &[(0, "time"), (1, "time"), (2, "time"), (3, "time")],
                Some("UNKNOWN|time: time, by all of 4 parts|all|4"),
            ),
            (
                &[(0, "time"), (1, "internal"), (2, "time"), (3, "time")],
                Some("UNKNOWN|internal: time (whole, p, q); internal (impact)|all|4"),
            ),
        ];
        for (ends, expected) in cases {
            assert_eq!(after(ends).as_deref(), expected, "{ends:?}");
            let turned: Vec<(usize, &str)> = ends.iter().rev().copied().collect();
            assert_eq!(after(&turned), after(ends), "{turned:?}");
        }
    }

    #[test]
    fn parts_that_disagree_are_an_error() {
        let message = "internal: the parts of the task disagree: SAFE by";
        let cases: [&[(usize, &str)]; 3] = [
            &[(0, "SAFE"), (1, "UNSAFE")],
            &[(2, "UNSAFE"), (1, "SAFE")],
            &[(0, "UNSAFE"), (2, "SAFE"), (3, "SAFE")],
        ];
        for ends in cases {
            let found = after(ends).expect("it is settled");
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn what_is_cancelled_decides_nothing() {
        let mut split = split();
        assert_eq!(split.next(), Some(0));
        split.start(0);
        split.start(1);
        assert_eq!((split.next(), split.running()), (Some(2), vec![0, 1]));
        [0, 2, 3].iter().for_each(|&i| split.end(i, result("time")));
        split.cancel(1);
        assert_eq!((split.standing(), split.running()), (Standing::Open, vec![]));
    }
}
