// SPDX-License-Identifier: MIT
// A part of a value, as each codec and the host cut it out.
#include <polycodec/kit/corpus.hpp>
#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include "codecs.hpp"
#include "core/call/budget.hpp"
#include "core/frame/message.hpp"
#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

CallOptions lossy() {
  CallOptions options;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  return options;
}

Source encoded(const Codec& codec, NodeView value) {
  if (codec.info().takes(POLYCODEC_INPUT_BYTES))
    return Source::owned(codec.encode_to_string(value, lossy()));
  MemoryBlobs blobs;
  codec.encode(value, blobs, lossy());
  blobs.finish();
  return Source::store(blobs.to_store());
}

using Steps = std::vector<std::string>;

std::string path_of(const Steps& steps) {
  std::string path(path_root);
  for (const std::string& step : steps) append_key(path, step);
  return path;
}

/// The members of a value, and their members, as paths.
void members_of(const View& value, Steps& at, std::vector<Steps>& all) {
  if (value.is_list() && value.size() != 0) return members_of(value.child(0), at, all);
  if (!value.is_object() || at.size() == 2) return;
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    at.emplace_back(value.name(i));
    if (at.back().size() < max_path_key) {
      all.push_back(at);
      members_of(value.child(i), at, all);
    }
    at.pop_back();
  }
}

/// Says why `part` is not what `steps` name of `whole`, and nothing else.
std::string difference(const View& part, const View& whole, const Steps& steps, std::size_t step) {
  if (step == steps.size()) {
    const auto found = first_difference(part, whole, {.metadata = false});
    return found ? found->path + ": " + found->reason : "";
  }
  if (whole.is_object() || whole.is_map()) {
    const auto wanted = whole.find(steps[step]);
    if (!wanted) return part.size() == 0 ? "" : "members that were not there";
    for (std::uint64_t i = 0; i < part.size(); ++i)
      if (part.name(i) != steps[step]) return "the member " + std::string(part.name(i));
    const auto found = part.find(steps[step]);
    return found ? difference(*found, *wanted, steps, step + 1) : "no member " + steps[step];
  }
  if (part.size() != whole.size() || part.kind() != whole.kind()) return "another kind or size";
  for (std::uint64_t i = 0; i < whole.size(); ++i)
    if (const auto why = difference(part.child(i), whole.child(i), steps, step); !why.empty())
      return why;
  return "";
}

TEST(Projection, EachCodecLeavesOutWhatIsNotNamedAndChangesNothing) {
  std::size_t checked = 0;
  for (const CodecInfo& info : registry().codecs()) {
    if (!info.can_decode || !info.can_encode) continue;
    for (const auto& entry : kit::corpus()) {
      const Value given = Value::build([&](Builder& out) { return entry.make(out); });
      Source source;
      Value whole;
      std::optional<Codec> codec;
      try {
        codec = opened(info, given.view());
        source = encoded(*codec, given.view());
        whole = codec->decode(source);
      } catch (const Error&) {
        continue;  // what the codec refuses
      }
      std::vector<Steps> all;
      Steps at;
      members_of(View(whole.view()), at, all);
      if (all.size() > 24) all.resize(24);
      for (const Steps& steps : all) {
        CallOptions options;
        options.projection.paths = {path_of(steps)};
        const Value part = codec->decode(source, options);
        EXPECT_TRUE(part.is_partial());
        EXPECT_NO_THROW(validate(part.view(), {}, Validation::full));
        EXPECT_EQ(difference(View(part.view()), View(whole.view()), steps, 0), "")
            << info.name << " " << entry.name << " " << options.projection.paths[0];
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100u);
}

TEST(Projection, RowsAreARangeOfTheOutermostDimension) {
  std::size_t checked = 0;
  for (const auto& entry : kit::corpus()) {
    const Value given = Value::build([&](Builder& out) { return entry.make(out); });
    const View whole(given.view());
    if (whole.kind() != POLYCODEC_KIND_LIST) continue;
    Codec codec = registry().codec("yggdrasil");
    Source source;
    Value back;
    try {
      source = Source::owned(to_text(given.view()));
      ReadOptions plain;
      plain.codec = typed_json_name;
      back = std::move(registry().read(source, plain).value);
    } catch (const Error&) {
      continue;
    }
    const View all(back.view());
    for (const auto& [first, rows] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {0, 1}, {1, 2}, {2, UINT64_MAX}, {0, 0}, {1000000, 5}}) {
      ReadOptions options;
      options.codec = typed_json_name;
      options.projection.first_row = first;
      options.projection.rows = rows;
      const Value part = std::move(registry().read(source, options).value);
      EXPECT_NO_THROW(validate(part.view(), {}, Validation::full)) << entry.name;
      const View cut(part.view());
      const std::uint64_t begin = std::min(first, all.size());
      ASSERT_EQ(cut.size(), std::min(rows, all.size() - begin)) << entry.name;
      for (std::uint64_t i = 0; i < cut.size(); ++i)
        EXPECT_TRUE(equal(cut.child(i), all.child(begin + i))) << entry.name << " row " << i;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100u);
}

Source text(const char* value) {
  return Source::view(value, "value.json");
}

ReadOptions part(std::vector<std::string> paths, std::uint64_t first = 0,
                 std::uint64_t rows = UINT64_MAX) {
  ReadOptions options;
  options.codec = typed_json_name;
  options.projection = {std::move(paths), first, rows};
  return options;
}

constexpr const char* nested = R"({"type": "any", "value": {"a": {"x": [1, 2, 3], "y": 4},
  "t": [{"p": 1, "q": [5]}, {"p": 2, "q": [6]}], "a b": true}})";

TEST(Projection, NamesMembersOfObjectsAndOfItems) {
  const auto cut = [](std::vector<std::string> paths, std::uint64_t first = 0,
                      std::uint64_t rows = UINT64_MAX) {
    TextOptions plain;
    plain.plain = true;
    return to_text(registry().read(text(nested), part(std::move(paths), first, rows)).value.view(),
                   plain);
  };
  EXPECT_EQ(cut({"$.a.x", "$.t.p"}), R"({"a": {"x": [1, 2, 3]}, "t": [{"p": 1}, {"p": 2}]})");
  EXPECT_EQ(cut({R"($["a b"])"}), R"({"a b": true})");
  EXPECT_EQ(cut({"$.a.x", "$.t"}, 1, 1), R"({"a": {"x": [2]}, "t": [{"p": 2, "q": [6]}]})");
  EXPECT_EQ(cut({"$.t.q"}, 1), R"({"t": [{"q": [6]}]})");
  EXPECT_EQ(cut({"$.a", "$.a.x"}), R"({"a": {"x": [1, 2, 3], "y": 4}})");
}

TEST(Projection, RefusesWhatIsNotThere) {
  const auto refused = [](std::vector<std::string> paths, std::uint64_t rows = UINT64_MAX) {
    return test::error_of(
        [&] { (void)registry().read(text(nested), part(std::move(paths), 0, rows)); });
  };
  const Error unknown = refused({"$.t.pp"});
  EXPECT_EQ(unknown.code(), Status::not_found);
  EXPECT_EQ(unknown.path(), "$.t");
  EXPECT_EQ(unknown.message(), "there is no member 'pp' (did you mean 'p'?)");
  EXPECT_NE(refused({"$.zzzzzz"}).message().find("the members are 'a', 't', 'a b'"),
            std::string::npos);
  EXPECT_EQ(refused({"$.a.y.z"}).code(), Status::not_found);
  EXPECT_EQ(refused({"$.a.y"}, 1).code(), Status::type);
  EXPECT_EQ(refused({}, 1).code(), Status::type);
  for (const char* wrong : {"$.", "$[0]", "$.a[", "$[\"a", "$.a..x", "$.a]x[", ""})
    EXPECT_EQ(refused({wrong}).code(), Status::option) << wrong;
}

TEST(Projection, PlyPassesWordsOfAnyLength) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement v 2\nproperty float skipped\nproperty int kept\nend_header\n";
  CallOptions options;
  options.projection.paths = {"$.v.kept"};
  for (std::size_t length = 1; length < 40; ++length)
    for (const char* separator : {" ", "\t", "\n", "\r\n", "  \t "}) {
      // A byte below the space is a part of the word, unless it separates words.
      const std::string word = std::string(length, '1') + (length % 2 == 0 ? "\x01" : "");
      std::string text = head;
      for (const char* number : {"7", "8"}) text += word + separator + number + "\n";
      for (std::size_t end = 0; end < 9; ++end) {
        const Value value = registry().codec("ply").decode(Source::view(text), options);
        EXPECT_EQ(View(value.view())["v"][0]["kept"].as_int64(), 7) << text;
        EXPECT_EQ(View(value.view())["v"][1]["kept"].as_int64(), 8) << text;
        text.insert(head.size() + word.size(), " ");
      }
    }
}

/// Five vertices, four faces of different sizes, three edges; ascii, or what the codec writes.
std::string ply_of(const char* format) {
  const std::string ascii =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty int y\n"
      "element face 4\nproperty list uchar int corners\nproperty uchar red\n"
      "element edge 3\nproperty int a\nend_header\n"
      "0.5 1\n1.5 2\n2.5 3\n3.5 4\n4.5 5\n3 0 1 2 7\n4 0 1 2 3 8\n3 2 3 4 9\n3 0 1 4 6\n1\n2\n3\n";
  const Value value = registry().codec("ply").decode(Source::view(ascii));
  return registry()
      .codec_with_json("ply", std::string(R"({"format": ")") + format + "\"}")
      .encode_to_string(value.view());
}

TEST(Projection, PlyReadsNoRowsAfterTheLastOne) {
  const Codec codec = registry().codec("ply");
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    const std::string text = ply_of(format);
    const Value all = codec.decode(Source::view(text));
    const auto part = [&](std::string_view of, std::vector<std::string> paths, std::uint64_t first,
                          std::uint64_t rows) {
      CallOptions options;
      options.projection = {std::move(paths), first, rows};
      return codec.decode(Source::view(of), options);
    };
    for (const auto& [first, rows] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {0, 0}, {0, 2}, {1, 1}, {2, UINT64_MAX}, {3, 100}, {9, 9}})
      for (const Steps& steps :
           std::vector<Steps>{{"vertex", "y"}, {"face", "corners"}, {"edge"}}) {
        const Value cut = part(text, {path_of(steps), "$.vertex.x"}, first, rows);
        const View whole = View(all.view())[steps[0]];
        const View found = View(cut.view())[steps[0]];
        const std::uint64_t begin = std::min(first, whole.size());
        ASSERT_EQ(found.size(), std::min(rows, whole.size() - begin)) << format;
        const std::string name(steps.size() == 2 ? steps[1] : "a");
        for (std::uint64_t i = 0; i < found.size(); ++i)
          EXPECT_TRUE(equal(found[i][name], whole[begin + i][name])) << format << " " << name;
      }
    // The file may end after the last row that is wanted, and not before it.
    const std::string faces = text.substr(0, text.size() - (format[0] == 'a' ? 6 : 12));
    const Value cut = part(faces.substr(0, faces.size() - 2), {"$.face.red"}, 1, 2);
    EXPECT_EQ(View(cut.view())["face"][1]["red"].as_int64(), 9) << format;
    const auto error = [&](std::uint64_t rows) {
      return attempt(
                 [&] { return part(faces.substr(0, faces.size() - 2), {"$.face.red"}, 0, rows); })
          .error();
    };
    EXPECT_EQ(error(4).code(), Status::truncated) << format;
    EXPECT_TRUE(error(4).path().starts_with("$.face[3].")) << error(4).path();
    EXPECT_NE(error(4).message().find("4"), std::string::npos) << error(4).message();
  }
  // What is passed on the way to a wanted element has the numbers of the file.
  std::string text = ply_of("ascii");
  text.replace(text.find("3 0 1 4 6"), 1, "x");
  CallOptions options;
  options.projection = {{"$.face.red", "$.edge"}, 0, 1};
  const auto failed = attempt([&] { return codec.decode(Source::view(text), options); });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().path(), "$.face[3].corners");
}

TEST(Projection, MsgpackMakesNoNodesOfRowsAfterTheLastOne) {
  const Codec codec = registry().codec("msgpack-ndarray");
  const auto part = [&](const char* json, std::vector<std::string> paths, std::uint64_t first,
                        std::uint64_t rows, std::uint64_t most_nodes) {
    const std::string bytes = codec.encode_to_string(parse_json(json).view());
    CallOptions options;
    options.projection = {std::move(paths), first, rows};
    options.limits = Limits{};
    options.limits->max_nodes = most_nodes;
    TextOptions plain;
    plain.plain = true;
    return to_text(codec.decode(Source::view(bytes), options).view(), plain);
  };
  const char* const list = R"([{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3]}, {"a": 3, "b": []}, 4])";
  const auto fits = [&](std::uint64_t rows) {
    return attempt([&] { return part(list, {}, 0, rows, 10); }).ok();
  };
  EXPECT_TRUE(fits(1));
  EXPECT_FALSE(fits(3));
  EXPECT_EQ(part(list, {}, 0, 1, 10), part(list, {}, 0, 1, 100));
  EXPECT_EQ(part(list, {"$.b"}, 1, 1, 100), R"([{"b": [3]}])");
  EXPECT_EQ(part(list, {}, 3, 9, 100), "[4]");
  EXPECT_EQ(part(R"({"x": [[1, 2], [3], 4], "y": 1})", {"$.x"}, 0, 2, 100),
            R"({"x": [[1, 2], [3]]})");
  // Rows of a stream of documents are documents, which are not cut themselves.
  CallOptions options;
  options.projection.rows = 1;
  const Value stream = codec.decode(Source::view("\x92\x01\x02\x92\x03\x04"), options);
  const View documents(NodeView(stream.root()->as.extension->payload));
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].size(), 2u);
}

std::string plain_text(const Value& value) {
  TextOptions plain;
  plain.plain = true;
  return to_text(value.view(), plain);
}

TEST(Projection, JsonMakesNoNodesOfWhatIsNotWanted) {
  const Codec codec = registry().codec("json");
  const auto part = [&](std::string_view text, std::vector<std::string> paths, std::uint64_t first,
                        std::uint64_t rows, std::uint64_t most_nodes) {
    CallOptions options;
    options.projection = {std::move(paths), first, rows};
    options.limits = Limits{};
    options.limits->max_nodes = most_nodes;
    return plain_text(codec.decode(Source::view(text), options));
  };
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += i == 0 ? "1" : ", {\"a\": []}";
  many += "]";
  const std::string text = R"({"skipped": )" + many + R"(, "x": [[1, 2], [3], 4], "more": )" +
                           many + R"(, "y": {"z": true, "w": )" + many + "}}";
  EXPECT_EQ(part(text, {"$.x"}, 0, UINT64_MAX, 20), R"({"x": [[1, 2], [3], 4]})");
  EXPECT_EQ(part(text, {"$.x"}, 1, 1, 20), R"({"x": [[3]]})");
  EXPECT_EQ(part(text, {"$.y.z"}, 0, UINT64_MAX, 10), R"({"y": {"z": true}})");
  EXPECT_EQ(part(many, {}, 0, 1, 10), "[1]");
  EXPECT_EQ(part("[" + text + ", " + text + ", " + text + "]", {"$.x"}, 1, 1, 30),
            R"([{"x": [[1, 2], [3], 4]}])");
  const auto lines = [&](std::uint64_t first, std::uint64_t rows) {
    CallOptions options;
    options.projection = {{"$.x"}, first, rows};
    return plain_text(
        registry()
            .codec_with_json("json", R"({"form": "jsonl"})")
            .decode(Source::view("{\"x\": 1, \"y\": 2}\n{\"y\": 3, \"x\": 4}\n"), options));
  };
  EXPECT_EQ(lines(0, UINT64_MAX), R"([{"x": 1}, {"x": 4}])");
  EXPECT_EQ(lines(1, 1), R"([{"x": 4}])");
}

TEST(Projection, JsonPassesStringsAndBracketsAtEveryPlace) {
  const Codec codec = registry().codec("json");
  CallOptions options;
  options.projection.paths = {"$.k"};
  for (const char* passed :
       {R"("]}\\\"")", R"(["\\", "[{", {"a": "}\""}, []])", R"({"\"]": [[], {}], "\\\\": 1})",
        "-1.5e3", "true", R"([[[[[[[["]"]]]]]]]])"}) {
    for (std::size_t shift = 0; shift < 140; ++shift) {
      const std::string text = "{\"" + std::string(shift, 'x') + "\":" + passed +
                               std::string(shift % 7, ' ') + ", \"k\": [1, \"]\"]}";
      ASSERT_EQ(plain_text(codec.decode(Source::view(text), options)), R"({"k": [1, "]"]})")
          << text;
    }
  }
}

TEST(Projection, ErrorsInPartsAreThoseOfTheWhole) {
  const auto error_of = [](const char* name, std::string_view text, const CallOptions& options) {
    return attempt([&] { return registry().codec(name).decode(Source::view(text), options); })
        .error();
  };
  CallOptions options;
  options.projection.paths = {"$.k"};
  for (const char* text :
       {R"({"a": 1, "k": [1, tru]})", R"({"a": [1, "k": 2})", R"({"a": "x, "k": 2})",
        R"({"a": 1 "k": 2})", R"({"a": 1, "k": 2} 3)", R"({"a": 1, "k": 2)", R"({"k": 1, "k": 2})",
        "{\"a\": \"\xff\", \"k\": 2}", R"({"a": , "k": 2})", R"({"a": 1,, "k": 2})",
        R"([{"k": 1}, {"a": [, "k": 2}])", R"({"a": 1, k: 2})"}) {
    const Error whole = error_of("json", text, {});
    const Error part = error_of("json", text, options);
    EXPECT_EQ(part.code(), whole.code()) << text;
    EXPECT_EQ(part.offset(), whole.offset()) << text;
    EXPECT_EQ(part.message(), whole.message()) << text;
    EXPECT_EQ(part.path(), whole.path()) << text;
  }
  // Truncated within what is passed, and a byte that no item has there.
  using std::string_view_literals::operator""sv;
  for (const std::string_view bytes :
       {"\x82\xa1\x61\x93\x01\x02"sv, "\x82\xa1\x61\xa5zzz"sv,
        "\x82\xa1\x61\x92\x01\xc1\xa1\x6b\x01"sv, "\x82\xa1\x61\xcb\0\0"sv,
        "\x82\xa1\x61\xdb\xff\xff\xff\xff\xa1\x6b\x01"sv}) {
    const Error whole = error_of("msgpack-ndarray", bytes, {});
    const Error part = error_of("msgpack-ndarray", bytes, options);
    EXPECT_EQ(part.code(), whole.code());
  }
  // A list on the way that takes more memory than is allowed.
  CallOptions little = options;
  little.projection.paths = {"$.b.k"};
  little.limits = Limits{};
  little.limits->max_memory_bytes = 300'000;
  std::string list("\x82\xa1\x61\x00\xa1\x62\x92\x07\xdc\x9c\x40"sv);
  list.append(40'000, '\x01');
  const Error no_memory = error_of("msgpack-ndarray", list, little);
  EXPECT_EQ(no_memory.code(), Status::limit);
  EXPECT_EQ(no_memory.path(), "$.b[1]");
  EXPECT_EQ(no_memory.offset(), 8u);
  // What is passed is not read closely.
  EXPECT_EQ(plain_text(registry().codec("json").decode(
                Source::view(R"({"a": [tru, 1 2], "k": 2, "b": 1x})"), options)),
            R"({"k": 2})");
}

TEST(Projection, MsgpackPassesItemsOfEveryKind) {
  // In runs of one kind, and in turn, up to the end of the input.
  const Codec codec = registry().codec("msgpack-ndarray");
  std::vector<std::string> items{"\xc0",
                                 "\xc2",
                                 "\xcb"
                                 "12345678",
                                 "\xca"
                                 "1234",
                                 "\xcc"
                                 "1",
                                 "\xcd"
                                 "12",
                                 "\xce"
                                 "1234",
                                 "\xcf"
                                 "12345678",
                                 "\xd0"
                                 "1",
                                 "\xd1"
                                 "12",
                                 "\xd2"
                                 "1234",
                                 "\xd3"
                                 "12345678",
                                 "\x07",
                                 "\xe7",
                                 "\xa3"
                                 "abc",
                                 "\xbf" + std::string(31, 'x'),
                                 "\xd9\x28" + std::string(40, 'y'),
                                 "\xc4\x02"
                                 "ab",
                                 "\xd4\x05"
                                 "a",
                                 "\x92\x01\xa1"
                                 "a",
                                 "\x81\xa1"
                                 "a\x90",
                                 "\xd8\x05" + std::string(16, 'z')};
  items.push_back(std::string("\xdc\0\x02\x01\x02", 5));
  CallOptions options;
  options.projection.paths = {"$.k"};
  for (std::size_t kind = 0; kind <= items.size(); ++kind) {
    for (const std::size_t count : {1u, 7u, 8u, 9u, 17u, 64u, 400u}) {
      std::string list = {'\xdc', static_cast<char>(count >> 8), static_cast<char>(count)};
      for (std::size_t i = 0; i < count; ++i)
        list += items[(kind == items.size() ? i * 5 : kind) % items.size()];
      const std::string text = "\x82\xa1p" + list + "\xa1k\x05";
      ASSERT_EQ(plain_text(codec.decode(Source::view(text), options)), R"({"k": 5})")
          << kind << ' ' << count;
      const std::string last = "\x82\xa1k\x05\xa1p" + list;
      ASSERT_EQ(plain_text(codec.decode(Source::view(last), options)), R"({"k": 5})")
          << kind << ' ' << count;
      for (std::size_t cut = 1; cut < std::min<std::size_t>(list.size(), 40); ++cut)
        ASSERT_EQ(attempt([&] {
                    return codec.decode(
                        Source::view(std::string_view(last).substr(0, last.size() - cut)), options);
                  })
                      .error()
                      .code(),
                  Status::truncated);
    }
  }
}

TEST(Projection, AwkwardReadsOnlyTheBlobsOfItsColumns) {
  std::string members;
  for (int i = 0; i < 12; ++i)
    members +=
        (i == 0 ? "" : ", ") + std::string("\"c") + std::to_string(i) + "\": " + std::to_string(i);
  std::string type = "3 * {";
  for (int i = 0; i < 12; ++i)
    type += (i == 0 ? "c" : ", c") + std::to_string(i) + (i == 1 ? ": float64" : ": int64");
  const std::string row = "{" + members + "}";
  const Value table = parse_text("{\"type\": \"" + type + "}\", \"value\": [" + row + ", " + row +
                                 ", " + row + "]}");
  const Codec awkward = registry().codec("awkward");
  MemoryBlobs blobs;
  awkward.encode(table.view(), blobs);
  blobs.finish();
  const auto all = blobs.to_store();
  // Who does not read a blob does not miss it.
  CallOptions options;
  options.projection.paths = {"$.c1"};
  std::size_t needed = 0;
  for (const auto& gone : all->entries()) {
    std::vector<std::pair<std::string, std::string>> fewer;
    for (const auto& entry : all->entries())
      if (entry.name != gone.name) fewer.emplace_back(entry.name, all->read(entry.name));
    const Source source = Source::store(std::make_shared<MemoryStore>(std::move(fewer)));
    const auto result = attempt([&] { return awkward.decode(source, options); });
    if (!result.ok()) {
      ++needed;
      continue;
    }
    EXPECT_EQ(View(result->view()).size(), 3u);
    EXPECT_EQ(View(result->view())[0]["c1"].as_double(), 1);
  }
  EXPECT_EQ(all->entries().size(), 13u);
  EXPECT_EQ(needed, 2u);  // the schema, and the column
}

/// Decodes columns of an expression whose blob `d` holds three doubles, and `none` is not there.
std::string columns_of(const std::string& expression, std::vector<std::string> paths) {
  const double numbers[] = {1, 2, 3};
  std::vector<std::pair<std::string, std::string>> blobs{
      {".json", R"({"awkward0": "x", "schema": )" + expression + "}"},
      {"d", std::string(reinterpret_cast<const char*>(numbers), sizeof numbers)}};
  CallOptions options;
  options.projection.paths = std::move(paths);
  const auto store = std::make_shared<MemoryStore>(std::move(blobs));
  const auto result = attempt([&] {
    TextOptions plain;
    plain.plain = true;
    const Value value = registry().codec("awkward").decode(Source::store(store), options);
    return to_text(value.view(), plain);
  });
  return result.ok() ? *result : std::string(result.error().detail());
}

TEST(Projection, AwkwardTakesColumnsOfTablesWhereverTheyAre) {
  const auto buffer = [](const std::string& blob) {
    return R"({"call": ["numpy", "frombuffer"], "args": [{"read": ")" + blob +
           R"("}, {"dtype": "<f8"}, {"json": 3}]})";
  };
  const std::string table =
      R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["x", )" + buffer("d") +
      R"(], ["y", )" + buffer("none") + "]]}, {\"json\": 0}]}";
  EXPECT_EQ(columns_of(table, {}), "store.no_such_blob");
  EXPECT_EQ(columns_of(table, {"$.y"}), "store.no_such_blob");
  EXPECT_EQ(columns_of(table, {"$.x"}), R"([{"x": 1.0}, {"x": 2.0}, {"x": 3.0}])");
  const std::string jagged =
      R"({"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": [2, 1]}, )" + table +
      "]}";
  EXPECT_EQ(columns_of(jagged, {"$.x"}), R"([[{"x": 1.0}, {"x": 2.0}], [{"x": 3.0}]])");
  const std::string inner =
      R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["t", )" + table +
      R"(], ["u", )" + buffer("none") + "]]}, {\"json\": 0}]}";
  EXPECT_EQ(columns_of(inner, {"$.t.x"}),
            R"([{"t": {"x": 1.0}}, {"t": {"x": 2.0}}, {"t": {"x": 3.0}}])");
  EXPECT_EQ(
      columns_of(R"({"dict": {"a": )" + table + R"(, "b": )" + buffer("none") + "}}", {"$.a.x"}),
      R"({"a": [{"x": 1.0}, {"x": 2.0}, {"x": 3.0}]})");
  // What is referred to is read whole: the other one may want all of it.
  std::string shared = table;
  shared.insert(1, R"("id": 7, )");
  EXPECT_EQ(columns_of(R"({"dict": {"a": )" + shared + R"(, "b": {"ref": 7}}})", {"$.a.x", "$.b"}),
            "store.no_such_blob");
}

TEST(Projection, AnInputCountsOnce) {
  const Value value = parse_text(R"({"a": [1, 2, 3], "b": [4, 5]})");
  const Codec codec = registry().codec("msgpack-ndarray");
  const std::string body = codec.encode_to_string(value.view());
  Header header;
  codec.describe(header);
  const Source inputs[] = {Source::owned(build_frame(header, body.size()) + body),
                           Source::owned(to_text(value.view()))};
  for (const Source& input : inputs) {
    std::uint64_t work[2] = {};
    for (const bool projected : {false, true}) {
      ReadOptions options;
      const auto budget = make_budget();
      options.budget = budget;
      if (projected) options.projection.paths = {"$.a"};
      (void)registry().read(input, options);
      work[projected ? 1 : 0] = budget->max_work();
    }
    EXPECT_EQ(work[0], work[1]);
    EXPECT_GT(work[0], Limits().work_for(0));
  }
}

}  // namespace
}  // namespace polycodec
