// SPDX-License-Identifier: MIT
// Two processes exchange values over ZeroMQ, in parts of at most 1 MiB as yggdrasil programs send
// them.
//   exchange_zmq [SMALL LARGE [BEHAVIOR]]    BEHAVIOR as for exchange_pipe: silent, unknown,
//   lies, dies
#include "exchange.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace {

using namespace polycodec;

constexpr int patience =
    30000;  // milliseconds: a peer that is connected and silent for longer is gone
constexpr int offer_patience =
    2000;  // a peer that is connected and has offered nothing by then offers nothing

[[noreturn]] void fail(const char* what) {
  throw Error(Status::io, std::string(what) + ": " + ::zmq_strerror(::zmq_errno()));
}

/// A pair of sockets, with the news of it: ZeroMQ itself says of a peer that went away only that
/// nothing comes.
class ZmqTransport final : public exchange::Transport {
 public:
  ZmqTransport(const std::string& address, bool binds)
      : context_(::zmq_ctx_new(), &::zmq_ctx_term),
        socket_(::zmq_socket(context_.get(), ZMQ_PAIR), &::zmq_close),
        news_(::zmq_socket(context_.get(), ZMQ_PAIR), &::zmq_close) {
    ::zmq_setsockopt(socket_.get(), ZMQ_LINGER, &patience, sizeof patience);
    const char* const monitor = "inproc://news";
    if (::zmq_socket_monitor(socket_.get(), monitor,
                             ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED) != 0 ||
        ::zmq_connect(news_.get(), monitor) != 0)
      fail("cannot watch the socket");
    const int done = binds ? ::zmq_bind(socket_.get(), address.c_str())
                           : ::zmq_connect(socket_.get(), address.c_str());
    if (done != 0) fail("cannot open the socket");
  }

  ~ZmqTransport() override {
    const int nothing = 0;  // to a peer that is gone nothing more is sent
    if (gone_) ::zmq_setsockopt(socket_.get(), ZMQ_LINGER, &nothing, sizeof nothing);
    // No news while the sockets close: ZeroMQ loses the memory of what it can no longer deliver.
    ::zmq_socket_monitor(socket_.get(), nullptr, 0);
  }

  void send(const Message& message) override {
    for (std::uint64_t part = 0;; ++part) {
      const auto pieces = message.part(part);
      if (!pieces) return;
      std::string packet;
      for (const polycodec_bytes& piece : *pieces) packet.append(to_string_view(piece));
      send_bytes(packet);
    }
  }

  std::optional<std::string> receive() override { return receive(patience); }

  std::optional<std::string> receive_offer() override {
    while (!connected_ && !gone_) await(ZMQ_POLLIN, patience);
    return receive(offer_patience);
  }

  std::string options() const override { return R"("packets": true, "max_part_bytes": 1048576)"; }

  void send_bytes(std::string_view bytes) {
    while (::zmq_send(socket_.get(), bytes.data(), bytes.size(), ZMQ_DONTWAIT) < 0) {
      if (::zmq_errno() != EAGAIN) fail("cannot send");
      if (gone_) throw Error(Status::io, "the peer went away");
      await(ZMQ_POLLOUT, patience);
    }
  }

 private:
  std::optional<std::string> receive(int milliseconds) {
    for (bool last_look = false;;) {
      zmq_msg_t packet;
      ::zmq_msg_init(&packet);
      if (::zmq_msg_recv(&packet, socket_.get(), ZMQ_DONTWAIT) >= 0) {
        std::string bytes(static_cast<const char*>(::zmq_msg_data(&packet)),
                          ::zmq_msg_size(&packet));
        ::zmq_msg_close(&packet);
        return bytes;
      }
      const int error = ::zmq_errno();
      ::zmq_msg_close(&packet);
      if (error != EAGAIN) fail("cannot receive");
      if (last_look) return std::nullopt;
      // What the peer sent before it went has arrived when the news does.
      last_look = gone_ || !await(ZMQ_POLLIN, milliseconds) || gone_;
    }
  }

  /// Waits until the socket is ready or there is news. False: nothing of both in this time.
  bool await(short events, int milliseconds) {
    zmq_pollitem_t items[] = {{socket_.get(), 0, events, 0}, {news_.get(), 0, ZMQ_POLLIN, 0}};
    const int ready = ::zmq_poll(items, 2, milliseconds);
    if (ready < 0 && ::zmq_errno() != EINTR) fail("cannot wait");
    if (ready == 0 && !connected_) throw Error(Status::io, "no peer has connected");
    if (ready > 0 && items[1].revents != 0) {
      std::uint16_t event = 0;
      char frame[256];
      if (::zmq_recv(news_.get(), frame, sizeof frame, 0) >= static_cast<int>(sizeof event))
        std::memcpy(&event, frame, sizeof event);
      ::zmq_recv(news_.get(), frame, sizeof frame, 0);  // the address
      (event == ZMQ_EVENT_DISCONNECTED ? gone_ : connected_) = true;
    }
    return ready != 0;
  }

  std::unique_ptr<void, int (*)(void*)> context_, socket_, news_;
  bool connected_ = false, gone_ = false;
};

int misbehave(ZmqTransport& transport, std::string_view how) {
  const std::string good = "YGG_MSG_HEAD{\"__meta__\":{\"size\":20}}YGG_MSG_HEAD";
  transport.send_bytes(
      good + (how == "lies" ? R"({"i": 0, "text": "more than twenty bytes"})" : R"({"i": 0)"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  exchange::Plan plan;
  if (argc > 2) plan = {std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10)};
  const std::string_view behavior = argc > 3 ? argv[3] : "";
  std::string directory = "/tmp/polycodec-exchange-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) return 1;
  const std::string path = directory + "/socket", address = "ipc://" + path;
  const pid_t child = ::fork();
  if (child < 0) return 1;
  const auto registry = Registry::open();
  if (child == 0) {
    const int status = exchange::run("sender", [&] {
      ZmqTransport transport(address, false);
      if (behavior == "lies" || behavior == "dies") return misbehave(transport, behavior);
      return exchange::send_values(transport, registry, plan);
    });
    std::_Exit(status);
  }
  const int result = exchange::run("receiver", [&] {
    std::string offer = registry.offer("example");
    if (behavior == "unknown")
      offer = R"({"codecs": [{"codec": "nobody-has-this"}, {"codec": "nor-this"}]})";
    ZmqTransport transport(address, true);
    return exchange::receive_values(transport, registry, behavior == "silent" ? nullptr : &offer);
  });
  int status = 0;
  ::waitpid(child, &status, 0);
  ::unlink(path.c_str());
  ::rmdir(directory.c_str());
  return result;
}
