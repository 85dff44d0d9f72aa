//! Evidence for SAFE: assertions at places of the program, as circuits.
//!
//! An assertion at a node n of a procedure p relates entry values e of globals and formals to
//! current values c: it holds of (e, c) whenever an execution of p that was entered with e is at n
//! with c. [`super::check`] explains how this is checked.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::formula::{Formula, Literal, TRUE, conjuncts, multiplexer};
use crate::language::program::{NodeId, ProcId, Program, VarId, VariableKind};
use hardbop_base::source::{object, objects};

/// Evidence for SAFE: layers that are inductive together; at every error node they contradict each
/// other.  Without layers it proves nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Invariant {
    #[serde(deserialize_with = "objects")]
    pub layers: Vec<Layer>,
}

/// Assertions over one circuit.  A node without an assertion is not restricted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Layer {
    /// The name for messages.
    pub name: String,
    #[serde(deserialize_with = "object")]
    pub circuit: Circuit,
    #[serde(deserialize_with = "objects")]
    pub assertions: Vec<Assertion>,
}

/// An assertion that holds at a node; at most one per layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Assertion {
    pub procedure: ProcId,
    pub node: NodeId,
    /// A literal of the layer's circuit.
    pub formula: u32,
}

/// Inputs and and-gates in AIGER's numbering: literal 0 is false, 1 true; variable v (from 1) has
/// the literals 2v and 2v+1 (negated).  Inputs are the variables 1 to `inputs.len()`, gates follow;
/// a gate refers to smaller variables only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Circuit {
    pub inputs: Vec<Atom>,
    pub gates: Vec<(u32, u32)>,
}

impl Circuit {
    /// The meaning of a variable that is an input.
    pub fn input(&self, variable: u32) -> Option<Atom> {
        self.inputs.get((variable as usize).checked_sub(1)?).copied()
    }

    /// The operands of a variable that is a gate.
    pub fn gate(&self, variable: u32) -> Option<(Literal, Literal)> {
        self.gates.get((variable as usize).checked_sub(1 + self.inputs.len())?).copied()
    }

    /// The literals of which `root` is the conjunction.
    pub fn conjuncts(&self, root: Literal) -> Vec<Literal> {
        conjuncts(|v| self.gate(v), root)
    }

    /// Two literals of inputs, or one and the constant, such that `literal` says that they are
    /// equal.
    pub fn equality(&self, literal: Literal) -> Option<(Literal, Literal)> {
        let is_input = |l: Literal| self.gate(l >> 1).is_none();
        if is_input(literal) {
            return Some((literal, TRUE));
        }
        let (a, b, c) = multiplexer(|v| self.gate(v), literal >> 1)?;
        let equal = b == c ^ 1 && is_input(a) && is_input(b);
        equal.then_some((a, b ^ literal & 1))
    }
}

/// The meaning of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Atom {
    /// The value of a global or formal when its procedure was entered.
    Entry(VarId),
    /// The current value of a global, formal, local or return slot.
    Current(VarId),
    /// Existentially quantified, separately in each assertion.
    Choice(u32),
}

/// A mistake in the form of an invariant; layers and positions count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvariantError {
    #[error("layer {layer}, input {input}: the program has no variable number {}", variable.0)]
    NoVariable { layer: usize, input: usize, variable: VarId },
    #[error("layer {layer}, input {input}: '{name}' has no value at entry")]
    NoEntryValue { layer: usize, input: usize, name: String },
    #[error("layer {layer}: the circuit is too large")]
    TooLarge { layer: usize },
    #[error("layer {layer}, gate {gate}: literal {literal} is not of a smaller variable")]
    GateOrder { layer: usize, gate: usize, literal: u32 },
    #[error("layer {layer}, assertion {assertion}: there is no procedure number {}", procedure.0)]
    NoProcedure { layer: usize, assertion: usize, procedure: ProcId },
    #[error("layer {layer}, assertion {assertion}: '{procedure}' has no node {}", node.0)]
    NoNode { layer: usize, assertion: usize, procedure: String, node: NodeId },
    #[error("layer {layer}, assertion {assertion}: the circuit has no literal {literal}")]
    NoLiteral { layer: usize, assertion: usize, literal: u32 },
    #[error(
        "layer {layer}, assertion {assertion}: it reads variables of procedures other than '{procedure}'"
    )]
    Scope { layer: usize, assertion: usize, procedure: String },
    #[error("layer {layer}, assertion {assertion}: there is another one at node {} of '{procedure}'", node.0)]
    Twice { layer: usize, assertion: usize, procedure: String, node: NodeId },
}

/// The procedure whose variables a literal depends on, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Globals,
    Procedure(ProcId),
    Several,
}

impl Scope {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Globals, s) | (s, Self::Globals) => s,
            (a, b) if a == b => a,
            _ => Self::Several,
        }
    }
}

/// The layers with an assertion at each place, in order, and its formula; by procedure and node.
pub type ByPlace = FxHashMap<(ProcId, NodeId), Vec<(usize, Literal)>>;

impl Invariant {
    /// All assertions, by procedure and node.
    pub fn by_place(&self) -> ByPlace {
        let mut places = ByPlace::default();
        for (number, layer) in self.layers.iter().enumerate() {
            for a in &layer.assertions {
                places.entry((a.procedure, a.node)).or_default().push((number, a.formula));
            }
        }
        places
    }

    /// Checks that it fits this program, in the form described above.  Takes linear time.
    ///
    /// # Errors
    /// The first place where it does not.
    pub fn validate(&self, program: &Program) -> Result<(), InvariantError> {
        (0..).zip(&self.layers).try_for_each(|(number, layer)| layer.validate(program, number))
    }
}

impl Layer {
    fn validate(&self, program: &Program, layer: usize) -> Result<(), InvariantError> {
        let scopes = self.scopes(program, layer)?;
        let mut seen = FxHashSet::default();
        for (assertion, a) in self.assertions.iter().enumerate() {
            let Some(procedure) = program.procedures.get(a.procedure.index()) else {
                let procedure = a.procedure;
                return Err(InvariantError::NoProcedure { layer, assertion, procedure });
            };
            let (name, node) = (procedure.name.clone(), a.node);
            if node.index() >= procedure.node_count() {
                return Err(InvariantError::NoNode { layer, assertion, procedure: name, node });
            }
            match scopes.get((a.formula >> 1) as usize) {
                None => {
                    let literal = a.formula;
                    return Err(InvariantError::NoLiteral { layer, assertion, literal });
                }
                Some(&scope) if scope.join(Scope::Procedure(a.procedure)) == Scope::Several => {
                    return Err(InvariantError::Scope { layer, assertion, procedure: name });
                }
                Some(_) if !seen.insert((a.procedure, node)) => {
                    return Err(InvariantError::Twice { layer, assertion, procedure: name, node });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The scope of each variable of the circuit, the constant first.
    fn scopes(&self, program: &Program, layer: usize) -> Result<Vec<Scope>, InvariantError> {
        let Circuit { inputs, gates } = &self.circuit;
        if inputs.len() + gates.len() >= 1 << 30 {
            return Err(InvariantError::TooLarge { layer });
        }
        let mut scopes = vec![Scope::Globals];
        for (input, &atom) in inputs.iter().enumerate() {
            let (Atom::Entry(variable) | Atom::Current(variable)) = atom else {
                scopes.push(Scope::Globals);
                continue;
            };
            let Some(found) = program.variables.get(variable.index()) else {
                return Err(InvariantError::NoVariable { layer, input, variable });
            };
            scopes.push(match (found.kind, atom) {
                (VariableKind::Global, _) => Scope::Globals,
                (VariableKind::Formal(p), _) => Scope::Procedure(p),
                (VariableKind::Local(_) | VariableKind::Return(_), Atom::Entry(_)) => {
                    let name = found.name.clone();
                    return Err(InvariantError::NoEntryValue { layer, input, name });
                }
                (VariableKind::Local(p) | VariableKind::Return(p), _) => Scope::Procedure(p),
            });
        }
        for (gate, &(a, b)) in gates.iter().enumerate() {
            let of = |literal: u32| {
                let scope = scopes.get((literal >> 1) as usize).copied();
                scope.ok_or(InvariantError::GateOrder { layer, gate, literal })
            };
            let scope = of(a)?.join(of(b)?);
            scopes.push(scope);
        }
        Ok(scopes)
    }
}

/// Builds a [`Layer`].  Its literals have a numbering of its own, which [`CircuitBuilder::finish`]
/// replaces by that of a [`Circuit`].
#[derive(Debug, Clone, Default)]
pub struct CircuitBuilder {
    formula: Formula,
    /// Atoms with their literals, in order of creation.
    atoms: Vec<(Atom, Literal)>,
    known: FxHashMap<Atom, Literal>,
    assertions: Vec<Assertion>,
}

impl CircuitBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn atom(&mut self, atom: Atom) -> Literal {
        *self.known.entry(atom).or_insert_with(|| {
            let literal = self.formula.input();
            self.atoms.push((atom, literal));
            literal
        })
    }

    pub fn constant(&self, value: bool) -> Literal {
        value.into()
    }

    pub fn not(&self, a: Literal) -> Literal {
        self.formula.not(a)
    }

    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        self.formula.and(a, b)
    }

    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        self.formula.or(a, b)
    }

    /// `if c then t else e`.
    pub fn ite(&mut self, c: Literal, t: Literal, e: Literal) -> Literal {
        self.formula.ite(c, t, e)
    }

    pub fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        self.formula.iff(a, b)
    }

    /// The literals of which `root` is the conjunction.
    pub fn conjuncts(&self, root: Literal) -> Vec<Literal> {
        self.formula.conjuncts(root)
    }

    /// Asserts `formula` at a node; at most once per node.
    pub fn assert(&mut self, procedure: ProcId, node: NodeId, formula: Literal) {
        self.assertions.push(Assertion { procedure, node, formula });
    }

    /// The layer of all assertions; gates and atoms that they do not need are dropped.
    pub fn finish(self, name: impl Into<String>) -> Layer {
        let roots: Vec<Literal> = self.assertions.iter().map(|a| a.formula).collect();
        let cone = self.formula.cone(&roots);
        let mut new: Vec<u32> = vec![0; self.formula.len() + 1];
        let mut circuit = Circuit::default();
        for (atom, literal) in self.atoms {
            if cone.binary_search(&(literal >> 1)).is_ok() {
                circuit.inputs.push(atom);
                new[(literal >> 1) as usize] = circuit.inputs.len() as u32;
            }
        }
        let renamed = |new: &[u32], l: Literal| new[(l >> 1) as usize] << 1 | l & 1;
        for &v in &cone {
            if let Some((a, b)) = self.formula.gate(v) {
                circuit.gates.push((renamed(&new, a), renamed(&new, b)));
                new[v as usize] = (circuit.inputs.len() + circuit.gates.len()) as u32;
            }
        }
        let assertions = self.assertions.iter();
        let assertions =
            assertions.map(|a| Assertion { formula: renamed(&new, a.formula), ..*a }).collect();
        Layer { name: name.into(), circuit, assertions }
    }
}
