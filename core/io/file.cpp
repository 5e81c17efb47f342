// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/atomic_file.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/io/posix_file.hpp"
#include "core/io/sink.hpp"
#include "core/io/temporary.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace polycodec {

namespace {

#ifdef IOV_MAX
constexpr std::size_t batch_size = IOV_MAX;
#else
constexpr std::size_t batch_size = 16;  // what POSIX guarantees
#endif

/// A file without a name in `directory`, where the file system and /proc allow to name it later.
posix::Descriptor open_unnamed(const std::filesystem::path& directory) {
  posix::Descriptor file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  return file && posix::can_name(file.get()) ? std::move(file) : posix::Descriptor();
}

/// Gives an open file without a name this one. Returns an errno, or 0.
int link_unnamed(int fd, const char* name) {
  // The kernel names a descriptor in a third of the time, but old ones for few processes alone.
  if (::linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0) return 0;
  if (errno != ENOENT && errno != EPERM) return errno;
  const auto from = posix::name_in_proc(fd);
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
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
        if (errno == EFAULT)
          throw Error(Status::io, "cannot write to " + quote_path(name) +
                                      ": an input was cut short while it was read; try again");
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

AtomicFile::AtomicFile(const std::string& name, const WriteOptions& options, bool may_be_unnamed)
    : place_(name, options.root), options_(options) {
  const std::filesystem::path path(name);
  if (path.empty()) throw Error(Status::io, "cannot write to a file without a name");
  struct stat status;
  const bool exists = place_.examine(status);
  if (exists && S_ISDIR(status.st_mode)) posix::throw_errno("write", name, EISDIR);
  if (!path.has_filename()) posix::throw_errno("write", name, EISDIR);
  if (exists && !options.overwrite) posix::throw_errno("write", name, EEXIST);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd_ < 0) posix::throw_errno("open", name);
    return;
  }
  if (exists) place_.resolve();
  is_direct_ = false;
  is_new_ = !exists;
  posix::Descriptor file;
  if (may_be_unnamed) file = open_unnamed(posix::directory_of(place_.path()));
  // A writer of a new file has no temporary name here, so none is left by a dead one.
  if (exists || !file) posix::remove_left_over(place_.path());
  if (!file) file = posix::make_temporary(place_, false, temporary_);
  fd_ = file.release();
  // A file that cannot take the old one's bits (another owner's, an odd file system) keeps the
  // usual ones.
  if (exists) static_cast<void>(::fchmod(fd_, status.st_mode & 0777));
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

void AtomicFile::write(std::span<const Segment> segments) {
  start_writeback();
  write_descriptor(fd_, segments, place_.name());
  for (const Segment& segment : segments) written_ += segment.size;
}

void AtomicFile::seek(std::uint64_t offset) {
  start_writeback();
  if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0)
    posix::throw_errno("write", place_.name());
  written_ = started_ = offset;
}

void AtomicFile::start_writeback() noexcept {
#if defined(__linux__)
  constexpr std::uint64_t least = std::uint64_t{4} << 20;
  if (is_direct_ || (is_new_ && !options_.sync) || written_ - started_ < least) return;
  static_cast<void>(::sync_file_range(fd_, static_cast<off64_t>(started_),
                                      static_cast<off64_t>(written_ - started_),
                                      SYNC_FILE_RANGE_WRITE));
  started_ = written_;
#endif
}

void AtomicFile::commit() {
  posix::check_mappings();
  if (options_.check && !is_direct_)
    options_.check(temporary_.empty() ? posix::name_in_proc(fd_).native() : temporary_);
  if (options_.sync && !is_direct_ && ::fsync(fd_) != 0) posix::throw_errno("flush", place_.name());
  // Some file systems report a full disk only when a descriptor is closed.
  if (const int copy = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
      copy >= 0 && ::close(copy) != 0 && errno != EINTR)
    posix::throw_errno("close", place_.name());
  if (!is_direct_) put_in_place();
  // With it goes the lock, which held as long as the file had a temporary name.
  if (temporary_.empty()) ::close(std::exchange(fd_, -1));
  if (options_.sync && !is_direct_)
    posix::sync_directory(posix::directory_of(place_.path()), place_.name());
}

void AtomicFile::put_in_place() {
  const bool is_named = !temporary_.empty();
  const auto link_as = [&](const char* name) {
    if (!is_named) return link_unnamed(fd_, name);
    return ::linkat(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name, 0) == 0 ? 0 : errno;
  };
  // A link, unlike a rename, fails if somebody has made the target meanwhile. Where nobody has, it
  // is one change of the directory instead of two: writers of one directory wait for each other.
  if (!options_.overwrite || (is_new_ && !is_named)) {
    const int error = link_as(place_.path().c_str());
    if (error == 0) return;  // the destructor removes the temporary name
    if (!options_.overwrite || error != EEXIST) posix::throw_errno("create", place_.name(), error);
  }
  if (!is_named) {
    static_cast<void>(posix::lock_temporary(fd_));  // nobody else can open it yet
    temporary_ = posix::claim_name(place_, link_as);
  }
  if (::rename(temporary_.c_str(), place_.path().c_str()) != 0)
    posix::throw_errno("replace", place_.name());
  temporary_.clear();
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
