//! Values as codes of a few bits, and their packing a word at a time.

use super::spec::Step;

/// Zero bytes that follow packed codes in memory and in packed files, so that an 8-byte load at
/// any code stays inside.
pub(crate) const PAD: usize = 8;

/// Values turned into codes before they are packed: enough for the checks and the additions to
/// be vectorised, few enough to stay in the first cache.
const CHUNK: usize = 4096;

/// How the values of a layer are written as codes of a fixed number of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codes {
    stones: u8,
    shift: u8,
    width: u8,
}

impl Codes {
    /// The codes of the layer with `stones` stones. `None` for more than
    /// [`games::MAX_STONES`].
    #[must_use]
    pub const fn new(stones: u32, step: Step) -> Option<Codes> {
        if stones > games::MAX_STONES {
            return None;
        }
        let shift = match step {
            Step::One => 0,
            Step::Two => 1,
        };
        let last = (2 * stones) >> shift;
        let width = if last == 0 { 1 } else { 32 - last.leading_zeros() };
        Some(Codes { stones: stones as u8, shift, width: width as u8 })
    }

    /// Bits a code.
    #[inline]
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// The value of a code.
    #[inline]
    #[must_use]
    pub(crate) const fn value(self, code: u32) -> i32 {
        ((code as i32) << self.shift) - self.stones as i32
    }

    /// Whether a value can be in the layer: within -n..=n and of its parity.
    #[must_use]
    pub(crate) const fn allows(self, value: i8) -> bool {
        // Modulo 256 the sum lies in 0..=2n only for the values of the range, as n <= 127.
        let sum = (value as u8).wrapping_add(self.stones);
        sum <= 2 * self.stones && (self.shift == 0 || sum & 1 == 0)
    }

    /// The first value that cannot be in the layer, with its place.
    pub(crate) fn find_foreign(self, values: &[i8]) -> Option<(usize, i8)> {
        let all = |chunk: &[i8]| chunk.iter().fold(true, |all, &v| all & self.allows(v));
        let (at, chunk) = values.chunks(CHUNK).enumerate().find(|(_, chunk)| !all(chunk))?;
        let within = chunk.iter().position(|&v| !self.allows(v))?;
        Some((at * CHUNK + within, chunk[within]))
    }

    /// Bytes that `count` packed codes take: whole words of 8 bytes, without [`PAD`].
    pub(crate) const fn packed_len(self, count: usize) -> Option<usize> {
        match count.checked_mul(self.width as usize) {
            Some(bits) => Some(bits.div_ceil(64) * 8),
            None => None,
        }
    }

    /// Code number `index` of `packed`, which must have its [`PAD`].
    #[inline]
    pub(crate) fn get(self, packed: &[u8], index: usize) -> i32 {
        let bit = index * self.width as usize;
        let at = bit / 8;
        // At most 7 + 8 bits, so two bytes always do.
        let mut word = [0; 2];
        word.copy_from_slice(&packed[at..at + 2]);
        let mask = (1u32 << self.width) - 1;
        self.value((u32::from(u16::from_le_bytes(word)) >> (bit % 8)) & mask)
    }

    /// Appends the codes of values that [`Codes::allows`], in whole words, without [`PAD`].
    pub(crate) fn pack(self, values: &[i8], out: &mut Vec<u8>) {
        let start = out.len();
        let len = self.packed_len(values.len()).expect("more bits than memory has bytes");
        out.resize(start + len + PAD, 0);
        let target = &mut out[start..];
        match self.width {
            1 => self.pack_width::<1>(values, target),
            2 => self.pack_width::<2>(values, target),
            3 => self.pack_width::<3>(values, target),
            4 => self.pack_width::<4>(values, target),
            5 => self.pack_width::<5>(values, target),
            6 => self.pack_width::<6>(values, target),
            7 => self.pack_width::<7>(values, target),
            _ => self.pack_width::<8>(values, target),
        }
        out.truncate(start + len);
    }

    fn pack_width<const W: usize>(self, values: &[i8], out: &mut [u8]) {
        let mut codes = [0u8; CHUNK];
        for (number, chunk) in values.chunks(CHUNK).enumerate() {
            for (code, &value) in codes.iter_mut().zip(chunk) {
                *code = (value as u8).wrapping_add(self.stones) >> self.shift;
            }
            // Codes of an earlier chunk must not leak into the last word.
            let used = chunk.len().next_multiple_of(8);
            codes[chunk.len()..used].fill(0);
            let mut at = number * (CHUNK / 8) * W;
            for group in codes[..used].as_chunks::<8>().0 {
                // 8 codes are W bytes; the zero bytes above are overwritten by the next group.
                let word = squeeze::<W>(u64::from_le_bytes(*group));
                out[at..at + 8].copy_from_slice(&word.to_le_bytes());
                at += W;
            }
        }
    }

    /// Reads codes `start..start + out.len()` of `packed`, which must have its [`PAD`].
    pub(crate) fn unpack(self, packed: &[u8], start: usize, out: &mut [i8]) {
        // Groups of 8 codes begin at whole bytes; what lies before the first goes one by one.
        let head = (start.next_multiple_of(8) - start).min(out.len());
        let (head, groups) = out.split_at_mut(head);
        let start_groups = start + head.len();
        for (i, value) in head.iter_mut().enumerate() {
            *value = self.get(packed, start + i) as i8;
        }
        let bytes = packed.get(start_groups / 8 * self.width as usize..).unwrap_or_default();
        match self.width {
            1 => self.unpack_width::<1>(bytes, groups),
            2 => self.unpack_width::<2>(bytes, groups),
            3 => self.unpack_width::<3>(bytes, groups),
            4 => self.unpack_width::<4>(bytes, groups),
            5 => self.unpack_width::<5>(bytes, groups),
            6 => self.unpack_width::<6>(bytes, groups),
            7 => self.unpack_width::<7>(bytes, groups),
            _ => self.unpack_width::<8>(bytes, groups),
        }
    }

    fn unpack_width<const W: usize>(self, bytes: &[u8], out: &mut [i8]) {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let stones = u64::from(self.stones) * 0x0101_0101_0101_0101;
        let group_at = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            // A code that is doubled has at most 7 bits, so nothing leaves its byte.
            let sums = spread::<W>(u64::from_le_bytes(word)) << self.shift;
            // 8 subtractions at once: a set high bit takes up each borrow.
            let values = ((sums | HIGH) - stones) ^ (!sums & HIGH);
            bytemuck::cast::<[u8; 8], [i8; 8]>(values.to_le_bytes())
        };
        let (groups, tail) = out.as_chunks_mut::<8>();
        let tail_at = groups.len() * W;
        for (number, group) in groups.iter_mut().enumerate() {
            *group = group_at(number * W);
        }
        if !tail.is_empty() {
            tail.copy_from_slice(&group_at(tail_at)[..tail.len()]);
        }
    }
}

/// Moves the low `W` bits of each byte together into the low `8 * W` bits: pairs of bytes, of
/// pairs, of quadruples.
#[inline]
const fn squeeze<const W: usize>(x: u64) -> u64 {
    let low = 0x00ff_00ff_00ff_00ff;
    let x = (x & low) | ((x & !low) >> (8 - W));
    let low = 0x0000_ffff_0000_ffff;
    let x = (x & low) | ((x & !low) >> (16 - 2 * W));
    let low = 0x0000_0000_ffff_ffff;
    (x & low) | ((x & !low) >> (32 - 4 * W))
}

/// The inverse of [`squeeze`]; higher bits are ignored.
#[inline]
const fn spread<const W: usize>(x: u64) -> u64 {
    let quad = (1u64 << (4 * W)) - 1;
    let x = (x & quad) | (((x >> (4 * W)) & quad) << 32);
    let pair = ((1u64 << (2 * W)) - 1) * 0x0000_0001_0000_0001;
    let x = (x & pair) | (((x >> (2 * W)) & pair) << 16);
    let one = ((1u64 << W) - 1) * 0x0001_0001_0001_0001;
    (x & one) | (((x >> W) & one) << 8)
}

#[cfg(test)]
mod tests {
    use super::{Codes, Step, spread, squeeze};

    /// The table of widths in the issue: 4 bits to 15 stones and 5 to 31 with parity.
    #[test]
    fn widths() {
        let width = |stones, step| Codes::new(stones, step).map(Codes::width);
        assert_eq!(width(0, Step::Two), Some(1));
        assert_eq!(width(15, Step::Two), Some(4));
        assert_eq!(width(16, Step::Two), Some(5));
        assert_eq!(width(31, Step::Two), Some(5));
        assert_eq!(width(32, Step::Two), Some(6));
        assert_eq!(width(127, Step::Two), Some(7));
        assert_eq!(width(7, Step::One), Some(4));
        assert_eq!(width(8, Step::One), Some(5));
        assert_eq!(width(127, Step::One), Some(8));
        assert_eq!(width(128, Step::One), None);
    }

    #[test]
    fn allows_exactly_the_range_and_its_parity() {
        for stones in 0..=127 {
            for (step, parity) in [(Step::One, 1), (Step::Two, 2)] {
                let codes = Codes::new(stones, step).unwrap();
                for value in i8::MIN..=i8::MAX {
                    let v = i32::from(value);
                    let right = v.abs() <= stones as i32 && (v + stones as i32) % parity == 0;
                    assert_eq!(codes.allows(value), right, "{value} in layer {stones}");
                }
            }
        }
    }

    #[test]
    fn spread_undoes_squeeze() {
        fn check<const W: usize>() {
            let x = 0x9f3a_57c1_e86d_42b7 & (((1u64 << W) - 1) * 0x0101_0101_0101_0101);
            assert_eq!(squeeze::<W>(x) >> (8 * W - 1) >> 1, 0);
            assert_eq!(spread::<W>(squeeze::<W>(x) | (!0u64 << (8 * W - 1) << 1)), x);
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
        check::<7>();
        check::<8>();
    }
}
