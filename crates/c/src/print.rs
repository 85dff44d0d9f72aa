//! Prints a program's control flow as text, for people and for tests.
//!
//! One line per edge: `source -> target: instruction`. Variables with the same name get numbers.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::flow::{
    Base, BinaryOp, Callee, Checked, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction,
    Place, RealOp, State, Step, UnaryOp, VariableId,
};
use super::types::Type;

/// Names for all parts of a program.
pub struct Printer<'a> {
    flow: &'a Flow,
    names: Vec<String>,
}

/// The whole program.
pub fn print(flow: &Flow) -> String {
    let printer = Printer::new(flow);
    let mut out = String::new();
    for (place, value) in &flow.initialisers {
        let _ = writeln!(out, "{} = {}", printer.place(place), printer.expr(value));
    }
    for index in 0..flow.functions.len() {
        out.push_str(&printer.function(FunctionId(index as u32)));
    }
    out
}

impl<'a> Printer<'a> {
    pub fn new(flow: &'a Flow) -> Self {
        let mut counts: HashMap<(Option<FunctionId>, &str), u32> = HashMap::new();
        let names = flow
            .variables
            .iter()
            .map(|variable| {
                let count = counts.entry((variable.function, &variable.name)).or_default();
                *count += 1;
                match *count {
                    1 => variable.name.clone(),
                    n => format!("{}#{n}", variable.name),
                }
            })
            .collect();
        Self { flow, names }
    }

    /// The header and edges of a function; only the header if it has no body.
    pub fn function(&self, id: FunctionId) -> String {
        let function = &self.flow.functions[id.0 as usize];
        let head = self.flow.types.declare(function.ty, &function.name);
        let Some(body) = &function.body else { return format!("{head};\n") };
        let names: Vec<&str> = function.parameters.iter().map(|&p| self.variable(p)).collect();
        let mut out =
            format!("{head}: ({}) entry {} exit {}\n", names.join(", "), body.entry.0, body.exit.0);
        for edge in &body.edges {
            let _ = writeln!(
                out,
                "  {} -> {}: {}",
                edge.source.0,
                edge.target.0,
                self.instruction(&edge.instruction)
            );
        }
        out
    }

    pub fn variable(&self, id: VariableId) -> &str {
        &self.names[id.0 as usize]
    }

    pub fn instruction(&self, instruction: &Instruction) -> String {
        match instruction {
            Instruction::Skip => "skip".to_owned(),
            Instruction::Assign(place, value) => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            Instruction::Assume { condition, expected: true } => {
                format!("[{}]", self.expr(condition))
            }
            Instruction::Assume { condition, expected: false } => {
                format!("[!({})]", self.expr(condition))
            }
            Instruction::Havoc(place, HavocKind::Input(name)) => {
                format!("{} = {name}()", self.place(place))
            }
            Instruction::Havoc(place, HavocKind::Volatile(read)) => {
                format!("{} = volatile {}", self.place(place), self.place(read))
            }
            Instruction::Havoc(place, HavocKind::Uninitialised) => {
                format!("{} = *", self.place(place))
            }
            Instruction::Havoc(place, HavocKind::Ended) => format!("end {}", self.place(place)),
            Instruction::Call { result, callee, arguments } => {
                let result = result.as_ref().map_or(String::new(), |p| self.place(p) + " = ");
                let callee = match callee {
                    Callee::Function(id) => self.flow.functions[id.0 as usize].name.clone(),
                    Callee::Pointer(pointer) => format!("(*{})", self.expr(pointer)),
                };
                let arguments: Vec<_> = arguments.iter().map(|a| self.expr(a)).collect();
                format!("{result}call {callee}({})", arguments.join(", "))
            }
            Instruction::Return(None) => "return".to_owned(),
            Instruction::Return(Some(value)) => format!("return {}", self.expr(value)),
            Instruction::Error(_) => "ERROR".to_owned(),
            Instruction::Halt => "halt".to_owned(),
            Instruction::Unsupported(what) => format!("UNSUPPORTED: {what}"),
        }
    }

    pub fn place(&self, place: &Place) -> String {
        let (mut out, mut ty) = match &place.base {
            Base::Variable(id) => {
                (self.variable(*id).to_owned(), Some(self.flow.variables[id.0 as usize].ty))
            }
            Base::Pointer(pointer) => {
                let pointee = match *self.flow.types.get(pointer.ty) {
                    Type::Pointer(pointee) => Some(pointee),
                    _ => None,
                };
                (format!("(*{})", self.expr(pointer)), pointee)
            }
            Base::String(number) => {
                let bytes = &self.flow.strings[*number as usize];
                let text = String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes));
                return format!("{text:?}") + &self.steps(place);
            }
        };
        for step in &place.path {
            match step {
                Step::Field(index) => {
                    let field = ty.and_then(|ty| {
                        let (_, record) = self.flow.types.as_record(ty)?;
                        record.fields.as_ref()?.get(*index as usize)
                    });
                    ty = field.map(|f| f.ty);
                    match field.map(|f| f.name.as_str()) {
                        Some("")
                            if ty.is_some_and(|ty| {
                                matches!(self.flow.types.get(ty), Type::Array(..))
                            }) => {}
                        Some(name) if !name.is_empty() => {
                            let _ = write!(out, ".{name}");
                        }
                        _ => {
                            let _ = write!(out, ".{index}");
                        }
                    }
                }
                Step::Index(index) => {
                    ty = ty.and_then(|ty| match *self.flow.types.get(ty) {
                        Type::Array(element, _) => Some(element),
                        _ => None,
                    });
                    let _ = write!(out, "[{}]", self.expr(index));
                }
            }
        }
        out
    }

    fn steps(&self, place: &Place) -> String {
        let mut out = String::new();
        for step in &place.path {
            let _ = match step {
                Step::Field(index) => write!(out, ".{index}"),
                Step::Index(index) => write!(out, "[{}]", self.expr(index)),
            };
        }
        out
    }

    pub fn expr(&self, e: &Expr) -> String {
        let types = &self.flow.types;
        match &e.kind {
            ExprKind::Constant(value) => {
                let shown = match types.bits(e.ty) {
                    Some((bits, true)) => {
                        let shift = 64 - bits;
                        (((*value << shift) as i64) >> shift).to_string()
                    }
                    _ => value.to_string(),
                };
                match types.get(e.ty) {
                    Type::Int { bits: 32, signed: true, rank: 3 } => shown,
                    _ => format!("({}){shown}", types.name(e.ty)),
                }
            }
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(id) => {
                format!("&{}", self.flow.functions[id.0 as usize].name)
            }
            ExprKind::Unary(op, inner) => {
                let sign = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                    UnaryOp::Is(state) => {
                        let inner = self.expr(inner);
                        return match state {
                            State::Outside(size) => format!("outside({inner}, {size}B)"),
                            State::Ended => format!("ended({inner})"),
                            State::Constant => format!("constant({inner})"),
                            State::Misaligned(align) => format!("misaligned({inner}, {align}B)"),
                            State::NotFreeable => format!("not-freeable({inner})"),
                            State::Unwritten => format!("unwritten({inner})"),
                            State::Lost { .. } => format!("lost({inner})"),
                        };
                    }
                    UnaryOp::Real(op) => return format!("{}({})", real(*op), self.expr(inner)),
                };
                format!("{sign}{}", self.atom(inner))
            }
            ExprKind::Binary(op, left, right) => {
                format!("{} {} {}", self.atom(left), sign(*op), self.atom(right))
            }
            ExprKind::Offset { pointer, index, scale } => {
                format!("{} + {} * {scale}B", self.atom(pointer), self.atom(index))
            }
            ExprKind::Difference { left, right, scale } => {
                format!("({} - {}) / {scale}B", self.atom(left), self.atom(right))
            }
            ExprKind::Conditional(condition, yes, no) => {
                format!("{} ? {} : {}", self.atom(condition), self.atom(yes), self.atom(no))
            }
            ExprKind::Rounded(_, operation) => self.expr(operation),
            ExprKind::Cast(inner) => format!("({}){}", types.name(e.ty), self.atom(inner)),
        }
    }

    fn atom(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(..)
            | ExprKind::Offset { .. }
            | ExprKind::Difference { .. }
            | ExprKind::Conditional(..) => format!("({})", self.expr(e)),
            ExprKind::Rounded(_, operation) => self.atom(operation),
            _ => self.expr(e),
        }
    }
}

/// The operator as C writes it.
pub(super) fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Beyond => "has no room for",
        BinaryOp::Apart => "is in another object than",
        BinaryOp::Overflows(op) => match op {
            Checked::Add => "+ overflows",
            Checked::Subtract => "- overflows",
            Checked::Multiply => "* overflows",
            Checked::Divide => "/ overflows",
            Checked::ShiftLeft => "<< overflows",
            Checked::ShiftCount => "shifted too far by",
        },
    }
}

/// The name that C has for it.
fn real(op: RealOp) -> &'static str {
    match op {
        RealOp::Absolute => "fabs",
        RealOp::SignBit => "signbit",
        RealOp::SquareRoot => "sqrt",
        RealOp::Integral => "rint",
        RealOp::NearestEven => "roundeven",
        RealOp::NearestAway => "round",
        RealOp::Truncate => "trunc",
        RealOp::Floor => "floor",
        RealOp::Ceiling => "ceil",
    }
}
