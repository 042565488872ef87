//! The study of Oware: its endgames, where tables of them exist.

use super::{Request, Study};
use crate::error::Error;

/// The study; `None` as long as there are no results to make it from.
pub(crate) fn study(_request: &mut Request) -> Result<Option<Study>, Error> {
    Ok(None)
}
