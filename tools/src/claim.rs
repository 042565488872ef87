//! One process at a time for a file that is replaced as a whole.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Keeps other processes from a file by an advisory lock on `FILE.lock`, for the file itself is a new
/// one whenever it is written. The lock ends with the process, however that ends.
pub(crate) struct Claim {
    lock: PathBuf,
    _file: File,
}

impl Claim {
    pub(crate) fn new(path: &Path) -> Result<Claim, Error> {
        let mut lock = OsString::from(path);
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let failed = |reason| Error::Output { path: lock.clone(), reason };
        let file = File::create(&lock).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Claim { lock, _file: file }),
            Err(TryLockError::Error(reason)) => Err(failed(reason)),
            Err(TryLockError::WouldBlock) => {
                let text = "another run is using it; wait for its end, or name another file";
                Err(Error::Usage(format!("{}: {text}", path.display())))
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // One that stays is no harm.
        let _ = fs::remove_file(&self.lock);
    }
}
