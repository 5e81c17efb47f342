// SPDX-License-Identifier: MIT
// What generated code reads, in the notation of the vectors (tests/vectors/fastbin/README.md).
#pragma once

#include <base/base64.hpp>
#include <polycodec/utf.hpp>

#include "access.hpp"
#include "fastbin_runtime.hpp"

#include <cmath>
#include <cstdio>

namespace polycodec::test {

namespace rt = fastbin_runtime;

template <class T>
inline constexpr std::string_view type_name = "";
template <>
inline constexpr std::string_view type_name<std::int8_t> = "int8";
template <>
inline constexpr std::string_view type_name<std::int16_t> = "int16";
template <>
inline constexpr std::string_view type_name<std::int32_t> = "int32";
template <>
inline constexpr std::string_view type_name<std::int64_t> = "int64";
template <>
inline constexpr std::string_view type_name<std::uint8_t> = "uint8";
template <>
inline constexpr std::string_view type_name<std::uint16_t> = "uint16";
template <>
inline constexpr std::string_view type_name<std::uint32_t> = "uint32";
template <>
inline constexpr std::string_view type_name<std::uint64_t> = "uint64";
template <>
inline constexpr std::string_view type_name<float> = "float32";
template <>
inline constexpr std::string_view type_name<double> = "float64";
template <>
inline constexpr std::string_view type_name<char> = "char";
template <>
inline constexpr std::string_view type_name<std::byte> = "byte";
template <>
inline constexpr std::string_view type_name<bool> = "bool";
template <>
inline constexpr std::string_view type_name<std::string_view> = "string";

template <rt::Struct T>
Json to_json(const T& value);
template <class T>
Json to_json(const rt::Vector<T>& list);
template <class T>
Json to_json(const rt::Records<T>& list);
template <class... T>
Json to_json(const rt::Variant<T...>& variant);

template <class F>
Json float_to_json(F value) {
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (!std::isnan(value)) return static_cast<double>(value);
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  const auto bits = std::bit_cast<Bits>(value);
  if (bits == (sizeof(F) == 4 ? Bits{0x7fc00000} : static_cast<Bits>(0x7ff8000000000000)))
    return "NaN";
  char text[32];
  std::snprintf(text, sizeof text, "NaN:0x%0*llx", static_cast<int>(2 * sizeof(F)),
                static_cast<unsigned long long>(bits));
  return text;
}

inline Json to_json(std::string_view text) {
  if (polycodec::is_utf8(text)) return std::string(text);
  std::string encoded(polycodec::base64_encoded_size(text.size()), '\0');
  polycodec::base64_encode(encoded.data(), text.data(), text.size());
  return Json{{"base64", encoded}};
}
template <rt::Scalar T>
Json to_json(T value) {
  if constexpr (rt::named_enum<T>) {
    if (is_known(value)) return std::string(to_string(value));
    using Number = std::underlying_type_t<T>;
    if constexpr (std::is_same_v<Number, char>)
      return static_cast<unsigned char>(value);
    else
      return static_cast<Number>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return float_to_json(value);
  } else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, std::byte>) {
    return static_cast<unsigned char>(value);
  } else {
    return value;
  }
}
template <rt::Struct T>
Json to_json(const T& value) {
  Json object = Json::object();
  std::apply(
      [&](const auto&... m) { ((object[std::string(m.name)] = to_json((value.*m.get)())), ...); },
      T::members());
  return object;
}
template <class T>
Json list_to_json(const T& list) {
  Json array = Json::array();
  for (const auto& item : list) array.push_back(to_json(item));
  return array;
}
template <class T>
Json to_json(const rt::Vector<T>& list) {
  return list_to_json(list);
}
template <class T>
Json to_json(const rt::Records<T>& list) {
  return list_to_json(list);
}
template <class T>
std::string name_of_type() {
  if constexpr (rt::Struct<T>)
    return "struct:" + std::string(T::struct_name);
  else
    return std::string(type_name<T>);
}
template <class... T>
Json to_json(const rt::Variant<T...>& variant) {
  const std::string names[] = {name_of_type<T>()...};
  Json object{{"index", variant.index()}};
  // The schemas of the vectors have only one enum in variants.
  object["type"] = names[variant.index()].empty() ? "enum:Color" : names[variant.index()];
  if (!variant.visit([&](auto, const auto& value) { object["value"] = to_json(value); }))
    object["empty"] = true;
  return object;
}

}  // namespace polycodec::test
