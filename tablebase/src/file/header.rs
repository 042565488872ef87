//! The first 4096 bytes of a layer file.

use thiserror::Error;

use super::codec::{self, Codec, Encoding};
use super::codes::PAD;
use super::spec::{LayerSpec, MAX_KEY, Scheme, SpecError, Step, ValueKind};

/// Bytes of the header, and so the offset of the data.
pub(crate) const HEADER_LEN: usize = 4096;
/// The format version written and read here.
pub(crate) const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x89MNCTB\r\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const KEY_AT: usize = 128;
const CRC_AT: usize = HEADER_LEN - 4;

/// What is wrong with a header.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HeaderError {
    /// No layer file.
    #[error("no magic number")]
    Magic,
    /// Written in the other byte order.
    #[error("another byte order")]
    ByteOrder,
    /// Another version.
    #[error("version {0}")]
    Version(u32),
    /// Damaged.
    #[error("its checksum is wrong")]
    Checksum,
    /// A field has a value that this version does not know or that contradicts another.
    #[error("its {field} is {found}, which this version cannot read")]
    Field {
        /// The field.
        field: &'static str,
        /// Its content.
        found: u64,
    },
    /// The key is no text.
    #[error("its ruleset key is no text")]
    Key,
    /// No such layer.
    #[error("{0}")]
    Spec(#[from] SpecError),
}

/// What a layer file says about itself; each field has been checked against the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    spec: LayerSpec,
    encoding: Encoding,
    data_len: u64,
}

impl Header {
    /// The header of a file to be written. `None` if the lengths exceed 64 bits.
    pub(crate) fn new(spec: LayerSpec, encoding: Encoding, data_len: u64) -> Option<Header> {
        let header = Header { spec, encoding, data_len };
        header.checked_file_len().map(|_| header)
    }

    /// What the file holds.
    #[must_use]
    pub fn spec(&self) -> &LayerSpec {
        &self.spec
    }

    /// How it is encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The codec.
    #[must_use]
    pub fn codec(&self) -> Codec {
        self.encoding.codec
    }

    /// Positions.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u64 {
        self.spec.count()
    }

    /// Where the data begin in the file, a multiple of 4096: NumPy's `offset` for the byte codec.
    #[must_use]
    pub fn data_offset(&self) -> u64 {
        HEADER_LEN as u64
    }

    /// Bytes of data.
    #[must_use]
    pub fn data_len(&self) -> u64 {
        self.data_len
    }

    /// Blocks of data.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.count().div_ceil(u64::from(self.encoding.block))
    }

    /// Bytes of the whole file.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.checked_file_len().expect("checked when the header was made")
    }

    fn checked_file_len(&self) -> Option<u64> {
        let table = self.blocks().checked_mul(super::tail::ENTRY_LEN as u64)?;
        let tail = table.checked_add(super::tail::TRAILER_LEN as u64)?;
        self.data_len.checked_add(HEADER_LEN as u64)?.checked_add(tail)
    }

    /// First value of a block, and how many it holds.
    pub(crate) fn block_range(&self, block: u64) -> (u64, usize) {
        let size = u64::from(self.encoding.block);
        let first = block * size;
        (first, size.min(self.count() - first) as usize)
    }

    /// The bytes of the header, its checksum included.
    pub(crate) fn to_bytes(&self) -> Box<[u8; HEADER_LEN]> {
        let spec = &self.spec;
        let key = spec.key().as_bytes();
        let mut bytes = Box::new([0; HEADER_LEN]);
        bytes[..8].copy_from_slice(&MAGIC);
        let words = [
            VERSION,
            BYTE_ORDER,
            spec.stones(),
            spec.pits(),
            number_of(&Scheme::ALL, spec.scheme()) + 1,
            number_of(&ValueKind::ALL, spec.kind()),
            number_of(&Codec::ALL, self.codec()),
            step_number(spec.step()),
            self.codec().width(spec.codes()),
            self.encoding.level as u32,
        ];
        for (i, word) in words.into_iter().enumerate() {
            put(&mut bytes[..], 8 + 4 * i, &word.to_le_bytes());
        }
        let longs =
            [self.count(), u64::from(self.encoding.block), self.data_offset(), self.data_len];
        for (i, long) in longs.into_iter().enumerate() {
            put(&mut bytes[..], 48 + 8 * i, &long.to_le_bytes());
        }
        put(&mut bytes[..], 80, &(key.len() as u32).to_le_bytes());
        put(&mut bytes[..], 84, &crc32fast::hash(key).to_le_bytes());
        put(&mut bytes[..], KEY_AT, key);
        let crc = crc32fast::hash(&bytes[..CRC_AT]);
        put(&mut bytes[..], CRC_AT, &crc.to_le_bytes());
        bytes
    }
}

/// The crc that a header ends with.
pub(crate) fn stored_crc(bytes: &[u8; HEADER_LEN]) -> u32 {
    u32_at(bytes, CRC_AT)
}

impl TryFrom<&[u8; HEADER_LEN]> for Header {
    type Error = HeaderError;

    /// Reads and checks a header: first what tells other files from damaged ones, then the
    /// checksum, then each field.
    fn try_from(bytes: &[u8; HEADER_LEN]) -> Result<Header, HeaderError> {
        if bytes[..8] != MAGIC {
            return Err(HeaderError::Magic);
        }
        match u32_at(bytes, 12) {
            BYTE_ORDER => {}
            mark if mark == BYTE_ORDER.swap_bytes() => return Err(HeaderError::ByteOrder),
            mark => return Err(field("byte-order mark", mark)),
        }
        match u32_at(bytes, 8) {
            VERSION => {}
            version => return Err(HeaderError::Version(version)),
        }
        if crc32fast::hash(&bytes[..CRC_AT]) != stored_crc(bytes) {
            return Err(HeaderError::Checksum);
        }
        let spec = parse_spec(bytes)?;
        let encoding = parse_encoding(bytes)?;
        check_equal("width", u32_at(bytes, 40), encoding.codec.width(spec.codes()))?;
        check_equal("data offset", u64_at(bytes, 64), HEADER_LEN as u64)?;
        let data_len = u64_at(bytes, 72);
        if let Some(expected) = plain_data_len(&spec, encoding.codec) {
            check_equal("data length", data_len, expected)?;
        }
        Header::new(spec, encoding, data_len).ok_or_else(|| field("data length", data_len))
    }
}

fn parse_spec(bytes: &[u8; HEADER_LEN]) -> Result<LayerSpec, HeaderError> {
    let number = u32_at(bytes, 24);
    let place = number.checked_sub(1).ok_or(field("index scheme", number))?;
    let scheme = *Scheme::ALL.get(place as usize).ok_or(field("index scheme", number))?;
    let step = match u32_at(bytes, 36) {
        1 => Step::One,
        2 => Step::Two,
        other => return Err(field("step", other)),
    };
    let kind = pick(&ValueKind::ALL, "value kind", u32_at(bytes, 28))?;
    let key_len = u32_at(bytes, 80) as usize;
    let key =
        bytes[KEY_AT..][..MAX_KEY].get(..key_len).ok_or(field("key length", key_len as u64))?;
    check_equal("key crc", u32_at(bytes, 84), crc32fast::hash(key))?;
    let key = std::str::from_utf8(key).map_err(|_| HeaderError::Key)?;
    let (pits, stones) = (u32_at(bytes, 20), u32_at(bytes, 16));
    let spec = LayerSpec::new(key, scheme, pits, stones, step)?.with_kind(kind);
    check_equal("count", u64_at(bytes, 48), spec.count())?;
    Ok(spec)
}

fn parse_encoding(bytes: &[u8; HEADER_LEN]) -> Result<Encoding, HeaderError> {
    let codec = pick(&Codec::ALL, "codec", u32_at(bytes, 32))?;
    let block = u64_at(bytes, 56);
    let block = codec::check_block(block).ok_or(field("block size", block))?;
    Ok(Encoding { codec, block, level: u32_at(bytes, 44) as i32 })
}

/// Bytes of data where the codec fixes them. A length beyond 64 bits or beyond this machine's
/// memory comes out as one that no file has.
pub(crate) fn plain_data_len(spec: &LayerSpec, codec: Codec) -> Option<u64> {
    if codec.is_compressed() {
        return None;
    }
    let count = usize::try_from(spec.count()).ok();
    let len = count.and_then(|count| codec.plain_len(spec.codes(), count));
    let pad = if codec == Codec::Packed { PAD as u64 } else { 0 };
    Some(len.and_then(|len| (len as u64).checked_add(pad)).unwrap_or(u64::MAX))
}

fn field(field: &'static str, found: impl Into<u64>) -> HeaderError {
    HeaderError::Field { field, found: found.into() }
}

fn check_equal<T: PartialEq + Into<u64>>(
    name: &'static str,
    found: T,
    expected: T,
) -> Result<(), HeaderError> {
    if found == expected { Ok(()) } else { Err(field(name, found)) }
}

fn pick<T: Copy>(all: &[T], name: &'static str, number: u32) -> Result<T, HeaderError> {
    all.get(number as usize).copied().ok_or_else(|| field(name, number))
}

fn number_of<T: PartialEq>(all: &[T], item: T) -> u32 {
    all.iter().position(|known| *known == item).unwrap_or(all.len()) as u32
}

fn step_number(step: Step) -> u32 {
    match step {
        Step::One => 1,
        Step::Two => 2,
    }
}

fn put(bytes: &mut [u8], at: usize, part: &[u8]) {
    bytes[at..at + part.len()].copy_from_slice(part);
}

/// A number of a buffer of known length; `at` is always a constant of the format.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

/// As [`u32_at`].
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
