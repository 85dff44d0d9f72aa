//! Finds clauses that do not hold after a step by evaluation, which takes less time than to ask a
//! solver.

use rustc_hash::FxHashMap;

use super::premises::Premises;
use super::scope::Scope;
use hardbop_base::random::Random;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::{Input, Lit};

/// The part of a step that has a bearing on some clauses after it, ready to be evaluated.
pub struct Trial {
    /// The first roots of the circuit.
    inputs: Vec<Input>,
    guard: Value,
    /// The clauses of the scope.
    given: Vec<Vec<Value>>,
    asked: Vec<Asked>,
    circuit: Circuit,
    /// Assignments that violate a clause that none before has violated.
    witnesses: Vec<Witness>,
}

/// A clause, by what it says of the states before the step.
struct Asked {
    clause: usize,
    values: Vec<Value>,
    violated: bool,
}

/// 64 assignments of the inputs.
pub struct Witness {
    /// The assignments that satisfy the guard and the scope.
    pub valid: u64,
    values: FxHashMap<Input, u64>,
}

impl Witness {
    /// The values of an input, if it has a bearing.
    pub fn value(&self, input: Input) -> Option<u64> {
        self.values.get(&input).copied()
    }
}

/// Witnesses that are kept.
const WITNESSES: usize = 4;

/// Inputs in which assignments differ that are near each other.
const FLIPS: usize = 4;

impl Trial {
    /// The clauses are given by what they say of the states before the step.
    pub fn new(
        premises: &Premises,
        scope: &Scope,
        guard: Lit,
        cone: &[Input],
        clauses: &[(usize, Vec<Lit>)],
    ) -> Self {
        let aig = premises.aig;
        let mut roots = Roots::default();
        for lit in cone.iter().map(|&i| aig.input(i)).chain(scope.lits(premises)) {
            roots.position(lit);
        }
        let inputs = roots.lits.iter().filter_map(|&lit| aig.as_input(lit)).collect();
        let given = scope.formulas(premises);
        let given = given.map(|clause| clause.map(|l| roots.value(l)).collect()).collect();
        let guard = roots.value(guard);
        let asked = clauses.iter().map(|(clause, lits)| {
            let values = lits.iter().map(|&l| roots.value(l)).collect();
            Asked { clause: *clause, values, violated: false }
        });
        let asked = asked.collect();
        let circuit = Circuit::new(aig, &roots.lits);
        Self { inputs, guard, given, asked, circuit, witnesses: vec![] }
    }

    /// Evaluations of gates and literals that it takes to try all values of the inputs, of 64
    /// assignments each.
    pub fn evaluations(&self) -> usize {
        let literals = self.given.iter().map(Vec::len).sum::<usize>()
            + self.asked.iter().map(|a| a.values.len()).sum::<usize>();
        let words = 1_usize.checked_shl(self.inputs.len().saturating_sub(6) as u32);
        words.map_or(usize::MAX, |w| w.saturating_mul(self.circuit.len() + literals))
    }

    /// The clauses that were found violated.
    pub fn violated(&self) -> impl Iterator<Item = usize> {
        self.asked.iter().filter(|a| a.violated).map(|a| a.clause)
    }

    /// Assignments by which some were found.
    pub fn witnesses(self) -> Vec<Witness> {
        self.witnesses
    }

    /// Tries all values of the inputs.
    pub fn everything(&mut self) {
        let Self { inputs, guard, given, asked, circuit, witnesses, .. } = self;
        circuit.every(|values| {
            take(&values, guard, given, asked, |valid| witness(witnesses, inputs, &values, valid));
            true
        });
    }

    /// Tries an assignment and some that are near it.
    pub fn near(&mut self, value: impl Fn(Input) -> bool, random: &mut Random) {
        let Self { inputs, guard, given, asked, circuit, witnesses } = self;
        let mut flips: FxHashMap<Input, u64> = FxHashMap::default();
        // Bit 0 is the assignment itself.
        for bit in 1..64 {
            for input in (0..1 + bit % FLIPS).filter_map(|_| random.pick(inputs)) {
                *flips.entry(input).or_insert(0) ^= 1 << bit;
            }
        }
        let values = circuit.run(|i| {
            let word = if value(i) { !0u64 } else { 0 };
            word ^ flips.get(&i).copied().unwrap_or(0)
        });
        take(&values, guard, given, asked, |valid| witness(witnesses, inputs, &values, valid));
    }
}

/// Keeps 64 assignments, unless enough are.
fn witness(witnesses: &mut Vec<Witness>, inputs: &[Input], values: &[u64], valid: u64) {
    if witnesses.len() < WITNESSES {
        let values = inputs.iter().copied().zip(values.iter().copied()).collect();
        witnesses.push(Witness { valid, values });
    }
}

/// Marks the clauses that an assignment violates which satisfies the guard and the scope.  If none
/// has violated one of them before, `found` gets to know which assignments satisfy guard and scope.
fn take(
    values: &[u64],
    guard: &Value,
    given: &[Vec<Value>],
    asked: &mut [Asked],
    found: impl FnOnce(u64),
) {
    let holds = |clause: &[Value]| clause.iter().fold(0, |word, v| word | v.of(values));
    let mut valid = guard.of(values);
    for clause in given {
        valid &= holds(clause);
        if valid == 0 {
            return;
        }
    }
    let mut news = false;
    for a in asked.iter_mut().filter(|a| !a.violated) {
        a.violated = valid & !holds(&a.values) != 0;
        news |= a.violated;
    }
    if news {
        found(valid);
    }
}

/// The roots of a circuit, each once.
#[derive(Default)]
struct Roots {
    /// The literals of the roots, not negated.
    lits: Vec<Lit>,
    positions: FxHashMap<Lit, u32>,
}

impl Roots {
    fn position(&mut self, lit: Lit) -> u32 {
        let lit = lit.xor_sign(lit.is_negated());
        let next = self.lits.len() as u32;
        let position = *self.positions.entry(lit).or_insert(next);
        if position == next {
            self.lits.push(lit);
        }
        position
    }

    fn value(&mut self, lit: Lit) -> Value {
        Value { position: self.position(lit), negated: lit.is_negated() }
    }
}

/// The position of a literal's values.
struct Value {
    position: u32,
    negated: bool,
}

impl Value {
    fn of(&self, values: &[u64]) -> u64 {
        let word = values[self.position as usize];
        if self.negated { !word } else { word }
    }
}
