//! Follows the ways of a block from the call that makes it.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::key::Key;
use super::reads::{At, Site, library};
use super::state::State;
use super::written::{Bits, of_place, of_pointer};
use crate::flow::{
    Base, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place, VariableId,
    VariableKind,
};
use crate::library::{Execution, Writes};
use crate::lower::rests::facts::{Facts, Scope};
use crate::lower::rests::set::Set;
use crate::points_to::{PointsTo, Targets};

/// The program as the walk needs it.
pub(super) struct Graph<'g> {
    flow: &'g Flow,
    outgoing: FxHashMap<FunctionId, Vec<Vec<u32>>>,
    targets: FxHashMap<At, Targets>,
    callers: FxHashMap<FunctionId, Vec<At>>,
    /// Variables that pointers may lead to.
    addressed: FxHashSet<VariableId>,
}

impl<'g> Graph<'g> {
    pub fn new(flow: &'g Flow, points_to: &PointsTo<'_>, functions: &[FunctionId]) -> Self {
        let mut graph = Self {
            flow,
            outgoing: FxHashMap::default(),
            targets: FxHashMap::default(),
            callers: FxHashMap::default(),
            addressed: FxHashSet::default(),
        };
        for &function in functions {
            let Some(body) = &flow.functions[function.0 as usize].body else { continue };
            let mut outgoing = vec![vec![]; body.locations as usize];
            for (i, edge) in body.edges.iter().enumerate() {
                let at = (function, i as u32);
                outgoing[edge.source.0 as usize].push(at.1);
                for part in edge.instruction.parts() {
                    if let ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) = part.kind {
                        graph.addressed.insert(v);
                    }
                }
                if let Instruction::Call { .. } = edge.instruction {
                    let targets = points_to.targets(function, at.1);
                    for &callee in &targets.functions {
                        graph.callers.entry(callee).or_default().push(at);
                    }
                    graph.targets.insert(at, targets);
                }
            }
            graph.outgoing.insert(function, outgoing);
        }
        for part in flow.initialisers.iter().flat_map(|(_, value)| value.parts()) {
            if let ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) = part.kind {
                graph.addressed.insert(v);
            }
        }
        graph
    }

    pub fn edge(&self, (function, edge): At) -> Option<&'g Edge> {
        self.flow.functions[function.0 as usize].body.as_ref()?.edges.get(edge as usize)
    }

    /// The facts that hold at the locations of a function, whatever the way from its start.
    pub fn facts(&self, function: FunctionId) -> FxHashMap<u32, Facts> {
        let body = self.flow.functions[function.0 as usize].body.as_ref();
        let (Some(body), Some(outgoing)) = (body, self.outgoing.get(&function)) else {
            return FxHashMap::default();
        };
        let mut facts: FxHashMap<u32, Facts> = FxHashMap::default();
        facts.insert(body.entry.0, Facts::default());
        let mut open = VecDeque::from([body.entry.0]);
        let is_own = |v| self.is_own(v);
        let scope = Scope { is_own: &is_own, types: &self.flow.types };
        while let Some(location) = open.pop_front() {
            let Some(here) = facts.get(&location).cloned() else { continue };
            for &edge in &outgoing[location as usize] {
                let Edge { instruction, target, .. } = &body.edges[edge as usize];
                let mut after = here.clone();
                if !after.execute(instruction, &scope) {
                    continue;
                }
                let is_new = match facts.get_mut(&target.0) {
                    Some(there) => there.meet(&after),
                    None => {
                        facts.insert(target.0, after);
                        true
                    }
                };
                if is_new {
                    open.push_back(target.0);
                }
            }
        }
        facts
    }

    /// Whether only its function, by its name, changes the variable.
    fn is_own(&self, id: VariableId) -> bool {
        let kind = self.flow.variables[id.0 as usize].kind;
        !matches!(kind, VariableKind::Global | VariableKind::External)
            && !self.addressed.contains(&id)
    }
}

/// The ways of the blocks that one call makes.
pub(super) struct Walk<'g> {
    graph: &'g Graph<'g>,
    site: &'g Site<'g>,
    states: FxHashMap<(FunctionId, u32), State>,
    open: VecDeque<(FunctionId, u32)>,
    /// The calls of each function that was entered, with the state before.
    entered: FxHashMap<FunctionId, FxHashMap<At, State>>,
    /// The states at the exits, and whether the address is returned.
    ends: FxHashMap<FunctionId, (State, bool)>,
    found: bool,
}

impl<'g> Walk<'g> {
    pub fn new(graph: &'g Graph<'g>, site: &'g Site<'g>) -> Self {
        Self {
            graph,
            site,
            states: FxHashMap::default(),
            open: VecDeque::new(),
            entered: FxHashMap::default(),
            ends: FxHashMap::default(),
            found: false,
        }
    }

    /// Whether something of a block that the call at `start` makes may be read without a value, or there are too few `steps`.
    pub fn finds(mut self, start: At, facts: Facts, steps: &mut u32) -> bool {
        let Some(edge) = self.graph.edge(start) else { return false };
        let Instruction::Call { result: Some(result), .. } = &edge.instruction else {
            return false;
        };
        let mut state = State {
            aliases: vec![],
            has_escaped: false,
            without: Set::all(self.site.leaves.len()),
            facts,
            is_held: false,
            is_new: true,
        };
        self.hold(&mut state, result);
        self.reach(start.0, edge.target.0, state);
        while let Some((function, location)) = self.open.pop_front() {
            let Some(state) = self.states.get(&(function, location)).cloned() else { continue };
            let edges = self.graph.outgoing.get(&function).map(|all| &all[location as usize]);
            for &edge in edges.into_iter().flatten() {
                *steps = steps.saturating_sub(1);
                self.step((function, edge), state.clone());
            }
            if self.found || *steps == 0 {
                return true;
            }
        }
        false
    }

    fn reach(&mut self, function: FunctionId, location: u32, state: State) {
        if !state.matters() {
            return;
        }
        let at = (function, location);
        let is_new = match self.states.get_mut(&at) {
            Some(known) => known.include(&state),
            None => {
                self.states.insert(at, state);
                true
            }
        };
        if is_new {
            self.open.push_back(at);
        }
    }

    fn step(&mut self, at: At, mut state: State) {
        let Some(edge) = self.graph.edge(at) else { return };
        let flow = self.graph.flow;
        for &(leaf, pointer) in self.site.reads.get(&at).into_iter().flatten() {
            let leads_there = state.has_escaped || state.carries(flow, pointer);
            self.found |= state.without.has(leaf) && leads_there;
        }
        match &edge.instruction {
            Instruction::Error(_) | Instruction::Halt | Instruction::Unsupported(_) => return,
            Instruction::Skip => {}
            Instruction::Assume { condition, expected } => {
                let is_own = |v: VariableId| self.graph.is_own(v);
                let scope = Scope { is_own: &is_own, types: &flow.types };
                if state.denies(flow, condition, *expected)
                    || !state.facts.decide(condition, *expected, &scope)
                {
                    return;
                }
            }
            Instruction::Havoc(place, kind) => {
                if !matches!(kind, HavocKind::Uninitialised) {
                    self.write(&mut state, place);
                }
                self.overwrite(&mut state, place, false);
            }
            Instruction::Assign(place, value) => self.assign(&mut state, place, value),
            Instruction::Return(value) => return self.end(at.0, state, value.as_ref()),
            Instruction::Call { result, arguments, .. } => {
                return self.call(at, edge, (result.as_ref(), arguments), state);
            }
        }
        self.reach(at.0, edge.target.0, state);
    }

    fn assign(&mut self, state: &mut State, place: &Place, value: &Expr) {
        let flow = self.graph.flow;
        let (is_start, carries) = (state.is_start(flow, value), state.carries(flow, value));
        self.write(state, place);
        let own = match place.base {
            Base::Variable(v) if place.path.is_empty() && self.graph.is_own(v) => Some(v),
            _ => None,
        };
        self.overwrite(state, place, carries && !is_start);
        match own {
            Some(v) => state.facts.assign(v, value),
            None if carries => state.has_escaped = true,
            None => {}
        }
        if is_start {
            self.hold(state, place);
        }
    }

    /// Notes that the place holds the address.
    fn hold(&self, state: &mut State, place: &Place) {
        let key = Key::new(self.graph.flow, place);
        let is_own = key.as_ref().is_some_and(|k| k.is_variable() && self.graph.is_own(k.root));
        // Others may find it in all other places.
        state.has_escaped |= !is_own;
        state.aliases.extend(key);
        state.aliases.sort();
        state.aliases.dedup();
    }

    /// A write gives leaves values.
    fn write(&self, state: &mut State, place: &Place) {
        if let Some(bits) = of_place(self.graph.flow, state, place) {
            self.fill(state, &bits);
        }
    }

    fn fill(&self, state: &mut State, bits: &Bits) {
        for (i, leaf) in self.site.leaves.iter().enumerate() {
            if state.without.has(i) && bits.has(leaf) {
                state.without.put(i..i + 1, false);
            }
        }
    }

    /// A write to a place changes what aliases hold, and what is known.
    fn overwrite(&self, state: &mut State, place: &Place, escapes: bool) {
        state.has_escaped |= escapes;
        if let Base::Variable(v) = place.base {
            state.facts.forget(v);
        }
        let flow = self.graph.flow;
        let key = Key::new(flow, place);
        let holds_pointers = flow.types.is_pointer(place.ty) || !flow.types.is_scalar(place.ty);
        let changes = |alias: &Key| match &key {
            Some(key) => alias.depends_on(key) && (holds_pointers || !key.is_pointed()),
            None => holds_pointers && !(alias.is_variable() && self.graph.is_own(alias.root)),
        };
        state.aliases.retain(|alias| !changes(alias));
    }

    fn call(
        &mut self,
        at: At,
        edge: &Edge,
        (result, arguments): (Option<&Place>, &[Expr]),
        mut state: State,
    ) {
        let graph = self.graph;
        let flow = graph.flow;
        let none = Targets::default();
        let targets = graph.targets.get(&at).unwrap_or(&none);
        let defined = |f: &&FunctionId| flow.functions[f.0 as usize].body.is_some();
        for &callee in targets.functions.iter().filter(defined) {
            self.enter(at, callee, arguments, &state);
        }
        let is_inside = targets.functions.iter().all(|f| defined(&f)) && !targets.unknown;
        if is_inside && !targets.functions.is_empty() {
            return;
        }
        match library(flow, &edge.instruction) {
            Some((known, arguments)) if known.model().is_some() => {
                let given = |i: usize| arguments.get(i);
                let Some(model) = known.model() else { return };
                let carried = |i: usize, state: &State| {
                    given(i).is_some_and(|argument| state.carries(flow, argument))
                };
                if matches!(model.execution, Execution::Free | Execution::Reallocate)
                    && carried(0, &state)
                {
                    return;
                }
                match model.effect.writes {
                    Writes::Nothing => {}
                    Writes::Fill { to, size, .. } | Writes::Copy { to, size, .. } => {
                        let size = given(size).and_then(|size| flow.constant(size));
                        let size = size.and_then(|size| u64::try_from(size).ok());
                        let start = given(to).and_then(|to| of_pointer(flow, &state, to));
                        if let Some(start) = start.filter(|_| size != Some(0)) {
                            self.fill(&mut state, &start.bytes(size));
                        }
                    }
                    Writes::Text { to } => {
                        if carried(to, &state) {
                            return;
                        }
                    }
                    Writes::Anything { .. } => {
                        let parameters = known.prototype.parameters.len();
                        let written = model.effect.written(parameters, arguments.len());
                        if written.into_iter().any(|i| carried(i, &state)) {
                            return;
                        }
                    }
                }
            }
            // It may give values to what it was given.
            _ if arguments.iter().any(|argument| state.carries(flow, argument)) => return,
            _ => {}
        }
        if let Some(place) = result {
            self.write(&mut state, place);
            self.overwrite(&mut state, place, false);
        }
        self.reach(at.0, edge.target.0, state);
    }

    fn enter(&mut self, at: At, callee: FunctionId, arguments: &[Expr], before: &State) {
        let flow = self.graph.flow;
        let function = &flow.functions[callee.0 as usize];
        let mut inner = State {
            aliases: before.aliases.iter().filter(|key| self.is_global(key)).cloned().collect(),
            facts: Facts::default(),
            is_held: true,
            is_new: false,
            ..before.clone()
        };
        for (i, argument) in arguments.iter().enumerate() {
            if !before.carries(flow, argument) {
                continue;
            }
            match function.parameters.get(i) {
                Some(&parameter)
                    if before.is_start(flow, argument) && self.graph.is_own(parameter) =>
                {
                    let ty = flow.variables[parameter.0 as usize].ty;
                    let (path, span) = (vec![], argument.span);
                    let place = Place { base: Base::Variable(parameter), path, ty, span };
                    self.hold(&mut inner, &place);
                }
                _ => inner.has_escaped = true,
            }
        }
        let Some(body) = &function.body else { return };
        let mut before = before.clone();
        let calls = self.entered.entry(callee).or_default();
        match calls.get_mut(&at) {
            Some(known) => {
                known.include(&before);
                before = known.clone();
            }
            None => {
                calls.insert(at, before.clone());
            }
        }
        if !inner.is_found() {
            return self.go_back(at, &before, &(inner, false));
        }
        self.reach(callee, body.entry.0, inner);
        if let Some(end) = self.ends.get(&callee).cloned() {
            self.go_back(at, &before, &end);
        }
    }

    fn end(&mut self, function: FunctionId, mut state: State, value: Option<&Expr>) {
        let flow = self.graph.flow;
        let is_start = value.is_some_and(|value| state.is_start(flow, value));
        let carries = value.is_some_and(|value| state.carries(flow, value));
        state.has_escaped |= carries && !is_start;
        state.aliases.retain(|key| self.is_global(key));
        state.facts = Facts::default();
        if !is_start && !state.matters() {
            return;
        }
        let end = match self.ends.remove(&function) {
            Some((mut known, is_known_start)) => {
                // On one of the ways it is something else.
                known.has_escaped |= is_known_start != is_start;
                known.include(&state);
                (known, is_known_start && is_start)
            }
            None => (state, is_start),
        };
        let mut callers: Vec<(At, State)> = vec![];
        let entered = self.entered.get(&function);
        callers.extend(entered.into_iter().flatten().map(|(at, state)| (*at, state.clone())));
        if end.0.is_new {
            // Of a block that was made in there, callers know nothing.
            let nothing = State {
                aliases: vec![],
                has_escaped: false,
                facts: Facts::default(),
                is_held: false,
                ..end.0.clone()
            };
            let all = self.graph.callers.get(&function).into_iter().flatten();
            callers.extend(all.map(|&at| (at, nothing.clone())));
        }
        self.ends.insert(function, end.clone());
        for (at, before) in callers {
            self.go_back(at, &before, &end);
        }
    }

    /// Goes on behind a call.
    fn go_back(&mut self, at: At, before: &State, (inner, returns_start): &(State, bool)) {
        let Some(edge) = self.graph.edge(at) else { return };
        let Instruction::Call { result, .. } = &edge.instruction else { return };
        let mut without = inner.without.clone();
        without.keep(&before.without);
        let mut state = State {
            without,
            has_escaped: before.has_escaped || inner.has_escaped,
            // What others may have changed is no longer known.
            aliases: before
                .aliases
                .iter()
                .filter(|key| key.is_variable() && self.graph.is_own(key.root))
                .chain(&inner.aliases)
                .cloned()
                .collect(),
            facts: before.facts.clone(),
            is_held: before.is_held,
            is_new: before.is_new,
        };
        if let Some(place) = result {
            self.write(&mut state, place);
            self.overwrite(&mut state, place, false);
            if *returns_start {
                self.hold(&mut state, place);
            }
        }
        state.aliases.sort();
        state.aliases.dedup();
        self.reach(at.0, edge.target.0, state);
    }

    /// Whether it means the same in all functions.
    fn is_global(&self, key: &Key) -> bool {
        let kind = self.graph.flow.variables[key.root.0 as usize].kind;
        matches!(kind, VariableKind::Global | VariableKind::External)
    }
}
