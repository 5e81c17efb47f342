// SPDX-License-Identifier: MIT
// `polycodec convert - -`: values that follow each other, one by one.
#include "command.hpp"

#include <fcntl.h>
#include <poll.h>

#include <array>
#include <string_view>

namespace polycodec::test {
namespace {

using namespace std::string_literals;

class StreamConvert : public Command {
 protected:
  /// A message with this value in it.
  std::string packed(const std::string& json, const std::string& codec) {
    write("value.json", json);
    const Finished pack = run({"message", "pack", "--codec", codec, "value.json"});
    EXPECT_EQ(pack.status, 0) << pack.err;
    return pack.out;
  }
};

/// A command whose standard input and output are pipes.
class Pipes {
 public:
  explicit Pipes(const std::vector<std::string>& arguments) {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      std::vector<char*> words{const_cast<char*>(polycodec_command)};
      for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
      words.push_back(nullptr);
      ::execv(polycodec_command, words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~Pipes() {
    ::close(to_);
    ::close(from_);
  }
  Pipes(const Pipes&) = delete;
  Pipes& operator=(const Pipes&) = delete;

  void put(std::string_view bytes) {
    ASSERT_EQ(::write(to_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  /// The next `size` bytes; fewer if they do not come.
  std::string take(std::size_t size) {
    std::string all;
    while (all.size() < size) {
      pollfd ready{from_, POLLIN, 0};
      if (::poll(&ready, 1, 60000) != 1) break;
      char piece[4096];
      const ssize_t got = ::read(from_, piece, std::min(sizeof piece, size - all.size()));
      if (got <= 0) break;
      all.append(piece, static_cast<std::size_t>(got));
    }
    return all;
  }
  int finish() {
    ::close(to_);
    to_ = -1;
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
};

TEST_F(StreamConvert, EachValueIsWrittenBeforeTheNextIsRead) {
  Pipes pipes({"convert", "-", "-", "--from", "msgpack", "--to", "msgpack"});
  pipes.put("\x92\x01\x02");
  EXPECT_EQ(pipes.take(3), "\x92\x01\x02");
  pipes.put("\xa5he");
  pipes.put("llo\xc3");
  EXPECT_EQ(pipes.take(7), "\xa5hello\xc3");
  EXPECT_EQ(pipes.finish(), 0);
}

TEST_F(StreamConvert, FromOneCodecToAnotherAndBack) {
  const std::string documents =
      "\x01\xa3two\x93\x01\x02\x03\x81\xa1k\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"s;
  const Finished there = run({"convert", "-", "-", "--from", "msgpack", "--to", "dynd"}, documents);
  ASSERT_EQ(there.status, 0) << there.err;
  const Finished back = run({"convert", "-", "-", "--from", "dynd", "--to", "msgpack"}, there.out);
  ASSERT_EQ(back.status, 0) << back.err;
  const Finished shown = run({"decode", "--plain", "--from", "msgpack", "-"}, back.out);
  EXPECT_EQ(shown.out, run({"decode", "--plain", "--from", "msgpack", "-"}, documents).out);
}

TEST_F(StreamConvert, MessagesEachByItsOwnHeader) {
  const std::string messages =
      packed("[1, 2]", "yggdrasil") + packed("[3, 4]", "dynd") + packed("[5, 6]", "msgpack");
  const Finished all = run({"convert", "-", "-", "--to", "msgpack"}, messages);
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(run({"decode", "--plain", "--from", "msgpack", "-"}, all.out).out,
            "{\"$ext\": [\"stream\", [[1, 2], [3, 4], [5, 6]]]}\n");
}

TEST_F(StreamConvert, AnErrorEndsTheWorkBehindTheValuesBefore) {
  const Finished values =
      run({"convert", "-", "-", "--from", "msgpack", "--to", "msgpack"}, "\x01\x02\xc1\x03");
  EXPECT_EQ(values.status, 1);
  EXPECT_EQ(values.out, "\x01\x02");
  EXPECT_NE(values.err.find("at byte 2"), std::string::npos) << values.err;
  const std::string first = packed("[1, 2]", "yggdrasil");
  const Finished messages =
      run({"convert", "-", "-", "--to", "msgpack"}, first + first.substr(0, first.size() - 1));
  EXPECT_EQ(messages.status, 1);
  EXPECT_EQ(messages.out, run({"convert", "-", "-", "--to", "msgpack"}, first).out);
  EXPECT_NE(messages.err.find("message.incomplete"), std::string::npos) << messages.err;
  EXPECT_EQ(run({"convert", "-", "-", "--from", "msgpack", "--to", "msgpack"}).status, 1);
}

}  // namespace
}  // namespace polycodec::test
