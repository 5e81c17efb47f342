// SPDX-License-Identifier: MIT
#include "check.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include "fault.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::dynd {

namespace {

constexpr std::uint64_t good = UINT64_MAX;

bool is_scalar_value(std::uint32_t c) noexcept {
  return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

bool valid_units(const Plan& plan, const std::uint8_t* p, std::size_t units) noexcept {
  switch (plan.encoding) {
    case type::Encoding::ascii:
      return std::all_of(p, p + units, [](std::uint8_t c) { return c < 0x80; });
    case type::Encoding::utf8:
      return validate_utf8(p, units) == utf8_npos;
    case type::Encoding::utf32:
      for (std::size_t i = 0; i < units; ++i)
        if (!is_scalar_value(load_le<std::uint32_t>(p + 4 * i))) return false;
      return true;
    default:
      break;
  }
  for (std::size_t i = 0; i < units; ++i) {
    const std::uint16_t u = load_le<std::uint16_t>(p + 2 * i);
    if (u < 0xd800 || u > 0xdfff) continue;
    if (plan.encoding == type::Encoding::ucs2 || u > 0xdbff || ++i == units) return false;
    const std::uint16_t low = load_le<std::uint16_t>(p + 2 * i);
    if (low < 0xdc00 || low > 0xdfff) return false;
  }
  return true;
}

// The bytes from `data` to the first of `count` bools above `greatest`, or `good`.
std::uint64_t find_bad_bool(const std::uint8_t* data, std::uint64_t count, std::uint64_t stride,
                            unsigned greatest) noexcept {
  if (stride == 1) {
    unsigned most = 0;
    for (std::uint64_t i = 0; i < count; ++i) most = std::max<unsigned>(most, data[i]);
    if (most <= greatest) return good;
  }
  for (std::uint64_t i = 0; i < count; ++i)
    if (data[i * stride] > greatest) return i * stride;
  return good;
}

std::uint64_t find_bad_missing(const Plan& plan, const std::uint8_t* data, std::uint64_t count,
                               std::uint64_t stride) noexcept {
  if (plan.dtype == POLYCODEC_DTYPE_BOOLEAN) return find_bad_bool(data, count, stride, 2);
  std::uint8_t missing[16];
  sentinel(plan.dtype, missing);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint8_t* p = data + i * stride;
    if (is_nan(plan.dtype, p) && std::memcmp(p, missing, plan.item_size) != 0) return i * stride;
  }
  return good;
}

struct Finding {
  std::uint64_t at = good;  ///< bytes from the first value
  const char* word = "";
};

Finding find_bad_leaf(const Plan& plan, const std::uint8_t* data, std::uint64_t count,
                      std::uint64_t stride) noexcept {
  switch (plan.op) {
    case Op::scalar:
      return {find_bad_bool(data, count, stride, 1), "dynd.bool"};
    case Op::sentinel_option:
      return {find_bad_missing(plan, data, count, stride),
              plan.dtype == POLYCODEC_DTYPE_BOOLEAN ? "dynd.bool" : "dynd.na_noncanonical"};
    case Op::fixed_string:
      for (std::uint64_t i = 0; i < count; ++i) {
        const char* word = "";
        if (!check_fixed_string(plan, data + i * stride, word)) return {i * stride, word};
      }
      return {};
    default:
      return {};
  }
}

Finding find_bad(const Plan& plan, const std::uint8_t* data, std::uint64_t count,
                 std::uint64_t stride, Meter& pace) {
  if (plan.unchecked || count == 0) return {};
  switch (plan.op) {
    case Op::fixed_dim: {
      const Plan& element = plan.element();
      if (stride == plan.width)
        return find_bad(element, data, count * plan.count, element.width, pace);
      for (std::uint64_t i = 0; i < count; ++i) {
        Finding found = find_bad(element, data + i * stride, plan.count, element.width, pace);
        if (found.at != good) return {found.at + i * stride, found.word};
      }
      return {};
    }
    case Op::sequence: {
      Finding first;
      std::uint64_t at = 0;
      for (const Plan& field : plan.items) {
        const Finding found = find_bad(field, data + at, count, stride, pace);
        if (found.at != good && found.at + at < first.at) first = {found.at + at, found.word};
        at += field.width;
      }
      return first;
    }
    default:
      break;
  }
  // In parts, so that a cancelled call ends between them.
  constexpr std::uint64_t part = 65536;
  for (std::uint64_t i = 0; i < count; i += part) {
    const std::uint64_t n = std::min(part, count - i);
    pace.step(n * plan.width);
    const Finding found = find_bad_leaf(plan, data + i * stride, n, stride);
    if (found.at != good) return {found.at + i * stride, found.word};
  }
  return {};
}

// The path from a value of `plan` to what stands `at` bytes after its start.
std::string path_to(const Plan& plan, std::uint64_t at) {
  if (plan.op == Op::fixed_dim) {
    const Plan& element = plan.element();
    return index_step(at / element.width) + path_to(element, at % element.width);
  }
  if (plan.op != Op::sequence) return {};
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const Plan& field = plan.items[i];
    if (at < field.width) return plan.step(i) + path_to(field, at);
    at -= field.width;
  }
  return {};
}

[[noreturn]] void refuse_finding(const Plan& plan, const Finding& found, std::uint64_t stride,
                                 std::uint64_t offset, bool single) {
  const std::string_view word = found.word;
  const char* message = word == "dynd.bool"
                            ? "a bool is neither 0 nor 1 (nor 2, where it may be missing)"
                        : word == "dynd.na_noncanonical"
                            ? "a float that may be missing is another NaN than the missing one"
                        : word == "dynd.utf8" ? "a fixed_string is not valid in its encoding"
                                              : "a fixed_string continues after its end";
  Error error(Status::malformed, message, offset + found.at);
  error.detail(word);
  const std::string inner = path_to(plan, found.at % stride);
  error.path('$' + (single ? std::string() : index_step(found.at / stride)) + inner);
  throw error;
}

}  // namespace

bool is_nan(std::uint32_t dtype, const std::uint8_t* data) noexcept {
  if (dtype == POLYCODEC_DTYPE_FLOAT32)
    return (load_le<std::uint32_t>(data) & 0x7fffffffu) > 0x7f800000u;
  if (dtype == POLYCODEC_DTYPE_FLOAT64)
    return (load_le<std::uint64_t>(data) & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000u;
  return false;
}

bool check_fixed_string(const Plan& plan, const std::uint8_t* data, const char*& word) noexcept {
  const std::size_t unit = dtype_swap_width(plan.dtype);
  const std::size_t units = plan.item_size / unit;
  std::size_t used = 0;
  const auto is_zero = [&](std::size_t i) {
    return std::all_of(data + i * unit, data + (i + 1) * unit,
                       [](std::uint8_t c) { return c == 0; });
  };
  while (used < units && !is_zero(used)) ++used;
  if (!std::all_of(data + used * unit, data + plan.item_size,
                   [](std::uint8_t c) { return c == 0; })) {
    word = "dynd.fixed_string_padding";
    return false;
  }
  word = "dynd.utf8";
  return valid_units(plan, data, used);
}

void check_fixed(const Plan& plan, const std::uint8_t* data, std::uint64_t count,
                 std::uint64_t stride, std::uint64_t offset, Meter& pace) {
  const Finding found = find_bad(plan, data, count, stride, pace);
  if (found.at != good) [[unlikely]]
    refuse_finding(plan, found, stride, offset, false);
}

void check_fixed(const Plan& plan, const std::uint8_t* data, std::uint64_t offset, Meter& pace) {
  const Finding found = find_bad(plan, data, 1, plan.width, pace);
  if (found.at != good) [[unlikely]]
    refuse_finding(plan, found, plan.width, offset, true);
}

}  // namespace polycodec::dynd
