/* SPDX-License-Identifier: MIT
 *
 * polycodec plugin ABI, major version 1.
 *
 * This header is all that a plugin and a host share. It is plain C11, includes nothing but <stddef.h> and
 * <stdint.h>, and may be copied into another project. Everything here is a contract: what a caller must do,
 * what a callee may rely on. Where a rule changes, its rationale is written beside it.
 *
 * General rules
 *  - Every struct that may grow starts with `struct_size`, set by the side that fills it to sizeof(struct). The
 *    reader uses a field only if POLYCODEC_HAS(p, field) holds. Fields are only ever appended.
 *  - `polycodec_node`, `polycodec_bytes` and `polycodec_column` have no size field: they are frozen for this major.
 *  - Text is UTF-8 with an explicit size; it is not NUL-terminated unless the comment says so.
 *  - Functions return POLYCODEC_OK (0) or a code from `polycodec_status`; on failure they fill the `polycodec_error`
 *    that they were given, if it is not NULL. No C++ exception and no longjmp may leave a function in this header.
 *  - A plugin must not write to standard output or standard error, call abort(), exit(), or change the locale,
 *    the signal handlers or the floating-point mode. It reports through return values and `polycodec_host.log`.
 *  - All integers of values are in the byte order of the host machine unless a `byte_order` field says otherwise.
 *
 * Thread tags, written in brackets before each function pointer
 *  [thread-safe]  may be called from any thread, also at the same time as itself on the same object
 *  [load-thread]  called once, by the thread that loads the plugin, before any other function of the plugin
 *  [one-thread]   calls for one object must not overlap; different objects are independent
 */
#ifndef POLYCODEC_ABI_H
#define POLYCODEC_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define POLYCODEC_EXPORT __declspec(dllexport)
#define POLYCODEC_ABI __cdecl
#else
#define POLYCODEC_EXPORT __attribute__((visibility("default")))
#define POLYCODEC_ABI
#endif

/* The major version of this ABI. Libraries of another major live in another directory and never meet. */
#define POLYCODEC_ABI_MAJOR 1

/* The one symbol that a plugin exports: a const object of type polycodec_plugin (not a function). */
#define POLYCODEC_ENTRY_SYMBOL "polycodec_plugin_v1"

/* True if the struct behind `p` was filled by a side that knows `field`. */
#define POLYCODEC_HAS(p, field) \
  ((p)->struct_size >= (uint32_t)(offsetof(__typeof__(*(p)), field) + sizeof((p)->field)))

/* ---------------------------------------------------------------------------------------------------------------
 * Status and errors
 * ------------------------------------------------------------------------------------------------------------ */

/* The closed set of outcomes. A code tells the caller what kind of thing to do about it; what exactly was wrong
 * stands in polycodec_error.detail (a format's own word, such as "ndarray.size_mismatch") and .message. */
typedef enum polycodec_status {
  POLYCODEC_OK = 0,
  POLYCODEC_ERROR_TRUNCATED = 1,   /* the input ends before the value does */
  POLYCODEC_ERROR_TRAILING = 2,    /* the value ends before the input does */
  POLYCODEC_ERROR_MALFORMED = 3,   /* the bytes break a rule of the format */
  POLYCODEC_ERROR_UNSUPPORTED = 4, /* legal, but this codec does not carry it */
  POLYCODEC_ERROR_LIMIT = 5,       /* a limit of polycodec_limits would be exceeded */
  POLYCODEC_ERROR_TYPE = 6,        /* a value, or a type notation, does not have the shape that was asked for */
  POLYCODEC_ERROR_RANGE = 7,       /* a number does not fit where it should go */
  POLYCODEC_ERROR_NOT_FOUND = 8,   /* no such codec, function, type, blob or member */
  POLYCODEC_ERROR_DENIED = 9,      /* a policy or a whitelist forbids it */
  POLYCODEC_ERROR_AMBIGUOUS = 10,  /* several candidates fit equally well */
  POLYCODEC_ERROR_OPTION = 11,     /* an option is unknown or has a bad value */
  POLYCODEC_ERROR_PLUGIN = 12,     /* a plugin broke this contract, or could not be loaded */
  POLYCODEC_ERROR_INVALID = 13,    /* a value breaks a rule of the value model */
  POLYCODEC_ERROR_IO = 14,         /* the operating system refused */
  POLYCODEC_ERROR_MEMORY = 15,     /* no memory */
  POLYCODEC_ERROR_CANCELLED = 16,  /* the host asked to stop */
  POLYCODEC_ERROR_INTERNAL = 17,   /* a bug: please report it */
  POLYCODEC_STATUS_COUNT = 18
} polycodec_status;

/* `offset` when no byte is to blame. */
#define POLYCODEC_NO_OFFSET UINT64_MAX

/* An error, in memory of the caller: no allocation, no ownership question, no thread-local state.
 * The three texts are NUL-terminated and cut at a character boundary where they do not fit. */
typedef struct polycodec_error {
  uint32_t struct_size;
  int32_t code;      /* polycodec_status */
  uint64_t offset;   /* byte offset in the input or output, or POLYCODEC_NO_OFFSET */
  char detail[48];   /* the format's own word for it, or "" */
  char path[208];    /* where in the value, such as `$.a[3].data`, or "" */
  char message[480]; /* for people: what is wrong, and what was expected */
} polycodec_error;

/* ---------------------------------------------------------------------------------------------------------------
 * The value model
 * ------------------------------------------------------------------------------------------------------------ */

/* A run of bytes or text. `data` may be NULL only if `size` is 0. */
typedef struct polycodec_bytes {
  const void* data;
  uint64_t size;
} polycodec_bytes;

/* Element types of scalars and of columnar leaves. In memory: two's complement, IEEE 754, real part first. */
typedef enum polycodec_dtype {
  POLYCODEC_DTYPE_NONE = 0,
  POLYCODEC_BOOL = 1, /* one byte, 0 or 1; nothing else is valid */
  POLYCODEC_INT8 = 2,
  POLYCODEC_INT16 = 3,
  POLYCODEC_INT32 = 4,
  POLYCODEC_INT64 = 5,
  POLYCODEC_INT128 = 6, /* 16 bytes */
  POLYCODEC_UINT8 = 7,
  POLYCODEC_UINT16 = 8,
  POLYCODEC_UINT32 = 9,
  POLYCODEC_UINT64 = 10,
  POLYCODEC_UINT128 = 11,
  POLYCODEC_FLOAT16 = 12,
  POLYCODEC_FLOAT32 = 13,
  POLYCODEC_FLOAT64 = 14,
  POLYCODEC_FLOAT128 = 15,    /* IEEE binary128, 16 bytes */
  POLYCODEC_COMPLEX32 = 16,   /* two float16 */
  POLYCODEC_COMPLEX64 = 17,   /* two float32 */
  POLYCODEC_COMPLEX128 = 18,  /* two float64 */
  POLYCODEC_DATETIME64 = 19,  /* int64 count of `unit` since 1970-01-01T00:00:00Z; INT64_MIN = not a time */
  POLYCODEC_TIMEDELTA64 = 20, /* int64 count of `unit`; INT64_MIN = not a time */
  POLYCODEC_FIXED_BYTES = 21, /* item_size raw bytes */
  POLYCODEC_FIXED_UTF8 = 22,  /* item_size bytes of UTF-8, zero padded */
  POLYCODEC_FIXED_UTF16 = 23, /* item_size / 2 code units, zero padded */
  POLYCODEC_FIXED_UTF32 = 24, /* item_size / 4 code points, zero padded */
  POLYCODEC_DTYPE_COUNT = 25
} polycodec_dtype;

/* Units of DATETIME64, TIMEDELTA64 and of the scalar time kinds; the same letters as numpy's. */
typedef enum polycodec_time_unit {
  POLYCODEC_UNIT_NONE = 0,
  POLYCODEC_UNIT_Y = 1,
  POLYCODEC_UNIT_MONTH = 2,
  POLYCODEC_UNIT_W = 3,
  POLYCODEC_UNIT_D = 4,
  POLYCODEC_UNIT_H = 5,
  POLYCODEC_UNIT_MIN = 6,
  POLYCODEC_UNIT_S = 7,
  POLYCODEC_UNIT_MS = 8,
  POLYCODEC_UNIT_US = 9,
  POLYCODEC_UNIT_NS = 10,
  POLYCODEC_UNIT_PS = 11,
  POLYCODEC_UNIT_FS = 12,
  POLYCODEC_UNIT_AS = 13,
  POLYCODEC_UNIT_COUNT = 14
} polycodec_time_unit;

/* Kinds of document node. The comment names the member of polycodec_node.as that is used, and what size() means. */
typedef enum polycodec_kind {
  POLYCODEC_NULL = 0,
  POLYCODEC_BOOLEAN = 1,    /* as.u64: 0 or 1 */
  POLYCODEC_SIGNED = 2,     /* as.i64; dtype INT8..INT64 is the width that the format declared */
  POLYCODEC_UNSIGNED = 3,   /* as.u64; dtype UINT8..UINT64 */
  POLYCODEC_REAL = 4,       /* FLOAT64: as.f64; FLOAT32: as.f32; FLOAT16: low 16 bits of as.u64 */
  POLYCODEC_WIDE = 5,       /* INT128, UINT128, FLOAT128, COMPLEX128: as.data, 16 bytes, any alignment;
                               COMPLEX64, COMPLEX32: likewise, 8 and 4 bytes */
  POLYCODEC_STRING = 6,     /* as.data; size in bytes; valid UTF-8 unless detail POLYCODEC_TEXT_LENIENT */
  POLYCODEC_BINARY = 7,     /* as.data; size in bytes */
  POLYCODEC_LIST = 8,       /* as.nodes; size in items */
  POLYCODEC_TUPLE = 9,      /* as.nodes; size in items */
  POLYCODEC_OBJECT = 10,    /* as.nodes; size in members; nodes are key, value, key, value: every key a STRING */
  POLYCODEC_MAP = 11,       /* as.nodes; size in entries; as OBJECT with keys of any kind, duplicates kept */
  POLYCODEC_ARRAY = 12,     /* as.array: a columnar array */
  POLYCODEC_EXTENSION = 13, /* as.extension */
  POLYCODEC_REFERENCE = 14, /* as.node: another node of the same value; may be cyclic */
  POLYCODEC_ANNOTATED = 15, /* as.annotated: the node proper, with attributes */
  POLYCODEC_DATETIME = 16,  /* as.time */
  POLYCODEC_TIMEDELTA = 17, /* as.time; nanoseconds unused (0) */
  POLYCODEC_VARIANT = 18,   /* as.variant: a member of a union */
  POLYCODEC_KIND_COUNT = 19
} polycodec_kind;

/* `detail` of a STRING: the bytes were not checked, or are known not to be UTF-8, and are kept as they came. */
#define POLYCODEC_TEXT_LENIENT 1u

typedef struct polycodec_node polycodec_node;
typedef struct polycodec_array polycodec_array;

/* A named payload that the model has no native kind for; its own codec writes it back unchanged. */
typedef struct polycodec_extension {
  polycodec_bytes name;          /* such as "msgpack.ext" */
  const polycodec_node* payload; /* never NULL */
} polycodec_extension;

/* Attributes of a node: units, encoding, comments, names that a format has and others do not. Attributes never
 * change what the value *is*; a codec that cannot carry them may drop them only where the host allows loss. */
typedef struct polycodec_annotated {
  const polycodec_node* node;       /* never NULL, never itself ANNOTATED */
  const polycodec_node* attributes; /* an OBJECT */
} polycodec_annotated;

/* A point or a span of time. For units S, MS, US and NS a DATETIME is `count` seconds plus `nanoseconds`
 * (0..999999999), and `unit` is only the declared resolution; for all other units, and for every TIMEDELTA,
 * `count` is a number of units. count INT64_MIN = not a time.
 * Rationale: msgpack timestamps hold 64 bits of seconds *and* nanoseconds, which no count of nanoseconds holds. */
typedef struct polycodec_time {
  int64_t count;
  uint32_t nanoseconds;
  uint32_t unit; /* polycodec_time_unit */
} polycodec_time;

/* A value that is a member of a union: alternative `tag`. */
typedef struct polycodec_variant {
  int64_t tag;
  const polycodec_node* node; /* never NULL */
} polycodec_variant;

/* One document node: 16 bytes. Children of a container are contiguous, so that item i is as.nodes[i]. */
struct polycodec_node {
  uint8_t kind;     /* polycodec_kind */
  uint8_t dtype;    /* polycodec_dtype of numbers and times, otherwise 0, or flags of the kind (STRING) */
  uint16_t size_hi; /* size is 48 bits: use polycodec_node_size and polycodec_node_make */
  uint32_t size_lo;
  union {
    int64_t i64;
    uint64_t u64;
    double f64;
    float f32;
    const void* data;
    const polycodec_node* nodes;
    const polycodec_node* node;
    const polycodec_array* array;
    const polycodec_extension* extension;
    const polycodec_annotated* annotated;
    const polycodec_time* time;
    const polycodec_variant* variant;
  } as;
};

#define POLYCODEC_MAX_NODE_SIZE (((uint64_t)1 << 48) - 1)

/* Number of bytes, items, members or entries, by kind; 0 for kinds without a size. */
static inline uint64_t polycodec_node_size(const polycodec_node* n) {
  return ((uint64_t)n->size_hi << 32) | n->size_lo;
}

/* A node of a kind with a size; the caller sets .as. `size` must be at most POLYCODEC_MAX_NODE_SIZE. */
static inline polycodec_node polycodec_node_make(uint8_t kind, uint8_t dtype, uint64_t size) {
  polycodec_node n;
  n.kind = kind;
  n.dtype = dtype;
  n.size_hi = (uint16_t)(size >> 32);
  n.size_lo = (uint32_t)size;
  n.as.u64 = 0;
  return n;
}

/* Forms of columnar array. `length` is the number of items of the array's first axis. */
typedef enum polycodec_form {
  POLYCODEC_FORM_NDARRAY = 0,      /* a strided leaf: data, shape, strides, dtype, byte_order; n_children 0.
                                      ndim 0 is a single element (length is then 1) */
  POLYCODEC_FORM_LIST_OFFSETS = 1, /* item i is children[0][index[i] .. index[i+1]); index has length + 1 items */
  POLYCODEC_FORM_LIST_VIEW = 2,    /* item i is children[0][index[i] .. index2[i]) (starts, stops) */
  POLYCODEC_FORM_LIST_FIXED = 3,   /* item i is children[0][i*list_size .. (i+1)*list_size) */
  POLYCODEC_FORM_RECORD = 4,       /* n_children columns, each at least `length` long; names == NULL: a tuple */
  POLYCODEC_FORM_UNION = 5,        /* item i is children[index2[i]][index[i]]; index2 are the tags */
  POLYCODEC_FORM_OPTION_BYTES = 6, /* item i is missing where (mask byte != 0) != mask_valid, else children[0][i] */
  POLYCODEC_FORM_OPTION_BITS = 7,  /* likewise with one bit an item; detail POLYCODEC_BITS_LSB: least bit first */
  POLYCODEC_FORM_INDEXED = 8,      /* item i is children[0][index[i]], missing where index[i] < 0.
                                      Also dictionaries and shared or selected rows */
  POLYCODEC_FORM_CHUNKED = 9,      /* the children one after another, each used whole; index has n_children + 1 items:
                                      where each child starts, and the length. It may be absent for up to
                                      POLYCODEC_MAX_PLAIN_CHUNKS children: any item must be found in little time */
  POLYCODEC_FORM_DOCUMENT = 10,    /* item i is nodes[i]: items of any kind inside a columnar array */
  POLYCODEC_FORM_COUNT = 11
} polycodec_form;

/* polycodec_array.flags */
#define POLYCODEC_ARRAY_TEXT 1u       /* a list form over a contiguous 1-d UINT8 leaf: each item is a UTF-8 string */
#define POLYCODEC_ARRAY_BINARY 2u     /* likewise: each item is a byte string */
#define POLYCODEC_ARRAY_BITS_LSB 4u   /* OPTION_BITS: item i is bit i % 8 counted from the least significant */
#define POLYCODEC_ARRAY_MASK_VALID 8u /* OPTION_*: a set byte or bit means present; otherwise it means missing */

#define POLYCODEC_LITTLE_ENDIAN 0u
#define POLYCODEC_BIG_ENDIAN 1u

/* A column of integers that gives structure: offsets, starts, stops, tags, indices, mask bytes. Host byte order, any
 * integer dtype of at most 64 bits (or BOOL for masks), any stride, any alignment: item i is at data + i * stride. */
typedef struct polycodec_column {
  const void* data; /* NULL: the column is absent */
  int64_t stride;   /* in bytes */
  uint32_t dtype;   /* polycodec_dtype */
  uint32_t reserved;
} polycodec_column;

/* A columnar array: plain data that views buffers. A leaf's element (i, j, ..) is at
 * data + i * strides[0] + j * strides[1] + ..; strides may be negative or 0, elements need not be aligned, and all
 * of them must lie inside [buffer, buffer + buffer_size).
 * Rationale: the strided leaf makes rows of a file (a PLY vertex, a struct of a vector) columns without a copy. */
struct polycodec_array {
  uint32_t struct_size;
  uint8_t form;       /* polycodec_form */
  uint8_t dtype;      /* leaf: polycodec_dtype */
  uint8_t byte_order; /* leaf: POLYCODEC_LITTLE_ENDIAN or POLYCODEC_BIG_ENDIAN */
  uint8_t flags;      /* POLYCODEC_ARRAY_* */
  uint64_t length;
  /* leaf */
  const void* data;   /* first element; may differ from buffer with negative strides or an offset */
  const void* buffer; /* the memory that `data` lies in */
  uint64_t buffer_size;
  uint32_t ndim;      /* 0..POLYCODEC_MAX_NDIM */
  uint32_t item_size; /* bytes of one element, also for dtypes of known size */
  uint32_t unit;      /* DATETIME64, TIMEDELTA64: polycodec_time_unit */
  uint32_t n_children;
  const int64_t* shape;   /* ndim items, each >= 0; shape[0] == length */
  const int64_t* strides; /* ndim items, in bytes */
  /* structure */
  polycodec_column index;
  polycodec_column index2;
  uint64_t list_size;                     /* LIST_FIXED */
  const polycodec_array* const* children; /* n_children items, none NULL */
  const polycodec_bytes* names;           /* RECORD: n_children names, or NULL for a tuple */
  const polycodec_node* nodes;            /* DOCUMENT: length items */
  const polycodec_node* attributes;       /* an OBJECT, or NULL */
};

#define POLYCODEC_MAX_NDIM 64u
#define POLYCODEC_MAX_PLAIN_CHUNKS 16u

/* ---------------------------------------------------------------------------------------------------------------
 * Memory: the arena of a value
 * ------------------------------------------------------------------------------------------------------------ */

/* Everything that a decoder makes lives in the arena that the host hands it, and is freed by the host at once. The
 * host may reuse the memory for another value. [one-thread] */
typedef struct polycodec_arena polycodec_arena;
struct polycodec_arena {
  uint32_t struct_size;
  uint32_t reserved;
  uint8_t* cursor; /* next free byte */
  uint8_t* limit;  /* end of the free bytes */
  /* [one-thread] Memory for `size` bytes at `align` (a power of two, at most 4096) from a new chunk; NULL if the
   * limits or the memory do not allow it. Use polycodec_arena_alloc. */
  void*(POLYCODEC_ABI* grow)(polycodec_arena* arena, uint64_t size, uint64_t align);
  /* [one-thread] Calls release(object) when the arena is freed or reused: for memory that a plugin's library owns.
   * On failure `release` has been called already. */
  int32_t(POLYCODEC_ABI* adopt)(polycodec_arena* arena, void* object, void(POLYCODEC_ABI* release)(void* object));
  void* host_data;
};

/* `size` bytes at `align` (a power of two), uninitialised, freed with the arena; NULL on failure. size 0 is legal. */
static inline void* polycodec_arena_alloc(polycodec_arena* arena, uint64_t size, uint64_t align) {
  const uint64_t at = ((uint64_t)(uintptr_t)arena->cursor + (align - 1)) & ~(align - 1);
  const uint64_t end = (uint64_t)(uintptr_t)arena->limit;
  if (at <= end && size <= end - at && arena->cursor != NULL) {
    uint8_t* p = arena->cursor + (at - (uint64_t)(uintptr_t)arena->cursor);
    arena->cursor = p + size;
    return p;
  }
  return arena->grow(arena, size, align);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Input and output
 * ------------------------------------------------------------------------------------------------------------ */

/* A store of named blobs, for formats that spread over several: a folder, a ZIP archive, an HDF5 group, memory.
 * Names are relative, use '/' and never contain "..": the host has checked that. [thread-safe] */
typedef struct polycodec_store {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  uint64_t count; /* number of blobs */
  /* Name and size of blob `i` (0 <= i < count); the name lives as long as the store. */
  int32_t(POLYCODEC_ABI* entry)(void* context, uint64_t i, polycodec_bytes* name, uint64_t* size,
                                polycodec_error* error);
  /* The whole content of the blob called `name`. The bytes live as long as the value that is being decoded.
   * POLYCODEC_ERROR_NOT_FOUND if there is none. */
  int32_t(POLYCODEC_ABI* read)(void* context, polycodec_bytes name, polycodec_bytes* content, polycodec_error* error);
} polycodec_store;

/* What a decoder reads. Exactly one of `bytes` and `store` is given, unless the codec says that it takes both (a file
 * with companions beside it: `bytes` is the file, `store` its folder). A decoder may return views into the bytes: the
 * host keeps them mapped and unchanged as long as the value lives. */
typedef struct polycodec_input {
  uint32_t struct_size;
  uint32_t has_bytes; /* 1: `bytes` is given (it may be empty) */
  polycodec_bytes bytes;
  const polycodec_store* store; /* or NULL */
  polycodec_bytes name;         /* a file name for messages and hints, or empty; never opened by the plugin */
} polycodec_input;

/* Where an encoder writes: a sequence of segments, each copied through the window [cursor, limit) or referenced.
 * Referenced memory must belong to the value that is being encoded (or be adopted): it is read after encode() has
 * returned, until the host has written the segments. [one-thread] */
typedef struct polycodec_sink polycodec_sink;
struct polycodec_sink {
  uint32_t struct_size;
  uint32_t reserved;
  uint8_t* cursor; /* where the next byte goes; the encoder advances it */
  uint8_t* limit;  /* end of the window */
  /* Makes the window at least `need` bytes (1 <= need <= POLYCODEC_MAX_WINDOW). May move it: read cursor again. */
  int32_t(POLYCODEC_ABI* grow)(polycodec_sink* sink, uint64_t need, polycodec_error* error);
  /* Appends `size` bytes at `data` after what was written so far. The sink may copy small pieces. */
  int32_t(POLYCODEC_ABI* reference)(polycodec_sink* sink, const void* data, uint64_t size, polycodec_error* error);
  /* Says how many bytes will follow in all, when the encoder knows: refuses before anything is written if limits
   * forbid it. Optional to call. */
  int32_t(POLYCODEC_ABI* expect)(polycodec_sink* sink, uint64_t size, polycodec_error* error);
  /* Starts a new named blob; all that follows goes there. NULL if the output is one run of bytes. */
  int32_t(POLYCODEC_ABI* begin_blob)(polycodec_sink* sink, polycodec_bytes name, polycodec_error* error);
  /* Calls release(object) when the segments have been dropped: for memory that an encoder references and owns.
   * On failure `release` has been called already. */
  int32_t(POLYCODEC_ABI* adopt)(polycodec_sink* sink, void* object, void(POLYCODEC_ABI* release)(void* object));
  void* host_data;
};

#define POLYCODEC_MAX_WINDOW ((uint64_t)1 << 20)

/* ---------------------------------------------------------------------------------------------------------------
 * The host
 * ------------------------------------------------------------------------------------------------------------ */

/* Bounds on one decode or encode. A decoder checks them before it allocates; the host enforces what it can see
 * (arena, sink, validation) whatever the decoder does. 0 never means "no limit": UINT64_MAX does. */
typedef struct polycodec_limits {
  uint32_t struct_size;
  uint32_t max_depth; /* nesting of containers, types and expressions */
  uint64_t max_input_bytes;
  uint64_t max_output_bytes;
  uint64_t max_memory_bytes; /* arena memory of one value */
  uint64_t max_nodes;        /* document nodes and array nodes of one value */
  uint64_t max_elements;     /* elements of one array or list */
  uint64_t max_ratio;        /* decompressed bytes per compressed byte, once more than 1 MiB came out */
  uint64_t max_header_bytes; /* message and file headers */
} polycodec_limits;

typedef enum polycodec_log_level {
  POLYCODEC_LOG_DEBUG = 0,
  POLYCODEC_LOG_INFO = 1,
  POLYCODEC_LOG_WARNING = 2,
  POLYCODEC_LOG_ERROR = 3,
  POLYCODEC_LOG_HOST_MISBEHAVING = 4,  /* the host broke the contract */
  POLYCODEC_LOG_PLUGIN_MISBEHAVING = 5 /* the plugin broke the contract */
} polycodec_log_level;

/* One call of decode or encode. Passed to the plugin, and passed back by the plugin when it asks the host for
 * something in the course of that call, so that limits, policy and whitelist of the call apply. */
typedef struct polycodec_call {
  uint32_t struct_size;
  uint32_t depth; /* how many decode/encode calls this one is nested in, through decode_with and encode_with */
  const polycodec_limits* limits;
  /* [thread-safe] 1 if the host wants the call to end with POLYCODEC_ERROR_CANCELLED; ask about once per MiB of
   * work. NULL: never. */
  int32_t(POLYCODEC_ABI* cancelled)(const struct polycodec_call* call);
  void* host_data;
  /* [thread-safe] Says that the result will lack something that the source holds: `path` is where it stands in the
   * value, such as `$.vertex.quality`, `what` tells people what is lost. Called once for each loss, before the call
   * ends. NULL, or not there: nothing may be lost, and the call fails with POLYCODEC_ERROR_UNSUPPORTED instead.
   * Rationale: the host decides, once for all codecs, and hears of every loss. */
  void(POLYCODEC_ABI* lost)(const struct polycodec_call* call, polycodec_bytes path, polycodec_bytes what);
} polycodec_call;

/* What the host offers. Lives until after deinit(). */
typedef struct polycodec_host polycodec_host;
struct polycodec_host {
  uint32_t struct_size;
  uint32_t abi_major;
  polycodec_bytes name;    /* "polycodec" */
  polycodec_bytes version; /* of the host library */
  void* host_data;
  /* [thread-safe] Memory for a plugin's own needs (not for values); NULL on failure. `align`: a power of two. */
  void*(POLYCODEC_ABI* allocate)(const polycodec_host* host, uint64_t size, uint64_t align);
  /* [thread-safe] Frees what allocate() gave; NULL is legal. */
  void(POLYCODEC_ABI* free)(const polycodec_host* host, void* memory);
  /* [thread-safe] One line of text, without a line end. */
  void(POLYCODEC_ABI* log)(const polycodec_host* host, int32_t level, polycodec_bytes text);
  /* [thread-safe] Calls the registered function with exactly this name, if the whitelist of `call` admits it.
   * `path` are `n_path` parts such as "zlib", "decompress". `args` is a LIST, `kwargs` an OBJECT or NULL. The result
   * lives in `arena`. POLYCODEC_ERROR_DENIED names the specifiers that were tried. */
  int32_t(POLYCODEC_ABI* call_function)(const polycodec_host* host, const polycodec_call* call,
                                        const polycodec_bytes* path, uint64_t n_path, const polycodec_node* args,
                                        const polycodec_node* kwargs, polycodec_arena* arena,
                                        const polycodec_node** result, polycodec_error* error);
  /* [thread-safe] Decodes `bytes` with another codec, by name; the value lives in `arena` and may view `bytes`.
   * `options`: an OBJECT or NULL. POLYCODEC_ERROR_NOT_FOUND if no such codec is installed. */
  int32_t(POLYCODEC_ABI* decode_with)(const polycodec_host* host, const polycodec_call* call, polycodec_bytes codec,
                                      const polycodec_node* options, polycodec_bytes bytes, polycodec_arena* arena,
                                      const polycodec_node** result, polycodec_error* error);
  /* [thread-safe] Encodes `node` with another codec, by name, to `sink`. */
  int32_t(POLYCODEC_ABI* encode_with)(const polycodec_host* host, const polycodec_call* call, polycodec_bytes codec,
                                      const polycodec_node* options, const polycodec_node* node, polycodec_sink* sink,
                                      polycodec_error* error);
  /* [thread-safe] The notation of the type that is registered as `name`; it lives as long as the host. */
  int32_t(POLYCODEC_ABI* lookup_type)(const polycodec_host* host, polycodec_bytes name, polycodec_bytes* notation,
                                      polycodec_error* error);
};

/* ---------------------------------------------------------------------------------------------------------------
 * The plugin
 * ------------------------------------------------------------------------------------------------------------ */

/* The exported object. It is constant data, so that the host can check it before it runs any plugin code. */
typedef struct polycodec_plugin {
  uint32_t struct_size; /* sizeof(polycodec_plugin), as the plugin's compiler saw it */
  uint32_t abi_min;     /* the least and the greatest ABI major that this plugin speaks */
  uint32_t abi_max;
  uint32_t flags;      /* 0 */
  const char* id;      /* NUL-terminated; equals "id" of the manifest */
  const char* version; /* NUL-terminated; equals "version" of the manifest */
  /* [load-thread] `host` stays valid until deinit() has returned; `abi` is the agreed major. May be NULL. */
  int32_t(POLYCODEC_ABI* init)(const polycodec_host* host, uint32_t abi, polycodec_error* error);
  /* Called once, when no object of the plugin is in use any more, if init() succeeded. The library stays mapped. May
   * be NULL. */
  void(POLYCODEC_ABI* deinit)(void);
  /* [thread-safe] The interface called `id`, such as POLYCODEC_CODECS_INTERFACE, or NULL. Constant between init()
   * and deinit(). */
  const void*(POLYCODEC_ABI* get_interface)(const char* id);
} polycodec_plugin;

/* Interface "polycodec.codecs/1": the codecs of a plugin. */
#define POLYCODEC_CODECS_INTERFACE "polycodec.codecs/1"

/* A guess at a format from the first bytes. 0: certainly not; 1..49: could be; 50..89: likely; 90..100: a magic
 * number fits. */
typedef struct polycodec_sniff {
  uint32_t struct_size;
  uint32_t score;
  char reason[112]; /* NUL-terminated: what was seen */
} polycodec_sniff;

/* `decode` flags of polycodec_codec.capabilities */
#define POLYCODEC_CAN_DECODE 1u
#define POLYCODEC_CAN_ENCODE 2u
#define POLYCODEC_TAKES_BYTES 4u
#define POLYCODEC_TAKES_STORE 8u /* without TAKES_BYTES: the host opens ZIP and HDF5 files, hands out the store */
#define POLYCODEC_TAKES_BYTES_AND_STORE 16u
#define POLYCODEC_CAN_STREAM 32u /* stream_next is there */

/* `*size` of encoded_size() if only encoding can tell. */
#define POLYCODEC_SIZE_UNKNOWN UINT64_MAX

/* A codec. The object is constant; what open() makes is an instance with its options checked once. */
typedef struct polycodec_codec {
  uint32_t struct_size;
  uint32_t capabilities; /* POLYCODEC_CAN_* and POLYCODEC_TAKES_* */
  const char* name;      /* NUL-terminated canonical name: ^[a-z][a-z0-9._-]{0,62}$ */
  /* NUL-terminated JSON object, equal to this codec's entry in the manifest: name, aliases, media types, extensions,
   * magic, format version, JSON schema of the options. */
  const char* description;
  /* [thread-safe] Looks at the first `head.size` bytes (up to 4096) of `total` (or UINT64_MAX if unknown). NULL: the
   * manifest's magic numbers alone decide. */
  int32_t(POLYCODEC_ABI* sniff)(polycodec_bytes head, uint64_t total, polycodec_sniff* sniff, polycodec_error* error);
  /* [thread-safe] Makes an instance from `options` (an OBJECT that the host has checked against the schema, or NULL
   * for the defaults). The nodes of `options` need not outlive the call. */
  int32_t(POLYCODEC_ABI* open)(const polycodec_host* host, const polycodec_node* options, void** instance,
                               polycodec_error* error);
  /* [one-thread] Ends an instance. */
  void(POLYCODEC_ABI* close)(void* instance);
  /* [thread-safe] Decodes all of `input` to `*root`, which lives in `arena`. */
  int32_t(POLYCODEC_ABI* decode)(void* instance, const polycodec_call* call, const polycodec_input* input,
                                 polycodec_arena* arena, const polycodec_node** root, polycodec_error* error);
  /* [thread-safe] Encodes the value at `root` to `sink`. On failure the host drops what was written. */
  int32_t(POLYCODEC_ABI* encode)(void* instance, const polycodec_call* call, const polycodec_node* root,
                                 polycodec_sink* sink, polycodec_error* error);
  /* [thread-safe] How many bytes encode() will write, or POLYCODEC_SIZE_UNKNOWN. NULL: never known. */
  int32_t(POLYCODEC_ABI* encoded_size)(void* instance, const polycodec_call* call, const polycodec_node* root,
                                       uint64_t* size, polycodec_error* error);
  /* [thread-safe] Decodes one message from the front of `bytes`, which may hold less or more than one. On success
   * `*consumed` tells how many bytes it took. If the bytes end too early and `final` is 0: returns OK with *root
   * NULL, and `*wanted` is how many bytes from the start are needed at least before it is worth calling again. NULL
   * unless POLYCODEC_CAN_STREAM. */
  int32_t(POLYCODEC_ABI* stream_next)(void* instance, const polycodec_call* call, polycodec_bytes bytes,
                                      int32_t final, polycodec_arena* arena, const polycodec_node** root,
                                      uint64_t* consumed, uint64_t* wanted, polycodec_error* error);
  /* [thread-safe] Looks at the blobs of a store, by name and content, for a format that spreads over several: as
   * sniff(). NULL, or absent: such a store is taken for this format if its name says so. */
  int32_t(POLYCODEC_ABI* sniff_store)(const polycodec_store* store, polycodec_sniff* sniff, polycodec_error* error);
} polycodec_codec;

typedef struct polycodec_codecs {
  uint32_t struct_size;
  uint32_t count;
  const polycodec_codec* const* codecs;
} polycodec_codecs;

/* Interface "polycodec.functions/1": functions that data may call by name, if the whitelist admits them. */
#define POLYCODEC_FUNCTIONS_INTERFACE "polycodec.functions/1"

/* A registered function. Its name is a list of parts and is compared whole. */
typedef struct polycodec_function {
  uint32_t struct_size;
  uint32_t n_path;
  const char* const* path; /* n_path NUL-terminated parts, such as "zlib", "decompress" */
  const char* doc;         /* NUL-terminated: one line */
  uint32_t min_args;
  uint32_t max_args; /* UINT32_MAX: any number */
  /* [thread-safe] The host has checked the whitelist and the number of arguments. */
  int32_t(POLYCODEC_ABI* call)(const polycodec_host* host, const polycodec_call* call, const polycodec_node* args,
                               const polycodec_node* kwargs, polycodec_arena* arena, const polycodec_node** result,
                               polycodec_error* error);
} polycodec_function;

typedef struct polycodec_functions {
  uint32_t struct_size;
  uint32_t count;
  const polycodec_function* const* functions;
} polycodec_functions;

/* Interface "polycodec.types/1": types that other plugins and hosts look up by name. */
#define POLYCODEC_TYPES_INTERFACE "polycodec.types/1"

typedef struct polycodec_named_type {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;     /* NUL-terminated */
  const char* notation; /* NUL-terminated datashape */
} polycodec_named_type;

typedef struct polycodec_types {
  uint32_t struct_size;
  uint32_t count;
  const polycodec_named_type* const* types;
} polycodec_types;

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_ABI_H */
