// SPDX-License-Identifier: MIT
#include "guarded_bytes.hpp"

#include "case.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace polycodec::kit {

GuardedBytes::GuardedBytes(std::string_view bytes) {
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

GuardedBytes::~GuardedBytes() {
  ::munmap(mapping_, mapped_);
}

}  // namespace polycodec::kit
