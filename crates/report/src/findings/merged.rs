//! The findings of several runs on one program, as of each function, as those of one.

use std::collections::BTreeMap;

use hardbop_base::errors::ErrorKind;
use serde::Deserialize;
use serde_json::Value;

use crate::document::Verdict;
use crate::kept::Silence;
use crate::properties::{Kind, Property};

/// The findings of answers on functions: of several that have one fingerprint, the worst. An answer that lists none stands for itself.
#[must_use]
pub fn merged(functions: &[Property]) -> Vec<Property> {
    let mut all: Vec<Property> = vec![];
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for function in functions {
        let listed = function.answer.as_ref().and_then(|answer| answer["properties"].as_array());
        let Some(listed) = listed else {
            all.push(function.clone());
            continue;
        };
        for property in listed.iter().filter_map(read_property) {
            let print = property.fingerprint.clone();
            match print.as_ref().and_then(|print| known.get(print)) {
                Some(&at) if property.verdict.severity() <= all[at].verdict.severity() => {}
                Some(&at) => all[at] = property,
                None => {
                    known.extend(print.map(|print| (print, all.len())));
                    all.push(property);
                }
            }
        }
    }
    all
}

/// A property as `check --each --json` writes it.
#[must_use]
pub fn read_property(value: &Value) -> Option<Property> {
    #[derive(Deserialize)]
    struct Written {
        kind: String,
        code: String,
        name: String,
        function: Option<String>,
        places: Vec<String>,
        fingerprint: Option<String>,
        silenced: Option<Silence>,
        verdict: String,
        reason: Option<String>,
        seconds: f64,
        answer: Option<Value>,
    }
    let written = Written::deserialize(value).ok()?;
    let kind = Kind::named(&written.kind)?;
    let all = [Verdict::Safe, Verdict::Unknown, Verdict::Unsafe];
    let open = Property::open(kind, &written.name, written.places);
    Some(Property {
        code: ErrorKind::of_code(&written.code).map_or(open.code, |error| error.row().code),
        function: written.function,
        fingerprint: written.fingerprint,
        silenced: written.silenced,
        verdict: all.into_iter().find(|verdict| verdict.word() == written.verdict)?,
        reason: written.reason,
        seconds: written.seconds,
        answer: written.answer,
        ..open
    })
}

#[cfg(test)]
mod tests {
    use hardbop_base::errors::Check;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_worst_of_several_answers_counts() {
        let of = |print: &str, verdict: Verdict| {
            let open = Property::open(Kind::Operations(Check::Null), "*p", vec!["p.c:1:2".into()]);
            Property { fingerprint: Some(print.to_owned()), verdict, ..open }
        };
        let function = |all: &[Property]| {
            let answer = Some(json!({ "properties": all }));
            Property { answer, ..Property::open(Kind::Function, "f", vec![]) }
        };
        let undecided = Property::open(Kind::Function, "g", vec![]);
        let [safe, unknown, wrong] = [Verdict::Safe, Verdict::Unknown, Verdict::Unsafe];
        let all = merged(&[
            function(&[of("a", safe), of("b", wrong)]),
            undecided,
            function(&[of("a", unknown), of("b", safe), of("c", safe)]),
        ]);
        let found: Vec<_> = all.iter().map(|p| (p.fingerprint.as_deref(), p.verdict)).collect();
        let expected =
            [(Some("a"), unknown), (Some("b"), wrong), (None, unknown), (Some("c"), safe)];
        assert_eq!(found, expected);
        assert_eq!((all[1].kind, all[1].code), (Kind::Operations(Check::Null), "null-pointer"));
    }
}
