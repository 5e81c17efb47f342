// SPDX-License-Identifier: MIT
// HDF5 as a store format.
#pragma once

#include <polycodec/store_format.hpp>

#include "datasets.hpp"
#include "writer.hpp"

#include <memory>

namespace polycodec::hdf5 {

/// The datasets below a group of an HDF5 file, nested groups included, are blobs. See README.md for
/// what is refused.
struct Hdf5 {
  static constexpr const char* name = "hdf5";

  static std::unique_ptr<Datasets> open(Call& call, const File& file, const Options& options) {
    return std::make_unique<Datasets>(call, open_existing(call, file.raw(), nullptr, options),
                                      true);
  }
  static std::unique_ptr<DatasetWriter> create(Call& call, OutputFile file,
                                               const Options& options) {
    return std::make_unique<DatasetWriter>(call, file.raw(), options);
  }
  static std::unique_ptr<DatasetWriter> edit(Call& call, OutputFile file, const Options& options) {
    auto open = open_existing(call, file.raw()->file, file.raw(), options);
    auto base = std::make_unique<Datasets>(call, open, false);
    return std::make_unique<DatasetWriter>(std::move(open), std::move(base));
  }
};

}  // namespace polycodec::hdf5
