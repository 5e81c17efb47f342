// SPDX-License-Identifier: MIT
// What the doors show of an error.
#pragma once

#include <polycodec/polycodec.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace polycodec::doors {

using Json = nlohmann::ordered_json;

/// The parts of an error that every door shows: code, detail, offset, path.
inline Json parts_of(const Error& error) {
  Json parts{{"code", status_name(error.code())}};
  if (!error.detail().empty()) parts["detail"] = error.detail();
  if (error.offset() != Error::no_offset) parts["offset"] = error.offset();
  if (!error.path().empty()) parts["path"] = error.path();
  return parts;
}

}  // namespace polycodec::doors
