/* SPDX-License-Identifier: MIT
 *
 * The plugin ABI, part 3: the host's side of a call. <polycodec/abi.h> has the rules.
 */
#ifndef POLYCODEC_ABI_SERVICES_H
#define POLYCODEC_ABI_SERVICES_H

#include <polycodec/abi/streams.h>
#include <polycodec/abi/values.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* What the caller wants of a value. A codec may omit what is not named, and have nulls in place of
 * rows before first_row. A codec that ignores the projection is still right. */
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
  /* Since 2.1, or NULL: one. Returns how many threads may share a parallel_for of many parts, this
   * one among them. It chooses between two ways to the same result, and never the result: work that
   * only several threads pay for is left out on one. Ask for long inputs alone, once a call: the
   * answer may take some 50 us. */
  uint32_t (*threads)(const polycodec_call* self);
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

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_ABI_SERVICES_H */
