//! The question of a task: the arguments of `check` that it is, the texts that they name, and all
//! of that as one bundle, which can be sent to a machine that has none of the files.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::{CommandFactory, FromArgMatches};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::cli::arguments::c::Language;
use crate::cli::arguments::c::preprocessor::respelled;
use crate::cli::arguments::check::CheckArguments;
use crate::cli::arguments::command::{Arguments, Command};
use crate::cli::arguments::suits::suits;
use crate::cli::input::c::texts;
use crate::cli::input::task::Job;
use crate::cli::input::{archive, database, programs, read};
use crate::cli::output::error::CliError;
use hardbop_base::source::Source;
use hardbop_c::ParseOptions;
use hardbop_c::types::DataModel;
use hardbop_lab::campaign::task::Fingerprint;
use hardbop_report::document::Verdict;
use hardbop_task::{Definition, is_task};
use hardbop_verify::Route;

/// The words of a question, by what they are for.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// Options of `check`.
    pub plain: Vec<String>,
    /// Options of the preprocessor.
    pub preprocessing: Vec<String>,
    pub files: Vec<String>,
}

impl Words {
    /// All words, the files last.
    pub fn all(&self) -> Vec<String> {
        let files = self.files.iter().cloned();
        let options = self.plain.iter().chain(&self.preprocessing).cloned();
        options.chain(["--".to_owned()]).chain(files).collect()
    }

    /// Is the task one that certificates are about: does it end with one, unless somebody else asks
    /// for it?
    pub fn certifies(check: &CheckArguments) -> bool {
        check.c.witness.is_none() && check.reports.certificate.is_none()
    }

    /// Is it C, and the words of `certify` for a certificate of it, whose name is to follow.  A
    /// task definition names the program.
    ///
    /// # Errors
    /// The definition cannot be read.
    pub fn certify(&self) -> Result<(bool, Vec<String>), CliError> {
        let check = self.arguments()?;
        let is_c = check.c.language.is_c(check.file());
        let files = if is_c { Job::new(&check)?.files } else { check.files.clone() };
        let files = files.iter().map(|file| file.to_string_lossy().into_owned());
        let language = language(&check);
        let options = language.into_iter().chain(self.preprocessing.iter().cloned());
        Ok((is_c, options.chain(["--".to_owned()]).chain(files).collect()))
    }

    /// The arguments that they are.
    ///
    /// # Errors
    /// They are none; or there is something in them that the campaign says itself.
    pub fn arguments(&self) -> Result<Box<CheckArguments>, CliError> {
        parsed(&self.all())
    }
}

/// The arguments with these words, where `check` takes them: none is said twice, or would do
/// nothing.
pub(super) fn suited(words: &Words) -> Option<Box<CheckArguments>> {
    let check = words.arguments().ok()?;
    let definition = Arguments::command();
    let given = definition.clone().try_get_matches_from(spelled(&words.all())).ok()?;
    suits(&check, &definition, &given).is_ok().then_some(check)
}

/// The words as a command line.
fn spelled(words: &[String]) -> Vec<OsString> {
    let command = ["hardbop", "check"].into_iter().map(OsString::from);
    respelled(command.chain(words.iter().map(Into::into))).collect()
}

/// The arguments of `check` with these words, and what a compile database adds.
fn parsed(words: &[String]) -> Result<Box<CheckArguments>, CliError> {
    let given = Arguments::command().try_get_matches_from(spelled(words));
    let given = given.and_then(|given| Arguments::from_arg_matches(&given));
    let given = given.map_err(|e| CliError::Usage(told(&e)))?;
    let Command::Check(mut check) = given.command else {
        return Err(CliError::Usage("'arguments' are options of 'check'".to_owned()));
    };
    let is_said = check.limits.time.is_some() || check.limits.memory.is_some();
    if is_said || check.each || check.output.json {
        let why =
            "limits are said under 'limits', and how results are written is up to the campaign";
        return Err(CliError::Usage(why.to_owned()));
    }
    let own = &mut *check;
    archive::expand(&mut own.files)?;
    database::complete(&mut own.files, &mut own.c.preprocessor, &mut own.c.data_model)?;
    programs::choose(&mut own.files, &own.c.preprocessor, &own.c.data_model)?;
    Ok(check)
}

/// Whether `--learned` may be among the arguments.
pub(super) fn learns(check: &CheckArguments) -> bool {
    let own = &check.c;
    let is_free = own.predicates.is_none() && own.learned.is_none() && own.witness.is_none();
    let is_by_tree = own.route != Route::Bp && !check.engines.has_threads();
    is_free && is_by_tree && own.language.is_c(check.file())
}

/// The error in the words, without advice that is about command lines.
fn told(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n  ").trim_start_matches("error: ").to_owned()
}

/// A question that was understood.
pub(super) struct Question {
    pub fingerprint: String,
    /// The fingerprint of all but the texts.
    pub asked: String,
    /// The verdict that a task definition expects.
    pub expected: Option<Verdict>,
}

/// Reads programs, each no more often than it needs.
#[derive(Default)]
pub(super) struct Reader {
    /// Fingerprints of texts by how they were read.
    known: HashMap<String, String>,
}

impl Reader {
    /// The question of these words.
    ///
    /// # Errors
    /// A file cannot be read or preprocessed, or is no task definition.
    pub fn question(
        &mut self,
        words: &Words,
        arguments: &CheckArguments,
    ) -> Result<Question, CliError> {
        arguments.files.iter().try_for_each(|file| arguments.c.language.suits(file))?;
        let mut print = Fingerprint::default();
        for word in words.plain.iter().filter(|w| !is_spec(words, w)) {
            print.add("word", word.as_bytes());
            // A witness, predicates: what is in the file counts.
            let name = word.split_once('=').map_or(&**word, |(_, name)| name);
            if Path::new(name).is_file() {
                print.add("file", read(Path::new(name))?.text.as_bytes());
            }
        }
        let mut expected = None;
        let mut asked = print.clone();
        let texts = if arguments.c.language.is_c(arguments.file()) {
            let job = Job::new(arguments)?;
            // With what property files and task definitions say.
            print.add("read as", format!("{:?}", job.options).as_bytes());
            asked = print.clone();
            let says = |holds| if holds { Verdict::Safe } else { Verdict::Unsafe };
            expected = job.expected.as_ref().map(|e| says(e.holds));
            self.texts_of_c(arguments, &job.files, &job.options)?
        } else {
            sum(&[read(arguments.file())?])
        };
        print.add("texts", texts.as_bytes());
        Ok(Question { fingerprint: print.finish(), asked: asked.finish(), expected })
    }

    fn texts_of_c(
        &mut self,
        arguments: &CheckArguments,
        files: &[PathBuf],
        options: &ParseOptions,
    ) -> Result<String, CliError> {
        let how = &arguments.c.preprocessor;
        let key = format!("{files:?} {how:?} {:?} {}", options.model, options.property.acsl);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let sum = sum(&texts(files, how, options)?);
        self.known.insert(key, sum.clone());
        Ok(sum)
    }
}

/// The language, where it does not follow from the names of files.
fn language(check: &CheckArguments) -> Option<String> {
    match check.c.language {
        Language::Auto => None,
        Language::C => Some("--language=c".to_owned()),
        Language::Bp => Some("--language=bp".to_owned()),
    }
}

/// Is it the name of a property file, whose contents count?
fn is_spec(words: &Words, word: &String) -> bool {
    let at = words.plain.iter().position(|w| std::ptr::eq(w, word));
    at.and_then(|at| at.checked_sub(1)).is_some_and(|before| words.plain[before] == "--spec")
}

fn sum(texts: &[Source]) -> String {
    let mut print = Fingerprint::default();
    texts.iter().for_each(|text| print.add("text", text.text.as_bytes()));
    print.finish()
}

/// A question with all that is needed to answer it elsewhere.
#[derive(Debug, Serialize)]
pub(super) struct Bundle {
    pub words: Vec<String>,
    /// Names, relative to the folder in which the words are run, and fingerprints of the texts.
    pub files: Vec<(String, String)>,
    /// The words of `certify`, but for the certificate.
    #[serde(skip)]
    pub certify: Vec<String>,
    #[serde(skip)]
    pub is_c: bool,
    /// The texts by their fingerprints.
    #[serde(skip)]
    pub texts: BTreeMap<String, String>,
}

impl Bundle {
    /// The question of a task, after the preprocessor.
    ///
    /// # Errors
    /// A file cannot be read or preprocessed any more.
    pub fn new(words: &Words) -> Result<Self, CliError> {
        let check = words.arguments()?;
        let is_c = check.c.language.is_c(check.file());
        let mut own =
            Self { words: vec![], files: vec![], certify: vec![], is_c, texts: BTreeMap::new() };
        let mut plain = words.plain.clone();
        for word in plain.iter_mut().filter(|w| is_spec(words, w) || is_path_of_spec(&check, w)) {
            *word = own.add(Path::new(&*word), read(Path::new(&*word))?.text);
        }
        let mut names = vec![];
        if is_c {
            let job = Job::new(&check)?;
            let all = texts(&job.files, &check.c.preprocessor, &job.options)?;
            for (file, text) in job.files.iter().zip(all) {
                names.push(own.add(file, text.text));
                plain.iter_mut().for_each(|word| moved(word, file));
            }
            own.certify = names.clone();
            if is_task(check.file()) {
                names = vec![own.definition(check.file())?];
            } else if check.c.data_model.model().is_some_and(|m| m == DataModel::Ilp32)
                && !plain.iter().any(|w| w == "--32")
            {
                plain.push("--32".to_owned());
            }
        } else {
            names.push(own.add(check.file(), read(check.file())?.text));
            plain.iter_mut().for_each(|word| moved(word, check.file()));
            own.certify.clone_from(&names);
        }
        let language = language(&check).into_iter();
        own.certify.splice(..0, language.chain(["--".to_owned()]));
        own.words = plain.into_iter().chain(["--".to_owned()]).chain(names).collect();
        Ok(own)
    }

    /// Adds a task definition with its property files.
    fn definition(&mut self, file: &Path) -> Result<String, CliError> {
        let source = read(file)?;
        if let Ok(definition) = Definition::parse(&source.text) {
            let folder = file.parent().unwrap_or(Path::new(""));
            for claim in &definition.properties {
                let path = folder.join(&claim.file.text);
                if let Ok(text) = read(&path) {
                    self.add(&path, text.text);
                }
            }
        }
        Ok(self.add(file, source.text))
    }

    /// Adds a file; returns its name there.
    fn add(&mut self, file: &Path, text: String) -> String {
        let name = elsewhere(file);
        let sum: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        if !self.files.iter().any(|(known, _)| *known == name) {
            self.files.push((name.clone(), sum.clone()));
        }
        self.texts.insert(sum, text);
        name
    }
}

/// Is it the property file that the arguments name, written in another way than as a word of its
/// own?
fn is_path_of_spec(check: &CheckArguments, word: &str) -> bool {
    check.c.spec.as_deref() == Some(Path::new(word))
}

/// Renames a place in a file that a word names to what the file is called there.
fn moved(word: &mut String, file: &Path) {
    let place = word.strip_prefix("--only-at=").and_then(|at| at.strip_prefix(file.to_str()?));
    if let Some(rest) = place.filter(|rest| rest.starts_with(':')) {
        *word = format!("--only-at={}{rest}", elsewhere(file));
    }
}

/// The name of a file in a folder of another machine.
fn elsewhere(file: &Path) -> String {
    let inner =
        file.components().filter(|c| !matches!(c, Component::RootDir | Component::Prefix(_)));
    let inner: PathBuf = inner.collect();
    let name = if file.is_absolute() { Path::new("outside").join(inner) } else { inner };
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        assert_eq!(elsewhere(Path::new("a/b.c")), "a/b.c");
        assert_eq!(elsewhere(Path::new("../b.c")), "../b.c");
        assert_eq!(elsewhere(Path::new("/usr/b.c")), "outside/usr/b.c");
    }
}
