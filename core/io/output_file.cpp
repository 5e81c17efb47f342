// SPDX-License-Identifier: MIT
#include "core/io/output_file.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/posix_file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

namespace polycodec {

struct OutputFile::Thunks {
  static int descriptor(const void* private_data) noexcept {
    return static_cast<const OutputFile*>(private_data)->file_.descriptor();
  }
  [[noreturn]] static void fail(const char* what) {
    throw Error(Status::io, std::string("cannot ") + what +
                                " the file: " + std::generic_category().message(errno));
  }
  static std::int32_t size(const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                           polycodec_error* error) {
    return guard(error, [&] {
      struct stat status {};
      if (::fstat(descriptor(self->private_data), &status) != 0) fail("examine");
      *size = static_cast<std::uint64_t>(status.st_size);
    });
  }
  static std::int32_t read_at(const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                              void* buffer, std::uint64_t size, std::uint64_t* got,
                              polycodec_error* error) {
    return guard(error, [&] {
      *got = 0;
      while (*got < size) {
        const ssize_t n =
            ::pread(descriptor(self->private_data), static_cast<char*>(buffer) + *got,
                    static_cast<std::size_t>(size - *got), static_cast<off_t>(offset + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("read");
        if (n == 0) break;
        *got += static_cast<std::uint64_t>(n);
      }
    });
  }
  static std::int32_t view(const polycodec_file* self, polycodec_call* call, std::uint64_t offset,
                           std::uint64_t size, polycodec_bytes* bytes, polycodec_error* error) {
    std::uint64_t all = 0;
    if (const auto code = self->size(self, call, &all, error); code != POLYCODEC_OK) return code;
    size = std::min(size, all - std::min(all, offset));
    void* memory = polycodec_arena_alloc(call->arena, size, 16, error);
    if (memory == nullptr) return error->code;
    bytes->data = memory;
    return self->read_at(self, call, offset, memory, size, &bytes->size, error);
  }
  static std::int32_t write_at(polycodec_output_file* self, polycodec_call*, std::uint64_t offset,
                               const void* data, std::uint64_t size, polycodec_error* error) {
    return guard(error, [&] {
      for (std::uint64_t done = 0; done < size;) {
        const ssize_t n =
            ::pwrite(descriptor(self->private_data), static_cast<const char*>(data) + done,
                     static_cast<std::size_t>(size - done), static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("write");
        done += static_cast<std::uint64_t>(n);
      }
    });
  }
  static std::int32_t truncate(polycodec_output_file* self, polycodec_call*, std::uint64_t size,
                               polycodec_error* error) {
    return guard(error, [&] {
      if (::ftruncate(descriptor(self->private_data), static_cast<off_t>(size)) != 0) fail("cut");
    });
  }
};

OutputFile::OutputFile(const std::filesystem::path& path, const WriteOptions& options, bool copy)
    : file_(path, options) {
  if (!file_.is_seekable())
    throw Error(Status::io, "cannot write a store to " + quote_path(path.native()) +
                                ": it is not a regular file; name one");
  read_.struct_size = sizeof read_;
  read_.flags = POLYCODEC_FILE_STABLE;
  read_.descriptor = -1;
  read_.private_data = this;
  read_.size = &Thunks::size;
  read_.read_at = &Thunks::read_at;
  read_.view = &Thunks::view;
  read_.release = [](const polycodec_file*) {};
  abi_.struct_size = sizeof abi_;
  abi_.file = &read_;
  abi_.private_data = this;
  abi_.write_at = &Thunks::write_at;
  abi_.truncate = &Thunks::truncate;
  abi_.sync = [](polycodec_output_file*, polycodec_call*, polycodec_error*) {
    return std::int32_t{POLYCODEC_OK};  // commit() does it where it is wanted
  };
  if (copy) copy_from(path);
}

/// Shares the blocks of the file where the file system can do that.
void OutputFile::copy_from(const std::filesystem::path& path) {
  const posix::Descriptor from(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from) posix::throw_errno("open", path.native());
  if (::ioctl(file_.descriptor(), FICLONE, from.get()) == 0) return;
  for (;;) {
    const ssize_t n = ::copy_file_range(from.get(), nullptr, file_.descriptor(), nullptr,
                                        std::size_t{1} << 30, 0);
    if (n == 0) return;
    if (n < 0 && errno != EINTR) break;
  }
  if (::lseek(from.get(), 0, SEEK_SET) != 0 || ::ftruncate(file_.descriptor(), 0) != 0 ||
      ::lseek(file_.descriptor(), 0, SEEK_SET) != 0)
    posix::throw_errno("copy", path.native());
  const auto content = posix::load(from.get(), path.native(), Limits{}, FileAccess::map);
  const Segment segment{content->bytes().data(), content->bytes().size()};
  file_.write({&segment, 1});
}

}  // namespace polycodec
