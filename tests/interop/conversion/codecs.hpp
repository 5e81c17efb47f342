// SPDX-License-Identifier: MIT
// All codecs of the build, ready for any value.
#pragma once

#include <polycodec/view.hpp>

#include "fastbin/schema/infer.hpp"
#include "fastbin/schema/print.hpp"
#include "registry/codec/registry.hpp"

#include <string>

namespace polycodec {

inline const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// A codec with the options that it needs for this value: fastbin has no types in its bytes.
inline Codec opened(const CodecInfo& info, NodeView value) {
  if (info.name != "fastbin") return registry().codec(info.name);
  const std::string schema = fastbin::schema_to_json(fastbin::infer_schema(View(value)));
  return registry().codec_with_json("fastbin", R"({"root": "Root", "schema": )" + schema + "}");
}

}  // namespace polycodec
