// SPDX-License-Identifier: MIT
// Bytes as the memory of a plugin: nodes whose pointers lead into it, or out of it. What validation
// accepts can be walked; what leads out is never followed.
#include <polycodec/error.hpp>

#include "core/text/text.hpp"
#include "core/value/regions.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

using namespace polycodec;

namespace {

/// The bytes, at an aligned address and of exactly this size, so that a sanitizer sees each step
/// beyond. A word whose highest byte is a mark becomes a pointer.
class Image final : public Regions {
 public:
  Image(const std::uint8_t* data, std::size_t size)
      : size_(size), words_(std::make_unique<std::uint64_t[]>(size / 8)) {
    std::memcpy(words_.get(), data, size);
    for (std::size_t i = 0; i < size / 8; ++i) {
      std::uint64_t& word = words_[i];
      const std::uint64_t offset = word & 0xffff;
      if (word >> 56 == inside) word = address() + offset;
      if (word >> 56 == outside) word = 0x1000 + offset;  // nothing is mapped there
      if (word >> 56 == aligned) word = address() + offset % size / 16 * 16;
    }
  }

  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override {
    return region_around({reinterpret_cast<const char*>(words_.get()), size_}, data, size);
  }
  const polycodec_node* root() const noexcept {
    return reinterpret_cast<const polycodec_node*>(words_.get());
  }

 private:
  static constexpr std::uint64_t inside = 0xa1, outside = 0xa2, aligned = 0xa3;
  std::uintptr_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(words_.get()); }

  std::size_t size_;
  std::unique_ptr<std::uint64_t[]> words_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  size -= size % 16;
  if (size == 0) return 0;
  const Image image(data, size);
  Limits limits;
  limits.max_memory_bytes = limits.max_output_bytes = std::uint64_t{16} << 20;
  limits.max_work = 10'000'000;
  try {
    validate(image.root(), limits, Validation::full, &image);
    TextOptions options;
    options.limits = limits;
    (void)to_text(NodeView(image.root()), options);
  } catch (const Error&) {
    // Refused is as good as read.
  }
  return 0;
}
