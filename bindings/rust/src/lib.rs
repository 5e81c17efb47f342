// SPDX-License-Identifier: MIT
//! Codecs for scientific data, for host programs and for plugins.
//!
//! - [`host`] opens a registry of codecs, decodes files and memory, and converts. It links the C library, which
//!   `pkg-config` finds. The feature `host` is on by default.
//! - [`plugin`] is for codecs in safe Rust that every host of polycodec can load. A plugin needs no library:
//!   `polycodec = { version = "0.2", default-features = false }`.
//!
//! Both read values through [`View`]. The features `ndarray` and `arrow` share columns with these crates.
#![deny(missing_docs)]

#[doc(hidden)]
pub mod abi;
mod error;
#[cfg(feature = "host")]
pub mod host;
pub mod plugin;
mod view;

pub use error::{Error, Result, Status};
pub use view::{Children, Data, Inner, List, ListIter, Map, Number, Numbers, Object, Other, Time, TimeUnit, View};

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "host"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
