// SPDX-License-Identifier: MIT
#include "guarded_bytes.hpp"

#include "case.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace polycodec::kit {
namespace {

/// Mappings larger than this are used once.
constexpr std::size_t largest = std::size_t{1} << 20;

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

/// `size` bytes that end with `bytes`, and an inaccessible page: no page of them is there before
/// somebody looks. MAP_FAILED if the system cannot do it.
void* map_untouched(std::string_view bytes, std::size_t size, std::size_t page) {
  const int file = ::memfd_create("an input", MFD_CLOEXEC);
  if (file < 0) return MAP_FAILED;
  void* mapping = MAP_FAILED;
  if (::ftruncate(file, static_cast<off_t>(size)) == 0 &&
      ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(size - bytes.size())) ==
          static_cast<ssize_t>(bytes.size()))
    mapping = ::mmap(nullptr, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping != MAP_FAILED &&
      ::mmap(mapping, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) {
    ::munmap(mapping, size + page);
    mapping = MAP_FAILED;
  }
  ::close(file);
  if (mapping != MAP_FAILED) ::madvise(mapping, size, MADV_NOHUGEPAGE);
  return mapping;
}

}  // namespace

GuardedBytes::GuardedBytes(std::string_view bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t readable = (bytes.size() + page - 1) / page * page;
  mapped_ = readable + page;
  if (mapped_ > largest) {
    mapping_ = map_untouched(bytes, readable, page);
    is_untouched_ = mapping_ != MAP_FAILED;
    if (is_untouched_) {
      view_ = {static_cast<char*>(mapping_) + (readable - bytes.size()), bytes.size()};
      return;
    }
  }
  mapping_ = mappings.take(mapped_, page);
  char* const end = static_cast<char*>(mapping_) + readable;
  if (!bytes.empty()) std::memcpy(end - bytes.size(), bytes.data(), bytes.size());
  if (readable != 0) ::mprotect(mapping_, readable, PROT_READ);
  view_ = {end - bytes.size(), bytes.size()};
}

std::size_t GuardedBytes::looked_at() const noexcept {
  if (!is_untouched_) return 0;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const int file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<std::uint64_t, 512> entries;
  std::size_t present = 0;
  const std::size_t first = reinterpret_cast<std::uintptr_t>(mapping_) / page;
  const std::size_t count = mapped_ / page - 1;
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = std::min(entries.size(), count - done);
    const ssize_t got = ::pread(file, entries.data(), n * sizeof entries[0],
                                static_cast<off_t>((first + done) * sizeof entries[0]));
    if (got <= 0) break;
    const std::size_t read = static_cast<std::size_t>(got) / sizeof entries[0];
    for (std::size_t i = 0; i < read; ++i) present += entries[i] >> 63;
    done += std::max<std::size_t>(read, 1);
  }
  ::close(file);
  return present * page;
}

GuardedBytes::~GuardedBytes() {
  mappings.give_back(mapping_, mapped_);
}

}  // namespace polycodec::kit
