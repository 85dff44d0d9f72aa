//! What signal handlers access, and which accesses of the program they can tell.

use crate::flow::{
    Base, Callee, Edge, Expr, ExprKind, Flow, Function, FunctionId, Instruction, Place, Variable,
    VariableId,
};
use crate::library::find;
use crate::threads::{addressed, is_repeated_at, is_text, reached};
use crate::types::Type;

/// The file of the library about signals.
const MODELS: &str = "<library>/signal.c";

/// The functions that may run as signal handlers, with what they call, and the objects that they access.
pub(super) struct Handlers {
    /// By function: whether a handler may call it, or it is one.
    within: Vec<bool>,
    /// By function: whether others call it, too.
    outside: Vec<bool>,
    /// By variable: whether handlers name it, and they or others may change it.
    named: Vec<bool>,
    /// By variable: whether pointers may lead to it.
    addressed: Vec<bool>,
    /// Whether handlers access what pointers lead to, other than `errno`.
    by_pointers: bool,
    /// By variable: whether it is the library's, which keeps something there that code within handlers and other code access.
    kept: Vec<bool>,
    /// Whether the program uses `errno`, and whether handlers then call functions that may change it.
    reads_errors: bool,
    errors: bool,
    /// Whether each has one access at most.
    are_single: bool,
    /// Whether they do nothing but set such variables.
    are_flags: bool,
}

impl Handlers {
    pub fn new(flow: &Flow) -> Self {
        let count = flow.functions.len();
        let taken = taken(flow);
        let all = || (0..count as u32).map(FunctionId);
        let is_taken = |f: FunctionId| taken[f.0 as usize].is_some();
        let (handlers, others): (Vec<_>, Vec<_>) =
            all().filter(|f| is_taken(*f)).partition(|f| may_handle(flow, &taken, *f));
        let within = flags(flow, &handlers, is_taken);
        let mut starts = others;
        let calls_others = |f: &FunctionId| !within[f.0 as usize] || flow.is_of_library(*f);
        for function in all().filter(|f| calls_others(f) && !is_about_signals(flow, *f)) {
            let is_own = !flow.is_of_library(function);
            let body = flow.functions[function.0 as usize].body.as_ref();
            for edge in body.into_iter().flat_map(|body| &body.edges) {
                match &edge.instruction {
                    Instruction::Call { callee: Callee::Function(f), .. } if is_own => {
                        starts.push(*f);
                    }
                    Instruction::Call { callee: Callee::Function(_), .. } => {}
                    Instruction::Call { arguments, .. } if [0, 1, 3].contains(&arguments.len()) => {
                        starts.extend(&handlers);
                    }
                    _ => {}
                }
            }
        }
        let outside = flags(flow, &starts, |_| false);
        let mut found = Self {
            within,
            outside,
            named: vec![],
            addressed: addressed(flow),
            by_pointers: false,
            kept: vec![],
            reads_errors: flow.functions.iter().any(|f| f.name == "__errno_location"),
            errors: false,
            are_single: true,
            are_flags: true,
        };
        let accesses = found.look(flow);
        found.kept = found.kept(flow);
        found.are_single = handlers.iter().all(|handler| {
            let reached = reached(flow, &[*handler], is_taken);
            reached.iter().map(|f| accesses[f.0 as usize]).sum::<usize>() <= 1
        });
        found
    }

    /// Notes what handlers access.  Returns, by function, how many accesses there are.
    fn look(&mut self, flow: &Flow) -> Vec<usize> {
        let count = flow.variables.len();
        let is_global = |v: VariableId| is_lasting(&flow.variables[v.0 as usize]);
        let (mut here, mut written) = (vec![false; count], vec![false; count]);
        let to_errors = to_errors(flow, &self.addressed);
        // By variable, what handlers assign to it: the one constant, or several values.
        let mut assigned: Vec<Option<Option<u64>>> = vec![None; count];
        for (index, function) in flow.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let Some(body) = function.body.as_ref() else { continue };
            let is_handler = self.within[index] && !flow.is_of_library(id);
            for edge in &body.edges {
                if let Some(Base::Variable(v)) = edge.instruction.target().map(|p| &p.base) {
                    written[v.0 as usize] = true;
                    if is_handler {
                        let value = flag(edge).filter(|(of, _)| of == v).map(|(_, value)| value);
                        let known = &mut assigned[v.0 as usize];
                        *known = match *known {
                            None => Some(value),
                            Some(known) if known == value => Some(value),
                            Some(_) => Some(None),
                        };
                    }
                }
                if is_handler {
                    for place in places(edge) {
                        match place.base {
                            Base::Variable(v) if is_global(v) => here[v.0 as usize] = true,
                            Base::Pointer(ref to) if is_one(to, &to_errors) => {}
                            Base::Pointer(_) => self.by_pointers = true,
                            Base::Variable(_) | Base::String(_) => {}
                        }
                    }
                    self.called(flow, edge, (&mut here, &mut written));
                }
            }
        }
        let mut accesses = vec![0; flow.functions.len()];
        for (index, function) in flow.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let Some(body) = function.body.as_ref() else { continue };
            if !self.within[index] || flow.is_of_library(id) {
                continue;
            }
            for edge in &body.edges {
                let is_flag =
                    flag(edge).is_some_and(|(v, _)| assigned[v.0 as usize].flatten().is_some());
                let touched = places(edge).filter(|place| match place.base {
                    Base::Variable(v) => is_global(v),
                    Base::Pointer(_) => true,
                    Base::String(_) => false,
                });
                let touched = touched.count();
                let calls = of_library(flow, edge).is_some();
                let is_known = match &edge.instruction {
                    Instruction::Skip | Instruction::Return(_) => true,
                    Instruction::Assign(..) => is_flag,
                    _ => false,
                };
                self.are_flags &= is_known;
                let all = touched + usize::from(calls && self.errors);
                let again = is_repeated_at(body, edge.source);
                accesses[index] += if again { 2 * all } else { all };
            }
        }
        self.named = (0..count).map(|v| here[v] && (written[v] || self.addressed[v])).collect();
        accesses
    }

    /// What the library keeps from one call to the next, in other files than that about signals, that may be mixed up: by `strtok`.
    fn kept(&self, flow: &Flow) -> Vec<bool> {
        let count = flow.variables.len();
        let (mut here, mut there, mut written) =
            (vec![false; count], vec![false; count], vec![false; count]);
        for (index, function) in flow.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let is_other = is_about_signals(flow, id) || function.name == "__errno_location";
            let Some(body) = function.body.as_ref().filter(|_| flow.is_of_library(id) && !is_other)
            else {
                continue;
            };
            for edge in &body.edges {
                for v in lasting(flow, edge) {
                    here[v.0 as usize] |= self.within[index];
                    there[v.0 as usize] |= self.outside[index];
                }
                if let Some(Base::Variable(v)) = edge.instruction.target().map(|p| &p.base) {
                    written[v.0 as usize] = true;
                }
            }
        }
        (0..count).map(|v| here[v] && there[v] && (written[v] || self.addressed[v])).collect()
    }

    /// Whether an edge of the library's code accesses such a variable.
    pub fn keeps(&self, flow: &Flow, edge: &Edge) -> bool {
        lasting(flow, edge).any(|v| self.kept.get(v.0 as usize).is_some_and(|&is| is))
    }

    /// Notes what a call in a handler accesses by its arguments.
    fn called(&mut self, flow: &Flow, edge: &Edge, (here, written): (&mut [bool], &mut [bool])) {
        let Some((f, arguments)) = of_library(flow, edge) else { return };
        let function = &flow.functions[f.0 as usize];
        self.errors |= self.reads_errors;
        // What is of no library may use all that it can name.
        self.by_pointers |= function.body.is_none() && find(&function.name).is_none();
        for argument in arguments.iter().filter(|a| flow.types.is_pointer(a.ty) && !is_text(a)) {
            match &argument.unconverted().kind {
                ExprKind::Constant(_) | ExprKind::FunctionAddress(_) => {}
                ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) => {
                    if is_lasting(&flow.variables[v.0 as usize]) {
                        (here[v.0 as usize], written[v.0 as usize]) = (true, true);
                    }
                }
                _ => self.by_pointers = true,
            }
        }
    }

    /// Whether a handler may call a function, or it is one.
    pub fn is_within(&self, function: FunctionId) -> bool {
        self.within[function.0 as usize]
    }

    /// Whether others call it, too.
    pub fn is_also_outside(&self, function: FunctionId) -> bool {
        self.outside[function.0 as usize]
    }

    /// Whether handlers that interrupt each other do what they do one after the other: each has one access at most, or all that they
    /// do is to set variables, each to the only value that any of them gives it.
    pub fn are_simple(&self) -> bool {
        self.are_single || self.are_flags
    }

    /// Whether they do more than set such variables, so that there may be an error in them.
    pub fn may_fail(&self) -> bool {
        !self.are_flags
    }

    /// Whether handlers may access a place, and they or others change it.
    pub fn is_shared(&self, place: &Place) -> bool {
        let is_named = |v: VariableId| self.named.get(v.0 as usize).is_some_and(|&is| is);
        let is_addressed = |v: usize| self.addressed.get(v).is_some_and(|&is| is);
        match &place.base {
            Base::Variable(v) => is_named(*v) || self.by_pointers && is_addressed(v.0 as usize),
            Base::Pointer(pointer) => match &pointer.kind {
                ExprKind::AddressOf(place) => self.is_shared(place),
                _ => self.leads_to_shared(),
            },
            Base::String(_) => false,
        }
    }

    /// Whether a pointer may lead to what handlers access.
    fn leads_to_shared(&self) -> bool {
        let mut named = self.named.iter().zip(&self.addressed);
        self.by_pointers
            || self.errors
            || named.any(|(&is_named, &is_addressed)| is_named && is_addressed)
    }

    /// Whether an expression itself, not its parts, reads what handlers access.
    pub fn is_load(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Load(place) if self.is_shared(place))
    }

    /// How many accesses that handlers can tell an edge has; what it calls of the library is one at most.
    pub fn accesses(&self, flow: &Flow, edge: &Edge) -> usize {
        let loads = edge.instruction.parts().filter(|part| self.is_load(part)).count();
        let is_call = matches!(edge.instruction, Instruction::Call { .. });
        let stores = edge.instruction.target().is_some_and(|place| self.is_shared(place));
        let called = match (of_library(flow, edge), &edge.instruction) {
            (Some((f, arguments)), _) => {
                let function = &flow.functions[f.0 as usize];
                let is_unknown = function.body.is_none() && find(&function.name).is_none();
                self.is_told_by(flow, function, arguments) || is_unknown
            }
            (None, Instruction::Halt) => self.may_fail(),
            _ => false,
        };
        loads + usize::from(stores && !is_call) + usize::from(called)
    }

    /// Whether a signal may come in the midst of an edge, and what handlers do then is not what they do before or behind it: the
    /// library accesses what they access, or a record is copied that they access more than once, or a part of it is written that
    /// shares its bytes with others.
    pub fn are_amid(&self, flow: &Flow, edge: &Edge) -> bool {
        let is_record = |place: &&Place| flow.types.as_record(place.ty).is_some();
        let shared = || places(edge).filter(|place| self.is_shared(place));
        let copies = shared().any(|place| is_record(&place));
        let target = edge.instruction.target().filter(|place| self.is_shared(place));
        let is_called = of_library(flow, edge).is_some_and(|(f, arguments)| {
            let function = &flow.functions[f.0 as usize];
            // These have one access, or none that a handler could tell.
            let is_one = matches!(function.name.as_str(), "free" | "__errno_location")
                || function.name.contains("setjmp")
                || is_about_signals(flow, f);
            !is_one && self.is_told_by(flow, function, arguments)
        });
        copies && !self.are_single
            || is_called
            || target.is_some_and(|p| p.is_bit_field(&flow.variables, &flow.types))
    }

    /// Whether handlers can tell a call of the library.
    fn is_told_by(&self, flow: &Flow, function: &Function, arguments: &[Expr]) -> bool {
        let leads = |a: &Expr| match &a.unconverted().kind {
            ExprKind::AddressOf(place) => self.is_shared(place),
            ExprKind::Constant(_) | ExprKind::FunctionAddress(_) => false,
            _ => self.leads_to_shared(),
        };
        self.errors && function.name == "__errno_location"
            || arguments.iter().any(|a| flow.types.is_pointer(a.ty) && !is_text(a) && leads(a))
    }
}

/// The function without a body of the program that an edge calls, with its arguments.
fn of_library<'e>(flow: &Flow, edge: &'e Edge) -> Option<(FunctionId, &'e [Expr])> {
    let Instruction::Call { callee: Callee::Function(f), arguments, .. } = &edge.instruction else {
        return None;
    };
    let is_own = flow.functions[f.0 as usize].body.is_some() && !flow.is_of_library(*f);
    (!is_own).then_some((*f, arguments))
}

/// By variable: whether all that is ever in it is the address of `errno`.
fn to_errors(flow: &Flow, addressed: &[bool]) -> Vec<bool> {
    let (mut is_one, mut is_other) = (vec![false; flow.variables.len()], addressed.to_vec());
    for edge in flow.functions.iter().flat_map(|f| &f.body).flat_map(|body| &body.edges) {
        let Some(&Place { base: Base::Variable(v), .. }) = edge.instruction.target() else {
            continue;
        };
        let is_address = matches!(&edge.instruction, Instruction::Call { callee: Callee::Function(f), .. }
            if flow.functions[f.0 as usize].name == "__errno_location");
        let of = if is_address { &mut is_one } else { &mut is_other };
        of[v.0 as usize] = true;
    }
    is_one.iter().zip(is_other).map(|(&one, other)| one && !other).collect()
}

/// Whether a pointer is read from one of these variables.
fn is_one(pointer: &Expr, variables: &[bool]) -> bool {
    matches!(&pointer.unconverted().kind, ExprKind::Load(Place { base: Base::Variable(v), path, .. })
        if path.is_empty() && variables[v.0 as usize])
}

/// Whether a function is one of the library's about signals.
pub(super) fn is_about_signals(flow: &Flow, function: FunctionId) -> bool {
    let head = &flow.functions[function.0 as usize];
    head.body.is_some() && flow.source.position(head.span.start).file == MODELS
}

/// Whether a variable lives as long as the program.
fn is_lasting(variable: &Variable) -> bool {
    variable.function.is_none() || variable.lasting
}

/// The places that an edge reads or writes.
fn places(edge: &Edge) -> impl Iterator<Item = &Place> {
    let loads = edge.instruction.parts().filter_map(|part| match &part.kind {
        ExprKind::Load(place) => Some(place),
        _ => None,
    });
    loads.chain(edge.instruction.target())
}

/// The lasting variables that an edge names.
fn lasting<'a>(flow: &'a Flow, edge: &'a Edge) -> impl Iterator<Item = VariableId> + 'a {
    let parts = edge.instruction.parts().filter_map(|part| match &part.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => Some(place),
        _ => None,
    });
    let named = parts.chain(edge.instruction.target()).filter_map(|place| match place.base {
        Base::Variable(v) => Some(v),
        _ => None,
    });
    named.filter(|v| is_lasting(&flow.variables[v.0 as usize]))
}

/// The variable that an edge sets to a constant.
fn flag(edge: &Edge) -> Option<(VariableId, u64)> {
    match &edge.instruction {
        Instruction::Assign(Place { base: Base::Variable(v), path, .. }, value)
            if path.is_empty() =>
        {
            match value.unconverted().kind {
                ExprKind::Constant(number) => Some((*v, number)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// By function: whether its address is a value, and if so, whether that is converted to a pointer of another type.
fn taken(flow: &Flow) -> Vec<Option<bool>> {
    let mut taken = vec![None; flow.functions.len()];
    for part in flow.parts() {
        if let ExprKind::FunctionAddress(function) = part.kind {
            taken[function.0 as usize].get_or_insert(false);
        }
        if let ExprKind::Cast(inner) = &part.kind
            && let ExprKind::FunctionAddress(function) = inner.kind
        {
            taken[function.0 as usize] = Some(true);
        }
    }
    taken
}

/// Whether a function of the program may be called with the number of a signal.
fn may_handle(flow: &Flow, taken: &[Option<bool>], function: FunctionId) -> bool {
    let parameters = match flow.types.get(flow.functions[function.0 as usize].ty) {
        Type::Function { parameters, .. } => &parameters[..],
        _ => &[],
    };
    let is_fit = match parameters {
        [] => taken[function.0 as usize] == Some(true),
        [number] | [number, _, _] => !flow.types.is_pointer(*number),
        _ => false,
    };
    is_fit && !flow.is_of_library(function)
}

/// By function, whether these may call it.
fn flags(flow: &Flow, from: &[FunctionId], is_taken: impl Fn(FunctionId) -> bool) -> Vec<bool> {
    let mut flags = vec![false; flow.functions.len()];
    reached(flow, from, is_taken).iter().for_each(|f| flags[f.0 as usize] = true);
    flags
}
