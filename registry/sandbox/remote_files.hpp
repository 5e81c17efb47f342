// SPDX-License-Identifier: MIT
// Files and stores of the host as a plugin in a worker sees them.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/abi.h>

#include "registry/isolation/range_memory.hpp"
#include "registry/sandbox/remote_call.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::sandbox {

/// A file of the host. Not movable.
class RemoteFile {
 public:
  /// `persistent`: it is used by later requests as well, so what it gives is copied.
  RemoteFile(const isolation::StagedFile& staged, bool persistent);
  RemoteFile(const RemoteFile&) = delete;
  RemoteFile& operator=(const RemoteFile&) = delete;

  const polycodec_file* abi() const noexcept { return &abi_; }
  /// The number of a file that the host gave; 0 for null. Throws Error(unsupported) for another.
  static isolation::Handle handle_of(const polycodec_file* file);

 private:
  static std::int32_t size(const polycodec_file*, polycodec_call*, std::uint64_t*,
                           polycodec_error*);
  static std::int32_t read_at(const polycodec_file*, polycodec_call*, std::uint64_t, void*,
                              std::uint64_t, std::uint64_t*, polycodec_error*);
  static std::int32_t view(const polycodec_file*, polycodec_call*, std::uint64_t, std::uint64_t,
                           polycodec_bytes*, polycodec_error*);

  /// A part of a file that is mapped.
  polycodec_bytes part(std::uint64_t offset, std::uint64_t size) const noexcept;
  isolation::Handle handle_;
  polycodec_bytes mapped_;
  bool persistent_;
  mutable std::vector<std::unique_ptr<char[]>> views_;
  polycodec_file abi_{};
};

/// A file that the host lets a plugin write. Not movable.
class RemoteOutputFile {
 public:
  explicit RemoteOutputFile(const isolation::StagedFile& staged, isolation::Handle handle);
  RemoteOutputFile(const RemoteOutputFile&) = delete;
  RemoteOutputFile& operator=(const RemoteOutputFile&) = delete;
  polycodec_output_file* abi() noexcept { return &abi_; }

 private:
  RemoteFile file_;
  isolation::Handle handle_;
  polycodec_output_file abi_{};
};

/// A store of the host. Not movable.
class RemoteStore {
 public:
  explicit RemoteStore(const isolation::StagedStore& staged);
  RemoteStore(const RemoteStore&) = delete;
  RemoteStore& operator=(const RemoteStore&) = delete;

  const polycodec_store* abi() const noexcept { return &abi_; }
  static isolation::Handle handle_of(const polycodec_store* store);

 private:
  static std::int32_t entry(const polycodec_store*, polycodec_call*, std::uint64_t,
                            polycodec_store_entry*, polycodec_error*);
  static std::int32_t find(const polycodec_store*, polycodec_call*, polycodec_bytes, std::uint64_t*,
                           polycodec_error*);
  static std::int32_t read(const polycodec_store*, polycodec_call*, std::uint64_t, std::uint64_t,
                           std::uint64_t, polycodec_bytes*, polycodec_error*);
  struct Entry {
    std::string name, owner;
    std::uint64_t size;
  };
  isolation::StagedStore staged_;
  mutable SeededMap<std::uint64_t, Entry> entries_;
  polycodec_store abi_{};
};

/// A store that the host lets a codec write. Not movable.
class RemoteWriter {
 public:
  explicit RemoteWriter(const isolation::StagedOutput& staged);
  RemoteWriter(const RemoteWriter&) = delete;
  RemoteWriter& operator=(const RemoteWriter&) = delete;

  polycodec_store_writer* abi() noexcept { return &abi_; }
  static isolation::Handle handle_of(const polycodec_store_writer* writer);
  /// Sends what the last blob still has. Throws Error.
  void flush(polycodec_call* call);

 private:
  static std::int32_t begin_blob(polycodec_store_writer*, polycodec_call*, polycodec_bytes,
                                 polycodec_bytes, polycodec_sink**, polycodec_error*);
  static std::int32_t remove(polycodec_store_writer*, polycodec_call*, std::uint64_t,
                             polycodec_bytes, polycodec_error*);
  isolation::Handle handle_;
  RemoteStore base_;
  std::unique_ptr<isolation::RangeSink> blob_;
  polycodec_store_writer abi_{};
};

}  // namespace polycodec::sandbox
