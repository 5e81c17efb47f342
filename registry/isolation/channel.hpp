// SPDX-License-Identifier: MIT
// A socket between the host and the sandbox: packets with descriptors.
#pragma once

#include "registry/isolation/protocol.hpp"
#include "registry/load/path_check.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::isolation {

enum class Received : std::uint8_t { packet, nothing_yet, closed, malformed };

/// One end of a socket pair. For one thread at a time.
class Channel {
 public:
  Channel() = default;
  explicit Channel(FileHandle socket) noexcept : socket_(std::move(socket)) {}
  /// Both ends; neither is inherited by programs. Throws Status::io.
  static std::pair<Channel, Channel> make();

  int descriptor() const noexcept { return socket_.get(); }
  bool is_open() const noexcept { return socket_.is_open(); }
  /// False if the other end is closed or the packet cannot be sent.
  bool send(const Message& message, std::span<const int> descriptors = {},
            std::string_view text = {}) const noexcept;
  /// Waits for a packet, at most as long as set_timeout() says. Descriptors are taken only if
  /// `descriptors` is given.
  Received receive(Message& message, std::vector<FileHandle>* descriptors = nullptr,
                   std::string* text = nullptr) const;
  void set_timeout(int milliseconds) const noexcept;

 private:
  FileHandle socket_;
};

}  // namespace polycodec::isolation
