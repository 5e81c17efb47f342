// SPDX-License-Identifier: MIT
// Where encoders write: segments ready for writev, one contiguous buffer, named blobs, files.
#pragma once

#include <polycodec/abi.h>

#include "core/io/source.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

class BlobSinkState;
class SinkState;

/// Host side of polycodec_sink: counts, limits and adopts. For one thread.
class Sink {
 public:
  virtual ~Sink();

  /// What is handed to plugins and writers; valid as long as the sink.
  polycodec_sink* abi() noexcept;
  /// Bytes written so far.
  std::uint64_t size() const noexcept;
  /// Drops what was written and releases what was adopted; keeps memory for the next encode.
  void reset(std::uint64_t max_bytes) noexcept;
  void reset() noexcept { reset(max_bytes()); }
  /// The most bytes that the sink takes.
  std::uint64_t max_bytes() const noexcept;
  /// Changes that; what was written stays. `option`: a literal that names what raises the bound.
  void set_max_bytes(std::uint64_t max_bytes, const char* option = "max_output_bytes") noexcept;

  /// For the library itself.
  SinkState& state() const noexcept { return *state_; }

 protected:
  explicit Sink(std::unique_ptr<SinkState> state) noexcept;

 private:
  std::unique_ptr<SinkState> state_;
};

/// One piece of encoded output, either memory of the sink or memory of the value that was encoded.
struct Segment {
  const void* data;
  std::size_t size;
};

/// Collects segments. Large arrays are referenced, not copied: keep the value alive until the
/// segments are written.
class SegmentSink final : public Sink {
 public:
  explicit SegmentSink(std::uint64_t max_bytes = UINT64_MAX);

  /// The output in order; valid until reset() or destruction. The layout of Segment is that of
  /// `struct iovec`.
  std::span<const Segment> segments();
  /// All segments, copied into one string.
  std::string to_string();
};

/// Writes into one contiguous buffer that grows; reset() keeps it, so that encoding again touches
/// no fresh memory.
class BufferSink final : public Sink {
 public:
  explicit BufferSink(std::uint64_t max_bytes = UINT64_MAX);

  /// The output; valid until the next write, reset() or destruction.
  std::string_view view() const noexcept;
};

/// How a file is replaced.
struct WriteOptions {
  bool overwrite = true;  ///< false: an existing file is an error (Status::io)
  bool sync = false;      ///< true: wait until the content and the name are on the disk (fsync)
  std::uint32_t lock_seconds = 60;  ///< how long to wait for others that change the same store
  /// A directory that the path is below, or empty. Missing directories between them are made, and a
  /// symbolic link between them or at the path, a pipe and a device are Status::denied: who else
  /// may write there cannot lead the output elsewhere. The root itself may be a link.
  std::string root = {};
  /// Is called with the path of what is written, a file or a directory, when it is complete and
  /// before it takes its name. What it throws passes through, and the target stays as it was.
  /// Pipes and devices have no such moment.
  std::function<void(const std::string& path)> check = {};
};

/// Writes `segments` as the whole content of the file `path`, or leaves what was there: a temporary
/// file takes its name. A file that exists keeps its permissions, a symbolic link stays one, and a
/// pipe or device is written to directly. Throws Status::io with the reason of the system.
void write_file(const std::string& path, std::span<const Segment> segments,
                const WriteOptions& options = {});
void write_file(const std::string& path, std::string_view bytes, const WriteOptions& options = {});

/// Writes `segments` to an open descriptor, such as standard output (1), as many at a time as the
/// system takes. Waits where a non-blocking descriptor is not ready. `name` is for messages. A
/// reader that has gone away is an error only if the program ignores SIGPIPE.
void write_descriptor(int fd, std::span<const Segment> segments, std::string_view name);

/// Host side of polycodec_store_writer: a new store of named blobs, or a change of one. Each blob
/// goes to the container when the next one begins or finish() is called; memory that the encoder
/// references must live until finish(). What is on the disk is complete, or as it was: without
/// finish(), nothing remains. For one thread. Got from Registry::create_store() and edit_store().
class BlobSink {
 public:
  explicit BlobSink(std::unique_ptr<BlobSinkState> state) noexcept;
  virtual ~BlobSink();

  /// What is handed to plugins; valid as long as the sink. Its release() does nothing.
  polycodec_store_writer* abi() noexcept;
  /// Bytes written so far, over all blobs.
  std::uint64_t size() const noexcept;
  /// The most bytes that the sink takes, over all blobs.
  std::uint64_t max_bytes() const noexcept;
  void set_max_bytes(std::uint64_t max_bytes) noexcept;

  /// What the store holds before the change; null for a new one.
  const std::shared_ptr<BlobStore>& base() const noexcept;
  /// Starts a blob of the named value `owner` (or of none); write it to what is returned, until the
  /// next begin_blob() or finish(). Throws Status::denied for an unsafe name, Status::invalid if it
  /// is taken, Status::io.
  Sink& begin_blob(std::string_view name, std::string_view owner = {});
  /// Removes a blob of base(); its name is free again. Throws Status::not_found, also for a blob
  /// that this change has added, and Status::denied if the blob is marked as another owner's.
  void remove(std::string_view name, std::string_view owner = {});
  /// Writes the last blob and puts the container in place. To be called once, after encoding.
  /// Throws Status::io.
  void finish();
  /// Drops what was written.
  void reset() noexcept;

  /// For the library itself.
  BlobSinkState& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<BlobSinkState> state_;
};

/// Blobs in memory, in the order in which they were begun.
class MemoryBlobs final : public BlobSink {
 public:
  explicit MemoryBlobs(std::uint64_t max_bytes = UINT64_MAX);
  /// Name and content of each blob; complete after finish().
  const std::vector<std::pair<std::string, std::string>>& blobs() const noexcept;
  /// The blobs as a store to decode from.
  std::shared_ptr<MemoryStore> to_store() const { return std::make_shared<MemoryStore>(blobs()); }
};

}  // namespace polycodec
