//! Where answers go and in which form.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::error::Error;

/// How a command answers.
#[derive(Args)]
pub(crate) struct Output {
    /// The form of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The file to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Text,
    /// One object
    Json,
    /// One object a line
    Jsonl,
    /// A table with a header
    Csv,
}

/// An answer that can be written in every form; its [`Serialize`] form is the JSON object.
pub(crate) trait Report: Serialize {
    /// The columns of the table.
    const COLUMNS: &'static [&'static str];

    /// The rows of the table.
    fn rows(&self) -> Vec<Vec<String>>;

    /// The answer for reading.
    fn text(&self) -> String;

    /// The objects of `jsonl`, each in one line.
    fn lines(&self) -> serde_json::Result<Vec<String>> {
        Ok(vec![serde_json::to_string(self)?])
    }
}

impl Format {
    /// As users write it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

impl Output {
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The file to write, if it is not standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Refuses to write over one of the files that are read.
    pub(crate) fn spare(&self, inputs: &[PathBuf]) -> Result<(), Error> {
        let Some(output) = self.path().filter(|path| path.is_file()) else {
            return Ok(());
        };
        // What cannot be opened is told when it is read.
        let is_output = |input: &&PathBuf| same_file::is_same_file(input, output).unwrap_or(false);
        inputs.iter().find(is_output).map_or(Ok(()), |input| {
            let (input, output) = (input.display(), output.display());
            Err(Error::Usage(format!("--output {output} is the input {input}; name another file")))
        })
    }

    /// Writes the whole answer, or nothing under the name of the file.
    pub(crate) fn write(&self, report: &impl Report) -> Result<(), Error> {
        let rendered = render(self.format, report);
        match &self.output {
            None => rendered.and_then(|bytes| print(&bytes)).map_err(Error::Stdout),
            Some(path) => rendered
                .and_then(|bytes| save(path, &bytes))
                .map_err(|reason| Error::Output { path: path.clone(), reason }),
        }
    }
}

fn render<R: Report>(format: Format, report: &R) -> io::Result<Vec<u8>> {
    let mut text = match format {
        Format::Text => report.text(),
        Format::Json => serde_json::to_string_pretty(report)?,
        Format::Jsonl => report.lines()?.join("\n"),
        Format::Csv => return table(report),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn table<R: Report>(report: &R) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(R::COLUMNS)?;
    for row in report.rows() {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

fn print(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// The file that a path leads to: a rename would replace a link instead of what it points to.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The path of a file that stands beside another, under its name and an ending.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Writes a file under another name first, so that it is never there by half.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A rename would replace a device by a file.
    let target = resolved(path);
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return OpenOptions::new().write(true).open(&target)?.write_all(bytes);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Asked by itself, so that the error is not about the temporary name.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mancala-");
    readable(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// Temporary files are made private; this one is to be an ordinary file, as the umask allows.
#[cfg(unix)]
fn readable(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable(_builder: &mut tempfile::Builder<'_, '_>) {}
