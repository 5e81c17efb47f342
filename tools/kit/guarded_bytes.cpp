// SPDX-License-Identifier: MIT
#include "guarded_bytes.hpp"

#include "case.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

namespace polycodec::kit {
namespace {

// The mappings that a thread has used, for its next inputs: a case makes many thousands, and fresh
// pages cost more than the plugin's work on a short one.
class Mappings {
 public:
  Mappings() { unused_.reserve(most); }
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings() {
    for (const auto& [mapping, size] : unused_) ::munmap(mapping, size);
  }

  /// Writable, but for the last page, which nobody may touch.
  void* take(std::size_t size, std::size_t page) {
    for (auto& kept : unused_) {
      if (kept.second != size) continue;
      void* const mapping = std::exchange(kept, unused_.back()).first;
      unused_.pop_back();
      if (::mprotect(mapping, size - page, PROT_READ | PROT_WRITE) == 0) return mapping;
      ::munmap(mapping, size);
      break;
    }
    void* const mapping =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) fail("no memory for an input");
    ::mprotect(static_cast<char*>(mapping) + (size - page), page, PROT_NONE);
    return mapping;
  }
  void give_back(void* mapping, std::size_t size) noexcept {
    constexpr std::size_t largest = std::size_t{1} << 20;
    // A pointer into an input that is gone stays a crash.
    if (unused_.size() < most && size <= largest && ::mprotect(mapping, size, PROT_NONE) == 0) {
      unused_.emplace_back(mapping, size);
    } else {
      ::munmap(mapping, size);
    }
  }

 private:
  static constexpr std::size_t most = 16;  // so that give_back() never allocates
  std::vector<std::pair<void*, std::size_t>> unused_;
};

thread_local Mappings mappings;

}  // namespace

GuardedBytes::GuardedBytes(std::string_view bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t readable = (bytes.size() + page - 1) / page * page;
  mapped_ = readable + page;
  mapping_ = mappings.take(mapped_, page);
  char* const end = static_cast<char*>(mapping_) + readable;
  if (!bytes.empty()) std::memcpy(end - bytes.size(), bytes.data(), bytes.size());
  if (readable != 0) ::mprotect(mapping_, readable, PROT_READ);
  view_ = {end - bytes.size(), bytes.size()};
}

GuardedBytes::~GuardedBytes() {
  mappings.give_back(mapping_, mapped_);
}

}  // namespace polycodec::kit
