/* SPDX-License-Identifier: MIT
 *
 * The plugin ABI, part 4: the plugin and its interfaces. <polycodec/abi.h> has the rules.
 */
#ifndef POLYCODEC_ABI_PLUGIN_H
#define POLYCODEC_ABI_PLUGIN_H

#include <polycodec/abi/services.h>
#include <polycodec/abi/streams.h>
#include <polycodec/abi/values.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The plugin ---- */

#define POLYCODEC_EXPORT __attribute__((visibility("default")))

/* The one symbol that a plugin exports: a const object of type polycodec_plugin, no function. */
#define POLYCODEC_ENTRY_SYMBOL "polycodec_plugin_v2"

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

/* A file format that is a store: constant. The files that it is given live until release of the
 * objects that it made. [thread-safe] */
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

#endif /* POLYCODEC_ABI_PLUGIN_H */
