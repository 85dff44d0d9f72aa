//! Clauses over entry values and current values as a layer.

use super::draft::{Draft, Known};
use super::eliminate::Eliminator;
use super::quantify;
use crate::engine::options::Options;
use crate::engine::prepare::Prepared;
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::formula::{Literal, TRUE};
use crate::proof::invariant::{Atom, Layer};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit};
use rustc_hash::FxHashMap;

/// A clause: values, each with whether it is negated.
pub type ValueClause = Vec<(Atom, bool)>;

/// The claim at a cut node.
pub enum Claim {
    /// No claim: it follows from the claims around it.
    Nothing,
    Formulas {
        clauses: Vec<ValueClause>,
        /// The exclusive or of these values is this one.
        equations: Vec<(Vec<Atom>, bool)>,
        /// Literals of the graph that hold, and what their inputs are.
        gates: Vec<Lit>,
        names: FxHashMap<Input, Atom>,
    },
    /// A relation at an exit: its values are these functions of the inputs of its procedure and of
    /// choices, if the guard holds.
    Relation { guard: Lit, values: Vec<(VarId, Lit)> },
}

impl Default for Claim {
    /// No formulas: not the same as nothing, for what follows from claims around a node ends there.
    fn default() -> Self {
        let names = FxHashMap::default();
        Self::Formulas { clauses: vec![], equations: vec![], gates: vec![], names }
    }
}

impl Claim {
    /// There is no state.
    pub fn contradiction() -> Self {
        let (clauses, names) = (vec![vec![]], FxHashMap::default());
        Self::Formulas { clauses, equations: vec![], gates: vec![], names }
    }
}

/// The claims at each cut node.
///
/// # Errors
/// If the budget is exhausted.
pub fn layer(
    prepared: &Prepared,
    known: &Known,
    claim: impl Fn(ProcId, NodeId) -> Claim,
    (aig, options, budget): (&mut Aig, &Options, &Budget),
) -> Result<Layer, Exhausted> {
    let mut eliminator = Eliminator::new(options.sat, &options.limits, budget);
    let program = prepared.program;
    let kept = || prepared.slice.relevant.ones().map(|v| VarId(v as u32));
    let at_entry = |atom: Atom| match atom {
        Atom::Current(v) => Atom::Entry(v),
        atom => atom,
    };
    let mut draft = Draft::default();
    for p in program.procedure_ids() {
        if prepared.slice.procedure(p).is_none() {
            continue;
        }
        let frame = draft.frame(prepared, p, kept().filter(|&v| program.is_global(v)));
        let procedure = program.procedure(p);
        // Claims about locals at the entry say nothing about contexts.
        let given = |atom: Atom| match atom {
            Atom::Current(v) => program.is_global(v) || procedure.formals.contains(&v),
            _ => true,
        };
        let mut context = TRUE;
        if let Claim::Formulas { mut clauses, mut equations, mut gates, names } =
            claim(p, procedure.entry)
        {
            clauses.retain(|c| c.iter().all(|&(atom, _)| given(atom)));
            equations.retain(|(atoms, _)| atoms.iter().all(|&atom| given(atom)));
            gates.retain(|&l| aig.support([l]).iter().all(|i| given(names[i])));
            context = formulas(&mut draft, &clauses, &equations, at_entry);
            let gates = holding(&mut draft, aig, &gates, |i| at_entry(names[&i]));
            context = draft.circuit.and(context, gates);
        }
        let possible = draft.known(known, p);
        let entered = draft.circuit.and(possible, context);
        for n in prepared.cut_nodes(p) {
            let here = match claim(p, n) {
                Claim::Nothing => continue,
                Claim::Formulas { clauses, equations, gates, names } => {
                    let values = formulas(&mut draft, &clauses, &equations, |atom| atom);
                    let gates = holding(&mut draft, aig, &gates, |i| names[&i]);
                    draft.circuit.and(values, gates)
                }
                Claim::Relation { guard, values } => {
                    let slots = prepared.frame(p).slots.iter().zip(&prepared.blocks(p).inputs);
                    let entry = slots.filter(|&(_, &i)| prepared.is_entry_value(i));
                    let entry = entry.map(|(&v, &i)| (i, v)).collect();
                    let relation = quantify::Relation { guard, values: &values, entry: &entry };
                    relation.formula(aig, &mut draft.circuit, &mut eliminator)?
                }
            };
            let here = draft.given(prepared, p, entered, here);
            let all = draft.circuit.and(frame, here);
            draft.assert(p, n, all);
        }
    }
    Ok(draft.finish("search"))
}

/// Literals of the graph, over the values that `atom` chooses.
fn holding(draft: &mut Draft, aig: &Aig, lits: &[Lit], atom: impl Fn(Input) -> Atom) -> Literal {
    let circuit = &mut draft.circuit;
    let lits = quantify::translated(aig, circuit, lits, |circuit, i| circuit.atom(atom(i)));
    lits.into_iter().fold(TRUE, |all, l| circuit.and(all, l))
}

/// All clauses and equations, over the values that `atom` chooses.
fn formulas(
    draft: &mut Draft,
    clauses: &[ValueClause],
    equations: &[(Vec<Atom>, bool)],
    atom: impl Fn(Atom) -> Atom,
) -> Literal {
    let mut all =
        draft.clauses(clauses.iter().map(|c| c.iter().map(|&(v, negated)| (atom(v), negated))));
    for (atoms, sum) in equations {
        let mut holds = TRUE ^ u32::from(*sum);
        for &value in atoms {
            let value = draft.circuit.atom(atom(value));
            // The exclusive or of one more: the equation holds if it did not, or the value is
            // false.
            holds = draft.circuit.iff(holds, value ^ 1);
        }
        all = draft.circuit.and(all, holds);
    }
    all
}
