// SPDX-License-Identifier: MIT
// Goes into each module in C++ (docs/wasm.md): what the run-time library of C++ wants of a system,
// which modules do not have.
#include <cstdlib>

// The tag of C++ exceptions, which each object refers to.
__asm__(
    ".globl __cpp_exception\n"
    ".tagtype __cpp_exception i32\n"
    "__cpp_exception:\n");

extern "C" {

/// A module has no environment.
char* secure_getenv(const char*) {
  return nullptr;
}

/// The end of a program that has nowhere to print: a trap.
[[noreturn]] void __abort_message(const char*, ...) {  // NOLINT: the name is that of libc++abi
  std::abort();
}
}

namespace std {
inline namespace __1 {

[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept {  // NOLINT: of libc++
  std::abort();
}

}  // namespace __1
}  // namespace std
