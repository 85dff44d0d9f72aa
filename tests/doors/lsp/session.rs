//! The session: Boolean programs, progress, cancelling, what is saved meanwhile, and what is no message.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Client, folder, shown, write};

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end\n";
const UNSAFE: &str = "void main() begin\n  decl x;\n  x := *;\n  assert(x);\nend\n";

/// A counter of 40 bits: to count to the end takes longer than anyone waits.
fn slow() -> String {
    let bits: Vec<String> = (0..40).map(|i| format!("b{i}")).collect();
    let zeros = vec!["F"; 40].join(", ");
    let mut next = vec!["!b0".to_owned()];
    let mut carry = "b0".to_owned();
    for i in 1..40 {
        next.push(format!("(b{i} != ({carry}))"));
        carry = format!("{carry} & b{i}");
    }
    let (all, next) = (bits.join(", "), next.join(", "));
    format!(
        "decl {all};\nvoid main() begin\n  {all} := {zeros};\n  while (!(b39 & b38 & b0)) do\n    {all} := {next};\n  od;\n  \
         assert(F);\nend\n"
    )
}

fn progress() -> Value {
    json!({ "capabilities": { "window": { "workDoneProgress": true } } })
}

/// Waits for progress to begin; its token.
fn begun(client: &mut Client) -> Value {
    let create = client.wait(|m| m["method"] == "window/workDoneProgress/create");
    client.send(&json!({ "jsonrpc": "2.0", "id": create["id"], "result": null }));
    let token = create["params"]["token"].clone();
    let begin = client.wait(|m| m["method"] == "$/progress" && m["params"]["token"] == token);
    assert_eq!(begin["params"]["value"]["kind"], "begin");
    assert_eq!(begin["params"]["value"]["cancellable"], true);
    token
}

/// Waits for progress to end; its last words.
fn ended(client: &mut Client, token: &Value) -> Value {
    let end = client.wait(|m| {
        let params = &m["params"];
        m["method"] == "$/progress" && params["token"] == *token && params["value"]["kind"] == "end"
    });
    end["params"]["value"]["message"].clone()
}

#[test]
fn boolean_programs_are_checked_when_they_are_opened_and_saved() {
    let folder = folder(&[("a.bp", UNSAFE), ("notes.txt", "assert")]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open("notes.txt");
    client.open("a.bp");
    let found = client.diagnostics("a.bp");
    assert_eq!(shown(&found), ["1 reachable-error 3:2-11"]);
    assert!(found[0]["relatedInformation"].as_array().is_some_and(|steps| steps.len() >= 2));
    write(
        &folder.path().join("a.bp"),
        "void main() begin\n  decl x;\n  y := T; z := x;\n  assert(x);\nend\n",
    );
    client.save("a.bp");
    assert_eq!(shown(&client.diagnostics("a.bp")), ["1 undeclared 2:2-3", "1 undeclared 2:10-11"]);
    write(&folder.path().join("a.bp"), SAFE);
    client.save("a.bp");
    assert!(client.diagnostics("a.bp").is_empty());
    // A program without anything to check is none that is wrong.
    write(&folder.path().join("a.bp"), "void main() begin skip; end");
    client.save("a.bp");
    assert_eq!(shown(&client.diagnostics("a.bp")), ["3 not-checked 0:0-0"]);
    client.close("a.bp");
    assert!(client.diagnostics("a.bp").is_empty());
    // What is not open is not checked.
    client.save("a.bp");
    client.end();
}

#[test]
fn a_check_can_be_cancelled_and_those_behind_it_are_not() {
    let folder = folder(&[("slow.bp", &slow()), ("b.bp", UNSAFE)]);
    let mut client =
        Client::new(folder.path(), &["--time-limit", "1h", "--engine", "bdd"], &progress());
    client.open("slow.bp");
    let token = begun(&mut client);
    client.open("b.bp");
    let report = client.wait(|m| m["params"]["value"]["kind"] == "report");
    let words = report["params"]["value"]["message"].as_str().expect("words");
    assert!(words.starts_with("slow.bp: ") && words.ends_with(" s of 3600 s"), "{words}");
    client.notify("window/workDoneProgress/cancel", &json!({ "token": "hardbop/99" }));
    client.notify("window/workDoneProgress/cancel", &json!({ "token": token }));
    assert_eq!(ended(&mut client, &token), "cancelled");
    let token = begun(&mut client);
    assert_eq!(shown(&client.diagnostics("b.bp")).len(), 1);
    assert_eq!(ended(&mut client, &token), Value::Null);
    assert!(!client.has("textDocument/publishDiagnostics"), "nothing is said of 'slow.bp'");
    client.end();
}

#[test]
fn a_file_that_is_saved_meanwhile_is_checked_anew() {
    let folder = folder(&[("a.bp", &slow())]);
    let mut client =
        Client::new(folder.path(), &["--time-limit", "1h", "--engine", "bdd"], &progress());
    client.open("a.bp");
    let token = begun(&mut client);
    write(&folder.path().join("a.bp"), UNSAFE);
    client.save("a.bp");
    client.save("a.bp");
    assert_eq!(ended(&mut client, &token), "cancelled");
    assert_eq!(shown(&client.diagnostics("a.bp")), ["1 reachable-error 3:2-11"]);
    client.end();
}

#[test]
fn what_is_not_decided_in_time_is_told() {
    let folder = folder(&[("slow.bp", &slow())]);
    let arguments = ["--engine", "bdd", "--time-limit", "2s"];
    let mut client = Client::new(folder.path(), &arguments, &Value::Null);
    client.open("slow.bp");
    let found = client.diagnostics("slow.bp");
    assert_eq!(shown(&found), ["3 reachable-error 6:2-11"]);
    let message = found[0]["message"].as_str().expect("words");
    assert!(message.contains("It is not known whether 'assert(F)'"), "{message}");
    client.end();
}

#[test]
fn the_end_leaves_no_process_behind() {
    let folder = folder(&[("slow.bp", &slow())]);
    let mut client =
        Client::new(folder.path(), &["--time-limit", "1h", "--engine", "bdd"], &progress());
    client.open("slow.bp");
    begun(&mut client);
    client.wait(|m| m["params"]["value"]["kind"] == "report");
    assert!(are_running(folder.path()) || !cfg!(target_os = "linux"));
    // The editor has gone, without a word.
    assert_eq!(client.exit(), Some(1));
    let start = Instant::now();
    while are_running(folder.path()) {
        assert!(start.elapsed() < Duration::from_secs(20), "a process is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether there are processes that have a folder in their command line, where the system tells.
fn are_running(folder: &Path) -> bool {
    let folder = folder.to_str().expect("a name");
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(folder))
}

#[test]
fn requests_that_do_not_fit_are_refused() {
    let folder = folder(&[]);
    let code = |answer: Value| answer["error"]["code"].as_i64().expect("an error");
    let mut client = Client::silent(folder.path(), &[]);
    assert_eq!(code(client.request("textDocument/hover", &json!({}))), -32_002);
    assert_eq!(code(client.request("initialize", &json!({ "capabilities": 3 }))), -32_602);
    client.notify("textDocument/didOpen", &json!({}));
    let answer = client.request("initialize", &json!({ "capabilities": {} }));
    assert_eq!(answer["result"]["serverInfo"]["name"], "hardbop");
    assert_eq!(code(client.request("initialize", &json!({ "capabilities": {} }))), -32_600);
    assert_eq!(code(client.request("textDocument/hover", &json!({}))), -32_601);
    client.notify("$/setTrace", &json!({ "value": "off" }));
    client.notify("textDocument/didSave", &json!([1]));
    let log = client.wait(|m| m["method"] == "window/logMessage");
    assert!(
        log["params"]["message"].as_str().is_some_and(|m| m.starts_with("textDocument/didSave"))
    );
    let untitled = json!({ "uri": "untitled:a.c", "languageId": "c", "version": 1, "text": "" });
    client.notify("textDocument/didOpen", &json!({ "textDocument": untitled }));
    assert_eq!(client.request("shutdown", &Value::Null)["result"], Value::Null);
    assert_eq!(code(client.request("shutdown", &Value::Null)), -32_600);
    client.notify("exit", &Value::Null);
    assert_eq!(client.code(), Some(0));

    let mut client = Client::silent(folder.path(), &[]);
    client.notify("exit", &Value::Null);
    assert_eq!(client.code(), Some(1));
}

#[test]
fn what_is_no_message_is_told_and_skipped() {
    let folder = folder(&[]);
    let mut client = Client::silent(folder.path(), &[]);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for content in ["{", "[]", "3", "{\"id\": 1.5}", "\u{fc}", "", &deep] {
        client.raw(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
    }
    client.raw(b"Content-Length: 1\r\n\r\n\xff");
    client.raw(b"noise\nContent-Length: many\r\n\r\nContent-Type: x\r\n\r\n");
    for _ in 0..12 {
        let answer = client.wait(|message| message["id"].is_null());
        assert_eq!(answer["error"]["code"], -32_700, "{answer}");
    }
    let answer = client.request("initialize", &json!({ "capabilities": {} }));
    assert_eq!(answer["result"]["serverInfo"]["name"], "hardbop");
    client.end();
}
