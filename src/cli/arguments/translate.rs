//! The commands that print a program in another form: `hardbop fmt`, `hardbop export`, `hardbop
//! abstract`, `hardbop cfa`.

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "c")]
use super::c::preprocessor::Preprocessor;
#[cfg(feature = "c")]
use super::c::{AbstractionArguments, DataModelArguments, HEADING, Language};
#[cfg(feature = "c")]
use super::limits::Limits;
use super::output::ColorArguments;
use hardbop_bp::language::parser::Dialect;

const FMT_HELP: &str = "\
Comments are not part of the canonical form: they are dropped, and --in-place refuses a file that
has some, unless --drop-comments is given.

Examples:
  hardbop fmt driver.bp > canonical.bp
  hardbop fmt --check driver.bp      exit code 1 where it is not in canonical form
  hardbop fmt -i driver.bp";

#[derive(Debug, Args)]
#[command(after_help = FMT_HELP)]
pub(crate) struct FmtArguments {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print nothing, but exit with code 1 where the file is not in canonical form
    #[arg(long, conflicts_with = "in_place")]
    pub check: bool,

    /// Change the file
    #[arg(short, long)]
    pub in_place: bool,

    /// Change the file even where that loses comments
    #[arg(long, requires = "in_place")]
    pub drop_comments: bool,

    /// How operators bind where the dialects disagree
    #[arg(long, value_enum, default_value_t)]
    pub dialect: Dialect,

    #[command(flatten)]
    pub color: ColorArguments,
}

const EXPORT_HELP: &str = "\
Horn clauses: sat means that no error can be reached, unsat that one can.  Circuits: the bad state
can be reached, or not.  SMV: the invariant holds, or not.  Boogie: an assertion can fail, or not.

Examples:
  hardbop export driver.bp -o driver.smt2 && z3 driver.smt2
  hardbop export --format aiger driver.bp -o driver.aig && abc -c 'read driver.aig; pdr'
  hardbop export --format smv driver.bp -o driver.smv && nuXmv driver.smv
  hardbop export --format boogie driver.bp -o driver.bpl && corral driver.bpl
  hardbop compare *.bp --peer-preset spacer,abc";

/// Arguments of `hardbop export`.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub(crate) struct ExportArguments {
    /// The program, Boolean or, for `chc`, in C; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The language of the result
    #[arg(long, value_enum, default_value_t)]
    pub format: ExportFormat,

    /// Where the result goes; standard output if there is none
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// A label that must not be reached, instead of ERROR and SLIC_ERROR; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub error: Vec<String>,

    /// Labels only: assertions and `abortif` do nothing
    #[arg(long)]
    pub ignore_asserts: bool,

    /// The procedure that the program starts with, instead of `main`
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// How operators bind where the dialects disagree (of Boolean programs)
    #[arg(long, value_enum, default_value_t)]
    pub dialect: Dialect,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub c: CSource,

    #[command(flatten)]
    pub color: ColorArguments,
}

/// How a C program is read.
#[cfg(feature = "c")]
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct CSource {
    /// The language of the program
    #[arg(long, value_enum, default_value_t)]
    pub language: Language,

    #[command(flatten)]
    pub data_model: DataModelArguments,

    #[command(flatten)]
    pub preprocessor: Preprocessor,
}

#[cfg(feature = "c")]
impl CSource {
    /// The option that was given, and does nothing for Boolean programs, with its verb.
    pub fn given(&self) -> Option<&'static str> {
        let model = self.data_model;
        let is_preprocessed = self.preprocessor.is_given || self.preprocessor.database.is_some();
        let all = [
            (model.lp64, "'--64' is"),
            (model.ilp32, "'--32' is"),
            (is_preprocessed, "options of the preprocessor are"),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

/// The languages of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ExportFormat {
    /// Constrained Horn clauses over Booleans, in SMT-LIB; of C over bit-vectors, a clause for each large block
    #[default]
    Chc,
    /// A sequential circuit in AIGER 1.9, of a program without recursion; in its ASCII variant
    /// where the file is called `.aag`
    Aiger,
    /// The same circuit in BTOR2, with the program's variables as symbols
    Btor2,
    /// The same circuit in the language of NuSMV and nuXmv, with an `INVARSPEC`
    Smv,
    /// Procedures in Boogie 2, with an `{:entrypoint}`, for Corral and Boogie
    Boogie,
}

/// Arguments of `hardbop abstract`.
#[cfg(feature = "c")]
#[derive(Debug, Args)]
pub(crate) struct AbstractArguments {
    /// The C program, of one file or several that are linked; `-` reads standard input
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,

    /// The predicates: formulas of SMT-LIB over the program's variables, one per line, as
    /// `hardbop check --dump-predicates` writes them
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Where the Boolean program goes; standard output if there is none
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub abstraction: AbstractionArguments,

    /// Keep abstractions of blocks in this directory, for other runs
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    #[command(flatten)]
    pub preprocessor: Preprocessor,

    #[command(flatten)]
    pub data_model: DataModelArguments,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub color: ColorArguments,
}

/// Arguments of `hardbop cfa`.
#[cfg(feature = "c")]
#[derive(Debug, Args)]
pub(crate) struct CfaArguments {
    /// The C program, of one file or several that are linked; `-` reads standard input
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,

    /// Print the automaton in the DOT format, not only its size
    #[arg(long)]
    pub dot: bool,

    /// With large blocks: what has no loops becomes one edge
    #[arg(long)]
    pub summarise: bool,

    #[command(flatten)]
    pub preprocessor: Preprocessor,

    #[command(flatten)]
    pub data_model: DataModelArguments,

    #[command(flatten)]
    pub color: ColorArguments,
}
