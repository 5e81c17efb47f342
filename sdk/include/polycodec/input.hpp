// SPDX-License-Identifier: MIT
// What a decoder reads: bytes, a file, the blobs of a store.
#pragma once

#include <polycodec/call.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// A file of the host, read by offset. Not owning.
class File {
 public:
  File(const Call& call, const polycodec_file* file) noexcept : call_(call), file_(file) {}
  const polycodec_file* raw() const noexcept { return file_; }

  std::uint64_t size() const {
    std::uint64_t size = 0;
    invoke(file_->size, file_, call_.raw(), &size);
    return size;
  }
  /// The bytes in place, which live as long as the file; fewer than `size` only at its end.
  std::string_view view(std::uint64_t offset, std::uint64_t size) const {
    polycodec_bytes bytes{};
    invoke(file_->view, file_, call_.raw(), offset, size, &bytes);
    return to_string_view(bytes);
  }
  /// Copies up to `size` bytes; returns how many, fewer only at the end of the file.
  std::uint64_t read_at(std::uint64_t offset, void* buffer, std::uint64_t size) const {
    std::uint64_t got = 0;
    invoke(file_->read_at, file_, call_.raw(), offset, buffer, size, &got);
    return got;
  }

 private:
  Call call_;
  const polycodec_file* file_;
};

/// A blob of a store.
struct Blob {
  std::string_view name;
  std::string_view owner;  ///< the named value that it belongs to, or empty
  std::uint64_t size = 0;
};

/// Named blobs to read. Not owning. Names and contents live as long as the store or the call.
class Store {
 public:
  Store(const Call& call, const polycodec_store* store) noexcept : call_(call), store_(store) {}
  const polycodec_store* raw() const noexcept { return store_; }

  std::uint64_t size() const noexcept { return store_->count(store_); }
  Blob operator[](std::uint64_t i) const {
    polycodec_store_entry entry{};
    entry.struct_size = sizeof entry;
    invoke(store_->entry, store_, call_.raw(), i, &entry);
    return {to_string_view(entry.name), to_string_view(entry.owner), entry.size};
  }
  /// The number of the blob of this name, if there is one.
  std::optional<std::uint64_t> find(std::string_view name) const {
    std::uint64_t i = 0;
    auto error = make_error();
    const auto code = store_->find(store_, call_.raw(), to_bytes(name), &i, &error);
    if (code == POLYCODEC_ERROR_NOT_FOUND) return std::nullopt;
    if (code != POLYCODEC_OK) throw to_error(code, error);
    return i;
  }
  /// Bytes of blob `i` from `offset` on.
  std::string_view read(std::uint64_t i, std::uint64_t offset = 0,
                        std::uint64_t size = UINT64_MAX) const {
    polycodec_bytes content{};
    invoke(store_->read, store_, call_.raw(), i, offset, size, &content);
    return to_string_view(content);
  }
  /// The content of the blob of this name; throws Status::not_found if there is none.
  std::string_view read(std::string_view name) const {
    std::uint64_t i = 0;
    invoke(store_->find, store_, call_.raw(), to_bytes(name), &i);
    return read(i);
  }

 private:
  Call call_;
  const polycodec_store* store_;
};

/// What a decoder reads; see polycodec_input. Not owning.
class Input {
 public:
  Input(const Call& call, const polycodec_input* input) noexcept : call_(call), input_(input) {}
  const polycodec_input& raw() const noexcept { return *input_; }

  bool has_bytes() const noexcept { return (input_->parts & POLYCODEC_INPUT_BYTES) != 0; }
  std::string_view bytes() const noexcept { return to_string_view(input_->bytes); }
  /// Bytes of the whole source, of which sniff() gets the first; UINT64_MAX: unknown.
  std::uint64_t total() const noexcept { return input_->total; }
  bool has_file() const noexcept { return input_->file != nullptr; }
  File file() const noexcept { return File(call_, input_->file); }
  bool has_store() const noexcept { return input_->store != nullptr; }
  Store store() const noexcept { return Store(call_, input_->store); }
  /// A file name for messages, or empty.
  std::string_view name() const noexcept { return to_string_view(input_->name); }
  /// Which named value of the store to read, or empty.
  std::string_view member() const noexcept { return to_string_view(input_->member); }

  /// The content of a blob of the store, or of a companion; throws Status::not_found if there is
  /// none.
  std::string_view blob(std::string_view name) const {
    if (!has_store())
      throw Error(Status::not_found,
                  "no blob '" + std::string(name) + "': the input is not a store");
    return store().read(name);
  }

 private:
  Call call_;
  const polycodec_input* input_;
};

/// A guess at a format; see polycodec_sniff for what the scores mean.
struct Sniff {
  std::uint32_t score = 0;
  std::string reason;
};

}  // namespace polycodec
