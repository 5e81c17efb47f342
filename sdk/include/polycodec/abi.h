/* SPDX-License-Identifier: MIT
 *
 * polycodec plugin ABI, major version 2.
 *
 * This header is all that a plugin and a host share. It is plain C11, includes nothing but
 * <stddef.h> and <stdint.h>, and may be copied into another project. Everything here is a contract:
 * what a caller must do, what a callee may rely on. Where a rule is not obvious, its rationale is
 * written beside it. docs/abi.md tells the whole story, docs/writing-a-plugin.md the way in.
 *
 * Objects
 *  - The first parameter of every function pointer is the object that holds the pointer, `self`.
 *    `self->private_data` belongs to the side that filled the object. So a closure, a class of
 *    another language or a wrapper can stand for any object of this header.
 *  - A function that takes `const T* self` is [thread-safe]: any thread may call it, also at the
 *    same time as itself. A function that takes `T* self` is [one-thread]: calls for one object
 *    never overlap, different objects are independent. [load-thread]: called once, by the thread
 *    that loads the plugin.
 *  - `release(self)`, where there is one, is called exactly once, by the one owner, on any thread,
 *    maybe after the registry was closed. Whoever shares an object counts its holders itself.
 *    Tables from get_interface() live until deinit() and have no release. An object that `open`,
 *    `create` or `edit` made belongs to its receiver. An object that a program adds to a registry
 *    belongs to the registry if that succeeds, and to the program if it fails.
 *  - Function pointers of 2.0 are never NULL unless their comment says so. Later ones are asked for
 *    with POLYCODEC_HAS.
 *
 * Structs
 *  - Every struct that may grow starts with `struct_size`, which the side that owns the memory sets
 *    to sizeof(struct). For results (error, sniff, entry, step) that is the caller; the callee
 *    leaves it alone. A reader uses a field only if POLYCODEC_HAS(type, p, field) holds. Fields are
 *    only ever appended. `reserved` and unknown flags are 0.
 *  - polycodec_node, polycodec_bytes and polycodec_column have no size field: they are frozen for
 *    this major.
 *  - A host never passes kinds, dtypes, layouts, units or flags that are newer than the plugin's
 *    minor version: it answers POLYCODEC_ERROR_UNSUPPORTED in the plugin's place. So a plugin's
 *    tables may end at the COUNT that it was compiled with.
 *
 * Functions
 *  - They return POLYCODEC_OK (0) or a code from polycodec_status. On failure they have filled
 *    `error`, which is never NULL, and results are unspecified. No C++ exception and no longjmp may
 *    leave a function of this header.
 *  - Everything that may see bytes of others takes the call. Whoever passes a call on has stored
 *    his view of `credit` and of the arena's cursor in it.
 *  - A plugin must not write to standard output or standard error, open files or sockets by itself,
 *    start processes, call abort() or exit(), or change the locale, the signal handlers, the
 *    environment or the floating-point mode. It reports through return values and
 *    polycodec_host.log.
 *
 * Text is UTF-8 with an explicit size. `const char*` fields are NUL-terminated: they occur only in
 * constant tables, which authors write by hand. All integers of values are in the byte order of the
 * machine unless a `byte_order` field says otherwise.
 */
#ifndef POLYCODEC_ABI_H
#define POLYCODEC_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POLYCODEC_EXPORT __attribute__((visibility("default")))

/* Libraries of different majors live in different directories and export different symbols: they
 * never meet. A minor version appends fields, enumerators and interfaces. */
#define POLYCODEC_ABI_MAJOR 2
#define POLYCODEC_ABI_MINOR 0
#define POLYCODEC_ABI_VERSION (((uint32_t)POLYCODEC_ABI_MAJOR << 16) | POLYCODEC_ABI_MINOR)

/* The one symbol that a plugin exports: a const object of type polycodec_plugin, no function. */
#define POLYCODEC_ENTRY_SYMBOL "polycodec_plugin_v2"

/* True if the side that filled the `type` at `p` knows `field`. */
#define POLYCODEC_HAS(type, p, field) \
  ((p)->struct_size >= (uint32_t)(offsetof(type, field) + sizeof((p)->field)))

/* ---- Status and errors ---- */

/* The closed set of outcomes. A code tells the caller what it can do about the failure.
 * polycodec_error.detail (a format's own keyword, such as "ndarray.size_mismatch") and .message say
 * what exactly was wrong. */
typedef enum polycodec_status {
  POLYCODEC_OK = 0,
  POLYCODEC_ERROR_TRUNCATED = 1,   /* the input ends before the value does */
  POLYCODEC_ERROR_TRAILING = 2,    /* the value ends before the input does */
  POLYCODEC_ERROR_MALFORMED = 3,   /* the bytes break a rule of the format */
  POLYCODEC_ERROR_UNSUPPORTED = 4, /* legal, but this codec does not carry it */
  POLYCODEC_ERROR_LIMIT = 5,       /* a limit would be exceeded; the message names its option */
  POLYCODEC_ERROR_TYPE = 6,        /* a value or a type notation lacks the expected shape */
  POLYCODEC_ERROR_RANGE = 7,       /* a number does not fit where it should go */
  POLYCODEC_ERROR_NOT_FOUND = 8,   /* no such codec, filter, function, type, blob or member */
  POLYCODEC_ERROR_DENIED = 9,      /* a policy or an allowlist forbids it */
  POLYCODEC_ERROR_AMBIGUOUS = 10,  /* several candidates fit equally well */
  POLYCODEC_ERROR_OPTION = 11,     /* an option is unknown or has a bad value */
  POLYCODEC_ERROR_PLUGIN = 12,     /* a plugin broke this contract, or could not be loaded */
  POLYCODEC_ERROR_INVALID = 13,    /* a value breaks a rule of the value model */
  POLYCODEC_ERROR_IO = 14,         /* the operating system refused */
  POLYCODEC_ERROR_MEMORY = 15,     /* no memory */
  POLYCODEC_ERROR_CANCELLED = 16,  /* the host asked to stop, or the deadline has passed */
  POLYCODEC_ERROR_INTERNAL = 17,   /* a bug: please report it */
  POLYCODEC_STATUS_COUNT = 18
} polycodec_status;

/* `offset` when no byte is to blame. */
#define POLYCODEC_NO_OFFSET UINT64_MAX

/* A run of bytes or text. Of size 0 nobody reads `data`, which may be NULL then. */
typedef struct polycodec_bytes {
  const void* data;
  uint64_t size;
} polycodec_bytes;

/* An error, in memory of the caller: no allocation, no ownership question, no thread-local state.
 * The caller sets struct_size, say and say_data, and what it calls the rest, where the call fails.
 * The strings are NUL-terminated and cut at a character boundary where they do not fit. */
typedef struct polycodec_error {
  uint32_t struct_size;
  int32_t code;      /* polycodec_status */
  uint64_t offset;   /* byte offset in the input or output, or POLYCODEC_NO_OFFSET */
  char detail[48];   /* the format's own keyword for it, or "" */
  char path[208];    /* where in the value, such as `$.a[3].data`, or "" */
  char message[480]; /* for humans: what is wrong, the rule, what to do */
  char codec[64];    /* the codec that reported it, or ""; the host fills it in */
  /* Hears the whole message and path of an error that does not fit above: once, on the thread of
   * the call, before it returns. Both live during say() alone. Of a plugin the host hears at most
   * 64 KiB, and nothing after the call. What the host says is UTF-8 of at most 64 KiB, in which
   * control characters but tab and newline are escaped. NULL: nobody hears. Rationale: advice comes
   * last in a message, where it is cut first. */
  void (*say)(void* say_data, polycodec_bytes message, polycodec_bytes path);
  void* say_data;
} polycodec_error;

/* Fills `error` and returns `code`. `message` is a NUL-terminated literal. */
static inline int32_t polycodec_fail(polycodec_error* error, int32_t code, uint64_t offset,
                                     const char* message) {
  size_t i = 0;
  error->code = code;
  error->offset = offset;
  error->detail[0] = error->path[0] = '\0';
  for (; i + 1 < sizeof error->message && message[i] != '\0'; ++i) error->message[i] = message[i];
  error->message[i] = '\0';
  return code;
}

/* ---- The value model: nodes ---- */

/* Element types of scalars and of strided arrays. In memory: two's complement, IEEE 754, real part
 * first. */
typedef enum polycodec_dtype {
  POLYCODEC_DTYPE_NONE = 0,
  POLYCODEC_DTYPE_BOOLEAN = 1, /* one byte, 0 or 1; nothing else is valid */
  POLYCODEC_DTYPE_INT8 = 2,
  POLYCODEC_DTYPE_INT16 = 3,
  POLYCODEC_DTYPE_INT32 = 4,
  POLYCODEC_DTYPE_INT64 = 5,
  POLYCODEC_DTYPE_INT128 = 6, /* 16 bytes */
  POLYCODEC_DTYPE_UINT8 = 7,
  POLYCODEC_DTYPE_UINT16 = 8,
  POLYCODEC_DTYPE_UINT32 = 9,
  POLYCODEC_DTYPE_UINT64 = 10,
  POLYCODEC_DTYPE_UINT128 = 11,
  POLYCODEC_DTYPE_FLOAT16 = 12,
  POLYCODEC_DTYPE_FLOAT32 = 13,
  POLYCODEC_DTYPE_FLOAT64 = 14,
  POLYCODEC_DTYPE_FLOAT128 = 15,    /* IEEE binary128, 16 bytes */
  POLYCODEC_DTYPE_COMPLEX32 = 16,   /* two float16 */
  POLYCODEC_DTYPE_COMPLEX64 = 17,   /* two float32 */
  POLYCODEC_DTYPE_COMPLEX128 = 18,  /* two float64 */
  POLYCODEC_DTYPE_TIMESTAMP64 = 19, /* int64 count of `unit` since 1970-01-01T00:00:00Z;
                                       INT64_MIN: not a time */
  POLYCODEC_DTYPE_DURATION64 = 20,  /* int64 count of `unit`; INT64_MIN: not a time */
  POLYCODEC_DTYPE_FIXED_BYTES = 21, /* item_size raw bytes */
  POLYCODEC_DTYPE_FIXED_UTF8 = 22,  /* item_size bytes of UTF-8, zero padded */
  POLYCODEC_DTYPE_FIXED_UTF16 = 23, /* item_size / 2 code units, zero padded */
  POLYCODEC_DTYPE_FIXED_UTF32 = 24, /* item_size / 4 code points, zero padded */
  POLYCODEC_DTYPE_COUNT = 25
} polycodec_dtype;

/* Units of TIMESTAMP64 and DURATION64 and of the scalar time kinds. */
typedef enum polycodec_time_unit {
  POLYCODEC_UNIT_NONE = 0,
  POLYCODEC_UNIT_YEAR = 1,
  POLYCODEC_UNIT_MONTH = 2,
  POLYCODEC_UNIT_WEEK = 3,
  POLYCODEC_UNIT_DAY = 4,
  POLYCODEC_UNIT_HOUR = 5,
  POLYCODEC_UNIT_MINUTE = 6,
  POLYCODEC_UNIT_SECOND = 7,
  POLYCODEC_UNIT_MILLISECOND = 8,
  POLYCODEC_UNIT_MICROSECOND = 9,
  POLYCODEC_UNIT_NANOSECOND = 10,
  POLYCODEC_UNIT_PICOSECOND = 11,
  POLYCODEC_UNIT_FEMTOSECOND = 12,
  POLYCODEC_UNIT_ATTOSECOND = 13,
  POLYCODEC_UNIT_COUNT = 14
} polycodec_time_unit;

/* Kinds of node. The comment names the member of polycodec_node.as that is used, and what
 * polycodec_node_size() counts. */
typedef enum polycodec_kind {
  POLYCODEC_KIND_NULL = 0,     /* nobody reads `as` */
  POLYCODEC_KIND_BOOLEAN = 1,  /* as.u64: 0 or 1 */
  POLYCODEC_KIND_SIGNED = 2,   /* as.i64; dtype INT8 to INT64: the width that the format gave */
  POLYCODEC_KIND_UNSIGNED = 3, /* as.u64; dtype UINT8 to UINT64 */
  POLYCODEC_KIND_FLOAT = 4,    /* FLOAT64: as.f64; FLOAT32: as.f32; FLOAT16: low bits of as.u64 */
  POLYCODEC_KIND_WIDE = 5,     /* as.data, any alignment. INT128, UINT128, FLOAT128, COMPLEX128: 16
                                  bytes; COMPLEX64: 8; COMPLEX32: 4 */
  POLYCODEC_KIND_STRING = 6,   /* as.data; bytes; UTF-8 unless dtype is STRING_LENIENT */
  POLYCODEC_KIND_BINARY = 7,   /* as.data; bytes */
  POLYCODEC_KIND_LIST = 8,     /* as.nodes; items */
  POLYCODEC_KIND_TUPLE = 9,    /* as.nodes; items */
  POLYCODEC_KIND_OBJECT = 10,  /* as.nodes; members: nodes are key, value, key, value, and every
                                  key is a STRING */
  POLYCODEC_KIND_MAP = 11,     /* as.nodes; entries: as OBJECT, keys of any kind, duplicates kept */
  POLYCODEC_KIND_ARRAY = 12,   /* as.array: a columnar array */
  POLYCODEC_KIND_EXTENSION = 13, /* as.extension */
  POLYCODEC_KIND_REFERENCE = 14, /* as.node: another node of the same value; may be cyclic */
  POLYCODEC_KIND_ANNOTATED = 15, /* as.annotated: the node proper and its metadata */
  POLYCODEC_KIND_TIMESTAMP = 16, /* as.time */
  POLYCODEC_KIND_DURATION = 17,  /* as.time; nanoseconds unused (0) */
  POLYCODEC_KIND_UNION = 18,     /* as.tagged: one alternative of a union */
  POLYCODEC_KIND_COUNT = 19
} polycodec_kind;

/* `dtype` of a STRING: the bytes were not checked, or are known not to be UTF-8, and are kept as
 * they came. */
#define POLYCODEC_STRING_LENIENT 1u

typedef struct polycodec_node polycodec_node;
typedef struct polycodec_array polycodec_array;

/* A named payload that the model has no native kind for; its own codec writes it back unchanged. */
typedef struct polycodec_extension {
  polycodec_bytes name;          /* such as "msgpack.ext" */
  const polycodec_node* payload; /* never NULL */
} polycodec_extension;

/* Metadata of a node: units, encoding, comments, names that one format has and others do not.
 * Metadata never changes what the value *is*. A codec that cannot carry it reports a loss. */
typedef struct polycodec_annotated {
  const polycodec_node* node;     /* never NULL, never itself ANNOTATED */
  const polycodec_node* metadata; /* an OBJECT */
} polycodec_annotated;

/* A timestamp or a duration. For units SECOND to NANOSECOND a TIMESTAMP is `count` seconds plus
 * `nanoseconds` (0 to 999999999), and `unit` is only the declared resolution. For all other units,
 * and for every DURATION, `count` is a number of units. count INT64_MIN: not a time. Rationale:
 * msgpack timestamps hold 64 bits of seconds *and* nanoseconds, which no count of nanoseconds
 * holds. */
typedef struct polycodec_time {
  int64_t count;
  uint32_t nanoseconds;
  uint32_t unit; /* polycodec_time_unit */
} polycodec_time;

/* One alternative of a union. */
typedef struct polycodec_tagged {
  int64_t tag;
  const polycodec_node* node; /* never NULL */
} polycodec_tagged;

/* One node: 16 bytes. Children of a container are contiguous, so that item i is as.nodes[i]. */
struct polycodec_node {
  uint8_t kind;     /* polycodec_kind */
  uint8_t dtype;    /* numbers and times: polycodec_dtype; STRING: 0 or STRING_LENIENT; else 0 */
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
    const polycodec_tagged* tagged;
  } as;
};

#define POLYCODEC_MAX_NODE_SIZE (((uint64_t)1 << 48) - 1)

/* Number of bytes, items, members or entries, by kind; 0 for kinds without a size. */
static inline uint64_t polycodec_node_size(const polycodec_node* n) {
  return ((uint64_t)n->size_hi << 32) | n->size_lo;
}

/* A node of a kind with a size; the caller sets .as. `size` is at most POLYCODEC_MAX_NODE_SIZE. */
static inline polycodec_node polycodec_node_make(uint8_t kind, uint8_t dtype, uint64_t size) {
  polycodec_node n;
  n.kind = kind;
  n.dtype = dtype;
  n.size_hi = (uint16_t)(size >> 32);
  n.size_lo = (uint32_t)size;
  n.as.u64 = 0;
  return n;
}

/* The node without its metadata. */
static inline const polycodec_node* polycodec_node_proper(const polycodec_node* n) {
  return n->kind == POLYCODEC_KIND_ANNOTATED ? n->as.annotated->node : n;
}

/* ---- The value model: columnar arrays ---- */

/* Layouts of a columnar array. Every array has `length` items. */
typedef enum polycodec_layout {
  POLYCODEC_LAYOUT_NDARRAY = 0, /* strided elements: data, shape, strides, dtype, byte_order; no
                                   children. ndim 0 is a single element (length 1) */
  POLYCODEC_LAYOUT_LIST_OFFSETS = 1, /* item i is children[0][offsets[i] to offsets[i + 1]); there
                                        are length + 1 offsets */
  POLYCODEC_LAYOUT_LIST_VIEW = 2,    /* item i is children[0][starts[i] to stops[i]) */
  POLYCODEC_LAYOUT_LIST_FIXED = 3, /* item i is children[0][i * list_size to (i + 1) * list_size) */
  POLYCODEC_LAYOUT_RECORD = 4,     /* the children are columns, each at least `length` long;
                                      names NULL: a tuple */
  POLYCODEC_LAYOUT_UNION = 5,      /* item i is children[tags[i]][index[i]] */
  POLYCODEC_LAYOUT_OPTION_BYTES = 6, /* item i is children[0][i], or missing as mask byte i says */
  POLYCODEC_LAYOUT_OPTION_BITS = 7,  /* likewise with one bit an item, packed in mask */
  POLYCODEC_LAYOUT_INDEXED = 8,      /* item i is children[0][index[i]], missing where index[i] < 0.
                                        Also dictionaries, and rows that are shared or selected */
  POLYCODEC_LAYOUT_CHUNKED = 9,      /* the children one after another, each used whole; `offsets`
                                        has n_children + 1 items: where each child starts, and the
                                        length. It may be absent for up to
                                        POLYCODEC_MAX_PLAIN_CHUNKS children: any item must be found
                                        in little time */
  POLYCODEC_LAYOUT_DOCUMENT = 10,    /* item i is nodes[i]: items of any kind inside an array */
  POLYCODEC_LAYOUT_COUNT = 11
} polycodec_layout;

/* polycodec_array.flags. STRING, BINARY: a list layout over a contiguous 1-d UINT8 child, whose
 * items are UTF-8 strings or byte strings. BITS_LSB: in OPTION_BITS item i is bit i % 8 counted
 * from the least. MASK_VALID: a set byte or bit means present; otherwise it means missing. */
#define POLYCODEC_ARRAY_STRING 1u
#define POLYCODEC_ARRAY_BINARY 2u
#define POLYCODEC_ARRAY_BITS_LSB 4u
#define POLYCODEC_ARRAY_MASK_VALID 8u

#define POLYCODEC_LITTLE_ENDIAN 0u
#define POLYCODEC_BIG_ENDIAN 1u

/* A column of integers that gives structure: offsets, starts, stops, tags, index, mask. Host byte
 * order, any integer dtype of at most 64 bits (or BOOLEAN for masks), any stride, any alignment:
 * item i is at data + i * stride. How many items it has follows from the layout and `length`. */
typedef struct polycodec_column {
  const void* data; /* NULL: the column is absent */
  int64_t stride;   /* in bytes */
  uint32_t dtype;   /* polycodec_dtype */
  uint32_t reserved;
} polycodec_column;

/* A columnar array: plain data that views buffers. Element (i, j, ...) of an NDARRAY is at
 * data + i * strides[0] + j * strides[1] + ...; strides may be negative or 0, elements need not be
 * aligned, and all of them lie inside [buffer, buffer + buffer_size). Rationale: strided elements
 * make rows of a file (a PLY vertex, a struct of a vector) columns without a copy.
 *
 * The comments name the layouts that use a field. In an array of another layout it is NULL or 0,
 * and a column is absent. The host checks this (POLYCODEC_ERROR_INVALID): zero the struct first.
 * Only byte_order may be either of its values, and `children` any pointer where n_children is 0. */
struct polycodec_array {
  uint32_t struct_size;
  uint8_t layout;     /* polycodec_layout */
  uint8_t dtype;      /* NDARRAY: polycodec_dtype */
  uint8_t byte_order; /* NDARRAY: POLYCODEC_LITTLE_ENDIAN or POLYCODEC_BIG_ENDIAN */
  uint8_t flags;      /* POLYCODEC_ARRAY_*, of the layouts that are named there */
  uint64_t length;
  /* NDARRAY: from here to strides, but for n_children */
  const void* data;   /* first element; may differ from buffer with negative strides or an offset */
  const void* buffer; /* the memory that `data` lies in; inside one region */
  uint64_t buffer_size;
  uint32_t ndim;      /* 0 to POLYCODEC_MAX_NDIM */
  uint32_t item_size; /* bytes of one element, also for dtypes of known size */
  uint32_t unit;      /* TIMESTAMP64, DURATION64: polycodec_time_unit */
  uint32_t n_children;
  const int64_t* shape;   /* ndim items, each >= 0; shape[0] == length */
  const int64_t* strides; /* ndim items, in bytes */
  /* structure: which column a layout uses, by name */
  union {
    polycodec_column offsets; /* LIST_OFFSETS, CHUNKED */
    polycodec_column starts;  /* LIST_VIEW */
    polycodec_column mask;    /* OPTION_BYTES, OPTION_BITS */
    polycodec_column index;   /* INDEXED, UNION */
  };
  union {
    polycodec_column stops; /* LIST_VIEW */
    polycodec_column tags;  /* UNION */
  };
  uint64_t list_size;                     /* LIST_FIXED */
  const polycodec_array* const* children; /* all but NDARRAY, DOCUMENT: n_children, none NULL */
  const polycodec_bytes* names;           /* RECORD: n_children names, or NULL for a tuple */
  const polycodec_node* nodes;            /* DOCUMENT: length items */
  const polycodec_node* metadata;         /* all: an OBJECT, or NULL */
};

#define POLYCODEC_MAX_NDIM 64u
#define POLYCODEC_MAX_PLAIN_CHUNKS 16u

/* ---- Memory: the arena ----
 *
 * Regions. A pointer inside a value may point only to
 *  - decode: the input, bytes that the host gave (blobs, views of files), the arenas of this
 *    call and of the instance or reader up to their cursors, extents that were adopted, and the
 *    constants of all plugins that are loaded (segments that nobody may write to);
 *  - encode: what the value consists of, the arena of the call, extents that the sink adopted.
 * The host checks this, with sizes: a pointer outside is an error of the plugin, not a crash. Nodes
 * and structs are aligned as C wants them; buffers, columns and text need no alignment. For size 0
 * the pointer is neither checked nor read. */

typedef struct polycodec_arena polycodec_arena;

/* Memory that the host frees at once. What a decoder makes lives in the arena of its call as long
 * as the value. What an encoder makes there lives until the output has been used. [one-thread] */
struct polycodec_arena {
  uint32_t struct_size;
  uint32_t reserved;
  uint8_t* cursor; /* next free byte */
  uint8_t* limit;  /* end of the free bytes */
  void* private_data;
  /* Gives `size` bytes at `align` (a power of two, at most 4096), uninitialized.
   * POLYCODEC_ERROR_LIMIT: the call may not have that much; POLYCODEC_ERROR_MEMORY: the machine has
   * not. Call polycodec_arena_alloc instead. */
  int32_t (*grow)(polycodec_arena* self, uint64_t size, uint64_t align, void** memory,
                  polycodec_error* error);
  /* Changes the size of the block at *memory (from this arena, or NULL with old_size 0) from
   * `old_size` to `size`: in place where possible, otherwise it moves and *memory changes. The
   * first min(old_size, size) bytes are kept. On failure the block is as it was. For what grows
   * without a known end. Rationale: realloc and adopt would have to be copied by isolation. */
  int32_t (*resize)(polycodec_arena* self, void** memory, uint64_t old_size, uint64_t size,
                    uint64_t align, polycodec_error* error);
  /* Takes over an object of a foreign library or another language that owns memory which the value
   * points to: calls release(object) when the arena is freed. `extents` are its readable bytes,
   * which count as memory of the call. Whoever adopts promises that nobody writes to them any more.
   * On failure `release` has been called already. */
  int32_t (*adopt)(polycodec_arena* self, void* object, void (*release)(void* object),
                   const polycodec_bytes* extents, uint64_t n_extents, polycodec_error* error);
};

/* `size` bytes at `align` (a power of two), uninitialized; NULL on failure, with `error` filled:
 * return error->code. Size 0 is legal. */
static inline void* polycodec_arena_alloc(polycodec_arena* arena, uint64_t size, uint64_t align,
                                          polycodec_error* error) {
  const uint64_t at = ((uint64_t)(uintptr_t)arena->cursor + (align - 1)) & ~(align - 1);
  const uint64_t end = (uint64_t)(uintptr_t)arena->limit;
  void* memory = NULL;
  if (at <= end && size <= end - at && arena->cursor != NULL) {
    uint8_t* p = arena->cursor + (at - (uint64_t)(uintptr_t)arena->cursor);
    arena->cursor = p + size;
    return p;
  }
  return arena->grow(arena, size, align, &memory, error) == POLYCODEC_OK ? memory : NULL;
}

/* ---- The call: budget, limits, and what a plugin may ask for ---- */

typedef struct polycodec_call polycodec_call;
typedef struct polycodec_host polycodec_host;

/* Bounds on one call. The budget (work, memory, output) grows with the input that was given,
 * so its numbers are those of the moment. The host enforces what it can see whatever the plugin
 * does; a plugin checks max_depth and max_elements before it descends or allocates. 0 never means
 * "no limit": UINT64_MAX does. */
typedef struct polycodec_limits {
  uint32_t struct_size;
  uint32_t max_depth;        /* nesting of containers, types and expressions */
  uint64_t max_input_bytes;  /* of one input */
  uint64_t max_header_bytes; /* message and file headers */
  uint64_t max_nodes;        /* nodes and arrays of one value */
  uint64_t max_elements;     /* elements of one array or list */
  uint64_t max_work;         /* units, see polycodec_call.credit */
  uint64_t max_memory_bytes; /* arenas, adopted extents, buffered output */
  uint64_t max_output_bytes; /* output of encoders and filters, text */
  uint64_t max_stack_bytes;  /* of each thread, see polycodec_call.stack_limit */
  uint64_t deadline;         /* CLOCK_MONOTONIC in nanoseconds; UINT64_MAX: none */
} polycodec_limits;

/* What the caller wants of a value. A codec may omit what is not named; it never replaces it. A
 * codec that ignores the projection is still right. */
typedef struct polycodec_projection {
  uint32_t struct_size;
  uint32_t n_paths;             /* 0: everything */
  const polycodec_bytes* paths; /* such as `$.vertex.x`, in the notation of polycodec_error.path */
  uint64_t first_row;           /* rows of the outermost dimension of each named path, or of the */
  uint64_t n_rows;              /* root where no path is named; UINT64_MAX: all that follow */
} polycodec_projection;

/* Classes of loss. The host decides by class what may be lost. */
typedef enum polycodec_loss {
  POLYCODEC_LOSS_NOTE = 0,    /* comments, and how a file was written */
  POLYCODEC_LOSS_TYPE = 1,    /* the value is kept as another kind, such as a time as a record */
  POLYCODEC_LOSS_DATA = 2,    /* values, names, units */
  POLYCODEC_LOSS_RETYPED = 3, /* an equal number of another type, a container of another kind */
  POLYCODEC_LOSS_MENDED = 4,  /* tolerant reading made a value out of a word that is not one */
  POLYCODEC_LOSS_COUNT = 5
} polycodec_loss;

/* Part [from, to) of a loop. `call` is the body's own: its credit, its arena, its stack_limit. */
typedef int32_t (*polycodec_body)(void* data, polycodec_call* call, uint64_t from, uint64_t to,
                                  polycodec_error* error);

/* One call of a plugin's function. The plugin passes it back when it asks the host for something,
 * so that budget, policy and allowlist of the call apply. [one-thread] */
struct polycodec_call {
  uint32_t struct_size;
  uint32_t depth; /* number of calls that this one is nested in, through the host */
  /* Units of work that may be done before spend() is asked: `credit -= n` while n <= credit. A unit
   * is about 5 ns: one item visited, 16 bytes copied, 2 bytes inflated, 1/8 of a printed number.
   * Charge in batches, before the work: a container when its count is known, bytes per 4 KiB. Use
   * polycodec_spend. One pool serves a top-level call with all that it nests. More credit on return
   * than was granted is an error of the plugin. Rationale: a subtraction is all that an honest
   * plugin pays, and no walk of a small input can run for ever. */
  uint64_t credit;
  polycodec_arena* arena; /* never NULL; of open and open_reader: lives as long as the result */
  const polycodec_limits* limits;
  const polycodec_host* host;
  const void* stack_limit; /* recursion stops with LIMIT below it; NULL: max_depth alone */
  const polycodec_projection* projection; /* or NULL: everything. Always NULL in nested calls,
                                             unless the host program asked for it */
  void* private_data;
  /* Charges `units` and refills `credit`, or fails: LIMIT if the pool is empty, CANCELLED if the
   * host asked to stop or the deadline has passed. A slice of credit lasts about 1 ms, so this is
   * the cancellation check as well. */
  int32_t (*spend)(polycodec_call* self, uint64_t units, polycodec_error* error);
  /* Calls body(data, child, from, to, error) for parts of at most `grain` that cover [0, n), maybe
   * on several threads, this one among them. Each part has its own child call; the arenas are
   * joined into this call's at the end. A body uses only its child (on this call's own thread also
   * its arena and sink) and never waits for another. Returns the error of the lowest part that
   * failed; only parts after it are left out. Parts depend on `grain` alone, never on threads. */
  int32_t (*parallel_for)(polycodec_call* self, uint64_t n, uint64_t grain, polycodec_body body,
                          void* data, polycodec_error* error);
  /* Reports that the result will lack something that the source holds: `path` is where, such as
   * `$.vertex.quality`, `what` tells humans what is lost. Call it once for each loss, before
   * anything is written. Fails with UNSUPPORTED if the host does not allow losses of this class:
   * then the call fails too. Rationale: the host decides, once for all codecs, and is notified of
   * every loss. */
  int32_t (*report_loss)(polycodec_call* self, int32_t loss_class, polycodec_bytes path,
                         polycodec_bytes what, polycodec_error* error);
};

/* Charges `units` to the call; see polycodec_call.credit. */
static inline int32_t polycodec_spend(polycodec_call* call, uint64_t units,
                                      polycodec_error* error) {
  if (units <= call->credit) {
    call->credit -= units;
    return POLYCODEC_OK;
  }
  return call->spend(call, units, error);
}

/* 0 if a recursive function must stop with POLYCODEC_ERROR_LIMIT. */
static inline int polycodec_stack_left(const polycodec_call* call) {
  char here;
  return (uintptr_t)&here >= (uintptr_t)call->stack_limit;
}

/* ---- Files, stores, input ----
 *
 * A plugin never opens a path. The host hands it files and stores; a plugin may implement stores
 * over a file, see polycodec_store_format. */

/* polycodec_file.flags. STABLE: nobody can change the bytes while they are in use. SLOW: each read
 * is expensive, as over a network: read little, in large parts. */
#define POLYCODEC_FILE_STABLE 1u
#define POLYCODEC_FILE_SLOW 2u

/* Bytes at offsets. [thread-safe] It never calls back into the plugin that calls it. */
typedef struct polycodec_file polycodec_file;
struct polycodec_file {
  uint32_t struct_size;
  uint32_t flags;       /* POLYCODEC_FILE_* */
  uint8_t identity[16]; /* equal for the same file and content; all 0: unknown */
  int32_t descriptor;   /* of the operating system, read-only; -1: none. Do not close it */
  uint32_t reserved;
  void* private_data;
  int32_t (*size)(const polycodec_file* self, polycodec_call* call, uint64_t* size,
                  polycodec_error* error);
  /* Copies up to `size` bytes to `buffer`. *got < size only at the end of the file. */
  int32_t (*read_at)(const polycodec_file* self, polycodec_call* call, uint64_t offset,
                     void* buffer, uint64_t size, uint64_t* got, polycodec_error* error);
  /* Gives the bytes in place; fewer than `size` only at the end of the file. They live until
   * release, and values that point there keep the file. May cost memory of the call. */
  int32_t (*view)(const polycodec_file* self, polycodec_call* call, uint64_t offset, uint64_t size,
                  polycodec_bytes* bytes, polycodec_error* error);
  void (*release)(const polycodec_file* self);
};

/* A file that can be written; only writers are given one. The host made it, private to this writer,
 * and syncs and renames it afterwards. [one-thread] */
typedef struct polycodec_output_file polycodec_output_file;
struct polycodec_output_file {
  uint32_t struct_size;
  uint32_t reserved;
  const polycodec_file* file; /* the same bytes, to read; lives as long */
  void* private_data;
  int32_t (*write_at)(polycodec_output_file* self, polycodec_call* call, uint64_t offset,
                      const void* data, uint64_t size, polycodec_error* error);
  int32_t (*truncate)(polycodec_output_file* self, polycodec_call* call, uint64_t size,
                      polycodec_error* error);
  int32_t (*sync)(polycodec_output_file* self, polycodec_call* call, polycodec_error* error);
};

/* A blob of a store. */
typedef struct polycodec_store_entry {
  uint32_t struct_size;
  uint32_t reserved;
  polycodec_bytes name;  /* lives as long as the store */
  polycodec_bytes owner; /* the named value that it belongs to, or empty; see STORE_OWNERS */
  uint64_t size;         /* in bytes, as read() gives it */
} polycodec_store_entry;

/* polycodec_store.flags. OWNERS: it remembers the owner of each blob. UNLISTED: count() is 0 and
 * find() may succeed, as for the directory of a file. */
#define POLYCODEC_STORE_OWNERS 1u
#define POLYCODEC_STORE_UNLISTED 2u

/* Named blobs, for formats that spread over several: a directory, a ZIP archive, an HDF5 file,
 * memory. Names are relative, use '/' and never contain "..": the host has checked that for a
 * store that it returns, and checks it for a store that a plugin makes. [thread-safe] */
typedef struct polycodec_store polycodec_store;
struct polycodec_store {
  uint32_t struct_size;
  uint32_t flags; /* POLYCODEC_STORE_* */
  void* private_data;
  /* Number of blobs; constant. */
  uint64_t (*count)(const polycodec_store* self);
  /* Describes blob `i` < count(). */
  int32_t (*entry)(const polycodec_store* self, polycodec_call* call, uint64_t i,
                   polycodec_store_entry* entry, polycodec_error* error);
  /* The number of the blob called `name`; POLYCODEC_ERROR_NOT_FOUND if there is none. It may be
   * count() or more for a blob that is not listed. */
  int32_t (*find)(const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                  uint64_t* i, polycodec_error* error);
  /* Bytes [offset, offset + size) of blob `i`, fewer only at its end; UINT64_MAX as size: all that
   * follow. They are in place and live as long as the store, or lie in call->arena. */
  int32_t (*read)(const polycodec_store* self, polycodec_call* call, uint64_t i, uint64_t offset,
                  uint64_t size, polycodec_bytes* content, polycodec_error* error);
  void (*release)(const polycodec_store* self);
};

/* What an input consists of, and what a codec takes; the flags add up. */
#define POLYCODEC_INPUT_BYTES 1u      /* all bytes, in memory */
#define POLYCODEC_INPUT_FILE 2u       /* the bytes by offset: for codecs that read parts only */
#define POLYCODEC_INPUT_STORE 4u      /* the value is spread over the blobs of a store */
#define POLYCODEC_INPUT_COMPANIONS 8u /* beside BYTES or FILE: the directory of the file */

/* What a decoder reads. The host gives what polycodec_codec.inputs asks for: bytes or a file, or
 * else a store; never both bytes and file unless the codec takes both. A decoder may point into the
 * bytes: the host keeps them unchanged as long as the value lives. */
typedef struct polycodec_input {
  uint32_t struct_size;
  uint32_t parts; /* POLYCODEC_INPUT_* that are given */
  polycodec_bytes bytes;
  const polycodec_file* file;   /* or NULL */
  const polycodec_store* store; /* STORE or COMPANIONS, or NULL */
  polycodec_bytes name;         /* a file name for messages and hints, or empty */
  polycodec_bytes member;       /* STORE: which of its named values to read; empty: the only one */
  uint64_t total; /* bytes of the source, of which sniff() gets the first; UINT64_MAX: unknown */
} polycodec_input;

/* ---- Sinks and output ---- */

/* polycodec_sink.flags. CONTIGUOUS: all that was written lies before the cursor, in one piece;
 * grow() takes any size and may move it all. */
#define POLYCODEC_SINK_CONTIGUOUS 1u

#define POLYCODEC_MAX_WINDOW ((uint64_t)1 << 20)

/* Where bytes go: a sequence of segments, each copied through the window [cursor, limit) or
 * referenced. Referenced memory lies in the regions of the call and is read after the function has
 * returned, until the host has written the segments. [one-thread] */
typedef struct polycodec_sink polycodec_sink;
struct polycodec_sink {
  uint32_t struct_size;
  uint32_t flags;  /* POLYCODEC_SINK_* */
  uint8_t* cursor; /* where the next byte goes; the writer advances it */
  uint8_t* limit;  /* end of the window */
  void* private_data;
  /* Makes the window at least `need` bytes (1 to POLYCODEC_MAX_WINDOW, any size if CONTIGUOUS). May
   * move it: read cursor and limit again. */
  int32_t (*grow)(polycodec_sink* self, uint64_t need, polycodec_error* error);
  /* Appends `size` bytes at `data` after the output so far. The sink may copy small pieces. */
  int32_t (*reference)(polycodec_sink* self, const void* data, uint64_t size,
                       polycodec_error* error);
  /* Says how many bytes will follow in all, where the writer knows: fails before anything is
   * written if limits forbid it. Optional to call. */
  int32_t (*expect)(polycodec_sink* self, uint64_t size, polycodec_error* error);
  /* As polycodec_arena.adopt, until the segments have been dropped. */
  int32_t (*adopt)(polycodec_sink* self, void* object, void (*release)(void* object),
                   const polycodec_bytes* extents, uint64_t n_extents, polycodec_error* error);
};

/* Copies `size` bytes, however many, to the sink. */
static inline int32_t polycodec_sink_put(polycodec_sink* sink, const void* data, uint64_t size,
                                         polycodec_error* error) {
  const uint8_t* from = (const uint8_t*)data;
  while (size != 0) {
    uint64_t part = (uint64_t)(sink->limit - sink->cursor);
    if (part == 0) {
      const uint64_t need = size < 4096 ? size : 4096;
      const int32_t code = sink->grow(sink, need, error);
      if (code != POLYCODEC_OK) return code;
      continue;
    }
    if (part > size) part = size;
    for (uint64_t i = 0; i < part; ++i) sink->cursor[i] = from[i];
    sink->cursor += part;
    from += part;
    size -= part;
  }
  return POLYCODEC_OK;
}

/* Writes named blobs. [one-thread] release() without commit() leaves the store as it was. */
typedef struct polycodec_store_writer polycodec_store_writer;
struct polycodec_store_writer {
  uint32_t struct_size;
  uint32_t flags;              /* POLYCODEC_STORE_OWNERS */
  const polycodec_store* base; /* what the store holds before the change; NULL for a new one */
  void* private_data;
  /* Starts a blob; *sink lives until the next begin_blob or commit. INVALID if the name is taken or
   * not safe. `owner`: the named value that the blob belongs to; a codec passes its
   * polycodec_output.member. */
  int32_t (*begin_blob)(polycodec_store_writer* self, polycodec_call* call, polycodec_bytes name,
                        polycodec_bytes owner, polycodec_sink** sink, polycodec_error* error);
  /* Removes blob `i` of `base`. DENIED if the store marks owners and `owner` is not its owner. */
  int32_t (*remove)(polycodec_store_writer* self, polycodec_call* call, uint64_t i,
                    polycodec_bytes owner, polycodec_error* error);
  /* Puts all changes in place. Codecs never call it: the host does. */
  int32_t (*commit)(polycodec_store_writer* self, polycodec_call* call, polycodec_error* error);
  void (*release)(polycodec_store_writer* self);
};

/* Where an encoder writes: what polycodec_codec.outputs asks for, in the flags of the input. BYTES:
 * `sink`; STORE: `store`; BYTES and COMPANIONS: `sink` for the file and `store` for the files
 * beside it. */
typedef struct polycodec_output {
  uint32_t struct_size;
  uint32_t parts; /* POLYCODEC_INPUT_BYTES, _STORE, _COMPANIONS that are given */
  polycodec_sink* sink;
  polycodec_store_writer* store;
  polycodec_bytes name;   /* the file's name, for names of companions, or empty */
  polycodec_bytes member; /* STORE: the name under which the value is kept; empty: it is alone */
} polycodec_output;

/* ---- The host ---- */

typedef enum polycodec_log_level {
  POLYCODEC_LOG_DEBUG = 0,
  POLYCODEC_LOG_INFO = 1,
  POLYCODEC_LOG_WARNING = 2,
  POLYCODEC_LOG_ERROR = 3,
  POLYCODEC_LOG_HOST_MISBEHAVING = 4,   /* the host broke the contract */
  POLYCODEC_LOG_PLUGIN_MISBEHAVING = 5, /* the plugin broke the contract */
  POLYCODEC_LOG_COUNT = 6
} polycodec_log_level;

/* What the host offers. Lives until after deinit(). [thread-safe] Functions that take a call charge
 * it and fail as spend() does. Their results live in call->arena and may point into their
 * arguments. */
struct polycodec_host {
  uint32_t struct_size;
  uint32_t abi;            /* POLYCODEC_ABI_VERSION of the host */
  polycodec_bytes name;    /* "polycodec" */
  polycodec_bytes version; /* of the host library */
  void* private_data;
  /* Writes one line of text, without a newline, to the host's log. */
  void (*log)(const polycodec_host* self, int32_t level, polycodec_bytes text);
  /* Calls the registered function with exactly this name, if the allowlist of `call` allows it.
   * `path` has `n_path` parts such as "zlib", "decompress". `args` is a LIST, `kwargs` an OBJECT or
   * NULL. POLYCODEC_ERROR_DENIED names the patterns that were tried. */
  int32_t (*call_function)(const polycodec_host* self, polycodec_call* call,
                           const polycodec_bytes* path, uint64_t n_path, const polycodec_node* args,
                           const polycodec_node* kwargs, const polycodec_node** result,
                           polycodec_error* error);
  /* Decodes `input` with another codec, by name. `options`: an OBJECT or NULL.
   * POLYCODEC_ERROR_NOT_FOUND if no such codec is installed. */
  int32_t (*decode_with)(const polycodec_host* self, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_input* input,
                         const polycodec_node** root, polycodec_error* error);
  /* Encodes `root` with another codec, by name. */
  int32_t (*encode_with)(const polycodec_host* self, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_node* root,
                         const polycodec_output* output, polycodec_error* error);
  /* The notation of the type that is registered as `name`; it lives as long as the host. */
  int32_t (*lookup_type)(const polycodec_host* self, polycodec_call* call, polycodec_bytes name,
                         polycodec_bytes* notation, polycodec_error* error);
};

/* ---- The plugin ---- */

/* The exported object. It is constant data, so that the host can check it before it runs any code
 * of the plugin. Instances, stores, files and adopted memory each keep their plugin: deinit() runs
 * after the last of them. */
typedef struct polycodec_plugin polycodec_plugin;
struct polycodec_plugin {
  uint32_t struct_size; /* sizeof(polycodec_plugin), as the plugin's compiler saw it */
  uint32_t abi;         /* POLYCODEC_ABI_VERSION, as the plugin's compiler saw it */
  const char* id;       /* equals "id" of the manifest */
  const char* version;  /* equals "version" of the manifest */
  void* private_data;
  /* [load-thread] `host` stays valid until deinit() has returned. NULL: nothing to do. */
  int32_t (*init)(const polycodec_plugin* self, const polycodec_host* host, polycodec_error* error);
  /* Called once, after everything of the plugin was released, if init() succeeded; on any thread.
   * The library stays mapped. NULL: nothing to do. */
  void (*deinit)(const polycodec_plugin* self);
  /* The interface called `id`, such as POLYCODEC_CODECS_INTERFACE, or NULL. Constant between init()
   * and deinit(). */
  const void* (*get_interface)(const polycodec_plugin* self, const char* id);
};

/* A guess at a format. 0: certainly not; 1 to 49: could be; 50 to 89: likely; 90 to 100: a magic
 * number fits. */
typedef struct polycodec_sniff {
  uint32_t struct_size;
  uint32_t score;
  char reason[112]; /* NUL-terminated: what was seen */
} polycodec_sniff;

/* What is common to codec, filter, store format, function and type
 *  - `name` matches ^[a-z][a-z0-9._-]{0,62}$ and is the key of the manifest's entry.
 *  - `manifest`: NULL for an object of a plugin that has a manifest file, which alone describes it.
 *    An object that a program or a bridge made at run time has the entry here, as JSON text.
 *  - `release`: NULL in tables of get_interface(); called when a registry drops an object that a
 *    program has added. */

/* Defines `table`, what get_interface() returns: `count` constant objects. */
#define POLYCODEC_TABLE(table, object) \
  typedef struct table {               \
    uint32_t struct_size;              \
    uint32_t count;                    \
    const object* const* items;        \
  } table

/* ---- Interface "polycodec.codecs/2" ---- */

#define POLYCODEC_CODECS_INTERFACE "polycodec.codecs/2"

/* polycodec_codec.capabilities */
#define POLYCODEC_CAN_DECODE 1u
#define POLYCODEC_CAN_ENCODE 2u
#define POLYCODEC_CAN_READ_STREAM 4u  /* open_reader */
#define POLYCODEC_CAN_WRITE_STREAM 8u /* open_writer */
#define POLYCODEC_CAN_LIST 16u        /* list: several named values in one store */

/* `*size` of encoded_size() if only encoding can tell. */
#define POLYCODEC_SIZE_UNKNOWN UINT64_MAX

/* One step through a stream. The caller fills the first part, next() the second. */
typedef struct polycodec_step {
  uint32_t struct_size;
  uint32_t final;        /* 1: no byte follows `bytes` */
  polycodec_bytes bytes; /* what was not consumed yet; may hold less or more than one value */
  /* the result */
  const polycodec_node* root; /* the next value, or NULL: none yet, or the stream has ended */
  uint64_t consumed;          /* bytes that the step took from the front */
  uint64_t wanted; /* without a value: how many bytes from the new front it takes to continue, at
                      least; more than are left, or 0 if consumed was more than 0 */
} polycodec_step;

/* Reads the values of a stream, with state (a schema, a dictionary). The host calls next() again
 * when `wanted` bytes are there, when the source would block and new bytes are there, or at the
 * end. The reader keeps its scan position, so that no byte is scanned twice for free. Each value
 * lives in the arena of its own call and keeps the reader's. [one-thread] */
typedef struct polycodec_reader polycodec_reader;
struct polycodec_reader {
  uint32_t struct_size;
  uint32_t reserved;
  void* private_data;
  int32_t (*next)(polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                  polycodec_error* error);
  void (*release)(polycodec_reader* self);
};

/* Writes the values of a stream. Segments are written or copied before the appended value dies.
 * [one-thread] */
typedef struct polycodec_writer polycodec_writer;
struct polycodec_writer {
  uint32_t struct_size;
  uint32_t reserved;
  void* private_data;
  int32_t (*append)(polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                    const polycodec_node* root, polycodec_error* error);
  /* Writes what ends the stream. */
  int32_t (*finish)(polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                    polycodec_error* error);
  void (*release)(polycodec_writer* self);
};

/* A codec with its options checked: constant. It has its own functions, so that a strict and a
 * lenient decoder are two tables, not a branch. Functions that the capabilities do not name are
 * NULL. [thread-safe] */
typedef struct polycodec_instance polycodec_instance;
struct polycodec_instance {
  uint32_t struct_size;
  uint32_t reserved;
  void* private_data;
  /* Decodes all of `input` to *root, which lives in call->arena. */
  int32_t (*decode)(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error);
  /* Encodes the value at `root`. On failure the host drops what was written. */
  int32_t (*encode)(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_node* root, const polycodec_output* output,
                    polycodec_error* error);
  /* How many bytes encode() writes to the sink, or POLYCODEC_SIZE_UNKNOWN. NULL: never known. */
  int32_t (*encoded_size)(const polycodec_instance* self, polycodec_call* call,
                          const polycodec_node* root, uint64_t* size, polycodec_error* error);
  int32_t (*open_reader)(const polycodec_instance* self, polycodec_call* call,
                         polycodec_reader** reader, polycodec_error* error);
  int32_t (*open_writer)(const polycodec_instance* self, polycodec_call* call,
                         polycodec_writer** writer, polycodec_error* error);
  /* What a store holds, without decoding it: an OBJECT, each member a named value. Its value is an
   * OBJECT with `blobs`, a LIST of OBJECTs with `name`, maybe `bytes` (absent: the blob is missing)
   * and `filter`; the first blob is the one that describes the value. */
  int32_t (*list)(const polycodec_instance* self, polycodec_call* call,
                  const polycodec_store* store, const polycodec_node** contents,
                  polycodec_error* error);
  void (*release)(const polycodec_instance* self);
};

/* A codec: constant. [thread-safe] */
typedef struct polycodec_codec polycodec_codec;
struct polycodec_codec {
  uint32_t struct_size;
  uint32_t capabilities; /* POLYCODEC_CAN_* */
  uint32_t inputs;       /* POLYCODEC_INPUT_* that decode takes; 0: BYTES */
  uint32_t outputs;      /* POLYCODEC_INPUT_* but FILE that encode takes; 0: BYTES */
  const char* name;
  const char* manifest; /* or NULL */
  void* private_data;
  /* Looks at the first bytes (up to 4096, in input->bytes) of a source, which input->file gives in
   * full where it has one, or at the blobs of input->store. NULL: the manifest's magic numbers
   * alone decide. */
  int32_t (*sniff)(const polycodec_codec* self, polycodec_call* call, const polycodec_input* input,
                   polycodec_sniff* sniff, polycodec_error* error);
  /* Makes an instance from `options` (an OBJECT that the host has checked against the schema, or
   * NULL for the defaults). The nodes of `options` need not outlive the call. call->arena lives as
   * long as the instance, and values may point into it. */
  int32_t (*open)(const polycodec_codec* self, polycodec_call* call, const polycodec_node* options,
                  const polycodec_instance** instance, polycodec_error* error);
  void (*release)(const polycodec_codec* self); /* or NULL */
};

POLYCODEC_TABLE(polycodec_codecs, polycodec_codec);

/* ---- Interface "polycodec.filters/1": bytes to bytes, such as compressors and checksums ---- */

#define POLYCODEC_FILTERS_INTERFACE "polycodec.filters/1"

/* A filter with its options checked: constant. It writes its own format's framing and may work in
 * parallel inside; there is no block size here, because blocks change the format. [thread-safe] */
typedef struct polycodec_filter_instance polycodec_filter_instance;
struct polycodec_filter_instance {
  uint32_t struct_size;
  uint32_t reserved;
  void* private_data;
  /* Filters `n` pieces, one after another, to `sink`. NULL: the filter only decodes. */
  int32_t (*encode)(const polycodec_filter_instance* self, polycodec_call* call,
                    const polycodec_bytes* pieces, uint64_t n, polycodec_sink* sink,
                    polycodec_error* error);
  /* Undoes it. `sink` is CONTIGUOUS. `expected_size` is what the caller knows of the result, or
   * POLYCODEC_SIZE_UNKNOWN: with a known size the window is the destination, and another size is an
   * error (MALFORMED). NULL: the filter only encodes. */
  int32_t (*decode)(const polycodec_filter_instance* self, polycodec_call* call,
                    polycodec_bytes bytes, uint64_t expected_size, polycodec_sink* sink,
                    polycodec_error* error);
  /* What the bytes say about the size of the result, or POLYCODEC_SIZE_UNKNOWN. A hint: nobody
   * allocates beyond the budget for it. NULL: never known. */
  int32_t (*decoded_size)(const polycodec_filter_instance* self, polycodec_call* call,
                          polycodec_bytes bytes, uint64_t* size, polycodec_error* error);
  void (*release)(const polycodec_filter_instance* self);
};

/* A filter: constant. [thread-safe] */
typedef struct polycodec_filter polycodec_filter;
struct polycodec_filter {
  uint32_t struct_size;
  uint32_t capabilities; /* POLYCODEC_CAN_DECODE, POLYCODEC_CAN_ENCODE */
  const char* name;
  const char* manifest; /* or NULL */
  void* private_data;
  /* As polycodec_codec.sniff. NULL: magic numbers alone decide. */
  int32_t (*sniff)(const polycodec_filter* self, polycodec_call* call, const polycodec_input* input,
                   polycodec_sniff* sniff, polycodec_error* error);
  /* As polycodec_codec.open. */
  int32_t (*open)(const polycodec_filter* self, polycodec_call* call, const polycodec_node* options,
                  const polycodec_filter_instance** instance, polycodec_error* error);
  void (*release)(const polycodec_filter* self); /* or NULL */
};

POLYCODEC_TABLE(polycodec_filters, polycodec_filter);

/* ---- Interface "polycodec.stores/1": containers of named blobs in one file, such as HDF5 ---- */

#define POLYCODEC_STORES_INTERFACE "polycodec.stores/1"

/* polycodec_store_format.capabilities, with POLYCODEC_CAN_DECODE for open */
#define POLYCODEC_CAN_CREATE 32u
#define POLYCODEC_CAN_EDIT 64u

/* A file format that is a store: constant. The files that it is given live until release of what it
 * made. [thread-safe] */
typedef struct polycodec_store_format polycodec_store_format;
struct polycodec_store_format {
  uint32_t struct_size;
  uint32_t capabilities; /* POLYCODEC_CAN_DECODE, _CREATE, _EDIT */
  const char* name;
  const char* manifest; /* or NULL */
  void* private_data;
  /* As polycodec_codec.sniff. NULL: magic numbers alone decide. */
  int32_t (*sniff)(const polycodec_store_format* self, polycodec_call* call,
                   const polycodec_input* input, polycodec_sniff* sniff, polycodec_error* error);
  /* `options` as in polycodec_codec.open. call->arena lives as long as the store. */
  int32_t (*open)(const polycodec_store_format* self, polycodec_call* call,
                  const polycodec_file* file, const polycodec_node* options,
                  const polycodec_store** store, polycodec_error* error);
  /* A new store in an empty file. NULL without CAN_CREATE. */
  int32_t (*create)(const polycodec_store_format* self, polycodec_call* call,
                    polycodec_output_file* file, const polycodec_node* options,
                    polycodec_store_writer** writer, polycodec_error* error);
  /* Changes the store in `file`, a private copy that the host made under its own lock. What was not
   * changed stays as it is, also what the store does not list. NULL without CAN_EDIT. */
  int32_t (*edit)(const polycodec_store_format* self, polycodec_call* call,
                  polycodec_output_file* file, const polycodec_node* options,
                  polycodec_store_writer** writer, polycodec_error* error);
  void (*release)(const polycodec_store_format* self); /* or NULL */
};

POLYCODEC_TABLE(polycodec_stores, polycodec_store_format);

/* ---- Interface "polycodec.functions/2": functions that data may call by name ---- */

#define POLYCODEC_FUNCTIONS_INTERFACE "polycodec.functions/2"

/* A function that data may call if the allowlist allows it. Its name is a list of parts and is
 * compared whole. [thread-safe] */
typedef struct polycodec_function polycodec_function;
struct polycodec_function {
  uint32_t struct_size;
  uint32_t n_path;
  const char* const* path; /* n_path parts, such as "zlib", "decompress" */
  const char* doc;         /* one line */
  uint32_t min_args;
  uint32_t max_args; /* UINT32_MAX: any number */
  void* private_data;
  /* The host has checked the allowlist and the number of arguments. `args` is a LIST, `kwargs` an
   * OBJECT or NULL. The result lives in call->arena and may point into the arguments. */
  int32_t (*call)(const polycodec_function* self, polycodec_call* call, const polycodec_node* args,
                  const polycodec_node* kwargs, const polycodec_node** result,
                  polycodec_error* error);
  void (*release)(const polycodec_function* self); /* or NULL */
};

POLYCODEC_TABLE(polycodec_functions, polycodec_function);

/* ---- Interface "polycodec.types/1": types that notation, schemas and rules refer to by name ----
 */

#define POLYCODEC_TYPES_INTERFACE "polycodec.types/1"

/* A named type: data only. */
typedef struct polycodec_type polycodec_type;
struct polycodec_type {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;     /* such as "mesh" */
  const char* notation; /* datashape; may refer to other named types, never to itself */
  const char* doc;      /* one line */
  void* private_data;
  void (*release)(const polycodec_type* self); /* or NULL */
};

POLYCODEC_TABLE(polycodec_types, polycodec_type);

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_ABI_H */
