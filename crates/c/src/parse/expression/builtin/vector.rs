//! Functions of the compiler whose types are those of their arguments, and of the processor: shuffles and conversions of
//! vectors, and complex numbers of two parts; others leave a path undecided.

use super::compiler::is_plain;
use crate::flow::{BinaryOp, Expr, ExprKind, Step};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::parse::scope::Entity;
use crate::syntax::tree::{Expression, Node};
use crate::types::TypeId;
use hardbop_base::source::Span;

/// How the names of functions begin that are instructions of the processor.
const PROCESSOR: &str = "__builtin_ia32_";

/// Whether a function is one of the compiler's, whose types are not known here.
pub(in crate::parse::expression) fn is_of_compiler(name: &str) -> bool {
    let others = [
        "__builtin_shuffle",
        "__builtin_shufflevector",
        "__builtin_convertvector",
        "__builtin_complex",
    ];
    name.starts_with(PROCESSOR) || others.contains(&name) || is_plain(name)
}

impl Context<'_> {
    /// A call of such a function; some instructions only order what happens.
    pub(in crate::parse::expression) fn call_of_compiler(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Typed<Called> {
        if is_plain(name)
            && let Some(called) = self.plain_call(name, arguments, span)?
        {
            return Ok(called);
        }
        let value = match (name, arguments) {
            ("__builtin_convertvector", [vector, to]) => self.converted_vector(vector, to, span)?,
            ("__builtin_shufflevector", [one, other, indices @ ..]) => {
                self.picked([one, other], indices, span)?
            }
            ("__builtin_complex", [real, imaginary]) => {
                let (real, imaginary) = self.pair(real, imaginary)?;
                Some(self.complex_of([real, imaginary], span)?)
            }
            ("__builtin_shuffle", [one, mask]) => self.shuffled([one, one], mask, span)?,
            ("__builtin_shuffle", [one, other, mask]) => self.shuffled([one, other], mask, span)?,
            _ => {
                self.effects_of(arguments)?;
                let order = ["pause", "lfence", "mfence", "sfence"];
                if name.strip_prefix(PROCESSOR).is_some_and(|rest| order.contains(&rest)) {
                    return Ok(Called::Nothing);
                }
                None
            }
        };
        if let Some(value) = value {
            return Ok(Called::Value(value));
        }
        self.not_modelled(span, &format!("'{name}'"));
        Ok(Called::Value(self.unknown_value(span)))
    }

    /// Each element converted to the type of those of another vector.
    fn converted_vector(
        &mut self,
        vector: &Node<Expression>,
        to: &Node<Expression>,
        span: Span,
    ) -> Typed<Option<Expr>> {
        let Expression::Identifier(name) = &to.node else { return Ok(None) };
        let Some((Entity::Typedef(to), _)) = self.scopes.find(&name.node.name) else {
            return Ok(None);
        };
        let vector = self.value(vector)?;
        let counts = [vector.ty, to].map(|ty| self.types.as_vector(ty).map(|(_, count)| count));
        if counts[0].is_none() || counts[0] != counts[1] {
            return Ok(None);
        }
        let source = self.settled(vector);
        let element = self.types.as_vector(to).map_or(to, |(element, _)| element);
        let converted = |context: &mut Self, index| {
            let value = context.element_value(&source, index);
            Ok(context.in_range(value, element))
        };
        self.made(to, span, converted).map(Some)
    }

    /// The operands of a shuffle, one behind the other, with the type and the number of the
    /// elements of each.
    fn both(
        &mut self,
        operands: [&Node<Expression>; 2],
    ) -> Typed<Option<([Expr; 2], TypeId, u64)>> {
        let one = self.value(operands[0])?;
        // An operand that stands twice is evaluated once.
        let (one, other) = match std::ptr::eq(operands[0], operands[1]) {
            true => (one.clone(), one),
            false => {
                let one = self.keep(one);
                (one, self.value(operands[1])?)
            }
        };
        let (Some((element, count)), true) = (self.types.as_vector(one.ty), one.ty == other.ty)
        else {
            return Ok(None);
        };
        Ok(Some(([one, other], element, count)))
    }

    /// Elements of two vectors at constant indices.
    fn picked(
        &mut self,
        operands: [&Node<Expression>; 2],
        indices: &[Node<Expression>],
        span: Span,
    ) -> Typed<Option<Expr>> {
        let mut places = Vec::with_capacity(indices.len());
        for index in indices {
            let (index, _) = self.constant_expression(index)?;
            // One that does not matter is any.
            let Ok(index) = u64::try_from(index) else { return Ok(None) };
            places.push(index);
        }
        let Some((vectors, element, count)) = self.both(operands)? else { return Ok(None) };
        let fits = places.len().is_power_of_two() && places.iter().all(|&p| p < 2 * count);
        if !fits {
            return Ok(None);
        }
        let to = self.vector_type(element, places.len() as u64);
        let sources = vectors.map(|vector| self.settled(vector));
        let value = self.made(to, span, |context, index| {
            let at = places[index as usize];
            Ok(context.element_value(&sources[(at / count) as usize], at % count))
        })?;
        Ok(Some(value))
    }

    /// Elements of two vectors, which may be one, at the indices that a third one has, whose
    /// other bits do not count.
    fn shuffled(
        &mut self,
        operands: [&Node<Expression>; 2],
        mask: &Node<Expression>,
        span: Span,
    ) -> Typed<Option<Expr>> {
        let is_one = std::ptr::eq(operands[0], operands[1]);
        let Some((vectors, _, count)) = self.both(operands)? else { return Ok(None) };
        let vectors = vectors.map(|vector| self.keep(vector));
        let mask = self.value(mask)?;
        let Some((kind, n)) = self.types.as_vector(mask.ty) else { return Ok(None) };
        if n != count || !self.types.is_integer(kind) {
            return Ok(None);
        }
        let to = vectors[0].ty;
        let mask = self.settled(mask);
        let sources = vectors.map(|vector| self.settled(vector));
        let word = self.types.signed_word();
        let value = self.made(to, span, |context, index| {
            let wanted = context.element_value(&mask, index);
            let wanted = context.convert(wanted, word);
            let of = |context: &mut Self, bits: u64| {
                let bits = context.constant(bits, word, span);
                context.arithmetic(BinaryOp::BitAnd, wanted.clone(), bits, span)
            };
            let within = of(context, count - 1)?;
            let within = context.keep(within);
            let [one, other] = sources.each_ref().map(|source| {
                let mut place = context.element(source, 0);
                place.path.pop();
                place.path.push(Step::Index(Box::new(within.clone())));
                Expr { ty: place.ty, span, kind: ExprKind::Load(place) }
            });
            if is_one {
                return Ok(one);
            }
            let is_second = of(context, count)?;
            let ty = one.ty;
            let kind = ExprKind::Conditional(Box::new(is_second), Box::new(other), Box::new(one));
            Ok(Expr { kind, ty, span })
        })?;
        Ok(Some(value))
    }
}
