// SPDX-License-Identifier: MIT
#include "registry/isolation/channel.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace polycodec::isolation {
namespace {

constexpr std::size_t max_descriptors = 18;  // of a plugin with 16 libraries of its own
constexpr std::size_t max_packet_text = std::size_t{64} << 10;

}  // namespace

std::pair<Channel, Channel> Channel::make() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(Status::io, "cannot make a socket for an isolated plugin: " +
                                std::generic_category().message(errno));
  return {Channel(FileHandle(ends[0])), Channel(FileHandle(ends[1]))};
}

bool Channel::send(const Message& message, std::span<const int> descriptors,
                   std::string_view text) const noexcept {
  const bool whole = message.code != POLYCODEC_OK || !text.empty();
  iovec parts[2] = {{const_cast<Message*>(&message), whole ? sizeof message : short_message},
                    {const_cast<char*>(text.data()), text.size()}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = text.empty() ? 1 : 2;
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))] = {};
  if (!descriptors.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(first), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent = 0;
  do sent = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

Received Channel::receive(Message& message, std::vector<FileHandle>* descriptors,
                          std::string* text) const {
  if (text != nullptr) text->resize(max_packet_text);
  iovec parts[2] = {{&message, sizeof message}, {text ? text->data() : nullptr, max_packet_text}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = text == nullptr ? 1 : 2;
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))];
  if (descriptors != nullptr) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  ssize_t got = 0;
  do got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (descriptors != nullptr) {
    for (cmsghdr* at = CMSG_FIRSTHDR(&header); at != nullptr; at = CMSG_NXTHDR(&header, at)) {
      if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
      for (std::size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= at->cmsg_len; ++i) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(at) + i * sizeof(int), sizeof descriptor);
        descriptors->emplace_back(descriptor);
      }
    }
  }
  const auto size = got < 0 ? std::size_t{0} : static_cast<std::size_t>(got);
  if (text != nullptr) text->resize(size > sizeof message ? size - sizeof message : 0);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Received::nothing_yet;
  if (size == 0) return Received::closed;
  if ((header.msg_flags & MSG_TRUNC) != 0 || size < short_message ||
      (size < sizeof message && (size != short_message || message.code != POLYCODEC_OK)))
    return Received::malformed;
  message.error.struct_size = sizeof message.error;
  message.error.say = nullptr;
  return Received::packet;
}

void Channel::set_timeout(int milliseconds) const noexcept {
  const timeval limit{milliseconds / 1000, milliseconds % 1000 * 1000};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

}  // namespace polycodec::isolation
