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

TEST_F(StreamConvert, FilesValueByValue) {
  std::string lines;
  for (int i = 0; i < 3000; ++i)
    lines += "{\"i\": " + std::to_string(i) + ", \"name\": \"" +
             std::string(static_cast<std::size_t>(i % 70), 'x') + "\"}\n";
  write("in.jsonl", lines);
  const Finished there = run({"convert", "--stream", "in.jsonl", "out.msgpack"});
  ASSERT_EQ(there.status, 0) << there.err;
  EXPECT_TRUE(there.err.ends_with("B), same value\n")) << there.err;
  const std::string documents = read_file(directory_ / "out.msgpack");
  EXPECT_EQ(documents, run({"convert", "-", "-", "--from", "json", "--to", "msgpack"}, lines).out);
  const Finished back = run({"convert", "--stream", "--json", "out.msgpack", "back.ndjson"});
  EXPECT_EQ(Json::parse(back.out)["kept"], "same") << back.out << back.err;
  EXPECT_EQ(Json::parse(back.out)["in"]["codec"], "msgpack-ndarray");
  EXPECT_EQ(Json::parse(back.out)["out"]["bytes"], lines.size());
  EXPECT_EQ(read_file(directory_ / "back.ndjson"), lines);
  const Finished dynd = run({"convert", "--stream", "in.jsonl", "out.dynd", "--no-compare"});
  EXPECT_EQ(dynd.status, 0) << dynd.err;
  EXPECT_TRUE(dynd.err.ends_with("B)\n")) << dynd.err;
  EXPECT_EQ(run({"convert", "--stream", "out.dynd", "again.msgpack", "--from", "dynd"}).status, 0);
  EXPECT_EQ(read_file(directory_ / "again.msgpack"), documents);
}

TEST_F(StreamConvert, TheLargestValueOfAFileBoundsTheMemory) {
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "[1, 2, 3, [4, 5, {\"six\": 7}]]\n";
  write("in.jsonl", lines);
  const std::string limits = R"({"max_memory_bytes": 100000})";
  EXPECT_EQ(run({"convert", "in.jsonl", "out.msgpack", "--limits", limits}).status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "out.msgpack"));
  const Finished each = run({"convert", "--stream", "in.jsonl", "out.msgpack", "--limits", limits});
  EXPECT_EQ(each.status, 0) << each.err;
  EXPECT_TRUE(each.err.ends_with("B), same value\n")) << each.err;
}

// Small values are read, checked and compared many at a time, which nobody notices.
TEST_F(StreamConvert, EachValueHasTheLimitsForItself) {
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "[[1, 2], {\"a\": 3}]\n";
  write("in.jsonl", lines);
  for (const char* limits : {R"({"max_depth": 2})", R"({"max_nodes": 8})"}) {
    const Finished done =
        run({"convert", "--stream", "in.jsonl", "out.msgpack", "--limits", limits});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(done.err.ends_with("B), same value\n")) << done.err;
  }
  write("in.jsonl", lines + "[[[4]]]\n" + lines);
  const Finished deep =
      run({"convert", "--stream", "in.jsonl", "out.msgpack", "--limits", R"({"max_depth": 2})"});
  EXPECT_NE(deep.err.find(", in $[5000]"), std::string::npos) << deep.err;
}

TEST_F(StreamConvert, ALongValueCostsThoseAfterItNothing) {
  std::string lines = "\"" + std::string(8 << 20, 'x') + "\"\n";
  for (int i = 0; i < 200'000; ++i) lines += "[]\n";
  write("in.jsonl", lines);
  const Finished there = run({"convert", "--stream", "in.jsonl", "out.msgpack"});
  EXPECT_TRUE(there.err.ends_with("B), same value\n")) << there.err;
  const Finished back = run({"convert", "--stream", "out.msgpack", "back.jsonl"});
  EXPECT_TRUE(back.err.ends_with("B), same value\n")) << back.err;
  EXPECT_EQ(read_file(directory_ / "back.jsonl"), lines);
}

TEST_F(StreamConvert, TheFirstValueThatFailsEndsTheWork) {
  // A time that JSON cannot hold before a document that is cut.
  const std::string time = "\x81\xa1t\xd6\xff" + std::string("\0\0\0\1", 4);
  std::string values;
  for (int i = 0; i < 100; ++i) values += "\x91\x01";
  write("in.msgpack", values + time + values + "\x92\x01");
  const Finished lossy = run({"convert", "--stream", "in.msgpack", "out.jsonl"});
  EXPECT_NE(lossy.err.find("(json.lossy, in $[100].t)"), std::string::npos) << lossy.err;
  const Finished cut = run({"convert", "--stream", "in.msgpack", "out.jsonl", "--lossy"});
  EXPECT_NE(cut.err.find("msgpack.end_of_input, at byte 409, in $[201]"), std::string::npos)
      << cut.err;
  write("in.msgpack", values + time + time + values);
  const Finished done = run({"convert", "--stream", "in.msgpack", "out.jsonl", "--lossy"});
  EXPECT_TRUE(done.err.starts_with("lost $[*].t: a time, as text\nin.msgpack (")) << done.err;
  EXPECT_TRUE(done.err.ends_with(", different in $[100].t (timestamp and string)\n")) << done.err;
}

TEST_F(StreamConvert, AFileIsCompleteOrAsItWas) {
  write("in.jsonl", "[1]\n{\"a\": 2}\n{\"a\": {\"b\": [3, 4, x]}}\n[5]\n");
  write("out.msgpack", "before");
  const Finished wrong = run({"convert", "--stream", "in.jsonl", "out.msgpack"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("(json.syntax, at byte 32, in $[2])"), std::string::npos) << wrong.err;
  EXPECT_EQ(read_file(directory_ / "out.msgpack"), "before");
  write("in.msgpack", "\x91\x01\x92\x02");
  const Finished ends = run({"convert", "--stream", "in.msgpack", "out.jsonl"});
  EXPECT_NE(ends.err.find("msgpack.end_of_input, at byte 2, in $[1]"), std::string::npos)
      << ends.err;
  EXPECT_FALSE(fs::exists(directory_ / "out.jsonl"));
  write("empty.jsonl", " \n");
  EXPECT_NE(run({"convert", "--stream", "empty.jsonl", "out.jsonl"}).err.find("there is no value"),
            std::string::npos);
}

TEST_F(StreamConvert, SaysOnceWhatTheValuesOfAFileLose) {
  std::string values;
  for (int i = 0; i < 100; ++i) values += "\x81\xa1t\xd6\xff" + std::string("\0\0\0\1", 4);
  write("in.msgpack", values);
  const Finished refused = run({"convert", "--stream", "in.msgpack", "out.jsonl"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("(json.lossy, in $[0].t)"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(directory_ / "out.jsonl"));
  const Finished lossy = run({"convert", "--stream", "in.msgpack", "out.jsonl", "--lossy"});
  EXPECT_EQ(lossy.status, 0) << lossy.err;
  EXPECT_TRUE(lossy.err.starts_with("lost $[*].t: a time, as text\nin.msgpack (")) << lossy.err;
  EXPECT_TRUE(lossy.err.ends_with(", different in $[0].t (timestamp and string)\n")) << lossy.err;
  write("tuples.json", R"t({"type": "(int32, float32)", "value": {"$tuple": [1, 2.5]}})t");
  ASSERT_EQ(run({"convert", "tuples.json", "tuple.dynd"}).status, 0);
  const std::string tuple = read_file(directory_ / "tuple.dynd");
  write("tuples.dynd", tuple + tuple + tuple);
  const Finished retyped = run({"convert", "--stream", "tuples.dynd", "out.jsonl"});
  EXPECT_EQ(retyped.status, 0) << retyped.err;
  EXPECT_TRUE(retyped.err.ends_with("B), same numbers\n")) << retyped.err;
  EXPECT_EQ(retyped.err.find("int32 -> int64"), retyped.err.rfind("int32 -> int64")) << retyped.err;
  EXPECT_EQ(run({"convert", "--stream", "tuples.dynd", "o.jsonl", "--lossless"}).status, 1);
}

TEST_F(StreamConvert, SaysBeforeTheWorkWhatCannotBeOneByOne) {
  write("in.jsonl", "[1]\n[2]\n");
  write("in.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n");
  const auto refuses = [&](const std::vector<std::string>& more, const std::string& words) {
    std::vector<std::string> all{"convert", "--stream"};
    all.insert(all.end(), more.begin(), more.end());
    const Finished done = run(all);
    EXPECT_NE(done.status, 0) << done.err;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  };
  refuses({"in.jsonl", "out.ply"},
          "values of ply do not follow each other in a stream, as those of ");
  refuses({"in.ply", "out.jsonl"},
          "values of ply do not follow each other in a stream, as those of ");
  refuses({"in.jsonl", "out.jsonl.gz"}, "filters");
  refuses({"in.jsonl", "out.jsonl", "--rows", "0:1"}, "converted whole");
  refuses({"-", "out.jsonl"}, "name two files");
  write("value.msg", packed("[1]", "msgpack"));
  refuses({"value.msg", "out.jsonl"}, "a framed message");
  if (run({"convert", "in.jsonl", "in.jsonl.gz"}).status == 0)
    refuses({"in.jsonl.gz", "out.jsonl"}, "is compressed with gzip");
  EXPECT_FALSE(fs::exists(directory_ / "out.jsonl"));
  EXPECT_FALSE(fs::exists(directory_ / "out.ply"));
}

}  // namespace
}  // namespace polycodec::test
