// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <model/type/parse.hpp>
#include <polycodec/detail/half.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace polycodec::test {

using type::Kind;
using type::Type;

namespace {

/// Little-endian bytes of a decimal number of up to 128 bits.
std::string integer_bytes(const Json& json, std::size_t size) {
  const std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  const bool negative = text[0] == '-';
  std::string bytes(size, '\0');
  for (const char c : text.substr(negative ? 1 : 0)) {
    unsigned carry = static_cast<unsigned>(c - '0');
    for (char& b : bytes) {
      carry += static_cast<unsigned char>(b) * 10u;
      b = static_cast<char>(carry);
      carry >>= 8;
    }
  }
  unsigned carry = 1;
  for (char& b : bytes) {
    if (!negative) break;
    carry += static_cast<unsigned char>(~b);
    b = static_cast<char>(carry);
    carry >>= 8;
  }
  return bytes;
}

double real(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  return json == "inf" ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity();
}

std::string float_bytes(const Json& json, std::size_t size) {
  if (json.is_object()) {
    std::string bytes = from_hex(json.at("bits").get<std::string>());
    return {bytes.rbegin(), bytes.rend()};
  }
  const double value = real(json);
  std::string bytes(size, '\0');
  if (size == 8) {
    std::memcpy(bytes.data(), &value, 8);
  } else if (size == 4) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(bytes.data(), &narrow, 4);
  } else if (size == 2) {
    const std::uint16_t half = double_to_half(value);
    std::memcpy(bytes.data(), &half, 2);
  } else {
    throw std::runtime_error("a float128 is given by its bits");
  }
  return bytes;
}

std::string number_bytes(std::uint32_t dtype, const Json& json) {
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) return std::string(1, json.get<bool>() ? '\1' : '\0');
  if (is_integer(dtype)) return integer_bytes(json, dtype_size(dtype));
  if (is_float(dtype)) return float_bytes(json, dtype_size(dtype));
  return float_bytes(json.at(0), dtype_size(dtype) / 2) +
         float_bytes(json.at(1), dtype_size(dtype) / 2);
}

polycodec_node number_node(Builder& out, std::uint32_t dtype, const Json& json) {
  const std::string bytes = number_bytes(dtype, json);
  // A 0-d leaf has the bits as they are; the codec must make the same of it as of a scalar node.
  return Builder::array(out.ndarray(out.copy_text(bytes), dtype, dtype_size(dtype), {}));
}

}  // namespace

polycodec_node build_value(Builder& out, const Type& type, const Json& json) {
  switch (type.kind()) {
    case Kind::scalar:
      return number_node(out, type.dtype(), json);
    case Kind::bytes:
    case Kind::fixed_bytes: {
      const std::string bytes = from_hex(json.at("hex").get<std::string>());
      return out.bytes_copy(bytes);
    }
    case Kind::void_type:
      return Builder::null();
    case Kind::fixed_dim:
    case Kind::var_dim: {
      std::vector<polycodec_node> items;
      for (const Json& item : json) items.push_back(build_value(out, type.element(), item));
      return out.list(items);
    }
    case Kind::tuple: {
      std::vector<polycodec_node> items;
      for (std::size_t i = 0; i < json.size(); ++i)
        items.push_back(build_value(out, type.items()[i], json[i]));
      return out.tuple(items);
    }
    case Kind::record: {
      std::vector<Member> members;
      for (std::size_t i = 0; i < type.items().size(); ++i)
        members.push_back(
            {type.names()[i], build_value(out, type.items()[i], json.at(type.names()[i]))});
      return out.object(std::span<const Member>(members));
    }
    case Kind::option:
      if (json.is_null()) return Builder::null();
      if (type.element().is(Kind::void_type)) return Builder::boolean(true);
      return build_value(out, type.element(), json);
    case Kind::pointer:
      return build_value(out, type.element(), json);
    case Kind::array: {
      // The types of arrays in arrays stand in one list.
      std::vector<polycodec_node> texts;
      const Json* inner = &json;
      for (;; inner = &inner->at("value")) {
        texts.push_back(out.string_copy(inner->at("type").get<std::string>()));
        if (!type::parse(inner->at("type").get<std::string>()).is(Kind::array)) break;
      }
      const Type innermost = type::parse(inner->at("type").get<std::string>());
      return out.annotated(build_value(out, innermost, inner->at("value")),
                           out.object({{"dynd.type", out.list(texts)}}));
    }
    default:
      return out.string_copy(json.get<std::string>());
  }
}

}  // namespace polycodec::test
