//! Files to be read from the beginning to the end: plain, gzip or zstd, told by their first bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// What stands for standard input.
const STDIN: &str = "-";
/// Bytes read in one go.
const BUFFER: usize = 1 << 17;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// It cannot be opened, or its first bytes cannot be read.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let stored: Box<dyn Read + Send> = match path == Path::new(STDIN) {
        true => Box::new(io::stdin()),
        false => Box::new(BufReader::with_capacity(BUFFER, File::open(path)?)),
    };
    Ok(Box::new(BufReader::with_capacity(BUFFER, unpacked(stored)?)))
}

/// Unpacks gzip and zstd, told by the first bytes. Reads no more of them than it must, so that
/// what is typed on a terminal does not wait.
pub(crate) fn unpacked(mut reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    while head.len() < 4 && (head.is_empty() || Magic::ALL.iter().any(|m| m.starts(&head))) {
        let mut byte = [0];
        match reader.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => head.push(byte[0]),
            Err(reason) if reason.kind() == io::ErrorKind::Interrupted => {}
            Err(reason) => return Err(reason),
        }
    }
    let magic = Magic::ALL.iter().find(|m| head.len() == 4 && m.starts(&head));
    let whole = Cursor::new(head).chain(reader);
    Ok(match magic {
        None => Box::new(whole),
        Some(Magic::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(whole)),
        Some(Magic::Zstd | Magic::ZstdSkippable) => Box::new(zstd::Decoder::new(whole)?),
    })
}

/// How compressed data begins.
#[derive(Clone, Copy)]
enum Magic {
    /// RFC 1952, with its only method.
    Gzip,
    /// RFC 8878, 3.1.1.
    Zstd,
    /// RFC 8878, 3.1.2: parallel compressors put such a frame first.
    ZstdSkippable,
}

impl Magic {
    const ALL: [Magic; 3] = [Magic::Gzip, Magic::Zstd, Magic::ZstdSkippable];

    /// Whether data with these first bytes, at most four, may be of this kind.
    fn starts(self, head: &[u8]) -> bool {
        match self {
            Magic::Gzip => [0x1f, 0x8b, 0x08].iter().zip(head).all(|(a, b)| a == b),
            Magic::Zstd => [0x28, 0xb5, 0x2f, 0xfd].starts_with(head),
            Magic::ZstdSkippable => {
                head.first().is_some_and(|byte| byte & 0xf0 == 0x50)
                    && [0x2a, 0x4d, 0x18].starts_with(&head[1..])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_begins_like_a_magic_number_is_plain() {
        for text in ["", "\x1f", "(", "P", "PQRS", "\x1f\u{8b}", "4-4\n", "(\u{b5}"] {
            let mut found = Vec::new();
            let reader = unpacked(Box::new(Cursor::new(text.as_bytes().to_vec()))).expect("plain");
            { reader }.read_to_end(&mut found).expect("plain");
            assert_eq!(found, text.as_bytes());
        }
    }
}
