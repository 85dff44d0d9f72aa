//! Renumbers what a unit refers to, and may move it to another place in the text.

use crate::flow::{
    Base, Body, Callee, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place, Step,
    VariableId,
};
use crate::types::{RecordId, Type, TypeId, Types};
use hardbop_base::source::Span;

/// The new numbers of a unit's parts.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub types: Vec<TypeId>,
    pub functions: Vec<FunctionId>,
    /// Those of functions whose bodies are left out have none.
    pub variables: Vec<Option<VariableId>>,
    pub strings: Vec<u32>,
    /// Where everything is put, if it has no place in the text of the program.
    pub span: Option<Span>,
}

impl Numbers {
    /// The numbers that all parts of a program have.
    pub fn identical(flow: &Flow) -> Self {
        Self {
            types: (0..flow.types.types.len() as u32).map(TypeId).collect(),
            functions: (0..flow.functions.len() as u32).map(FunctionId).collect(),
            variables: (0..flow.variables.len() as u32).map(VariableId).map(Some).collect(),
            strings: (0..flow.strings.len() as u32).collect(),
            span: None,
        }
    }

    pub fn ty(&self, id: TypeId) -> TypeId {
        self.types[id.0 as usize]
    }

    pub fn function(&self, id: FunctionId) -> FunctionId {
        self.functions[id.0 as usize]
    }

    pub fn variable(&self, id: VariableId) -> VariableId {
        self.variables[id.0 as usize].expect("only bodies that are left out use it")
    }

    pub fn body(&self, body: &mut Body) {
        for edge in &mut body.edges {
            edge.span = self.span.unwrap_or(edge.span);
            self.instruction(&mut edge.instruction);
        }
    }

    fn instruction(&self, instruction: &mut Instruction) {
        match instruction {
            Instruction::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Instruction::Assume { condition, .. } => self.expr(condition),
            Instruction::Havoc(place, kind) => {
                self.place(place);
                if let HavocKind::Volatile(read) = kind {
                    self.place(read);
                }
            }
            Instruction::Call { result, callee, arguments } => {
                result.iter_mut().for_each(|place| self.place(place));
                match callee {
                    Callee::Function(id) => *id = self.function(*id),
                    Callee::Pointer(pointer) => self.expr(pointer),
                }
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            Instruction::Return(value) => value.iter_mut().for_each(|value| self.expr(value)),
            Instruction::Skip
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    pub fn place(&self, place: &mut Place) {
        place.ty = self.ty(place.ty);
        place.span = self.span.unwrap_or(place.span);
        match &mut place.base {
            Base::Variable(id) => *id = self.variable(*id),
            Base::Pointer(pointer) => self.expr(pointer),
            Base::String(id) => *id = self.strings[*id as usize],
        }
        for step in &mut place.path {
            match step {
                Step::Index(index) => self.expr(index),
                // Structs that are one have the same members.
                Step::Field(_) => {}
            }
        }
    }

    pub fn expr(&self, expr: &mut Expr) {
        expr.ty = self.ty(expr.ty);
        expr.span = self.span.unwrap_or(expr.span);
        match &mut expr.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::FunctionAddress(id) => *id = self.function(*id),
            _ => expr.operands_mut().into_iter().for_each(|operand| self.expr(operand)),
        }
    }
}

/// The numbers that types of one table have in another one, which gets those that it lacks.
pub(crate) fn renumbered(
    from: &Types,
    to: &mut Types,
    record: impl Fn(RecordId) -> RecordId,
) -> Vec<TypeId> {
    let mut map: Vec<TypeId> = vec![];
    // What a type consists of is before it in the table.
    for ty in &from.types {
        let new = |id: &TypeId| map[id.0 as usize];
        let ty = match ty {
            Type::Void | Type::Bool | Type::Int { .. } | Type::Float { .. } => ty.clone(),
            Type::Pointer(to) => Type::Pointer(new(to)),
            Type::Array(element, length) => Type::Array(new(element), *length),
            Type::Record(id) => Type::Record(record(*id)),
            Type::Function { result, parameters, variadic } => Type::Function {
                result: new(result),
                parameters: parameters.iter().map(new).collect(),
                variadic: *variadic,
            },
        };
        map.push(to.intern(ty));
    }
    map
}
