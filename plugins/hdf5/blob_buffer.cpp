// SPDX-License-Identifier: MIT
#include "blob_buffer.hpp"

#include <polycodec/bytes.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace polycodec::hdf5 {

BlobBuffer::BlobBuffer() noexcept {
  sink_.struct_size = sizeof(polycodec_sink);
  sink_.owner = this;
  sink_.grow = [](polycodec_sink* self, std::uint64_t need, polycodec_error* error) {
    return guard(error, [&] { of(self).grow(need); });
  };
  sink_.reference = [](polycodec_sink* self, const void* data, std::uint64_t size,
                       polycodec_error* error) {
    return guard(error, [&] {
      BlobBuffer& buffer = of(self);
      buffer.close_window();
      buffer.check(size);
      buffer.segments_.push_back(to_string_view(data, size));
      buffer.size_ += size;
    });
  };
  sink_.expect = [](polycodec_sink* self, std::uint64_t size, polycodec_error* error) {
    return guard(error, [&] { of(self).check(size); });
  };
  sink_.adopt = [](polycodec_sink* self, void* object, void (*release)(void* object),
                   const polycodec_bytes*, std::uint64_t, polycodec_error* error) {
    return guard(error, [&] {
      try {
        of(self).adopted_.push_back({object, release});
      } catch (...) {
        release(object);
        throw;
      }
    });
  };
}

void BlobBuffer::check(std::uint64_t more) const {
  const auto window = static_cast<std::uint64_t>(sink_.cursor - start_);
  if (more > max_bytes_ - std::min(max_bytes_, size_ + window))
    throw Error(Status::limit, "the blob has more than the " + std::to_string(max_bytes_) +
                                   " bytes that max_output_bytes allows");
}

void BlobBuffer::close_window() {
  if (sink_.cursor != start_) {
    const auto size = static_cast<std::uint64_t>(sink_.cursor - start_);
    segments_.push_back(to_string_view(start_, size));
    size_ += size;
  }
  start_ = sink_.cursor;
}

void BlobBuffer::grow(std::uint64_t need) {
  check(need);
  close_window();
  while (next_block_ < blocks_.size() && blocks_[next_block_].size < need) ++next_block_;
  if (next_block_ == blocks_.size()) {
    const std::uint64_t size = std::max(need, std::uint64_t{1} << 16);
    blocks_.push_back({std::make_unique<std::uint8_t[]>(size), size});
  }
  const Block& block = blocks_[next_block_++];
  start_ = sink_.cursor = block.data.get();
  sink_.limit = start_ + block.size;
}

polycodec_sink* BlobBuffer::begin(std::uint64_t max_bytes) noexcept {
  drop();
  max_bytes_ = max_bytes;
  return &sink_;
}

std::span<const std::string_view> BlobBuffer::segments() {
  close_window();
  return segments_;
}

void BlobBuffer::drop() noexcept {
  segments_.clear();
  size_ = 0;
  next_block_ = 0;
  start_ = sink_.cursor = sink_.limit = nullptr;
  for (const Adopted& a : std::exchange(adopted_, {})) a.release(a.object);
}

}  // namespace polycodec::hdf5
