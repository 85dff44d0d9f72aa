//! Functions of the C library and of kernels that programs call without defining them, by what they
//! do to memory.  A body in the program goes before.

/// What an undefined function does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Returns a new object, whose size is the product of these arguments.
    Allocate { size: &'static [usize], zeroed: bool },
    /// Returns a new object with the content of argument 0, or that object.
    Reallocate,
    /// Changes nothing; the result, if a pointer, is null or anything that the program does not know.
    Nothing,
    /// Changes nothing; the result is the absolute value of argument 0.
    Absolute,
    /// Copies argument 2 bytes from argument 1 to argument 0, and returns that.
    CopyBytes,
    /// Writes characters to argument 0, and returns it, or null if it may fail.
    WriteText { may_fail: bool },
    /// Writes argument 2 bytes of value argument 1 to argument 0, and returns that.
    Fill,
    /// Returns null or a pointer into the object that argument 0 points into.
    Within,
}

/// What the function of this name does, where it is known.
pub fn effect(name: &str) -> Option<Effect> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let allocate = |size| Some(Effect::Allocate { size, zeroed: false });
    match name {
        "malloc" | "alloca" | "__alloca" | "_alloca" | "kmalloc" | "__kmalloc" | "vmalloc"
        | "xmalloc" => allocate(&[0]),
        "aligned_alloc"
        | "memalign"
        | "ExAllocatePool"
        | "ExAllocatePoolWithTag"
        | "ExAllocatePoolWithQuotaTag" => allocate(&[1]),
        "calloc" | "kcalloc" => Some(Effect::Allocate { size: &[0, 1], zeroed: true }),
        "kzalloc" | "vzalloc" => Some(Effect::Allocate { size: &[0], zeroed: true }),
        "realloc" | "krealloc" => Some(Effect::Reallocate),
        "free" | "kfree" | "vfree" | "cfree" | "ExFreePool" | "ExFreePoolWithTag" | "printf"
        | "fprintf" | "vprintf" | "vfprintf" | "puts" | "putchar" | "fputs" | "fputc" | "putc"
        | "fflush" | "perror" | "printk" | "strlen" | "strnlen" | "strcmp" | "strncmp"
        | "strcasecmp" | "strncasecmp" | "memcmp" | "atoi" | "atol" | "atof" | "rand" | "srand"
        | "sleep" | "usleep" | "getchar" | "isalpha" | "isdigit" | "isspace" | "isupper"
        | "islower" | "isalnum" | "toupper" | "tolower" | "expect" | "prefetch" | "va_start"
        | "va_end" | "object_size" | "constant_p" | "DbgPrint" | "__assert_fail" | "assert"
        | "exit" | "abort" | "atexit" => Some(Effect::Nothing),
        "memcpy" | "memmove" | "__memcpy" | "RtlCopyMemory" | "RtlMoveMemory" => {
            Some(Effect::CopyBytes)
        }
        "strcpy" | "strncpy" | "strcat" | "strncat" | "sprintf" | "snprintf" | "strlcpy"
        | "strlcat" | "vsprintf" | "vsnprintf" => Some(Effect::WriteText { may_fail: false }),
        "fgets" | "gets" => Some(Effect::WriteText { may_fail: true }),
        "abs" | "labs" | "llabs" => Some(Effect::Absolute),
        "memset" => Some(Effect::Fill),
        "strchr" | "strrchr" | "strstr" | "memchr" | "strpbrk" => Some(Effect::Within),
        _ => None,
    }
}
