//! hardbop for Python, the compiled half: `hardbop._native`.
//!
//! Texts go in, and documents come out as JSON.  `python/hardbop` makes Python's objects of them.

#![deny(unsafe_code)]

mod errors;
mod options;
mod run;

use hardbop::{
    BpOptions, COptions, CheckError, CheckObserver, LimitOptions, Source, abstract_c, check_bp,
    check_c,
};
use pyo3::prelude::*;

use crate::run::{Watch, budget, run};

/// Checks a Boolean program: the document in JSON, and the trace as text.
#[pyfunction]
fn check_boolean(
    py: Python<'_>,
    name: String,
    text: String,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Option<String>)> {
    let options: BpOptions = options::given(py, options)?;
    let limits = options.limits;
    let check = move |source: &Source, budget: &_, observer: &mut Watch| {
        check_bp(source, &options, budget, observer)
    };
    answer(py, (name, text), limits, progress, check)
}

/// Checks a C program that needs no preprocessor.
#[pyfunction]
fn check_c_text(
    py: Python<'_>,
    name: String,
    text: String,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Option<String>)> {
    let options: COptions = options::given(py, options)?;
    let limits = options.limits;
    let check = move |source: &Source, budget: &_, observer: &mut Watch| {
        check_c(source, &options, budget, observer)
    };
    answer(py, (name, text), limits, progress, check)
}

/// The Boolean program of a C program and predicates in SMT-LIB.
#[pyfunction]
fn abstract_c_text(
    py: Python<'_>,
    name: String,
    text: String,
    predicates: String,
    options: &str,
) -> PyResult<String> {
    let options: COptions = options::given(py, options)?;
    let budget = budget(options.limits)?;
    let source = Source::new(name, text);
    run(py, &budget, None, move |budget, _| abstract_c(&source, &predicates, &options, budget))
}

/// A check in a thread of its own, and what is said of its answer.
fn answer(
    py: Python<'_>,
    (name, text): (String, String),
    limits: LimitOptions,
    progress: Option<Py<PyAny>>,
    check: impl FnOnce(&Source, &hardbop::Budget, &mut Watch) -> Result<hardbop::Answer, CheckError>
    + Send
    + 'static,
) -> PyResult<(String, Option<String>)> {
    let budget = budget(limits)?;
    let source = Source::new(name, text);
    let answer = run(py, &budget, progress, move |budget, watch| check(&source, budget, watch))?;
    let trace = answer.trace.as_ref().map(hardbop::Trace::text);
    let document = serde_json::to_string(&answer);
    Ok((document.map_err(|e| errors::internal(py, &e.to_string()))?, trace))
}

impl CheckObserver for Watch {
    fn progress(&mut self, statistics: &dyn Fn() -> hardbop::Statistics) {
        self.record(|| serde_json::to_string(&statistics()).ok());
    }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", hardbop::VERSION)?;
    module.add_function(wrap_pyfunction!(check_boolean, module)?)?;
    module.add_function(wrap_pyfunction!(check_c_text, module)?)?;
    module.add_function(wrap_pyfunction!(abstract_c_text, module)?)
}
