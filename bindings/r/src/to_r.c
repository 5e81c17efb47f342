/* SPDX-License-Identifier: MIT
 *
 * Values of the library as objects of R. What R cannot hold is an error or a loss, and never
 * another number.
 */
#include "glue.h"

#include <R_ext/Altrep.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those with parameters, such as "fixed_bytes", are the beginning of their words. */
const char* const dtype_words[POLYCODEC_DTYPE_COUNT] = {"",
                                                        "bool",
                                                        "int8",
                                                        "int16",
                                                        "int32",
                                                        "int64",
                                                        "int128",
                                                        "uint8",
                                                        "uint16",
                                                        "uint32",
                                                        "uint64",
                                                        "uint128",
                                                        "float16",
                                                        "float32",
                                                        "float64",
                                                        "float128",
                                                        "complex[float16]",
                                                        "complex[float32]",
                                                        "complex[float64]",
                                                        "datetime",
                                                        "timedelta",
                                                        "fixed_bytes",
                                                        "fixed_string",
                                                        "",
                                                        ""};
const char* const unit_words[POLYCODEC_UNIT_COUNT] = {"",  "Y",  "M",  "W",  "D",  "h",  "m",
                                                      "s", "ms", "us", "ns", "ps", "fs", "as"};

typedef struct walk {
  SEXP handle; /* of the value, or of a part of it */
  polycodec_budget* budget;
  polycodec_sink* sink; /* for strings */
  place at;
  uint64_t units, bytes; /* not yet charged */
} walk;

static void charge(walk* w, uint64_t units, uint64_t bytes) {
  w->units += units;
  w->bytes += bytes;
  if (w->units < 10000 && w->bytes < 1000000) return;
  R_CheckUserInterrupt();
  check_at(polycodec_budget_spend(w->budget, w->units, w->bytes, fresh_error()), &w->at);
  w->units = w->bytes = 0;
}

/* ---- views: vectors of doubles in the memory of a value. Who writes to one gets a copy ---- */

static R_altrep_class_t view_class;

static SEXP new_view(walk* w, const void* data, R_xlen_t n) {
  SEXP value = PROTECT(new_handle(VALUE, R_ExternalPtrProtected(w->handle)));
  R_SetExternalPtrAddr(value, polycodec_value_retain(owned(w->handle, VALUE)));
  SEXP length = PROTECT(Rf_ScalarReal((double)n));
  SEXP address = PROTECT(R_MakeExternalPtr((void*)(uintptr_t)data, length, value));
  SEXP view = R_new_altrep(view_class, address, R_NilValue);
  UNPROTECT(3);
  return view;
}

static R_xlen_t view_length(SEXP x) {
  return (R_xlen_t)REAL_RO(R_ExternalPtrTag(R_altrep_data1(x)))[0];
}

static const void* view_or_null(SEXP x) {
  SEXP copied = R_altrep_data2(x);
  return copied != R_NilValue ? REAL_RO(copied) : R_ExternalPtrAddr(R_altrep_data1(x));
}

static void* view_data(SEXP x, Rboolean is_written) {
  if (is_written && R_altrep_data2(x) == R_NilValue) {
    SEXP copied = PROTECT(Rf_allocVector(REALSXP, view_length(x)));
    memcpy(REAL(copied), view_or_null(x), (size_t)XLENGTH(copied) * sizeof(double));
    R_set_altrep_data2(x, copied);
    UNPROTECT(1);
  }
  return (void*)(uintptr_t)view_or_null(x);
}

static double view_item(SEXP x, R_xlen_t i) {
  return ((const double*)view_or_null(x))[i];
}

static R_xlen_t view_region(SEXP x, R_xlen_t i, R_xlen_t n, double* to) {
  const R_xlen_t left = view_length(x) - i;
  const R_xlen_t count = n < left ? n : left;
  memcpy(to, (const double*)view_or_null(x) + i, (size_t)count * sizeof(double));
  return count;
}

void make_view_class(DllInfo* info) {
  view_class = R_make_altreal_class("view", "polycodec", info);
  R_set_altrep_Length_method(view_class, view_length);
  R_set_altvec_Dataptr_method(view_class, view_data);
  R_set_altvec_Dataptr_or_null_method(view_class, view_or_null);
  R_set_altreal_Elt_method(view_class, view_item);
  R_set_altreal_Get_region_method(view_class, view_region);
}

/* ---- arrays of numbers, times and strings ---- */

/* How elements are copied: as elements of a type into a vector of R. */
typedef struct as {
  SEXPTYPE type;
  uint32_t dtype, unit;
} as;

/* The element type that a word of the notation of types names. `type` 0: R has it as a list. */
static as how(walk* w, const char* word) {
  uint32_t dtype = 1;
  uint32_t unit = POLYCODEC_UNIT_COUNT - 1;
  size_t size = strcspn(word, word[0] == 'c' ? "" : "[");
  if (strncmp(word, "string", 7) == 0 || strncmp(word, "fixed_string[", 13) == 0)
    return (as){STRSXP, POLYCODEC_DTYPE_NONE, 0};
  while (dtype < POLYCODEC_DTYPE_FIXED_BYTES &&
         (strncmp(word, dtype_words[dtype], size) != 0 || dtype_words[dtype][size] != '\0'))
    ++dtype;
  while (unit != 0 && (strncmp(word + size, "[unit='", 7) != 0 ||
                       strlen(unit_words[unit]) != strcspn(word + size + 7, "'") ||
                       strncmp(word + size + 7, unit_words[unit], strlen(unit_words[unit])) != 0))
    --unit;
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return (as){LGLSXP, dtype, 0};
    case POLYCODEC_DTYPE_INT64:
    case POLYCODEC_DTYPE_UINT64:
    case POLYCODEC_DTYPE_FLOAT32:
      return (as){REALSXP, dtype, 0};
    case POLYCODEC_DTYPE_UINT32:
    case POLYCODEC_DTYPE_FLOAT16:
    case POLYCODEC_DTYPE_FLOAT64:
      return (as){REALSXP, POLYCODEC_DTYPE_FLOAT64, 0};
    case POLYCODEC_DTYPE_COMPLEX32:
    case POLYCODEC_DTYPE_COMPLEX64:
    case POLYCODEC_DTYPE_COMPLEX128:
      return (as){CPLXSXP, POLYCODEC_DTYPE_COMPLEX128, 0};
    case POLYCODEC_DTYPE_TIMESTAMP64:
    case POLYCODEC_DTYPE_DURATION64:
      return (as){REALSXP, dtype, unit};
    case POLYCODEC_DTYPE_FIXED_BYTES:
      return (as){0, dtype, 0};
    case POLYCODEC_DTYPE_INT128:
    case POLYCODEC_DTYPE_UINT128:
    case POLYCODEC_DTYPE_FLOAT128:
      refuse(POLYCODEC_ERROR_UNSUPPORTED, "r.wide", &w->at,
             "R has no numbers of the type %s: convert the data to another type first", word);
    default:
      return (as){INTSXP, POLYCODEC_DTYPE_INT32, 0};
  }
}

static void set_missing(SEXP x, R_xlen_t i, int is_count) {
  const int64_t missing = INT64_MIN;
  switch (TYPEOF(x)) {
    case LGLSXP:
    case INTSXP:
      INTEGER(x)[i] = NA_INTEGER;
      break;
    case STRSXP:
      SET_STRING_ELT(x, i, NA_STRING);
      break;
    case CPLXSXP:
      COMPLEX(x)[i] = (Rcomplex){NA_REAL, NA_REAL};
      break;
    default:
      REAL(x)[i] = NA_REAL;
      if (is_count) memcpy(REAL(x) + i, &missing, sizeof missing);
  }
}

/* The elements or strings of a part of the value, in the order of its items; missing ones are NA.
 * *into becomes doubles for int32 where one is what R has as NA. */
static SEXP copied(walk* w, const polycodec_item* item, R_xlen_t total, int may_miss, as* into) {
  const polycodec_bytes root = {"$", 1};
  const int is_time = into->unit != 0;
  const int is_count =
      into->dtype == POLYCODEC_DTYPE_INT64 || into->dtype == POLYCODEC_DTYPE_UINT64;
  polycodec_value* const value = owned(w->handle, VALUE);
  polycodec_sink* const sink = w->sink;
  check(polycodec_sink_reset(sink, fresh_error()));
  SEXP x = PROTECT(Rf_allocVector(into->type, total));
  const void* const top = vmaxget();
  uint8_t* const present = may_miss ? (uint8_t*)R_alloc((size_t)total + 1, 1) : NULL;
  uint64_t* const ends = (uint64_t*)R_alloc(into->type == STRSXP ? (size_t)total + 1 : 1, 8);
  const int width = into->type == LGLSXP ? 1 : into->dtype == POLYCODEC_DTYPE_FLOAT32 ? 4 : 0;
  void* const small = R_alloc((size_t)total + 1, width); /* narrower than what R has */
  void* const to = width != 0 ? small : into->type == STRSXP ? NULL : DATAPTR(x);
  polycodec_value* part = NULL;
  uint64_t n = 0;
  int32_t status = polycodec_value_part(value, item, 0, UINT64_MAX, &part, fresh_error());
  if (status == POLYCODEC_OK && into->type == STRSXP)
    status =
        polycodec_value_texts(part, root, sink, ends, (uint64_t)total, present, &n, fresh_error());
  else if (status == POLYCODEC_OK && is_time)
    status = polycodec_value_times(part, root, into->unit, to, (uint64_t)total, present, &n,
                                   fresh_error());
  else if (status == POLYCODEC_OK)
    status = polycodec_value_numbers(part, root, into->dtype, to, (uint64_t)total, present, &n,
                                     fresh_error());
  polycodec_value_release(part);
  check_at(status, &w->at);
  if (n != (uint64_t)total)
    refuse(POLYCODEC_ERROR_INTERNAL, "r.count", &w->at, "the items do not add up: report this");
  polycodec_bytes bytes = {NULL, 0};
  if (into->type == STRSXP) check(polycodec_sink_bytes(sink, &bytes, fresh_error()));
  int* const integers = into->type == LGLSXP || into->type == INTSXP ? DATAPTR(x) : NULL;
  double* const reals = into->type == REALSXP ? REAL(x) : NULL;
  for (R_xlen_t i = 0; width == 1 && i < total; ++i) integers[i] = ((const uint8_t*)small)[i];
  for (R_xlen_t i = 0; width == 4 && i < total; ++i) reals[i] = (double)((const float*)small)[i];
  for (R_xlen_t i = 0; into->type == STRSXP && i < total; ++i) {
    const uint64_t begin = i == 0 ? 0 : ends[i - 1];
    const polycodec_bytes text = {(const char*)bytes.data + begin, ends[i] - begin};
    SET_STRING_ELT(x, i, text_to_r(text, &w->at));
  }
  for (R_xlen_t i = 0; into->type == INTSXP && i < total; ++i) {
    if (integers[i] != NA_INTEGER || (may_miss && !present[i])) continue;
    *into = (as){REALSXP, POLYCODEC_DTYPE_FLOAT64, 0};
    UNPROTECT(1);
    return copied(w, item, total, may_miss, into);
  }
  for (R_xlen_t i = 0; is_count && i < total; ++i) {
    const int64_t count = ((const int64_t*)to)[i];
    if (count >= 0 || (may_miss && !present[i]) ||
        (count != INT64_MIN && into->dtype == POLYCODEC_DTYPE_INT64))
      continue;
    if (total != 1) add_index(&w->at, (uint64_t)i);
    refuse(POLYCODEC_ERROR_RANGE, into->dtype == POLYCODEC_DTYPE_INT64 ? "r.int64_min" : "r.uint64",
           &w->at, "an integer64 of R is -2^63 + 1 to 2^63 - 1: convert the data to float64 first");
  }
  for (R_xlen_t i = 0; may_miss && i < total; ++i)
    if (!present[i]) set_missing(x, i, is_count || is_time);
  vmaxset(top);
  UNPROTECT(1);
  return x;
}

static void set_text(SEXP x, const char* name, const char* text) {
  Rf_setAttrib(x, Rf_install(name), PROTECT(Rf_mkString(text)));
  UNPROTECT(1);
}

/* Gives a vector its class, and `dtype` if from_r() would take another type without it. */
static SEXP typed(walk* w, SEXP x, const char* word, as into) {
  static const char* const usual[] = {"bool", "int64", "float64", "complex[float64]", "string"};
  if (into.unit != 0) {
    PROTECT(x);
    SEXP said = PROTECT(Rf_allocVector(STRSXP, 2));
    SET_STRING_ELT(said, 0, Rf_mkChar(word));
    SET_STRING_ELT(said, 1, Rf_mkCharCE(w->at.text, CE_UTF8));
    x = ask("times", x, said);
    UNPROTECT(2);
    return x;
  }
  /* A NaN that R has as NA, of data without missing items. */
  const int is_double = into.dtype == POLYCODEC_DTYPE_FLOAT64 && !ALTREP(x);
  const double* const doubles = is_double ? REAL_RO(x) : NULL;
  const R_xlen_t n = is_double ? XLENGTH(x) : 0;
  int has_na = 0;
  for (R_xlen_t i = 0; i < n; ++i) has_na |= isnan(doubles[i]) && R_IsNA(doubles[i]);
  int is_usual = TYPEOF(x) == INTSXP && strcmp(word, "int32") == 0;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
    is_usual = is_usual || (strcmp(word, usual[i]) == 0 && !has_na);
  PROTECT(x);
  if (into.dtype == POLYCODEC_DTYPE_INT64 || into.dtype == POLYCODEC_DTYPE_UINT64)
    set_text(x, "class", "integer64");
  if (!is_usual) set_text(x, "dtype", word);
  UNPROTECT(1);
  return x;
}

/* ---- values of all kinds ---- */

static SEXP node_value(walk* w, const polycodec_node* node);

/* A part of the value: some items of an array, or one item of it. */
static SEXP part_value(walk* w, polycodec_item item, uint64_t n) {
  SEXP whole = w->handle;
  SEXP handle = PROTECT(new_handle(VALUE, R_ExternalPtrProtected(whole)));
  polycodec_value* part = NULL;
  check_at(polycodec_value_part(owned(whole, VALUE), &item, 0, n, &part, fresh_error()), &w->at);
  R_SetExternalPtrAddr(handle, part);
  w->handle = handle;
  SEXP x = PROTECT(node_value(w, polycodec_value_root(part)));
  w->handle = whole;
  drop(handle);
  UNPROTECT(2);
  return x;
}

static SEXP with_metadata(walk* w, SEXP x, const polycodec_node* metadata) {
  if (metadata == NULL || polycodec_node_size(metadata) == 0) return x;
  PROTECT(x);
  SEXP said = PROTECT(ask("split_metadata", x, PROTECT(node_value(w, metadata))));
  if (x == R_NilValue) {
    x = Rf_allocVector(VECSXP, 0);
    PROTECT(x);
    set_text(x, "dtype", "null");
  } else {
    PROTECT(x);
  }
  for (int k = 0; k < 2; ++k)
    if (VECTOR_ELT(said, k) != R_NilValue)
      Rf_setAttrib(x, Rf_install(k == 0 ? "units" : "metadata"), VECTOR_ELT(said, k));
  UNPROTECT(4);
  return x;
}

/* A list of R says what each item is, and not which alternative of a union. */
static void tell_retyped(walk* w) {
  on_loss(NULL, POLYCODEC_LOSS_RETYPED, (polycodec_bytes){w->at.text, w->at.size},
          (polycodec_bytes){"the alternatives of a union", 27});
}

/* Items of any kind: a list. */
static SEXP list_of(walk* w, const polycodec_array* a) {
  charge(w, a->length, a->length * 8);
  SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)a->length));
  for (uint64_t i = 0; i < a->length; ++i) {
    const size_t before = add_index(&w->at, i);
    const polycodec_item item = {NULL, a, i};
    SET_VECTOR_ELT(list, (R_xlen_t)i, part_value(w, item, UINT64_MAX));
    w->at.size = before;
  }
  UNPROTECT(1);
  return list;
}

/* Lists of elements: the elements of all of them as one vector, which is cut. */
static SEXP lists(walk* w, const polycodec_array* a, const char* word) {
  const polycodec_item all = {NULL, a->children[0], POLYCODEC_WHOLE};
  SEXP ranges = PROTECT(Rf_allocMatrix(REALSXP, (int)a->length, 2));
  charge(w, a->length, a->length * 64);
  for (uint64_t i = 0; i < a->length; ++i) {
    const polycodec_range range = polycodec_list_range(a, i);
    REAL(ranges)[i] = (double)range.begin;
    REAL(ranges)[a->length + i] = (double)(range.end - range.begin);
    charge(w, 1, (range.end - range.begin) * 8);
  }
  SEXP list = PROTECT(ask("cut_lists", PROTECT(part_value(w, all, UINT64_MAX)), ranges));
  set_text(list, "dtype", word);
  UNPROTECT(3);
  return list;
}

/* Records: a data.frame, whose columns may be matrices, lists and data.frames; or NULL of R, if
 * they are chosen in a way that the library makes no columns of. `w` has a handle of them. */
static SEXP records(walk* w, const polycodec_array* a, const polycodec_array* leaf) {
  SEXP list = PROTECT(Rf_allocVector(VECSXP, leaf->n_children));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, leaf->n_children));
  for (uint32_t k = 0; k < leaf->n_children; ++k) {
    char number[16];
    const polycodec_bytes count = {number, (uint64_t)snprintf(number, sizeof number, "V%u", k + 1)};
    const polycodec_bytes name = leaf->names == NULL ? count : leaf->names[k];
    const size_t before = add_name(&w->at, name);
    polycodec_item column = {NULL, leaf->children[k], POLYCODEC_WHOLE};
    if (a != leaf) { /* in chunks, or chosen: the library makes columns of them */
      const polycodec_bytes path = {w->at.text + before, w->at.size - before};
      const polycodec_node* const root = polycodec_value_root(owned(w->handle, VALUE));
      if (polycodec_node_proper(root)->as.array != a ||
          polycodec_value_find(owned(w->handle, VALUE), path, &column, NULL) != POLYCODEC_OK) {
        w->at.size = before;
        UNPROTECT(2);
        return R_NilValue;
      }
    }
    SET_STRING_ELT(names, k, text_to_r(name, &w->at));
    SET_VECTOR_ELT(list, k, part_value(w, column, a->length));
    w->at.size = before;
  }
  Rf_setAttrib(list, R_NamesSymbol, names);
  list = PROTECT(ask("frame", list, PROTECT(Rf_ScalarReal((double)a->length))));
  if (leaf->names == NULL) set_text(list, "dtype", "tuple");
  UNPROTECT(4);
  return list;
}

static SEXP array_value(walk* w, const polycodec_array* a) {
  const polycodec_item item = {NULL, a, POLYCODEC_WHOLE};
  const polycodec_array* leaf = a;
  int shape[POLYCODEC_MAX_NDIM + 1];
  int ndim = 0;
  uint64_t total = 1;
  polycodec_bytes type;
  check(polycodec_sink_reset(w->sink, fresh_error()));
  check(polycodec_value_type(owned(w->handle, VALUE), &item, w->sink, fresh_error()));
  check(polycodec_sink_bytes(w->sink, &type, fresh_error()));
  charge(w, 10 + type.size, type.size);
  char* word = strcpy(R_alloc(type.size + 1, 1), type.data);
  if (a->metadata != NULL && strncmp(word, "annotated[", 10) == 0) word += 10;
  for (; word[0] >= '0' && word[0] <= '9' && ndim <= (int)POLYCODEC_MAX_NDIM; ++ndim) {
    const uint64_t size = strtoull(word, &word, 10);
    if (size > INT_MAX && (ndim != 0 || a->layout != POLYCODEC_LAYOUT_NDARRAY))
      refuse(POLYCODEC_ERROR_UNSUPPORTED, "r.dim", &w->at,
             "an axis in R has at most 2^31 - 1 items");
    shape[ndim] = (int)size;
    total *= size;
    word += 3;
  }
  size_t end = 0;
  for (int depth = 0; word[end] != '\0' && (depth > 0 || strchr(",]", word[end]) == NULL); ++end)
    depth += (strchr("[{(", word[end]) != NULL) - (strchr("]})", word[end]) != NULL);
  word[end] = '\0';
  const char* element = word;
  while (strncmp(element, "var * ", 6) == 0) element += 6;
  const as into = how(w, element + (element[0] == '?'));
  while (polycodec_is_choice(leaf) && leaf->n_children != 0) leaf = leaf->children[0];
  SEXP x;
  if (into.type != 0 && element == word) {
    as copying = into;
    const int as_it_is = a->layout == POLYCODEC_LAYOUT_NDARRAY && a->ndim == 1 &&
                         a->dtype == POLYCODEC_DTYPE_FLOAT64 && a->strides[0] == 8 &&
                         a->byte_order == host_order() && a->length >= 4096;
    if (as_it_is && (uintptr_t)a->data % 8 == 0) {
      x = PROTECT(new_view(w, a->data, (R_xlen_t)a->length));
    } else if (charge(w, total, 9 * total), as_it_is) {
      x = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)total));
      memcpy(REAL(x), a->data, total * sizeof(double));
    } else {
      x = PROTECT(copied(w, &item, (R_xlen_t)total, word[0] == '?', &copying));
    }
    if (ndim > 1 || (ndim == 1 && total == 1)) {
      SEXP dim = PROTECT(Rf_allocVector(INTSXP, ndim));
      for (int k = 0; k < ndim; ++k) INTEGER(dim)[ndim - 1 - k] = shape[k];
      Rf_setAttrib(x, R_DimSymbol, dim);
      UNPROTECT(1);
      if (ndim > 1) x = ask("aperm", x, R_NilValue);
    }
    UNPROTECT(1);
    x = typed(w, x, word, copying);
  } else if (into.type != 0 && a == leaf && ndim == 1) {
    x = lists(w, a, word);
  } else {
    x = leaf->layout == POLYCODEC_LAYOUT_RECORD && ndim == 1 && (a == leaf || word[0] == '{')
            ? records(w, a, leaf)
            : R_NilValue;
    if (x == R_NilValue) x = list_of(w, a);
    if (leaf->layout == POLYCODEC_LAYOUT_UNION) tell_retyped(w);
    if (ndim == 0 && XLENGTH(x) == 1) {
      x = VECTOR_ELT(x, 0);
    } else if (strncmp(word, "fixed_bytes[", 12) == 0 || strcmp(word, "bytes") == 0) {
      PROTECT(x);
      set_text(x, "dtype", word);
      UNPROTECT(1);
    }
  }
  return with_metadata(w, x, a->metadata);
}

/* A number or a time. */
static SEXP scalar(walk* w, const polycodec_node* node) {
  const polycodec_item item = {node, NULL, 0};
  char word[32];
  if (node->kind == POLYCODEC_KIND_TIMESTAMP || node->kind == POLYCODEC_KIND_DURATION)
    snprintf(word, sizeof word, "%s[unit='%s']",
             node->kind == POLYCODEC_KIND_TIMESTAMP ? "datetime" : "timedelta",
             unit_words[node->as.time->unit]);
  else
    snprintf(word, sizeof word, "%s",
             node->kind == POLYCODEC_KIND_BOOLEAN ? "bool" : dtype_words[node->dtype]);
  as into = how(w, word);
  return typed(w, copied(w, &item, 1, 0, &into), word, into);
}

static SEXP list_node(walk* w, const polycodec_node* node) {
  const R_xlen_t n = (R_xlen_t)polycodec_node_size(node);
  charge(w, (uint64_t)n, (uint64_t)n * 8);
  SEXP x = PROTECT(Rf_allocVector(VECSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const size_t before = add_index(&w->at, (uint64_t)i);
    SET_VECTOR_ELT(x, i, node_value(w, node->as.nodes + i));
    w->at.size = before;
  }
  if (node->kind == POLYCODEC_KIND_TUPLE) set_text(x, "dtype", "tuple");
  UNPROTECT(1);
  return x;
}

static polycodec_bytes text_at(const polycodec_node* node) {
  return (polycodec_bytes){node->as.data, polycodec_node_size(node)};
}

/* Members, or entries of a map: those with other keys than strings are pairs of key and value. */
static SEXP members(walk* w, const polycodec_node* node) {
  const R_xlen_t n = (R_xlen_t)polycodec_node_size(node);
  const polycodec_node* const nodes = node->as.nodes;
  int named = 1;
  for (R_xlen_t i = 0; i < n; ++i) named = named && nodes[2 * i].kind == POLYCODEC_KIND_STRING;
  charge(w, 2 * (uint64_t)n, (uint64_t)n * 16);
  SEXP x = PROTECT(Rf_allocVector(VECSXP, n));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const size_t before =
        named ? add_name(&w->at, text_at(nodes + 2 * i)) : add_index(&w->at, (uint64_t)i);
    if (named) {
      SET_STRING_ELT(names, i, text_to_r(text_at(nodes + 2 * i), &w->at));
      SET_VECTOR_ELT(x, i, node_value(w, nodes + 2 * i + 1));
    } else {
      polycodec_node pair = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 2);
      pair.as.nodes = nodes + 2 * i;
      SET_VECTOR_ELT(x, i, list_node(w, &pair));
    }
    w->at.size = before;
  }
  if (named) Rf_setAttrib(x, R_NamesSymbol, names);
  if (node->kind == POLYCODEC_KIND_MAP) set_text(x, "dtype", "map");
  UNPROTECT(2);
  return x;
}

static SEXP text(walk* w, const polycodec_node* node) {
  SEXP item = PROTECT(text_to_r(text_at(node), &w->at));
  if (node->dtype == POLYCODEC_STRING_LENIENT &&
      R_nchar(item, Chars, TRUE, FALSE, "") == NA_INTEGER)
    item = Rf_mkCharLenCE(CHAR(item), LENGTH(item), CE_BYTES);
  SEXP x = Rf_ScalarString(item);
  UNPROTECT(1);
  return x;
}

static SEXP node_value(walk* w, const polycodec_node* node) {
  SEXP x = R_NilValue;
  charge(w, 1, 64 + (node->kind == POLYCODEC_KIND_STRING ? polycodec_node_size(node) : 0));
  descend(&w->at);
  switch (node->kind) {
    case POLYCODEC_KIND_NULL:
      break;
    case POLYCODEC_KIND_STRING:
      x = text(w, node);
      break;
    case POLYCODEC_KIND_BINARY:
      x = bytes_to_raw(text_at(node));
      break;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      x = list_node(w, node);
      break;
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      x = members(w, node);
      break;
    case POLYCODEC_KIND_ARRAY:
      x = polycodec_is_choice(node->as.array) &&
                  node != polycodec_value_root(owned(w->handle, VALUE))
              ? part_value(w, (polycodec_item){NULL, node->as.array, POLYCODEC_WHOLE}, UINT64_MAX)
              : array_value(w, node->as.array);
      break;
    case POLYCODEC_KIND_EXTENSION: {
      SEXP payload = PROTECT(node_value(w, node->as.extension->payload));
      SEXP name = PROTECT(Rf_ScalarString(text_to_r(node->as.extension->name, &w->at)));
      x = ask("inert", payload, name);
      UNPROTECT(2);
      break;
    }
    case POLYCODEC_KIND_REFERENCE:
      x = node_value(w, node->as.node);
      break;
    case POLYCODEC_KIND_ANNOTATED:
      x = with_metadata(w, node_value(w, node->as.annotated->node), node->as.annotated->metadata);
      break;
    case POLYCODEC_KIND_UNION:
      tell_retyped(w);
      x = node_value(w, node->as.tagged->node);
      break;
    default:
      x = scalar(w, node);
  }
  --w->at.depth;
  return x;
}

SEXP to_r(SEXP value, polycodec_item item, const char* path) {
  walk w = {.handle = value};
  SEXP budget = PROTECT(new_handle(BUDGET, R_NilValue));
  check(polycodec_budget_create(the_registry(), owned(value, VALUE), NULL, NULL, &w.budget,
                                fresh_error()));
  R_SetExternalPtrAddr(budget, w.budget);
  SEXP sink = PROTECT(new_sink());
  w.sink = owned(sink, SINK);
  start_place(&w.at, path);
  SEXP x =
      PROTECT(item.node != NULL ? node_value(&w, item.node) : part_value(&w, item, UINT64_MAX));
  drop(budget);
  drop(sink);
  UNPROTECT(3);
  return x;
}
