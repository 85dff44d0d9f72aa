//! What the arguments of `main` can be (C11, 5.1.2.2.1).

use super::state::{Machine, Stop};
use crate::execute::fault::Fault;
use crate::trace::InputKind;

impl Machine<'_, '_> {
    /// Fails if the last input gives `main` arguments that no program gets: `argv` points to `argc` texts and a null
    /// pointer behind them.
    pub(super) fn possible_arguments(
        &mut self,
        kind: &InputKind,
        value: u64,
        object: Option<u64>,
    ) -> Result<(), Stop> {
        let main = &self.flow.functions[self.flow.main.0 as usize];
        if main.name != "main" {
            return Ok(());
        }
        let parameter = |i: usize| main.parameters.get(i).map(|p| p.0);
        let possible = match *kind {
            InputKind::Uninitialised { variable, .. } if Some(variable) == parameter(1) => {
                self.arguments = object;
                object.is_some()
            }
            InputKind::Uninitialised { variable, .. } if Some(variable) == parameter(2) => {
                object.is_some()
            }
            InputKind::Outside { object: number, bit } if Some(number) == self.arguments => {
                let count = self.inputs.iter().rev().find_map(|r| match r.input.kind {
                    InputKind::Uninitialised { variable, .. } if Some(variable) == parameter(0) => {
                        Some(i64::from(r.input.value as i32))
                    }
                    _ => None,
                });
                let word = i64::from(self.layout.word);
                let (index, rest) = (bit.div_euclid(word), bit.rem_euclid(word));
                // Before the program reads `argc`, it may be any.
                rest == 0
                    && index >= 0
                    && count.is_some_and(|count| match index < count {
                        true => object.is_some(),
                        false => index == count && value == 0,
                    })
            }
            _ => true,
        };
        if possible { Ok(()) } else { Err(Fault::Arguments.into()) }
    }
}
