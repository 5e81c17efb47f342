// SPDX-License-Identifier: MIT
// A filter that writes a checksum after the bytes, and takes it off again after comparing.
#pragma once

#include <base/byte_slices.hpp>
#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/filter.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Everything but the name of such a filter. `Sum` is a class with `using Word` (std::uint32_t or
/// std::uint64_t, the checksum, which is written little endian), `static constexpr const char*
/// title`, `void add(const void*, std::size_t)` and `Word finish()`. With `void join(Word,
/// std::uint64_t)`, which adds so many bytes by their checksum, several threads share large pieces.
/// Neither way copies the bytes.
template <class Sum>
class ChecksumFilter {
 public:
  ChecksumFilter(Call&, const Options&) {}

  void encode(Call& call, const Pieces& pieces, Writer& out) const {
    out.expect(pieces.size() + sizeof(Word));
    Sum sum;
    for (std::size_t i = 0; i < pieces.count(); ++i) {
      add(call, sum, pieces[i]);
      out.reference(pieces[i]);
    }
    out.put_le(sum.finish());
  }

  void decode(Call& call, std::string_view all, std::uint64_t expected, Writer& out) const {
    if (all.size() < sizeof(Word))
      throw Error(Status::truncated,
                  std::string(Sum::title) + " takes " + std::to_string(sizeof(Word)) +
                      " bytes, there are " + std::to_string(all.size()),
                  all.size());
    const std::string_view bytes = all.substr(0, all.size() - sizeof(Word));
    if (expected != POLYCODEC_SIZE_UNKNOWN && expected != bytes.size())
      throw Error(Status::malformed, "there are " + std::to_string(bytes.size()) +
                                         " bytes before the checksum, not " +
                                         std::to_string(expected));
    const Word stored = load<Word>(bytes.data() + bytes.size(), std::endian::little);
    Sum sum;
    add(call, sum, bytes);
    if (const Word actual = sum.finish(); actual != stored)
      throw Error(Status::malformed,
                  std::string(Sum::title) + " of the bytes is " + hex(actual) + ", but " +
                      hex(stored) + " follows them",
                  bytes.size())
          .detail("filter.checksum");
    out.reference(bytes);
  }

  std::uint64_t decoded_size(Call&, std::string_view all) const {
    return all.size() < sizeof(Word) ? POLYCODEC_SIZE_UNKNOWN : all.size() - sizeof(Word);
  }

 private:
  using Word = typename Sum::Word;

  static void add(const Call& call, Sum& sum, std::string_view bytes) {
    constexpr std::uint64_t slice = std::uint64_t{1} << 20;
    if constexpr (requires { sum.join(Word{}, std::uint64_t{}); })
      if (bytes.size() >= parallel_bytes) {
        std::vector<Word> sums((bytes.size() - 1) / slice + 1);
        for_each_slice(call, bytes.size(), slice, 64, [&](std::uint64_t from, std::uint64_t to) {
          Sum part;
          part.add(bytes.data() + from, static_cast<std::size_t>(to - from));
          sums[static_cast<std::size_t>(from / slice)] = part.finish();
        });
        for (std::size_t i = 0; i < sums.size(); ++i)
          sum.join(sums[i], std::min(slice, bytes.size() - i * slice));
        return;
      }
    for_each_part(call, bytes, slice, 1.0 / 64,
                  [&](std::string_view part) { sum.add(part.data(), part.size()); });
  }
  static std::string hex(std::uint64_t word) {
    char text[17];
    std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(2 * sizeof(Word)),
                  static_cast<unsigned long long>(word));
    return text;
  }
};

}  // namespace polycodec
