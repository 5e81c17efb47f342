! SPDX-License-Identifier: MIT
! The constants, structs and functions of polycodec/host.h. Pointers in structs are type(c_ptr).
!
! A function that can fail is a subroutine. It does nothing where `error` has a code already, so that calls can follow each
! other and the last one shows whether all was well. Pointers that may be NULL are optional. A handle that it makes takes the
! place of the old one, and ends with its variable; where it fails the old one stays.
!
! scripts/fortran_sys.py makes this file.
module polycodec_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  implicit none
  public
  private :: c_int32_t, c_int64_t

  integer(c_int32_t), parameter :: PC_ABI_MAJOR = 2
  integer(c_int32_t), parameter :: PC_ABI_MINOR = 1
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
  integer(c_int32_t), parameter :: PC_CALL_STREAM = 128
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
    integer(c_int32_t) :: struct_size = 832
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
    type(c_ptr) :: as = c_null_ptr
  end type polycodec_node

  type, bind(c) :: polycodec_column
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: stride = 0
    integer(c_int32_t) :: dtype = 0
    integer(c_int32_t) :: reserved = 0
  end type polycodec_column

  type, bind(c) :: polycodec_array
    integer(c_int32_t) :: struct_size = 160
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
    integer(c_int32_t) :: struct_size = 56
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: cursor = c_null_ptr
    type(c_ptr) :: limit = c_null_ptr
    type(c_ptr) :: private_data = c_null_ptr
    type(c_funptr) :: grow = c_null_funptr
    type(c_funptr) :: resize = c_null_funptr
    type(c_funptr) :: adopt = c_null_funptr
  end type polycodec_arena

  type, bind(c) :: polycodec_limits
    integer(c_int32_t) :: struct_size = 80
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
    integer(c_int32_t) :: struct_size = 32
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
    integer(c_int32_t) :: struct_size = 32
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: lock_seconds = 0
    integer(c_int32_t) :: reserved = 0
    type(polycodec_bytes) :: root
  end type polycodec_write_options

  type, bind(c) :: polycodec_source_options
    integer(c_int32_t) :: struct_size = 104
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
    integer(c_int32_t) :: struct_size = 64
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
    integer(c_int32_t) :: struct_size = 24
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: private_data = c_null_ptr
    type(c_funptr) :: run = c_null_funptr
  end type polycodec_executor

  type, bind(c) :: polycodec_registry_options
    integer(c_int32_t) :: struct_size = 152
    integer(c_int32_t) :: flags = 0
    type(c_ptr) :: layers = c_null_ptr
    type(c_ptr) :: layer_names = c_null_ptr
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
    integer(c_int32_t) :: struct_size = 224
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
    integer(c_int32_t) :: struct_size = 40
    integer(c_int32_t) :: is_last = 0
    integer(c_int64_t) :: work = 0
    integer(c_int64_t) :: input = 0
    integer(c_int64_t) :: input_size = 0
    integer(c_int64_t) :: output = 0
  end type polycodec_progress

  type, bind(c) :: polycodec_call_options
    integer(c_int32_t) :: struct_size = 160
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
    integer(c_int32_t) :: struct_size = 80
    integer(c_int32_t) :: flags = 0
    type(polycodec_bytes) :: codec
    type(polycodec_bytes) :: options
    type(polycodec_bytes) :: filters
    type(polycodec_bytes) :: path
    type(c_ptr) :: value = c_null_ptr
  end type polycodec_format

  type, bind(c) :: polycodec_result
    integer(c_int32_t) :: struct_size = 472
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
    integer(c_int32_t) :: struct_size = 32
    integer(c_int32_t) :: from = 0
    type(c_ptr) :: source = c_null_ptr
    type(c_ptr) :: file = c_null_ptr
    integer(c_int32_t) :: descriptor = 0
    integer(c_int32_t) :: reserved = 0
  end type polycodec_stream_options

  type, bind(c) :: polycodec_text_options
    integer(c_int32_t) :: struct_size = 16
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: indent = 0
    integer(c_int32_t) :: width = 0
  end type polycodec_text_options

  type, bind(c) :: polycodec_compare_options
    integer(c_int32_t) :: struct_size = 32
    integer(c_int32_t) :: flags = 0
    real(c_double) :: absolute = 0
    real(c_double) :: relative = 0
    integer(c_int64_t) :: max_groups = 0
  end type polycodec_compare_options

  type, bind(c) :: polycodec_exchange
    integer(c_int32_t) :: struct_size = 48
    integer(c_int32_t) :: flags = 0
    type(c_ptr) :: schema = c_null_ptr
    type(c_ptr) :: array = c_null_ptr
    type(c_ptr) :: stream = c_null_ptr
    type(c_ptr) :: tensor = c_null_ptr
    type(c_ptr) :: versioned_tensor = c_null_ptr
  end type polycodec_exchange

  type, bind(c) :: polycodec_schema_options
    integer(c_int32_t) :: struct_size = 32
    integer(c_int32_t) :: flags = 0
    integer(c_int32_t) :: indent = 0
    integer(c_int32_t) :: defaults = 0
    integer(c_int32_t) :: rounding = 0
    integer(c_int32_t) :: reserved = 0
    type(c_ptr) :: warnings = c_null_ptr
  end type polycodec_schema_options

  !> A handle, which is released with the variable. Copies share it, if it is counted.
  type :: polycodec_handle
    type(c_ptr) :: raw = c_null_ptr
    procedure(release_handle), pointer, nopass, private :: release => null()
    procedure(retain_handle), pointer, nopass, private :: retain => null()
  contains
    procedure, private :: share
    generic :: assignment(=) => share
    final :: let_go
  end type polycodec_handle

  abstract interface
    subroutine release_handle(handle) bind(c)
      import
      type(c_ptr), value :: handle
    end subroutine release_handle

    function retain_handle(handle) bind(c) result(returned)
      import
      type(c_ptr), value :: handle
      type(c_ptr) :: returned
    end function retain_handle
  end interface

  abstract interface

    function c_grow(self, size, align, memory, error) bind(c) result(returned)
      import
      type(c_ptr), value :: self
      integer(c_int64_t), value :: size
      integer(c_int64_t), value :: align
      type(c_ptr), intent(out), optional :: memory
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_grow

    function c_resize(self, memory, old_size, size, align, error) bind(c) result(returned)
      import
      type(c_ptr), value :: self
      type(c_ptr), intent(out), optional :: memory
      integer(c_int64_t), value :: old_size
      integer(c_int64_t), value :: size
      integer(c_int64_t), value :: align
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_resize

    function c_adopt(self, object, release, extents, n_extents, error) bind(c) result(returned)
      import
      type(c_ptr), value :: self
      type(c_ptr), value :: object
      type(c_funptr), value :: release
      type(polycodec_bytes), intent(in), optional :: extents
      integer(c_int64_t), value :: n_extents
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_adopt
  end interface

  interface

    function polycodec_library_version() bind(c) result(returned)
      import
      type(c_ptr) :: returned
    end function polycodec_library_version

    function polycodec_library_api() bind(c) result(returned)
      import
      integer(c_int32_t) :: returned
    end function polycodec_library_api

    subroutine polycodec_library_trim() bind(c)
      import
    end subroutine polycodec_library_trim

    function polycodec_status_name(status) bind(c) result(returned)
      import
      integer(c_int32_t), value :: status
      type(c_ptr) :: returned
    end function polycodec_status_name

    function c_polycodec_sink_create(flags, max_bytes, sink, error) bind(c, name='polycodec_sink_create') &
        result(returned)
      import
      integer(c_int32_t), value :: flags
      integer(c_int64_t), value :: max_bytes
      type(c_ptr), intent(out), optional :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_sink_create

    function c_polycodec_sink_segments(sink, segments, n, error) bind(c, name='polycodec_sink_segments') &
        result(returned)
      import
      type(c_ptr), value :: sink
      type(c_ptr), intent(out), optional :: segments
      integer(c_int64_t), intent(inout), optional :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_sink_segments

    function c_polycodec_sink_bytes(sink, bytes, error) bind(c, name='polycodec_sink_bytes') result(returned)
      import
      type(c_ptr), value :: sink
      type(polycodec_bytes), intent(inout), optional :: bytes
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_sink_bytes

    function c_polycodec_sink_reset(sink, error) bind(c, name='polycodec_sink_reset') result(returned)
      import
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_sink_reset

    subroutine polycodec_sink_free(sink) bind(c)
      import
      type(c_ptr), value :: sink
    end subroutine polycodec_sink_free

    function c_polycodec_source_open(options, source, error) bind(c, name='polycodec_source_open') result(returned)
      import
      type(polycodec_source_options), intent(in), optional :: options
      type(c_ptr), intent(out), optional :: source
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_source_open

    function c_polycodec_source_bytes(source, bytes, error) bind(c, name='polycodec_source_bytes') result(returned)
      import
      type(c_ptr), value :: source
      type(polycodec_bytes), intent(inout), optional :: bytes
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_source_bytes

    function polycodec_source_retain(source) bind(c) result(returned)
      import
      type(c_ptr), value :: source
      type(c_ptr) :: returned
    end function polycodec_source_retain

    subroutine polycodec_source_release(source) bind(c)
      import
      type(c_ptr), value :: source
    end subroutine polycodec_source_release

    function c_polycodec_file_open(path, flags, file, error) bind(c, name='polycodec_file_open') result(returned)
      import
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: flags
      type(c_ptr), intent(out), optional :: file
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_file_open

    function c_polycodec_registry_open(options, registry, error) bind(c, name='polycodec_registry_open') &
        result(returned)
      import
      type(polycodec_registry_options), intent(in), optional :: options
      type(c_ptr), intent(out), optional :: registry
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_open

    function polycodec_registry_retain(registry) bind(c) result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr) :: returned
    end function polycodec_registry_retain

    subroutine polycodec_registry_release(registry) bind(c)
      import
      type(c_ptr), value :: registry
    end subroutine polycodec_registry_release

    function c_polycodec_registry_limits(registry, given, input, limits, error) bind(c, &
        name='polycodec_registry_limits') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_limits), intent(in), optional :: given
      integer(c_int64_t), value :: input
      type(polycodec_limits), intent(inout), optional :: limits
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_limits

    function c_polycodec_registry_describe(registry, what, name, sink, error) bind(c, &
        name='polycodec_registry_describe') result(returned)
      import
      type(c_ptr), value :: registry
      integer(c_int32_t), value :: what
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_describe

    function c_polycodec_config_check(text, flags, problems, sink, error) bind(c, name='polycodec_config_check') &
        result(returned)
      import
      type(polycodec_bytes), value :: text
      integer(c_int32_t), value :: flags
      integer(c_int64_t), intent(inout), optional :: problems
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_config_check

    function c_polycodec_registry_choose(registry, source, match, candidates, error) bind(c, &
        name='polycodec_registry_choose') result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(polycodec_match), intent(inout), optional :: match
      type(c_ptr), value :: candidates
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_choose

    function c_polycodec_budget_create(registry, value, limits, cancel, budget, error) bind(c, &
        name='polycodec_budget_create') result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      type(polycodec_limits), intent(in), optional :: limits
      integer(c_int8_t), intent(in), optional :: cancel
      type(c_ptr), intent(out), optional :: budget
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_budget_create

    subroutine polycodec_budget_release(budget) bind(c)
      import
      type(c_ptr), value :: budget
    end subroutine polycodec_budget_release

    function c_polycodec_budget_spend(budget, units, bytes, error) bind(c, name='polycodec_budget_spend') &
        result(returned)
      import
      type(c_ptr), value :: budget
      integer(c_int64_t), value :: units
      integer(c_int64_t), value :: bytes
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_budget_spend

    function c_polycodec_budget_walk(budget, body, data, error) bind(c, name='polycodec_budget_walk') result(returned)
      import
      type(c_ptr), value :: budget
      type(c_funptr), value :: body
      type(c_ptr), value :: data
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_budget_walk

    function c_polycodec_registry_open_codec(registry, format, codec, error) bind(c, &
        name='polycodec_registry_open_codec') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_format), intent(in), optional :: format
      type(c_ptr), intent(out), optional :: codec
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_open_codec

    function polycodec_opened_codec_retain(codec) bind(c) result(returned)
      import
      type(c_ptr), value :: codec
      type(c_ptr) :: returned
    end function polycodec_opened_codec_retain

    subroutine polycodec_opened_codec_release(codec) bind(c)
      import
      type(c_ptr), value :: codec
    end subroutine polycodec_opened_codec_release

    function c_polycodec_opened_codec_describe(codec, sink, error) bind(c, name='polycodec_opened_codec_describe') &
        result(returned)
      import
      type(c_ptr), value :: codec
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_opened_codec_describe

    function c_polycodec_opened_codec_decode(codec, source, call, value, error) bind(c, &
        name='polycodec_opened_codec_decode') result(returned)
      import
      type(c_ptr), value :: codec
      type(c_ptr), value :: source
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_opened_codec_decode

    function c_polycodec_opened_codec_decode_into(codec, bytes, call, value, error) bind(c, &
        name='polycodec_opened_codec_decode_into') result(returned)
      import
      type(c_ptr), value :: codec
      type(polycodec_bytes), value :: bytes
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), value :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_opened_codec_decode_into

    function c_polycodec_opened_codec_encode(codec, value, call, sink, writer, result, error) bind(c, &
        name='polycodec_opened_codec_encode') result(returned)
      import
      type(c_ptr), value :: codec
      type(c_ptr), value :: value
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), value :: sink
      type(c_ptr), value :: writer
      type(polycodec_result), intent(inout), optional :: result
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_opened_codec_encode

    function c_polycodec_opened_codec_list(codec, source, call, value, error) bind(c, &
        name='polycodec_opened_codec_list') result(returned)
      import
      type(c_ptr), value :: codec
      type(c_ptr), value :: source
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_opened_codec_list

    function c_polycodec_stream_open(codec, options, call, stream, error) bind(c, name='polycodec_stream_open') &
        result(returned)
      import
      type(c_ptr), value :: codec
      type(polycodec_stream_options), intent(in), optional :: options
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: stream
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_open

    function c_polycodec_stream_feed(stream, bytes, is_last, error) bind(c, name='polycodec_stream_feed') &
        result(returned)
      import
      type(c_ptr), value :: stream
      type(polycodec_bytes), value :: bytes
      integer(c_int32_t), value :: is_last
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_feed

    function c_polycodec_stream_next(stream, value, offset, error) bind(c, name='polycodec_stream_next') &
        result(returned)
      import
      type(c_ptr), value :: stream
      type(c_ptr), intent(out), optional :: value
      integer(c_int64_t), intent(inout), optional :: offset
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_next

    subroutine polycodec_stream_free(stream) bind(c)
      import
      type(c_ptr), value :: stream
    end subroutine polycodec_stream_free

    function c_polycodec_stream_writer_open(codec, path, options, call, writer, error) bind(c, &
        name='polycodec_stream_writer_open') result(returned)
      import
      type(c_ptr), value :: codec
      type(polycodec_bytes), value :: path
      type(polycodec_write_options), intent(in), optional :: options
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: writer
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_writer_open

    function c_polycodec_stream_writer_append(writer, value, sink, error) bind(c, &
        name='polycodec_stream_writer_append') result(returned)
      import
      type(c_ptr), value :: writer
      type(c_ptr), value :: value
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_writer_append

    function c_polycodec_stream_writer_finish(writer, sink, error) bind(c, name='polycodec_stream_writer_finish') &
        result(returned)
      import
      type(c_ptr), value :: writer
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_stream_writer_finish

    subroutine polycodec_stream_writer_free(writer) bind(c)
      import
      type(c_ptr), value :: writer
    end subroutine polycodec_stream_writer_free

    function c_polycodec_decode(registry, source, format, call, value, match, error) bind(c, name='polycodec_decode') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(polycodec_format), intent(in), optional :: format
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: value
      type(polycodec_match), intent(inout), optional :: match
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_decode

    function c_polycodec_encode_file(registry, value, path, format, call, write, result, error) bind(c, &
        name='polycodec_encode_file') result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(polycodec_format), intent(in), optional :: format
      type(polycodec_call_options), intent(in), optional :: call
      type(polycodec_write_options), intent(in), optional :: write
      type(polycodec_result), intent(inout), optional :: result
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_encode_file

    function c_polycodec_convert(registry, source, from, path, to, call, write, result, error) bind(c, &
        name='polycodec_convert') result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(polycodec_format), intent(in), optional :: from
      type(polycodec_bytes), value :: path
      type(polycodec_format), intent(in), optional :: to
      type(polycodec_call_options), intent(in), optional :: call
      type(polycodec_write_options), intent(in), optional :: write
      type(polycodec_result), intent(inout), optional :: result
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_convert

    function c_polycodec_registry_call(registry, name, args, kwargs, call, value, error) bind(c, &
        name='polycodec_registry_call') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: args
      type(c_ptr), value :: kwargs
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_call

    function c_polycodec_store_open(registry, source, store, error) bind(c, name='polycodec_store_open') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: source
      type(c_ptr), intent(out), optional :: store
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_store_open

    function c_polycodec_store_from_memory(names, contents, n, store, error) bind(c, &
        name='polycodec_store_from_memory') result(returned)
      import
      type(polycodec_bytes), intent(in), optional :: names
      type(polycodec_bytes), intent(in), optional :: contents
      integer(c_int64_t), value :: n
      type(c_ptr), intent(out), optional :: store
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_store_from_memory

    function c_polycodec_store_edit(registry, path, format, flags, options, writer, error) bind(c, &
        name='polycodec_store_edit') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: path
      type(polycodec_bytes), value :: format
      integer(c_int32_t), value :: flags
      type(polycodec_write_options), intent(in), optional :: options
      type(c_ptr), intent(out), optional :: writer
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_store_edit

    function c_polycodec_collection_open(registry, path, format, call, collection, error) bind(c, &
        name='polycodec_collection_open') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: path
      type(polycodec_format), intent(in), optional :: format
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: collection
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_collection_open

    function c_polycodec_collection_list(collection, sink, error) bind(c, name='polycodec_collection_list') &
        result(returned)
      import
      type(c_ptr), value :: collection
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_collection_list

    function c_polycodec_collection_read(collection, name, value, error) bind(c, name='polycodec_collection_read') &
        result(returned)
      import
      type(c_ptr), value :: collection
      type(polycodec_bytes), value :: name
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_collection_read

    function c_polycodec_collection_put(collection, name, value, flags, kept, error) bind(c, &
        name='polycodec_collection_put') result(returned)
      import
      type(c_ptr), value :: collection
      type(polycodec_bytes), value :: name
      type(c_ptr), value :: value
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: kept
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_collection_put

    subroutine polycodec_collection_free(collection) bind(c)
      import
      type(c_ptr), value :: collection
    end subroutine polycodec_collection_free

    function polycodec_value_root(value) bind(c) result(returned)
      import
      type(c_ptr), value :: value
      type(c_ptr) :: returned
    end function polycodec_value_root

    function polycodec_value_is_partial(value) bind(c) result(returned)
      import
      type(c_ptr), value :: value
      integer(c_int32_t) :: returned
    end function polycodec_value_is_partial

    function polycodec_value_retain(value) bind(c) result(returned)
      import
      type(c_ptr), value :: value
      type(c_ptr) :: returned
    end function polycodec_value_retain

    subroutine polycodec_value_release(value) bind(c)
      import
      type(c_ptr), value :: value
    end subroutine polycodec_value_release

    function c_polycodec_value_find(value, path, item, error) bind(c, name='polycodec_value_find') result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(polycodec_item), intent(inout), optional :: item
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_find

    function c_polycodec_value_numbers(value, path, dtype, numbers, capacity, present, n, error) bind(c, &
        name='polycodec_value_numbers') result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: dtype
      type(c_ptr), value :: numbers
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      integer(c_int64_t), intent(inout), optional :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_numbers

    function c_polycodec_value_times(value, path, unit, counts, capacity, present, n, error) bind(c, &
        name='polycodec_value_times') result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      integer(c_int32_t), value :: unit
      type(c_ptr), value :: counts
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      integer(c_int64_t), intent(inout), optional :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_times

    function c_polycodec_value_texts(value, path, sink, ends, capacity, present, n, error) bind(c, &
        name='polycodec_value_texts') result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: path
      type(c_ptr), value :: sink
      type(c_ptr), value :: ends
      integer(c_int64_t), value :: capacity
      type(c_ptr), value :: present
      integer(c_int64_t), intent(inout), optional :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_texts

    function c_polycodec_value_part(value, item, first, n, part, error) bind(c, name='polycodec_value_part') &
        result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_item), intent(in), optional :: item
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: n
      type(c_ptr), intent(out), optional :: part
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_part

    function c_polycodec_value_create(max_memory, value, arena, error) bind(c, name='polycodec_value_create') &
        result(returned)
      import
      integer(c_int64_t), value :: max_memory
      type(c_ptr), intent(out), optional :: value
      type(c_ptr), intent(out), optional :: arena
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_create

    function c_polycodec_value_keep(value, other, error) bind(c, name='polycodec_value_keep') result(returned)
      import
      type(c_ptr), value :: value
      type(c_ptr), value :: other
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_keep

    function c_polycodec_node_check(root, limits, regions, n, error) bind(c, name='polycodec_node_check') &
        result(returned)
      import
      type(c_ptr), value :: root
      type(polycodec_limits), intent(in), optional :: limits
      type(polycodec_bytes), intent(in), optional :: regions
      integer(c_int64_t), value :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_node_check

    function c_polycodec_value_finish(value, root, error) bind(c, name='polycodec_value_finish') result(returned)
      import
      type(c_ptr), value :: value
      type(c_ptr), value :: root
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_finish

    function c_polycodec_value_parse(registry, text, type, value, error) bind(c, name='polycodec_value_parse') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: text
      type(polycodec_bytes), value :: type
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_parse

    function c_polycodec_value_print(value, item, options, sink, error) bind(c, name='polycodec_value_print') &
        result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_item), intent(in), optional :: item
      type(polycodec_text_options), intent(in), optional :: options
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_print

    function c_polycodec_value_type(value, item, sink, error) bind(c, name='polycodec_value_type') result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_item), intent(in), optional :: item
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_type

    function c_polycodec_type_describe(registry, notation, flags, description, error) bind(c, &
        name='polycodec_type_describe') result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: notation
      integer(c_int32_t), value :: flags
      type(c_ptr), intent(out), optional :: description
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_type_describe

    function c_polycodec_value_compare(a, b, options, differences, sink, error) bind(c, &
        name='polycodec_value_compare') result(returned)
      import
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(polycodec_compare_options), intent(in), optional :: options
      integer(c_int64_t), intent(inout), optional :: differences
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_compare

    function c_polycodec_value_address(registry, value, address, digest, bytes, error) bind(c, &
        name='polycodec_value_address') result(returned)
      import
      type(c_ptr), value :: registry
      type(c_ptr), value :: value
      integer(c_int32_t), value :: address
      type(c_ptr), value :: digest
      integer(c_int64_t), intent(inout), optional :: bytes
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_address

    function c_polycodec_value_export(value, item, exchange, error) bind(c, name='polycodec_value_export') &
        result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_item), intent(in), optional :: item
      type(polycodec_exchange), intent(in), optional :: exchange
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_export

    function c_polycodec_value_import(exchange, limits, value, error) bind(c, name='polycodec_value_import') &
        result(returned)
      import
      type(polycodec_exchange), intent(in), optional :: exchange
      type(polycodec_limits), intent(in), optional :: limits
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_import

    function c_polycodec_value_to_frames(value, frames, error) bind(c, name='polycodec_value_to_frames') &
        result(returned)
      import
      type(c_ptr), value :: value
      type(c_ptr), intent(out), optional :: frames
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_to_frames

    function c_polycodec_value_from_frames(pieces, n, flags, owner, release, limits, value, error) bind(c, &
        name='polycodec_value_from_frames') result(returned)
      import
      type(polycodec_bytes), intent(in), optional :: pieces
      integer(c_int64_t), value :: n
      integer(c_int32_t), value :: flags
      type(c_ptr), value :: owner
      type(c_funptr), value :: release
      type(polycodec_limits), intent(in), optional :: limits
      type(c_ptr), intent(out), optional :: value
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_value_from_frames

    function c_polycodec_schema_parse(registry, json, schema, error) bind(c, name='polycodec_schema_parse') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: json
      type(c_ptr), intent(out), optional :: schema
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_schema_parse

    function c_polycodec_schema_infer(value, options, schema, error) bind(c, name='polycodec_schema_infer') &
        result(returned)
      import
      type(c_ptr), value :: value
      type(polycodec_schema_options), intent(in), optional :: options
      type(c_ptr), intent(out), optional :: schema
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_schema_infer

    function polycodec_schema_retain(schema) bind(c) result(returned)
      import
      type(c_ptr), value :: schema
      type(c_ptr) :: returned
    end function polycodec_schema_retain

    subroutine polycodec_schema_release(schema) bind(c)
      import
      type(c_ptr), value :: schema
    end subroutine polycodec_schema_release

    function c_polycodec_schema_print(schema, options, sink, error) bind(c, name='polycodec_schema_print') &
        result(returned)
      import
      type(c_ptr), value :: schema
      type(polycodec_schema_options), intent(in), optional :: options
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_schema_print

    function c_polycodec_schema_validate(schema, value, options, problems, sink, error) bind(c, &
        name='polycodec_schema_validate') result(returned)
      import
      type(c_ptr), value :: schema
      type(c_ptr), value :: value
      type(polycodec_schema_options), intent(in), optional :: options
      integer(c_int64_t), intent(inout), optional :: problems
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_schema_validate

    function c_polycodec_schema_normalize(schema, value, options, normalized, error) bind(c, &
        name='polycodec_schema_normalize') result(returned)
      import
      type(c_ptr), value :: schema
      type(c_ptr), value :: value
      type(polycodec_schema_options), intent(in), optional :: options
      type(c_ptr), intent(out), optional :: normalized
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_schema_normalize

    function c_polycodec_units_convert(from, to, numbers, n, error) bind(c, name='polycodec_units_convert') &
        result(returned)
      import
      type(polycodec_bytes), value :: from
      type(polycodec_bytes), value :: to
      type(c_ptr), value :: numbers
      integer(c_int64_t), value :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_units_convert

    function c_polycodec_units_canonical(text, sink, error) bind(c, name='polycodec_units_canonical') result(returned)
      import
      type(polycodec_bytes), value :: text
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_units_canonical

    function c_polycodec_channel_open(registry, options, call, channel, error) bind(c, name='polycodec_channel_open') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: options
      type(polycodec_call_options), intent(in), optional :: call
      type(c_ptr), intent(out), optional :: channel
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_channel_open

    subroutine polycodec_channel_free(channel) bind(c)
      import
      type(c_ptr), value :: channel
    end subroutine polycodec_channel_free

    function c_polycodec_channel_pack(channel, value, header, message, error) bind(c, name='polycodec_channel_pack') &
        result(returned)
      import
      type(c_ptr), value :: channel
      type(c_ptr), value :: value
      type(polycodec_bytes), value :: header
      type(c_ptr), intent(out), optional :: message
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_channel_pack

    function c_polycodec_message_part(message, part, pieces, n, error) bind(c, name='polycodec_message_part') &
        result(returned)
      import
      type(c_ptr), value :: message
      integer(c_int64_t), value :: part
      type(c_ptr), intent(out), optional :: pieces
      integer(c_int64_t), intent(inout), optional :: n
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_message_part

    subroutine polycodec_message_free(message) bind(c)
      import
      type(c_ptr), value :: message
    end subroutine polycodec_message_free

    function c_polycodec_channel_feed(channel, bytes, is_last, error) bind(c, name='polycodec_channel_feed') &
        result(returned)
      import
      type(c_ptr), value :: channel
      type(polycodec_bytes), value :: bytes
      integer(c_int32_t), value :: is_last
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_channel_feed

    function c_polycodec_channel_next(channel, value, control, header, error) bind(c, name='polycodec_channel_next') &
        result(returned)
      import
      type(c_ptr), value :: channel
      type(c_ptr), intent(out), optional :: value
      integer(c_int32_t), intent(inout), optional :: control
      type(c_ptr), value :: header
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_channel_next

    function c_polycodec_channel_unpack(channel, message, value, control, header, error) bind(c, &
        name='polycodec_channel_unpack') result(returned)
      import
      type(c_ptr), value :: channel
      type(c_ptr), value :: message
      type(c_ptr), intent(out), optional :: value
      integer(c_int32_t), intent(inout), optional :: control
      type(c_ptr), value :: header
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_channel_unpack

    function c_polycodec_registry_agree(registry, offer, value, sink, error) bind(c, name='polycodec_registry_agree') &
        result(returned)
      import
      type(c_ptr), value :: registry
      type(polycodec_bytes), value :: offer
      type(c_ptr), value :: value
      type(c_ptr), value :: sink
      type(polycodec_error), intent(inout) :: error
      integer(c_int32_t) :: returned
    end function c_polycodec_registry_agree

    subroutine copy_bytes(to, from, n) bind(c, name='memcpy')
      import
      type(c_ptr), value :: to
      type(c_ptr), value :: from
      integer(c_size_t), value :: n
    end subroutine copy_bytes

    function text_length(text) bind(c, name='strlen') result(returned)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: returned
    end function text_length

    function read_descriptor(descriptor, memory, n) bind(c, name='read') result(returned)
      import
      integer(c_int), value :: descriptor
      type(c_ptr), value :: memory
      integer(c_size_t), value :: n
      integer(c_size_t) :: returned
    end function read_descriptor

    function write_descriptor(descriptor, memory, n) bind(c, name='write') result(returned)
      import
      integer(c_int), value :: descriptor
      type(c_ptr), value :: memory
      integer(c_size_t), value :: n
      integer(c_size_t) :: returned
    end function write_descriptor

    function read_clock(clock, time) bind(c, name='clock_gettime') result(returned)
      import
      integer(c_int), value :: clock
      type(c_ptr), value :: time
      integer(c_int) :: returned
    end function read_clock

    function open_to_read(path, flags) bind(c, name='open') result(returned)
      import
      type(c_ptr), value :: path
      integer(c_int), value :: flags
      integer(c_int) :: returned
    end function open_to_read

    function open_to_write(path, mode) bind(c, name='creat') result(returned)
      import
      type(c_ptr), value :: path
      integer(c_int), value :: mode
      integer(c_int) :: returned
    end function open_to_write

    function close_descriptor(descriptor) bind(c, name='close') result(returned)
      import
      integer(c_int), value :: descriptor
      integer(c_int) :: returned
    end function close_descriptor
  end interface

contains

  impure elemental subroutine share(to, from)
    class(polycodec_handle), intent(inout) :: to
    type(polycodec_handle), intent(in) :: from
    type(c_ptr) :: raw
    raw = c_null_ptr
    if (c_associated(from%raw) .and. associated(from%retain)) raw = from%retain(from%raw)
    call let_go(to)
    to%raw = raw
    to%release => from%release
    to%retain => from%retain
  end subroutine share

  impure elemental subroutine let_go(handle)
    type(polycodec_handle), intent(inout) :: handle
    if (c_associated(handle%raw)) call handle%release(handle%raw)
    handle%raw = c_null_ptr
  end subroutine let_go

  !> Puts a new handle in the place of another one.
  subroutine hold(handle, raw, release, retain)
    type(polycodec_handle), intent(inout) :: handle
    type(c_ptr), intent(in) :: raw
    procedure(release_handle) :: release
    procedure(retain_handle), optional :: retain
    if (.not. c_associated(raw)) return
    call let_go(handle)
    handle%raw = raw
    handle%release => release
    handle%retain => null()
    if (present(retain)) handle%retain => retain
  end subroutine hold

  function raw_of(handle) result(raw)
    type(polycodec_handle), intent(in), optional :: handle
    type(c_ptr) :: raw
    raw = c_null_ptr
    if (present(handle)) raw = handle%raw
  end function raw_of

  subroutine polycodec_arena_grow(self, size, align, memory, error)
    type(c_ptr), intent(in) :: self
    integer(c_int64_t), intent(in) :: size
    integer(c_int64_t), intent(in) :: align
    type(c_ptr), intent(out), optional :: memory
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(polycodec_arena), pointer :: arena
    procedure(c_grow), pointer :: found
    if (present(memory)) memory = c_null_ptr
    if (error%code /= PC_OK) return
    call c_f_pointer(self, arena)
    call c_f_procpointer(arena%grow, found)
    if (error%code == PC_OK) code = found(self, size, align, memory, error)
  end subroutine polycodec_arena_grow

  subroutine polycodec_arena_resize(self, memory, old_size, size, align, error)
    type(c_ptr), intent(in) :: self
    type(c_ptr), intent(out), optional :: memory
    integer(c_int64_t), intent(in) :: old_size
    integer(c_int64_t), intent(in) :: size
    integer(c_int64_t), intent(in) :: align
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(polycodec_arena), pointer :: arena
    procedure(c_resize), pointer :: found
    if (present(memory)) memory = c_null_ptr
    if (error%code /= PC_OK) return
    call c_f_pointer(self, arena)
    call c_f_procpointer(arena%resize, found)
    if (error%code == PC_OK) code = found(self, memory, old_size, size, align, error)
  end subroutine polycodec_arena_resize

  subroutine polycodec_arena_adopt(self, object, release, extents, n_extents, error)
    type(c_ptr), intent(in) :: self
    type(c_ptr), intent(in) :: object
    type(c_funptr), intent(in) :: release
    type(polycodec_bytes), intent(in), optional :: extents
    integer(c_int64_t), intent(in) :: n_extents
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(polycodec_arena), pointer :: arena
    procedure(c_adopt), pointer :: found
    if (error%code /= PC_OK) return
    call c_f_pointer(self, arena)
    call c_f_procpointer(arena%adopt, found)
    if (error%code == PC_OK) code = found(self, object, release, extents, n_extents, error)
  end subroutine polycodec_arena_adopt

  subroutine polycodec_sink_create(flags, max_bytes, sink, error)
    integer(c_int32_t), intent(in) :: flags
    integer(c_int64_t), intent(in) :: max_bytes
    type(polycodec_handle), intent(inout) :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_sink
    raw_sink = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_sink_create(flags, max_bytes, raw_sink, error)
    call hold(sink, raw_sink, polycodec_sink_free)
  end subroutine polycodec_sink_create

  subroutine polycodec_sink_segments(sink, segments, n, error)
    type(polycodec_handle), intent(in), optional :: sink
    type(c_ptr), intent(out), optional :: segments
    integer(c_int64_t), intent(inout), optional :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(segments)) segments = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_sink_segments(raw_of(sink), segments, n, error)
  end subroutine polycodec_sink_segments

  subroutine polycodec_sink_bytes(sink, bytes, error)
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_bytes), intent(inout), optional :: bytes
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_sink_bytes(raw_of(sink), bytes, error)
  end subroutine polycodec_sink_bytes

  subroutine polycodec_sink_reset(sink, error)
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_sink_reset(raw_of(sink), error)
  end subroutine polycodec_sink_reset

  subroutine polycodec_source_open(options, source, error)
    type(polycodec_source_options), intent(in), optional :: options
    type(polycodec_handle), intent(inout) :: source
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_source
    raw_source = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_source_open(options, raw_source, error)
    call hold(source, raw_source, polycodec_source_release, polycodec_source_retain)
  end subroutine polycodec_source_open

  subroutine polycodec_source_bytes(source, bytes, error)
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_bytes), intent(inout), optional :: bytes
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_source_bytes(raw_of(source), bytes, error)
  end subroutine polycodec_source_bytes

  subroutine polycodec_file_open(path, flags, file, error)
    type(polycodec_bytes), intent(in) :: path
    integer(c_int32_t), intent(in) :: flags
    type(c_ptr), intent(out), optional :: file
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(file)) file = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_file_open(path, flags, file, error)
  end subroutine polycodec_file_open

  subroutine polycodec_registry_open(options, registry, error)
    type(polycodec_registry_options), intent(in), optional :: options
    type(polycodec_handle), intent(inout) :: registry
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_registry
    raw_registry = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_registry_open(options, raw_registry, error)
    call hold(registry, raw_registry, polycodec_registry_release, polycodec_registry_retain)
  end subroutine polycodec_registry_open

  subroutine polycodec_registry_limits(registry, given, input, limits, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_limits), intent(in), optional :: given
    integer(c_int64_t), intent(in) :: input
    type(polycodec_limits), intent(inout), optional :: limits
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_registry_limits(raw_of(registry), given, input, limits, error)
  end subroutine polycodec_registry_limits

  subroutine polycodec_registry_describe(registry, what, name, sink, error)
    type(polycodec_handle), intent(in), optional :: registry
    integer(c_int32_t), intent(in) :: what
    type(polycodec_bytes), intent(in) :: name
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_registry_describe(raw_of(registry), what, name, raw_of(sink), error)
  end subroutine polycodec_registry_describe

  subroutine polycodec_config_check(text, flags, problems, sink, error)
    type(polycodec_bytes), intent(in) :: text
    integer(c_int32_t), intent(in) :: flags
    integer(c_int64_t), intent(inout), optional :: problems
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_config_check(text, flags, problems, raw_of(sink), error)
  end subroutine polycodec_config_check

  subroutine polycodec_registry_choose(registry, source, match, candidates, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_match), intent(inout), optional :: match
    type(polycodec_handle), intent(in), optional :: candidates
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_registry_choose(raw_of(registry), raw_of(source), match, &
        raw_of(candidates), error)
  end subroutine polycodec_registry_choose

  subroutine polycodec_budget_create(registry, value, limits, cancel, budget, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_limits), intent(in), optional :: limits
    integer(c_int8_t), intent(in), optional :: cancel
    type(polycodec_handle), intent(inout) :: budget
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_budget
    raw_budget = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_budget_create(raw_of(registry), raw_of(value), limits, cancel, &
        raw_budget, error)
    call hold(budget, raw_budget, polycodec_budget_release)
  end subroutine polycodec_budget_create

  subroutine polycodec_budget_spend(budget, units, bytes, error)
    type(polycodec_handle), intent(in), optional :: budget
    integer(c_int64_t), intent(in) :: units
    integer(c_int64_t), intent(in) :: bytes
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_budget_spend(raw_of(budget), units, bytes, error)
  end subroutine polycodec_budget_spend

  subroutine polycodec_budget_walk(budget, body, data, error)
    type(polycodec_handle), intent(in), optional :: budget
    type(c_funptr), intent(in) :: body
    type(c_ptr), intent(in) :: data
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_budget_walk(raw_of(budget), body, data, error)
  end subroutine polycodec_budget_walk

  subroutine polycodec_registry_open_codec(registry, format, codec, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_format), intent(in), optional :: format
    type(polycodec_handle), intent(inout) :: codec
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_codec
    raw_codec = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_registry_open_codec(raw_of(registry), format, raw_codec, error)
    call hold(codec, raw_codec, polycodec_opened_codec_release, polycodec_opened_codec_retain)
  end subroutine polycodec_registry_open_codec

  subroutine polycodec_opened_codec_describe(codec, sink, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_opened_codec_describe(raw_of(codec), raw_of(sink), error)
  end subroutine polycodec_opened_codec_describe

  subroutine polycodec_opened_codec_decode(codec, source, call, value, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_opened_codec_decode(raw_of(codec), raw_of(source), call, raw_value, &
        error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_opened_codec_decode

  subroutine polycodec_opened_codec_decode_into(codec, bytes, call, value, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_bytes), intent(in) :: bytes
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_opened_codec_decode_into(raw_of(codec), bytes, call, raw_of(value), &
        error)
  end subroutine polycodec_opened_codec_decode_into

  subroutine polycodec_opened_codec_encode(codec, value, call, sink, writer, result, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(in), optional :: sink
    type(c_ptr), intent(in) :: writer
    type(polycodec_result), intent(inout), optional :: result
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_opened_codec_encode(raw_of(codec), raw_of(value), call, raw_of(sink), &
        writer, result, error)
  end subroutine polycodec_opened_codec_encode

  subroutine polycodec_opened_codec_list(codec, source, call, value, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_opened_codec_list(raw_of(codec), raw_of(source), call, raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_opened_codec_list

  subroutine polycodec_stream_open(codec, options, call, stream, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_stream_options), intent(in), optional :: options
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: stream
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_stream
    raw_stream = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_stream_open(raw_of(codec), options, call, raw_stream, error)
    call hold(stream, raw_stream, polycodec_stream_free)
  end subroutine polycodec_stream_open

  subroutine polycodec_stream_feed(stream, bytes, is_last, error)
    type(polycodec_handle), intent(in), optional :: stream
    type(polycodec_bytes), intent(in) :: bytes
    integer(c_int32_t), intent(in) :: is_last
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_stream_feed(raw_of(stream), bytes, is_last, error)
  end subroutine polycodec_stream_feed

  subroutine polycodec_stream_next(stream, value, offset, error)
    type(polycodec_handle), intent(in), optional :: stream
    type(polycodec_handle), intent(inout) :: value
    integer(c_int64_t), intent(inout), optional :: offset
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_stream_next(raw_of(stream), raw_value, offset, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_stream_next

  subroutine polycodec_stream_writer_open(codec, path, options, call, writer, error)
    type(polycodec_handle), intent(in), optional :: codec
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_write_options), intent(in), optional :: options
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: writer
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_writer
    raw_writer = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_stream_writer_open(raw_of(codec), path, options, call, raw_writer, &
        error)
    call hold(writer, raw_writer, polycodec_stream_writer_free)
  end subroutine polycodec_stream_writer_open

  subroutine polycodec_stream_writer_append(writer, value, sink, error)
    type(polycodec_handle), intent(in), optional :: writer
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_stream_writer_append(raw_of(writer), raw_of(value), raw_of(sink), error)
  end subroutine polycodec_stream_writer_append

  subroutine polycodec_stream_writer_finish(writer, sink, error)
    type(polycodec_handle), intent(in), optional :: writer
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_stream_writer_finish(raw_of(writer), raw_of(sink), error)
  end subroutine polycodec_stream_writer_finish

  subroutine polycodec_decode(registry, source, format, call, value, match, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_format), intent(in), optional :: format
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_match), intent(inout), optional :: match
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_decode(raw_of(registry), raw_of(source), format, call, raw_value, &
        match, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_decode

  subroutine polycodec_encode_file(registry, value, path, format, call, write, result, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_format), intent(in), optional :: format
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_write_options), intent(in), optional :: write
    type(polycodec_result), intent(inout), optional :: result
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_encode_file(raw_of(registry), raw_of(value), path, format, call, &
        write, result, error)
  end subroutine polycodec_encode_file

  subroutine polycodec_convert(registry, source, from, path, to, call, write, result, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: source
    type(polycodec_format), intent(in), optional :: from
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_format), intent(in), optional :: to
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_write_options), intent(in), optional :: write
    type(polycodec_result), intent(inout), optional :: result
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_convert(raw_of(registry), raw_of(source), from, path, to, call, &
        write, result, error)
  end subroutine polycodec_convert

  subroutine polycodec_registry_call(registry, name, args, kwargs, call, value, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: name
    type(polycodec_handle), intent(in), optional :: args
    type(polycodec_handle), intent(in), optional :: kwargs
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_registry_call(raw_of(registry), name, raw_of(args), raw_of(kwargs), &
        call, raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_registry_call

  subroutine polycodec_store_open(registry, source, store, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: source
    type(c_ptr), intent(out), optional :: store
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(store)) store = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_store_open(raw_of(registry), raw_of(source), store, error)
  end subroutine polycodec_store_open

  subroutine polycodec_store_from_memory(names, contents, n, store, error)
    type(polycodec_bytes), intent(in), optional :: names
    type(polycodec_bytes), intent(in), optional :: contents
    integer(c_int64_t), intent(in) :: n
    type(c_ptr), intent(out), optional :: store
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(store)) store = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_store_from_memory(names, contents, n, store, error)
  end subroutine polycodec_store_from_memory

  subroutine polycodec_store_edit(registry, path, format, flags, options, writer, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_bytes), intent(in) :: format
    integer(c_int32_t), intent(in) :: flags
    type(polycodec_write_options), intent(in), optional :: options
    type(c_ptr), intent(out), optional :: writer
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(writer)) writer = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_store_edit(raw_of(registry), path, format, flags, options, writer, &
        error)
  end subroutine polycodec_store_edit

  subroutine polycodec_collection_open(registry, path, format, call, collection, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_format), intent(in), optional :: format
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: collection
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_collection
    raw_collection = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_collection_open(raw_of(registry), path, format, call, raw_collection, &
        error)
    call hold(collection, raw_collection, polycodec_collection_free)
  end subroutine polycodec_collection_open

  subroutine polycodec_collection_list(collection, sink, error)
    type(polycodec_handle), intent(in), optional :: collection
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_collection_list(raw_of(collection), raw_of(sink), error)
  end subroutine polycodec_collection_list

  subroutine polycodec_collection_read(collection, name, value, error)
    type(polycodec_handle), intent(in), optional :: collection
    type(polycodec_bytes), intent(in) :: name
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_collection_read(raw_of(collection), name, raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_collection_read

  subroutine polycodec_collection_put(collection, name, value, flags, kept, error)
    type(polycodec_handle), intent(in), optional :: collection
    type(polycodec_bytes), intent(in) :: name
    type(polycodec_handle), intent(in), optional :: value
    integer(c_int32_t), intent(in) :: flags
    type(polycodec_handle), intent(in), optional :: kept
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_collection_put(raw_of(collection), name, raw_of(value), flags, &
        raw_of(kept), error)
  end subroutine polycodec_collection_put

  subroutine polycodec_value_find(value, path, item, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_item), intent(inout), optional :: item
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_find(raw_of(value), path, item, error)
  end subroutine polycodec_value_find

  subroutine polycodec_value_numbers(value, path, dtype, numbers, capacity, present, n, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: path
    integer(c_int32_t), intent(in) :: dtype
    type(c_ptr), intent(in) :: numbers
    integer(c_int64_t), intent(in) :: capacity
    type(c_ptr), intent(in) :: present
    integer(c_int64_t), intent(inout), optional :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_numbers(raw_of(value), path, dtype, numbers, capacity, present, &
        n, error)
  end subroutine polycodec_value_numbers

  subroutine polycodec_value_times(value, path, unit, counts, capacity, present, n, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: path
    integer(c_int32_t), intent(in) :: unit
    type(c_ptr), intent(in) :: counts
    integer(c_int64_t), intent(in) :: capacity
    type(c_ptr), intent(in) :: present
    integer(c_int64_t), intent(inout), optional :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_times(raw_of(value), path, unit, counts, capacity, present, n, &
        error)
  end subroutine polycodec_value_times

  subroutine polycodec_value_texts(value, path, sink, ends, capacity, present, n, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: path
    type(polycodec_handle), intent(in), optional :: sink
    type(c_ptr), intent(in) :: ends
    integer(c_int64_t), intent(in) :: capacity
    type(c_ptr), intent(in) :: present
    integer(c_int64_t), intent(inout), optional :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_texts(raw_of(value), path, raw_of(sink), ends, capacity, &
        present, n, error)
  end subroutine polycodec_value_texts

  subroutine polycodec_value_part(value, item, first, n, part, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_item), intent(in), optional :: item
    integer(c_int64_t), intent(in) :: first
    integer(c_int64_t), intent(in) :: n
    type(polycodec_handle), intent(inout) :: part
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_part
    raw_part = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_part(raw_of(value), item, first, n, raw_part, error)
    call hold(part, raw_part, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_value_part

  subroutine polycodec_value_create(max_memory, value, arena, error)
    integer(c_int64_t), intent(in) :: max_memory
    type(polycodec_handle), intent(inout) :: value
    type(c_ptr), intent(out), optional :: arena
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (present(arena)) arena = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_create(max_memory, raw_value, arena, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_value_create

  subroutine polycodec_value_keep(value, other, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_handle), intent(in), optional :: other
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_keep(raw_of(value), raw_of(other), error)
  end subroutine polycodec_value_keep

  subroutine polycodec_node_check(root, limits, regions, n, error)
    type(c_ptr), intent(in) :: root
    type(polycodec_limits), intent(in), optional :: limits
    type(polycodec_bytes), intent(in), optional :: regions
    integer(c_int64_t), intent(in) :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_node_check(root, limits, regions, n, error)
  end subroutine polycodec_node_check

  subroutine polycodec_value_finish(value, root, error)
    type(polycodec_handle), intent(in), optional :: value
    type(c_ptr), intent(in) :: root
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_finish(raw_of(value), root, error)
  end subroutine polycodec_value_finish

  subroutine polycodec_value_parse(registry, text, type, value, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: text
    type(polycodec_bytes), intent(in) :: type
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_parse(raw_of(registry), text, type, raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_value_parse

  subroutine polycodec_value_print(value, item, options, sink, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_item), intent(in), optional :: item
    type(polycodec_text_options), intent(in), optional :: options
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_print(raw_of(value), item, options, raw_of(sink), error)
  end subroutine polycodec_value_print

  subroutine polycodec_value_type(value, item, sink, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_item), intent(in), optional :: item
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_type(raw_of(value), item, raw_of(sink), error)
  end subroutine polycodec_value_type

  subroutine polycodec_type_describe(registry, notation, flags, description, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: notation
    integer(c_int32_t), intent(in) :: flags
    type(polycodec_handle), intent(inout) :: description
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_description
    raw_description = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_type_describe(raw_of(registry), notation, flags, raw_description, error)
    call hold(description, raw_description, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_type_describe

  subroutine polycodec_value_compare(a, b, options, differences, sink, error)
    type(polycodec_handle), intent(in), optional :: a
    type(polycodec_handle), intent(in), optional :: b
    type(polycodec_compare_options), intent(in), optional :: options
    integer(c_int64_t), intent(inout), optional :: differences
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_compare(raw_of(a), raw_of(b), options, differences, &
        raw_of(sink), error)
  end subroutine polycodec_value_compare

  subroutine polycodec_value_address(registry, value, address, digest, bytes, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_handle), intent(in), optional :: value
    integer(c_int32_t), intent(in) :: address
    type(c_ptr), intent(in) :: digest
    integer(c_int64_t), intent(inout), optional :: bytes
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_address(raw_of(registry), raw_of(value), address, digest, &
        bytes, error)
  end subroutine polycodec_value_address

  subroutine polycodec_value_export(value, item, exchange, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_item), intent(in), optional :: item
    type(polycodec_exchange), intent(in), optional :: exchange
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_value_export(raw_of(value), item, exchange, error)
  end subroutine polycodec_value_export

  subroutine polycodec_value_import(exchange, limits, value, error)
    type(polycodec_exchange), intent(in), optional :: exchange
    type(polycodec_limits), intent(in), optional :: limits
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_import(exchange, limits, raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_value_import

  subroutine polycodec_value_to_frames(value, frames, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_handle), intent(inout) :: frames
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_frames
    raw_frames = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_to_frames(raw_of(value), raw_frames, error)
    call hold(frames, raw_frames, polycodec_message_free)
  end subroutine polycodec_value_to_frames

  subroutine polycodec_value_from_frames(pieces, n, flags, owner, release, limits, value, error)
    type(polycodec_bytes), intent(in), optional :: pieces
    integer(c_int64_t), intent(in) :: n
    integer(c_int32_t), intent(in) :: flags
    type(c_ptr), intent(in) :: owner
    type(c_funptr), intent(in) :: release
    type(polycodec_limits), intent(in), optional :: limits
    type(polycodec_handle), intent(inout) :: value
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_value_from_frames(pieces, n, flags, owner, release, limits, &
        raw_value, error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_value_from_frames

  subroutine polycodec_schema_parse(registry, json, schema, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: json
    type(polycodec_handle), intent(inout) :: schema
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_schema
    raw_schema = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_schema_parse(raw_of(registry), json, raw_schema, error)
    call hold(schema, raw_schema, polycodec_schema_release, polycodec_schema_retain)
  end subroutine polycodec_schema_parse

  subroutine polycodec_schema_infer(value, options, schema, error)
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_schema_options), intent(in), optional :: options
    type(polycodec_handle), intent(inout) :: schema
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_schema
    raw_schema = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_schema_infer(raw_of(value), options, raw_schema, error)
    call hold(schema, raw_schema, polycodec_schema_release, polycodec_schema_retain)
  end subroutine polycodec_schema_infer

  subroutine polycodec_schema_print(schema, options, sink, error)
    type(polycodec_handle), intent(in), optional :: schema
    type(polycodec_schema_options), intent(in), optional :: options
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_schema_print(raw_of(schema), options, raw_of(sink), error)
  end subroutine polycodec_schema_print

  subroutine polycodec_schema_validate(schema, value, options, problems, sink, error)
    type(polycodec_handle), intent(in), optional :: schema
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_schema_options), intent(in), optional :: options
    integer(c_int64_t), intent(inout), optional :: problems
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_schema_validate(raw_of(schema), raw_of(value), options, problems, &
        raw_of(sink), error)
  end subroutine polycodec_schema_validate

  subroutine polycodec_schema_normalize(schema, value, options, normalized, error)
    type(polycodec_handle), intent(in), optional :: schema
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_schema_options), intent(in), optional :: options
    type(polycodec_handle), intent(inout) :: normalized
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_normalized
    raw_normalized = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_schema_normalize(raw_of(schema), raw_of(value), options, &
        raw_normalized, error)
    call hold(normalized, raw_normalized, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_schema_normalize

  subroutine polycodec_units_convert(from, to, numbers, n, error)
    type(polycodec_bytes), intent(in) :: from
    type(polycodec_bytes), intent(in) :: to
    type(c_ptr), intent(in) :: numbers
    integer(c_int64_t), intent(in) :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_units_convert(from, to, numbers, n, error)
  end subroutine polycodec_units_convert

  subroutine polycodec_units_canonical(text, sink, error)
    type(polycodec_bytes), intent(in) :: text
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_units_canonical(text, raw_of(sink), error)
  end subroutine polycodec_units_canonical

  subroutine polycodec_channel_open(registry, options, call, channel, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: options
    type(polycodec_call_options), intent(in), optional :: call
    type(polycodec_handle), intent(inout) :: channel
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_channel
    raw_channel = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_channel_open(raw_of(registry), options, call, raw_channel, error)
    call hold(channel, raw_channel, polycodec_channel_free)
  end subroutine polycodec_channel_open

  subroutine polycodec_channel_pack(channel, value, header, message, error)
    type(polycodec_handle), intent(in), optional :: channel
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_bytes), intent(in) :: header
    type(polycodec_handle), intent(inout) :: message
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_message
    raw_message = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_channel_pack(raw_of(channel), raw_of(value), header, raw_message, error)
    call hold(message, raw_message, polycodec_message_free)
  end subroutine polycodec_channel_pack

  subroutine polycodec_message_part(message, part, pieces, n, error)
    type(polycodec_handle), intent(in), optional :: message
    integer(c_int64_t), intent(in) :: part
    type(c_ptr), intent(out), optional :: pieces
    integer(c_int64_t), intent(inout), optional :: n
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (present(pieces)) pieces = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_message_part(raw_of(message), part, pieces, n, error)
  end subroutine polycodec_message_part

  subroutine polycodec_channel_feed(channel, bytes, is_last, error)
    type(polycodec_handle), intent(in), optional :: channel
    type(polycodec_bytes), intent(in) :: bytes
    integer(c_int32_t), intent(in) :: is_last
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_channel_feed(raw_of(channel), bytes, is_last, error)
  end subroutine polycodec_channel_feed

  subroutine polycodec_channel_next(channel, value, control, header, error)
    type(polycodec_handle), intent(in), optional :: channel
    type(polycodec_handle), intent(inout) :: value
    integer(c_int32_t), intent(inout), optional :: control
    type(polycodec_handle), intent(in), optional :: header
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_channel_next(raw_of(channel), raw_value, control, raw_of(header), error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_channel_next

  subroutine polycodec_channel_unpack(channel, message, value, control, header, error)
    type(polycodec_handle), intent(in), optional :: channel
    type(polycodec_handle), intent(in), optional :: message
    type(polycodec_handle), intent(inout) :: value
    integer(c_int32_t), intent(inout), optional :: control
    type(polycodec_handle), intent(in), optional :: header
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    type(c_ptr) :: raw_value
    raw_value = c_null_ptr
    if (error%code == PC_OK) code = c_polycodec_channel_unpack(raw_of(channel), raw_of(message), raw_value, control, &
        raw_of(header), error)
    call hold(value, raw_value, polycodec_value_release, polycodec_value_retain)
  end subroutine polycodec_channel_unpack

  subroutine polycodec_registry_agree(registry, offer, value, sink, error)
    type(polycodec_handle), intent(in), optional :: registry
    type(polycodec_bytes), intent(in) :: offer
    type(polycodec_handle), intent(in), optional :: value
    type(polycodec_handle), intent(in), optional :: sink
    type(polycodec_error), intent(inout) :: error
    integer(c_int32_t) :: code
    if (error%code == PC_OK) code = c_polycodec_registry_agree(raw_of(registry), offer, raw_of(value), raw_of(sink), &
        error)
  end subroutine polycodec_registry_agree
end module polycodec_sys
