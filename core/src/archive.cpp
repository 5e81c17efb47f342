// SPDX-License-Identifier: MIT
#include <polycodec/hdf5_store.hpp>
#include <polycodec/store.hpp>
#include <polycodec/zip_store.hpp>

namespace polycodec {

std::shared_ptr<Store> open_store(const Source& archive, const Limits& limits) {
  if (ZipStore::looks_like_zip(archive.bytes())) return std::make_shared<ZipStore>(archive, limits);
  if (Hdf5Store::looks_like_hdf5(archive.bytes())) return std::make_shared<Hdf5Store>(archive, "/", limits);
  return nullptr;
}

}  // namespace polycodec
