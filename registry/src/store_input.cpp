// SPDX-License-Identifier: MIT
#include "store_input.hpp"

#include <polycodec/array_view.hpp>
#include <polycodec/hdf5_store.hpp>
#include <polycodec/store.hpp>
#include <polycodec/zip_store.hpp>

#include <memory>
#include <string>

namespace polycodec {

bool is_archive(std::string_view bytes) noexcept {
  return ZipStore::looks_like_zip(bytes) || Hdf5Store::looks_like_hdf5(bytes);
}

const polycodec_store* open_archive(const polycodec_input& input, const Limits& limits, polycodec_arena& arena) {
  const std::string_view bytes = to_string_view(input.bytes);
  if (!is_archive(bytes))
    throw Error(Status::malformed,
                "this codec reads a store of blobs: a folder, a ZIP archive or an HDF5 file; the input is none", 0)
        .detail("store.not_an_archive");
  // The bytes live as long as the value: whoever decodes has promised that.
  auto store = std::make_unique<std::shared_ptr<Store>>(
      open_store(Source::view(bytes, std::string(to_string_view(input.name))), limits));
  const polycodec_store* abi = &(*store)->abi();
  const auto release = [](void* object) { delete static_cast<std::shared_ptr<Store>*>(object); };
  if (const auto code = arena.adopt(&arena, store.release(), release); code != POLYCODEC_OK)
    throw Error(static_cast<Status>(code), "out of memory");
  return abi;
}

}  // namespace polycodec
