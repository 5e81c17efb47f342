// SPDX-License-Identifier: MIT
// Long documents, which threads read and write in runs of items: values, errors and bytes are those
// of one thread.
#include <base/json_reader.hpp>
#include <polycodec/builder.hpp>

#include "chunks.hpp"
#include "core/text/text.hpp"
#include "plugins/msgpack_ndarray/item_shape.hpp"
#include "plugins/msgpack_ndarray/skip.hpp"
#include "registry/json/json_cut.hpp"
#include "same.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace polycodec;
using namespace polycodec::test;

constexpr std::size_t long_text = std::size_t{5} << 18;  // more than what one thread reads

/// Values whose text has all that a cut could stumble over.
std::string record(Numbers& numbers, int i) {
  static constexpr const char* names[] = {
      R"("plain")",           R"("a, b] c} d")", R"("\"[\\")",    R"("é \u00e9 \\\\")",
      R"("{\"x\": [1, 2]}")", R"("")",           R"("\\\"\\\",")"};
  std::string text = "{\"id\": " + std::to_string(i) + ", \"name\": " + names[numbers.below(7)];
  text += ", \"at\" : [" + numbers.real() + " ,\n" + numbers.real() + "], \"more\": {\"a\": [], ";
  text += "\"b\": {}, \"c\": [[1, [2]], null, true]}, \"n\":" + numbers.real() + "}";
  return text;
}

std::string list_of(std::size_t size, const std::function<std::string(int)>& item,
                    const char* comma = ", ") {
  std::string text = "[";
  for (int i = 0; text.size() < size; ++i) text += (i == 0 ? "" : comma) + item(i);
  return text + "]";
}

std::string records(std::size_t size = long_text, const char* comma = ", ") {
  Numbers numbers;
  return list_of(
      size, [&](int i) { return record(numbers, i); }, comma);
}

struct Named {
  const char* name;
  std::string text;
};

std::vector<Named> documents() {
  Numbers numbers;
  const auto number = [](int i) { return std::to_string(i); };
  std::string members = "{";
  for (int i = 0; members.size() < long_text; ++i)
    members += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\\u0041\": " + record(numbers, i);
  std::string deep = records(long_text / 2);
  for (int i = 0; i < 12; ++i) deep = "{\"before\": [1, 2], \"x\\\"\": [" + deep + ", 3]}";
  std::string columns = "{";
  for (int i = 0; i < 9; ++i)
    columns += (i == 0 ? "\"c" : ", \"c") + std::to_string(i) + "\": " + list_of(300'000, number);
  std::string lines;
  for (int i = 0; lines.size() < long_text; ++i)
    lines += record(numbers, i) + (i % 3 == 0 ? "\n" : i % 3 == 1 ? "\r\n\n" : " ");
  // Rows of a table, some of which are unlike the others.
  const auto row = [&](int i) {
    const std::string more = i % 5000 == 0 ? ", \"more\": [" + number(i) + "]" : "";
    const std::string last = i % 7000 == 0 ? "null" : numbers.below(2) != 0 ? "true" : "false";
    return "{\"i\": " + number(i) + ", \"x\": " + number(i) + ".5" + more + ", \"ok\": " + last +
           "}";
  };
  const std::string word = "\"" + std::string(long_text, 'x') + "\"";
  return {
      {"records", records()},
      {"records in lines", "\xef\xbb\xbf \n" + records(long_text, "\n,\n") + "\n\n"},
      {"numbers", list_of(long_text, number, ",")},
      {"members", members + "}"},
      {"deep", deep},
      {"columns", columns + "}"},
      {"lines", lines},
      {"columns of records", "{\"a\": " + records() + ", \"b\": " + records() + "}"},
      {"lists of lists", list_of(long_text * 2, [&](int) { return list_of(400'000, number); })},
      {"one long text", "[1, " + word + ", 2, " + word + "]"},
      {"few long items", "[" + records() + "," + word + "," + records() + "]"},
      {"spaces", "[1," + std::string(long_text, ' ') + "[" + std::string(long_text, '\n') + "]]"},
      {"rows", list_of(long_text * 3, row)},
  };
}

std::string json_outcome(const std::string& text, std::uint32_t threads,
                         const char* options = "{}") {
  return outcome_of(codecs().codec_with_json("json", options), Source::view(text), threads);
}

TEST(JsonDocuments, AreReadAsByOneThread) {
  for (const Named& document : documents()) {
    SCOPED_TRACE(document.name);
    if (!is_next_case()) continue;
    const bool is_lines = std::string_view(document.name) == "lines";
    const char* const options = is_lines ? R"({"form": "jsonl"})" : "{}";
    const std::string value =
        same([&](std::uint32_t threads) { return json_outcome(document.text, threads, options); });
    EXPECT_GT(value.size(), std::string_view(document.name) == "spaces" ? 0u : 100'000u) << value;
  }
}

/// The nodes of long documents are in runs, or else one thread would read them.
TEST(JsonDocuments, AreCutIntoRuns) {
  for (const Named& document : documents()) {
    SCOPED_TRACE(document.name);
    json::JsonCutter cutter(document.text, std::string_view(document.name) == "lines");
    std::size_t runs = 0, in_runs = 0, open = 0;
    for (json::JsonCut cut = cutter.next(); cut.kind != json::JsonCut::end; cut = cutter.next()) {
      ASSERT_NE(cut.kind, json::JsonCut::other);
      if (cut.kind == json::JsonCut::run) ++runs, in_runs += cut.text.size();
      open += cut.kind == json::JsonCut::open ? 1 : 0;
      open -= cut.kind == json::JsonCut::close ? 1 : 0;
    }
    EXPECT_EQ(open, 0u);
    if (std::string_view(document.name) == "spaces") continue;
    EXPECT_GE(runs, 2u);
    EXPECT_GT(in_runs, document.text.size() - 2000) << runs;
  }
}

TEST(JsonDocuments, TheFirstErrorInOrder) {
  const std::string good = records();
  const auto broken = [&](std::string text) {
    const std::string error =
        same([&](std::uint32_t threads) { return json_outcome(text, threads); });
    EXPECT_NE(error.find("(line "), error.npos) << error.substr(0, 200);
  };
  for (const std::size_t place : {good.size() / 3, good.size() - 300}) {
    const auto at = [&](const char* what) { return good.find(what, place); };
    const auto with = [&](const char* what, const char* instead) {
      return std::string(good).replace(at(what), std::string_view(what).size(), instead);
    };
    broken(with("\"id\"", "\"name\""));  // twice
    broken(with("}, {", "}, , {"));
    broken(with("}, {", "}, ] {"));
    broken(with("}, {", "} {"));
    broken(with("}, {", "}}, {"));
    broken(with("}, {", "], {"));
    broken(with("\"n\":", "\"n\" "));
    broken(with("\"id\"", "\"\x01\""));
    broken(with("\"id\"", "\"\xff\""));
    broken(with("null", "nul"));
    broken(with("true", "1e999"));
    broken(with("\"at\"", "\"at"));
    broken(good.substr(0, place));
    // Of two the first is named.
    broken(with("}, {", "}, x {") + "x");
  }
  broken(good + ", 1");
  broken(good.substr(0, good.size() - 1));
  broken(good.substr(0, good.size() - 1) + ",]");
  broken(good.substr(0, good.size() - 1) + "}");
  broken("[" + good + ",]");
  broken("[," + good + "]");
  broken("{\"a\": " + good + ", \"b\": 1, \"a\": 2}");
  broken("{\"a\": " + good + ", \"b\": " + good + ", \"a\": " + good + "}");
  broken("{\"a\" " + good + "}");
  broken("{\"a\": " + good + ", 5: 6}");
}

/// A list of the most that the limits allow, and one more.
void expect_limits(const char* codec, const std::string& text, std::uint64_t nodes,
                   std::uint32_t depth) {
  const Codec reader = codecs().codec(codec);
  for (const int more : {0, 1})
    for (const bool is_depth : {false, true}) {
      const std::string outcome = same([&](std::uint32_t threads) -> std::string {
        CallOptions call = with_threads(threads);
        Limits limits;
        if (is_depth)
          limits.max_depth = depth - static_cast<std::uint32_t>(more);
        else
          limits.max_nodes = nodes - static_cast<std::uint64_t>(more);
        call.limits = limits;
        try {
          return written(codecs().codec("json"), reader.decode(Source::view(text), call).view(), 1);
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), Status::limit);
          return words(e);
        }
      });
      EXPECT_EQ(outcome.size() < 1000, more == 1) << is_depth << outcome.substr(0, 200);
    }
}

std::string numbers_in(std::size_t count, const char* open, const char* close) {
  std::string text = open;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "1234567" : ",1234567");
  return text + close;
}

TEST(JsonDocuments, LimitsHoldAcrossRuns) {
  expect_limits("json", numbers_in(200'000, "[[", "]]"), 200'002, 2);
  expect_limits("json", numbers_in(200'000, "{\"a\":{\"b\":[", "]}}"), 200'005, 3);
  expect_bounds("json", records());
}

TEST(JsonDocuments, AreWrittenAsByOneThread) {
  for (const Named& document : documents()) {
    SCOPED_TRACE(document.name);
    if (!is_next_case()) continue;
    const bool is_lines = std::string_view(document.name) == "lines";
    const Value value = codecs()
                            .codec_with_json("json", is_lines ? R"({"form": "jsonl"})" : "{}")
                            .decode(Source::view(document.text), with_threads(1));
    for (const char* options : {"{}", R"({"indent": 2})", R"({"form": "jsonl"})"})
      same([&](std::uint32_t threads) {
        try {
          return written(codecs().codec_with_json("json", options), value.view(), threads);
        } catch (const Error& e) {
          return words(e);
        }
      });
  }
}

/// Losses are reported once, before anything is left out.
TEST(JsonDocuments, LossesDoNotDependOnThreads) {
  std::vector<Node> items;
  const Value value = Value::build([&](Builder& out) {
    for (int i = 0; i < 20'000; ++i)
      items.push_back(i % 5'000 == 4'999 ? Builder::real(1.0 / 0.0)
                      : i % 7'000 == 0   ? out.bytes_copy("bytes")
                                         : out.string_copy("text " + std::to_string(i)));
    return out.list(items);
  });
  for (const std::uint32_t allowed : {all_losses, losses_of(LossClass::type)})
    same([&](std::uint32_t threads) {
      std::string all;
      CallOptions call = with_threads(threads);
      call.losses = allowed;
      call.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
        all += std::string(path) + " " + std::string(what) + "\n";
      };
      BufferSink sink;
      try {
        codecs().codec("json").encode(value.view(), sink, call);
        return all + std::string(sink.view());
      } catch (const Error& e) {
        return all + words(e);
      }
    });
}

// -- msgpack --

std::string msgpack_of(const std::string& json, const char* options = "{}") {
  const Value value =
      codecs().codec_with_json("json", options).decode(Source::view(json), with_threads(1));
  return written(codecs().codec("msgpack-ndarray"), value.view(), 1);
}

std::string msgpack_outcome(const std::string& bytes, std::uint32_t threads,
                            const char* options = "{}") {
  try {
    const Value value = codecs()
                            .codec_with_json("msgpack-ndarray", options)
                            .decode(Source::view(bytes), with_threads(threads));
    return to_text(value.view());
  } catch (const Error& e) {
    return words(e);
  }
}

std::vector<Named> packed() {
  std::vector<Named> all;
  for (const Named& document : documents()) {
    const bool is_lines = std::string_view(document.name) == "lines";
    const std::string bytes = msgpack_of(document.text, is_lines ? R"({"form": "jsonl"})" : "{}");
    if (std::string_view(document.name) != "spaces") all.push_back({document.name, bytes});
  }
  // A key that is not text, early and late.
  for (const std::size_t odd : {std::size_t{3}, std::size_t{90'000}}) {
    std::string map = "\xdf" + std::string("\x00\x01\x86\xa0", 4);
    for (std::size_t i = 0; i < 100'000; ++i)
      map += i == odd ? std::string(
                            "\x07\xa9"
                            "the value")
                      : "\xa3"
                        "key\xaa"
                        "some value";
    all.push_back({"map", map});
  }
  // Dates, extensions, and arrays with an attribute that cannot be one.
  std::string others = "\xdd" + std::string("\x00\x01\x86\xa0", 4);
  for (std::size_t i = 0; i < 25'000; ++i) {
    others += "\xd6\xff" + std::string("\x5e\x0b\xe1\x00", 4);
    others +=
        "\xc7\x0d\x05"
        "thirteen byte";
    others +=
        "\xc4\x0f"
        "fifteen bytes..";
    others += "\xcf" + std::string("\xff\xff\xff\xff\x00\x00\x00\x01", 8);
  }
  all.push_back({"others", others});
  return all;
}

TEST(MsgpackDocuments, AreReadAsByOneThread) {
  for (const Named& document : packed()) {
    SCOPED_TRACE(document.name);
    if (!is_next_case()) continue;
    for (const char* options : {"{}", R"({"utf8": "lenient"})"})
      EXPECT_GT(same([&](std::uint32_t threads) {
                  return msgpack_outcome(document.text, threads, options);
                }).size(),
                document.text.size() / 2);
  }
}

std::string random_item(Numbers& numbers, int depth) {
  const auto byte = [&](std::uint32_t least, std::uint32_t count) {
    return static_cast<char>(least + numbers.below(count));
  };
  const auto bytes = [&](std::size_t count) {
    std::string all;
    while (all.size() < count) all += byte(0, 256);
    return all;
  };
  switch (numbers.below(depth == 0 ? 7 : 9)) {
    case 0:
      return {byte(0, 128)};
    case 1:
      return {byte(0xe0, 32)};
    case 2:
      return numbers.below(3) == 0 ? std::string(1, byte(0xc0, 1)) : std::string(1, byte(0xc2, 2));
    case 3: {
      const auto width = numbers.below(4);
      return std::string(1, static_cast<char>((numbers.below(2) == 0 ? 0xcc : 0xd0) + width)) +
             bytes(std::size_t{1} << width);
    }
    case 4:
      return numbers.below(2) == 0 ? '\xcb' + bytes(8) : '\xca' + bytes(4);
    case 5: {
      const auto size = numbers.below(6);
      return std::string(1, static_cast<char>(0xa0 + size)) + bytes(size);
    }
    case 6: {
      const auto size = numbers.below(6);
      return std::string("\xd9") + static_cast<char>(size) + bytes(size);
    }
    default: {
      const bool is_map = numbers.below(2) != 0;
      const auto size = numbers.below(4);
      std::string all(1, static_cast<char>((is_map ? 0x80 : 0x90) + size));
      for (std::uint64_t i = 0; i < (is_map ? 2 * size : size); ++i)
        all += random_item(numbers, depth - 1);
      return all;
    }
  }
}

/// Where the item at `begin` ends, head by head; null if it is wrong or incomplete.
const std::uint8_t* end_by_heads(const std::uint8_t* begin, const std::uint8_t* end) {
  const auto found = msgpack_ndarray::scan(begin, static_cast<std::uint64_t>(end - begin));
  return found.state == msgpack_ndarray::Scan::complete ? begin + found.size : nullptr;
}

TEST(MsgpackDocuments, ShapesOfItemsFindTheEndThatTheirHeadsSay) {
  using msgpack_ndarray::ItemShape;
  Numbers numbers;
  int found = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string item = random_item(numbers, 2);
    ItemShape shape;
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(item.data());
    ASSERT_TRUE(shape.learn(begin, begin + item.size()));
    for (int k = 0; k < 4; ++k) {
      std::string other = item + random_item(numbers, 1) + std::string(64, '\xc1');
      if (k != 0) {
        char& changed = other[numbers.below(static_cast<std::uint32_t>(item.size()))];
        changed = static_cast<char>(changed ^ (1 << numbers.below(8)));
      }
      const auto* const at = reinterpret_cast<const std::uint8_t*>(other.data());
      const std::uint8_t* const end = at + other.size();
      if (!shape.may_be(at, end) || !shape.is(at)) continue;
      ++found;
      EXPECT_EQ(at + shape.length(), end_by_heads(at, end)) << i;
    }
  }
  EXPECT_GT(found, 10'000);
}

/// Containers that are mostly alike. Some bytes are wrong.
std::string alike_items(Numbers& numbers) {
  std::string kinds[2];
  for (std::string& kind : kinds) {
    kind = "\x96";
    for (int i = 0; i < 6; ++i) kind += random_item(numbers, 2);
  }
  std::string all;
  const std::uint32_t others = 1 + numbers.below(40);
  for (int i = 0; i < 60; ++i) all += kinds[numbers.below(others) == 0 ? 1 : 0];
  for (std::uint32_t i = numbers.below(3); i != 0; --i) {
    char& changed = all[numbers.below(static_cast<std::uint32_t>(all.size()))];
    changed = static_cast<char>(changed ^ (1 << numbers.below(8)));
  }
  return all.substr(0, all.size() - numbers.below(20));
}

TEST(MsgpackDocuments, ItemsThatAreAlikeArePassedAsTheirHeadsSay) {
  Numbers numbers;
  int passed = 0, wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string bytes = alike_items(numbers);
    const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::uint8_t* const end = at + bytes.size();
    msgpack_ndarray::Skipper skip;
    while (at != end) {
      const std::uint8_t* const expected = end_by_heads(at, end);
      std::uint64_t due = 1;
      const bool is_passed = skip.simple(at, end) || (skip.items(at, end, end, due) && due == 0);
      ASSERT_EQ(is_passed, expected != nullptr) << i;
      if (!is_passed) {
        ++wrong;
        break;
      }
      ASSERT_EQ(at, expected) << i;
      ++passed;
    }
  }
  EXPECT_GT(passed, 20'000);
  EXPECT_GT(wrong, 100);
}

TEST(MsgpackDocuments, ListsOfItemsThatAreAlikeArePassedInSteps) {
  Numbers numbers;
  int passed = 0, wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    // The second half is due as well.
    const std::string bytes = std::string("\x92\xdc\x00\x3c", 4) + alike_items(numbers) +
                              std::string("\xdc\x00\x3c", 3) + alike_items(numbers);
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::uint8_t* const end = begin + bytes.size();
    const std::uint8_t* const expected = end_by_heads(begin, end);
    const std::uint8_t* at = begin;
    msgpack_ndarray::Skipper skip;
    std::uint64_t due = 1;
    bool is_right = true;
    while (is_right && due != 0 && at != end) {
      const auto step = static_cast<std::ptrdiff_t>(1 + numbers.below(2000));
      const std::uint8_t* const stop = end - at > step ? at + step : end;
      is_right = skip.items(at, end, stop, due);
      ASSERT_TRUE(!is_right || due == 0 || at >= stop) << i;
    }
    ASSERT_EQ(is_right && due == 0, expected != nullptr) << i;
    if (expected == nullptr) {
      ++wrong;
    } else {
      ++passed;
      ASSERT_EQ(at, expected) << i;
    }
  }
  EXPECT_GT(passed, 10);
  EXPECT_GT(wrong, 100);
}

TEST(MsgpackDocuments, TheFirstErrorInOrder) {
  const std::string good = msgpack_of(records(long_text * 2));
  ASSERT_GT(good.size(), std::size_t{1} << 20);
  const auto broken = [](const std::string& bytes) {
    const std::string error =
        same([&](std::uint32_t threads) { return msgpack_outcome(bytes, threads); });
    EXPECT_LT(error.size(), 2000u);
  };
  for (const std::size_t place : {good.size() / 7, good.size() / 2, good.size() - 300}) {
    std::string bad = good;
    const std::size_t name = good.find(
        "\xa4"
        "name",
        place);
    bad[name] = '\xc1';
    broken(bad);
    bad[good.find(
        "\xa4"
        "name",
        good.size() / 9)] = '\xc1';
    broken(bad);
    bad = good;
    bad[name + 2] = '\xff';  // no UTF-8
    broken(bad);
    bad = good;
    bad[name] = '\xdd';  // a list that does not fit
    broken(bad);
    broken(good.substr(0, place));
  }
  std::string longer = good;
  longer[4] = static_cast<char>(longer[4] + 1);
  broken(longer);
  broken(good + "\n");
  // Streams, whose first document is long or short.
  for (const std::string& stream : {good + good, "\x01" + good, std::string("\x91\x01") + good})
    same([&](std::uint32_t threads) { return msgpack_outcome(stream, threads); });
}

/// Losses in runs have the path in the whole value.
TEST(MsgpackDocuments, LossesDoNotDependOnThreads) {
  // An array of three bytes whose map has a key that cannot be a name.
  const std::string array =
      "\xc7\x2an\x85\xa7version\x03\xa5shape\x91\x03\xa7typestr\xa3|u1\xa0\x01\xa4"
      "data\xc4\x03"
      "abc";
  std::string list = "\xdd" + std::string("\x00\x00\x75\x30", 4);
  for (std::size_t i = 0; i < 30'000; ++i)
    list += i == 20'000 ? array : "\xd9\x28" + std::string(40, 'x');
  same([&](std::uint32_t threads) {
    std::string all;
    CallOptions call = with_threads(threads);
    call.losses = all_losses;
    call.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
      all += std::string(path) + " " + std::string(what) + "\n";
    };
    const Value value = codecs().codec("msgpack-ndarray").decode(Source::view(list), call);
    EXPECT_NE(all.find("[20000]"), std::string::npos) << all;
    return all + to_text(value.view());
  });
}

TEST(MsgpackDocuments, LimitsHoldAcrossRuns) {
  expect_limits("msgpack-ndarray", msgpack_of(numbers_in(300'000, "[[", "]]")), 300'002, 2);
  expect_limits("msgpack-ndarray", msgpack_of(numbers_in(300'000, "{\"a\":{\"b\":[", "]}}")),
                300'005, 3);
  expect_bounds("msgpack-ndarray", msgpack_of(records(long_text * 2)));
}

TEST(MsgpackDocuments, AreWrittenAsByOneThread) {
  for (const Named& document : packed()) {
    SCOPED_TRACE(document.name);
    if (!is_next_case()) continue;
    const Codec reader = codecs().codec("msgpack-ndarray");
    const Value value = reader.decode(Source::view(document.text), with_threads(1));
    for (const char* options : {"{}", R"({"pack_lists": true})"}) {
      const Codec writer = codecs().codec_with_json("msgpack-ndarray", options);
      same([&](std::uint32_t threads) { return written(writer, value.view(), threads); });
    }
  }
  // Items that are referenced, and an item that cannot be written.
  const std::string text(5000, 'x');
  for (const bool is_wrong : {false, true}) {
    std::vector<Node> items;
    const Value value = Value::build([&](Builder& out) {
      for (int i = 0; i < 9'000; ++i)
        items.push_back(i % 1'000 == 999 ? Builder::string_view(text) : Builder::integer(i));
      if (is_wrong) items[7'000] = out.extension("unknown", Builder::null());
      const Node list = out.list(items);
      return out.list({Builder::null(), list});
    });
    const std::string outcome = same([&](std::uint32_t threads) {
      try {
        return written(codecs().codec("msgpack-ndarray"), value.view(), threads);
      } catch (const Error& e) {
        return words(e);
      }
    });
    EXPECT_EQ(outcome.find("$[1][7000]") != outcome.npos, is_wrong) << outcome.substr(0, 200);
  }
}

}  // namespace
