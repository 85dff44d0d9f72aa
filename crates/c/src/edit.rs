//! Parts of which passes over a program make new code: names, variables, values, edges.

use crate::flow::{
    Base, BinaryOp, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction,
    LocationId, Place, Step, Variable, VariableId, VariableKind,
};
use crate::types::{Field, Type, TypeId, Types};
use hardbop_base::source::Span;

/// Behind a name that several things have, `static` ones or copies of a function, before the number of this one; `#` is for
/// activations.
const NUMBER: char = '~';

/// A name that no other thing has: that of the `number`th thing of this name.
pub(crate) fn numbered(name: &str, number: usize) -> String {
    format!("{name}{NUMBER}{number}")
}

/// The name in the text.
pub(crate) fn plain(name: &str) -> &str {
    name.split(NUMBER).next().unwrap_or(name)
}

impl Variable {
    /// A variable that the text does not have: a temporary of a function, or a global one.
    pub(crate) fn hidden(
        name: String,
        ty: TypeId,
        function: Option<FunctionId>,
        span: Span,
    ) -> Self {
        let kind = if function.is_some() { VariableKind::Temporary } else { VariableKind::Global };
        let (volatile, lasting, constant, atomic, internal) = (false, false, false, false, true);
        Self {
            name,
            ty,
            function,
            kind,
            volatile,
            lasting,
            constant,
            atomic,
            internal,
            depth: 0,
            span,
        }
    }
}

impl Flow {
    pub(crate) fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() as u32 - 1)
    }

    pub(crate) fn place_of(&self, variable: VariableId, span: Span) -> Place {
        Place::of(variable, self.variables[variable.0 as usize].ty, span)
    }

    /// The name in a call, as the place of branches that the text does not have.
    pub(crate) fn name_in(&self, call: Span) -> Span {
        let text = self.source.text.get(call.start as usize..call.end as usize);
        let length = text.unwrap_or_default().bytes();
        let length = length.take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        Span { end: call.start + length as u32, ..call }
    }
}

impl Body {
    /// By location, whether it is one of these or reached from one over edges of a kind.
    pub(crate) fn reached(
        &self,
        from: impl IntoIterator<Item = LocationId>,
        passes: impl Fn(&Edge) -> bool,
    ) -> Vec<bool> {
        let mut next = vec![vec![]; self.locations as usize];
        for edge in self.edges.iter().filter(|e| passes(e)) {
            next[edge.source.0 as usize].push(edge.target);
        }
        let mut seen = vec![false; self.locations as usize];
        let mut open: Vec<_> = from.into_iter().collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at.0 as usize], true) {
                open.extend(&next[at.0 as usize]);
            }
        }
        seen
    }
}

impl Instruction {
    /// What it evaluates, to be changed: expressions that are no parts of others.
    pub(crate) fn values_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Assign(place, value) => place.operands_mut().into_iter().chain([value]).collect(),
            Self::Assume { condition, .. } => vec![condition],
            Self::Havoc(place, _) => place.operands_mut(),
            Self::Call { result, callee, arguments } => {
                let mut values: Vec<&mut Expr> =
                    result.iter_mut().flat_map(Place::operands_mut).collect();
                if let Callee::Pointer(pointer) = callee {
                    values.push(pointer);
                }
                values.extend(arguments);
                values
            }
            Self::Return(value) => value.iter_mut().collect(),
            Self::Skip | Self::Error(_) | Self::Halt | Self::Unsupported(_) => vec![],
        }
    }
}

impl Expr {
    /// As [`Expr::operands`], to be changed.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => vec![],
            ExprKind::Load(place) | ExprKind::AddressOf(place) => place.operands_mut(),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Rounded(a, b)
            | ExprKind::Offset { pointer: a, index: b, .. }
            | ExprKind::Difference { left: a, right: b, .. } => vec![a, b],
            ExprKind::Conditional(c, a, b) => vec![c, a, b],
        }
    }
}

/// The condition of which edges are the two ways.
pub(crate) fn two_ways(edges: &[Edge]) -> Option<&Expr> {
    let [
        Edge { instruction: Instruction::Assume { condition, expected: a }, .. },
        Edge { instruction: Instruction::Assume { condition: other, expected: b }, .. },
    ] = edges
    else {
        return None;
    };
    Some(condition).filter(|_| a != b && condition.span == other.span)
}

/// Puts instructions in front of edges, each where its condition holds.
pub(crate) fn in_front(
    flow: &mut Flow,
    conditions: impl Fn(&mut Flow, &Edge) -> Vec<(Expr, Instruction)>,
) {
    for index in 0..flow.functions.len() {
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        let mut code = Edges::instead_of(&body);
        for mut edge in std::mem::take(&mut body.edges) {
            for (condition, instruction) in conditions(flow, &edge) {
                let (bad, good) = (code.fresh(), code.fresh());
                code.branch(edge.source, condition, (bad, good), edge.span);
                code.add(bad, body.exit, instruction, edge.span);
                edge.source = good;
            }
            code.edges.push(edge);
        }
        flow.functions[index].body = Some(code.finish(body));
    }
}

/// Puts other expressions in place of parts of one, inner ones first.
pub(crate) fn replace(expr: &mut Expr, by: &mut impl FnMut(&Expr) -> Option<Expr>) {
    for operand in expr.operands_mut() {
        replace(operand, by);
    }
    if let Some(other) = by(expr) {
        *expr = other;
    }
}

impl Place {
    /// As [`Place::operands`], to be changed.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Expr> {
        let pointer = match &mut self.base {
            Base::Pointer(pointer) => Some(&mut **pointer),
            Base::Variable(_) | Base::String(_) => None,
        };
        let indices = self.path.iter_mut().filter_map(|step| match step {
            Step::Index(index) => Some(&mut **index),
            Step::Field(_) => None,
        });
        pointer.into_iter().chain(indices).collect()
    }

    /// A whole variable.
    pub(crate) fn of(variable: VariableId, ty: TypeId, span: Span) -> Self {
        Self { base: Base::Variable(variable), path: vec![], ty, span }
    }

    /// Whether it is a bit-field.
    pub(crate) fn is_bit_field(&self, variables: &[Variable], types: &Types) -> bool {
        let Some(mut ty) = self.base_type(variables, types) else { return false };
        let mut is_part = false;
        for step in &self.path {
            let Some((next, field)) = step.part(ty, types) else { return false };
            is_part = field.is_some_and(|field| field.bit_field.is_some());
            ty = next;
        }
        is_part
    }

    /// The type at which the path starts.
    pub(crate) fn base_type(&self, variables: &[Variable], types: &Types) -> Option<TypeId> {
        match &self.base {
            Base::Variable(v) => Some(variables[v.0 as usize].ty),
            Base::Pointer(pointer) => match *types.get(pointer.ty) {
                Type::Pointer(to) => Some(to),
                _ => None,
            },
            Base::String(_) => None,
        }
    }

    /// Whether accesses are to what is of an atomic type.
    pub(crate) fn is_atomic(&self, variables: &[Variable], types: &Types) -> bool {
        let mut part = self.base_type(variables, types);
        let mut is_atomic = match self.base {
            Base::Variable(v) => variables[v.0 as usize].atomic,
            _ => false,
        };
        for step in &self.path {
            let found = part.and_then(|ty| step.part(ty, types));
            is_atomic = match found.and_then(|(_, field)| field) {
                Some(field) => field.atomic,
                None => is_atomic,
            };
            part = found.map(|(ty, _)| ty);
        }
        is_atomic
    }

    /// Whether the path leads from one first element to the next: the place begins where its base does.
    pub(crate) fn is_first(&self) -> bool {
        let is_first = |step: &Step| matches!(step, Step::Index(index) if matches!(index.kind, ExprKind::Constant(0)));
        self.path.iter().all(is_first)
    }

    /// What is there.
    pub(crate) fn load(self) -> Expr {
        Expr { ty: self.ty, span: self.span, kind: ExprKind::Load(self) }
    }
}

impl HavocKind {
    /// The volatile variable that is read.
    #[must_use]
    pub fn volatile(&self) -> Option<VariableId> {
        match self {
            Self::Volatile(place) => match place.base {
                Base::Variable(variable) => Some(variable),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Step {
    /// The type of the part that it leads to in a whole of type `ty`, and the member, if it is one.
    pub(crate) fn part<'t>(
        &self,
        ty: TypeId,
        types: &'t Types,
    ) -> Option<(TypeId, Option<&'t Field>)> {
        match self {
            Self::Field(index) => {
                let (_, record) = types.as_record(ty)?;
                let field = record.fields.as_ref()?.get(*index as usize)?;
                Some((field.ty, Some(field)))
            }
            Self::Index(_) => match *types.get(ty) {
                Type::Array(element, _) => Some((element, None)),
                _ => None,
            },
        }
    }
}

impl Expr {
    pub(crate) fn number(value: u64, ty: TypeId, span: Span) -> Self {
        Self { kind: ExprKind::Constant(value), ty, span }
    }

    /// What is converted, below all conversions.
    pub(crate) fn unconverted(&self) -> &Self {
        let mut value = self;
        while let ExprKind::Cast(inner) = &value.kind {
            value = inner;
        }
        value
    }

    /// An operation, at the place of its left operand.
    pub(crate) fn binary(op: BinaryOp, left: Self, right: Self, ty: TypeId) -> Self {
        let span = left.span;
        Self { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// The value as one of another type.
    pub(crate) fn cast(self, ty: TypeId) -> Self {
        match self.ty == ty {
            true => self,
            false => Self { ty, span: self.span, kind: ExprKind::Cast(Box::new(self)) },
        }
    }
}

/// The edges of a body that is being made.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    pub edges: Vec<Edge>,
    /// The number of locations.
    pub locations: u32,
}

impl Edges {
    /// None yet, between the locations of a body and others.
    pub fn instead_of(body: &Body) -> Self {
        Self { edges: Vec::with_capacity(body.edges.len()), locations: body.locations }
    }

    /// The body with these edges in place of its own.
    pub fn finish(self, body: Body) -> Body {
        Body { edges: self.edges, locations: self.locations, ..body }
    }

    /// A new location.
    pub fn fresh(&mut self) -> LocationId {
        self.locations += 1;
        LocationId(self.locations - 1)
    }

    pub fn add(
        &mut self,
        source: LocationId,
        target: LocationId,
        instruction: Instruction,
        span: Span,
    ) {
        self.edges.push(Edge { source, target, instruction, span });
    }

    /// Adds an instruction behind a location, and returns the location behind that.
    pub fn then(&mut self, source: LocationId, what: Instruction, span: Span) -> LocationId {
        let target = self.fresh();
        self.add(source, target, what, span);
        target
    }

    /// Goes on at the first location where the condition holds, and else at the second one.
    pub fn branch(
        &mut self,
        source: LocationId,
        condition: Expr,
        (yes, no): (LocationId, LocationId),
        span: Span,
    ) {
        for (target, expected) in [(yes, true), (no, false)] {
            let condition = condition.clone();
            self.add(source, target, Instruction::Assume { condition, expected }, span);
        }
    }
}
