// SPDX-License-Identifier: MIT
// The options of the codecs, checked once.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::dynd {

/// Options of both codecs.
struct Settings {
  std::shared_ptr<const Program> program;  ///< of the option `type`; NULL without it
  std::uint64_t chunk_items = 0;
  std::uint64_t max_zero_size_items = std::uint64_t{1} << 20;

  /// Throws Error(option) for a type that is none.
  static Settings from(const Options& options) {
    Settings settings;
    if (const auto type = options.find("type"))
      settings.program = std::make_shared<const Program>(type_option(options.get("type", "")));
    settings.chunk_items = static_cast<std::uint64_t>(options.get("chunk_items", std::int64_t{0}));
    settings.max_zero_size_items =
        static_cast<std::uint64_t>(options.get("max_zero_size_items", std::int64_t{1} << 20));
    return settings;
  }
};

}  // namespace polycodec::dynd
