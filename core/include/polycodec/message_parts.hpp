// SPDX-License-Identifier: MIT
// Messages as the pieces that are sent: segments for writev, cut where a transport has a limit.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/message.hpp>
#include <polycodec/sink.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// How a message is cut for a transport that takes only so many bytes at a time.
struct PartOptions {
  HeaderStyle style = HeaderStyle::full;
  /// The most bytes of a part; yggdrasil programs use 2^20 with ZeroMQ, MPI and RabbitMQ, and 2048
  /// with IPC and REST.
  std::uint64_t max_part_bytes = UINT64_MAX;
  /// Address of the channel on which the other parts follow; written as `__meta__.address` where
  /// there are any.
  std::string address;
};

/// A message ready to be sent. Owns its frame and views the body's segments: keep those.
class POLYCODEC_API MessageParts {
 public:
  std::size_t count() const noexcept { return begins_.size(); }
  /// The segments of one part, in order, for writev. The first part has the frame and the beginning
  /// of the body, the others are bare slices of the body: the receiver puts them together until it
  /// has as many bytes as the header says (MessageReader does). Over a stream all parts are written
  /// one after another.
  std::span<const Segment> part(std::size_t index) const noexcept;
  /// The segments of all parts.
  std::span<const Segment> all() const noexcept { return segments_; }
  /// Bytes of the whole message.
  std::uint64_t size() const noexcept { return size_; }
  /// The id that was written, if build_frame() made it or not.
  const std::string& id() const noexcept { return id_; }
  /// True if the header was too long for a part and goes on in the body (`in_data`).
  bool in_data() const noexcept { return in_data_; }

 private:
  friend MessageParts make_parts(const Header&, std::span<const Segment>, const PartOptions&);
  std::vector<char> frame_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> begins_;  // index of the first segment of each part
  std::uint64_t size_ = 0;
  std::string id_;
  bool in_data_ = false;
};

/// A message of `header` and the body, cut into parts of at most max_part_bytes. If it needs
/// several, the header gets an id (a new UUID where it has none) and the address; if the header
/// alone is too long for a part, all of it but
/// `__meta__` moves to the front of the body, and `__meta__.in_data` says so. Throws as
/// build_frame(), and Status::limit if even `__meta__` does not fit in a part.
POLYCODEC_API MessageParts make_parts(const Header& header, std::span<const Segment> body,
                                      const PartOptions& options = {});
/// The same with a body in one piece.
POLYCODEC_API MessageParts make_parts(const Header& header, std::string_view body,
                                      const PartOptions& options = {});

}  // namespace polycodec
