/* SPDX-License-Identifier: MIT
 *
 * Objects of R as values of the library. Vectors that are stored as R has them are viewed, others
 * are converted. R/helpers.R says what vectors become, and checks that they fit.
 */
#include "glue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct make {
  SEXP handle; /* of the value, which keeps the vectors of R */
  polycodec_arena* arena;
  place at;
} make;

static void* memory(make* m, uint64_t size) {
  void* const made = polycodec_arena_alloc(m->arena, size, 16, fresh_error());
  if (made == NULL) raise_at(&m->at);
  return made;
}

static SEXP keep(make* m, SEXP x) {
  PROTECT(x);
  R_SetExternalPtrProtected(m->handle, Rf_cons(x, R_ExternalPtrProtected(m->handle)));
  UNPROTECT(1);
  return x;
}

static void leave(void* object) {
  (void)object;
}

/* Memory of R that the value refers to: viewed if it is large. */
static const void* viewed(make* m, const void* data, uint64_t size) {
  const polycodec_bytes extent = {data, size};
  if (size < 4096) return size == 0 ? memory(m, 16) : memcpy(memory(m, size), data, size);
  check_at(m->arena->adopt(m->arena, NULL, leave, &extent, 1, fresh_error()), &m->at);
  return data;
}

static polycodec_array* new_array(make* m, int layout, uint64_t length, uint32_t n_children,
                                  const polycodec_array* child) {
  polycodec_array* const a = memset(memory(m, sizeof *a), 0, sizeof *a);
  const polycodec_array** const children = memory(m, (n_children + 1) * sizeof *children);
  children[0] = child;
  a->struct_size = sizeof *a;
  a->layout = (uint8_t)layout;
  a->length = length;
  a->n_children = n_children;
  if (n_children != 0) a->children = children;
  return a;
}

static uint16_t half_of(double number) {
  const uint16_t sign = signbit(number) ? 0x8000u : 0;
  const double size = fabs(number);
  uint64_t bits;
  int exponent;
  memcpy(&bits, &number, sizeof bits);
  if (isnan(number)) return (uint16_t)(sign | 0x7c00u | (bits >> 42 & 0x3ffu) | 0x200u);
  if (isinf(number)) return sign | 0x7c00u;
  if (size < 0x1p-14) return (uint16_t)(sign | (unsigned)nearbyint(size * 0x1p24));
  frexp(size, &exponent);
  /* A fraction that rounds up to the next power of two carries into the exponent. */
  return (uint16_t)(sign | ((unsigned)(exponent + 13) * 1024u +
                            (unsigned)nearbyint(ldexp(size, 11 - exponent))));
}

#define EACH(type, from, number)           \
  for (uint64_t i = 0; i < n; ++i) {       \
    const from v = ((const from*)data)[i]; \
    ((type*)to)[i] = (type)(number);       \
  }                                        \
  break

/* The elements of a vector in the type that they are to have; they fit. */
static const void* stored(make* m, SEXP x, uint32_t dtype, uint32_t item_size) {
  const int is_complex = TYPEOF(x) == CPLXSXP;
  const uint64_t n = (uint64_t)XLENGTH(x) * (is_complex ? 2 : 1); /* numbers */
  const size_t width = TYPEOF(x) == RAWSXP ? 1 : TYPEOF(x) == REALSXP || is_complex ? 8 : 4;
  const void* const data = DATAPTR_RO(x);
  if (width == 1 || item_size == width * (is_complex ? 2 : 1)) return viewed(m, data, n * width);
  void* const to = memory(m, n * item_size + 16);
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      EACH(uint8_t, int, v == TRUE);
    case POLYCODEC_DTYPE_INT8:
    case POLYCODEC_DTYPE_UINT8:
      EACH(uint8_t, int, v);
    case POLYCODEC_DTYPE_INT16:
    case POLYCODEC_DTYPE_UINT16:
      EACH(uint16_t, int, v);
    case POLYCODEC_DTYPE_INT32:
      EACH(int32_t, double, v);
    case POLYCODEC_DTYPE_UINT32:
      EACH(uint32_t, double, v);
    case POLYCODEC_DTYPE_FLOAT32:
    case POLYCODEC_DTYPE_COMPLEX64:
      EACH(float, double, v);
    default:
      EACH(uint16_t, double, half_of(v)); /* FLOAT16, COMPLEX32 */
  }
  return to;
}

/* What R/helpers.R says of a vector of elements. */
typedef struct leaf {
  SEXP data, present; /* `present`: a byte for each item, or NULL */
  uint32_t dtype, item_size, unit;
} leaf;

/* The same for vectors that are stored as they are, without asking: most are. */
static int is_plain(SEXP x, leaf* to) {
  const R_xlen_t n = XLENGTH(x);
  const int* const integers = TYPEOF(x) == LGLSXP || TYPEOF(x) == INTSXP ? DATAPTR_RO(x) : NULL;
  const double* const reals = TYPEOF(x) == REALSXP && !OBJECT(x) ? REAL_RO(x) : NULL;
  const int64_t* const counts = TYPEOF(x) == REALSXP && OBJECT(x) ? DATAPTR_RO(x) : NULL;
  int misses = 0;
  if (TYPEOF(x) == RAWSXP) {
    *to = (leaf){x, R_NilValue, POLYCODEC_DTYPE_UINT8, 1, 0};
    return 1;
  }
  if (Rf_getAttrib(x, Rf_install("dtype")) != R_NilValue) return 0;
  for (R_xlen_t i = 0; integers != NULL && i < n; ++i) misses |= integers[i] == NA_INTEGER;
  for (R_xlen_t i = 0; reals != NULL && i < n; ++i) misses |= isnan(reals[i]) && R_IsNA(reals[i]);
  for (R_xlen_t i = 0; counts != NULL && i < n; ++i) misses |= counts[i] == INT64_MIN;
  if (TYPEOF(x) == LGLSXP)
    *to = (leaf){x, R_NilValue, POLYCODEC_DTYPE_BOOLEAN, 1, 0};
  else if (integers != NULL)
    *to = (leaf){x, R_NilValue, POLYCODEC_DTYPE_INT32, 4, 0};
  else if (reals != NULL)
    *to = (leaf){x, R_NilValue, POLYCODEC_DTYPE_FLOAT64, 8, 0};
  else if (counts != NULL && Rf_inherits(x, "integer64"))
    *to = (leaf){x, R_NilValue, POLYCODEC_DTYPE_INT64, 8, 0};
  else
    return 0;
  return !misses;
}

static leaf describe(make* m, SEXP x) {
  leaf plain;
  if (is_plain(x, &plain)) return plain;
  SEXP said = keep(m, ask("leaf", x, PROTECT(Rf_mkString(m->at.text))));
  UNPROTECT(1);
  const int* const numbers = INTEGER_RO(VECTOR_ELT(said, 2));
  return (leaf){VECTOR_ELT(said, 0), VECTOR_ELT(said, 1), (uint32_t)numbers[0],
                (uint32_t)numbers[1], (uint32_t)numbers[2]};
}

static const polycodec_array* with_mask(make* m, const polycodec_array* a, SEXP present) {
  if (present == R_NilValue) return a;
  polycodec_array* const option = new_array(m, POLYCODEC_LAYOUT_OPTION_BYTES, a->length, 1, a);
  option->flags = POLYCODEC_ARRAY_MASK_VALID;
  option->mask =
      (polycodec_column){viewed(m, RAW_RO(present), a->length), 1, POLYCODEC_DTYPE_UINT8, 0};
  return option;
}

/* An array as R has it: its first index runs fastest. */
static const polycodec_array* elements(make* m, SEXP x) {
  const leaf of = describe(m, x);
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  const uint32_t ndim = dim == R_NilValue ? 1 : (uint32_t)XLENGTH(dim);
  const uint64_t n = TYPEOF(of.data) == RAWSXP && of.item_size != 0
                         ? (uint64_t)XLENGTH(of.data) / of.item_size
                         : (uint64_t)XLENGTH(of.data);
  int64_t* const shape = memory(m, 2 * ndim * sizeof *shape);
  int64_t stride = of.item_size;
  for (uint32_t k = 0; k < ndim; stride *= shape[k++]) {
    shape[k] = dim == R_NilValue ? (int64_t)n : INTEGER_RO(dim)[k];
    shape[ndim + k] = stride;
  }
  polycodec_array* const a = new_array(m, POLYCODEC_LAYOUT_NDARRAY, (uint64_t)shape[0], 0, NULL);
  a->dtype = (uint8_t)of.dtype;
  a->byte_order = host_order();
  a->data = a->buffer = stored(m, of.data, of.dtype, of.item_size);
  a->buffer_size = n * of.item_size;
  a->ndim = ndim;
  a->item_size = of.item_size;
  a->unit = of.unit;
  a->shape = shape;
  a->strides = shape + ndim;
  return with_mask(m, a, of.present);
}

/* Lists of items that follow each other in an array; `ends`: an integer64 for each list. */
static polycodec_array* sliced(make* m, const polycodec_array* of, const int64_t* ends,
                               uint64_t n) {
  polycodec_array* const a = new_array(m, POLYCODEC_LAYOUT_LIST_OFFSETS, n, 1, of);
  int64_t* const offsets = memory(m, (n + 1) * sizeof *offsets);
  offsets[0] = 0;
  if (n != 0) memcpy(offsets + 1, ends, n * sizeof *offsets);
  a->offsets = (polycodec_column){offsets, 8, POLYCODEC_DTYPE_INT64, 0};
  return a;
}

static const char* text_item(SEXP item, uint64_t* size) {
  const char* const text = Rf_getCharCE(item) == CE_BYTES ? CHAR(item) : Rf_translateCharUTF8(item);
  *size = strlen(text);
  return text;
}

static const polycodec_array* texts(make* m, SEXP x) {
  const R_xlen_t n = XLENGTH(x);
  const void* const top = vmaxget();
  int64_t* const ends = (int64_t*)R_alloc((size_t)n + 1, sizeof *ends);
  uint64_t total = 0;
  uint64_t size = 0;
  int misses = 0;
  for (R_xlen_t i = 0; i < n; ++i) {
    const int is_missing = STRING_ELT(x, i) == NA_STRING;
    misses = misses || is_missing;
    text_item(STRING_ELT(x, i), &size);
    ends[i] = (int64_t)(total += is_missing ? 0 : size);
  }
  SEXP bytes = keep(m, Rf_allocVector(RAWSXP, (R_xlen_t)total));
  SEXP present = keep(m, Rf_allocVector(RAWSXP, misses ? n : 0));
  for (R_xlen_t i = 0; i < n; ++i) {
    const int is_missing = STRING_ELT(x, i) == NA_STRING;
    const char* const text = text_item(STRING_ELT(x, i), &size);
    if (misses) RAW(present)[i] = !is_missing;
    if (!is_missing && size != 0) memcpy(RAW(bytes) + ends[i] - size, text, size);
  }
  polycodec_array* const a = sliced(m, elements(m, bytes), ends, (uint64_t)n);
  a->flags = POLYCODEC_ARRAY_STRING;
  vmaxset(top);
  return with_mask(m, a, misses ? present : R_NilValue);
}

static polycodec_node node_of(make* m, SEXP x);
static const polycodec_node* metadata_of(make* m, SEXP x);

/* Objects of classes as R/helpers.R makes them of vectors and lists. */
static SEXP lowered(make* m, SEXP x) {
  if (!OBJECT(x) || Rf_inherits(x, "integer64") || Rf_inherits(x, "data.frame") ||
      Rf_inherits(x, "pc_extension"))
    return x;
  SEXP lower = keep(m, ask("lower", x, PROTECT(Rf_mkString(m->at.text))));
  UNPROTECT(1);
  return lower;
}

static int has_type(SEXP x, const char* type) {
  SEXP word = Rf_getAttrib(x, Rf_install("dtype"));
  return TYPEOF(word) == STRSXP && XLENGTH(word) == 1 &&
         strncmp(CHAR(STRING_ELT(word, 0)), type, strlen(type)) == 0;
}

static const polycodec_array* array_of(make* m, SEXP x);

/* A data.frame: each column an array. */
static polycodec_array* records(make* m, SEXP x) {
  const uint32_t width = (uint32_t)XLENGTH(x);
  SEXP names = Rf_getAttrib(x, R_NamesSymbol);
  SEXP rows = PROTECT(ask("rows_of", x, R_NilValue));
  polycodec_array* const a =
      new_array(m, POLYCODEC_LAYOUT_RECORD, (uint64_t)Rf_asReal(rows), width, NULL);
  const polycodec_array** const children = memory(m, (width + 1) * sizeof *children);
  polycodec_bytes* const words = memory(m, (width + 1) * sizeof *words);
  for (uint32_t k = 0; k < width; ++k) {
    const char* const name = text_item(STRING_ELT(names, k), &words[k].size);
    words[k].data = memcpy(memory(m, words[k].size + 1), name, words[k].size);
    const size_t before = add_name(&m->at, words[k]);
    children[k] = array_of(m, VECTOR_ELT(x, k));
    m->at.size = before;
  }
  if (width != 0) a->children = children;
  if (!has_type(x, "tuple")) a->names = words;
  UNPROTECT(1);
  return a;
}

/* A vector, list or data.frame as a column. */
static const polycodec_array* array_of(make* m, SEXP given) {
  SEXP x = lowered(m, given);
  const polycodec_array* a;
  descend(&m->at);
  if (Rf_inherits(x, "data.frame")) {
    a = records(m, x);
  } else if (TYPEOF(x) == STRSXP && !has_type(x, "fixed_") &&
             Rf_xlength(Rf_getAttrib(x, R_DimSymbol)) < 2) {
    a = texts(m, x);
  } else if (TYPEOF(x) != VECSXP || has_type(x, "fixed_bytes")) {
    a = elements(m, x);
  } else if (has_type(x, "var * ") || has_type(x, "bytes")) {
    SEXP flat = keep(m, ask("flatten", x, R_NilValue)); /* whole, ends */
    SEXP whole = VECTOR_ELT(flat, 0);
    polycodec_array* const lists = sliced(
        m, array_of(m, whole), (const int64_t*)REAL_RO(VECTOR_ELT(flat, 1)), (uint64_t)XLENGTH(x));
    if (has_type(x, "bytes")) lists->flags = POLYCODEC_ARRAY_BINARY;
    a = lists;
  } else {
    const uint64_t n = (uint64_t)XLENGTH(x);
    polycodec_array* const document = new_array(m, POLYCODEC_LAYOUT_DOCUMENT, n, 0, NULL);
    polycodec_node* const nodes = memory(m, (n + 1) * sizeof *nodes);
    for (uint64_t i = 0; i < n; ++i) {
      const size_t before = add_index(&m->at, i);
      nodes[i] = node_of(m, VECTOR_ELT(x, (R_xlen_t)i));
      m->at.size = before;
    }
    document->nodes = nodes;
    a = document;
  }
  --m->at.depth;
  ((polycodec_array*)(uintptr_t)a)->metadata = metadata_of(m, given);
  return a;
}

static polycodec_node text_node(make* m, SEXP item) {
  uint64_t size = 0;
  const char* const text = text_item(item, &size);
  polycodec_node node = polycodec_node_make(
      POLYCODEC_KIND_STRING, Rf_getCharCE(item) == CE_BYTES ? POLYCODEC_STRING_LENIENT : 0, size);
  node.as.data = memcpy(memory(m, size + 1), text, size);
  return node;
}

/* A time of a vector of one item. */
static polycodec_time* time_of(make* m, int64_t count, uint32_t unit, int is_timestamp) {
  polycodec_time* const time = memory(m, sizeof *time);
  *time = (polycodec_time){count, 0, unit};
  if (!is_timestamp || unit <= POLYCODEC_UNIT_SECOND || unit > POLYCODEC_UNIT_NANOSECOND ||
      count == INT64_MIN)
    return time;
  const int64_t parts = unit == POLYCODEC_UNIT_MILLISECOND   ? 1000
                        : unit == POLYCODEC_UNIT_MICROSECOND ? 1000000
                                                             : 1000000000;
  const int64_t rest = (count % parts + parts) % parts;
  *time = (polycodec_time){(count - rest) / parts, (uint32_t)(rest * (1000000000 / parts)), unit};
  return time;
}

/* A vector of one item, which has no dimensions. */
static polycodec_node scalar(make* m, SEXP x) {
  const leaf of = describe(m, x);
  const uint32_t dtype = of.dtype;
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  if (of.present != R_NilValue && RAW_RO(of.present)[0] == 0) return node;
  const void* const data = stored(m, of.data, dtype, of.item_size);
  node.kind =
      dtype == POLYCODEC_DTYPE_BOOLEAN                                    ? POLYCODEC_KIND_BOOLEAN
      : dtype <= POLYCODEC_DTYPE_INT64                                    ? POLYCODEC_KIND_SIGNED
      : dtype >= POLYCODEC_DTYPE_UINT8 && dtype <= POLYCODEC_DTYPE_UINT64 ? POLYCODEC_KIND_UNSIGNED
      : dtype >= POLYCODEC_DTYPE_FLOAT16 && dtype <= POLYCODEC_DTYPE_FLOAT64 ? POLYCODEC_KIND_FLOAT
      : dtype == POLYCODEC_DTYPE_TIMESTAMP64 ? POLYCODEC_KIND_TIMESTAMP
      : dtype == POLYCODEC_DTYPE_DURATION64  ? POLYCODEC_KIND_DURATION
                                             : POLYCODEC_KIND_WIDE;
  if (node.kind == POLYCODEC_KIND_WIDE) {
    node.as.data = data;
  } else {
    /* A word of which the number is the low bytes; a float32 is at its start. */
    const int is_low = host_order() == POLYCODEC_LITTLE_ENDIAN || dtype == POLYCODEC_DTYPE_FLOAT32;
    const uint32_t unused = 8 - of.item_size;
    memcpy((char*)&node.as + (is_low ? 0 : unused), data, of.item_size);
    if (node.kind == POLYCODEC_KIND_SIGNED)
      node.as.i64 = (int64_t)(node.as.u64 << (8 * unused)) >> (8 * unused);
  }
  if (node.kind == POLYCODEC_KIND_TIMESTAMP || node.kind == POLYCODEC_KIND_DURATION)
    node.as.time = time_of(m, node.as.i64, of.unit, node.kind == POLYCODEC_KIND_TIMESTAMP);
  else if (node.kind != POLYCODEC_KIND_BOOLEAN)
    node.dtype = (uint8_t)dtype;
  return node;
}

/* Members or items; a map without names has pairs of key and value. */
static polycodec_node list_node(make* m, SEXP x) {
  const uint64_t n = (uint64_t)XLENGTH(x);
  SEXP names = Rf_getAttrib(x, R_NamesSymbol);
  const int is_map = has_type(x, "map");
  const uint64_t step = is_map || names != R_NilValue ? 2 : 1;
  polycodec_node node = polycodec_node_make(is_map                 ? POLYCODEC_KIND_MAP
                                            : names != R_NilValue  ? POLYCODEC_KIND_OBJECT
                                            : has_type(x, "tuple") ? POLYCODEC_KIND_TUPLE
                                                                   : POLYCODEC_KIND_LIST,
                                            0, n);
  polycodec_node* const nodes = memory(m, (step * n + 1) * sizeof *nodes);
  for (uint64_t i = 0; i < n; ++i) {
    SEXP item = VECTOR_ELT(x, (R_xlen_t)i);
    polycodec_node* const to = nodes + step * i;
    size_t before = m->at.size;
    if (names != R_NilValue) {
      to[0] = text_node(m, STRING_ELT(names, (R_xlen_t)i));
      before = add_name(&m->at, (polycodec_bytes){to->as.data, polycodec_node_size(to)});
    } else if (is_map) {
      if (TYPEOF(item) != VECSXP || XLENGTH(item) != 2)
        refuse(POLYCODEC_ERROR_TYPE, "r.map", &m->at,
               "an entry of a map without names is a list of its key and its value");
      to[0] = node_of(m, VECTOR_ELT(item, 0));
      item = VECTOR_ELT(item, 1);
    } else {
      before = add_index(&m->at, i);
    }
    to[step - 1] = node_of(m, item);
    m->at.size = before;
  }
  node.as.nodes = nodes;
  return node;
}

static polycodec_node bare_node(make* m, SEXP x) {
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  if (x == R_NilValue || has_type(x, "null")) return node;
  if (Rf_inherits(x, "pc_extension")) {
    SEXP pair = keep(m, ask("extend", x, R_NilValue)); /* name, payload */
    polycodec_extension* const extension = memory(m, sizeof *extension);
    polycodec_node* const nodes = memory(m, sizeof *nodes);
    nodes[0] = text_node(m, STRING_ELT(VECTOR_ELT(pair, 0), 0));
    extension->name = (polycodec_bytes){nodes->as.data, polycodec_node_size(nodes)};
    nodes[0] = node_of(m, VECTOR_ELT(pair, 1));
    extension->payload = nodes;
    node.kind = POLYCODEC_KIND_EXTENSION;
    node.as.extension = extension;
  } else if (TYPEOF(x) == RAWSXP && dim == R_NilValue) {
    node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, (uint64_t)XLENGTH(x));
    node.as.data = viewed(m, RAW_RO(x), (uint64_t)XLENGTH(x));
  } else if (Rf_isVectorAtomic(x) && Rf_getAttrib(x, R_NamesSymbol) != R_NilValue &&
             dim == R_NilValue) {
    return list_node(m, keep(m, ask("as.list", x, R_NilValue)));
  } else if (TYPEOF(x) == STRSXP && XLENGTH(x) == 1 && dim == R_NilValue &&
             !has_type(x, "fixed_")) {
    return STRING_ELT(x, 0) == NA_STRING ? node : text_node(m, STRING_ELT(x, 0));
  } else if (Rf_isVectorAtomic(x) && XLENGTH(x) == 1 && dim == R_NilValue && TYPEOF(x) != STRSXP) {
    return scalar(m, x);
  } else if (Rf_isVectorAtomic(x) || Rf_inherits(x, "data.frame") || has_type(x, "var * ") ||
             has_type(x, "bytes") || has_type(x, "fixed_bytes")) {
    node.kind = POLYCODEC_KIND_ARRAY;
    node.as.array = array_of(m, x);
  } else if (TYPEOF(x) == VECSXP) {
    return list_node(m, x);
  } else {
    refuse(POLYCODEC_ERROR_TYPE, "r.type", &m->at,
           "an object of R of the type %s is not data: give vectors, lists or data.frames",
           Rf_type2char((SEXPTYPE)TYPEOF(x)));
  }
  return node;
}

static const polycodec_node* metadata_of(make* m, SEXP x) {
  if (x == R_NilValue || Rf_inherits(x, "difftime") ||
      (Rf_getAttrib(x, Rf_install("units")) == R_NilValue &&
       Rf_getAttrib(x, Rf_install("metadata")) == R_NilValue))
    return NULL;
  polycodec_node* const node = memory(m, sizeof *node);
  *node = list_node(m, keep(m, ask("join_metadata", x, R_NilValue)));
  return node;
}

static polycodec_node node_of(make* m, SEXP x) {
  descend(&m->at);
  polycodec_node node = bare_node(m, lowered(m, x));
  const polycodec_node* const metadata =
      node.kind == POLYCODEC_KIND_ARRAY ? NULL : metadata_of(m, x);
  --m->at.depth;
  if (metadata == NULL) return node;
  polycodec_annotated* const annotated = memory(m, sizeof *annotated);
  polycodec_node* const inner = memory(m, sizeof *inner);
  *inner = node;
  *annotated = (polycodec_annotated){inner, metadata};
  node = polycodec_node_make(POLYCODEC_KIND_ANNOTATED, 0, 0);
  node.as.annotated = annotated;
  return node;
}

SEXP from_r(SEXP x) {
  make m = {.handle = PROTECT(new_handle(VALUE, Rf_cons(x, R_NilValue)))};
  polycodec_value* value = NULL;
  MARK_NOT_MUTABLE(x);
  check(polycodec_value_create(0, &value, &m.arena, fresh_error()));
  R_SetExternalPtrAddr(m.handle, value);
  start_place(&m.at, "$");
  polycodec_node* const root = memory(&m, sizeof *root);
  *root = node_of(&m, x);
  check(polycodec_value_finish(value, root, fresh_error()));
  UNPROTECT(1);
  return m.handle;
}
