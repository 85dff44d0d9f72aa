//! Pointer constraints of instructions.

use std::rc::Rc;

use super::super::flow::{
    Base, BinaryOp, Callee, Expr, ExprKind, FunctionId, HavocKind, Instruction, Place, Step,
    UnaryOp, VariableId, VariableKind,
};
use super::super::memory::Shape;
use super::super::types::{Type, TypeId};
use super::analysis::PointsTo;
use super::carriers::plain;
use super::outside::outside;
use super::solver::Node;

/// The addresses that an integer may carry.
enum Carried {
    /// None.
    Nothing,
    /// Exactly this one.
    Address(Node),
    /// Any that has escaped.
    Unknown,
}

impl PointsTo<'_> {
    /// Adds the constraints for everything before `main`.
    pub(super) fn start(&mut self) {
        let flow = self.flow;
        for (i, variable) in flow.variables.iter().enumerate() {
            // Something outside reads a volatile variable, and so knows the pointers that it holds.
            if variable.kind == VariableKind::External || variable.volatile {
                let id = VariableId(i as u32);
                let object = self.solver.objects.variable(id);
                let (node, escaped) = (self.solver.single(object, None), self.solver.escaped());
                self.solver.copy(node, escaped);
            }
        }
        for variable in outside(flow) {
            let object = self.solver.objects.variable(variable);
            let (node, escaped) = (self.solver.single(object, None), self.solver.escaped());
            self.solver.copy(node, escaped);
        }
        for (place, value) in &flow.initialisers {
            place.operands().chain([value]).for_each(|e| self.read(e));
            self.assign(place, value);
        }
        let main = flow.main;
        for &parameter in &flow.functions[main.0 as usize].parameters {
            let object = self.solver.objects.variable(parameter);
            let (node, unknown) = (self.solver.anywhere(object), self.solver.unknown());
            self.solver.copy(unknown, node);
        }
        self.reach(main);
    }

    /// Records that a function may be called.
    pub(super) fn reach(&mut self, function: FunctionId) {
        if !std::mem::replace(&mut self.is_reached[function.0 as usize], true) {
            self.reached.push(function);
        }
    }

    pub(super) fn function(&mut self, function: FunctionId) {
        let Some(body) = self.body(function) else { return };
        let result = self.flow.functions[function.0 as usize].result;
        for (i, edge) in body.edges.iter().enumerate() {
            edge.instruction.operands().for_each(|e| self.read(e));
            match &edge.instruction {
                Instruction::Assign(place, value) => self.assign(place, value),
                Instruction::Havoc(place, HavocKind::Input(_) | HavocKind::Volatile(_)) => {
                    self.havoc(place);
                }
                Instruction::Call { callee, .. } => self.call(function, i as u32, callee),
                Instruction::Return(Some(value)) => {
                    if let Some(result) = result {
                        let object = self.solver.objects.variable(result);
                        let ty = self.flow.variables[result.0 as usize].ty;
                        let node = self.solver.single(object, Some(0));
                        self.assign_to(node, ty, value);
                    }
                }
                Instruction::Assume { .. }
                | Instruction::Havoc(_, HavocKind::Uninitialised | HavocKind::Ended)
                | Instruction::Return(None)
                | Instruction::Skip
                | Instruction::Error(_)
                | Instruction::Halt
                | Instruction::Unsupported(_) => {}
            }
        }
    }

    fn call(&mut self, function: FunctionId, edge: u32, callee: &Callee) {
        self.targets.entry((function, edge)).or_default();
        match callee {
            Callee::Function(target) => self.connect(function, edge, *target),
            Callee::Pointer(pointer) => {
                if let Some(node) = self.value(pointer) {
                    self.solver.call(node, function, edge);
                }
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) {
        if let Some(carrier) = self.carrier(place) {
            match self.carried(value) {
                Carried::Nothing => {}
                Carried::Address(node) => self.solver.copy(node, carrier),
                Carried::Unknown => self.solver.add_unknown(carrier),
            }
            return;
        }
        let node = self.place(place);
        self.assign_to(node, place.ty, value);
    }

    /// The addresses in a place, if it is an integer that carries some.
    fn carrier(&mut self, place: &Place) -> Option<Node> {
        let variable = plain(place).filter(|v| self.carriers.contains(v))?;
        let object = self.solver.objects.variable(variable);
        Some(self.solver.carried(object))
    }

    /// Assigns a value to something of type `ty` at the addresses in `to`.
    pub(super) fn assign_to(&mut self, to: Node, ty: TypeId, value: &Expr) {
        match self.flow.types.get(ty) {
            Type::Record(_) => {
                if let ExprKind::Load(from) = &value.kind {
                    let from = self.place(from);
                    self.copy_object(to, from, Shape::Type(ty));
                }
            }
            Type::Pointer(_) => {
                let value = match self.value(value) {
                    Some(node) => node,
                    // Nothing is stored but null, which adds no address.
                    None => return,
                };
                self.solver.store(to, value);
            }
            _ => {
                self.escape_carried(value);
                self.clobber(to, ty);
            }
        }
    }

    /// Copies an object of some shape between addresses.
    pub(super) fn copy_object(&mut self, to: Node, from: Node, shape: Shape) {
        let layout = self.layout(shape);
        for &offset in layout.pointers() {
            let (to, from) =
                (self.solver.shift(to, offset as i64), self.solver.shift(from, offset as i64));
            let value = self.solver.load(from);
            self.solver.store(to, value);
        }
        let bytes = layout.size().unwrap_or(u64::MAX);
        let pointers: Rc<[u64]> = layout.pointers().into();
        self.solver.clobber(to, bytes, pointers);
    }

    /// Writes something that is not a pointer.
    pub(super) fn clobber(&mut self, to: Node, ty: TypeId) {
        let bytes = self.flow.types.size(ty).unwrap_or(u64::MAX);
        self.solver.clobber(to, bytes, Rc::new([]));
    }

    /// Writes any value.
    pub(super) fn havoc(&mut self, place: &Place) {
        let to = self.place(place);
        self.havoc_at(to, place.ty);
    }

    pub(super) fn havoc_at(&mut self, to: Node, ty: TypeId) {
        if let Type::Pointer(_) = self.flow.types.get(ty) {
            let unknown = self.solver.unknown();
            self.solver.store(to, unknown);
        } else {
            self.clobber(to, ty);
        }
    }

    /// The possible addresses of a place.
    pub(super) fn place(&mut self, place: &Place) -> Node {
        let types = &self.flow.types;
        let (mut node, mut ty) = match &place.base {
            Base::Variable(v) => {
                let object = self.solver.objects.variable(*v);
                (self.solver.single(object, Some(0)), self.flow.variables[v.0 as usize].ty)
            }
            Base::String(s) => {
                let object = self.solver.objects.text(*s);
                (self.solver.single(object, Some(0)), place.ty)
            }
            Base::Pointer(pointer) => {
                let node = match self.value(pointer) {
                    Some(node) => node,
                    None => self.solver.nothing(),
                };
                let Type::Pointer(to) = types.get(pointer.ty) else { return node };
                (node, *to)
            }
        };
        let mut bytes = 0_i64;
        for step in &place.path {
            match (step, types.get(ty)) {
                (Step::Field(f), Type::Record(record)) => {
                    let field = types.record(*record).fields.as_ref();
                    let Some(field) = field.and_then(|all| all.get(*f as usize)) else { break };
                    bytes += field.offset as i64;
                    ty = field.ty;
                }
                (Step::Index(index), array) => {
                    let (element, count) = match array {
                        Type::Array(element, count) => (*element, *count),
                        // A string literal.
                        _ => (ty, None),
                    };
                    let stride = types.size(element).unwrap_or(1);
                    match self.flow.constant(index) {
                        Some(i) => bytes = bytes.wrapping_add(i.wrapping_mul(stride as i64)),
                        None => {
                            node = self.solver.shift(node, bytes);
                            bytes = 0;
                            node = self.solver.indexed(node, stride, count);
                        }
                    }
                    ty = element;
                }
                (Step::Field(_), _) => break,
            }
        }
        self.solver.shift(node, bytes)
    }

    /// The possible targets of a pointer; `None` if there are none at all.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Node> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) => None,
            ExprKind::Load(place) => {
                let node = self.place(place);
                Some(self.solver.load(node))
            }
            ExprKind::AddressOf(place) => Some(self.place(place)),
            ExprKind::FunctionAddress(function) => {
                let object = self.solver.objects.function(*function);
                Some(self.solver.single(object, Some(0)))
            }
            ExprKind::Offset { pointer, index, scale } => {
                let node = self.value(pointer)?;
                Some(match self.flow.constant(index) {
                    Some(i) => self.solver.shift(node, i.wrapping_mul(*scale as i64)),
                    None => self.solver.elements(node, *scale),
                })
            }
            ExprKind::Conditional(_, a, b) => match (self.value(a), self.value(b)) {
                (Some(a), Some(b)) => Some(self.solver.union(a, b)),
                (a, b) => a.or(b),
            },
            ExprKind::Cast(inner) if self.flow.types.is_pointer(inner.ty) => self.value(inner),
            ExprKind::Cast(inner) => match self.carried(inner) {
                Carried::Nothing => None,
                Carried::Address(node) => Some(node),
                Carried::Unknown => Some(self.solver.unknown()),
            },
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Rounded(..)
            | ExprKind::Difference { .. } => Some(self.solver.unknown()),
        }
    }

    /// The addresses carried by an integer that is converted to a pointer.
    fn carried(&mut self, expr: &Expr) -> Carried {
        let word = self.flow.types.model.word();
        let wide = self.flow.types.bits(expr.ty).is_some_and(|(bits, _)| bits >= word);
        match &expr.kind {
            ExprKind::Constant(_) => Carried::Nothing,
            ExprKind::Load(place) if let Some(node) = self.carrier(place) => Carried::Address(node),
            ExprKind::Cast(inner) if wide && self.flow.types.is_pointer(inner.ty) => {
                self.value(inner).map_or(Carried::Nothing, Carried::Address)
            }
            ExprKind::Cast(inner) if wide && self.flow.types.is_integer(inner.ty) => {
                self.carried(inner)
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                match (self.carried(left), self.flow.constant(right)) {
                    (Carried::Address(node), Some(by)) => {
                        let by = if *op == BinaryOp::Add { by } else { by.wrapping_neg() };
                        Carried::Address(self.solver.shift_integer(node, by))
                    }
                    (Carried::Nothing, Some(_)) => Carried::Nothing,
                    _ => {
                        self.escape_carried(expr);
                        Carried::Unknown
                    }
                }
            }
            _ => {
                self.escape_carried(expr);
                Carried::Unknown
            }
        }
    }

    /// Makes the addresses escape that an integer may carry.
    pub(super) fn escape_carried(&mut self, expr: &Expr) {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        if self.flow.types.is_pointer(expr.ty) {
            if let Some(node) = self.value(expr) {
                let escaped = self.solver.escaped();
                self.solver.copy(node, escaped);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Is(_) | UnaryOp::Real(_), _)
            | ExprKind::Difference { .. } => {}
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) | ExprKind::Rounded(_, inner) => {
                self.escape_carried(inner);
            }
            ExprKind::Binary(op, left, right) => match op {
                Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | And | Or => {}
                _ => {
                    self.escape_carried(left);
                    self.escape_carried(right);
                }
            },
            ExprKind::Conditional(_, a, b) => {
                self.escape_carried(a);
                self.escape_carried(b);
            }
            ExprKind::Load(place) => {
                if let Some(node) = self.carrier(place) {
                    let escaped = self.solver.escaped();
                    self.solver.copy(node, escaped);
                }
            }
            _ => {}
        }
    }

    /// Makes pointers escape whose bytes are read anywhere in the expression.
    fn read(&mut self, expr: &Expr) {
        for part in expr.parts() {
            let ExprKind::Load(place) = &part.kind else { continue };
            let plain = matches!(place.base, Base::Variable(_)) && place.path.is_empty();
            let types = &self.flow.types;
            if !plain && types.is_arithmetic(place.ty) {
                let bytes = types.size(place.ty).unwrap_or(1);
                let node = self.place(place);
                self.solver.leak(node, bytes);
            }
        }
    }
}
