// SPDX-License-Identifier: MIT
//! Codecs in safe Rust: the trait [`Codec`] and the macro [`export_plugin!`](crate::export_plugin).
//!
//! A plugin is a `cdylib` beside a manifest. See the example `tagged`, and docs/rust.md.

mod bridge;
mod builder;
mod call;
mod input;
mod items;
mod node;
mod output;

pub use builder::Builder;
pub use call::{Budget, Loss};
pub use input::{Input, Options, Reader};
pub use items::Items;
pub use node::{ByteOrder, Node};
pub use output::Output;

use crate::{Error, Result, Status, View};

/// A codec with its options: reads and writes one format. Several threads use one at the same time.
///
/// A panic in any function becomes an error with the code [`Status::Plugin`].
pub trait Codec: Sized + Send + Sync + 'static {
    /// The name, as in the manifest.
    const NAME: &'static str;
    /// Whether the codec has [`Codec::decode`].
    const CAN_DECODE: bool = true;
    /// Whether the codec has [`Codec::encode`].
    const CAN_ENCODE: bool = true;
    /// Looks at the first bytes (up to 4096) of an input. Without it the magic numbers of the manifest decide.
    const SNIFF: Option<fn(&Input<'_>) -> Sniff> = None;

    /// Makes the codec from options that the host has checked against the schema of the manifest.
    fn open(options: &Options<'_>) -> Result<Self>;

    /// Decodes all of `input`. The value may borrow from the input and from the memory of `out`.
    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let _ = (input, out);
        Err(Error::new(Status::Unsupported, "this codec only encodes: it has no decoder; choose another codec"))
    }

    /// Encodes `value`. The output may borrow from the value.
    fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        let _ = (value, out);
        Err(Error::new(Status::Unsupported, "this codec only decodes: it has no encoder; choose another codec"))
    }
}

/// A guess at a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniff {
    /// 0: certainly not, 1 to 49: could be, 50 to 89: likely, 90 to 100: a magic number fits.
    pub score: u32,
    /// What was seen, in words.
    pub reason: String,
}

impl Sniff {
    /// Returns a guess with its reason.
    pub fn new(score: u32, reason: impl Into<String>) -> Sniff {
        Sniff { score, reason: reason.into() }
    }
}

/// Makes the constant object `polycodec_plugin_v2`, which is all that a plugin exports.
///
/// `id` and `version` are constants that equal those of the manifest. Each codec is a type with [`Codec`].
///
/// ```
/// use polycodec::plugin::{Builder, Codec, Input, Node, Options, Output};
/// use polycodec::{Error, Result, Status, View};
///
/// struct Raw;
///
/// impl Codec for Raw {
///     const NAME: &'static str = "example-raw";
///     fn open(_: &Options<'_>) -> Result<Self> {
///         Ok(Raw)
///     }
///     fn decode<'a>(&self, input: &Input<'a>, _: &mut Builder<'a>) -> Result<Node<'a>> {
///         Ok(Node::bytes(input.bytes()))
///     }
///     fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
///         let bytes = value.as_bytes().ok_or_else(|| Error::new(Status::Type, "expected bytes"))?;
///         out.reference(bytes)
///     }
/// }
///
/// polycodec::export_plugin! { id: "example-raw", version: env!("CARGO_PKG_VERSION"), codecs: [Raw] }
/// # fn main() {}
/// ```
///
/// Memory that does not live as long as the value is an error of the compiler:
///
/// ```compile_fail,E0515
/// # use polycodec::plugin::{Builder, Codec, Input, Node, Options};
/// # use polycodec::Result;
/// # struct Raw;
/// # impl Codec for Raw {
/// #     const NAME: &'static str = "example-raw";
/// #     fn open(_: &Options<'_>) -> Result<Self> { Ok(Raw) }
/// fn decode<'a>(&self, input: &Input<'a>, _: &mut Builder<'a>) -> Result<Node<'a>> {
///     let copy = input.bytes().to_vec();
///     Ok(Node::bytes(&copy))
/// }
/// # }
/// ```
///
/// A decoder cannot keep the input for later calls:
///
/// ```compile_fail
/// # use polycodec::plugin::{Builder, Codec, Input, Node, Options};
/// # use polycodec::Result;
/// # use std::sync::Mutex;
/// struct Raw(Mutex<&'static [u8]>);
/// # impl Codec for Raw {
/// #     const NAME: &'static str = "example-raw";
/// #     fn open(_: &Options<'_>) -> Result<Self> { Ok(Raw(Mutex::new(b""))) }
/// fn decode<'a>(&self, input: &Input<'a>, _: &mut Builder<'a>) -> Result<Node<'a>> {
///     *self.0.lock().unwrap() = input.bytes();
///     Ok(Node::null())
/// }
/// # }
/// ```
#[macro_export]
macro_rules! export_plugin {
    (id: $id:expr, version: $version:expr, codecs: [$($codec:ty),+ $(,)?] $(,)?) => {
        #[cfg(panic = "abort")]
        compile_error!("a plugin needs panic = \"unwind\": a panic must become an error of the host");

        const _: () = {
            use $crate::plugin::__private as private;

            const ID: &str = $id;
            const VERSION: &str = $version;
            static ID_TEXT: [u8; ID.len() + 1] = private::terminated(ID);
            static VERSION_TEXT: [u8; VERSION.len() + 1] = private::terminated(VERSION);
            static CODECS: &[private::Entry] = &[$({
                const NAME: &str = <$codec as $crate::plugin::Codec>::NAME;
                static NAME_TEXT: [u8; NAME.len() + 1] = private::terminated(NAME);
                static CODEC: private::Codec = private::codec::<$codec>(&NAME_TEXT);
                private::Entry(&CODEC)
            }),+];
            static TABLE: private::Codecs = private::codecs(CODECS);

            unsafe extern "C" fn get_interface(
                _: *const private::Plugin,
                id: *const private::c_char,
            ) -> *const private::c_void {
                private::interface(id, &TABLE)
            }

            #[allow(non_upper_case_globals)]
            #[no_mangle]
            pub static polycodec_plugin_v2: private::Plugin =
                private::plugin(&ID_TEXT, &VERSION_TEXT, get_interface);
        };
    };
}

/// What [`export_plugin!`](crate::export_plugin) expands to.
#[doc(hidden)]
pub mod __private {
    pub use super::bridge::{codec, codecs, interface, plugin, terminated, Entry};
    pub use crate::abi::{Codec, Codecs, Plugin};
    pub use std::os::raw::{c_char, c_void};
}
