// SPDX-License-Identifier: MIT
// How far recursive functions may go on the stack of this thread.
#pragma once

#include <cstdint>

namespace polycodec {

/// The stack that a thread began with. `reserve` bytes at its end are for the functions that
/// recursive ones call. All 0 if it is not known.
struct ThreadStack {
  std::uintptr_t lowest;
  std::uintptr_t size;
  std::uintptr_t reserve;
};

namespace detail {

ThreadStack find_thread_stack() noexcept;

/// The first look at it finds it.
inline constinit thread_local ThreadStack stack_of_thread{0, 0, UINTPTR_MAX};

}  // namespace detail

inline const ThreadStack& thread_stack() noexcept {
  ThreadStack& stack = detail::stack_of_thread;
  if (stack.reserve == UINTPTR_MAX) [[unlikely]]
    stack = detail::find_thread_stack();
  return stack;
}

/// True if a recursive function must go no deeper. False on other stacks, such as those of
/// coroutines: max_depth alone bounds them.
inline bool is_stack_low() noexcept {
  const ThreadStack& stack = thread_stack();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack.lowest <
         stack.reserve;
}

}  // namespace polycodec
