// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace polycodec::detail {

/// Sets all bytes of a descriptor of the ABI to zero. Of a size that it knows, g++ makes `rep
/// stos`, which takes longer than a call of memset().
template <class T>
void clear(T& descriptor) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  std::size_t size = sizeof descriptor;
  asm("" : "+r"(size));  // the compiler takes it for another number
  std::memset(static_cast<void*>(&descriptor), 0, size);
}

}  // namespace polycodec::detail
