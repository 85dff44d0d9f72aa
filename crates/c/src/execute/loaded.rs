//! A program that is ready to be executed: what all its executions have in common is made once.

use super::machine::{Machine, Memory, ObjectId, Stop, Tables};
use super::options::ExecutionOptions;
use super::oracle::{Oracle, Zero};
use crate::flow::Flow;

/// A program that is ready to be executed any number of times.
#[derive(Debug, Clone)]
pub struct Loaded<'f> {
    flow: &'f Flow,
    tables: Tables,
    initial: Option<Initial>,
}

/// Memory where the globals have their initial values.
#[derive(Debug, Clone)]
struct Initial {
    memory: Memory,
    globals: Vec<Option<ObjectId>>,
    strings: Vec<Option<ObjectId>>,
    /// The memory that there may be, in bytes.
    most: u64,
}

impl<'f> Loaded<'f> {
    /// Each execution gives the globals their initial values.
    #[must_use]
    pub fn new(flow: &'f Flow) -> Self {
        Self { flow, tables: Tables::new(flow), initial: None }
    }

    /// Executions with these limits begin with a copy of memory in which the globals have their initial values, if these
    /// depend on nothing from outside.  It pays from the second execution on: tables of some ten thousand numbers take
    /// ten times as long as what is done with them.
    #[must_use]
    pub fn with_initial_values(mut self, options: &ExecutionOptions) -> Self {
        let mut oracle = Zero;
        let mut machine = self.machine(&mut oracle, options);
        if machine.initialise().is_ok() && machine.has_memory_only() {
            let Machine { memory, globals, strings, .. } = machine;
            self.initial = Some(Initial { memory, globals, strings, most: options.room() });
        }
        self
    }

    /// The machine before the program's start.
    pub(super) fn machine<'o>(
        &self,
        oracle: &'o mut dyn Oracle,
        options: &'o ExecutionOptions,
    ) -> Machine<'f, 'o> {
        Machine::new(self.flow, self.tables.clone(), oracle, options)
    }

    /// Gives the globals their initial values.
    ///
    /// # Errors
    /// If there is no room for them, or one is a mistake.
    pub(super) fn initialise(&self, machine: &mut Machine<'f, '_>) -> Result<(), Stop> {
        match &self.initial {
            Some(Initial { memory, globals, strings, most }) if *most == machine.options.room() => {
                machine.memory.clone_from(memory);
                machine.globals.clone_from(globals);
                machine.strings.clone_from(strings);
                Ok(())
            }
            _ => machine.initialise(),
        }
    }
}
