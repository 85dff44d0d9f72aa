//! Gives `main` its arguments (see [`crate::arguments`]), as late as possible: each part when it is first read.
//!
//! The oracle says how many there are, and gives the characters of a text when its pointer is read, up to the zero.

use super::memory::{Content, ObjectId};
use super::state::{Machine, Sort, Stop};
use super::unknown::Share;
use crate::arguments::{MOST, Parameters, are_inputs};
use crate::execute::execution::Demand;
use crate::execute::fault::Fault;
use crate::flow::VariableId;
use crate::trace::InputKind;

impl Machine<'_, '_> {
    /// Gives values to bits that lack them, between two bytes of an object, where they are arguments of `main`.
    ///
    /// # Errors
    /// `main` has parameters of which it is not known what they are.
    pub(super) fn give_arguments(
        &mut self,
        object: ObjectId,
        start: u64,
        end: u64,
    ) -> Result<(), Stop> {
        match self.memory.content(object) {
            Content::Arguments => {
                let word = u64::from(self.layout.word / 8);
                for index in start / word..end.div_ceil(word) {
                    if !self.memory.is_known(object, index * word, (index + 1) * word) {
                        let text = self.argument(index)?;
                        self.learn_word(object, index * word, text)?;
                    }
                }
                Ok(())
            }
            // A term is a value that the program has given it since.
            Content::Variable(variable)
                if self.is_outermost(variable, object)
                    && !self
                        .memory
                        .shares_between(object, start, end)
                        .iter()
                        .any(Share::has_terms) =>
            {
                self.give_parameter(VariableId(variable), object)
            }
            _ => Ok(()),
        }
    }

    /// Whether the object is that of a parameter of the first activation of `main`.
    fn is_outermost(&self, variable: u32, object: ObjectId) -> bool {
        let flow = self.flow;
        let main = &flow.functions[flow.main.0 as usize];
        let own = main.parameters.iter().position(|p| p.0 == variable);
        let first = self.frames.first().map_or(0, |frame| frame.base);
        main.name == "main"
            && own.is_some()
            && self.slot_of(variable).and_then(|slot| self.locals.get(first + slot)).copied()
                == Some(Some(object))
    }

    fn give_parameter(&mut self, variable: VariableId, object: ObjectId) -> Result<(), Stop> {
        let Some(parameters) = Parameters::of(self.flow) else {
            let is_input = are_inputs(self.flow);
            return if is_input { Ok(()) } else { Err(Fault::Arguments.into()) };
        };
        let count = self.argument_count(parameters.count)?;
        if variable == parameters.count {
            for (byte, value) in (count as u32).to_le_bytes().into_iter().enumerate() {
                self.memory.learn(object, byte as u64, value, u8::MAX)?;
            }
            return Ok(());
        }
        self.given.arrays += 1;
        let word = u64::from(self.layout.word / 8);
        let array = if Some(variable) == parameters.texts {
            let size = (count + 1).saturating_mul(word);
            let array = self.memory.allocate(Content::Arguments, size, false)?;
            self.learn_word(array, count * word, 0)?;
            array
        } else {
            // Other environments are possible, too.
            self.foreign = true;
            self.memory.allocate(Content::Arguments, word, true)?
        };
        let address = self.memory.address(array)?;
        self.learn_word(object, 0, address)
    }

    /// Sets bits that lack values.
    fn learn_word(&mut self, object: ObjectId, at: u64, value: u64) -> Result<(), Stop> {
        let bytes = self.layout.word as usize / 8;
        for (i, byte) in value.to_le_bytes().into_iter().take(bytes).enumerate() {
            self.memory.learn(object, at + i as u64, byte, u8::MAX)?;
        }
        Ok(())
    }

    fn argument_count(&mut self, variable: VariableId) -> Result<u64, Stop> {
        if let Some(count) = self.given.count {
            return Ok(count);
        }
        let name = self.flow.variables[variable.0 as usize].name.clone();
        let (variable, instance) = (variable.0, Some(0));
        let kind = InputKind::Uninitialised { name, variable, instance, bit: 0 };
        let sort = Sort { bits: 32, width: 32, float: false, pointee: None };
        let given = self.ask_for_value(kind, sort, Demand::Read)? as u32;
        let count = u64::from(given.cast_signed().max(1).cast_unsigned()).min(MOST);
        self.replace_input(count);
        self.given.count = Some(count);
        Ok(count)
    }

    /// The address of a text.
    fn argument(&mut self, index: u64) -> Result<u64, Stop> {
        let mut text = vec![];
        let sort = Sort { bits: 8, width: 8, float: false, pointee: None };
        loop {
            let kind = InputKind::Argument { index, byte: text.len() as u64 };
            text.push(self.ask_for_value(kind, sort, Demand::Read)? as u8);
            if text.last() == Some(&0) {
                break;
            }
        }
        let object = self.memory.allocate(Content::Argument { index }, text.len() as u64, true)?;
        for (at, byte) in text.into_iter().enumerate() {
            self.memory.store(object, at as u64 * 8, 8, byte.into())?;
        }
        Ok(self.memory.address(object)?)
    }
}
