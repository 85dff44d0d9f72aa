//! Signals of programs without threads: where the program can tell that one has come, it may come.
//!
//! The library (`library/models/signal.c`) knows which signals have handlers, and has a function that runs those of any
//! signals.  It is called before each access to what handlers access ([`handlers::Handlers`]), before and behind calls about signals, at the
//! program's ends, and in loops.  A statement with several of them is divided, with a temporary for
//! each value that it reads.  Between two such calls a handler does what it would do at the second one.
//!
//! A handler is not interrupted by other signals.  Left undecided are: two signals that have handlers at once, of which the order of
//! accesses counts; calls of the library and assignments to bit-fields that access what handlers access, too, and copies of
//! records that they access more than once ([`handlers::Handlers::are_amid`]); a program that starts threads, too; a function
//! which accesses those objects, or keeps something in the library, and is called by handlers and by others; and what follows a
//! jump out of a handler.

mod divide;
mod handlers;

use std::collections::BTreeMap;

use divide::Divider;
use handlers::{Handlers, is_about_signals};

use crate::edit::Edges;
use crate::flow::{Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, LocationId};
use crate::reliance::Reliance;
use crate::threads::{Calls, read_volatile, sections};
use hardbop_base::errors::Checks;

/// The function of the library that runs handlers.
const COME: &str = "__signals_come";

/// The one that leaves undecided that they come in the midst of an access.
const AMID: &str = "__signals_come_amid";

/// What the file leaves undecided where signals are not followed, and where handlers interrupt each other.
const HANDLER: &str = "a signal handler of the program";
const MEETING: &str = "signal handlers that interrupt each other";

const BOTH: &str = "a function that signal handlers and others call";

/// Has signals come in a program that has handlers of its own, where these errors are asked for.
pub(crate) fn lower(flow: &mut Flow, asked: Checks) {
    let [Some(come), Some(amid)] = [COME, AMID].map(|name| of_library(flow, name)) else { return };
    let calls = Calls::new(flow);
    // Where the program ends counts for these.
    if !installs(flow) || calls.is_needed(flow) || asked.are_of_ends() {
        return;
    }
    read_volatile(flow);
    let handlers = Handlers::new(flow);
    for index in 0..flow.functions.len() {
        let function = FunctionId(index as u32);
        let Some(body) = flow.functions[index].body.take() else { continue };
        if flow.is_in_library(flow.functions[index].span) {
            let body = refused(body, |edge| handlers.keeps(flow, edge));
            flow.functions[index].body = Some(body);
            continue;
        }
        let body = match handlers.is_within(function) {
            true if handlers.is_also_outside(function) => {
                refused(body, |edge| handlers.accesses(flow, edge) > 0)
            }
            true => body,
            false => {
                let atomic = sections(&calls, &body, false);
                let (exit, code) = (body.exit, Edges::instead_of(&body));
                let (handlers, calls) = (&handlers, &calls);
                let divider =
                    Divider { flow, handlers, calls, function, come, amid, atomic, exit, code };
                interrupted(body, divider)
            }
        };
        flow.functions[index].body = Some(body);
    }
    let follows = [Some(HANDLER), handlers.are_simple().then_some(MEETING)];
    let bodies = flow.functions.iter_mut().filter_map(|f| f.body.as_mut());
    for edge in bodies.flat_map(|body| &mut body.edges) {
        if matches!(&edge.instruction, Instruction::Unsupported(what) if follows.contains(&Some(what)))
        {
            edge.instruction = Instruction::Skip;
        }
    }
    flow.reliances.insert((Reliance::Signals, None));
}

/// The function of this name in the library's file about signals.
fn of_library(flow: &Flow, name: &str) -> Option<FunctionId> {
    let mut all = (0..flow.functions.len() as u32).map(FunctionId);
    all.find(|&f| flow.functions[f.0 as usize].name == name && is_about_signals(flow, f))
}

/// Whether the program may give a signal a handler: with other values than `SIG_DFL` and `SIG_IGN` in the text, and by calls
/// that are in the text.
fn installs(flow: &Flow) -> bool {
    let is_value = |part: &Expr| matches!(part.kind, ExprKind::FunctionAddress(f) if is_about_signals(flow, f));
    // With `-std=c99`, glibc's header has `signal` stand for a function whose handlers run once.
    if flow.parts().any(is_value) || flow.source.text.contains("\"__sysv_signal\"") {
        return false;
    }
    let functions = (0..flow.functions.len() as u32).map(FunctionId);
    let own = functions.filter(|f| !flow.is_of_library(*f));
    let bodies = own.filter_map(|f| flow.functions[f.0 as usize].body.as_ref());
    bodies.flat_map(|body| &body.edges).any(|edge| {
        let Instruction::Call { callee: Callee::Function(f), arguments, .. } = &edge.instruction
        else {
            return false;
        };
        let is_one = matches!(
            flow.functions[f.0 as usize].name.as_str(),
            "signal" | "bsd_signal" | "sigaction"
        );
        let action = arguments.get(1).map(|action| flow.constant(action.unconverted()));
        is_one && is_about_signals(flow, *f) && !matches!(action, Some(Some(0 | 1)))
    })
}

/// A body in which these edges are undecided.
fn refused(mut body: Body, is_one: impl Fn(&Edge) -> bool) -> Body {
    for edge in &mut body.edges {
        if is_one(edge) {
            edge.instruction = Instruction::Unsupported(BOTH.to_owned());
        }
    }
    body
}

/// A body with the calls that have signals come.
fn interrupted(body: Body, mut divider: Divider<'_>) -> Body {
    let loops = if divider.handlers.may_fail() { loop_heads(&body) } else { vec![] };
    let mut by_source: BTreeMap<LocationId, Vec<Edge>> = BTreeMap::new();
    for edge in body.edges.clone() {
        by_source.entry(edge.source).or_default().push(edge);
    }
    for (source, edges) in by_source {
        let at = match loops.contains(&source) {
            true => divider.come(source, edges[0].span),
            false => source,
        };
        divider.edges(at, edges);
    }
    divider.code.finish(body)
}

/// Locations of which each circle in a body has one: those to which an edge of a walk leads back.
fn loop_heads(body: &Body) -> Vec<LocationId> {
    let mut next: Vec<Vec<LocationId>> = vec![vec![]; body.locations as usize];
    for edge in &body.edges {
        next[edge.source.0 as usize].push(edge.target);
    }
    let mut heads = vec![];
    let (mut is_seen, mut is_open) = (vec![false; next.len()], vec![false; next.len()]);
    let mut open = vec![(body.entry, 0)];
    is_seen[body.entry.0 as usize] = true;
    is_open[body.entry.0 as usize] = true;
    while let Some((at, done)) = open.last_mut() {
        let at = at.0 as usize;
        let Some(&to) = next[at].get(*done) else {
            is_open[at] = false;
            open.pop();
            continue;
        };
        *done += 1;
        if is_open[to.0 as usize] && !heads.contains(&to) {
            heads.push(to);
        }
        if !std::mem::replace(&mut is_seen[to.0 as usize], true) {
            is_open[to.0 as usize] = true;
            open.push((to, 0));
        }
    }
    heads
}
