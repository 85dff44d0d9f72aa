//! Calls of functions that the text does not define: what the table of library functions and attributes say of them.

use crate::flow::{Base, Expr, FunctionId, HavocKind, Instruction, Place};
use crate::library::{Execution, Family, LibraryFunction, find};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::parse::kept::Promises;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// Remembers what a declaration of a function promises.
    pub fn promise(&mut self, id: FunctionId, new: Promises) {
        if new != Promises::default() {
            let all = self.promises.entry(id).or_default();
            all.no_return |= new.no_return;
            all.no_effect |= new.no_effect;
            all.constructor = all.constructor.or(new.constructor);
            all.destructor = all.destructor.or(new.destructor);
        }
    }

    /// The promises about a function that has no body in the text.
    pub fn promised(&self, id: FunctionId) -> Promises {
        let defined = self.bodies.contains(&self.functions[id.0 as usize].name);
        self.promises.get(&id).copied().filter(|_| !defined).unwrap_or_default()
    }

    /// A call without any effect, of which nothing but the result matters; none where that is not a number.
    pub(super) fn effectless_call(
        &mut self,
        id: FunctionId,
        result: TypeId,
        destination: Option<&Place>,
        used: bool,
        span: Span,
    ) -> Option<Called> {
        let name = self.functions[id.0 as usize].name.clone();
        if !self.promised(id).no_effect || find(&name).is_some() {
            return None;
        }
        if *self.types.get(result) == Type::Void || !used && self.types.is_arithmetic(result) {
            return Some(Called::Nothing);
        }
        if !self.types.is_arithmetic(result) {
            // A pointer may be one of the arguments.
            return None;
        }
        Some(self.any_value(result, HavocKind::Input(name), destination, span))
    }

    /// Makes each part of a record that a function without a body has returned an input, as those of a variable that comes
    /// into scope are.
    pub(super) fn returned_record(&mut self, function: &str, place: &Place, span: Span) {
        if let Base::Variable(id) = place.base
            && self.types.as_record(place.ty).is_some()
        {
            let variable = &mut self.variables[id.0 as usize];
            variable.name = format!("{function}(){}", variable.name.trim_start_matches("tmp"));
            self.emit(Instruction::Havoc(place.clone(), HavocKind::Uninitialised), span);
        }
    }

    /// The arguments of a library function as it takes them: the text may declare it with other
    /// parameters, or not at all.
    pub(super) fn library_arguments(
        &mut self,
        id: FunctionId,
        values: &mut [Expr],
        span: Span,
    ) -> Typed<()> {
        let function = &self.functions[id.0 as usize];
        let name = function.name.clone();
        let known = find(&name).filter(|_| !self.bodies.contains(&name));
        let Some(known) = known.filter(|known| known.model().is_some()) else { return Ok(()) };
        let parameters = known.prototype.parameters;
        let prototyped = !matches!(self.types.get(function.ty),
            Type::Function { parameters, variadic: true, .. } if parameters.is_empty());
        let standard = !prototyped && is_standard(known, &name);
        let given = values.len();
        if standard
            && (given < parameters.len() || given > parameters.len() && !known.prototype.variadic)
        {
            return Err(self.wrong_count(parameters.len(), given, Some((span, name)), span));
        }
        for (value, &kind) in values.iter_mut().zip(parameters) {
            let to = self.type_of_result(kind);
            let (ty, at) = (value.ty, value.span);
            if self.types.is_pointer(ty) && self.types.is_pointer(to) {
                continue;
            }
            let mixed = self.types.is_pointer(to) && !self.types.is_integer(ty)
                || self.types.is_pointer(ty) && !self.types.is_integer(to);
            if mixed || !self.types.is_scalar(ty) {
                if !known.is_modelled() {
                    continue;
                }
                if standard {
                    self.assignable(value.clone(), to, at)?;
                }
                self.not_modelled(span, &format!("a call of '{name}' with a strange argument"));
                return Ok(());
            }
            *value = self.implicit(value.clone(), to);
        }
        Ok(())
    }
}

/// Whether the function is one whose parameters gcc knows without a declaration.
fn is_standard(known: &LibraryFunction, name: &str) -> bool {
    let modelled = known.model().is_some_and(|model| {
        !matches!(model.execution, Execution::Scans | Execution::Unmodelled | Execution::AnyResult)
    });
    known.family == Family::Library && known.name == name && modelled
}
