//! Certificates of C programs.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::cli::arguments::certify::CertifyArguments;
use crate::cli::input;
use crate::cli::input::c::{flow, with_large_stack};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::guard;
use hardbop_base::verdict::UnknownReason;
use hardbop_bp::proof::certificate::{CertificateError, MAX_BYTES};
use hardbop_bp::proof::failure::Effort;
use hardbop_bp::proof::judge::Claim;
use hardbop_c::lower::words;
use hardbop_report::document::Reason;
use hardbop_report::document::certificate::{
    CertificateDocument, CertificateResult, Certified, SCHEMA, line, summary,
};
use hardbop_task::is_task;
use hardbop_verify::VerifyError;
use hardbop_verify::certificate::{
    Adapted, CCertificate, Demand, Evidence, Judgement, Opinion, adapted, judge,
};

/// Judges, and prints what comes out.
pub(super) fn run(arguments: &CertifyArguments) -> Result<Exit, CliError> {
    let asked = [
        (arguments.sat.is_some(), "--sat"),
        (arguments.qbf.is_some(), "--qbf"),
        (arguments.proofs.is_some(), "--proofs"),
    ];
    if let Some((_, option)) = asked.into_iter().find(|(is_given, _)| *is_given) {
        let file = output::name(arguments.file());
        let why = format!("'{option}' is for Boolean programs; '{file}' is read as C");
        return Err(CliError::Usage(why));
    }
    if arguments.files.iter().any(|file| is_task(file)) {
        let why = "a certificate is of a program: give the C file instead of the task definition";
        return Err(CliError::Usage(why.to_owned()));
    }
    with_large_stack(arguments.file(), || decide(arguments))
}

fn decide(arguments: &CertifyArguments) -> Result<Exit, CliError> {
    let start = Instant::now();
    let name = output::name(&arguments.certificate);
    let files: Vec<String> = arguments.files.iter().map(|file| output::name(file)).collect();
    let known: Arc<OnceLock<CCertificate>> = Arc::default();
    let budget = {
        let (files, name) = (files.clone(), name.clone());
        let (known, json) = (Arc::clone(&known), arguments.json);
        guard::guarded(arguments.limits.budget(), move |reason| {
            let judgement = Judgement::Undecided(reason.into());
            let opinion = Opinion { judgement, assumptions: vec![], solver: None };
            let document = document(&files, &name, start, known.get(), &opinion);
            let text = text(&document, json).unwrap_or_else(|_| document.result_line.clone());
            (text, exit(&opinion.judgement))
        })
    };
    let to = arguments.adapt.as_deref();
    let to = to.map(|to| output::Atomic::apart(to, &arguments.files)).transpose()?;
    let ill = |reason| CliError::Certificate { name: name.clone(), reason };
    let bytes = input::read_bytes_up_to(&arguments.certificate, MAX_BYTES)?
        .ok_or_else(|| ill(CertificateError::TooLarge))?;
    let certificate = CCertificate::from_json(&bytes).map_err(ill)?;
    let _ = known.set(certificate.clone());
    let reading = certificate.property.parse_options();
    let color = arguments.color.when;
    let flow = flow(&arguments.files, &arguments.preprocessor, &reading, color)?;
    let demand = Demand {
        entry: arguments.entry.clone(),
        error_labels: Some(arguments.error.clone()).filter(|l| !l.is_empty()),
        check_asserts: arguments.ignore_asserts.then_some(false),
    };
    let judged = match &to {
        None => judge(&flow, &certificate, &demand, &budget)
            .map(|opinion| Adapted { opinion, certificate: None }),
        Some(_) => adapted(&flow, &certificate, &demand, &budget),
    };
    let Adapted { opinion, certificate: own } = judged.map_err(VerifyError::Solver)?;
    let document = document(&files, &name, start, Some(&certificate), &opinion);
    let text = text(&document, arguments.json)?;
    guard::finish();
    if let (Some(to), Some(own)) = (to, own) {
        to.write(own.to_json().map_err(ill)?.as_bytes())?;
    }
    if !arguments.json {
        words(&opinion.assumptions).iter().for_each(|a| output::complain(&format!("assumed: {a}")));
    }
    output::print(&text)?;
    Ok(exit(&opinion.judgement))
}

fn document(
    files: &[String],
    name: &str,
    start: Instant,
    certificate: Option<&CCertificate>,
    opinion: &Opinion,
) -> CertificateDocument {
    let claim = certificate.map(|c| match c.evidence {
        Evidence::Safe(_) => Claim::Safe,
        Evidence::Unsafe(_) => Claim::Unsafe,
    });
    let (result, reason) = match &opinion.judgement {
        Judgement::Valid => (CertificateResult::Valid, None),
        Judgement::Rejected(rejection) => {
            let reason = Reason::new(rejection.code(), &rejection.to_string());
            (CertificateResult::Rejected, Some(reason))
        }
        Judgement::Undecided(reason) => (CertificateResult::Undecided, Some(reason.into())),
    };
    CertificateDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        file: files.first().cloned().unwrap_or_default(),
        files: if files.len() > 1 { files.to_vec() } else { vec![] },
        certificate: name.to_owned(),
        result,
        result_line: line(result, claim, reason.as_ref()),
        exit_code: exit(&opinion.judgement).code(),
        verdict: claim,
        reason,
        failure: None,
        property: certificate
            .map(|c| Certified::C { property: c.property.clone(), model: c.model.clone() }),
        sat: None,
        qbf: None,
        smt: opinion.solver.map(|(kind, _)| format!("{kind:?}").to_lowercase()),
        smt_queries: opinion.solver.map(|(_, queries)| queries),
        assumptions: words(&opinion.assumptions),
        effort: Effort::default(),
        wall_seconds: start.elapsed().as_secs_f64(),
    }
}

fn text(document: &CertificateDocument, json: bool) -> Result<String, CliError> {
    if !json {
        return Ok(summary(document) + &document.result_line + "\n");
    }
    output::json(document)
}

fn exit(judgement: &Judgement) -> Exit {
    match judgement {
        Judgement::Valid => Exit::Safe,
        Judgement::Rejected(_) => Exit::Refused,
        Judgement::Undecided(UnknownReason::Interrupted) => Exit::Interrupted,
        Judgement::Undecided(_) => Exit::Unknown,
    }
}
