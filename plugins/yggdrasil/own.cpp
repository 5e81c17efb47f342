// SPDX-License-Identifier: MIT
#include "own.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace polycodec::yggdrasil {
namespace {

constexpr std::array<std::string_view, 6> kinds = {"map",    "extension", "member",
                                                   "scalar", "ndarray",   "time"};
constexpr std::pair<std::uint8_t, std::string_view> dtypes[] = {
    {POLYCODEC_DTYPE_INT128, "int128"},          {POLYCODEC_DTYPE_UINT128, "uint128"},
    {POLYCODEC_DTYPE_FLOAT128, "float128"},      {POLYCODEC_DTYPE_COMPLEX32, "complex32"},
    {POLYCODEC_DTYPE_TIMESTAMP64, "datetime64"}, {POLYCODEC_DTYPE_DURATION64, "timedelta64"}};

}  // namespace

std::string_view to_string(OwnKind kind) noexcept {
  return kinds[static_cast<std::size_t>(kind)];
}

OwnKind own_kind(std::string_view word) noexcept {
  std::size_t i = 0;
  while (i < kinds.size() && kinds[i] != word) ++i;
  return static_cast<OwnKind>(i);
}

std::string_view own_dtype_name(std::uint32_t dtype) noexcept {
  for (const auto& [code, name] : dtypes)
    if (code == dtype) return name;
  return {};
}

std::uint8_t own_dtype(std::string_view name) noexcept {
  for (const auto& [code, known] : dtypes)
    if (known == name) return code;
  return POLYCODEC_DTYPE_NONE;
}

}  // namespace polycodec::yggdrasil
