// SPDX-License-Identifier: MIT
#include "program_store.hpp"

#include "guarded.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace polycodec_python {
namespace {

struct Blob {
  std::string name;
  std::uint64_t size = 0;
  bool is_read = false;
  Py_buffer view{};
};

/// The library holds it, and reads one blob at a time.
class ProgramStore {
 public:
  explicit ProgramStore(nb::handle object) : object_(nb::borrow(object)) {
    for (nb::handle entry : object.attr("blobs"))
      blobs_.push_back(
          {nb::cast<std::string>(entry[0]), nb::cast<std::uint64_t>(entry[1]), false, {}});
    table_.struct_size = sizeof table_;
    table_.private_data = this;
    table_.count = [](const polycodec_store* self) {
      return static_cast<std::uint64_t>(of(self).blobs_.size());
    };
    table_.entry = &entry;
    table_.find = &find;
    table_.read = &read;
    table_.release = &release;
  }
  const polycodec_store* table() const noexcept { return &table_; }

 private:
  static ProgramStore& of(const polycodec_store* self) noexcept {
    return *static_cast<ProgramStore*>(self->private_data);
  }

  static std::int32_t entry(const polycodec_store* self, polycodec_call*, std::uint64_t i,
                            polycodec_store_entry* entry, polycodec_error* error) {
    const auto& blobs = of(self).blobs_;
    if (i >= blobs.size())
      return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
    const Blob& blob = blobs[static_cast<std::size_t>(i)];
    entry->name = bytes_of(blob.name);
    entry->size = blob.size;
    return POLYCODEC_OK;
  }

  static std::int32_t find(const polycodec_store* self, polycodec_call*, polycodec_bytes name,
                           std::uint64_t* i, polycodec_error* error) {
    const auto& blobs = of(self).blobs_;
    const auto at = std::find_if(blobs.begin(), blobs.end(),
                                 [&](const Blob& blob) { return blob.name == view_of(name); });
    if (at == blobs.end())
      return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
    *i = static_cast<std::uint64_t>(at - blobs.begin());
    return POLYCODEC_OK;
  }

  static std::int32_t read(const polycodec_store* self, polycodec_call*, std::uint64_t i,
                           std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                           polycodec_error* error) {
    return guarded(error, POLYCODEC_ERROR_IO, [&] {
      ProgramStore& store = of(self);
      Blob& blob = store.blobs_.at(static_cast<std::size_t>(i));
      if (!blob.is_read) {
        const nb::object made = store.object_.attr("read")(i);
        if (PyObject_GetBuffer(made.ptr(), &blob.view, PyBUF_CONTIG_RO) != 0)
          throw nb::python_error();
        blob.is_read = true;
      }
      const auto all = static_cast<std::uint64_t>(blob.view.len);
      const std::uint64_t from = std::min(offset, all);
      *content = {static_cast<const char*>(blob.view.buf) + from, std::min(size, all - from)};
    });
  }

  static void release(const polycodec_store* self) {
    const std::unique_ptr<ProgramStore> store(&of(self));
    if (!has_interpreter()) {
      store->object_.release();
      return;
    }
    const nb::gil_scoped_acquire locked;
    for (Blob& blob : store->blobs_)
      if (blob.is_read) PyBuffer_Release(&blob.view);
    store->object_.reset();
  }

  polycodec_store table_{};
  nb::object object_;
  std::deque<Blob> blobs_;
};

}  // namespace

SourceHandle source_of_store(nb::handle store, std::string_view name) {
  auto made = std::make_unique<ProgramStore>(store);
  SourceHandle source;
  call(polycodec_source_adopt_store, made.release()->table(), bytes_of(name), source.out());
  return source;
}

}  // namespace polycodec_python
