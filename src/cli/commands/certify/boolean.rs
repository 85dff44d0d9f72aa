//! Certificates of Boolean programs.

use std::mem;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::cli::arguments::certify::CertifyArguments;
use crate::cli::arguments::solver;
use crate::cli::output::dump::Dump;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard;
use crate::cli::{input, output};
use hardbop_base::budget::Exhausted;
use hardbop_bp::proof::certificate::{Certificate, CertificateError, MAX_BYTES, Property, Setting};
use hardbop_bp::proof::check::{CheckerObserver, CheckerOptions, Solved};
use hardbop_bp::proof::failure::Effort;
use hardbop_bp::proof::judge::{Claim, Demand, Judgement, judge};
use hardbop_logic::dimacs::write_dimacs;
use hardbop_logic::sat;
use hardbop_report::document::certificate::{
    CertificateDocument, Certified, SCHEMA, failure, reason, result_line, summary,
};

/// Judges, and prints what comes out.
pub(super) fn run(arguments: &CertifyArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    if arguments.proofs.is_some() && arguments.sat == Some(sat::Backend::Cadical) {
        return Err(CliError::Usage("'--proofs' needs '--sat varisat'".into()));
    }
    let name = output::name(&arguments.certificate);
    let known: Arc<OnceLock<Known>> = Arc::default();
    let budget = {
        let (file, name) = (output::name(arguments.file()), name.clone());
        let (known, json) = (Arc::clone(&known), arguments.json);
        guard::guarded(arguments.limits.budget(), move |reason| {
            let judgement = Judgement::Undecided(reason);
            let document = document(&file, &name, start, known.get(), &judgement);
            let text = text(&document, json).unwrap_or_else(|_| document.result_line.clone());
            (text, exit(&judgement))
        })
    };
    let ill = |reason| CliError::Certificate { name: name.clone(), reason };
    let bytes = input::read_bytes_up_to(&arguments.certificate, MAX_BYTES)?
        .ok_or_else(|| ill(CertificateError::TooLarge))?;
    let certificate = Certificate::from_json(&bytes).map_err(ill)?;
    drop(bytes);
    let options = solvers(arguments, &certificate);
    let _ = known.set(Known {
        claim: Claim::from(&certificate.evidence),
        property: certificate.property.clone(),
        options: options.clone(),
        effort: Effort::default(),
    });
    let source = input::read(arguments.file())?;

    solver::available(&options.qbf)?;
    let folder = arguments.proofs.as_deref();
    let files = folder.map(|folder| Dump::new(folder, budget.cancel_flag())).transpose()?;
    let mut files = ProofFiles(files);
    let demand = Demand {
        entry: arguments.entry.clone(),
        error_labels: Some(arguments.error.clone()).filter(|l| !l.is_empty()),
        check_asserts: arguments.ignore_asserts.then_some(false),
    };
    let opinion = judge(&source, &certificate, &demand, &options, &budget, &mut files)
        .map_err(|d| input::mistakes(&source, &d, arguments.color.when))?;
    if let Some(mut files) = files.0 {
        files.finish()?;
    }

    let known = known.get().map(|k| Known { effort: opinion.effort, ..k.clone() });
    let document = document(&source.name, &name, start, known.as_ref(), &opinion.judgement);
    let text = text(&document, arguments.json)?;
    // The process ends; to give back the memory piece by piece can take seconds.
    mem::forget((source, certificate));
    guard::finish();
    output::print(&text)?;
    Ok(exit(&opinion.judgement))
}

/// The contents of a certificate that has been read.
#[derive(Debug, Clone)]
struct Known {
    claim: Claim,
    property: Property,
    options: CheckerOptions,
    effort: Effort,
}

fn document(
    file: &str,
    certificate: &str,
    start: Instant,
    known: Option<&Known>,
    judgement: &Judgement,
) -> CertificateDocument {
    let effort = known.map(|k| k.effort).unwrap_or_default();
    let sat = known.filter(|_| effort.sat_queries > 0);
    let qbf = known.filter(|_| effort.qbf_queries > 0);
    CertificateDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        file: file.to_owned(),
        files: vec![],
        certificate: certificate.to_owned(),
        result: judgement.into(),
        result_line: result_line(judgement, known.map(|k| k.claim)),
        exit_code: exit(judgement).code(),
        verdict: known.map(|k| k.claim),
        reason: reason(judgement),
        failure: failure(judgement),
        property: known.map(|k| Certified::Boolean(k.property.clone())),
        sat: sat.map(|k| format!("{:?}", k.options.sat).to_lowercase()),
        qbf: qbf.map(|k| k.options.qbf.to_string()),
        smt: None,
        smt_queries: None,
        assumptions: vec![],
        effort,
        wall_seconds: start.elapsed().as_secs_f64(),
    }
}

fn text(document: &CertificateDocument, json: bool) -> Result<String, CliError> {
    if !json {
        return Ok(summary(document) + &document.result_line + "\n");
    }
    output::json(document)
}

/// The solvers that were asked for; otherwise ones that the engine did not use, where there are
/// some.
fn solvers(arguments: &CertifyArguments, certificate: &Certificate) -> CheckerOptions {
    let engine = match certificate.options.get("sat") {
        Some(Setting::Text(name)) if name == "varisat" => sat::Backend::Varisat,
        _ => sat::Backend::Cadical,
    };
    let other = CheckerOptions::other_than(engine);
    let proofs = arguments.proofs.is_some();
    let default = if proofs { sat::Backend::Varisat } else { other.sat };
    CheckerOptions {
        sat: arguments.sat.unwrap_or(default),
        patience: other.patience.filter(|_| arguments.qbf.is_none()),
        qbf: arguments.qbf.clone().unwrap_or(other.qbf),
        proofs,
    }
}

fn exit(judgement: &Judgement) -> Exit {
    match judgement {
        Judgement::Valid => Exit::Safe,
        Judgement::Rejected(_) => Exit::Refused,
        Judgement::Undecided(Exhausted::Cancelled) => Exit::Interrupted,
        Judgement::Undecided(_) => Exit::Unknown,
    }
}

/// The queries and proofs of `--proofs`.
struct ProofFiles(Option<Dump>);

impl CheckerObserver for ProofFiles {
    fn solved(&mut self, query: Solved<'_>) {
        let Some(files) = &mut self.0 else { return };
        files.next_query();
        match query {
            Solved::Sat { cnf, proof } => {
                files.write("cnf", || {
                    let mut text = Vec::new();
                    write_dimacs(cnf, &mut text)?;
                    Ok(text)
                });
                files.write("drat", || Ok(proof.unwrap_or_default().to_vec()));
            }
            Solved::Qbf { aig, query } => files.write("qdimacs", || {
                let mut text = Vec::new();
                query.to_qdimacs(&mut aig.clone(), &mut text)?;
                Ok(text)
            }),
        }
    }
}
