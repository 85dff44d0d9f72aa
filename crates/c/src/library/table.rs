//! The rows of the table.

use super::convention::Convention;
use super::effect::{Allocation, Effect, Returns, Storage, Writes};
use super::execution::{Execution, TextResult};
use super::function::{Accesses, Family, LibraryFunction, Model, Role};
use super::link::Link;
use super::prototype::Kind::{
    Arguments, Block, Buffer, Double, Format, Int, Long, LongLong, Memory, Size, Stream, Text, Void,
};
use super::prototype::{Kind, Prototype};

/// Includes the stand-in for a function of the C library from its own file.
macro_rules! stand_in {
    ($name:literal) => {
        Link::Library(include_str!(concat!("stand_in/", $name, ".c")))
    };
}

/// All functions that the checker knows.
pub static TABLE: &[LibraryFunction] = &[
    // Allocation.
    library("malloc", takes(Memory, &[Size]), allocates(&[0], false, Storage::Heap))
        .or(&["xmalloc", "kmalloc", "__kmalloc", "vmalloc"])
        .linked(stand_in!("malloc")),
    library("calloc", takes(Memory, &[Size, Size]), allocates(&[0, 1], true, Storage::Heap))
        .or(&["kcalloc"])
        .linked(stand_in!("calloc")),
    library("aligned_alloc", takes(Memory, &[Size, Size]), of(ALIGNED))
        .or(&["memalign"])
        .linked(Link::Allocator),
    kernel("ExAllocatePool", takes(Memory, &[Int, Size]), allocates(&[1], false, Storage::Heap))
        .or(&["ExAllocatePoolWithTag", "ExAllocatePoolWithQuotaTag"])
        .linked(Link::Allocator),
    library("alloca", takes(Memory, &[Size]), allocates(&[0], false, Storage::Stack))
        .or(&["__alloca", "_alloca"])
        .linked(Link::Allocator),
    kernel("kzalloc", takes(Memory, &[Size, Int]), allocates(&[0], true, Storage::Heap))
        .or(&["vzalloc"])
        .linked(Link::Allocator),
    library(
        "realloc",
        takes(Memory, &[Block, Size]),
        returns(Returns::Resized(0), Execution::Reallocate, Accesses::Nothing),
    )
    .or(&["krealloc"])
    .linked(stand_in!("realloc")),
    library("free", takes(Void, &[Block]), silent(Execution::Free, Accesses::Nothing))
        .or(&["cfree", "kfree", "vfree", "ExFreePool", "ExFreePoolWithTag"])
        .linked(Link::Library("void hardbop_l_free(void *block) { }")),
    // Bytes.
    library(
        "memset",
        takes(Memory, &[Memory, Int, Size]),
        writes(
            Writes::Fill { to: 0, byte: 1, size: 2 },
            Returns::Argument(0),
            Execution::Fill,
            Accesses::Bytes { pointers: &[0], size: 2 },
        ),
    )
    .linked(stand_in!("memset")),
    library("memcpy", takes(Memory, &[Memory, Memory, Size]), copies(false))
        .or(&["__memcpy", "RtlCopyMemory"])
        .linked(stand_in!("memcpy")),
    library("memmove", takes(Memory, &[Memory, Memory, Size]), copies(true))
        .or(&["RtlMoveMemory"])
        .linked(stand_in!("memmove")),
    library(
        "memcmp",
        takes(Int, &[Memory, Memory, Size]),
        silent(Execution::Compare, Accesses::Bytes { pointers: &[0, 1], size: 2 }),
    )
    .linked(stand_in!("memcmp")),
    // Texts that are read.
    library(
        "strlen",
        takes(Size, &[Text]),
        returns(Returns::Below(0), Execution::Length, Accesses::Texts),
    )
    .linked(stand_in!("strlen")),
    library(
        "strcmp",
        takes(Int, &[Text, Text]),
        silent(Execution::CompareText { bounded: false }, Accesses::Texts),
    )
    .linked(stand_in!("strcmp")),
    library(
        "strncmp",
        takes(Int, &[Text, Text, Size]),
        silent(Execution::CompareText { bounded: true }, Accesses::Texts),
    )
    .linked(stand_in!("strncmp")),
    library(
        "strchr",
        takes(Buffer, &[Text, Int]),
        returns(Returns::Within(0), Execution::FindCharacter, Accesses::Texts),
    )
    .linked(stand_in!("strchr")),
    // Texts that are written.
    library(
        "strcpy",
        takes(Buffer, &[Buffer, Text]),
        writes(TEXT, Returns::Argument(0), copies_text(false, false), UNKNOWN),
    )
    .linked(stand_in!("strcpy")),
    library(
        "strcat",
        takes(Buffer, &[Buffer, Text]),
        writes(TEXT, Returns::Argument(0), copies_text(true, false), UNKNOWN),
    )
    .linked(stand_in!("strcat")),
    library(
        "strncpy",
        takes(Buffer, &[Buffer, Text, Size]),
        writes(TEXT, Returns::Argument(0), Execution::CopyPrefix, UNKNOWN),
    )
    .linked(stand_in!("strncpy")),
    library(
        "strncat",
        takes(Buffer, &[Buffer, Text, Size]),
        writes(TEXT, Returns::Argument(0), copies_text(true, true), UNKNOWN),
    )
    .linked(stand_in!("strncat")),
    library("strlcpy", takes(Size, &[Buffer, Text, Size]), formats(Some(2)))
        .linked(Link::Own(include_str!("stand_in/strlcpy.c"))),
    library("strlcat", takes(Size, &[Buffer, Text, Size]), formats(Some(2)))
        .linked(Link::Own(include_str!("stand_in/strlcat.c"))),
    library("sprintf", takes_more(Int, &[Buffer, Format]), formats(None))
        .linked(Link::Library("int hardbop_l_sprintf(char *a, const char *b, ...) { return 0; }")),
    library("snprintf", takes_more(Int, &[Buffer, Size, Format]), formats(Some(1))).linked(
        Link::Library(
            "int hardbop_l_snprintf(char *a, hardbop_size b, const char *c, ...) { return 0; }",
        ),
    ),
    library("vsprintf", takes(Int, &[Buffer, Format, Arguments]), formats(None)).linked(
        Link::Library("int hardbop_l_vsprintf(char *a, const char *b, void *c) { return 0; }"),
    ),
    library("vsnprintf", takes(Int, &[Buffer, Size, Format, Arguments]), formats(Some(1))).linked(
        Link::Library(
            "int hardbop_l_vsnprintf(char *a, hardbop_size b, const char *c, void *d) { return 0; }",
        ),
    ),
    library(
        "fgets",
        takes(Buffer, &[Buffer, Int, Stream]),
        writes(
            TEXT,
            Returns::ArgumentOrNull(0),
            writes_text(Some(1), TextResult::StartOrNull),
            UNKNOWN,
        ),
    )
    .linked(Link::Line),
    library(
        "gets",
        takes(Buffer, &[Buffer]),
        writes(
            TEXT,
            Returns::ArgumentOrNull(0),
            writes_text(None, TextResult::StartOrNull),
            UNKNOWN,
        ),
    )
    .linked(Link::FirstOrNull),
    // Output.
    library("printf", takes_more(Int, &[Format]), output(Accesses::Texts))
        .linked(Link::Library("int hardbop_l_printf(const char *a, ...) { return 0; }")),
    library("fprintf", takes_more(Int, &[Stream, Format]), output(Accesses::Texts))
        .linked(Link::Library("int hardbop_l_fprintf(void *f, const char *a, ...) { return 0; }")),
    library("vprintf", takes(Int, &[Format, Arguments]), output(UNKNOWN))
        .linked(Link::Library("int hardbop_l_vprintf(const char *a, void *b) { return 0; }")),
    library("vfprintf", takes(Int, &[Stream, Format, Arguments]), output(UNKNOWN)).linked(
        Link::Library("int hardbop_l_vfprintf(void *f, const char *a, void *b) { return 0; }"),
    ),
    library("puts", takes(Int, &[Text]), reports((-1, 0x7FFF_FFFF), Accesses::Texts))
        .linked(Link::Library("int hardbop_l_puts(const char *a) { return 0; }")),
    library("fputs", takes(Int, &[Text, Stream]), reports((-1, 0x7FFF_FFFF), Accesses::Texts))
        .linked(Link::Library("int hardbop_l_fputs(const char *a, void *f) { return 0; }")),
    library("putchar", takes(Int, &[Int]), output(Accesses::Nothing))
        .linked(Link::Library("int hardbop_l_putchar(int a) { return 0; }")),
    library("fputc", takes(Int, &[Int, Stream]), output(Accesses::Nothing))
        .linked(Link::Library("int hardbop_l_fputc(int a, void *f) { return 0; }")),
    library("putc", takes(Int, &[Int, Stream]), output(Accesses::Nothing))
        .linked(Link::Library("int hardbop_l_putc(int a, void *f) { return 0; }")),
    library("fflush", takes(Int, &[Stream]), reports((-1, 0), Accesses::Nothing))
        .linked(Link::Library("int hardbop_l_fflush(void *f) { return 0; }")),
    library("perror", takes(Void, &[Text]), output(Accesses::Texts))
        .linked(Link::Library("void hardbop_l_perror(const char *a) { }")),
    kernel("printk", takes_more(Int, &[Format]), guessed(Accesses::Texts)),
    kernel("DbgPrint", takes_more(Int, &[Format]), guessed(Accesses::Texts)),
    // Numbers.
    library("abs", takes(Int, &[Int]), ABSOLUTE)
        .linked(Link::Own("int hardbop_l_abs(int a) { return a < 0 ? -a : a; }")),
    library("labs", takes(Long, &[Long]), ABSOLUTE).linked(Link::Own(
        "hardbop_word hardbop_l_labs(hardbop_word a) { return a < 0 ? -a : a; }",
    )),
    library("llabs", takes(LongLong, &[LongLong]), ABSOLUTE)
        .linked(Link::Own("long long hardbop_l_llabs(long long a) { return a < 0 ? -a : a; }")),
    // The environment. A harness repeats the values.
    library("rand", takes(Int, &[]), between(0, 0x7FFF_FFFF)),
    library("random", takes(Long, &[]), between(0, 0x7FFF_FFFF)),
    // To nearest; what changes it is not supported.
    library("fegetround", takes(Int, &[]), between(0, 0)),
    library("getchar", takes(Int, &[]), between(-1, 255)).or(&["getchar_unlocked"]),
    library("fgetc", takes(Int, &[Stream]), between(-1, 255)).or(&[
        "getc",
        "_IO_getc",
        "fgetc_unlocked",
        "getc_unlocked",
    ]),
    // The end of the program.
    convention("atexit", takes(Int, &[Memory]), Convention::AtExit, Link::Hosted),
    convention("exit", takes(Void, &[Int]), Convention::Exit, Link::Values).linked(Link::Library("void hardbop_l_exit(int a) { hardbop_exit(a); }")),
    ends("_exit", &[Int])
        .linked(Link::Library("void hardbop_l__exit(int a) { hardbop_exit(a); }")),
    ends("_Exit", &[Int])
        .linked(Link::Library("void hardbop_l__Exit(int a) { hardbop_exit(a); }")),
    ends("quick_exit", &[Int])
        .linked(Link::Library("void hardbop_l_quick_exit(int a) { hardbop_exit(a); }")),
    // Where they are declared 'noreturn', as in the headers.
    convention("err", takes_more(Void, &[Int, Format]), Convention::Exit, Link::Hosted)
        .or(&["errx", "verr", "verrx"]),
    ends("abort", &[])
        .linked(Link::Library("void hardbop_l_abort(void) { hardbop_exit(134); }")),
    of_compiler("__builtin_unreachable", takes(Void, &[]), Convention::Unreachable),
    of_compiler("__builtin_trap", takes(Void, &[]), Convention::Halt),
    // Errors and assumptions. The error functions of a property are errors whatever the table says.
    of_verifier("reach_error", takes(Void, &[]), Convention::Halt, Link::Error)
        .or(&["__VERIFIER_error"]),
    convention(
        "__assert_fail",
        takes(Void, &[Text, Text, Int, Text]),
        Convention::Error,
        Link::Error,
    )
    .or(&["__assert", "__assert_rtn", "__assert_perror_fail", "_assert"]),
    convention("assert", takes(Void, &[Int]), Convention::Assert, Link::Assertion),
    of_verifier("__VERIFIER_assert", takes(Void, &[Int]), Convention::Assert, Link::Assertion),
    of_verifier("__hardbop_invariant", takes(Void, &[Int]), Convention::Invariant, Link::Assertion),
    // What the library's own texts leave undecided, as the name says.
    of_verifier("__undecided_*", takes(Void, &[]), Convention::Unsupported, Link::Values),
    of_verifier("__VERIFIER_assume", takes(Void, &[Int]), Convention::Assume, Link::Assumption),
    of_compiler("__builtin_assume", takes(Void, &[Int]), Convention::Assume),
    of_verifier("__VERIFIER_nondet_*", takes(Int, &[]), Convention::Input, Link::Values),
    // Conventions of CBMC, ESBMC, KLEE, BLAST and SATABS.
    of_verifier("__CPROVER_assume", takes(Void, &[Int]), Convention::Assume, Link::Assumption)
        .or(&["__ESBMC_assume", "klee_assume"]),
    of_verifier("__CPROVER_assert", takes(Void, &[Int, Text]), Convention::Assert, Link::Assertion)
        .or(&["__ESBMC_assert", "__CPROVER_precondition", "__CPROVER_postcondition"]),
    of_verifier("nondet_*", takes(Int, &[]), Convention::Input, Link::Values).or(&["nondet"]),
    of_verifier("__VERIFIER_atomic_begin", takes(Void, &[]), Convention::Thread, Link::Values)
        .or(&[
            "__VERIFIER_atomic_end",
            "__CPROVER_atomic_begin",
            "__CPROVER_atomic_end",
            "__ESBMC_atomic_begin",
            "__ESBMC_atomic_end",
        ]),
    of_verifier("__ESBMC_yield", takes(Void, &[]), Convention::Nothing, Link::Values),
    // How far another checker follows a loop.
    of_verifier("__ESBMC_unroll", takes(Void, &[Int]), Convention::Nothing, Link::Values),
    // Built-ins of gcc.
    of_compiler("__builtin_expect", takes(Long, &[Long, Long]), Convention::First),
    of_compiler(
        "__builtin_expect_with_probability",
        takes(Long, &[Long, Long, Double]),
        Convention::First,
    ),
    of_compiler("__builtin_constant_p", takes(Int, &[Int]), Convention::IsConstant),
    of_compiler("__builtin_object_size", takes(Size, &[Memory, Int]), Convention::ObjectSize)
        .or(&["__builtin_dynamic_object_size"]),
    of_compiler("__builtin_va_start", takes_more(Void, &[Arguments]), Convention::StartList),
    of_compiler("__builtin_va_copy", takes(Void, &[Arguments, Arguments]), Convention::CopyList),
    of_compiler("__builtin_va_end", takes(Void, &[Arguments]), Convention::Nothing),
    convention("va_start", takes_more(Void, &[Arguments]), Convention::StartList, Link::Values),
    convention("va_end", takes_more(Void, &[Arguments]), Convention::Nothing, Link::Values),
    of_compiler("__builtin_prefetch", takes_more(Void, &[Memory]), Convention::Nothing),
    of_compiler("__sync_synchronize", takes(Void, &[]), Convention::Nothing),
    of_compiler("__builtin_*", takes_more(Int, &[]), Convention::Unsupported),
    of_compiler("__sync_*", takes_more(Int, &[]), Convention::Atomic),
    of_compiler("__atomic_*", takes_more(Int, &[]), Convention::Atomic),
    of_compiler("__atomic_thread_fence", takes(Void, &[Int]), Convention::Nothing)
        .or(&["__atomic_signal_fence"]),
    // Characters.
    convention("toupper", takes(Int, &[Int]), Convention::Letter { upper: true }, Link::Library(
        "int hardbop_l_toupper(int a) { return a >= 'a' && a <= 'z' ? a - 32 : a < -1 && a >= -128 ? a + 256 : a; }",
    )),
    convention("tolower", takes(Int, &[Int]), Convention::Letter { upper: false }, Link::Library(
        "int hardbop_l_tolower(int a) { return a >= 'A' && a <= 'Z' ? a + 32 : a < -1 && a >= -128 ? a + 256 : a; }",
    )),
    // Functions that call back, jump or start processes.
    convention("setjmp", takes(Int, &[Memory]), Convention::SetJump, Link::Hosted)
        .or(&["_setjmp"]),
    convention("sigsetjmp", takes(Int, &[Memory, Int]), Convention::SetJump, Link::Hosted)
        .or(&["__sigsetjmp"]),
    convention("longjmp", takes(Void, &[Memory, Int]), Convention::LongJump, Link::Hosted)
        .or(&["_longjmp", "siglongjmp"]),
    unsupported("signal", takes(Memory, &[Int, Memory])),
    unsupported("vfork", takes(Int, &[])),
    convention(
        "qsort",
        takes(Void, &[Memory, Size, Size, Memory]),
        Convention::Sort,
        Link::Hosted,
    ),
    unsupported("bsearch", takes(Memory, &[Memory, Memory, Size, Size, Memory])),
    convention(
        "pthread_create",
        takes(Int, &[Memory, Memory, Memory, Memory]),
        Convention::Thread,
        Link::Hosted,
    ),
    convention("pthread_exit", takes(Void, &[Memory]), Convention::Thread, Link::Hosted),
    convention("thrd_create", takes(Int, &[Memory, Memory, Memory]), Convention::Thread, Link::Hosted),
    convention("thrd_exit", takes(Void, &[Int]), Convention::Thread, Link::Hosted),
];

/// Writes characters to the first argument.
const TEXT: Writes = Writes::Text { to: 0 };
const UNKNOWN: Accesses = Accesses::Unknown;
const ALIGNED: Allocation =
    Allocation { size: &[1], zeroed: false, storage: Storage::Heap, alignment: Some(0) };

const ABSOLUTE: Model = Model {
    effect: Effect { writes: Writes::Nothing, returns: Returns::Absolute(0) },
    execution: Execution::Absolute,
    accesses: Accesses::Nothing,
    overflow: true,
};

pub(super) const fn takes(result: Kind, parameters: &'static [Kind]) -> Prototype {
    Prototype { result, parameters, variadic: false }
}

pub(super) const fn takes_more(result: Kind, parameters: &'static [Kind]) -> Prototype {
    Prototype { result, parameters, variadic: true }
}

pub(super) const fn library(
    name: &'static str,
    prototype: Prototype,
    model: Model,
) -> LibraryFunction {
    LibraryFunction {
        name,
        aliases: &[],
        family: Family::Library,
        prototype,
        role: Role::Call(model),
        link: Link::Values,
    }
}

pub(super) const fn kernel(
    name: &'static str,
    prototype: Prototype,
    model: Model,
) -> LibraryFunction {
    LibraryFunction { family: Family::Kernel, ..library(name, prototype, model) }
}

pub(super) const fn convention(
    name: &'static str,
    prototype: Prototype,
    convention: Convention,
    link: Link,
) -> LibraryFunction {
    LibraryFunction {
        name,
        aliases: &[],
        family: Family::Library,
        prototype,
        role: Role::Convention(convention),
        link,
    }
}

const fn of_verifier(
    name: &'static str,
    prototype: Prototype,
    what: Convention,
    link: Link,
) -> LibraryFunction {
    LibraryFunction { family: Family::Verifier, ..convention(name, prototype, what, link) }
}

pub(super) const fn of_compiler(
    name: &'static str,
    prototype: Prototype,
    what: Convention,
) -> LibraryFunction {
    let row = convention(name, prototype, what, Link::Compiler);
    LibraryFunction { family: Family::Compiler, ..row }
}

/// The first of several names, and the others.
pub(super) const fn split(
    names: &'static [&'static str],
) -> (&'static str, &'static [&'static str]) {
    match names {
        [name, aliases @ ..] => (name, aliases),
        [] => panic!("a row has a name"),
    }
}

const fn ends(name: &'static str, parameters: &'static [Kind]) -> LibraryFunction {
    convention(name, takes(Void, parameters), Convention::Halt, Link::Values)
}

pub(super) const fn unsupported(name: &'static str, prototype: Prototype) -> LibraryFunction {
    convention(name, prototype, Convention::Unsupported, Link::Values)
}

impl LibraryFunction {
    const fn or(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    const fn linked(self, link: Link) -> Self {
        Self { link, ..self }
    }
}

const fn writes(
    writes: Writes,
    returns: Returns,
    execution: Execution,
    accesses: Accesses,
) -> Model {
    Model { effect: Effect { writes, returns }, execution, accesses, overflow: false }
}

const fn returns(returns: Returns, execution: Execution, accesses: Accesses) -> Model {
    writes(Writes::Nothing, returns, execution, accesses)
}

/// Changes nothing that the analyses track, and returns anything.
const fn silent(execution: Execution, accesses: Accesses) -> Model {
    returns(Returns::Anything, execution, accesses)
}

const fn guessed(accesses: Accesses) -> Model {
    silent(Execution::AnyResult, accesses)
}

/// Any number of a range, from outside.
const fn between(least: i64, greatest: i64) -> Model {
    reports((least, greatest), Accesses::Nothing)
}

/// As [`between`], for a function that puts something out: the number says whether it did.
const fn reports((least, greatest): (i64, i64), accesses: Accesses) -> Model {
    returns(Returns::Between { least, greatest }, Execution::Between { least, greatest }, accesses)
}

const fn output(accesses: Accesses) -> Model {
    silent(Execution::Output, accesses)
}

const fn allocates(size: &'static [usize], zeroed: bool, storage: Storage) -> Model {
    of(Allocation { size, zeroed, storage, alignment: None })
}

const fn of(new: Allocation) -> Model {
    returns(Returns::Fresh(new), Execution::Allocate(new), Accesses::Nothing)
}

const fn copies(overlapping: bool) -> Model {
    writes(
        Writes::Copy { to: 0, from: 1, size: 2 },
        Returns::Argument(0),
        Execution::Copy { overlapping },
        Accesses::Bytes { pointers: &[0, 1], size: 2 },
    )
}

const fn copies_text(append: bool, bounded: bool) -> Execution {
    Execution::CopyText { append, bounded }
}

const fn writes_text(size: Option<usize>, returns: TextResult) -> Execution {
    Execution::WriteText { to: 0, size, returns }
}

/// Writes text of unknown content and length.
const fn formats(size: Option<usize>) -> Model {
    writes(TEXT, Returns::Anything, writes_text(size, TextResult::Unknown), UNKNOWN)
}
