// SPDX-License-Identifier: MIT
// What a thread does at its end.
#pragma once

namespace polycodec {

/// Something of a thread. The library has one for each.
struct ThreadEnd {
  void (*run)(ThreadEnd& self) noexcept;
};

/// Calls end.run(end) when this thread ends, after the destructors of its objects. False where
/// memory runs out. (An object of the thread with a destructor would end the process there.)
bool at_thread_end(ThreadEnd& end) noexcept;

}  // namespace polycodec
