// SPDX-License-Identifier: MIT
// Where encoders write named blobs: memory, a folder, a ZIP archive, an HDF5 file.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/file.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/store.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace polycodec {

/// A sink of named blobs. Each blob goes to the container when the next one begins or finish() is called; memory that
/// the encoder references must live until finish(). What stands on the disk is complete, or is not there: without
/// finish(), nothing remains. For one thread.
class POLYCODEC_API BlobSink : public Sink {
 public:
  ~BlobSink() override;
  /// Writes the last blob and puts the container in place. To be called once, after encoding. Throws Status::io.
  void finish();

 protected:
  explicit BlobSink(std::uint64_t max_bytes);
  /// Takes a blob; the segments are valid during the call.
  virtual void do_blob(const std::string& name, std::span<const Segment> segments) = 0;
  virtual void do_finish() {}
  /// Drops all blobs taken so far. Throws nothing.
  virtual void do_drop() noexcept {}

 private:
  void do_grow(std::uint64_t need) final;
  void do_reference(const void* data, std::uint64_t size) final;
  void do_begin_blob(std::string_view name) final;
  void do_reset() noexcept final;
  void close_window();
  void end_blob();

  struct Block {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t next_block_ = 0;
  std::vector<Segment> segments_;
  std::unordered_set<std::string> names_;
  std::string name_;  // of the blob that is being written
  bool open_ = false;
};

/// Blobs in memory, in the order in which they were begun.
class POLYCODEC_API MemoryBlobs final : public BlobSink {
 public:
  explicit MemoryBlobs(std::uint64_t max_bytes = UINT64_MAX);
  ~MemoryBlobs() override;
  /// Name and content of each blob; complete after finish().
  const std::vector<std::pair<std::string, std::string>>& blobs() const noexcept { return blobs_; }
  /// The blobs as a store to decode from.
  std::shared_ptr<MemoryStore> to_store() const { return std::make_shared<MemoryStore>(blobs_); }

 private:
  void do_blob(const std::string& name, std::span<const Segment> segments) override;
  void do_drop() noexcept override { blobs_.clear(); }
  std::vector<std::pair<std::string, std::string>> blobs_;
};

/// A folder with one file for each blob, and deeper folders for names with '/'. All files are written to a temporary
/// folder beside it, which takes its name at finish(). If the folder exists already, the files are moved into it one
/// by one; other files in it stay, and an existing file is replaced or, without options.overwrite, an error
/// (Status::io) before anything is moved. Symbolic links below the folder are not followed.
class POLYCODEC_API FolderSink final : public BlobSink {
 public:
  /// Throws Status::io if the folder above is missing or not writable, or `path` is no folder.
  explicit FolderSink(const std::filesystem::path& path, const WriteOptions& options = {},
                      std::uint64_t max_bytes = UINT64_MAX);
  ~FolderSink() override;

 private:
  void do_blob(const std::string& name, std::span<const Segment> segments) override;
  void do_finish() override;
  void do_drop() noexcept override;
  void make_temporary();
  void merge();
  std::filesystem::path path_, temporary_;
  WriteOptions options_;
  std::vector<std::string> files_;
};

/// A ZIP archive of stored members, whose content a reader can view in place. The same blobs always give the same
/// bytes: times are fixed.
class POLYCODEC_API ZipSink final : public BlobSink {
 public:
  explicit ZipSink(const std::filesystem::path& path, const WriteOptions& options = {},
                   std::uint64_t max_bytes = UINT64_MAX);
  ~ZipSink() override;

 private:
  struct Archive;
  void do_blob(const std::string& name, std::span<const Segment> segments) override;
  void do_finish() override;
  void do_drop() noexcept override;
  std::filesystem::path path_;
  WriteOptions options_;
  std::unique_ptr<Archive> archive_;
};

/// An HDF5 file with one 1-d dataset of bytes for each blob, and groups for names with '/'. Throws
/// Status::unsupported in a build without HDF5.
class POLYCODEC_API Hdf5Sink final : public BlobSink {
 public:
  explicit Hdf5Sink(const std::filesystem::path& path, const WriteOptions& options = {},
                    std::uint64_t max_bytes = UINT64_MAX);
  ~Hdf5Sink() override;

 private:
  struct File;
  void do_blob(const std::string& name, std::span<const Segment> segments) override;
  void do_finish() override;
  void do_drop() noexcept override;
  std::filesystem::path path_;
  WriteOptions options_;
  std::unique_ptr<File> file_;
};

/// What holds named blobs on a disk.
enum class Container : std::uint8_t { zip, folder, hdf5 };

/// The word for it that codecs know: "zip", "folder" or "hdf5".
POLYCODEC_API std::string_view container_name(Container container) noexcept;

/// What is there at `path`, or, if nothing is, what its name says: HDF5 for .h5, .hdf5 and .he5, a folder for a name
/// that ends with '/' or has no extension, otherwise a ZIP archive.
POLYCODEC_API Container container_at(const std::filesystem::path& path);

/// The sink that writes such a container to `path`. Throws as its constructor does.
POLYCODEC_API std::unique_ptr<BlobSink> make_blob_sink(Container container, const std::filesystem::path& path,
                                                       const WriteOptions& options = {},
                                                       std::uint64_t max_bytes = UINT64_MAX);

}  // namespace polycodec
