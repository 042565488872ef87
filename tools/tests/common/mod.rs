//! The binary, for the tests of its commands.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::process::Child;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;

pub(crate) fn mancala(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("mancala");
    command.args(args);
    command
}

/// What a run prints that succeeds and says nothing else.
pub(crate) fn stdout(args: &[&str]) -> String {
    let assert = mancala(args).assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

/// Presses Ctrl-C. Nothing happens to a run that has ended.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // Its number belongs to nobody else before it is waited for.
    kill_process(Pid::from_child(child), Signal::INT).expect("a child can be sent signals");
}

/// Runs what must fail with an error that holds `part`.
pub(crate) fn assert_error(args: &[&str], part: &str) {
    let assert = mancala(args).assert().code(2).stdout("");
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(text.starts_with("error: ") && text.contains(part), "`{part}` is not in: {text}");
}
