// SPDX-License-Identifier: MIT
// Where encoders write: segments ready for writev, one contiguous buffer, named blobs, files.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>
#include <polycodec/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

class Arena;
class Regions;

/// Host side of polycodec_sink: counts, limits and adopts; what is done with the bytes is the
/// derived class's. For one thread; not movable (plugins hold its address).
class POLYCODEC_API Sink {
 public:
  /// `flags`: POLYCODEC_SINK_*.
  explicit Sink(std::uint64_t max_bytes, std::uint32_t flags = 0) noexcept;
  virtual ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// What is handed to plugins and writers; valid as long as the sink.
  polycodec_sink* abi() noexcept { return &abi_; }
  /// Bytes written so far.
  std::uint64_t size() const noexcept;
  /// Drops what was written and releases what was adopted; keeps memory for the next encode.
  void reset(std::uint64_t max_bytes) noexcept;
  void reset() noexcept { reset(max_bytes_); }
  /// The most bytes that the sink takes.
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  /// Changes that; what was written stays. `option`: a literal that names what raises the bound.
  void set_max_bytes(std::uint64_t max_bytes, const char* option = "max_output_bytes") noexcept {
    max_bytes_ = max_bytes;
    option_ = option;
  }
  /// Memory for encoders that lives until reset().
  Arena& scratch();
  /// While this is not null: memory that is referenced must lie there or have been adopted, else
  /// reference() fails with Status::plugin.
  void set_regions(const Regions* regions) noexcept { regions_ = regions; }

 protected:
  /// Gives a window [abi().cursor, abi().limit) of at least `need` bytes, after taking over the
  /// bytes written so far.
  virtual void do_grow(std::uint64_t need) = 0;
  virtual void do_reference(const void* data, std::uint64_t size) = 0;
  virtual void do_expect(std::uint64_t size);
  virtual void do_reset() noexcept = 0;
  /// Sets the window that the encoder writes to.
  void set_window(std::uint8_t* begin, std::uint8_t* end) noexcept;
  /// The bytes that were written to the current window.
  std::span<const std::uint8_t> written() const noexcept { return {window_, abi_.cursor}; }
  /// The window is now [begin, end) with the bytes up to `cursor` written already; nothing before
  /// `begin` counts.
  void move_window(std::uint8_t* begin, std::uint8_t* cursor, std::uint8_t* end) noexcept;
  /// Counts bytes that were written past the window.
  void add_before(std::uint64_t bytes) noexcept { before_window_ += bytes; }
  void release_adopted() noexcept;

  polycodec_sink abi_;

 private:
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  struct Thunks;
  void check_total(std::uint64_t more) const;
  void check_region(const void* data, std::uint64_t size) const;

  std::uint8_t* window_ = nullptr;
  std::uint64_t before_window_ = 0;  // bytes that were written before the current window
  std::uint64_t max_bytes_;
  const char* option_ = "max_output_bytes";
  const Regions* regions_ = nullptr;
  std::unique_ptr<Arena> scratch_;
  std::vector<Adopted> adopted_;
  std::vector<std::string_view> extents_;  // of what was adopted
};

/// One piece of encoded output, either memory of the sink or memory of the value that was encoded.
struct Segment {
  const void* data;
  std::size_t size;
};

/// Collects segments. Large arrays are referenced, not copied: keep the value alive until the
/// segments are written.
class POLYCODEC_API SegmentSink final : public Sink {
 public:
  explicit SegmentSink(std::uint64_t max_bytes = UINT64_MAX) noexcept;
  ~SegmentSink() override;

  /// The output in order; valid until reset() or destruction. The layout of Segment is that of
  /// `struct iovec`.
  std::span<const Segment> segments();
  /// All segments, copied into one string.
  std::string to_string();

 private:
  void do_grow(std::uint64_t need) override;
  void do_reference(const void* data, std::uint64_t size) override;
  void do_reset() noexcept override;
  void close_window();

  struct Block {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t next_block_ = 0;
  std::vector<Segment> segments_;
};

/// Writes into one contiguous buffer that grows; reset() keeps it, so that encoding again touches
/// no fresh memory.
class POLYCODEC_API BufferSink final : public Sink {
 public:
  explicit BufferSink(std::uint64_t max_bytes = UINT64_MAX) noexcept;
  ~BufferSink() override;

  /// The output; valid until the next write, reset() or destruction.
  std::string_view view() const noexcept;

 private:
  void do_grow(std::uint64_t need) override;
  void do_reference(const void* data, std::uint64_t size) override;
  void do_expect(std::uint64_t size) override;
  void do_reset() noexcept override;
  void reserve(std::uint64_t total);

  std::uint8_t* data_ = nullptr;
  std::uint64_t capacity_ = 0;
};

/// How a file is replaced.
struct WriteOptions {
  bool overwrite = true;  ///< false: an existing file is an error (Status::io)
  bool sync = false;      ///< true: wait until the content and the name are on the disk (fsync)
};

/// Writes `segments` as the whole content of the file `path`, or leaves what was there: a temporary
/// file takes its name. A file that exists keeps its permissions, a symbolic link stays one, and a
/// pipe or device is written to directly. Throws Status::io with the reason of the system.
POLYCODEC_API void write_file(const std::string& path, std::span<const Segment> segments,
                              const WriteOptions& options = {});
/// Likewise with bytes in one piece.
POLYCODEC_API void write_file(const std::string& path, std::string_view bytes,
                              const WriteOptions& options = {});

/// Writes `segments` to an open descriptor, such as standard output (1), as many at a time as the
/// system takes. Waits where a non-blocking descriptor is not ready. `name` is for messages. A
/// reader that has gone away is an error only if the program ignores SIGPIPE.
POLYCODEC_API void write_descriptor(int fd, std::span<const Segment> segments,
                                    std::string_view name);

/// Host side of polycodec_store_writer: a new store of named blobs, or a change of one. Each blob
/// goes to the container when the next one begins or finish() is called; memory that the encoder
/// references must live until finish(). What is on the disk is complete, or as it was: without
/// finish(), nothing remains. For one thread.
class POLYCODEC_API BlobSink {
 public:
  virtual ~BlobSink();
  BlobSink(const BlobSink&) = delete;
  BlobSink& operator=(const BlobSink&) = delete;

  /// What is handed to plugins; valid as long as the sink. Its release() does nothing.
  polycodec_store_writer* abi() noexcept { return &abi_; }
  /// Bytes written so far, over all blobs.
  std::uint64_t size() const noexcept { return before_ + sink_.size(); }
  /// The most bytes that the sink takes, over all blobs.
  std::uint64_t max_bytes() const noexcept { return max_bytes_; }
  void set_max_bytes(std::uint64_t max_bytes) noexcept;
  void set_regions(const Regions* regions) noexcept { sink_.set_regions(regions); }
  /// Memory for encoders that lives until reset() or destruction.
  Arena& scratch() noexcept { return *scratch_; }

  /// What the store holds before the change; null for a new one.
  const std::shared_ptr<BlobStore>& base() const noexcept { return base_; }
  /// Starts a blob of the named value `owner` (or of none); write it to what is returned, until the
  /// next begin_blob() or finish(). Throws Status::denied for an unsafe name, Status::invalid if it
  /// is taken, Status::io.
  Sink& begin_blob(std::string_view name, std::string_view owner = {});
  /// Removes a blob of the store that is changed; its name is free again. Throws Status::not_found,
  /// and Status::denied if the store marks it as that of another owner.
  void remove(std::string_view name, std::string_view owner = {});
  /// Writes the last blob and puts the container in place. To be called once, after encoding.
  /// Throws Status::io.
  void finish();
  /// Drops what was written.
  void reset() noexcept;

 protected:
  /// `base`: what the store holds before the change, or null for a new one.
  explicit BlobSink(std::uint64_t max_bytes, std::shared_ptr<BlobStore> base = nullptr);
  /// Hands what stays of `base` to do_blob(): for containers that are written anew.
  void copy_base();
  const std::set<std::string, std::less<>>& removed() const noexcept { return removed_; }
  /// Takes a blob; the segments are valid during the call.
  virtual void do_blob(const std::string& name, const std::string& owner,
                       std::span<const Segment> segments) = 0;
  virtual void do_remove(const BlobStore::Entry&) {}
  virtual void do_finish() {}
  /// Drops all blobs taken so far. Throws nothing.
  virtual void do_drop() noexcept {}

 private:
  struct Thunks;
  void end_blob();

  polycodec_store_writer abi_;
  std::unique_ptr<Arena> scratch_;
  SegmentSink sink_;
  std::uint64_t max_bytes_;
  std::uint64_t before_ = 0;  // bytes of the blobs that were written
  std::shared_ptr<BlobStore> base_;
  std::set<std::string, std::less<>> removed_;
  std::set<std::string, std::less<>> names_;  // that were written
  std::string name_, owner_;                  // of the blob that is being written
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
  void do_blob(const std::string& name, const std::string& owner,
               std::span<const Segment> segments) override;
  void do_drop() noexcept override { blobs_.clear(); }
  std::vector<std::pair<std::string, std::string>> blobs_;
};

}  // namespace polycodec
