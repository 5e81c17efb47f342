// SPDX-License-Identifier: MIT
// Two lines as units: what is known has one canonical form, and what converts converts back.
#include <polycodec/error.hpp>

#include "core/schema/schema.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

using namespace polycodec;

namespace {

void require(bool right, const char* what, std::string_view from, std::string_view to) {
  if (right) return;
  std::fprintf(stderr, "%s: '%.*s', '%.*s'\n", what, static_cast<int>(from.size()), from.data(),
               static_cast<int>(to.size()), to.data());
  std::abort();
}

std::optional<schema::UnitConversion> conversion(std::string_view from, std::string_view to) {
  try {
    return schema::UnitConversion::between(from, to);
  } catch (const Error& error) {
    require(!error.message().empty(), "no reason", from, to);
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view from = text.substr(0, text.find('\n'));
  const std::string_view to =
      from.size() == text.size() ? std::string_view("m") : text.substr(from.size() + 1);
  const auto canonical = schema::canonical_units(from);
  if (canonical) {
    require(schema::canonical_units(*canonical) == canonical, "not canonical", from, *canonical);
    const auto same = conversion(from, *canonical);
    require(same && same->is_identity(), "no identity", from, *canonical);
  }
  const auto there = conversion(from, to);
  const auto back = conversion(to, from);
  require(there.has_value() == back.has_value(), "converts in one direction only", from, to);
  if (!there) return 0;
  for (const double x : {0.0, 1.0, -3.5, 1e6}) {
    const double y = there->apply(x);
    const double again = back->apply(y);
    // Scales with an offset lose digits to it.
    const double size_of_error = 1e-9 * (std::fabs(x) + (there->has_offset() ? 1e4 : 1e-300));
    const bool is_normal = std::isnormal(y) || y == 0;
    require(!is_normal || !std::isfinite(again) || std::fabs(again - x) <= size_of_error ||
                there->has_offset(),
            "does not convert back", from, to);
  }
  return 0;
}
