// SPDX-License-Identifier: MIT
#include "stack.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace polycodec::detail {

ThreadStack find_thread_stack() noexcept {
  constexpr std::uintptr_t reserve = std::uintptr_t{128} << 10;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!known) return {};
  return {reinterpret_cast<std::uintptr_t>(lowest), size, std::min(reserve, size / 2)};
}

}  // namespace polycodec::detail
