// SPDX-License-Identifier: MIT
#include "core/call/file_memory.hpp"

#include "core/call/pages.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <new>
#include <string>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t page = 4096;
/// Mappings are few for a process, so that most memory is a part of one.
constexpr std::uint64_t slab_bytes = std::uint64_t{64} << 20;
/// How much new memory the process touches before it lets go of all.
constexpr std::uint64_t release_step = 4 * slab_bytes;

int open_unnamed(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name = directory + "/polycodec-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

/// Gives the room of a part of the file back to the disk, and leaves errno as it is.
void punch(int file, std::uint64_t offset, std::uint64_t size) noexcept {
  const int error = errno;
  ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(size));
  errno = error;
}

}  // namespace

FileMemory& FileMemory::instance() noexcept {
  alignas(FileMemory) static std::byte storage[sizeof(FileMemory)];
  static FileMemory* const memory = new (storage) FileMemory;
  return *memory;
}

namespace {
/// Made with the library, as the key in thread_end.cpp is.
[[maybe_unused]] const FileMemory& first_memory = FileMemory::instance();
}  // namespace

FileMemory::FileMemory() noexcept {
  const auto after = [] {
    instance().close();
    instance().mutex_.unlock();
  };
  ::pthread_atfork([] { instance().mutex_.lock(); }, after, after);
}

bool FileMemory::open() {
  if (file_ >= 0) return true;
  const char* const set = ::secure_getenv("TMPDIR");
  file_ = open_unnamed(set != nullptr && *set != '\0' ? set : "/var/tmp");
  return file_ >= 0;
}

/// Memory that is in use stays mapped, and with it the file.
void FileMemory::close() noexcept {
  if (file_ < 0) return;
  ::close(std::exchange(file_, -1));
  ++number_;
  end_ = 0;
  current_ = slabs_.end();
}

FileMemory::Slabs::iterator FileMemory::map_slab(std::uint64_t size) {
  if (::fallocate(file_, 0, static_cast<off_t>(end_), static_cast<off_t>(size)) != 0)
    return slabs_.end();
  void* const mapped = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE,
                              MAP_SHARED, file_, static_cast<off_t>(end_));
  if (mapped == MAP_FAILED) {
    punch(file_, end_, size);
    return slabs_.end();
  }
  try {
    const auto slab =
        slabs_.emplace(static_cast<std::uint8_t*>(mapped), Slab{size, end_, number_, 0, 0}).first;
    end_ += size;
    held_ += size;
    since_release_ += size;
    return slab;
  } catch (const std::bad_alloc&) {
    unmap_pages(mapped, size);
    punch(file_, end_, size);
    throw;
  }
}

void FileMemory::unmap(Slabs::iterator slab) noexcept {
  unmap_pages(slab->first, slab->second.size);
  if (slab->second.file == number_) punch(file_, slab->second.offset, slab->second.size);
  held_ -= slab->second.size;
  if (current_ == slab) current_ = slabs_.end();
  slabs_.erase(slab);
  if (slabs_.empty()) close();
}

void FileMemory::release_pages() noexcept {
  since_release_ = 0;
  for (const auto& [begin, slab] : slabs_)
    ::madvise(begin, static_cast<std::size_t>(slab.size), MADV_DONTNEED);
}

std::uint8_t* FileMemory::take(std::uint64_t size) noexcept try {
  const std::uint64_t bytes = round_up(std::max<std::uint64_t>(size, 1), page);
  const std::scoped_lock lock(mutex_);
  if (bytes > static_cast<std::uint64_t>(PTRDIFF_MAX) - end_) {
    errno = ENOMEM;
    return nullptr;
  }
  if (!open()) return nullptr;
  if (since_release_ >= release_step) release_pages();
  const bool is_alone = bytes >= slab_bytes / 4;
  Slabs::iterator slab = current_;
  if (is_alone || slab == slabs_.end() || bytes > slab->second.size - slab->second.used) {
    slab = map_slab(is_alone ? bytes : slab_bytes);
    if (slab == slabs_.end()) return nullptr;
    if (!is_alone) current_ = slab;
  }
  std::uint8_t* const data = slab->first + slab->second.used;
  slab->second.used += bytes;
  ++slab->second.holders;
  return data;
} catch (const std::bad_alloc&) {
  errno = ENOMEM;
  return nullptr;
}

void FileMemory::give(std::uint8_t* data) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto slab = std::prev(slabs_.upper_bound(data));
  if (--slab->second.holders == 0) unmap(slab);
}

std::uint64_t FileMemory::held_bytes() noexcept {
  const std::scoped_lock lock(mutex_);
  return held_;
}

}  // namespace polycodec
