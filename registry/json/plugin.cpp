// SPDX-License-Identifier: MIT
#include "registry/json/plugin.hpp"

#include <polycodec/plugin.hpp>

#include "registry/json/json_codec.hpp"
#include "registry/json/text_codec.hpp"

namespace polycodec::json {
namespace {

using All = detail::TableOf<polycodec_codecs, polycodec_codec, detail::made<make_text>,
                            detail::made<make_codec<Json>>>;

struct JsonCodecs : All {
  static constexpr const char* id = POLYCODEC_CODECS_INTERFACE;
};

}  // namespace

const polycodec_plugin& plugin() noexcept {
  static constexpr polycodec_plugin object{sizeof(polycodec_plugin),
                                           POLYCODEC_ABI_VERSION,
                                           plugin_id.data(),
                                           "0.3.0",
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           &detail::get_interface<JsonCodecs>};
  return object;
}

}  // namespace polycodec::json
