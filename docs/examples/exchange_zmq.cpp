// SPDX-License-Identifier: MIT
// Two processes exchange values over ZeroMQ, in parts of at most 1 MiB as yggdrasil programs send them.
//   exchange_zmq [SMALL LARGE [BEHAVIOUR]]    BEHAVIOUR as for exchange_pipe: silent, unknown, lies, dies
#include <polycodec/message_reader.hpp>

#include "exchange.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace {

using namespace polycodec;

constexpr int patience = 5000;  // milliseconds: a peer that is silent for longer is gone

[[noreturn]] void fail(const char* what) {
  throw Error(Status::io, std::string(what) + ": " + ::zmq_strerror(::zmq_errno()));
}

class ZmqTransport final : public exchange::Transport {
 public:
  ZmqTransport(const std::string& address, bool binds)
      : context_(::zmq_ctx_new(), &::zmq_ctx_term), socket_(::zmq_socket(context_.get(), ZMQ_PAIR), &::zmq_close) {
    for (const int option : {ZMQ_RCVTIMEO, ZMQ_SNDTIMEO, ZMQ_LINGER})
      ::zmq_setsockopt(socket_.get(), option, &patience, sizeof patience);
    const int done =
        binds ? ::zmq_bind(socket_.get(), address.c_str()) : ::zmq_connect(socket_.get(), address.c_str());
    if (done != 0) fail("cannot open the socket");
  }

  void send(const MessageParts& parts) override {
    for (std::size_t i = 0; i < parts.count(); ++i) {
      std::size_t size = 0;
      for (const Segment& s : parts.part(i)) size += s.size;
      zmq_msg_t message;
      if (::zmq_msg_init_size(&message, size) != 0) fail("no memory for a part");
      auto* at = static_cast<char*>(::zmq_msg_data(&message));
      for (const Segment& s : parts.part(i)) at = static_cast<char*>(std::memcpy(at, s.data, s.size)) + s.size;
      if (::zmq_msg_send(&message, socket_.get(), 0) < 0) {
        ::zmq_msg_close(&message);
        fail("cannot send");
      }
    }
  }

  std::optional<ReceivedMessage> receive() override {
    for (;;) {
      if (auto message = reader_.next()) return message;
      zmq_msg_t packet;
      ::zmq_msg_init(&packet);
      if (::zmq_msg_recv(&packet, socket_.get(), 0) < 0) {
        ::zmq_msg_close(&packet);
        if (::zmq_errno() != EAGAIN) fail("cannot receive");
        reader_.finish();  // says how much is missing
        return std::nullopt;
      }
      reader_.feed({static_cast<const char*>(::zmq_msg_data(&packet)), ::zmq_msg_size(&packet)});
      ::zmq_msg_close(&packet);
    }
  }

  std::uint64_t max_part_bytes() const override { return std::uint64_t{1} << 20; }

  void send_bytes(std::string_view bytes) {
    if (::zmq_send(socket_.get(), bytes.data(), bytes.size(), 0) < 0) fail("cannot send");
  }

 private:
  std::unique_ptr<void, int (*)(void*)> context_, socket_;
  MessageReader reader_{Limits(), polycodec::Transport::packets};
};

int misbehave(ZmqTransport& transport, std::string_view how) {
  const std::string good = "YGG_MSG_HEAD{\"__meta__\":{\"size\":20}}YGG_MSG_HEAD";
  transport.send_bytes(good + (how == "lies" ? R"({"i": 0, "text": "more than twenty bytes"})" : R"({"i": 0)"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  exchange::Plan plan;
  if (argc > 2) plan = {std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10)};
  const std::string_view behaviour = argc > 3 ? argv[3] : "";
  std::string folder = "/tmp/polycodec-exchange-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const std::string path = folder + "/socket", address = "ipc://" + path;
  const pid_t child = ::fork();
  if (child < 0) return 1;
  const auto registry = Registry::open();
  if (child == 0) {
    const int status = exchange::run("sender", [&] {
      ZmqTransport transport(address, false);
      if (behaviour == "lies" || behaviour == "dies") return misbehave(transport, behaviour);
      return exchange::send_values(transport, registry, plan);
    });
    std::_Exit(status);
  }
  const int result = exchange::run("receiver", [&] {
    ZmqTransport transport(address, true);
    Offer offer = make_offer(registry, "example");
    if (behaviour == "unknown") offer.codecs = {{"nobody-has-this", {}, {}, {}}, {"nor-this", {}, {}, {}}};
    return exchange::receive_values(transport, registry, behaviour == "silent" ? nullptr : &offer);
  });
  int status = 0;
  ::waitpid(child, &status, 0);
  ::unlink(path.c_str());
  ::rmdir(folder.c_str());
  return result;
}
