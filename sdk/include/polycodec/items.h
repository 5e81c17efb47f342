/* SPDX-License-Identifier: MIT
 *
 * Items of columnar arrays: where item i of an array is stored, also below options, indices and
 * chunks. Plain C11 that includes polycodec/abi.h and <string.h>; nothing here is exported by a
 * library, so plugins, hosts and bindings may copy the file.
 *
 * All functions but polycodec_column_length take structs of a value that has passed full
 * validation, and an index below `length`: nothing is checked again. They cannot fail, allocate
 * nothing, write only to what they are given a pointer to, follow no metadata, and are
 * [thread-safe] while nobody changes the value. What they give points into the value and lives as
 * long. Each takes constant time, but for chunks: a binary search, or up to
 * POLYCODEC_MAX_PLAIN_CHUNKS children one by one.
 *
 * The layouts are those of the minor version of abi.h that this file came with.
 */
#ifndef POLYCODEC_ITEMS_H
#define POLYCODEC_ITEMS_H

#include <polycodec/abi.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Columns of structure ---- */

/* Item i of a column of structure integers, sign- or zero-extended. A uint64 above INT64_MAX gives
 * INT64_MAX, which no index reaches. */
static inline int64_t polycodec_column_item(const polycodec_column* column, uint64_t i) {
  const char* const at = (const char*)column->data + (int64_t)i * column->stride;
  int64_t i64;
  uint64_t u64;
  int32_t i32;
  uint32_t u32;
  int16_t i16;
  uint16_t u16;
  switch (column->dtype) {
    case POLYCODEC_DTYPE_INT64:
      memcpy(&i64, at, sizeof i64);
      return i64;
    case POLYCODEC_DTYPE_INT32:
      memcpy(&i32, at, sizeof i32);
      return i32;
    case POLYCODEC_DTYPE_INT16:
      memcpy(&i16, at, sizeof i16);
      return i16;
    case POLYCODEC_DTYPE_INT8:
      return *(const int8_t*)at;
    case POLYCODEC_DTYPE_UINT64:
      memcpy(&u64, at, sizeof u64);
      return u64 > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)u64;
    case POLYCODEC_DTYPE_UINT32:
      memcpy(&u32, at, sizeof u32);
      return (int64_t)u32;
    case POLYCODEC_DTYPE_UINT16:
      memcpy(&u16, at, sizeof u16);
      return u16;
    default:
      return *(const uint8_t*)at;
  }
}

/* How many items a column of an array with these fields has: the first one (offsets, starts, mask,
 * index), or the `second` (stops, tags). 0 if the layout has no such column, or is unknown. The
 * offsets of CHUNKED have this many where they are not absent. Takes any numbers. */
static inline uint64_t polycodec_column_length(uint32_t layout, uint64_t length,
                                               uint32_t n_children, int second) {
  switch (layout) {
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_UNION:
      return length;
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      return second ? 0 : length + 1;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_INDEXED:
      return second ? 0 : length;
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return second ? 0 : length / 8 + (length % 8 != 0);
    case POLYCODEC_LAYOUT_CHUNKED:
      return second ? 0 : (uint64_t)n_children + 1;
    default:
      return 0;
  }
}

/* ---- Lists and text ---- */

/* Items [begin, end) of an array. */
typedef struct polycodec_range {
  uint64_t begin, end;
} polycodec_range;

/* LIST_OFFSETS, LIST_VIEW, LIST_FIXED: where list item i lies in children[0]. */
static inline polycodec_range polycodec_list_range(const polycodec_array* list, uint64_t i) {
  polycodec_range range;
  switch (list->layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      range.begin = (uint64_t)polycodec_column_item(&list->offsets, i);
      range.end = (uint64_t)polycodec_column_item(&list->offsets, i + 1);
      break;
    case POLYCODEC_LAYOUT_LIST_VIEW:
      range.begin = (uint64_t)polycodec_column_item(&list->starts, i);
      range.end = (uint64_t)polycodec_column_item(&list->stops, i);
      break;
    default:
      range.begin = i * list->list_size;
      range.end = (i + 1) * list->list_size;
  }
  return range;
}

/* 1: the items of the array are strings or byte strings, which polycodec_text_item() gives. */
static inline int polycodec_is_text(const polycodec_array* array) {
  return (array->flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0;
}

/* The bytes of item i of an array that polycodec_is_text(). Without bytes `data` may be NULL. */
static inline polycodec_bytes polycodec_text_item(const polycodec_array* list, uint64_t i) {
  const polycodec_range range = polycodec_list_range(list, i);
  const char* const bytes = (const char*)list->children[0]->data;
  polycodec_bytes text;
  text.data = bytes == NULL ? NULL : bytes + range.begin;
  text.size = range.end - range.begin;
  return text;
}

/* ---- Items ---- */

/* 0: item i is missing. 1 for layouts that know no missing items. */
static inline int polycodec_is_present(const polycodec_array* array, uint64_t i) {
  const int when = (array->flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  switch (array->layout) {
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      return (polycodec_column_item(&array->mask, i) != 0) == when;
    case POLYCODEC_LAYOUT_OPTION_BITS: {
      const unsigned byte = (unsigned)polycodec_column_item(&array->mask, i / 8) & 0xffu;
      const unsigned bit = (unsigned)(i % 8);
      const unsigned shift = (array->flags & POLYCODEC_ARRAY_BITS_LSB) != 0 ? bit : 7 - bit;
      return (int)((byte >> shift) & 1u) == when;
    }
    case POLYCODEC_LAYOUT_INDEXED:
      return polycodec_column_item(&array->index, i) >= 0;
    default:
      return 1;
  }
}

/* CHUNKED: the number of the child that has item *i, which becomes the index there. */
static inline uint32_t polycodec_find_chunk(const polycodec_array* array, uint64_t* i) {
  uint32_t low = 0;
  uint32_t high = array->n_children;
  uint32_t middle;
  if (array->offsets.data == NULL) {
    while (*i >= array->children[low]->length) *i -= array->children[low++]->length;
    return low;
  }
  /* Most chunks are alike, so that the first guess is right or a chunk away. */
  middle = (uint32_t)(*i / (array->length / high + (array->length % high != 0)));
  while (high - low > 1) {
    const uint64_t begin = (uint64_t)polycodec_column_item(&array->offsets, middle);
    if (begin > *i) {
      high = middle;
    } else {
      low = middle;
      if ((uint64_t)polycodec_column_item(&array->offsets, middle + 1) > *i) break;
    }
    middle = low + (high - low) / 2;
  }
  *i -= (uint64_t)polycodec_column_item(&array->offsets, low);
  return low;
}

/* 1: the layout only chooses or hides items of its children: OPTION_*, INDEXED, CHUNKED. */
static inline int polycodec_is_choice(const polycodec_array* array) {
  return array->layout >= POLYCODEC_LAYOUT_OPTION_BYTES &&
         array->layout <= POLYCODEC_LAYOUT_CHUNKED;
}

/* One level of an array that polycodec_is_choice(): the child that has item *i, which becomes the
 * index there. NULL: the item is missing; then *i says nothing. */
static inline const polycodec_array* polycodec_chosen(const polycodec_array* array, uint64_t* i) {
  switch (array->layout) {
    case POLYCODEC_LAYOUT_CHUNKED:
      return array->children[polycodec_find_chunk(array, i)];
    case POLYCODEC_LAYOUT_INDEXED: {
      const int64_t index = polycodec_column_item(&array->index, *i);
      *i = (uint64_t)index;
      return index < 0 ? NULL : array->children[0];
    }
    default:
      return polycodec_is_present(array, *i) ? array->children[0] : NULL;
  }
}

/* The index of an item that is all of its array. */
#define POLYCODEC_WHOLE UINT64_MAX

/* One item of a value: `node`, or else item `index` of `array`, or all of that with
 * POLYCODEC_WHOLE. Both NULL: a missing item, which is null. */
typedef struct polycodec_item {
  const polycodec_node* node;
  const polycodec_array* array;
  uint64_t index;
} polycodec_item;

/* All levels: item i of any array, as an item of an NDARRAY, LIST_*, RECORD or UNION, or as a node
 * of a DOCUMENT. An NDARRAY with ndim 0 has item 0 alone. */
static inline polycodec_item polycodec_item_at(const polycodec_array* array, uint64_t i) {
  polycodec_item item = {NULL, NULL, 0};
  while (array != NULL && polycodec_is_choice(array)) array = polycodec_chosen(array, &i);
  if (array == NULL) return item;
  if (array->layout == POLYCODEC_LAYOUT_DOCUMENT) {
    item.node = array->nodes + i;
  } else {
    item.array = array;
    item.index = i;
  }
  return item;
}

/* UNION: what item i holds, an item of a child, and its tag, the number of that child. */
static inline polycodec_item polycodec_union_item(const polycodec_array* array, uint64_t i,
                                                  int64_t* tag) {
  polycodec_item item = {NULL, NULL, 0};
  *tag = polycodec_column_item(&array->tags, i);
  item.array = array->children[*tag];
  item.index = (uint64_t)polycodec_column_item(&array->index, i);
  return item;
}

/* NDARRAY: where item i of the first axis begins; with ndim 0 the element. Items of further axes
 * are strides[1], .. bytes apart. NULL if there are no elements. */
static inline const void* polycodec_element(const polycodec_array* leaf, uint64_t i) {
  if (leaf->data == NULL || leaf->ndim == 0) return leaf->data;
  return (const char*)leaf->data + (int64_t)i * leaf->strides[0];
}

/* ---- Runs: loops over many items ----
 *
 * A loop over runs decides about layouts once a run instead of once an item:
 *
 *   polycodec_rows rows = polycodec_rows_of(array, first);
 *   for (uint64_t left = n; left != 0;) {
 *     const polycodec_run run = polycodec_rows_next(&rows, left);
 *     ...
 *     left -= run.count;
 *   }
 *
 * Each column of structure is read once, item by item, so that a whole loop is linear in its items
 * and in the choices that nest. For indices in random order polycodec_item_at() is faster. */

/* The next `count` items (at least 1) of an array as rows [at, at + count) of one that is not a
 * choice, also of a DOCUMENT. `array` NULL: they are missing. */
typedef struct polycodec_run {
  const polycodec_array* array;
  uint64_t at, count;
} polycodec_run;

/* Choices that may nest; below them a run is a single item. */
#define POLYCODEC_ROWS_LEVELS 8

/* Where a loop over runs is. A plain struct, which needs no release; its fields are private.
 * [one-thread] */
typedef struct polycodec_rows {
  struct {
    const polycodec_array* array; /* NULL: missing items */
    uint64_t at;
    uint64_t left; /* items from `at` on that are one run of the next level */
  } level[POLYCODEC_ROWS_LEVELS + 1];
} polycodec_rows;

/* The items of an array from `first` on, which may be its length. */
static inline polycodec_rows polycodec_rows_of(const polycodec_array* array, uint64_t first) {
  polycodec_rows rows;
  rows.level[0].array = array;
  rows.level[0].at = first;
  rows.level[0].left = 0;
  return rows;
}

/* How many items of a choice from i on, of at most `most`, follow each other in the child `to` that
 * polycodec_chosen() gave for i, with the index `at`; or, if that is NULL, are missing. At least 1.
 */
static inline uint64_t polycodec_run_length(const polycodec_array* array, uint64_t i,
                                            const polycodec_array* to, uint64_t at, uint64_t most) {
  uint64_t n = 1;
  if (array->layout == POLYCODEC_LAYOUT_CHUNKED) {
    const uint64_t rest = to->length - at;
    return rest < most ? rest : most;
  }
  if (array->layout == POLYCODEC_LAYOUT_INDEXED && to != NULL) {
    while (n < most && polycodec_column_item(&array->index, i + n) == (int64_t)(at + n)) ++n;
  } else {
    while (n < most && polycodec_is_present(array, i + n) == (to != NULL)) ++n;
  }
  return n;
}

/* The next run, of at most `most` items: at least 1, and no more than are left. */
static inline polycodec_run polycodec_rows_next(polycodec_rows* rows, uint64_t most) {
  polycodec_run run = {NULL, 0, 0};
  uint32_t depth = 0;
  uint32_t level;
  run.count = most;
  while (depth < POLYCODEC_ROWS_LEVELS && rows->level[depth].array != NULL &&
         polycodec_is_choice(rows->level[depth].array)) {
    if (rows->level[depth].left == 0) {
      const polycodec_array* const array = rows->level[depth].array;
      const uint64_t i = rows->level[depth].at;
      uint64_t at = i;
      const polycodec_array* const to = polycodec_chosen(array, &at);
      rows->level[depth].left = polycodec_run_length(array, i, to, at, run.count);
      rows->level[depth + 1].array = to;
      rows->level[depth + 1].at = at;
      rows->level[depth + 1].left = 0;
    }
    if (rows->level[depth].left < run.count) run.count = rows->level[depth].left;
    ++depth;
  }
  run.array = rows->level[depth].array;
  run.at = rows->level[depth].at;
  while (run.array != NULL && polycodec_is_choice(run.array)) { /* too many levels */
    run.array = polycodec_chosen(run.array, &run.at);
    run.count = 1;
  }
  for (level = 0; level < depth; ++level) {
    rows->level[level].at += run.count;
    rows->level[level].left -= run.count;
  }
  rows->level[depth].at += run.count;
  return run;
}

#ifdef __cplusplus
}
#endif

#endif
