//! A page in Markdown, as far as the tests read it: blocks of text as it stands, the commands in
//! them, headings and links.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder that pages and their links are relative to.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page and its name, relative to the root.
pub struct Page {
    pub name: String,
    lines: Vec<String>,
}

/// Lines that are shown as they stand, without the indentation or the fences.
pub struct Block {
    /// What stands behind the opening fence.
    pub language: String,
    /// Number of the first line, from 1.
    pub line: usize,
    pub text: Vec<String>,
}

/// A command, and what the page says that it writes.
pub struct Command {
    pub line: usize,
    pub text: String,
    pub output: Vec<String>,
}

impl Page {
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Every page of the repository, in order.
    pub fn all() -> Vec<Self> {
        let mut files = vec![];
        pages_below(root(), &mut files);
        files.sort();
        let read = |file: PathBuf| {
            let text = fs::read_to_string(&file).expect("a page is UTF-8");
            let name = file.strip_prefix(root()).expect("below the root");
            Self::new(&name.to_string_lossy(), &text)
        };
        files.into_iter().map(read).collect()
    }

    /// The page in two parts: its blocks, and its other lines with their numbers.
    fn parts(&self) -> (Vec<Block>, Vec<(usize, &str)>) {
        let (mut blocks, mut prose) = (vec![], vec![]);
        let (mut at, mut after_blank) = (0, true);
        while let Some(line) = self.lines.get(at) {
            let (language, is_fence) = match line.strip_prefix("```") {
                Some(language) => (language.trim(), true),
                None => ("", false),
            };
            if is_fence {
                let text: Vec<_> =
                    self.lines[at + 1..].iter().take_while(|l| *l != "```").cloned().collect();
                let next = at + text.len() + 2;
                blocks.push(Block { language: language.to_owned(), line: at + 2, text });
                at = next;
                after_blank = true;
                continue;
            }
            if after_blank && line.starts_with("    ") {
                let rest = self.lines[at..].iter();
                let inside = |l: &&String| l.trim().is_empty() || l.starts_with("    ");
                let strip = |l: &String| l.get(4..).unwrap_or("").to_owned();
                let text: Vec<_> = rest.take_while(inside).map(strip).collect();
                let next = at + text.len();
                blocks.push(Block { language: String::new(), line: at + 1, text });
                at = next;
                continue;
            }
            after_blank = line.trim().is_empty() || line.starts_with("<!--");
            prose.push((at + 1, line.as_str()));
            at += 1;
        }
        (blocks, prose)
    }

    pub fn blocks(&self) -> Vec<Block> {
        self.parts().0
    }

    /// The lines outside of blocks, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        self.parts().1
    }

    /// The commands: lines of a block that begin with `$ `, with what follows up to the next one.
    pub fn commands(&self) -> Vec<Command> {
        let mut commands = vec![];
        for block in self.blocks() {
            let mut is_command = false;
            for (number, line) in (block.line..).zip(block.text) {
                if let Some(text) = line.strip_prefix("$ ") {
                    is_command = true;
                    let text = text.to_owned();
                    commands.push(Command { line: number, text, output: vec![] });
                } else if is_command {
                    let last = commands.last_mut().expect("a command came before");
                    match last.text.strip_suffix('\\') {
                        Some(begun) => last.text = begun.to_owned() + line.trim_start(),
                        None => last.output.push(line.trim_end().to_owned()),
                    }
                }
            }
        }
        for command in &mut commands {
            while command.output.last().is_some_and(String::is_empty) {
                command.output.pop();
            }
        }
        commands
    }

    /// What stands in backquotes outside of blocks, with the numbers of the lines.
    pub fn code(&self) -> Vec<(usize, &str)> {
        let words = |(number, line)| {
            let quoted = move |text| (number, text);
            str::split(line, '`').skip(1).step_by(2).map(quoted).collect::<Vec<_>>()
        };
        self.prose().into_iter().flat_map(words).collect()
    }

    /// The anchors of its headings, as GitHub makes them.
    pub fn anchors(&self) -> Vec<String> {
        let heading = |line: &str| {
            let text = line.trim_start_matches('#');
            (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim().to_lowercase())
        };
        let anchor = |text: String| {
            let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        self.prose().into_iter().filter_map(|(_, l)| heading(l)).map(anchor).collect()
    }

    /// The targets of its links, with the numbers of their lines.
    pub fn links(&self) -> Vec<(usize, String)> {
        let mut links = vec![];
        for (number, line) in self.prose() {
            // What stands in backquotes is no link.
            let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("_");
            for (position, _) in outside.match_indices("](") {
                let target = outside[position + 2..].split(')').next().unwrap_or("");
                links.push((number, target.to_owned()));
            }
        }
        links
    }
}

fn pages_below(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            // What others have made: builds, programs that were fetched, hidden folders.
            if !["target", "vendor"].contains(&name.as_str()) && !name.starts_with('.') {
                pages_below(&path, out);
            }
        } else if name.ends_with(".md") {
            out.push(path);
        }
    }
}
