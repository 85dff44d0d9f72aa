//! Options for C programs.

mod checks;
pub(crate) mod preprocessor;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};

use self::checks::CheckOptions;
use self::preprocessor::Preprocessor;
use crate::cli::output::error::CliError;
use hardbop_bp::engine;
use hardbop_c::Pointers;
use hardbop_c::lower::Model;
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;
use hardbop_refine::block::Blocks;
use hardbop_refine::cegar::{Algorithm, AnalysisOptions, Order, PredicateSource};
use hardbop_refine::interpolate::Strategy;
use hardbop_refine::predicate::Scope;
use hardbop_refine::predicate::abstraction::Abstraction;
use hardbop_smt::{Arithmetic, SolverKind};
use hardbop_task::is_task;
use hardbop_verify::{self as verify, Route};

/// Options under this heading are for C programs only.
pub(super) const HEADING: &str = "C programs";

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Language {
    /// C where the name ends in .c or .i, or in .yml (a task definition), a Boolean program where it ends in .bp or has
    /// no ending; other names are refused
    #[default]
    Auto,
    /// A Boolean program
    Bp,
    /// A C program
    C,
}

impl Language {
    /// Is a file of this language, or of this name, a C program?
    pub fn is_c(self, file: &Path) -> bool {
        let is = |e: &OsStr| e.eq_ignore_ascii_case("c") || e == "i";
        match self {
            Self::C => true,
            Self::Bp => false,
            Self::Auto => is_task(file) || file.extension().is_some_and(is),
        }
    }

    /// Fails where the name leaves open which language it is.
    pub fn suits(self, file: &Path) -> Result<(), CliError> {
        let is_other = |e: &OsStr| !e.eq_ignore_ascii_case("bp");
        if self != Self::Auto || self.is_c(file) || !file.extension().is_some_and(is_other) {
            return Ok(());
        }
        let is_plus = |e: &OsStr| ["cc", "cpp", "cxx", "hpp", "C"].iter().any(|p| e == *p);
        if file.extension().is_some_and(is_plus) {
            let file = file.display();
            return Err(CliError::Usage(format!(
                "'{file}' is C++ by its name, which is not read; '--language c' reads it as C"
            )));
        }
        Err(CliError::Usage(format!(
            "the name '{}' is neither that of a C program (.c, .i, .yml) nor of a Boolean program (.bp)\n  tip: \
             '--language c' or '--language bp' says which it is",
            file.display()
        )))
    }
}

/// What the function is given in which executions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GivenPointers {
    /// Each pointer leads to an object of its type that no other one leads to
    Valid,
    /// As `valid`, or it is null
    MaybeNull,
    /// Pointers have any value
    Any,
}

impl From<GivenPointers> for Pointers {
    fn from(given: GivenPointers) -> Self {
        match given {
            GivenPointers::Valid => Self::Valid,
            GivenPointers::MaybeNull => Self::MaybeNull,
            GivenPointers::Any => Self::Any,
        }
    }
}

/// The sizes of `long` and of pointers.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DataModelArguments {
    /// `long` and pointers have 64 bits (LP64): the default, where neither a task definition nor the
    /// text (`typedef unsigned int size_t;`) says otherwise
    #[arg(long = "64")]
    pub lp64: bool,

    /// `long` and pointers have 32 bits (ILP32)
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,
}

impl DataModelArguments {
    /// The data model, where one is chosen.
    pub fn model(self) -> Option<DataModel> {
        match (self.lp64, self.ilp32) {
            (true, _) => Some(DataModel::Lp64),
            (_, true) => Some(DataModel::Ilp32),
            _ => None,
        }
    }
}

/// How parts of a program are abstracted.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct AbstractionArguments {
    /// What an edge of the abstract reachability tree, or a statement of a Boolean program, stands for: `sbe` one
    /// operation, `lbe` a part of the summarised automaton, `abe-lf` all up to the next loop head or entry or exit of
    /// a function, `abe-loops` all up to the next loop head (`:K`: at most K operations), `abe-n:K` K operations
    #[arg(long, default_value_t, value_name = "sbe|lbe|abe-lf[:K]|abe-loops[:K]|abe-n:K")]
    pub blocks: Blocks,

    /// What is kept of a block: Cartesian abstraction is cheaper, but less precise
    #[arg(long, value_enum, default_value_t)]
    pub abstraction: Abstraction,
}

/// Options of `hardbop check` for C programs only.
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct CArguments {
    /// The language of the program
    #[arg(long, value_enum, default_value_t)]
    pub language: Language,

    #[command(flatten)]
    pub preprocessor: Preprocessor,

    #[command(flatten)]
    pub data_model: DataModelArguments,

    /// A property file of SV-COMP: it alone says what is an error, and where executions start. Of a
    /// task definition (FILE.yml), the property that is checked; else its first one about
    /// reachability
    #[arg(long, value_name = "FILE", conflicts_with_all = ["error", "ignore_asserts"])]
    pub spec: Option<PathBuf>,

    /// A false `/*@ assert E; */`, `//@ assert E;` or `/*@ loop invariant E; */` of ACSL is an error, and so is a false
    /// `requires` where the program calls the function, or `ensures` where that returns; where executions start, `requires` is
    /// assumed. So annotated programs need no other assertions; else these are comments
    #[arg(long)]
    pub acsl: bool,

    #[command(flatten)]
    pub checks: CheckOptions,

    /// What the pointers lead to that the function of `--entry` is given: `valid` with `--entry '*'`, else `any`
    #[arg(long, value_enum, value_name = "OBJECTS")]
    #[arg(requires = "entry", conflicts_with_all = ["certificate", "harness", "dump_witness", "witness"])]
    pub pointers: Option<GivenPointers>,

    /// `malloc` and its like may return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// How much of memory is modelled
    #[arg(long = "memory", value_enum, default_value_t)]
    pub memory_model: Model,

    /// What functions without a body do
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub externals: Externals,

    /// How a verdict is found
    #[arg(long, value_enum, default_value_t)]
    pub route: Route,

    #[command(flatten)]
    pub abstraction: AbstractionArguments,

    /// How the abstract reachability tree is built
    #[arg(long, value_enum, default_value_t)]
    pub algorithm: Algorithm,

    /// With IMPACT, try to strengthen a state such that another one covers it, before it is expanded:
    /// most programs need fewer refinements then
    #[arg(long)]
    pub forced_covering: bool,

    /// The order in which the states of the tree are expanded
    #[arg(long, value_enum, default_value_t)]
    pub order: Order,

    /// Where a predicate counts: a wider scope needs fewer refinements, each abstraction costs more
    /// (for the tree)
    #[arg(long, value_enum, default_value_t)]
    pub scope: Scope,

    /// Where predicates come from (for the tree; Boolean programs get interpolants)
    #[arg(long, value_enum, default_value_t)]
    pub refinement: PredicateSource,

    /// How interpolants are found
    #[arg(long, value_enum, default_value_t)]
    pub interpolation: Strategy,

    /// The SMT solver of the abstraction; the other one checks the invariant
    #[arg(long, value_enum, default_value_t)]
    pub smt: SolverKind,

    /// The arithmetic of the abstraction and of path checks; with `linear`, a verdict is still one
    /// about bits, or UNKNOWN
    #[arg(long, value_enum, default_value_t)]
    pub arithmetic: Arithmetic,

    /// Executions on zeros and random inputs that are tried first: many errors need no proof
    #[arg(long, value_name = "N", default_value_t = verify::Options::default().executions)]
    pub executions: u32,

    /// States that are enumerated first, if there are no more: small programs and state machines
    /// need no tree (for the tree; 0 where predicates are given or written, for they would not be used)
    #[arg(long, value_name = "N", default_value_t = AnalysisOptions::default().explicit_states)]
    #[arg(default_value_ifs([
        ("predicates", ArgPredicate::IsPresent, "0"),
        ("dump_predicates", ArgPredicate::IsPresent, "0"),
    ]))]
    pub explicit_states: u64,

    /// Calls of one function that may be open at once; without it 4, and more where they are needed, up
    /// to 64 (for the tree; Boolean programs have no such limit)
    #[arg(long, value_name = "N")]
    pub recursion: Option<u32>,

    /// Track these predicates everywhere from the start: what `--dump-predicates` writes, also of
    /// another version of the program
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Write the predicates, one per line, in SMT-LIB with C as a comment; for `--predicates`
    #[arg(long, value_name = "FILE")]
    pub dump_predicates: Option<PathBuf>,

    /// Begin with what an earlier run has left in this file, of this program, of another version, or of another property,
    /// and leave there what this run has learned: the verdict does not depend on it, the time does (for the tree)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["predicates", "witness"])]
    pub learned: Option<PathBuf>,

    /// Write a C program that, compiled and run, reaches the error
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// Write a witness of the verdict in the format of SV-COMP, for validators: what calls return on the way into the
    /// error, or invariants of loops; version 1.0 (GraphML) where the name ends in .graphml, else 2.0 (YAML)
    #[arg(long, value_name = "FILE")]
    pub dump_witness: Option<PathBuf>,

    /// Validate this witness of SV-COMP's format 2.0 (YAML): SAFE only if its invariants hold, too, UNSAFE only by an
    /// execution that passes its waypoints; of format 1.0 (GraphML) the invariants of states, or a path into an error, by
    /// what calls return there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dump_witness", "certificate"])]
    pub witness: Option<PathBuf>,

    /// Write the abstract reachability tree in the DOT format; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    pub dump_art: Option<PathBuf>,

    /// Write every SMT query into this directory, as query-000001.smt2 and so on, for other solvers
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,

    /// Write the Boolean program of each round into this directory, as round-001.bp and so on (not
    /// with `--route tree`)
    #[arg(long, value_name = "DIR")]
    pub save_bps: Option<PathBuf>,

    /// Keep abstractions of blocks in this directory, for other runs (not with `--route tree`)
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl CArguments {
    /// How a program is checked, if these engines decide Boolean programs.
    pub fn options(&self, engine: engine::Options) -> verify::Options {
        let analysis = AnalysisOptions {
            blocks: self.abstraction.blocks,
            algorithm: self.algorithm,
            forced_covering: self.forced_covering,
            order: self.order,
            abstraction: self.abstraction.abstraction,
            scope: self.scope,
            refinement: self.refinement,
            interpolation: self.interpolation,
            solver: self.smt.over(self.arithmetic),
            explicit_states: self.explicit_states,
            ..AnalysisOptions::default()
        };
        verify::Options {
            analysis,
            route: self.route,
            engine,
            malloc_may_fail: self.malloc_may_fail,
            memory: self.memory_model,
            externals: self.externals,
            executions: self.executions,
            recursion: self.recursion,
            keep_tree: self.dump_art.is_some(),
            ..verify::Options::default()
        }
    }
}
