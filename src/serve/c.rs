//! The methods for C programs and for control-flow automata.

use serde_json::json;

use super::answered::{Answered, check_limits, failed, internal, refused, value};
use super::given::{c_source, described, limit, misplaced};
use super::host::Host;
use super::options::overlay;
use super::params::{self, AutomataParams, CheckParams};
use super::protocol::{Code, ErrorBody};
use super::work::Call;
use hardbop_c::{on_large_stack, parse, read_for_check, with_line_marks};
use hardbop_refine::cegar::Progress;
use hardbop_refine::model;
use hardbop_report::document::{AutomataOptions, COptions};
use hardbop_session::{self as session, nothing};
use hardbop_smt::Terms;
use hardbop_verify::Watcher;

/// Tells the client how far a run is.
struct Watch<'a>(&'a Call<'a>);

impl Watcher for Watch<'_> {
    fn progress(&mut self, progress: Progress) {
        self.0.progress(|| {
            let (refinements, nodes, predicates, abstractions) = match progress {
                Progress::Tree(s) => {
                    let abstractions = s.model.abstraction.abstractions;
                    (s.refinements, s.model.tree_nodes, s.predicates, abstractions)
                }
                Progress::Boolean(s) => (s.refinements, 0, s.predicates, s.model.abstractions),
            };
            json!({
                "refinements": refinements,
                "tree-nodes": nodes,
                "predicates": predicates,
                "abstractions": abstractions,
            })
        });
    }
}

/// `check-c`
pub(super) fn check_c(host: &dyn Host, call: &Call) -> Answered {
    let given: CheckParams = params::read(call.params)?;
    if given.certificate {
        let message =
            "certificates of C programs are written by 'hardbop check --certificate' only";
        return Err(ErrorBody::new(Code::InvalidParams, message));
    }
    let mut options: COptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    let mut reading = options.reading();
    let source = c_source(host, (given.text, given.path, given.name), &reading)?;
    let decided = on_large_stack(|| {
        let flow = read_for_check(&mut reading, |reading| parse(source.clone(), reading))
            .map_err(|d| ErrorBody::mistakes(&with_line_marks(source.clone()), &d))?;
        options.property = reading.property;
        let property = &options.property;
        nothing::in_c(&flow, property, property.asked_labels()).map_err(|e| refused(&e))?;
        let checked = session::c::check(&flow, &options, call.budget, &mut Watch(call));
        Ok(checked.map_err(|e| failed(&e))?.1)
    });
    let answer = decided.unwrap_or_else(|e| Err(internal(&e)))?;
    value(&answer.only(given.trace, given.statistics))
}

/// `check-automata`
pub(super) fn check_automata(call: &Call) -> Answered {
    let given: AutomataParams = params::read(call.params)?;
    let mut options: AutomataOptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    let mut terms = Terms::new();
    let Some(described) = described(&given.description, &mut terms, call.budget)? else {
        return Ok(call.given_up(limit(call)));
    };
    options.verify.predicates =
        model::predicates(&mut terms, &described.program, &given.predicates)
            .map_err(|e| misplaced(&e))?;
    let program = (&given.description, &described);
    let checked = session::automata::check(terms, program, &options, call.budget, &mut Watch(call));
    let mut document = checked.map_err(|e| failed(&e))?.only(given.trace, given.statistics);
    if !given.invariants {
        document.invariants.clear();
    }
    value(&document)
}
