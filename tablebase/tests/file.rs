//! Layer files: round trips, damage of every kind, names, locks.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tablebase::file::{
    Codec, Codes, Encoding, FileError, FolderLock, LayerFile, LayerSpec, LayerWriter, Packed,
    Scheme, Step, ValueKind, check_space, folder_name, free_space, layer_name, layer_path,
    max_file_len, transcode,
};

const KEY: &str = "kalah:6,capture=nonempty,remainder=owner,end=either";
const HEADER: usize = 4096;
const TRAILER: usize = 32;

/// Values that a layer can hold, in no order.
fn values(stones: u32, step: Step, count: usize) -> Vec<i8> {
    let step = if step == Step::Two { 2 } else { 1 };
    let codes = u64::from(2 * stones / step + 1);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % codes) as i32 * step as i32 - stones as i32
    };
    std::iter::repeat_with(next).map(|value| value as i8).take(count).collect()
}

fn spec(pits: u32, stones: u32, step: Step) -> LayerSpec {
    LayerSpec::new(KEY, Scheme::Sides, pits, stones, step).unwrap()
}

fn small_blocks(codec: Codec) -> Encoding {
    Encoding::new(codec).with_block(64).unwrap()
}

fn write(dir: &Path, spec: &LayerSpec, encoding: Encoding) -> (PathBuf, Vec<i8>) {
    let values = values(spec.stones(), spec.step(), spec.count() as usize);
    let mut writer = LayerWriter::create(dir, spec.clone(), encoding).unwrap();
    writer.write(&values).unwrap();
    (writer.finish().unwrap(), values)
}

/// All ways to read the file give the values.
fn assert_holds(file: &LayerFile, values: &[i8]) {
    file.verify_checksums().unwrap();
    assert_eq!(file.header().count(), values.len() as u64);
    let mut read = vec![0; values.len()];
    file.read_range(0, &mut read).unwrap();
    assert_eq!(read, values);
    for (index, &value) in values.iter().enumerate() {
        file.prefetch(index as u64);
        assert_eq!(file.value(index as u64).unwrap(), i32::from(value));
    }
    assert!(matches!(file.value(values.len() as u64), Err(FileError::Index { .. })));
    assert!(matches!(file.read_range(1, &mut read), Err(FileError::Index { .. })));
    assert!(matches!(file.read_range(u64::MAX, &mut read), Err(FileError::Index { .. })));
}

#[test]
fn every_codec_gives_back_what_was_written() {
    for codec in Codec::ALL {
        for step in [Step::One, Step::Two] {
            for (pits, stones) in [(1, 0), (1, 1), (1, 127), (2, 5), (2, 6), (3, 8), (3, 15)] {
                let dir = tempfile::tempdir().unwrap();
                let spec = spec(pits, stones, step);
                let encoding = small_blocks(codec);
                let (path, values) = write(dir.path(), &spec, encoding);
                let most = max_file_len(&spec, encoding);
                let len = fs::metadata(&path).unwrap().len();
                assert!(if codec.is_compressed() { len <= most } else { len == most });
                for file in [LayerFile::open(&path, KEY), LayerFile::load(&path, KEY)] {
                    let file = file.unwrap();
                    assert_eq!(file.header().spec(), &spec);
                    assert_eq!(file.header().encoding(), encoding);
                    assert_holds(&file, &values);
                }
            }
        }
    }
}

#[test]
fn usual_blocks_round_trip() {
    let spec = spec(6, 12, Step::Two);
    for codec in Codec::ALL {
        let dir = tempfile::tempdir().unwrap();
        let (path, values) = write(dir.path(), &spec, Encoding::new(codec));
        let file = LayerFile::open(&path, KEY).unwrap();
        file.verify_checksums().unwrap();
        let mut part = vec![0; 300_000];
        file.read_range(33, &mut part).unwrap();
        assert_eq!(part, values[33..300_033]);
        for index in (0..values.len()).rev().step_by(997) {
            assert_eq!(file.value(index as u64).unwrap(), i32::from(values[index]));
        }
    }
}

/// More values than a writer encodes at once, across the seams of what it was given.
#[test]
fn batches_join_without_a_seam() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(6, 18, Step::Two);
    let values = values(18, Step::Two, spec.count() as usize);
    let mut writer = LayerWriter::create(dir.path(), spec, Codec::Packed).unwrap();
    writer.write(&values[..5]).unwrap();
    writer.write(&values[5..]).unwrap();
    let file = LayerFile::load(&writer.finish().unwrap(), KEY).unwrap();
    file.verify_checksums().unwrap();
    let mut read = vec![0; values.len()];
    file.read_range(0, &mut read).unwrap();
    assert!(read == values);
}

/// The header states the offset for NumPy: from there on the file is an array of int8.
#[test]
fn bytes_lie_plain_at_the_offset_of_the_header() {
    let dir = tempfile::tempdir().unwrap();
    let (path, values) = write(dir.path(), &spec(3, 9, Step::Two), Codec::Byte.into());
    let header = LayerFile::open(&path, KEY).unwrap().header().clone();
    assert_eq!(header.data_offset() % 4096, 0);
    let bytes = fs::read(&path).unwrap();
    let plain = &bytes[header.data_offset() as usize..][..values.len()];
    assert!(plain.iter().zip(&values).all(|(&byte, &value)| byte as i8 == value));
}

#[test]
fn the_size_of_written_chunks_does_not_show_in_the_file() {
    for codec in Codec::ALL {
        let dir = tempfile::tempdir().unwrap();
        let spec = spec(3, 10, Step::Two);
        let (path, values) = write(dir.path(), &spec, small_blocks(codec));
        let whole = fs::read(&path).unwrap();
        for chunk in [1, 7, 64, 100, 1000] {
            let mut writer =
                LayerWriter::create(dir.path(), spec.clone(), small_blocks(codec)).unwrap();
            values.chunks(chunk).for_each(|values| writer.write(values).unwrap());
            assert!(whole == fs::read(writer.finish().unwrap()).unwrap());
        }
    }
}

#[test]
fn a_flip_of_any_byte_is_found() {
    for codec in Codec::ALL {
        let dir = tempfile::tempdir().unwrap();
        let (path, values) = write(dir.path(), &spec(2, 8, Step::Two), small_blocks(codec));
        let good = fs::read(&path).unwrap();
        // In place: a file that is written anew each time waits for the disk.
        let mut written = fs::File::options().write(true).open(&path).unwrap();
        let mut put = |at: usize, byte: u8| {
            written.seek(SeekFrom::Start(at as u64)).unwrap();
            written.write_all(&[byte]).unwrap();
        };
        for (at, &byte) in good.iter().enumerate() {
            for flip in [1 << (at % 8), 0xff] {
                put(at, byte ^ flip);
                let Ok(file) = LayerFile::open(&path, KEY) else { continue };
                assert!(file.verify_checksums().is_err(), "{codec}: flip {flip:#x} of byte {at}");
                // So does whoever probes it.
                for (index, &value) in values.iter().enumerate().step_by(37) {
                    let probed = file.value(index as u64);
                    assert!(probed.is_err() || probed.is_ok_and(|v| v == i32::from(value)));
                }
                assert!(file.read_range(0, &mut vec![0; values.len()]).is_err());
            }
            put(at, byte);
        }
        assert_holds(&LayerFile::open(&path, KEY).unwrap(), &values);
    }
}

#[test]
fn verify_names_the_first_bad_block() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &spec(3, 10, Step::Two), small_blocks(Codec::Byte));
    let mut bytes = fs::read(&path).unwrap();
    bytes[HEADER + 5 * 64 + 3] ^= 2;
    bytes[HEADER + 9 * 64] ^= 2;
    fs::write(&path, &bytes).unwrap();
    let error = LayerFile::open(&path, KEY).unwrap().verify_checksums();
    assert!(matches!(error, Err(FileError::Block { block: 5, first: 320, .. })));
}

#[test]
fn a_cut_or_longer_file_does_not_open() {
    for codec in Codec::ALL {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = write(dir.path(), &spec(2, 8, Step::Two), small_blocks(codec));
        let mut bytes = fs::read(&path).unwrap();
        bytes.push(0);
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(LayerFile::open(&path, KEY), Err(FileError::Incomplete { .. })));
        let file = fs::File::options().write(true).open(&path).unwrap();
        for len in (0..bytes.len() as u64 - 1).rev() {
            file.set_len(len).unwrap();
            assert!(matches!(LayerFile::open(&path, KEY), Err(FileError::Incomplete { .. })));
            assert!(LayerFile::load(&path, KEY).is_err());
        }
    }
}

/// Makes all checksums of the ends right again after a change.
fn reseal(bytes: &mut [u8]) {
    let end = bytes.len() - TRAILER;
    let field = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    };
    let crc = crc32fast::hash(&bytes[..HEADER - 4]).to_le_bytes();
    bytes[HEADER - 4..HEADER].copy_from_slice(&crc);
    bytes[end + 16..end + 20].copy_from_slice(&crc);
    if let Some(table) = HEADER.checked_add(field(bytes, 72)).filter(|&table| table < end) {
        let crc = crc32fast::hash(&bytes[table..end]).to_le_bytes();
        bytes[end + 20..end + 24].copy_from_slice(&crc);
    }
    let crc = crc32fast::hash(&bytes[end..end + 28]).to_le_bytes();
    bytes[end + 28..].copy_from_slice(&crc);
}

/// A good file that is forged, again and again.
struct Forger {
    _dir: tempfile::TempDir,
    path: PathBuf,
    good: Vec<u8>,
}

impl Forger {
    fn new(codec: Codec) -> Forger {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = write(dir.path(), &spec(2, 8, Step::Two), small_blocks(codec));
        Forger { good: fs::read(&path).unwrap(), path, _dir: dir }
    }

    /// The error of opening the good file after `change`, with its checksums made right.
    fn error(&self, change: impl FnOnce(&mut Vec<u8>)) -> FileError {
        let mut bytes = self.good.clone();
        change(&mut bytes);
        reseal(&mut bytes);
        fs::write(&self.path, &bytes).unwrap();
        LayerFile::open(&self.path, KEY).unwrap_err()
    }
}

#[test]
fn other_files_versions_and_byte_orders_are_refused() {
    let forger = Forger::new(Codec::Byte);
    let error = forger.error(|bytes| bytes[0] = b'x');
    assert!(matches!(error, FileError::Magic { .. }));
    let error = forger.error(|bytes| bytes[8] = 2);
    assert!(matches!(error, FileError::Version { found: 2, known: 1, .. }));
    // As a big-endian writer would leave all words of the header.
    let error = forger.error(|bytes| {
        bytes[8..48].as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    });
    assert!(matches!(error, FileError::ByteOrder { .. }));
}

/// Fields with right checksums and absurd or contradictory contents are refused, not trusted.
#[test]
fn forged_header_fields_are_refused() {
    // Every number of the header but the zstd level, which readers do not use.
    let fields = (16..44).step_by(4).chain((48..80).step_by(8)).chain([80, 84]);
    let absurd = fields.flat_map(|at| [(at, 0x7fff_fff1), (at, u32::MAX)]);
    let near = [(16, 9), (20, 3), (24, 0), (28, 3), (32, 4), (36, 3), (36, 1), (40, 5)];
    let lengths = [(48, 164), (56, 0), (56, 96), (64, 0), (64, 8192), (72, 0), (72, 1000), (80, 0)];
    let forgers = [Codec::Packed, Codec::ZstdPacked].map(|codec| (codec, Forger::new(codec)));
    for (at, forgery) in absurd.chain(near).chain(lengths) {
        for (codec, forger) in &forgers {
            let error = forger.error(|bytes| {
                bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(forgery));
            });
            assert!(
                matches!(error, FileError::Header { .. } | FileError::Incomplete { .. }),
                "{codec}: field {at} = {forgery:#x}: {error}"
            );
        }
    }
}

#[test]
fn forged_block_tables_are_found() {
    for codec in [Codec::ZstdBytes, Codec::ZstdPacked] {
        for (at, forgery) in [(0, &[0xff; 8][..]), (0, &[1; 8]), (8, &[0xff; 4]), (8, &[0; 4])] {
            let dir = tempfile::tempdir().unwrap();
            let (path, _) = write(dir.path(), &spec(2, 8, Step::Two), small_blocks(codec));
            let mut bytes = fs::read(&path).unwrap();
            let table = bytes.len() - TRAILER - 3 * 16;
            bytes[table + at..table + at + forgery.len()].copy_from_slice(forgery);
            reseal(&mut bytes);
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(LayerFile::open(&path, KEY), Err(FileError::Table { .. })));
        }
    }
}

#[test]
fn other_rulesets_and_misnamed_layers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &spec(2, 8, Step::Two), Codec::Packed.into());
    let other = "kalah:6,capture=empty,remainder=owner,end=either";
    assert!(matches!(LayerFile::open(&path, other), Err(FileError::Ruleset { .. })));
    let renamed = dir.path().join(layer_name(9));
    fs::rename(&path, &renamed).unwrap();
    assert!(matches!(LayerFile::open(&renamed, KEY), Err(FileError::Layer { found: 8, .. })));
    assert!(matches!(LayerFile::open(&path, KEY), Err(FileError::Io { .. })));
}

#[test]
fn bounds_are_kept_apart_from_values() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(2, 8, Step::One).with_kind(ValueKind::UpperBound);
    let (path, _) = write(dir.path(), &spec, Codec::Byte.into());
    let file = LayerFile::open(&path, KEY).unwrap();
    assert_eq!(file.header().spec().kind(), ValueKind::UpperBound);
}

#[test]
fn nothing_stays_of_a_file_that_was_not_finished() {
    let dir = tempfile::tempdir().unwrap();
    let spec = spec(2, 8, Step::Two);
    let names = || fs::read_dir(dir.path()).unwrap().count();
    let mut writer = LayerWriter::create(dir.path(), spec.clone(), Codec::Byte).unwrap();
    writer.write(&[0; 100]).unwrap();
    assert_eq!(names(), 1);
    let second = LayerWriter::create(dir.path(), spec.clone(), Codec::Byte);
    assert!(matches!(second, Err(FileError::InWork { .. })));
    drop(writer);
    assert_eq!(names(), 0);

    let mut writer = LayerWriter::create(dir.path(), spec.clone(), Codec::Byte).unwrap();
    writer.write(&[0; 100]).unwrap();
    let error = writer.finish();
    assert!(matches!(error, Err(FileError::Count { written: 100, count: 165, .. })));

    let mut writer = LayerWriter::create(dir.path(), spec.clone(), Codec::Byte).unwrap();
    writer.write(&[0; 100]).unwrap();
    assert!(matches!(writer.write(&[0; 66]), Err(FileError::Count { written: 166, .. })));
    drop(writer);

    for wrong in [1, -1, 10, -10, 127, -128] {
        let mut values = [0; 165];
        values[77] = wrong;
        let mut writer = LayerWriter::create(dir.path(), spec.clone(), Codec::ZstdBytes).unwrap();
        let result = writer.write(&values).and_then(|()| writer.finish());
        assert!(matches!(result, Err(FileError::Value { index: 77, .. })), "{wrong}: {result:?}");
    }
    assert_eq!(names(), 0);
}

#[test]
fn stale_files_in_work_are_removed_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = write(dir.path(), &spec(2, 8, Step::Two), Codec::Byte.into());
    let stale = dir.path().join("layer-009.mnc.tmp");
    let foreign = dir.path().join("notes.tmp");
    fs::write(&stale, "half a lay").unwrap();
    fs::write(&foreign, "").unwrap();
    let lock = FolderLock::acquire(dir.path()).unwrap();
    assert_eq!(lock.remove_stale().unwrap(), std::slice::from_ref(&stale));
    assert!(!stale.exists() && foreign.exists() && path.exists());
}

#[test]
fn a_locked_folder_refuses_a_second_writer_until_released() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new");
    let lock = FolderLock::acquire(&dir).unwrap();
    assert!(matches!(FolderLock::acquire(&dir), Err(FileError::Locked { .. })));
    drop(lock);
    FolderLock::acquire(&dir).unwrap();
}

#[test]
fn transcoding_keeps_values_and_open_readers() {
    let dir = tempfile::tempdir().unwrap();
    let (path, values) = write(dir.path(), &spec(3, 11, Step::Two), small_blocks(Codec::Byte));
    let first = fs::read(&path).unwrap();
    let before = LayerFile::open(&path, KEY).unwrap();
    for codec in [Codec::Packed, Codec::ZstdBytes, Codec::ZstdPacked, Codec::Byte] {
        let source = LayerFile::open(&path, KEY).unwrap();
        assert_eq!(transcode(&source, dir.path(), small_blocks(codec)).unwrap(), path);
        let file = LayerFile::open(&path, KEY).unwrap();
        assert_eq!(file.header().codec(), codec);
        assert_holds(&file, &values);
    }
    assert_holds(&before, &values);
    assert!(first == fs::read(&path).unwrap());

    let mut damaged = first;
    damaged[HEADER + 70] ^= 2;
    fs::write(&path, &damaged).unwrap();
    let source = LayerFile::open(&path, KEY).unwrap();
    let result = transcode(&source, dir.path(), Codec::Packed);
    assert!(matches!(result, Err(FileError::Block { block: 1, .. })));
    assert!(damaged == fs::read(&path).unwrap());
}

#[test]
fn threads_share_a_compressed_file() {
    let dir = tempfile::tempdir().unwrap();
    let (path, values) = write(dir.path(), &spec(4, 9, Step::Two), small_blocks(Codec::ZstdPacked));
    let file = LayerFile::open(&path, KEY).unwrap();
    std::thread::scope(|scope| {
        for stride in [37, 101, 997] {
            let (file, values) = (&file, &values);
            scope.spawn(move || {
                for i in 0..20_000 {
                    let index = i * stride % values.len();
                    assert_eq!(file.value(index as u64).unwrap(), i32::from(values[index]));
                }
            });
        }
    });
}

#[test]
fn folder_names_are_safe_and_distinct() {
    assert_eq!(
        layer_path(Path::new("t"), KEY, 7),
        Path::new("t/kalah_6,capture=nonempty,remainder=owner,end=either/layer-007.mnc")
    );
    assert_eq!(folder_name("a_b:C/.."), "a%5Fb_%43%2F%2E%2E");
}

#[test]
fn free_space_is_told_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    assert!(free_space(dir.path()).unwrap() > 0);
    check_space(dir.path(), 1).unwrap();
    assert!(matches!(check_space(dir.path(), u64::MAX), Err(FileError::Space { .. })));
}

#[test]
fn codec_names_are_read_back() {
    for codec in Codec::ALL {
        assert_eq!(codec.name().parse(), Ok(codec));
    }
    assert!("zstd".parse::<Codec>().unwrap().is_compressed());
    assert!("zip".parse::<Codec>().unwrap_err().to_string().contains("`zip`"));
    for block in [0, 63, 96, 1 << 27, u64::MAX] {
        assert!(Encoding::new(Codec::Byte).with_block(block).is_err());
    }
}

proptest! {
    #[test]
    fn packed_values_come_back(
        stones in 0u32..=127,
        two in any::<bool>(),
        count in 0usize..10_000,
        cuts in prop::collection::vec(0usize..3000, 0..6),
        start in 0usize..10_000,
    ) {
        let step = if two { Step::Two } else { Step::One };
        let codes = Codes::new(stones, step).unwrap();
        let values = values(stones, step, count);
        let mut packed = Packed::with_capacity(codes, count);
        let mut rest = &values[..];
        for cut in cuts {
            let (head, after) = rest.split_at(cut.min(rest.len()));
            packed.extend(head).unwrap();
            rest = after;
        }
        packed.extend(rest).unwrap();
        prop_assert_eq!(packed.len(), count);
        for (index, &value) in values.iter().enumerate() {
            prop_assert_eq!(packed.get(index), i32::from(value));
        }
        let start = start.min(count);
        let mut out = vec![0; count - start];
        packed.read(start, &mut out);
        prop_assert_eq!(&out, &values[start..]);
        out.truncate(out.len() / 3);
        packed.read(start, &mut out);
        prop_assert_eq!(&out[..], &values[start..start + out.len()]);
        let again = Packed::from_bytes(codes, count, packed.bytes().to_vec()).unwrap();
        prop_assert!((0..count).all(|index| again.get(index) == packed.get(index)));
        prop_assert!(Packed::from_bytes(codes, count + 64, packed.bytes()).is_none());
    }

}

proptest! {
    // Each waits for the disk, so there are several ranges of a file instead of more files.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranges_agree_with_single_values(
        codec in prop::sample::select(&Codec::ALL[..]),
        two in any::<bool>(),
        pits in 1u32..=4,
        stones in 0u32..=9,
        blocks in 1u64..4,
        ranges in prop::collection::vec((0.0..1.0, 0.0..1.0), 4),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let spec = spec(pits, stones, if two { Step::Two } else { Step::One });
        let encoding = Encoding::new(codec).with_block(blocks * 64).unwrap();
        let (path, values) = write(dir.path(), &spec, encoding);
        let file = LayerFile::open(&path, KEY).unwrap();
        for (from, part) in ranges {
            let start = (values.len() as f64 * from) as usize;
            let mut out = vec![0; ((values.len() - start) as f64 * part) as usize];
            file.read_range(start as u64, &mut out).unwrap();
            prop_assert_eq!(&out[..], &values[start..start + out.len()]);
            for (i, &value) in out.iter().enumerate() {
                prop_assert_eq!(file.value((start + i) as u64).unwrap(), i32::from(value));
            }
        }
    }
}
