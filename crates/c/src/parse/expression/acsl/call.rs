//! Calls of functions without bodies that have contracts.

use crate::flow::{Base, Expr, FunctionId, HavocKind, Instruction, Place, Step, VariableId};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::is_unknown;
use crate::parse::expression::place::Operand;
use crate::parse::kept::{Called, Clause};
use crate::parse::text::acsl::Meaning;
use crate::reliance::Reliance;
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
            for part in &clause.parts {
                let check = |c: &mut Self| c.error_unless(part, clause.span);
                self.in_clause(&clause, &parameters, None, check)?;
            }
        }
        let is_void = *self.types.get(result) == Type::Void;
        let ensured = self.clauses(function, &[Meaning::Ensures]);
        let ensured = self.remembered(ensured, &parameters, !is_void)?;
        let called = match self.assigned(function, result, &parameters)? {
            Some(places) => {
                self.rely(Reliance::Contract, span);
                let name = self.functions[function.0 as usize].name.clone();
                for place in places {
                    let kind = HavocKind::Input(format!("{name} assigns"));
                    if let Called::Value(value) = self.any_value(place.ty, kind, None, span) {
                        self.emit(Instruction::Assign(place, value), span);
                    }
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
    ) -> Typed<Option<Vec<Place>>> {
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
        Ok(Some(places.into_iter().map(|place| self.fixed(place)).collect()))
    }

    /// The places in a clause, if all of them are numbers that may change.
    fn number_places(&mut self, clause: &Clause) -> Typed<Option<Vec<Place>>> {
        let mut places = vec![];
        for part in &clause.parts {
            let Operand::Place(place) = self.object(part)? else {
                return Err(self.refused(part.span, "what is no place"));
            };
            let is_constant = matches!(place.base,
                Base::Variable(id) if self.variables[id.0 as usize].constant);
            if is_constant || !self.types.is_arithmetic(place.ty) {
                return Ok(None);
            }
            places.push(place);
        }
        Ok(Some(places))
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
