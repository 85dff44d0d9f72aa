//! The reader of certificates, and the judge: a certificate for one of three programs is either
//! refused or says what is so.

#![no_main]

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_bp::proof::certificate::{Certificate, fingerprint};
use hardbop_bp::proof::check::Silent;
use hardbop_bp::proof::solving::CheckerOptions as Options;
use hardbop_bp::proof::judge::{Claim, Demand, Judgement, judge};
use libfuzzer_sys::fuzz_target;

/// Programs with their verdicts.
const PROGRAMS: [(&str, Claim); 3] = [
    (include_str!("../programs/safe.bp"), Claim::Safe),
    (include_str!("../programs/loop.bp"), Claim::Safe),
    (include_str!("../programs/unsafe.bp"), Claim::Unsafe),
];

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(mut certificate) = Certificate::from_json(rest) else { return };
    let text = certificate.to_json().expect("what was read can be written");
    let again = Certificate::from_json(text.as_bytes()).expect("what was written can be read");
    assert_eq!(again.to_json().expect("it was written before"), text);

    let (program, truth) = PROGRAMS[usize::from(first) % PROGRAMS.len()];
    certificate.program_sha256 = fingerprint(program);
    let claim = Claim::from(&certificate.evidence);
    let source = Source::new("fuzz.bp", program);
    // What is to be proved is fixed: a certificate without labels and assertions proves anything.
    let demand = Demand {
        entry: Some("main".to_owned()),
        error_labels: Some(vec!["ERROR".to_owned()]),
        check_asserts: None,
    };
    if !certificate.property.check_asserts {
        return;
    }
    let options = Options::other_than(hardbop_logic::sat::Backend::Varisat);
    let budget = Budget::unlimited().trial(100_000);
    let Ok(opinion) = judge(&source, &certificate, &demand, &options, &budget, &mut Silent) else {
        return;
    };
    if let Judgement::Valid = opinion.judgement {
        assert_eq!(claim, truth, "a wrong verdict was proved:\n{text}");
    }
});
