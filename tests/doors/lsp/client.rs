//! A small client: it writes messages, and waits for those of the server.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Longest time between two messages, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that came while others were waited for.
    before: VecDeque<Value>,
    requests: i32,
    /// The URI of a file's folder.
    root: String,
}

impl Client {
    /// A client for the files of a folder, behind `initialize` with these members.
    pub fn new(root: &Path, arguments: &[&str], members: &Value) -> Self {
        let mut client = Self::silent(root, arguments);
        let uri = client.root.clone();
        let mut parameters = json!({ "processId": null, "rootUri": uri, "capabilities": {
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        } });
        for (name, value) in members.as_object().into_iter().flatten() {
            parameters[name] = value.clone();
        }
        let answer = client.request("initialize", &parameters);
        let sync = &answer["result"]["capabilities"]["textDocumentSync"];
        assert_eq!((&sync["openClose"], &sync["save"]), (&json!(true), &json!(true)), "{answer}");
        client.notify("initialized", &json!({}));
        client
    }

    /// A client that has said nothing.
    pub fn silent(root: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
        command.arg("lsp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("hardbop starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let root = format!("file://{}", root.to_str().expect("a name"));
        Self { child, stdin, messages, before: VecDeque::new(), requests: 0, root }
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// The next message that is so; others are kept.
    pub fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.before.iter().position(&is_it) {
            return self.before.remove(at).expect("it is there");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server says something");
            if is_it(&message) {
                return message;
            }
            self.before.push_back(message);
        }
    }

    /// Whether a message of this method has come that nobody has waited for.
    pub fn has(&self, method: &str) -> bool {
        self.before.iter().any(|message| message["method"] == method)
    }

    pub fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }

    /// Says that a file was opened; the text does not count.
    pub fn open(&mut self, name: &str) {
        let document =
            json!({ "uri": self.uri(name), "languageId": "c", "version": 1, "text": "" });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    pub fn save(&mut self, name: &str) {
        let document = json!({ "textDocument": { "uri": self.uri(name) } });
        self.notify("textDocument/didSave", &document);
    }

    pub fn close(&mut self, name: &str) {
        let document = json!({ "textDocument": { "uri": self.uri(name) } });
        self.notify("textDocument/didClose", &document);
    }

    /// The next diagnostics of a file.
    pub fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        let message = self.wait(|message| {
            let is_it = message["method"] == "textDocument/publishDiagnostics";
            is_it && message["params"]["uri"] == *uri
        });
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Ends the session as the protocol says.
    pub fn end(mut self) {
        let answer = self.request("shutdown", &Value::Null);
        assert_eq!(answer["result"], Value::Null);
        assert!(answer.get("error").is_none(), "{answer}");
        self.notify("exit", &Value::Null);
        assert_eq!(self.exit(), Some(0));
    }

    /// The exit code, once the input is closed.
    pub fn exit(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("it ends").code()
    }

    /// The exit code of a server that ends by itself.
    pub fn code(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

/// A message of the server.
fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("messages are JSON"))
}
