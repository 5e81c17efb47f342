// SPDX-License-Identifier: MIT
#include "core/io/place.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <fcntl.h>

#include <cerrno>
#include <system_error>

namespace polycodec::posix {

namespace {

constexpr int directory_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(Status::denied, quote_path(name) + " is " + what +
                                  ", and outputs below a directory are not written over one: "
                                  "remove it, or choose another directory");
}

/// Opens the directory `part`, or makes it. `name` is that of the output, for messages.
Descriptor open_part(const Descriptor& above, const std::filesystem::path& part,
                     const std::string& name) {
  if (part.empty() || part == "..")
    throw Error(Status::invalid, quote_path(name) + " is not below the directory of the outputs");
  if (::mkdirat(above.get(), part.c_str(), 0777) != 0 && errno != EEXIST)
    throw_errno("create the directory of", name);
  Descriptor below(::openat(above.get(), part.c_str(), directory_flags | O_NOFOLLOW));
  if (below) return below;
  if (errno == ELOOP || errno == ENOTDIR)
    refuse(name, "below " + quote_path(part.native()) + ", a symbolic link or a file");
  throw_errno("open the directory of", name);
}

}  // namespace

Place::Place(const std::filesystem::path& path, const std::string& root)
    : path_(path), name_(path.native()) {
  if (root.empty()) return;
  directory_ = Descriptor(::open(root.c_str(), directory_flags));
  if (!directory_) throw_errno("open", root);
  const std::filesystem::path below = path.lexically_relative(root);
  const std::filesystem::path leaf = below.filename();
  if (leaf.empty() || leaf == "." || leaf == ".." || path.is_absolute() != (root.front() == '/'))
    throw Error(Status::invalid, quote_path(name_) + " is not below " + quote_path(root));
  for (const std::filesystem::path& part : below.parent_path())
    directory_ = open_part(directory_, part, name_);
  if (!can_name(directory_.get()))
    throw Error(Status::io, "cannot write " + quote_path(name_) +
                                ": without /proc the system cannot name files by descriptors");
  path_ = name_in_proc(directory_.get()) / leaf;
}

bool Place::examine(struct stat& status) const {
  if ((has_root() ? ::lstat(path_.c_str(), &status) : ::stat(path_.c_str(), &status)) != 0) {
    if (errno != ENOENT) throw_errno("write", name_);
    return false;
  }
  if (!has_root()) return true;
  if (S_ISLNK(status.st_mode)) refuse(name_, "a symbolic link");
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) refuse(name_, "a pipe or a device");
  return true;
}

void Place::resolve() {
  if (has_root()) return;
  std::error_code failure;
  path_ = posix::canonical(path_, failure);
  if (failure) throw_errno("resolve", name_, failure.value());
}

}  // namespace polycodec::posix
