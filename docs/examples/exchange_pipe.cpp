// SPDX-License-Identifier: MIT
// Two processes exchange values over POSIX pipes.
//   exchange_pipe [SMALL LARGE [BEHAVIOR]]
// BEHAVIOR of a peer, for seeing how the other end takes it: `silent` (offers nothing), `unknown`
// (offers only codecs that nobody has), `lies` (a sender whose sizes are wrong), `dies` (a sender
// that ends in the middle of a message).

#include "core/frame/message.hpp"
#include "core/io/sink.hpp"
#include "exchange.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace {

using namespace polycodec;

class PipeTransport final : public exchange::Transport {
 public:
  PipeTransport(int in, int out) : in_(in), out_(out) {}
  void send(const MessageParts& parts) override { write_descriptor(out_, parts.all(), "the pipe"); }
  std::optional<ReceivedMessage> receive() override {
    return read_message(in_, reader_, "the pipe");
  }

 private:
  int in_, out_;
  MessageReader reader_;
};

int misbehave(int out, std::string_view how) {
  const std::string good = "YGG_MSG_HEAD{\"__meta__\":{\"size\":20}}YGG_MSG_HEAD";
  const std::string body =
      how == "lies" ? R"({"i": 0, "text": "more than twenty bytes"})" : R"({"i": 0)";
  const std::string bytes = good + body;
  const Segment segment{bytes.data(), bytes.size()};
  write_descriptor(out, {&segment, 1}, "the pipe");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  exchange::Plan plan;
  if (argc > 2) plan = {std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10)};
  const std::string_view behavior = argc > 3 ? argv[3] : "";
  std::signal(SIGPIPE, SIG_IGN);  // a peer that is gone is an error, not a death
  int values[2], answers[2];      // values flow one way, offers the other
  if (::pipe(values) != 0 || ::pipe(answers) != 0) return 1;
  const pid_t child = ::fork();
  if (child < 0) return 1;
  const auto registry = Registry::open();
  if (child == 0) {
    ::close(values[0]);
    ::close(answers[1]);
    if (behavior == "lies" || behavior == "dies") std::_Exit(misbehave(values[1], behavior));
    PipeTransport transport(answers[0], values[1]);
    std::_Exit(
        exchange::run("sender", [&] { return exchange::send_values(transport, registry, plan); }));
  }
  ::close(values[1]);
  ::close(answers[0]);
  const int result = exchange::run("receiver", [&] {
    PipeTransport transport(values[0], answers[1]);
    Offer offer = make_offer(registry, "example");
    if (behavior == "unknown")
      offer.codecs = {{"nobody-has-this", {}, {}, {}}, {"nor-this", {}, {}, {}}};
    if (behavior == "silent") ::close(answers[1]);
    return exchange::receive_values(transport, registry, behavior == "silent" ? nullptr : &offer);
  });
  ::close(values[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return result;
}
