// SPDX-License-Identifier: MIT
//! Plugins in safe Rust: codecs, filters, stores, functions and types, and the macro [`export_plugin!`](crate::export_plugin).
//!
//! A plugin is a `cdylib` beside a manifest. See the examples `tagged` and `survey`, and docs/rust.md.

mod bridge;
mod builder;
mod call;
mod columns;
mod files;
mod filter;
mod function;
mod growing;
mod input;
mod items;
mod node;
mod output;
mod store;
mod stream;

pub use builder::Builder;
pub use call::{Call, LogLevel, Loss};
pub use columns::{Element, Numbers, Strings};
pub use files::{Blob, Blobs, File};
pub use filter::{Filter, Pieces};
pub use function::{Function, NamedType};
pub use input::{Input, Options, Parts, Reader};
pub use items::Items;
pub use node::{ByteOrder, Node};
pub use output::Output;
pub use store::{OutputFile, Store, StoreWriter};
pub use stream::{Step, StreamReader, StreamWriter};

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
    /// Whether the codec has [`Codec::open_reader`].
    const CAN_READ_STREAM: bool = false;
    /// Whether the codec has [`Codec::open_writer`].
    const CAN_WRITE_STREAM: bool = false;
    /// Whether the codec has [`Codec::list`].
    const CAN_LIST: bool = false;
    /// What the codec reads.
    const INPUTS: Parts = Parts::BYTES;
    /// What the codec writes.
    const OUTPUTS: Parts = Parts::BYTES;
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

    /// Returns how many bytes [`Codec::encode`] writes, if that is known without encoding.
    fn encoded_size(&self, value: View<'_>, call: &mut Call<'_>) -> Result<Option<u64>> {
        let _ = (value, call);
        Ok(None)
    }

    /// Begins a stream of values that is read.
    fn open_reader(&self) -> Result<Box<dyn StreamReader>> {
        Err(Error::new(Status::Unsupported, "this codec reads no streams"))
    }

    /// Begins a stream of values that is written.
    fn open_writer(&self) -> Result<Box<dyn StreamWriter>> {
        Err(Error::new(Status::Unsupported, "this codec writes no streams"))
    }

    /// Lists the named values of a store, without decoding them: an object, each member an object with `blobs`, a list of objects
    /// with `name`, maybe `bytes` and `filter`. The first blob describes the value.
    fn list<'a>(&self, blobs: &'a Blobs, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let _ = (blobs, out);
        Err(Error::new(Status::Unsupported, "this codec does not list the values of stores"))
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
/// `id` and `version` are constants that equal those of the manifest. After them come, in this order, as far as the plugin has them:
/// `codecs`, types with [`Codec`]; `filters` with [`Filter`]; `stores` with [`Store`]; `functions` with [`Function`]; `types` with
/// [`NamedType`].
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
    (
        id: $id:expr,
        version: $version:expr
        $(, codecs: [$($codec:ty),+ $(,)?])?
        $(, filters: [$($filter:ty),+ $(,)?])?
        $(, stores: [$($store:ty),+ $(,)?])?
        $(, functions: [$($function:ty),+ $(,)?])?
        $(, types: [$($type:ty),+ $(,)?])?
        $(,)?
    ) => {
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
        compile_error!("a plugin needs panic = \"unwind\": a panic must become an error of the host");

        const _: () = {
            use $crate::plugin::__private as private;

            const ID: &str = $id;
            const VERSION: &str = $version;
            static ID_TEXT: [u8; ID.len() + 1] = private::terminated(ID);
            static VERSION_TEXT: [u8; VERSION.len() + 1] = private::terminated(VERSION);

            unsafe extern "C" fn get_interface(
                _: *const private::Plugin,
                id: *const private::c_char,
            ) -> *const private::c_void {
                let found: Option<*const private::c_void> = None;
                $(
                    static CODECS: &[private::Entry<private::Codec>] = &[$({
                        const NAME: &str = <$codec as $crate::plugin::Codec>::NAME;
                        static NAME_TEXT: [u8; NAME.len() + 1] = private::terminated(NAME);
                        static TABLE: private::Codec = private::codec::<$codec>(&NAME_TEXT);
                        private::Entry(&TABLE)
                    }),+];
                    static CODEC_TABLE: private::Table<private::Codec> = private::table(CODECS);
                    let found = found.or_else(|| private::interface(id, "polycodec.codecs/2", &CODEC_TABLE));
                )?
                $(
                    static FILTERS: &[private::Entry<private::Filter>] = &[$({
                        const NAME: &str = <$filter as $crate::plugin::Filter>::NAME;
                        static NAME_TEXT: [u8; NAME.len() + 1] = private::terminated(NAME);
                        static TABLE: private::Filter = private::filter::<$filter>(&NAME_TEXT);
                        private::Entry(&TABLE)
                    }),+];
                    static FILTER_TABLE: private::Table<private::Filter> = private::table(FILTERS);
                    let found = found.or_else(|| private::interface(id, "polycodec.filters/1", &FILTER_TABLE));
                )?
                $(
                    static STORES: &[private::Entry<private::StoreFormat>] = &[$({
                        const NAME: &str = <$store as $crate::plugin::Store>::NAME;
                        static NAME_TEXT: [u8; NAME.len() + 1] = private::terminated(NAME);
                        static TABLE: private::StoreFormat = private::store::<$store>(&NAME_TEXT);
                        private::Entry(&TABLE)
                    }),+];
                    static STORE_TABLE: private::Table<private::StoreFormat> = private::table(STORES);
                    let found = found.or_else(|| private::interface(id, "polycodec.stores/1", &STORE_TABLE));
                )?
                $(
                    static FUNCTIONS: &[private::Entry<private::Function>] = &[$({
                        const NAME: &str = <$function as $crate::plugin::Function>::NAME;
                        const DOC: &str = <$function as $crate::plugin::Function>::DOC;
                        static NAME_TEXT: [u8; NAME.len() + 1] = private::divided(NAME);
                        static DOC_TEXT: [u8; DOC.len() + 1] = private::terminated(DOC);
                        static PATH: private::Parts<{ private::part_count(NAME) }> = private::parts(&NAME_TEXT);
                        static TABLE: private::Function =
                            private::function::<$function, { private::part_count(NAME) }>(&PATH, &DOC_TEXT);
                        private::Entry(&TABLE)
                    }),+];
                    static FUNCTION_TABLE: private::Table<private::Function> = private::table(FUNCTIONS);
                    let found = found.or_else(|| private::interface(id, "polycodec.functions/2", &FUNCTION_TABLE));
                )?
                $(
                    static TYPES: &[private::Entry<private::Type>] = &[$({
                        const NAME: &str = <$type as $crate::plugin::NamedType>::NAME;
                        const NOTATION: &str = <$type as $crate::plugin::NamedType>::NOTATION;
                        const DOC: &str = <$type as $crate::plugin::NamedType>::DOC;
                        static NAME_TEXT: [u8; NAME.len() + 1] = private::terminated(NAME);
                        static NOTATION_TEXT: [u8; NOTATION.len() + 1] = private::terminated(NOTATION);
                        static DOC_TEXT: [u8; DOC.len() + 1] = private::terminated(DOC);
                        static TABLE: private::Type =
                            private::named_type::<$type>(&NAME_TEXT, &NOTATION_TEXT, &DOC_TEXT);
                        private::Entry(&TABLE)
                    }),+];
                    static TYPE_TABLE: private::Table<private::Type> = private::table(TYPES);
                    let found = found.or_else(|| private::interface(id, "polycodec.types/1", &TYPE_TABLE));
                )?
                let _ = id;
                found.unwrap_or(std::ptr::null())
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
    pub use super::bridge::{codec, divided, filter, function, interface, named_type, part_count, parts, plugin};
    pub use super::bridge::{store, table, terminated, Entry, Parts};
    pub use crate::abi::{Codec, Filter, Function, Plugin, StoreFormat, Table, Type};
    pub use std::os::raw::{c_char, c_void};
}
