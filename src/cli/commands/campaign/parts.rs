//! The parts of a task that is hard: the ways to a verdict of which `check` by itself takes one after the other, and the properties
//! of the program.

use super::question::{Words, learns, suited};
use crate::campaign::split::{Part, Share};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::commands::check::each;
use crate::cli::output::error::CliError;
use crate::present::properties::Property;
use crate::program::task::is_task;

/// Most parts for the properties of a program; where there are more of them, a part has several.
const MOST: usize = 8;

/// Ways to a verdict on a C program: a name, the options that make it one, and options for what the task as it was asked does
/// already.
const OF_C: [Way; 3] = [
    ("predicates", &["--route=tree", "--explicit-states=0"], &["--executions=0"]),
    ("impact", &["--route=tree", "--algorithm=impact"], &["--explicit-states=0", "--executions=0"]),
    ("programs", &["--route=bp"], &["--executions=0"]),
];

/// Ways to a verdict on a Boolean program.
const OF_BOOLEAN: [Way; 4] = [
    ("pdr", &["--engine=pdr"], &[]),
    ("bdd", &["--engine=bdd"], &[]),
    ("universal", &["--engine=universal"], &[]),
    ("qbf", &["--engine=qbf"], &[]),
];

type Way = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The parts of a task besides itself.  A way is left out where the options of the task say already which one is taken.
///
/// # Errors
/// The program cannot be read any more.
pub(super) fn parts(words: &Words, certifies: bool) -> Result<Vec<Part>, CliError> {
    let check = words.arguments()?;
    let is_c = check.c.language.is_c(check.file());
    let ways: &[Way] = if is_c { &OF_C } else { &OF_BOOLEAN };
    let mut parts = vec![];
    for (name, options, further) in ways {
        let with = |option: &str, plain: &[String]| {
            let plain = [&[option.to_owned()], plain].concat();
            Some((suited(&Words { plain: plain.clone(), ..words.clone() })?, plain))
        };
        let first =
            |plain: &Option<Vec<String>>, option: &&&str| Some(with(option, plain.as_ref()?)?.1);
        let plain =
            options.iter().rev().fold(Some(words.plain.clone()), |p, option| first(&p, &option));
        let Some(plain) = plain else { continue };
        let add =
            |plain: Vec<String>, option: &&str| with(option, &plain).map_or(plain, |(_, p)| p);
        let plain = further.iter().fold(plain, add);
        let Some(check) = suited(&Words { plain: plain.clone(), ..words.clone() }) else {
            continue;
        };
        parts.push(Part {
            name: (*name).to_owned(),
            options: plain,
            share: Share::Whole,
            learns: learns(&check),
            certifies,
        });
    }
    if is_one_by_one(&check) {
        parts.extend(of_properties(words, each::properties(&check)?));
    }
    Ok(parts)
}

/// Are its properties named by options, so that others can name some of them?
fn is_one_by_one(check: &CheckArguments) -> bool {
    let is_task = check.files.iter().any(|file| is_task(file));
    let is_free = check.c.spec.is_none() && check.c.witness.is_none() && check.only_at.is_empty();
    !is_task && is_free
}

/// A part for each property, or for some of them; none where there is only one property.
fn of_properties(words: &Words, properties: Vec<Property>) -> Vec<Part> {
    if properties.len() < 2 {
        return vec![];
    }
    let rest = each::without_properties(words.plain.iter().map(Into::into));
    let rest: Vec<String> = rest.into_iter().filter_map(|word| word.into_string().ok()).collect();
    let size = properties.len().div_ceil(MOST);
    let part = |group: &[Property]| {
        let options: Vec<String> = each::asked(group).into_iter().chain(rest.clone()).collect();
        let check = suited(&Words { plain: options.clone(), ..words.clone() })?;
        Some(Part {
            name: name(group),
            options,
            share: Share::Properties,
            learns: learns(&check),
            certifies: false,
        })
    };
    let parts: Option<Vec<Part>> = properties.chunks(size).map(part).collect();
    // All of them together are the task, or else nothing is.
    parts.unwrap_or_default()
}

/// What a part is called: the first of its properties, by its place where it has one.
fn name(group: &[Property]) -> String {
    let Some((first, rest)) = group.split_first() else { return String::new() };
    let place = first.places.first();
    let name = place.map_or_else(|| first.name.clone(), |place| format!("error at {place}"));
    if rest.is_empty() { name } else { format!("{name} and {} more", rest.len()) }
}
