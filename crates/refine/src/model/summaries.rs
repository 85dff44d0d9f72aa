//! Translates the invariant of a Boolean program into [`Summaries`] of the program's functions, in
//! which there is nothing of the Boolean program any more.
//!
//! A variable of the Boolean program stands for a predicate, so its assertions become formulas of
//! the program.  Variables that carry a value to a call or past it stand for nothing in a state by
//! themselves, and neither do choices: conjuncts with them are left out.  (Eliminating them gave no
//! more proofs: of 22 programs with recursion and 49 of regression, satabs and sv-comp-2012 all are
//! accepted either way.)

use rustc_hash::{FxHashMap, FxHashSet};

use super::abstraction::assignment::AbstractProcedure;
use super::skeleton::frame::Skeleton;
use super::skeleton::predicates::Predicates;
use super::text::program::BooleanProgram;
use crate::block::problem::Problem;
use crate::proof::summaries::{EntryValues, Summaries, Summary};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_bp::language::program::{NodeId, ProcId, VarId};
use hardbop_bp::proof::formula::Literal;
use hardbop_bp::proof::invariant::{Atom, ByPlace, Invariant, Layer};
use hardbop_cfa::Location;
use hardbop_smt::{Node, Sort, Symbol, Term, Terms};

/// The program that a Boolean program abstracts, and how.
#[derive(Clone, Copy)]
pub struct Abstracted<'a> {
    pub skeleton: &'a Skeleton<'a>,
    pub problems: &'a [Problem],
    pub predicates: &'a Predicates,
    pub procedures: &'a [AbstractProcedure],
}

/// The summaries that an invariant of the Boolean program gives.  Where something had to be left
/// out, they may prove nothing.
///
/// # Errors
/// If the budget is exhausted.
pub fn summaries(
    terms: &mut Terms,
    abstracted: Abstracted,
    (program, invariant): (&BooleanProgram, &Invariant),
    budget: &Budget,
) -> Result<Summaries, Exhausted> {
    let Abstracted { skeleton, problems, .. } = abstracted;
    let mut reading = Reading {
        atoms: FxHashMap::default(),
        entry_values: EntryValues::default(),
        layers: invariant.layers.iter().map(|layer| (layer, FxHashMap::default())).collect(),
        unknown: FxHashSet::default(),
        places: invariant.by_place(),
    };
    reading.meanings(terms, abstracted, program);
    let mut functions = vec![];
    let mut open: Vec<FxHashMap<Location, Term>> = vec![];
    for (f, problem) in problems.iter().enumerate() {
        budget.check()?;
        let (id, exit) = (program.procedures[f], skeleton.procedures[f].exit);
        let procedure = program.program.procedure(id);
        let mut labels: FxHashMap<&str, NodeId> = FxHashMap::default();
        for (node, number) in procedure.nodes.iter().zip(0..) {
            labels.extend(node.labels.iter().map(|label| (label.as_str(), NodeId(number))));
        }
        let (entry, _) = reading.claim(terms, id, &[procedure.entry]);
        let (mut summary, mut rest) = (Summary::default(), FxHashMap::default());
        summary.entry = reading.entry(terms, abstracted, f, &entry);
        let locations: &[Location] =
            if summary.entry.is_some() { &problem.summary.locations } else { &[] };
        for &location in locations {
            let is_exit = exit == Some(location);
            let label = format!("L{}", location.0);
            let Some(&node) = labels.get(label.as_str()) else { continue };
            if location == problem.automaton.entry || problem.automaton.goal(location).is_some() {
                continue;
            }
            let nodes = if is_exit { vec![node, procedure.exit] } else { vec![node] };
            let (conjuncts, is_whole) = reading.claim(terms, id, &nodes);
            let is_said = nodes.iter().any(|&n| reading.places.contains_key(&(id, n)));
            let formula = terms.and(&conjuncts);
            if formula == terms.bool(false) {
                continue;
            }
            if is_exit || is_said && is_whole {
                summary.at.push((location, formula));
            } else {
                rest.insert(location, formula);
            }
        }
        summary.at.sort_unstable();
        functions.push(summary);
        open.push(rest);
    }
    let mut summaries = Summaries { functions, entry_values: reading.entry_values };
    // What has to have a claim, as nothing leads past it.
    let parts = (skeleton.program, &skeleton.procedures[..]);
    let missing = summaries.missing(terms, parts).unwrap_or_default();
    for ((summary, missing), rest) in summaries.functions.iter_mut().zip(missing).zip(&open) {
        summary.at.extend(missing.iter().filter_map(|l| Some((*l, *rest.get(l)?))));
        summary.at.sort_unstable();
    }
    Ok(summaries)
}

/// Formulas of layers, by the variables of their circuits.
type Known = FxHashMap<u32, Term>;

struct Reading<'a> {
    /// The terms for the values of the Boolean program.
    atoms: FxHashMap<Atom, Term>,
    entry_values: EntryValues,
    layers: Vec<(&'a Layer, Known)>,
    /// Variables for what stands for nothing.
    unknown: FxHashSet<Symbol>,
    places: ByPlace,
}

impl Reading<'_> {
    /// Finds what the values of the Boolean program stand for.
    fn meanings(&mut self, terms: &mut Terms, all: Abstracted, program: &BooleanProgram) {
        let said = &program.predicates;
        let boolean = &program.program;
        for &v in &boolean.globals {
            let Some(&predicate) = said.get(&v) else { continue };
            self.add(terms, all, Atom::Current(v), predicate);
            self.add(terms, all, Atom::Entry(v), predicate);
        }
        for (f, &id) in program.procedures.iter().enumerate() {
            let procedure = boolean.procedure(id);
            let interface = &all.procedures[f].interface;
            for (&v, &predicate) in procedure.formals.iter().zip(&interface.formals) {
                self.add(terms, all, Atom::Entry(v), predicate);
                // Without a predicate of that name in the function, it keeps its value.
                if !said.contains_key(&v)
                    && let Some(&then) = self.atoms.get(&Atom::Entry(v))
                {
                    self.atoms.insert(Atom::Current(v), then);
                }
            }
            let own = procedure.formals.iter().chain(&procedure.locals);
            let own: Vec<(VarId, Term)> = own.filter_map(|v| Some((*v, *said.get(v)?))).collect();
            for (v, predicate) in own {
                self.add(terms, all, Atom::Current(v), predicate);
            }
            for (&v, &number) in procedure.returns.iter().zip(&interface.returns) {
                let predicate = all.predicates.locals[f][number];
                self.add(terms, all, Atom::Current(v), predicate);
            }
        }
    }

    /// `atom` stands for this predicate now, or when the function was entered.
    fn add(&mut self, terms: &mut Terms, all: Abstracted, atom: Atom, predicate: Term) {
        let values = &mut self.entry_values;
        let meaning = terms.substitute(predicate, |terms, leaf| {
            let &Node::Variable(s) = terms.node(leaf) else { return None };
            let then = match all.skeleton.new_of(s) {
                Some(of) => of,
                None if matches!(atom, Atom::Entry(_)) => s,
                None => return None,
            };
            let value = values.variable(terms, then);
            Some(terms.variable(value))
        });
        self.atoms.insert(atom, meaning);
    }

    /// The assertions of all layers at nodes, as conjuncts, and whether nothing had to be left out.
    fn claim(&mut self, terms: &mut Terms, id: ProcId, nodes: &[NodeId]) -> (Vec<Term>, bool) {
        let (mut all, mut is_whole) = (vec![], true);
        for node in nodes {
            let asserted = self.places.get(&(id, *node)).cloned().unwrap_or_default();
            for (layer, root) in asserted {
                for literal in self.layers[layer].0.circuit.conjuncts(root) {
                    let formula = self.formula(terms, layer, literal);
                    match self.hides(terms, formula) {
                        true => is_whole = false,
                        false => all.push(formula),
                    }
                }
            }
        }
        (all, is_whole)
    }

    /// Does a formula read what stands for nothing?
    fn hides(&self, terms: &Terms, formula: Term) -> bool {
        !self.unknown.is_empty()
            && terms.support(formula).into_iter().any(|leaf| match *terms.node(leaf) {
                Node::Variable(s) => self.unknown.contains(&s),
                _ => false,
            })
    }

    /// A literal of a layer as a formula.
    fn formula(&mut self, terms: &mut Terms, number: usize, root: Literal) -> Term {
        let (layer, known) = &mut self.layers[number];
        let mut stack = vec![root >> 1];
        while let Some(&v) = stack.last() {
            let of = |known: &Known, literal: Literal| known.get(&(literal >> 1)).copied();
            let formula = match layer.circuit.gate(v) {
                _ if known.contains_key(&v) => None,
                Some((a, b)) => match (of(known, a), of(known, b)) {
                    (Some(x), Some(y)) => {
                        let (x, y) = (signed(terms, x, a), signed(terms, y, b));
                        Some(terms.and(&[x, y]))
                    }
                    (x, y) => {
                        let open = [(a, x), (b, y)];
                        stack.extend(open.iter().filter(|o| o.1.is_none()).map(|o| o.0 >> 1));
                        continue;
                    }
                },
                None => Some(match layer.circuit.input(v) {
                    // The constant.
                    None => terms.bool(false),
                    Some(atom) => match self.atoms.get(&atom) {
                        Some(&meaning) => meaning,
                        None => {
                            let symbol = terms.fresh("stands for nothing", Sort::Bool);
                            self.unknown.insert(symbol);
                            terms.variable(symbol)
                        }
                    },
                }),
            };
            if let Some(formula) = formula {
                known.insert(v, formula);
            }
            stack.pop();
        }
        let found = known[&(root >> 1)];
        signed(terms, found, root)
    }

    /// The entry formula of a function, over globals and parameters as they are then; `None` if it
    /// is never entered.
    fn entry(
        &self,
        terms: &mut Terms,
        all: Abstracted,
        f: usize,
        conjuncts: &[Term],
    ) -> Option<Term> {
        let mut given = vec![];
        for &conjunct in conjuncts {
            let formula = terms.substitute(conjunct, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(s) => self.entry_values.of(s).map(|of| terms.variable(of)),
                _ => None,
            });
            // What is asserted of locals there holds whatever they are.
            if all.skeleton.is_given(terms, f, formula) {
                given.push(formula);
            }
        }
        let entry = terms.and(&given);
        (entry != terms.bool(false)).then_some(entry)
    }
}

fn signed(terms: &mut Terms, formula: Term, literal: Literal) -> Term {
    if literal & 1 == 1 { terms.not(formula) } else { formula }
}
