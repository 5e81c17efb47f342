// SPDX-License-Identifier: MIT
// Numbers, times, strings and byte strings of typed JSON.
#pragma once

#include <polycodec/abi.h>

#include "core/text/scanner.hpp"

namespace polycodec::text {

/// Reads what has no parts of its own.
class ScalarParser {
 public:
  explicit ScalarParser(Scanner& scanner) : scanner_(scanner) {}

  Scanner& scanner() noexcept { return scanner_; }
  /// A number, boolean or complex number of this dtype, as its bytes in host order.
  void number(std::uint32_t dtype, unsigned char* out);
  /// An integer of the notation, not of the value: a number of items, a label.
  std::uint64_t count();
  /// The tag of a member of a union; of `any` every tag.
  std::int64_t union_tag(const type::Type& t);
  polycodec_time datetime(std::uint32_t unit);
  /// The same, in the unit that its form tells.
  polycodec_time any_datetime();
  /// A duration in `unit`; in any for POLYCODEC_UNIT_COUNT.
  polycodec_time timedelta(std::uint32_t unit);
  /// A string, or the bytes of a `$string`, valid until the next call; `raw` tells which.
  std::string_view text(bool& raw);
  /// The bytes of a `$bytes`, valid until the next call.
  std::string_view bytes();

 private:
  void special_float(std::uint32_t dtype, unsigned char* out);
  void float_number(std::uint32_t dtype, unsigned char* out);
  std::string_view base64();

  Scanner& scanner_;
  std::vector<unsigned char> decoded_;
};

}  // namespace polycodec::text
