// SPDX-License-Identifier: MIT
//! The plugin and its interfaces.

use super::{Bytes, Call, Error, File, Host, Input, Node, Output, OutputFile, Sink, Store, StoreWriter};
use std::os::raw::{c_char, c_void};

#[repr(C)]
pub struct Plugin {
    pub struct_size: u32,
    pub abi: u32,
    pub id: *const c_char,
    pub version: *const c_char,
    pub private_data: *mut c_void,
    pub init: Option<unsafe extern "C" fn(*const Plugin, *const Host, *mut Error) -> i32>,
    pub deinit: Option<unsafe extern "C" fn(*const Plugin)>,
    pub get_interface: unsafe extern "C" fn(*const Plugin, *const c_char) -> *const c_void,
}

#[repr(C)]
pub struct Sniff {
    pub struct_size: u32,
    pub score: u32,
    pub reason: [c_char; 112],
}

pub const CAN_DECODE: u32 = 1;
pub const CAN_ENCODE: u32 = 2;
pub const CAN_READ_STREAM: u32 = 4;
pub const CAN_WRITE_STREAM: u32 = 8;
pub const CAN_LIST: u32 = 16;
pub const CAN_CREATE: u32 = 32;
pub const CAN_EDIT: u32 = 64;
pub const SIZE_UNKNOWN: u64 = u64::MAX;

#[repr(C)]
pub struct Step {
    pub struct_size: u32,
    pub final_: u32,
    pub bytes: Bytes,
    pub root: *const Node,
    pub consumed: u64,
    pub wanted: u64,
}

#[repr(C)]
pub struct Reader {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub next: unsafe extern "C" fn(*mut Reader, *mut Call, *mut Step, *mut Error) -> i32,
    pub release: unsafe extern "C" fn(*mut Reader),
}

#[repr(C)]
pub struct Writer {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub append: unsafe extern "C" fn(*mut Writer, *mut Call, *mut Sink, *const Node, *mut Error) -> i32,
    pub finish: unsafe extern "C" fn(*mut Writer, *mut Call, *mut Sink, *mut Error) -> i32,
    pub release: unsafe extern "C" fn(*mut Writer),
}

pub type Decode = unsafe extern "C" fn(*const Instance, *mut Call, *const Input, *mut *const Node, *mut Error) -> i32;
pub type Encode = unsafe extern "C" fn(*const Instance, *mut Call, *const Node, *const Output, *mut Error) -> i32;
pub type EncodedSize = unsafe extern "C" fn(*const Instance, *mut Call, *const Node, *mut u64, *mut Error) -> i32;
pub type OpenReader = unsafe extern "C" fn(*const Instance, *mut Call, *mut *mut Reader, *mut Error) -> i32;
pub type OpenWriter = unsafe extern "C" fn(*const Instance, *mut Call, *mut *mut Writer, *mut Error) -> i32;
pub type List = unsafe extern "C" fn(*const Instance, *mut Call, *const Store, *mut *const Node, *mut Error) -> i32;

#[repr(C)]
pub struct Instance {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub decode: Option<Decode>,
    pub encode: Option<Encode>,
    pub encoded_size: Option<EncodedSize>,
    pub open_reader: Option<OpenReader>,
    pub open_writer: Option<OpenWriter>,
    pub list: Option<List>,
    pub release: Option<unsafe extern "C" fn(*const Instance)>,
}

/// The function `sniff` of an object.
pub type SniffOf<T> = unsafe extern "C" fn(*const T, *mut Call, *const Input, *mut Sniff, *mut Error) -> i32;
/// The function `open` of an object.
pub type OpenOf<T, I> = unsafe extern "C" fn(*const T, *mut Call, *const Node, *mut *const I, *mut Error) -> i32;

#[repr(C)]
pub struct Codec {
    pub struct_size: u32,
    pub capabilities: u32,
    pub inputs: u32,
    pub outputs: u32,
    pub name: *const c_char,
    pub manifest: *const c_char,
    pub private_data: *mut c_void,
    pub sniff: Option<SniffOf<Codec>>,
    pub open: Option<OpenOf<Codec, Instance>>,
    pub release: Option<unsafe extern "C" fn(*const Codec)>,
}

pub type FilterEncode =
    unsafe extern "C" fn(*const FilterInstance, *mut Call, *const Bytes, u64, *mut Sink, *mut Error) -> i32;
pub type FilterDecode =
    unsafe extern "C" fn(*const FilterInstance, *mut Call, Bytes, u64, *mut Sink, *mut Error) -> i32;

#[repr(C)]
pub struct FilterInstance {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub encode: Option<FilterEncode>,
    pub decode: Option<FilterDecode>,
    pub decoded_size:
        Option<unsafe extern "C" fn(*const FilterInstance, *mut Call, Bytes, *mut u64, *mut Error) -> i32>,
    pub release: Option<unsafe extern "C" fn(*const FilterInstance)>,
}

#[repr(C)]
pub struct Filter {
    pub struct_size: u32,
    pub capabilities: u32,
    pub name: *const c_char,
    pub manifest: *const c_char,
    pub private_data: *mut c_void,
    pub sniff: Option<SniffOf<Filter>>,
    pub open: Option<OpenOf<Filter, FilterInstance>>,
    pub release: Option<unsafe extern "C" fn(*const Filter)>,
}

pub type OpenStore =
    unsafe extern "C" fn(*const StoreFormat, *mut Call, *const File, *const Node, *mut *const Store, *mut Error) -> i32;
pub type ChangeStore = unsafe extern "C" fn(
    *const StoreFormat,
    *mut Call,
    *mut OutputFile,
    *const Node,
    *mut *mut StoreWriter,
    *mut Error,
) -> i32;

#[repr(C)]
pub struct StoreFormat {
    pub struct_size: u32,
    pub capabilities: u32,
    pub name: *const c_char,
    pub manifest: *const c_char,
    pub private_data: *mut c_void,
    pub sniff: Option<SniffOf<StoreFormat>>,
    pub open: Option<OpenStore>,
    pub create: Option<ChangeStore>,
    pub edit: Option<ChangeStore>,
    pub release: Option<unsafe extern "C" fn(*const StoreFormat)>,
}

pub type CallFunction =
    unsafe extern "C" fn(*const Function, *mut Call, *const Node, *const Node, *mut *const Node, *mut Error) -> i32;

#[repr(C)]
pub struct Function {
    pub struct_size: u32,
    pub n_path: u32,
    pub path: *const *const c_char,
    pub doc: *const c_char,
    pub min_args: u32,
    pub max_args: u32,
    pub private_data: *mut c_void,
    pub call: Option<CallFunction>,
    pub release: Option<unsafe extern "C" fn(*const Function)>,
}

#[repr(C)]
pub struct Type {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub notation: *const c_char,
    pub doc: *const c_char,
    pub private_data: *mut c_void,
    pub release: Option<unsafe extern "C" fn(*const Type)>,
}

/// What get_interface() returns.
#[repr(C)]
pub struct Table<T: 'static> {
    pub struct_size: u32,
    pub count: u32,
    pub items: *const *const T,
}
