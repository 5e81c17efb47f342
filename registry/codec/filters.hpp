// SPDX-License-Identifier: MIT
// What an opened codec has: its instance, options and filters.
#pragma once

#include <polycodec/codec_handle.hpp>

#include "registry/load/catalog.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

struct CallTerms;

struct CodecFilters {
  std::vector<std::shared_ptr<const FilterInstance>> instances;  // in the order of encoding
  std::string json;

  /// Opens the filters of a JSON list `[{"id": NAME, OPTION: VALUE, ..}, ..]` for codec `of`; null
  /// for none. Throws Status::option with the line, and as Registry::codec.
  static std::shared_ptr<const CodecFilters> open(const Catalog& catalog, std::string_view json,
                                                  const CodecInfo& of);
};

struct Codec::State {
  std::shared_ptr<const CodecInstance> instance;
  std::shared_ptr<const CodecFilters> filters;  // null: none
  std::string options_json;                     // or empty

  void decode_input(Value& value, const polycodec_input& input,
                    const std::shared_ptr<const void>& pin, const Regions* blobs,
                    std::uint64_t physical, const CallOptions& options) const;
  void encode_checked(NodeView root, const Value* value, Sink& sink,
                      const CallOptions& options) const;
  /// Reads back what the codec writes and reports members of another type, if the caller asked for
  /// it.
  void report_retyped(NodeView root, const CallTerms& terms) const;
};

}  // namespace polycodec
