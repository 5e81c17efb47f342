// SPDX-License-Identifier: MIT
// HDF5 over a file of the host: a virtual file driver, so that the library opens no path.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/error.hpp>

#include "library.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::hdf5 {

/// What the driver reads and writes. It outlives the HDF5 file that is open over it. Used under a
/// Lock only.
class HostFile {
 public:
  /// `output`: NULL for a file that is only read.
  explicit HostFile(const polycodec_file* file, polycodec_output_file* output = nullptr) noexcept
      : file_(file), output_(output) {}
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;

  std::uint64_t size() const noexcept { return size_; }
  /// Asks the host for the size. Throws what the host reports.
  void find_size(const Call& call);
  /// Each of these returns false if the host refuses, and keeps the reason for throw_failure().
  /// Outside of a Session read() fails, and what is written is dropped. So it is after a failure.
  bool read(std::uint64_t offset, void* buffer, std::uint64_t size) noexcept;
  bool write(std::uint64_t offset, const void* data, std::uint64_t size) noexcept;
  bool truncate(std::uint64_t size) noexcept;
  /// Throws what the host reported if anything could not be written, in this Session or before.
  void check_written() const;

  /// The bytes in place, within size(). In a Session. Throws what the host reports.
  std::string_view view(std::uint64_t offset, std::uint64_t size) const;

  /// Throws what the host reported, if it did; otherwise `error`.
  [[noreturn]] void throw_failure(Error error);

 private:
  friend class Session;
  bool read_part(std::uint64_t offset, char* to, std::uint64_t size);

  const polycodec_file* file_;
  polycodec_output_file* output_;
  polycodec_call* call_ = nullptr;
  std::uint64_t size_ = 0;
  std::optional<Error> failure_, write_failure_;
  // Read ahead: most reads of the library are of a few bytes, and the host may be another process.
  std::unique_ptr<char[]> block_;
  std::uint64_t block_at_ = 0, block_size_ = 0;
};

/// A Lock during which a call may use `file`.
class Session {
 public:
  Session(HostFile& file, const Call& call) : file_(file) {
    file_.call_ = call.raw();
    file_.failure_.reset();
  }
  ~Session() { file_.call_ = nullptr; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Lock lock_;
  HostFile& file_;
};

/// Opens the HDF5 file in `file` (in a Session). `flags`: H5F_ACC_*. No handle: the library
/// refuses it.
Handle open_file(HostFile& file, unsigned flags, std::string& reason);

}  // namespace polycodec::hdf5
