//! Peers that are known by name: what they are given, how they are run, what they answer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::compare::Preset;
use crate::cli::arguments::solver;
use crate::cli::output::error::CliError;
use hardbop_base::process::CommandLine;

/// A known peer.
pub(super) struct Recipe {
    pub name: &'static str,
    format: &'static str,
    /// The file that `hardbop export` writes, in a folder of the run.
    file: &'static str,
    /// The program may have any of these names.
    programs: &'static [&'static str],
    arguments: &'static str,
    /// Lines that mean SAFE or UNSAFE.
    pub safe: &'static str,
    pub r#unsafe: &'static str,
    /// The address to get it from.
    origin: &'static str,
}

fn recipe(preset: Preset) -> Recipe {
    match preset {
        Preset::Spacer => Recipe {
            name: "spacer",
            format: "chc",
            file: "program.smt2",
            programs: &["z3"],
            arguments: "program.smt2",
            safe: r"^sat\s*$",
            r#unsafe: r"^unsat\s*$",
            origin: "it is in Debian's package z3 and PyPI's z3-solver",
        },
        Preset::Abc => Recipe {
            name: "abc",
            format: "aiger",
            file: "program.aig",
            programs: &["berkeley-abc", "abc"],
            arguments: "-c 'read program.aig; pdr'",
            safe: r"^Property proved",
            r#unsafe: r"^Output \d+ of miter .* was asserted in frame",
            origin: "it is in Debian's package berkeley-abc",
        },
        Preset::Ric3 => Recipe {
            name: "ric3",
            format: "aiger",
            file: "program.aig",
            programs: &["rIC3"],
            arguments: "-e ic3 program.aig",
            safe: r"^UNSAT\s*$",
            r#unsafe: r"^SAT\s*$",
            origin: "it is the crate rIC3 (release 1.5)",
        },
    }
}

/// A known peer that is installed.
pub(super) struct Known {
    pub recipe: Recipe,
    /// This program, which translates.
    hardbop: PathBuf,
    words: Vec<OsString>,
    command: CommandLine,
}

impl Known {
    /// The peer, for the programs that `check` is asked about.
    pub fn new(preset: Preset, hardbop: PathBuf, check: &CheckArguments) -> Result<Self, CliError> {
        let recipe = recipe(preset);
        let Some(program) = recipe.programs.iter().find(|p| solver::is_there(p)) else {
            let names: Vec<String> = recipe.programs.iter().map(|p| format!("'{p}'")).collect();
            let (peer, program) = (recipe.name, names.join(" or "));
            return Err(CliError::NoPeer { peer, program, origin: recipe.origin });
        };
        let command = format!("{program} {}", recipe.arguments)
            .parse()
            .map_err(|e| CliError::Internal(format!("the peer '{}': {e}", recipe.name)))?;
        let mut words: Vec<OsString> = ["export", "--format", recipe.format].map(Into::into).into();
        if let Some(entry) = &check.entry {
            words.extend(["--entry".into(), entry.into()]);
        }
        if let Some(dialect) = check.boolean.dialect.to_possible_value() {
            words.extend(["--dialect".into(), dialect.get_name().into()]);
        }
        for label in &check.error {
            words.extend(["--error".into(), label.into()]);
        }
        if check.ignore_asserts {
            words.push("--ignore-asserts".into());
        }
        Ok(Self { recipe, hardbop, words, command })
    }

    /// The translation of the file, and the run of the peer in that folder.
    pub fn commands(&self, file: &Path, folder: &Path) -> Vec<(Command, bool)> {
        let mut export = Command::new(&self.hardbop);
        export.args(&self.words).arg("--output").arg(folder.join(self.recipe.file));
        export.arg("--").arg(file);
        let mut peer = self.command.on(Path::new(self.recipe.file));
        peer.current_dir(folder);
        vec![(export, false), (peer, false)]
    }

    /// The command as one types it.
    pub fn shown(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|w| w.to_string_lossy()).collect();
        let (words, file, command) = (words.join(" "), self.recipe.file, &self.command);
        format!("hardbop {words} --output {file} {{}} && {command}")
    }
}
