/* SPDX-License-Identifier: MIT
 *
 * The plugin ABI, part 1: versions, errors, and the value model. <polycodec/abi.h> has the rules.
 */
#ifndef POLYCODEC_ABI_VALUES_H
#define POLYCODEC_ABI_VALUES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Libraries of different majors live in different directories and export different symbols: they
 * never meet. A minor version appends fields, enumerators and interfaces. */
#define POLYCODEC_ABI_MAJOR 2
#define POLYCODEC_ABI_MINOR 1
#define POLYCODEC_ABI_VERSION (((uint32_t)POLYCODEC_ABI_MAJOR << 16) | POLYCODEC_ABI_MINOR)

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
  POLYCODEC_ERROR_IO = 14,         /* the operating system failed */
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
  /* Receives the whole message and path of an error that does not fit above: once, on the thread
   * of the call, before it returns. Both live during say() alone. From a plugin the host takes at
   * most 64 KiB, and nothing after the call. What the host says is UTF-8 of at most 64 KiB, in
   * which control characters but tab and newline are escaped. NULL: dropped. Rationale: advice
   * comes last in a message, where it is cut first. */
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

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_ABI_VALUES_H */
