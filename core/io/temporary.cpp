// SPDX-License-Identifier: MIT
#include "core/io/temporary.hpp"

#include <base/hex.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>

namespace polycodec::posix {

namespace {

/// More writers of one file at a time take random names, which nobody cleans up.
constexpr unsigned fixed_names = 64;
/// Of these names, all are searched for left-over files, even if one before is free.
constexpr unsigned searched_names = 8;

/// The same for all writers of `target`, so that the next one finds what a dead one left.
std::filesystem::path name_of(const std::filesystem::path& target, unsigned number) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a: the name itself may be too long to extend
  const std::string own_leaf = target.filename().native();
  for (const char c : own_leaf) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  std::string leaf = ".polycodec-";
  append_hex(leaf, hash, 16);
  return directory_of(target) / (leaf + "-" + std::to_string(number) + ".tmp");
}

/// True if `name` still leads to the open file.
bool leads_to(const char* name, int fd) noexcept {
  struct stat there {};
  struct stat open {};
  return ::lstat(name, &there) == 0 && ::fstat(fd, &open) == 0 && there.st_ino == open.st_ino &&
         there.st_dev == open.st_dev;
}

Descriptor open_there(const char* name) noexcept {
  return Descriptor(::open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

/// Removes the file of a dead writer. False if no file has this name.
bool remove_dead(const std::filesystem::path& name) noexcept {
  const Descriptor file = open_there(name.c_str());
  if (!file) return errno != ENOENT;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || status.st_uid != ::geteuid()) return true;
  // Only the holder of the lock gives a temporary file another name or removes it.
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || !leads_to(name.c_str(), file.get()))
    return true;
  std::error_code ignored;
  if (S_ISDIR(status.st_mode)) std::filesystem::remove_all(name, ignored);
  if (S_ISREG(status.st_mode)) ::unlink(name.c_str());
  return true;
}

}  // namespace

std::filesystem::path directory_of(const std::filesystem::path& path) {
  auto directory = path.parent_path();
  return directory.empty() ? std::filesystem::path(".") : directory;
}

std::string claim_name(const Place& target, const std::function<int(const char* name)>& make) {
  const auto directory = directory_of(target.path());
  int error = EEXIST;
  for (unsigned number = 0; number < 2 * fixed_names; ++number) {
    const auto name =
        number < fixed_names ? name_of(target.path(), number) : temporary_name(directory);
    error = make(name.c_str());
    if (error == 0) return name.native();
    if (error != EEXIST && error != EINTR) break;
  }
  const bool is_place = error == ENOENT || error == ENOTDIR || error == EACCES || error == EROFS;
  throw_errno("create a file in", directory_of(target.name()).native(), error,
              is_place ? ": name a directory that exists and that you may write to" : "");
}

bool lock_temporary(int fd) noexcept {
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

Descriptor make_temporary(const Place& target, bool is_directory, std::string& name) {
  Descriptor made;
  name = claim_name(target, [&](const char* at) {
    if (is_directory) {
      if (::mkdir(at, 0777) != 0) return errno;
      made = open_there(at);
    } else {
      made = Descriptor(::open(at, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    }
    if (!made) return errno;
    // Before it was locked, another writer may have taken it for left-over.
    return lock_temporary(made.get()) && leads_to(at, made.get()) ? 0 : EEXIST;
  });
  return made;
}

void remove_left_over(const std::filesystem::path& target) noexcept try {
  for (unsigned number = 0; number < fixed_names; ++number)
    if (!remove_dead(name_of(target, number)) && number + 1 >= searched_names) return;
} catch (const std::exception&) {
  // Without memory for a name there is no cleaning either.
}

}  // namespace polycodec::posix
