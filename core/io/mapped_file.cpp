// SPDX-License-Identifier: MIT
#include "core/io/mapped_file.hpp"

#include <polycodec/bytes.hpp>

#include "core/io/mapping_guard.hpp"
#include "core/io/random_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace polycodec::posix {
namespace {

/// Neither libraries, heaps and stacks nor the memory of sanitizers are in this part of the address
/// space.
constexpr std::uint64_t area = 0x400000000000, area_size = 0x100000000000;
/// Such an address can have huge pages.
constexpr std::uint64_t granule = std::uint64_t{2} << 20;

/// A process has 1,024 descriptors as a rule.
constexpr std::size_t most_files = 64;

/// All that exist, by address. Never destroyed: sources may die in static destructors. In static
/// memory: to look for a file needs none.
struct Files {
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<const MappedFile>> all;

  static Files& instance() {
    alignas(Files) static std::byte place[sizeof(Files)];
    static auto* const files = new (place) Files;
    return *files;
  }
};

/// Differs between processes: an address that a worker learns says nothing about others.
std::uint64_t first_place() {
  std::array<std::uint8_t, 8> random;
  random_bytes(random);
  std::uint64_t number = 0;
  std::memcpy(&number, random.data(), sizeof number);
  return number % (area_size / 2) & ~(granule - 1);
}

/// Maps a file where memory was, or memory of zeros.
bool place(void* at, std::size_t size, int file) noexcept {
  const int kind = file < 0 ? MAP_ANONYMOUS | MAP_NORESERVE : 0;
  return ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | kind, file, 0) !=
         MAP_FAILED;
}

}  // namespace

void* common_place(std::uint64_t size) {
  if (sizeof(void*) < sizeof area || size > area_size / 4) return nullptr;
  static std::atomic<std::uint64_t> next{first_place()};
  const std::uint64_t all = ((size + granule - 1) & ~(granule - 1)) + granule;
  const std::uint64_t offset =
      next.fetch_add(all, std::memory_order_relaxed) % (area_size - area_size / 4);
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(area + (offset & ~(granule - 1))));
}

std::shared_ptr<const MappedFile> MappedFile::keep(int fd, polycodec_bytes bytes, bool is_stable) {
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  Descriptor again(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!again) return nullptr;
  const std::shared_ptr<const MappedFile> file(new MappedFile(std::move(again), bytes, is_stable));
  Files& files = Files::instance();
  const std::scoped_lock lock(files.mutex);  // released before the file, whose end takes it
  if (files.all.size() >= most_files) return nullptr;
  files.all[bytes.data] = file;
  return file;
}

std::shared_ptr<const MappedFile> MappedFile::find(polycodec_bytes bytes) noexcept {
  std::shared_ptr<const MappedFile> file;
  Files& files = Files::instance();
  const std::scoped_lock lock(files.mutex);
  const auto at = files.all.find(bytes.data);
  if (at != files.all.end()) file = at->second.lock();
  if (file != nullptr && file->bytes_.size == bytes.size) return file;
  return nullptr;
}

void MappedFile::check(const polycodec_input& input) {
  const std::shared_ptr<const MappedFile> file = find(input.file);
  if (file != nullptr && is_cut_short(file->descriptor(), file->bytes_.size))
    throw_cut_short(to_string_view(input.name));
}

bool MappedFile::map_again(polycodec_bytes bytes, void* at) {
  const std::shared_ptr<const MappedFile> file = find(bytes);
  if (file == nullptr || !file->is_stable_ || ::sysconf(_SC_PAGESIZE) != 4096) return false;
  const auto size = static_cast<std::size_t>(bytes.size);
  if (place(at, size, file->descriptor()) && begin_guard(at, size, bytes.data)) {
#ifdef MADV_POPULATE_READ
    // All pages at once take less time than a fault for each few.
    ::madvise(at, size, MADV_POPULATE_READ);
#endif
    return true;
  }
  if (!place(at, size, -1)) throw std::bad_alloc();
  return false;
}

bool MappedFile::end_again(void* at, std::size_t size) noexcept {
  const bool is_gone = place(at, size, -1);
  end_guard(at);
  return is_gone;
}

MappedFile::~MappedFile() {
  Files& files = Files::instance();
  const std::scoped_lock lock(files.mutex);
  files.all.erase(bytes_.data);
}

}  // namespace polycodec::posix
