// SPDX-License-Identifier: MIT
#include "core/store/open.hpp"

#include "core/store/directory_store.hpp"
#include "core/store/zip_store.hpp"

#include <filesystem>
#include <system_error>

namespace polycodec {

Source open_source(const std::string& path, const Limits& limits, FileAccess access) {
  std::error_code ignored;  // whatever is wrong, opening it as a file says it better
  if (std::filesystem::is_directory(path, ignored))
    return Source::store(std::make_shared<DirectoryStore>(path, limits, access), path);
  return Source::file(path, limits, access);
}

std::shared_ptr<BlobStore> open_store(const Source& archive, const Limits& limits) {
  if (!ZipStore::looks_like_zip(archive.bytes())) return nullptr;
  return std::make_shared<ZipStore>(archive, limits);
}

}  // namespace polycodec
