// SPDX-License-Identifier: MIT
//! Calls, memory, sinks and plugins.

use super::{Bytes, Error, Node};
use std::os::raw::{c_char, c_void};

pub type Release = Option<unsafe extern "C" fn(*mut c_void)>;

#[repr(C)]
pub struct Arena {
    pub struct_size: u32,
    pub reserved: u32,
    pub cursor: *mut u8,
    pub limit: *mut u8,
    pub private_data: *mut c_void,
    pub grow: unsafe extern "C" fn(*mut Arena, u64, u64, *mut *mut c_void, *mut Error) -> i32,
    pub resize: unsafe extern "C" fn(*mut Arena, *mut *mut c_void, u64, u64, u64, *mut Error) -> i32,
    pub adopt: unsafe extern "C" fn(*mut Arena, *mut c_void, Release, *const Bytes, u64, *mut Error) -> i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub struct_size: u32,
    pub max_depth: u32,
    pub max_input_bytes: u64,
    pub max_header_bytes: u64,
    pub max_nodes: u64,
    pub max_elements: u64,
    pub max_work: u64,
    pub max_memory_bytes: u64,
    pub max_output_bytes: u64,
    pub max_stack_bytes: u64,
    pub deadline: u64,
}

#[repr(C)]
pub struct Projection {
    pub struct_size: u32,
    pub n_paths: u32,
    pub paths: *const Bytes,
    pub first_row: u64,
    pub n_rows: u64,
}

pub type Body = unsafe extern "C" fn(*mut c_void, *mut Call, u64, u64, *mut Error) -> i32;

#[repr(C)]
pub struct Call {
    pub struct_size: u32,
    pub depth: u32,
    pub credit: u64,
    pub arena: *mut Arena,
    pub limits: *const Limits,
    pub host: *const Host,
    pub stack_limit: *const c_void,
    pub projection: *const Projection,
    pub private_data: *mut c_void,
    pub spend: unsafe extern "C" fn(*mut Call, u64, *mut Error) -> i32,
    pub parallel_for: unsafe extern "C" fn(*mut Call, u64, u64, Body, *mut c_void, *mut Error) -> i32,
    pub report_loss: unsafe extern "C" fn(*mut Call, i32, Bytes, Bytes, *mut Error) -> i32,
    pub threads: Option<unsafe extern "C" fn(*const Call) -> u32>,
}

pub const INPUT_BYTES: u32 = 1;

#[repr(C)]
pub struct Input {
    pub struct_size: u32,
    pub parts: u32,
    pub bytes: Bytes,
    pub file: *const c_void,
    pub store: *const c_void,
    pub name: Bytes,
    pub member: Bytes,
    pub total: u64,
}

#[repr(C)]
pub struct StoreEntry {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: Bytes,
    pub owner: Bytes,
    pub size: u64,
}

#[repr(C)]
pub struct Store {
    pub struct_size: u32,
    pub flags: u32,
    pub private_data: *mut c_void,
    pub count: unsafe extern "C" fn(*const Store) -> u64,
    pub entry: unsafe extern "C" fn(*const Store, *mut Call, u64, *mut StoreEntry, *mut Error) -> i32,
    pub find: unsafe extern "C" fn(*const Store, *mut Call, Bytes, *mut u64, *mut Error) -> i32,
    pub read: unsafe extern "C" fn(*const Store, *mut Call, u64, u64, u64, *mut Bytes, *mut Error) -> i32,
    pub release: unsafe extern "C" fn(*const Store),
}

pub const SINK_CONTIGUOUS: u32 = 1;
pub const MAX_WINDOW: u64 = 1 << 20;

#[repr(C)]
pub struct Sink {
    pub struct_size: u32,
    pub flags: u32,
    pub cursor: *mut u8,
    pub limit: *mut u8,
    pub private_data: *mut c_void,
    pub grow: unsafe extern "C" fn(*mut Sink, u64, *mut Error) -> i32,
    pub reference: unsafe extern "C" fn(*mut Sink, *const c_void, u64, *mut Error) -> i32,
    pub expect: unsafe extern "C" fn(*mut Sink, u64, *mut Error) -> i32,
    pub adopt: unsafe extern "C" fn(*mut Sink, *mut c_void, Release, *const Bytes, u64, *mut Error) -> i32,
}

#[repr(C)]
pub struct Output {
    pub struct_size: u32,
    pub parts: u32,
    pub sink: *mut Sink,
    pub store: *mut c_void,
    pub name: Bytes,
    pub member: Bytes,
}

/// Only what this crate uses has its type; functions that it does not call are plain pointers.
#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi: u32,
    pub name: Bytes,
    pub version: Bytes,
    pub private_data: *mut c_void,
    pub log: unsafe extern "C" fn(*const Host, i32, Bytes),
    pub call_function: *const c_void,
    pub decode_with: *const c_void,
    pub encode_with: *const c_void,
    pub lookup_type: *const c_void,
}

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

#[repr(C)]
pub struct Instance {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub decode:
        Option<unsafe extern "C" fn(*const Instance, *mut Call, *const Input, *mut *const Node, *mut Error) -> i32>,
    pub encode: Option<unsafe extern "C" fn(*const Instance, *mut Call, *const Node, *const Output, *mut Error) -> i32>,
    pub encoded_size: *const c_void,
    pub open_reader: *const c_void,
    pub open_writer: *const c_void,
    pub list: *const c_void,
    pub release: Option<unsafe extern "C" fn(*const Instance)>,
}

#[repr(C)]
pub struct Codec {
    pub struct_size: u32,
    pub capabilities: u32,
    pub inputs: u32,
    pub outputs: u32,
    pub name: *const c_char,
    pub manifest: *const c_char,
    pub private_data: *mut c_void,
    pub sniff: Option<unsafe extern "C" fn(*const Codec, *mut Call, *const Input, *mut Sniff, *mut Error) -> i32>,
    pub open:
        Option<unsafe extern "C" fn(*const Codec, *mut Call, *const Node, *mut *const Instance, *mut Error) -> i32>,
    pub release: Option<unsafe extern "C" fn(*const Codec)>,
}

#[repr(C)]
pub struct Codecs {
    pub struct_size: u32,
    pub count: u32,
    pub items: *const *const Codec,
}
