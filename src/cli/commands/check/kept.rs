//! What is kept of findings: the comments that silence them, the baseline of an earlier run, and the exit code that is about what
//! is new.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::arguments::check::CheckArguments;
use crate::cli::input::{listed, listing, read_bytes_up_to};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::format::FailOn;
use crate::cli::output::mistakes::Mistakes;
use hardbop_base::source::Source;
use hardbop_report::document::{Language, Verdict};
use hardbop_report::findings::{Baseline, Line, set_fingerprints};
use hardbop_report::properties::{Properties, Property};
use hardbop_session::silence::{Silencer, Text, silence};

/// Most bytes of a baseline, which may have long ways into errors.
const MOST: usize = 1 << 28;

/// The comments and the baseline of a run.
pub(super) struct Kept {
    baseline: Option<Baseline>,
    silencers: Vec<Silencer>,
}

impl Kept {
    /// Reads baseline and comments, and says of properties, before they are decided, what both say of them.
    ///
    /// # Errors
    /// The baseline cannot be read, or a comment to hardbop is wrong.
    pub(super) fn read(
        arguments: &CheckArguments,
        properties: &mut [Property],
    ) -> Result<Self, CliError> {
        let baseline = arguments.reports.baseline.as_deref().map(baseline).transpose()?;
        let texts = texts(arguments, properties);
        let silencers = silencers(arguments, &texts)?;
        silence(properties, &silencers);
        let folder = env::current_dir().ok();
        set_fingerprints(properties, |file, number| Line {
            file: relative(file, folder.as_deref()),
            text: texts.get(file).map_or_else(String::new, |text| text.code(number)),
        });
        if let Some(baseline) = &baseline {
            baseline.tell(properties);
        }
        Ok(Self { baseline, silencers })
    }

    /// The decided properties with what the baseline says of them.
    pub(super) fn compared(&self, all: Properties) -> Properties {
        all.compared(self.baseline.as_ref())
    }

    /// Tells of comments that silence nothing.
    pub(super) fn tell_idle(&self, arguments: &CheckArguments, properties: &[Property]) {
        if arguments.output.quiet || arguments.output.json {
            return;
        }
        let are_all = arguments.entry.is_none();
        let idle = self.silencers.iter().flat_map(|s| s.idle(properties, are_all));
        idle.for_each(|why| output::complain(&format!("warning: {why}")));
    }
}

/// Prints what comes behind the lines of all answers, which have these findings; the exit code is that of the worst, or of the worst that is new.
pub(super) fn end(
    arguments: &CheckArguments,
    (all, findings): (&Properties, &Properties),
    cancel: &AtomicBool,
) -> Result<Exit, CliError> {
    let counted = match arguments.reports.fail_on {
        FailOn::Any => all.verdict,
        FailOn::New => {
            let new = findings.properties.iter().filter(|p| p.is_new()).map(|p| p.verdict);
            new.max_by_key(|verdict| verdict.severity()).unwrap_or(Verdict::Safe)
        }
    };
    let is_cut = all.verdict != Verdict::Safe && cancel.load(Ordering::Relaxed);
    let exit = match counted {
        Verdict::Unsafe => Exit::Unsafe,
        _ if is_cut => Exit::Interrupted,
        Verdict::Unknown => Exit::Unknown,
        Verdict::Safe => Exit::Safe,
    };
    if arguments.output.json {
        output::print(&output::json(all)?)?;
        return Ok(exit);
    }
    let mut text = String::new();
    if arguments.output.github {
        text.push_str(&findings.github());
    }
    text.extend(findings.counts_line());
    if counted != all.verdict {
        text.push_str(&format!("exit code: {}, by '--fail-on new'\n", exit.code()));
    }
    text.push_str(&all.verdict_line());
    output::print(&text)?;
    Ok(exit)
}

fn baseline(path: &Path) -> Result<Baseline, CliError> {
    let name = output::name(path);
    let fail = |reason: String| CliError::Read { name: name.clone(), reason };
    let bytes = read_bytes_up_to(path, MOST)?;
    let bytes = bytes.ok_or_else(|| fail(format!("larger than {} MiB", MOST >> 20)))?;
    Baseline::read(&bytes).map_err(|error| fail(error.to_string()))
}

/// The texts of the program's files, and of those in which findings are, by their names, as far as they can be read.
fn texts(arguments: &CheckArguments, properties: &[Property]) -> BTreeMap<String, Text> {
    #[cfg(feature = "c")]
    let is_c = arguments.c.language.is_c(arguments.file());
    #[cfg(not(feature = "c"))]
    let is_c = false;
    let language = if is_c { Language::C } else { Language::BooleanProgram };
    let found = properties.iter().flat_map(Property::positions).map(|(file, ..)| file.to_owned());
    let mut all = BTreeMap::new();
    for name in arguments.files.iter().map(|file| output::name(file)).chain(found) {
        if !all.contains_key(&name)
            && let Ok(text) = listing(&name)
        {
            let source = Source::new(name.clone(), text);
            all.insert(name, Text::new(source, language));
        }
    }
    all
}

/// The comments of all texts that silence findings.
fn silencers(
    arguments: &CheckArguments,
    texts: &BTreeMap<String, Text>,
) -> Result<Vec<Silencer>, CliError> {
    let (mut all, mut wrong) = (vec![], Mistakes::default());
    for text in texts.values() {
        match text.silencers() {
            Ok(found) => all.extend(found),
            Err(found) => {
                wrong.append(listed(text.source(), &found, arguments.output.color.when));
            }
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(CliError::Diagnostics(wrong)) }
}

/// The name of a file as seen from the folder in which hardbop runs, which is the same on another machine.
fn relative(file: &str, folder: Option<&Path>) -> String {
    let path = Path::new(file);
    let path = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    path.to_string_lossy().into_owned()
}
