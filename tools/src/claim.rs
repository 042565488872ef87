//! One process at a time for a file that is replaced as a whole.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::error::Error;
use crate::output::with_ending;

/// Keeps other processes from a file by an advisory lock on `FILE.lock`, for the file itself is a new
/// one whenever it is written. It is an empty file, and no other is taken for it. The lock ends with
/// the process, however that ends.
pub(crate) struct Claim {
    lock: PathBuf,
    file: File,
}

impl Claim {
    pub(crate) fn new(path: &Path) -> Result<Claim, Error> {
        let lock = with_ending(path, ".lock");
        let failed = |reason| Error::Output { path: lock.clone(), reason };
        loop {
            let found = fs::symlink_metadata(&lock);
            if found.is_ok_and(|found| !found.is_file() || found.len() > 0) {
                let text = "it is in the way of a lock; name another file";
                return Err(Error::Usage(format!("{}: {text}", lock.display())));
            }
            let file = File::options().create(true).truncate(false).write(true).open(&lock);
            let file = file.map_err(failed)?;
            match file.try_lock() {
                Ok(()) if is_there(&file, &lock).map_err(failed)? => {
                    return Ok(Claim { lock, file });
                }
                // Whoever held it has just removed it.
                Ok(()) => {}
                Err(TryLockError::Error(reason)) => return Err(failed(reason)),
                Err(TryLockError::WouldBlock) => {
                    let text = "another run is using it; wait for its end, or name another file";
                    return Err(Error::Usage(format!("{}: {text}", path.display())));
                }
            }
        }
    }
}

/// Whether a file has this name, and was not removed.
fn is_there(file: &File, name: &Path) -> io::Result<bool> {
    let file = Handle::from_file(file.try_clone()?)?;
    Ok(Handle::from_path(name).is_ok_and(|named| named == file))
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A file that stays is no harm. A program that is being started by another thread may have
        // it open, so it is unlocked as well.
        let _ = fs::remove_file(&self.lock);
        let _ = self.file.unlock();
    }
}
