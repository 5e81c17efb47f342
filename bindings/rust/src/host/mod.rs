// SPDX-License-Identifier: MIT
//! Programs that open, convert and write data: [`Registry`], [`Source`], [`Value`].
//!
//! ```no_run
//! use polycodec::host::{Registry, Source};
//!
//! # fn main() -> polycodec::Result<()> {
//! let registry = Registry::open()?;
//! let value = registry.decode(&Source::open("mesh.ply")?)?;
//! let x: Option<&[f32]> = value.find("$.vertex.x")?.as_slice();
//! println!("{} {:?}", value.type_notation()?, x);
//! # Ok(())
//! # }
//! ```
//!
//! Handles are counted, never change and may be used by many threads. A value keeps all that it views, except for
//! memory of the program that it borrows.
//!
//! A view cannot outlive its value:
//!
//! ```compile_fail,E0597
//! # use polycodec::host::Value;
//! # fn main() -> polycodec::Result<()> {
//! let view = {
//!     let value = Value::parse("[1, 2]")?;
//!     value.view()
//! };
//! println!("{:?}", view.list());
//! # Ok(())
//! # }
//! ```
//!
//! Nor can what was taken from a view, such as a slice or text:
//!
//! ```compile_fail,E0505
//! # use polycodec::host::Value;
//! # fn main() -> polycodec::Result<()> {
//! let value = Value::parse("[1, 2]")?;
//! let text = value.view().as_str();
//! drop(value);
//! println!("{:?}", text);
//! # Ok(())
//! # }
//! ```
//!
//! A value cannot outlive memory that it borrows, also by way of its source:
//!
//! ```compile_fail,E0597
//! # use polycodec::host::{Registry, Source};
//! # fn main() -> polycodec::Result<()> {
//! # let registry = Registry::open()?;
//! let value = {
//!     let bytes = vec![0x93, 1, 2, 3];
//!     registry.decode(&Source::from_slice(&bytes, "list.msgpack")?)?
//! };
//! println!("{:?}", value.view());
//! # Ok(())
//! # }
//! ```
//!
//! Nor can encoded segments, which view the value:
//!
//! ```compile_fail,E0597
//! # use polycodec::host::{CallOptions, Registry, Source};
//! # fn main() -> polycodec::Result<()> {
//! # let registry = Registry::open()?;
//! # let codec = registry.codec("msgpack-ndarray")?;
//! let encoded = {
//!     let bytes = vec![0x93, 1, 2, 3];
//!     let value = codec.decode(&Source::from_slice(&bytes, "")?, &CallOptions::new())?;
//!     codec.encode(&value, &CallOptions::new())?
//! };
//! println!("{:?}", encoded.to_vec());
//! # Ok(())
//! # }
//! ```
//!
//! The memory that a value borrows cannot change:
//!
//! ```compile_fail,E0506
//! # use polycodec::host::{Registry, Source};
//! # fn main() -> polycodec::Result<()> {
//! # let registry = Registry::open()?;
//! let mut bytes = [0x93, 1, 2, 3];
//! let value = registry.decode(&Source::from_slice(&bytes, "list.msgpack")?)?;
//! bytes[1] = 7;
//! println!("{:?}", value.view());
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "arrow")]
mod arrow;
mod build;
mod call_options;
mod channel;
mod codec;
mod collection;
mod frames;
mod objects;
mod registry;
mod schema;
mod sink;
mod source;
mod store;
mod stream;
#[rustfmt::skip] // is made by scripts/rust_sys.py
mod sys;
mod value;

pub use call_options::{Budget, CallOptions, Format, Limits, Progress};
pub use channel::{Channel, Message, Received};
pub use codec::{Codec, Encoded};
pub use collection::Collection;
pub use frames::Frames;
pub use objects::Objects;
pub use registry::{Choice, Listing, Registry, RegistryOptions};
pub use schema::Schema;
pub use source::Source;
pub use store::Store;
pub use stream::{FileWriter, Stream, StreamWriter};
pub use value::{Address, Value};

pub use crate::plugin::Loss;

/// Layouts that the tests compare with the header.
#[doc(hidden)]
pub mod layouts {
    pub use super::sys::{CallOptions, Format, Match, Progress, RegistryOptions, WriteOptions};
}

/// Returns the version of the library.
pub fn library_version() -> &'static str {
    // SAFETY: a constant text of the library.
    unsafe { std::ffi::CStr::from_ptr(sys::polycodec_library_version()) }.to_str().unwrap_or("")
}

/// Gives the memory of freed values that is kept for the next ones back to the system.
///
/// The library does so by itself but for 8 MiB when it has had no work for a quarter of a second.
pub fn trim() {
    // SAFETY: it takes nothing.
    unsafe { sys::polycodec_library_trim() }
}

fn path_bytes(path: &std::path::Path) -> crate::abi::Bytes {
    use std::os::unix::ffi::OsStrExt;
    crate::abi::Bytes::of(path.as_os_str().as_bytes())
}

fn text_bytes(text: &str) -> crate::abi::Bytes {
    crate::abi::Bytes::of(text.as_bytes())
}
