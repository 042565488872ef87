//! Tells the binary the commit it is built from, and puts the committed results into it.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=MANCALA_COMMIT={commit}");
    if let Err(error) = embed_results() {
        println!("cargo::error=cannot embed data/results: {error}");
    }
}

/// Writes a list of the files in `data/results`, each with its text.
fn embed_results() -> io::Result<()> {
    let folder = fs::canonicalize("../data/results")?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let paths = fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let entries = paths.iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?;
        Some(format!("({name:?}, include_str!({path:?})),\n"))
    });
    let list = format!("&[\n{}]\n", entries.collect::<String>());
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("results.rs"), list)
}

/// The commit that is checked out, if these sources are under git.
fn commit() -> Option<String> {
    // Sources unpacked inside some other repository are not of its commits.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    // HEAD changes with the branch; the branch itself is a file or a line of packed-refs.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // Cargo takes a missing file for a changed one.
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
