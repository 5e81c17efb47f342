// SPDX-License-Identifier: MIT
// A sink that keeps what is written in one string.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::yggdrasil {

/// Host side of a sink in memory, for texts that go into a leaf. For one thread; not movable.
class MemorySink {
 public:
  explicit MemorySink(std::uint64_t max_bytes) : max_bytes_(max_bytes) {
    sink_.struct_size = sizeof sink_;
    sink_.host_data = this;
    sink_.grow = [](polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
      auto* const self = static_cast<MemorySink*>(sink->host_data);
      return guard(error, [&] { self->grow(need); });
    };
    sink_.reference = [](polycodec_sink* sink, const void* data, std::uint64_t size, polycodec_error* error) {
      auto* const self = static_cast<MemorySink*>(sink->host_data);
      return guard(error, [&] {
        self->grow(size);
        std::memcpy(sink->cursor, data, static_cast<std::size_t>(size));
        sink->cursor += size;
      });
    };
    sink_.expect = [](polycodec_sink*, std::uint64_t, polycodec_error*) { return std::int32_t{POLYCODEC_OK}; };
    sink_.adopt = [](polycodec_sink* sink, void* object, void (*release)(void*)) {
      auto* const self = static_cast<MemorySink*>(sink->host_data);
      self->adopted_.emplace_back(object, release);
      return std::int32_t{POLYCODEC_OK};
    };
  }
  MemorySink(const MemorySink&) = delete;
  MemorySink& operator=(const MemorySink&) = delete;
  ~MemorySink() {
    for (const auto& [object, release] : adopted_) release(object);
  }

  polycodec_sink* abi() noexcept { return &sink_; }
  /// What was written; valid until more is.
  std::string_view text() const noexcept { return {memory_.data(), used()}; }

 private:
  std::size_t used() const noexcept {
    return sink_.cursor == nullptr
               ? 0
               : static_cast<std::size_t>(reinterpret_cast<const char*>(sink_.cursor) - memory_.data());
  }
  void grow(std::uint64_t need) {
    const std::size_t size = used();
    if (size > max_bytes_ || need > max_bytes_ - size)
      throw Error(Status::limit, "the output would exceed the limit of " + std::to_string(max_bytes_) + " bytes");
    const std::size_t wish = size + static_cast<std::size_t>(need);
    if (memory_.size() < wish) memory_.resize(wish < 256 ? 512 : 2 * wish);
    sink_.cursor = reinterpret_cast<std::uint8_t*>(memory_.data()) + size;
    sink_.limit = reinterpret_cast<std::uint8_t*>(memory_.data()) + memory_.size();
  }

  polycodec_sink sink_{};
  std::string memory_;
  std::uint64_t max_bytes_;
  std::vector<std::pair<void*, void (*)(void*)>> adopted_;
};

}  // namespace polycodec::yggdrasil
