//! Options of `hardbop check` that concern C programs.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::Color;
use crate::boolean::engine;
use crate::program::c::lower::Model;
use crate::program::c::types::DataModel;
use crate::program::task::is_task;
use crate::refine::block::Blocks;
use crate::refine::cegar::{AnalysisOptions, Refinement};
use crate::refine::interpolate::Strategy;
use crate::refine::predicate::Scope;
use crate::refine::predicate::abstraction::Abstraction;
use crate::solve::smt::SolverKind;
use crate::verify::{self, Route};

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Language {
    /// C where the name ends in .c or .i, or in .yml (a task definition), else a Boolean program
    #[default]
    Auto,
    Bp,
    C,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum BlocksName {
    /// Single-block encoding: every operation by itself
    Sbe,
    /// Large-block encoding: parts without loops at once
    #[default]
    Lbe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum AbstractionName {
    /// The strongest conjunction of predicates
    Cartesian,
    /// The strongest Boolean combination
    #[default]
    Boolean,
}

impl From<BlocksName> for Blocks {
    fn from(name: BlocksName) -> Self {
        match name {
            BlocksName::Sbe => Self::Single,
            BlocksName::Lbe => Self::Large,
        }
    }
}

impl From<AbstractionName> for Abstraction {
    fn from(name: AbstractionName) -> Self {
        match name {
            AbstractionName::Cartesian => Self::Cartesian,
            AbstractionName::Boolean => Self::Boolean,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum ScopeName {
    /// Everywhere
    Global,
    /// In the activation of the function where it was found
    Function,
    /// At the location where it was found
    #[default]
    Location,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum RefinementName {
    /// Comparisons that the program text suggests, where they help; else interpolants
    #[default]
    Auto,
    /// Interpolants only
    Interpolants,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum InterpolationName {
    /// One strategy after the other
    #[default]
    Auto,
    /// Horn clauses
    Spacer,
    /// Strongest postconditions and weakest preconditions
    Projection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum SmtName {
    /// Bit-blasting and CaDiCaL
    #[default]
    Blast,
    Z3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum ArithmeticName {
    /// Of numbers as the machine has them
    #[default]
    Bits,
    /// Of unbounded integers, by Z3
    Linear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum MemoryName {
    /// What pays: as `regions`
    #[default]
    Auto,
    /// Scalars and fields of records whose address is not taken; all else is any value. Errors that
    /// this does not rule out, and that cannot be executed, are UNKNOWN
    Havoc,
    /// All objects of which there is one at a time
    Regions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum RouteName {
    /// The tree, and Boolean programs for recursion and where the tree has no answer; with
    /// `--threads 2` both at once
    #[default]
    Auto,
    /// The abstract reachability tree
    Tree,
    /// Abstraction to Boolean programs, one procedure per function, which the engines for these decide
    Bp,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "C programs")]
pub(super) struct CArguments {
    /// The language of the program
    #[arg(long, value_enum, default_value_t)]
    pub language: Language,

    /// `long` and pointers have 64 bits (LP64), not 32 (ILP32)
    #[arg(long = "64")]
    pub lp64: bool,

    /// `long` and pointers have 32 bits: the default, where no task definition says otherwise
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,

    /// A property file of SV-COMP: it alone says what is an error, and where executions start. Of a
    /// task definition (FILE.yml), the property that is checked; else its first one about
    /// reachability
    #[arg(long, value_name = "FILE", conflicts_with_all = ["error", "ignore_asserts"])]
    pub spec: Option<PathBuf>,

    /// Signed overflow is an error; else numbers wrap around, as with `gcc -fwrapv`
    #[arg(long)]
    pub overflow_check: bool,

    /// An access outside of its object is an error; else there is none, by assumption
    #[arg(long)]
    pub check_bounds: bool,

    /// An access through a null pointer is an error; else there is none, by assumption
    #[arg(long)]
    pub check_null: bool,

    /// How a verdict is found
    #[arg(long, value_enum, default_value_t)]
    pub route: RouteName,

    /// With `--route bp`: write the Boolean program of each round into this directory, as round-001.bp
    /// and so on
    #[arg(long, value_name = "DIR")]
    pub save_bps: Option<PathBuf>,

    /// With `--route bp`: keep abstractions of blocks in this directory, for other runs
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// What an edge of the abstract reachability tree, or a statement of a Boolean program, stands for
    #[arg(long, value_enum, default_value_t)]
    pub blocks: BlocksName,

    /// How successors are abstracted
    #[arg(long, value_enum, default_value_t)]
    pub abstraction: AbstractionName,

    /// Where a predicate counts
    #[arg(long, value_enum, default_value_t)]
    pub scope: ScopeName,

    /// Where predicates come from
    #[arg(long, value_enum, default_value_t)]
    pub refinement: RefinementName,

    /// How interpolants are found
    #[arg(long, value_enum, default_value_t)]
    pub interpolation: InterpolationName,

    /// The SMT solver of the abstraction; the other one checks the invariant
    #[arg(long, value_enum, default_value_t)]
    pub smt: SmtName,

    /// The arithmetic of the abstraction and of path checks; with `linear`, a verdict is still one
    /// about bits, or UNKNOWN
    #[arg(long, value_enum, default_value_t)]
    pub arithmetic: ArithmeticName,

    /// `malloc` and its like may return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// How much of memory is modelled
    #[arg(long = "memory", value_enum, default_value_t)]
    pub memory_model: MemoryName,

    /// Executions on zeros and random inputs that are tried first
    #[arg(long, value_name = "N", default_value_t = verify::Options::default().executions)]
    pub executions: u32,

    /// States that are enumerated before anything is abstracted, if there are no more
    #[arg(long, value_name = "N", default_value_t = AnalysisOptions::default().explicit_states)]
    pub explicit_states: u64,

    /// Calls of one function that may be open at once; without it 4, and more where they are needed, up
    /// to 64
    #[arg(long, value_name = "N")]
    pub recursion: Option<u32>,

    /// Write a C program that, compiled and run, reaches the error
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// Write the abstract reachability tree in the DOT format; `-` writes to standard output
    #[arg(long, value_name = "FILE")]
    pub dump_art: Option<PathBuf>,

    /// Write the predicates, one per line, in SMT-LIB with C as a comment; for `--predicates`
    #[arg(long, value_name = "FILE")]
    pub dump_predicates: Option<PathBuf>,

    /// Track these predicates everywhere from the start: what `--dump-predicates` writes, also of
    /// another version of the program
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Write every SMT query into this directory, as query-000001.smt2 and so on
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
}

impl CArguments {
    /// Is this file a C program?
    pub fn is_c(&self, file: &Path) -> bool {
        match self.language {
            Language::C => true,
            Language::Bp => false,
            Language::Auto => {
                let is = |e: &std::ffi::OsStr| e.eq_ignore_ascii_case("c") || e == "i";
                is_task(file) || file.extension().is_some_and(is)
            }
        }
    }

    /// The data model, where one is chosen.
    pub fn model(&self) -> Option<DataModel> {
        match (self.lp64, self.ilp32) {
            (true, _) => Some(DataModel::Lp64),
            (_, true) => Some(DataModel::Ilp32),
            _ => None,
        }
    }

    pub fn options(&self, engine: engine::Options) -> verify::Options {
        let analysis = AnalysisOptions {
            blocks: self.blocks.into(),
            abstraction: self.abstraction.into(),
            scope: match self.scope {
                ScopeName::Global => Scope::Global,
                ScopeName::Function => Scope::Function,
                ScopeName::Location => Scope::Location,
            },
            refinement: match self.refinement {
                RefinementName::Auto => Refinement::Auto,
                RefinementName::Interpolants => Refinement::Interpolants,
            },
            interpolation: match self.interpolation {
                InterpolationName::Auto => Strategy::Auto,
                InterpolationName::Spacer => Strategy::Spacer,
                InterpolationName::Projection => Strategy::Projection,
            },
            solver: match self.smt {
                _ if self.arithmetic == ArithmeticName::Linear => SolverKind::Linear,
                SmtName::Blast => SolverKind::Blast,
                SmtName::Z3 => SolverKind::Z3,
            },
            explicit_states: self.explicit_states,
            refinements: None,
            own_solver: None,
            log: None,
        };
        verify::Options {
            analysis,
            route: match self.route {
                RouteName::Auto => Route::Auto,
                RouteName::Tree => Route::Tree,
                RouteName::Bp => Route::Bp,
            },
            engine,
            malloc_may_fail: self.malloc_may_fail,
            memory: match self.memory_model {
                MemoryName::Havoc => Model::Havoc,
                MemoryName::Auto | MemoryName::Regions => Model::Regions,
            },
            executions: self.executions,
            recursion: self.recursion,
            keep_tree: self.dump_art.is_some(),
            predicates: vec![],
        }
    }
}

/// Arguments of `hardbop cfa`.
#[derive(Debug, Args)]
pub(super) struct CfaArguments {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print the automaton in the DOT format, not only its size
    #[arg(long)]
    pub dot: bool,

    /// With large blocks: what has no loops becomes one edge
    #[arg(long)]
    pub summarise: bool,

    /// `long` and pointers have 64 bits
    #[arg(long = "64")]
    pub lp64: bool,

    /// When to colour messages
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}
