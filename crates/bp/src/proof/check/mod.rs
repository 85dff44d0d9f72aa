//! Does an invariant prove that no error node is reachable?  Independent of the engines.
//!
//! The assertions of all layers together are inductive:
//!
//! 1. the entry procedure is entered with its assertions, whatever the values;
//! 2. each path from one cut node to the next (`region`) leads from assertions to assertions;
//! 3. each call enters the callee with its entry assertions; after the call, the callee's exit
//!    assertions hold for its entry and exit values.
//!
//! So they hold in every execution wherever they stand.  At each error node they contradict each
//! other, so it is not reached.
//!
//! Choices in an assumption are free variables; in an obligation they are existentially quantified,
//! which makes it a 2QBF query.  Return slots start with any value.
//!
//! Large invariants say the same thing nearly everywhere.  So they are split into conjuncts
//! (`assertion`): what an assumption says a variable equals is substituted, and a conjunct that
//! is then identical, gate for gate, to an assumed one needs no solver.  Long exclusive ors are
//! eliminated (`parity`), unless SAT queries are to come with proofs.

mod assertion;
mod parity;
mod query;
mod region;
mod statement;

use super::failure::{Effort, Failure, Obligation, Unproved};
use super::formula::{FALSE, TRUE};
use super::invariant::{ByPlace, Invariant};
use super::solving::Asker;
pub use super::solving::{CheckerObserver, CheckerOptions, Silent, Solved};
use crate::language::program::{ProcId, Program};
use assertion::{Encoding, Goal};
use hardbop_base::budget::Budget;
use query::{contradictory, implied};
use region::Cuts;

/// Checks an invariant; adds to `effort`.
///
/// # Errors
/// The first obligation that does not hold, or the limit that was reached.
pub fn check(
    program: &Program,
    invariant: &Invariant,
    options: &CheckerOptions,
    budget: &Budget,
    observer: &mut dyn CheckerObserver,
    effort: &mut Effort,
) -> Result<(), Unproved> {
    budget.check()?;
    invariant.validate(program)?;
    let places = &invariant.by_place();
    let subject = Subject { program, invariant, places, budget };
    let mut asker = Asker { options, budget, observer, effort };
    let mut encoding = Encoding::new(subject);
    let place = (program.entry, program.procedure(program.entry).entry);
    let (entry, current) = encoding.arbitrary(place);
    encoding.oblige((Obligation::Start, place, None), TRUE, &entry, &current);
    prove(encoding, subject, program.entry, &mut asker)?;
    for id in program.procedure_ids() {
        let procedure = program.procedure(id);
        let asserted = |n| places.contains_key(&(id, n));
        let cuts = Cuts::new(procedure, procedure.node_ids().map(asserted).collect());
        for node in procedure.node_ids().filter(|n| cuts.is_cut[n.index()]) {
            let mut encoding = Encoding::new(subject);
            encoding.region(&cuts, (id, node))?;
            prove(encoding, subject, id, &mut asker)?;
        }
    }
    Ok(())
}

/// The program and the invariant that is checked.
#[derive(Clone, Copy)]
struct Subject<'a> {
    program: &'a Program,
    invariant: &'a Invariant,
    places: &'a ByPlace,
    budget: &'a Budget,
}

/// Proves all goals: one query for all those without choices, and one for each of the others.
fn prove(all: Encoding, subject: Subject, id: ProcId, asker: &mut Asker) -> Result<(), Unproved> {
    asker.budget.check()?;
    let Encoding { mut formula, mut goals, facts, .. } = all;
    // What follows by elimination has no proof that another program could check.
    if !asker.options.proofs {
        parity::settle(&formula, &facts, &mut goals, asker.budget)?;
    }
    let plain = |goal: &Goal| goal.ways[0].1.is_empty();
    let mut violated = FALSE;
    for goal in goals.iter().filter(|g| plain(g)) {
        let all = formula.all(&goal.ways[0].0);
        let this = formula.and(goal.reached, all ^ 1);
        violated = formula.or(violated, this);
    }
    if contradictory(&formula, &[&facts[..], &[violated]].concat(), asker)? {
        goals.retain(|g| !plain(g));
    }
    // One by one: those with choices, or all of them to find out which one fails.
    'goals: for Goal { what: (obligation, place, last), layer, reached, ways } in goals {
        let premises = [&facts[..], &[reached]].concat();
        for (all, choices) in ways {
            if implied(&mut formula, &premises, &all, &choices, asker)? {
                continue 'goals;
            }
        }
        let layer = subject.invariant.layers.get(layer).map(|l| l.name.clone());
        let at = (last, place.1);
        return Err(Unproved::Fails(Failure::new(subject.program, obligation, layer, id, at)));
    }
    Ok(())
}
