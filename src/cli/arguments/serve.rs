//! `hardbop serve`, `hardbop replay` and `hardbop lsp`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::limits::{self, Limits};

const SERVE_HELP: &str = "\
One JSON object per line each way; docs/protocol.md says which.
Exit code 0: the input ended, or the client ended the session or has left; 130: Ctrl-C.

Example:
  echo '{\"id\":1,\"method\":\"check-bp\",\"params\":{\"path\":\"driver.bp\"}}' | hardbop serve";

#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct ServeArguments {
    /// Requests that run at the same time; with one, answers come in the order of the requests
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: NonZeroUsize,

    /// Longest request; what is longer is answered with an error
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = limits::bytes)]
    pub max_request: u64,

    /// Limits of each request, which may ask for less; memory is that of the whole process
    #[command(flatten)]
    pub limits: Limits,

    /// Write everything that comes in and goes out, for `hardbop replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

const REPLAY_HELP: &str = "\
Answers are compared apart from times, memory and the version of hardbop; answers that are a matter of time \
(a limit was reached, a request was cancelled) are left out.
Exit code 0: the same answers; 1: others; 2: no log of a session.";

#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArguments {
    /// What `hardbop serve --record` wrote; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

const LSP_HELP: &str = "\
Exit code 0: the editor has said that it is over ('shutdown', then 'exit'); 1: it has left without that.

Examples, as commands of an editor:
  hardbop lsp
  hardbop lsp --check undefined --time-limit 20s";

#[derive(Debug, Args)]
#[command(after_help = LSP_HELP)]
pub(crate) struct LspArguments {
    /// Options of `hardbop check` for every file, such as `--check undefined`; an editor may have more of them, as `arguments` of its
    /// `initializationOptions`. `--time-limit` is the time for a file [default: 10s]
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}
