// SPDX-License-Identifier: MIT
// The options of the codecs, checked once.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace polycodec::dynd {

/// Options of both codecs.
struct Settings {
  std::shared_ptr<const Program> program;   ///< data form: of the option `type`; NULL in any form
  std::shared_ptr<const Program> required;  ///< any form: of the option `type`; NULL without it
  bool bare =
      false;  ///< data form of a type that only the writer knows: decoding needs the option `type`
  std::uint64_t chunk_items = 0;
  std::uint64_t max_zero_size_items = std::uint64_t{1} << 20;

  /// Throws Error(option) for a type that is none.
  static Settings from(const Options& options) {
    Settings settings;
    if (const auto type = options.find("type"))
      settings.program = std::make_shared<const Program>(type_option(options.get("type", "")));
    const std::string form = options.get("form", settings.program != nullptr ? "data" : "any");
    if (form == "any") settings.required = std::exchange(settings.program, nullptr);
    settings.bare = form == "data" && settings.program == nullptr;
    settings.chunk_items = static_cast<std::uint64_t>(options.get("chunk_items", std::int64_t{0}));
    settings.max_zero_size_items =
        static_cast<std::uint64_t>(options.get("max_zero_size_items", std::int64_t{1} << 20));
    return settings;
  }
};

}  // namespace polycodec::dynd
