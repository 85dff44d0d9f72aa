//! PAR-2 scores, and the table of them.

use std::time::Duration;

use crate::SOLVERS;

/// What one solver made of one query: the answer, if it came in time, and the time.
pub type Attempt = (Option<bool>, Duration);

/// The attempts at some queries.
#[derive(Debug, Default, Clone)]
pub struct Row {
    /// For each query: by solver.
    attempts: Vec<Vec<Attempt>>,
    limit: Duration,
}

impl Row {
    pub fn new(limit: Duration) -> Self {
        Self { attempts: Vec::new(), limit }
    }

    pub fn add(&mut self, attempts: Vec<Attempt>) {
        self.attempts.push(attempts);
    }

    pub fn extend(&mut self, other: &Self) {
        self.attempts.extend(other.attempts.iter().cloned());
    }

    /// Without the queries that no solver decides.
    pub fn decided(&self) -> Self {
        let known = |all: &&Vec<Attempt>| all.iter().any(|a| a.0.is_some());
        let attempts = self.attempts.iter().filter(known).cloned().collect();
        Self { attempts, limit: self.limit }
    }

    pub fn len(&self) -> usize {
        self.attempts.len()
    }

    /// Seconds; what was not solved counts twice the limit.
    fn par2(&self, (answer, time): Attempt) -> f64 {
        if answer.is_some() { time.as_secs_f64() } else { 2.0 * self.limit.as_secs_f64() }
    }

    /// How many of the queries were solved, all seconds, and the median, by some solvers: each
    /// query counts for the fastest of them.
    fn score(&self, solvers: &[usize]) -> (usize, f64, f64) {
        let best = |all: &Vec<Attempt>| {
            let of = solvers.iter().map(|&s| self.par2(all[s]));
            of.fold(f64::INFINITY, f64::min)
        };
        let solved = |all: &&Vec<Attempt>| solvers.iter().any(|&s| all[s].0.is_some());
        let mut seconds: Vec<f64> = self.attempts.iter().map(best).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
        (self.attempts.iter().filter(solved).count(), seconds.iter().sum(), median)
    }

    /// True, false, and unknown to all.
    fn answers(&self) -> [usize; 3] {
        let mut count = [0; 3];
        for attempts in &self.attempts {
            let known = attempts.iter().find_map(|a| a.0);
            count[known.map_or(2, |valid| usize::from(!valid))] += 1;
        }
        count
    }

    /// One line of the table, with so many of the solvers.
    pub fn line(&self, name: &str, solvers: usize) -> String {
        let [valid, invalid, open] = self.answers();
        let mut line = format!("| {name} | {} | {valid} / {invalid} / {open} |", self.len());
        for s in 0..solvers {
            let (solved, total, median) = self.score(&[s]);
            line += &format!(" {solved} | {total:.2} | {:.2} |", 1e3 * median);
        }
        let others: Vec<usize> = (1..solvers).collect();
        if !others.is_empty() {
            let (ours, best) = (self.score(&[0]).1, self.score(&others).1);
            line += &format!(" {best:.2} | {:.1} |", best / ours);
        }
        line + "\n"
    }
}

/// The head of the table, with so many of the solvers.
pub fn head(solvers: usize) -> String {
    let mut titles = "| queries | number | true / false / open |".to_owned();
    let mut rule = "|---|---:|---:|".to_owned();
    for name in &SOLVERS[..solvers] {
        titles += &format!(" {name}: solved | PAR-2 s | median ms |");
        rule += "---:|---:|---:|";
    }
    if solvers > 1 {
        titles += " best DepQBF s | ratio |";
        rule += "---:|---:|";
    }
    titles + "\n" + &rule + "\n"
}
