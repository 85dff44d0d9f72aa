//! Programs with threads, as programs without: in place of `main` there is one function that runs them by turns.
//!
//! A *point* is a place before something that other threads can tell: an access to what several threads may access, or a
//! call of this module's ([`calls::ThreadCall`]).  At a point, a thread notes in a variable where it is, and goes to the
//! *scheduler*, where an input says which thread goes on, from where that one is.  So each order of such steps is an
//! execution, with any number of switches: this is lazy sequentialisation as of La Torre, Madhusudan and Parlato (CAV 2009)
//! without a bound of rounds, for threads whose functions are expanded.  A statement with several such accesses is divided,
//! with a temporary for each value that it reads.  What a thread waits for is an assumption: orders in which it would wait
//! longer have it wait at the point before.
//!
//! There are as many threads as calls that start some, times [`start::REPEATED`] for calls that may be repeated; more of them, recursive functions that
//! others can tell, and what else is not followed, leave a path undecided.

mod access;
mod calls;
mod copy;
mod deadlock;
mod dying;
mod error;
mod forget;
mod frame;
mod noted;
mod race;
mod schedule;
mod shared;
mod start;
mod weave;

pub(crate) use calls::{BEGIN_ACCESS, Calls, END_ACCESS, STARTS};
use calls::{is_about_threads, unfollowed};
pub(crate) use frame::sections;
use shared::Shared;
pub(crate) use shared::{addressed, is_repeated_at, is_text, reached};
use weave::Weaver;

use crate::flow::{Flow, FunctionId, HavocKind, Instruction};
use crate::reliance::Reliance;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Span;

/// Makes a program with threads, of which these errors are asked for, one without.
pub(crate) fn lower(flow: &mut Flow, asked: Checks) {
    let calls = Calls::new(flow);
    let single: Vec<(Reliance, Option<Span>)> =
        flow.reliances.extract_if(.., |(reliance, _)| *reliance == Reliance::OneThread).collect();
    let is_woven = calls.is_needed(flow);
    let alone = asked.has(Check::Deadlock) && !is_woven;
    if is_woven {
        flow.reliances.insert((Reliance::Threads, None));
        read_volatile(flow);
        let shared = Shared::new(flow, &calls, asked.has(Check::Race));
        Weaver::new(flow, (&calls, shared), asked)
            .weave(single.first().map(|r| r.1.unwrap_or_default()));
    }
    // Where no thread is followed: what is not reached, is called through a pointer, or is not interrupted.
    for index in 0..flow.functions.len() {
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        for edge in &mut body.edges {
            let is_open = is_woven && unfollowed(flow, FunctionId(index as u32), edge).is_some();
            match calls.of(edge) {
                Some(call) if call.is_atomicity() => edge.instruction = Instruction::Skip,
                _ if alone && is_about_threads(flow, edge) => {
                    edge.instruction = Instruction::Unsupported(ALONE.to_owned());
                }
                call if is_open || is_woven && call.is_some() => {
                    edge.instruction = Instruction::Unsupported(UNFOLLOWED.to_owned());
                }
                _ => {}
            }
        }
        flow.functions[index].body = Some(body);
    }
}

/// Has volatile variables read like others: what threads, or signal handlers, do is known.
pub(crate) fn read_volatile(flow: &mut Flow) {
    let bodies = flow.functions.iter_mut().filter_map(|f| f.body.as_mut());
    for edge in bodies.flat_map(|body| &mut body.edges) {
        if let Instruction::Havoc(to, HavocKind::Volatile(read)) = &edge.instruction {
            edge.instruction = Instruction::Assign(to.clone(), read.as_ref().clone().load());
        }
    }
}

const ALONE: &str =
    "a call about threads where deadlocks are looked for, in a program that starts none";
const UNFOLLOWED: &str = "what a thread does where it is not followed";
