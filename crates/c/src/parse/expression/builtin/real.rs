//! Functions on floating-point numbers, as expressions.

use super::super::convention::Special;
use super::bits::binary;
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction, RealOp, UnaryOp};
use crate::library::{RealFunction, find};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::{Expression, Node};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// `FP_NAN`, `FP_INFINITE`, `FP_NORMAL`, `FP_SUBNORMAL` and `FP_ZERO` of glibc.
const GLIBC_KINDS: [u64; 5] = [0, 1, 4, 3, 2];

/// The property of numbers that a function such as `isinf` tells.
fn classify(name: &str) -> Option<fn(f64) -> bool> {
    let name = name.trim_start_matches("builtin_");
    Some(match name {
        "isinf" | "isinff" => f64::is_infinite,
        "isnan" | "isnanf" => f64::is_nan,
        "isfinite" | "finite" => f64::is_finite,
        _ => return None,
    })
}

impl Context<'_> {
    /// A call of `fabs`, `isnan` or the like.
    pub(in crate::parse::expression) fn real_function(
        &mut self,
        what: RealFunction,
        call: &Special,
    ) -> Typed<Called> {
        let &Special { name, arguments, used, span, .. } = call;
        let prototype = find(name).map(|row| row.prototype);
        let expected = prototype.map_or(arguments.len(), |p| p.parameters.len());
        if arguments.len() != expected {
            return Err(self.wrong_count(expected, arguments.len(), None, span));
        }
        // In a condition, the value may be a comparison; else its variable is the result's.
        let result = match what {
            RealFunction::Infinity => {
                let ty = self.type_by_name(name);
                Expr { kind: ExprKind::Float(f64::INFINITY), ty, span }
            }
            RealFunction::NotANumber => {
                let payload = match &arguments[0].node {
                    Expression::StringLiteral(text) => payload(&text.node),
                    _ => None,
                };
                let ty = self.type_by_name(name);
                let bits = match (payload, self.types.size(ty)) {
                    (Some(0), _) => 0,
                    // Of the lower bits, a `float` has those that are the upper ones of a `double`.
                    (Some(payload), Some(4)) => (payload & 0x3f_ffff) << 29,
                    (Some(payload), Some(8)) => payload & 0x7_ffff_ffff_ffff,
                    _ => return Ok(self.undecided_call(name, span)),
                };
                let value = f64::from_bits(f64::NAN.to_bits() | bits);
                Expr { kind: ExprKind::Float(value), ty, span }
            }
            RealFunction::Classify => {
                let int = self.int();
                let (given, x) = arguments.split_at(arguments.len() - 1);
                let mut kinds = Vec::new();
                for argument in given {
                    let value = self.value(argument)?;
                    let value = self.implicit(value, int);
                    kinds.push(self.keep(value));
                }
                if kinds.is_empty() {
                    kinds = GLIBC_KINDS.map(|kind| self.constant(kind, int, span)).to_vec();
                }
                let x = self.real_operand(&x[0], name)?;
                self.classified(&x, &kinds)
            }
            _ => {
                let mut operands = Vec::new();
                for argument in arguments {
                    operands.push(self.real_operand(argument, name)?);
                }
                if operands.iter().any(|x| self.is_long_double(x.ty)) {
                    return Ok(self.undecided_call(name, span));
                }
                if let ([Expr { kind: ExprKind::Float(x), .. }], Some(truth)) = (
                    operands.as_slice(),
                    operands.first().and_then(|_| classify(name.trim_start_matches('_'))),
                ) && (self.dry > 0 || self.current.is_none())
                {
                    let (value, int) = (u64::from(truth(*x)), self.int());
                    return Ok(Called::Value(self.constant(value, int, span)));
                }
                if operands.len() == 2 {
                    let ty = self.common_type(&operands[0], &operands[1]);
                    for x in &mut operands {
                        *x = self.convert(x.clone(), ty);
                    }
                }
                self.computed(what, &operands, span)?
            }
        };
        if !used {
            return Ok(Called::Nothing);
        }
        let result = match prototype {
            // lround
            Some(prototype) if self.is_real(result.ty) => {
                let ty = self.type_of_result(prototype.result);
                if self.is_real(ty) { result } else { self.convert(result, ty) }
            }
            _ => result,
        };
        Ok(Called::Value(result))
    }

    fn is_real(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float { .. })
    }

    /// `float` for names such as `fabsf`, else `double`.
    fn type_by_name(&mut self, name: &str) -> TypeId {
        let single = name.ends_with('f') && !matches!(name, "__builtin_inf" | "isinf" | "__isinf");
        self.types.intern(Type::Float { bits: if single { 32 } else { 64 } })
    }

    /// An argument: in its own type if the function takes any, else in that of the function.
    fn real_operand(&mut self, node: &Node<Expression>, name: &str) -> Typed<Expr> {
        let value = self.value(node)?;
        let any = ["is", "fpclassify", "signbit"];
        let plain = name.trim_start_matches("__builtin_");
        let value = if any.iter().any(|start| plain.starts_with(start)) && self.is_real(value.ty) {
            value
        } else {
            let ty = self.type_by_name(name);
            self.convert(value, ty)
        };
        Ok(self.keep(value))
    }

    /// The wider of two floating-point types.
    fn common_type(&self, a: &Expr, b: &Expr) -> TypeId {
        if self.types.size(a.ty) < self.types.size(b.ty) { b.ty } else { a.ty }
    }

    fn applied(&mut self, op: RealOp, x: &Expr) -> Expr {
        let ty = if op == RealOp::SignBit { self.int() } else { x.ty };
        let kind = ExprKind::Unary(UnaryOp::Real(op), Box::new(x.clone()));
        self.keep(Expr { kind, ty, span: x.span })
    }

    fn number(&self, value: f64, like: &Expr) -> Expr {
        Expr { kind: ExprKind::Float(value), ty: like.ty, span: like.span }
    }

    fn compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
        let int = self.int();
        binary(op, a, b, int)
    }

    fn selected(&self, condition: Expr, yes: &Expr, no: &Expr) -> Expr {
        let (ty, span) = (yes.ty, yes.span);
        let (yes, no) = (Box::new(yes.clone()), Box::new(no.clone()));
        Expr { kind: ExprKind::Conditional(Box::new(condition), yes, no), ty, span }
    }

    /// The result for operands of one type.
    fn computed(&mut self, what: RealFunction, operands: &[Expr], span: Span) -> Typed<Expr> {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        let x = &operands[0];
        let y = operands.get(1).unwrap_or(x);
        let int = self.int();
        Ok(match what {
            RealFunction::Absolute => self.applied(RealOp::Absolute, x),
            RealFunction::SquareRoot => {
                // It sets 'errno' for negative numbers.
                if !self.sees_errors {
                    return Ok(self.applied(RealOp::SquareRoot, x));
                }
                let zero = self.number(0.0, x);
                let negative = self.compared(Less, x, &zero);
                let (undefined, fine) = (self.fresh(), self.fresh());
                self.branch_on(negative, undefined, fine, span)?;
                self.go_on_at(undefined);
                let why = "the square root of a negative number".to_owned();
                self.stop(Instruction::Unsupported(why), span);
                self.go_on_at(fine);
                self.applied(RealOp::SquareRoot, x)
            }
            RealFunction::Floor => self.applied(RealOp::Floor, x),
            RealFunction::Ceiling => self.applied(RealOp::Ceiling, x),
            RealFunction::Truncate => self.applied(RealOp::Truncate, x),
            RealFunction::NearestAway => self.applied(RealOp::NearestAway, x),
            RealFunction::Integral => self.applied(RealOp::Integral, x),
            RealFunction::NearestEven => self.applied(RealOp::NearestEven, x),
            RealFunction::CopySign => {
                let size = self.applied(RealOp::Absolute, x);
                let negated = ExprKind::Unary(UnaryOp::Negate, Box::new(size.clone()));
                let negated = Expr { kind: negated, ty: x.ty, span: x.span };
                let sign = self.applied(RealOp::SignBit, y);
                self.selected(sign, &negated, &size)
            }
            RealFunction::Minimum | RealFunction::Maximum => {
                let op = if what == RealFunction::Minimum { LessEqual } else { GreaterEqual };
                let better = self.compared(op, x, y);
                let no_number = self.compared(NotEqual, y, y);
                let first = binary(Or, &better, &no_number, int);
                self.selected(first, x, y)
            }
            RealFunction::IsNan => self.compared(NotEqual, x, x),
            RealFunction::IsFinite => {
                let (size, infinity) =
                    (self.applied(RealOp::Absolute, x), self.number(f64::INFINITY, x));
                self.compared(Less, &size, &infinity)
            }
            RealFunction::IsInfinite { signed } => {
                let (size, infinity) =
                    (self.applied(RealOp::Absolute, x), self.number(f64::INFINITY, x));
                let infinite = self.compared(Equal, &size, &infinity);
                if signed {
                    let minus = self.constant(u64::from(u32::MAX), int, span);
                    let sign = self.applied(RealOp::SignBit, x);
                    let one = self.constant(1, int, span);
                    let zero = self.constant(0, int, span);
                    let value = self.selected(sign, &minus, &one);
                    self.selected(infinite, &value, &zero)
                } else {
                    infinite
                }
            }
            RealFunction::IsNormal => {
                let size = self.applied(RealOp::Absolute, x);
                let (least, infinity) = (self.least_normal(x), self.number(f64::INFINITY, x));
                let above = self.compared(GreaterEqual, &size, &least);
                let below = self.compared(Less, &size, &infinity);
                binary(BinaryOp::And, &above, &below, int)
            }
            RealFunction::SignBit => {
                let sign = self.applied(RealOp::SignBit, x);
                // As gcc has it.
                let single = self.types.size(x.ty) == Some(4);
                let value = if single { 0x8000_0000 } else { 1 };
                let value = self.constant(value, int, span);
                let zero = self.constant(0, int, span);
                self.selected(sign, &value, &zero)
            }
            RealFunction::Greater => self.compared(Greater, x, y),
            RealFunction::GreaterEqual => self.compared(GreaterEqual, x, y),
            RealFunction::Less => self.compared(Less, x, y),
            RealFunction::LessEqual => self.compared(LessEqual, x, y),
            RealFunction::LessGreater => {
                let (less, more) = (self.compared(Less, x, y), self.compared(Greater, x, y));
                binary(Or, &less, &more, int)
            }
            RealFunction::Unordered => {
                let (first, second) =
                    (self.compared(NotEqual, x, x), self.compared(NotEqual, y, y));
                binary(Or, &first, &second, int)
            }
            // They have no operands of this kind.
            RealFunction::Classify | RealFunction::Infinity | RealFunction::NotANumber => x.clone(),
        })
    }

    /// The least positive number with full precision.
    fn least_normal(&self, like: &Expr) -> Expr {
        let single = self.types.size(like.ty) == Some(4);
        self.number(if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE }, like)
    }

    /// One of the values for NaNs, infinities, normal and subnormal numbers, and zeros.
    fn classified(&mut self, x: &Expr, kinds: &[Expr]) -> Expr {
        let size = self.applied(RealOp::Absolute, x);
        let zero = self.number(0.0, x);
        let (least, infinity) = (self.least_normal(x), self.number(f64::INFINITY, x));
        let is_zero = self.compared(BinaryOp::Equal, x, &zero);
        let small = self.selected(is_zero, &kinds[4], &kinds[3]);
        let is_normal = self.compared(BinaryOp::GreaterEqual, &size, &least);
        let finite = self.selected(is_normal, &kinds[2], &small);
        let is_infinite = self.compared(BinaryOp::Equal, &size, &infinity);
        let number = self.selected(is_infinite, &kinds[1], &finite);
        let is_nan = self.compared(BinaryOp::NotEqual, x, x);
        self.selected(is_nan, &kinds[0], &number)
    }
}

/// The number that the text of a call of `nan` is, as `strtoull` reads it; 0 of an empty text.
fn payload(literal: &[String]) -> Option<u64> {
    let [only] = literal else { return None };
    let text = only.strip_prefix('"')?.strip_suffix('"')?;
    let (digits, radix) = match text {
        "" | "0" => return Some(0),
        _ => match (text.strip_prefix("0x").or(text.strip_prefix("0X")), text.strip_prefix('0')) {
            (Some(digits), _) => (digits, 16),
            (None, Some(digits)) => (digits, 8),
            (None, None) => (text, 10),
        },
    };
    let is_number = digits.chars().all(|c| c.is_digit(radix));
    is_number.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
}
