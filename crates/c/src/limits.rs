//! Limits of the model of a C program: how precisely memory is tracked, and how often the interpreter tries.
//!
//! They do not affect soundness: what is not tracked gets any value, and UNSAFE requires an execution.

use hardbop_base::limits;

limits! {
    /// All of them, by topic.
    pub struct Limits {
        /// Objects in memory.
        memory: Memory;
        /// Accesses to memory.
        access: Access;
        /// Executions.
        execution: Execution;
    }
}

limits! {
    /// Objects in memory.
    pub struct Memory {
        /// Number of scalars up to which the elements of an array are tracked separately; in a
        /// larger array, one variable stands for all. Other values were not measured.
        unrolled: u64 = 256, 0..=1 << 20, "scalars";
        /// Number of scalars up to which an object is tracked at all. Other values were not measured.
        scalars: u64 = 4_096, 0..=1 << 20, "scalars";
        /// Number of offsets into one object that a set of addresses keeps apart; beyond, it
        /// includes the whole object. Other values were not measured.
        offsets: usize = 64, 0..=1 << 20, "offsets";
        /// Number of objects, the first ones, that are kept apart of those that one call allocates.  Measured with 10:
        /// of 400 random programs with lists, safe and unsafe, 798 of 800 are decided; 111 programs without lists take as long as with 0.
        rounds: u32 = 10, 0..=200, "objects";
        /// Size of an object up to which `strlen` and other functions of the C library on texts in it are followed character
        /// by character.  With 0, `strlen`, `strcpy`, `strcmp` on 8 unknown characters and a tokenizer are undecided; with 15
        /// and more unknown characters they are also with 64 and 256.
        texts: u64 = 64, 0..=1 << 20, "bytes";
        /// Number of scalars up to which the elements of an array are tracked separately where one element of each larger array is
        /// tracked.  With 256, a matrix of 100 times 100 elements takes more than 10 s instead of 1 s.
        elements: u64 = 16, 0..=1 << 20, "scalars";
        /// Number of arguments of `main`, its name among them, up to which errors are looked for by their characters.  Other
        /// values were not measured.
        arguments: u32 = 5, 1..=64, "arguments";
        /// Size of each of them, with its zero. Other values were not measured.
        argument: u64 = 12, 1..=4_096, "bytes";
        /// Number of scalars of all objects that are kept apart because of `rounds`.
        apart: u64 = 256, 0..=1 << 20, "scalars";
    }
}

limits! {
    /// Accesses to memory, as terms.
    pub struct Access {
        /// Number of places that one access distinguishes; beyond, it may go anywhere. Other values were not measured.
        targets: usize = 256, 1..=1 << 20, "places";
        /// Number of variables that a write through an unknown pointer selects by their addresses;
        /// beyond, each may get any value. Other values were not measured.
        written: usize = 128, 0..=1 << 20, "variables";
        /// Number of variables that a read through an unknown pointer selects by their addresses;
        /// beyond, it may return any value. Other values were not measured.
        read: usize = 16, 0..=1 << 20, "variables";
    }
}

limits! {
    /// Executions.
    pub struct Execution {
        /// Number of executions of one trace, each of which takes other pointers from outside as
        /// pointers to new objects. Other values were not measured.
        replays: usize = 256, 0..=1 << 20, "executions";
    }
}
