// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <string>

namespace polycodec::msgpack_ndarray {

Settings Settings::from(const Options& options) {
  Settings settings;
  const std::int64_t code = options.get("ext_code", std::int64_t{110});
  if (code < 0 || code > 127)
    throw Error(Status::option,
                "option 'ext_code' must be 0 to 127 (negative codes belong to msgpack), not " +
                    std::to_string(code));
  settings.ext_code = static_cast<std::int8_t>(code);

  settings.lenient_utf8 = options.choice<bool>("utf8", {{"strict", false}, {"lenient", true}});
  settings.numpy_maps = options.get("numpy_maps", settings.numpy_maps);
  settings.legacy = options.get("legacy", settings.legacy);
  settings.pack_lists = options.get("pack_lists", settings.pack_lists);
  settings.documents = options.choice<Documents>(
      "documents",
      {{"auto", Documents::automatic}, {"one", Documents::one}, {"many", Documents::many}});
  return settings;
}

}  // namespace polycodec::msgpack_ndarray
