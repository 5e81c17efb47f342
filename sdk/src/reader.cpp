// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/reader.hpp>

#include <algorithm>
#include <utility>

namespace polycodec {

void Reader::fail(Status status, std::string message) const {
  throw Error(status, std::move(message), position());
}

template <class T>
T Reader::take_decimal(const char* what, T least, T most) {
  require(1, what);
  const auto* const from = reinterpret_cast<const char*>(cursor_);
  T value{};
  const DecimalEnd found = parse_decimal(from, from + remaining(), value);
  if (found.status == DecimalStatus::not_a_number)
    fail(Status::malformed,
         std::string(what) + " is not a number: " + quote_byte(*from) + " is where it must begin");
  const bool fits = std::is_floating_point_v<T> || (value >= least && value <= most);
  if (found.status == DecimalStatus::out_of_range || !fits) {
    const auto size = static_cast<std::size_t>(std::min<std::ptrdiff_t>(found.end - from, 40));
    fail(Status::range, std::string(what) + " " + quote(std::string_view(from, size)) +
                            " is out of range: must be " + std::to_string(least) + " to " +
                            std::to_string(most));
  }
  cursor_ += found.end - from;
  return value;
}

std::int64_t Reader::decimal_signed(const char* what, std::int64_t least, std::int64_t most) {
  return take_decimal<std::int64_t>(what, least, most);
}

std::uint64_t Reader::decimal_unsigned(const char* what, std::uint64_t most) {
  return take_decimal<std::uint64_t>(what, 0, most);
}

float Reader::decimal_float(const char* what) {
  return take_decimal<float>(what, 0, 0);
}

double Reader::decimal_double(const char* what) {
  return take_decimal<double>(what, 0, 0);
}

void Reader::throw_truncated(const char* what, std::uint64_t need) const {
  fail(Status::truncated, std::string(what) + " needs " + std::to_string(need) +
                              (need == 1 ? " byte, " : " bytes, ") + std::to_string(remaining()) +
                              " left");
}

void Reader::throw_count(const char* what, std::uint64_t count, std::uint64_t item) const {
  fail(Status::truncated, std::string(what) + " declares " + std::to_string(count) +
                              " items of at least " + std::to_string(item) +
                              (item == 1 ? " byte, " : " bytes, ") + std::to_string(remaining()) +
                              " bytes left");
}

void Reader::throw_trailing(const char* what) const {
  fail(Status::trailing, std::to_string(remaining()) +
                             (remaining() == 1 ? " byte follows " : " bytes follow ") + what);
}

void Reader::throw_range(const char* what, std::uint64_t offset, std::uint64_t size) const {
  fail(Status::truncated, std::string(what) + " (" + std::to_string(size) + " bytes at " +
                              std::to_string(offset) + ") is outside of the " +
                              std::to_string(this->size()) + " bytes there are");
}

}  // namespace polycodec
