// SPDX-License-Identifier: MIT
// Named blobs in a group of an HDF5 file.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/source.hpp>
#include <polycodec/store.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace polycodec {

/// True if this build reads and writes HDF5 (POLYCODEC_WITH_HDF5). Without it, all else here throws
/// Status::unsupported.
POLYCODEC_API bool has_hdf5() noexcept;

/// The datasets below a group of an HDF5 file, deeper groups included, as blobs: the elements in C order and in the
/// byte order of the file. Read-only. Only what stands in the file itself is read: soft and external links, external
/// and virtual storage are refused, as are datasets of variable-length, reference or compound type and those with
/// filters that are not built into HDF5 (no filter plugin is ever loaded). What is refused is not listed, and reading
/// it by name throws Status::denied or Status::unsupported with the reason. Calls into the HDF5 library are
/// serialised process-wide. The library itself is not hardened against hostile files: see docs/stores.md.
class POLYCODEC_API Hdf5Store final : public Store {
 public:
  /// Opens an HDF5 file in memory. The bytes are copied for the library.
  explicit Hdf5Store(const Source& file, const std::string& group = "/", const Limits& limits = {},
                     std::uint64_t max_entries = 1u << 16);
  /// Opens an HDF5 file on the disk and keeps it open. Throws Status::io or Status::malformed.
  explicit Hdf5Store(const std::filesystem::path& file, const std::string& group = "/", const Limits& limits = {},
                     std::uint64_t max_entries = 1u << 16);
  ~Hdf5Store() override;

  /// True if `bytes` start as an HDF5 file does.
  static bool looks_like_hdf5(std::string_view bytes) noexcept;

 private:
  struct File;
  void list(const std::string& group, std::uint64_t max_entries);
  std::string_view do_read(std::size_t index) override;
  std::string_view do_read_unlisted(std::string_view name) override;
  std::unique_ptr<File> file_;
};

}  // namespace polycodec
