//! `hardbop serve` and `hardbop replay`, as processes: every kind of request, and every way to
//! misuse them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end";
const UNSAFE: &str = "decl x; void main() begin\n  x := *;\n  f(x);\nend\n\
                      void f(y) begin\n  if (y) then\n    ERROR: skip;\n  fi;\nend";
const C_UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x == 42) reach_error(); return 0; }\n";

fn hardbop(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs hardbop with a standard input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = hardbop(arguments).spawn().expect("hardbop starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    // Apart, for answers may fill the pipe before all is read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("hardbop ends");
    writer.join().expect("the writer does not panic");
    output
}

fn messages(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("output is UTF-8");
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(read).collect()
}

/// The messages for these lines; the server must end well.
fn serve(arguments: &[&str], lines: &[String]) -> Vec<Value> {
    let output = run(&[&["serve"], arguments].concat(), (lines.join("\n") + "\n").as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    messages(&output)
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({"id": id.into(), "method": method, "params": params}).to_string()
}

/// A server that is talked to line by line.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn new(arguments: &[&str]) -> Self {
        let mut child = hardbop(&[&["serve"], arguments].concat()).spawn().expect("it starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Self { child, stdin, stdout }
    }

    fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it is open");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the server reads");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    /// Closes the input; the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("it ends").code()
    }
}

/// A program that nobody decides in a lifetime, with the options for that.
fn endless() -> Value {
    let output = run(&["gen", "counter", "--size", "48"], b"");
    let text = String::from_utf8(output.stdout).expect("a program");
    json!({"text": text, "options": {"engine": "bdd", "plain": true}})
}

/// The same without what depends on the time or on the process.
fn timeless(mut document: Value) -> Value {
    let fields = document.as_object_mut().expect("a document");
    for name in ["wall-seconds", "exit-code", "statistics"] {
        fields.remove(name);
    }
    document
}

/// The document of `hardbop check --json`.
fn checked(file: &Path, arguments: &[&str]) -> Value {
    let file = file.to_str().expect("UTF-8");
    let output = run(&[&["check", file, "--json"], arguments].concat(), b"");
    timeless(serde_json::from_slice(&output.stdout).expect("a document"))
}

#[test]
fn the_server_introduces_itself() {
    let all = serve(
        &["--time-limit", "7"],
        &[request("a", "hello", json!({})), request(2, "version", json!(null))],
    );
    assert_eq!(all[0]["id"], "a");
    let hello = &all[0]["result"];
    assert_eq!((&hello["protocol"], &hello["name"]), (&json!(2), &json!("hardbop")));
    assert_eq!(hello["limits"]["time-limit-seconds"], 7.0);
    for method in
        ["check-bp", "check-c", "check-automata", "abstract-c", "fmt-bp", "cancel", "shutdown"]
    {
        assert!(hello["methods"].as_array().expect("a list").contains(&json!(method)), "{method}");
    }
    assert_eq!(all[1], json!({"id": 2, "result": hello}));
}

#[test]
fn answers_are_those_of_check() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let cases: Vec<(&str, std::path::PathBuf, &[&str], Value)> = vec![
        ("check-bp", write("safe.bp", SAFE), &[], json!({})),
        ("check-bp", write("unsafe.bp", UNSAFE), &["--engine", "qbf"], json!({"engine": "qbf"})),
        ("check-bp", examples.join("lock-safe.bp"), &["--engine", "bdd"], json!({"engine": "bdd"})),
        ("check-bp", examples.join("lock-unsafe.bp"), &[], json!({})),
        (
            "check-bp",
            write("label.bp", UNSAFE),
            &["--error", "ERROR"],
            json!({"error-labels": ["ERROR"]}),
        ),
        ("check-c", examples.join("lock.c"), &[], json!({})),
        ("check-c", write("u.c", C_UNSAFE), &["--64"], json!({"data-model": "lp64"})),
        ("check-c", write("u2.c", C_UNSAFE), &["--blocks", "sbe"], json!({"blocks": "single"})),
    ];
    let lines: Vec<String> = cases
        .iter()
        .enumerate()
        .map(|(i, (method, path, _, options))| {
            request(i, method, json!({"path": path, "options": options}))
        })
        .collect();
    for threads in ["1", "3"] {
        let answers = serve(&["--threads", threads], &lines);
        let by_id: HashMap<u64, &Value> =
            answers.iter().map(|a| (a["id"].as_u64().expect("an id"), &a["result"])).collect();
        assert_eq!(by_id.len(), cases.len());
        if threads == "1" {
            let ids: Vec<u64> = answers.iter().map(|a| a["id"].as_u64().expect("an id")).collect();
            assert!(ids.is_sorted(), "{ids:?}");
        }
        for (i, (_, path, arguments, _)) in cases.iter().enumerate() {
            assert_eq!(*by_id[&(i as u64)], checked(path, arguments), "{}", path.display());
        }
    }
}

#[test]
fn texts_traces_statistics_and_certificates() {
    let all = serve(
        &[],
        &[
            request(0, "check-bp", json!({"text": UNSAFE, "name": "u.bp", "statistics": true})),
            request(1, "check-bp", json!({"text": UNSAFE, "trace": false})),
            request(2, "check-bp", json!({"text": SAFE, "certificate": true})),
            request(3, "check-c", json!({"text": C_UNSAFE, "statistics": true})),
            request(4, "fmt-bp", json!({"text": "void main() begin skip;end"})),
            request(
                5,
                "check-automata",
                json!({"description": {"functions": [
            {"name": "main", "locations": 2, "entry": 0, "exit": 1, "edges": [
                {"from": 0, "step": "error", "line": 3}]}]}}),
            ),
        ],
    );
    assert_eq!(all[0]["result"]["trace"]["file"], "u.bp");
    assert!(all[0]["result"]["statistics"].is_object());
    let second = &all[1]["result"];
    assert_eq!((&second["verdict"], &second["trace"]), (&json!("UNSAFE"), &json!(null)));
    assert!(second.get("statistics").is_none() && second.get("wall-seconds").is_none());
    // `certify` believes it.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [program, certificate] = ["p.bp", "c.json"].map(|n| folder.path().join(n));
    std::fs::write(&program, SAFE).expect("it can be written");
    std::fs::write(&certificate, all[2]["result"]["certificate"].to_string()).expect("the same");
    let arguments = [program, certificate].map(|p| p.to_str().expect("UTF-8").to_owned());
    let output = run(&["certify", &arguments[0], &arguments[1]], b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(all[3]["result"]["trace"]["inputs"][0]["value"], "42");
    assert!(all[3]["result"]["statistics"]["executions-seconds"].is_f64());
    let formatted = &all[4]["result"];
    assert_eq!(formatted["canonical"], false);
    let output = run(&["fmt", "-"], b"void main() begin skip;end");
    assert_eq!(formatted["text"].as_str().map(str::as_bytes), Some(&output.stdout[..]));
    let last = &all[5]["result"];
    assert_eq!(
        (&last["verdict"], &last["trace"]["steps"][0]["line"]),
        (&json!("UNSAFE"), &json!(3))
    );
}

/// A lock that a function takes and gives back; it calls itself as often as it likes.
fn recursive_lock() -> Value {
    json!({"globals": [{"name": "locked", "sort": "Bool"}], "functions": [
        {"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
            {"from": 0, "to": 1, "step": {"assign": [["locked", "false"]]}},
            {"from": 1, "to": 2, "step": {"call": {"function": "f"}}}]},
        {"name": "f", "locals": [{"name": "again", "sort": "Bool"}],
         "locations": 6, "entry": 0, "exit": 4, "edges": [
            {"from": 0, "to": 5, "step": {"assume": "locked"}},
            {"from": 5, "step": "error"},
            {"from": 0, "to": 1, "step": {"assign": [["locked", "true"]]}},
            {"from": 1, "to": 2, "step": {"assign": [["locked", "false"]]}},
            {"from": 2, "to": 3, "step": {"assume": "again"}},
            {"from": 3, "to": 4, "step": {"call": {"function": "f"}}},
            {"from": 2, "to": 4, "step": "skip"}]}]})
}

#[test]
fn programs_and_formulas_are_abstracted() {
    let c = "extern void reach_error(void);\nint x;\n\
             int main(void) { x = 0; while (x < 9) x++; if (x > 9) reach_error(); return 0; }\n";
    let given = "(bvslt x #x00000009)\n(bvslt #x00000009 x)";
    let mut all = serve(
        &[],
        &[
            request(0, "abstract-c", json!({"text": c, "predicates": given})),
            request(
                1,
                "abstract-automata",
                json!({
                "description": recursive_lock(), "predicates": "locked |f::again|",
                "options": {"blocks": "single", "abstraction": "cartesian"}}),
            ),
            request(
                2,
                "abstract-formula",
                json!({
                "declarations": "(declare-const x (_ BitVec 8))", "formula": "(= x #x03)",
                "predicates": "(bvult x #x04)"}),
            ),
            request(
                3,
                "check-automata",
                json!({"description": recursive_lock(), "options": {"route": "bp"}, "statistics": true}),
            ),
            request(
                4,
                "check-automata",
                json!({"description": recursive_lock(),
                "predicates": "locked", "options": {"route": "tree"}}),
            ),
            request(5, "check-c", json!({"text": c, "options": {"route": "bp", "executions": 0}})),
            request(6, "abstract-c", json!({"text": c, "predicates": "true\n(= y x)"})),
            request(
                7,
                "abstract-automata",
                json!({"description": recursive_lock(), "predicates": "(not"}),
            ),
            request(8, "abstract-formula", json!({"formula": "(= x x)"})),
            request(9, "abstract-c", json!({"text": "int main(void) { return x; }"})),
            request(10, "abstract-c", json!({"text": c, "options": {"speed": 3}})),
            request(
                11,
                "check-automata",
                json!({"description": recursive_lock(), "predicates": "unlocked"}),
            ),
        ],
    );
    all.sort_by_key(|m| m["id"].as_u64());
    let text = |i: usize| all[i]["result"]["text"].as_str().expect("a text").to_owned();
    assert!(text(0).contains("decl {x < 9}") && text(0).contains("// 3: "), "{}", text(0));
    assert!(text(1).contains("decl {locked}") || text(1).contains("decl locked"), "{}", text(1));
    // Both are Boolean programs; the first one is safe.
    for (text, wanted) in [(text(0), Some("SAFE")), (text(1), None)] {
        let answer = serve(&[], &[request(0, "check-bp", json!({ "text": text }))]);
        let verdict = answer[0]["result"]["verdict"].as_str();
        let is_without_error = answer[0]["error"]["code"] == json!("nothing-to-check");
        assert!(verdict == wanted && (wanted.is_some() || is_without_error), "{answer:?}");
    }
    assert_eq!(all[2]["result"], json!({"formula": "(bvult x #x04)"}));
    let checked = &all[3]["result"];
    assert_eq!((&checked["verdict"], &checked["options"]["route"]), (&json!("SAFE"), &json!("bp")));
    assert!(checked["statistics"]["rounds"].is_u64());
    assert_eq!(all[4]["result"]["verdict"], "UNKNOWN");
    assert_eq!(all[5]["result"]["verdict"], "SAFE");
    for (i, place) in [(6, json!([2, 1])), (7, json!([1, 1])), (11, json!([1, 1]))] {
        assert_eq!(code(&all[i]), "diagnostics", "{}", all[i]);
        let at = &all[i]["error"]["diagnostics"][0];
        assert_eq!((json!([at["line"], at["column"]]), &at["term"]), (place, &json!("predicates")));
    }
    assert_eq!(code(&all[8]), "diagnostics");
    assert_eq!(code(&all[9]), "diagnostics");
    assert_eq!(code(&all[10]), "invalid-params");
}

fn code(message: &Value) -> &str {
    message["error"]["code"].as_str().unwrap_or_else(|| panic!("no error: {message}"))
}

#[test]
fn mistakes_are_answered() {
    let deep = format!(
        "{{\"id\":9,\"method\":\"hello\",\"params\":{}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let deep_options = format!(
        "{{\"id\":9,\"method\":\"check-bp\",\"params\":{{\"text\":\"\",\"options\":{{\"seed\":{}1{}}}}}}}",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    let check = |params: Value| request(9, "check-bp", params);
    let cases: Vec<(String, &str, Value, &str)> = vec![
        ("{\"id\": 1,".into(), "parse-error", json!(null), "EOF"),
        ("hello".into(), "parse-error", json!(null), "expected value"),
        ("[1]".into(), "invalid-request", json!(null), "object"),
        ("[1,\"hello\"]".into(), "invalid-request", json!(null), "object"),
        ("{}".into(), "invalid-request", json!(null), "missing field 'id'"),
        (json!({"id": 9}).to_string(), "invalid-request", json!(9), "missing field 'method'"),
        (
            json!({"id": 9.5, "method": "hello"}).to_string(),
            "invalid-request",
            json!(null),
            "an 'id'",
        ),
        (
            json!({"id": [9], "method": "hello"}).to_string(),
            "invalid-request",
            json!(null),
            "an 'id'",
        ),
        (
            json!({"id": "9", "method": 5}).to_string(),
            "invalid-request",
            json!("9"),
            "a text is needed",
        ),
        (
            json!({"id": 9, "method": "hello", "parms": 1}).to_string(),
            "invalid-request",
            json!(9),
            "unknown field 'parms'",
        ),
        (
            request(9, "abstract-everything", json!({})),
            "unknown-method",
            json!(9),
            "abstract-everything",
        ),
        (deep, "invalid-params", json!(9), "object"),
        (deep_options, "invalid-params", json!(9), "recursion limit"),
        (request(9, "hello", json!({"a": 1})), "invalid-params", json!(9), "unknown field 'a'"),
        (request(9, "cancel", json!({})), "invalid-params", json!(9), "missing field 'id'"),
        (request(9, "shutdown", json!(3)), "invalid-params", json!(9), "object"),
        (check(json!({})), "invalid-params", json!(9), "either 'text' or 'path'"),
        (check(json!({"text": SAFE, "path": "x"})), "invalid-params", json!(9), "either"),
        (check(json!({"text": 5})), "invalid-params", json!(9), "a text is needed"),
        (
            check(json!({"text": SAFE, "options": {"engin": "qbf"}})),
            "invalid-params",
            json!(9),
            "is 'engine' meant?",
        ),
        (
            check(json!({"text": SAFE, "options": {"engine": "fast"}})),
            "invalid-params",
            json!(9),
            "unknown variant",
        ),
        (
            check(json!({"text": SAFE, "options": {"time-limit-seconds": -1}})),
            "invalid-params",
            json!(9),
            "time-limit",
        ),
        (
            check(json!({"text": SAFE, "options": {"qbf": "cmd:true"}})),
            "invalid-params",
            json!(9),
            "no other programs",
        ),
        (check(json!({"path": "/nowhere/x.bp"})), "unreadable", json!(9), "/nowhere/x.bp"),
        (check(json!({"path": "-"})), "unreadable", json!(9), "standard input"),
        (check(json!({"text": "void main() begin\n  y := T;\nend"})), "diagnostics", json!(9), "y"),
        (
            request(9, "check-c", json!({"text": "int main(void) { return z; }"})),
            "diagnostics",
            json!(9),
            "z",
        ),
        (
            request(9, "check-automata", json!({"description": {"functions": []}})),
            "diagnostics",
            json!(9),
            "main",
        ),
        (
            request(9, "check-automata", json!({"description": {"functions": 1}})),
            "invalid-params",
            json!(9),
            "a list is needed, not 1",
        ),
    ];
    // Every request has an id of its own.
    let number = |i: usize| json!(1000 + i);
    let own = |(i, (line, _, id, _)): (usize, &(String, &str, Value, &str))| match *id == json!(9) {
        true => line.replacen("\"id\":9", &format!("\"id\":{}", number(i)), 1),
        false => line.clone(),
    };
    let mut lines: Vec<String> = cases.iter().enumerate().map(own).collect();
    lines.extend([String::new(), "   \r".into(), request("last", "hello", json!({}))]);
    let all = serve(&[], &lines);
    assert_eq!(all.len(), cases.len() + 1, "empty lines are no requests");
    // What the session answers itself may come before what waits.
    let mut left: Vec<&Value> = all.iter().collect();
    for (i, (line, wanted, id, part)) in cases.iter().enumerate() {
        let short: String = line.chars().take(200).collect();
        let id = if *id == json!(9) { number(i) } else { id.clone() };
        let fits = |m: &&Value| {
            m["error"]["code"] == json!(wanted)
                && m["id"] == id
                && m["error"]["message"].as_str().is_some_and(|m| m.contains(part))
        };
        let at = left.iter().position(fits);
        let at = at.unwrap_or_else(|| panic!("no {wanted} with '{part}' for {short}\n{left:#?}"));
        left.remove(at);
    }
    assert_eq!((left.len(), &left[0]["id"]), (1, &json!("last")));

    let all = serve(
        &[],
        &[check(json!({"text": "void main() begin\n  y := T;\nend"})), "{\"id\": 1,,}".into()],
    );
    let bad = all.iter().find(|m| m["id"] == 9).expect("an answer");
    let diagnostic = &bad["error"]["diagnostics"][0];
    assert_eq!((&diagnostic["line"], &diagnostic["column"]), (&json!(2), &json!(3)), "{bad}");
    let bad = all.iter().find(|m| m["id"].is_null()).expect("an answer");
    assert_eq!(bad["error"]["position"], json!({"line": 1, "column": 10}));
}

#[test]
fn bytes_that_are_no_text_and_lines_that_are_too_long() {
    let mut input = b"{\"id\":1,\"method\":\"\xff\"}\n".to_vec();
    input.extend(b"{\"id\":2,\"method\":\"check-bp\",\"params\":{\"text\":\"");
    input.extend(std::iter::repeat_n(b' ', 8 << 20));
    input.extend(b"\"}}\n");
    input.extend(request(3, "hello", json!({})).bytes());
    // The last line has no end.
    let output = run(&["serve", "--max-request", "1M"], &input);
    assert_eq!(output.status.code(), Some(0));
    let all = messages(&output);
    let codes: Vec<&str> = all[..2].iter().map(code).collect();
    assert_eq!(codes, ["parse-error", "too-large"]);
    assert_eq!((all.len(), &all[2]["id"]), (3, &json!(3)));
    // Up to the limit all is well.
    let text = format!("{}{SAFE}", " ".repeat(4 << 20));
    let all = serve(&[], &[request(1, "check-bp", json!({"text": text}))]);
    assert_eq!(all[0]["result"]["verdict"], "SAFE");
}

#[test]
fn requests_are_cancelled_and_ids_are_used_once_at_a_time() {
    let mut server = Server::new(&["--threads", "2"]);
    let endless = request("long", "check-bp", endless());
    server.send(&endless);
    server.send(&endless);
    assert_eq!(code(&server.read()), "duplicate-id");
    server.send(&request("short", "check-bp", json!({"text": SAFE})));
    let short = server.read();
    assert_eq!((&short["id"], &short["result"]["verdict"]), (&json!("short"), &json!("SAFE")));
    server.send(&request("c", "cancel", json!({"id": "long"})));
    let mut both = [server.read(), server.read()];
    both.sort_by_key(|m| m["id"].to_string());
    assert_eq!(both[0], json!({"id": "c", "result": {"cancelled": true}}));
    assert_eq!((&both[1]["id"], code(&both[1])), (&json!("long"), "cancelled"));
    server.send(&request("c", "cancel", json!({"id": "long"})));
    assert_eq!(server.read()["result"]["cancelled"], false);
    // The id is free again.
    server.send(&request("long", "check-bp", json!({"text": SAFE})));
    assert_eq!(server.read()["result"]["verdict"], "SAFE");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn limits_of_requests_and_of_the_server() {
    let limited = |limits: Value| {
        let mut params = endless();
        let fields = limits.as_object().expect("limits").clone();
        params["options"].as_object_mut().expect("options").extend(fields);
        params
    };
    let own = request(1, "check-bp", limited(json!({"time-limit-seconds": 0.2})));
    let next = request(2, "check-bp", json!({"text": SAFE}));
    let all = serve(&[], &[own, next.clone()]);
    let reason = |m: &Value| m["result"]["reason"].clone();
    let (time, memory) = (
        json!({"code": "time", "message": "time limit reached"}),
        json!({"code": "memory", "message": "memory limit reached"}),
    );
    assert_eq!((reason(&all[0]), &all[0]["id"]), (time.clone(), &json!(1)));
    assert_eq!(all[1]["result"]["verdict"], "SAFE");
    let long = request(1, "check-bp", limited(json!({"time-limit-seconds": 1000})));
    let all = serve(&["--time-limit", "200ms"], &[long, next.clone()]);
    assert_eq!(reason(&all[0]), time);
    assert_eq!(all[1]["result"]["verdict"], "SAFE");
    let small = request(1, "check-bp", limited(json!({"memory-limit-bytes": 1, "plain": false})));
    let all = serve(&[], &[small, next]);
    assert_eq!(reason(&all[0]), memory);
    assert_eq!(all[1]["result"]["verdict"], "SAFE");
}

#[test]
fn the_end_of_the_input_and_shutdown() {
    // Everything is answered before the end; what comes behind a shutdown is not read.
    let check = |id: u64| request(id, "check-bp", json!({"text": UNSAFE}));
    let all = serve(&[], &[check(1), check(2), check(3)]);
    assert_eq!(all.len(), 3);
    let all = serve(&[], &[check(1), request("s", "shutdown", json!({})), check(2)]);
    assert_eq!(all.len(), 2);
    assert_eq!(all[1], json!({"id": "s", "result": {}}));
    assert_eq!(run(&["serve"], b"").status.code(), Some(0));
}

#[test]
fn a_closed_output_ends_the_server() {
    let mut child = hardbop(&["serve"]).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may be gone before all is written.
    for i in 0..100 {
        let _ = writeln!(stdin, "{}", request(i, "hello", json!({})));
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "although its input is open");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    drop(stdin);
}

#[cfg(unix)]
#[test]
fn an_interrupt_cancels_and_ends() {
    let mut server = Server::new(&[]);
    server.send(&request("hello", "hello", json!({})));
    server.read();
    server.send(&request("long", "check-bp", endless()));
    server.send(&request("next", "check-bp", endless()));
    // Both have been read when this one is answered.
    server.send(&request("c", "cancel", json!({"id": "nobody"})));
    server.read();
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    let mut ids =
        [server.read(), server.read()].map(|m| (m["id"].to_string(), code(&m).to_owned()));
    ids.sort();
    assert_eq!(ids.map(|(_, code)| code), ["cancelled", "cancelled"]);
    assert_eq!(server.child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn progress_is_told_where_it_is_asked_for() {
    let mut params = endless();
    params["options"] = json!({"time-limit-seconds": 1.0, "engine": "universal", "plain": true});
    let mut line: Value = serde_json::from_str(&request(1, "check-bp", params)).expect("JSON");
    let all = serve(&[], &[line.to_string()]);
    assert_eq!(all.len(), 1, "not asked for: {all:?}");
    line["progress"] = json!(true);
    let all = serve(&[], &[line.to_string()]);
    let (last, before) = all.split_last().expect("messages");
    assert!(last.get("result").is_some());
    assert!(
        !before.is_empty() && before.iter().all(|m| m["progress"]["work"].is_u64() && m["id"] == 1),
        "{all:?}"
    );
}

/// A generator of numbers (xorshift).
fn below(state: &mut u64, n: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 16) as usize % n
}

#[test]
fn mutated_requests() {
    let seeds = [
        request(1, "check-bp", json!({"text": UNSAFE, "options": {"engine": "qbf", "seed": 3}})),
        request("a", "check-c", json!({"text": C_UNSAFE, "options": {"executions": 1}})),
        request(
            3,
            "check-automata",
            json!({"description": {
            "globals": [{"name": "x", "sort": "(_ BitVec 4)"}],
            "functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
                {"from": 0, "to": 1, "step": {"relation": {"formula": "(bvult x x')", "changes": ["x"]}}},
                {"from": 1, "step": "error"}]}]}}),
        ),
        request(4, "fmt-bp", json!({"text": SAFE, "dialect": "slam"})),
        request(5, "cancel", json!({"id": 7})),
        request(6, "hello", json!({})),
    ];
    let pieces: [&[u8]; 12] = [
        b"{",
        b"}",
        b"\"",
        b"[",
        b"null",
        b"-1",
        b"1e999",
        b"\\u0000",
        b"\xff",
        b"(",
        b"' ",
        b"9999999999999999999999",
    ];
    let state = &mut 0x2545_f491_4f6c_dd1d_u64;
    let mut input = vec![];
    let mut count = 0;
    for _ in 0..400 {
        let mut line = seeds[below(state, seeds.len())].clone().into_bytes();
        for _ in 0..1 + below(state, 4) {
            let at = below(state, line.len());
            match below(state, 4) {
                0 => drop(line.remove(at)),
                1 => line[at] = 32 + below(state, 95) as u8,
                2 => {
                    let end = (at + below(state, 20)).min(line.len());
                    line.drain(at..end);
                }
                _ => {
                    let piece = pieces[below(state, pieces.len())];
                    line.splice(at..at, piece.iter().copied());
                }
            }
            if line.is_empty() {
                line.push(b'{');
            }
        }
        count += usize::from(!line.trim_ascii().is_empty());
        input.extend(line);
        input.push(b'\n');
    }
    input.extend(request("after all", "check-bp", json!({"text": SAFE})).bytes());
    let output = run(&["serve", "--time-limit", "5"], &input);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let all = messages(&output);
    // A mutant may be a shutdown only where somebody writes the word.
    assert_eq!(all.len(), count + 1);
    let last = all.iter().find(|m| m["id"] == "after all").expect("an answer");
    assert_eq!(last["result"]["verdict"], "SAFE");
    assert!(
        all.iter().all(|m| m["error"]["code"] != "internal"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for message in &all {
        let verdict = &message["result"]["verdict"];
        assert!(verdict.is_null() || message["id"] != 1 || verdict != "UNKNOWN", "{message}");
    }
}

#[test]
fn sessions_are_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("session.jsonl");
    let log_name = log.to_str().expect("UTF-8");
    let mut long = endless();
    long["options"]["time-limit-seconds"] = json!(0.1);
    let lines = [
        request(1, "hello", json!({})),
        request(2, "check-bp", json!({"text": UNSAFE, "statistics": true})),
        request(3, "check-c", json!({"text": C_UNSAFE, "statistics": true})),
        request(4, "check-bp", long),
        "no JSON".to_owned(),
        request(5, "fmt-bp", json!({"text": SAFE})),
        request(6, "shutdown", json!({})),
    ];
    serve(&["--record", log_name, "--threads", "2"], &lines);
    let text = std::fs::read_to_string(&log).expect("a log");
    let entries: Vec<Value> =
        text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(entries[0]["session"]["protocol"], 2);
    let requests = entries.iter().filter(|e| e["request"].is_object());
    assert!(requests.clone().all(|e| e["request"]["seconds"].is_f64()));
    assert_eq!(
        requests.map(|e| e["request"]["order"].as_u64()).collect::<Vec<_>>(),
        (0..7).map(Some).collect::<Vec<_>>()
    );
    assert_eq!(entries.len(), 1 + 7 + 7);

    let replay = |text: &str| {
        let other = folder.path().join("other.jsonl");
        std::fs::write(&other, text).expect("it can be written");
        let output = run(&["replay", other.to_str().expect("UTF-8")], b"");
        let words = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(words).expect("UTF-8"))
    };
    let (exit, words) = replay(&text);
    assert_eq!(exit, Some(0), "{words}");
    assert!(words.contains("6 answers compared, 1 left out: no difference"), "{words}");

    // Of the answers, not of the requests.
    let changed: Vec<String> = text
        .lines()
        .map(|l| {
            if l.starts_with("{\"response\"") {
                l.replace("\"UNSAFE\"", "\"SAFE\"")
            } else {
                l.to_owned()
            }
        })
        .collect();
    let (exit, words) = replay(&(changed.join("\n") + "\n"));
    assert_eq!(exit, Some(1), "{words}");
    assert!(words.contains("request 1, /result/verdict: \"SAFE\", now \"UNSAFE\""), "{words}");
    // Two verdicts, and the step that gave one of them.
    assert!(words.contains("3 differences"), "{words}");

    // A server that was killed leaves a line without its end.
    let cut = &text[..text.len() - 10];
    assert_eq!(replay(cut).0, Some(0));
    for bad in ["", "hello\n", "{\"session\":{}}\n", &text[text.find('\n').expect("a line") + 1..]]
    {
        let (exit, words) = replay(bad);
        assert_eq!(exit, Some(2), "{words}");
        assert!(words.contains("no log of a session"), "{words}");
    }
    let newer = text.replacen("\"protocol\":2", "\"protocol\":77", 1);
    assert!(replay(&newer).1.contains("protocol 77"));
    assert_eq!(run(&["replay", "/nowhere/log"], b"").status.code(), Some(2));
    assert_eq!(run(&["serve", "--record", "/nowhere/log"], b"").status.code(), Some(2));
}
