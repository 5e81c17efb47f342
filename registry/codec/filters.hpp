// SPDX-License-Identifier: MIT
// What an opened codec has: its instance, options and filters.
#pragma once

#include "registry/codec/codec_handle.hpp"
#include "registry/session/session.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

struct CodecFilters {
  std::vector<std::shared_ptr<const FilterInstance>> instances;  // in the order of encoding
  std::string json;

  /// Opens the filters of a JSON list `[{"id": NAME, OPTION: VALUE, ..}, ..]` for codec `of`; null
  /// for none. Throws Status::option with the line, and as Registry::codec.
  static std::shared_ptr<const CodecFilters> open(const Session& session, std::string_view json,
                                                  const CodecInfo& of, OptionsFrom from);
};

}  // namespace polycodec
