//! Calls and returns.

use super::anything::takes_any;
use super::evaluate::{Location, Spot, Value};
use super::layout::{Scalar, mask};
use super::library::{self, Arguments};
use super::state::{Machine, Stop};
use crate::execute::execution::Demand;
use crate::execute::fault::Fault;
use crate::flow::{Expr, ExprKind, FunctionId, Place, VariableId};
use crate::trace::InputKind;
use crate::types::Type;

impl<'f> Machine<'f, '_> {
    /// Calls a function; the caller is already at the target of the call's edge.
    pub fn call(
        &mut self,
        function: FunctionId,
        result: Option<&'f Place>,
        arguments: &'f [Expr],
    ) -> Result<(), Stop> {
        let flow = self.flow;
        let callee = &flow.functions[function.0 as usize];
        let shows = result.is_none() && callee.body.is_none() && library::shows(&callee.name);
        let mut values: Vec<Value> = arguments
            .iter()
            .map(|a| match self.value(a) {
                // It does not matter which number a program shows.
                Err(Stop::Fault(Fault::UnknownText(_) | Fault::UnknownResult(_)))
                    if shows && is_loaded(a) && !flow.types.is_pointer(a.ty) =>
                {
                    Ok(Value::Scalar(0))
                }
                value => value,
            })
            .collect::<Result<_, _>>()?;
        let Some(body) = &callee.body else {
            let is_open = |value: &Value| matches!(value, Value::Open | Value::Term(_));
            let open = values.iter().zip(arguments).filter(|(v, _)| is_open(v));
            let pointers: Vec<bool> = open.map(|(_, a)| flow.types.is_pointer(a.ty)).collect();
            if !pointers.is_empty() && !takes_any(&callee.name, &values, pointers.contains(&true)) {
                for value in &mut values {
                    match *value {
                        Value::Open => return Err(Stop::NoInput),
                        Value::Term(term) => *value = Value::Scalar(self.pick(term)?),
                        _ => {}
                    }
                }
            }
            library::fit(self, &callee.name, arguments, &values)?;
            let types: Vec<Option<Scalar>> =
                arguments.iter().map(|a| self.layout.scalar(a.ty)).collect();
            let of = self.flow.types.types.get_index(callee.ty.0 as usize);
            let scalar = match of {
                Some(&Type::Function { result, .. }) => self.layout.scalar(result),
                _ => None,
            };
            let given = Arguments { values: &values, types: &types, result: scalar };
            return self.undefined(function, result, &given);
        };
        self.enters(function);
        self.open(function, body, result)?;
        if let (Some(edge), Some(frame)) = (self.edge, self.frames.last_mut()) {
            frame.call = Some((edge, self.span));
        }
        // Extra arguments are dropped: the function may be declared without parameters, or called
        // through a pointer of another type.
        for (&parameter, value) in callee.parameters.iter().zip(&values) {
            self.assign_variable(parameter, value)?;
        }
        Ok(())
    }

    /// Returns from the innermost function, which is at its exit; false if it is `main`.
    pub fn back(&mut self) -> Result<bool, Stop> {
        let Some(frame) = self.frames.last() else { return Ok(false) };
        let (result, call) = (frame.result, frame.call);
        let variable = self.flow.functions[frame.function.0 as usize].result;
        if self.frames.len() == 1 {
            return Ok(false);
        }
        let value = match (result, variable) {
            (Some(_), Some(variable)) => Some(self.read_variable(variable)?),
            _ => None,
        };
        self.close();
        if let Some((edge, span)) = call {
            self.begin_return(edge, span);
        }
        if let (Some(place), Some(value)) = (result, value) {
            self.write(place, &value)?;
        }
        Ok(true)
    }

    /// The result of the innermost function, if it is an initialised scalar.
    pub fn status(&mut self) -> Option<u64> {
        let function = self.frames.last()?.function;
        let result = self.flow.functions[function.0 as usize].result?;
        let scalar = self.layout.scalar(self.flow.variables[result.0 as usize].ty)?;
        let object = self.variable(result).ok()?;
        let (value, known) = self.memory.load(object, 0, scalar.stored_bits());
        (known == mask(scalar.stored_bits())).then_some(value)
    }

    fn whole(&mut self, variable: VariableId) -> Result<Spot, Stop> {
        Ok(Spot::new(Location::Object(self.variable(variable)?, 0)))
    }

    /// Writes a parameter or a function's result.
    pub fn assign_variable(&mut self, variable: VariableId, value: &Value) -> Result<(), Stop> {
        let ty = self.flow.variables[variable.0 as usize].ty;
        let spot = self.whole(variable)?;
        self.write_spot(spot, ty, value)?;
        if self.records_values() {
            let frame = self.frames.last();
            let function = frame.map(|f| &self.flow.functions[f.function.0 as usize]);
            let name = match function {
                Some(function) if function.result == Some(variable) => {
                    format!("{}()", function.name)
                }
                _ => self.flow.variables[variable.0 as usize].name.clone(),
            };
            self.record_change((&name, false), spot, ty);
        }
        Ok(())
    }

    fn read_variable(&mut self, variable: VariableId) -> Result<Value, Stop> {
        let ty = self.flow.variables[variable.0 as usize].ty;
        let spot = self.whole(variable)?;
        if self.layout.scalar(ty).is_some() {
            let loaded = self.load_spot(spot, ty);
            if matches!(loaded, Err(Stop::NoInput)) && self.symbols().is_some() {
                self.chosen += 1;
                let place = Place::of(variable, ty, self.span);
                return self.loaded(&place).map(Value::Term);
            }
            return self.given(loaded);
        }
        let size = self.layout.size(ty);
        let (object, offset) = self.access(spot, size)?;
        Ok(Value::Bytes(self.copy_out(object, offset, size)?))
    }

    /// Calls a function without a body.
    fn undefined(
        &mut self,
        function: FunctionId,
        result: Option<&Place>,
        arguments: &Arguments<'_>,
    ) -> Result<(), Stop> {
        let callee = &self.flow.functions[function.0 as usize];
        let ty = match self.flow.types.types.get_index(callee.ty.0 as usize) {
            Some(&Type::Function { result, .. }) => Some(result),
            _ => None,
        };
        let scalar = ty.and_then(|ty| self.layout.scalar(ty));
        let mut called = library::call(self, &callee.name, arguments, result.is_some());
        if called == Err(Stop::NoInput) && self.is_guided {
            let used = result.is_some();
            called =
                self.concretely(|machine| library::call(machine, &callee.name, arguments, used));
        }
        if let Some(value) = called? {
            let open = self.open_result.take();
            match (self.unknown_result.take(), result, scalar) {
                (Some(by), Some(place), _) => self.scribble_place(place, by)?,
                (None, Some(place), Some(scalar)) => {
                    let known = Value::Scalar(value & mask(scalar.bits()));
                    self.write(place, &open.map_or(known, Value::Term))?;
                }
                _ => {}
            }
            return Ok(());
        }
        self.foreign = true;
        let kind = InputKind::Undefined { function: callee.name.clone() };
        match (result, ty.zip(scalar)) {
            (_, Some((ty, scalar))) => {
                let demand = if result.is_some() { Demand::Call } else { Demand::Unused };
                let value = match self.ask(kind, self.sort(ty, scalar.bits()), demand) {
                    Err(Stop::NoInput) if self.is_guided => Value::Term(self.unanswered()?),
                    value => Value::Scalar(value?),
                };
                if let Some(place) = result {
                    self.write(place, &value)?;
                }
            }
            // A record gets any value.
            (Some(place), None) => self.forget(place)?,
            (None, None) => {}
        }
        Ok(())
    }
}

/// Whether evaluating it does nothing but read and convert.
fn is_loaded(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(_) => true,
        ExprKind::Cast(inner) => is_loaded(inner),
        _ => false,
    }
}
