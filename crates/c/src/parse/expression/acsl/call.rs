//! Calls of functions without bodies that have contracts.

use super::shape::group;
use super::term::{Term, range};
use crate::flow::{
    Base, BinaryOp, Expr, FunctionId, HavocKind, Instruction, LocationId, Place, Step, VariableId,
};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::is_unknown;
use crate::parse::expression::place::Operand;
use crate::parse::kept::{Called, Clause};
use crate::parse::text::acsl::{Meaning, RANGE};
use crate::reliance::Reliance;
use crate::syntax::tree::{Expression, Node};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// A call whose arguments have been evaluated.
pub(in crate::parse::expression) struct Contracted {
    pub function: FunctionId,
    pub result: TypeId,
    pub arguments: Vec<Expr>,
    pub used: bool,
    pub span: Span,
}

/// What a call changes.
enum Assigned {
    One(Place),
    /// Those with these indices behind the first element of an array.
    Elements {
        first: Expr,
        low: Expr,
        high: Expr,
    },
}

/// The parts of `array[low .. high]`.
fn elements(
    node: &Node<Expression>,
) -> Option<(&Node<Expression>, &Node<Expression>, &Node<Expression>)> {
    if let Some(inner) = group(node) {
        return elements(inner);
    }
    let Expression::BinaryOperator(binary) = &node.node else { return None };
    let Expression::Call(call) = &binary.node.rhs.node else { return None };
    let is_range = matches!(&call.node.callee.node,
        Expression::Identifier(name) if name.node.name == RANGE);
    match call.node.arguments.as_slice() {
        [low, high] if is_range => Some((&binary.node.lhs, low, high)),
        _ => None,
    }
}

impl Context<'_> {
    /// Whether a function has a contract that takes the place of a body.
    pub(in crate::parse::expression) fn has_contract_only(&self, id: FunctionId) -> bool {
        let name = &self.functions[id.0 as usize].name;
        let has_contract = self.annotated.contracts.contains_key(&id);
        has_contract && !self.bodies.contains(name) && is_unknown(name)
    }

    /// Checks what the contract of the function requires, and assumes what it ensures.  What the call does, if the contract
    /// does not say that, is left to `other`.
    pub(in crate::parse::expression) fn contracted(
        &mut self,
        call: Contracted,
        other: impl FnOnce(&mut Self, Vec<Expr>, bool) -> Typed<Called>,
    ) -> Typed<Called> {
        let Contracted { function, result, arguments, used, span } = call;
        let (mut parameters, mut values) = (vec![], vec![]);
        for argument in arguments {
            let (place, variable) = self.kept_in(argument, span);
            parameters.push(variable);
            values.push(place.load());
        }
        for clause in self.clauses(function, &[Meaning::Requires]) {
            self.clause_holds(&clause, &parameters, None)?;
        }
        let is_void = *self.types.get(result) == Type::Void;
        let ensured = self.clauses(function, &[Meaning::Ensures]);
        let ensured = self.remembered(ensured, &parameters, !is_void)?;
        let called = match self.assigned(function, result, &parameters)? {
            Some(places) => {
                self.rely(Reliance::Contract, span);
                if self.promised(function).no_return {
                    self.stop(Instruction::Halt, span);
                }
                let name = self.functions[function.0 as usize].name.clone();
                for place in places {
                    self.assign_any(place, &name, span)?;
                }
                match is_void {
                    true => Called::Nothing,
                    false => self.any_value(result, HavocKind::Input(name), None, span),
                }
            }
            None => {
                let speaks = ensured.iter().any(|clause| self.says_result(clause));
                other(self, values, used || speaks)?
            }
        };
        let (called, result) = match called {
            Called::Value(value) => {
                let (place, variable) = self.kept_in(value, span);
                (Called::Value(place.load()), Some(variable))
            }
            other => (other, None),
        };
        if !ensured.is_empty() {
            self.rely(Reliance::Contract, span);
        }
        for clause in &ensured {
            for part in &clause.parts {
                let assume = |c: &mut Self| c.assume(part, clause.span);
                self.in_clause(clause, &parameters, result, assume)?;
            }
        }
        Ok(called)
    }

    /// Puts a value into a variable of its own.
    fn kept_in(&mut self, value: Expr, span: Span) -> (Place, VariableId) {
        let place = self.temporary(value.ty, span);
        self.emit(Instruction::Assign(place.clone(), value), span);
        let Base::Variable(variable) = place.base else {
            unreachable!("a temporary is a variable")
        };
        (place, variable)
    }

    /// The places that a call changes; none if the contract does not say it, or speaks of more than numbers.
    fn assigned(
        &mut self,
        function: FunctionId,
        result: TypeId,
        parameters: &[VariableId],
    ) -> Typed<Option<Vec<Assigned>>> {
        let clauses = self.clauses(function, &[Meaning::Assigns, Meaning::Anything]);
        if clauses.is_empty() || clauses.iter().any(|c| c.meaning == Meaning::Anything) {
            return Ok(None);
        }
        if *self.types.get(result) != Type::Void && !self.types.is_arithmetic(result) {
            // It may be one of the arguments, or what the function knows from before.
            let what = "'assigns' of a function that returns no number";
            self.warn_annotation(what, clauses[0].span);
            return Ok(None);
        }
        let mut places = vec![];
        for clause in &clauses {
            let Some(own) =
                self.in_clause(clause, parameters, None, |c| c.number_places(clause))?
            else {
                self.warn_annotation("'assigns' of other things than numbers", clause.span);
                return Ok(None);
            };
            places.extend(own);
        }
        // They are those at the beginning.
        let fixed = places.into_iter().map(|what| match what {
            Assigned::One(place) => Assigned::One(self.fixed(place)),
            elements @ Assigned::Elements { .. } => elements,
        });
        Ok(Some(fixed.collect()))
    }

    /// The places in a clause, if all of them are numbers that may change.
    fn number_places(&mut self, clause: &Clause) -> Typed<Option<Vec<Assigned>>> {
        let mut places = vec![];
        for part in &clause.parts {
            let place = match elements(part) {
                Some((array, low, high)) => self.assigned_elements(array, [low, high])?,
                None => self.number_place(part)?.map(Assigned::One),
            };
            let Some(place) = place else { return Ok(None) };
            places.push(place);
        }
        Ok(Some(places))
    }

    fn number_place(&mut self, node: &Node<Expression>) -> Typed<Option<Place>> {
        let Operand::Place(place) = self.object(node)? else {
            return Err(self.refused(node.span, "what is no place"));
        };
        let is_number = self.types.is_arithmetic(place.ty) && !self.is_constant(&place);
        Ok(is_number.then_some(place))
    }

    fn is_constant(&self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(id) if self.variables[id.0 as usize].constant)
    }

    /// `array[low .. high]`
    fn assigned_elements(
        &mut self,
        array: &Node<Expression>,
        bounds: [&Node<Expression>; 2],
    ) -> Typed<Option<Assigned>> {
        let Term::Pointer(first) = self.address_or_term(array)? else {
            return Err(self.refused(array.span, "an element of a number"));
        };
        let (least, most) = range(self.types.model.word(), true);
        let word = self.types.signed_word();
        let mut values = vec![];
        for bound in bounds {
            let number = self.integer_term(bound)?;
            if number.low <= least || number.high >= most {
                return Err(self.too_wide(bound.span));
            }
            let value = self.convert(number.value, word);
            values.push(self.keep(value));
        }
        let is_number = match *self.types.get(first.ty) {
            Type::Pointer(to) => self.types.is_arithmetic(to),
            _ => false,
        };
        let is_constant = first.place().is_some_and(|place| self.is_constant(place));
        if !is_number || is_constant {
            return Ok(None);
        }
        let first = self.keep(first);
        let (Some(high), Some(low)) = (values.pop(), values.pop()) else { return Ok(None) };
        Ok(Some(Assigned::Elements { first, low, high }))
    }

    /// Gives a place, or elements, any value.
    fn assign_any(&mut self, what: Assigned, name: &str, span: Span) -> Typed<()> {
        let kind = HavocKind::Input(format!("{name} assigns"));
        let end = self.fresh();
        self.skip_absent(&what, &kind, end, span)?;
        self.assign_each(what, kind, span)?;
        self.jump(end, span);
        self.go_on_at(end);
        Ok(())
    }

    /// Goes to `end` where a place that may not be there is not written: a list says what a call may change, not that it does,
    /// and the target of a null pointer is no place.
    fn skip_absent(
        &mut self,
        what: &Assigned,
        kind: &HavocKind,
        end: LocationId,
        span: Span,
    ) -> Typed<()> {
        let pointer = match what {
            Assigned::One(place) => {
                let pointer = match &place.base {
                    Base::Pointer(pointer) => Some((**pointer).clone()),
                    _ => None,
                };
                let has_index = place.path.iter().any(|step| matches!(step, Step::Index(_)));
                if pointer.is_none() && !has_index {
                    return Ok(());
                }
                pointer
            }
            Assigned::Elements { first, .. } => Some(first.clone()),
        };
        let int = self.int();
        let zero = self.constant(0, int, span);
        let Called::Value(choice) = self.any_value(int, kind.clone(), None, span) else {
            return Ok(());
        };
        let writes = self.combine(BinaryOp::NotEqual, choice, zero, span);
        let written = self.fresh();
        self.branch_on(writes, written, end, span)?;
        self.go_on_at(written);
        if let Some(pointer) = pointer {
            let null = self.constant(0, pointer.ty, span);
            let is_there = self.arithmetic(BinaryOp::NotEqual, pointer, null, span)?;
            let there = self.fresh();
            self.branch_on(is_there, there, end, span)?;
            self.go_on_at(there);
        }
        Ok(())
    }

    fn assign_each(&mut self, what: Assigned, kind: HavocKind, span: Span) -> Typed<()> {
        let (first, low, high) = match what {
            Assigned::One(place) => {
                if let Called::Value(value) = self.any_value(place.ty, kind, None, span) {
                    self.emit(Instruction::Assign(place, value), span);
                }
                return Ok(());
            }
            Assigned::Elements { first, low, high } => (first, low, high),
        };
        let word = low.ty;
        let index = self.temporary(word, span);
        self.emit(Instruction::Assign(index.clone(), low), span);
        let (head, inside, behind) = (self.fresh(), self.fresh(), self.fresh());
        self.jump(head, span);
        self.go_on_at(head);
        let more = self.combine(BinaryOp::LessEqual, index.clone().load(), high, span);
        self.branch_on(more, inside, behind, span)?;
        self.go_on_at(inside);
        let element = self.arithmetic(BinaryOp::Add, first, index.clone().load(), span)?;
        if let Operand::Place(element) = self.deref(element, span)?
            && let Called::Value(value) = self.any_value(element.ty, kind, None, span)
        {
            self.emit(Instruction::Assign(element, value), span);
        }
        let one = self.constant(1, word, span);
        let next = self.combine(BinaryOp::Add, index.clone().load(), one, span);
        self.emit(Instruction::Assign(index, next), span);
        self.jump(head, span);
        self.go_on_at(behind);
        Ok(())
    }

    /// The same place, whatever changes from here on.
    fn fixed(&mut self, mut place: Place) -> Place {
        if let Base::Pointer(pointer) = place.base {
            place.base = Base::Pointer(Box::new(self.keep(*pointer)));
        }
        for step in &mut place.path {
            if let Step::Index(index) = step {
                **index = self.keep((**index).clone());
            }
        }
        place
    }
}
