//! Witnesses from files, and the programs that they are woven into.

use std::path::{Path, PathBuf};

use super::c::Program;
use super::task::Job;
use super::text::{mistakes, read, read_bytes};
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::{is_stream, name};
use hardbop_base::source::Source;
use hardbop_c::flow::Flow;
use hardbop_c::instrument::Instrumentation;
use hardbop_c::{ParseOptions, parse};
use hardbop_session::witness::Claim;
use hardbop_task::{Witness, is_xml};

/// A witness that was read.
pub(crate) struct Given {
    pub witness: Witness,
    source: Source,
    woven: Flow,
    strict: Option<Flow>,
}

impl Given {
    /// Reads a witness of a program, and weaves it in.
    ///
    /// # Errors
    /// The file cannot be read or is no witness, or it says something of a place that the program
    /// does not have, or that has no meaning there.
    pub fn read(
        file: &Path,
        job: &Job,
        (program, flow): (&Program, &Flow),
        color: Color,
    ) -> Result<Self, CliError> {
        let source = read(file)?;
        let wrong = |found: Vec<_>| mistakes(&source, &found, color);
        let witness = match is_xml(&source.text) {
            true => Witness::parse_graphml(&source.text, &plain(job, flow)?),
            false => Witness::parse(&source.text),
        };
        let witness = witness.map_err(wrong)?;
        let whole = 0..flow.source.text.len();
        let parts = match program {
            Program::One(_) => std::slice::from_ref(&whole),
            Program::Several(files) => files.parts(),
        };
        let woven = witness.woven((&flow.source, parts), &source);
        let (text, instrumentation) = woven.map_err(wrong)?;
        let woven = |is_strict: bool| {
            let instrumentation = Instrumentation { is_strict, ..instrumentation.clone() };
            let model = Some(flow.types.model);
            let options = ParseOptions { model, instrumentation, ..job.options.clone() };
            let parsed = match program {
                Program::One(_) => parse(text.clone(), &options),
                Program::Several(files) => files.with_text(text.clone()).parse(&options),
            };
            parsed.map_err(|found| wrong(witness.blamed(&options.instrumentation, found)))
        };
        let strict = match witness.is_of_correctness() {
            true => None,
            false => Some(woven(true)?),
        };
        Ok(Self { woven: woven(false)?, strict, witness, source })
    }

    /// The claim that is to be validated.
    pub fn claim<'a>(&'a self, program: &'a Flow) -> Claim<'a> {
        Claim {
            program,
            witness: &self.witness,
            source: &self.source,
            woven: &self.woven,
            strict: self.strict.as_ref(),
        }
    }
}

/// The names and texts of the program's files, before the preprocessor.
fn plain(job: &Job, flow: &Flow) -> Result<Vec<(String, String)>, CliError> {
    let text = |file: &PathBuf| -> Result<String, CliError> {
        Ok(match is_stream(file) {
            false => String::from_utf8_lossy(&read_bytes(file)?).into_owned(),
            // It is read only once.
            true => flow.source.text.clone(),
        })
    };
    job.files.iter().map(|file| Ok((name(file), text(file)?))).collect()
}
