//! How the values of a block become bytes.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::str::FromStr;

use thiserror::Error;
use zstd::bulk::{Compressor, Decompressor};

use super::codes::{Codes, PAD};
use super::error::FileError;

/// Fewest values of a block; every block size is a multiple, so that packed blocks are whole words.
const BLOCK_UNIT: u32 = 64;
/// Most values of a block, so that a block and its bytes have 32-bit lengths.
const MAX_BLOCK: u32 = 1 << 26;

/// The form values have in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Codec {
    /// One byte a value.
    Byte,
    /// A few bits a value.
    Packed,
    /// Blocks of bytes, compressed. The smaller form from 16 stones on: codes of 5 bits do not
    /// keep to bytes, which is all that zstd's entropy coder sees.
    ZstdBytes,
    /// Blocks of packed values, compressed. The smaller and faster form where codes have 4 bits
    /// or fewer.
    ZstdPacked,
}

impl Codec {
    /// All codecs; the place of each is its number in the header.
    pub const ALL: [Codec; 4] = [Codec::Byte, Codec::Packed, Codec::ZstdBytes, Codec::ZstdPacked];

    /// The name users write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Codec::Byte => "byte",
            Codec::Packed => "packed",
            Codec::ZstdBytes => "zstd-bytes",
            Codec::ZstdPacked => "zstd-packed",
        }
    }

    /// Whether blocks are compressed.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Codec::ZstdBytes | Codec::ZstdPacked)
    }

    /// Bits a value, before compression.
    #[must_use]
    pub const fn width(self, codes: Codes) -> u32 {
        match self {
            Codec::Byte | Codec::ZstdBytes => 8,
            Codec::Packed | Codec::ZstdPacked => codes.width(),
        }
    }

    /// Bytes of `count` values in one piece before compression, without the padding of a packed
    /// file. `None` if memory cannot hold them.
    pub(crate) const fn plain_len(self, codes: Codes, count: usize) -> Option<usize> {
        match self {
            Codec::Byte | Codec::ZstdBytes => Some(count),
            Codec::Packed | Codec::ZstdPacked => codes.packed_len(count),
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No codec has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown codec `{0}`; known: byte, packed, zstd, zstd-bytes, zstd-packed")]
pub struct UnknownCodec(String);

impl FromStr for Codec {
    type Err = UnknownCodec;

    /// Reads a name; `zstd` alone is [`Codec::ZstdBytes`].
    fn from_str(name: &str) -> Result<Codec, UnknownCodec> {
        if name == "zstd" {
            return Ok(Codec::ZstdBytes);
        }
        let known = Codec::ALL.into_iter().find(|codec| codec.name() == name);
        known.ok_or_else(|| UnknownCodec(name.to_owned()))
    }
}

/// A codec with its parameters, as a writer needs them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    pub(crate) codec: Codec,
    pub(crate) block: u32,
    pub(crate) level: i32,
}

impl Encoding {
    /// A codec with the usual parameters.
    #[must_use]
    pub const fn new(codec: Codec) -> Encoding {
        match codec {
            // Large enough for a table of no weight, small enough to spread over threads.
            Codec::Byte | Codec::Packed => Encoding { codec, block: 1 << 20, level: 0 },
            // Layer 17 of Kalah, 6 pits, as bytes: 3.56 bits a value in blocks of 2^12, 3.43 in
            // 2^15 and 3.65 in 2^18, while the time of a probe grows with the block. Level 9
            // gains nothing over 3; level 15 comes to 3.21 bits, for 14 times the work.
            Codec::ZstdBytes | Codec::ZstdPacked => Encoding { codec, block: 1 << 15, level: 3 },
        }
    }

    /// With another number of values a block.
    ///
    /// # Errors
    ///
    /// If it is not a multiple of 64 from 64 to 2^26.
    pub fn with_block(self, block: u64) -> Result<Encoding, FileError> {
        let block = check_block(block).ok_or(FileError::BlockSize(block))?;
        Ok(Encoding { block, ..self })
    }

    /// With another zstd level, brought into zstd's range; no effect on other codecs.
    #[must_use]
    pub fn with_level(self, level: i32) -> Encoding {
        let range = zstd::compression_level_range();
        let level = level.clamp(*range.start(), *range.end());
        if self.codec.is_compressed() { Encoding { level, ..self } } else { self }
    }

    /// The codec.
    #[must_use]
    pub const fn codec(self) -> Codec {
        self.codec
    }

    /// Values a block.
    #[must_use]
    pub const fn block(self) -> u32 {
        self.block
    }

    /// The zstd level; 0 for other codecs.
    #[must_use]
    pub const fn level(self) -> i32 {
        self.level
    }
}

impl From<Codec> for Encoding {
    fn from(codec: Codec) -> Encoding {
        Encoding::new(codec)
    }
}

/// The block size, if the format allows it.
pub(crate) fn check_block(block: u64) -> Option<u32> {
    let block = u32::try_from(block).ok()?;
    let fits = (BLOCK_UNIT..=MAX_BLOCK).contains(&block) && block.is_multiple_of(BLOCK_UNIT);
    fits.then_some(block)
}

/// Turns blocks of values into the bytes of a file.
pub(crate) struct BlockEncoder {
    codec: Codec,
    codes: Codes,
    compressor: Option<Compressor<'static>>,
}

impl BlockEncoder {
    pub(crate) fn new(encoding: Encoding, codes: Codes) -> io::Result<BlockEncoder> {
        let codec = encoding.codec;
        let compressor = codec.is_compressed().then(|| Compressor::new(encoding.level));
        Ok(BlockEncoder { codec, codes, compressor: compressor.transpose()? })
    }

    /// The bytes of one block; `last` if no other follows.
    pub(crate) fn encode<'v>(&mut self, values: &'v [i8], last: bool) -> io::Result<Cow<'v, [u8]>> {
        let mut plain = match self.codec {
            Codec::Byte | Codec::ZstdBytes => Cow::Borrowed(bytemuck::cast_slice(values)),
            Codec::Packed | Codec::ZstdPacked => {
                let mut packed = Vec::new();
                self.codes.pack(values, &mut packed);
                Cow::Owned(packed)
            }
        };
        if self.codec == Codec::Packed && last {
            plain.to_mut().extend([0; PAD]);
        }
        match &mut self.compressor {
            Some(compressor) => compressor.compress(&plain).map(Cow::Owned),
            None => Ok(plain),
        }
    }
}

/// Turns compressed blocks back into values.
pub(crate) struct BlockDecoder {
    codec: Codec,
    codes: Codes,
    decompressor: Decompressor<'static>,
    packed: Vec<u8>,
}

impl BlockDecoder {
    pub(crate) fn new(codec: Codec, codes: Codes) -> io::Result<BlockDecoder> {
        Ok(BlockDecoder { codec, codes, decompressor: Decompressor::new()?, packed: Vec::new() })
    }

    /// Decompresses a block that must hold exactly the values of `out`; `None` if it does not.
    pub(crate) fn decode(&mut self, bytes: &[u8], out: &mut [i8]) -> Option<()> {
        if self.codec == Codec::ZstdBytes {
            let target: &mut [u8] = bytemuck::cast_slice_mut(out);
            return fill(&mut self.decompressor, bytes, target);
        }
        let len = self.codes.packed_len(out.len())?;
        self.packed.clear();
        self.packed.resize(len.checked_add(PAD)?, 0);
        fill(&mut self.decompressor, bytes, &mut self.packed[..len])?;
        self.codes.unpack(&self.packed, 0, out);
        Some(())
    }
}

/// Decompresses into `out`, which must be filled exactly.
fn fill(decompressor: &mut Decompressor<'_>, bytes: &[u8], out: &mut [u8]) -> Option<()> {
    let len = decompressor.decompress_to_buffer(bytes, out).ok()?;
    (len == out.len()).then_some(())
}
