//! `errno`: `library/models/errno.c` keeps it, and asks here whether calls have changed it.

use crate::execute::execution::Demand;
use crate::execute::machine::state::{ErrorNumber, Machine, Sort, Stop};
use crate::library::{ERROR_NUMBER, Execution, Storage, TextResult};
use crate::trace::InputKind;

impl Machine<'_, '_> {
    /// Lets `errno` be another number, unless the function leaves it alone.
    pub(in crate::execute::machine) fn unsettle(&mut self, execution: Execution) {
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
            self.error_number = ErrorNumber::Unsettled;
        }
    }

    /// What `errno` is, if it was `before` when the program last looked: where some call may have changed it, an input.
    pub(in crate::execute::machine) fn ask_error_number(
        &mut self,
        before: u64,
    ) -> Result<u64, Stop> {
        let sort = Sort { bits: 32, width: 32, float: false, pointee: None };
        let kind = InputKind::Undefined { function: ERROR_NUMBER.to_owned() };
        let state = std::mem::replace(&mut self.error_number, ErrorNumber::Settled);
        let demand = if state == ErrorNumber::Unsettled { Demand::Call } else { Demand::Known };
        let given = self.ask(kind, sort, demand)?;
        let value = match state {
            ErrorNumber::Is(number) => u64::from(number),
            // It is never set to 0 (C11, 7.5).
            ErrorNumber::Unsettled if given as i32 > 0 => given,
            ErrorNumber::Unsettled | ErrorNumber::Settled => before,
        };
        self.replace_input(value);
        Ok(value)
    }
}
