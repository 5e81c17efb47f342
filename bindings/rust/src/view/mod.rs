// SPDX-License-Identifier: MIT
//! Values as they are read: the same interface over nodes and over columns.

mod array;
mod children;
mod list;
mod number;
mod object;
#[cfg(all(test, feature = "host"))]
mod places;
mod time;

pub use children::Children;
pub use list::{List, ListIter, Numbers};
pub(crate) use number::read_any as read_number;
pub use number::Number;
pub use object::{Map, Object};
pub use time::{Time, TimeUnit};

use crate::abi::{self, dtype, kind};
use std::marker::PhantomData;

/// A part of a value, borrowed from it. Copies are cheap.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    data: Data<'a>,
    metadata: Option<Object<'a>>,
}

/// The content of a [`View`], by kind.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Data<'a> {
    /// Nothing, also a missing item of a column.
    Null,
    /// True or false.
    Boolean(bool),
    /// A signed integer of 8 to 64 bits.
    Signed(i64),
    /// An unsigned integer of 8 to 64 bits.
    Unsigned(u64),
    /// A signed integer of 128 bits.
    Signed128(i128),
    /// An unsigned integer of 128 bits.
    Unsigned128(u128),
    /// A number of 16 or 32 bits.
    Float32(f32),
    /// A number of 64 bits.
    Float64(f64),
    /// Text.
    String(&'a str),
    /// Text that is not UTF-8.
    LenientString(&'a [u8]),
    /// Bytes.
    Binary(&'a [u8]),
    /// A point in time.
    Timestamp(Time),
    /// A length of time.
    Duration(Time),
    /// Items, also those of an array.
    List(List<'a>),
    /// Items of a fixed number.
    Tuple(List<'a>),
    /// Members with names, also a row of an array of records.
    Object(Object<'a>),
    /// Pairs of keys of any kind and values.
    Map(Map<'a>),
    /// One alternative of a union.
    Union(i64, Inner<'a>),
    /// A payload with a name that its codec knows.
    Extension(&'a str, Inner<'a>),
    /// Another part of the same value. References can form cycles.
    Reference(Inner<'a>),
    /// An element that Rust has no type for, as it lies in memory.
    Other(Other<'a>),
}

/// A view inside of a view.
#[derive(Clone, Copy, Debug)]
pub struct Inner<'a>(pub(crate) InnerRepr<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum InnerRepr<'a> {
    Node(&'a abi::Node),
    Item(&'a abi::Array, u64),
}

impl<'a> Inner<'a> {
    /// Returns the view.
    pub fn view(self) -> View<'a> {
        match self.0 {
            InnerRepr::Node(node) => View::of_node(node),
            InnerRepr::Item(array, i) => array::item(array, i),
        }
    }
}

/// An element without a type in Rust: binary128, a complex number, UTF-16 or UTF-32 of a fixed size.
#[derive(Clone, Copy, Debug)]
pub struct Other<'a> {
    /// The `polycodec_dtype` of the element.
    pub dtype: u8,
    /// The bytes of the element.
    pub bytes: &'a [u8],
    /// Whether the bytes are in big-endian order.
    pub big_endian: bool,
}

impl<'a> View<'a> {
    pub(crate) fn new(data: Data<'a>) -> View<'a> {
        View { data, metadata: None }
    }

    pub(crate) fn with_metadata(mut self, metadata: *const abi::Node) -> View<'a> {
        // SAFETY: the metadata of a checked value is NULL or an OBJECT that lives as long as the value.
        if let Some(node) = unsafe { metadata.as_ref() } {
            self.metadata = View::of_node(node).object();
        }
        self
    }

    /// # Safety
    /// The node is part of a checked value that lives, unchanged, during `'a`.
    pub(crate) unsafe fn of_raw(node: *const abi::Node) -> View<'a> {
        View::of_node(&*node)
    }

    /// # Safety
    /// The item is of a checked value that lives, unchanged, during `'a`.
    #[cfg(feature = "host")]
    pub(crate) unsafe fn of_item(item: abi::Item) -> View<'a> {
        if let Some(node) = item.node.as_ref() {
            return View::of_node(node);
        }
        match item.array.as_ref() {
            None => View::new(Data::Null),
            Some(array) if item.index == abi::WHOLE => View::of_array(array),
            Some(array) => array::item(array, item.index).with_metadata(array.metadata),
        }
    }

    /// A node that a View refers to is part of a checked value: its pointers are good during `'a`.
    pub(crate) fn of_node(n: &'a abi::Node) -> View<'a> {
        // SAFETY: the kind says which member of the union is set; the pointers are those of a checked value.
        unsafe {
            let text = || abi::slice(n.as_.data.cast::<u8>(), n.size());
            View::new(match n.kind {
                kind::BOOLEAN => Data::Boolean(n.as_.u64 != 0),
                kind::SIGNED => Data::Signed(n.as_.i64),
                kind::UNSIGNED => Data::Unsigned(n.as_.u64),
                kind::FLOAT => match n.dtype {
                    dtype::FLOAT16 => Data::Float32(number::half_to_f32(n.as_.u64 as u16)),
                    dtype::FLOAT32 => Data::Float32(n.as_.f32),
                    _ => Data::Float64(n.as_.f64),
                },
                kind::WIDE => array::wide(n.dtype, n.as_.data.cast(), cfg!(target_endian = "big")),
                kind::STRING => Data::of_text(text()),
                kind::BINARY => Data::Binary(text()),
                kind::LIST => Data::List(List::of_nodes(abi::slice(n.as_.nodes, n.size()))),
                kind::TUPLE => Data::Tuple(List::of_nodes(abi::slice(n.as_.nodes, n.size()))),
                kind::OBJECT => Data::Object(Object::of_nodes(abi::slice(n.as_.nodes, n.size() * 2))),
                kind::MAP => Data::Map(Map::of_nodes(abi::slice(n.as_.nodes, n.size() * 2))),
                kind::ARRAY => return View::of_array(&*n.as_.array),
                kind::EXTENSION => {
                    let e = &*n.as_.extension;
                    let name = std::str::from_utf8(e.name.as_slice()).unwrap_or("");
                    Data::Extension(name, Inner(InnerRepr::Node(&*e.payload)))
                }
                kind::REFERENCE => Data::Reference(Inner(InnerRepr::Node(&*n.as_.node))),
                kind::ANNOTATED => {
                    let a = &*n.as_.annotated;
                    return View::of_node(&*a.node).with_metadata(a.metadata);
                }
                kind::TIMESTAMP => Data::Timestamp(Time::of_raw(*n.as_.time)),
                kind::DURATION => Data::Duration(Time::of_raw(*n.as_.time)),
                kind::UNION => {
                    let t = &*n.as_.tagged;
                    Data::Union(t.tag, Inner(InnerRepr::Node(&*t.node)))
                }
                _ => Data::Null,
            })
        }
    }

    pub(crate) fn of_array(array: &'a abi::Array) -> View<'a> {
        array::whole(array).with_metadata(array.metadata)
    }

    /// Returns the content, to match on.
    pub fn data(self) -> Data<'a> {
        self.data
    }

    /// Returns units, names and notes that come with this part of the value.
    pub fn metadata(self) -> Option<Object<'a>> {
        self.metadata
    }

    /// Returns this part of the value alone.
    pub fn without_metadata(self) -> View<'a> {
        View::new(self.data)
    }

    /// Returns whether this is the null value or a missing item.
    pub fn is_null(self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// Returns the boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.data {
            Data::Boolean(b) => Some(b),
            _ => None,
        }
    }

    /// Returns the number, if it is an integer that fits.
    pub fn as_i64(self) -> Option<i64> {
        match self.data {
            Data::Signed(n) => Some(n),
            Data::Unsigned(n) => i64::try_from(n).ok(),
            Data::Signed128(n) => i64::try_from(n).ok(),
            Data::Unsigned128(n) => i64::try_from(n).ok(),
            _ => None,
        }
    }

    /// Returns the number, if it is an integer that fits.
    pub fn as_u64(self) -> Option<u64> {
        match self.data {
            Data::Signed(n) => u64::try_from(n).ok(),
            Data::Unsigned(n) => Some(n),
            Data::Signed128(n) => u64::try_from(n).ok(),
            Data::Unsigned128(n) => u64::try_from(n).ok(),
            _ => None,
        }
    }

    /// Returns the number, rounded if need be, if it is one.
    pub fn as_f64(self) -> Option<f64> {
        match self.data {
            Data::Float64(n) => Some(n),
            Data::Float32(n) => Some(f64::from(n)),
            Data::Signed(n) => Some(n as f64),
            Data::Unsigned(n) => Some(n as f64),
            Data::Signed128(n) => Some(n as f64),
            Data::Unsigned128(n) => Some(n as f64),
            _ => None,
        }
    }

    /// Returns the text, if it is UTF-8.
    pub fn as_str(self) -> Option<&'a str> {
        match self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes of a byte string or of text.
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        match self.data {
            Data::String(text) => Some(text.as_bytes()),
            Data::LenientString(bytes) | Data::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the items of a list, an array or a tuple.
    pub fn list(self) -> Option<List<'a>> {
        match self.data {
            Data::List(list) | Data::Tuple(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the members of an object or a row.
    pub fn object(self) -> Option<Object<'a>> {
        match self.data {
            Data::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the member called `name`; of an array of records the column.
    pub fn get(self, name: &str) -> Option<View<'a>> {
        match self.data {
            Data::Object(object) => object.get(name),
            Data::List(list) => list.column(name),
            _ => None,
        }
    }

    /// Returns the items of a container, of an object or a map keys and values in turn. Other kinds have none.
    pub fn children(self) -> Children<'a> {
        Children::new(self)
    }

    /// Returns all items as a slice of memory, without a copy. See [`List::as_slice`].
    pub fn as_slice<T: Number>(self) -> Option<&'a [T]> {
        self.list()?.as_slice()
    }
}

impl<'a> From<&'a str> for View<'a> {
    fn from(text: &'a str) -> View<'a> {
        View::new(Data::String(text))
    }
}

impl<'a> From<Object<'a>> for View<'a> {
    fn from(object: Object<'a>) -> View<'a> {
        View::new(Data::Object(object))
    }
}

impl<'a> Data<'a> {
    /// The host checks text, but not that of trusted input, so this is the check that Rust needs.
    pub(crate) fn of_text(bytes: &'a [u8]) -> Data<'a> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Data::String(text),
            Err(_) => Data::LenientString(bytes),
        }
    }
}

/// A pointer to an element of an array of a value, which lives during `'a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a>(pub *const u8, pub PhantomData<&'a u8>);

// SAFETY: values never change once they can be viewed, so every thread may read them.
unsafe impl Send for Place<'_> {}
unsafe impl Sync for Place<'_> {}
unsafe impl Send for abi::Node {}
unsafe impl Sync for abi::Node {}
unsafe impl Send for abi::Array {}
unsafe impl Sync for abi::Array {}

impl std::fmt::Debug for abi::Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Node(kind {})", self.kind)
    }
}

impl std::fmt::Debug for abi::Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Array(layout {}, {} items)", self.layout, self.length)
    }
}
