//! What a client says of itself when it begins: what it can show, its folders, and what is to be checked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use lsp_types::InitializeParams;

use super::place::path_of;
use super::words::Words;

/// A client.
#[derive(Debug)]
pub(super) struct Client {
    pub words: Words,
    folders: Vec<PathBuf>,
    /// Whether it lets the server begin progress.
    pub shows_progress: bool,
    /// Whether its diagnostics have related places.
    pub shows_related: bool,
}

impl Client {
    /// The client that begins so; its words come behind those of the command line. The text is what is wrong with its options.
    pub fn new(parameters: &InitializeParams, given: &[OsString]) -> (Self, Option<&'static str>) {
        let options = parameters.initialization_options.as_ref();
        let (words, wrong) = match options.map(|options| &options["arguments"]) {
            None | Some(serde_json::Value::Null) => (vec![], None),
            Some(list) => match serde_json::from_value::<Vec<String>>(list.clone()) {
                Ok(words) => (words, None),
                Err(_) => (vec![], Some("'arguments' of the options is to be a list of texts")),
            },
        };
        let words = given.iter().cloned().chain(words.into_iter().map(OsString::from));
        let capabilities = &parameters.capabilities;
        let window = capabilities.window.as_ref();
        let diagnostics = capabilities.text_document.as_ref();
        let diagnostics = diagnostics.and_then(|text| text.publish_diagnostics.as_ref());
        let client = Self {
            words: Words::new(words.collect()),
            folders: folders(parameters),
            shows_progress: window.and_then(|w| w.work_done_progress).unwrap_or(false),
            shows_related: diagnostics.and_then(|d| d.related_information).unwrap_or(false),
        };
        (client, wrong)
    }

    /// The root of the workspace that a file is in, or the file's folder.
    pub fn root(&self, file: &Path) -> PathBuf {
        let around = self.folders.iter().filter(|folder| file.starts_with(folder));
        let root = around.max_by_key(|folder| folder.as_os_str().len()).map(PathBuf::as_path);
        root.filter(|root| root.is_dir()).or(file.parent()).unwrap_or(Path::new("/")).to_owned()
    }
}

/// The folders of the workspace; older clients have one root.
fn folders(parameters: &InitializeParams) -> Vec<PathBuf> {
    #[expect(deprecated, reason = "older clients send no folders")]
    let root = parameters.root_uri.as_ref();
    match parameters.workspace_folders.as_deref() {
        Some(folders @ [_, ..]) => folders.iter().filter_map(|f| path_of(&f.uri)).collect(),
        _ => root.and_then(path_of).into_iter().collect(),
    }
}
