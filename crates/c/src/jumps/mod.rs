//! Jumps by `setjmp` and `longjmp` (C11, 7.13), as returns and branches.
//!
//! A call of `setjmp` puts a *token* into the first word of its buffer: a number that no other call has, and no other
//! activation of its function.  `longjmp` reads the token into a global variable; from then on functions return, and
//! behind each call of one that may jump there is a branch on that variable.  The function whose token it is goes on
//! behind its call of `setjmp`.  If the outermost function is left, the token was of a function that had ended, or none:
//! such a jump has no meaning in C, and the path is left undecided.
//!
//! What buffers hold is ordinary memory, so copies of them are buffers too.  The signal mask is not modelled.

mod body;
mod buffer;
mod calls;
mod locals;

use body::Rewriter;
use calls::Calls;

use crate::edit::Edges;
use crate::flow::{Expr, Flow, FunctionId, Place, Variable, VariableId};
use crate::reliance::Reliance;
use crate::types::TypeId;
use hardbop_base::source::Span;

/// What all functions share.
#[derive(Debug, Clone, Copy)]
struct Shared {
    /// The token of the place to which the execution jumps; 0: it does not.
    target: VariableId,
    /// What `setjmp` returns then.
    value: VariableId,
    int: TypeId,
    /// An unsigned type that is as wide as a pointer.
    word: TypeId,
}

/// The tokens of the calls of `setjmp` in a function.
#[derive(Debug, Clone, Copy)]
enum Tokens {
    /// These numbers: the function is called once, or has no such calls.
    Constant(u64),
    /// As many of a counter: the first one is in a local variable.  The counter is as wide as a pointer, so that no execution
    /// that ends comes to its end.
    Counted { first: VariableId, count: VariableId, sites: u64 },
}

/// Replaces the jumps of a program that has some.  `handlers` is the name of the function that calls what was given to
/// `atexit`.
pub(crate) fn lower(flow: &mut Flow, handlers: &str) {
    let calls = Calls::new(flow);
    if !calls.has_jumps(flow) {
        return;
    }
    rely(flow, &calls);
    let (int, word) = (flow.types.int(), flow.types.unsigned_word());
    let global = |flow: &mut Flow, name, ty| variable(flow, name, ty, None, Span::default());
    let target = global(flow, "target of longjmp", word);
    let value = global(flow, "value of longjmp", int);
    let shared = Shared { target, value, int, word };
    let records = buffer::records(flow, &calls);
    let (mut next, mut count) = (1, None);
    for index in 0..flow.functions.len() {
        let function = FunctionId(index as u32);
        let Some(body) = flow.functions[index].body.take() else { continue };
        let sites = calls.sites(function);
        let tokens = if sites == 0 || calls.is_called_once(function) {
            next += sites;
            Tokens::Constant(next - sites)
        } else {
            let count = *count.get_or_insert_with(|| global(flow, "next target of longjmp", word));
            let span = flow.functions[index].span;
            let first = variable(flow, "first target", word, Some(function), span);
            Tokens::Counted { first, count, sites }
        };
        let is_handlers = flow.functions[index].name == handlers;
        let (code, exit, ways) = (Edges::instead_of(&body), body.exit, vec![]);
        let rewriter = Rewriter {
            flow,
            calls: &calls,
            shared,
            function,
            is_handlers,
            tokens,
            records: &records,
            code,
            exit,
            landing: None,
            ways,
        };
        let body = rewriter.body(body);
        flow.functions[index].body = Some(body);
    }
    if let Some(count) = count {
        let span = Span::default();
        flow.initialisers.push((Place::of(count, word, span), Expr::number(next, word, span)));
    }
}

/// Notes what the text relies on.
fn rely(flow: &mut Flow, calls: &Calls) {
    let mut reliances = vec![];
    let mut jumping = vec![];
    for (index, function) in flow.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        let id = FunctionId(index as u32);
        let unsettled = locals::unsettled(flow, calls, id, body);
        reliances.extend(unsettled.into_iter().map(|at| (Reliance::Jumped, Some(at))));
        jumping.extend(body.edges.iter().filter(|e| calls.may_jump(e)).map(|e| e.span));
    }
    // A call that jumps leaves the others undone.
    let orders = flow.unordered.iter().filter(|places| {
        places.calls.iter().all(|side| !side.is_empty())
            && places.calls.iter().flatten().any(|at| jumping.contains(at))
    });
    reliances.extend(orders.map(|places| (Reliance::Order, Some(places.at))));
    flow.reliances.extend(reliances);
}

/// A new variable: a global one, or a temporary of a function.
fn variable(
    flow: &mut Flow,
    name: &str,
    ty: TypeId,
    function: Option<FunctionId>,
    span: Span,
) -> VariableId {
    let number = flow.variables.len();
    let name = if function.is_some() { format!("{name}@{number}") } else { name.to_owned() };
    flow.add_variable(Variable::hidden(name, ty, function, span))
}
