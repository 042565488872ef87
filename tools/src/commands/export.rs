//! `mancala export`: tables in the forms of other programs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use games::Ruleset;
use tablebase::Tables;
use tablebase::vu::{self, VuError};

use crate::args::Folder;
use crate::error::Error;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: `NAME[:PITSxSEEDS][,option=value]...`; stones a pit do not matter
    game: Ruleset,
    #[command(flatten)]
    folder: Folder,
    /// The highest layer to write; all below are written as well
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=i64::from(games::MAX_STONES)))]
    stones: u32,
    /// The form of the files
    #[arg(long, value_enum)]
    format: Form,
    /// The folder to write to; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// `scores.N` of the published awari database: one signed byte a position
    Vu,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let Form::Vu = self.format;
        let tables = Tables::open(&self.folder.tables, &self.game, self.stones)?;
        let most = tables.most_stones();
        if most < self.stones {
            let key = self.game.table_key();
            return Err(Error::NoLayer { key, stones: self.stones, most });
        }
        fs::create_dir_all(&self.output).map_err(|reason| cannot_write(&self.output, reason))?;
        (0..=self.stones).try_for_each(|layer| self.write(&tables, layer))
    }

    /// Writes a layer under another name first, so that a file of the right name is whole.
    fn write(&self, tables: &Tables, layer: u32) -> Result<(), Error> {
        tables.layers()[layer as usize].verify_checksums()?;
        let path = self.output.join(format!("scores.{layer}"));
        let in_work = self.output.join(format!("scores.{layer}.tmp"));
        let failed = |reason| cannot_write(&in_work, reason);
        let mut file = BufWriter::new(File::create(&in_work).map_err(failed)?);
        vu::write(tables, layer, &mut file).map_err(|error| match error {
            VuError::File(error) => Error::File(error),
            VuError::Io(reason) => failed(reason),
        })?;
        file.flush().map_err(failed)?;
        fs::rename(&in_work, &path).map_err(|reason| cannot_write(&path, reason))
    }
}

fn cannot_write(path: &Path, reason: io::Error) -> Error {
    Error::Output { path: path.to_owned(), reason }
}
