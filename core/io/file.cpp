// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/error.hpp>
#include <polycodec/sink.hpp>

#include "core/io/atomic_file.hpp"
#include "core/io/posix_file.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace polycodec {

namespace {

#ifdef IOV_MAX
constexpr std::size_t batch_size = IOV_MAX;
#else
constexpr std::size_t batch_size = 16;  // what POSIX guarantees
#endif

int open_temporary(const std::filesystem::path& directory, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = posix::temporary_name(directory).native();
    const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) return fd;
    if (errno != EEXIST && errno != EINTR) break;
  }
  const int error = errno;
  name.clear();
  posix::throw_errno("create a file in", directory.native(), error);
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  auto directory = path.parent_path();
  return directory.empty() ? std::filesystem::path(".") : directory;
}

}  // namespace

void write_descriptor(int fd, std::span<const Segment> segments, std::string_view name) {
  std::array<iovec, std::min<std::size_t>(batch_size, 1024)> batch;
  std::size_t next = 0;    // first segment that is not written whole
  std::size_t offset = 0;  // bytes of it that are written
  while (next < segments.size()) {
    std::size_t count = 0;
    std::size_t total = 0;
    for (std::size_t i = next; i < segments.size() && count < batch.size(); ++i) {
      const std::size_t skip = i == next ? offset : 0;
      // One call writes at most 2 GiB; a sum beyond SSIZE_MAX would even be an error.
      const std::size_t size = std::min(segments[i].size - skip, (std::size_t{1} << 30) - total);
      if (size != 0) {
        auto* at = static_cast<std::uint8_t*>(const_cast<void*>(segments[i].data)) + skip;
        batch[count++] = {at, size};
      }
      total += size;
      if (size != segments[i].size - skip) break;
    }
    std::size_t written = 0;
    if (count != 0) {
      const ssize_t done = ::writev(fd, batch.data(), static_cast<int>(count));
      if (done < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
          pollfd ready{fd, POLLOUT, 0};
          if (::poll(&ready, 1, -1) < 0 && errno != EINTR) posix::throw_errno("wait for", name);
          continue;
        }
        posix::throw_errno("write to", name);
      }
      written = static_cast<std::size_t>(done);
      if (written == 0)
        throw Error(Status::io, "cannot write to " + quote_path(name) + ": nothing was taken");
    }
    while (next < segments.size() && written >= segments[next].size - offset) {
      written -= segments[next].size - offset;
      offset = 0;
      ++next;
    }
    offset += written;
  }
}

AtomicFile::AtomicFile(const std::string& name, const WriteOptions& options)
    : target_(name), options_(options) {
  const std::filesystem::path path(name);
  if (path.empty()) throw Error(Status::io, "cannot write to a file without a name");
  struct stat status;
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) posix::throw_errno("write", path.native());
  if (exists && S_ISDIR(status.st_mode)) posix::throw_errno("write", path.native(), EISDIR);
  if (!path.has_filename()) posix::throw_errno("write", path.native(), EISDIR);
  if (exists && !options.overwrite) posix::throw_errno("write", path.native(), EEXIST);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd_ < 0) posix::throw_errno("open", path.native());
    return;
  }
  if (exists) {
    std::error_code failure;
    target_ = std::filesystem::canonical(path, failure).native();
    if (failure) posix::throw_errno("resolve", path.native(), failure.value());
  }
  fd_ = open_temporary(directory_of(target_), temporary_);
  // A file that cannot take the old one's bits (another owner's, an odd file system) keeps the
  // usual ones.
  if (exists) static_cast<void>(::fchmod(fd_, status.st_mode & 0777));
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const Segment> segments) {
  write_descriptor(fd_, segments, target_);
}

void AtomicFile::commit() {
  if (temporary_.empty()) {
    const int fd = fd_;
    fd_ = -1;
    if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) posix::throw_errno("close", target_);
    return;
  }
  if (options_.sync && ::fsync(fd_) != 0) posix::throw_errno("flush", target_);
  const int fd = fd_;
  fd_ = -1;
  // Some file systems report a full disk only here.
  if (::close(fd) != 0 && errno != EINTR) posix::throw_errno("close", target_);
  if (options_.overwrite) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) posix::throw_errno("replace", target_);
    temporary_.clear();
  } else {
    // A link, unlike a rename, fails if somebody has made the target meanwhile; the destructor
    // drops the other name.
    if (::link(temporary_.c_str(), target_.c_str()) != 0) posix::throw_errno("create", target_);
  }
  if (options_.sync) {
    const posix::Descriptor directory(
        ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory || ::fsync(directory.get()) != 0)
      posix::throw_errno("flush the directory of", target_);
  }
}

void write_file(const std::string& path, std::span<const Segment> segments,
                const WriteOptions& options) {
  AtomicFile file(path, options);
  file.write(segments);
  file.commit();
}

void write_file(const std::string& path, std::string_view bytes, const WriteOptions& options) {
  const Segment segment{bytes.data(), bytes.size()};
  write_file(path, std::span(&segment, 1), options);
}

}  // namespace polycodec
