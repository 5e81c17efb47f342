// SPDX-License-Identifier: MIT
#include "registry/isolation/window.hpp"

#include <polycodec/error.hpp>

#include "registry/isolation/protocol.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace polycodec::isolation {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;
/// Free in every process, sanitizers included, but for what programs put there on purpose.
constexpr std::uint64_t places[] = {0x200000000000, 0x280000000000, 0x300000000000, 0x180000000000};

void* reserve(std::uint64_t base, std::uint64_t size) noexcept {
  return ::mmap(pointer<void>(base), static_cast<std::size_t>(size), PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(Status::memory, "cannot " + what + " of an isolated plugin: " +
                                  std::generic_category().message(errno));
}

}  // namespace

Window& Window::instance() {
  static Window& window = *new Window;  // values may live longer than other static objects
  return window;
}

Window::Window() {
  for (std::uint64_t size = std::uint64_t{1} << 42; size >= std::uint64_t{1} << 36; size /= 4)
    for (const std::uint64_t place : places) {
      void* const found = reserve(place, size);
      if (found == MAP_FAILED) continue;
      if (number(found) != place) {  // a kernel that does not know the flag
        ::munmap(found, static_cast<std::size_t>(size));
        continue;
      }
      base_ = place;
      size_ = size;
      free_.emplace(base_, size_);
      return;
    }
  fail("reserve the addresses");
}

bool Window::reserve_at(std::uint64_t base, std::uint64_t size) noexcept {
  return number(reserve(base, size)) == base;
}

std::uint64_t Window::take(std::uint64_t size) {
  const std::scoped_lock lock(mutex_);
  const auto at =
      std::ranges::find_if(free_, [&](const auto& part) { return part.second >= size; });
  if (at == free_.end())
    throw Error(Status::memory, "values of isolated plugins fill their " +
                                    std::to_string(size_ >> 30) +
                                    " GiB of addresses: release some");
  const auto [begin, all] = *at;
  free_.erase(at);
  if (all != size) free_.emplace(begin + size, all - size);
  return begin;
}

void Window::give(std::uint64_t begin, std::uint64_t size) noexcept {
  if (size == 0) return;
  unmap_segment(begin, size);
  const std::scoped_lock lock(mutex_);
  auto after = free_.lower_bound(begin);
  if (after != free_.end() && begin + size == after->first) {
    size += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      before->second += size;
      return;
    }
  }
  try {
    free_.emplace_hint(after, begin, size);
  } catch (const std::bad_alloc&) {  // NOLINT: these addresses are not used again
  }
}

std::uint64_t largest_segment() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::uint64_t{1} << 63;
  return std::bit_floor(std::uint64_t{limit.rlim_cur});
}

Segment::Segment(Writer writer, std::uint64_t size, int directory)
    : writer_(writer), size_((size + huge_page - 1) & ~(huge_page - 1)) {
  static std::atomic<std::uint64_t> count{1};
  number_ = count.fetch_add(1, std::memory_order_relaxed);
  begin_ = Window::instance().take(size_);
  try {
    make_file(directory);
  } catch (...) {
    Window::instance().give(begin_, size_);
    throw;
  }
}

void Segment::make_file(int directory) {
  // A larger file would be refused with a signal that ends the process.
  if (size_ > largest_segment())
    throw Error(Status::limit,
                "the memory of an isolated plugin would be larger (" + std::to_string(size_) +
                    " bytes) than files of this process may be: raise RLIMIT_FSIZE (ulimit -f), or "
                    "set policy.isolation to in-process");
  const bool writes = writer_ == Writer::host;
  if (directory >= 0)
    file_ = FileHandle(::openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  const bool has_seals = !file_.is_open();
  if (has_seals) file_ = FileHandle(::memfd_create("polycodec", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_.is_open() || ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    fail("make the memory");
  if (!map_segment(file_.get(), begin_, size_, writes)) fail("map the memory");
  if (has_seals) {
    // Sealed now that the host has its mapping: there will be no other one to write through. What
    // the worker writes keeps its size, so that the host's reads find pages.
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (writes ? F_SEAL_FUTURE_WRITE : 0);
    if (::fcntl(file_.get(), F_ADD_SEALS, seals) != 0) fail("seal the memory");
  } else {
    // This descriptor counts as a writer, and so does a mapping of it.
    const std::string name = "/proc/self/fd/" + std::to_string(file_.get());
    FileHandle again(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!again.is_open()) fail("open the memory");
    if (!writes && !map_segment(again.get(), begin_, size_, false)) fail("map the memory");
    file_ = FileHandle();
    file_ = std::move(again);
  }
  // The default signal of a lease that somebody breaks ends the process.
  if (!writes) ::fcntl(file_.get(), F_SETSIG, SIGURG);
}

Segment::~Segment() {
  stop_sharing();
  Window::instance().give(begin_, size_);
}

FileHandle Segment::share() const {
  // Opened once more: what memfd_create() gave is not counted as a writer.
  const std::string name = "/proc/self/fd/" + std::to_string(file_.get());
  FileHandle file(::open(name.c_str(), (writer_ == Writer::host ? O_RDONLY : O_RDWR) | O_CLOEXEC));
  if (!file.is_open()) fail("share the memory");
  return file;
}

int Segment::share_again() {
  if (!shared_.is_open()) shared_ = share();
  return shared_.get();
}

void Segment::stop_sharing() noexcept {
  if (begin_to_clear_ != nullptr) ::munmap(std::exchange(begin_to_clear_, nullptr), small_begin);
  shared_ = FileHandle();
}

bool Segment::is_sealed() noexcept {
  stop_sharing();
  if (::fcntl(file_.get(), F_SETLEASE, F_RDLCK) != 0) return false;
  ::fcntl(file_.get(), F_SETLEASE, F_UNLCK);
  return true;
}

/// Bytes that have pages.
std::uint64_t Segment::used_bytes() const noexcept {
  struct stat status {};
  return ::fstat(file_.get(), &status) != 0 ? ~std::uint64_t{0}
                                            : static_cast<std::uint64_t>(status.st_blocks) * 512;
}

void Segment::shrink(std::uint64_t used) noexcept {
  const std::uint64_t kept = std::min(size_, (used + huge_page - 1) & ~(huge_page - 1));
  Window::instance().give(begin_ + kept, size_ - kept);
  size_ = kept;
  is_whole_ = false;
}

/// Fills the start with zeros. True if there are not more pages. The host writes before it looks,
/// so that a worker cannot have exchanged these pages for others.
bool Segment::clear_begin() noexcept {
  if (begin_to_clear_ == nullptr) {
    void* const found =
        ::mmap(nullptr, small_begin, PROT_READ | PROT_WRITE, MAP_SHARED, shared_.get(), 0);
    if (found == MAP_FAILED) return false;
    begin_to_clear_ = found;
    use_small_pages(isolation::number(found), small_begin);
  }
  std::memset(begin_to_clear_, 0, small_begin);
  return used_bytes() == small_begin;
}

bool Segment::clear() noexcept try {
  if (writer_ == Writer::host) {
    std::memset(pointer<void>(begin_), 0, static_cast<std::size_t>(std::exchange(dirty, 0)));
    return true;
  }
  share_again();
  const auto drop = [&](std::uint64_t from) {
    return ::fallocate(shared_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                       static_cast<off_t>(from), static_cast<off_t>(size_ - from)) == 0;
  };
  const std::uint64_t bytes = used_bytes();
  // A few small pages are sooner given back than a large one is filled.
  if (bytes < huge_page) {
    arena_touched = touched = 0;
    return (bytes <= small_begin && clear_begin()) || drop(0);
  }
  // To write zeros into large pages takes half of the time that new ones take.
  const std::uint64_t kept = std::min(
      size_,
      std::max((arena_touched + huge_page - 1) & ~(huge_page - 1), std::uint64_t{huge_page}));
  void* const here = ::mmap(nullptr, static_cast<std::size_t>(kept), PROT_READ | PROT_WRITE,
                            MAP_SHARED, shared_.get(), 0);
  if (here == MAP_FAILED) return false;
  std::memset(here, 0, static_cast<std::size_t>(kept));
  ::munmap(here, static_cast<std::size_t>(kept));
  touched = kept;
  // A worker writes where it likes.
  return bytes <= kept || drop(kept);
} catch (const Error&) {
  return false;
}

void populate_pages(std::uint64_t begin, std::uint64_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
  if (bytes != 0)
    ::madvise(pointer<void>(begin), static_cast<std::size_t>((bytes + page - 1) & ~(page - 1)),
              MADV_POPULATE_WRITE);
#else
  static_cast<void>(begin), static_cast<void>(bytes);
#endif
}

bool map_segment(int descriptor, std::uint64_t begin, std::uint64_t size, bool writable) noexcept {
  return ::mmap(pointer<void>(begin), static_cast<std::size_t>(size),
                writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED | MAP_FIXED, descriptor,
                0) != MAP_FAILED;
}

void use_small_pages(std::uint64_t begin, std::uint64_t size) noexcept {
  ::madvise(pointer<void>(begin), static_cast<std::size_t>(std::min(size, huge_page)),
            MADV_NOHUGEPAGE);
}

bool map_file(int descriptor, std::uint64_t begin, std::uint64_t size) noexcept {
  void* const found = ::mmap(pointer<void>(begin), static_cast<std::size_t>(size), PROT_READ,
                             MAP_PRIVATE | MAP_FIXED_NOREPLACE, descriptor, 0);
  if (number(found) == begin) return true;
  if (found != MAP_FAILED) ::munmap(found, static_cast<std::size_t>(size));
  return false;
}

void unmap_file(std::uint64_t begin, std::uint64_t size) noexcept {
  ::munmap(pointer<void>(begin), static_cast<std::size_t>(size));
}

void unmap_segment(std::uint64_t begin, std::uint64_t size) noexcept {
  ::mmap(pointer<void>(begin), static_cast<std::size_t>(size), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace polycodec::isolation
