//! From a trace of the sequential program to one of the threads: steps are put in the order of
//! rounds.  Within a round, they are in the order in which the sequential program executes them.

use super::{Origin, Rounds};
use crate::language::concurrent::Concurrent;
use crate::language::interpret::threads::ThreadTrace;
use crate::language::trace::{Trace, TraceStep};

/// A step of a thread; threads are numbered as the sequential program calls them.
struct Taken {
    round: u32,
    thread: usize,
    step: TraceStep,
    /// The thread that begins.
    starts: Option<usize>,
    is_error: bool,
}

impl Rounds {
    /// The execution of the threads.
    pub fn threads(&self, source: &Concurrent, trace: &Trace) -> ThreadTrace {
        let globals = source.program.globals.len();
        let mut initial: Vec<bool> = trace.initial.iter().take(globals).copied().collect();
        let mut taken: Vec<Taken> = Vec::new();
        // The threads that are called, with the rounds that they are in.
        let mut open = vec![(0, 0)];
        let mut threads = 1;
        let (mut is_begun, mut later) = (false, None);
        for step in &trace.steps {
            let origin = self.origins[step.procedure.index()][step.edge.index()];
            let Some(&mut (thread, ref mut round)) = open.last_mut() else { break };
            let mut take = |(procedure, edge), choices: usize, starts, is_error| {
                let choices = step.choices.iter().take(choices).copied().collect();
                let step = TraceStep { procedure, edge, choices };
                taken.push(Taken { round: *round, thread, step, starts, is_error });
            };
            match origin {
                // The first call is that of the first thread.
                Origin::Silent if !is_begun && self.is_call(step) => {
                    is_begun = true;
                    let (formals, locals) = self.entry;
                    initial.extend(step.choices.iter().take(formals + locals));
                }
                Origin::Silent => {}
                Origin::Step(procedure, edge, own) => take((procedure, edge), own, None, false),
                Origin::Error(procedure, edge) => {
                    let own = source.program.procedure(procedure).edge(edge);
                    let own = super::procedure::choices(&own.operation);
                    // Choices for returned values come before those of the condition.
                    let choices = step.choices[step.choices.len().saturating_sub(own)..].to_vec();
                    let step = TraceStep { procedure, edge, choices };
                    taken.push(Taken { round: *round, thread, step, starts: None, is_error: true });
                }
                Origin::Start(procedure, edge, own) => {
                    take((procedure, edge), own, Some(threads), false);
                    let begins = later.take().unwrap_or(*round);
                    open.push((threads, begins));
                    threads += 1;
                }
                Origin::Later(to) => later = Some(to),
                Origin::Round(to) => *round = to,
                Origin::Back(to) => {
                    open.pop();
                    if let Some((_, round)) = open.last_mut() {
                        *round = to;
                    }
                }
            }
        }
        taken.sort_by_key(|t| t.round);
        let last = taken.iter().position(|t| t.is_error).map_or(taken.len(), |i| i + 1);
        taken.truncate(last);
        let mut numbers = vec![usize::MAX; threads];
        numbers[0] = 0;
        let mut next = 1;
        let mut steps = Vec::with_capacity(taken.len());
        for Taken { thread, step, starts, .. } in taken {
            if let Some(started) = starts {
                numbers[started] = next;
                next += 1;
            }
            steps.push((numbers[thread], step));
        }
        ThreadTrace { initial, steps }
    }

    fn is_call(&self, step: &TraceStep) -> bool {
        let edge = self.program.procedure(step.procedure).edge(step.edge);
        matches!(edge.operation, crate::language::program::Operation::Call(_))
    }
}
