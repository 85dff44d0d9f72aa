//! Executes library functions that the program calls without defining them, as the table says.
//!
//! Functions on memory and strings do what the standard says, and fault where it leaves the
//! behaviour undefined. Output has no effect. Its result and any text that is not modelled are
//! unknown: the execution stops where they would be used.

mod compare;
mod error_number;
mod floating;
mod real;
mod scan;
mod text;

use crate::execute::execution::Demand;
use crate::execute::fault::{Fault, Undefined};
use crate::execute::machine::arithmetic::integer;
use crate::execute::machine::evaluate::Value;
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::memory::{Bytes, Content};
use crate::execute::machine::state::{ErrorNumber, Machine, Sort, Stop};
use crate::flow::Expr;
use crate::library::{
    Convention, Effect, Execution, LibraryFunction, Returns, Role, Storage, TextResult, Writes,
    find, in_bits,
};
use crate::trace::InputKind;

/// The bytes that one call may handle.
const MOST_BYTES: u64 = 1 << 26;

/// The arguments of a call.
#[derive(Debug)]
pub struct Arguments<'a> {
    pub values: &'a [Value],
    pub types: &'a [Option<Scalar>],
    /// The type of the result.
    pub result: Option<Scalar>,
}

impl Arguments<'_> {
    /// The bits of an argument; 0 if it is missing.
    pub(super) fn scalar(&self, index: usize) -> u64 {
        match self.values.get(index) {
            Some(Value::Scalar(value)) => *value,
            _ => 0,
        }
    }
}

/// Enlarges the objects that a function copies or fills as wholes, if they are used as larger ones.
pub fn fit(
    machine: &mut Machine<'_, '_>,
    name: &str,
    arguments: &[Expr],
    values: &[Value],
) -> Result<(), Stop> {
    let Some(model) = find(name).and_then(|known| known.model()) else { return Ok(()) };
    let pointers: &[usize] = match model.execution {
        Execution::Fill => &[0],
        Execution::Copy { .. } => &[0, 1],
        Execution::Allocate(_)
        | Execution::Reallocate
        | Execution::Free
        | Execution::Compare
        | Execution::Length
        | Execution::CopyText { .. }
        | Execution::CopyPrefix
        | Execution::CompareText { .. }
        | Execution::FindCharacter
        | Execution::Absolute
        | Execution::Real(_)
        | Execution::Output
        | Execution::WriteText { .. }
        | Execution::Between { .. }
        | Execution::Reads(_)
        | Execution::ErrorNumber
        | Execution::Characters(_)
        | Execution::Scans
        | Execution::Unmodelled
        | Execution::AnyResult => return Ok(()),
    };
    let &[_, _, Value::Scalar(size)] = values else { return Ok(()) };
    for &i in pointers {
        if let &Value::Scalar(address) = &values[i] {
            machine.fit_bytes(&arguments[i], address, size)?;
        }
    }
    Ok(())
}

/// Whether all that a function does with its arguments is to show them.
pub fn shows(name: &str) -> bool {
    let model = find(name).and_then(|known| known.model());
    model.is_some_and(|model| {
        model.execution == Execution::Output && model.effect.writes == Writes::Nothing
    })
}

/// Calls a library function; `used` tells whether its result is. A function that is not known returns any value.
pub fn call(
    machine: &mut Machine<'_, '_>,
    name: &str,
    arguments: &Arguments<'_>,
    used: bool,
) -> Result<Option<u64>, Stop> {
    let Some(known) = find(name) else { return Ok(None) };
    let (execution, effect) = match &known.role {
        Role::Call(model) => (model.execution, model.effect),
        Role::Convention(convention) => {
            return match convention {
                // These are called through pointers; the parser gives bodies to all other conventions.
                Convention::Assume if arguments.scalar(0) == 0 => Err(Stop::Assumption),
                Convention::Assume => Ok(Some(0)),
                Convention::Halt | Convention::Unreachable | Convention::Exit => Err(Stop::Halt),
                Convention::Error
                | Convention::Assert
                | Convention::Invariant
                | Convention::Input
                | Convention::First
                | Convention::IsConstant
                | Convention::Nothing
                | Convention::ObjectSize
                | Convention::Bits(_)
                | Convention::Overflowing(_)
                | Convention::Atomic
                | Convention::Letter { .. }
                | Convention::Real(_)
                | Convention::AtExit
                | Convention::Sort
                | Convention::SetJump
                | Convention::LongJump
                | Convention::Thread
                | Convention::StartList
                | Convention::CopyList
                | Convention::Unsupported => Ok(None),
            };
        }
    };
    let (a, b, c) = (arguments.scalar(0), arguments.scalar(1), arguments.scalar(2));
    let word = mask(machine.layout.word);
    machine.unsettle(execution, known.called(name));
    Ok(Some(match execution {
        Execution::Allocate(new) if new.storage == Storage::Heap && machine.fails(name)? => 0,
        Execution::Allocate(new) if new.storage == Storage::Library && machine.is_null(name)? => {
            machine.error_number = ErrorNumber::Failed;
            0
        }
        Execution::Allocate(new) => {
            let product = new.size.iter().try_fold(1_u64, |product, &i| {
                product.checked_mul(arguments.scalar(i)).filter(|&size| size <= word)
            });
            let alignment = new.alignment.map_or(1, |i| arguments.scalar(i));
            if !alignment.is_power_of_two() {
                return Err(Fault::Alignment(name.to_owned()).into());
            }
            match product {
                Some(size) => machine.block(size, new.zeroed, new.storage, alignment)?,
                None => 0,
            }
        }
        Execution::Reallocate if machine.fails(name)? => 0,
        // As glibc does; C leaves it open.
        Execution::Reallocate if a != 0 && b == 0 && known.is_called(name) => {
            machine.release(a, name)?
        }
        Execution::Reallocate => machine.resize(a, b)?,
        Execution::Free => machine.release(a, name)?,
        Execution::Fill => {
            machine.fill(a, b as u8, c)?;
            a
        }
        Execution::Copy { overlapping } => {
            if !overlapping && c > 0 && a != b && a.abs_diff(b) < c {
                return Err(Fault::Overlap(name.to_owned()).into());
            }
            let bytes = machine.get(b, c)?;
            machine.put(a, &bytes)?;
            a
        }
        Execution::Compare => machine.compared([a, b], c, false, (name, used))?,
        Execution::Length => machine.text_length(a, u64::MAX)?,
        Execution::CopyText { append, bounded } => {
            let at = if append { machine.text_length(a, u64::MAX)? } else { 0 };
            let length = machine.text_length(b, if bounded { c } else { u64::MAX })?;
            let bytes = machine.get(b, length)?;
            let to = a.wrapping_add(at);
            machine.put(to, &bytes)?;
            machine.fill(to.wrapping_add(length), 0, 1)?;
            a
        }
        Execution::CopyPrefix => {
            let length = machine.text_length(b, c)?;
            let bytes = machine.get(b, length)?;
            machine.fill(a, 0, c)?;
            machine.put(a, &bytes)?;
            a
        }
        Execution::CompareText { bounded } => {
            let limit = if bounded { c } else { u64::MAX };
            machine.compared([a, b], limit, true, (name, used))?
        }
        Execution::FindCharacter => {
            let mut at = a;
            loop {
                if machine.is_byte(at, b as u8)? {
                    break at;
                }
                if machine.is_byte(at, 0)? {
                    break 0;
                }
                at = at.wrapping_add(1) & word;
            }
        }
        Execution::Absolute => {
            let scalar = arguments.types.first().copied().flatten();
            let scalar = scalar.unwrap_or(Scalar::Int { bits: 32, signed: true });
            let all = mask(scalar.bits());
            let least = a & all == all / 2 + 1;
            machine.note(least.then_some(Undefined::Overflow), machine.span);
            integer(scalar, a).unsigned_abs() as u64 & all
        }
        Execution::Real(what) => machine.elementary(what, name, arguments, used)?,
        Execution::Output => {
            machine.unknown_result = used.then(|| known.called(name));
            0
        }
        Execution::WriteText { to, size, returns } => {
            let start = arguments.scalar(to);
            let result = match returns {
                TextResult::Unknown => {
                    machine.unknown_result = used.then(|| known.called(name));
                    start
                }
                TextResult::StartOrNull if machine.is_null(name)? => return Ok(Some(0)),
                TextResult::StartOrNull => start,
            };
            machine.scribble(start, size.map(|i| arguments.scalar(i)), known.name)?;
            result
        }
        Execution::Reads(function) => machine.reads(function, name, arguments, used)?,
        Execution::ErrorNumber => machine.ask_error_number(a)?,
        Execution::Characters(table) => machine.characters(table)?,
        Execution::Between { least, greatest } => {
            machine.between(name, arguments, used, (least, greatest))?
        }
        Execution::Scans => match machine.scans(arguments)? {
            Some(result) => result,
            None => machine.unmodelled(known, (name, effect), arguments, used)?,
        },
        Execution::Unmodelled => machine.unmodelled(known, (name, effect), arguments, used)?,
        Execution::AnyResult => return Ok(None),
    }))
}

impl Machine<'_, '_> {
    /// What is known of a function that is not modelled.
    fn unmodelled(
        &mut self,
        known: &LibraryFunction,
        (name, effect): (&str, Effect),
        arguments: &Arguments<'_>,
        used: bool,
    ) -> Result<u64, Stop> {
        self.foreign |= !self.stands_for_all();
        if !self.waiting.returns(name, [0, 1, 2].map(|i| arguments.scalar(i))) {
            return Err(Fault::Waits(name.to_owned()).into());
        }
        let parameters = known.prototype.parameters.len();
        for i in effect.written(parameters, arguments.values.len()) {
            self.scribble_at(arguments.scalar(i), known.called(name))?;
        }
        let result = match effect.returns {
            Returns::Between { least, greatest } => {
                self.between(name, arguments, used, (least, greatest))?
            }
            Returns::UpTo { argument, fails } => {
                let most = i64::try_from(arguments.scalar(argument)).unwrap_or(i64::MAX);
                self.between(name, arguments, used, (-i64::from(fails), most))?
            }
            _ => {
                self.unknown_result = used.then(|| known.called(name));
                0
            }
        };
        let may_fail = matches!(
            effect.returns,
            Returns::Between { least: -1, .. } | Returns::UpTo { fails: true, .. }
        );
        if may_fail && used && self.unknown_result.is_some() {
            self.error_number = ErrorNumber::Unknown(known.called(name));
        } else if may_fail && used && result == mask(arguments.result.map_or(32, Scalar::bits)) {
            self.error_number = ErrorNumber::Failed;
        }
        Ok(result)
    }

    /// A number of a range, as an input.
    fn between(
        &mut self,
        function: &str,
        arguments: &Arguments<'_>,
        used: bool,
        (least, greatest): (i64, i64),
    ) -> Result<u64, Stop> {
        let bits = arguments.result.map_or(32, Scalar::bits);
        let sort = Sort { bits, width: bits, float: false, pointee: None };
        let kind = InputKind::Undefined { function: function.to_owned() };
        let demand = if used { Demand::Call } else { Demand::Unused };
        let given = self.ask(kind, sort, demand);
        let given = match self.given(given)? {
            Value::Scalar(given) => given,
            Value::Term(term) => {
                self.open_result = Some(self.between_terms(term, (least, greatest))?);
                return Ok(0);
            }
            _ => {
                self.unknown_result = Some(find(function).ok_or(Stop::NoInput)?.name);
                return Ok(0);
            }
        };
        let given = integer(Scalar::Int { bits, signed: true }, given);
        let (least, greatest) = in_bits((least, greatest), bits);
        let (least, greatest) = (i128::from(least), i128::from(greatest));
        let count = greatest - least + 1;
        let value = (least + (given - least).rem_euclid(count)) as u64 & mask(bits);
        self.replace_input(value);
        Ok(value)
    }

    /// Whether the call returns null: an input of one bit, as in the analyses.
    fn is_null(&mut self, function: &str) -> Result<bool, Stop> {
        let sort = Sort { bits: 1, width: 1, float: false, pointee: None };
        let kind = InputKind::Undefined { function: function.to_owned() };
        Ok(self.ask_for_value(kind, sort, Demand::Call)? != 0)
    }

    /// Whether an allocation on the heap fails. It has a number even then, as in the analyses.
    fn fails(&mut self, function: &str) -> Result<bool, Stop> {
        if !self.options.allocations_may_fail {
            return Ok(false);
        }
        let sort = Sort { bits: 1, width: 1, float: false, pointee: None };
        let kind = InputKind::Fails { function: function.to_owned() };
        let fails = self.ask_for_value(kind, sort, Demand::Call)? != 0;
        self.blocks += u64::from(fails);
        Ok(fails)
    }

    fn block(
        &mut self,
        size: u64,
        zero: bool,
        storage: Storage,
        alignment: u64,
    ) -> Result<u64, Stop> {
        let number = match storage {
            Storage::Heap => Some(self.blocks),
            Storage::Stack | Storage::Library => None,
        };
        let id = self.memory.allocate(Content::Block { number, edge: self.edge }, size, zero)?;
        self.memory.align(id, alignment);
        match (storage, self.frames.last_mut()) {
            (Storage::Heap, _) => self.blocks += 1,
            (Storage::Stack, Some(frame)) => frame.blocks.push(id),
            (Storage::Stack, None) | (Storage::Library, _) => {}
        }
        Ok(self.memory.address(id)?)
    }

    /// The size of the block that starts at the address.
    fn block_size(&self, address: u64, name: &str) -> Result<u64, Stop> {
        let (id, offset) = self.object_at(address, 0)?;
        match self.memory.content(id) {
            Content::Block { number: Some(_), .. } if offset == 0 => Ok(self.memory.size(id)),
            _ => Err(Fault::InvalidFree(name.to_owned()).into()),
        }
    }

    fn release(&mut self, address: u64, name: &str) -> Result<u64, Stop> {
        if address != 0 {
            self.block_size(address, name)?;
            let (id, _) = self.object_at(address, 0)?;
            self.memory.release(id);
        }
        Ok(0)
    }

    fn resize(&mut self, address: u64, size: u64) -> Result<u64, Stop> {
        if address == 0 {
            return self.block(size, false, Storage::Heap, 1);
        }
        let kept = self.block_size(address, "realloc")?.min(size);
        let bytes = self.get(address, kept)?;
        let new = self.block(size, false, Storage::Heap, 1)?;
        self.put(new, &bytes)?;
        self.release(address, "realloc")?;
        Ok(new)
    }

    /// Gives the bytes at an address one value.
    fn fill(&mut self, address: u64, value: u8, size: u64) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        let (id, offset) = self.object_at(address, size)?;
        self.writable(id)?;
        self.handle(size)?;
        Ok(self.memory.fill(id, offset, size, Some(value))?)
    }

    /// Takes in that a function handles so many bytes, which count as steps.
    fn handle(&mut self, bytes: u64) -> Result<(), Stop> {
        self.handled = self.handled.saturating_add(bytes);
        if self.handled > MOST_BYTES { Err(Stop::TooLong) } else { Ok(()) }
    }

    fn get(&mut self, address: u64, size: u64) -> Result<Bytes, Stop> {
        if size == 0 {
            return Ok(Bytes::default());
        }
        let (id, offset) = self.object_at(address, size)?;
        self.handle(size)?;
        self.copy_out(id, offset, size)
    }

    /// Makes the object from an address on unknown, if the program can write to it.
    pub(super) fn scribble_at(&mut self, address: u64, by: &'static str) -> Result<(), Stop> {
        if let Ok((id, offset)) = self.object_at(address, 0)
            && self.writable(id).is_ok()
        {
            self.memory.scribble(id, offset, u64::MAX, by)?;
        }
        Ok(())
    }

    /// Writes unknown text of at most `size` bytes.
    fn scribble(&mut self, address: u64, size: Option<u64>, by: &'static str) -> Result<(), Stop> {
        if size == Some(0) {
            return Ok(());
        }
        let (id, offset) = self.object_at(address, 1)?;
        self.writable(id)?;
        Ok(self.memory.scribble(id, offset, size.unwrap_or(u64::MAX), by)?)
    }

    pub(super) fn put(&mut self, address: u64, bytes: &Bytes) -> Result<(), Stop> {
        if bytes.bytes.is_empty() {
            return Ok(());
        }
        let (id, offset) = self.object_at(address, bytes.bytes.len() as u64)?;
        self.writable(id)?;
        self.memory.copy_in(id, offset, bytes)?;
        Ok(())
    }

    pub(super) fn byte(&mut self, address: u64) -> Result<u8, Stop> {
        self.handle(1)?;
        let (id, offset) = self.object_at(address & self.layout.mask(), 1)?;
        let byte = Sort { bits: 8, width: 8, float: false, pointee: None };
        Ok(self.known_bits(id, offset * 8, byte)? as u8)
    }

    /// The bytes before the terminator, at most `limit`.
    pub(super) fn string_at(&mut self, address: u64, limit: u64) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            match self.byte(address.wrapping_add(bytes.len() as u64))? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }
}
