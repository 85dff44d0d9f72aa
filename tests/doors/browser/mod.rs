//! Pages in a browser, where there is one.

use std::fs;
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use scraper::{Html, Selector};

/// A Chromium, where there is one.
pub fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let starts = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|s| s.success())
    };
    let found = names.into_iter().find(starts);
    if found.is_none() {
        eprintln!("no Chromium is installed: pages are not opened");
    }
    found
}

/// The page as it is after the script has run; nothing where the browser does not start here.
pub fn opened(browser: &str, page: &str, address: &str) -> Option<Html> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("page.html");
    fs::write(&path, page).expect("it is written");
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-background-networking", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}{address}", path.display()));
    let text = within(&mut command, Duration::from_secs(120)).unwrap_or_default();
    if !text.contains("</html>") {
        eprintln!("{browser} opens no page here");
        return None;
    }
    Some(Html::parse_document(&text))
}

/// What it prints; a browser that hangs is no reason for the test to do so.
fn within(command: &mut Command, limit: Duration) -> Option<String> {
    let mut out = tempfile::tempfile().expect("a file");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(out.try_clone().ok()?).spawn().ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut text = String::new();
    out.rewind().ok()?;
    out.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The texts of the elements.
pub fn texts(page: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).expect("a selector");
    page.select(&selector).map(|e| e.text().collect()).collect()
}

/// The page without its policy, so that a script of a test may run in it.
pub fn without_policy(page: &str) -> String {
    let (before, rest) = page.split_once("<meta http-equiv").expect("a policy");
    let (_, rest) = rest.split_once(">\n").expect("its end");
    format!("{before}{rest}")
}
