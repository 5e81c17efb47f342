// SPDX-License-Identifier: MIT
#include "stack.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define POLYCODEC_LARGE_FRAMES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLYCODEC_LARGE_FRAMES
#endif
#endif

namespace polycodec::detail {

ThreadStack find_thread_stack() noexcept {
#ifdef POLYCODEC_LARGE_FRAMES
  constexpr std::uintptr_t reserve = std::uintptr_t{640} << 10;
#else
  constexpr std::uintptr_t reserve = std::uintptr_t{128} << 10;
#endif
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
