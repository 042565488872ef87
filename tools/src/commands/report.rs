//! `mancala report`: the studies.

use std::path::PathBuf;

use crate::engine::Resources;
use crate::error::Error;
use crate::report::{self, Checker, Name, Request};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The studies to make [default: all]
    #[arg(value_enum)]
    studies: Vec<Name>,
    /// The folder for the pages, Markdown, CSV and JSON
    #[arg(long, value_name = "DIR", default_value = "reports")]
    output: PathBuf,
    /// Compute everything anew, which takes hours; what is computed is kept in the folder, and an
    /// interrupted run goes on from there
    #[arg(long)]
    recompute: bool,
    /// With --recompute, leave out boards of Kalah with more stones
    #[arg(long, value_name = "N", default_value_t = 60)]
    most_stones: u32,
    /// With --recompute, the highest layer of the study of Oware; with --tables, which it also takes
    /// from there if bounds are in them, at most this
    #[arg(long, value_name = "N", default_value_t = 12, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(..=24), requires = "recompute")]
    stones: u32,
    /// Values of each committed result that are proved again; 0 for none
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "recompute")]
    samples: usize,
    /// Which values: the same number chooses the same [default: by chance]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    resources: Resources,
}

impl Args {
    pub(crate) fn run(&self) -> Result<(), Error> {
        report::prepare(&self.output)?;
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let mut request = Request {
            recompute: self.recompute,
            most_stones: self.most_stones,
            endgame_stones: self.stones,
            folder: &self.output,
            checker: Checker {
                resources: &self.resources,
                samples: self.samples,
                random: fastrand::Rng::with_seed(seed),
                done: Vec::new(),
            },
        };
        let all = [Name::Kalah, Name::Oware, Name::Mangala];
        let studies = if self.studies.is_empty() { &all[..] } else { &self.studies };
        for &study in studies {
            let paths = report::make(study, &mut request)?;
            for path in &paths {
                self.resources.say(&format!("wrote {}", path.display()));
            }
            if paths.is_empty() {
                self.skip(study)?;
            }
        }
        Ok(())
    }

    /// A study that was named must be there; of all studies, those that can be are made.
    fn skip(&self, study: Name) -> Result<(), Error> {
        let text = format!("{study:?}").to_lowercase();
        let text = format!("{text}: there are no results yet to make the study from");
        if self.studies.contains(&study) {
            return Err(Error::Usage(text));
        }
        self.resources.say(&format!("skipped {text}"));
        Ok(())
    }
}
