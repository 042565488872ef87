//! Tells the binary the commit it is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=MANCALA_COMMIT={commit}");
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
