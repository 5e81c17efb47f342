/* SPDX-License-Identifier: MIT
 *
 * The plugin ABI, part 2: where bytes come from and go to. <polycodec/abi.h> has the rules.
 */
#ifndef POLYCODEC_ABI_STREAMS_H
#define POLYCODEC_ABI_STREAMS_H

#include <polycodec/abi/values.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files, stores, input ----
 *
 * A plugin never opens a path. The host hands it files and stores; a plugin may implement stores
 * over a file, see polycodec_store_format. */

typedef struct polycodec_call polycodec_call; /* <polycodec/abi/services.h> */

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
    /* What `data` may alias for all that a compiler knows, the sink included, would cost a step a
     * byte. */
    uint8_t* __restrict to = sink->cursor;
    const uint8_t* __restrict piece = from;
    for (uint64_t i = 0; i < part; ++i) to[i] = piece[i];
    sink->cursor += (uintptr_t)part; /* in 32 bits some languages add nothing wider to a pointer */
    from += (uintptr_t)part;
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

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_ABI_STREAMS_H */
