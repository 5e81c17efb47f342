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

  static std::unique_ptr<Datasets> open(Call& call, const File& file, const Options& options);
  static std::unique_ptr<DatasetWriter> create(Call& call, OutputFile file, const Options& options);
  static std::unique_ptr<DatasetWriter> edit(Call& call, OutputFile file, const Options& options);
};

}  // namespace polycodec::hdf5
