//! Options of the C preprocessor, spelled as compilers spell them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use hardbop_base::process::CommandLine;

/// How C texts are preprocessed.
#[derive(Debug, Clone)]
pub(crate) struct Preprocessor {
    /// The compiler.
    pub program: CommandLine,
    /// Its options, in an order that means what the user wrote.
    pub options: Vec<OsString>,
    /// Whether anything was asked for: a text is preprocessed then that would not need it.
    pub is_given: bool,
    /// The compile database, where there is one.
    pub database: Option<PathBuf>,
    /// What it says of each file; the other options come behind these.
    pub of_files: HashMap<PathBuf, Vec<OsString>>,
    /// The targets for which it compiles each file.
    pub targets: HashMap<PathBuf, Vec<String>>,
    /// The one of several programs that is meant.
    pub chosen: Option<String>,
    /// The folders with models of functions.
    pub library: Vec<PathBuf>,
    /// The rules of interfaces that the program is checked for: names, or files.
    pub rules: Vec<String>,
}

impl Default for Preprocessor {
    fn default() -> Self {
        let program = CC.parse().expect("it names a program");
        Self {
            program,
            options: vec![],
            is_given: false,
            database: None,
            of_files: HashMap::new(),
            targets: HashMap::new(),
            chosen: None,
            library: vec![],
            rules: vec![],
        }
    }
}

impl Preprocessor {
    /// How a file is preprocessed.
    pub fn of(&self, file: &Path) -> Self {
        let mut own = self.clone();
        if let Some(options) = self.of_files.get(file) {
            own.options.splice(0..0, options.iter().cloned());
            own.is_given |= !options.is_empty();
        }
        own
    }

    /// Whether `inline` means what it did in GNU C before C99.
    pub fn has_gnu_inline(&self) -> bool {
        let old = ["ansi", "c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409"];
        let std = |option: &OsString| match option.to_str()? {
            "-ansi" => Some("ansi".to_owned()),
            option => option.strip_prefix("-std=").map(str::to_owned),
        };
        let name = self.options.iter().filter_map(std).next_back();
        name.is_some_and(|name| old.contains(&name.as_str()))
    }
}

/// The compiler that is asked where none is named.
const CC: &str = "cc";

/// The definitions.
#[derive(Debug, Args)]
struct Given {
    /// Look for headers in this directory, too; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    include_dir: Vec<PathBuf>,

    /// Define a macro, as 1 where no value is given; may be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<OsString>,

    /// Undefine a macro that the compiler or `-D` defines; may be repeated
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<OsString>,

    /// Begin with this header, as if the text included it first; also `-include FILE`; may be repeated
    #[arg(long, value_name = "FILE")]
    include: Vec<PathBuf>,

    /// The standard that macros and headers see, such as c99 or gnu17; also `-std=NAME`
    #[arg(long, value_name = "NAME")]
    std: Option<String>,

    /// A compile database (compile_commands.json): its C files, where none are named, and its options for them
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,

    /// Of files with several `main`s, the program of this one: the name of its file, or of the target that a compile database
    /// says; it has the files that define what it uses. Without it, `check` checks each program, and prints a line for each
    #[arg(long = "program", value_name = "NAME")]
    chosen: Option<String>,

    /// Link the C files of this folder that define what the program calls and does not define; may be repeated
    #[arg(long, value_name = "DIR")]
    library: Vec<PathBuf>,

    /// Check a rule of an interface: that of a file, or one of hardbop's own, such as streams or mutexes; may be repeated, and
    /// asks for nothing else unless `--check` does
    #[arg(long = "rule", value_name = "FILE|NAME")]
    rules: Vec<String>,

    /// The compiler whose preprocessor is used, such as clang-19
    #[arg(long, value_name = "PROGRAM", default_value = CC)]
    cc: CommandLine,
}

impl FromArgMatches for Preprocessor {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = Given::from_arg_matches(matches)?;
        let mut options: Vec<OsString> = vec![];
        // What gcc calls these before its version 14, and also later.
        let name = given.std.map(|name| match name.as_str() {
            "c23" => "c2x".to_owned(),
            "gnu23" => "gnu2x".to_owned(),
            _ => name,
        });
        options.extend(name.map(|name| format!("-std={name}").into()));
        let joined = |option: &str, value: OsString| {
            let mut out = OsString::from(option);
            out.push(value);
            out
        };
        options.extend(given.include_dir.into_iter().map(|dir| joined("-I", dir.into())));
        // Of a definition and the end of it, the later one counts.
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let defined = given.define.into_iter().map(|name| joined("-D", name));
        let undefined = given.undefine.into_iter().map(|name| joined("-U", name));
        let mut macros: Vec<(usize, OsString)> = places("define").zip(defined).collect();
        macros.extend(places("undefine").zip(undefined));
        macros.sort_by_key(|(place, _)| *place);
        options.extend(macros.into_iter().map(|(_, option)| option));
        options.extend(given.include.into_iter().flat_map(|file| ["-include".into(), file.into()]));
        let is_given = !options.is_empty() || given.cc.program() != CC;
        let (program, database) = (given.cc, given.compile_commands);
        let of_files = HashMap::new();
        let targets = HashMap::new();
        let Given { chosen, library, rules, .. } = given;
        Ok(Self { program, options, is_given, database, of_files, targets, chosen, library, rules })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Preprocessor {
    fn augment_args(command: Command) -> Command {
        Given::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args_for_update(command)
    }
}

/// The arguments with the long options of compilers that have one dash, `-include` and `-std=`, in
/// the form of others.
pub(crate) fn respelled(
    arguments: impl Iterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut is_over = false;
    arguments.map(move |argument| {
        is_over |= argument == "--";
        match argument.to_str() {
            Some(text) if !is_over && (text == "-include" || text.starts_with("-std=")) => {
                format!("-{text}").into()
            }
            _ => argument,
        }
    })
}
