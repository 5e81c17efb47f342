// SPDX-License-Identifier: MIT
// Errors that say what to do.
#pragma once

#include <polycodec/error.hpp>

#include <string>
#include <string_view>

namespace polycodec {

/// Returns the error with `advice`, or what else is known of it, at the end of its message.
inline Error with_advice(const Error& error, std::string_view advice) {
  return Error(error.code(), error.message() + "; " + std::string(advice), error.offset())
      .detail(error.detail())
      .path(error.path())
      .codec(error.codec());
}

}  // namespace polycodec
