! SPDX-License-Identifier: MIT
! The constants, structs and functions of polycodec/host.h, as they are: all pointers are type(c_ptr).
! scripts/fortran_sys.py makes this file.
module polycodec_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  implicit none
  public
  private :: c_int32_t, c_int64_t

  integer(c_int32_t), parameter :: PC_ABI_MAJOR = 2
  integer(c_int32_t), parameter :: PC_ABI_MINOR = 0
  integer(c_int32_t), parameter :: PC_STRING_LENIENT = 1
  integer(c_int32_t), parameter :: PC_ARRAY_STRING = 1
  integer(c_int32_t), parameter :: PC_ARRAY_BINARY = 2
  integer(c_int32_t), parameter :: PC_ARRAY_BITS_LSB = 4
  integer(c_int32_t), parameter :: PC_ARRAY_MASK_VALID = 8
  integer(c_int32_t), parameter :: PC_LITTLE_ENDIAN = 0
  integer(c_int32_t), parameter :: PC_BIG_ENDIAN = 1
  integer(c_int32_t), parameter :: PC_MAX_NDIM = 64
  integer(c_int32_t), parameter :: PC_MAX_PLAIN_CHUNKS = 16
  integer(c_int32_t), parameter :: PC_FILE_STABLE = 1
  integer(c_int32_t), parameter :: PC_FILE_SLOW = 2
  integer(c_int32_t), parameter :: PC_STORE_OWNERS = 1
  integer(c_int32_t), parameter :: PC_STORE_UNLISTED = 2
  integer(c_int32_t), parameter :: PC_SINK_CONTIGUOUS = 1
  integer(c_int32_t), parameter :: PC_ROWS_LEVELS = 8
  integer(c_int32_t), parameter :: PC_HOST_API_MAJOR = 0
  integer(c_int32_t), parameter :: PC_HOST_API_MINOR = 3
  integer(c_int32_t), parameter :: PC_WRITE_KEEP = 1
  integer(c_int32_t), parameter :: PC_WRITE_SYNC = 2
  integer(c_int32_t), parameter :: PC_WRITE_BYTES = 4
  integer(c_int32_t), parameter :: PC_SOURCE_COPY = 1
  integer(c_int32_t), parameter :: PC_SOURCE_CHANGING = 2
  integer(c_int32_t), parameter :: PC_SOURCE_COMPANIONS = 4
  integer(c_int32_t), parameter :: PC_SOURCE_MAP = 8
  integer(c_int32_t), parameter :: PC_REGISTRY_NO_ENVIRONMENT = 1
  integer(c_int32_t), parameter :: PC_REGISTRY_NO_BUILTINS = 2
  integer(c_int32_t), parameter :: PC_REGISTRY_DEFAULT_CONFIG = 4
  integer(c_int32_t), parameter :: PC_REGISTRY_GUARD = 8
  integer(c_int32_t), parameter :: PC_REGISTRY_ISOLATE_FOREIGN = 16
  integer(c_int32_t), parameter :: PC_CHECK_NO_CODECS = 1
  integer(c_int32_t), parameter :: PC_CALL_STRUCTURE = 1
  integer(c_int32_t), parameter :: PC_CALL_AS_IS = 2
  integer(c_int32_t), parameter :: PC_CALL_NO_COMPANIONS = 4
  integer(c_int32_t), parameter :: PC_CALL_PARTIAL = 8
  integer(c_int32_t), parameter :: PC_CALL_LOSSLESS = 16
  integer(c_int32_t), parameter :: PC_CALL_TOLERANT = 32
  integer(c_int32_t), parameter :: PC_CALL_COMPARE = 64
  integer(c_int32_t), parameter :: PC_FORMAT_OF_OTHERS = 1
  integer(c_int32_t), parameter :: PC_STORE_NEW = 1
  integer(c_int32_t), parameter :: PC_COLLECTION_REPLACE = 1
  integer(c_int32_t), parameter :: PC_COLLECTION_UNOWNED = 2
  integer(c_int32_t), parameter :: PC_TEXT_PLAIN = 1
  integer(c_int32_t), parameter :: PC_TEXT_EXACT = 2
  integer(c_int32_t), parameter :: PC_TYPE_STRICT = 1
  integer(c_int32_t), parameter :: PC_COMPARE_NUMBERS = 1
  integer(c_int32_t), parameter :: PC_COMPARE_FLOATS = 2
  integer(c_int32_t), parameter :: PC_COMPARE_LISTS = 4
  integer(c_int32_t), parameter :: PC_COMPARE_UNORDERED = 8
  integer(c_int32_t), parameter :: PC_COMPARE_NO_METADATA = 16
  integer(c_int32_t), parameter :: PC_EXCHANGE_SPARSE_UNIONS = 1
  integer(c_int32_t), parameter :: PC_SCHEMA_MINIMAL = 1
  integer(c_int32_t), parameter :: PC_OK = 0
  integer(c_int32_t), parameter :: PC_ERROR_TRUNCATED = 1
  integer(c_int32_t), parameter :: PC_ERROR_TRAILING = 2
  integer(c_int32_t), parameter :: PC_ERROR_MALFORMED = 3
  integer(c_int32_t), parameter :: PC_ERROR_UNSUPPORTED = 4
  integer(c_int32_t), parameter :: PC_ERROR_LIMIT = 5
  integer(c_int32_t), parameter :: PC_ERROR_TYPE = 6
  integer(c_int32_t), parameter :: PC_ERROR_RANGE = 7
  integer(c_int32_t), parameter :: PC_ERROR_NOT_FOUND = 8
  integer(c_int32_t), parameter :: PC_ERROR_DENIED = 9
  integer(c_int32_t), parameter :: PC_ERROR_AMBIGUOUS = 10
  integer(c_int32_t), parameter :: PC_ERROR_OPTION = 11
  integer(c_int32_t), parameter :: PC_ERROR_PLUGIN = 12
  integer(c_int32_t), parameter :: PC_ERROR_INVALID = 13
  integer(c_int32_t), parameter :: PC_ERROR_IO = 14
  integer(c_int32_t), parameter :: PC_ERROR_MEMORY = 15
  integer(c_int32_t), parameter :: PC_ERROR_CANCELLED = 16
  integer(c_int32_t), parameter :: PC_ERROR_INTERNAL = 17
  integer(c_int32_t), parameter :: PC_STATUS_COUNT = 18
  integer(c_int32_t), parameter :: PC_DTYPE_NONE = 0
  integer(c_int32_t), parameter :: PC_DTYPE_BOOLEAN = 1
  integer(c_int32_t), parameter :: PC_DTYPE_INT8 = 2
  integer(c_int32_t), parameter :: PC_DTYPE_INT16 = 3
  integer(c_int32_t), parameter :: PC_DTYPE_INT32 = 4
  integer(c_int32_t), parameter :: PC_DTYPE_INT64 = 5
  integer(c_int32_t), parameter :: PC_DTYPE_INT128 = 6
  integer(c_int32_t), parameter :: PC_DTYPE_UINT8 = 7
  integer(c_int32_t), parameter :: PC_DTYPE_UINT16 = 8
  integer(c_int32_t), parameter :: PC_DTYPE_UINT32 = 9
  integer(c_int32_t), parameter :: PC_DTYPE_UINT64 = 10
  integer(c_int32_t), parameter :: PC_DTYPE_UINT128 = 11
  integer(c_int32_t), parameter :: PC_DTYPE_FLOAT16 = 12
  integer(c_int32_t), parameter :: PC_DTYPE_FLOAT32 = 13
  integer(c_int32_t), parameter :: PC_DTYPE_FLOAT64 = 14
  integer(c_int32_t), parameter :: PC_DTYPE_FLOAT128 = 15
  integer(c_int32_t), parameter :: PC_DTYPE_COMPLEX32 = 16
  integer(c_int32_t), parameter :: PC_DTYPE_COMPLEX64 = 17
  integer(c_int32_t), parameter :: PC_DTYPE_COMPLEX128 = 18
  integer(c_int32_t), parameter :: PC_DTYPE_TIMESTAMP64 = 19
  integer(c_int32_t), parameter :: PC_DTYPE_DURATION64 = 20
  integer(c_int32_t), parameter :: PC_DTYPE_FIXED_BYTES = 21
  integer(c_int32_t), parameter :: PC_DTYPE_FIXED_UTF8 = 22
  integer(c_int32_t), parameter :: PC_DTYPE_FIXED_UTF16 = 23
  integer(c_int32_t), parameter :: PC_DTYPE_FIXED_UTF32 = 24
  integer(c_int32_t), parameter :: PC_DTYPE_COUNT = 25
  integer(c_int32_t), parameter :: PC_UNIT_NONE = 0
  integer(c_int32_t), parameter :: PC_UNIT_YEAR = 1
  integer(c_int32_t), parameter :: PC_UNIT_MONTH = 2
  integer(c_int32_t), parameter :: PC_UNIT_WEEK = 3
  integer(c_int32_t), parameter :: PC_UNIT_DAY = 4
  integer(c_int32_t), parameter :: PC_UNIT_HOUR = 5
  integer(c_int32_t), parameter :: PC_UNIT_MINUTE = 6
  integer(c_int32_t), parameter :: PC_UNIT_SECOND = 7
  integer(c_int32_t), parameter :: PC_UNIT_MILLISECOND = 8
  integer(c_int32_t), parameter :: PC_UNIT_MICROSECOND = 9
  integer(c_int32_t), parameter :: PC_UNIT_NANOSECOND = 10
  integer(c_int32_t), parameter :: PC_UNIT_PICOSECOND = 11
  integer(c_int32_t), parameter :: PC_UNIT_FEMTOSECOND = 12
  integer(c_int32_t), parameter :: PC_UNIT_ATTOSECOND = 13
  integer(c_int32_t), parameter :: PC_UNIT_COUNT = 14
  integer(c_int32_t), parameter :: PC_KIND_NULL = 0
  integer(c_int32_t), parameter :: PC_KIND_BOOLEAN = 1
  integer(c_int32_t), parameter :: PC_KIND_SIGNED = 2
  integer(c_int32_t), parameter :: PC_KIND_UNSIGNED = 3
  integer(c_int32_t), parameter :: PC_KIND_FLOAT = 4
  integer(c_int32_t), parameter :: PC_KIND_WIDE = 5
  integer(c_int32_t), parameter :: PC_KIND_STRING = 6
  integer(c_int32_t), parameter :: PC_KIND_BINARY = 7
  integer(c_int32_t), parameter :: PC_KIND_LIST = 8
  integer(c_int32_t), parameter :: PC_KIND_TUPLE = 9
  integer(c_int32_t), parameter :: PC_KIND_OBJECT = 10
  integer(c_int32_t), parameter :: PC_KIND_MAP = 11
  integer(c_int32_t), parameter :: PC_KIND_ARRAY = 12
  integer(c_int32_t), parameter :: PC_KIND_EXTENSION = 13
  integer(c_int32_t), parameter :: PC_KIND_REFERENCE = 14
  integer(c_int32_t), parameter :: PC_KIND_ANNOTATED = 15
  integer(c_int32_t), parameter :: PC_KIND_TIMESTAMP = 16
  integer(c_int32_t), parameter :: PC_KIND_DURATION = 17
  integer(c_int32_t), parameter :: PC_KIND_UNION = 18
  integer(c_int32_t), parameter :: PC_KIND_COUNT = 19
  integer(c_int32_t), parameter :: PC_LAYOUT_NDARRAY = 0
  integer(c_int32_t), parameter :: PC_LAYOUT_LIST_OFFSETS = 1
  integer(c_int32_t), parameter :: PC_LAYOUT_LIST_VIEW = 2
  integer(c_int32_t), parameter :: PC_LAYOUT_LIST_FIXED = 3
  integer(c_int32_t), parameter :: PC_LAYOUT_RECORD = 4
  integer(c_int32_t), parameter :: PC_LAYOUT_UNION = 5
  integer(c_int32_t), parameter :: PC_LAYOUT_OPTION_BYTES = 6
  integer(c_int32_t), parameter :: PC_LAYOUT_OPTION_BITS = 7
  integer(c_int32_t), parameter :: PC_LAYOUT_INDEXED = 8
  integer(c_int32_t), parameter :: PC_LAYOUT_CHUNKED = 9
  integer(c_int32_t), parameter :: PC_LAYOUT_DOCUMENT = 10
  integer(c_int32_t), parameter :: PC_LAYOUT_COUNT = 11
  integer(c_int32_t), parameter :: PC_LOSS_NOTE = 0
  integer(c_int32_t), parameter :: PC_LOSS_TYPE = 1
  integer(c_int32_t), parameter :: PC_LOSS_DATA = 2
  integer(c_int32_t), parameter :: PC_LOSS_RETYPED = 3
  integer(c_int32_t), parameter :: PC_LOSS_MENDED = 4
  integer(c_int32_t), parameter :: PC_LOSS_COUNT = 5
  integer(c_int32_t), parameter :: PC_LOG_DEBUG = 0
  integer(c_int32_t), parameter :: PC_LOG_INFO = 1
  integer(c_int32_t), parameter :: PC_LOG_WARNING = 2
  integer(c_int32_t), parameter :: PC_LOG_ERROR = 3
  integer(c_int32_t), parameter :: PC_LOG_HOST_MISBEHAVING = 4
  integer(c_int32_t), parameter :: PC_LOG_PLUGIN_MISBEHAVING = 5
  integer(c_int32_t), parameter :: PC_LOG_COUNT = 6
  integer(c_int32_t), parameter :: PC_SOURCE_BYTES = 0
  integer(c_int32_t), parameter :: PC_SOURCE_PATH = 1
  integer(c_int32_t), parameter :: PC_SOURCE_DESCRIPTOR = 2
  integer(c_int32_t), parameter :: PC_SOURCE_FILE = 3
  integer(c_int32_t), parameter :: PC_SOURCE_STORE = 4
  integer(c_int32_t), parameter :: PC_DESCRIBE_CODECS = 0
  integer(c_int32_t), parameter :: PC_DESCRIBE_FILTERS = 1
  integer(c_int32_t), parameter :: PC_DESCRIBE_STORES = 2
  integer(c_int32_t), parameter :: PC_DESCRIBE_TYPES = 3
  integer(c_int32_t), parameter :: PC_DESCRIBE_PLUGINS = 4
  integer(c_int32_t), parameter :: PC_DESCRIBE_RECORDS = 5
  integer(c_int32_t), parameter :: PC_DESCRIBE_DIRECTORIES = 6
  integer(c_int32_t), parameter :: PC_DESCRIBE_FUNCTIONS = 7
  integer(c_int32_t), parameter :: PC_DESCRIBE_SETTINGS = 8
  integer(c_int32_t), parameter :: PC_DESCRIBE_DIAGNOSIS = 9
  integer(c_int32_t), parameter :: PC_DESCRIBE_CODEC = 10
  integer(c_int32_t), parameter :: PC_DESCRIBE_PLUGIN = 11
  integer(c_int32_t), parameter :: PC_DESCRIBE_MISSING = 12
  integer(c_int32_t), parameter :: PC_DESCRIBE_OFFER = 13
  integer(c_int32_t), parameter :: PC_DESCRIBE_CONFIG_SCHEMA = 14
  integer(c_int32_t), parameter :: PC_DESCRIBE_MANIFEST_SCHEMA = 15
  integer(c_int32_t), parameter :: PC_DESCRIBE_MANIFEST = 16
  integer(c_int32_t), parameter :: PC_BY_NAME = 0
  integer(c_int32_t), parameter :: PC_BY_HEADER = 1
  integer(c_int32_t), parameter :: PC_BY_CONTENT = 2
  integer(c_int32_t), parameter :: PC_BY_EXTENSION = 3
  integer(c_int32_t), parameter :: PC_KEPT_UNKNOWN = 0
  integer(c_int32_t), parameter :: PC_KEPT_SAME = 1
  integer(c_int32_t), parameter :: PC_KEPT_SAME_ITEMS = 2
  integer(c_int32_t), parameter :: PC_KEPT_SAME_NUMBERS = 3
  integer(c_int32_t), parameter :: PC_KEPT_DIFFERENT = 4
  integer(c_int32_t), parameter :: PC_STREAM_FED = 0
  integer(c_int32_t), parameter :: PC_STREAM_SOURCE = 1
  integer(c_int32_t), parameter :: PC_STREAM_FILE = 2
  integer(c_int32_t), parameter :: PC_STREAM_DESCRIPTOR = 3
  integer(c_int32_t), parameter :: PC_ADDRESS_EXACT = 0
  integer(c_int32_t), parameter :: PC_ADDRESS_LOGICAL = 1
  integer(c_int32_t), parameter :: PC_DEFAULTS_ALL = 0
  integer(c_int32_t), parameter :: PC_DEFAULTS_REQUIRED = 1
  integer(c_int32_t), parameter :: PC_DEFAULTS_NONE = 2
  integer(c_int32_t), parameter :: PC_ROUNDING_FLOATS = 0
  integer(c_int32_t), parameter :: PC_ROUNDING_ALL = 1
  integer(c_int32_t), parameter :: PC_ROUNDING_NONE = 2

  integer(c_int64_t), parameter :: PC_NO_OFFSET = -1, PC_WHOLE = -1
end module polycodec_constants

module polycodec_sys
  use, intrinsic :: iso_c_binding
  use polycodec_constants
  implicit none
  public

  type, bind(c) :: polycodec_bytes
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: size = 0
  end type polycodec_bytes

  type, bind(c) :: polycodec_error
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: code = 0
    integer(c_int64_t) :: offset = 0
    character(kind=c_char) :: detail(48) = c_null_char
    character(kind=c_char) :: path(208) = c_null_char
    character(kind=c_char) :: message(480) = c_null_char
    character(kind=c_char) :: codec(64) = c_null_char
    type(c_funptr) :: say = c_null_funptr
    type(c_ptr) :: say_data = c_null_ptr
  end type polycodec_error

  type, bind(c) :: polycodec_extension
    type(polycodec_bytes) :: name
    type(c_ptr) :: payload = c_null_ptr
  end type polycodec_extension

  type, bind(c) :: polycodec_annotated
    type(c_ptr) :: node = c_null_ptr
    type(c_ptr) :: metadata = c_null_ptr
  end type polycodec_annotated

  type, bind(c) :: polycodec_time
    integer(c_int64_t) :: count = 0
    integer(c_int32_t) :: nanoseconds = 0
    integer(c_int32_t) :: unit = 0
  end type polycodec_time

  type, bind(c) :: polycodec_tagged
    integer(c_int64_t) :: tag = 0
    type(c_ptr) :: node = c_null_ptr
  end type polycodec_tagged

  type, bind(c) :: polycodec_node
    integer(c_int8_t) :: kind = 0
    integer(c_int8_t) :: dtype = 0
    integer(c_int16_t) :: size_hi = 0
    integer(c_int32_t) :: size_lo = 0
    integer(c_int64_t) :: as = 0
  end type polycodec_node

  type, bind(c) :: polycodec_column
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: stride = 0
    integer(c_int32_t) :: dtype = 0
    integer(c_int32_t) :: reserved = 0
  end type polycodec_column

  type, bind(c) :: polycodec_array
    integer(c_int32_t) :: struct_size = 0
    integer(c_int8_t) :: layout = 0
    integer(c_int8_t) :: dtype = 0
    integer(c_int8_t) :: byte_order = 0
    integer(c_int8_t) :: flags = 0
    integer(c_int64_t) :: length = 0
    type(c_ptr) :: data = c_null_ptr
    type(c_ptr) :: buffer = c_null_ptr
    integer(c_int64_t) :: buffer_size = 0
    integer(c_int32_t) :: ndim = 0
    integer(c_int32_t) :: item_size = 0
    integer(c_int32_t) :: unit = 0
    integer(c_int32_t) :: n_children = 0
    type(c_ptr) :: shape = c_null_ptr
    type(c_ptr) :: strides = c_null_ptr
    type(polycodec_column) :: offsets
    type(polycodec_column) :: stops
    integer(c_int64_t) :: list_size = 0
    type(c_ptr) :: children = c_null_ptr
    type(c_ptr) :: names = c_null_ptr
    type(c_ptr) :: nodes = c_null_ptr
    type(c_ptr) :: metadata = c_null_ptr
  end type polycodec_array

  type, bind(c) :: polycodec_arena
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: cursor = c_null_ptr
    type(c_ptr) :: limit = c_null_ptr
    type(c_ptr) :: private_data = c_null_ptr
    type(c_funptr) :: grow = c_null_funptr
    type(c_funptr) :: resize = c_null_funptr
    type(c_funptr) :: adopt = c_null_funptr
  end type polycodec_arena

  type, bind(c) :: polycodec_limits
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: max_depth = 0
    integer(c_int64_t) :: max_input_bytes = 0
    integer(c_int64_t) :: max_header_bytes = 0
    integer(c_int64_t) :: max_nodes = 0
    integer(c_int64_t) :: max_elements = 0
    integer(c_int64_t) :: max_work = 0
    integer(c_int64_t) :: max_memory_bytes = 0
    integer(c_int64_t) :: max_output_bytes = 0
    integer(c_int64_t) :: max_stack_bytes = 0
    integer(c_int64_t) :: deadline = 0
  end type polycodec_limits

  type, bind(c) :: polycodec_projection
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: n_paths = 0
    type(c_ptr) :: paths = c_null_ptr
    integer(c_int64_t) :: first_row = 0
    integer(c_int64_t) :: n_rows = 0
  end type polycodec_projection

  type, bind(c) :: polycodec_item
    type(c_ptr) :: node = c_null_ptr
    type(c_ptr) :: array = c_null_ptr
    integer(c_int64_t) :: index = 0
  end type polycodec_item

  type, bind(c) :: polycodec_write_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: lock_seconds = 0
    integer(c_int32_t) :: reserved = 0
    type(polycodec_bytes) :: root
  end type polycodec_write_options

  type, bind(c) :: polycodec_source_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: from = 0
    integer(c_int32_t) :: descriptor = 0
    type(polycodec_bytes) :: bytes
    type(polycodec_bytes) :: path
    type(c_ptr) :: file = c_null_ptr
    type(c_ptr) :: store = c_null_ptr
    type(polycodec_bytes) :: name
    type(c_ptr) :: owner = c_null_ptr
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: limits = c_null_ptr
  end type polycodec_source_options

  type, bind(c) :: polycodec_objects
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: n_codecs = 0
    type(c_ptr) :: codecs = c_null_ptr
    type(c_ptr) :: filters = c_null_ptr
    type(c_ptr) :: stores = c_null_ptr
    type(c_ptr) :: functions = c_null_ptr
    type(c_ptr) :: types = c_null_ptr
    integer(c_int32_t) :: n_filters = 0
    integer(c_int32_t) :: n_stores = 0
    integer(c_int32_t) :: n_functions = 0
    integer(c_int32_t) :: n_types = 0
  end type polycodec_objects

  type, bind(c) :: polycodec_executor
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: private_data = c_null_ptr
    type(c_funptr) :: run = c_null_funptr
  end type polycodec_executor

  type, bind(c) :: polycodec_layer
    type(polycodec_bytes) :: text
    type(polycodec_bytes) :: name
  end type polycodec_layer

  type, bind(c) :: polycodec_registry_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    type(c_ptr) :: layers = c_null_ptr
    integer(c_int32_t) :: n_layers = 0
    integer(c_int32_t) :: threads = 0
    type(c_ptr) :: plugin_paths = c_null_ptr
    type(c_ptr) :: add_paths = c_null_ptr
    integer(c_int32_t) :: n_plugin_paths = 0
    integer(c_int32_t) :: n_add_paths = 0
    type(c_ptr) :: base = c_null_ptr
    type(c_ptr) :: objects = c_null_ptr
    type(c_ptr) :: limits = c_null_ptr
    type(polycodec_bytes) :: allowlist
    type(polycodec_bytes) :: isolation
    type(c_ptr) :: executor = c_null_ptr
    type(c_funptr) :: log = c_null_funptr
    type(c_ptr) :: log_data = c_null_ptr
    type(polycodec_bytes) :: allow_also
  end type polycodec_registry_options

  type, bind(c) :: polycodec_match
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: by = 0
    integer(c_int32_t) :: score = 0
    integer(c_int32_t) :: extension = 0
    type(polycodec_bytes) :: codec
    integer(c_int64_t) :: body_offset = 0
    integer(c_int64_t) :: body_size = 0
    character(kind=c_char) :: reason(112) = c_null_char
    character(kind=c_char) :: filters(64) = c_null_char
  end type polycodec_match

  type, bind(c) :: polycodec_progress
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: is_last = 0
    integer(c_int64_t) :: work = 0
    integer(c_int64_t) :: input = 0
    integer(c_int64_t) :: input_size = 0
    integer(c_int64_t) :: output = 0
  end type polycodec_progress

  type, bind(c) :: polycodec_call_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    type(c_ptr) :: limits = c_null_ptr
    type(c_ptr) :: cancel = c_null_ptr
    type(c_ptr) :: projection = c_null_ptr
    type(polycodec_bytes) :: member
    type(polycodec_bytes) :: allowlist
    type(c_funptr) :: on_loss = c_null_funptr
    type(c_ptr) :: loss_data = c_null_ptr
    integer(c_int32_t) :: losses = 0
    integer(c_int32_t) :: threads = 0
    type(c_ptr) :: budget = c_null_ptr
    type(c_funptr) :: on_progress = c_null_funptr
    type(c_ptr) :: progress_data = c_null_ptr
    type(polycodec_bytes) :: select
    type(polycodec_bytes) :: destination
    type(polycodec_bytes) :: allow_also
  end type polycodec_call_options

  type, bind(c) :: polycodec_format
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    type(polycodec_bytes) :: codec
    type(polycodec_bytes) :: options
    type(polycodec_bytes) :: filters
    type(polycodec_bytes) :: path
    type(c_ptr) :: value = c_null_ptr
  end type polycodec_format

  type, bind(c) :: polycodec_result
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: kept = 0
    integer(c_int64_t) :: bytes = 0
    integer(c_int32_t) :: is_partial = 0
    integer(c_int32_t) :: reserved = 0
    character(kind=c_char) :: codec(64) = c_null_char
    character(kind=c_char) :: reason(112) = c_null_char
    character(kind=c_char) :: path(208) = c_null_char
    character(kind=c_char) :: from(64) = c_null_char
  end type polycodec_result

  type, bind(c) :: polycodec_stream_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: from = 0
    type(c_ptr) :: source = c_null_ptr
    type(c_ptr) :: file = c_null_ptr
    integer(c_int32_t) :: descriptor = 0
    integer(c_int32_t) :: reserved = 0
  end type polycodec_stream_options

  type, bind(c) :: polycodec_text_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: indent = 0
    integer(c_int32_t) :: width = 0
  end type polycodec_text_options

  type, bind(c) :: polycodec_compare_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    real(c_double) :: absolute = 0
    real(c_double) :: relative = 0
    integer(c_int64_t) :: max_groups = 0
  end type polycodec_compare_options

  type, bind(c) :: polycodec_exchange
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    type(c_ptr) :: schema = c_null_ptr
    type(c_ptr) :: array = c_null_ptr
    type(c_ptr) :: stream = c_null_ptr
    type(c_ptr) :: tensor = c_null_ptr
    type(c_ptr) :: versioned_tensor = c_null_ptr
  end type polycodec_exchange

  type, bind(c) :: polycodec_schema_options
    integer(c_int32_t) :: struct_size = 0
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: indent = 0
    integer(c_int32_t) :: defaults = 0
    integer(c_int32_t) :: rounding = 0
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: warnings = c_null_ptr
  end type polycodec_schema_options

  interface

    function polycodec_library_version() bind(c) result(returned)
      import :: c_ptr
      type(c_ptr) :: returned
    end function polycodec_library_version

    function polycodec_library_api() bind(c) result(returned)
      import :: c_int32_t
      integer(c_int32_t) :: returned
    end function polycodec_library_api

    subroutine polycodec_library_trim() bind(c)
    end subroutine polycodec_library_trim

    function polycodec_status_name(status) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      integer(c_int32_t), value :: status
      type(c_ptr) :: returned
    end function polycodec_status_name

    function polycodec_sink_create(flags, max_bytes, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      integer(c_int32_t), value :: flags
      integer(c_int64_t), value :: max_bytes
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_sink_create

    function polycodec_sink_segments(sink, segments, n, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: sink
      type(c_ptr), value :: segments
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_sink_segments

    function polycodec_sink_bytes(sink, bytes, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: sink
      type(c_ptr), value :: bytes
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_sink_bytes

    function polycodec_sink_reset(sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_sink_reset

    subroutine polycodec_sink_free(sink) bind(c)
      import :: c_ptr
      type(c_ptr), value :: sink
    end subroutine polycodec_sink_free

    function polycodec_source_open(options, source, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: options
      type(c_ptr), value :: source
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_source_open

    function polycodec_source_bytes(source, bytes, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: source
      type(c_ptr), value :: bytes
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_source_bytes

    function polycodec_source_retain(source) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: source
      type(c_ptr) :: returned
    end function polycodec_source_retain

    subroutine polycodec_source_release(source) bind(c)
      import :: c_ptr
      type(c_ptr), value :: source
    end subroutine polycodec_source_release

    function polycodec_file_open(path, flags, file, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: file
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_file_open

    function polycodec_registry_open(options, registry, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: options
      type(c_ptr), value :: registry
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_open

    function polycodec_registry_retain(registry) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: registry
      type(c_ptr) :: returned
    end function polycodec_registry_retain

    subroutine polycodec_registry_release(registry) bind(c)
      import :: c_ptr
      type(c_ptr), value :: registry
    end subroutine polycodec_registry_release

    function polycodec_registry_limits(registry, given, input, limits, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: given
      integer(c_int64_t), value :: input
      type(c_ptr), value :: limits
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_limits

    function polycodec_registry_describe(registry, what, name, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      integer(c_int32_t), value :: what
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_describe

    function polycodec_config_check(text, flags, problems, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(polycodec_bytes), value :: text
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: problems
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_config_check

    function polycodec_registry_choose(registry, source, match, candidates, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(c_ptr), value :: match
      type(c_ptr), value :: candidates
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_choose

    function polycodec_budget_create(registry, value, limits, cancel, budget, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      type(c_ptr), value :: limits
      type(c_ptr), value :: cancel
      type(c_ptr), value :: budget
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_budget_create

    subroutine polycodec_budget_release(budget) bind(c)
      import :: c_ptr
      type(c_ptr), value :: budget
    end subroutine polycodec_budget_release

    function polycodec_budget_spend(budget, units, bytes, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: budget
      integer(c_int64_t), value :: units
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_budget_spend

    function polycodec_budget_walk(budget, body, data, error) bind(c) result(returned)
      import :: c_funptr, c_int32_t, c_ptr
      type(c_ptr), value :: budget
      type(c_funptr), value :: body
      type(c_ptr), value :: data
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_budget_walk

    function polycodec_registry_open_codec(registry, format, codec, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: format
      type(c_ptr), value :: codec
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_open_codec

    function polycodec_opened_codec_retain(codec) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: codec
      type(c_ptr) :: returned
    end function polycodec_opened_codec_retain

    subroutine polycodec_opened_codec_release(codec) bind(c)
      import :: c_ptr
      type(c_ptr), value :: codec
    end subroutine polycodec_opened_codec_release

    function polycodec_opened_codec_describe(codec, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: codec
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_opened_codec_describe

    function polycodec_opened_codec_decode(codec, source, call, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: codec
      type(c_ptr), value :: source
      type(c_ptr), value :: call
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_opened_codec_decode

    function polycodec_opened_codec_decode_into(codec, bytes, call, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: codec
      type(polycodec_bytes), value :: bytes
      type(c_ptr), value :: call
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_opened_codec_decode_into

    function polycodec_opened_codec_encode(codec, value, call, sink, writer, result, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: codec
      type(c_ptr), value :: value
      type(c_ptr), value :: call
      type(c_ptr), value :: sink
      type(c_ptr), value :: writer
      type(c_ptr), value :: result
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_opened_codec_encode

    function polycodec_opened_codec_list(codec, source, call, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: codec
      type(c_ptr), value :: source
      type(c_ptr), value :: call
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_opened_codec_list

    function polycodec_stream_open(codec, options, call, stream, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: codec
      type(c_ptr), value :: options
      type(c_ptr), value :: call
      type(c_ptr), value :: stream
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_open

    function polycodec_stream_feed(stream, bytes, is_last, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: stream
      type(polycodec_bytes), value :: bytes
      integer(c_int32_t), value :: is_last
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_feed

    function polycodec_stream_next(stream, value, offset, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: stream
      type(c_ptr), value :: value
      type(c_ptr), value :: offset
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_next

    subroutine polycodec_stream_free(stream) bind(c)
      import :: c_ptr
      type(c_ptr), value :: stream
    end subroutine polycodec_stream_free

    function polycodec_stream_writer_open(codec, path, options, call, writer, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: codec
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: options
      type(c_ptr), value :: call
      type(c_ptr), value :: writer
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_writer_open

    function polycodec_stream_writer_append(writer, value, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: writer
      type(c_ptr), value :: value
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_writer_append

    function polycodec_stream_writer_finish(writer, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: writer
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_stream_writer_finish

    subroutine polycodec_stream_writer_free(writer) bind(c)
      import :: c_ptr
      type(c_ptr), value :: writer
    end subroutine polycodec_stream_writer_free

    function polycodec_decode(registry, source, format, call, value, match, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(c_ptr), value :: format
      type(c_ptr), value :: call
      type(c_ptr), value :: value
      type(c_ptr), value :: match
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_decode

    function polycodec_encode_file(registry, value, path, format, call, write, result, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: format
      type(c_ptr), value :: call
      type(c_ptr), value :: write
      type(c_ptr), value :: result
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_encode_file

    function polycodec_convert(registry, source, from, path, to, call, write, result, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(c_ptr), value :: from
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: to
      type(c_ptr), value :: call
      type(c_ptr), value :: write
      type(c_ptr), value :: result
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_convert

    function polycodec_registry_call(registry, name, args, kwargs, call, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: args
      type(c_ptr), value :: kwargs
      type(c_ptr), value :: call
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_call

    function polycodec_store_open(registry, source, store, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(c_ptr), value :: store
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_store_open

    function polycodec_store_from_memory(names, contents, n, store, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: names
      type(c_ptr), value :: contents
      integer(c_int64_t), value :: n
      type(c_ptr), value :: store
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_store_from_memory

    function polycodec_store_edit(registry, path, format, flags, options, writer, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: path
      type(polycodec_bytes), value :: format
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: options
      type(c_ptr), value :: writer
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_store_edit

    function polycodec_collection_open(registry, path, format, call, collection, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: format
      type(c_ptr), value :: call
      type(c_ptr), value :: collection
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_collection_open

    function polycodec_collection_list(collection, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: collection
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_collection_list

    function polycodec_collection_read(collection, name, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: collection
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_collection_read

    function polycodec_collection_put(collection, name, value, flags, kept, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: collection
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: value
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: kept
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_collection_put

    subroutine polycodec_collection_free(collection) bind(c)
      import :: c_ptr
      type(c_ptr), value :: collection
    end subroutine polycodec_collection_free

    function polycodec_value_root(value) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: value
      type(c_ptr) :: returned
    end function polycodec_value_root

    function polycodec_value_is_partial(value) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      integer(c_int32_t) :: returned
    end function polycodec_value_is_partial

    function polycodec_value_retain(value) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: value
      type(c_ptr) :: returned
    end function polycodec_value_retain

    subroutine polycodec_value_release(value) bind(c)
      import :: c_ptr
      type(c_ptr), value :: value
    end subroutine polycodec_value_release

    function polycodec_value_find(value, path, item, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: item
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_find

    function polycodec_value_numbers(value, path, dtype, numbers, capacity, present, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: dtype
      type(c_ptr), value :: numbers
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_numbers

    function polycodec_value_times(value, path, unit, counts, capacity, present, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: unit
      type(c_ptr), value :: counts
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_times

    function polycodec_value_texts(value, path, sink, ends, capacity, present, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: sink
      type(c_ptr), value :: ends
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_texts

    function polycodec_value_part(value, item, first, n, part, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: item
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: n
      type(c_ptr), value :: part
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_part

    function polycodec_value_create(max_memory, value, arena, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      integer(c_int64_t), value :: max_memory
      type(c_ptr), value :: value
      type(c_ptr), value :: arena
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_create

    function polycodec_value_keep(value, other, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: other
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_keep

    function polycodec_node_check(root, limits, regions, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: root
      type(c_ptr), value :: limits
      type(c_ptr), value :: regions
      integer(c_int64_t), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_node_check

    function polycodec_value_finish(value, root, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: root
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_finish

    function polycodec_value_parse(registry, text, type, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: text
      type(polycodec_bytes), value :: type
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_parse

    function polycodec_value_print(value, item, options, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: item
      type(c_ptr), value :: options
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_print

    function polycodec_value_type(value, item, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: item
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_type

    function polycodec_type_describe(registry, notation, flags, description, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: notation
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: description
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_type_describe

    function polycodec_value_compare(a, b, options, differences, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: options
      type(c_ptr), value :: differences
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_compare

    function polycodec_value_address(registry, value, address, digest, bytes, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      integer(c_int32_t), value :: address
      type(c_ptr), value :: digest
      type(c_ptr), value :: bytes
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_address

    function polycodec_value_export(value, item, exchange, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: item
      type(c_ptr), value :: exchange
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_export

    function polycodec_value_import(exchange, limits, value, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: exchange
      type(c_ptr), value :: limits
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_import

    function polycodec_value_to_frames(value, frames, pieces, n, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: frames
      type(c_ptr), value :: pieces
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_to_frames

    subroutine polycodec_frames_free(frames) bind(c)
      import :: c_ptr
      type(c_ptr), value :: frames
    end subroutine polycodec_frames_free

    function polycodec_value_from_frames(pieces, n, flags, owner, release, limits, value, error) bind(c) &
        result(returned)
      import :: c_funptr, c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: pieces
      integer(c_int64_t), value :: n
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: owner
      type(c_funptr), value :: release
      type(c_ptr), value :: limits
      type(c_ptr), value :: value
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_value_from_frames

    function polycodec_schema_parse(registry, json, schema, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: json
      type(c_ptr), value :: schema
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_schema_parse

    function polycodec_schema_infer(value, options, schema, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: value
      type(c_ptr), value :: options
      type(c_ptr), value :: schema
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_schema_infer

    function polycodec_schema_retain(schema) bind(c) result(returned)
      import :: c_ptr
      type(c_ptr), value :: schema
      type(c_ptr) :: returned
    end function polycodec_schema_retain

    subroutine polycodec_schema_release(schema) bind(c)
      import :: c_ptr
      type(c_ptr), value :: schema
    end subroutine polycodec_schema_release

    function polycodec_schema_print(schema, options, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: schema
      type(c_ptr), value :: options
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_schema_print

    function polycodec_schema_validate(schema, value, options, problems, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: schema
      type(c_ptr), value :: value
      type(c_ptr), value :: options
      type(c_ptr), value :: problems
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_schema_validate

    function polycodec_schema_normalize(schema, value, options, normalized, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: schema
      type(c_ptr), value :: value
      type(c_ptr), value :: options
      type(c_ptr), value :: normalized
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_schema_normalize

    function polycodec_units_convert(from, to, numbers, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr, polycodec_bytes
      type(polycodec_bytes), value :: from
      type(polycodec_bytes), value :: to
      type(c_ptr), value :: numbers
      integer(c_int64_t), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_units_convert

    function polycodec_units_canonical(text, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(polycodec_bytes), value :: text
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_units_canonical

    function polycodec_channel_open(registry, options, call, channel, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: options
      type(c_ptr), value :: call
      type(c_ptr), value :: channel
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_channel_open

    subroutine polycodec_channel_free(channel) bind(c)
      import :: c_ptr
      type(c_ptr), value :: channel
    end subroutine polycodec_channel_free

    function polycodec_channel_pack(channel, value, header, message, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: channel
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: header
      type(c_ptr), value :: message
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_channel_pack

    function polycodec_message_part(message, part, pieces, n, error) bind(c) result(returned)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: message
      integer(c_int64_t), value :: part
      type(c_ptr), value :: pieces
      type(c_ptr), value :: n
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_message_part

    subroutine polycodec_message_free(message) bind(c)
      import :: c_ptr
      type(c_ptr), value :: message
    end subroutine polycodec_message_free

    function polycodec_channel_feed(channel, bytes, is_last, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: channel
      type(polycodec_bytes), value :: bytes
      integer(c_int32_t), value :: is_last
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_channel_feed

    function polycodec_channel_next(channel, value, control, header, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: channel
      type(c_ptr), value :: value
      type(c_ptr), value :: control
      type(c_ptr), value :: header
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_channel_next

    function polycodec_channel_unpack(channel, message, value, control, header, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: channel
      type(c_ptr), value :: message
      type(c_ptr), value :: value
      type(c_ptr), value :: control
      type(c_ptr), value :: header
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_channel_unpack

    function polycodec_registry_agree(registry, offer, value, sink, error) bind(c) result(returned)
      import :: c_int32_t, c_ptr, polycodec_bytes
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: offer
      type(c_ptr), value :: value
      type(c_ptr), value :: sink
      type(c_ptr), value :: error
      integer(c_int32_t) :: returned
    end function polycodec_registry_agree

    subroutine copy_bytes(to, from, n) bind(c, name='memcpy')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: to
      type(c_ptr), value :: from
      integer(c_size_t), value :: n
    end subroutine copy_bytes

    function text_length(text) bind(c, name='strlen') result(returned)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: returned
    end function text_length

    function allocate_bytes(n) bind(c, name='malloc') result(returned)
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: n
      type(c_ptr) :: returned
    end function allocate_bytes

    subroutine free_bytes(memory) bind(c, name='free')
      import :: c_ptr
      type(c_ptr), value :: memory
    end subroutine free_bytes

    function read_descriptor(descriptor, memory, n) bind(c, name='read') result(returned)
      import :: c_int, c_ptr, c_size_t
      integer(c_int), value :: descriptor
      type(c_ptr), value :: memory
      integer(c_size_t), value :: n
      integer(c_size_t) :: returned
    end function read_descriptor

    function write_descriptor(descriptor, memory, n) bind(c, name='write') result(returned)
      import :: c_int, c_ptr, c_size_t
      integer(c_int), value :: descriptor
      type(c_ptr), value :: memory
      integer(c_size_t), value :: n
      integer(c_size_t) :: returned
    end function write_descriptor

    function read_clock(clock, time) bind(c, name='clock_gettime') result(returned)
      import :: c_int, c_ptr
      integer(c_int), value :: clock
      type(c_ptr), value :: time
      integer(c_int) :: returned
    end function read_clock

    function open_stream(path, mode) bind(c, name='fopen') result(returned)
      import :: c_ptr
      type(c_ptr), value :: path
      type(c_ptr), value :: mode
      type(c_ptr) :: returned
    end function open_stream

    function close_stream(stream) bind(c, name='fclose') result(returned)
      import :: c_int, c_ptr
      type(c_ptr), value :: stream
      integer(c_int) :: returned
    end function close_stream

    function descriptor_of(stream) bind(c, name='fileno') result(returned)
      import :: c_int, c_ptr
      type(c_ptr), value :: stream
      integer(c_int) :: returned
    end function descriptor_of
  end interface
end module polycodec_sys
