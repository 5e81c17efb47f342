// SPDX-License-Identifier: MIT
// Values of a stream whose bytes are pulled from somewhere.
#pragma once

#include "registry/codec/codec_handle.hpp"

#include <cstddef>
#include <span>

namespace polycodec {

/// Calls next(), which asks `stream` for a value, until it returns true; false at the end.
/// `pull(window)` fills a part of the window and returns how much, 0 at the end. `is_ready()` is
/// true if pull() would not wait.
template <class Next, class Pull, class IsReady>
bool pull_value(ValueStream& stream, const Next& next, const Pull& pull, const IsReady& is_ready) {
  bool ended = false;
  for (;;) {
    if (next()) return true;
    if (ended) return false;
    // What failed once is tried again when half as much has come, or when the sender pauses.
    const std::size_t enough = stream.held() + stream.held() / 2;
    do {
      const std::size_t got = pull(stream.window());
      if (got == 0) {
        stream.end();
        ended = true;
        break;
      }
      stream.commit(got);
    } while (!stream.is_worth_trying() || (stream.held() < enough && is_ready()));
  }
}

}  // namespace polycodec
