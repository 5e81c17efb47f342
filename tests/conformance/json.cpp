// SPDX-License-Identifier: MIT
// The library's own plugin as one that the kit can load.
#include <polycodec/plugin.hpp>

#include "registry/json/plugin.hpp"

#include <string_view>

namespace {

struct Own {
  static constexpr const char* id = POLYCODEC_CODECS_INTERFACE;
  static const void* get() noexcept {
    const polycodec_plugin& own = polycodec::json::plugin();
    return own.get_interface(&own, id);
  }
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, Own)
