//! Prototypes of library functions.

/// Result and parameters of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prototype {
    pub result: Kind,
    pub parameters: &'static [Kind],
    /// Whether it takes further arguments.
    pub variadic: bool,
}

impl Prototype {
    /// The index of the argument that is a format, as in `printf`.
    #[must_use]
    pub fn format(&self) -> Option<usize> {
        self.parameters.iter().position(|&kind| kind == Kind::Format)
    }

    /// The indices of the arguments that are zero-terminated texts.
    pub fn texts(&self) -> impl Iterator<Item = usize> + '_ {
        let is_text = |kind| matches!(kind, Kind::Text | Kind::Format);
        self.parameters.iter().enumerate().filter(move |&(_, &kind)| is_text(kind)).map(|(i, _)| i)
    }
}

/// The type of a parameter or result, and its purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Void,
    Int,
    Long,
    LongLong,
    Size,
    Double,
    /// Memory of any content.
    Memory,
    /// What `malloc` returned, or null.
    Block,
    /// Characters terminated by a zero.
    Text,
    /// A text with directives for further arguments.
    Format,
    /// Memory to which a text is written.
    Buffer,
    /// A `FILE *`.
    Stream,
    /// A `va_list`, passed as the pointer that it decays to.
    Arguments,
}

impl Kind {
    /// Whether it is a pointer.
    #[must_use]
    pub fn is_pointer(self) -> bool {
        !matches!(
            self,
            Self::Void | Self::Int | Self::Long | Self::LongLong | Self::Size | Self::Double
        )
    }

    /// The type in C.
    #[must_use]
    pub fn c(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Int => "int",
            Self::Long => "long",
            Self::LongLong => "long long",
            Self::Size => "__SIZE_TYPE__",
            Self::Double => "double",
            Self::Memory | Self::Block | Self::Stream | Self::Arguments => "void *",
            Self::Text | Self::Format => "const char *",
            Self::Buffer => "char *",
        }
    }
}
