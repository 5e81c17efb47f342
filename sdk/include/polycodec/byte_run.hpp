// SPDX-License-Identifier: MIT
// For byte codecs: codecs whose values are bytes, such as compressors and checksums, to be put behind another codec.
// A manifest marks one with "role": "bytes". What it encodes is a ByteRun; what it decodes to is a binary node.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// The name of the extension that stands for one run of bytes in several pieces: its payload is a list of binaries. A
/// host makes it, to spare a copy of what a codec wrote in segments; no decoder returns it. It is no plain list,
/// which would come back as something else.
inline constexpr std::string_view byte_run_extension = "polycodec.byte-run";

/// The bytes that a byte codec is given to encode: a binary, or the extension byte_run_extension. Views the value.
class ByteRun {
 public:
  /// Throws Status::type for any other value.
  explicit ByteRun(View value) : nodes_(value.raw(), 1) {
    if (value.kind() == POLYCODEC_EXTENSION && to_string_view(value.as_extension().name) == byte_run_extension)
      nodes_ = View(value.as_extension().payload).items();
    for (const polycodec_node& node : nodes_) {
      const View piece(&node);
      if (piece.kind() != POLYCODEC_BINARY)
        throw Error(Status::type, "a byte codec takes bytes, not a " +
                                      std::string(View::kind_name(static_cast<std::uint32_t>(piece.kind()))));
      size_ += piece.as_bytes().size();
    }
  }

  /// Bytes in all.
  std::uint64_t size() const noexcept { return size_; }
  std::size_t count() const noexcept { return nodes_.size(); }
  /// A piece of them, in order; may be empty.
  std::span<const std::uint8_t> piece(std::size_t i) const {
    const auto bytes = View(&nodes_[i]).as_bytes();
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  }
  /// All of them in one place: the only piece itself, or a copy in `buffer`.
  std::span<const std::uint8_t> contiguous(std::vector<std::uint8_t>& buffer) const {
    if (count() == 1) return piece(0);
    buffer.clear();
    buffer.reserve(static_cast<std::size_t>(size_));
    for (std::size_t i = 0; i < count(); ++i) {
      const auto bytes = piece(i);
      buffer.insert(buffer.end(), bytes.begin(), bytes.end());
    }
    return buffer;
  }

 private:
  std::span<const polycodec_node> nodes_;
  std::uint64_t size_ = 0;
};

/// The bytes that a decompressor makes, in the arena of a value. Enforces limits.max_ratio: no more than that many
/// bytes for each compressed one, once more than 1 MiB came out.
class ByteOutput {
 public:
  /// `packed`: how many compressed bytes there are. `size`: how many bytes will come, if the format says so; 0 if
  /// not. A size that the ratio forbids is refused here, before memory is taken: throws Status::limit.
  ByteOutput(const Call& call, Builder& out, std::uint64_t packed, std::uint64_t size) : call_(call), out_(out) {
    most_ = std::max(checked_mul(packed, call.limits().max_ratio).value_or(UINT64_MAX), free_bytes);
    if (size > most_) fail_ratio();
    reserve(size != 0 ? size : std::clamp<std::uint64_t>(checked_mul(packed, 4).value_or(most_), 4096, most_));
  }

  /// Room for more bytes; grows if there is none. Throws Status::limit, Status::cancelled.
  std::span<std::uint8_t> room() {
    if (size_ == capacity_) {
      if (size_ >= most_) fail_ratio();
      reserve(std::min(checked_mul(capacity_, 2).value_or(most_), most_));
    }
    return {data_ + size_, static_cast<std::size_t>(capacity_ - size_)};
  }
  /// The first `count` bytes of the room were written.
  void commit(std::uint64_t count) noexcept { size_ += count; }
  std::uint64_t size() const noexcept { return size_; }
  /// The root of the value.
  const polycodec_node* finish() {
    return out_.root(Builder::bytes_view(std::as_bytes(std::span(data_, static_cast<std::size_t>(size_)))));
  }

 private:
  static constexpr std::uint64_t free_bytes = std::uint64_t{1} << 20;

  [[noreturn]] void fail_ratio() const {
    throw Error(Status::limit, "decompresses to more than " + std::to_string(call_.limits().max_ratio) +
                                   " bytes for each compressed one (max_ratio)")
        .detail("ratio");
  }
  void reserve(std::uint64_t capacity) {
    call_.check_cancelled();
    auto* more = out_.allocate<std::uint8_t>(std::max<std::uint64_t>(capacity, 1));
    if (size_ != 0) std::memcpy(more, data_, size_);
    data_ = more;
    capacity_ = capacity;
  }

  const Call& call_;
  Builder& out_;
  std::uint64_t most_ = 0;
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace polycodec
