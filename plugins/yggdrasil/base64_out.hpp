// SPDX-License-Identifier: MIT
// Base64 to an output.
#pragma once

#include <base/base64.hpp>
#include <base/byte_slices.hpp>
#include <polycodec/codec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec::yggdrasil {

/// Writes the base64 of bytes that come in pieces of any size. Call finish() at the end.
class Base64Out {
 public:
  /// `lines`: a newline (as JSON escapes it) after every 76 characters, and at the end.
  Base64Out(const Call& call, Writer& out, bool lines) noexcept
      : call_(call), out_(out), lines_(lines) {}

  void put(const void* data, std::uint64_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    const std::size_t group = lines_ ? line_bytes : 3;
    if (kept_ != 0) {
      const std::uint64_t part = std::min<std::uint64_t>(size, group - kept_);
      std::memcpy(keep_ + kept_, bytes, static_cast<std::size_t>(part));
      kept_ += static_cast<std::size_t>(part);
      bytes += part;
      size -= part;
      if (kept_ != group) return;
      whole(keep_, group);
      kept_ = 0;
    }
    const std::uint64_t rest = size % group;
    whole(bytes, size - rest);
    if (rest != 0) std::memcpy(keep_, bytes + (size - rest), static_cast<std::size_t>(rest));
    kept_ = static_cast<std::size_t>(rest);
  }

  void finish() {
    if (kept_ == 0) return;
    if (lines_) return line(keep_, kept_);
    out_.commit(base64_encode(reinterpret_cast<char*>(out_.reserve(4)), keep_, kept_));
    kept_ = 0;
  }

 private:
  static constexpr std::size_t line_bytes = 57;  // 76 characters
  // Bytes of a slice; a multiple of 3.
  static constexpr std::uint64_t slice = 196608;

  // Groups without a rest.
  void whole(const std::uint8_t* bytes, std::uint64_t size) {
    if (lines_) {
      for (; size != 0; size -= line_bytes, bytes += line_bytes) line(bytes, line_bytes);
      return;
    }
    while (size != 0) {
      // What the window takes, if it is not very small: asking for more may move what was written.
      const std::uint64_t fits = out_.window() / 4 * 3;
      const std::uint64_t part = std::min(size, std::max<std::uint64_t>(fits, 49152));
      char* const to = reinterpret_cast<char*>(out_.reserve(part / 3 * 4));
      for_each_slice(call_, part, slice, 8, [&](std::uint64_t from, std::uint64_t end) {
        base64_encode(to + from / 3 * 4, bytes + from, static_cast<std::size_t>(end - from));
      });
      out_.commit(part / 3 * 4);
      bytes += part;
      size -= part;
    }
  }

  void line(const std::uint8_t* bytes, std::size_t size) {
    char* const to = reinterpret_cast<char*>(out_.reserve(base64_encoded_size(size) + 2));
    const std::size_t written = base64_encode(to, bytes, size);
    to[written] = '\\';
    to[written + 1] = 'n';
    out_.commit(written + 2);
  }

  const Call& call_;
  Writer& out_;
  bool lines_;
  std::size_t kept_ = 0;
  std::uint8_t keep_[line_bytes] = {};
};

}  // namespace polycodec::yggdrasil
