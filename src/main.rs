//! The command line of hardbop.

use std::process::ExitCode;

fn main() -> ExitCode {
    hardbop::cli::run()
}
