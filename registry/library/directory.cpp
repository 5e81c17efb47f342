// SPDX-License-Identifier: MIT
#include "core/io/posix_file.hpp"
#include "core/io/process.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace polycodec {

std::filesystem::path library_file() {
  // Where the library was when it was first asked: its name may be relative, or lead elsewhere
  // later.
  static const std::filesystem::path file = [] {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&library_file), &info) == 0 ||
        info.dli_fname == nullptr)
      return std::filesystem::path();
    std::error_code error;
    const auto library = posix::canonical(info.dli_fname, error);
    return error ? std::filesystem::path() : library;
  }();
  return file;
}

}  // namespace polycodec
