//! Inputs cut into pieces of whole lines.

use std::io::{self, Read};

/// Bytes asked for at a time: about a thousand positions, so that handing them on costs nothing.
const BLOCK: usize = 1 << 15;

/// The longest line; longer ones are cut so that no input fills the memory.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// Whole lines.
pub(crate) struct Chunk {
    /// The number of the first line, from 1.
    pub(crate) first_line: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Chunk {
    /// The lines with their numbers, without the blank ones and the space around them. A line
    /// that was too long has more than [`MAX_LINE`] bytes.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let lines = self.bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        (self.first_line..).zip(lines).filter(|(_, line)| !line.is_empty())
    }

    /// Takes away the first lines that are not blank, at most so many. Gives how many they were.
    pub(crate) fn skip(&mut self, most: u64) -> u64 {
        let mut skipped = 0;
        while skipped < most {
            let Some(line) = self.take_line() else { break };
            skipped += u64::from(!line.trim_ascii().is_empty());
        }
        skipped
    }

    /// Takes away the first line.
    pub(crate) fn take_line(&mut self) -> Option<Vec<u8>> {
        if self.bytes.is_empty() {
            return None;
        }
        let end = self.bytes.iter().position(|&byte| byte == b'\n');
        let rest = self.bytes.split_off(end.map_or(self.bytes.len(), |end| end + 1));
        self.first_line += 1;
        Some(std::mem::replace(&mut self.bytes, rest))
    }
}

/// Cuts what a reader gives into chunks. A chunk ends where the reader has no more at the moment,
/// so whoever types lines need not wait until a block is full.
pub(crate) struct Chunks<R> {
    reader: R,
    next_line: u64,
    /// The beginning of a line whose end has not come.
    open: Vec<u8>,
    /// Whether the rest of a line that was too long is thrown away.
    skipping: bool,
}

impl<R: Read> Chunks<R> {
    pub(crate) fn new(reader: R) -> Chunks<R> {
        Chunks { reader, next_line: 1, open: Vec::new(), skipping: false }
    }

    /// The next lines, `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            let mut bytes = std::mem::take(&mut self.open);
            let before = bytes.len();
            bytes.resize(before + BLOCK, 0);
            let read = self.read(&mut bytes[before..])?;
            bytes.truncate(before + read);
            if read == 0 {
                return Ok((!bytes.is_empty()).then(|| self.chunk(bytes)));
            }
            if self.skipping {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                bytes.drain(..end.map_or(bytes.len(), |end| end + 1));
                self.skipping = end.is_none();
            }
            if let Some(end) = bytes[before.min(bytes.len())..].iter().rposition(|&b| b == b'\n') {
                self.open = bytes.split_off(before + end + 1);
                return Ok(Some(self.chunk(bytes)));
            }
            if bytes.len() > MAX_LINE {
                bytes.truncate(MAX_LINE + 1);
                bytes.push(b'\n');
                self.skipping = true;
                return Ok(Some(self.chunk(bytes)));
            }
            self.open = bytes;
        }
    }

    fn chunk(&mut self, bytes: Vec<u8>) -> Chunk {
        let first_line = self.next_line;
        self.next_line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        Chunk { first_line, bytes }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(reason) if reason.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives at most so many bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    fn all(reader: impl Read, skip: u64) -> Vec<(u64, Vec<u8>)> {
        let mut chunks = Chunks::new(reader);
        let (mut lines, mut left) = (Vec::new(), skip);
        while let Some(mut chunk) = chunks.next().expect("readable") {
            left -= chunk.skip(left);
            lines.extend(chunk.lines().map(|(number, line)| (number, line.to_vec())));
        }
        lines
    }

    proptest! {
        /// Whatever the pieces in which bytes come, lines and numbers are those of the whole.
        #[test]
        fn lines_are_those_of_the_whole(
            text in "[ab \r\n]{0,60}", most in 1usize..20, skip in 0u64..8
        ) {
            let whole = text.split('\n').map(str::trim).map(|line| line.as_bytes().to_vec());
            let numbered = (1..).zip(whole).filter(|(_, line)| !line.is_empty());
            let expected: Vec<_> = numbered.skip(skip as usize).collect();
            prop_assert_eq!(all(Slow(text.as_bytes(), most), skip), expected);
        }
    }

    #[test]
    fn a_line_without_end_is_cut() {
        for most in [1 << 12, 1 << 15] {
            let text = [b"1\n".to_vec(), vec![b'2'; 3 * MAX_LINE], b"\n3\n".to_vec()].concat();
            let lines = all(Slow(&text, most), 0);
            assert_eq!(lines.len(), 3);
            assert_eq!(lines[1].1.len(), MAX_LINE + 1);
            assert_eq!((lines[2].0, lines[2].1.as_slice()), (3, b"3".as_slice()));
        }
    }
}
