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
  ProgramStore(nb::handle object, std::uint64_t most) : object_(nb::borrow(object)), most_(most) {
    for (nb::handle entry : object.attr("blobs"))
      blobs_.push_back({std::string(view_of(nb::object(entry[0]))),
                        number<std::uint64_t>(entry[1], "the size of a blob"),
                        false,
                        {}});
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
    entry->name = to_bytes(blob.name);
    entry->size = blob.size;
    return POLYCODEC_OK;
  }

  static std::int32_t find(const polycodec_store* self, polycodec_call*, polycodec_bytes name,
                           std::uint64_t* i, polycodec_error* error) {
    const auto& blobs = of(self).blobs_;
    const auto at = std::find_if(blobs.begin(), blobs.end(), [&](const Blob& blob) {
      return blob.name == to_string_view(name);
    });
    if (at == blobs.end())
      return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
    *i = static_cast<std::uint64_t>(at - blobs.begin());
    return POLYCODEC_OK;
  }

  static std::int32_t read(const polycodec_store* self, polycodec_call*, std::uint64_t i,
                           std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                           polycodec_error* error) {
    std::int32_t own = POLYCODEC_OK;  // the code of an error of this binding
    const auto failed = guarded(error, POLYCODEC_ERROR_IO, [&] {
      try {
        *content = of(self).part(i, offset, size);
      } catch (const Error& found) {
        own = polycodec::fill_error(error, found);
      }
    });
    return own != POLYCODEC_OK ? own : failed;
  }

  polycodec_bytes part(std::uint64_t i, std::uint64_t offset, std::uint64_t size) {
    Blob& blob = blobs_.at(static_cast<std::size_t>(i));
    if (!blob.is_read) {
      take(blob.size);  // before the program takes memory for it
      const nb::object made = object_.attr("read")(i);
      if (PyObject_GetBuffer(made.ptr(), &blob.view, PyBUF_CONTIG_RO) != 0)
        throw nb::python_error();
      blob.is_read = true;
      const auto length = static_cast<std::uint64_t>(blob.view.len);
      if (length > blob.size) take(length - blob.size);
    }
    const auto all = static_cast<std::uint64_t>(blob.view.len);
    const std::uint64_t from = std::min(offset, all);
    return {static_cast<const char*>(blob.view.buf) + from, std::min(size, all - from)};
  }

  void take(std::uint64_t size) {
    if (size > most_ - read_)
      throw Error(Status::limit, "the blobs have more than " + std::to_string(most_) +
                                     " bytes: raise max_input_bytes");
    read_ += size;
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
  std::uint64_t most_;      // bytes of all blobs that are read
  std::uint64_t read_ = 0;  // so far
  std::deque<Blob> blobs_;
};

}  // namespace

host::Source source_of_store(nb::handle store, std::uint64_t most) {
  return host::Source::adopt(std::make_unique<ProgramStore>(store, most).release()->table());
}

}  // namespace polycodec_python
