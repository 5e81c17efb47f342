// SPDX-License-Identifier: MIT
// The store: datasets of an HDF5 file as named blobs.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/store_format.hpp>

#include "listing.hpp"

#include <memory>

namespace polycodec::hdf5 {

/// An open HDF5 file and the group that is the store. Shared by a writer and the store that it
/// changes.
struct OpenFile {
  HostFile host;
  Handle file, group;

  explicit OpenFile(const polycodec_file* read, polycodec_output_file* write = nullptr) noexcept
      : host(read, write) {}
  ~OpenFile() {
    const Lock lock;
    group.reset();
    file.reset();
  }
};

/// Opens an existing file (H5F_ACC_RDONLY or H5F_ACC_RDWR), and the group of the options.
std::shared_ptr<OpenFile> open_existing(Call& call, const polycodec_file* file,
                                        polycodec_output_file* output, const Options& options);

/// The blobs of a file. Safe to read from several threads, one after another.
class Datasets {
 public:
  static constexpr std::uint32_t flags = POLYCODEC_STORE_OWNERS;

  /// Lists the file. `in_place`: contiguous datasets may be read where they lie, because nobody
  /// writes to the file.
  Datasets(Call& call, std::shared_ptr<OpenFile> file, bool in_place);

  std::uint64_t count() const noexcept { return all_.datasets.size(); }
  Blob entry(Call& call, std::uint64_t i) const;
  std::optional<std::uint64_t> find(Call& call, std::string_view name) const;
  std::string_view read(Call& call, std::uint64_t i, std::uint64_t offset,
                        std::uint64_t size) const;

 private:
  const Dataset& at(std::uint64_t i) const;

  std::shared_ptr<OpenFile> file_;
  Listing all_;
  SeededMap<std::string_view, std::uint64_t> index_;  // keys view all_
  bool in_place_;
};

}  // namespace polycodec::hdf5
