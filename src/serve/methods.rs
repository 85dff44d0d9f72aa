//! What the server can do.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Host;
use super::options::overlay;
use super::params::{self, CheckParams, FormatParams, LimitOptions, NoParams};
use super::protocol::{Code, ErrorBody, PROTOCOL};
use super::session::Settings;
use super::work::{Call, Handler};
use crate::boolean::engine::{self, Observer, Statistics};
use crate::boolean::language::parser::parse;
use crate::boolean::language::print::print;
use crate::present::json::{RunOptions, Verdict};
use crate::session::boolean::{self, Answer, Form};
use crate::solve::logic::Aig;
use crate::solve::qbf::{Backend, ForallExists};

/// The methods that run on workers; those that steer the session are its own.
const METHODS: &[&str] = &[
    "hello",
    "version",
    "check_bp",
    "fmt_bp",
    "parse",
    #[cfg(feature = "c")]
    "check_c",
    #[cfg(feature = "c")]
    "check_automata",
    #[cfg(feature = "c")]
    "abstract_formula",
    #[cfg(feature = "c")]
    "abstract_c",
    #[cfg(feature = "c")]
    "abstract_automata",
];

/// Methods over the engines of this hardbop.
pub(super) struct Engines {
    pub host: Arc<dyn Host>,
    pub settings: Settings,
}

/// A result, or why there is none.
pub(super) type Answered = Result<Value, ErrorBody>;

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
            "check_bp" => check_bp(&*self.host, call),
            "fmt_bp" | "parse" => format(&*self.host, call),
            #[cfg(feature = "c")]
            "check_c" => super::c::check_c(&*self.host, call),
            #[cfg(feature = "c")]
            "check_automata" => super::c::check_automata(call),
            #[cfg(feature = "c")]
            "abstract_formula" => super::abstraction::formula(call),
            #[cfg(feature = "c")]
            "abstract_c" => super::abstraction::c(&*self.host, call),
            #[cfg(feature = "c")]
            "abstract_automata" => super::abstraction::automata(call),
            _ => Err(ErrorBody::new(Code::UnknownMethod, "the method is listed, but not there")),
        }
    }

    fn given_up(&self, reason: &str) -> Value {
        let verdict = Verdict::Unknown;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "verdict": verdict,
            "reason": reason,
            "verdict-line": verdict.line(Some(reason)),
        })
    }
}

fn hello(settings: &Settings) -> Value {
    let methods: Vec<&str> = METHODS.iter().copied().chain(["cancel", "shutdown"]).collect();
    json!({
        "name": "hardbop",
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": PROTOCOL,
        "methods": methods,
        "engines": ["auto", "qbf", "universal", "bdd"],
        "solvers": {
            "sat": ["cadical", "varisat"],
            "qbf": if cfg!(feature = "depqbf") { vec!["embedded", "depqbf"] } else { vec!["embedded"] },
            "smt": if cfg!(feature = "c") { vec!["blast", "z3", "linear"] } else { vec![] },
        },
        "limits": settings,
    })
}

/// A result as a value.
pub(super) fn value(result: &impl serde::Serialize) -> Answered {
    serde_json::to_value(result).map_err(|e| ErrorBody::new(Code::Internal, e.to_string()))
}

/// What a document says of the limits of a request.
pub(super) fn check_limits(limits: LimitOptions) -> Result<(), ErrorBody> {
    let seconds = limits.time_limit_seconds.unwrap_or(0.0);
    let wrong = |e: &dyn std::fmt::Display| {
        ErrorBody::new(Code::InvalidParams, format!("option 'time-limit-seconds': {e}"))
    };
    std::time::Duration::try_from_secs_f64(seconds).map(drop).map_err(|e| wrong(&e))
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
    let mut options: RunOptions = overlay(&RunOptions::default(), &given.options)?;
    check_limits(LimitOptions {
        time_limit_seconds: options.time_limit_seconds,
        memory_limit_bytes: options.memory_limit_bytes,
    })?;
    if matches!(options.engine.qbf, Backend::Process(_)) {
        let message = "option 'qbf': the server runs no other programs";
        return Err(ErrorBody::new(Code::InvalidParams, message));
    }
    if options.engine.threads.get() > 1 && options.engine.engine != engine::Engine::Auto {
        let message = "option 'threads': races need the engine 'auto'";
        return Err(ErrorBody::new(Code::InvalidParams, message));
    }
    options.engine.certify |= given.certificate;
    let source = params::source(host, (given.text, given.path.as_deref(), given.name))?;
    let labels = match given.options.contains_key("error-labels") {
        true => options.resolve.error_labels.clone(),
        false => vec![],
    };
    let (program, warnings) = boolean::load(&source, options.dialect, &options.resolve, &labels)
        .map_err(|d| ErrorBody::mistakes(&source, &d))?;
    let internal = |e: &dyn std::fmt::Display| ErrorBody::new(Code::Internal, e.to_string());
    let report = engine::check(&program, &options.engine, call.budget, &mut Watch(call))
        .map_err(|e| internal(&e))?;
    let trace = boolean::trace(&program, &report.outcome).map_err(|e| internal(&e))?;
    let certificate = match given.certificate {
        true => {
            boolean::certificate(&program, &options, &report.outcome).map_err(|e| internal(&e))?
        }
        false => None,
    };
    let answer = Answer {
        outcome: report.outcome,
        answered_by: report.engine,
        statistics: report.statistics,
        trace,
        warnings,
    };
    let form = Form { statistics: given.statistics, trace: given.trace, ..Form::default() };
    let mut result = value(&answer.document(source.name, options, form))?;
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
