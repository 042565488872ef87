//! Writing a layer again in another codec.

use std::path::{Path, PathBuf};

use super::codec::Encoding;
use super::error::FileError;
use super::reader::LayerFile;
use super::writer::LayerWriter;

/// Values read and written at a time.
const CHUNK: u64 = 1 << 24;

/// Writes the values of an open layer to the file of that layer in `dir`, in another encoding.
/// In the folder of the source the new file takes the place of the old in one step; readers
/// that have the old one open keep it. The source's checksums are checked first, so that damage
/// does not get a fresh checksum.
///
/// # Errors
///
/// If the source is damaged or writing fails; the old file stays then.
pub fn transcode(
    source: &LayerFile,
    dir: &Path,
    encoding: impl Into<Encoding>,
) -> Result<PathBuf, FileError> {
    source.verify_checksums()?;
    let count = source.header().count();
    let mut writer = LayerWriter::create(dir, source.header().spec().clone(), encoding)?;
    let mut values = vec![0; count.min(CHUNK) as usize];
    let mut start = 0;
    while start < count {
        let len = (count - start).min(CHUNK);
        let values = &mut values[..len as usize];
        source.read_range(start, values)?;
        writer.write(values)?;
        start += len;
    }
    writer.finish()
}
