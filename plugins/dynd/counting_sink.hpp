// SPDX-License-Identifier: MIT
// A sink that counts and keeps nothing.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/writer.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace polycodec::dynd {

/// Host side of a sink whose window is the same memory again and again. For one thread; not movable.
class CountingSink {
 public:
  CountingSink() {
    sink_.struct_size = sizeof sink_;
    sink_.grow = [](polycodec_sink* sink, std::uint64_t need, polycodec_error*) {
      auto* self = static_cast<CountingSink*>(sink->host_data);
      if (need > self->size_) {
        self->size_ = need;
        self->window_ = std::make_unique<std::uint8_t[]>(static_cast<std::size_t>(need));
      }
      sink->cursor = self->window_.get();
      sink->limit = sink->cursor + self->size_;
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.reference = [](polycodec_sink*, const void*, std::uint64_t, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.expect = [](polycodec_sink*, std::uint64_t, polycodec_error*) { return std::int32_t{POLYCODEC_OK}; };
    sink_.adopt = [](polycodec_sink*, void* object, void (*release)(void*)) {
      release(object);
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.host_data = this;
    sink_.cursor = window_.get();
    sink_.limit = window_.get() + size_;
  }
  CountingSink(const CountingSink&) = delete;
  CountingSink& operator=(const CountingSink&) = delete;

  polycodec_sink* abi() noexcept { return &sink_; }

 private:
  polycodec_sink sink_{};
  std::uint64_t size_ = 65536;
  std::unique_ptr<std::uint8_t[]> window_ = std::make_unique<std::uint8_t[]>(65536);
};

template <class Write>
std::uint64_t count_bytes(Write&& write) {
  CountingSink sink;
  Writer writer(sink.abi());
  std::forward<Write>(write)(writer);
  return writer.position();
}

}  // namespace polycodec::dynd
