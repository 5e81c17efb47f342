// SPDX-License-Identifier: MIT
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>

#include "core/store/zip_store.hpp"

namespace polycodec {

std::shared_ptr<BlobStore> open_store(const Source& archive, const Limits& limits) {
  if (ZipStore::looks_like_zip(archive.bytes())) return std::make_shared<ZipStore>(archive, limits);
  return nullptr;
}

}  // namespace polycodec
