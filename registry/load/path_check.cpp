// SPDX-License-Identifier: MIT
#include "registry/load/path_check.hpp"

#include "core/io/posix_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return std::generic_category().message(error);
}

std::string mode_text(mode_t mode) {
  std::string text = "0";
  for (int shift = 9; shift >= 0; shift -= 3)
    text += static_cast<char>('0' + ((mode >> shift) & 7u));
  return text;
}

/// True if the group is the private group of the owner: nobody else is in it. Root's group counts
/// as one.
bool is_private_group(uid_t owner, gid_t group) {
  if (group == 0) return true;
  std::array<char, 16384> memory;
  passwd user{};
  passwd* found_user = nullptr;
  if (::getpwuid_r(owner, &user, memory.data(), memory.size(), &found_user) != 0 ||
      found_user == nullptr)
    return false;
  if (user.pw_gid != group) return false;
  const std::string name = user.pw_name;
  ::group entry{};
  ::group* found_group = nullptr;
  if (::getgrgid_r(group, &entry, memory.data(), memory.size(), &found_group) != 0 ||
      found_group == nullptr)
    return false;
  if (name != entry.gr_name) return false;
  for (char** member = entry.gr_mem; member != nullptr && *member != nullptr; ++member)
    if (name != *member) return false;
  return true;
}

/// Why others than the owner could change it, or empty.
std::string writable_by(const struct stat& info) {
  if ((info.st_mode & S_IWOTH) != 0)
    return "it is writable by all users (mode " + mode_text(info.st_mode) + ")";
  if ((info.st_mode & S_IWGRP) != 0 && !is_private_group(info.st_uid, info.st_gid))
    return "it is writable by group " + std::to_string(info.st_gid) + " (mode " +
           mode_text(info.st_mode) + ")";
  return {};
}

std::string untrusted(uid_t owner) {
  const std::string id = std::to_string(owner);
  return "user " + id + ", who is not trusted; add " + id +
         " to policy.trusted_owners if you trust this user";
}

bool is_inside(const fs::path& directory, const fs::path& file) {
  return std::mismatch(directory.begin(), directory.end(), file.begin(), file.end()).first ==
         directory.end();
}

}  // namespace

FileHandle::~FileHandle() {
  if (fd_ >= 0) ::close(fd_);
}

PathTrust::PathTrust(std::vector<std::uint32_t> trusted_owners)
    : owners_(std::move(trusted_owners)) {
  owners_.push_back(0);
  owners_.push_back(::geteuid());
}

bool PathTrust::trusts(std::uint32_t owner) const noexcept {
  return std::find(owners_.begin(), owners_.end(), owner) != owners_.end();
}

std::string PathTrust::directory_problem(const fs::path& directory) const {
  fs::path at;
  for (const auto& part : directory) {
    at /= part;
    struct stat info {};
    if (::lstat(at.c_str(), &info) != 0) return at.string() + ": " + reason(errno);
    if (!S_ISDIR(info.st_mode)) return at.string() + " is not a directory";
    if (!trusts(info.st_uid)) return at.string() + " belongs to " + untrusted(info.st_uid);
    if ((info.st_mode & S_ISVTX) != 0) continue;
    // A directory of root's with a group that may write is how administrators share /usr/local;
    // they chose the group.
    if (info.st_uid == 0 && (info.st_mode & S_IWOTH) == 0) continue;
    if (const auto why = writable_by(info); !why.empty()) return at.string() + ": " + why;
  }
  return {};
}

FileHandle PathTrust::open(const fs::path& directory, const std::string& name, fs::path& path,
                           std::string& problem) const {
  // Not to wait for the other end of a pipe; O_NOFOLLOW because what is canonical is not a link.
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  path = directory / name;
  FileHandle file;
  const bool is_plain = name.find('/') == std::string::npos;
  if (is_plain) file = FileHandle(::open(path.c_str(), flags));
  if (!is_plain || (!file.is_open() && errno == ELOOP)) {
    std::error_code error;
    const fs::path resolved = posix::canonical(path, error);
    if (error) {
      problem = error.message();
      return {};
    }
    if (!is_inside(directory, resolved)) {
      problem = "it is a symbolic link to " + resolved.string() + ", outside of the directory";
      return {};
    }
    path = resolved;
    if (resolved.parent_path() != directory) {
      problem = directory_problem(resolved.parent_path());
      if (!problem.empty()) return {};
    }
    file = FileHandle(::open(resolved.c_str(), flags));
  }
  if (!file.is_open()) {
    problem = reason(errno) + (errno == ENOENT ? ": build or install it" : "");
    return {};
  }
  struct stat info {};
  problem = ::fstat(file.get(), &info) != 0 ? reason(errno) : file_problem(info);
  return problem.empty() ? std::move(file) : FileHandle();
}

std::string PathTrust::file_problem(const struct stat& status) const {
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (!trusts(status.st_uid)) return "it belongs to " + untrusted(status.st_uid);
  return writable_by(status);
}

std::vector<std::uint32_t> untrusted_owners(const Policy& policy, const fs::path& path) {
  const PathTrust trust(policy.trusted_owners);
  std::vector<std::uint32_t> all;
  std::error_code missing;
  const fs::path canonical = posix::canonical(path, missing);
  fs::path at;
  for (const auto& part : canonical) {
    at /= part;
    struct stat info {};
    if (::lstat(at.c_str(), &info) == 0 && !trust.trusts(info.st_uid)) all.push_back(info.st_uid);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<std::string> names_in(const fs::path& directory, std::string& problem) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()),
                                                   [](DIR* d) { return ::closedir(d); });
  std::vector<std::string> names;
  while (stream != nullptr) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno == ENOMEM) throw std::bad_alloc();
  if (errno != 0) problem = reason(errno);
  std::ranges::sort(names);
  return names;
}

}  // namespace polycodec
