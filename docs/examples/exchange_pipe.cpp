// SPDX-License-Identifier: MIT
// Two processes exchange values over POSIX pipes.
//   exchange_pipe [SMALL LARGE [BEHAVIOR]]
// BEHAVIOR of a peer, for seeing how the other end takes it: `silent` (offers nothing), `unknown`
// (offers only codecs that nobody has), `lies` (a sender whose sizes are wrong), `dies` (a sender
// that ends in the middle of a message).
#include "exchange.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

using namespace polycodec;

[[noreturn]] void fail(const char* what) {
  throw Error(Status::io, std::string(what) + ": " + std::strerror(errno));
}

void write_all(int out, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(out, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail("cannot write to the pipe");
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

class PipeTransport final : public exchange::Transport {
 public:
  PipeTransport(int in, int out) : in_(in), out_(out) {}
  void send(const Message& message) override {
    for (std::uint64_t part = 0;; ++part) {
      const auto pieces = message.part(part);
      if (!pieces) return;
      for (const polycodec_bytes& piece : *pieces) write_all(out_, to_string_view(piece));
    }
  }
  std::optional<std::string> receive() override {
    std::string bytes(std::size_t{1} << 16, '\0');
    ssize_t size = 0;
    while ((size = ::read(in_, bytes.data(), bytes.size())) < 0 && errno == EINTR) {
    }
    if (size < 0) fail("cannot read from the pipe");
    if (size == 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
  }

 private:
  int in_, out_;
};

int misbehave(int out, std::string_view how) {
  const std::string good = "YGG_MSG_HEAD{\"__meta__\":{\"size\":20}}YGG_MSG_HEAD";
  const std::string body =
      how == "lies" ? R"({"i": 0, "text": "more than twenty bytes"})" : R"({"i": 0)";
  write_all(out, good + body);
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
    std::string offer = registry.offer("example");
    if (behavior == "unknown")
      offer = R"({"codecs": [{"codec": "nobody-has-this"}, {"codec": "nor-this"}]})";
    if (behavior == "silent") ::close(answers[1]);
    return exchange::receive_values(transport, registry, behavior == "silent" ? nullptr : &offer);
  });
  ::close(values[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return result;
}
