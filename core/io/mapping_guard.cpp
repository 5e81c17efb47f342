// SPDX-License-Identifier: MIT
#include "core/io/mapping_guard.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace polycodec::posix {

namespace {

/// A place for one mapping. The handler reads it without a lock, which it must not take.
struct Guarded {
  std::atomic<std::uintptr_t> begin{0};  // 0: the place is free
  std::atomic<std::size_t> size{0};
  std::atomic<bool> is_cut{false};
  std::atomic<Guarded*> first{nullptr};  // of a second mapping, which may be written
  std::string_view name;                 // not for the handler, as what follows
  int file = -1;                         // of its own
};

/// A process has 1,024 descriptors as a rule. Of mappings beyond these, what is cut within the last
/// page is not found.
constexpr std::size_t most_watched_files = 256;

std::array<Guarded, 4096> places;
std::atomic<bool> is_on{false};
std::mutex changing;          // guards all changes of places but is_cut
std::size_t used_places = 0;  // places that were ever used are the first
std::size_t open_files = 0;   // of places that have one
std::uintptr_t page_size = 4096;
struct sigaction before {};

/// Puts zeros in the place of what is gone. Calls functions of the kernel alone.
void on_lost_page(int, siginfo_t* info, void*) {
  const int error = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Guarded& place : places) {
    const std::uintptr_t begin = place.begin.load(std::memory_order_acquire);
    const std::uintptr_t end = begin + place.size.load(std::memory_order_relaxed);
    if (begin == 0 || at < begin || at >= end) continue;
    const std::uintptr_t page = at & ~(page_size - 1);
    void* const from = reinterpret_cast<void*>(page);  // NOLINT
    Guarded* const first = place.first.load(std::memory_order_relaxed);
    const int access = first == nullptr ? PROT_READ : PROT_READ | PROT_WRITE;
    if (::mmap(from, end - page, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
      break;
    (first == nullptr ? place : *first).is_cut.store(true, std::memory_order_release);
    errno = error;
    return;
  }
  // The instruction runs again, now with the consequence that it had before.
  ::sigaction(SIGBUS, &before, nullptr);
  errno = error;
}

/// The place of a mapping, or null. Of null: a free one.
Guarded* place_of(const void* mapping) noexcept {
  const auto place = std::ranges::find_if(places, [&](const Guarded& at) {
    return at.begin.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(mapping);
  });
  return place == places.end() ? nullptr : place;
}

void take(Guarded& place, const void* mapping, std::size_t size, Guarded* first) noexcept {
  used_places = std::max(used_places, static_cast<std::size_t>(&place - places.data()) + 1);
  place.is_cut.store(false, std::memory_order_relaxed);
  place.first.store(first, std::memory_order_relaxed);
  place.size.store(size, std::memory_order_relaxed);
  place.begin.store(reinterpret_cast<std::uintptr_t>(mapping), std::memory_order_release);
}

}  // namespace

void guard_mappings() {
  const std::lock_guard lock(changing);
  if (is_on.load(std::memory_order_relaxed)) return;
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = &on_lost_page;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
  is_on.store(true, std::memory_order_release);
}

void check_mappings() {
  if (!is_on.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(changing);
  for (const Guarded& place : std::span(places).first(used_places))
    if (place.begin.load(std::memory_order_relaxed) != 0 &&
        (place.is_cut.load(std::memory_order_relaxed) ||
         is_cut_short(place.file, place.size.load(std::memory_order_relaxed))))
      throw_cut_short(place.name);
}

bool is_cut_short(int file, std::size_t size) noexcept {
  struct stat now;
  return file >= 0 && ::fstat(file, &now) == 0 && static_cast<std::uint64_t>(now.st_size) < size;
}

void throw_cut_short(std::string_view name) {
  throw Error(Status::io,
              "cannot read " + quote_path(name) + ": it was cut short while it was read; try again")
      .detail("io.cut_short");
}

void release_pages(std::string_view mapped) noexcept {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(mapped.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(mapped.data()) + mapped.size();
  if (begin < end)
    static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
}

bool begin_guard(void* mapping, std::size_t size, std::string_view name, int file) {
  if (!is_on.load(std::memory_order_acquire)) return true;
  const std::lock_guard lock(changing);
  Guarded* const place = place_of(nullptr);
  if (place == nullptr) return false;
  place->file = open_files < most_watched_files ? ::fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
  if (place->file >= 0) ++open_files;
  place->name = name;
  take(*place, mapping, size, nullptr);
  return true;
}

bool begin_guard(void* second, std::size_t size, const void* mapping) {
  if (!is_on.load(std::memory_order_acquire)) return true;
  const std::lock_guard lock(changing);
  Guarded* const first = place_of(mapping);
  if (first == nullptr) return true;  // mapped before the guard was on
  Guarded* const place = place_of(nullptr);
  if (place == nullptr) return false;
  take(*place, second, size, first);
  return true;
}

void end_guard(const void* mapping) noexcept {
  if (!is_on.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(changing);
  for (Guarded& place : std::span(places).first(used_places)) {
    if (place.begin.load(std::memory_order_relaxed) != reinterpret_cast<std::uintptr_t>(mapping))
      continue;
    place.begin.store(0, std::memory_order_relaxed);
    if (place.file < 0) continue;
    ::close(std::exchange(place.file, -1));
    --open_files;
  }
}

}  // namespace polycodec::posix
