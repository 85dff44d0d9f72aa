//! C files: faults with the way into them, headers, mistakes, what is not known, and the options of clients.

use serde_json::{Value, json};

use super::{Client, folder, range, shown, write};

const NONDET: &str = "extern int __VERIFIER_nondet_int(void);\n";

fn program(rest: &str) -> String {
    format!("{NONDET}{rest}")
}

#[test]
fn a_fault_is_shown_with_the_way_into_it_until_it_is_corrected() {
    let text = "static int part(int n) { return 100 / n; }\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                if (n >= 0) part(n);\n  return 0;\n}\n";
    let name = "a b/f\u{fc}r.c";
    let uri = "a%20b/f%C3%BCr.c";
    let folder = folder(&[(name, &program(text))]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open(uri);
    let found = client.diagnostics(uri);
    assert_eq!(shown(&found), ["1 division-by-zero 1:38-39"]);
    let message = found[0]["message"].as_str().expect("words");
    assert!(message.contains("division by zero in line 2, in 'part'"), "{message}");
    let page = "https://cwe.mitre.org/data/definitions/369.html";
    assert_eq!(found[0]["codeDescription"]["href"], page);
    let steps = found[0]["relatedInformation"].as_array().expect("a list");
    let steps: Vec<(String, &str)> = steps
        .iter()
        .map(|step| {
            assert_eq!(step["location"]["uri"], *client.uri(uri));
            (range(&step["location"]["range"]), step["message"].as_str().expect("words"))
        })
        .collect();
    let expected = [
        ("3:10-31", "__VERIFIER_nondet_int(); n = 0"),
        ("4:6-7", "n >= 0: true"),
        ("4:14-18", "part(n); n = 0"),
        ("1:38-39", "n: ERROR"),
    ];
    assert_eq!(steps, expected.map(|(range, words)| (range.to_owned(), words)));

    write(&folder.path().join(name), &program(&text.replace("n >= 0", "n > 0")));
    client.save(uri);
    assert_eq!(client.diagnostics(uri), [] as [Value; 0]);
    client.end();
}

#[test]
fn columns_are_those_of_utf_16() {
    let text = "int main(void) { /* \u{e9}\u{1f600} */ return 1 / __VERIFIER_nondet_int(); }\n";
    let folder = folder(&[("a.c", &program(text))]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open("a.c");
    assert_eq!(shown(&client.diagnostics("a.c")), ["1 division-by-zero 1:38-61"]);
    client.end();
}

#[test]
fn a_fault_in_a_header_is_shown_there_once() {
    let header = "static int half(int n) { return 1 / n; }\n";
    let text =
        program("#include \"h.h\"\nint main(void) { return half(__VERIFIER_nondet_int()); }\n");
    let folder = folder(&[("src/h.h", header), ("src/a.c", &text), ("src/b.c", &text)]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open("src/a.c");
    let of_header = client.diagnostics("src/h.h");
    assert_eq!(shown(&of_header), ["1 division-by-zero 0:36-37"]);
    assert!(client.diagnostics("src/a.c").is_empty());
    client.open("src/b.c");
    assert_eq!(client.diagnostics("src/h.h"), of_header);
    // The other file still includes it.
    client.close("src/a.c");
    assert_eq!(shown(&client.diagnostics("src/h.h")), shown(&of_header));
    client.close("src/b.c");
    assert!(client.diagnostics("src/h.h").is_empty());
    client.end();
}

#[test]
fn mistakes_are_shown_at_their_places() {
    let text = "int main(void) {\n  int count = 0;\n  cuont++;\n  return other;\n}\n";
    let include = "#include \"not-there.h\"\nint main(void) { return 0; }\n";
    let library = "int f(void) { return 0; }\nint g(void) { return 0; }\n";
    let folder = folder(&[("a.c", text), ("b.c", include), ("c.c", library)]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open("a.c");
    let found = client.diagnostics("a.c");
    assert_eq!(shown(&found), ["1 undeclared 2:2-7", "1 undeclared 3:9-14"]);
    assert!(found[0]["message"].as_str().is_some_and(|m| m.contains("'count'")), "{}", found[0]);
    client.open("b.c");
    let found = client.diagnostics("b.c");
    assert_eq!(found.len(), 1);
    assert!(shown(&found)[0].starts_with("1 preprocessor 0:"), "{}", found[0]);
    // Functions for others are no mistake.
    client.open("c.c");
    let found = client.diagnostics("c.c");
    assert!(shown(&found)[0].starts_with("3 no-entry "), "{}", found[0]);
    client.end();
}

#[test]
fn options_are_those_of_check_and_a_compile_database_is_used() {
    let text = "#ifdef SAFE\n#define N 3\n#else\n#define N 1\n#endif\n\
                int main(void) { int a[N] = {0}; return a[2] / N; }\n";
    let guarded = "int f(int n) { return 1 / n; }\nint g(int n) { return n ? 1 / n : 0; }\n";
    let folder = folder(&[("a.c", text), ("f.c", guarded)]);
    let mut client = Client::new(folder.path(), &[], &Value::Null);
    client.open("a.c");
    assert_eq!(shown(&client.diagnostics("a.c")), ["1 out-of-bounds 5:42-43"]);
    let command = json!([{ "directory": folder.path(), "file": "a.c", "arguments": ["cc", "-DSAFE", "-c", "a.c"] }]);
    write(&folder.path().join("build/compile_commands.json"), &command.to_string());
    client.save("a.c");
    assert!(client.diagnostics("a.c").is_empty());
    client.end();

    // Words of the command line come before those of the client.
    let options = json!({ "initializationOptions": { "arguments": ["--entry", "*"] } });
    let mut client = Client::new(folder.path(), &["--check", "division"], &options);
    client.open("f.c");
    assert_eq!(shown(&client.diagnostics("f.c")), ["1 division-by-zero 0:26-27"]);
    client.end();

    let options = json!({ "initializationOptions": { "arguments": ["--no-such"] } });
    let mut client = Client::new(folder.path(), &[], &options);
    client.open("f.c");
    let found = client.diagnostics("f.c");
    assert_eq!(shown(&found), ["3 not-checked 0:0-0"]);
    assert!(found[0]["message"].as_str().is_some_and(|m| m.contains("--no-such")), "{}", found[0]);
    client.end();
}

#[test]
fn what_a_comment_silences_is_not_shown_and_clients_without_related_places_are_told_in_words() {
    let text = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  int m = 1 / n; // hardbop: ignore division: a test\n  \
                return m / (n - 5);\n}\n";
    let folder = folder(&[("a.c", &program(text))]);
    let mut client =
        Client::new(folder.path(), &["--check", "division"], &json!({ "capabilities": {} }));
    client.open("a.c");
    let found = client.diagnostics("a.c");
    assert_eq!(shown(&found), ["1 division-by-zero 4:13-20"]);
    let message = found[0]["message"].as_str().expect("words");
    assert!(message.contains("\na.c:3: __VERIFIER_nondet_int(); n = 5"), "{message}");
    assert!(found[0].get("relatedInformation").is_none(), "{}", found[0]);
    client.end();
}
