//! `hardbop certify`.

use std::path::{Path, PathBuf};

use clap::Args;

#[cfg(feature = "c")]
use super::c::preprocessor::Preprocessor;
#[cfg(feature = "c")]
use super::c::{HEADING, Language};
use super::limits::Limits;
use super::output::ColorArguments;
use hardbop_logic::sat;
use hardbop_qbf as qbf;

const CERTIFY_HELP: &str = "\
The last line of the output is the result:
  CERTIFICATE: VALID (SAFE), VALID (UNSAFE)     exit code 0
  CERTIFICATE: REJECTED (what fails, and where) exit code 1
  CERTIFICATE: UNDECIDED (reason)               exit code 20, or 130 after Ctrl-C
Exit code 2 means bad usage, a bad program or no certificate at all, 70 an error in hardbop itself.

The certificate says which property it is about: it is printed.  --error, --entry and
--ignore-asserts demand one; a certificate of another property is rejected.";

#[derive(Debug, Args)]
#[command(after_help = CERTIFY_HELP)]
pub(crate) struct CertifyArguments {
    /// The program, of several files if it is C; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The certificate, as `hardbop check --certificate` writes it; `-` reads standard input
    #[arg(value_name = "CERTIFICATE", required = true)]
    pub certificate: PathBuf,

    /// The property must have exactly these labels; may be repeated
    #[arg(long, value_name = "LABEL", help_heading = "What it has to prove")]
    pub error: Vec<String>,

    /// The property must be about labels only
    #[arg(long, help_heading = "What it has to prove")]
    pub ignore_asserts: bool,

    /// The property must be about a program that starts with this procedure
    #[arg(long, value_name = "NAME", help_heading = "What it has to prove")]
    pub entry: Option<String>,

    /// The SAT solver; by default another one than the certificate's engine had
    #[arg(long, value_enum, value_name = "SOLVER", help_heading = "How to check")]
    pub sat: Option<sat::Backend>,

    /// The 2QBF solver, for assertions with choices: `embedded`, `depqbf` (where hardbop was built
    /// with it, and then the default), or `cmd:` and a command line
    #[arg(long, value_name = "SOLVER", help_heading = "How to check")]
    pub qbf: Option<qbf::Backend>,

    /// The language of the program
    #[cfg(feature = "c")]
    #[arg(long, value_enum, default_value_t, help_heading = HEADING)]
    pub language: Language,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub preprocessor: Preprocessor,

    #[command(flatten)]
    pub limits: Limits,

    /// Write every SAT query and its DRAT proof into this directory, as query-000001.cnf and
    /// query-000001.drat, and every 2QBF query as query-000001.qdimacs; needs varisat
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub proofs: Option<PathBuf>,

    /// Accept a certificate of another version of the program too, if it can be made one of this
    /// version, which is written here: for those who keep certificates in CI (C only)
    #[cfg(feature = "c")]
    #[arg(long, value_name = "CERTIFICATE", help_heading = "Output")]
    pub adapt: Option<PathBuf>,

    /// Print one JSON document instead of everything else
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    #[command(flatten)]
    pub color: ColorArguments,
}

impl CertifyArguments {
    /// The program; the first file of several.
    pub fn file(&self) -> &Path {
        self.files.first().map_or(Path::new("-"), PathBuf::as_path)
    }
}
