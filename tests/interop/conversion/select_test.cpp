// SPDX-License-Identifier: MIT
// polycodec_call_options.select: the same part, and the same error, as of the whole value.
#include <polycodec/codec.hpp>
#include <polycodec/kit/corpus.hpp>

#include "error_of.hpp"
#include "shipped.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

/// What comes of a call: a value, or an error in words.
struct Outcome {
  std::optional<Value> value;
  std::string error;
};

template <class Body>
Outcome outcome_of(const Body& body) {
  try {
    return {body(), {}};
  } catch (const Error& e) {
    return {std::nullopt, std::to_string(static_cast<int>(e.code())) + " " + e.detail() + " at " +
                              std::to_string(e.offset()) + " in " + e.path() + ": " + e.message()};
  }
}

/// Checks that the part at `path` is that of the whole value, whose decode ends with `whole`. An
/// error in what is passed may stay unnoticed.
void expect_part(const Codec& codec, const Source& source, const Outcome& whole,
                 const std::string& path, std::uint32_t threads = 1) {
  CallOptions options;
  options.select = path;
  options.threads = threads;
  const Outcome part = outcome_of([&] { return codec.decode(source, options); });
  if (!whole.value) {
    EXPECT_EQ(part.value ? whole.error : part.error, whole.error) << codec.name() << ' ' << path;
    return;
  }
  const Outcome expected = outcome_of([&] { return whole.value->part(path); });
  ASSERT_EQ(part.error, expected.error) << codec.name() << ' ' << path;
  if (!part.value) return;
  EXPECT_EQ(difference(*part.value, *expected.value), "") << codec.name() << ' ' << path;
  EXPECT_EQ(part.value->type(), expected.value->type()) << codec.name() << ' ' << path;
  EXPECT_FALSE(part.value->is_partial());
}

/// Paths to parts of a value, and beside each some that lead nowhere.
void paths_of(const View& value, const std::string& at, int depth, std::vector<std::string>& all) {
  all.push_back(at + "[0]");
  all.push_back(at + ".nothing");
  if (depth == 0) return;
  if (value.is_object()) {
    for (std::uint64_t i = 0; i < value.size() && i < 4; ++i) {
      const std::string path = member_path(at, value.name(i));
      all.push_back(path);
      all.push_back(path + "x");
      paths_of(value.child(i), path, depth - 1, all);
    }
  } else if (value.is_list() && value.size() != 0) {
    const std::string end = "[" + std::to_string(value.size() - 1) + "]";
    all.push_back(at + "[" + std::to_string(value.size()) + "]");
    all.push_back(at + end);
    paths_of(value.child(value.size() - 1), at + end, depth - 1, all);
    // A column of all rows.
    const View first = value.child(0);
    for (std::uint64_t i = 0; first.is_object() && i < first.size() && i < 3; ++i) {
      all.push_back(member_path(at, first.name(i)));
      all.push_back(member_path(at, first.name(i)) + end);
      all.push_back(member_path(at + end, first.name(i)));
    }
  }
}

class Select : public InTemporaryDirectory {};

TEST_F(Select, EachCodecGivesThePartOfTheWhole) {
  std::size_t checked = 0;
  for (const char* name :
       {"json", "msgpack-ndarray", "yggdrasil", "awkward", "dynd", "dynd-cbor", "ply", "text"}) {
    const Codec codec = shipped(name);
    const std::string file = (directory / "value").native();
    for (const auto& entry : kit::corpus()) {
      const Value given = Value::build([&](Builder& out) { return Node(entry.make(out)); });
      try {
        const Losses losses;
        registry().write(given, file, {.codec = name}, losses);
      } catch (const Error&) {
        continue;  // the codec does not write it
      }
      const Source source = Source::file(file);
      const Outcome whole = outcome_of([&] { return codec.decode(source); });
      std::vector<std::string> paths{"", "a[", "$.$.[1]"};
      if (whole.value) paths_of(whole.value->view(), "$", 3, paths);
      for (std::size_t i = 0; i < paths.size(); i += paths.size() / 30 + 1) {
        if (paths[i].empty()) continue;
        expect_part(codec, source, whole, paths[i]);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1000u);
}

/// Random JSON text of lists and objects.
class RandomJson {
 public:
  explicit RandomJson(std::uint32_t seed) : random_(seed) {}

  void value(std::string& to, int depth) {
    switch (below(depth > 0 ? 9 : 5)) {
      case 0:
        to += "null";
        break;
      case 1:
        to += "-1.5e3";
        break;
      case 2:
        to += std::to_string(below(1000));
        break;
      case 3:
        to += R"("]}\\\"")";
        break;
      case 4:
        to += R"({"$float64": "nan"})";
        break;
      case 5:
      case 6: {
        to += '[';
        for (std::size_t i = 0, n = below(5); i < n; ++i) {
          if (i != 0) to += ", ";
          value(to, depth - 1);
        }
        to += ']';
        break;
      }
      default: {
        to += '{';
        const std::size_t start = below(3);
        for (std::size_t i = start, n = start + below(5); i < n; ++i) {
          if (i != start) to += ',';
          // Now and then a name twice.
          to += std::string("\"") + "abcdefgh"[below(60) == 0 ? start : i] + "\": ";
          value(to, depth - 1);
        }
        to += '}';
      }
    }
  }
  std::string path() {
    std::string path = "$";
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i)
      path += below(3) == 0 ? "[" + std::to_string(below(4)) + "]"
                            : std::string(".") + "abcdefgh"[below(6)];
    return path;
  }
  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  std::mt19937 random_;
};

TEST_F(Select, DocumentsGiveThePartOrTheErrorOfTheWhole) {
  const Codec json = shipped("json"), lines = shipped("json", {{"form", "jsonl"}});
  const Codec msgpack = shipped("msgpack-ndarray"),
              numpy = shipped("msgpack-ndarray", {{"numpy_maps", true}});
  const auto check = [](const Codec& codec, const std::string& bytes, RandomJson& random) {
    const Source source = Source::owned(std::string(bytes));
    const Outcome whole = outcome_of([&] { return codec.decode(source); });
    for (int i = 0; i < 6; ++i) expect_part(codec, source, whole, random.path());
  };
  for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(rounds(600)); ++seed) {
    RandomJson random(seed);
    std::string text, many, packed;
    for (int i = 0; i < 3; ++i) {
      text.clear();
      random.value(text, 5);
      many += text + "\n";
      const Outcome value = outcome_of([&] { return json.decode(Source::view(text)); });
      if (value.value) packed += msgpack.encode(*value.value);
    }
    check(json, text, random);
    check(lines, many, random);
    check(msgpack, packed, random);
    check(numpy, packed, random);
    // One byte is wrong, or all after it is missing.
    text[random.below(text.size())] = "]}\",x\xff"[random.below(6)];
    check(json, text, random);
    many.resize(random.below(many.size()) + 1);
    check(lines, many, random);
    if (packed.empty()) continue;
    packed.resize(random.below(packed.size()) + 1);
    packed.back() = static_cast<char>(random.below(256));
    check(msgpack, packed, random);
  }
}

TEST_F(Select, ManyThreadsReadALongPart) {
  std::string list = "[";
  for (int i = 0; i < 90000; ++i)
    list += std::string(i == 0 ? "" : ", ") + R"({"id": )" + std::to_string(i) + R"(, "s": "ab"})";
  const std::string text = R"({"first": [1, 2], "all": )" + list + R"(]}, "last": "x"})";
  const std::string good = R"({"first": [1, 2], "all": )" + list + R"(], "last": "x"})";
  for (const std::string& given : {good, text}) {
    const Codec json = shipped("json");
    const Source source = Source::view(given);
    const Outcome whole = outcome_of([&] { return json.decode(source); });
    for (const char* path : {"all", "all[89999]", "all[90000]", "all[17].s", "last", "lost"})
      for (const std::uint32_t threads : {1u, 3u}) expect_part(json, source, whole, path, threads);
    if (!whole.value) continue;
    const Codec msgpack = shipped("msgpack-ndarray");
    const Source packed = Source::owned(msgpack.encode(*whole.value));
    const Outcome same = outcome_of([&] { return msgpack.decode(packed); });
    for (const char* path : {"all", "all[89999]", "all[90000]", "all[17].s", "last", "lost"})
      for (const std::uint32_t threads : {1u, 3u})
        expect_part(msgpack, packed, same, path, threads);
  }
}

TEST_F(Select, RecordsThatAreAlikeArePassedAsTheirHeadsSay) {
  const Codec json = shipped("json"), msgpack = shipped("msgpack-ndarray");
  for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(rounds(60)); ++seed) {
    RandomJson random(seed);
    // Now and then a record has a longer name, or another member.
    std::string text = "[";
    for (int i = 0; i < 200; ++i)
      text += std::string(i == 0 ? "" : ", ") + R"({"a": )" + std::to_string(i) + R"(, "b": ")" +
              std::string(5 + (random.below(20) == 0 ? random.below(40) : 0), 'x') +
              R"(", "c": [1.5, [true, null]])" +
              (random.below(30) == 0 ? R"(, "d": "more"})" : "}");
    text += "]";
    std::string packed = msgpack.encode(json.decode(Source::view(text)));
    for (int i = 0; i < 4; ++i) {
      const Source source = Source::view(packed);
      const Outcome whole = outcome_of([&] { return msgpack.decode(source); });
      for (const char* path : {"a", "[199]", "[150].c", "[3].b", "[200]", "c[1][1]"})
        expect_part(msgpack, source, whole, path);
      packed[random.below(packed.size())] = static_cast<char>(random.below(256));
    }
  }
}

TEST_F(Select, MakesNoNodesOfTheRest) {
  std::string many = "[0";
  for (int i = 0; i < 1000; ++i) many += R"(, {"a": []})";
  const std::string text = R"({"skipped": )" + many + R"(], "x": [[1, 2], [3]], "more": )" + many +
                           R"(], "y": {"z": true, "w": )" + many + "]}}";
  const Value whole = shipped("json").decode(Source::view(text));
  const Codec msgpack = shipped("msgpack-ndarray");
  const std::string packed = msgpack.encode(whole);
  CallOptions options;
  options.limits.max_nodes = 20;
  for (const auto& [path, part] : std::vector<std::pair<const char*, const char*>>{
           {"x", "[[1, 2], [3]]"}, {"x[1]", "[3]"}, {"x[0][1]", "2"}, {"y.z", "true"}}) {
    options.select = path;
    EXPECT_EQ(shipped("json").decode(Source::view(text), options).text({.plain = true}), part);
    EXPECT_EQ(msgpack.decode(Source::view(packed), options).text({.plain = true}), part);
    EXPECT_EQ(
        registry().decode(Source::view(text), options, {.codec = "json"}).text({.plain = true}),
        part);
  }
  options.select = "skipped";
  EXPECT_EQ(error_of([&] { (void)msgpack.decode(Source::view(packed), options); }).code(),
            Status::limit);
}

TEST_F(Select, ReportsLossesOfTheWholeOnce) {
  const Codec json = shipped("json", {{"tolerant", true}});
  Losses losses;
  CallOptions options = losses;
  options.select = "b[1]";
  const Source source = Source::view(R"({"a": 1, // one
"b": [2, 3,]})");
  EXPECT_EQ(json.decode(source, options).text({.plain = true}), "3");
  Losses whole;
  (void)json.decode(source, whole);
  EXPECT_EQ(losses.all, whole.all);
  EXPECT_FALSE(whole.all.empty());
}

TEST_F(Select, LogsTheWarningsOfTheWholeOnce) {
  const std::string bytes =
      "ply\nformat ascii 1.0\nelement v 1\nproperty int a\nend_header\n1\nmore\n";
  for (const char* path : {"$", "v", "v.a", "v[0].a", "v[3]", "nothing"}) {
    CallOptions options;
    options.select = path;
    for (const bool is_named : {true, false}) {
      plugin_log().take();
      try {
        if (is_named)
          (void)shipped("ply").decode(Source::view(bytes), options);
        else
          (void)registry().decode(Source::view(bytes), options);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), Status::not_found) << path;
      }
      const std::vector<std::string> logged = plugin_log().take();
      ASSERT_EQ(logged.size(), 1u) << path;
      EXPECT_NE(logged[0].find("5 bytes follow the last element"), std::string::npos) << logged[0];
    }
  }
}

TEST_F(Select, LeavesNothingOutWhereNoLossMayPass) {
  const std::string bytes =
      "\x82\xa1"
      "a\x01\xa1"
      "b\xa1\xff";
  const Codec codec = shipped("msgpack-ndarray", {{"tolerant", true}});
  CallOptions options;
  options.flags = POLYCODEC_CALL_LOSSLESS;
  const Error whole = error_of([&] { (void)codec.decode(Source::view(bytes), options); });
  options.select = "a";
  const Error part = error_of([&] { (void)codec.decode(Source::view(bytes), options); });
  EXPECT_EQ(part.describe(), whole.describe());
}

TEST_F(Select, LongPathsAreAnsweredAsTheWholeDoes) {
  std::string path = "a";
  for (int i = 0; i < 300'000; ++i) path += ".a";
  const Codec codec = shipped("json");
  const Source source = Source::view(R"({"a": {"a": 1}})");
  expect_part(codec, source, outcome_of([&] { return codec.decode(source); }), path);
  CallOptions options;
  options.columns = {path};
  EXPECT_EQ(error_of([&] { (void)codec.decode(source, options); }).detail(), "projection.path");
}

/// A codec that leaves out all that the caller did not name, also lists below tuples.
struct Sparse {
  static constexpr const char* name = "sparse";
  Sparse(Call&, const Options&) {}
  Node decode(Call& call, const Input&, Builder& out) const {
    const polycodec_projection* const wanted = call.projection();
    const auto is_named = [&](std::string_view path) {
      return wanted == nullptr || wanted->n_paths == 0 || to_string_view(wanted->paths[0]) == path;
    };
    auto list = out.list();
    for (std::int64_t i = 0; i < 3; ++i)
      if (wanted == nullptr || static_cast<std::uint64_t>(i) < wanted->first_row + wanted->n_rows)
        list.push(Builder::integer(i));
    auto object = out.object();
    if (is_named("$.tuple")) object.push("tuple", out.tuple({Builder::integer(7), Node(list)}));
    if (is_named("$.number")) object.push("number", Builder::integer(8));
    return object;
  }
};

TEST_F(Select, AsksAgainWhatACodecLeftOut) {
  static constexpr polycodec_codec sparse = [] {
    polycodec_codec made = make_codec<Sparse>();
    made.manifest = R"({"name": "sparse", "summary": "leaves out", "format_version": "1",
"aliases": [], "media_types": [], "extensions": [".sparse"], "magic": [], "decode": true,
"encode": false, "options": {"type": "object", "additionalProperties": false}})";
    return made;
  }();
  static constexpr const polycodec_codec* codecs[] = {&sparse};
  polycodec_objects objects{};
  objects.struct_size = sizeof objects;
  objects.n_codecs = 1;
  objects.codecs = codecs;
  const Codec codec = registry().with(objects).codec("sparse");
  const Source source = Source::view("x");
  const Outcome whole = outcome_of([&] { return codec.decode(source); });
  for (const char* path : {"number", "numbre", "tuple", "tuple[1]", "tuple[1][2]", "tuple[0]",
                           "tuple[2]", "tuple[1][3]", "[0]"})
    expect_part(codec, source, whole, path);
}

}  // namespace
}  // namespace polycodec::test
