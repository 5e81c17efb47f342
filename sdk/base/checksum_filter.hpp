// SPDX-License-Identifier: MIT
// A filter that writes a checksum after the bytes, and takes it off again after comparing.
#pragma once

#include <base/filter_output.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/filter.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace polycodec {

/// Everything but the name of such a filter. `Sum` is a class with `using Word` (std::uint32_t or
/// std::uint64_t, the checksum, which is written little endian), `static constexpr const char*
/// title`, `void add(const void*, std::size_t)` and `Word finish()`. Neither way copies the bytes.
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
    for_each_part(call, bytes, std::size_t{1} << 20, 1.0 / 64,
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
