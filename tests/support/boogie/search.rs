//! Sharir and Pnueli's functional approach, one state at a time.  Values that no statement reads
//! any more are forgotten, or those of every `havoc` would be told apart for ever.

use std::collections::{HashMap, HashSet};

use super::{Bit, Bits, Procedure, Program, Statement, set};

/// A procedure with the globals and parameters with which it was entered.
#[derive(Default)]
struct Context {
    procedure: usize,
    seen: HashSet<(usize, Bits)>,
    /// Globals and results at the end.
    exits: HashSet<Bits>,
    /// Calls: the context, the place behind the call, the state before it, and the targets.
    callers: Vec<(usize, usize, Bits, Vec<Bit>)>,
}

pub struct Search<'p> {
    program: &'p Program,
    /// By procedure and place: the variables that matter there.
    live: Vec<Vec<Bits>>,
    contexts: Vec<Context>,
    known: HashMap<(usize, Bits), usize>,
    work: Vec<(usize, usize, Bits)>,
}

impl<'p> Search<'p> {
    pub fn new(program: &'p Program) -> Self {
        let live = program.procedures.iter().map(|p| live(p, program.globals)).collect();
        Self { program, live, contexts: vec![], known: HashMap::new(), work: vec![] }
    }

    /// Whether an assertion can fail; `None` after `limit` steps.
    pub fn run(mut self, limit: usize) -> Option<bool> {
        let entry = self.program.entry;
        let parameters = set(&self.program.procedures[entry].parameters);
        for state in subsets(self.program.globals | parameters) {
            if self.known.len() > limit {
                return None;
            }
            self.enter(entry, state);
        }
        let mut steps = 0;
        while let Some((context, at, state)) = self.work.pop() {
            steps += 1;
            if steps > limit {
                return None;
            }
            if self.step(context, at, state) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The context of an entry.
    fn enter(&mut self, procedure: usize, state: Bits) -> usize {
        let state = state & (self.live[procedure][0] | self.program.globals);
        if let Some(&context) = self.known.get(&(procedure, state)) {
            return context;
        }
        let context = self.contexts.len();
        self.known.insert((procedure, state), context);
        self.contexts.push(Context { procedure, ..Context::default() });
        let callee = &self.program.procedures[procedure];
        // What is neither given nor dead has any value.
        let open = self.live[procedure][0] & callee.own & !set(&callee.parameters);
        for values in subsets(open) {
            self.reach(context, 0, state | values);
        }
        context
    }

    fn reach(&mut self, context: usize, at: usize, state: Bits) {
        let state = state & self.live[self.contexts[context].procedure][at];
        if self.contexts[context].seen.insert((at, state)) {
            self.work.push((context, at, state));
        }
    }

    /// Does an assertion fail here?
    fn step(&mut self, context: usize, at: usize, state: Bits) -> bool {
        let program = self.program;
        let procedure = &program.procedures[self.contexts[context].procedure];
        match &procedure.statements[at] {
            Statement::Assert(e) if !e.value(state) => return true,
            Statement::Assume(e) if !e.value(state) => {}
            Statement::Assert(_) | Statement::Assume(_) => self.reach(context, at + 1, state),
            Statement::Havoc(bit) => {
                self.reach(context, at + 1, state | 1 << bit);
                self.reach(context, at + 1, state & !(1 << bit));
            }
            Statement::Assign(targets, values) => {
                let values: Vec<bool> = values.iter().map(|e| e.value(state)).collect();
                self.reach(context, at + 1, assigned(state, targets, &values));
            }
            Statement::Goto(targets) => {
                for &target in targets {
                    self.reach(context, target, state);
                }
            }
            Statement::Call { procedure, arguments, targets } => {
                let values: Vec<bool> = arguments.iter().map(|e| e.value(state)).collect();
                let parameters = &program.procedures[*procedure].parameters;
                let inner =
                    self.enter(*procedure, assigned(state & program.globals, parameters, &values));
                let caller = (context, at + 1, state, targets.clone());
                let exits: Vec<Bits> = self.contexts[inner].exits.iter().copied().collect();
                for exit in exits {
                    self.give_back(*procedure, exit, &caller);
                }
                self.contexts[inner].callers.push(caller);
            }
            Statement::Return => {
                let exit = state & (program.globals | set(&procedure.results));
                if self.contexts[context].exits.insert(exit) {
                    let callee = self.contexts[context].procedure;
                    for caller in self.contexts[context].callers.clone() {
                        self.give_back(callee, exit, &caller);
                    }
                }
            }
        }
        false
    }

    /// Goes on behind a call.
    fn give_back(&mut self, callee: usize, exit: Bits, caller: &(usize, usize, Bits, Vec<Bit>)) {
        let (context, at, before, targets) = caller;
        let globals = self.program.globals;
        let results = &self.program.procedures[callee].results;
        let values: Vec<bool> = results.iter().map(|bit| exit >> bit & 1 == 1).collect();
        let state = before & !globals | exit & globals;
        self.reach(*context, *at, assigned(state, targets, &values));
    }
}

fn assigned(mut state: Bits, targets: &[Bit], values: &[bool]) -> Bits {
    for (bit, value) in targets.iter().zip(values) {
        state = state & !(1 << bit) | Bits::from(*value) << bit;
    }
    state
}

/// All subsets of a set.
fn subsets(all: Bits) -> impl Iterator<Item = Bits> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let now: Bits = next?;
        next = (now != all).then(|| (now | !all).wrapping_add(1) & all);
        Some(now)
    })
}

/// By place: globals, and what is read before it is written.
fn live(procedure: &Procedure, globals: Bits) -> Vec<Bits> {
    let mut live = vec![globals; procedure.statements.len()];
    loop {
        let before = live.clone();
        for (at, statement) in procedure.statements.iter().enumerate().rev() {
            let after = statement.successors(at).iter().fold(globals, |all, &s| all | live[s]);
            let read = match statement {
                Statement::Return => set(&procedure.results),
                _ => statement.reads(),
            };
            live[at] = after & !statement.writes() | read | globals;
        }
        if live == before {
            return live;
        }
    }
}
