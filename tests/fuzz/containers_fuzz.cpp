// SPDX-License-Identifier: MIT
// Any bytes as what stands around values: a ZIP archive, a framed message, a manifest, a
// configuration file, an allowlist. None may do worse than an error. The first byte chooses which.
#include <base/blob_name.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/frame/message.hpp"
#include "core/io/source.hpp"
#include "core/store/zip_store.hpp"
#include "registry/config/config.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/plugins.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

using namespace polycodec;

namespace {

void read_archive(std::string_view bytes) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{16} << 20;
  ZipStore store(Source::view(bytes), limits);
  for (const auto& entry : store.entries()) {
    const std::string name(entry.name);
    if (blob_name_fault(name) != nullptr) std::abort();  // such a name must never be listed
    try {
      (void)store.read(name);
    } catch (const Error&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 5) {
      case 0:
        read_archive(bytes);
        break;
      case 1:
        (void)parse_message(bytes);
        break;
      case 2:
        (void)parse_manifest(bytes, "manifest");
        break;
      case 3:
        (void)parse_config(bytes, "config");
        break;
      default:
        (void)Allowlist::parse(bytes);
        break;
    }
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
