/* SPDX-License-Identifier: MIT
 *
 * polycodec for host programs in C and all languages that call C. docs/hosts.md is the way in.
 *
 * Handles
 *  - polycodec_registry, polycodec_opened_codec, polycodec_source, polycodec_value,
 *    polycodec_budget and polycodec_schema never change once they are made and are counted:
 *    `_retain` adds a holder, `_release` ends one, on any thread. All calls with them are
 *    [thread-safe]: any number of threads may use one handle at once. What a handle was made from
 *    may be released before it.
 *  - A value that is being filled (polycodec_value_create, polycodec_opened_codec_decode_into), a
 *    sink, a store writer, a stream, a collection, a message and a channel are [one-thread]: calls
 *    for one of them never overlap.
 *  - `_release` and `_free` accept NULL. Every other function answers NULL, and a handle of another
 *    kind, with POLYCODEC_ERROR_INVALID.
 *
 * Calls
 *  - A function that can fail returns POLYCODEC_OK or a code of polycodec_status. `error` comes
 *    last, is the caller's memory, and is filled on failure only; it may be NULL. Messages are as
 *    long as they must be, and end with what to do: what does not fit into the struct goes to its
 *    say(). Results are written on success only, unless a comment says otherwise. Nothing is kept
 *    per thread.
 *  - No function throws, prints, exits, or changes the locale, signal handlers or the environment.
 *  - polycodec_bytes that a caller passes are read during the call alone, unless a comment says
 *    otherwise. {NULL, 0} is an empty text. Text is UTF-8.
 *  - A struct that begins with `struct_size` is zeroed by the caller, who then sets the size, as
 *    in `polycodec_call_options call = {.struct_size = sizeof call}`. Zero is the default of each
 *    field, and NULL for the pointer is a struct of defaults. A library that is older than the
 *    struct answers POLYCODEC_ERROR_UNSUPPORTED if a field that it does not know is set.
 *  - Callbacks run during the call, on its thread or on others that work for it. They must
 *    return normally. log, on_loss and on_progress must not call the registry.
 *
 * fork()
 *  - After fork() the child may use all handles if no other thread was inside of a call; otherwise
 *    it may only call exec() or _exit(). The library's own threads are made anew.
 *
 * Versions
 *  - From version 0.3.0 on functions and fields are only ever added. A program runs with every
 *    library of the same soname whose polycodec_library_api() is at least the
 *    POLYCODEC_HOST_API_VERSION that it was compiled with. The symbols have the version
 *    POLYCODEC_0.3.
 */
#ifndef POLYCODEC_HOST_H
#define POLYCODEC_HOST_H

#include <polycodec/abi.h>
#include <polycodec/items.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the functions of this header. */
#define POLYCODEC_HOST_API POLYCODEC_EXPORT

#define POLYCODEC_HOST_API_MAJOR 0
#define POLYCODEC_HOST_API_MINOR 3
#define POLYCODEC_HOST_API_VERSION \
  (((uint32_t)POLYCODEC_HOST_API_MAJOR << 16) | POLYCODEC_HOST_API_MINOR)

typedef struct polycodec_registry polycodec_registry;
typedef struct polycodec_opened_codec polycodec_opened_codec;
typedef struct polycodec_source polycodec_source;
typedef struct polycodec_value polycodec_value;
typedef struct polycodec_schema polycodec_schema;
typedef struct polycodec_budget polycodec_budget;
typedef struct polycodec_stream polycodec_stream;
typedef struct polycodec_stream_writer polycodec_stream_writer;
typedef struct polycodec_collection polycodec_collection;
typedef struct polycodec_channel polycodec_channel;
typedef struct polycodec_message polycodec_message;

/* ---- The library ---- */

/* The version of the library, such as "0.3.0"; constant. */
POLYCODEC_HOST_API const char* polycodec_library_version(void);
/* The POLYCODEC_HOST_API_VERSION of the library. */
POLYCODEC_HOST_API uint32_t polycodec_library_api(void);
/* Gives the memory of freed values that is kept for the next ones (at most 128 MiB; 8 MiB after
 * 1/4 s of rest) back to the system. [thread-safe] */
POLYCODEC_HOST_API void polycodec_library_trim(void);
/* The word for a status, such as "not_found"; "unknown" for other numbers. Constant. */
POLYCODEC_HOST_API const char* polycodec_status_name(int32_t status);

/* ---- Sinks: where bytes and text go ---- */

/* Makes a sink that takes at most `max_bytes` (0: no bound). flags: POLYCODEC_SINK_CONTIGUOUS for
 * one buffer; 0 for segments, where large arrays are referenced and not copied. Functions of this
 * header take sinks from here alone and write after what a sink holds; where they fail, they leave
 * it empty. A sink keeps the values that its segments view. */
POLYCODEC_HOST_API int32_t polycodec_sink_create(uint32_t flags, uint64_t max_bytes,
                                                 polycodec_sink** sink, polycodec_error* error);
/* What was written, in order: `*n` pieces with the layout of `struct iovec`. Valid until the next
 * call with the sink. */
POLYCODEC_HOST_API int32_t polycodec_sink_segments(polycodec_sink* sink,
                                                   const polycodec_bytes** segments, uint64_t* n,
                                                   polycodec_error* error);
/* What was written, in one piece that a NUL follows. Valid until the next call with the sink. A
 * sink of segments copies them for it. */
POLYCODEC_HOST_API int32_t polycodec_sink_bytes(polycodec_sink* sink, polycodec_bytes* bytes,
                                                polycodec_error* error);
/* Drops what was written and keeps the memory for the next use. */
POLYCODEC_HOST_API int32_t polycodec_sink_reset(polycodec_sink* sink, polycodec_error* error);
POLYCODEC_HOST_API void polycodec_sink_free(polycodec_sink* sink);

/* polycodec_write_options.flags. KEEP: a file that exists is an error (IO). SYNC: wait until
 * content and name are on the disk. BYTES: of polycodec_encode_file() without a format: no codec,
 * but the bytes or the string that the value is. */
#define POLYCODEC_WRITE_KEEP 1u
#define POLYCODEC_WRITE_SYNC 2u
#define POLYCODEC_WRITE_BYTES 4u

/* How a file is replaced. It is complete or as it was at any time. */
typedef struct polycodec_write_options {
  uint32_t struct_size;
  uint32_t flags;        /* POLYCODEC_WRITE_* */
  uint32_t lock_seconds; /* how long to wait for others that change the same store; 0: 60 */
  uint32_t reserved;
  /* A directory that the path is below, or empty. Missing directories between them are made, and a
   * symbolic link between them or at the path, a pipe and a device are DENIED: who else may write
   * there cannot lead the output elsewhere. The root itself may be a link. */
  polycodec_bytes root;
} polycodec_write_options;

/* ---- Sources: what is decoded ---- */

/* What a source is made of. */
enum {
  POLYCODEC_SOURCE_BYTES = 0,      /* bytes in memory */
  POLYCODEC_SOURCE_PATH = 1,       /* a file, or a directory as a store */
  POLYCODEC_SOURCE_DESCRIPTOR = 2, /* what can be read from its position on; it is not closed */
  POLYCODEC_SOURCE_FILE = 3,
  POLYCODEC_SOURCE_STORE = 4
};

/* polycodec_source_options.flags. COPY: read a file into memory instead of mapping it, so that
 * others may change or truncate it afterwards. CHANGING: others may write to the bytes, such as to
 * a mapping of a file; structure is copied out of them, as out of files that others may write
 * (docs/trust.md), and numbers, text and bytes stay views and may change. Without it the caller
 * promises that nobody changes the bytes as long as the source and all values from it: they view
 * offsets and indices there, which were checked once. MAP: of DESCRIPTOR: a regular file, which is
 * at its start, is mapped and not read. COMPANIONS: of PATH: a store of the files in the
 * directory of the file, which itself need not be there. They are found by name alone: none is
 * listed, and hidden files and what symbolic links lead to are DENIED. */
#define POLYCODEC_SOURCE_COPY 1u
#define POLYCODEC_SOURCE_CHANGING 2u
#define POLYCODEC_SOURCE_COMPANIONS 4u
#define POLYCODEC_SOURCE_MAP 8u

/* A source. Zero the struct; `from` says which of the fields is read. */
typedef struct polycodec_source_options {
  uint32_t struct_size;
  uint32_t flags;        /* POLYCODEC_SOURCE_* */
  int32_t from;          /* POLYCODEC_SOURCE_BYTES .. STORE */
  int32_t descriptor;    /* DESCRIPTOR */
  polycodec_bytes bytes; /* BYTES */
  polycodec_bytes path;  /* PATH */
  /* FILE: one from polycodec_file_open(), which the source shares, or one of the program's own.
   * That gets a NULL call in its functions, and all of it is read at once: streams read in
   * parts. */
  const polycodec_file* file;
  /* STORE: one from polycodec_store_open() or polycodec_store_from_memory(), which the source
   * shares, or one of the program's own. That gets a NULL call in its functions, and lives as long
   * as the source and all values from it. Its blobs may change, as with CHANGING. */
  const polycodec_store* store;
  polycodec_bytes name; /* for messages and hints (a file name), or empty */
  /* BYTES, STORE: release(owner) is called once when nothing views the bytes or reads the store any
   * more, also if the call fails. NULL: the caller keeps them so long. */
  void* owner;
  void (*release)(void* owner);
  const polycodec_limits* limits; /* of PATH, DESCRIPTOR and FILE; or NULL */
} polycodec_source_options;

POLYCODEC_HOST_API int32_t polycodec_source_open(const polycodec_source_options* options,
                                                 polycodec_source** source, polycodec_error* error);
/* The bytes, which live as long as the source; empty for a store. */
POLYCODEC_HOST_API int32_t polycodec_source_bytes(const polycodec_source* source,
                                                  polycodec_bytes* bytes, polycodec_error* error);
POLYCODEC_HOST_API polycodec_source* polycodec_source_retain(polycodec_source* source);
POLYCODEC_HOST_API void polycodec_source_release(polycodec_source* source);

/* A file for objects of the program. Its functions accept a NULL call. The caller releases it.
 * flags: POLYCODEC_SOURCE_COPY. */
POLYCODEC_HOST_API int32_t polycodec_file_open(polycodec_bytes path, uint32_t flags,
                                               const polycodec_file** file, polycodec_error* error);

/* ---- The registry: the codecs that a program may use ---- */

/* Objects of the program: tables as plugins have them, each (but functions and types) with its
 * entry of a manifest as JSON in `manifest`. They are checked, limited and chosen as those of
 * plugins are, and come before all others. On success the registry takes them over and calls their
 * `release`, where there is one, when the last user is gone; on failure they stay the caller's. */
typedef struct polycodec_objects {
  uint32_t struct_size;
  uint32_t n_codecs;
  const polycodec_codec* const* codecs;
  const polycodec_filter* const* filters;
  const polycodec_store_format* const* stores;
  const polycodec_function* const* functions;
  const polycodec_type* const* types;
  uint32_t n_filters;
  uint32_t n_stores;
  uint32_t n_functions;
  uint32_t n_types;
} polycodec_objects;

/* The threads of the host program, for codecs that work in parallel. [thread-safe] */
typedef struct polycodec_executor polycodec_executor;
struct polycodec_executor {
  uint32_t struct_size;
  uint32_t reserved;
  void* private_data;
  /* Calls task(data, i) for each i < n once, on any threads, this one among them or not, and
   * returns when all have ended. Tasks need not run at the same time, and some may be left out. */
  void (*run)(const polycodec_executor* self, uint64_t n, void (*task)(void* data, uint64_t i),
              void* data);
};

/* polycodec_registry_options.flags. NO_ENVIRONMENT: ignore POLYCODEC_PLUGIN_PATH,
 * POLYCODEC_PLUGIN_SYSTEM_PATH, VIRTUAL_ENV, CONDA_PREFIX, XDG_DATA_HOME and HOME (privileged
 * processes always do). NO_BUILTINS: without the codecs that are linked into the library.
 * DEFAULT_CONFIG: the first layer is the file that POLYCODEC_CONFIG names, if it is set. GUARD: for
 * programs that own the handler of SIGBUS, which the library sets then: from now on a file that is
 * cut short while it is mapped reads as zeros, and calls that decode or write, and those for the
 * bytes of a source or a sink, are IO with the detail `io.cut_short`. ISOLATE_FOREIGN: no native
 * code of a plugin from outside of this package runs in the process of the program, whatever the
 * configuration says. WebAssembly modules run there, in a sandbox of their own.
 */
#define POLYCODEC_REGISTRY_NO_ENVIRONMENT 1u
#define POLYCODEC_REGISTRY_NO_BUILTINS 2u
#define POLYCODEC_REGISTRY_DEFAULT_CONFIG 4u
#define POLYCODEC_REGISTRY_GUARD 8u
#define POLYCODEC_REGISTRY_ISOLATE_FOREIGN 16u

typedef struct polycodec_registry_options {
  uint32_t struct_size;
  uint32_t flags; /* POLYCODEC_REGISTRY_* */
  /* Layers of configuration: the text of a file each (docs/configuration.md). Each key that a later
   * layer has is the one that holds; of `plugins`, `policy`, `limits`, `types`, `defaults` and
   * `defaults.options` each key of theirs. */
  const polycodec_bytes* layers;
  const polycodec_bytes* layer_names; /* what messages call each layer, or NULL */
  uint32_t n_layers;
  uint32_t threads; /* at most, for one call; 0: the caller's alone; UINT32_MAX: all processors */
  const polycodec_bytes* plugin_paths; /* directories instead of the default one; absolute */
  const polycodec_bytes* add_paths;    /* directories before the others; absolute */
  uint32_t n_plugin_paths;
  uint32_t n_add_paths;
  /* A registry whose catalog this one has, with further `objects`: nothing is searched, and other
   * fields than these two are not set. `base` stays as it is. */
  const polycodec_registry* base;
  const polycodec_objects* objects; /* of the program, or NULL */
  const polycodec_limits* limits;   /* instead of those of the configuration, or NULL */
  polycodec_bytes allowlist; /* functions that data may call, as JSON; empty: as configured */
  /* Where plugins run: a mode, or JSON as the key `policy.isolation` (docs/isolation.md). Empty: as
   * configured. */
  polycodec_bytes isolation;
  /* Lives as long as the registry and its values. NULL: the library's own, if `threads` is > 1. */
  const polycodec_executor* executor;
  /* Receives one line of text without a newline; level is a polycodec_log_level, origin "registry"
   * or "plugin". Called from any thread, as long as the registry or a value of it lives. NULL:
   * nothing is logged. */
  void (*log)(void* log_data, int32_t level, polycodec_bytes origin, polycodec_bytes text);
  void* log_data;
  /* Further functions that data may call, as JSON, beside `allowlist`, the configuration's or what
   * a codec needs; empty: as configured. */
  polycodec_bytes allow_also;
} polycodec_registry_options;

/* Searches the directories, reads the manifests and freezes the catalog. Loads no plugin. A plugin
 * that is rejected leaves a record and is not an error. */
POLYCODEC_HOST_API int32_t polycodec_registry_open(const polycodec_registry_options* options,
                                                   polycodec_registry** registry,
                                                   polycodec_error* error);
POLYCODEC_HOST_API polycodec_registry* polycodec_registry_retain(polycodec_registry* registry);
POLYCODEC_HOST_API void polycodec_registry_release(polycodec_registry* registry);

/* What bounds a call with the limits `given` (or NULL), for a program that reads input itself: they
 * are those for `input` bytes where they grow with it (UINT64_MAX: the most that they reach). The
 * program sets `limits->struct_size`. */
POLYCODEC_HOST_API int32_t polycodec_registry_limits(const polycodec_registry* registry,
                                                     const polycodec_limits* given, uint64_t input,
                                                     polycodec_limits* limits,
                                                     polycodec_error* error);

/* What polycodec_registry_describe() writes. */
enum {
  POLYCODEC_DESCRIBE_CODECS = 0, /* lists of objects, up to FUNCTIONS. Those of codecs, filters and
                                    stores have in "denied" what the policy denies of "read" and
                                    "write" */
  POLYCODEC_DESCRIBE_FILTERS = 1,
  POLYCODEC_DESCRIBE_STORES = 2,
  POLYCODEC_DESCRIBE_TYPES = 3,
  POLYCODEC_DESCRIBE_PLUGINS = 4,     /* manifests in the catalog */
  POLYCODEC_DESCRIBE_RECORDS = 5,     /* every candidate, and why it was rejected */
  POLYCODEC_DESCRIBE_DIRECTORIES = 6, /* the search path */
  POLYCODEC_DESCRIBE_FUNCTIONS = 7,   /* {"name": [PARTS], "plugin", "allowed"} */
  POLYCODEC_DESCRIBE_SETTINGS = 8,    /* [{"key", "value", "origin"}]: origin is NAME:LINE of a
                                         layer, "the program", a variable, or "default" */
  POLYCODEC_DESCRIBE_DIAGNOSIS = 9,   /* loads every plugin: {"ok", "version", "abi", "environment",
                                         "directories", "records", "configuration_line"} */
  POLYCODEC_DESCRIBE_CODEC = 10,      /* the codec, filter or store `name`, or an alias of it */
  POLYCODEC_DESCRIBE_PLUGIN = 11,     /* loads the plugin with the id `name`: its record */
  POLYCODEC_DESCRIBE_MISSING = 12,    /* {"reason"}: why `name` is missing, and what to do */
  POLYCODEC_DESCRIBE_OFFER = 13,      /* of the codecs that it decodes, for the peer `name` */
  POLYCODEC_DESCRIBE_CONFIG_SCHEMA = 14,   /* of configuration files; `registry` may be NULL */
  POLYCODEC_DESCRIBE_MANIFEST_SCHEMA = 15, /* of manifests; `registry` may be NULL */
  POLYCODEC_DESCRIBE_MANIFEST = 16 /* the manifest in the file `name`, as PLUGINS lists it, or
                                      PLUGIN with all that is wrong; `registry` may be NULL */
};

/* Writes JSON to `sink`: what the registry has, or with a `name` one thing of it. NOT_FOUND. */
POLYCODEC_HOST_API int32_t polycodec_registry_describe(const polycodec_registry* registry,
                                                       int32_t what, polycodec_bytes name,
                                                       polycodec_sink* sink,
                                                       polycodec_error* error);

/* flags of polycodec_config_check(). NO_CODECS: do not look for the codecs that it names, which
 * opens a registry and loads plugins. */
#define POLYCODEC_CHECK_NO_CODECS 1u

/* Finds all that is wrong with the text of a configuration. Sets *problems to the number of errors
 * and writes [{"line", "key", "message", "severity": "error" or "warning"}] to `sink` (or NULL). */
POLYCODEC_HOST_API int32_t polycodec_config_check(polycodec_bytes text, uint32_t flags,
                                                  uint64_t* problems, polycodec_sink* sink,
                                                  polycodec_error* error);

/* How a codec was chosen. */
enum {
  POLYCODEC_BY_NAME = 0,
  POLYCODEC_BY_HEADER = 1, /* of a message */
  POLYCODEC_BY_CONTENT = 2,
  POLYCODEC_BY_EXTENSION = 3
};

/* A codec that may fit a source. */
typedef struct polycodec_match {
  uint32_t struct_size;
  int32_t by;            /* POLYCODEC_BY_* */
  uint32_t score;        /* 0 to 100, see polycodec_sniff */
  uint32_t extension;    /* 1: the file name has an extension of the codec */
  polycodec_bytes codec; /* "text": typed JSON; "raw": bytes as they are. Lives as long as the
                            registry */
  uint64_t body_offset;  /* of a message: where its body begins */
  uint64_t body_size;    /* 0 for a store */
  char reason[112];      /* in words */
  char filters[64];      /* compression and the like around the body, as "zlib, crc32" */
} polycodec_match;

/* Chooses the codec for a source: by message header, content, and extension. AMBIGUOUS with the
 * candidates, NOT_FOUND, DENIED. The caller sets match->struct_size. Writes all codecs that may fit
 * to `candidates` (or NULL), best first, as [{"codec", "by", "score", "extension", "reason"}], of a
 * message with "options" and "filters" of its header as JSON text; also where none was chosen. That
 * loads plugins. */
POLYCODEC_HOST_API int32_t polycodec_registry_choose(const polycodec_registry* registry,
                                                     const polycodec_source* source,
                                                     polycodec_match* match,
                                                     polycodec_sink* candidates,
                                                     polycodec_error* error);

/* ---- Calls ---- */

/* Limits of calls are the ABI's polycodec_limits. In this header 0 in a field is the default of the
 * registry. `deadline` is a time of CLOCK_MONOTONIC. */

/* A set of classes of loss: POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_DATA) | ... */
#define POLYCODEC_LOSSES_OF(loss_class) (1u << (loss_class))

/* polycodec_call_options.flags. STRUCTURE: check only the structure of a decoded value, and no
 * checksums of ZIP archives; use it for trusted input. AS_IS: do not make the value of a message
 * fit the datatype of its header. NO_COMPANIONS: codecs may not look at the files beside a file.
 * PARTIAL: values that a projection has narrowed may be encoded. LOSSLESS: no notes are lost.
 * TOLERANT: the codec gets the option `tolerant`, and so mends what breaks a rule of its format;
 * losses of the class MENDED are allowed, unless LOSSLESS forbids them. A codec without the option
 * says so in the log and in its errors; one that is open already must have been opened with it.
 * COMPARE: what is written to a file is read back before the file is put in place, see
 * polycodec_result; what is written to a sink is read back for losses of the class RETYPED
 * alone. STREAM: polycodec_convert() converts values that follow each other one by one. */
#define POLYCODEC_CALL_STRUCTURE 1u
#define POLYCODEC_CALL_AS_IS 2u
#define POLYCODEC_CALL_NO_COMPANIONS 4u
#define POLYCODEC_CALL_PARTIAL 8u
#define POLYCODEC_CALL_LOSSLESS 16u
#define POLYCODEC_CALL_TOLERANT 32u
#define POLYCODEC_CALL_COMPARE 64u
#define POLYCODEC_CALL_STREAM 128u

/* How far a call is. Of a source in memory or mapped, all bytes are handed to the codec at once. */
typedef struct polycodec_progress {
  uint32_t struct_size;
  uint32_t is_last;    /* 1: the call has succeeded */
  uint64_t work;       /* units (polycodec_call.credit) that codecs have asked for */
  uint64_t input;      /* bytes that were handed to codecs */
  uint64_t input_size; /* bytes of the source; 0: it is not known, or a value is encoded */
  uint64_t output;     /* bytes written; 0 for stores of blobs until they are complete */
} polycodec_progress;

/* What applies to one call. */
typedef struct polycodec_call_options {
  uint32_t struct_size;
  uint32_t flags;                 /* POLYCODEC_CALL_* */
  const polycodec_limits* limits; /* or NULL */
  /* The call ends with CANCELLED soon after another thread or a signal handler stores 1 there (it
   * is 0 before). NULL: never. */
  const uint8_t* cancel;
  const polycodec_projection* projection; /* for decoding: the part that is wanted, or NULL */
  polycodec_bytes member; /* which named value of a store to decode, or the name to encode under */
  polycodec_bytes allowlist; /* functions that data may call, as JSON; empty: the registry's */
  /* Is notified of each thing that a codec leaves out, at `path`. It is needed for `losses`. */
  void (*on_loss)(void* loss_data, int32_t loss_class, polycodec_bytes path, polycodec_bytes what);
  void* loss_data;
  uint32_t losses;  /* classes of loss that are allowed beside notes: POLYCODEC_LOSSES_OF() */
  uint32_t threads; /* as polycodec_registry_options.threads; 0: those of the registry */
  /* One budget for several calls on one input, instead of `limits` and `cancel`; or NULL. */
  const polycodec_budget* budget;
  /* Receives, on the thread of the call, its progress: every 50 ms while it works, and at its end
   * if it succeeds. Any result but 0 ends the call with CANCELLED. Not with `budget`, and not for
   * streams and collections. NULL: not reported. */
  int32_t (*on_progress)(void* progress_data, const polycodec_progress* progress);
  void* progress_data;
  /* For decoding: a path, as of polycodec_value_find(), to the part that is wanted instead of the
   * whole; empty: all. NOT_FOUND if there is none. Not for polycodec_opened_codec_decode_into(),
   * streams and collections. */
  polycodec_bytes select;
  /* polycodec_decode(): the codec that is to write the value, or an extension with its dot, for
   * codecs that read one file as several kinds of values; or empty. */
  polycodec_bytes destination;
  /* Further functions that data may call, as JSON, beside all others that are allowed; or empty. */
  polycodec_bytes allow_also;
} polycodec_call_options;

/* Makes a budget of work, memory and output for several calls: polycodec_call_options.budget. 0 in
 * a field of `limits` (or NULL) is the default of `registry` (or NULL: of the library). With a
 * `value` (or NULL) it is for walks of the caller's own over that, which it keeps: it is as large
 * as that of the library's walks, grows with what the value was decoded from, or with the memory
 * that it is made of where it was not decoded, and 0 in `limits` is that of the call that decoded
 * it. Inside of polycodec_budget_walk() that is the budget around it. `cancel` (or NULL) is as in
 * polycodec_call_options, and lives as long as the budget. */
POLYCODEC_HOST_API int32_t polycodec_budget_create(const polycodec_registry* registry,
                                                   polycodec_value* value,
                                                   const polycodec_limits* limits,
                                                   const uint8_t* cancel, polycodec_budget** budget,
                                                   polycodec_error* error);
POLYCODEC_HOST_API void polycodec_budget_release(polycodec_budget* budget);
/* Charges `units` of work, about 5 ns each, and `bytes` of memory, which stay charged as long as
 * the budget lives. LIMIT, which names the limit, if there are not so many left; CANCELLED. Each
 * call takes some 20 ns, so that hot loops charge in slices, of 10,000 units say. */
POLYCODEC_HOST_API int32_t polycodec_budget_spend(polycodec_budget* budget, uint64_t units,
                                                  uint64_t bytes, polycodec_error* error);
/* Runs body(data). Meanwhile all that the library does on this thread with values, but for calls of
 * codecs, charges the budget: parts, printing, comparing, Arrow. */
POLYCODEC_HOST_API int32_t polycodec_budget_walk(polycodec_budget* budget, void (*body)(void* data),
                                                 void* data, polycodec_error* error);

/* polycodec_format.flags. OF_OTHERS: options and filters are not the program's own: they come with
 * data, or from a user who may not do what the program may. Then an option that names a file to
 * open, or that its manifest marks as `host_only`, is DENIED. */
#define POLYCODEC_FORMAT_OF_OTHERS 1u

/* A codec with its options and filters. */
typedef struct polycodec_format {
  uint32_t struct_size;
  uint32_t flags;          /* POLYCODEC_FORMAT_* */
  polycodec_bytes codec;   /* name or alias; "text" is typed JSON */
  polycodec_bytes options; /* a JSON object, or empty */
  polycodec_bytes
      filters; /* after the codec, as a JSON list [{"id": NAME, OPTION: VALUE}], or empty */
  /* Of polycodec_registry_open_codec() without `codec`: what is going to be written, of which the
   * extension and the rules of the configuration choose. */
  polycodec_bytes path;
  const polycodec_value* value; /* or NULL: rules about types do not apply */
} polycodec_format;

/* How much of a value a conversion keeps (docs/loss.md). */
enum {
  POLYCODEC_KEPT_UNKNOWN = 0,      /* nobody compared: see `reason` */
  POLYCODEC_KEPT_SAME = 1,         /* kinds, types and bits */
  POLYCODEC_KEPT_SAME_ITEMS = 2,   /* but for tuples that are lists, and the like */
  POLYCODEC_KEPT_SAME_NUMBERS = 3, /* but for the types of numbers and times */
  POLYCODEC_KEPT_DIFFERENT = 4     /* but for the losses that were reported */
};

/* What was written. The caller sets struct_size. */
typedef struct polycodec_result {
  uint32_t struct_size;
  int32_t kept;        /* POLYCODEC_KEPT_*: with POLYCODEC_CALL_COMPARE */
  uint64_t bytes;      /* in all files */
  uint32_t is_partial; /* 1: of a value that a projection has narrowed */
  uint32_t reserved;
  char codec[64];   /* that was named or chosen */
  char reason[112]; /* why the values were not compared, or for DIFFERENT what differs */
  char path[208];   /* for DIFFERENT: where */
  char from[64];    /* of polycodec_convert(): the codec that was read */
} polycodec_result;

/* ---- Opened codecs ---- */

/* Loads the codec's plugin if need be and opens it: format->codec, or the one for an output that is
 * chosen for format->path and format->value. NOT_FOUND (with everything that is known about why),
 * AMBIGUOUS, DENIED, PLUGIN, OPTION. */
POLYCODEC_HOST_API int32_t polycodec_registry_open_codec(const polycodec_registry* registry,
                                                         const polycodec_format* format,
                                                         polycodec_opened_codec** codec,
                                                         polycodec_error* error);
POLYCODEC_HOST_API polycodec_opened_codec* polycodec_opened_codec_retain(
    polycodec_opened_codec* codec);
POLYCODEC_HOST_API void polycodec_opened_codec_release(polycodec_opened_codec* codec);
/* Writes {"codec": NAME, "options": {...}, "filters": [...]}. */
POLYCODEC_HOST_API int32_t polycodec_opened_codec_describe(const polycodec_opened_codec* codec,
                                                           polycodec_sink* sink,
                                                           polycodec_error* error);
/* Decodes all of a source. The value keeps what it views. */
POLYCODEC_HOST_API int32_t polycodec_opened_codec_decode(const polycodec_opened_codec* codec,
                                                         const polycodec_source* source,
                                                         const polycodec_call_options* call,
                                                         polycodec_value** value,
                                                         polycodec_error* error);
/* The same from bytes that the caller keeps, unchanged, as long as the value, into a value with one
 * holder, whose memory is used again: the least work for a call. On failure it is the null value.
 */
POLYCODEC_HOST_API int32_t polycodec_opened_codec_decode_into(const polycodec_opened_codec* codec,
                                                              polycodec_bytes bytes,
                                                              const polycodec_call_options* call,
                                                              polycodec_value* value,
                                                              polycodec_error* error);
/* Encodes a value to `sink`, which then keeps it, or with NULL to the named blobs of `writer`, from
 * polycodec_store_edit(): the caller calls its commit() before the value dies. `result` (or NULL)
 * receives what was written. */
POLYCODEC_HOST_API int32_t polycodec_opened_codec_encode(
    const polycodec_opened_codec* codec, polycodec_value* value, const polycodec_call_options* call,
    polycodec_sink* sink, polycodec_store_writer* writer, polycodec_result* result,
    polycodec_error* error);

/* Lists the named values of a source that is a store, without decoding them. The value is an object
 * with the name of each one and facts about it, such as its blobs. polycodec_call_options.member
 * decodes one of them. UNSUPPORTED if the codec keeps one value alone. */
POLYCODEC_HOST_API int32_t polycodec_opened_codec_list(const polycodec_opened_codec* codec,
                                                       const polycodec_source* source,
                                                       const polycodec_call_options* call,
                                                       polycodec_value** value,
                                                       polycodec_error* error);

/* ---- Streams: values one after another ---- */

/* Where the bytes of a stream come from. */
enum {
  POLYCODEC_STREAM_FED = 0,       /* polycodec_stream_feed() */
  POLYCODEC_STREAM_SOURCE = 1,    /* memory is bounded by the largest value */
  POLYCODEC_STREAM_FILE = 2,      /* it is read in parts, in order */
  POLYCODEC_STREAM_DESCRIPTOR = 3 /* a complete value is returned before more bytes are awaited */
};

typedef struct polycodec_stream_options {
  uint32_t struct_size;
  int32_t from;                   /* POLYCODEC_STREAM_* */
  const polycodec_source* source; /* SOURCE */
  /* FILE: the program's own or from polycodec_file_open(). It stays the caller's, lives as long as
   * the stream, and gets a NULL call in its functions. */
  const polycodec_file* file;
  int32_t descriptor; /* DESCRIPTOR: it is not closed */
  uint32_t reserved;
} polycodec_stream_options;

/* Opens a stream for a codec that has `read_stream` and no filters: else UNSUPPORTED. Without
 * `options` it is fed. `call` (or NULL) applies to the stream as a whole. All that `call` points to
 * is copied but `cancel` and `loss_data`, which live as long as the stream. */
POLYCODEC_HOST_API int32_t polycodec_stream_open(const polycodec_opened_codec* codec,
                                                 const polycodec_stream_options* options,
                                                 const polycodec_call_options* call,
                                                 polycodec_stream** stream, polycodec_error* error);
/* Takes a copy of bytes of any number. is_last: 1 if no more bytes will be fed. INVALID if the
 * stream has an input of its own, or has ended. */
POLYCODEC_HOST_API int32_t polycodec_stream_feed(polycodec_stream* stream, polycodec_bytes bytes,
                                                 int32_t is_last, polycodec_error* error);
/* Decodes the next value. *value is NULL at the end, and where more bytes must be fed first. Sets
 * *offset (or NULL) to where the value after it begins. Offsets count from the first byte of the
 * stream, also in errors. TRUNCATED if the last value is incomplete. After an error the stream is
 * lost, and answers INVALID. */
POLYCODEC_HOST_API int32_t polycodec_stream_next(polycodec_stream* stream, polycodec_value** value,
                                                 uint64_t* offset, polycodec_error* error);
POLYCODEC_HOST_API void polycodec_stream_free(polycodec_stream* stream);

/* Opens a writer of a stream, for a codec that has `write_stream`. `call`: as above. With an empty
 * `path` values go to sinks. Otherwise they go to the file `path`, which is replaced by
 * polycodec_stream_writer_finish() and stays as it was without that. */
POLYCODEC_HOST_API int32_t polycodec_stream_writer_open(const polycodec_opened_codec* codec,
                                                        polycodec_bytes path,
                                                        const polycodec_write_options* options,
                                                        const polycodec_call_options* call,
                                                        polycodec_stream_writer** writer,
                                                        polycodec_error* error);
/* Encodes the next value, to `sink`, which then keeps it, or with NULL to the file. After an error
 * the stream is lost, and answers INVALID. */
POLYCODEC_HOST_API int32_t polycodec_stream_writer_append(polycodec_stream_writer* writer,
                                                          polycodec_value* value,
                                                          polycodec_sink* sink,
                                                          polycodec_error* error);
/* Writes what ends the stream, to `sink` or with NULL to the file, and puts the file in place. Only
 * polycodec_stream_writer_free() follows. */
POLYCODEC_HOST_API int32_t polycodec_stream_writer_finish(polycodec_stream_writer* writer,
                                                          polycodec_sink* sink,
                                                          polycodec_error* error);
POLYCODEC_HOST_API void polycodec_stream_writer_free(polycodec_stream_writer* writer);

/* ---- In one step ---- */

/* Chooses a codec (or takes the one of `format`, or NULL) and decodes: also typed JSON, messages,
 * and what filters wrote. `match` (or NULL) receives how it was chosen. */
POLYCODEC_HOST_API int32_t polycodec_decode(const polycodec_registry* registry,
                                            const polycodec_source* source,
                                            const polycodec_format* format,
                                            const polycodec_call_options* call,
                                            polycodec_value** value, polycodec_match* match,
                                            polycodec_error* error);
/* Encodes a value to the file `path`. format (or NULL): else the extension of `path` and the rules
 * of the configuration choose. Codecs of named blobs write an archive or directory. `result` (or
 * NULL) receives what was written. With POLYCODEC_CALL_COMPARE the value is compared with what is
 * read back: members of another type are losses of the class RETYPED, and INTERNAL with the detail
 * `convert.different` is a difference that no loss covers, or an output that is not read: then
 * nothing is written. */
POLYCODEC_HOST_API int32_t polycodec_encode_file(const polycodec_registry* registry,
                                                 const polycodec_value* value, polycodec_bytes path,
                                                 const polycodec_format* format,
                                                 const polycodec_call_options* call,
                                                 const polycodec_write_options* write,
                                                 polycodec_result* result, polycodec_error* error);
/* Decodes a source and encodes it to the file `path`: polycodec_decode() with `from` and
 * polycodec_encode_file() with `to`, under one budget. With POLYCODEC_CALL_STREAM the source is
 * values that follow each other, and so is the file: each is written, and compared, before the next
 * is read, so that the largest value bounds the memory. Both codecs must have streams and no
 * filters: else UNSUPPORTED, before anything is written. */
POLYCODEC_HOST_API int32_t polycodec_convert(const polycodec_registry* registry,
                                             const polycodec_source* source,
                                             const polycodec_format* from, polycodec_bytes path,
                                             const polycodec_format* to,
                                             const polycodec_call_options* call,
                                             const polycodec_write_options* write,
                                             polycodec_result* result, polycodec_error* error);

/* Calls the function `name`, its parts as a list of JSON or joined by dots, that the allowlist of
 * the call or of the registry allows: as data does that names it. `args` is a list (or NULL),
 * `kwargs` an object (or NULL); the result may view them, and keeps them. DENIED, NOT_FOUND,
 * AMBIGUOUS if dots fit several functions, RANGE for a wrong number of arguments, and what the
 * function reports. */
POLYCODEC_HOST_API int32_t polycodec_registry_call(const polycodec_registry* registry,
                                                   polycodec_bytes name, polycodec_value* args,
                                                   polycodec_value* kwargs,
                                                   const polycodec_call_options* call,
                                                   polycodec_value** value, polycodec_error* error);

/* ---- Stores of named blobs ---- */

/* The blobs of a source: a directory, a ZIP archive, or a file of a store format. The caller calls
 * release() of the store. Its functions accept a NULL call. UNSUPPORTED if it is not a store. */
POLYCODEC_HOST_API int32_t polycodec_store_open(const polycodec_registry* registry,
                                                const polycodec_source* source,
                                                const polycodec_store** store,
                                                polycodec_error* error);
/* `n` blobs in memory; names and contents are copied. DENIED for an unsafe name. */
POLYCODEC_HOST_API int32_t polycodec_store_from_memory(const polycodec_bytes* names,
                                                       const polycodec_bytes* contents, uint64_t n,
                                                       const polycodec_store** store,
                                                       polycodec_error* error);
/* flags of polycodec_store_edit(). NEW: what is there is replaced. */
#define POLYCODEC_STORE_NEW 1u

/* Changes the store at `path`, or makes it. format: "zip", "directory" or a store format; empty: as
 * the store is, or as the name of `path` says. Nothing is changed before commit(). release()
 * without it leaves all as it was. The store is locked against other changes until then; a NEW one
 * is not. The functions of the writer accept a NULL call. */
POLYCODEC_HOST_API int32_t polycodec_store_edit(const polycodec_registry* registry,
                                                polycodec_bytes path, polycodec_bytes format,
                                                uint32_t flags,
                                                const polycodec_write_options* options,
                                                polycodec_store_writer** writer,
                                                polycodec_error* error);

/* ---- Collections: named values in one file ---- */

/* Opens the ZIP archive, directory or file of a store format at `path` as a dictionary of values,
 * which polycodec_collection_put() makes if need be. format (or NULL): else content or name of
 * `path` choose the codec. UNSUPPORTED for a codec that keeps one value alone. `call` (or NULL): as
 * for streams. Each change is complete on the disk, or has not happened, and waits for those of
 * other programs. */
POLYCODEC_HOST_API int32_t polycodec_collection_open(
    const polycodec_registry* registry, polycodec_bytes path, const polycodec_format* format,
    const polycodec_call_options* call, polycodec_collection** collection, polycodec_error* error);
/* Writes {"codec", "container", "values": [{"name", "schema", "blobs": [{"name", "bytes",
 * "filter"}]}]} as JSON, in the order of the file. Nothing is decoded. */
POLYCODEC_HOST_API int32_t polycodec_collection_list(const polycodec_collection* collection,
                                                     polycodec_sink* sink, polycodec_error* error);
/* Decodes the value of this name. NOT_FOUND for an unknown name. */
POLYCODEC_HOST_API int32_t polycodec_collection_read(const polycodec_collection* collection,
                                                     polycodec_bytes name, polycodec_value** value,
                                                     polycodec_error* error);
/* flags of polycodec_collection_put(). REPLACE: the value of this name is replaced, and there must
 * be one; without it there must be none. UNOWNED: remove also blobs of no recorded owner that the
 * old value reads. */
#define POLYCODEC_COLLECTION_REPLACE 1u
#define POLYCODEC_COLLECTION_UNOWNED 2u

/* Adds a value, or with REPLACE puts it in the place of the one of this name, or with NULL removes
 * that one. INVALID if the name is taken, NOT_FOUND if it is unknown. Writes the names of the blobs
 * that the old value read and that stay, as a JSON list, to `kept` (or NULL). */
POLYCODEC_HOST_API int32_t polycodec_collection_put(polycodec_collection* collection,
                                                    polycodec_bytes name,
                                                    const polycodec_value* value, uint32_t flags,
                                                    polycodec_sink* kept, polycodec_error* error);
POLYCODEC_HOST_API void polycodec_collection_free(polycodec_collection* collection);

/* ---- Values ---- */

/* The root of the value, which lives as long as it; NULL for NULL. The structs of abi.h are the
 * interface for reading: after full validation every index within the lengths is safe. */
POLYCODEC_HOST_API const polycodec_node* polycodec_value_root(const polycodec_value* value);
/* 1 if a projection may have left out parts of the value. */
POLYCODEC_HOST_API int32_t polycodec_value_is_partial(const polycodec_value* value);
POLYCODEC_HOST_API polycodec_value* polycodec_value_retain(polycodec_value* value);
POLYCODEC_HOST_API void polycodec_value_release(polycodec_value* value);

/* Finds a part of the value: `vertex.x` is a member or column, `list[3]` an item of a list or an
 * array, ["any key"] a member of any name, and $ the value itself; it may be left out. Sets *item
 * to a node, to all of an array (its index is POLYCODEC_WHOLE), or to an item of one. References
 * and unions need no step. Records that are optional or in chunks have columns as well, which are
 * made once and kept with the value. NOT_FOUND with the known names; OPTION for text that is not a
 * path; LIMIT. [thread-safe] */
POLYCODEC_HOST_API int32_t polycodec_value_find(const polycodec_value* value, polycodec_bytes path,
                                                polycodec_item* item, polycodec_error* error);

/* Copies the numbers at a path, however they are stored, as elements of `dtype`: a polycodec_dtype
 * of booleans or numbers, in host byte order. A name is taken of each item of a list, of objects as
 * of records, and the items of lists in lists follow each other: an array of 2 x 3 gives 6. Sets *n
 * to their number and fills the first `capacity` of `numbers` and, unless it is NULL, of `present`:
 * 1, or 0 for a missing item, whose number is 0. RANGE, with the path of the item, for a number
 * that is not exactly one of `dtype`, and for a missing item without `present`; NOT_FOUND with the
 * known names; TYPE for what is not a number. */
POLYCODEC_HOST_API int32_t polycodec_value_numbers(const polycodec_value* value,
                                                   polycodec_bytes path, uint32_t dtype,
                                                   void* numbers, uint64_t capacity,
                                                   uint8_t* present, uint64_t* n,
                                                   polycodec_error* error);
/* The same for times and durations, as counts of `unit`, a polycodec_unit. Times count from 1970.
 * RANGE for one that is not a count of this unit. */
POLYCODEC_HOST_API int32_t polycodec_value_times(const polycodec_value* value, polycodec_bytes path,
                                                 uint32_t unit, int64_t* counts, uint64_t capacity,
                                                 uint8_t* present, uint64_t* n,
                                                 polycodec_error* error);
/* The same for strings: writes the first `capacity` of them to `sink` as UTF-8, one after another,
 * and sets ends[i] to where text i ends, counted from the first. */
POLYCODEC_HOST_API int32_t polycodec_value_texts(const polycodec_value* value, polycodec_bytes path,
                                                 polycodec_sink* sink, uint64_t* ends,
                                                 uint64_t capacity, uint8_t* present, uint64_t* n,
                                                 polycodec_error* error);

/* Makes a value of a part of a value, which it keeps and views: of a list or an array up to `n` of
 * its items from `first` on, of anything else all. `item` (or NULL for all): as from
 * polycodec_value_find(), or any node or array of the value; an item of an array becomes a value as
 * a row of a record does an object. NOT_FOUND for an item that is not there. */
POLYCODEC_HOST_API int32_t polycodec_value_part(polycodec_value* value, const polycodec_item* item,
                                                uint64_t first, uint64_t n, polycodec_value** part,
                                                polycodec_error* error);

/* Makes a null value and gives its arena (at most `max_memory` bytes; 0: no bound). The caller
 * builds nodes and arrays there, or adopts memory into it, and then calls polycodec_value_finish().
 */
POLYCODEC_HOST_API int32_t polycodec_value_create(uint64_t max_memory, polycodec_value** value,
                                                  polycodec_arena** arena, polycodec_error* error);
/* Makes a value that is being filled keep `other`, whose nodes and arrays it may then refer to. */
POLYCODEC_HOST_API int32_t polycodec_value_keep(polycodec_value* value, polycodec_value* other,
                                                polycodec_error* error);
/* Checks that `root` is a valid value of at most `limits` (or NULL), and where `n` is not 0 that
 * all of it lies in `regions`, such as for a program that reads values which others made. INVALID
 * with path and rule; LIMIT. */
POLYCODEC_HOST_API int32_t polycodec_node_check(const polycodec_node* root,
                                                const polycodec_limits* limits,
                                                const polycodec_bytes* regions, uint64_t n,
                                                polycodec_error* error);
/* Checks the value at `root`, which lies in the arena, in full and makes it the value's. From now
 * on the value does not change. INVALID with path and rule. */
POLYCODEC_HOST_API int32_t polycodec_value_finish(polycodec_value* value,
                                                  const polycodec_node* root,
                                                  polycodec_error* error);
/* Reads typed JSON, or plain JSON, or with a `type` the JSON of a value of this type, whose names
 * `registry` (or NULL) knows. Nothing views the text. */
POLYCODEC_HOST_API int32_t polycodec_value_parse(const polycodec_registry* registry,
                                                 polycodec_bytes text, polycodec_bytes type,
                                                 polycodec_value** value, polycodec_error* error);

/* polycodec_text_options.flags. PLAIN: the value without its type. EXACT: with marks of how the
 * value is stored (layouts, lists of documents, shared arrays), so that the text reads back bit for
 * bit. With neither, what reads back has equal items, in the usual layouts. Not both. */
#define POLYCODEC_TEXT_PLAIN 1u
#define POLYCODEC_TEXT_EXACT 2u

/* How a value is printed. */
typedef struct polycodec_text_options {
  uint32_t struct_size;
  uint32_t flags;  /* POLYCODEC_TEXT_* */
  uint32_t indent; /* spaces for each level; 0: all on one line */
  uint32_t width;  /* with indent: lists of numbers go on to a new line after so many columns; 0:
                      100 */
} polycodec_text_options;

/* Writes the value, or with `item` a part of it as polycodec_value_part() makes it, as typed JSON
 * (docs/text-notation.md). */
POLYCODEC_HOST_API int32_t polycodec_value_print(const polycodec_value* value,
                                                 const polycodec_item* item,
                                                 const polycodec_text_options* options,
                                                 polycodec_sink* sink, polycodec_error* error);
/* Writes the type of the value, or of a part of it, such as `3 * float64`; `any` where the value is
 * nested deeper than the 512 levels of a type. */
POLYCODEC_HOST_API int32_t polycodec_value_type(const polycodec_value* value,
                                                const polycodec_item* item, polycodec_sink* sink,
                                                polycodec_error* error);

/* flags of polycodec_type_describe(). STRICT: datashape alone, without polycodec's additions. */
#define POLYCODEC_TYPE_STRICT 1u

/* Makes a value that says what a type is (docs/type-notation.md): an object with "type", its
 * canonical text, "concrete", "kind" and what that kind has of "dtype", "size", "align",
 * "encoding", "unit", "name", "base", "names" of fields, "items" (the types inside, which are such
 * objects without the first two) and "annotations". `notation` may name types of `registry` (or
 * NULL). MALFORMED for text that is not a type. */
POLYCODEC_HOST_API int32_t polycodec_type_describe(const polycodec_registry* registry,
                                                   polycodec_bytes notation, uint32_t flags,
                                                   polycodec_value** description,
                                                   polycodec_error* error);

/* polycodec_compare_options.flags. NUMBERS: by their mathematical value, whatever their type.
 * FLOATS: every NaN equals every NaN, -0.0 equals 0.0. LISTS: tuples equal lists. UNORDERED:
 * members in any order. NO_METADATA: units and notes do not count. */
#define POLYCODEC_COMPARE_NUMBERS 1u
#define POLYCODEC_COMPARE_FLOATS 2u
#define POLYCODEC_COMPARE_LISTS 4u
#define POLYCODEC_COMPARE_UNORDERED 8u
#define POLYCODEC_COMPARE_NO_METADATA 16u

/* When two values are equal. */
typedef struct polycodec_compare_options {
  uint32_t struct_size;
  uint32_t flags;      /* POLYCODEC_COMPARE_* */
  double absolute;     /* numbers that differ by no more than this are equal, with FLOATS */
  double relative;     /* and those that differ by no more than this share of the larger one */
  uint64_t max_groups; /* 0: the walk ends at the first difference; or else all are counted, and
                          so many groups of them written */
} polycodec_compare_options;

/* Sets *differences to the number of differences, 0 for equal values. Writes them as {"count",
 * "groups": [{"pattern", "kind", "count", "deviation", "first": [{"path", "reason"}]}]} to `sink`
 * (or NULL): a group is of one kind, at places that differ in indices alone. */
POLYCODEC_HOST_API int32_t polycodec_value_compare(const polycodec_value* a,
                                                   const polycodec_value* b,
                                                   const polycodec_compare_options* options,
                                                   uint64_t* differences, polycodec_sink* sink,
                                                   polycodec_error* error);
/* What a content address is equal under (docs/content-address.md). */
enum {
  POLYCODEC_ADDRESS_EXACT = 0,  /* kinds, types and values */
  POLYCODEC_ADDRESS_LOGICAL = 1 /* lists, arrays and tuples of equal items share it */
};

/* Writes the content address of the value, 64 hexadecimal digits and a NUL, to `digest`, and to
 * `bytes` (or NULL) how many bytes were hashed. INVALID for a partial value, NOT_FOUND without a
 * canonical codec. */
POLYCODEC_HOST_API int32_t polycodec_value_address(const polycodec_registry* registry,
                                                   const polycodec_value* value, int32_t address,
                                                   char digest[65], uint64_t* bytes,
                                                   polycodec_error* error);

/* ---- Arrow and DLPack ---- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

/* Of <dlpack/dlpack.h>, which is needed only by programs that look inside. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* polycodec_exchange.flags. SPARSE_UNIONS: for engines that read no dense unions. */
#define POLYCODEC_EXCHANGE_SPARSE_UNIONS 1u

/* Structs of the caller's for other libraries, of which one kind is set: `schema` with `array`, or
 * `stream`, or one of the tensors. */
typedef struct polycodec_exchange {
  uint32_t struct_size;
  uint32_t flags; /* POLYCODEC_EXCHANGE_* */
  struct ArrowSchema* schema;
  struct ArrowArray* array;
  struct ArrowArrayStream* stream;
  struct DLManagedTensor** tensor;
  struct DLManagedTensorVersioned** versioned_tensor;
} polycodec_exchange;

/* Hands the value, or with `item` a part of it, to a consumer, who calls the release functions or
 * the deleter. What can be viewed is viewed; the structs keep the value alive. A list becomes an
 * array of its items, anything else an array of one item; a stream has one batch: a list of records
 * gives its columns. A tensor is an array of the layout NDARRAY. Nobody may write to it: the
 * versioned one says so in its flags. On failure structs of Arrow are marked as released. */
POLYCODEC_HOST_API int32_t polycodec_value_export(polycodec_value* value,
                                                  const polycodec_item* item,
                                                  const polycodec_exchange* exchange,
                                                  polycodec_error* error);
/* Takes what a producer gives, also on failure: structs of Arrow are moved from, and the deleter of
 * a tensor, which is in the memory of the processor, is called with the value or at once. The value
 * views numbers and text of the producer's buffers, which may change, and copies the rest. Within
 * `limits` (or NULL): the rows of all batches of a stream are at most max_elements, what they view
 * max_memory_bytes, and their number max_nodes; LIMIT for one that does not end there. */
POLYCODEC_HOST_API int32_t polycodec_value_import(const polycodec_exchange* exchange,
                                                  const polycodec_limits* limits,
                                                  polycodec_value** value, polycodec_error* error);

/* ---- Frames: values in pieces for a wire (docs/frames.md) ---- */

/* Takes the value apart: a message of one part (polycodec_message_part() with 0), whose pieces are
 * a header and the buffers as they are. It keeps the value. */
POLYCODEC_HOST_API int32_t polycodec_value_to_frames(polycodec_value* value,
                                                     polycodec_message** frames,
                                                     polycodec_error* error);
/* Puts a value together from `n` pieces, which it views. They are checked as any input, within
 * `limits` (or NULL). flags: POLYCODEC_SOURCE_CHANGING; owner and release: as those of
 * polycodec_source_options. */
POLYCODEC_HOST_API int32_t polycodec_value_from_frames(const polycodec_bytes* pieces, uint64_t n,
                                                       uint32_t flags, void* owner,
                                                       void (*release)(void* owner),
                                                       const polycodec_limits* limits,
                                                       polycodec_value** value,
                                                       polycodec_error* error);

/* ---- Schemas and units (docs/schemas.md) ---- */

/* For which absent properties normalizing fills in a `default`. */
enum {
  POLYCODEC_DEFAULTS_ALL = 0,      /* all that have one */
  POLYCODEC_DEFAULTS_REQUIRED = 1, /* those in `required` */
  POLYCODEC_DEFAULTS_NONE = 2
};
/* Which numbers normalizing may change a little. */
enum {
  POLYCODEC_ROUNDING_FLOATS = 0, /* what becomes a float; what becomes an integer must be one */
  POLYCODEC_ROUNDING_ALL = 1,    /* what becomes an integer, too */
  POLYCODEC_ROUNDING_NONE = 2
};

/* polycodec_schema_options.flags. MINIMAL: infer without shapes and without the precision of
 * strings, as headers of messages have it. */
#define POLYCODEC_SCHEMA_MINIMAL 1u

/* How schemas are made, printed and applied. Each function reads the fields that name it. */
typedef struct polycodec_schema_options {
  uint32_t struct_size;
  uint32_t flags;   /* infer: POLYCODEC_SCHEMA_* */
  uint32_t indent;  /* print: spaces for each level; 0: all on one line */
  int32_t defaults; /* normalize: POLYCODEC_DEFAULTS_* */
  int32_t rounding; /* normalize: POLYCODEC_ROUNDING_* */
  uint32_t reserved;
  /* validate, normalize: gets what is worth telling but not a problem, such as deprecated
   * properties, as the JSON list that polycodec_schema_validate() writes; or NULL */
  polycodec_sink* warnings;
} polycodec_schema_options;

/* Reads a schema as JSON. Type words may name types of `registry` (or NULL). */
POLYCODEC_HOST_API int32_t polycodec_schema_parse(const polycodec_registry* registry,
                                                  polycodec_bytes json, polycodec_schema** schema,
                                                  polycodec_error* error);
/* The schema that describes a value. */
POLYCODEC_HOST_API int32_t polycodec_schema_infer(const polycodec_value* value,
                                                  const polycodec_schema_options* options,
                                                  polycodec_schema** schema,
                                                  polycodec_error* error);
POLYCODEC_HOST_API polycodec_schema* polycodec_schema_retain(polycodec_schema* schema);
POLYCODEC_HOST_API void polycodec_schema_release(polycodec_schema* schema);
/* Writes the schema as JSON. */
POLYCODEC_HOST_API int32_t polycodec_schema_print(const polycodec_schema* schema,
                                                  const polycodec_schema_options* options,
                                                  polycodec_sink* sink, polycodec_error* error);
/* Sets *problems to the number of problems (at most 100 are looked for) and writes a JSON list of
 * {"path", "keyword", "reason"} to `sink` (or NULL). A value with problems is not an error. */
POLYCODEC_HOST_API int32_t polycodec_schema_validate(const polycodec_schema* schema,
                                                     const polycodec_value* value,
                                                     const polycodec_schema_options* options,
                                                     uint64_t* problems, polycodec_sink* sink,
                                                     polycodec_error* error);
/* Makes a value that fits the schema: numbers cast, units converted, defaults filled in. It views
 * the first value, which it keeps. */
POLYCODEC_HOST_API int32_t polycodec_schema_normalize(const polycodec_schema* schema,
                                                      polycodec_value* value,
                                                      const polycodec_schema_options* options,
                                                      polycodec_value** normalized,
                                                      polycodec_error* error);
/* Converts `n` numbers in place. TYPE if the units measure different things. */
POLYCODEC_HOST_API int32_t polycodec_units_convert(polycodec_bytes from, polycodec_bytes to,
                                                   double* numbers, uint64_t n,
                                                   polycodec_error* error);
/* Writes the canonical text of a unit, such as `kg*m*(s**-2)`. UNSUPPORTED for an unknown unit. */
POLYCODEC_HOST_API int32_t polycodec_units_canonical(polycodec_bytes text, polycodec_sink* sink,
                                                     polycodec_error* error);

/* ---- Messages (docs/messages.md) ---- */

/* Opens one end of a channel. `options`: a JSON object with codec, options, filters, dialect,
 * meta_only, max_part_bytes, address, model, declare, normalize, decode and packets, all optional;
 * or empty. decode: false for messages as they are: each value is the bytes of a body. packets:
 * true where each piece that is fed is a packet: a part of a message, or a message without a
 * header. `call` (or NULL): as for streams. */
POLYCODEC_HOST_API int32_t polycodec_channel_open(const polycodec_registry* registry,
                                                  polycodec_bytes options,
                                                  const polycodec_call_options* call,
                                                  polycodec_channel** channel,
                                                  polycodec_error* error);
POLYCODEC_HOST_API void polycodec_channel_free(polycodec_channel* channel);
/* Makes the message for a value, which it keeps, or with NULL the one that ends the stream.
 * `header`: JSON of further members of the header, or empty. With its member `raw` true the value,
 * which is bytes, is the body as it is. */
POLYCODEC_HOST_API int32_t polycodec_channel_pack(polycodec_channel* channel,
                                                  polycodec_value* value, polycodec_bytes header,
                                                  polycodec_message** message,
                                                  polycodec_error* error);
/* The pieces of part `part` of a message; they live as long as it. RANGE after the last part: the
 * first is 0. */
POLYCODEC_HOST_API int32_t polycodec_message_part(const polycodec_message* message, uint64_t part,
                                                  const polycodec_bytes** pieces, uint64_t* n,
                                                  polycodec_error* error);
POLYCODEC_HOST_API void polycodec_message_free(polycodec_message* message);
/* Takes a copy of bytes that were received: a piece of a stream of any size, or a packet. is_last:
 * 1 if no more bytes will be fed; INVALID after that. */
POLYCODEC_HOST_API int32_t polycodec_channel_feed(polycodec_channel* channel, polycodec_bytes bytes,
                                                  int32_t is_last, polycodec_error* error);
/* Decodes the next message if all of it is there; else *value is NULL. Writes its header as JSON to
 * `header` (or NULL), and nothing for a packet without one. *control is 0, or the number of the
 * control message that it is. TRUNCATED if the last message is incomplete. */
POLYCODEC_HOST_API int32_t polycodec_channel_next(polycodec_channel* channel,
                                                  polycodec_value** value, int32_t* control,
                                                  polycodec_sink* header, polycodec_error* error);
/* Decodes a whole message or packet. As polycodec_channel_next(). */
POLYCODEC_HOST_API int32_t polycodec_channel_unpack(polycodec_channel* channel,
                                                    const polycodec_source* message,
                                                    polycodec_value** value, int32_t* control,
                                                    polycodec_sink* header, polycodec_error* error);
/* Chooses, of the codecs of an offer (POLYCODEC_DESCRIBE_OFFER), the one for a value, and writes
 * {"codec": NAME or null, "version", "options", "reason", "verdicts"}. */
POLYCODEC_HOST_API int32_t polycodec_registry_agree(const polycodec_registry* registry,
                                                    polycodec_bytes offer,
                                                    const polycodec_value* value,
                                                    polycodec_sink* sink, polycodec_error* error);

#ifdef __cplusplus
}
#endif

#endif /* POLYCODEC_HOST_H */
