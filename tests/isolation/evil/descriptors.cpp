// SPDX-License-Identifier: MIT
#include "deed.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace evil {
namespace {

/// Sends `size` bytes of `byte` to each descriptor that is a socket.
void send_all(char byte, std::size_t size) {
  static std::array<char, 1 << 16> garbage;
  garbage.fill(byte);
  each_descriptor([&](int fd) { (void)::send(fd, garbage.data(), size, MSG_NOSIGNAL); });
}

void send_descriptors() {
  char byte = 'd';
  iovec part{&byte, 1};
  std::array<int, 20> all;
  int socket = -1;
  each_descriptor([&](int fd) {
    if (::send(fd, &byte, 0, MSG_DONTWAIT | MSG_NOSIGNAL) == 0 && socket < 0) socket = fd;
  });
  all.fill(socket);
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof all)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof all);
  std::memcpy(CMSG_DATA(header), all.data(), sizeof all);
  for (int i = 0; i < 10; ++i) (void)::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

const Deed all[] = {
    {"close-all",
     [](Call&, std::string_view, Builder& out) {
       each_descriptor([](int fd) { ::close(fd); });
       return good_value(out);
     }},
    {"garbage",
     [](Call&, std::string_view, Builder& out) {
       for (const std::size_t size : {1u, 7u, 64u, 500u, 4096u}) send_all('g', size);
       return good_value(out);
     }},
    {"zeros",
     [](Call&, std::string_view, Builder& out) {
       for (const std::size_t size : {8u, 128u, 1000u}) send_all('\0', size);
       return good_value(out);
     }},
    {"flood",
     [](Call&, std::string_view, Builder&) -> Node {
       for (;;) send_all('f', 60000);
     }},
    {"empty-packets",
     [](Call&, std::string_view, Builder& out) {
       for (int i = 0; i < 100; ++i) send_all('e', 0);
       return good_value(out);
     }},
    {"send-descriptors",
     [](Call&, std::string_view, Builder& out) {
       send_descriptors();
       return good_value(out);
     }},
    {"exhaust-descriptors",
     [](Call&, std::string_view, Builder& out) {
       while (::dup(0) >= 0) continue;
       return good_value(out);
     }},
    {"lease",
     [](Call&, std::string_view, Builder& out) {
       each_descriptor([](int fd) { (void)::fcntl(fd, F_SETLEASE, F_WRLCK); });
       return good_value(out);
     }},
    {"seal",
     [](Call&, std::string_view, Builder& out) {
       each_descriptor([](int fd) { (void)::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW); });
       return good_value(out);
     }},
    {"truncate",
     [](Call&, std::string_view, Builder& out) {
       each_descriptor([](int fd) { (void)!::ftruncate(fd, 0); });
       return good_value(out);
     }},
    {"read-all",
     [](Call&, std::string_view, Builder& out) {
       // What the host sends to this worker never comes to it.
       static std::array<char, 1 << 16> room;
       each_descriptor([&](int fd) { (void)::recv(fd, room.data(), room.size(), MSG_DONTWAIT); });
       return good_value(out);
     }},
};

}  // namespace

std::span<const Deed> descriptors() {
  return all;
}

}  // namespace evil
