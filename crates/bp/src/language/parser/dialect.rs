//! Dialects: how operators bind.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How operators bind where the dialects disagree; everything else is read in all dialects.
///
/// `&&`, `||` and `==`, `<=>` are other spellings of `&`, `|` and `=`.
///
/// ```
/// use hardbop_bp::language::parser::{Dialect, parse_expression};
/// use hardbop_bp::language::syntax::Operator;
///
/// let outermost = |dialect| {
///     let expression = parse_expression("a = b | T", dialect).expect("an expression");
///     expression.nodes.last().expect("it is not empty").operator.clone()
/// };
/// assert_eq!(outermost(Dialect::Slam), Operator::Equal); // a = (b | T)
/// assert_eq!(outermost(Dialect::Getafix), Operator::Or); // (a = b) | T
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Dialect {
    /// SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`.
    #[default]
    Slam,
    /// Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left.
    Getafix,
    /// WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any
    /// number but 0 is true.
    Wali,
}

impl Dialect {
    /// All dialects, the default first.
    pub const ALL: [Self; 3] = [Self::Slam, Self::Getafix, Self::Wali];

    /// The name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slam => "slam",
            Self::Getafix => "getafix",
            Self::Wali => "wali",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no dialect of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect '{0}' (known: slam, getafix, wali)")]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|d| d.name() == name)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}
