//! Files of layers: one file holds the values of all positions of one layer.
//!
//! [`LayerWriter`] takes the values in the order of the index and renames the whole file into
//! place; [`LayerFile`] opens one without reading its data and probes it through one interface, whatever
//! its [`Codec`]; [`transcode`] turns one codec into another. [`Packed`] is the packed form by
//! itself, also for tables in memory. A [`FolderLock`] keeps two builds apart. The bytes are
//! described in `tablebase/FORMAT.md`.

mod cache;
mod checked;
mod codec;
mod codes;
mod error;
mod folder;
mod header;
mod packed;
mod reader;
mod spec;
mod tail;
mod transcode;
mod writer;

pub use codec::{Codec, Encoding, UnknownCodec};
pub use codes::Codes;
pub use error::FileError;
pub use folder::{
    FolderLock, check_space, file_name, file_path, folder_name, free_space, key_of_folder, keys_in,
    layer_name, layer_of, layer_path, layers_in, layers_of_kind,
};
pub(crate) use folder::{IN_WORK, PART};
pub use header::{Header, HeaderError};
pub use packed::Packed;
pub use reader::LayerFile;
pub use spec::{LayerSpec, Scheme, SpecError, Step, ValueKind};
pub use transcode::transcode;
pub use writer::{LayerWriter, max_file_len};
