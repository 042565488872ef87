//! Files to be read from the beginning to the end: plain, gzip or zstd, told by their first bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// What stands for standard input.
const STDIN: &str = "-";
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Bytes read in one go.
const BUFFER: usize = 1 << 17;

/// A stream of text that another thread may read.
pub(crate) type Input = Box<dyn BufRead + Send>;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// It cannot be opened, or its first bytes cannot be read.
pub(crate) fn open(path: &Path) -> io::Result<Input> {
    if path == Path::new(STDIN) { unpacked(io::stdin()) } else { unpacked(File::open(path)?) }
}

fn unpacked(mut packed: impl Read + Send + 'static) -> io::Result<Input> {
    let mut magic = Vec::new();
    packed.by_ref().take(ZSTD.len() as u64).read_to_end(&mut magic)?;
    let (is_gzip, is_zstd) = (magic.starts_with(GZIP), magic.starts_with(ZSTD));
    let whole = BufReader::with_capacity(BUFFER, Cursor::new(magic).chain(packed));
    Ok(if is_gzip {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole)))
    } else if is_zstd {
        Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(whole)?))
    } else {
        Box::new(whole)
    })
}
