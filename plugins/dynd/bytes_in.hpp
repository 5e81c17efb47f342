// SPDX-License-Identifier: MIT
// The bytes that are being decoded, with the refusals of this format.
#pragma once

#include <base/varint.hpp>
#include <model/type/type.hpp>
#include <polycodec/utf.hpp>

#include "fault.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::dynd {

/// A cursor over untrusted bytes. Not owning; for one thread.
class BytesIn {
 public:
  explicit BytesIn(std::string_view bytes) noexcept
      : begin_(reinterpret_cast<const std::uint8_t*>(bytes.data())),
        at_(begin_),
        end_(begin_ + bytes.size()) {}

  const std::uint8_t* begin() const noexcept { return begin_; }
  const std::uint8_t* data() const noexcept { return at_; }
  std::uint64_t left() const noexcept { return static_cast<std::uint64_t>(end_ - at_); }
  std::uint64_t offset() const noexcept { return static_cast<std::uint64_t>(at_ - begin_); }
  std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(end_ - begin_); }
  std::string_view all() const noexcept { return to_string_view(begin_, size()); }
  /// After a refusal because the bytes end too early: how many there must be at least. Otherwise 0.
  std::uint64_t wanted() const noexcept { return wanted_; }

  void skip(std::uint64_t size) noexcept { at_ += size; }
  const std::uint8_t* take(std::uint64_t size, const char* what) {
    if (size > left()) [[unlikely]]
      refuse_truncated(size, what);
    const std::uint8_t* p = at_;
    at_ += size;
    return p;
  }
  [[gnu::always_inline]] std::uint64_t varint(const char* what) {
    const Varint v = decode_varint(at_, left());
    if (v.status != VarintStatus::ok) [[unlikely]] {
      if (v.status == VarintStatus::truncated) wanted_ = size() + 1;
      refuse_varint(v.status, what, offset(), size());
    }
    at_ += v.size;
    return v.value;
  }
  /// A varint and so many bytes.
  std::string_view counted(const char* what) {
    const std::uint64_t size = varint(what);
    return {reinterpret_cast<const char*>(take(size, what)), static_cast<std::size_t>(size)};
  }
  /// Refuses unless `count` items of at least `least` bytes each can follow.
  void require(std::uint64_t count, std::uint64_t least, const char* what) {
    if (least != 0 && count > left() / least) [[unlikely]]
      refuse_truncated(count > UINT64_MAX / least ? UINT64_MAX : count * least, what);
  }
  /// A count of items of at least `least` bytes each; refused, at its own offset, if there can't be
  /// that many.
  std::uint64_t count(std::uint64_t least) {
    const std::uint64_t start = offset();
    const std::uint64_t n = varint("the number of items");
    if (least != 0 && n > left() / least) [[unlikely]] {
      const std::uint64_t need = n > UINT64_MAX / least ? UINT64_MAX : n * least;
      wanted_ = need > UINT64_MAX - offset() ? UINT64_MAX : offset() + need;
      refuse(Status::truncated, "dynd.truncated",
             std::to_string(n) + " items of at least " + std::to_string(least) +
                 " bytes each do not fit in the " + std::to_string(left()) + " bytes left",
             start);
    }
    return n;
  }
  /// One character, of at most `greatest`: its bytes.
  std::string_view character(std::uint32_t greatest) {
    char32_t c = 0;
    const std::uint32_t size = decode_one(at_, left(), c);
    if (size == 0) {
      const int need = at_ == end_                  ? 1
                       : *at_ < 0xc2 || *at_ > 0xf4 ? 0
                       : *at_ < 0xe0                ? 2
                       : *at_ < 0xf0                ? 3
                                                    : 4;
      bool cut = need != 0 && left() < static_cast<std::uint64_t>(need);
      for (std::uint64_t i = 1; cut && i < left(); ++i) cut = (at_[i] & 0xc0) == 0x80;
      if (cut) {
        wanted_ = offset() + static_cast<std::uint64_t>(need);
        refuse(Status::truncated, "dynd.truncated", "the input ends within a character",
               this->size());
      }
      refuse(Status::malformed, "dynd.utf8", "a character is not UTF-8", offset());
    }
    if (c > greatest)
      refuse(Status::malformed, "dynd.utf8", "a character is beyond its encoding", offset());
    const std::string_view text(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return text;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_truncated(std::uint64_t need,
                                                               const char* what) {
    wanted_ = need > UINT64_MAX - offset() ? UINT64_MAX : offset() + need;
    refuse(Status::truncated, "dynd.truncated",
           std::string(what) + " needs " + std::to_string(need) + " bytes, " +
               std::to_string(left()) + " are left",
           offset());
  }

 private:
  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint64_t wanted_ = 0;
};

/// The greatest code point of `char` in an encoding.
constexpr std::uint32_t greatest_character(type::Encoding encoding) noexcept {
  return encoding == type::Encoding::ascii  ? 0x7f
         : encoding == type::Encoding::ucs2 ? 0xffff
                                            : 0x10ffff;
}

}  // namespace polycodec::dynd
