/* SPDX-License-Identifier: MIT
 *
 * What the parts of the glue share. An error of R leaves a function by longjmp, so what the library
 * gave is owned by a handle, an external pointer of R, before R is called. No callback of the
 * library calls R. What is easily said in R is done there: see R/helpers.R.
 */
#ifndef POLYCODEC_R_GLUE_H
#define POLYCODEC_R_GLUE_H

#include <polycodec/host.h>

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

/* What a handle owns. */
enum kind { VALUE, SOURCE, CODEC, SINK, BUDGET, CHANNEL, MESSAGE };

/* Where in a value a walk is: `$.a[3]`. */
typedef struct place {
  char* text;
  size_t size, room;
  int depth;
} place;

/* The byte order of this machine, as arrays have it. */
static inline uint8_t host_order(void) {
  const uint16_t one = 1;
  return (uint8_t)(*(const char*)&one == 1 ? POLYCODEC_LITTLE_ENDIAN : POLYCODEC_BIG_ENDIAN);
}

/* An empty error for the next call of the library. */
polycodec_error* fresh_error(void);
/* Raises the error of the last call, unless its status is POLYCODEC_OK, as one `at` a place (or
 * NULL) that its own path begins from. */
void check_at(int32_t status, const place* at);
void check(int32_t status);
_Noreturn void raise_at(const place* at);
_Noreturn void refuse(int32_t code, const char* detail, const place* at, const char* format, ...);

/* Keeps a loss, until R asks for all. Any thread may report. */
void on_loss(void* data, int32_t loss_class, polycodec_bytes path, polycodec_bytes what);

/* Steps of a place return the size to go back to with at->size = .. */
void start_place(place* at, const char* path);
size_t add_name(place* at, polycodec_bytes name);
size_t add_index(place* at, uint64_t index);
/* Goes down one level of containers. */
void descend(place* at);

/* A handle that owns nothing yet, and keeps `keep`. */
SEXP new_handle(enum kind kind, SEXP keep);
/* What a handle owns, and nothing else: raises. */
void* owned(SEXP handle, enum kind kind);
void drop(SEXP handle);

polycodec_registry* the_registry(void);
/* Calls a function of R/helpers.R. */
SEXP ask(const char* function, SEXP a, SEXP b);
/* A text of R as UTF-8; empty for NULL. */
polycodec_bytes text_of(SEXP text);
SEXP text_to_r(polycodec_bytes text, const place* at);
SEXP new_sink(void);
SEXP sink_to_raw(polycodec_sink* sink);
SEXP bytes_to_raw(polycodec_bytes bytes);

/* A part of the value of a handle as an object of R, and a handle of a value of an object of R,
 * whose vectors it views and keeps. */
SEXP to_r(SEXP value, polycodec_item item, const char* path);
SEXP from_r(SEXP x);
/* The words of element types in the notation of types, by polycodec_dtype; of units by number. */
extern const char* const dtype_words[POLYCODEC_DTYPE_COUNT];
extern const char* const unit_words[POLYCODEC_UNIT_COUNT];
void make_view_class(DllInfo* info);

#endif
