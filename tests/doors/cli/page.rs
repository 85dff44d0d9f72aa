//! The page of `--html`: it says what `--json` says, loads nothing, and program text stays text.
//! Where there is a Chromium, also what the script does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use crate::browser::{chromium, opened, texts, without_policy};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// A run with `--json` and `--html`.
struct Run {
    document: Value,
    text: String,
    page: Html,
}

impl Run {
    fn new(files: &[&Path], arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.arg("check").args(files).args(arguments).arg("--json").arg("--html").arg(&path);
        let output = command.output().expect("hardbop runs");
        let document = serde_json::from_slice(&output.stdout).expect("--json prints JSON");
        let text = fs::read_to_string(&path).expect("the page is written");
        let page = Html::parse_document(&text);
        let run = Self { document, text, page };
        run.is_well_formed_and_alone();
        run
    }

    fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        self.page.select(&Selector::parse(selector).expect("a selector")).collect()
    }

    fn one(&self, selector: &str) -> ElementRef<'_> {
        let all = self.all(selector);
        assert_eq!(all.len(), 1, "{selector}");
        all[0]
    }

    fn data(&self) -> Value {
        let data = self.says("script#data[type='application/json']");
        serde_json::from_str(&data).expect("the data is JSON")
    }

    /// No mistakes in the HTML, and nothing that a browser would fetch.
    fn is_well_formed_and_alone(&self) {
        assert!(self.page.errors.is_empty(), "{:?}", self.page.errors);
        let policy = self.one("meta[http-equiv='Content-Security-Policy']");
        let policy = policy.attr("content").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"),
            "{policy}"
        );
        let mut ids = BTreeSet::new();
        for element in self.all("*") {
            let name = element.value().name();
            assert!(!["link", "base", "img", "iframe", "object", "form"].contains(&name), "{name}");
            for (attribute, value) in element.value().attrs() {
                assert!(!["src", "srcset", "style"].contains(&attribute), "{attribute}={value}");
                assert!(!attribute.starts_with("on"), "{attribute}={value}");
                assert!(attribute != "id" || ids.insert(value), "two elements are {value}");
            }
        }
        for link in self.all("[href]") {
            let target = link.attr("href").and_then(|h| h.strip_prefix('#')).expect("on the page");
            assert!(ids.contains(target), "{target}");
        }
        let style = self.says("style");
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert_eq!(self.all("script").len(), 2);
        assert_eq!((self.all("h1").len(), self.all("main").len()), (1, 1));
    }

    /// Each step is there, with its line and its values.
    fn shows_the_trace(&self) {
        let trace = &self.document["trace"];
        let steps = trace["steps"].as_array().expect("steps");
        assert_eq!(self.all("[data-step]").len(), steps.len());
        let data = self.data();
        assert_eq!(data["steps"].as_array().expect("steps").len(), steps.len());
        for (position, step) in steps.iter().enumerate() {
            let link = self.one(&format!("[data-step='{}']", position + 1));
            let words: String = link.text().collect();
            let has = |text: &str| assert!(words.contains(text), "{text} is not in {words}");
            if !["return", "begin", "end"].contains(&step["kind"].as_str().expect("a kind")) {
                has(step["text"].as_str().expect("a text"));
            }
            has(step["function"].as_str().expect("a name"));
            for value in step["changed"].as_array().expect("values") {
                let part = |key: &str| value[key].as_str().expect("text").to_owned();
                has(&format!("{} = {}", part("name"), part("value")));
            }
            let line = step["line"].as_u64().expect("a line");
            let file = step["file"].as_str().or(trace["file"].as_str()).expect("a file");
            has(&format!("{}{line}", if step["file"].is_string() { ":" } else { "line " }));
            let source = fs::read_to_string(file).expect("the program");
            let target = link.attr("href").expect("a link").trim_start_matches('#').to_owned();
            let shown: String = self.one(&format!("[id='{target}']")).text().collect();
            let wanted = source.lines().nth(line as usize - 1).expect("the line is in the file");
            assert_eq!(shown, format!("{line}{wanted}"));
            assert_eq!(data["steps"][position]["line"], target.as_str());
        }
    }

    /// What there is at a selector, as text.
    fn says(&self, selector: &str) -> String {
        self.one(selector).text().collect()
    }
}

#[test]
fn an_error_is_shown_step_by_step_beside_the_text() {
    let (main, queue) = (example("queue/main.c"), example("queue/queue.c"));
    let (bp, c) = (example("lock-unsafe.bp"), example("send-queue-bug.c"));
    let runs: [(&[&Path], &[&str]); 3] =
        [(&[&bp], &[]), (&[&c], &[]), (&[&main, &queue], &["-D", "LIMIT=9"])];
    for (files, arguments) in runs {
        let run = Run::new(files, arguments);
        assert_eq!(run.document["verdict"], "UNSAFE");
        assert_eq!(run.says(".banner.unsafe .verdict"), "UNSAFE");
        assert_eq!(run.says(".banner .name"), files[0].display().to_string());
        assert!(run.says(".banner dl").contains("G assert"));
        assert!(run.says(".banner dl").contains(env!("CARGO_PKG_VERSION")));
        assert_eq!(run.all(".file").len(), files.len());
        assert!(run.all(".steps details[open] > summary > [data-step]").len() > 3, "calls fold");
        assert_eq!(run.all(".line.error").len(), 1);
        run.shows_the_trace();
        for warning in run.document["warnings"].as_array().expect("warnings") {
            assert!(run.says(".warnings").contains(warning.as_str().expect("text")));
        }
    }
}

#[test]
fn what_is_safe_has_its_invariants_at_their_lines() {
    for name in ["lock-safe.bp", "send-queue.c"] {
        let run = Run::new(&[&example(name)], &[]);
        assert_eq!(run.says(".banner.safe .verdict"), "SAFE");
        assert!(run.all(".path").is_empty() && run.data()["steps"] == Value::Array(vec![]));
        let invariants = run.document["invariants"].as_array().expect("invariants");
        assert_eq!(run.all(".invariants tr").len(), 1 + invariants.len());
        let at_lines = invariants.iter().filter(|i| i["line"].is_u64()).count();
        assert!(at_lines > 0);
        let shown = run.all(".code > .invariant");
        assert_eq!(shown.len(), at_lines);
        for shown in shown {
            // The line follows, perhaps after others at the same line.
            let mut next = shown.next_siblings().filter_map(ElementRef::wrap);
            let line = next.find(|e| e.value().classes().any(|c| c == "line")).expect("a line");
            let line = line.attr("id").and_then(|id| id.split('-').next_back()).expect("a number");
            let text: String = shown.text().collect();
            let is_it = |i: &&Value| {
                i["line"].as_u64() == line.parse().ok()
                    && text.contains(i["formula"].as_str().unwrap_or("?"))
            };
            assert!(invariants.iter().any(|i| is_it(&i)), "{text} at line {line}");
        }
        assert!(run.says(".statistics").contains("Time by phase"));
    }
}

/// The tree in which a proof was found, and summaries below the procedures that call.
#[test]
fn what_it_was_found_with_can_be_folded() {
    let run =
        Run::new(&[&example("send-queue.c")], &["--executions", "0", "--explicit-states", "0"]);
    assert_eq!(run.says("#outline-title"), "Abstract reachability tree");
    let nodes = run.all(".outline .tree .node");
    assert!(nodes.len() > 1 && nodes.len() <= 400);
    assert!(!run.all(".outline details > summary").is_empty(), "it folds");
    // What the invariant of the loop says is what its node knows.
    let text: Vec<String> = nodes.iter().map(|n| n.text().collect()).collect();
    let invariant = &run.document["invariants"][0];
    let (line, formula) = (&invariant["line"], invariant["formula"].as_str().expect("a formula"));
    let knows = |t: &String| t.contains(&format!("line {line}")) && t.contains(formula);
    assert!(text.iter().any(knows), "line {line}: {formula} {text:?}");
    assert!(text.iter().any(|t| t.contains("covered by")), "a loop ends: {text:?}");
    assert!(run.all(".outline .node.error").is_empty(), "it is safe");

    let run = Run::new(&[&example("lock-safe.bp")], &[]);
    assert_eq!(run.says("#outline-title"), "Summaries of procedures");
    let main: String = run.all(".outline .tree > li > details > summary")[0].text().collect();
    assert!(main.contains("main"), "{main}");
    let called = run.all(".outline .tree ol .node");
    let called: Vec<String> = called.iter().map(|n| n.text().collect()).collect();
    for name in ["acquire", "release"] {
        assert!(called.iter().any(|t| t.contains(name)), "{name}: {called:?}");
    }
    let all = run.says(".outline .tree");
    for invariant in run.document["invariants"].as_array().expect("invariants") {
        assert!(all.contains(invariant["formula"].as_str().unwrap_or("?")), "{invariant}");
    }
    // Nothing is known where an execution shows the error.
    assert!(Run::new(&[&example("lock-unsafe.bp")], &[]).all(".outline").is_empty());
}

/// Of Boolean programs they are for JSON and pages: `--html` does not change what is printed.
#[test]
fn standard_output_is_what_it_is_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let printed = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        let output = command.arg("check").arg(example("lock-safe.bp")).args(arguments).output();
        String::from_utf8(output.expect("hardbop runs").stdout).expect("text")
    };
    assert_eq!(printed(&["--html", page.to_str().expect("text")]), printed(&[]));
}

/// Also of a run that the guard ends.
#[test]
fn what_is_unknown_says_why() {
    let run = Run::new(&[&example("lock-safe.bp")], &["--time-limit", "0s"]);
    assert_eq!(run.document["verdict"], "UNKNOWN");
    assert_eq!(run.says(".banner.unknown .verdict"), "UNKNOWN");
    assert_eq!(run.says(".banner .reason"), "No verdict: time limit reached.");
    assert!(run.all(".line").len() > 30, "the program is shown");
}

const NASTY: &str = "// </script><script>document.title = 'run'</script> <!-- &lt; \" '\r\n\
    decl {x </script><script>document.title = 'run'</script><b title='\"'>};\n\
    void main() begin\n\
    {x </script><script>document.title = 'run'</script><b title='\"'>} := T; // <style>*{display:none}</style>\n\
    assert(!{x </script><script>document.title = 'run'</script><b title='\"'>}); // \u{202e}]]>\u{c}\n\
    end\n";

#[test]
fn program_text_stays_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a<b>&\"'.bp");
    fs::write(&file, NASTY).expect("it is written");
    let run = Run::new(&[&file], &[]);
    assert_eq!(run.document["verdict"], "UNSAFE");
    assert!(run.says("title").contains("a<b>&\"'.bp"));
    let lines: Vec<String> = run.all(".line code").iter().map(|e| e.text().collect()).collect();
    let wanted: Vec<String> = NASTY
        .lines()
        .map(|l| l.replace('\u{202e}', "\u{fffd}").replace('\u{c}', "\u{240c}"))
        .collect();
    assert_eq!(lines, wanted);
    assert_eq!(run.all("script, style").len(), 3);
    assert_eq!(run.text.matches("</script").count(), 2, "program text has none");
    let changed = &run.document["trace"]["steps"][0]["changed"][0];
    let value = &run.data()["steps"][0]["changed"][0];
    assert_eq!((&value["name"], &value["value"]), (&changed["name"], &changed["value"]));
    assert_eq!(value["global"], true);
}

#[test]
fn a_text_that_cannot_be_read_again_is_missed_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(["check", "-", "-q", "--html"]).arg(&path);
    let input = fs::File::open(example("lock-unsafe.bp")).expect("the program");
    let output = command.stdin(input).output().expect("hardbop runs");
    assert_eq!(output.status.code(), Some(10));
    let page = Html::parse_document(&fs::read_to_string(&path).expect("the page is written"));
    let text: String = page.root_element().text().collect();
    assert!(text.contains("standard input is read only once"), "{text}");
    assert!(text.contains("acquire()") && text.contains("main, line 31"), "{text}");
}

#[test]
fn a_run_has_one_page() {
    let page = || {
        let run = Run::new(&[&example("lock-unsafe.bp")], &[]);
        let (start, rest) = run.text.split_once("<section class=\"statistics\"").expect("numbers");
        let (_, end) = rest.split_once("</section>").expect("their end");
        format!("{start}{end}")
    };
    assert_eq!(page(), page());
}

// ---- in a browser

#[test]
fn a_tree_is_shown_in_a_browser() {
    let Some(browser) = chromium() else { return };
    let run =
        Run::new(&[&example("send-queue.c")], &["--executions", "0", "--explicit-states", "0"]);
    let Some(page) = opened(browser, &run.text, "") else { return };
    assert_eq!(texts(&page, ".outline .node"), {
        let nodes = run.all(".outline .node");
        nodes.iter().map(|n| n.text().collect::<String>()).collect::<Vec<_>>()
    });
}

#[test]
fn the_script_selects_the_step_of_the_address() {
    let Some(browser) = chromium() else { return };
    let run = Run::new(&[&example("lock-unsafe.bp")], &[]);
    let Some(page) = opened(browser, &run.text, "#step=5") else { return };
    assert_eq!(texts(&page, "body[data-ready='true'][data-step='5']").len(), 1);
    let step = texts(&page, "[aria-current='step']");
    assert!(step.len() == 1 && step[0].contains("held := T"), "{step:?}");
    assert_eq!(texts(&page, ".line[aria-current]"), ["10  held := T;held = T"]);
    assert_eq!(texts(&page, "#values .changed"), ["heldT"]);
    assert!(texts(&page, "#now")[0].starts_with("Step 5 of "));
    assert!(texts(&page, ".tools[hidden]").is_empty());
    // Others than the first and last step of an address are next to it.
    for (address, step) in [("", "1"), ("#step=0", "1"), ("#step=9999", "23"), ("#f0-3", "1")] {
        let Some(page) = opened(browser, &run.text, address) else { return };
        assert_eq!(texts(&page, &format!("body[data-step='{step}']")).len(), 1, "{address}");
    }
}

/// The policy is taken away for this, so that a script of the test may press keys.
#[test]
fn keys_go_from_step_to_step() {
    let Some(browser) = chromium() else { return };
    let run = Run::new(&[&example("lock-unsafe.bp")], &[]);
    let open = without_policy(&run.text);
    let cases = [
        (&["j", "j", "ArrowDown"][..], "4"),
        (&["End"], "23"),
        (&["End", "k", "ArrowUp"], "21"),
        (&["End", "j", "Home", "k"], "1"),
    ];
    for (keys, step) in cases {
        let script = format!(
            "<script>for (const key of {keys:?}) document.body.dispatchEvent(new KeyboardEvent('keydown', \
             {{ key, bubbles: true }}));</script></body>"
        );
        let Some(page) = opened(browser, &open.replace("</body>", &script), "") else { return };
        assert_eq!(texts(&page, &format!("body[data-step='{step}']")).len(), 1, "{keys:?}");
    }
    // A call that is folded is stepped over: step 3 calls, step 7 is back.
    let script = "<script>document.querySelector('.steps details').open = false; \
        for (const key of 'jjj') document.body.dispatchEvent(new KeyboardEvent('keydown', \
        { key, bubbles: true }));</script></body>";
    let Some(page) = opened(browser, &open.replace("</body>", script), "") else { return };
    assert_eq!(texts(&page, "body[data-step='7']").len(), 1);
}

#[test]
fn the_policy_lets_no_other_script_run() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("nasty.bp");
    fs::write(&file, NASTY).expect("it is written");
    let run = Run::new(&[&file], &[]);
    let other = "<script>document.title = 'run'</script></body>";
    let Some(page) = opened(browser, &run.text.replace("</body>", other), "") else { return };
    assert_eq!(texts(&page, "body[data-ready='true']").len(), 1);
    assert!(!texts(&page, "title").contains(&"run".to_owned()));
}
