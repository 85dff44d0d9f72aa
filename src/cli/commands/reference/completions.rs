//! Completions for shells.

use clap::Command;
use clap_complete::Shell;

const NAME: &str = "hardbop";

/// The script that a shell reads; hidden commands are left out.
pub(super) fn script(root: &Command, shell: Shell) -> String {
    let commands = root.get_subcommands().filter(|c| !c.is_hide_set()).cloned();
    let shown = Command::new(NAME).version(env!("CARGO_PKG_VERSION"));
    let mut shown = shown.args(root.get_arguments().cloned()).subcommands(commands);
    let mut script = vec![];
    clap_complete::generate(shell, &mut shown, NAME, &mut script);
    String::from_utf8(script).expect("clap_complete writes UTF-8")
}
