// SPDX-License-Identifier: MIT
// What decoders read: bytes, a file, or a store of named blobs.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

class BlobStore;
class BlobStoreState;
struct FileThunks;

/// How the bytes of a regular file come into memory.
enum class FileAccess : std::uint8_t {
  /// Files over 64 KiB are mapped (read-only, private), smaller ones are read. Nothing is copied,
  /// but the bytes stay the file's. If another process cuts the file short meanwhile, touching the
  /// lost bytes raises SIGBUS. If it writes to the file, elements and text of values may change.
  map,
  /// All of the file is read into memory first. Safe whatever others do to the file afterwards.
  read,
  /// As `map`. The caller promises that nobody changes the file: no part of it is copied.
  map_stable,
};

/// An input with everything that keeps it in memory. Copies share one state. Immutable, hence safe
/// to use from several threads at once.
class Source {
 public:
  /// No bytes at all: an empty input.
  Source();

  /// Bytes that the caller keeps alive and unchanged as long as the source and every value decoded
  /// from it. `name` is for messages and hints (a file name), may be empty, and is copied.
  static Source view(std::string_view bytes, std::string name = {});

  /// Bytes that the source owns.
  static Source owned(std::string bytes, std::string name = {});

  /// Bytes that `owner` keeps alive; a null owner makes it a view(). `stable`: nobody changes them.
  static Source shared(std::string_view bytes, std::shared_ptr<const void> owner,
                       std::string name = {}, bool stable = true);

  /// The same of bytes that were made of another input, which has earned what they cost:
  /// physical_bytes() is 0.
  static Source derived(std::string_view bytes, std::shared_ptr<const void> owner,
                        std::string name = {}, bool stable = true);

  /// Bytes [offset, offset + size) of this source, as far as there are any.
  Source part(std::size_t offset, std::size_t size) const;

  /// The content of a file. Regular files as `access` says; others are read to their end. Throws
  /// Status::io with the system's reason, and Status::limit if it has more than
  /// limits.max_input_bytes, or, where it is read, than limits.max_memory_bytes.
  static Source file(const std::string& path, const Limits& limits = {},
                     FileAccess access = FileAccess::map);

  /// What can be read from an open descriptor, such as standard input (0), from its current
  /// position to its end; what is mapped, from its start. It is not closed. Errors as for file().
  static Source descriptor(int fd, std::string name, const Limits& limits = {},
                           FileAccess access = FileAccess::read);

  /// A store of named blobs. `store` must not be null.
  static Source store(std::shared_ptr<BlobStore> store, std::string name = {});

  /// Bytes and store together, for codecs that take both. `store` must not be null.
  static Source with_store(const Source& bytes, std::shared_ptr<BlobStore> store);

  /// All of it. Valid, and at the same address, as long as this source, a copy or a pin lives.
  const polycodec_input& input() const noexcept;

  /// Keeps the bytes and the store alive: for Value::pin(). Null for a view().
  std::shared_ptr<const void> pin() const noexcept;

  /// The bytes; empty if the input is a store alone.
  std::string_view bytes() const noexcept;
  bool has_bytes() const noexcept { return (input().parts & POLYCODEC_INPUT_BYTES) != 0; }
  /// Bytes that take up room: less than the size for a file with holes, and for derived() bytes.
  std::uint64_t physical_bytes() const noexcept;
  /// The name that messages use; may be empty.
  std::string_view name() const noexcept;
  /// The store, or null.
  const std::shared_ptr<BlobStore>& store() const noexcept;
  /// True if the bytes are a mapping of a file (see FileAccess::map).
  bool is_mapped() const noexcept;
  /// False if others may change the bytes while they are in use: in a file that other users may
  /// write, or in memory that is not stable (shared()). Structure is then copied out of them.
  bool is_stable() const noexcept;

 private:
  friend struct FileThunks;
  struct State;
  explicit Source(std::shared_ptr<const State> state) noexcept;
  std::shared_ptr<const State> state_;
};

/// Host side of polycodec_store. Reading is safe from several threads at once. Blobs are loaded
/// when first read and kept as long as the store, which must outlive every value decoded from it:
/// use Source::pin(). Got from Registry::open_store().
class BlobStore {
 public:
  struct Entry {
    std::string name;
    std::uint64_t size;  ///< bytes
    std::string owner;   ///< the named value that it belongs to, or empty
  };

  explicit BlobStore(std::unique_ptr<BlobStoreState> state) noexcept;
  virtual ~BlobStore();

  /// The store that plugins get; valid as long as the store. Its release() does nothing.
  const polycodec_store& abi() const noexcept;
  /// All blobs, in the order of the container.
  std::span<const Entry> entries() const noexcept;
  /// The entry called `name`, or null if entries() does not list it.
  const Entry* find(std::string_view name) const noexcept;
  /// The content of a blob; lives as long as the store. Throws Status::not_found if there is none,
  /// Status::denied if the name is unsafe or the store refuses that blob, Status::limit,
  /// Status::malformed, Status::io.
  std::string_view read(std::string_view name);

  /// For the library itself.
  BlobStoreState& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<BlobStoreState> state_;
};

/// Blobs in memory.
class MemoryStore final : public BlobStore {
 public:
  /// Throws Status::malformed if two names are equal, Status::denied if one is unsafe.
  explicit MemoryStore(std::vector<std::pair<std::string, std::string>> blobs,
                       std::string label = "memory");
};

}  // namespace polycodec
