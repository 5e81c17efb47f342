// SPDX-License-Identifier: MIT
// Input bytes that end where inaccessible memory begins and that nobody may write to.
#pragma once

#include "case.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace polycodec::kit {

/// A copy of some bytes. Reading behind them, or writing to them, is a crash, with or without a
/// sanitizer.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::string_view bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t readable = (bytes.size() + page - 1) / page * page;
    mapped_ = readable + page;
    mapping_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) fail("no memory for an input");
    char* end = static_cast<char*>(mapping_) + readable;
    if (!bytes.empty()) std::memcpy(end - bytes.size(), bytes.data(), bytes.size());
    if (readable != 0) ::mprotect(mapping_, readable, PROT_READ);
    ::mprotect(end, page, PROT_NONE);
    view_ = {end - bytes.size(), bytes.size()};
  }
  ~GuardedBytes() { ::munmap(mapping_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  std::string_view view() const noexcept { return view_; }

 private:
  void* mapping_;
  std::size_t mapped_;
  std::string_view view_;
};

}  // namespace polycodec::kit
