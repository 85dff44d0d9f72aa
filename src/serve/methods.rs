//! The methods of the server.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{Answered, check_limits, internal, refused, value};
use super::host::Host;
use super::options::overlay;
use super::params::{self, CheckParams, FormatParams, NoParams};
use super::protocol::{Code, ErrorBody, PROTOCOL};
use super::settings::Settings;
use super::work::{Call, Handler};
use hardbop_bp::engine::{Observer, Statistics};
use hardbop_bp::language::parser::parse;
use hardbop_bp::language::print::print;
use hardbop_logic::Aig;
use hardbop_qbf::{Backend, ForallExists};
use hardbop_report::document::{Reason, RunOptions, Undecided};
use hardbop_session::threads::{self, AnyProgram};
use hardbop_session::{boolean, nothing};

/// The methods that run on workers; those that steer the session are its own.
const METHODS: &[&str] = &[
    "hello",
    "version",
    "check-bp",
    "fmt-bp",
    "parse",
    #[cfg(feature = "c")]
    "check-c",
    #[cfg(feature = "c")]
    "check-automata",
    #[cfg(feature = "c")]
    "abstract-formula",
    #[cfg(feature = "c")]
    "abstract-c",
    #[cfg(feature = "c")]
    "abstract-automata",
];

/// Methods over the engines of this hardbop.
pub(super) struct Engines {
    pub host: Arc<dyn Host>,
    pub settings: Settings,
}

impl Handler for Engines {
    fn knows(&self, method: &str) -> bool {
        METHODS.contains(&method)
    }

    fn handle(&self, call: &Call) -> Answered {
        match call.method {
            "hello" | "version" => {
                params::read::<NoParams>(call.params)?;
                Ok(hello(&self.settings))
            }
            "check-bp" => check_bp(&*self.host, call),
            "fmt-bp" | "parse" => format(&*self.host, call),
            #[cfg(feature = "c")]
            "check-c" => super::c::check_c(&*self.host, call),
            #[cfg(feature = "c")]
            "check-automata" => super::c::check_automata(call),
            #[cfg(feature = "c")]
            "abstract-formula" => super::abstraction::formula(call),
            #[cfg(feature = "c")]
            "abstract-c" => super::abstraction::c(&*self.host, call),
            #[cfg(feature = "c")]
            "abstract-automata" => super::abstraction::automata(call),
            _ => Err(ErrorBody::new(Code::UnknownMethod, "the method is listed, but not there")),
        }
    }

    fn given_up(&self, reason: Reason) -> Value {
        serde_json::to_value(Undecided::from(reason)).expect("its keys are texts")
    }
}

fn hello(settings: &Settings) -> Value {
    let methods: Vec<&str> = METHODS.iter().copied().chain(["cancel", "shutdown"]).collect();
    json!({
        "name": "hardbop",
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": PROTOCOL,
        "methods": methods,
        "engines": ["auto", "qbf", "universal", "bdd", "pdr"],
        "solvers": {
            "sat": ["cadical", "varisat"],
            "qbf": if cfg!(feature = "depqbf") { vec!["embedded", "depqbf"] } else { vec!["embedded"] },
            "smt": if cfg!(feature = "c") { vec!["blast", "z3", "linear"] } else { vec![] },
        },
        "limits": settings,
    })
}

/// Tells the client how far a run is.
struct Watch<'a>(&'a Call<'a>);

impl Observer for Watch<'_> {
    fn progress(&mut self, s: &Statistics) {
        self.0.progress(|| {
            json!({
                "path-edges": s.path_edges,
                "summary-edges": s.summary_edges,
                "refinements": s.refinements,
                "sat-calls": s.sat_calls,
                "qbf-calls": s.qbf_calls,
                "work": s.work,
            })
        });
    }

    fn query(&mut self, _: &Aig, _: &ForallExists) {}
}

fn check_bp(host: &dyn Host, call: &Call) -> Answered {
    let given: CheckParams = params::read(call.params)?;
    let mut options: RunOptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    if matches!(options.engine.qbf, Backend::Process(_)) {
        let message = "option 'qbf': the server runs no other programs";
        return Err(ErrorBody::new(Code::InvalidParams, message));
    }
    options.engine.certify |= given.certificate;
    let source = params::source(host, (given.text, given.path.as_deref(), given.name))?;
    let labels = match given.options.contains_key("error-labels") {
        true => options.resolve.error_labels.clone(),
        false => vec![],
    };
    let (program, missing) =
        threads::load(&source, options.dialect, &options.resolve, &labels, |_| true)
            .map_err(|d| ErrorBody::mistakes(&source, &d))?;
    nothing::in_boolean(program.program(), &missing).map_err(|e| refused(&e))?;
    let program = match program {
        AnyProgram::Sequential(program) => program,
        AnyProgram::Threads(_) if given.certificate => {
            let message = "option 'certificate': there are none of programs with threads";
            return Err(ErrorBody::new(Code::InvalidParams, message));
        }
        AnyProgram::Threads(program) => {
            let answer = threads::check(&program, &options, vec![], call.budget);
            let answer = answer.map_err(|e| internal(&e))?;
            return value(&answer.only(given.trace, given.statistics));
        }
    };
    let checked = boolean::check(&program, &options, vec![], call.budget, &mut Watch(call));
    let (report, mut answer) = checked.map_err(|e| internal(&e))?;
    answer.invariants = boolean::proved(&program, &report, &options);
    let certificate = match given.certificate {
        true => {
            boolean::certificate(&program, &options, &report.outcome).map_err(|e| internal(&e))?
        }
        false => None,
    };
    let mut result = value(&answer.only(given.trace, given.statistics))?;
    if given.certificate {
        result["certificate"] = value(&certificate)?;
    }
    Ok(result)
}

fn format(host: &dyn Host, call: &Call) -> Answered {
    let given: FormatParams = params::read(call.params)?;
    let source = params::source(host, (given.text, given.path.as_deref(), given.name))?;
    let tree = parse(&source.text, given.dialect).map_err(|d| ErrorBody::mistakes(&source, &d))?;
    let text = print(&tree);
    Ok(json!({"canonical": text == source.text, "text": text}))
}
