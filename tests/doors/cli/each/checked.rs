//! The line `checked:` of an answer, and its object in JSON.

use super::*;

/// One line each: what is counted is behind it.
const PROGRAM: &str = "#include <assert.h>
extern int nondet_int(void);
extern void reach_error(void);
static int never_called(int *p, int k) { return p[k] / k; }  // sum: bounds, null, division, overflow
int main(void) {
  int a[5], i = nondet_int();
  a[2] = 1;                                                   // decided by the text
  if (i >= 0 && i < 5) a[i] = 3;                              // bounds
  if (a[2] > 8 / 2) reach_error();                            // call
  i = i + 1 + a[2];                                           // overflow, twice
  assert(a[2] == 1); assert(a[2] == 1);                       // assertion, twice
  if (a[2] == 3) { WRONG: return 2; }                         // label
  return 0;
}
";

#[test]
fn places_are_counted_by_what_is_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    fs::write(&file, PROGRAM).expect("a file");
    let file = file.to_str().expect("a name");
    let check = ["check", file, "--check", "overflow,bounds,null,division,free"];
    let check = [&check[..], &["--error", "WRONG"]].concat();
    let out = run(&check, b"");
    let said = stderr(&out);
    let line = said.lines().find(|line| line.starts_with("checked: ")).expect("the line");
    let words = "checked: 2 assertions, 1 call of an error function, 1 error label, 3 operations on signed integers, \
                 2 accesses and indices for their bounds, 1 access through a pointer, 1 division";
    assert_eq!(line, words);
    for more in [&["--json"][..], &["--json", "--time-limit", "0s"]] {
        let out = run(&[&check[..], more].concat(), b"");
        assert!(!stderr(&out).contains("checked:"), "{}", stderr(&out));
        let document: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let counts = serde_json::json!({
            "assertion": 2, "call": 1, "label": 1, "overflow": 3, "bounds": 2, "null": 1, "division": 1, "float-division": 0, "free": 0, "library": 0,
        });
        assert_eq!(document["checked"], counts, "{more:?}");
    }
    let out = run(&[&check[..], &["--quiet"]].concat(), b"");
    assert!(!stderr(&out).contains("checked"), "{}", stderr(&out));
    let out = run(&["check", "examples/lock-safe.bp", "--json"], b"");
    let document: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert!(document.get("checked").is_none());
}

/// Code of hardbop is not what a user wrote: its operations are counted, but by themselves.
#[test]
fn code_of_the_library_is_counted_by_itself() {
    let text = "#include <string.h>\nint main(void) {\n  char text[] = \"a,b\";\n  char *all = strtok(text, \",\");\n  \
                return all ? all[0] : 0;\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    fs::write(&file, text).expect("a file");
    let out = run(&["check", file.to_str().expect("a name"), "--check", "null", "--json"], b"");
    let document: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(document["checked"]["null"], 1, "{}", document["checked"]);
    assert!(document["checked"]["library"].as_u64() > Some(1), "{}", document["checked"]);
}
