//! Schedules of a few rounds as a sequential program, which any engine decides.
//!
//! In each of k rounds, each thread has a turn.  A started thread is called where it starts: it
//! executes all its turns there, on k copies of the shared variables, of which the later ones begin
//! with guessed values; then the starter goes on.  In the end the values that a round leaves behind must be
//! those that were guessed for the next one (Lal and Reps, CAV 2008, FMSD 2009; with threads that
//! are started, as calls: Emmi, Qadeer and Rakamaric, POPL 2011).
//!
//! What is shared is kept in the variables of the program, for the round that a thread is in; the
//! copies have it for the others.  A thread goes to a later round, or is not continued, only where it is
//! about to use what is shared, and never while it lets no other one step.  An error ends its
//! thread, and is one if all guesses were right.
//!
//! Executions of this program are executions of the threads, not the other way round: `back` puts the
//! steps of a trace in their order.

mod back;
mod procedure;

use rustc_hash::FxHashMap;

use crate::language::concurrent::Concurrent;
use crate::language::program::{
    EdgeId, Expr, NodeId, Op, ProcId, Procedure, Program, VarId, Variable, VariableKind,
};
use procedure::Maker;

/// What an edge of the sequential program does in the one with threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Nothing.
    Silent,
    /// A step; with the number of choices that are its own.
    Step(ProcId, EdgeId, usize),
    /// A step that starts a thread, which is called by this edge.
    Start(ProcId, EdgeId, usize),
    /// A step into an error.
    Error(ProcId, EdgeId),
    /// The thread that is called next begins in this round.
    Later(u32),
    /// The thread goes on in this round.
    Round(u32),
    /// The thread ends here, and its starter goes on in this round.
    Back(u32),
}

/// A procedure of the sequential program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    procedure: ProcId,
    /// Where it begins, if not at its entry: then its locals are formals, too.
    start: Option<NodeId>,
    /// Whether it is called by a procedure that no other thread interrupts, or is one.
    atomic: bool,
}

/// The sequential program for some number of rounds.
#[derive(Debug)]
pub(super) struct Rounds {
    pub program: Program,
    /// Of each edge of each procedure.
    origins: Vec<Vec<Origin>>,
    /// The numbers of formals and locals of the entry procedure of the program with threads.
    entry: (usize, usize),
}

/// The variables that the sequential program has beside those of the threads.
#[derive(Debug)]
struct Extra {
    /// Values of the shared variables in each round, as far as it has come.
    copies: Vec<Vec<VarId>>,
    /// The values with which rounds after the first one begin.
    guesses: Vec<Vec<VarId>>,
    /// Which round it is.
    at: Vec<VarId>,
    /// Whether the thread is not continued.
    ended: VarId,
    error: VarId,
    /// Whether the thread is behind `atomic_begin`.
    held: VarId,
}

/// Makes the program for `rounds` rounds; `None` where assignments to other threads make that
/// impossible.
pub(super) fn sequential(program: &Concurrent, rounds: usize) -> Option<Rounds> {
    if !program.passive.is_empty() {
        return None;
    }
    let mut builder = Builder::new(program, rounds);
    let main = &program.program;
    let entry = main.procedure(main.entry);
    let key = Key { procedure: main.entry, start: None, atomic: program.is_atomic(main.entry) };
    let first = builder.number(key);
    let mut done = Vec::new();
    while let Some(&key) = builder.keys.get(done.len()) {
        let id = ProcId(done.len() as u32);
        done.push(Maker::new(&mut builder, id, key).finish());
    }
    let id = ProcId(done.len() as u32);
    done.push(builder.wrapper(id, first));
    let (procedures, origins): (Vec<Procedure>, Vec<_>) = done.into_iter().unzip();
    let program = Program {
        source: main.source.clone(),
        globals: (0..builder.globals).map(VarId).collect(),
        variables: builder.variables,
        procedures,
        entry: id,
        states_error: true,
    };
    Some(Rounds { program, origins, entry: (entry.formals.len(), entry.locals.len()) })
}

struct Builder<'p> {
    source: &'p Concurrent,
    rounds: usize,
    variables: Vec<Variable>,
    /// How many variables are global: the first ones.
    globals: u32,
    /// The globals of the program with threads, by their numbers there.
    global: FxHashMap<VarId, VarId>,
    shared: Vec<VarId>,
    thread_locals: Vec<VarId>,
    extra: Extra,
    keys: Vec<Key>,
    numbers: FxHashMap<Key, ProcId>,
}

impl<'p> Builder<'p> {
    fn new(source: &'p Concurrent, rounds: usize) -> Self {
        let mut variables: Vec<Variable> = Vec::new();
        let mut add = |name: String| {
            let (kind, span) = (VariableKind::Global, Default::default());
            variables.push(Variable { name, kind, span });
            VarId(variables.len() as u32 - 1)
        };
        let program = &source.program;
        let name = |v: VarId| program.variable(v).name.clone();
        let global: FxHashMap<VarId, VarId> =
            program.globals.iter().map(|&v| (v, add(name(v)))).collect();
        let shared: Vec<VarId> = source.shared().collect();
        // No name of a program has a '@'.
        let mut copied = |what: &str, round: usize| -> Vec<VarId> {
            shared.iter().map(|&v| add(format!("{}@{what}{round}", name(v)))).collect()
        };
        let copies = (0..rounds).map(|r| copied("now", r)).collect();
        let guesses = (1..rounds).map(|r| copied("begin", r)).collect();
        let at = (0..rounds).map(|r| add(format!("@round{r}"))).collect();
        let extra = Extra {
            copies,
            guesses,
            at,
            ended: add("@ended".to_owned()),
            error: add("@error".to_owned()),
            held: add("@held".to_owned()),
        };
        Self {
            source,
            rounds,
            globals: variables.len() as u32,
            variables,
            shared: shared.iter().map(|v| global[v]).collect(),
            thread_locals: source.thread_locals.iter().map(|v| global[v]).collect(),
            global,
            extra,
            keys: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    fn number(&mut self, key: Key) -> ProcId {
        let next = ProcId(self.keys.len() as u32);
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    fn variable(&mut self, name: &str, kind: VariableKind) -> VarId {
        self.variables.push(Variable { name: name.to_owned(), kind, span: Default::default() });
        VarId(self.variables.len() as u32 - 1)
    }

    /// The procedure around all threads: it guesses, and looks whether the guesses were right.
    fn wrapper(&mut self, id: ProcId, first: ProcId) -> (Procedure, Vec<Origin>) {
        let mut copied = Maker::empty(self, id);
        copied.wrap(first);
        copied.finish()
    }
}

/// The conjunction of some conditions.
fn all(conditions: impl IntoIterator<Item = Vec<Op>>) -> Expr {
    let mut ops: Vec<Op> = Vec::new();
    for condition in conditions {
        let is_first = ops.is_empty();
        ops.extend(condition);
        if !is_first {
            ops.push(Op::And);
        }
    }
    if ops.is_empty() {
        ops.push(Op::Constant(true));
    }
    Expr { ops: ops.into() }
}
