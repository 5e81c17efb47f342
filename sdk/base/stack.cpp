// SPDX-License-Identifier: MIT
#include "stack.hpp"

#ifndef __wasm__
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define POLYCODEC_LARGE_FRAMES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLYCODEC_LARGE_FRAMES
#endif
#endif

#ifdef __wasm__
extern "C" char __stack_low, __stack_high;  // NOLINT: of the linker

namespace polycodec::detail {

ThreadStack find_thread_stack() noexcept {
  const auto lowest = reinterpret_cast<std::uintptr_t>(&__stack_low);
  const std::uintptr_t size = reinterpret_cast<std::uintptr_t>(&__stack_high) - lowest;
  return {lowest, size, size / 4};
}

}  // namespace polycodec::detail
#else

namespace polycodec::detail {

namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};

/// The stack of the first thread, if this is one and the system says it without a list of all
/// mappings, which takes as long as the rest of a small call. The name of the program lies at the
/// end of this stack; below it, the kernel maps nothing within 128 MiB.
Range first_stack() noexcept {
  constexpr std::uintptr_t most = std::uintptr_t{64} << 20;
  constexpr std::uintptr_t page = 4096;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t name = ::getauxval(AT_EXECFN);
  rlimit limit{};
  if (here >= name || name - here > most || ::getrlimit(RLIMIT_STACK, &limit) != 0 ||
      limit.rlim_cur > most || name - here > limit.rlim_cur)
    return {};
  const std::uintptr_t end =
      (name + std::strlen(reinterpret_cast<const char*>(name)) + page) & ~(page - 1);
  return {end - limit.rlim_cur, limit.rlim_cur};
}

}  // namespace

ThreadStack find_thread_stack() noexcept {
#ifdef POLYCODEC_LARGE_FRAMES
  constexpr std::uintptr_t reserve = std::uintptr_t{640} << 10;
#else
  constexpr std::uintptr_t reserve = std::uintptr_t{128} << 10;
#endif
  if (const Range first = first_stack(); first.size != 0)
    return {first.begin, first.size, std::min(reserve, first.size / 2)};
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
#endif
