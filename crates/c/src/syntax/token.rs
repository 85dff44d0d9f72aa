//! Tokens: words, literals and signs, with their places in the text of the program.

use hardbop_base::source::Span;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that is no keyword.
    Name,
    Word(Word),
    Number,
    Character,
    /// One string literal, of those that may stand side by side.
    Text,
    Sign(Sign),
    /// A character that no token of C begins with.
    Strange,
    /// Behind the last token.
    End,
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub kind: Kind,
    /// Where it stands in the text of the program.
    pub span: Span,
    /// Where its characters are in the text that was split into tokens, in which lines are joined.
    pub from: u32,
    pub to: u32,
}

/// A keyword; GNU's other spellings of one are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    AlignAs,
    AlignOf,
    /// `__alignof__`, which is that of a whole object.
    NaturalAlignOf,
    Asm,
    Atomic,
    Attribute,
    Auto,
    AutoType,
    Bool,
    Break,
    Case,
    Char,
    Complex,
    Const,
    Continue,
    Default,
    Do,
    Double,
    Else,
    Enum,
    Extension,
    Extern,
    Float,
    /// `_Float32` and the like, and `_Decimal32`.
    SizedFloat,
    For,
    Generic,
    Goto,
    If,
    Inline,
    Int,
    Int128,
    /// `_BitInt` (C23), or `_ExtInt` as clang had it.
    BitInt,
    Label,
    Long,
    NoReturn,
    OffsetOf,
    /// `__real__` or `__imag__`.
    /// `__real__`
    RealPart,
    /// `__imag__`
    ImaginaryPart,
    Pragma,
    Register,
    Restrict,
    Return,
    Short,
    Signed,
    SizeOf,
    Static,
    StaticAssert,
    Struct,
    Switch,
    ThreadLocal,
    TypeDef,
    TypeOf,
    TypesCompatible,
    Union,
    Unsigned,
    VaArg,
    Void,
    Volatile,
    While,
}

impl Word {
    /// The keyword of this spelling.
    pub fn of(text: &str) -> Option<Self> {
        Some(match text {
            "_Alignas" => Self::AlignAs,
            "_Alignof" => Self::AlignOf,
            "__alignof__" | "__alignof" => Self::NaturalAlignOf,
            "asm" | "__asm__" | "__asm" => Self::Asm,
            "_Atomic" => Self::Atomic,
            "__attribute__" | "__attribute" => Self::Attribute,
            "auto" => Self::Auto,
            "__auto_type" => Self::AutoType,
            // The second is CBMC's.
            "_Bool" | "__CPROVER_bool" => Self::Bool,
            "break" => Self::Break,
            "case" => Self::Case,
            "char" => Self::Char,
            "_Complex" | "__complex__" | "__complex" => Self::Complex,
            "const" | "__const" | "__const__" => Self::Const,
            "continue" => Self::Continue,
            "default" => Self::Default,
            "do" => Self::Do,
            "double" => Self::Double,
            "else" => Self::Else,
            "enum" => Self::Enum,
            "__extension__" => Self::Extension,
            "extern" => Self::Extern,
            "float" => Self::Float,
            "_Float16" | "_Float32" | "_Float64" | "_Float128" | "_Float16x" | "_Float32x"
            | "_Float64x" | "_Float128x" | "_Decimal32" | "_Decimal64" | "_Decimal128"
            | "_Decimal32x" | "_Decimal64x" | "_Decimal128x" => Self::SizedFloat,
            "for" => Self::For,
            "_Generic" => Self::Generic,
            "goto" => Self::Goto,
            "if" => Self::If,
            "inline" | "__inline" | "__inline__" => Self::Inline,
            "int" => Self::Int,
            "__int128" => Self::Int128,
            "_BitInt" | "_ExtInt" => Self::BitInt,
            "__label__" => Self::Label,
            "long" => Self::Long,
            "_Noreturn" => Self::NoReturn,
            "__builtin_offsetof" => Self::OffsetOf,
            "__real__" | "__real" => Self::RealPart,
            "__imag__" | "__imag" => Self::ImaginaryPart,
            "_Pragma" => Self::Pragma,
            "register" => Self::Register,
            "restrict" | "__restrict" | "__restrict__" => Self::Restrict,
            "return" => Self::Return,
            "short" => Self::Short,
            "signed" | "__signed" | "__signed__" => Self::Signed,
            "sizeof" => Self::SizeOf,
            "static" => Self::Static,
            "_Static_assert" => Self::StaticAssert,
            "struct" => Self::Struct,
            "switch" => Self::Switch,
            "_Thread_local" | "__thread" => Self::ThreadLocal,
            "typedef" => Self::TypeDef,
            "typeof" | "__typeof__" | "__typeof" => Self::TypeOf,
            "__builtin_types_compatible_p" => Self::TypesCompatible,
            "union" => Self::Union,
            "unsigned" => Self::Unsigned,
            "__builtin_va_arg" => Self::VaArg,
            "void" => Self::Void,
            "volatile" | "__volatile" | "__volatile__" => Self::Volatile,
            "while" => Self::While,
            _ => return None,
        })
    }

    /// Whether a type can begin with it.
    pub fn begins_type(self) -> bool {
        matches!(
            self,
            Self::Atomic
                | Self::AutoType
                | Self::Attribute
                | Self::Bool
                | Self::Char
                | Self::Complex
                | Self::Const
                | Self::Double
                | Self::Enum
                | Self::Float
                | Self::SizedFloat
                | Self::Int
                | Self::Int128
                | Self::BitInt
                | Self::Long
                | Self::Restrict
                | Self::Short
                | Self::Signed
                | Self::Struct
                | Self::TypeOf
                | Self::Union
                | Self::Unsigned
                | Self::Void
                | Self::Volatile
        )
    }

    /// Whether a declaration can begin with it.
    pub fn begins_declaration(self) -> bool {
        self.begins_type()
            || matches!(
                self,
                Self::AlignAs
                    | Self::Auto
                    | Self::Extern
                    | Self::Inline
                    | Self::NoReturn
                    | Self::Register
                    | Self::Static
                    | Self::ThreadLocal
                    | Self::TypeDef
            )
    }
}

/// A sign of one character or several; digraphs are what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    OpenRound,
    CloseRound,
    OpenSquare,
    CloseSquare,
    OpenBrace,
    CloseBrace,
    Dot,
    Arrow,
    Increment,
    Decrement,
    And,
    Star,
    Plus,
    Minus,
    Tilde,
    Not,
    Slash,
    Percent,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    Caret,
    Or,
    AndAnd,
    OrOr,
    Question,
    Colon,
    DoubleColon,
    Semicolon,
    Ellipsis,
    Comma,
    Assign,
    AssignMultiply,
    AssignDivide,
    AssignModulo,
    AssignPlus,
    AssignMinus,
    AssignShiftLeft,
    AssignShiftRight,
    AssignAnd,
    AssignXor,
    AssignOr,
}

impl Sign {
    /// The longest sign at the start of some bytes, with its length.
    pub fn at(bytes: &[u8]) -> Option<(Self, usize)> {
        let next = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let [first, second, third] = [next(0), next(1), next(2)];
        let one = |sign| Some((sign, 1));
        let two = |sign| Some((sign, 2));
        match first {
            b'(' => one(Self::OpenRound),
            b')' => one(Self::CloseRound),
            b'[' => one(Self::OpenSquare),
            b']' => one(Self::CloseSquare),
            b'{' => one(Self::OpenBrace),
            b'}' => one(Self::CloseBrace),
            b';' => one(Self::Semicolon),
            b',' => one(Self::Comma),
            b'~' => one(Self::Tilde),
            b'?' => one(Self::Question),
            b'.' if second == b'.' && third == b'.' => Some((Self::Ellipsis, 3)),
            b'.' => one(Self::Dot),
            b':' if second == b':' => two(Self::DoubleColon),
            b':' if second == b'>' => two(Self::CloseSquare),
            b':' => one(Self::Colon),
            b'-' => match second {
                b'>' => two(Self::Arrow),
                b'-' => two(Self::Decrement),
                b'=' => two(Self::AssignMinus),
                _ => one(Self::Minus),
            },
            b'+' => match second {
                b'+' => two(Self::Increment),
                b'=' => two(Self::AssignPlus),
                _ => one(Self::Plus),
            },
            b'&' => match second {
                b'&' => two(Self::AndAnd),
                b'=' => two(Self::AssignAnd),
                _ => one(Self::And),
            },
            b'|' => match second {
                b'|' => two(Self::OrOr),
                b'=' => two(Self::AssignOr),
                _ => one(Self::Or),
            },
            b'*' if second == b'=' => two(Self::AssignMultiply),
            b'*' => one(Self::Star),
            b'/' if second == b'=' => two(Self::AssignDivide),
            b'/' => one(Self::Slash),
            b'%' if second == b'=' => two(Self::AssignModulo),
            b'%' if second == b'>' => two(Self::CloseBrace),
            b'%' => one(Self::Percent),
            b'^' if second == b'=' => two(Self::AssignXor),
            b'^' => one(Self::Caret),
            b'!' if second == b'=' => two(Self::NotEqual),
            b'!' => one(Self::Not),
            b'=' if second == b'=' => two(Self::Equal),
            b'=' => one(Self::Assign),
            b'<' => match (second, third) {
                (b'<', b'=') => Some((Self::AssignShiftLeft, 3)),
                (b'<', _) => two(Self::ShiftLeft),
                (b'=', _) => two(Self::LessEqual),
                (b':', _) => two(Self::OpenSquare),
                (b'%', _) => two(Self::OpenBrace),
                _ => one(Self::Less),
            },
            b'>' => match (second, third) {
                (b'>', b'=') => Some((Self::AssignShiftRight, 3)),
                (b'>', _) => two(Self::ShiftRight),
                (b'=', _) => two(Self::GreaterEqual),
                _ => one(Self::Greater),
            },
            _ => None,
        }
    }

    pub fn opens(self) -> bool {
        matches!(self, Self::OpenRound | Self::OpenSquare | Self::OpenBrace)
    }

    pub fn closes(self) -> bool {
        matches!(self, Self::CloseRound | Self::CloseSquare | Self::CloseBrace)
    }
}
