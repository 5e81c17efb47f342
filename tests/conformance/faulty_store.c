/* SPDX-License-Identifier: MIT
 *
 * The store format "test.pack": for each blob the sizes of name and content in eight bytes each,
 * the name and the content.
 */
#include "faulty.h"

enum { head_size = 16 };

/* -- reading -- */

typedef struct blob {
  polycodec_bytes name, content;
} blob;

typedef struct pack {
  polycodec_store store;
  uint64_t count;
  blob* blobs;
} pack;

static const pack* pack_of(const polycodec_store* store) {
  return store->private_data;
}

static uint64_t count(const polycodec_store* self) {
  return pack_of(self)->count;
}

static int32_t entry(const polycodec_store* self, polycodec_call* call, uint64_t i,
                     polycodec_store_entry* out, polycodec_error* error) {
  TRY(charge(call, 1, error));
  out->name = pack_of(self)->blobs[i].name;
  out->owner = (polycodec_bytes){NULL, 0};
  out->size = pack_of(self)->blobs[i].content.size;
  return POLYCODEC_OK;
}

static int is_same(polycodec_bytes a, polycodec_bytes b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static int32_t find(const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                    uint64_t* i, polycodec_error* error) {
  TRY(charge(call, count(self), error));
  for (*i = 0; *i < count(self); ++*i)
    if (is_same(pack_of(self)->blobs[*i].name, name)) return POLYCODEC_OK;
  return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
}

static int32_t read_blob(const polycodec_store* self, polycodec_call* call, uint64_t i,
                         uint64_t offset, uint64_t size, polycodec_bytes* out,
                         polycodec_error* error) {
  TRY(charge(call, 1, error));
  *out = pack_of(self)->blobs[i].content;
  if (has_fault("IGNORES_OFFSET")) offset = 0;
  if (offset > out->size) offset = out->size;
  out->data = (const uint8_t*)out->data + offset;
  out->size -= offset;
  if (size < out->size) out->size = size;
  static uint8_t mine[16];
  if (has_fault("FOREIGN_BLOB") && out->size != 0 && out->size <= sizeof mine)
    out->data = memcpy(mine, out->data, out->size);
  return POLYCODEC_OK;
}

static void release(const polycodec_store* self) {
  (void)self; /* it lives in the arena of open() */
}

/* A name is relative, and no part of it is empty, "." or "..". */
static int is_safe(polycodec_bytes name) {
  const char* at = name.data;
  const char* const end = at + name.size;
  for (;;) {
    const char* part = at;
    while (at != end && *at != '/') ++at;
    const size_t size = (size_t)(at - part);
    if (size == 0 || (size == 1 && part[0] == '.') ||
        (size == 2 && part[0] == '.' && part[1] == '.'))
      return 0;
    if (at == end) return 1;
    ++at;
  }
}

static int32_t broken(uint64_t offset, polycodec_error* error) {
  return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, offset,
                        "a size, or a name that is not safe or not new");
}

/* Counts the blobs in `bytes`, and describes them in `blobs` unless that is NULL. */
static int32_t scan(polycodec_bytes bytes, blob* blobs, uint64_t* n, polycodec_error* error) {
  const uint8_t* at = bytes.data;
  uint64_t left = bytes.size;
  for (*n = 0; left != 0; ++*n) {
    if (left < head_size) return broken(bytes.size - left, error);
    const uint64_t name = load64(at), content = load64(at + 8);
    at += head_size, left -= head_size;
    if (name > left || content > left - name) return broken(bytes.size - left, error);
    const blob found = {{at, name}, {at + name, content}};
    if (!is_safe(found.name)) return broken(bytes.size - left, error);
    for (uint64_t i = 0; blobs != NULL && i < *n; ++i)
      if (is_same(blobs[i].name, found.name)) return broken(bytes.size - left, error);
    if (blobs != NULL) blobs[*n] = found;
    at += name + content, left -= name + content;
  }
  return POLYCODEC_OK;
}

static int32_t open_store(const polycodec_store_format* self, polycodec_call* call,
                          const polycodec_file* file, const polycodec_node* options,
                          const polycodec_store** store, polycodec_error* error) {
  uint64_t size = 0;
  polycodec_bytes bytes = {NULL, 0};
  (void)self, (void)options;
  TRY(file->size(file, call, &size, error));
  const int32_t code = file->view(file, call, 0, size, &bytes, error);
  if (!has_fault("IGNORES_FILE")) TRY(code);
  TRY(charge(call, 1 + bytes.size / head_size, error));
  pack* made = polycodec_arena_alloc(call->arena, sizeof *made, sizeof(void*), error);
  if (made == NULL) return error->code;
  TRY(scan(bytes, NULL, &made->count, error));
  TRY(charge(call, made->count * made->count, error));
  made->blobs =
      polycodec_arena_alloc(call->arena, made->count * sizeof(blob), sizeof(void*), error);
  if (made->blobs == NULL) return error->code;
  TRY(scan(bytes, made->blobs, &made->count, error));
  made->store =
      (polycodec_store){sizeof made->store, 0, made, count, entry, find, read_blob, release};
  *store = &made->store;
  return POLYCODEC_OK;
}

/* -- writing -- */

/* Bytes that grow. */
typedef struct buffer {
  uint8_t* data;
  uint64_t size, capacity;
} buffer;

static int32_t reserve(buffer* b, uint64_t more, polycodec_error* error) {
  if (b->data != NULL && b->capacity - b->size >= more) return POLYCODEC_OK;
  const uint64_t capacity = (b->size + more) * 2 + 64;
  uint8_t* data = more > UINT32_MAX ? NULL : realloc(b->data, capacity);
  if (data == NULL)
    return polycodec_fail(error, POLYCODEC_ERROR_MEMORY, POLYCODEC_NO_OFFSET, "no memory");
  b->data = data;
  b->capacity = capacity;
  return POLYCODEC_OK;
}

static int32_t append(buffer* b, const void* data, uint64_t size, polycodec_error* error) {
  TRY(reserve(b, size, error));
  if (size != 0) memcpy(b->data + b->size, data, size);
  b->size += size;
  return POLYCODEC_OK;
}

typedef struct writer {
  polycodec_store_writer writer;
  polycodec_sink sink;
  polycodec_output_file* file;
  buffer all;     /* the new blobs, in the format of the file */
  uint64_t begun; /* where the last of them begins */
  uint8_t* kept;  /* for each blob of the base: 1 if it stays */
} writer;

static writer* writer_of(polycodec_store_writer* self) {
  return self->private_data;
}

/* Takes what was written to the window, and notes the size of the blob. */
static void settle(writer* w) {
  if (w->sink.cursor == NULL) return;
  w->all.size = (uint64_t)(w->sink.cursor - w->all.data);
  const uint64_t name = load64(w->all.data + w->begun);
  store64(w->all.data + w->begun + 8, w->all.size - w->begun - head_size - name);
}

static void open_window(writer* w) {
  w->sink.cursor = w->all.data + w->all.size;
  w->sink.limit = w->all.data + w->all.capacity;
}

static int32_t grow(polycodec_sink* self, uint64_t need, polycodec_error* error) {
  writer* w = self->private_data;
  settle(w);
  TRY(reserve(&w->all, need, error));
  open_window(w);
  return POLYCODEC_OK;
}

static int32_t reference(polycodec_sink* self, const void* data, uint64_t size,
                         polycodec_error* error) {
  writer* w = self->private_data;
  settle(w);
  TRY(append(&w->all, data, size, error));
  open_window(w);
  return POLYCODEC_OK;
}

static int32_t expect(polycodec_sink* self, uint64_t size, polycodec_error* error) {
  (void)self, (void)size, (void)error;
  return POLYCODEC_OK;
}

static int32_t adopt(polycodec_sink* self, void* object, void (*free_object)(void*),
                     const polycodec_bytes* extents, uint64_t n, polycodec_error* error) {
  (void)self, (void)extents, (void)n, (void)error;
  free_object(object); /* everything has been copied */
  return POLYCODEC_OK;
}

static int32_t begin_blob(polycodec_store_writer* self, polycodec_call* call, polycodec_bytes name,
                          polycodec_bytes owner, polycodec_sink** sink, polycodec_error* error) {
  writer* w = writer_of(self);
  uint64_t n = 0, i = 0;
  (void)owner;
  settle(w);
  int taken = !is_safe(name);
  polycodec_error ignored = *error;
  if (self->base != NULL && find(self->base, call, name, &i, &ignored) == POLYCODEC_OK)
    taken |= w->kept[i];
  for (uint64_t at = 0; at < w->all.size; ++n) {
    const uint8_t* head = w->all.data + at;
    taken |= is_same(name, (polycodec_bytes){head + head_size, load64(head)});
    at += head_size + load64(head) + load64(head + 8);
  }
  if (taken && !has_fault("ANY_NAME"))
    return polycodec_fail(error, POLYCODEC_ERROR_INVALID, POLYCODEC_NO_OFFSET,
                          "a name that is taken or not safe");
  TRY(charge(call, 1 + n, error));
  uint8_t head[head_size] = {0};
  store64(head, name.size);
  w->begun = w->all.size;
  TRY(append(&w->all, head, head_size, error));
  TRY(append(&w->all, name.data, name.size, error));
  open_window(w);
  *sink = &w->sink;
  return POLYCODEC_OK;
}

static int32_t remove_blob(polycodec_store_writer* self, polycodec_call* call, uint64_t i,
                           polycodec_bytes owner, polycodec_error* error) {
  (void)owner;
  TRY(charge(call, 1, error));
  if (self->base == NULL || i >= count(self->base))
    return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
  writer_of(self)->kept[i] = 0;
  return POLYCODEC_OK;
}

static int32_t commit(polycodec_store_writer* self, polycodec_call* call, polycodec_error* error) {
  writer* w = writer_of(self);
  buffer file = {NULL, 0, 0};
  int32_t code = POLYCODEC_OK;
  settle(w);
  for (uint64_t i = 0; self->base != NULL && i < count(self->base) && code == POLYCODEC_OK; ++i) {
    const blob* b = &pack_of(self->base)->blobs[i];
    uint8_t head[head_size];
    store64(head, b->name.size);
    store64(head + 8, b->content.size);
    if (!w->kept[i]) continue;
    code = append(&file, head, head_size, error);
    if (code == POLYCODEC_OK) code = append(&file, b->name.data, b->name.size, error);
    if (code == POLYCODEC_OK) code = append(&file, b->content.data, b->content.size, error);
  }
  if (code == POLYCODEC_OK) code = append(&file, w->all.data, w->all.size, error);
  if (code == POLYCODEC_OK) code = charge(call, file.size / 16, error);
  if (code == POLYCODEC_OK) code = w->file->truncate(w->file, call, 0, error);
  if (code == POLYCODEC_OK) code = w->file->write_at(w->file, call, 0, file.data, file.size, error);
  free(file.data);
  return code;
}

static void release_writer(polycodec_store_writer* self) {
  free(writer_of(self)->all.data);
}

static int32_t make_writer(polycodec_call* call, polycodec_output_file* file,
                           const polycodec_store* base, polycodec_store_writer** out,
                           polycodec_error* error) {
  const uint64_t n = base == NULL ? 0 : count(base);
  writer* w = polycodec_arena_alloc(call->arena, sizeof *w, sizeof(void*), error);
  if (w == NULL) return error->code;
  *w = (writer){.file = file};
  w->kept = polycodec_arena_alloc(call->arena, n, 1, error);
  if (w->kept == NULL) return error->code;
  memset(w->kept, 1, n);
  w->writer = (polycodec_store_writer){sizeof w->writer, 0,           base,   w,
                                       begin_blob,       remove_blob, commit, release_writer};
  w->sink = (polycodec_sink){sizeof w->sink, 0, NULL, NULL, w, grow, reference, expect, adopt};
  *out = &w->writer;
  return POLYCODEC_OK;
}

static int32_t create(const polycodec_store_format* self, polycodec_call* call,
                      polycodec_output_file* file, const polycodec_node* options,
                      polycodec_store_writer** out, polycodec_error* error) {
  (void)self, (void)options;
  return make_writer(call, file, NULL, out, error);
}

static int32_t edit(const polycodec_store_format* self, polycodec_call* call,
                    polycodec_output_file* file, const polycodec_node* options,
                    polycodec_store_writer** out, polycodec_error* error) {
  const polycodec_store* base = NULL;
  TRY(open_store(self, call, file->file, options, &base, error));
  if (has_fault("EDITS_AT_ONCE")) TRY(file->truncate(file, call, 0, error));
  return make_writer(call, file, base, out, error);
}

static const polycodec_store_format format = {
    .struct_size = sizeof format,
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_CREATE | POLYCODEC_CAN_EDIT,
    .name = "test.pack",
    .open = open_store,
    .create = create,
    .edit = edit};
static const polycodec_store_format* const items[] = {&format};
const polycodec_stores faulty_stores = {sizeof faulty_stores, 1, items};
