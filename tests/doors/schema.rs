//! The schemas in docs/ describe what is written: answers of all languages, requests and messages
//! of the server.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use regex_lite::Regex;
use serde_json::{Value, json};

const ANSWER: &str = "answer.schema.json";
const LIST: &str = "list.schema.json";
const EACH: &str = "each.schema.json";
const PROTOCOL: &str = "protocol.schema.json";

/// JSON Schema (draft 2020-12), as far as the schemas use it: other keywords are refused.
struct Schemas(HashMap<String, Value>);

impl Schemas {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let read = |name: &&str| {
            let text = fs::read_to_string(folder.join(name)).expect("the schema is there");
            ((*name).to_owned(), serde_json::from_str(&text).expect("a schema is JSON"))
        };
        let certificates = ["certificate.schema.json", "c-certificate.schema.json"];
        let all = [ANSWER, PROTOCOL, LIST, EACH].into_iter().chain(certificates);
        Self(all.map(|name| read(&name)).collect())
    }

    /// What is wrong with a value; `Ok` where nothing is.
    fn check(&self, file: &str, value: &Value) -> Result<(), String> {
        self.follow(file, &self.0[file], value, "")
    }

    fn follow(&self, file: &str, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let fields = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(format!("{at}: must not be there")),
            other => other.as_object().expect("a schema is an object or true or false"),
        };
        for (keyword, argument) in fields {
            self.keyword((file, fields), keyword, argument, (value, at))?;
        }
        Ok(())
    }

    fn keyword(
        &self,
        (file, fields): (&str, &serde_json::Map<String, Value>),
        keyword: &str,
        argument: &Value,
        (value, at): (&Value, &str),
    ) -> Result<(), String> {
        let holds = |schema: &Value| self.follow(file, schema, value, at).is_ok();
        let list = || argument.as_array().expect("a list");
        let wrong = |why: String| Err(format!("{at}: {why}: {value}"));
        let number = || argument.as_f64().expect("a number");
        let length = match value {
            Value::Array(all) => all.len() as f64,
            Value::Object(all) => all.len() as f64,
            Value::String(text) => text.chars().count() as f64,
            _ => 0.0,
        };
        match keyword {
            "$schema" | "title" | "description" | "$defs" | "then" | "else" => Ok(()),
            "$ref" => {
                let target = argument.as_str().expect("a reference");
                let (other, place) = target.split_once('#').unwrap_or((target, ""));
                let other = if other.is_empty() { file } else { other };
                let schema = self.0[other].pointer(place);
                self.follow(other, schema.expect("it refers to a schema"), value, at)
            }
            "type" => {
                let is = |name: &Value| match name.as_str().expect("a type") {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("there is no type '{other}'"),
                };
                match argument.as_array().map_or_else(|| is(argument), |all| all.iter().any(is)) {
                    true => Ok(()),
                    false => wrong(format!("not of the type {argument}")),
                }
            }
            "const" if value == argument => Ok(()),
            "enum" if list().contains(value) => Ok(()),
            "const" | "enum" => wrong(format!("not {argument}")),
            "anyOf" if list().iter().any(holds) => Ok(()),
            "anyOf" => {
                let all = list().iter().map(|s| self.follow(file, s, value, at));
                let why: Vec<String> = all.filter_map(Result::err).collect();
                Err(format!("none of:\n{}", why.join("\n")))
            }
            "oneOf" if list().iter().filter(|s| holds(s)).count() == 1 => Ok(()),
            "oneOf" => wrong("not one of the forms".into()),
            "allOf" => list().iter().try_for_each(|s| self.follow(file, s, value, at)),
            "if" => {
                let branch = if holds(argument) { "then" } else { "else" };
                fields.get(branch).map_or(Ok(()), |s| self.follow(file, s, value, at))
            }
            "required" => {
                let is_missing =
                    |name: &&Value| value.get(name.as_str().expect("a name")).is_none();
                match list().iter().find(is_missing).filter(|_| value.is_object()) {
                    Some(name) => Err(format!("{at}: {name} is missing")),
                    None => Ok(()),
                }
            }
            "properties" => argument.as_object().expect("schemas").iter().try_for_each(|(n, s)| {
                value.get(n).map_or(Ok(()), |v| self.follow(file, s, v, &format!("{at}/{n}")))
            }),
            "additionalProperties" => {
                let known = fields.get("properties").and_then(Value::as_object);
                let others = value.as_object().into_iter().flatten();
                let mut others = others.filter(|(n, _)| known.is_none_or(|k| !k.contains_key(*n)));
                others.try_for_each(|(n, v)| self.follow(file, argument, v, &format!("{at}/{n}")))
            }
            "propertyNames" => value.as_object().into_iter().flatten().try_for_each(|(n, _)| {
                self.follow(file, argument, &json!(n), &format!("{at}, the name {n}"))
            }),
            "items" => {
                let first = fields.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                let rest = value.as_array().into_iter().flatten().enumerate().skip(first);
                rest.into_iter()
                    .try_for_each(|(i, v)| self.follow(file, argument, v, &format!("{at}/{i}")))
            }
            "prefixItems" => {
                let pairs = list().iter().zip(value.as_array().into_iter().flatten());
                pairs
                    .enumerate()
                    .try_for_each(|(i, (s, v))| self.follow(file, s, v, &format!("{at}/{i}")))
            }
            "uniqueItems" => {
                let all = value.as_array().map_or(&[][..], Vec::as_slice);
                match all.iter().enumerate().all(|(i, v)| !all[..i].contains(v)) {
                    true => Ok(()),
                    false => wrong("twice the same".into()),
                }
            }
            "pattern" => {
                let pattern = Regex::new(argument.as_str().expect("a text")).expect("a pattern");
                match value.as_str().is_none_or(|text| pattern.is_match(text)) {
                    true => Ok(()),
                    false => wrong(format!("does not match {argument}")),
                }
            }
            "not" if holds(argument) => wrong("what it must not be".into()),
            "maximum" if value.as_f64().is_some_and(|n| n > number()) => wrong("too large".into()),
            "minimum" if value.as_f64().is_some_and(|n| n < number()) => wrong("too small".into()),
            "minItems" | "minProperties" | "minLength" if length < number() => {
                wrong("too short".into())
            }
            "maxItems" | "maxProperties" if length > number() => wrong("too long".into()),
            "not" | "minimum" | "maximum" | "minItems" | "minProperties" | "minLength"
            | "maxItems" | "maxProperties" => Ok(()),
            other => panic!("the keyword '{other}' is not known here"),
        }
    }
}

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end";
const UNSAFE: &str = "decl x; void main() begin\n  x := *;\n  f(x);\nend\n\
                      void f(y) begin\n  if (y) then\n    ERROR: skip;\n  fi;\nend";

fn hardbop(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("hardbop starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // Who refuses its options, or ends at a limit, need not have read all.
    match stdin.write_all(input.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{error}"),
        _ => {}
    }
    drop(stdin);
    let output = child.wait_with_output().expect("hardbop ends");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The answer of `check --json` on a text, which the schema describes.
fn answer(schemas: &Schemas, arguments: &[&str], text: &str) -> Value {
    let output = hardbop(&[&["check", "-", "--json"], arguments].concat(), text);
    let answer = serde_json::from_str(&output).unwrap_or_else(|e| panic!("{e}: {output}"));
    let found = schemas.check(ANSWER, &answer);
    found.unwrap_or_else(|why| panic!("{arguments:?}\n{why}\n{answer:#}"));
    answer
}

#[test]
fn answers_on_boolean_programs() {
    let schemas = Schemas::new();
    let endless = hardbop(&["gen", "counter", "--size", "48"], "");
    let slow = ["--engine", "bdd", "--plain", "--time-limit", "100ms"];
    for (arguments, text, verdict) in [
        (&[][..], SAFE, "SAFE"),
        (&["--engine", "qbf"], UNSAFE, "UNSAFE"),
        (&["--trace", "none"], UNSAFE, "UNSAFE"),
        (&slow, &endless, "UNKNOWN"),
    ] {
        let answer = answer(&schemas, arguments, text);
        assert_eq!(
            (&answer["verdict"], &answer["language"]),
            (&json!(verdict), &json!("boolean-program"))
        );
        assert!(answer["statistics"]["sat-seconds"].is_f64(), "{answer:#}");
    }
    let traced = answer(&schemas, &[], UNSAFE);
    let call =
        traced["trace"]["steps"].as_array().expect("steps").iter().find(|s| s["kind"] == "call");
    let call = call.expect("a call");
    assert_eq!((&call["callee"], &call["changed"][0]["value"]), (&json!("f"), &json!("T")));
}

/// A document with a field of another name, another type or too few fields is refused.
#[test]
fn the_schema_is_strict() {
    let schemas = Schemas::new();
    let good = answer(&schemas, &[], UNSAFE);
    type Change = fn(&mut Value);
    let changes: [Change; 7] = [
        |a| a["boolean_statistics"] = json!({}),
        |a| a["statistics"]["tree_nodes"] = json!(1),
        |a| a["statistics"]["time"] = json!({"secs": "1"}),
        |a| a["reason"] = json!("time limit reached"),
        |a| a["schema"] = json!("hardbop-answer-0"),
        |a| a["trace"]["steps"][0]["kind"] = json!("BranchTaken"),
        |a| drop(a.as_object_mut().expect("fields").remove("warnings")),
    ];
    for change in changes {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(schemas.check(ANSWER, &bad).is_err(), "{bad:#}");
    }
}

#[test]
fn verdicts_of_each_property() {
    let schemas = Schemas::new();
    let mut runs = vec![("examples/lock-unsafe.bp", "--each")];
    if cfg!(feature = "c") {
        runs.extend([("examples/send-queue-bug.c", "--each"), ("examples/lock.c", "--entry=*")]);
    }
    for (file, option) in runs {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = hardbop(&["check", option, "--json", file.to_str().expect("UTF-8")], "");
        let each: Value = serde_json::from_str(&text).expect("JSON");
        schemas.check(EACH, &each).unwrap_or_else(|e| panic!("{e}: {each:#}"));
        // One proof is that of several.
        let properties = each["properties"].as_array().expect("a list");
        for property in properties.iter().filter(|property| !property["answer"].is_null()) {
            schemas.check(ANSWER, &property["answer"]).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[cfg(feature = "c")]
#[test]
fn findings_that_are_known_gone_and_silenced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let [file, log] = ["p.c", "p.sarif"].map(path);
    let text = "int main(int argc, char **argv) {\n  int i = argc + 2147483647;\n  return 8 / (argc - 2); // hardbop: ignore division: known\n}\n";
    let check = ["check", "--each", "--check=overflow,division", &file];
    fs::write(&file, text).expect("written");
    hardbop(&[&check[..], &["--sarif", &log]].concat(), "");
    fs::write(&file, text.replace("argc + 2147483647", "argc * 1000")).expect("written");
    let each = hardbop(&[&check[..], &["--baseline", &log, "--json"]].concat(), "");
    let each: Value = serde_json::from_str(&each).expect("JSON");
    Schemas::new().check(EACH, &each).unwrap_or_else(|e| panic!("{e}: {each:#}"));
    assert_eq!(each["gone"].as_array().map(Vec::len), Some(1), "{each:#}");
    assert_eq!(each["counts"]["silenced"]["errors"], 1, "{each:#}");
}

#[test]
fn lists() {
    let schemas = Schemas::new();
    let mut files = vec!["examples/lock-unsafe.bp"];
    if cfg!(feature = "c") {
        files.extend(["examples/lock.c", "examples/queue/queue.c"]);
    }
    for file in files {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = hardbop(&["list", "--json", file.to_str().expect("UTF-8")], "");
        let list: Value = serde_json::from_str(&text).expect("JSON");
        schemas.check(LIST, &list).unwrap_or_else(|e| panic!("{e}: {list:#}"));
        assert!(list["functions"][0]["line"].is_u64(), "{list:#}");
    }
}

#[cfg(feature = "c")]
mod c {
    use super::*;

    const DECLARED: &str =
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";
    const LOOP: &str = "int main(void) { int i = 0, n = __VERIFIER_nondet_int();\n\
        while (i < n && i < 9) i++; if (i > 9) reach_error(); return 0; }\n";
    const WRONG: &str = "int main(void) { int x = __VERIFIER_nondet_int();\n\
        if (x == 4242) reach_error(); return 0; }\n";

    #[test]
    fn answers_on_c_programs() {
        let schemas = Schemas::new();
        for (arguments, text, verdict, by) in [
            (&["--route", "tree", "--executions", "0"][..], LOOP, "SAFE", "tree"),
            (&["--route", "bp", "--executions", "0"], LOOP, "SAFE", "bp"),
            (&["--executions", "0"], WRONG, "UNSAFE", "tree"),
            (&["--overflow-check", "--memory", "havoc", "--64"], WRONG, "UNSAFE", "executions"),
            (&["--memory-limit", "1K", "--executions", "0"], LOOP, "UNKNOWN", "tree"),
        ] {
            let text = format!("{DECLARED}{text}");
            let answer = answer(&schemas, &[&["--language", "c"], arguments].concat(), &text);
            assert_eq!((&answer["verdict"], &answer["language"]), (&json!(verdict), &json!("c")));
            if verdict != "UNKNOWN" {
                assert_eq!(answer["answered-by"], by, "{answer:#}");
                assert!(answer["statistics"]["sizes"]["parsed"]["edges"].is_u64(), "{answer:#}");
            }
        }
    }

    #[test]
    fn certificates_of_c_programs_and_answers_about_witnesses() {
        let schemas = Schemas::new();
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
        let (file, to, witness) = (path("a.c"), path("c.json"), path("w.yml"));
        let only = "int main(void) { int x = 0; if (x) reach_error(); return 0; }\n";
        for (text, options) in [
            (LOOP, &["--explicit-states", "0"][..]),
            (LOOP, &["--executions", "0"]),
            (WRONG, &[]),
            (only, &[]),
        ] {
            fs::write(&file, format!("{DECLARED}{text}")).expect("it is written");
            hardbop(&[&["check", &file, "--certificate", &to][..], options].concat(), "");
            let read = fs::read_to_string(&to).expect("a certificate was written");
            let certificate: Value = serde_json::from_str(&read).expect("JSON");
            let found = schemas.check("c-certificate.schema.json", &certificate);
            found.unwrap_or_else(|why| panic!("{why}: {certificate:#}"));
            let mut other = certificate.clone();
            other["verdict"] = json!("UNKNOWN");
            assert!(schemas.check("c-certificate.schema.json", &other).is_err());
            hardbop(&["check", &file, "--dump-witness", &witness], "");
            let answer = hardbop(&["check", &file, "--witness", &witness, "--json"], "");
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            schemas.check(ANSWER, &answer).unwrap_or_else(|why| panic!("{why}: {answer:#}"));
            assert_eq!(answer["witness"]["result"], "confirmed");
        }
    }

    /// What a second process does is not modelled: UNKNOWN, however fast the machine.
    const UNDECIDED: &str = "extern void reach_error(void); int vfork(void);
        int main(void) { if (vfork()) reach_error(); }";

    #[test]
    fn requests_and_messages_of_the_server() {
        let schemas = Schemas::new();
        let c = format!("{DECLARED}{WRONG}");
        let automata = json!({
            "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
            "functions": [
                {"name": "main", "locations": ["s", "bad", "end"], "entry": "s", "exit": "end", "edges": [
                    {"from": "s", "to": "bad", "step": {"call": {"function": "f"}}, "line": 3},
                    {"from": "bad", "step": "error", "text": "assert"}]},
                {"name": "f", "locals": [{"name": "l", "sort": "Bool"}],
                 "locations": 2, "entry": 0, "exit": 1, "edges": [
                    {"from": 0, "to": 1, "step": {"havoc": {"variables": ["x"]}}}]}]});
        let counter = json!({"functions": [{"name": "main", "locations": 3, "entry": 0, "exit": 2,
            "locals": [{"name": "i", "sort": "(_ BitVec 16)"}], "edges": [
                {"from": 0, "to": 1, "step": {"assign": [["i", "#x0000"]]}},
                {"from": 1, "to": 1, "step": {"assign": [["i", "(bvadd i #x0002)"]]}},
                {"from": 1, "to": 2, "step": {"assume": "(= i #x0001)"}}]}]});
        let mut lines = vec![];
        for (i, (method, params)) in [
            ("hello", json!({})),
            ("check-bp", json!({"text": SAFE, "certificate": true, "statistics": true})),
            ("check-bp", json!({"text": UNSAFE, "certificate": true})),
            ("check-bp", json!({"text": "void main() begin x := T; end"})),
            ("check-c", json!({"text": c, "statistics": true, "options": {"memory": "havoc"}})),
            ("check-c", json!({"text": UNDECIDED, "options": {"memory-limit-bytes": 1_u64 << 40}})),
            ("check-automata", json!({"description": automata, "statistics": true})),
            ("check-automata", json!({"description": counter})),
            (
                "check-automata",
                json!({"description": counter, "options": {"route": "bp", "engine": "qbf"}}),
            ),
            ("abstract-c", json!({"text": c, "predicates": "true"})),
            ("abstract-formula", json!({"formula": "true"})),
            ("fmt-bp", json!({"text": SAFE})),
            ("cancel", json!({"id": "nobody"})),
            ("shutdown", json!({})),
        ]
        .into_iter()
        .enumerate()
        {
            let line = json!({"id": i, "method": method, "params": params, "progress": true});
            let found = schemas.check(PROTOCOL, &line);
            found.unwrap_or_else(|why| panic!("{why}\n{line:#}"));
            lines.push(line.to_string());
        }
        let output = hardbop(&["serve"], &(lines.join("\n") + "\n"));
        let mut verdicts = HashMap::new();
        for line in output.lines() {
            let message: Value = serde_json::from_str(line).expect("a message is JSON");
            let found = schemas.check(PROTOCOL, &message);
            found.unwrap_or_else(|why| panic!("{why}\n{message:#}"));
            if let Some(verdict) = message["result"]["verdict"].as_str() {
                verdicts.insert(message["id"].as_u64().expect("its number"), verdict.to_owned());
            }
        }
        let found: Vec<&str> = [1, 2, 4, 5, 6, 7, 8].iter().map(|i| verdicts[i].as_str()).collect();
        assert_eq!(found, ["SAFE", "UNSAFE", "UNSAFE", "UNKNOWN", "UNSAFE", "SAFE", "SAFE"]);
    }
}
