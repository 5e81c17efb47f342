// SPDX-License-Identifier: MIT
//! Calls, memory, sinks and plugins.

use super::{Bytes, Error, Node};
use std::os::raw::c_void;

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
pub const INPUT_FILE: u32 = 2;
pub const INPUT_STORE: u32 = 4;
pub const INPUT_COMPANIONS: u32 = 8;
pub const FILE_SLOW: u32 = 2;

#[repr(C)]
pub struct File {
    pub struct_size: u32,
    pub flags: u32,
    pub identity: [u8; 16],
    pub descriptor: i32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub size: unsafe extern "C" fn(*const File, *mut Call, *mut u64, *mut Error) -> i32,
    pub read_at: unsafe extern "C" fn(*const File, *mut Call, u64, *mut c_void, u64, *mut u64, *mut Error) -> i32,
    pub view: unsafe extern "C" fn(*const File, *mut Call, u64, u64, *mut Bytes, *mut Error) -> i32,
    pub release: unsafe extern "C" fn(*const File),
}

#[repr(C)]
pub struct OutputFile {
    pub struct_size: u32,
    pub reserved: u32,
    pub file: *const File,
    pub private_data: *mut c_void,
    pub write_at: unsafe extern "C" fn(*mut OutputFile, *mut Call, u64, *const c_void, u64, *mut Error) -> i32,
    pub truncate: unsafe extern "C" fn(*mut OutputFile, *mut Call, u64, *mut Error) -> i32,
    pub sync: unsafe extern "C" fn(*mut OutputFile, *mut Call, *mut Error) -> i32,
}

#[repr(C)]
pub struct Input {
    pub struct_size: u32,
    pub parts: u32,
    pub bytes: Bytes,
    pub file: *const File,
    pub store: *const Store,
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
    pub store: *mut StoreWriter,
    pub name: Bytes,
    pub member: Bytes,
}

#[repr(C)]
pub struct StoreWriter {
    pub struct_size: u32,
    pub flags: u32,
    pub base: *const Store,
    pub private_data: *mut c_void,
    pub begin_blob: unsafe extern "C" fn(*mut StoreWriter, *mut Call, Bytes, Bytes, *mut *mut Sink, *mut Error) -> i32,
    pub remove: unsafe extern "C" fn(*mut StoreWriter, *mut Call, u64, Bytes, *mut Error) -> i32,
    pub commit: unsafe extern "C" fn(*mut StoreWriter, *mut Call, *mut Error) -> i32,
    pub release: unsafe extern "C" fn(*mut StoreWriter),
}

#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi: u32,
    pub name: Bytes,
    pub version: Bytes,
    pub private_data: *mut c_void,
    pub log: unsafe extern "C" fn(*const Host, i32, Bytes),
    pub call_function: unsafe extern "C" fn(
        *const Host,
        *mut Call,
        *const Bytes,
        u64,
        *const Node,
        *const Node,
        *mut *const Node,
        *mut Error,
    ) -> i32,
    pub decode_with: unsafe extern "C" fn(
        *const Host,
        *mut Call,
        Bytes,
        *const Node,
        *const Input,
        *mut *const Node,
        *mut Error,
    ) -> i32,
    pub encode_with:
        unsafe extern "C" fn(*const Host, *mut Call, Bytes, *const Node, *const Node, *const Output, *mut Error) -> i32,
    pub lookup_type: unsafe extern "C" fn(*const Host, *mut Call, Bytes, *mut Bytes, *mut Error) -> i32,
}
