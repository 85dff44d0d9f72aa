//! The order of BDD variables, found before the search (the library does not reorder).
//!
//! The copies of a program variable (entry value, current value, next value) are always neighbours:
//! then "nothing changes" is a relation of linear size, and a renaming keeps the order.  The items
//! that are ordered are program variables and block choices.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::engine::limits::Limits;
use crate::engine::order::{Dependencies, Item};
use crate::engine::prepare::Prepared;
use crate::engine::symbolic::state::conjuncts;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Node};

/// How variables are ordered.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::{Engine, Options, Silent, VariableOrder, check};
/// use hardbop_bp::language::{parser::parse, resolve::resolve};
/// use hardbop_bp::proof::Outcome;
///
/// let text = "decl a, b; void main() begin a := b; b := a; assert(a = b); end";
/// let tree = parse(text, Default::default()).expect("a program");
/// let program = resolve(Source::new("swap.bp", text), &tree, &Default::default()).expect("names");
/// let mut options = Options::default();
/// options.engine = Engine::Bdd;
/// options.bdd_order = VariableOrder::Declaration; // the program's author knows best
/// let report = check(&program, &options, &Budget::unlimited(), &mut Silent)?;
/// assert!(matches!(report.outcome, Outcome::Safe(_)));
/// # Ok::<(), hardbop_bp::engine::EngineError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum VariableOrder {
    /// Variables that depend on each other come close together (FORCE).
    ///
    /// Aloul, Markov, Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic",
    /// 2003, on the gates of the transition functions, from the better of the other two.
    #[default]
    Dependency,
    /// As a depth-first search through the transition functions meets them.
    DepthFirst,
    /// As the program declares them.
    Declaration,
}

/// The variable order: all items, in order.
pub(super) fn order(
    aig: &Aig,
    prepared: &Prepared,
    kind: VariableOrder,
    limits: &Limits,
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let (inputs, all) = items(aig, prepared);
    if kind == VariableOrder::Declaration {
        return Ok(all);
    }
    let mut dependencies = Dependencies::new(aig, |i: Input| inputs[i.0 as usize]);
    collect(aig, &mut dependencies, prepared, budget)?;
    all.iter().for_each(|&item| _ = dependencies.meet(item));
    match kind {
        VariableOrder::Dependency => {
            dependencies.force(all, limits.bdd.order_moves, &limits.order, budget)
        }
        _ => Ok(dependencies.items()),
    }
}

/// The item of every input, and all items in order of declaration: the choices of a procedure after
/// its variables.
fn items(aig: &Aig, prepared: &Prepared) -> (Vec<Option<Item>>, Vec<Item>) {
    let mut of_input = vec![None; aig.input_count()];
    let mut variables = BTreeSet::new();
    let mut all = vec![];
    let program = prepared.program;
    for p in program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()) {
        let blocks = prepared.blocks(p);
        for (v, input) in prepared.frame(p).slots.iter().zip(&blocks.inputs) {
            let item = Item::Variable(v.0);
            of_input[input.0 as usize] = Some(item);
            if variables.insert(v.0) {
                all.push(item);
            }
        }
        let choices = blocks.blocks.iter().flatten().flat_map(|b| &b.choices);
        for &c in choices.chain(blocks.calls.iter().flatten().flat_map(|s| &s.choices)) {
            of_input[c.0 as usize] = Some(Item::Input(c));
            all.push(Item::Input(c));
        }
    }
    (of_input, all)
}

/// Whether each node of the graph depends on a program variable.
fn of_variables(
    aig: &Aig,
    dependencies: &Dependencies<impl Fn(Input) -> Option<Item>>,
) -> Vec<bool> {
    let mut read = vec![false; aig.len()];
    for n in 0..aig.len() {
        read[n] = match aig.node(n) {
            Node::And(a, b) => read[a.node()] || read[b.node()],
            _ => matches!(dependencies.item(n), Some(Item::Variable(_))),
        };
    }
    read
}

/// The groups of all transitions, in the order of the program.
fn collect(
    aig: &Aig,
    dependencies: &mut Dependencies<impl Fn(Input) -> Option<Item>>,
    prepared: &Prepared,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let program = prepared.program;
    let read = of_variables(aig, dependencies);
    for p in program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()) {
        let (blocks, frame) = (prepared.blocks(p), prepared.frame(p));
        let variable = |slot: usize| Some(Item::Variable(frame.slots[slot].0));
        for &n in &blocks.order.sequence {
            budget.check()?;
            for exit in blocks.blocks[n as usize].iter().flat_map(|b| &b.exits) {
                for condition in conjuncts(aig, exit.state.guard) {
                    let inner = !condition.is_negated() && aig.as_input(condition).is_none();
                    // Choices alone decide the others: they need no place near a variable.
                    if !inner && read[condition.node()] {
                        dependencies.function(None, condition);
                    }
                }
                for slot in prepared.live(p, exit.target).ones() {
                    let value = exit.state.omega[slot];
                    if value != aig.input(blocks.inputs[slot]) {
                        dependencies.function(variable(slot), value);
                    }
                }
            }
            for site in &blocks.calls[n as usize] {
                let callee = &prepared.frame(site.callee).slots;
                for &(slot, value) in &site.arguments {
                    dependencies.function(Some(Item::Variable(callee[slot].0)), value);
                }
                for &(outer, inner) in &site.results {
                    let pair = variable(outer).into_iter().chain([Item::Variable(callee[inner].0)]);
                    dependencies.group(pair.collect());
                }
            }
        }
    }
    Ok(())
}
