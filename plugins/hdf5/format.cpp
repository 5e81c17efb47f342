// SPDX-License-Identifier: MIT
#include "format.hpp"

namespace polycodec::hdf5 {

std::unique_ptr<Datasets> Hdf5::open(Call& call, const File& file, const Options& options) {
  return std::make_unique<Datasets>(call, open_existing(call, file.raw(), nullptr, options), true);
}

std::unique_ptr<DatasetWriter> Hdf5::create(Call& call, OutputFile file, const Options& options) {
  return std::make_unique<DatasetWriter>(call, file.raw(), options);
}

std::unique_ptr<DatasetWriter> Hdf5::edit(Call& call, OutputFile file, const Options& options) {
  auto open = open_existing(call, file.raw()->file, file.raw(), options);
  auto base = std::make_unique<Datasets>(call, open, false);
  return std::make_unique<DatasetWriter>(std::move(open), std::move(base));
}

}  // namespace polycodec::hdf5
