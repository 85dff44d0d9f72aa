//! The sub-commands.

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

#[cfg(feature = "campaign")]
use super::campaign::CampaignArguments;
use super::certify::CertifyArguments;
use super::check::CheckArguments;
use super::compare::CompareArguments;
use super::formula::{QbfArguments, SatArguments};
use super::generate::GenerateArguments;
use super::list::ListArguments;
use super::serve::{LspArguments, ReplayArguments, ServeArguments};
#[cfg(feature = "c")]
use super::translate::{AbstractArguments, CfaArguments};
use super::translate::{ExportArguments, FmtArguments};

const EXAMPLES: &str = "\
Examples:
  hardbop check driver.bp                        is an error reachable?
  hardbop check driver.c --stats                 the same question for a C program
  hardbop check driver.bp --time-limit 5m --stats
  hardbop check main.c queue.c -I include -DDEBUG  several files
  hardbop check - --error BAD --json < driver.bp
  hardbop check driver.bp --certificate c.json && hardbop certify driver.bp c.json
  hardbop fmt driver.bp                          print in canonical form
  hardbop gen driver --vars 800 --procs 60 | hardbop check -
  hardbop compare *.bp --html page.html          which engine is the fastest?";

/// A software model checker for Boolean programs and C.
#[derive(Debug, Parser)]
#[command(name = "hardbop", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Decide whether a program can reach an error
    #[command(allow_negative_numbers = true)]
    Check(Box<CheckArguments>),
    /// List what can be checked: functions, labels, assertions
    List(Box<ListArguments>),
    /// Decide whether a certificate proves its verdict, without the engines
    Certify(Box<CertifyArguments>),
    /// Run the engines, and other programs, on the same files
    #[command(allow_negative_numbers = true)]
    Compare(Box<CompareArguments>),
    /// Check many programs for many properties, on one machine or many, and go on where it was ended
    #[cfg(feature = "campaign")]
    Campaign(Box<CampaignArguments>),
    /// Write the Boolean program that predicates make of a C program
    #[cfg(feature = "c")]
    #[command(allow_negative_numbers = true)]
    Abstract(AbstractArguments),
    /// Show the control-flow automaton of a C program
    #[cfg(feature = "c")]
    #[command(allow_negative_numbers = true)]
    Cfa(CfaArguments),
    /// Print a Boolean program in canonical form
    Fmt(FmtArguments),
    /// Write a Boolean program in the language of another tool
    Export(ExportArguments),
    /// Answer requests in JSON, one per line of standard input
    Serve(ServeArguments),
    /// Send the requests of a session again, and compare the answers
    Replay(ReplayArguments),
    /// Tell an editor what is found in the files that are open, as a language server
    Lsp(LspArguments),
    /// Generate benchmark programs
    Gen(GenerateArguments),
    /// Decide a formula in DIMACS
    Sat(SatArguments),
    /// Decide a 2QBF in QDIMACS
    Qbf(QbfArguments),
    /// Print the manual page, or the options of one command as a table in Markdown
    #[command(hide = true)]
    Reference(ReferenceArguments),
}

/// What documentation is made from.
#[derive(Debug, Args)]
pub(crate) struct ReferenceArguments {
    /// The command whose options are to be printed, such as `gen driver`; without it, the manual page is
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,

    /// Print completions for this shell instead
    #[arg(long, value_name = "SHELL", conflicts_with = "command")]
    pub completions: Option<Shell>,
}
