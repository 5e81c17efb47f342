// SPDX-License-Identifier: MIT
#include "random_data.hpp"

#include <base/varint.hpp>
#include <model/type/build.hpp>
#include <model/type/layout.hpp>
#include <model/type/print.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace polycodec::test {

using type::Kind;
using type::Type;

namespace {

std::uint64_t below(Random& random, std::uint64_t n) {
  return random() % n;
}

std::string varint(std::uint64_t value) {
  std::uint8_t bytes[max_varint_size];
  const std::uint32_t size = encode_varint(value, bytes);
  return {reinterpret_cast<const char*>(bytes), size};
}

std::string random_bytes(Random& random, std::uint64_t size) {
  std::string bytes;
  for (std::uint64_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(random()));
  return bytes;
}

const char* const characters[] = {"a", "\0", "Z", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};

std::string random_character(Random& random, type::Encoding encoding) {
  const std::uint64_t kinds = encoding == type::Encoding::ascii  ? 3
                              : encoding == type::Encoding::ucs2 ? 5
                                                                 : 6;
  const std::uint64_t i = below(random, kinds);
  return i == 1 ? std::string(1, '\0') : std::string(characters[i]);
}

std::string random_text(Random& random, std::uint64_t most) {
  std::string text;
  for (std::uint64_t i = below(random, most); i > 0; --i)
    text += random_character(random, type::Encoding::utf8);
  return text;
}

Type random_leaf(Random& random) {
  constexpr std::uint32_t aligns[] = {1, 2, 4, 8, 16};
  switch (below(random, 10)) {
    case 0:
      return type::string();
    case 1:
      return type::bytes(aligns[below(random, 5)]);
    case 2:
      return type::character(std::array{type::Encoding::utf32, type::Encoding::ucs2,
                                        type::Encoding::ascii}[below(random, 3)]);
    case 3:
      return type::fixed_bytes(16 * (1 + below(random, 2)), aligns[below(random, 5)]);
    case 4:
      return type::fixed_string(1 + below(random, 5),
                                static_cast<type::Encoding>(below(random, 5)));
    case 5:
      return below(random, 2) == 0 ? type::void_type() : type::type_type();
    default:
      for (;;) {
        const auto dtype =
            static_cast<std::uint32_t>(1 + below(random, POLYCODEC_DTYPE_COMPLEX128));
        if (dtype != POLYCODEC_DTYPE_COMPLEX32) return type::scalar(dtype);
      }
  }
}

template <class Make>
std::vector<type::Field> random_fields(Random& random, Make make, bool sorted) {
  std::vector<std::string> names{"a", "b", "it's \xc3\xa9", "x", "yy"};
  if (sorted) {
    names = {"a", "b", "x", "aa", "yy"};
  } else {
    std::shuffle(names.begin(), names.end(), random);
  }
  names.resize(below(random, 5));
  std::vector<type::Field> fields;
  for (const std::string& name : names) fields.push_back({name, make()});
  return fields;
}

std::string random_fixed_string(Random& random, const Type& t) {
  const std::uint32_t unit = type::encoding_unit_size(t.encoding());
  std::string bytes;
  for (std::uint64_t i = below(random, t.size() + 1); i > 0; --i)
    bytes +=
        std::string(1, static_cast<char>('a' + below(random, 26))) + std::string(unit - 1, '\0');
  bytes.resize(static_cast<std::size_t>(t.size() * unit));
  return bytes;
}

std::string random_number(Random& random, std::uint32_t dtype, bool optional) {
  if (dtype == POLYCODEC_DTYPE_BOOLEAN)
    return std::string(1, static_cast<char>(below(random, optional ? 3 : 2)));
  const std::size_t size = dtype_size(dtype);
  std::string bytes = below(random, 4) == 0 ? std::string(size, '\0') : random_bytes(random, size);
  const auto patch = [&](std::string_view pattern) { bytes.assign(pattern); };
  using namespace std::string_view_literals;
  if (below(random, 6) == 0) {
    if (dtype == POLYCODEC_DTYPE_FLOAT32) patch("\xa2\x07\x80\x7f"sv);
    if (dtype == POLYCODEC_DTYPE_FLOAT64) patch("\xa2\x07\0\0\0\0\xf0\x7f"sv);
    if (dtype == POLYCODEC_DTYPE_COMPLEX64) patch("\xa2\x07\x80\x7f\xa2\x07\x80\x7f"sv);
    if (is_signed_integer(dtype)) patch(std::string(size - 1, '\0') + '\x80');
  }
  if (optional && dtype == POLYCODEC_DTYPE_FLOAT32 && (bytes[3] & 0x7f) == 0x7f &&
      bytes.substr(0, 2) != "\xa2\x07"sv)
    bytes[3] = 0;
  if (optional && dtype == POLYCODEC_DTYPE_FLOAT64 && (bytes[7] & 0x7f) == 0x7f &&
      bytes.substr(0, 2) != "\xa2\x07"sv)
    bytes[7] = 0;
  return bytes;
}

}  // namespace

Type random_type(Random& random, int depth) {
  if (depth <= 0) return random_leaf(random);
  const auto inner = [&] { return random_type(random, depth - 1); };
  switch (below(random, 12)) {
    case 0:
    case 1:
      return type::fixed(below(random, 4), inner());
    case 2:
    case 3:
      return type::var(inner());
    case 4:
    case 5: {
      Type t = inner();
      return t.is(Kind::option) ? t : type::option(std::move(t));
    }
    case 6:
    case 7:
      return type::record(random_fields(random, inner, false));
    case 8: {
      std::vector<Type> items;
      for (std::uint64_t i = below(random, 4); i > 0; --i) items.push_back(inner());
      return type::tuple(std::move(items));
    }
    case 9:
      return type::pointer(inner());
    case 10:
      return type::array(below(random, 3) == 0 ? inner() : type::kind("Any"));
    default:
      return random_leaf(random);
  }
}

Type random_native_type(Random& random, int depth) {
  const Type leaves[] = {type::scalar(POLYCODEC_DTYPE_BOOLEAN),
                         type::scalar(POLYCODEC_DTYPE_INT64),
                         type::scalar(POLYCODEC_DTYPE_FLOAT64),
                         type::string(),
                         type::bytes(),
                         type::void_type()};
  const auto inner = [&] { return random_native_type(random, depth - 1); };
  const std::uint64_t choice = depth <= 0 ? 9 : below(random, 10);
  if (choice < 3) return type::var(inner());
  if (choice < 5) return type::record(random_fields(random, inner, true));
  if (choice < 8) {
    Type t =
        below(random, 2) == 0
            ? leaves[below(random, 5)]
            : type::scalar(static_cast<std::uint32_t>(POLYCODEC_DTYPE_UINT8 + below(random, 4)));
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i)
      t = type::fixed(below(random, 4), std::move(t));
    return t;
  }
  return leaves[below(random, 6)];
}

std::string with_type(const Type& type, const std::string& data) {
  const std::string text = type::print(type);
  return varint(text.size()) + text + data;
}

std::string random_data(Random& random, const Type& t, int depth) {
  std::string bytes;
  switch (t.kind()) {
    case Kind::scalar:
      return random_number(random, t.dtype(), false);
    case Kind::string:
      bytes = random_text(random, below(random, 20) == 0 ? 300 : 20);
      return varint(bytes.size()) + bytes;
    case Kind::bytes:
      bytes = random_bytes(random, below(random, below(random, 20) == 0 ? 300 : 20));
      return varint(bytes.size()) + bytes;
    case Kind::character:
      return random_character(random, t.encoding());
    case Kind::fixed_bytes:
      return random_bytes(random, t.size());
    case Kind::fixed_string:
      return random_fixed_string(random, t);
    case Kind::void_type:
      return {};
    case Kind::type_type: {
      const std::string text =
          below(random, 4) == 0 ? "N * T" : type::print(random_type(random, 2));
      return varint(text.size()) + text;
    }
    case Kind::fixed_dim:
      for (std::uint64_t i = 0; i < t.size(); ++i) bytes += random_data(random, t.element(), depth);
      return bytes;
    case Kind::var_dim: {
      const std::uint64_t count = below(random, 5);
      bytes = varint(count);
      for (std::uint64_t i = 0; i < count; ++i) bytes += random_data(random, t.element(), depth);
      return bytes;
    }
    case Kind::option:
      if (type::has_sentinel(t.element())) return random_number(random, t.element().dtype(), true);
      if (below(random, 3) == 0) return std::string(1, '\0');
      return '\1' + random_data(random, t.element(), depth);
    case Kind::pointer:
      return random_data(random, t.element(), depth);
    case Kind::array: {
      const bool any = t.element().is(Kind::kind);
      const Type inner = any ? random_type(random, std::min(2, depth - 1)) : t.element();
      return with_type(inner, random_data(random, inner, depth - 1));
    }
    default:
      for (const Type& item : t.items()) bytes += random_data(random, item, depth);
      return bytes;
  }
}

}  // namespace polycodec::test
