// SPDX-License-Identifier: MIT
// Files and stores that the kit gives to a plugin.
#pragma once

#include <polycodec/abi.h>

#include "guarded_bytes.hpp"
#include "subject.hpp"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

/// A file to read. Reads are requests of the call.
class TestFile {
 public:
  explicit TestFile(std::string_view bytes);
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  const polycodec_file* abi() const noexcept { return &abi_; }
  std::string_view bytes() const noexcept { return bytes_.view(); }
  std::string_view view(std::string_view part) const noexcept { return part; }
  std::size_t looked_at() const noexcept { return bytes_.looked_at(); }

 private:
  polycodec_file abi_;
  GuardedBytes bytes_;
};

/// A file to write. Writes are requests of the call.
class TestOutputFile {
 public:
  explicit TestOutputFile(std::string content = {});
  TestOutputFile(const TestOutputFile&) = delete;
  TestOutputFile& operator=(const TestOutputFile&) = delete;
  polycodec_output_file* abi() noexcept { return &abi_; }
  const std::string& bytes() const noexcept { return content_; }
  /// Copies, because the content moves.
  std::string_view view(std::string_view part) { return views_.emplace_back(part); }

 private:
  struct Thunks;
  polycodec_file file_;
  polycodec_output_file abi_;
  std::string content_;
  std::deque<std::string> views_;
};

/// Blobs to read.
class TestStore {
 public:
  explicit TestStore(const Parts& parts);
  TestStore(const TestStore&) = delete;
  TestStore& operator=(const TestStore&) = delete;
  const polycodec_store* abi() const noexcept { return &abi_; }
  Regions regions() const;

 private:
  struct Thunks;
  polycodec_store abi_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<GuardedBytes>> blobs_;
};

/// Blobs that a codec writes.
class TestStoreWriter {
 public:
  explicit TestStoreWriter(const SinkSettings& settings);
  TestStoreWriter(const TestStoreWriter&) = delete;
  TestStoreWriter& operator=(const TestStoreWriter&) = delete;
  polycodec_store_writer* abi() noexcept { return &abi_; }
  std::uint64_t requests() const noexcept;
  bool has_refused() const noexcept;
  /// As TestSink::check().
  void check(const Regions& regions);
  Parts parts() const;

 private:
  struct Thunks;
  polycodec_store_writer abi_;
  SinkSettings settings_;
  std::string complaint_;
  std::vector<std::pair<std::string, std::unique_ptr<TestSink>>> blobs_;
};

}  // namespace polycodec::kit
