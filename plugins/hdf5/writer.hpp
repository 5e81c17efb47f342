// SPDX-License-Identifier: MIT
// The store writer: blobs become datasets.
#pragma once

#include "blob_buffer.hpp"
#include "datasets.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::hdf5 {

/// Writes datasets to a new file, or to one that exists. For one thread.
class DatasetWriter {
 public:
  static constexpr std::uint32_t flags = POLYCODEC_STORE_OWNERS;

  /// A new file.
  DatasetWriter(Call& call, polycodec_output_file* file, const Options& options);
  /// Changes the blobs of `base`, which reads the same open file.
  DatasetWriter(std::shared_ptr<OpenFile> file, std::unique_ptr<Datasets> base);
  ~DatasetWriter();

  const polycodec_store* base() const noexcept { return base_; }
  polycodec_sink* begin_blob(Call& call, std::string_view name, std::string_view owner);
  void remove(Call& call, std::uint64_t i, std::string_view owner);
  void commit(Call& call);

 private:
  void end_blob(const Call& call);
  void check_free(const std::string& name);
  void write_owner(hid_t dataset);
  void remove_empty_groups(std::string name);
  [[noreturn]] void throw_failed(const std::string& what);

  std::shared_ptr<OpenFile> file_;
  const polycodec_store* base_ = nullptr;
  BlobBuffer buffer_;
  std::string name_, owner_;  // of the blob that is being written
  bool open_ = false;
  std::vector<std::string> removed_;
};

}  // namespace polycodec::hdf5
