//! Reachability in a circuit by visiting its states: a reader of ASCII AIGER, a way for other
//! readers to make one, and a search; they know nothing of the library.  Inputs are tried only
//! where a value with unknown inputs is unknown.

use std::collections::HashSet;

/// A circuit in AIGER's numbering.
#[derive(Default)]
pub struct Circuit {
    inputs: Vec<usize>,
    /// Current and next values.
    latches: Vec<(usize, usize)>,
    bad: usize,
    ands: Vec<[usize; 3]>,
    variables: usize,
}

impl Circuit {
    /// Reads a circuit with one bad state, no outputs, and latches that start with 0.
    pub fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let mut numbers = || -> Vec<usize> {
            let line = lines.next().expect("a line");
            line.split(' ').filter_map(|word| word.parse().ok()).collect()
        };
        let header = numbers();
        let [variables, inputs, latches, 0, ands, 1] = header[..] else { panic!("{text}") };
        let inputs = (0..inputs).map(|_| numbers()[0]).collect();
        let latches = (0..latches)
            .map(|_| match numbers()[..] {
                [state, next] => (state, next),
                _ => panic!("{text}"),
            })
            .collect();
        let bad = numbers()[0];
        let ands = (0..ands)
            .map(|_| match numbers()[..] {
                [and, a, b] => [and, a, b],
                _ => panic!("{text}"),
            })
            .collect();
        Self { inputs, latches, bad, ands, variables }
    }

    fn variable(&mut self) -> usize {
        self.variables += 1;
        2 * self.variables
    }

    /// A new input, as a literal.  Literals are negated by `^ 1`; 0 is false.
    pub fn input(&mut self) -> usize {
        let input = self.variable();
        self.inputs.push(input);
        input
    }

    /// A new latch, as a literal; it starts with 0 and stays there.
    pub fn latch(&mut self) -> usize {
        let state = self.variable();
        self.latches.push((state, 0));
        state
    }

    pub fn and(&mut self, a: usize, b: usize) -> usize {
        let and = self.variable();
        self.ands.push([and, a, b]);
        and
    }

    /// Sets the next value of a latch.
    pub fn next(&mut self, state: usize, next: usize) {
        self.latches.iter_mut().find(|l| l.0 == state).expect("a latch").1 = next;
    }

    pub fn bad(&mut self, bad: usize) {
        self.bad = bad;
    }

    pub fn latches(&self) -> usize {
        self.latches.len()
    }

    /// Whether a bad state is reachable; `None` after `limit` steps.
    pub fn bad_reachable(&self, limit: usize) -> Option<bool> {
        let start = vec![false; self.latches.len()];
        let mut seen = HashSet::from([start.clone()]);
        let (mut work, mut steps) = (vec![start], 0);
        while let Some(state) = work.pop() {
            let mut open = vec![vec![None; self.inputs.len()]];
            while let Some(inputs) = open.pop() {
                steps += 1;
                if steps > limit {
                    return None;
                }
                let values = self.values(&state, &inputs);
                let value = |literal: usize| values[literal / 2].map(|v| v != (literal % 2 == 1));
                let next: Option<Vec<bool>> = self.latches.iter().map(|l| value(l.1)).collect();
                match (value(self.bad), next) {
                    (Some(true), _) => return Some(true),
                    (Some(false), Some(next)) => {
                        if seen.insert(next.clone()) {
                            work.push(next);
                        }
                    }
                    // One of the inputs behind a value that is not known.
                    (bad, _) => {
                        let unknown =
                            self.latches.iter().map(|l| l.1).find(|&l| value(l).is_none());
                        let literal = if bad.is_none() { self.bad } else { unknown.expect("one") };
                        let input = self.cause(literal, &values);
                        for choice in [false, true] {
                            let mut inputs = inputs.clone();
                            inputs[input] = Some(choice);
                            open.push(inputs);
                        }
                    }
                }
            }
        }
        Some(false)
    }

    /// The values of all variables, as far as they are known.
    fn values(&self, state: &[bool], inputs: &[Option<bool>]) -> Vec<Option<bool>> {
        let mut values = vec![None; self.variables + 1];
        values[0] = Some(false);
        for (&input, &value) in self.inputs.iter().zip(inputs) {
            values[input / 2] = value;
        }
        for (latch, &value) in self.latches.iter().zip(state) {
            values[latch.0 / 2] = Some(value);
        }
        for &[and, a, b] in &self.ands {
            let value = |l: usize| values[l / 2].map(|v: bool| v != (l % 2 == 1));
            values[and / 2] = match (value(a), value(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        values
    }

    /// An input without a value, because of which a literal has none.
    fn cause(&self, literal: usize, values: &[Option<bool>]) -> usize {
        let mut at = literal / 2;
        loop {
            if let Some(input) = self.inputs.iter().position(|i| i / 2 == at) {
                return input;
            }
            let and = self.ands.iter().find(|and| and[0] / 2 == at).expect("an and");
            let child = and[1..].iter().find(|&&l| values[l / 2].is_none()).expect("an unknown");
            at = child / 2;
        }
    }
}
