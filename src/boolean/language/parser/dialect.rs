//! Dialects: how operators bind.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How operators bind where the dialects disagree; everything else is read in all dialects.
///
/// `&&`, `||` and `==`, `<=>` are other spellings of `&`, `|` and `=`.
///
/// ```
/// use hardbop::{BpOptions, Budget, Dialect, Source, Verdict, check_bp};
///
/// let source = Source::new("or.bp", "decl a, b; void main() begin a, b := F, F; assert(a = b | T); end");
/// let mut options = BpOptions::default();
/// let mut verdict = |dialect| {
///     options.dialect = dialect;
///     check_bp(&source, &options, &Budget::unlimited(), &mut ()).map(|answer| answer.verdict)
/// };
/// assert_eq!(verdict(Dialect::Slam)?, Verdict::Unsafe); // a = (b | T)
/// assert_eq!(verdict(Dialect::Getafix)?, Verdict::Safe); // (a = b) | T
/// # Ok::<(), hardbop::CheckError>(())
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
