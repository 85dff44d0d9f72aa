//! `hardbop list`.

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "c")]
use super::c::preprocessor::Preprocessor;
#[cfg(feature = "c")]
use super::c::{DataModelArguments, Language};
use super::output::ColorArguments;
use hardbop_bp::language::parser::Dialect;

const HELP: &str = "\
Functions are for '--entry' of check, labels for '--error'.

Examples:
  hardbop list driver.bp
  hardbop list main.c queue.c -I include
  hardbop list main.c --json | jq -r '.functions[].name'";

/// Arguments of `hardbop list`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ListArguments {
    /// The program; `-` reads standard input. Several C files are linked, and so are those in an
    /// archive (.tar, .tar.gz, .tgz, .zip)
    #[cfg_attr(
        feature = "c",
        arg(value_name = "FILE", required_unless_present = "compile_commands")
    )]
    #[cfg_attr(not(feature = "c"), arg(value_name = "FILE", required = true))]
    pub files: Vec<PathBuf>,

    /// A label of C that is listed, instead of ERROR; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub error: Vec<String>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// How operators of Boolean programs bind where the dialects disagree
    #[arg(long, value_enum, default_value_t)]
    pub dialect: Dialect,

    /// The language of the program
    #[cfg(feature = "c")]
    #[arg(long, value_enum, default_value_t)]
    pub language: Language,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub preprocessor: Preprocessor,

    #[cfg(feature = "c")]
    #[command(flatten)]
    pub data_model: DataModelArguments,

    #[command(flatten)]
    pub color: ColorArguments,
}
