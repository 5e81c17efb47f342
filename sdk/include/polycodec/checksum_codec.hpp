// SPDX-License-Identifier: MIT
// A byte codec that puts a checksum behind the bytes, and takes it off again after comparing.
#pragma once

#include <polycodec/byte_order.hpp>
#include <polycodec/byte_run.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace polycodec {

/// Everything but the names of such a codec. `Sum` is a class with `using Word` (std::uint32_t or std::uint64_t, the
/// checksum, which is written little endian), `static constexpr const char* title`, `void add(const void*,
/// std::size_t)` and `Word finish()`. Neither way copies the bytes.
template <class Sum>
class ChecksumCodec {
 public:
  ChecksumCodec(Host, const Options&) {}

  void encode(const Call& call, View value, Writer& out) const {
    const ByteRun run(value);
    out.expect(run.size() + sizeof(typename Sum::Word));
    Sum sum;
    for (std::size_t i = 0; i < run.count(); ++i) {
      const auto bytes = run.piece(i);
      add(call, sum, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      out.reference(bytes.data(), bytes.size());
    }
    out.put_le(sum.finish());
  }

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    using Word = typename Sum::Word;
    const std::string_view all = input.bytes();
    if (all.size() < sizeof(Word))
      throw Error(Status::truncated,
                  std::string(Sum::title) + " takes " + std::to_string(sizeof(Word)) + " bytes, there are " +
                      std::to_string(all.size()),
                  all.size());
    const std::string_view bytes = all.substr(0, all.size() - sizeof(Word));
    const Word stored = load<Word>(bytes.data() + bytes.size(), std::endian::little);
    Sum sum;
    add(call, sum, bytes);
    if (const Word actual = sum.finish(); actual != stored)
      throw Error(Status::malformed,
                  std::string(Sum::title) + " of the bytes is " + hex(actual) + ", but " + hex(stored) +
                      " stands behind them",
                  bytes.size())
          .detail("checksum");
    return out.root(Builder::bytes_view(std::as_bytes(std::span(bytes.data(), bytes.size()))));
  }

 private:
  static void add(const Call& call, Sum& sum, std::string_view bytes) {
    constexpr std::size_t step = std::size_t{1} << 20;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), step))) {
      call.check_cancelled();
      sum.add(bytes.data(), std::min(bytes.size(), step));
    }
  }
  static std::string hex(std::uint64_t word) {
    char text[17];
    std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(2 * sizeof(typename Sum::Word)),
                  static_cast<unsigned long long>(word));
    return text;
  }
};

}  // namespace polycodec
