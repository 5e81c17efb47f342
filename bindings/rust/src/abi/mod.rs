// SPDX-License-Identifier: MIT
//! `polycodec/abi.h` in Rust. tests/layout.rs compares sizes and offsets with the header's.
#![allow(missing_docs, clippy::missing_safety_doc)]

mod call;
mod plugin;

pub use call::*;
pub use plugin::*;
use std::os::raw::{c_char, c_void};

pub const ABI_VERSION: u32 = (2 << 16) | 1;
pub const OK: i32 = 0;
pub const NO_OFFSET: u64 = u64::MAX;

#[repr(C)]
pub struct Error {
    pub struct_size: u32,
    pub code: i32,
    pub offset: u64,
    pub detail: [c_char; 48],
    pub path: [c_char; 208],
    pub message: [c_char; 480],
    pub codec: [c_char; 64],
    pub say: Option<unsafe extern "C" fn(say_data: *mut c_void, message: Bytes, path: Bytes)>,
    pub say_data: *mut c_void,
}

/// The index of an item that is all of its array.
pub const WHOLE: u64 = u64::MAX;

/// A part of a value, see `polycodec/items.h`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Item {
    pub node: *const Node,
    pub array: *const Array,
    pub index: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub data: *const c_void,
    pub size: u64,
}

pub mod dtype {
    pub const BOOLEAN: u8 = 1;
    pub const INT8: u8 = 2;
    pub const INT16: u8 = 3;
    pub const INT32: u8 = 4;
    pub const INT64: u8 = 5;
    pub const INT128: u8 = 6;
    pub const UINT8: u8 = 7;
    pub const UINT16: u8 = 8;
    pub const UINT32: u8 = 9;
    pub const UINT64: u8 = 10;
    pub const UINT128: u8 = 11;
    pub const FLOAT16: u8 = 12;
    pub const FLOAT32: u8 = 13;
    pub const FLOAT64: u8 = 14;
    pub const FLOAT128: u8 = 15;
    pub const COMPLEX32: u8 = 16;
    pub const COMPLEX64: u8 = 17;
    pub const COMPLEX128: u8 = 18;
    pub const TIMESTAMP64: u8 = 19;
    pub const DURATION64: u8 = 20;
    pub const FIXED_BYTES: u8 = 21;
    pub const FIXED_UTF8: u8 = 22;
    pub const FIXED_UTF16: u8 = 23;
    pub const FIXED_UTF32: u8 = 24;
}

pub mod kind {
    pub const NULL: u8 = 0;
    pub const BOOLEAN: u8 = 1;
    pub const SIGNED: u8 = 2;
    pub const UNSIGNED: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const WIDE: u8 = 5;
    pub const STRING: u8 = 6;
    pub const BINARY: u8 = 7;
    pub const LIST: u8 = 8;
    pub const TUPLE: u8 = 9;
    pub const OBJECT: u8 = 10;
    pub const MAP: u8 = 11;
    pub const ARRAY: u8 = 12;
    pub const EXTENSION: u8 = 13;
    pub const REFERENCE: u8 = 14;
    pub const ANNOTATED: u8 = 15;
    pub const TIMESTAMP: u8 = 16;
    pub const DURATION: u8 = 17;
    pub const UNION: u8 = 18;
}

pub mod layout {
    pub const NDARRAY: u8 = 0;
    pub const LIST_OFFSETS: u8 = 1;
    pub const LIST_VIEW: u8 = 2;
    pub const LIST_FIXED: u8 = 3;
    pub const RECORD: u8 = 4;
    pub const UNION: u8 = 5;
    pub const OPTION_BYTES: u8 = 6;
    pub const OPTION_BITS: u8 = 7;
    pub const INDEXED: u8 = 8;
    pub const CHUNKED: u8 = 9;
    pub const DOCUMENT: u8 = 10;
}

pub const ARRAY_STRING: u8 = 1;
pub const ARRAY_BINARY: u8 = 2;
pub const ARRAY_BITS_LSB: u8 = 4;
pub const ARRAY_MASK_VALID: u8 = 8;

#[repr(C)]
pub struct Extension {
    pub name: Bytes,
    pub payload: *const Node,
}

#[repr(C)]
pub struct Annotated {
    pub node: *const Node,
    pub metadata: *const Node,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Time {
    pub count: i64,
    pub nanoseconds: u32,
    pub unit: u32,
}

#[repr(C)]
pub struct Tagged {
    pub tag: i64,
    pub node: *const Node,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union NodeAs {
    pub i64: i64,
    pub u64: u64,
    pub f64: f64,
    pub f32: f32,
    pub data: *const c_void,
    pub nodes: *const Node,
    pub node: *const Node,
    pub array: *const Array,
    pub extension: *const Extension,
    pub annotated: *const Annotated,
    pub time: *const Time,
    pub tagged: *const Tagged,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Node {
    pub kind: u8,
    pub dtype: u8,
    pub size_hi: u16,
    pub size_lo: u32,
    pub as_: NodeAs,
}

impl Node {
    pub fn size(&self) -> u64 {
        u64::from(self.size_hi) << 32 | u64::from(self.size_lo)
    }

    pub fn new(kind: u8, dtype: u8, size: u64, as_: NodeAs) -> Node {
        Node { kind, dtype, size_hi: (size >> 32) as u16, size_lo: size as u32, as_ }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Column {
    pub data: *const c_void,
    pub stride: i64,
    pub dtype: u32,
    pub reserved: u32,
}

#[repr(C)]
pub struct Array {
    pub struct_size: u32,
    pub layout: u8,
    pub dtype: u8,
    pub byte_order: u8,
    pub flags: u8,
    pub length: u64,
    pub data: *const c_void,
    pub buffer: *const c_void,
    pub buffer_size: u64,
    pub ndim: u32,
    pub item_size: u32,
    pub unit: u32,
    pub n_children: u32,
    pub shape: *const i64,
    pub strides: *const i64,
    /// offsets, starts, mask or index, by layout.
    pub first: Column,
    /// stops or tags, by layout.
    pub second: Column,
    pub list_size: u64,
    pub children: *const *const Array,
    pub names: *const Bytes,
    pub nodes: *const Node,
    pub metadata: *const Node,
}

impl Bytes {
    pub fn of(bytes: &[u8]) -> Bytes {
        Bytes { data: bytes.as_ptr().cast(), size: bytes.len() as u64 }
    }

    pub const EMPTY: Bytes = Bytes { data: std::ptr::null(), size: 0 };

    /// The memory that the bytes name; empty bytes have no memory.
    ///
    /// # Safety
    /// `data` is readable for `size` bytes, unchanged during `'a`.
    pub unsafe fn as_slice<'a>(self) -> &'a [u8] {
        slice(self.data.cast(), self.size)
    }
}

/// `std::slice::from_raw_parts`, but a slice of no items may be NULL.
///
/// # Safety
/// As `from_raw_parts` for more than zero items.
pub unsafe fn slice<'a, T>(data: *const T, len: u64) -> &'a [T] {
    if len == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, len as usize)
    }
}
