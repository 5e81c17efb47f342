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

  const std::string utf8 = options.get("utf8", "strict");
  if (utf8 != "strict" && utf8 != "lenient")
    throw Error(Status::option,
                "option 'utf8' must be \"strict\" or \"lenient\", not \"" + utf8 + "\"");
  settings.lenient_utf8 = utf8 == "lenient";

  settings.numpy_maps = options.get("numpy_maps", settings.numpy_maps);
  settings.legacy = options.get("legacy", settings.legacy);
  settings.pack_lists = options.get("pack_lists", settings.pack_lists);

  const std::string documents = options.get("documents", "auto");
  if (documents == "one") {
    settings.documents = Documents::one;
  } else if (documents == "many") {
    settings.documents = Documents::many;
  } else if (documents != "auto") {
    throw Error(Status::option, "option 'documents' must be \"auto\", \"one\" or \"many\", not \"" +
                                    documents + "\"");
  }
  return settings;
}

}  // namespace polycodec::msgpack_ndarray
