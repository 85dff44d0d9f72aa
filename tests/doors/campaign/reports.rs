//! What a campaign writes: the page, BenchExec's files, changes.

use std::fs;

use super::{LIMITS, campaign, folder, stdout};
use crate::browser::{chromium, opened, texts, without_policy};

#[test]
fn pages_files_and_changes() {
    let description =
        format!("name = 'queues'\nreports = true\n{LIMITS}[[programs]]\nfiles = ['*.c']\n");
    let folder = folder(&description);
    let path = folder.path();
    campaign(path, &["--store", "old.sqlite"]);
    // The program with the mistake becomes the one without, and the other way round.
    let read = |name: &str| fs::read_to_string(path.join(name)).expect("a program");
    let (good, bad) = (read("send-queue.c"), read("send-queue-bug.c"));
    fs::write(path.join("send-queue.c"), bad).expect("written");
    fs::write(path.join("send-queue-bug.c"), good).expect("written");
    let arguments = ["--diff", "old.sqlite", "--html", "page.html", "--benchexec", "xml"];
    let output = campaign(path, &arguments);
    assert_eq!(output.status.code(), Some(10));
    let text = stdout(&output);
    let after = |title: &str| {
        let mut lines = text.lines().skip_while(|l| !l.starts_with(title));
        assert_eq!(lines.next(), Some(&*format!("{title}: 1")), "{text}");
        lines.next().unwrap_or("").trim().split(' ').next().unwrap_or("").to_owned()
    };
    assert_eq!(after("newly UNSAFE"), "send-queue.c");
    assert_eq!(after("newly SAFE"), "send-queue-bug.c");
    let page = read("page.html");
    assert!(page.contains("<title>queues - hardbop campaign</title>"));
    assert!(!page.contains("src=") && !page.contains("href=\"http"), "it needs nothing else");
    // Each task has a page of its own, with the path.
    let pages: Vec<_> =
        fs::read_dir(path.join("page-tasks")).expect("a folder").flatten().collect();
    assert_eq!(pages.len(), 3);
    for entry in pages {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(page.contains(&format!("page-tasks/{name}")), "{name} is not linked");
    }
    let xml = read("xml/queues.default.xml");
    assert_eq!(xml.matches("<run ").count(), 3);
    assert_eq!(xml.matches("title=\"status\" value=\"false\"").count(), 2);
}

#[test]
fn the_page_shows_and_filters_tasks() {
    let Some(browser) = chromium() else { return };
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['*.c', '*.bp']\n"));
    campaign(folder.path(), &["--html", "page.html"]);
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let Some(shown) = opened(browser, &page, "") else { return };
    assert_eq!(texts(&shown, "#tasks tbody tr").len(), 5);
    assert_eq!(texts(&shown, "#tasks .verdict.SAFE").len(), 2);
    assert_eq!(texts(&shown, "svg").len(), 1);
    let script = "<script>const set = (name, value, event) => { element(name).value = value; \
        element(name).dispatchEvent(new Event(event)); }; set('verdict', 'UNSAFE', 'change'); \
        set('text', 'QUEUE', 'input');</script></body>";
    let page = without_policy(&page).replace("</body>", script);
    let Some(filtered) = opened(browser, &page, "") else { return };
    assert_eq!(texts(&filtered, "#tasks .program"), ["send-queue-bug.c"]);
    assert!(texts(&filtered, "#shown")[0].starts_with("1 of 5 tasks"));
}
