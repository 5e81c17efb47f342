# SPDX-License-Identifier: MIT
# The constants, structs and functions of `polycodec/host.h`. `scripts/julia_sys.py` makes this file.

const POLYCODEC_ABI_MAJOR = UInt32(2)
const POLYCODEC_ABI_MINOR = UInt32(1)
const POLYCODEC_STRING_LENIENT = UInt32(1)
const POLYCODEC_ARRAY_STRING = UInt32(1)
const POLYCODEC_ARRAY_BINARY = UInt32(2)
const POLYCODEC_ARRAY_BITS_LSB = UInt32(4)
const POLYCODEC_ARRAY_MASK_VALID = UInt32(8)
const POLYCODEC_LITTLE_ENDIAN = UInt32(0)
const POLYCODEC_BIG_ENDIAN = UInt32(1)
const POLYCODEC_MAX_NDIM = UInt32(64)
const POLYCODEC_MAX_PLAIN_CHUNKS = UInt32(16)
const POLYCODEC_OK = Int32(0)
const POLYCODEC_ERROR_TRUNCATED = Int32(1)
const POLYCODEC_ERROR_TRAILING = Int32(2)
const POLYCODEC_ERROR_MALFORMED = Int32(3)
const POLYCODEC_ERROR_UNSUPPORTED = Int32(4)
const POLYCODEC_ERROR_LIMIT = Int32(5)
const POLYCODEC_ERROR_TYPE = Int32(6)
const POLYCODEC_ERROR_RANGE = Int32(7)
const POLYCODEC_ERROR_NOT_FOUND = Int32(8)
const POLYCODEC_ERROR_DENIED = Int32(9)
const POLYCODEC_ERROR_AMBIGUOUS = Int32(10)
const POLYCODEC_ERROR_OPTION = Int32(11)
const POLYCODEC_ERROR_PLUGIN = Int32(12)
const POLYCODEC_ERROR_INVALID = Int32(13)
const POLYCODEC_ERROR_IO = Int32(14)
const POLYCODEC_ERROR_MEMORY = Int32(15)
const POLYCODEC_ERROR_CANCELLED = Int32(16)
const POLYCODEC_ERROR_INTERNAL = Int32(17)
const POLYCODEC_STATUS_COUNT = Int32(18)
const POLYCODEC_DTYPE_NONE = Int32(0)
const POLYCODEC_DTYPE_BOOLEAN = Int32(1)
const POLYCODEC_DTYPE_INT8 = Int32(2)
const POLYCODEC_DTYPE_INT16 = Int32(3)
const POLYCODEC_DTYPE_INT32 = Int32(4)
const POLYCODEC_DTYPE_INT64 = Int32(5)
const POLYCODEC_DTYPE_INT128 = Int32(6)
const POLYCODEC_DTYPE_UINT8 = Int32(7)
const POLYCODEC_DTYPE_UINT16 = Int32(8)
const POLYCODEC_DTYPE_UINT32 = Int32(9)
const POLYCODEC_DTYPE_UINT64 = Int32(10)
const POLYCODEC_DTYPE_UINT128 = Int32(11)
const POLYCODEC_DTYPE_FLOAT16 = Int32(12)
const POLYCODEC_DTYPE_FLOAT32 = Int32(13)
const POLYCODEC_DTYPE_FLOAT64 = Int32(14)
const POLYCODEC_DTYPE_FLOAT128 = Int32(15)
const POLYCODEC_DTYPE_COMPLEX32 = Int32(16)
const POLYCODEC_DTYPE_COMPLEX64 = Int32(17)
const POLYCODEC_DTYPE_COMPLEX128 = Int32(18)
const POLYCODEC_DTYPE_TIMESTAMP64 = Int32(19)
const POLYCODEC_DTYPE_DURATION64 = Int32(20)
const POLYCODEC_DTYPE_FIXED_BYTES = Int32(21)
const POLYCODEC_DTYPE_FIXED_UTF8 = Int32(22)
const POLYCODEC_DTYPE_FIXED_UTF16 = Int32(23)
const POLYCODEC_DTYPE_FIXED_UTF32 = Int32(24)
const POLYCODEC_DTYPE_COUNT = Int32(25)
const POLYCODEC_UNIT_NONE = Int32(0)
const POLYCODEC_UNIT_YEAR = Int32(1)
const POLYCODEC_UNIT_MONTH = Int32(2)
const POLYCODEC_UNIT_WEEK = Int32(3)
const POLYCODEC_UNIT_DAY = Int32(4)
const POLYCODEC_UNIT_HOUR = Int32(5)
const POLYCODEC_UNIT_MINUTE = Int32(6)
const POLYCODEC_UNIT_SECOND = Int32(7)
const POLYCODEC_UNIT_MILLISECOND = Int32(8)
const POLYCODEC_UNIT_MICROSECOND = Int32(9)
const POLYCODEC_UNIT_NANOSECOND = Int32(10)
const POLYCODEC_UNIT_PICOSECOND = Int32(11)
const POLYCODEC_UNIT_FEMTOSECOND = Int32(12)
const POLYCODEC_UNIT_ATTOSECOND = Int32(13)
const POLYCODEC_UNIT_COUNT = Int32(14)
const POLYCODEC_KIND_NULL = Int32(0)
const POLYCODEC_KIND_BOOLEAN = Int32(1)
const POLYCODEC_KIND_SIGNED = Int32(2)
const POLYCODEC_KIND_UNSIGNED = Int32(3)
const POLYCODEC_KIND_FLOAT = Int32(4)
const POLYCODEC_KIND_WIDE = Int32(5)
const POLYCODEC_KIND_STRING = Int32(6)
const POLYCODEC_KIND_BINARY = Int32(7)
const POLYCODEC_KIND_LIST = Int32(8)
const POLYCODEC_KIND_TUPLE = Int32(9)
const POLYCODEC_KIND_OBJECT = Int32(10)
const POLYCODEC_KIND_MAP = Int32(11)
const POLYCODEC_KIND_ARRAY = Int32(12)
const POLYCODEC_KIND_EXTENSION = Int32(13)
const POLYCODEC_KIND_REFERENCE = Int32(14)
const POLYCODEC_KIND_ANNOTATED = Int32(15)
const POLYCODEC_KIND_TIMESTAMP = Int32(16)
const POLYCODEC_KIND_DURATION = Int32(17)
const POLYCODEC_KIND_UNION = Int32(18)
const POLYCODEC_KIND_COUNT = Int32(19)
const POLYCODEC_LAYOUT_NDARRAY = Int32(0)
const POLYCODEC_LAYOUT_LIST_OFFSETS = Int32(1)
const POLYCODEC_LAYOUT_LIST_VIEW = Int32(2)
const POLYCODEC_LAYOUT_LIST_FIXED = Int32(3)
const POLYCODEC_LAYOUT_RECORD = Int32(4)
const POLYCODEC_LAYOUT_UNION = Int32(5)
const POLYCODEC_LAYOUT_OPTION_BYTES = Int32(6)
const POLYCODEC_LAYOUT_OPTION_BITS = Int32(7)
const POLYCODEC_LAYOUT_INDEXED = Int32(8)
const POLYCODEC_LAYOUT_CHUNKED = Int32(9)
const POLYCODEC_LAYOUT_DOCUMENT = Int32(10)
const POLYCODEC_LAYOUT_COUNT = Int32(11)
const POLYCODEC_LOSS_NOTE = Int32(0)
const POLYCODEC_LOSS_TYPE = Int32(1)
const POLYCODEC_LOSS_DATA = Int32(2)
const POLYCODEC_LOSS_RETYPED = Int32(3)
const POLYCODEC_LOSS_MENDED = Int32(4)
const POLYCODEC_LOSS_COUNT = Int32(5)
const POLYCODEC_LOG_DEBUG = Int32(0)
const POLYCODEC_LOG_INFO = Int32(1)
const POLYCODEC_LOG_WARNING = Int32(2)
const POLYCODEC_LOG_ERROR = Int32(3)
const POLYCODEC_LOG_HOST_MISBEHAVING = Int32(4)
const POLYCODEC_LOG_PLUGIN_MISBEHAVING = Int32(5)
const POLYCODEC_LOG_COUNT = Int32(6)
const POLYCODEC_ROWS_LEVELS = UInt32(8)
const POLYCODEC_HOST_API_MAJOR = UInt32(0)
const POLYCODEC_HOST_API_MINOR = UInt32(3)
const POLYCODEC_WRITE_KEEP = UInt32(1)
const POLYCODEC_WRITE_SYNC = UInt32(2)
const POLYCODEC_WRITE_BYTES = UInt32(4)
const POLYCODEC_SOURCE_COPY = UInt32(1)
const POLYCODEC_SOURCE_CHANGING = UInt32(2)
const POLYCODEC_SOURCE_COMPANIONS = UInt32(4)
const POLYCODEC_SOURCE_MAP = UInt32(8)
const POLYCODEC_REGISTRY_NO_ENVIRONMENT = UInt32(1)
const POLYCODEC_REGISTRY_NO_BUILTINS = UInt32(2)
const POLYCODEC_REGISTRY_DEFAULT_CONFIG = UInt32(4)
const POLYCODEC_REGISTRY_GUARD = UInt32(8)
const POLYCODEC_REGISTRY_ISOLATE_FOREIGN = UInt32(16)
const POLYCODEC_CHECK_NO_CODECS = UInt32(1)
const POLYCODEC_CALL_STRUCTURE = UInt32(1)
const POLYCODEC_CALL_AS_IS = UInt32(2)
const POLYCODEC_CALL_NO_COMPANIONS = UInt32(4)
const POLYCODEC_CALL_PARTIAL = UInt32(8)
const POLYCODEC_CALL_LOSSLESS = UInt32(16)
const POLYCODEC_CALL_TOLERANT = UInt32(32)
const POLYCODEC_CALL_COMPARE = UInt32(64)
const POLYCODEC_FORMAT_OF_OTHERS = UInt32(1)
const POLYCODEC_STORE_NEW = UInt32(1)
const POLYCODEC_COLLECTION_REPLACE = UInt32(1)
const POLYCODEC_COLLECTION_UNOWNED = UInt32(2)
const POLYCODEC_TEXT_PLAIN = UInt32(1)
const POLYCODEC_TEXT_EXACT = UInt32(2)
const POLYCODEC_TYPE_STRICT = UInt32(1)
const POLYCODEC_COMPARE_NUMBERS = UInt32(1)
const POLYCODEC_COMPARE_FLOATS = UInt32(2)
const POLYCODEC_COMPARE_LISTS = UInt32(4)
const POLYCODEC_COMPARE_UNORDERED = UInt32(8)
const POLYCODEC_COMPARE_NO_METADATA = UInt32(16)
const POLYCODEC_EXCHANGE_SPARSE_UNIONS = UInt32(1)
const POLYCODEC_SCHEMA_MINIMAL = UInt32(1)
const POLYCODEC_SOURCE_BYTES = Int32(0)
const POLYCODEC_SOURCE_PATH = Int32(1)
const POLYCODEC_SOURCE_DESCRIPTOR = Int32(2)
const POLYCODEC_SOURCE_FILE = Int32(3)
const POLYCODEC_SOURCE_STORE = Int32(4)
const POLYCODEC_DESCRIBE_CODECS = Int32(0)
const POLYCODEC_DESCRIBE_FILTERS = Int32(1)
const POLYCODEC_DESCRIBE_STORES = Int32(2)
const POLYCODEC_DESCRIBE_TYPES = Int32(3)
const POLYCODEC_DESCRIBE_PLUGINS = Int32(4)
const POLYCODEC_DESCRIBE_RECORDS = Int32(5)
const POLYCODEC_DESCRIBE_DIRECTORIES = Int32(6)
const POLYCODEC_DESCRIBE_FUNCTIONS = Int32(7)
const POLYCODEC_DESCRIBE_SETTINGS = Int32(8)
const POLYCODEC_DESCRIBE_DIAGNOSIS = Int32(9)
const POLYCODEC_DESCRIBE_CODEC = Int32(10)
const POLYCODEC_DESCRIBE_PLUGIN = Int32(11)
const POLYCODEC_DESCRIBE_MISSING = Int32(12)
const POLYCODEC_DESCRIBE_OFFER = Int32(13)
const POLYCODEC_DESCRIBE_CONFIG_SCHEMA = Int32(14)
const POLYCODEC_DESCRIBE_MANIFEST_SCHEMA = Int32(15)
const POLYCODEC_DESCRIBE_MANIFEST = Int32(16)
const POLYCODEC_BY_NAME = Int32(0)
const POLYCODEC_BY_HEADER = Int32(1)
const POLYCODEC_BY_CONTENT = Int32(2)
const POLYCODEC_BY_EXTENSION = Int32(3)
const POLYCODEC_KEPT_UNKNOWN = Int32(0)
const POLYCODEC_KEPT_SAME = Int32(1)
const POLYCODEC_KEPT_SAME_ITEMS = Int32(2)
const POLYCODEC_KEPT_SAME_NUMBERS = Int32(3)
const POLYCODEC_KEPT_DIFFERENT = Int32(4)
const POLYCODEC_STREAM_FED = Int32(0)
const POLYCODEC_STREAM_SOURCE = Int32(1)
const POLYCODEC_STREAM_FILE = Int32(2)
const POLYCODEC_STREAM_DESCRIPTOR = Int32(3)
const POLYCODEC_ADDRESS_EXACT = Int32(0)
const POLYCODEC_ADDRESS_LOGICAL = Int32(1)
const POLYCODEC_DEFAULTS_ALL = Int32(0)
const POLYCODEC_DEFAULTS_REQUIRED = Int32(1)
const POLYCODEC_DEFAULTS_NONE = Int32(2)
const POLYCODEC_ROUNDING_FLOATS = Int32(0)
const POLYCODEC_ROUNDING_ALL = Int32(1)
const POLYCODEC_ROUNDING_NONE = Int32(2)

struct polycodec_bytes
    data::Ptr{Cvoid}
    size::UInt64
end

struct polycodec_error
    struct_size::UInt32
    code::Int32
    offset::UInt64
    detail::NTuple{48, UInt8}
    path::NTuple{208, UInt8}
    message::NTuple{480, UInt8}
    codec::NTuple{64, UInt8}
    say::Ptr{Cvoid}
    say_data::Ptr{Cvoid}
end

struct polycodec_extension
    name::polycodec_bytes
    payload::Ptr{Cvoid}
end

struct polycodec_annotated
    node::Ptr{Cvoid}
    metadata::Ptr{Cvoid}
end

struct polycodec_time
    count::Int64
    nanoseconds::UInt32
    unit::UInt32
end

struct polycodec_tagged
    tag::Int64
    node::Ptr{Cvoid}
end

struct polycodec_node
    kind::UInt8
    dtype::UInt8
    size_hi::UInt16
    size_lo::UInt32
    as::UInt64
end

struct polycodec_column
    data::Ptr{Cvoid}
    stride::Int64
    dtype::UInt32
    reserved::UInt32
end

struct polycodec_array
    struct_size::UInt32
    layout::UInt8
    dtype::UInt8
    byte_order::UInt8
    flags::UInt8
    length::UInt64
    data::Ptr{Cvoid}
    buffer::Ptr{Cvoid}
    buffer_size::UInt64
    ndim::UInt32
    item_size::UInt32
    unit::UInt32
    n_children::UInt32
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    offsets::polycodec_column
    stops::polycodec_column
    list_size::UInt64
    children::Ptr{Ptr{Cvoid}}
    names::Ptr{polycodec_bytes}
    nodes::Ptr{polycodec_node}
    metadata::Ptr{polycodec_node}
end

struct polycodec_arena
    struct_size::UInt32
    reserved::UInt32
    cursor::Ptr{UInt8}
    limit::Ptr{UInt8}
    private_data::Ptr{Cvoid}
    grow::Ptr{Cvoid}
    resize::Ptr{Cvoid}
    adopt::Ptr{Cvoid}
end

struct polycodec_limits
    struct_size::UInt32
    max_depth::UInt32
    max_input_bytes::UInt64
    max_header_bytes::UInt64
    max_nodes::UInt64
    max_elements::UInt64
    max_work::UInt64
    max_memory_bytes::UInt64
    max_output_bytes::UInt64
    max_stack_bytes::UInt64
    deadline::UInt64
end

struct polycodec_projection
    struct_size::UInt32
    n_paths::UInt32
    paths::Ptr{polycodec_bytes}
    first_row::UInt64
    n_rows::UInt64
end

struct polycodec_item
    node::Ptr{polycodec_node}
    array::Ptr{polycodec_array}
    index::UInt64
end

struct polycodec_write_options
    struct_size::UInt32
    flags::UInt32
    lock_seconds::UInt32
    reserved::UInt32
    root::polycodec_bytes
end

struct polycodec_source_options
    struct_size::UInt32
    flags::UInt32
    from::Int32
    descriptor::Int32
    bytes::polycodec_bytes
    path::polycodec_bytes
    file::Ptr{Cvoid}
    store::Ptr{Cvoid}
    name::polycodec_bytes
    owner::Ptr{Cvoid}
    release::Ptr{Cvoid}
    limits::Ptr{polycodec_limits}
end

struct polycodec_objects
    struct_size::UInt32
    n_codecs::UInt32
    codecs::Ptr{Ptr{Cvoid}}
    filters::Ptr{Ptr{Cvoid}}
    stores::Ptr{Ptr{Cvoid}}
    functions::Ptr{Ptr{Cvoid}}
    types::Ptr{Ptr{Cvoid}}
    n_filters::UInt32
    n_stores::UInt32
    n_functions::UInt32
    n_types::UInt32
end

struct polycodec_executor
    struct_size::UInt32
    reserved::UInt32
    private_data::Ptr{Cvoid}
    run::Ptr{Cvoid}
end

struct polycodec_registry_options
    struct_size::UInt32
    flags::UInt32
    layers::Ptr{polycodec_bytes}
    layer_names::Ptr{polycodec_bytes}
    n_layers::UInt32
    threads::UInt32
    plugin_paths::Ptr{polycodec_bytes}
    add_paths::Ptr{polycodec_bytes}
    n_plugin_paths::UInt32
    n_add_paths::UInt32
    base::Ptr{Cvoid}
    objects::Ptr{polycodec_objects}
    limits::Ptr{polycodec_limits}
    allowlist::polycodec_bytes
    isolation::polycodec_bytes
    executor::Ptr{polycodec_executor}
    log::Ptr{Cvoid}
    log_data::Ptr{Cvoid}
    allow_also::polycodec_bytes
end

struct polycodec_match
    struct_size::UInt32
    by::Int32
    score::UInt32
    extension::UInt32
    codec::polycodec_bytes
    body_offset::UInt64
    body_size::UInt64
    reason::NTuple{112, UInt8}
    filters::NTuple{64, UInt8}
end

struct polycodec_progress
    struct_size::UInt32
    is_last::UInt32
    work::UInt64
    input::UInt64
    input_size::UInt64
    output::UInt64
end

struct polycodec_call_options
    struct_size::UInt32
    flags::UInt32
    limits::Ptr{polycodec_limits}
    cancel::Ptr{UInt8}
    projection::Ptr{polycodec_projection}
    member::polycodec_bytes
    allowlist::polycodec_bytes
    on_loss::Ptr{Cvoid}
    loss_data::Ptr{Cvoid}
    losses::UInt32
    threads::UInt32
    budget::Ptr{Cvoid}
    on_progress::Ptr{Cvoid}
    progress_data::Ptr{Cvoid}
    select::polycodec_bytes
    destination::polycodec_bytes
    allow_also::polycodec_bytes
end

struct polycodec_format
    struct_size::UInt32
    flags::UInt32
    codec::polycodec_bytes
    options::polycodec_bytes
    filters::polycodec_bytes
    path::polycodec_bytes
    value::Ptr{Cvoid}
end

struct polycodec_result
    struct_size::UInt32
    kept::Int32
    bytes::UInt64
    is_partial::UInt32
    reserved::UInt32
    codec::NTuple{64, UInt8}
    reason::NTuple{112, UInt8}
    path::NTuple{208, UInt8}
    from::NTuple{64, UInt8}
end

struct polycodec_stream_options
    struct_size::UInt32
    from::Int32
    source::Ptr{Cvoid}
    file::Ptr{Cvoid}
    descriptor::Int32
    reserved::UInt32
end

struct polycodec_text_options
    struct_size::UInt32
    flags::UInt32
    indent::UInt32
    width::UInt32
end

struct polycodec_compare_options
    struct_size::UInt32
    flags::UInt32
    absolute::Float64
    relative::Float64
    max_groups::UInt64
end

struct polycodec_exchange
    struct_size::UInt32
    flags::UInt32
    schema::Ptr{Cvoid}
    array::Ptr{Cvoid}
    stream::Ptr{Cvoid}
    tensor::Ptr{Ptr{Cvoid}}
    versioned_tensor::Ptr{Ptr{Cvoid}}
end

struct polycodec_schema_options
    struct_size::UInt32
    flags::UInt32
    indent::UInt32
    defaults::Int32
    rounding::Int32
    reserved::UInt32
    warnings::Ptr{Cvoid}
end

polycodec_library_version() =
    ccall((:polycodec_library_version, library), Ptr{UInt8}, ())

polycodec_library_api() =
    ccall((:polycodec_library_api, library), UInt32, ())

polycodec_library_trim() =
    ccall((:polycodec_library_trim, library), Cvoid, ())

polycodec_status_name(status) =
    ccall((:polycodec_status_name, library), Ptr{UInt8}, (Int32,), status)

polycodec_sink_create(flags, max_bytes, sink, error) =
    ccall((:polycodec_sink_create, library), Int32, (UInt32, UInt64, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), flags, max_bytes, sink, error)

polycodec_sink_segments(sink, segments, n, error) =
    ccall((:polycodec_sink_segments, library), Int32, (Ptr{Cvoid}, Ptr{Ptr{polycodec_bytes}}, Ptr{UInt64}, Ptr{polycodec_error}), sink, segments, n, error)

polycodec_sink_bytes(sink, bytes, error) =
    ccall((:polycodec_sink_bytes, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_bytes}, Ptr{polycodec_error}), sink, bytes, error)

polycodec_sink_reset(sink, error) =
    ccall((:polycodec_sink_reset, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_error}), sink, error)

polycodec_sink_free(sink) =
    ccall((:polycodec_sink_free, library), Cvoid, (Ptr{Cvoid},), sink)

polycodec_source_open(options, source, error) =
    ccall((:polycodec_source_open, library), Int32, (Ptr{polycodec_source_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), options, source, error)

polycodec_source_bytes(source, bytes, error) =
    ccall((:polycodec_source_bytes, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_bytes}, Ptr{polycodec_error}), source, bytes, error)

polycodec_source_retain(source) =
    ccall((:polycodec_source_retain, library), Ptr{Cvoid}, (Ptr{Cvoid},), source)

polycodec_source_release(source) =
    ccall((:polycodec_source_release, library), Cvoid, (Ptr{Cvoid},), source)

polycodec_file_open(path, flags, file, error) =
    ccall((:polycodec_file_open, library), Int32, (polycodec_bytes, UInt32, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), path, flags, file, error)

polycodec_registry_open(options, registry, error) =
    ccall((:polycodec_registry_open, library), Int32, (Ptr{polycodec_registry_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), options, registry, error)

polycodec_registry_retain(registry) =
    ccall((:polycodec_registry_retain, library), Ptr{Cvoid}, (Ptr{Cvoid},), registry)

polycodec_registry_release(registry) =
    ccall((:polycodec_registry_release, library), Cvoid, (Ptr{Cvoid},), registry)

polycodec_registry_limits(registry, given, input, limits, error) =
    ccall((:polycodec_registry_limits, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_limits}, UInt64, Ptr{polycodec_limits}, Ptr{polycodec_error}), registry, given, input, limits, error)

polycodec_registry_describe(registry, what, name, sink, error) =
    ccall((:polycodec_registry_describe, library), Int32, (Ptr{Cvoid}, Int32, polycodec_bytes, Ptr{Cvoid}, Ptr{polycodec_error}), registry, what, name, sink, error)

polycodec_config_check(text, flags, problems, sink, error) =
    ccall((:polycodec_config_check, library), Int32, (polycodec_bytes, UInt32, Ptr{UInt64}, Ptr{Cvoid}, Ptr{polycodec_error}), text, flags, problems, sink, error)

polycodec_registry_choose(registry, source, match, candidates, error) =
    ccall((:polycodec_registry_choose, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_match}, Ptr{Cvoid}, Ptr{polycodec_error}), registry, source, match, candidates, error)

polycodec_budget_create(registry, value, limits, cancel, budget, error) =
    ccall((:polycodec_budget_create, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_limits}, Ptr{UInt8}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, value, limits, cancel, budget, error)

polycodec_budget_release(budget) =
    ccall((:polycodec_budget_release, library), Cvoid, (Ptr{Cvoid},), budget)

polycodec_budget_spend(budget, units, bytes, error) =
    ccall((:polycodec_budget_spend, library), Int32, (Ptr{Cvoid}, UInt64, UInt64, Ptr{polycodec_error}), budget, units, bytes, error)

polycodec_budget_walk(budget, body, data, error) =
    ccall((:polycodec_budget_walk, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), budget, body, data, error)

polycodec_registry_open_codec(registry, format, codec, error) =
    ccall((:polycodec_registry_open_codec, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_format}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, format, codec, error)

polycodec_opened_codec_retain(codec) =
    ccall((:polycodec_opened_codec_retain, library), Ptr{Cvoid}, (Ptr{Cvoid},), codec)

polycodec_opened_codec_release(codec) =
    ccall((:polycodec_opened_codec_release, library), Cvoid, (Ptr{Cvoid},), codec)

polycodec_opened_codec_describe(codec, sink, error) =
    ccall((:polycodec_opened_codec_describe, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), codec, sink, error)

polycodec_opened_codec_decode(codec, source, call, value, error) =
    ccall((:polycodec_opened_codec_decode, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), codec, source, call, value, error)

polycodec_opened_codec_decode_into(codec, bytes, call, value, error) =
    ccall((:polycodec_opened_codec_decode_into, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_call_options}, Ptr{Cvoid}, Ptr{polycodec_error}), codec, bytes, call, value, error)

polycodec_opened_codec_encode(codec, value, call, sink, writer, result, error) =
    ccall((:polycodec_opened_codec_encode, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_call_options}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_result}, Ptr{polycodec_error}), codec, value, call, sink, writer, result, error)

polycodec_opened_codec_list(codec, source, call, value, error) =
    ccall((:polycodec_opened_codec_list, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), codec, source, call, value, error)

polycodec_stream_open(codec, options, call, stream, error) =
    ccall((:polycodec_stream_open, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_stream_options}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), codec, options, call, stream, error)

polycodec_stream_feed(stream, bytes, is_last, error) =
    ccall((:polycodec_stream_feed, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Int32, Ptr{polycodec_error}), stream, bytes, is_last, error)

polycodec_stream_next(stream, value, offset, error) =
    ccall((:polycodec_stream_next, library), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{UInt64}, Ptr{polycodec_error}), stream, value, offset, error)

polycodec_stream_free(stream) =
    ccall((:polycodec_stream_free, library), Cvoid, (Ptr{Cvoid},), stream)

polycodec_stream_writer_open(codec, path, options, call, writer, error) =
    ccall((:polycodec_stream_writer_open, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_write_options}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), codec, path, options, call, writer, error)

polycodec_stream_writer_append(writer, value, sink, error) =
    ccall((:polycodec_stream_writer_append, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), writer, value, sink, error)

polycodec_stream_writer_finish(writer, sink, error) =
    ccall((:polycodec_stream_writer_finish, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), writer, sink, error)

polycodec_stream_writer_free(writer) =
    ccall((:polycodec_stream_writer_free, library), Cvoid, (Ptr{Cvoid},), writer)

polycodec_decode(registry, source, format, call, value, match, error) =
    ccall((:polycodec_decode, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_format}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_match}, Ptr{polycodec_error}), registry, source, format, call, value, match, error)

polycodec_encode_file(registry, value, path, format, call, write, result, error) =
    ccall((:polycodec_encode_file, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_format}, Ptr{polycodec_call_options}, Ptr{polycodec_write_options}, Ptr{polycodec_result}, Ptr{polycodec_error}), registry, value, path, format, call, write, result, error)

polycodec_convert(registry, source, from, path, to, call, write, result, error) =
    ccall((:polycodec_convert, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_format}, polycodec_bytes, Ptr{polycodec_format}, Ptr{polycodec_call_options}, Ptr{polycodec_write_options}, Ptr{polycodec_result}, Ptr{polycodec_error}), registry, source, from, path, to, call, write, result, error)

polycodec_registry_call(registry, name, args, kwargs, call, value, error) =
    ccall((:polycodec_registry_call, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, name, args, kwargs, call, value, error)

polycodec_store_open(registry, source, store, error) =
    ccall((:polycodec_store_open, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, source, store, error)

polycodec_store_from_memory(names, contents, n, store, error) =
    ccall((:polycodec_store_from_memory, library), Int32, (Ptr{polycodec_bytes}, Ptr{polycodec_bytes}, UInt64, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), names, contents, n, store, error)

polycodec_store_edit(registry, path, format, flags, options, writer, error) =
    ccall((:polycodec_store_edit, library), Int32, (Ptr{Cvoid}, polycodec_bytes, polycodec_bytes, UInt32, Ptr{polycodec_write_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, path, format, flags, options, writer, error)

polycodec_collection_open(registry, path, format, call, collection, error) =
    ccall((:polycodec_collection_open, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_format}, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, path, format, call, collection, error)

polycodec_collection_list(collection, sink, error) =
    ccall((:polycodec_collection_list, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), collection, sink, error)

polycodec_collection_read(collection, name, value, error) =
    ccall((:polycodec_collection_read, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), collection, name, value, error)

polycodec_collection_put(collection, name, value, flags, kept, error) =
    ccall((:polycodec_collection_put, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{polycodec_error}), collection, name, value, flags, kept, error)

polycodec_collection_free(collection) =
    ccall((:polycodec_collection_free, library), Cvoid, (Ptr{Cvoid},), collection)

polycodec_value_root(value) =
    ccall((:polycodec_value_root, library), Ptr{polycodec_node}, (Ptr{Cvoid},), value)

polycodec_value_is_partial(value) =
    ccall((:polycodec_value_is_partial, library), Int32, (Ptr{Cvoid},), value)

polycodec_value_retain(value) =
    ccall((:polycodec_value_retain, library), Ptr{Cvoid}, (Ptr{Cvoid},), value)

polycodec_value_release(value) =
    ccall((:polycodec_value_release, library), Cvoid, (Ptr{Cvoid},), value)

polycodec_value_find(value, path, item, error) =
    ccall((:polycodec_value_find, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_item}, Ptr{polycodec_error}), value, path, item, error)

polycodec_value_numbers(value, path, dtype, numbers, capacity, present, n, error) =
    ccall((:polycodec_value_numbers, library), Int32, (Ptr{Cvoid}, polycodec_bytes, UInt32, Ptr{Cvoid}, UInt64, Ptr{UInt8}, Ptr{UInt64}, Ptr{polycodec_error}), value, path, dtype, numbers, capacity, present, n, error)

polycodec_value_times(value, path, unit, counts, capacity, present, n, error) =
    ccall((:polycodec_value_times, library), Int32, (Ptr{Cvoid}, polycodec_bytes, UInt32, Ptr{Int64}, UInt64, Ptr{UInt8}, Ptr{UInt64}, Ptr{polycodec_error}), value, path, unit, counts, capacity, present, n, error)

polycodec_value_texts(value, path, sink, ends, capacity, present, n, error) =
    ccall((:polycodec_value_texts, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Cvoid}, Ptr{UInt64}, UInt64, Ptr{UInt8}, Ptr{UInt64}, Ptr{polycodec_error}), value, path, sink, ends, capacity, present, n, error)

polycodec_value_part(value, item, first, n, part, error) =
    ccall((:polycodec_value_part, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_item}, UInt64, UInt64, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), value, item, first, n, part, error)

polycodec_value_create(max_memory, value, arena, error) =
    ccall((:polycodec_value_create, library), Int32, (UInt64, Ptr{Ptr{Cvoid}}, Ptr{Ptr{polycodec_arena}}, Ptr{polycodec_error}), max_memory, value, arena, error)

polycodec_value_keep(value, other, error) =
    ccall((:polycodec_value_keep, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), value, other, error)

polycodec_node_check(root, limits, regions, n, error) =
    ccall((:polycodec_node_check, library), Int32, (Ptr{polycodec_node}, Ptr{polycodec_limits}, Ptr{polycodec_bytes}, UInt64, Ptr{polycodec_error}), root, limits, regions, n, error)

polycodec_value_finish(value, root, error) =
    ccall((:polycodec_value_finish, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_node}, Ptr{polycodec_error}), value, root, error)

polycodec_value_parse(registry, text, type, value, error) =
    ccall((:polycodec_value_parse, library), Int32, (Ptr{Cvoid}, polycodec_bytes, polycodec_bytes, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, text, type, value, error)

polycodec_value_print(value, item, options, sink, error) =
    ccall((:polycodec_value_print, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_item}, Ptr{polycodec_text_options}, Ptr{Cvoid}, Ptr{polycodec_error}), value, item, options, sink, error)

polycodec_value_type(value, item, sink, error) =
    ccall((:polycodec_value_type, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_item}, Ptr{Cvoid}, Ptr{polycodec_error}), value, item, sink, error)

polycodec_type_describe(registry, notation, flags, description, error) =
    ccall((:polycodec_type_describe, library), Int32, (Ptr{Cvoid}, polycodec_bytes, UInt32, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, notation, flags, description, error)

polycodec_value_compare(a, b, options, differences, sink, error) =
    ccall((:polycodec_value_compare, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_compare_options}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{polycodec_error}), a, b, options, differences, sink, error)

polycodec_value_address(registry, value, address, digest, bytes, error) =
    ccall((:polycodec_value_address, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{UInt8}, Ptr{UInt64}, Ptr{polycodec_error}), registry, value, address, digest, bytes, error)

polycodec_value_export(value, item, exchange, error) =
    ccall((:polycodec_value_export, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_item}, Ptr{polycodec_exchange}, Ptr{polycodec_error}), value, item, exchange, error)

polycodec_value_import(exchange, limits, value, error) =
    ccall((:polycodec_value_import, library), Int32, (Ptr{polycodec_exchange}, Ptr{polycodec_limits}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), exchange, limits, value, error)

polycodec_value_to_frames(value, frames, error) =
    ccall((:polycodec_value_to_frames, library), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), value, frames, error)

polycodec_value_from_frames(pieces, n, flags, owner, release, limits, value, error) =
    ccall((:polycodec_value_from_frames, library), Int32, (Ptr{polycodec_bytes}, UInt64, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_limits}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), pieces, n, flags, owner, release, limits, value, error)

polycodec_schema_parse(registry, json, schema, error) =
    ccall((:polycodec_schema_parse, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, json, schema, error)

polycodec_schema_infer(value, options, schema, error) =
    ccall((:polycodec_schema_infer, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_schema_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), value, options, schema, error)

polycodec_schema_retain(schema) =
    ccall((:polycodec_schema_retain, library), Ptr{Cvoid}, (Ptr{Cvoid},), schema)

polycodec_schema_release(schema) =
    ccall((:polycodec_schema_release, library), Cvoid, (Ptr{Cvoid},), schema)

polycodec_schema_print(schema, options, sink, error) =
    ccall((:polycodec_schema_print, library), Int32, (Ptr{Cvoid}, Ptr{polycodec_schema_options}, Ptr{Cvoid}, Ptr{polycodec_error}), schema, options, sink, error)

polycodec_schema_validate(schema, value, options, problems, sink, error) =
    ccall((:polycodec_schema_validate, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_schema_options}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{polycodec_error}), schema, value, options, problems, sink, error)

polycodec_schema_normalize(schema, value, options, normalized, error) =
    ccall((:polycodec_schema_normalize, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_schema_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), schema, value, options, normalized, error)

polycodec_units_convert(from, to, numbers, n, error) =
    ccall((:polycodec_units_convert, library), Int32, (polycodec_bytes, polycodec_bytes, Ptr{Float64}, UInt64, Ptr{polycodec_error}), from, to, numbers, n, error)

polycodec_units_canonical(text, sink, error) =
    ccall((:polycodec_units_canonical, library), Int32, (polycodec_bytes, Ptr{Cvoid}, Ptr{polycodec_error}), text, sink, error)

polycodec_channel_open(registry, options, call, channel, error) =
    ccall((:polycodec_channel_open, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{polycodec_call_options}, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), registry, options, call, channel, error)

polycodec_channel_free(channel) =
    ccall((:polycodec_channel_free, library), Cvoid, (Ptr{Cvoid},), channel)

polycodec_channel_pack(channel, value, header, message, error) =
    ccall((:polycodec_channel_pack, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, polycodec_bytes, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}), channel, value, header, message, error)

polycodec_message_part(message, part, pieces, n, error) =
    ccall((:polycodec_message_part, library), Int32, (Ptr{Cvoid}, UInt64, Ptr{Ptr{polycodec_bytes}}, Ptr{UInt64}, Ptr{polycodec_error}), message, part, pieces, n, error)

polycodec_message_free(message) =
    ccall((:polycodec_message_free, library), Cvoid, (Ptr{Cvoid},), message)

polycodec_channel_feed(channel, bytes, is_last, error) =
    ccall((:polycodec_channel_feed, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Int32, Ptr{polycodec_error}), channel, bytes, is_last, error)

polycodec_channel_next(channel, value, control, header, error) =
    ccall((:polycodec_channel_next, library), Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Int32}, Ptr{Cvoid}, Ptr{polycodec_error}), channel, value, control, header, error)

polycodec_channel_unpack(channel, message, value, control, header, error) =
    ccall((:polycodec_channel_unpack, library), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Ptr{Int32}, Ptr{Cvoid}, Ptr{polycodec_error}), channel, message, value, control, header, error)

polycodec_registry_agree(registry, offer, value, sink, error) =
    ccall((:polycodec_registry_agree, library), Int32, (Ptr{Cvoid}, polycodec_bytes, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_error}), registry, offer, value, sink, error)
