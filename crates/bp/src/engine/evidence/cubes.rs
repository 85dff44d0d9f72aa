//! Eliminates ∃ by enumeration: cubes of entry values for which suitable choices exist.

use super::quantify::{Conjunct, Names, Part};
use crate::proof::formula::{FALSE, Literal, TRUE};
use crate::proof::invariant::{Atom, CircuitBuilder};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::{Backend, CircuitSolver, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// The cubes found so far.
pub struct Cubes {
    /// Looks for entry values with suitable choices, outside the cubes found.
    inside: CircuitSolver,
    /// Says which entry values make the choices suitable.
    outside: CircuitSolver,
    support: Vec<Input>,
    found: Vec<Vec<Lit>>,
}

impl Cubes {
    /// An enumeration without cubes so far; the part must not involve current values.
    pub fn new(aig: &mut Aig, part: &Part, backend: Backend) -> Self {
        let holds = part.conjuncts.iter().filter_map(|c| match c {
            Conjunct::Holds(l) => Some(*l),
            Conjunct::Value(..) => None,
        });
        let all = aig.and_all(holds);
        let [mut inside, mut outside] = [(); 2].map(|()| backend.circuit_solver());
        inside.assert(aig, all);
        outside.assert(aig, !all);
        Self { inside, outside, support: aig.support([all]), found: vec![] }
    }

    /// Number of cubes so far.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The disjunction of all cubes; `None` if `most` cubes are found before it is complete.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn enumerate(
        &mut self,
        aig: &Aig,
        circuit: &mut CircuitBuilder,
        names: &Names,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Literal>, Exhausted> {
        while self.found.len() < most {
            budget.check()?;
            match self.inside.solve(aig, &[], budget) {
                SatResult::Sat => {}
                SatResult::Unsat => return Ok(Some(self.disjunction(aig, circuit, names))),
                SatResult::Unknown(reason) => return Err(reason),
                SatResult::ConflictLimit => return Ok(None),
            }
            let value = |&i: &Input| aig.input(i).xor_sign(!self.inside.value(aig, i));
            let (choices, mut cube): (Vec<Lit>, Vec<Lit>) = {
                let (choices, entry): (Vec<Input>, Vec<Input>) =
                    self.support.iter().partition(|&&i| names.is_choice(i));
                (choices.iter().map(value).collect(), entry.iter().map(value).collect())
            };
            // With these choices the whole cube is inside; it stays so without literals not needed.
            let mut needed = 0;
            while needed < cube.len() {
                let left = cube.iter().enumerate().filter(|&(n, _)| n != needed).map(|(_, &l)| l);
                let assumed: Vec<Lit> = left.chain(choices.iter().copied()).collect();
                match self.outside.solve(aig, &assumed, budget) {
                    SatResult::Unsat => {
                        cube.remove(needed);
                        let (sure, rest) = cube.split_at(needed);
                        let rest = rest.iter().filter(|&&l| self.outside.failed(l));
                        cube = sure.iter().chain(rest).copied().collect();
                    }
                    SatResult::Unknown(reason) => return Err(reason),
                    SatResult::Sat | SatResult::ConflictLimit => needed += 1,
                }
            }
            self.inside.assert_clause(aig, None, cube.iter().map(|&l| !l));
            self.found.push(cube);
        }
        Ok(None)
    }

    fn disjunction(&self, aig: &Aig, circuit: &mut CircuitBuilder, names: &Names) -> Literal {
        let mut any = FALSE;
        for cube in &self.found {
            let mut all = TRUE;
            for &l in cube {
                let Some(input) = aig.as_input(l) else { continue };
                let atom = names.atom(names.item(input).0).unwrap_or(Atom::Choice(input.0));
                let value = circuit.atom(atom) ^ u32::from(l.is_negated());
                all = circuit.and(all, value);
            }
            any = circuit.or(any, all);
        }
        any
    }
}
