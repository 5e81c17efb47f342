// SPDX-License-Identifier: MIT
// Sinks of a plugin's own: one that keeps what is written in one string, one that only counts.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>
#include <polycodec/writer.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// A sink in memory, for strings that go into a leaf. For one thread; not movable.
class MemorySink {
 public:
  enum class Keep : bool { nothing, all };

  /// Throws Error(Status::limit) beyond `max_bytes`. Keep::nothing uses one window again and again.
  explicit MemorySink(std::uint64_t max_bytes, Keep keep = Keep::all)
      : max_bytes_(max_bytes), keep_(keep) {
    sink_.struct_size = sizeof sink_;
    sink_.private_data = this;
    sink_.grow = [](polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
      auto* const self = static_cast<MemorySink*>(sink->private_data);
      return guard(error, [&] { self->grow(need); });
    };
    sink_.reference = [](polycodec_sink* sink, const void* data, std::uint64_t size,
                         polycodec_error* error) {
      auto* const self = static_cast<MemorySink*>(sink->private_data);
      return guard(error, [&] {
        if (self->keep_ == Keep::nothing) return;
        self->grow(size);
        std::memcpy(sink->cursor, data, static_cast<std::size_t>(size));
        sink->cursor += size;
      });
    };
    sink_.expect = [](polycodec_sink*, std::uint64_t, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.adopt = [](polycodec_sink* sink, void* object, void (*release)(void*),
                     const polycodec_bytes*, std::uint64_t, polycodec_error*) {
      auto* const self = static_cast<MemorySink*>(sink->private_data);
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
               : static_cast<std::size_t>(reinterpret_cast<const char*>(sink_.cursor) -
                                          memory_.data());
  }
  void grow(std::uint64_t need) {
    const std::size_t size = keep_ == Keep::all ? used() : 0;
    if (size > max_bytes_ || need > max_bytes_ - size)
      throw Error(Status::limit,
                  "the output would exceed max_output_bytes (" + std::to_string(max_bytes_) + ")");
    const std::size_t wish = size + static_cast<std::size_t>(need);
    if (memory_.size() < wish)
      memory_.resize(keep_ == Keep::nothing ? wish + 65536 : wish < 256 ? 512 : 2 * wish);
    sink_.cursor = reinterpret_cast<std::uint8_t*>(memory_.data()) + size;
    sink_.limit = reinterpret_cast<std::uint8_t*>(memory_.data()) + memory_.size();
  }

  polycodec_sink sink_{};
  std::string memory_;
  std::uint64_t max_bytes_;
  Keep keep_;
  std::vector<std::pair<void*, void (*)(void*)>> adopted_;
};

/// Returns how many bytes `write(Writer&)` writes.
template <class Write>
std::uint64_t count_bytes(Write&& write) {
  MemorySink sink(UINT64_MAX, MemorySink::Keep::nothing);
  Writer writer(sink.abi());
  std::forward<Write>(write)(writer);
  return writer.position();
}

}  // namespace polycodec
