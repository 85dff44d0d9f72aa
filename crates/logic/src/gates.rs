//! Recognises gates in clauses, the reverse of Tseitin's encoding.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cnf::CnfLit;

/// A function of literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    And(Vec<CnfLit>),
    /// Condition, then, else; an exclusive or if the last two are complementary.
    IfThenElse(CnfLit, CnfLit, CnfLit),
}

/// A literal that is equal to a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub output: CnfLit,
    pub gate: Gate,
}

/// Splits clauses into definitions of variables, at most one for each, and the remaining clauses.  Together they are
/// equivalent to the original clauses; definitions may be cyclic.  A clause must not contain a variable twice.
pub fn gates(
    mut clauses: Vec<Vec<CnfLit>>,
    definable: impl Fn(CnfLit) -> bool,
) -> (Vec<Definition>, Vec<Vec<CnfLit>>) {
    clauses.iter_mut().for_each(|c| c.sort_unstable());
    let mut search = Search {
        short: FxHashMap::default(),
        ternary: FxHashMap::default(),
        used: vec![false; clauses.len()],
        defined: FxHashSet::default(),
        clauses: &clauses,
        definable,
    };
    for (number, clause) in clauses.iter().enumerate() {
        if clause.len() <= 3 {
            search.short.insert(clause, number);
        }
        if clause.len() == 3 {
            for &l in clause {
                search.ternary.entry(l).or_default().push(number);
            }
        }
    }
    let mut definitions = Vec::new();
    for number in 0..clauses.len() {
        definitions.extend(search.conjunction(number));
    }
    // Comes last, since any variable of an exclusive or may be its output.
    for exclusive in [false, true] {
        for number in 0..clauses.len() {
            definitions.extend(search.if_then_else(number, exclusive));
        }
    }
    let used = search.used;
    let rest = clauses.into_iter().zip(used).filter(|(_, used)| !used).map(|(c, _)| c);
    (definitions, rest.collect())
}

struct Search<'a, F> {
    clauses: &'a [Vec<CnfLit>],
    /// Clauses of up to three literals.
    short: FxHashMap<&'a [CnfLit], usize>,
    /// Clauses of three literals, by each of their literals.
    ternary: FxHashMap<CnfLit, Vec<usize>>,
    /// Clauses that are part of a definition.
    used: Vec<bool>,
    defined: FxHashSet<CnfLit>,
    definable: F,
}

impl<F: Fn(CnfLit) -> bool> Search<'_, F> {
    /// The number of a clause that is not used yet.
    fn find(&self, lits: &mut [CnfLit]) -> Option<usize> {
        lits.sort_unstable();
        self.short.get(&*lits).copied().filter(|&n| !self.used[n])
    }

    fn is_free(&self, output: CnfLit) -> bool {
        (self.definable)(output.abs()) && !self.defined.contains(&output.abs())
    }

    fn define(
        &mut self,
        output: CnfLit,
        gate: Gate,
        parts: impl IntoIterator<Item = usize>,
    ) -> Definition {
        parts.into_iter().for_each(|n| self.used[n] = true);
        self.defined.insert(output.abs());
        Definition { output, gate }
    }

    /// `output ∨ ¬a ∨ ¬b ..` with `¬output ∨ a`, `¬output ∨ b` ..
    fn conjunction(&mut self, number: usize) -> Option<Definition> {
        let clause = &self.clauses[number];
        if self.used[number] || clause.len() < 2 {
            return None;
        }
        // Tries later variables first, since encodings number gates after their inputs.
        let mut outputs = clause.clone();
        outputs.sort_unstable_by_key(|l| std::cmp::Reverse(l.abs()));
        for output in outputs {
            if !self.is_free(output) {
                continue;
            }
            // Stops at the first missing clause, since clauses may be long.
            let others = clause.iter().filter(|&&l| l != output);
            let parts: Option<Vec<usize>> =
                others.clone().map(|&l| self.find(&mut [-output, -l])).collect();
            if let Some(parts) = parts {
                let gate = Gate::And(others.map(|l| -l).collect());
                return Some(self.define(output, gate, parts.into_iter().chain([number])));
            }
        }
        None
    }

    /// `¬output ∨ ¬c ∨ t`, `output ∨ ¬c ∨ ¬t`, `¬output ∨ c ∨ e`, `output ∨ c ∨ ¬e`
    fn if_then_else(&mut self, number: usize, exclusive: bool) -> Option<Definition> {
        let &[x, y, z] = &self.clauses[number][..] else { return None };
        if self.used[number] {
            return None;
        }
        let mut orders = [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]];
        orders.sort_unstable_by_key(|[output, ..]| std::cmp::Reverse(output.abs()));
        for [output, c, t] in orders {
            let (output, c) = (-output, -c);
            if !self.is_free(output) {
                continue;
            }
            let Some(second) = self.find(&mut [output, -c, -t]) else { continue };
            for &third in self.ternary.get(&-output).into_iter().flatten() {
                let clause = &self.clauses[third];
                if third == number || self.used[third] || !clause.contains(&c) {
                    continue;
                }
                let Some(&e) = clause.iter().find(|&&l| l != -output && l != c) else { continue };
                if (e == -t) != exclusive {
                    continue;
                }
                let Some(fourth) = self.find(&mut [output, c, -e]) else { continue };
                // These clauses are implied; an encoding may or may not add them.
                let implied = [self.find(&mut [-output, t, e]), self.find(&mut [output, -t, -e])];
                let parts = [number, second, third, fourth];
                let parts = parts.into_iter().chain(implied.into_iter().flatten());
                return Some(self.define(output, Gate::IfThenElse(c, t, e), parts));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aig;
    use crate::cnf::{ClauseSink, Cnf, Encoder};

    #[test]
    fn an_encoded_circuit_is_found_again() {
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.new_input_lit());
        let all = aig.and_all([a, b, !c]);
        let chosen = aig.ite(d, all, b);
        let odd = aig.xor(chosen, a);
        let mut cnf = Cnf::default();
        let mut encoder = Encoder::new();
        for l in [a, b, c, d] {
            let variable = cnf.fresh();
            encoder.bind(&aig, aig.as_input(l).expect("an input"), variable);
        }
        let root = encoder.literal(&aig, odd, &mut cnf);
        let all_clauses = cnf.clauses.len();
        cnf.clause(&[root]);
        let (definitions, rest) = gates(cnf.clauses, |v| v > 4);
        assert_eq!(rest, [[root]], "{definitions:?}");
        assert_eq!(definitions.len(), 3, "{definitions:?}, {all_clauses} clauses");
    }

    /// Definitions and remaining clauses are equivalent to the original clauses.
    #[test]
    fn the_meaning_stays() {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut next = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % n
        };
        let mut found = 0;
        for _ in 0..2_000 {
            let mut clauses: Vec<Vec<CnfLit>> = Vec::new();
            for _ in 0..4 + next(20) {
                let mut clause: Vec<CnfLit> = Vec::new();
                for v in 1..=4 {
                    match next(4) {
                        0 => clause.push(v),
                        1 => clause.push(-v),
                        _ => {}
                    }
                }
                clauses.push(clause);
            }
            let (definitions, rest) = gates(clauses.clone(), |v| v != 2);
            found += definitions.len();
            for row in 0..16_u32 {
                let on = |l: CnfLit| (row >> (l.abs() - 1) & 1 == 1) == (l > 0);
                let holds = |cs: &[Vec<CnfLit>]| cs.iter().all(|c| c.iter().any(|&l| on(l)));
                let defined = definitions.iter().all(|d| {
                    assert_ne!(d.output.abs(), 2);
                    on(d.output)
                        == match &d.gate {
                            Gate::And(lits) => lits.iter().all(|&l| on(l)),
                            &Gate::IfThenElse(c, t, e) => on(if on(c) { t } else { e }),
                        }
                });
                assert_eq!(holds(&clauses), defined && holds(&rest), "{clauses:?} {definitions:?}");
            }
        }
        assert!(found > 200, "{found} definitions");
    }
}
