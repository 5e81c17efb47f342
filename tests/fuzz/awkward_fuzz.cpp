// SPDX-License-Identifier: MIT
// Any schema over any blobs: either an error with its place, or a value in which every item can be
// reached. An archive is read as it is; other bytes are a schema, a NUL, and the content of every
// blob that the schema may read.
#include "core/store/zip_store.hpp"
#include "read_support.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace polycodec;

namespace {

/// Goes to `left` items at most.
void walk(const View& item, int depth, int& left) {
  if (--left < 0 || depth > 40) return;
  if (item.kind() == POLYCODEC_KIND_REFERENCE) return walk(item.target(), depth + 1, left);
  std::string scratch;
  if (item.kind() == POLYCODEC_KIND_STRING &&
      item.as_string(scratch).size() > (std::size_t{1} << 40))
    std::abort();
  for (std::uint64_t i = 0; i < item.size() && left > 0; ++i) walk(item.child(i), depth + 1, left);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  static const test::AwkwardHost host(test::default_allowlist(), limits);
  host.host.logged.clear();
  host.denied.clear();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    std::shared_ptr<BlobStore> store;
    if (ZipStore::looks_like_zip(bytes)) {
      store = std::make_shared<ZipStore>(Source::view(bytes), limits, ZipCheck::none);
    } else {
      const std::size_t end = std::min(bytes.find('\0'), size);
      const std::string blob(bytes.substr(std::min(end + 1, size)));
      std::vector<std::pair<std::string, std::string>> blobs{
          {".json", std::string(bytes.substr(0, end))}};
      for (const char* name : {"0.raw", "1.raw", "3.raw", "4.raw", "6.raw", "x"})
        blobs.emplace_back(name, blob);
      store = std::make_shared<MemoryStore>(std::move(blobs));
    }
    const Value value = test::read_store(store, "{}", host);
    int left = 2000;
    walk(View(value.view()), 0, left);
  } catch (const Error& e) {
    if (e.code() != Status::internal && e.code() != Status::plugin) return 0;
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    std::abort();
  }
  return 0;
}
