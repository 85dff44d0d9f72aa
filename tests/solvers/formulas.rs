//! `hardbop sat` and `hardbop qbf`.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("hardbop starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("hardbop ends");
    writer.join().expect("the writer does not panic");
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn next(state: &mut u64, n: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) % n
}

fn on(row: u32, l: i32) -> bool {
    (row >> (l.abs() - 1) & 1 == 1) == (l > 0)
}

fn holds(clauses: &[Vec<i32>], row: u32) -> bool {
    clauses.iter().all(|c| c.iter().any(|&l| on(row, l)))
}

fn random_clauses(state: &mut u64, variables: u64, clauses: u64) -> Vec<Vec<i32>> {
    (0..clauses)
        .map(|_| {
            (0..1 + next(state, 3))
                .map(|_| {
                    let v = 1 + next(state, variables) as i32;
                    if next(state, 2) == 1 { v } else { -v }
                })
                .collect()
        })
        .collect()
}

fn text(prefix: &str, variables: u64, clauses: &[Vec<i32>]) -> String {
    let mut text = format!("c a comment\np cnf {variables} {}\n{prefix}", clauses.len());
    for c in clauses {
        c.iter().for_each(|l| text.push_str(&format!("{l} ")));
        text.push_str("0\n");
    }
    text
}

#[test]
fn sat_answers_and_models() {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..60 {
        let clauses = random_clauses(&mut state, 6, 10);
        let expected = (0..64).any(|row| holds(&clauses, row));
        let solver = ["cadical", "varisat"][number % 2];
        let output = run(&["sat", "--sat", solver, "-"], text("", 6, &clauses).as_bytes());
        let out = stdout(&output);
        if expected {
            sat += 1;
            assert_eq!(output.status.code(), Some(10), "{out}");
            assert_eq!(out.lines().next(), Some("s SATISFIABLE"));
            let words =
                out.lines().skip(1).flat_map(|l| l.strip_prefix("v ").expect("values").split(' '));
            let model: Vec<i32> = words.map(|w| w.parse().expect("a literal")).collect();
            assert_eq!(model.last(), Some(&0));
            let row = model.iter().filter(|&&l| l > 0).fold(0, |row, l| row | 1 << (l - 1));
            assert!(holds(&clauses, row), "{clauses:?} {out}");
        } else {
            unsat += 1;
            assert_eq!((output.status.code(), out.as_str()), (Some(20), "s UNSATISFIABLE\n"));
        }
    }
    assert!(sat > 5 && unsat > 5, "{sat} {unsat}");
}

/// Enumeration of a prefix, outermost first; free variables are existential.
fn truth(prefix: &[(char, Vec<i32>)], clauses: &[Vec<i32>], row: u32) -> bool {
    match prefix {
        [] => holds(clauses, row),
        [(quantifier, variables), rest @ ..] => {
            let mut all = (0..1_u32 << variables.len()).map(|values| {
                let row = variables
                    .iter()
                    .enumerate()
                    .fold(row, |row, (k, v)| row & !(1 << (v - 1)) | (values >> k & 1) << (v - 1));
                truth(rest, clauses, row)
            });
            if *quantifier == 'a' { all.all(|v| v) } else { all.any(|v| v) }
        }
    }
}

#[test]
fn qbf_answers_for_all_prefixes_that_are_supported() {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let (mut yes, mut no) = (0, 0);
    let shapes = ["ae", "ae", "ae", "e", "a", "ea", "aea", "aaee", ""];
    for number in 0..140 {
        let shape = shapes[number % shapes.len()];
        let mut prefix: Vec<(char, Vec<i32>)> = shape.chars().map(|q| (q, vec![])).collect();
        for v in 1..=6 {
            let block = next(&mut state, shape.len().max(1) as u64) as usize;
            if let Some(b) = prefix.get_mut(block) {
                b.1.push(v);
            }
        }
        let block = |(q, vs): &(char, Vec<i32>)| {
            let vs: Vec<String> = vs.iter().map(|v| format!("{v} ")).collect();
            format!("{q} {}0\n", vs.concat())
        };
        let lines: String = prefix.iter().map(block).collect();
        let count = 2 + next(&mut state, 6);
        let clauses = random_clauses(&mut state, 6, count);
        if shape.is_empty() {
            prefix.push(('e', (1..=6).collect()));
        }
        let expected = truth(&prefix, &clauses, 0);
        let output = run(&["qbf", "-"], text(&lines, 6, &clauses).as_bytes());
        let out = stdout(&output);
        let (code, answer) = if expected { (10, 1) } else { (20, 0) };
        assert_eq!(
            output.status.code(),
            Some(code),
            "{lines}{clauses:?}\n{out}{}",
            stderr(&output)
        );
        assert_eq!(out.lines().next(), Some(&*format!("s cnf {answer} 6 {count}")), "{lines}");
        let values: Vec<i32> = out
            .lines()
            .filter_map(|l| l.strip_prefix("V ")?.strip_suffix(" 0")?.parse().ok())
            .collect();
        if expected {
            yes += 1;
            assert_eq!(out.lines().count(), 1, "{out}");
        } else if prefix.first().is_some_and(|b| b.0 == 'a') {
            no += 1;
            // The values of the outermost block alone refute the formula.
            let row = values.iter().filter(|&&l| l > 0).fold(0, |row, l| row | 1 << (l - 1));
            let mut rest = prefix.clone();
            rest.iter_mut().take_while(|b| b.0 == 'a').for_each(|b| b.1.clear());
            assert!(!truth(&rest, &clauses, row), "{lines}{clauses:?}\n{out}");
        }
    }
    assert!(yes > 20 && no > 20, "{yes} {no}");
}

#[test]
fn qbf_with_other_solvers() {
    let formula = b"p cnf 3 4\na 1 2 0\ne 3 0\n3 -1 0\n3 -2 0\n-3 1 2 0\n1 2 3 0\n";
    let mut solvers = vec!["embedded"];
    #[cfg(feature = "depqbf")]
    solvers.push("depqbf");
    if Command::new("depqbf").arg("--help").stdout(Stdio::null()).status().is_ok() {
        solvers.extend(["cmd:depqbf {}", "cmd:depqbf --qdo"]);
    }
    for solver in solvers {
        let output = run(&["qbf", "--qbf", solver, "-"], formula);
        assert_eq!(stdout(&output).lines().next(), Some("s cnf 0 3 4"), "{solver}");
        assert_eq!(output.status.code(), Some(20), "{solver}");
    }
    let output = run(&["qbf", "--qbf", "cmd:no-such-program", "-"], formula);
    assert_eq!(output.status.code(), Some(2));
    #[cfg(unix)]
    {
        let output = run(&["qbf", "--qbf", "cmd:false", "-"], formula);
        let expected = "c solver gave up: it ended with exit code 1\ns cnf -1 3 4\n";
        assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(0)));
    }
}

/// A query as `check --dump-qbf` writes it is decided at once, for its gates are found again.
#[test]
fn dumped_queries_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let queries = folder.path().join("queries");
    let program = "decl a, b, c;
        void main() begin
          a, b, c := T, F, F;
          while (*) do a, b, c := schoose[a, b], a & *, b | (c & *) constrain ('a => !'b); od;
          assert(!c | a | b | !a);
        end";
    let dump = queries.to_str().expect("UTF-8");
    let check = ["check", "--plain", "--engine", "qbf", "-q", "--dump-qbf", dump, "-"];
    assert_eq!(run(&check, program.as_bytes()).status.code(), Some(0));
    let mut count = 0;
    for file in std::fs::read_dir(&queries).expect("a folder") {
        let file = file.expect("an entry").path();
        let output = run(&["qbf", file.to_str().expect("UTF-8")], b"");
        assert!(matches!(output.status.code(), Some(10 | 20)), "{}", stderr(&output));
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn mistakes_are_placed() {
    for (command, input, message) in [
        ("sat", "p cnf 1 1\nfoo 0\n", "<stdin>:2: `foo` is not a number"),
        ("sat", "1 0\n", "<stdin>:1: no header"),
        ("sat", "", "<stdin>:1: no header"),
        ("sat", "p cnf 1 2\n1 0\n", "<stdin>:1: 1 clauses where the header promises 2"),
        ("sat", "p cnf 2 1\n1 2\n", "<stdin>:2: the last clause"),
        ("qbf", "p cnf 2 1\na 1 2\n1 0\n", "<stdin>:2: a block of quantifiers does not end"),
        ("qbf", "p cnf 2 1\na 1 0\ne 1 0\n1 0\n", "<stdin>:3: variable 1 is quantified twice"),
        (
            "qbf",
            "p cnf 3 2\ne 1 0\na 2 0\ne 3 0\n1 2 3 0\n-1 -2 -3 0\n",
            "<stdin>:2: an existential block outside",
        ),
        (
            "qbf",
            "p cnf 4 2\na 4 0\ne 1 0\na 2 0\ne 3 0\n1 2 3 0\n-1 -2 -3 4 0\n",
            "<stdin>:3: an existential block outside",
        ),
        ("qbf", "p cnf 3 1\na 2 0\ne 3 0\n1 2 3 0\n", "<stdin>:1: variable 1 is not quantified"),
    ] {
        let output = run(&[command, "-"], input.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{input}");
        assert!(stderr(&output).contains(message), "{input}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{input}");
    }
    let output = run(&["sat", "/no/such/file"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn junk_is_refused_quickly() {
    let mut state = 7;
    let noise: Vec<u8> = (0..3_000_000).map(|_| next(&mut state, 256) as u8).collect();
    let inputs: [Vec<u8>; 5] = [
        noise,
        vec![0; 1_000_000],
        b"p cnf 2147483647 9223372036854775807\n".to_vec(),
        [&b"p cnf 1 1\n"[..], &b"9".repeat(5_000_000)].concat(),
        b"p cnf 0 0 ".repeat(300_000),
    ];
    for input in &inputs {
        for command in ["sat", "qbf"] {
            let start = Instant::now();
            let output = run(&[command, "-"], input);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).starts_with("error: <stdin>:"), "{}", stderr(&output));
            assert!(stderr(&output).len() < 300, "{}", stderr(&output).len());
            assert!(start.elapsed() < Duration::from_secs(10));
        }
    }
}

/// Many variables in the header only are no problem; nor are long clauses and many blocks.
#[test]
fn large_headers_and_clauses() {
    let output = run(&["sat", "-"], b"p cnf 2147483647 1\n-7 0\n");
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    let output = run(&["sat", "-"], b"p cnf 2147483647 1\n2147483647 0\n");
    assert_eq!(stdout(&output), "s SATISFIABLE\nv 2147483647 0\n", "{}", stderr(&output));
    let output = run(&["qbf", "-"], b"p cnf 2147483647 1\ne 2147483647 0\n-2147483647 0\n");
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    let long: String = (1..=100_000).map(|v| format!("{v} ")).collect();
    let formula = format!("p cnf 100000 1\na 1 0\ne 2 0\n{long}0\n")
        .replace("e 2 0", &format!("e {}0", &long[2..]));
    let output = run(&["qbf", "-"], formula.as_bytes());
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    // One alternation after the other, of variables that do not matter.
    let blocks: String = (2..=100_001).map(|v| format!("{} {v} 0\n", ["a", "e"][v % 2])).collect();
    let formula = format!("p cnf 100001 1\ne 1 0\n{blocks}1 0\n");
    let output = run(&["qbf", "-"], formula.as_bytes());
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
}

#[test]
fn time_limits_end_without_an_answer() {
    // Pigeons.
    let holes = 12;
    let at = |p: i32, h: i32| p * holes + h + 1;
    let mut clauses: Vec<Vec<i32>> =
        (0..=holes).map(|p| (0..holes).map(|h| at(p, h)).collect()).collect();
    for h in 0..holes {
        for p in 0..=holes {
            clauses.extend((0..p).map(|q| vec![-at(p, h), -at(q, h)]));
        }
    }
    let formula = text("", ((holes + 1) * holes) as u64, &clauses);
    for (arguments, line) in [
        (&["sat", "-", "--time-limit", "300ms"][..], "s UNKNOWN"),
        (&["sat", "-", "--time-limit", "300ms", "--sat", "varisat"], "s UNKNOWN"),
        (&["qbf", "-", "--time-limit", "300ms"], "s cnf -1 156 949"),
    ] {
        let start = Instant::now();
        let output = run(arguments, formula.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stdout(&output), format!("c time limit reached\n{line}\n"));
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}
