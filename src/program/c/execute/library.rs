//! Functions of the C library that a program may call without defining them.
//!
//! Those on memory and strings do what the standard says, and fault where it leaves the behaviour
//! undefined; `printf` and the like do nothing, and what they return is not known; all others are
//! unknown.  The prefix
//! `__builtin_` does not matter.

use super::Demand;
use super::arithmetic::integer;
use super::evaluate::Value;
use super::fault::Fault;
use super::layout::{Scalar, mask};
use super::machine::{Machine, Sort, Stop};
use super::memory::{Bytes, Content};

/// Names of the functions that have a meaning here.
pub const KNOWN: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "alloca",
    "memset",
    "memcpy",
    "memmove",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strcmp",
    "strncmp",
    "strchr",
    "abs",
    "labs",
    "llabs",
    "exit",
    "_exit",
    "abort",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fflush",
    "perror",
    "expect",
    "__VERIFIER_assume",
];

/// Functions of kernels and older libraries, by the ones of [`KNOWN`] that do the same, and which of their
/// arguments those get.
const SAME: &[(&str, &str, &[usize])] = &[
    ("xmalloc", "malloc", &[0]),
    ("kmalloc", "malloc", &[0]),
    ("__kmalloc", "malloc", &[0]),
    ("vmalloc", "malloc", &[0]),
    ("aligned_alloc", "malloc", &[1]),
    ("memalign", "malloc", &[1]),
    ("ExAllocatePool", "malloc", &[1]),
    ("ExAllocatePoolWithTag", "malloc", &[1]),
    ("ExAllocatePoolWithQuotaTag", "malloc", &[1]),
    ("kcalloc", "calloc", &[0, 1]),
    ("kzalloc", "calloc", &[0, 0]),
    ("vzalloc", "calloc", &[0, 0]),
    ("krealloc", "realloc", &[0, 1]),
    ("kfree", "free", &[0]),
    ("vfree", "free", &[0]),
    ("cfree", "free", &[0]),
    ("ExFreePool", "free", &[0]),
    ("ExFreePoolWithTag", "free", &[0]),
    ("__memcpy", "memcpy", &[0, 1, 2]),
    ("RtlCopyMemory", "memcpy", &[0, 1, 2]),
    ("RtlMoveMemory", "memmove", &[0, 1, 2]),
];

/// The library's function that does what the one of a name does, and which arguments it gets.
pub fn same(name: &str) -> Option<(&'static str, &'static [usize])> {
    SAME.iter().find(|(other, ..)| *other == name).map(|&(_, known, arguments)| (known, arguments))
}

/// Does a function, if it has no body, return a new block?
pub fn makes_block(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = same(plain).map_or(plain, |(known, _)| known);
    matches!(plain, "malloc" | "calloc" | "realloc")
}

/// Functions of [`KNOWN`] whose results are not modelled.
const OUTPUT: &[&str] = &["printf", "puts", "putchar", "fprintf", "fflush"];

/// Calls a library function, whose result may be used; `None`: it has no meaning here.
pub(super) fn call(
    machine: &mut Machine<'_, '_>,
    name: &str,
    arguments: &[Value],
    types: &[Option<Scalar>],
    used: bool,
) -> Result<Option<u64>, Stop> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let (plain, order) = same(plain).unwrap_or((plain, &[0, 1, 2]));
    if !KNOWN.contains(&plain) {
        return Ok(None);
    }
    if used && OUTPUT.contains(&plain) {
        return Err(Fault::UnknownResult(plain.to_owned()).into());
    }
    let argument = |i: usize| match order.get(i).and_then(|&i| arguments.get(i)) {
        Some(Value::Scalar(value)) => *value,
        _ => 0,
    };
    let (a, mut b, c) = (argument(0), argument(1), argument(2));
    if matches!(order, [0, 0]) {
        // One size.
        b = 1;
    }
    let word = mask(machine.layout.word);
    Ok(Some(match plain {
        "malloc" => machine.block(a, false, false)?,
        "alloca" => machine.block(a, false, true)?,
        "calloc" => match a.checked_mul(b).filter(|&size| size <= word) {
            Some(size) => machine.block(size, true, false)?,
            None => 0,
        },
        "realloc" => machine.resize(a, b)?,
        "free" => machine.release(a, plain)?,
        "memset" => {
            let bytes = Bytes { bytes: vec![b as u8; machine.extent(a, c)?], known: Vec::new() };
            machine.put(a, &bytes)?;
            a
        }
        "memcpy" | "memmove" => {
            if plain == "memcpy" && c > 0 && a != b && a.abs_diff(b) < c {
                return Err(Fault::Overlap(plain.to_owned()).into());
            }
            let bytes = machine.get(b, c)?;
            machine.put(a, &bytes)?;
            a
        }
        "memcmp" => {
            let mut result = 0;
            for i in 0..c {
                let (x, y) = (machine.byte(a.wrapping_add(i))?, machine.byte(b.wrapping_add(i))?);
                if x != y {
                    result = sign(x, y);
                    break;
                }
            }
            result
        }
        "strlen" => machine.string_at(a, u64::MAX)?.len() as u64,
        "strcpy" | "strcat" => {
            let at =
                if plain == "strcat" { machine.string_at(a, u64::MAX)?.len() as u64 } else { 0 };
            let mut bytes = machine.string_at(b, u64::MAX)?;
            bytes.push(0);
            machine.put(a.wrapping_add(at), &Bytes { bytes, known: Vec::new() })?;
            a
        }
        "strncpy" => {
            let size = machine.extent(a, c)?;
            let mut bytes = machine.string_at(b, c)?;
            bytes.resize(size, 0);
            machine.put(a, &Bytes { bytes, known: Vec::new() })?;
            a
        }
        "strcmp" | "strncmp" => {
            let limit = if plain == "strcmp" { u64::MAX } else { c };
            let mut result = 0;
            for i in 0..limit {
                let (x, y) = (machine.byte(a.wrapping_add(i))?, machine.byte(b.wrapping_add(i))?);
                if x != y || x == 0 {
                    result = sign(x, y);
                    break;
                }
            }
            result
        }
        "strchr" => {
            let mut at = a;
            loop {
                let byte = machine.byte(at)?;
                if byte == b as u8 {
                    break at;
                }
                if byte == 0 {
                    break 0;
                }
                at = at.wrapping_add(1) & word;
            }
        }
        "abs" | "labs" | "llabs" => {
            let scalar = types.first().copied().flatten();
            let scalar = scalar.unwrap_or(Scalar::Int { bits: 32, signed: true });
            integer(scalar, a).unsigned_abs() as u64 & mask(scalar.bits())
        }
        "expect" => a,
        "exit" | "_exit" | "abort" => return Err(Stop::Halt),
        "__VERIFIER_assume" if a == 0 => return Err(Stop::Assumption),
        // Output.
        _ => 0,
    }))
}

/// As glibc does: only the sign counts.
fn sign(x: u8, y: u8) -> u64 {
    if x < y { u64::MAX } else { u64::from(x > y) }
}

impl Machine<'_, '_> {
    fn block(&mut self, size: u64, zero: bool, stack: bool) -> Result<u64, Stop> {
        let number = (!stack).then_some(self.blocks);
        let id = self.memory.allocate(Content::Block { number, edge: self.edge }, size, zero)?;
        self.blocks += u64::from(!stack);
        if stack && let Some(frame) = self.frames.last_mut() {
            frame.blocks.push(id);
        }
        Ok(self.memory.address(id)?)
    }

    /// The size of a block at whose start a pointer is.
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
            return self.block(size, false, false);
        }
        let kept = self.block_size(address, "realloc")?.min(size);
        let bytes = self.get(address, kept)?;
        let new = self.block(size, false, false)?;
        self.put(new, &bytes)?;
        self.release(address, "realloc")?;
        Ok(new)
    }

    /// `size` as a length, if so many bytes are there.
    fn extent(&self, address: u64, size: u64) -> Result<usize, Stop> {
        if size > 0 {
            self.object_at(address, size)?;
        }
        Ok(size as usize)
    }

    fn get(&self, address: u64, size: u64) -> Result<Bytes, Stop> {
        if size == 0 {
            return Ok(Bytes::default());
        }
        let (id, offset) = self.object_at(address, size)?;
        Ok(self.memory.copy_out(id, offset, size))
    }

    fn put(&mut self, address: u64, bytes: &Bytes) -> Result<(), Stop> {
        if bytes.bytes.is_empty() {
            return Ok(());
        }
        let (id, offset) = self.object_at(address, bytes.bytes.len() as u64)?;
        self.writable(id)?;
        self.memory.copy_in(id, offset, bytes);
        Ok(())
    }

    fn byte(&mut self, address: u64) -> Result<u8, Stop> {
        let (id, offset) = self.object_at(address & self.layout.mask(), 1)?;
        let (value, known) = self.memory.load(id, offset * 8, 8);
        if known == 0xFF {
            return Ok(value as u8);
        }
        let kind = self.uninitialised(id, offset * 8);
        let byte = Sort { bits: 8, width: 8, float: false, pointee: None };
        let new = self.ask(kind, byte, Demand::Read)?;
        let value = value & known | new & !known;
        self.memory.store(id, offset * 8, 8, value);
        Ok(value as u8)
    }

    /// The bytes before the terminator, at most `limit`.
    fn string_at(&mut self, address: u64, limit: u64) -> Result<Vec<u8>, Stop> {
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
