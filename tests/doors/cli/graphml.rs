//! Witnesses in GraphML: automata as validators read them.
//!
//! The rules are those of the linter and of README-GraphML.md of
//! <https://github.com/sosy-lab/sv-witnesses>, read by another parser of XML.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use regex_lite::Regex;
use roxmltree::{Document, Node};
use sha2::{Digest, Sha256};

const ROUNDS: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static int half(int n) { if (!(n > 1)) return 0; return n / 2; }
int main(void) {
  int n = __VERIFIER_nondet_int(); int m = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) {
    if (__VERIFIER_nondet_uchar()) i = i + 2; else i++;
  }
  if (!(m == 77)) return 0;
  if (n == 7 && half(i) == 4) /* < & > */ reach_error();
  return 0;
}
";

const SAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, even = 0;
  if (n < 0 || n > 1000000) return 0;
  while (i < n) { i++; even = !even; }
  if (even > 1 || even < 0) reach_error();
  return 0;
}
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("check").args(arguments).args(["--time-limit", "60"]);
    command.current_dir(folder).env("SOURCE_DATE_EPOCH", "951827696");
    command.output().expect("hardbop runs")
}

fn last(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// A program in a folder, with its witness.
fn witness(program: &str, verdict: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.c"), program).expect("it is written");
    fs::write(folder.path().join("p.prp"), PROPERTY).expect("it is written");
    let arguments = ["a.c", "--spec", "p.prp", "-q", "--dump-witness", "w.graphml"];
    let run = || {
        let output = check(folder.path(), &arguments);
        assert_eq!(last(&output), format!("VERDICT: {verdict}"));
        fs::read_to_string(folder.path().join("w.graphml")).expect("a witness")
    };
    let text = run();
    assert_eq!(text, run(), "the same run has the same witness");
    (folder, text)
}

/// What is said of a graph, a node or an edge.
fn data<'a>(node: Node<'a, 'a>) -> BTreeMap<&'a str, &'a str> {
    let all = node.children().filter(|c| c.has_tag_name(tag("data")));
    all.map(|d| (d.attribute("key").expect("a key"), d.text().expect("a text"))).collect()
}

fn tag(name: &str) -> (&'static str, &str) {
    ("http://graphml.graphdrawing.org/xmlns", name)
}

/// Checks all that the linter checks; the graph.
fn linted<'a>(document: &'a Document<'a>, programs: &[(&str, &str)]) -> Node<'a, 'a> {
    let root = document.root_element();
    assert_eq!(root.tag_name(), tag("graphml").into());
    let xsi = root.lookup_namespace_uri(Some("xsi"));
    assert_eq!(xsi, Some("http://www.w3.org/2001/XMLSchema-instance"));
    let graphs: Vec<Node> = root.children().filter(|c| c.has_tag_name(tag("graph"))).collect();
    let [graph] = graphs[..] else { panic!("one graph") };
    assert_eq!(graph.attribute("edgedefault"), Some("directed"));
    let keys = root.children().filter(|c| c.has_tag_name(tag("key")));
    let keys: BTreeMap<&str, Node> = keys.map(|k| (k.attribute("id").expect("an id"), k)).collect();
    for used in graph.descendants().filter(|n| n.has_tag_name(tag("data"))) {
        let key = used.attribute("key").expect("a key");
        let defined = keys.get(key).unwrap_or_else(|| panic!("'{key}' is not defined"));
        let of = used.parent_element().expect("a parent").tag_name().name().to_owned();
        assert_eq!(defined.attribute("for"), Some(of.as_str()), "{key}");
        assert_eq!(used.attributes().len(), 1);
        assert!(used.text().is_some_and(|t| !t.trim().is_empty()) && used.children().count() == 1);
        if defined.attribute("attr.type") == Some("boolean") {
            assert_eq!(used.text(), Some("true"));
            let default = defined.first_element_child().expect("a default");
            assert_eq!((default.tag_name().name(), default.text()), ("default", Some("false")));
        }
    }
    let said = data(graph);
    assert!(["violation_witness", "correctness_witness"].contains(&said["witness-type"]));
    assert_eq!(said["sourcecodelang"], "C");
    assert_eq!(said["producer"], format!("hardbop {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(said["specification"], PROPERTY);
    assert_eq!(said["programfile"], programs[0].0);
    let hash: String = Sha256::digest(programs[0].1).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(said["programhash"], hash);
    assert_eq!(said["architecture"], "64bit");
    let date = Regex::new(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$");
    assert!(date.expect("a pattern").is_match(said["creationtime"]));
    assert_eq!(said["creationtime"], "2000-02-29T12:34:56Z");
    let nodes = graph.children().filter(|c| c.has_tag_name(tag("node")));
    let nodes: Vec<Node> = nodes.collect();
    let ids: BTreeSet<&str> = nodes.iter().filter_map(|n| n.attribute("id")).collect();
    assert_eq!(ids.len(), nodes.len(), "each node has a name of its own");
    assert_eq!(nodes.iter().filter(|n| data(**n).contains_key("entry")).count(), 1);
    let is_violation = said["witness-type"] == "violation_witness";
    for node in &nodes {
        let said = data(*node);
        assert!(!is_violation || !said.contains_key("invariant"));
        assert!(is_violation || !said.contains_key("violation"));
    }
    for edge in graph.children().filter(|c| c.has_tag_name(tag("edge"))) {
        let (from, to) = (edge.attribute("source"), edge.attribute("target"));
        assert!(from != to && [from, to].iter().all(|e| e.is_some_and(|e| ids.contains(e))));
        let said = data(edge);
        assert!(is_violation || !said.keys().any(|key| key.starts_with("assumption")));
        if said.get("assumption").is_some_and(|a| a.contains("\\result")) {
            assert!(said.contains_key("assumption.resultfunction"));
        }
        let control = said.get("control").copied().unwrap_or("condition-true");
        assert!(["condition-true", "condition-false"].contains(&control));
        let file = said.get("originfile").copied().unwrap_or(programs[0].0);
        let (_, text) = programs.iter().find(|(name, _)| *name == file).expect("a file");
        let line: usize = said["startline"].parse().expect("a line");
        assert!((1..=text.lines().count()).contains(&line));
        if let Some(offset) = said.get("startoffset") {
            let offset: usize = offset.parse().expect("an offset");
            let before: String = text.chars().take(offset).collect();
            assert!(before.len() < text.len() && before.matches('\n').count() + 1 == line);
        }
    }
    graph
}

fn edges<'a>(graph: Node<'a, 'a>) -> Vec<BTreeMap<&'a str, &'a str>> {
    graph.children().filter(|c| c.has_tag_name(tag("edge"))).map(data).collect()
}

#[test]
fn a_violation_is_a_path_with_its_branches_calls_and_values() {
    let (folder, text) = witness(ROUNDS, "UNSAFE");
    let document = Document::parse(&text).expect("it is XML");
    let graph = linted(&document, &[("a.c", ROUNDS)]);
    let violations = graph
        .children()
        .filter(|n| n.has_tag_name(tag("node")) && data(*n).contains_key("violation"));
    assert_eq!(violations.count(), 1);
    let edges = edges(graph);
    let mut values: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for said in edges.iter().filter(|said| said.contains_key("assumption")) {
        let value = said["assumption"].strip_prefix("\\result == ").expect("a value");
        let function = said["assumption.resultfunction"];
        assert_eq!(said["assumption.scope"], "main");
        let offset: usize = said["startoffset"].parse().expect("an offset");
        assert!(ROUNDS[offset..].starts_with(function));
        values.entry(function).or_default().push(value.parse().expect("a number"));
    }
    let ints = &values["__VERIFIER_nondet_int"];
    assert_eq!(ints[..], [7, 77]);
    // The program, by hand.
    let (mut i, mut rounds, mut taken) = (0, vec![], vec![]);
    let mut chars = values["__VERIFIER_nondet_uchar"].iter();
    while i < 7 {
        let is_two = *chars.next().expect("a value") != 0;
        rounds.push("condition-true");
        taken.push(if is_two { "condition-true" } else { "condition-false" });
        i += if is_two { 2 } else { 1 };
    }
    rounds.push("condition-false");
    assert_eq!((i, chars.next()), (8, None));
    let at = |line: &str| -> Vec<&str> {
        let there = edges.iter().filter(|said| said["startline"] == line);
        there.filter_map(|said| said.get("control").copied()).collect()
    };
    assert_eq!(at("8"), rounds);
    assert_eq!(at("9"), taken);
    // `n > 1` behind a sign of negation, and so `m == 77`.
    assert_eq!((at("4"), at("11")), (vec!["condition-false"], vec!["condition-false"]));
    let calls: Vec<&str> =
        edges.iter().filter_map(|said| said.get("enterFunction").copied()).collect();
    assert_eq!(calls, ["main", "half"]);
    let returns: Vec<&str> =
        edges.iter().filter_map(|said| said.get("returnFromFunction").copied()).collect();
    assert_eq!(returns, ["half"]);
    let offset: usize = edges.last().expect("edges")["startoffset"].parse().expect("an offset");
    assert!(ROUNDS[offset..].starts_with("reach_error();"));

    // It is confirmed, by another way than it was found by; with another value it is not.
    let others = ["--explicit-states", "0", "--executions", "0"];
    let validated = |text: &str| {
        fs::write(folder.path().join("v.graphml"), text).expect("it is written");
        let arguments = [&["a.c", "--spec", "p.prp", "--witness", "v.graphml"], &others[..]];
        check(folder.path(), &arguments.concat())
    };
    let output = validated(&text);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("witness: confirmed\nVERDICT: UNSAFE"), "{said}");
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notes.contains("but not 'control', 'enterFunction'"), "{notes}");
    let output = validated(&text.replace("\\result == 77", "\\result == 78"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("witness: rejected"), "{said}");

    for (from, to, message) in [
        ("\\result == 77", "m == 77", "assumptions about variables are not supported in GraphML"),
        ("__VERIFIER_nondet_int</data>", "other</data>", "no call of 'other'"),
        ("</graphml>", "", "this is not XML"),
        ("<data key=\"violation\">true</data>", "", "no transition leaves"),
    ] {
        let output = validated(&text.replace(from, to));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(message), "{message}: {said}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_proof_has_a_state_for_each_loop_with_an_invariant() {
    let (folder, text) = witness(SAFE, "SAFE");
    let document = Document::parse(&text).expect("it is XML");
    let graph = linted(&document, &[("a.c", SAFE)]);
    let states = graph.children().filter(|n| n.has_tag_name(tag("node")));
    let states: Vec<Node> = states.filter(|n| data(*n).contains_key("invariant")).collect();
    let [state] = states[..] else { panic!("one loop: {text}") };
    let said = data(state);
    assert_eq!(said["invariant.scope"], "main");
    let into: Vec<_> =
        edges(graph).into_iter().filter(|e| e.contains_key("enterLoopHead")).collect();
    assert_eq!(into.len(), 1);
    assert_eq!(into[0]["startline"], "7");
    // What it says holds whenever the condition is evaluated, and what is stronger does not.
    let with = |formula: &str| {
        let program = SAFE.replace("while (i < n)", "while (inv(FORMULA), i < n)");
        let program = program.replace("FORMULA", formula);
        let check = "static void inv(int holds) { if (!holds) reach_error(); }\nint main";
        fs::write(folder.path().join("i.c"), program.replace("int main", check)).expect("written");
        last(&self::check(folder.path(), &["i.c", "--algorithm", "impact"]))
    };
    assert_eq!(with(said["invariant"]), "VERDICT: SAFE");
    assert_eq!(with(&format!("({}) && even == 0", said["invariant"])), "VERDICT: UNSAFE");

    let validated = |text: &str| {
        fs::write(folder.path().join("v.graphml"), text).expect("it is written");
        let arguments = ["a.c", "--spec", "p.prp", "--witness", "v.graphml", "--executions", "0"];
        let output = check(folder.path(), &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    let (result, said) = validated(&text);
    assert!(result.ends_with("witness: confirmed\nVERDICT: SAFE\n"), "{result} {said}");
    assert!(said.contains("the invariants of states (1) are used at the places"), "{said}");
    let wrong =
        text.replace("<data key=\"invariant\">", "<data key=\"invariant\">even == 1 &amp;&amp; ");
    let (result, said) = validated(&wrong);
    let is_rejected = result.contains("witness: rejected (") && result.contains("even == 1");
    assert!(is_rejected && result.contains("does not hold"), "{result} {said}");
}

/// As verifiers write them: states at loops and at statements, several of them at one place, and
/// some without invariants.
#[test]
fn invariants_of_states_are_at_the_places_of_their_transitions() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.c"), SAFE).expect("it is written");
    let state = |id: &str, said: &str| match said {
        "" => format!("<node id=\"{id}\"/>"),
        said => format!(
            "<node id=\"{id}\"><data key=\"invariant\">{}</data><data key=\"invariant.scope\">main</data></node>",
            said.replace('&', "&amp;").replace('<', "&lt;")
        ),
    };
    let edge = |from: &str, to: &str, line: u32, is_head: bool| {
        let head = if is_head { "<data key=\"enterLoopHead\">true</data>" } else { "" };
        format!(
            "<edge source=\"{from}\" target=\"{to}\"><data key=\"startline\">{line}</data>{head}</edge>"
        )
    };
    let validated = |parts: &[String]| {
        let text = format!(
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"directed\">\
             <data key=\"witness-type\">correctness_witness</data>\
             <node id=\"a\"><data key=\"entry\">true</data></node>{}</graph></graphml>",
            parts.concat()
        );
        fs::write(folder.path().join("v.graphml"), text).expect("it is written");
        let output = check(folder.path(), &["a.c", "--witness", "v.graphml", "--executions", "0"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    let (head, last) = (edge("a", "h", 7, true), edge("a", "s", 7, false));
    let behind = edge("s", "t", 8, false);
    for (parts, result, said) in [
        (
            vec![state("h", "0 <= even && even <= 1"), head.clone()],
            "confirmed",
            "states (1) are used",
        ),
        (vec![state("h", "even == 0"), head.clone()], "rejected", "states (1) are used"),
        // The transition has the statement in front of the loop, and those behind it the condition.
        (
            vec![
                state("h", "0 <= even && even <= 1"),
                edge("a", "h", 6, true),
                edge("h", "b", 7, false),
            ],
            "confirmed",
            "states (1) are used",
        ),
        (
            vec![state("h", "even != 1"), edge("a", "h", 6, true), edge("h", "b", 7, false)],
            "rejected",
            "states (1) are used",
        ),
        (
            vec![state("h", "even != 1"), edge("a", "h", 6, true)],
            "confirmed",
            "states (1) are not used whose transitions begin at no loop and no statement",
        ),
        // One of both holds, as loops are unrolled.
        (
            vec![
                state("h", "even == 0"),
                state("g", "even == 1"),
                head.clone(),
                edge("h", "g", 7, true),
            ],
            "confirmed",
            "states (2) are used",
        ),
        (
            vec![
                state("h", "even == 0"),
                state("g", "even == 2"),
                head.clone(),
                edge("h", "g", 7, true),
            ],
            "rejected",
            "states (2) are used",
        ),
        // Nothing is known at one of them.
        (
            vec![state("h", "even == 0"), state("g", ""), head.clone(), edge("h", "g", 7, true)],
            "confirmed",
            "states (1) are not used that are where others are without any",
        ),
        // In front of a statement.
        (
            vec![state("s", "i == n"), last.clone(), behind.clone()],
            "confirmed",
            "states (1) are used",
        ),
        (vec![state("s", "i < n"), last.clone(), behind], "rejected", "states (1) are used"),
        // Nowhere, or in front of nothing.
        (
            vec![state("s", "i < n"), last.clone(), edge("s", "t", 10, false)],
            "confirmed",
            "states (1) are not used whose transitions begin at no loop and no statement",
        ),
        (vec![state("s", "i < n"), last], "confirmed", "begin at no loop and no statement"),
        (vec![state("h", "true"), head.clone()], "confirmed", ""),
    ] {
        let (output, notes) = validated(&parts);
        assert!(output.contains(&format!("witness: {result}")), "{parts:?}: {output} {notes}");
        assert!(notes.contains(said), "{parts:?}: {notes}");
    }
    // What has no meaning there is a mistake at its place.
    for (said, words) in
        [("unknown == 0", "'unknown'"), ("even ==", "expected"), ("i++", "not supported")]
    {
        let (output, mistakes) = validated(&[state("h", said), head.clone()]);
        assert!(
            mistakes.contains(words) && mistakes.contains("v.graphml:1:"),
            "{output} {mistakes}"
        );
    }
}

#[test]
fn transitions_name_the_files_of_several() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/queue");
    let names = ["main.c", "queue.c", "queue.h"];
    let texts = names.map(|name| fs::read_to_string(examples.join(name)).expect("it is there"));
    for (name, text) in names.iter().zip(&texts) {
        fs::write(folder.path().join(name), text).expect("it is written");
    }
    fs::write(folder.path().join("p.prp"), PROPERTY).expect("it is written");
    let arguments = "main.c queue.c -D LIMIT=9 --spec p.prp -q --dump-witness w.graphml";
    let output = check(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(last(&output), "VERDICT: UNSAFE");
    let text = fs::read_to_string(folder.path().join("w.graphml")).expect("a witness");
    let document = Document::parse(&text).expect("it is XML");
    let graph = linted(&document, &[("main.c", &texts[0]), ("queue.c", &texts[1])]);
    let edges = edges(graph);
    let at = |file: &str| edges.iter().filter(|e| e["originfile"] == file).count();
    assert!(at("main.c") > 1 && at("queue.c") > 1 && at("main.c") + at("queue.c") == edges.len());
    // The calls of `put` are in one file, and those of `check` in the other.
    let entered = |name: &str, file: &str| {
        let mut all = edges.iter().filter(|e| e.get("enterFunction") == Some(&name)).peekable();
        all.peek().is_some() && all.all(|e| e["originfile"] == file)
    };
    assert!(entered("put", "main.c") && entered("check", "queue.c"));
}

/// As tools write it that know values only, such as `example-1-witness.graphml` of the format's own
/// examples.
#[test]
fn the_error_may_be_anywhere_behind_the_last_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
        int x = __VERIFIER_nondet_int();\nif (x == 5)\nreach_error();\n\
        int y = __VERIFIER_nondet_int();\nif (y == 6)\nreach_error();\nreturn 0;\n}\n";
    fs::write(folder.path().join("a.c"), program).expect("it is written");
    for (line, value, result) in [
        (4, 5, "confirmed"),
        // By the second error.
        (4, 4, "confirmed"),
        (7, 6, "confirmed"),
        (7, 5, "rejected"),
    ] {
        let text = format!(
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"directed\">\
             <data key=\"witness-type\">violation_witness</data>\
             <node id=\"a\"><data key=\"entry\">true</data></node>\
             <node id=\"e\"><data key=\"violation\">true</data></node>\
             <edge source=\"a\" target=\"e\"><data key=\"startline\">{line}</data>\
             <data key=\"assumption\">\\result == {value}</data>\
             <data key=\"assumption.resultfunction\">__VERIFIER_nondet_int</data></edge></graph></graphml>"
        );
        fs::write(folder.path().join("v.graphml"), text).expect("it is written");
        let output = check(folder.path(), &["a.c", "--witness", "v.graphml"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&format!("witness: {result}")), "{line}, {value}: {said}");
    }
}
