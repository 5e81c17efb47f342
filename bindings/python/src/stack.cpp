// SPDX-License-Identifier: MIT
#include "stack.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace polycodec_python {
namespace {

/// The end of the stack of a thread, and how much of it is for the functions that recursive ones
/// call. All 0 if it is not known.
struct Stack {
  std::uintptr_t lowest = 0, reserve = 0;
};

Stack own_stack() noexcept {
  constexpr std::uintptr_t reserve = std::uintptr_t{128} << 10;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_known) return {};
  return {reinterpret_cast<std::uintptr_t>(lowest), std::min<std::uintptr_t>(reserve, size / 2)};
}

}  // namespace

bool is_stack_low() noexcept {
  static thread_local const Stack stack = own_stack();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack.lowest <
         stack.reserve;
}

}  // namespace polycodec_python
