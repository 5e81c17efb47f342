// SPDX-License-Identifier: MIT
//! The constants, structs and functions of `polycodec/host.h`. `scripts/rust_sys.py` makes this file.
#![allow(missing_docs, dead_code)]

use crate::abi::{Arena, Bytes, Codec, Error, File, Filter, Function, Item, Limits, Node, Projection, Sink, Store, StoreFormat, StoreWriter, Type};
use std::os::raw::{c_char, c_void};

pub const WRITE_KEEP: u32 = 1;
pub const WRITE_SYNC: u32 = 2;
pub const WRITE_BYTES: u32 = 4;
pub const SOURCE_COPY: u32 = 1;
pub const SOURCE_CHANGING: u32 = 2;
pub const SOURCE_COMPANIONS: u32 = 4;
pub const SOURCE_MAP: u32 = 8;
pub const REGISTRY_NO_ENVIRONMENT: u32 = 1;
pub const REGISTRY_NO_BUILTINS: u32 = 2;
pub const REGISTRY_DEFAULT_CONFIG: u32 = 4;
pub const REGISTRY_GUARD: u32 = 8;
pub const REGISTRY_ISOLATE_FOREIGN: u32 = 16;
pub const CHECK_NO_CODECS: u32 = 1;
pub const CALL_STRUCTURE: u32 = 1;
pub const CALL_AS_IS: u32 = 2;
pub const CALL_NO_COMPANIONS: u32 = 4;
pub const CALL_PARTIAL: u32 = 8;
pub const CALL_LOSSLESS: u32 = 16;
pub const CALL_TOLERANT: u32 = 32;
pub const CALL_COMPARE: u32 = 64;
pub const CALL_STREAM: u32 = 128;
pub const FORMAT_OF_OTHERS: u32 = 1;
pub const STORE_NEW: u32 = 1;
pub const COLLECTION_REPLACE: u32 = 1;
pub const COLLECTION_UNOWNED: u32 = 2;
pub const TEXT_PLAIN: u32 = 1;
pub const TEXT_EXACT: u32 = 2;
pub const TYPE_STRICT: u32 = 1;
pub const COMPARE_NUMBERS: u32 = 1;
pub const COMPARE_FLOATS: u32 = 2;
pub const COMPARE_LISTS: u32 = 4;
pub const COMPARE_UNORDERED: u32 = 8;
pub const COMPARE_NO_METADATA: u32 = 16;
pub const EXCHANGE_SPARSE_UNIONS: u32 = 1;
pub const SCHEMA_MINIMAL: u32 = 1;
pub const SOURCE_BYTES: i32 = 0;
pub const SOURCE_PATH: i32 = 1;
pub const SOURCE_DESCRIPTOR: i32 = 2;
pub const SOURCE_FILE: i32 = 3;
pub const SOURCE_STORE: i32 = 4;
pub const DESCRIBE_CODECS: i32 = 0;
pub const DESCRIBE_FILTERS: i32 = 1;
pub const DESCRIBE_STORES: i32 = 2;
pub const DESCRIBE_TYPES: i32 = 3;
pub const DESCRIBE_PLUGINS: i32 = 4;
pub const DESCRIBE_RECORDS: i32 = 5;
pub const DESCRIBE_DIRECTORIES: i32 = 6;
pub const DESCRIBE_FUNCTIONS: i32 = 7;
pub const DESCRIBE_SETTINGS: i32 = 8;
pub const DESCRIBE_DIAGNOSIS: i32 = 9;
pub const DESCRIBE_CODEC: i32 = 10;
pub const DESCRIBE_PLUGIN: i32 = 11;
pub const DESCRIBE_MISSING: i32 = 12;
pub const DESCRIBE_OFFER: i32 = 13;
pub const DESCRIBE_CONFIG_SCHEMA: i32 = 14;
pub const DESCRIBE_MANIFEST_SCHEMA: i32 = 15;
pub const DESCRIBE_MANIFEST: i32 = 16;
pub const BY_NAME: i32 = 0;
pub const BY_HEADER: i32 = 1;
pub const BY_CONTENT: i32 = 2;
pub const BY_EXTENSION: i32 = 3;
pub const KEPT_UNKNOWN: i32 = 0;
pub const KEPT_SAME: i32 = 1;
pub const KEPT_SAME_ITEMS: i32 = 2;
pub const KEPT_SAME_NUMBERS: i32 = 3;
pub const KEPT_DIFFERENT: i32 = 4;
pub const STREAM_FED: i32 = 0;
pub const STREAM_SOURCE: i32 = 1;
pub const STREAM_FILE: i32 = 2;
pub const STREAM_DESCRIPTOR: i32 = 3;
pub const ADDRESS_EXACT: i32 = 0;
pub const ADDRESS_LOGICAL: i32 = 1;
pub const DEFAULTS_ALL: i32 = 0;
pub const DEFAULTS_REQUIRED: i32 = 1;
pub const DEFAULTS_NONE: i32 = 2;
pub const ROUNDING_FLOATS: i32 = 0;
pub const ROUNDING_ALL: i32 = 1;
pub const ROUNDING_NONE: i32 = 2;

#[repr(C)]
pub struct WriteOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub lock_seconds: u32,
    pub reserved: u32,
    pub root: Bytes,
}

#[repr(C)]
pub struct SourceOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub from: i32,
    pub descriptor: i32,
    pub bytes: Bytes,
    pub path: Bytes,
    pub file: *const File,
    pub store: *const Store,
    pub name: Bytes,
    pub owner: *mut c_void,
    pub release: Release,
    pub limits: *const Limits,
}

#[repr(C)]
pub struct Objects {
    pub struct_size: u32,
    pub n_codecs: u32,
    pub codecs: *const *const Codec,
    pub filters: *const *const Filter,
    pub stores: *const *const StoreFormat,
    pub functions: *const *const Function,
    pub types: *const *const Type,
    pub n_filters: u32,
    pub n_stores: u32,
    pub n_functions: u32,
    pub n_types: u32,
}

#[repr(C)]
pub struct Executor {
    pub struct_size: u32,
    pub reserved: u32,
    pub private_data: *mut c_void,
    pub run: Option<unsafe extern "C" fn(*const Executor, u64, Option<unsafe extern "C" fn(*mut c_void, u64)>, *mut c_void)>,
}

#[repr(C)]
pub struct RegistryOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub layers: *const Bytes,
    pub layer_names: *const Bytes,
    pub n_layers: u32,
    pub threads: u32,
    pub plugin_paths: *const Bytes,
    pub add_paths: *const Bytes,
    pub n_plugin_paths: u32,
    pub n_add_paths: u32,
    pub base: *const Registry,
    pub objects: *const Objects,
    pub limits: *const Limits,
    pub allowlist: Bytes,
    pub isolation: Bytes,
    pub executor: *const Executor,
    pub log: Option<unsafe extern "C" fn(*mut c_void, i32, Bytes, Bytes)>,
    pub log_data: *mut c_void,
    pub allow_also: Bytes,
}

#[repr(C)]
pub struct Match {
    pub struct_size: u32,
    pub by: i32,
    pub score: u32,
    pub extension: u32,
    pub codec: Bytes,
    pub body_offset: u64,
    pub body_size: u64,
    pub reason: [c_char; 112],
    pub filters: [c_char; 64],
}

#[repr(C)]
pub struct Progress {
    pub struct_size: u32,
    pub is_last: u32,
    pub work: u64,
    pub input: u64,
    pub input_size: u64,
    pub output: u64,
}

#[repr(C)]
pub struct CallOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub limits: *const Limits,
    pub cancel: *const u8,
    pub projection: *const Projection,
    pub member: Bytes,
    pub allowlist: Bytes,
    pub on_loss: Option<unsafe extern "C" fn(*mut c_void, i32, Bytes, Bytes)>,
    pub loss_data: *mut c_void,
    pub losses: u32,
    pub threads: u32,
    pub budget: *const Budget,
    pub on_progress: Option<unsafe extern "C" fn(*mut c_void, *const Progress) -> i32>,
    pub progress_data: *mut c_void,
    pub select: Bytes,
    pub destination: Bytes,
    pub allow_also: Bytes,
}

#[repr(C)]
pub struct Format {
    pub struct_size: u32,
    pub flags: u32,
    pub codec: Bytes,
    pub options: Bytes,
    pub filters: Bytes,
    pub path: Bytes,
    pub value: *const Value,
}

#[repr(C)]
pub struct Result {
    pub struct_size: u32,
    pub kept: i32,
    pub bytes: u64,
    pub is_partial: u32,
    pub reserved: u32,
    pub codec: [c_char; 64],
    pub reason: [c_char; 112],
    pub path: [c_char; 208],
    pub from: [c_char; 64],
}

#[repr(C)]
pub struct StreamOptions {
    pub struct_size: u32,
    pub from: i32,
    pub source: *const Source,
    pub file: *const File,
    pub descriptor: i32,
    pub reserved: u32,
}

#[repr(C)]
pub struct TextOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub indent: u32,
    pub width: u32,
}

#[repr(C)]
pub struct CompareOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub absolute: f64,
    pub relative: f64,
    pub max_groups: u64,
}

#[repr(C)]
pub struct Exchange {
    pub struct_size: u32,
    pub flags: u32,
    pub schema: *mut ArrowSchema,
    pub array: *mut ArrowArray,
    pub stream: *mut ArrowArrayStream,
    pub tensor: *mut *mut DLManagedTensor,
    pub versioned_tensor: *mut *mut DLManagedTensorVersioned,
}

#[repr(C)]
pub struct SchemaOptions {
    pub struct_size: u32,
    pub flags: u32,
    pub indent: u32,
    pub defaults: i32,
    pub rounding: i32,
    pub reserved: u32,
    pub warnings: *mut Sink,
}

pub type Release = Option<unsafe extern "C" fn(*mut c_void)>;

extern "C" {
    pub fn polycodec_library_version() -> *const c_char;
    pub fn polycodec_library_api() -> u32;
    pub fn polycodec_library_trim();
    pub fn polycodec_status_name(status: i32) -> *const c_char;
    pub fn polycodec_sink_create(flags: u32, max_bytes: u64, sink: *mut *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_sink_segments(sink: *mut Sink, segments: *mut *const Bytes, n: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_sink_bytes(sink: *mut Sink, bytes: *mut Bytes, error: *mut Error) -> i32;
    pub fn polycodec_sink_reset(sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_sink_free(sink: *mut Sink);
    pub fn polycodec_source_open(options: *const SourceOptions, source: *mut *mut Source, error: *mut Error) -> i32;
    pub fn polycodec_source_bytes(source: *const Source, bytes: *mut Bytes, error: *mut Error) -> i32;
    pub fn polycodec_source_retain(source: *mut Source) -> *mut Source;
    pub fn polycodec_source_release(source: *mut Source);
    pub fn polycodec_file_open(path: Bytes, flags: u32, file: *mut *const File, error: *mut Error) -> i32;
    pub fn polycodec_registry_open(options: *const RegistryOptions, registry: *mut *mut Registry, error: *mut Error) -> i32;
    pub fn polycodec_registry_retain(registry: *mut Registry) -> *mut Registry;
    pub fn polycodec_registry_release(registry: *mut Registry);
    pub fn polycodec_registry_limits(registry: *const Registry, given: *const Limits, input: u64, limits: *mut Limits, error: *mut Error) -> i32;
    pub fn polycodec_registry_describe(registry: *const Registry, what: i32, name: Bytes, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_config_check(text: Bytes, flags: u32, problems: *mut u64, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_registry_choose(registry: *const Registry, source: *const Source, chosen: *mut Match, candidates: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_budget_create(registry: *const Registry, value: *mut Value, limits: *const Limits, cancel: *const u8, budget: *mut *mut Budget, error: *mut Error) -> i32;
    pub fn polycodec_budget_release(budget: *mut Budget);
    pub fn polycodec_budget_spend(budget: *mut Budget, units: u64, bytes: u64, error: *mut Error) -> i32;
    pub fn polycodec_budget_walk(budget: *mut Budget, body: Release, data: *mut c_void, error: *mut Error) -> i32;
    pub fn polycodec_registry_open_codec(registry: *const Registry, format: *const Format, codec: *mut *mut OpenedCodec, error: *mut Error) -> i32;
    pub fn polycodec_opened_codec_retain(codec: *mut OpenedCodec) -> *mut OpenedCodec;
    pub fn polycodec_opened_codec_release(codec: *mut OpenedCodec);
    pub fn polycodec_opened_codec_describe(codec: *const OpenedCodec, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_opened_codec_decode(codec: *const OpenedCodec, source: *const Source, call: *const CallOptions, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_opened_codec_decode_into(codec: *const OpenedCodec, bytes: Bytes, call: *const CallOptions, value: *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_opened_codec_encode(codec: *const OpenedCodec, value: *mut Value, call: *const CallOptions, sink: *mut Sink, writer: *mut StoreWriter, result: *mut Result, error: *mut Error) -> i32;
    pub fn polycodec_opened_codec_list(codec: *const OpenedCodec, source: *const Source, call: *const CallOptions, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_stream_open(codec: *const OpenedCodec, options: *const StreamOptions, call: *const CallOptions, stream: *mut *mut Stream, error: *mut Error) -> i32;
    pub fn polycodec_stream_feed(stream: *mut Stream, bytes: Bytes, is_last: i32, error: *mut Error) -> i32;
    pub fn polycodec_stream_next(stream: *mut Stream, value: *mut *mut Value, offset: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_stream_free(stream: *mut Stream);
    pub fn polycodec_stream_writer_open(codec: *const OpenedCodec, path: Bytes, options: *const WriteOptions, call: *const CallOptions, writer: *mut *mut StreamWriter, error: *mut Error) -> i32;
    pub fn polycodec_stream_writer_append(writer: *mut StreamWriter, value: *mut Value, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_stream_writer_finish(writer: *mut StreamWriter, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_stream_writer_free(writer: *mut StreamWriter);
    pub fn polycodec_decode(registry: *const Registry, source: *const Source, format: *const Format, call: *const CallOptions, value: *mut *mut Value, chosen: *mut Match, error: *mut Error) -> i32;
    pub fn polycodec_encode_file(registry: *const Registry, value: *const Value, path: Bytes, format: *const Format, call: *const CallOptions, write: *const WriteOptions, result: *mut Result, error: *mut Error) -> i32;
    pub fn polycodec_convert(registry: *const Registry, source: *const Source, from: *const Format, path: Bytes, to: *const Format, call: *const CallOptions, write: *const WriteOptions, result: *mut Result, error: *mut Error) -> i32;
    pub fn polycodec_registry_call(registry: *const Registry, name: Bytes, args: *mut Value, kwargs: *mut Value, call: *const CallOptions, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_store_open(registry: *const Registry, source: *const Source, store: *mut *const Store, error: *mut Error) -> i32;
    pub fn polycodec_store_from_memory(names: *const Bytes, contents: *const Bytes, n: u64, store: *mut *const Store, error: *mut Error) -> i32;
    pub fn polycodec_store_edit(registry: *const Registry, path: Bytes, format: Bytes, flags: u32, options: *const WriteOptions, writer: *mut *mut StoreWriter, error: *mut Error) -> i32;
    pub fn polycodec_collection_open(registry: *const Registry, path: Bytes, format: *const Format, call: *const CallOptions, collection: *mut *mut Collection, error: *mut Error) -> i32;
    pub fn polycodec_collection_list(collection: *const Collection, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_collection_read(collection: *const Collection, name: Bytes, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_collection_put(collection: *mut Collection, name: Bytes, value: *const Value, flags: u32, kept: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_collection_free(collection: *mut Collection);
    pub fn polycodec_value_root(value: *const Value) -> *const Node;
    pub fn polycodec_value_is_partial(value: *const Value) -> i32;
    pub fn polycodec_value_retain(value: *mut Value) -> *mut Value;
    pub fn polycodec_value_release(value: *mut Value);
    pub fn polycodec_value_find(value: *const Value, path: Bytes, item: *mut Item, error: *mut Error) -> i32;
    pub fn polycodec_value_numbers(value: *const Value, path: Bytes, dtype: u32, numbers: *mut c_void, capacity: u64, present: *mut u8, n: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_value_times(value: *const Value, path: Bytes, unit: u32, counts: *mut i64, capacity: u64, present: *mut u8, n: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_value_texts(value: *const Value, path: Bytes, sink: *mut Sink, ends: *mut u64, capacity: u64, present: *mut u8, n: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_value_part(value: *mut Value, item: *const Item, first: u64, n: u64, part: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_value_create(max_memory: u64, value: *mut *mut Value, arena: *mut *mut Arena, error: *mut Error) -> i32;
    pub fn polycodec_value_keep(value: *mut Value, other: *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_node_check(root: *const Node, limits: *const Limits, regions: *const Bytes, n: u64, error: *mut Error) -> i32;
    pub fn polycodec_value_finish(value: *mut Value, root: *const Node, error: *mut Error) -> i32;
    pub fn polycodec_value_parse(registry: *const Registry, text: Bytes, typ: Bytes, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_value_print(value: *const Value, item: *const Item, options: *const TextOptions, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_value_type(value: *const Value, item: *const Item, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_type_describe(registry: *const Registry, notation: Bytes, flags: u32, description: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_value_compare(a: *const Value, b: *const Value, options: *const CompareOptions, differences: *mut u64, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_value_address(registry: *const Registry, value: *const Value, address: i32, digest: *mut c_char, bytes: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_value_export(value: *mut Value, item: *const Item, exchange: *const Exchange, error: *mut Error) -> i32;
    pub fn polycodec_value_import(exchange: *const Exchange, limits: *const Limits, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_value_to_frames(value: *mut Value, frames: *mut *mut Message, error: *mut Error) -> i32;
    pub fn polycodec_value_from_frames(pieces: *const Bytes, n: u64, flags: u32, owner: *mut c_void, release: Release, limits: *const Limits, value: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_schema_parse(registry: *const Registry, json: Bytes, schema: *mut *mut Schema, error: *mut Error) -> i32;
    pub fn polycodec_schema_infer(value: *const Value, options: *const SchemaOptions, schema: *mut *mut Schema, error: *mut Error) -> i32;
    pub fn polycodec_schema_retain(schema: *mut Schema) -> *mut Schema;
    pub fn polycodec_schema_release(schema: *mut Schema);
    pub fn polycodec_schema_print(schema: *const Schema, options: *const SchemaOptions, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_schema_validate(schema: *const Schema, value: *const Value, options: *const SchemaOptions, problems: *mut u64, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_schema_normalize(schema: *const Schema, value: *mut Value, options: *const SchemaOptions, normalized: *mut *mut Value, error: *mut Error) -> i32;
    pub fn polycodec_units_convert(from: Bytes, to: Bytes, numbers: *mut f64, n: u64, error: *mut Error) -> i32;
    pub fn polycodec_units_canonical(text: Bytes, sink: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_channel_open(registry: *const Registry, options: Bytes, call: *const CallOptions, channel: *mut *mut Channel, error: *mut Error) -> i32;
    pub fn polycodec_channel_free(channel: *mut Channel);
    pub fn polycodec_channel_pack(channel: *mut Channel, value: *mut Value, header: Bytes, message: *mut *mut Message, error: *mut Error) -> i32;
    pub fn polycodec_message_part(message: *const Message, part: u64, pieces: *mut *const Bytes, n: *mut u64, error: *mut Error) -> i32;
    pub fn polycodec_message_free(message: *mut Message);
    pub fn polycodec_channel_feed(channel: *mut Channel, bytes: Bytes, is_last: i32, error: *mut Error) -> i32;
    pub fn polycodec_channel_next(channel: *mut Channel, value: *mut *mut Value, control: *mut i32, header: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_channel_unpack(channel: *mut Channel, message: *const Source, value: *mut *mut Value, control: *mut i32, header: *mut Sink, error: *mut Error) -> i32;
    pub fn polycodec_registry_agree(registry: *const Registry, offer: Bytes, value: *const Value, sink: *mut Sink, error: *mut Error) -> i32;
}

#[repr(C)]
pub struct ArrowArray {
    private: [u8; 0],
}

#[repr(C)]
pub struct ArrowArrayStream {
    private: [u8; 0],
}

#[repr(C)]
pub struct ArrowSchema {
    private: [u8; 0],
}

#[repr(C)]
pub struct Budget {
    private: [u8; 0],
}

#[repr(C)]
pub struct Channel {
    private: [u8; 0],
}

#[repr(C)]
pub struct Collection {
    private: [u8; 0],
}

#[repr(C)]
pub struct DLManagedTensor {
    private: [u8; 0],
}

#[repr(C)]
pub struct DLManagedTensorVersioned {
    private: [u8; 0],
}

#[repr(C)]
pub struct Message {
    private: [u8; 0],
}

#[repr(C)]
pub struct OpenedCodec {
    private: [u8; 0],
}

#[repr(C)]
pub struct Registry {
    private: [u8; 0],
}

#[repr(C)]
pub struct Schema {
    private: [u8; 0],
}

#[repr(C)]
pub struct Source {
    private: [u8; 0],
}

#[repr(C)]
pub struct Stream {
    private: [u8; 0],
}

#[repr(C)]
pub struct StreamWriter {
    private: [u8; 0],
}

#[repr(C)]
pub struct Value {
    private: [u8; 0],
}
