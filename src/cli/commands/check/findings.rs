//! `hardbop check --each` on a C program: each check at each place is a finding.
//!
//! All are asked for at once.  An error that is found counts from then on as one that does not occur, and the others are asked
//! for again, until there is a proof, which is that of all that are left.  Where there is none, they are asked for in smaller
//! groups, and in the end each by itself.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::each::{About, Answer, Words, asked, is_enough, name};
use crate::cli::output::error::CliError;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_c::flow::{Flow, Violation};
use hardbop_report::document::Verdict;
use hardbop_report::properties::{Kind, Property};
use hardbop_session::contents;

/// Length of an operation's text beyond which it is cut.
const TEXT: usize = 40;

/// Findings that are asked for together, where those before them were not decided.
const FEW: usize = 3;

/// The operations that a check is about, each at its place; none where it is not about places.
pub(super) fn operations(flow: &Flow, check: Check) -> Vec<Property> {
    let kind = Kind::Operations(check);
    let functions = flow.functions_of_errors();
    let mut found: Vec<Property> = Vec::new();
    for (span, error) in flow.operations(check) {
        let (place, text) = (flow.source.place(span), flow.source.snippet(span, TEXT));
        // What begins at one place, as all that a macro makes, is one finding.
        match found.last_mut().filter(|other| other.places[0] == place) {
            Some(last) if last.name.split("; ").any(|other| other == text) => {}
            Some(last) => last.name = format!("{}; {text}", last.name),
            None => {
                let function = functions.get(&span).map(|name| (*name).to_owned());
                let property = Property::open(kind, &text, vec![place]);
                found.push(Property { code: error.row().code, function, ..property });
            }
        }
    }
    found
}

/// Whether an error of a program is asked for, as these options name errors: all operations, unless some of their check are named.
pub(super) fn is_asked(
    violation: Violation,
    place: &str,
    only: &[String],
    except: &[String],
) -> bool {
    let names = contents::names(violation, place, |_| true);
    let checks = match violation {
        Violation::Of(kind) => kind.row().checks,
        Violation::Reached | Violation::Witness(_) => {
            let is_named = |all: &[String]| all.contains(&names[0]);
            return (only.is_empty() || is_named(only)) && !is_named(except);
        }
    };
    let of_check = |name: &String| {
        name.split_once('@').is_some_and(|(of, _)| checks.iter().any(|c| c.row().name == of))
    };
    let is_named = |all: &[String]| all.iter().any(|name| names.contains(name));
    (!only.iter().any(of_check) || is_named(only)) && !is_named(except)
}

/// The findings that an answer says to be an error: several where more than one check looks for it.
fn errors_of(answer: &Value, properties: &[Property]) -> Vec<usize> {
    let is_error = |property: &&Property| {
        let trace = &answer["trace"];
        let last = trace["steps"].as_array()?.last()?;
        let file = last["file"].as_str().or_else(|| trace["file"].as_str())?;
        let place = format!("{file}:{}:{}", last["line"], last["column"]);
        let code = trace["violation-code"].as_str();
        let fits = match (property.kind, code) {
            (Kind::Operations(of), Some(code)) => {
                ErrorKind::of_code(code)?.row().checks.contains(&of)
            }
            (Kind::Label | Kind::Assertion, None) => true,
            _ => false,
        };
        (fits && is_open(property) && property.places.contains(&place)).then_some(())
    };
    let all = properties.iter().enumerate();
    all.filter(|(_, property)| is_error(property).is_some()).map(|(at, _)| at).collect()
}

/// Those of some findings that an answer proves, although it is UNKNOWN for all of them together.
fn proved(answer: Option<&Value>, properties: &[Property], open: &[usize]) -> Vec<usize> {
    let names = answer.and_then(|answer| answer["proved"].as_array());
    let proved: HashSet<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
    let is_proved = |&at: &usize| {
        let property = &properties[at];
        !property.places.is_empty() && names_of(property).all(|n| proved.contains(n.as_str()))
    };
    open.iter().copied().filter(is_proved).collect()
}

fn is_open(property: &Property) -> bool {
    property.verdict == Verdict::Unknown
}

/// Decides findings together, as far as that goes, and hands them on after each step.  The result are the errors, by their
/// [names](name), which count as ones that do not occur; the `first` one may be enough.
///
/// What one run does not decide is asked for kind by kind, and then by halves: what is hard to prove is no reason to leave
/// all others open, and those that hold together share their proof.
pub(super) fn together(
    properties: &mut [Property],
    words: &Words,
    (cancel, first): (&AtomicBool, bool),
    mut said: impl FnMut(&[Property]) -> Result<(), CliError>,
) -> Result<Vec<String>, CliError> {
    let mut except: Vec<String> = Vec::new();
    let mut groups: VecDeque<Vec<usize>> = VecDeque::from([(0..properties.len()).collect()]);
    while let Some(group) = groups.pop_front() {
        let is_over = |properties: &[Property]| {
            cancel.load(Ordering::Relaxed) || first && is_enough(properties)
        };
        while !is_over(properties) && one(properties, &group, words, &mut except)? {
            said(properties)?;
        }
        said(properties)?;
        if is_over(properties) {
            break;
        }
        groups.extend(parts(properties, &group));
    }
    Ok(except)
}

/// Asks for those of a group that are open, all at once: true if that decides one of several.
fn one(
    properties: &mut [Property],
    group: &[usize],
    words: &Words,
    except: &mut Vec<String>,
) -> Result<bool, CliError> {
    let open: Vec<usize> = group.iter().copied().filter(|&at| is_open(&properties[at])).collect();
    let is_all = group.len() == properties.len();
    if open.is_empty() || open.len() == 1 && !is_all {
        return Ok(false);
    }
    let only: Vec<&Property> = open.iter().map(|&at| &properties[at]).collect();
    let about = if is_all { About::All } else { About::Alone(&only) };
    let answer = words.ask(&asked(properties, about), except)?;
    if let [at] = open[..] {
        answer.decides(&mut properties[at]);
        return Ok(!is_open(&properties[at]));
    }
    let Answer { verdict, seconds, document, .. } = answer;
    let errors = document.as_ref().map(|answer| errors_of(answer, properties));
    let is_unknown = verdict == Verdict::Unknown;
    let (decided, verdict) = match verdict {
        Verdict::Safe => (open, verdict),
        Verdict::Unsafe => (errors.unwrap_or_default(), verdict),
        Verdict::Unknown => (proved(document.as_ref(), properties, &open), Verdict::Safe),
    };
    if verdict == Verdict::Unsafe && !is_all {
        return by_themselves(properties, &decided, words, except);
    }
    // It is the answer of several, and shown with the first.
    let mut document = document.filter(|_| !is_unknown);
    for &at in &decided {
        let property = &mut properties[at];
        property.verdict = verdict;
        (property.seconds, property.answer) = (seconds, document.take());
        if verdict == Verdict::Unsafe {
            except.extend(names_of(property));
        }
    }
    // Those that are left are not asked for once more in the same way.
    Ok(!decided.is_empty() && !is_unknown)
}

/// Asks for each of these, which are errors where nothing else is looked into: the way into one may pass another operation that is
/// an error first.  True if that decides one.
fn by_themselves(
    properties: &mut [Property],
    these: &[usize],
    words: &Words,
    except: &mut Vec<String>,
) -> Result<bool, CliError> {
    for &at in these {
        let answer = words.ask(&asked(properties, About::One(&properties[at])), except)?;
        answer.decides(&mut properties[at]);
        if properties[at].verdict == Verdict::Unsafe {
            except.extend(names_of(&properties[at]));
        }
    }
    Ok(these.iter().any(|&at| !is_open(&properties[at])))
}

/// The names of a finding, one for each of its places.
fn names_of(property: &Property) -> impl Iterator<Item = String> {
    property.places.iter().map(|place| name(property.kind, place))
}

/// The groups into which those of a group that are open fall: by kind, or the halves of one kind; none that are as easily asked
/// for one by one.
fn parts(properties: &[Property], group: &[usize]) -> Vec<Vec<usize>> {
    let open: Vec<usize> = group.iter().copied().filter(|&at| is_open(&properties[at])).collect();
    let mut kinds: Vec<(Kind, Vec<usize>)> = Vec::new();
    for &at in &open {
        let kind = properties[at].kind;
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, all)) => all.push(at),
            None => kinds.push((kind, vec![at])),
        }
    }
    let mut parts: Vec<Vec<usize>> = match &kinds[..] {
        // An answer about all of a smaller group may be another one.
        [_] if open.len() < group.len() => vec![open],
        [_] => open.chunks(open.len().div_ceil(2)).map(<[usize]>::to_vec).collect(),
        _ => kinds.into_iter().map(|(_, all)| all).collect(),
    };
    parts.retain(|part| part.len() >= FEW);
    parts
}
