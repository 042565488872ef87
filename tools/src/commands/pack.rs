//! `mancala pack` and `mancala unpack`: tables in another codec.

use games::{AnyRuleset, Ruleset};
use tablebase::file::{
    Codec, Encoding, FolderLock, LayerFile, ValueKind, check_space, file_path, folder_name,
    layers_of_kind, max_file_len, transcode,
};
use tablebase::{Tabled, Tables};

use crate::args::{Folder, Threads};
use crate::error::Error;
use crate::progress::Meter;

#[derive(clap::Args)]
pub(crate) struct Pack {
    /// The form of the files: zstd, zstd-bytes, zstd-packed or packed
    #[arg(long, default_value = "zstd")]
    codec: Codec,
    /// The effort of zstd; more makes smaller files, much slower
    #[arg(long, value_name = "L", allow_negative_numbers = true, default_value_t = 3,
          value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    #[command(flatten)]
    job: Job,
}

#[derive(clap::Args)]
pub(crate) struct Unpack {
    /// The form of the files: byte or packed
    #[arg(long, default_value = "byte")]
    codec: Codec,
    #[command(flatten)]
    job: Job,
}

impl Pack {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.job.run(Encoding::new(self.codec).with_level(self.level))
    }
}

impl Unpack {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.job.run(Encoding::new(self.codec))
    }
}

/// All layers of a ruleset are turned into one encoding.
#[derive(clap::Args)]
struct Job {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`; stones a pit do not matter
    game: AnyRuleset,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
    /// Say nothing about progress
    #[arg(long)]
    quiet: bool,
}

impl Job {
    fn run(&self, encoding: Encoding) -> Result<(), Error> {
        match &self.game {
            AnyRuleset::Sides(game) => self.run_with(game, encoding),
            AnyRuleset::Toguz(game) => self.run_with(game, encoding),
        }
    }

    fn run_with<R: Tabled>(&self, game: &Ruleset<R>, encoding: Encoding) -> Result<(), Error> {
        let meter = Meter::new(self.quiet);
        let tables = &self.folder.tables;
        let files = self.files(game)?;
        let lock = FolderLock::acquire(&tables.join(folder_name(&game.table_key())))?;
        lock.remove_stale()?;
        let pool = self.threads.pool()?;
        let (mut before, mut after, mut changed) = (0, 0, 0);
        for file in &files {
            before += file.header().file_len();
            after += if file.header().encoding() == encoding {
                file.header().file_len()
            } else {
                changed += 1;
                let spec = file.header().spec();
                meter.start(&format!("layer {}", spec.stones()), spec.count());
                pool.install(|| rewrite(file, &lock, encoding))?
            };
            meter.add(file.header().count());
        }
        meter.end();
        let (layers, codec) = (files.len(), encoding.codec());
        meter.say(&format!(
            "{layers} layers are {codec} now, {changed} were not: {before} bytes before, {after} after"
        ));
        Ok(())
    }

    /// The files of a ruleset, of values and of bounds.
    fn files<R: Tabled>(&self, game: &Ruleset<R>) -> Result<Vec<LayerFile>, Error> {
        let key = game.table_key();
        let tables = &self.folder.tables;
        if !tables.join(folder_name(&key)).is_dir() {
            // Says what is missing.
            Tables::open(tables, game, games::MAX_STONES)?;
        }
        let mut files = Vec::new();
        for kind in ValueKind::ALL {
            for layer in layers_of_kind(tables, &key, kind)? {
                files.push(LayerFile::open(&file_path(tables, &key, layer, kind), &key)?);
            }
        }
        Ok(files)
    }
}

/// Gives a layer another encoding in one step; tells the length of the new file.
fn rewrite(file: &LayerFile, lock: &FolderLock, encoding: Encoding) -> Result<u64, Error> {
    let spec = file.header().spec();
    check_space(lock.dir(), max_file_len(spec, encoding))?;
    let path = transcode(file, lock.dir(), encoding)?;
    Ok(LayerFile::open(&path, spec.key())?.header().file_len())
}
