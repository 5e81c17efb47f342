/* SPDX-License-Identifier: MIT
 *
 * Errors, handles, options, and the functions of the library that take a value as a whole.
 */
#include "glue.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors and losses ---- */

static struct {
  polycodec_error error;
  char* message; /* the whole of what does not fit into `error` */
  char* path;
} last;

static char* copy_of(polycodec_bytes text) {
  char* const copy = malloc(text.size + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text.size == 0 ? "" : text.data, text.size);
  copy[text.size] = '\0';
  return copy;
}

static void say(void* data, polycodec_bytes message, polycodec_bytes path) {
  (void)data;
  last.message = copy_of(message);
  last.path = copy_of(path);
}

polycodec_error* fresh_error(void) {
  free(last.message);
  free(last.path);
  memset(&last, 0, sizeof last);
  last.error.struct_size = sizeof last.error;
  last.error.offset = POLYCODEC_NO_OFFSET;
  last.error.say = say;
  return &last.error;
}

SEXP ask(const char* function, SEXP a, SEXP b) {
  PROTECT(a);
  PROTECT(b);
  SEXP space = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("polycodec"))));
  SEXP quoted_a = PROTECT(Rf_lang2(R_QuoteSymbol, a));
  SEXP quoted_b = PROTECT(Rf_lang2(R_QuoteSymbol, b));
  SEXP result = Rf_eval(PROTECT(Rf_lang3(Rf_install(function), quoted_a, quoted_b)), space);
  UNPROTECT(7);
  return result;
}

static SEXP utf8(const char* text) {
  return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

_Noreturn void raise_at(const place* at) {
  const polycodec_error* const e = &last.error;
  const char* path = last.path != NULL ? last.path : e->path;
  if (at != NULL) {
    const char* const rest = path[0] == '$' ? path + 1 : path;
    char* const whole = R_alloc(at->size + strlen(rest) + 1, 1);
    memcpy(whole, at->text, at->size);
    strcpy(whole + at->size, rest);
    path = whole;
  }
  const char* const fields[] = {last.message != NULL ? last.message : e->message,
                                polycodec_status_name(e->code), e->detail, path, e->codec};
  SEXP texts = PROTECT(Rf_allocVector(VECSXP, 5));
  for (int i = 0; i < 5; ++i) SET_VECTOR_ELT(texts, i, utf8(fields[i]));
  const int no_byte = e->offset == POLYCODEC_NO_OFFSET;
  SEXP byte = PROTECT(Rf_ScalarReal(no_byte ? NA_REAL : (double)e->offset));
  fresh_error();
  ask("raise", texts, byte);
  Rf_error("%s", fields[1]);
}

void check_at(int32_t status, const place* at) {
  if (status != POLYCODEC_OK) raise_at(at);
}

void check(int32_t status) {
  check_at(status, NULL);
}

void refuse(int32_t code, const char* detail, const place* at, const char* format, ...) {
  polycodec_error* const e = fresh_error();
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(e->message, sizeof e->message, format, arguments);
  va_end(arguments);
  e->code = code;
  snprintf(e->detail, sizeof e->detail, "%s", detail);
  raise_at(at);
}

typedef struct loss {
  struct loss* before;
  int32_t loss_class;
  char* path;
  char* what;
} loss;

static _Atomic(loss*) losses;

void on_loss(void* data, int32_t loss_class, polycodec_bytes path, polycodec_bytes what) {
  loss* const one = malloc(sizeof *one);
  (void)data;
  if (one == NULL) return;
  *one = (loss){atomic_load(&losses), loss_class, copy_of(path), copy_of(what)};
  while (!atomic_compare_exchange_weak(&losses, &one->before, one)) continue;
}

/* The losses since the last call, the last one first, as class, path, what, .. */
static SEXP pc_c_losses(void) {
  loss* one = atomic_load(&losses);
  R_xlen_t n = 0;
  for (; one != NULL; one = one->before) n += 3;
  SEXP found = PROTECT(Rf_allocVector(STRSXP, n));
  one = atomic_exchange(&losses, NULL);
  for (R_xlen_t i = 0; one != NULL && i < n; i += 3) {
    loss* const before = one->before;
    SET_STRING_ELT(found, i, Rf_asChar(Rf_ScalarInteger(one->loss_class)));
    SET_STRING_ELT(found, i + 1, Rf_mkCharCE(one->path != NULL ? one->path : "", CE_UTF8));
    SET_STRING_ELT(found, i + 2, Rf_mkCharCE(one->what != NULL ? one->what : "", CE_UTF8));
    free(one->path);
    free(one->what);
    free(one);
    one = before;
  }
  UNPROTECT(1);
  return found;
}

/* ---- places ---- */

static void add(place* at, const char* text, size_t size) {
  if (at->size + size >= at->room) {
    at->room = 2 * (at->size + size) + 64;
    char* const moved = R_alloc(at->room, 1);
    if (at->size != 0) memcpy(moved, at->text, at->size);
    at->text = moved;
  }
  memcpy(at->text + at->size, text, size);
  at->text[at->size += size] = '\0';
}

void start_place(place* at, const char* path) {
  memset(at, 0, sizeof *at);
  add(at, path, strlen(path));
}

size_t add_name(place* at, polycodec_bytes name) {
  const size_t before = at->size;
  const size_t size = name.size < 80 ? (size_t)name.size : 80;
  int plain = size != 0;
  for (size_t i = 0; i < size; ++i)
    plain = plain && strchr(".[]\"\\ \n\t", ((const char*)name.data)[i]) == NULL;
  add(at, plain ? "." : "[\"", plain ? 1 : 2);
  add(at, size == 0 ? "" : name.data, size);
  if (!plain) add(at, "\"]", 2);
  return before;
}

size_t add_index(place* at, uint64_t index) {
  const size_t before = at->size;
  char text[24];
  add(at, text, (size_t)snprintf(text, sizeof text, "[%llu]", (unsigned long long)index));
  return before;
}

void descend(place* at) {
  if (++at->depth > 1000)
    refuse(POLYCODEC_ERROR_LIMIT, "r.depth", at, "lists nest more than 1000 deep, or in a cycle");
}

/* ---- handles ---- */

void drop(SEXP handle) {
  void* const p = R_ExternalPtrAddr(handle);
  if (p == NULL) return;
  R_ClearExternalPtr(handle);
  R_SetExternalPtrProtected(handle, R_NilValue);
  switch (INTEGER_RO(R_ExternalPtrTag(handle))[0]) {
    case VALUE:
      polycodec_value_release(p);
      break;
    case SOURCE:
      polycodec_source_release(p);
      break;
    case CODEC:
      polycodec_opened_codec_release(p);
      break;
    case SINK:
      polycodec_sink_free(p);
      break;
    case BUDGET:
      polycodec_budget_release(p);
      break;
    case CHANNEL:
      polycodec_channel_free(p);
      break;
    default:
      polycodec_message_free(p);
  }
}

SEXP new_handle(enum kind kind, SEXP keep) {
  PROTECT(keep);
  SEXP handle = PROTECT(R_MakeExternalPtr(NULL, PROTECT(Rf_ScalarInteger((int)kind)), keep));
  R_RegisterCFinalizerEx(handle, drop, FALSE);
  UNPROTECT(3);
  return handle;
}

void* owned(SEXP handle, enum kind kind) {
  if (TYPEOF(handle) != EXTPTRSXP || TYPEOF(R_ExternalPtrTag(handle)) != INTSXP ||
      INTEGER_RO(R_ExternalPtrTag(handle))[0] != (int)kind || R_ExternalPtrAddr(handle) == NULL)
    refuse(POLYCODEC_ERROR_INVALID, "r.handle", NULL,
           "this handle is not open: it was closed, or comes from another session of R");
  return R_ExternalPtrAddr(handle);
}

/* A value of an object of R that lives as long as the handle. */
static SEXP pc_c_view(SEXP x) {
  return from_r(x);
}

static SEXP pc_c_close(SEXP handle) {
  drop(handle);
  return R_NilValue;
}

/* R's collector does not see the memory of values: it runs for each 512 MiB of input. */
static void press(polycodec_source* source) {
  static double since;
  polycodec_bytes bytes = {NULL, 0};
  polycodec_source_bytes(source, &bytes, NULL);
  since += (double)bytes.size + 65536;
  if (since < 536870912) return;
  since = 0;
  R_gc();
}

/* ---- strings, sinks ---- */

polycodec_bytes text_of(SEXP text) {
  polycodec_bytes bytes = {NULL, 0};
  if (TYPEOF(text) != STRSXP || XLENGTH(text) == 0) return bytes;
  bytes.data = Rf_translateCharUTF8(STRING_ELT(text, 0));
  bytes.size = strlen(bytes.data);
  return bytes;
}

SEXP text_to_r(polycodec_bytes text, const place* at) {
  if (text.size != 0 && memchr(text.data, 0, text.size) != NULL)
    refuse(POLYCODEC_ERROR_UNSUPPORTED, "r.nul", at, "a text of R cannot have a NUL character");
  if (text.size > INT_MAX)
    refuse(POLYCODEC_ERROR_LIMIT, "r.text", at, "a text of R has at most 2 GiB");
  return Rf_mkCharLenCE(text.size == 0 ? "" : text.data, (int)text.size, CE_UTF8);
}

SEXP new_sink(void) {
  SEXP handle = PROTECT(new_handle(SINK, R_NilValue));
  polycodec_sink* sink = NULL;
  check(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, fresh_error()));
  R_SetExternalPtrAddr(handle, sink);
  UNPROTECT(1);
  return handle;
}

SEXP bytes_to_raw(polycodec_bytes bytes) {
  SEXP raw = Rf_allocVector(RAWSXP, (R_xlen_t)bytes.size);
  if (bytes.size != 0) memcpy(RAW(raw), bytes.data, bytes.size);
  return raw;
}

SEXP sink_to_raw(polycodec_sink* sink) {
  polycodec_bytes bytes;
  check(polycodec_sink_bytes(sink, &bytes, fresh_error()));
  return bytes_to_raw(bytes);
}

/* ---- options: lists in the order of call_options() and format_of() of R/helpers.R ---- */

enum { FLAGS, LOSSES, THREADS, LIMITS, MEMBER, SELECT, COLUMNS, ROWS, NAME, COPY, WRITE };

typedef struct call {
  polycodec_call_options options;
  polycodec_limits limits;
  polycodec_projection projection;
} call;

static polycodec_bytes* texts_of(SEXP texts) {
  polycodec_bytes* const all =
      (polycodec_bytes*)R_alloc((size_t)Rf_xlength(texts) + 1, sizeof *all);
  for (R_xlen_t i = 0; i < Rf_xlength(texts); ++i) {
    all[i].data = Rf_translateCharUTF8(STRING_ELT(texts, i));
    all[i].size = strlen(all[i].data);
  }
  return all;
}

static void check_interrupt(void* data) {
  (void)data;
  R_CheckUserInterrupt();
}

static int32_t on_progress(void* data, const polycodec_progress* progress) {
  (void)data;
  (void)progress;
  return R_ToplevelExec(check_interrupt, NULL) ? 0 : 1;
}

static void read_call(SEXP given, call* to) {
  SEXP columns = VECTOR_ELT(given, COLUMNS);
  const double* const limit = REAL_RO(VECTOR_ELT(given, LIMITS));
  const double* const rows = REAL_RO(VECTOR_ELT(given, ROWS));
  memset(to, 0, sizeof *to);
  to->limits = (polycodec_limits){sizeof to->limits,  (uint32_t)limit[0], (uint64_t)limit[1],
                                  (uint64_t)limit[2], (uint64_t)limit[3], (uint64_t)limit[4],
                                  (uint64_t)limit[5], (uint64_t)limit[6], (uint64_t)limit[7],
                                  (uint64_t)limit[8], (uint64_t)0};
  to->projection = (polycodec_projection){sizeof to->projection, (uint32_t)Rf_xlength(columns),
                                          texts_of(columns), (uint64_t)rows[0],
                                          rows[1] < 0 ? UINT64_MAX : (uint64_t)rows[1]};
  to->options.struct_size = sizeof to->options;
  to->options.flags = (uint32_t)Rf_asInteger(VECTOR_ELT(given, FLAGS));
  to->options.losses = (uint32_t)Rf_asInteger(VECTOR_ELT(given, LOSSES));
  to->options.threads = (uint32_t)Rf_asInteger(VECTOR_ELT(given, THREADS));
  to->options.limits = &to->limits;
  to->options.member = text_of(VECTOR_ELT(given, MEMBER));
  to->options.select = text_of(VECTOR_ELT(given, SELECT));
  to->options.on_loss = on_loss;
  to->options.on_progress = on_progress;
  if (to->projection.n_paths != 0 || rows[0] > 0 || rows[1] >= 0)
    to->options.projection = &to->projection;
}

static polycodec_format read_format(SEXP given) {
  return (polycodec_format){.struct_size = sizeof(polycodec_format),
                            .codec = text_of(VECTOR_ELT(given, 0)),
                            .options = text_of(VECTOR_ELT(given, 1)),
                            .filters = text_of(VECTOR_ELT(given, 2))};
}

static polycodec_registry* registry;

static SEXP pc_c_setup(SEXP config, SEXP add_paths, SEXP threads) {
  const polycodec_bytes layer = text_of(config), name = {"pc_setup", 8};
  const polycodec_registry_options options = {.struct_size = sizeof options,
                                              .flags = POLYCODEC_REGISTRY_DEFAULT_CONFIG,
                                              .layers = &layer,
                                              .layer_names = &name,
                                              .n_layers = layer.size != 0,
                                              .add_paths = texts_of(add_paths),
                                              .n_add_paths = (uint32_t)Rf_xlength(add_paths),
                                              .threads = (uint32_t)Rf_asInteger(threads)};
  polycodec_registry* opened = NULL;
  check(polycodec_registry_open(&options, &opened, fresh_error()));
  polycodec_registry_release(registry);
  registry = opened;
  return R_NilValue;
}

polycodec_registry* the_registry(void) {
  if (registry == NULL) {
    pc_c_setup(R_NilValue, R_NilValue, PROTECT(Rf_ScalarInteger(0)));
    UNPROTECT(1);
  }
  return registry;
}

/* ---- reading ---- */

/* `what`: bytes, or the path of a file. */
static SEXP open_source(SEXP what, SEXP given, const call* of) {
  SEXP handle = PROTECT(new_handle(SOURCE, what));
  polycodec_source_options options = {.struct_size = sizeof options, .limits = of->options.limits};
  if (TYPEOF(what) == RAWSXP) {
    MARK_NOT_MUTABLE(what);
    options.bytes = (polycodec_bytes){RAW_RO(what), (uint64_t)XLENGTH(what)};
  } else {
    options.from = POLYCODEC_SOURCE_PATH;
    options.path = text_of(what);
    if (Rf_asLogical(VECTOR_ELT(given, COPY)) == TRUE) options.flags = POLYCODEC_SOURCE_COPY;
  }
  options.name = text_of(VECTOR_ELT(given, NAME));
  polycodec_source* source = NULL;
  check(polycodec_source_open(&options, &source, fresh_error()));
  R_SetExternalPtrAddr(handle, source);
  press(source);
  UNPROTECT(1);
  return handle;
}

static SEXP pc_c_open(SEXP what, SEXP format, SEXP given) {
  call of;
  read_call(given, &of);
  SEXP source = PROTECT(open_source(what, given, &of));
  SEXP handle = PROTECT(new_handle(VALUE, TYPEOF(what) == RAWSXP ? what : R_NilValue));
  const polycodec_format as = read_format(format);
  polycodec_value* value = NULL;
  check(polycodec_decode(the_registry(), owned(source, SOURCE), &as, &of.options, &value, NULL,
                         fresh_error()));
  R_SetExternalPtrAddr(handle, value);
  drop(source);
  UNPROTECT(2);
  return handle;
}

/* The named values of an archive, directory or store file, as JSON. */
static SEXP pc_c_members(SEXP path, SEXP format, SEXP given) {
  call of;
  read_call(given, &of);
  of.options.on_progress = NULL; /* collections take none */
  SEXP sink = PROTECT(new_sink());
  const polycodec_format as = read_format(format);
  polycodec_collection* collection = NULL;
  int32_t status = polycodec_collection_open(the_registry(), text_of(path), &as, &of.options,
                                             &collection, fresh_error());
  if (status == POLYCODEC_OK)
    status = polycodec_collection_list(collection, owned(sink, SINK), fresh_error());
  polycodec_collection_free(collection);
  check(status);
  SEXP raw = sink_to_raw(owned(sink, SINK));
  UNPROTECT(1);
  return raw;
}

/* The part of a value at a path as an object of R. */
static SEXP pc_c_value(SEXP handle, SEXP path) {
  polycodec_item item = {polycodec_value_root(owned(handle, VALUE)), NULL, 0};
  const polycodec_bytes at = text_of(path);
  if (at.size == 0) return to_r(handle, item, "$");
  check(polycodec_value_find(owned(handle, VALUE), at, &item, fresh_error()));
  return to_r(handle, item, at.data);
}

/* ---- writing: of handles, or of objects of R, whose vectors may change afterwards ---- */

static SEXP value_of(SEXP x) {
  return TYPEOF(x) == EXTPTRSXP ? x : from_r(x);
}

static void end(SEXP value, SEXP x) {
  if (value != x) drop(value);
}

static SEXP pc_c_encode(SEXP x, SEXP format, SEXP given) {
  call of;
  read_call(given, &of);
  SEXP codec = PROTECT(new_handle(CODEC, R_NilValue));
  const polycodec_format as = read_format(format);
  polycodec_opened_codec* opened = NULL;
  check(polycodec_registry_open_codec(the_registry(), &as, &opened, fresh_error()));
  R_SetExternalPtrAddr(codec, opened);
  SEXP sink = PROTECT(new_sink());
  SEXP value = PROTECT(value_of(x));
  check(polycodec_opened_codec_encode(opened, owned(value, VALUE), &of.options, owned(sink, SINK),
                                      NULL, NULL, fresh_error()));
  SEXP raw = PROTECT(sink_to_raw(owned(sink, SINK)));
  drop(sink);
  drop(codec);
  end(value, x);
  UNPROTECT(4);
  return raw;
}

/* Writes a value to a file: of `x`, or with a format `from` of the source `x`. */
static SEXP pc_c_save(SEXP x, SEXP from, SEXP path, SEXP format, SEXP given) {
  static const char* const kept[] = {"unknown", "same", "same_items", "same_numbers", "different"};
  call of;
  read_call(given, &of);
  const polycodec_format as = read_format(format);
  const polycodec_write_options write = {.struct_size = sizeof write,
                                         .flags = (uint32_t)Rf_asInteger(VECTOR_ELT(given, WRITE))};
  polycodec_result result = {.struct_size = sizeof result};
  SEXP owner = PROTECT(from == R_NilValue ? value_of(x) : open_source(x, given, &of));
  if (from == R_NilValue) {
    check(polycodec_encode_file(the_registry(), owned(owner, VALUE), text_of(path), &as,
                                &of.options, &write, &result, fresh_error()));
  } else {
    const polycodec_format in = read_format(from);
    check(polycodec_convert(the_registry(), owned(owner, SOURCE), &in, text_of(path), &as,
                            &of.options, &write, &result, fresh_error()));
  }
  end(owner, x);
  const char* names[] = {"codec", "bytes", "kept", "reason", ""};
  SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(list, 0, utf8(result.codec));
  SET_VECTOR_ELT(list, 1, Rf_ScalarReal((double)result.bytes));
  SET_VECTOR_ELT(list, 2, utf8(kept[result.kept]));
  SET_VECTOR_ELT(list, 3, utf8(result.reason));
  UNPROTECT(2);
  return list;
}

/* Typed JSON, for `what` 1 JSON, for 2 the type. */
static SEXP pc_c_text(SEXP x, SEXP what) {
  SEXP value = PROTECT(value_of(x));
  SEXP sink = PROTECT(new_sink());
  polycodec_value* const of = owned(value, VALUE);
  const polycodec_text_options options = {
      .struct_size = sizeof options, .flags = Rf_asInteger(what) == 1 ? POLYCODEC_TEXT_PLAIN : 0};
  check(Rf_asInteger(what) == 2
            ? polycodec_value_type(of, NULL, owned(sink, SINK), fresh_error())
            : polycodec_value_print(of, NULL, &options, owned(sink, SINK), fresh_error()));
  polycodec_bytes bytes;
  check(polycodec_sink_bytes(owned(sink, SINK), &bytes, fresh_error()));
  SEXP text = PROTECT(Rf_ScalarString(text_to_r(bytes, NULL)));
  drop(sink);
  end(value, x);
  UNPROTECT(3);
  return text;
}

static SEXP pc_c_describe(SEXP what, SEXP name) {
  SEXP sink = PROTECT(new_sink());
  check(polycodec_registry_describe(the_registry(), Rf_asInteger(what), text_of(name),
                                    owned(sink, SINK), fresh_error()));
  SEXP raw = sink_to_raw(owned(sink, SINK));
  UNPROTECT(1);
  return raw;
}

static SEXP pc_c_units(SEXP numbers, SEXP from, SEXP to) {
  SEXP converted = PROTECT(Rf_duplicate(numbers));
  check(polycodec_units_convert(text_of(from), text_of(to), REAL(converted),
                                (uint64_t)XLENGTH(converted), fresh_error()));
  UNPROTECT(1);
  return converted;
}

/* ---- messages ---- */

static SEXP pc_c_channel(SEXP options, SEXP given) {
  call of;
  read_call(given, &of);
  of.options.on_progress = NULL; /* channels take none */
  of.options.projection = NULL;
  SEXP handle = PROTECT(new_handle(CHANNEL, R_NilValue));
  polycodec_channel* channel = NULL;
  check(polycodec_channel_open(the_registry(), text_of(options), &of.options, &channel,
                               fresh_error()));
  R_SetExternalPtrAddr(handle, channel);
  UNPROTECT(1);
  return handle;
}

/* The message for a value, or the one that ends the stream. */
static SEXP pc_c_pack(SEXP channel, SEXP x, SEXP header, SEXP ends) {
  const int is_end = Rf_asLogical(ends) == TRUE;
  SEXP value = PROTECT(is_end ? R_NilValue : value_of(x));
  SEXP handle = PROTECT(new_handle(MESSAGE, value));
  polycodec_message* message = NULL;
  check(polycodec_channel_pack(owned(channel, CHANNEL), is_end ? NULL : owned(value, VALUE),
                               text_of(header), &message, fresh_error()));
  R_SetExternalPtrAddr(handle, message);
  SEXP raw = R_NilValue;
  const polycodec_bytes* pieces = NULL;
  uint64_t n = 0;
  uint64_t size = 0;
  for (int pass = 0; pass < 2; ++pass) {
    Rbyte* to = pass == 0 ? NULL : RAW(raw);
    for (uint64_t part = 0;
         polycodec_message_part(message, part, &pieces, &n, NULL) == POLYCODEC_OK; ++part)
      for (uint64_t k = 0; k < n; ++k) {
        if (pass == 0) size += pieces[k].size;
        if (pass == 1 && pieces[k].size != 0) memcpy(to, pieces[k].data, pieces[k].size);
        if (pass == 1) to += pieces[k].size;
      }
    if (pass == 0) raw = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
  }
  drop(handle);
  if (!is_end) end(value, x);
  UNPROTECT(3);
  return raw;
}

static SEXP pc_c_feed(SEXP channel, SEXP bytes, SEXP is_last) {
  const polycodec_bytes piece = {RAW_RO(bytes), (uint64_t)XLENGTH(bytes)};
  check(polycodec_channel_feed(owned(channel, CHANNEL), piece, Rf_asLogical(is_last) == TRUE,
                               fresh_error()));
  return R_NilValue;
}

/* The next message: a handle, its header as JSON, and the number of a control message. NULL: it is
 * not all there. */
static SEXP pc_c_next(SEXP channel) {
  SEXP next = PROTECT(Rf_allocVector(VECSXP, 3));
  SEXP handle = PROTECT(new_handle(VALUE, R_NilValue));
  SEXP header = PROTECT(new_sink());
  SET_VECTOR_ELT(next, 0, handle);
  polycodec_value* value = NULL;
  int32_t control = 0;
  check(polycodec_channel_next(owned(channel, CHANNEL), &value, &control, owned(header, SINK),
                               fresh_error()));
  R_SetExternalPtrAddr(handle, value);
  if (value != NULL) SET_VECTOR_ELT(next, 1, sink_to_raw(owned(header, SINK)));
  SET_VECTOR_ELT(next, 2, Rf_ScalarInteger(control));
  drop(header);
  UNPROTECT(3);
  return value == NULL ? R_NilValue : next;
}

#define FUNCTION(name, n) \
  { #name, (DL_FUNC)(void (*)(void)) & name, n }

static const R_CallMethodDef functions[] = {FUNCTION(pc_c_losses, 0),
                                            FUNCTION(pc_c_setup, 3),
                                            FUNCTION(pc_c_open, 3),
                                            FUNCTION(pc_c_value, 2),
                                            FUNCTION(pc_c_close, 1),
                                            FUNCTION(pc_c_encode, 3),
                                            FUNCTION(pc_c_save, 5),
                                            FUNCTION(pc_c_text, 2),
                                            FUNCTION(pc_c_describe, 2),
                                            FUNCTION(pc_c_units, 3),
                                            FUNCTION(pc_c_channel, 2),
                                            FUNCTION(pc_c_pack, 4),
                                            FUNCTION(pc_c_feed, 3),
                                            FUNCTION(pc_c_next, 1),
                                            FUNCTION(pc_c_view, 1),
                                            FUNCTION(pc_c_members, 3),
                                            {NULL, NULL, 0}};

void R_init_polycodec(DllInfo* info) {
  R_registerRoutines(info, NULL, functions, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
  make_view_class(info);
}
