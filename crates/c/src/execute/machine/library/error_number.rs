//! `errno`: `library/models/errno.c` keeps it, and asks here whether calls have changed it.

use crate::execute::execution::Demand;
use crate::execute::machine::evaluate::Value;
use crate::execute::machine::layout::mask;
use crate::execute::machine::state::{ErrorNumber, Machine, Sort, Stop};
use crate::flow::FunctionId;
use crate::library::{ERROR_NUMBER, Execution, Returns, Storage, TextResult, find};
use crate::trace::InputKind;

impl Machine<'_, '_> {
    /// Notes that `errno` may be another number, unless the function leaves it alone.
    pub(in crate::execute::machine) fn unsettle(
        &mut self,
        execution: Execution,
        name: &'static str,
    ) {
        let may_set = match execution {
            Execution::Free
            | Execution::Output
            | Execution::Between { .. }
            | Execution::WriteText {
                returns: TextResult::StartOrNull | TextResult::Unknown, ..
            }
            | Execution::Real(_)
            | Execution::Scans
            | Execution::Unmodelled => true,
            Execution::Allocate(new) => {
                new.storage == Storage::Library || self.options.allocations_may_fail
            }
            Execution::Reallocate => self.options.allocations_may_fail,
            Execution::Fill
            | Execution::Copy { .. }
            | Execution::Compare
            | Execution::Length
            | Execution::CopyText { .. }
            | Execution::CopyPrefix
            | Execution::CompareText { .. }
            | Execution::FindCharacter
            | Execution::Absolute
            | Execution::Reads(_)
            | Execution::ErrorNumber
            | Execution::Characters(_)
            | Execution::AnyResult => false,
        };
        if may_set && self.has_errno {
            self.error_number = ErrorNumber::Unknown(name);
        }
    }

    /// What calls have set `errno` to, of which this is the address: 0 for what it was before.
    pub(in crate::execute::machine) fn ask_error_number(
        &mut self,
        address: u64,
    ) -> Result<u64, Stop> {
        let sort = Sort { bits: 32, width: 32, float: false, pointee: None };
        let kind = InputKind::Undefined { function: ERROR_NUMBER.to_owned() };
        let state = std::mem::replace(&mut self.error_number, ErrorNumber::Settled);
        let demand = if state == ErrorNumber::Failed { Demand::Call } else { Demand::Known };
        let given = self.ask(kind, sort, demand)?;
        let value = match state {
            ErrorNumber::Settled => 0,
            ErrorNumber::Is(number) => u64::from(number),
            // It is never set to 0 (C11, 7.5).
            ErrorNumber::Failed => u64::from((given as i32).max(1) as u32),
            ErrorNumber::Unknown(name) => {
                self.scribble_at(address, name)?;
                0
            }
        };
        self.replace_input(value);
        Ok(value)
    }

    /// Notes what a function of the library may have done whose calls are written out, and give this input: its result,
    /// or a character.
    pub(in crate::execute::machine) fn called_in_place(
        &mut self,
        function: &str,
        given: &Value,
        bits: u32,
    ) {
        let Some(known) = find(function).filter(|_| self.has_errno) else { return };
        let Some(model) = known.model() else { return };
        let is_failure = bits > 8
            && matches!(model.effect.returns, Returns::UpTo { fails: true, .. })
            && matches!(given, Value::Scalar(value) if *value == mask(bits));
        self.error_number = match is_failure {
            true => ErrorNumber::Failed,
            false => ErrorNumber::Unknown(known.called(function)),
        };
    }

    /// Notes what C code of the library may have done.
    pub(in crate::execute::machine) fn enters(&mut self, function: FunctionId) {
        let callee = &self.flow.functions[function.0 as usize];
        if !self.has_errno || !self.flow.is_of_library(function) {
            return;
        }
        let position = self.flow.source.position(callee.span.start);
        if !SILENT.iter().any(|file| position.file.ends_with(file))
            && let Some(known) = find(&callee.name)
        {
            self.error_number = ErrorNumber::Unknown(known.called(&callee.name));
        }
    }
}

/// C code of the library that leaves `errno` alone.
/// The calls in `conversions.c` say what they do.
const SILENT: [&str; 8] = [
    "/errno.c",
    "/token.c",
    "/search.c",
    "/getopt.c",
    "/bytes.c",
    "/wide.c",
    "/once.c",
    "/conversions.c",
];
