//! Archives of C files: one program, whatever else is in the archive; what could do harm is
//! refused.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

fn hardbop(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(arguments).args(["--time-limit", "60"]).current_dir(folder);
    command.output().expect("hardbop runs")
}

fn last(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

const MAIN: &str = "#include \"inc/limit.h\"\nextern int next(int);\nextern void reach_error(void);\n\
    static int here = 3;\nint main(void) {\n  if (next(here) > LIMIT) reach_error();\n  return 0;\n}\n";
const NEXT: &str = "static int here = 1;\nint next(int n) { return n + here; }\n";

/// The files of a program that is safe if the limit is 4, and not if it is 3.
fn program(limit: u32) -> Vec<(&'static str, String)> {
    vec![
        ("p/main.c", MAIN.to_owned()),
        ("./p/next.i", NEXT.to_owned()),
        ("p/inc/limit.h", format!("#define LIMIT {limit}\n")),
        ("README", "no program\n".to_owned()),
        ("old/.main.c.swp", "no program\n".to_owned()),
    ]
}

fn tar(files: &[(&str, String)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(vec![]);
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        // Not all names are ones that the builder writes.
        header.as_gnu_mut().expect("it is one").name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, text.as_bytes()).expect("it is written");
    }
    archive.into_inner().expect("it is written")
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(vec![], Compression::fast());
    out.write_all(bytes).expect("it is written");
    out.finish().expect("it is written")
}

fn zipped(files: &[(&str, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, text) in files {
        archive.start_file(*name, SimpleFileOptions::default()).expect("it is written");
        archive.write_all(text.as_bytes()).expect("it is written");
    }
    archive.finish().expect("it is written").into_inner()
}

#[test]
fn the_files_of_an_archive_are_one_program() {
    let folder = tempfile::tempdir().expect("a folder");
    for (limit, verdict) in [(4, "VERDICT: SAFE"), (3, "VERDICT: UNSAFE")] {
        let files = program(limit);
        for (name, bytes) in [
            ("a.tar", tar(&files)),
            ("a.tar.gz", packed(&tar(&files))),
            ("a.tgz", packed(&tar(&files))),
            ("a.zip", zipped(&files)),
        ] {
            fs::write(folder.path().join(name), bytes).expect("it is written");
            let output = hardbop(folder.path(), &["check", name]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(last(&output), verdict, "{name}: {said}");
            if limit == 3 {
                let shown = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(shown.contains(&format!("{name}/p/main.c:6")), "{shown}");
            }
        }
    }
    // Everything that takes files takes them, under names that do not depend on where the archive
    // was unpacked.
    let output = hardbop(
        folder.path(),
        &[
            "check",
            "a.zip",
            "-q",
            "--certificate",
            "c.json",
            "--dump-witness",
            "w.yml",
            "--html",
            "p.html",
        ],
    );
    assert_eq!(last(&output), "VERDICT: UNSAFE");
    let output = hardbop(folder.path(), &["certify", "a.zip", "c.json"]);
    assert_eq!(last(&output), "CERTIFICATE: VALID (UNSAFE)");
    let witness = fs::read_to_string(folder.path().join("w.yml")).expect("a witness");
    assert!(witness.contains("file_name: \"a.zip/p/main.c\""), "{witness}");
    let page = fs::read_to_string(folder.path().join("p.html")).expect("a page");
    assert!(page.contains("a.zip/p/next.i") && page.contains("static int here = 1;"));
    for text in [&witness, &page] {
        assert!(!text.contains("/tmp/"));
    }
    let output = hardbop(folder.path(), &["check", "a.tar", "a.tgz"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("main"), "both have a 'main'");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_could_do_harm_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let c = || "int main(void) { return 0; }\n".to_owned();
    let mut link = tar::Builder::new(vec![]);
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    link.append_link(&mut header, "a.c", "/etc/passwd").expect("it is written");
    let link = link.into_inner().expect("it is written");
    // What is skipped is unpacked as well.
    let zeros = "\0".repeat(300 << 20);
    let bomb = packed(&tar(&[("zeros", zeros.clone()), ("a.c", c())]));
    let bomb_of_c = zipped(&[("a.c", zeros)]);
    assert!(bomb.len() < 4 << 20 && bomb_of_c.len() < 4 << 20);
    let many: Vec<String> = (0..20_001).map(|n| format!("{n}")).collect();
    let many: Vec<(&str, String)> = many.iter().map(|n| (n.as_str(), String::new())).collect();
    let whole = packed(&tar(&program(4)));
    for (name, bytes, words) in [
        ("up.tar", tar(&[("x/../../a.c", c())]), "'x/../../a.c' would be outside of it"),
        ("root.tar", tar(&[("/a.c", c())]), "'/a.c' would be outside of it"),
        ("up.zip", zipped(&[("../a.c", c())]), "'../a.c' would be outside of it"),
        ("other.zip", zipped(&[("..\\a.c", c())]), "would be outside of it"),
        ("link.tar", link, "'a.c' is a link"),
        ("twice.tar", tar(&[("a.c", c()), ("./a.c", c())]), "two files 'a.c'"),
        ("empty.tar", tar(&[("README", c())]), "it has no file of C"),
        ("bomb.tgz", bomb, "it is larger than 256 MiB, once unpacked"),
        ("bomb.zip", bomb_of_c, "it is larger than 256 MiB, once unpacked"),
        ("many.tar", tar(&many), "it has more than 20000 files"),
        ("cut.tgz", whole[..whole.len() / 2].to_vec(), "cannot read the archive"),
        ("none.zip", b"int main(void) { return 0; }\n".to_vec(), "cannot read the archive"),
    ] {
        fs::write(folder.path().join(name), bytes).expect("it is written");
        let output = hardbop(folder.path(), &["check", name]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{name}: {said}");
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    }
    let output = hardbop(folder.path(), &["check", "nothere.tar.gz"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read 'nothere.tar.gz'"));
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("../a.c").exists());
}
