//! The parts of a task that is hard: the ways to a verdict of which `check` by itself takes one
//! after the other, and the properties of the program.

use super::question::{Words, learns, suited};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::commands::check::each::{self, About};
use crate::cli::output::error::CliError;
use hardbop_lab::campaign::split::{Part, Share};
use hardbop_report::properties::Property;
use hardbop_task::is_task;

/// Most parts for the properties of a program; where there are more of them, a part has several.
const MOST: usize = 8;

/// Ways to a verdict on a C program: a name, the options that make it one, and options for what the
/// task as it was asked does already.
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

/// The parts of a task besides itself.  A way is left out where the options of the task say already
/// which one is taken.
///
/// # Errors
/// The program cannot be read any more.
pub(super) fn parts(words: &Words, certifies: bool) -> Result<Vec<Part>, CliError> {
    let check = words.arguments()?;
    let is_c = check.c.language.is_c(check.file());
    let ways: &[Way] = if is_c { &OF_C } else { &OF_BOOLEAN };
    let mut parts = vec![];
    for (name, options, further) in ways {
        let Some(plain) = with(words, &words.plain, options) else { continue };
        // What is said already, or would do nothing, is left out.
        let add = |plain: Vec<String>, option| with(words, &plain, &[option]).unwrap_or(plain);
        let plain = further.iter().copied().fold(plain, add);
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
    if check.c.witness.is_none() && check.only_at.is_empty() {
        let properties = each::properties(&check, false)?;
        if are_one_by_one(&check, &properties) {
            parts.extend(of_properties(words, properties));
        }
    }
    Ok(parts)
}

/// The options with further ones, where `check` takes them together.
fn with(words: &Words, plain: &[String], further: &[&str]) -> Option<Vec<String>> {
    let further = further.iter().map(|&option| option.to_owned());
    let plain: Vec<String> = further.chain(plain.iter().cloned()).collect();
    suited(&Words { plain: plain.clone(), ..words.clone() }).is_some().then_some(plain)
}

/// Can options name some of its properties?  A property file that asks for what has no place asks
/// each part for that.
fn are_one_by_one(check: &CheckArguments, properties: &[Property]) -> bool {
    let is_free = check.c.spec.is_none() && !check.files.iter().any(|file| is_task(file));
    is_free || properties.iter().all(|p| !p.places.is_empty())
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
        let options: Vec<String> =
            each::asked(group, About::All).into_iter().chain(rest.clone()).collect();
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

/// The name of a part: the first of its properties, by its place where it has one.
fn name(group: &[Property]) -> String {
    let Some((first, rest)) = group.split_first() else { return String::new() };
    let place = first.places.first();
    let name = place.map_or_else(|| first.name.clone(), |place| format!("error at {place}"));
    if rest.is_empty() { name } else { format!("{name} and {} more", rest.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a program with these options, as lines.
    fn of(file: &str, text: &str, plain: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(file);
        std::fs::write(&path, text).expect("written");
        let files = vec![path.to_string_lossy().into_owned()];
        let plain = plain.iter().map(|&word| word.to_owned()).collect();
        let words = Words { plain, preprocessing: vec![], files };
        let line = |p: &Part| format!("{}: {}", p.name, p.options.join(" "));
        let lines = parts(&words, true).expect("parts").iter().map(line).collect::<Vec<_>>();
        let name = path.display().to_string();
        lines.into_iter().map(|line| line.replace(&name, file)).collect()
    }

    const TWO: &str = "extern void reach_error(void);\nint main(void) { int x = 1;\n\
        if (x) reach_error();\nERROR: return 0; }\n";

    #[test]
    fn ways_are_left_out_that_the_options_choose_between() {
        let text = "extern void reach_error(void); int main(void) { reach_error(); }";
        let all = [
            "predicates: --executions=0 --route=tree --explicit-states=0",
            "impact: --executions=0 --explicit-states=0 --route=tree --algorithm=impact",
            "programs: --executions=0 --route=bp",
        ];
        assert_eq!(of("a.c", text, &[]), all);
        let some = ["impact: --explicit-states=0 --route=tree --algorithm=impact --executions 9"];
        assert_eq!(of("a.c", text, &["--executions", "9"])[1..2], some);
        assert_eq!(of("a.c", text, &["--route", "tree"]), Vec::<String>::new());
        let rest = of("a.c", text, &["--algorithm", "predicate"]);
        assert_eq!(
            rest,
            ["predicates: --executions=0 --route=tree --explicit-states=0 --algorithm predicate"]
        );
        let boolean = "void main() begin decl a; a := T; assert(a); end";
        let engines = ["pdr", "bdd", "universal", "qbf"].map(|e| format!("{e}: --engine={e}"));
        assert_eq!(of("a.bp", boolean, &[]), engines);
        assert_eq!(of("a.bp", boolean, &["--engine", "bdd"]), Vec::<String>::new());
    }

    #[test]
    fn calls_are_asked_for_by_place_where_a_file_says_what_is_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = folder.path().join("s.prp");
        let spec = spec.to_str().expect("text");
        let calls = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let two = TWO.replace("ERROR: ", "if (x > 1) reach_error();\n");
        let asked = ["--route", "tree", "--spec", spec];
        std::fs::write(spec, calls).expect("written");
        let found = of("a.c", &two, &asked);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("error at a.c:3:8: --only-at=a.c:3:8 --route tree --spec "));
        let overflow = format!("{calls}CHECK( init(main()), LTL(G ! overflow) )\n");
        std::fs::write(spec, overflow).expect("written");
        assert_eq!(of("a.c", &two, &asked), Vec::<String>::new());
    }

    #[test]
    fn each_property_is_asked_for_by_itself() {
        let found = of("a.c", TWO, &["--route", "tree", "--overflow-check"]);
        let expected = [
            "error at a.c:4:1: --error=ERROR --only-at=a.c:4:1 --route tree",
            "error at a.c:3:8: --only-at=a.c:3:8 --route tree",
            "no signed overflow: --check=overflow --only-at=nowhere --route tree",
        ];
        assert_eq!(found, expected);
        let many: String = (0..20).map(|i| format!("if (x == {i}) reach_error();\n")).collect();
        let many = TWO.replace("if (x) reach_error();\n", &many).replace("ERROR: ", "");
        let found = of("a.c", &many, &["--route", "tree"]);
        assert_eq!(found.len(), 7);
        assert!(found[0].starts_with("error at a.c:3:13 and 2 more: "), "{}", found[0]);
        let places: usize = found.iter().map(|line| line.matches("--only-at=").count()).sum();
        assert_eq!(places, 20);
    }
}
