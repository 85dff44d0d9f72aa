//! From a program to the [`System`] of its threads: each call becomes a part of the caller's, and
//! edges that change nothing are skipped.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Place};
use super::system::{Action, HELD, Kind, Others, Point, Return, System, TooLarge, Way};
use crate::language::concurrent::{Broadcast, Concurrent, ThreadStep};
use crate::language::program::{
    Call, EdgeId, Expr, NodeId, Op, Operation, ProcId, Procedure, VarId,
};

/// Most choices of a step: all are tried.
const CHOICES: u32 = 12;
/// Most points of the expanded program.
const POINTS: usize = 200_000;
/// Most edges of its steps, with those that are skipped before.
const SIZE: usize = 4_000_000;
/// Activations of one procedure within each other that are expanded.
const DEPTH: usize = 3;

/// Arguments with the bits that get them, and bits that get any values.
type Values = (Vec<(u32, Code)>, Vec<u32>);

/// An activation in the expanded program.
#[derive(Debug)]
struct Context {
    procedure: ProcId,
    /// The first bit of its variables.
    base: u32,
    /// The context of the caller, and the call.
    caller: Option<(usize, EdgeId)>,
    /// Whether no other thread steps meanwhile.
    atomic: bool,
    /// Whether the thread has the variables of the entry procedure.
    main: bool,
}

/// Expands a program.
pub(super) fn expand(program: &Concurrent) -> Result<System<'_>, TooLarge> {
    let shared: Vec<VarId> = program.shared().collect();
    if shared.len() > 62 {
        return Err(TooLarge::Variables);
    }
    let mut builder = Builder {
        program,
        places: shared.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect(),
        contexts: Vec::new(),
        roots: FxHashMap::default(),
        numbers: FxHashMap::default(),
        positions: Vec::new(),
        calls: FxHashMap::default(),
        size: 0,
    };
    let main = &program.program;
    let root = builder.root(main.entry)?;
    let entry = builder.point(root, main.procedure(main.entry).entry);
    let mut points = Vec::new();
    while let Some(&(context, node)) = builder.positions.get(points.len()) {
        points.push(builder.resolve(context, node)?);
        if builder.positions.len() > POINTS {
            return Err(TooLarge::Points);
        }
    }
    let of = |f: &dyn Fn(&Context) -> bool| {
        builder.positions.iter().map(|&(c, _)| f(&builder.contexts[c])).collect::<Vec<bool>>()
    };
    let in_entry = |v: &VarId| main.is_global(*v);
    let each = program.passive.iter().all(|(_, v)| in_entry(v));
    let graph = main.procedure(main.entry);
    let mut system = System {
        program,
        atomic: of(&|c| c.atomic),
        passive: of(&|c| each || c.main),
        unique: Vec::new(),
        points,
        shared,
        entry,
        entry_bits: graph.formals.iter().chain(&graph.locals).copied().collect(),
        thread_locals: program.thread_locals.len() as u32,
    };
    system.unique = unique(&system);
    Ok(system)
}

/// Points that only the first thread reaches.
fn unique(system: &System<'_>) -> Vec<bool> {
    let mut born = vec![false; system.points.len()];
    let mut work: Vec<u32> = Vec::new();
    for point in &system.points {
        let Point::Inner(actions) = point else { continue };
        work.extend(actions.iter().filter_map(|a| match a.kind {
            Kind::Start { point, .. } | Kind::StartCall { point, .. } => Some(point),
            _ => None,
        }));
    }
    while let Some(point) = work.pop() {
        if std::mem::replace(&mut born[point as usize], true) {
            continue;
        }
        match &system.points[point as usize] {
            Point::Inner(actions) => work.extend(actions.iter().map(|a| a.to)),
            Point::Return(back) => work.push(back.to),
            Point::Error | Point::End => {}
        }
    }
    born.into_iter().map(|b| !b).collect()
}

struct Builder<'p> {
    program: &'p Concurrent,
    /// The bits of shared globals.
    places: FxHashMap<VarId, u32>,
    contexts: Vec<Context>,
    /// The contexts of threads that begin in a procedure.
    roots: FxHashMap<ProcId, usize>,
    /// The points of contexts and nodes.
    numbers: FxHashMap<(usize, NodeId), u32>,
    positions: Vec<(usize, NodeId)>,
    /// The contexts of calls.
    calls: FxHashMap<(usize, EdgeId), usize>,
    /// Edges that were looked at.
    size: usize,
}

impl<'p> Builder<'p> {
    fn graph(&self, procedure: ProcId) -> &'p Procedure {
        self.program.program.procedure(procedure)
    }

    fn point(&mut self, context: usize, node: NodeId) -> u32 {
        let next = self.positions.len() as u32;
        let number = *self.numbers.entry((context, node)).or_insert(next);
        if number == next {
            self.positions.push((context, node));
        }
        number
    }

    fn root(&mut self, procedure: ProcId) -> Result<usize, TooLarge> {
        if let Some(&known) = self.roots.get(&procedure) {
            return Ok(known);
        }
        let context = Context {
            procedure,
            base: self.program.thread_locals.len() as u32,
            caller: None,
            atomic: self.program.is_atomic(procedure),
            main: procedure == self.program.program.entry,
        };
        let number = self.add(context)?;
        self.roots.insert(procedure, number);
        Ok(number)
    }

    fn add(&mut self, context: Context) -> Result<usize, TooLarge> {
        if context.base as usize + own(self.graph(context.procedure)).count() > 62 {
            return Err(TooLarge::Variables);
        }
        self.contexts.push(context);
        Ok(self.contexts.len() - 1)
    }

    fn place(&self, context: &Context, variable: VarId) -> Option<Place> {
        if let Some(&bit) = self.places.get(&variable) {
            return Some(Place::Shared(bit));
        }
        if let Some(i) = self.program.thread_locals.iter().position(|&v| v == variable) {
            return Some(Place::Local(i as u32));
        }
        if let Some(i) = own(self.graph(context.procedure)).position(|v| v == variable) {
            return Some(Place::Local(context.base + i as u32));
        }
        let (_, of) = self.program.passive.iter().find(|(passive, _)| *passive == variable)?;
        let entry = self.graph(self.program.program.entry);
        let thread_locals = self.program.thread_locals.iter().copied();
        let bit = thread_locals.chain(own(entry)).position(|v| v == *of)?;
        Some(Place::Other(bit as u32))
    }

    fn code(&self, context: usize, e: &Expr) -> Result<Code, TooLarge> {
        let context = &self.contexts[context];
        Code::new(e, |v| self.place(context, v)).ok_or(TooLarge::Variables)
    }

    fn codes(
        &self,
        context: usize,
        targets: &[VarId],
        values: &[Expr],
    ) -> Result<Vec<(Place, Code)>, TooLarge> {
        let pairs = targets.iter().zip(values);
        pairs
            .map(|(&v, e)| {
                let place = self.place(&self.contexts[context], v).ok_or(TooLarge::Variables)?;
                Ok((place, self.code(context, e)?))
            })
            .collect()
    }

    /// What happens at a node.
    fn resolve(&mut self, context: usize, node: NodeId) -> Result<Point, TooLarge> {
        let Context { procedure, base, caller, .. } = self.contexts[context];
        let graph = self.graph(procedure);
        if node == graph.error {
            return Ok(Point::Error);
        }
        if node == graph.exit {
            let Some((above, edge)) = caller else { return Ok(Point::End) };
            let edge = self.graph(self.contexts[above].procedure).edge(edge);
            let Operation::Call(call) = &edge.operation else { return Ok(Point::End) };
            let first = base + (graph.formals.len() + graph.locals.len()) as u32;
            let mut targets = Vec::new();
            for (i, target) in call.targets.iter().enumerate() {
                let Some(target) = *target else { continue };
                let place = self.place(&self.contexts[above], target);
                targets.push((place.ok_or(TooLarge::Variables)?, first + i as u32));
            }
            let to = self.point(above, edge.target);
            return Ok(Point::Return(Return { targets, keep: HELD | ((1 << base) - 1), to }));
        }
        // Nodes that are reached without any change, each with the edge to it, and where that is from.
        let mut reached: Vec<(NodeId, Option<(usize, EdgeId)>)> = vec![(node, None)];
        let mut known = FxHashSet::from_iter([node]);
        let mut actions = Vec::new();
        let mut index = 0;
        while let Some(&(node, _)) = reached.get(index) {
            for &id in &graph.outgoing[node.index()] {
                let edge = graph.edge(id);
                let changes = edge.thread.is_some()
                    || edge.target == graph.error
                    || edge.target == graph.exit
                    || !is_nothing(&edge.operation);
                if changes {
                    let mut before = Vec::new();
                    let mut at = index;
                    while let Some((from, edge)) = reached[at].1 {
                        before.push((procedure, edge));
                        at = from;
                    }
                    before.reverse();
                    self.size += before.len() + 1;
                    actions.extend(self.action(context, id, before)?);
                } else if known.insert(edge.target) {
                    reached.push((edge.target, Some((index, id))));
                }
            }
            index += 1;
            self.size += 1;
            if self.size > SIZE {
                return Err(TooLarge::Points);
            }
        }
        Ok(Point::Inner(actions))
    }

    fn action(
        &mut self,
        context: usize,
        id: EdgeId,
        before: Vec<Way>,
    ) -> Result<Option<Action>, TooLarge> {
        let procedure = self.contexts[context].procedure;
        let graph = self.graph(procedure);
        let edge = graph.edge(id);
        let mut to = None;
        let kind = match (edge.thread.as_deref(), &edge.operation) {
            (Some(ThreadStep::Born), _) => return Ok(None),
            (Some(ThreadStep::Start), _) => {
                let born = graph.outgoing[edge.source.index()].iter().map(|&e| graph.edge(e));
                let born =
                    born.into_iter().find(|e| e.thread.as_deref() == Some(&ThreadStep::Born));
                // Both edges are made together.
                let Some(born) = born else { return Ok(None) };
                let root = self.root(procedure)?;
                let point = self.point(root, born.target);
                Kind::Start { point, base: self.contexts[context].base }
            }
            (Some(ThreadStep::Call(call)), _) => {
                let root = self.root(call.callee)?;
                let point = self.point(root, self.graph(call.callee).entry);
                let (arguments, fresh) = self.arguments(context, call, root)?;
                Kind::StartCall { point, arguments, fresh }
            }
            (Some(ThreadStep::End), _) => Kind::End,
            (Some(ThreadStep::AtomicBegin), _) => Kind::Atomic(true),
            (Some(ThreadStep::AtomicEnd), _) => Kind::Atomic(false),
            (Some(ThreadStep::Broadcast(b)), operation) => {
                let others = Some(self.others(context, b)?);
                match operation {
                    Operation::Assign(a) => Kind::Assign {
                        targets: self.codes(context, &a.targets, &a.values)?,
                        constrain: self.optional(context, a.constrain.as_ref())?,
                        others,
                    },
                    Operation::Assume(e) => {
                        let constrain = Some(self.code(context, e)?);
                        Kind::Assign { targets: Vec::new(), constrain, others }
                    }
                    _ => Kind::Assign { targets: Vec::new(), constrain: None, others },
                }
            }
            (None, Operation::Skip) => Kind::Assume(self.code(context, &Expr::constant(true))?),
            (None, Operation::Assume(e)) => Kind::Assume(self.code(context, e)?),
            (None, Operation::Assign(a)) => Kind::Assign {
                targets: self.codes(context, &a.targets, &a.values)?,
                constrain: self.optional(context, a.constrain.as_ref())?,
                others: None,
            },
            (None, Operation::Call(call)) => match self.callee(context, id, call)? {
                None => Kind::Cut,
                Some(callee) => {
                    to = Some(self.point(callee, self.graph(call.callee).entry));
                    let (arguments, fresh) = self.arguments(context, call, callee)?;
                    Kind::Call { arguments, fresh }
                }
            },
        };
        let choices = choices(&kind);
        let of_others = match &kind {
            Kind::Assign { others: Some(others), .. } => others.choices,
            _ => 0,
        };
        if choices > CHOICES || of_others > CHOICES {
            return Err(TooLarge::Choices);
        }
        let to = to.unwrap_or_else(|| self.point(context, edge.target));
        Ok(Some(Action { before, edge: (procedure, id), kind, choices, to }))
    }

    fn optional(&self, context: usize, e: Option<&Expr>) -> Result<Option<Code>, TooLarge> {
        e.map(|e| self.code(context, e)).transpose()
    }

    fn others(&self, context: usize, b: &Broadcast) -> Result<Others, TooLarge> {
        Ok(Others {
            targets: self.codes(context, &b.targets, &b.values)?,
            constrain: self.optional(context, b.constrain.as_ref())?,
            choices: b.choices() as u32,
        })
    }

    /// The context of a call; none where it is too deep.
    fn callee(
        &mut self,
        context: usize,
        id: EdgeId,
        call: &Call,
    ) -> Result<Option<usize>, TooLarge> {
        if let Some(&known) = self.calls.get(&(context, id)) {
            return Ok(Some(known));
        }
        let (mut same, mut at) = (0, Some(context));
        while let Some(number) = at {
            same += usize::from(self.contexts[number].procedure == call.callee);
            at = self.contexts[number].caller.map(|(above, _)| above);
        }
        if same >= DEPTH {
            return Ok(None);
        }
        let Context { procedure, base, atomic, main, .. } = self.contexts[context];
        let callee = self.add(Context {
            procedure: call.callee,
            base: base + own(self.graph(procedure)).count() as u32,
            caller: Some((context, id)),
            atomic: atomic || self.program.is_atomic(call.callee),
            main,
        })?;
        self.calls.insert((context, id), callee);
        Ok(Some(callee))
    }

    fn arguments(&self, context: usize, call: &Call, callee: usize) -> Result<Values, TooLarge> {
        let base = self.contexts[callee].base;
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for (i, e) in call.arguments.iter().enumerate() {
            arguments.push((base + i as u32, self.code(context, e)?));
        }
        let locals = self.graph(call.callee).locals.len() as u32;
        let first = base + arguments.len() as u32;
        Ok((arguments, (first..first + locals).collect()))
    }
}

fn choices(kind: &Kind) -> u32 {
    let all = |codes: &[(Place, Code)]| codes.iter().map(|(_, c)| c.choices).sum::<u32>();
    match kind {
        Kind::Assume(code) => code.choices,
        Kind::Assign { targets, constrain, .. } => {
            all(targets) + constrain.as_ref().map_or(0, |c| c.choices)
        }
        Kind::Call { arguments, fresh } | Kind::StartCall { arguments, fresh, .. } => {
            arguments.iter().map(|(_, c)| c.choices).sum::<u32>() + fresh.len() as u32
        }
        Kind::Start { .. } | Kind::End | Kind::Atomic(_) | Kind::Cut => 0,
    }
}

/// The variables of an activation, in the order of their bits.
fn own(procedure: &Procedure) -> impl Iterator<Item = VarId> + '_ {
    procedure.formals.iter().chain(&procedure.locals).chain(&procedure.returns).copied()
}

/// Whether an operation can always be done and changes nothing.
fn is_nothing(operation: &Operation) -> bool {
    match operation {
        Operation::Skip => true,
        Operation::Assume(e) => *e.ops == [Op::Constant(true)],
        _ => false,
    }
}
