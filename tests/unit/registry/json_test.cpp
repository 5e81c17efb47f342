// SPDX-License-Identifier: MIT
// The codecs `text` and `json`, which every registry has.

#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "error_of.hpp"
#include "plugin_directory.hpp"
#include "registry/codec/codec_handle.hpp"

#include <malloc.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;

RegistryOptions bare() {
  RegistryOptions options;
  options.plugin_paths = {"/nowhere"};
  options.use_environment = false;
  options.use_builtins = false;
  return options;
}

const Registry& registry() {
  static const Registry one = Registry::open(bare());
  return one;
}

std::string encoded(std::string_view codec, std::string_view typed, std::string_view options = "") {
  const Value value = parse_text(typed);
  return registry().codec_with_json(codec, options).encode_to_string(value.view());
}

TEST(OwnCodecs, AreThereWhateverThePolicySaysOfPlugins) {
  RegistryOptions listed = bare();
  listed.policy.mode = Policy::Mode::listed;
  listed.policy.allow_codecs = {{"ply", true, true}};
  listed.policy.deny_plugins = {"*"};
  listed.policy.isolation.mode = IsolationMode::process;
  const Registry strict = Registry::open(listed);
  for (const char* name : {"json", "text"})
    EXPECT_EQ(strict.codec(name).decode(Source::view("[1]")).view()[0].as_int64(), 1) << name;
  EXPECT_TRUE(strict.records().empty());
  listed.policy.deny_codecs = {{"text", true, true}};
  const Registry denying = Registry::open(listed);
  EXPECT_EQ(error_of([&] { (void)denying.codec("text"); }).code(), Status::denied);
  EXPECT_EQ(denying.read(Source::view(R"({"type": "int8", "value": 1})", "a.json")).codec_name(),
            "json");
}

TEST(OwnCodecs, OptionsOfTextAreThoseOfItsSchema) {
  constexpr std::string_view value = R"({"type": "2 * int8", "value": {"$list": [1, 2]}})";
  EXPECT_EQ(encoded("text", value), std::string(value) + "\n");
  EXPECT_EQ(encoded("text", value, R"({"exact": false})"),
            "{\"type\": \"2 * int8\", \"value\": [1, 2]}\n");
  EXPECT_EQ(encoded("text", value, R"({"plain": true})"), "[1, 2]\n");
  EXPECT_EQ(encoded("text", value, R"({"plain": true, "indent": 2, "width": 1})"), "[1,\n 2]\n")
      << "a list of numbers is broken where the width ends";
  const Error unknown = error_of([&] { encoded("text", value, R"({"indnt": 2})"); });
  EXPECT_EQ(unknown.code(), Status::option);
  EXPECT_NE(unknown.message().find("known are plain, indent, width or exact"), std::string::npos)
      << unknown.message();
  EXPECT_EQ(error_of([&] { encoded("text", value, R"({"indent": 99})"); }).code(), Status::option);
}

// References lead to the root that is read, not to a copy of it.
TEST(OwnCodecs, TextKeepsCycles) {
  for (const std::string text :
       {R"({"type": "2 * any", "value": {"$id": [1, [5, {"$ref": 1}]]}})",
        R"({"type": "2 * 1 * int64", "value": {"$list": [{"$id": [1, [5]]}, {"$ref": 1}]}})"}) {
    const Value direct = parse_text(text);
    const Value value = registry().codec("text").decode(Source::view(text));
    EXPECT_EQ(to_text(value.view()), to_text(direct.view()));
  }
}

TEST(OwnCodecs, AreChosenByAllOfTheText) {
  for (const auto& [name, text, codec] :
       std::vector<std::tuple<const char*, const char*, const char*>>{
           {"a.json", R"({"type": "int8", "value": 1})", "text"},
           {"", " {\n\"type\" : \"2 * ?float32\",\"value\":[1, null]} ", "text"},
           {"a.json", R"({"type": "3 * int8", "value": [1, )", "text"},
           {"a.json", R"({"type": "int8", "value": 1, "unit": "m"})", "json"},
           {"a.json", R"({"type": "Feature", "value": 1})", "json"},
           {"a.json", R"({"type": "N * int8", "value": [1]})", "json"},
           {"a.json", R"({"value": 1, "type": "int8"})", "json"},
           {"a.json", R"({"type": "int8"})", "json"},
           {"a.JSON", "[1, 2]", "json"},
           {"a.json", "oops", "json"},
           {"a.json", "", "json"},
           {"a.jsonl", "1\n2\n", "json"},
           {"a.ndjson", "1\n2\n", "json"},
           {"a.typed.json", R"([1, {"$bytes": "AQID"}])", "text"}}) {
    EXPECT_EQ(registry().choose(Source::view(text, name)).codec->name, codec) << name << text;
  }
  EXPECT_EQ(error_of([] { (void)registry().choose(Source::view("[1, 2]")); }).code(),
            Status::not_found);
  const auto named = [](std::string_view name) {
    const auto found = registry().find_by_extension(name);
    return found.size() == 1 ? found[0]->name : std::string();
  };
  EXPECT_EQ(named(".json"), "json");
  EXPECT_EQ(named("dir.typed.json/A.JSONL"), "json");
  EXPECT_EQ(named("b.Typed.JSON"), "text");
  EXPECT_EQ(named("typed.json"), "json");
  EXPECT_EQ(named("b.jso"), "");
}

TEST(OwnCodecs, NamesSayTheFormOfJson) {
  const Read lines = registry().read(Source::view("{\"a\": 1}\n[]\n", "x.jsonl"));
  EXPECT_EQ(lines.value.view().size(), 2u);
  const Read crlf = registry().read(Source::view("{\"a\":1}\r\n\r\n{\"a\":2}", "x.ndjson"));
  EXPECT_EQ(to_text(crlf.value.view()),
            R"({"type": "2 * {a: int64}", "value": {"$list": [{"a": 1}, {"a": 2}]}})");
  const Error several =
      error_of([&] { (void)registry().read(Source::view("{\"a\": 1}\n{\"a\": 2}\n", "x.json")); });
  EXPECT_NE(several.message().find("from.options {\"form\": \"jsonl\"}"), std::string::npos)
      << several.message();
  EXPECT_EQ(several.offset(), 9u);
  EXPECT_EQ(error_of([&] { (void)registry().read(Source::view("{} x", "x.json")); })
                .message()
                .find("jsonl"),
            std::string::npos);
  ReadOptions one;
  const Value json = parse_json(R"({"form": "json"})");
  one.options = json.view();
  EXPECT_EQ(error_of([&] { (void)registry().read(Source::view("1\n2", "x.jsonl"), one); }).code(),
            Status::trailing);
  constexpr std::string_view jsonl = R"({"form": "jsonl"})";
  EXPECT_EQ(encoded("json", R"({"type": "2 * {x: int8}", "value": [{"x": 1}, {"x": 2}]})", jsonl),
            "{\"x\": 1}\n{\"x\": 2}\n");
  const Error single = error_of([&] { encoded("json", "1", jsonl); });
  EXPECT_EQ(single.code(), Status::unsupported);
  EXPECT_EQ(single.detail(), "json.lines");
  EXPECT_EQ(encoded("json", "[[1, 2], {}, {\"a\": []}]", R"({"indent": 2})"),
            "[\n  [\n    1,\n    2\n  ],\n  {},\n  {\n    \"a\": []\n  }\n]\n");
}

struct Told {
  LossClass loss;
  std::string path, what;
  bool operator==(const Told&) const = default;
};

TEST(OwnCodecs, JsonTellsEachThingThatItCannotHold) {
  using enum LossClass;
  for (
      const auto& [typed, json, told] :
      std::vector<std::tuple<const char*, const char*, std::vector<Told>>>{
          {R"({"type": "{a: bytes}", "value": {"a": {"$bytes": "AQID"}}})",
           R"({"a": "AQID"})",
           {{type, "$.a", "bytes, as text in base64"}}},
          {R"({"type": "3 * float64", "value": [1.5, {"$float": "nan"}, {"$float": "-inf"}]})",
           "[1.5, null, null]",
           {{data, "$[*]", "a number that is not finite, where JSON has null"}}},
          {R"({"type": "2 * float32", "value": [0.1, {"$float": "inf"}]})",
           "[0.10000000149011612, null]",
           {{data, "$[*]", "a number that is not finite, where JSON has null"}}},
          {R"({"type": "complex[float64]", "value": {"$complex": [1, -0.5]}})",
           "[1.0, -0.5]",
           {{type, "$", "a complex number, as a list of two numbers"}}},
          {R"({"type": "float128", "value": {"$float": "0x3fff8000000000000000000000000000"}})",
           "null",
           {{data, "$", "a number of type float128"}}},
          {R"({"type": "string", "value": {"$string": "/w=="}})",
           "null",
           {{data, "$", "text that is not UTF-8"}}},
          {R"({"type": "datetime[unit='ms']", "value": {"$datetime": "2020-01-02T03:04:05.678Z"}})",
           R"("2020-01-02T03:04:05.678Z")",
           {{type, "$", "a time, as text"}}},
          {R"({"type": "2 * timedelta[unit='h']", "value": [{"$timedelta": [36, "h"]}, {"$timedelta": ["NaT", "h"]}]})",
           "[36, null]",
           {{data, "$[*]", "the unit of a duration (h)"},
            {data, "$[*]", "a time that is not a time (NaT), where JSON has null"}}},
          {R"({"type": "map[int64, string]", "value": {"$map": [[1, "a"], [2, "b"]]}})",
           R"([[1, "a"], [2, "b"]])",
           {{type, "$", "a map whose keys are not different strings, as a list of pairs"}}},
          {R"({"type": "map[string, int64]", "value": {"$object": [["a", 1], ["a", 2], ["b", 3]]}})",
           R"({"a": 1, "b": 3})",
           {{data, "$", "a second member with the key 'a'"}}},
          {R"({"type": "extension['x', int64]", "value": {"$ext": ["x", 1]}})",
           "1",
           {{type, "$", "the extension 'x'"}}},
          {R"({"type": "2 * union[int32, string]", "value": [{"$union": [1, "x"]}, {"$union": [0, 5]}]})",
           R"(["x", 5])",
           {{type, "$[*]", "which member of a union this is"}}},
          {R"({"type": "annotated[{x: annotated[2 * float64, units='cm'], b: bytes}, comment='c']",
               "value": {"x": [1, 2], "b": {"$bytes": ""}}})",
           R"({"x": [1.0, 2.0], "b": ""})",
           {{type, "$.b", "bytes, as text in base64"},
            {note, "$", "the attribute 'comment'"},
            {data, "$.x", "the attribute 'units'"}}},
          {R"({"type": "2 * {x: annotated[float64, units='cm']}", "value": [{"x": 1.0}, {"x": 2.0}]})",
           R"([{"x": 1.0}, {"x": 2.0}])",
           {{data, "$.x", "the attribute 'units'"}}}}) {
    const Value value = parse_text(typed);
    std::vector<Told> found;
    CallOptions call;
    call.losses = all_losses;
    call.on_loss = [&](LossClass loss, std::string_view path, std::string_view what) {
      found.push_back({loss, std::string(path), std::string(what)});
    };
    const Codec codec = registry().codec("json");
    EXPECT_EQ(codec.encode_to_string(value.view(), call), std::string(json) + "\n") << typed;
    EXPECT_EQ(found.size(), told.size()) << typed;
    for (std::size_t i = 0; i < std::min(found.size(), told.size()); ++i) {
      EXPECT_EQ(found[i].loss, told[i].loss) << typed;
      EXPECT_EQ(found[i].path, told[i].path) << typed;
      EXPECT_EQ(found[i].what, told[i].what) << typed;
    }
    const Error refusal = error_of([&] { (void)codec.encode_to_string(value.view()); });
    EXPECT_EQ(refusal.code(), Status::unsupported) << typed;
    EXPECT_EQ(refusal.detail(), "json.lossy") << typed;
  }
}

TEST(OwnCodecs, JsonKeepsEveryNumber) {
  for (const auto& [typed, json] : std::vector<std::pair<const char*, const char*>>{
           {R"({"type": "4 * uint64", "value": [0, 1, 9007199254740993, 18446744073709551615]})",
            "[0, 1, 9007199254740993, 18446744073709551615]"},
           {R"({"type": "int128", "value": -170141183460469231731687303715884105728})",
            "-170141183460469231731687303715884105728"},
           {R"({"type": "3 * float16", "value": [0.1, 65504, -0.0]})",
            "[0.0999755859375, 65504.0, -0.0]"},
           {R"({"type": "2 * 2 * bool", "value": [[true, false], [false, true]]})",
            "[[true, false], [false, true]]"},
           {R"({"type": "2 * ?int8", "value": [null, -1]})", "[null, -1]"},
           {R"({"type": "map[string, int64]", "value": {"a": 1}})", R"({"a": 1})"},
           {R"x({"type": "(int64, string)", "value": {"$tuple": [1, "a"]}})x", R"([1, "a"])"},
           {R"({"type": "2 * fixed_string[4, 'utf16']", "value": ["abc", "é"]})",
            R"(["abc", "é"])"}}) {
    const std::string written = encoded("json", typed);
    EXPECT_EQ(written, std::string(json) + "\n");
    const Value back = registry().codec("json").decode(Source::view(written));
    EXPECT_EQ(registry().codec("json").encode_to_string(back.view()), written);
  }
}

/// `n` members, of which `names` names the first ones.
std::string object_of(int n, const std::vector<std::string>& names = {}) {
  std::string text = "{";
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += (i == 0 ? "\"" : ", \"") +
            (at < names.size() ? names[at] : "member" + std::to_string(i)) + "\": 1";
  }
  return text + "}";
}

TEST(OwnCodecs, KeysOfJsonOccurOnceInAnObject) {
  const Codec json = registry().codec("json");
  const auto decoded = [&](const std::string& text) {
    return json.decode(Source::view(text)).view().size();
  };
  // Objects like the one before, longer ones, shorter ones, and those in another order.
  std::string all = "[";
  for (const int n : {3, 3, 16, 17, 17, 2, 40, 1024, 1026, 1026, 5, 0, 1025}) {
    all += object_of(n) + ", " + object_of(n, {"member1", "member0"}) + ", ";
    all += object_of(n, {"other"}) + ", ";
  }
  EXPECT_EQ(decoded(all + object_of(3) + "]"), 40U);
  for (const int n : {2, 3, 15, 16, 17, 18, 100, 1024, 1025, 3000}) {
    for (const int same : {0, (n - 1) / 2, n - 2}) {
      for (const std::string& before : {std::string(), object_of(n), object_of(n / 2)}) {
        std::string object = object_of(n);
        const std::string last = "\"member" + std::to_string(n - 1) + "\"";
        // The escape is the first character of "member".
        object.replace(object.rfind(last), last.size(),
                       "\"\\u006dember" + std::to_string(same) + "\"");
        const std::string text = "[" + (before.empty() ? "" : before + ", ") + object + "]";
        const Error error = error_of([&] { decoded(text); });
        EXPECT_EQ(error.detail(), "json.duplicate_key") << n << " " << same;
        EXPECT_EQ(error.offset(), text.rfind("\"\\u")) << n << " " << same;
        EXPECT_EQ(error.path(),
                  std::string(before.empty() ? "$[0]" : "$[1]") + ".member" + std::to_string(same));
      }
    }
  }
}

// Each object would take the time of the largest one.
TEST(OwnCodecs, AnObjectOfManyKeysCostsNoOtherOne) {
  std::string text = "[" + object_of(500'000);
  for (int i = 0; i < 1'000'000; ++i) text += ",{}";
  EXPECT_EQ(registry().codec("json").decode(Source::view(text + "]")).view().size(), 1'000'001U);
}

TEST(OwnCodecs, StreamsOfJsonComeInAnyPieces) {
  std::string text = " {\"a\": [1, \"}\\\"\"]}\n12 \"x\"[[]] true\n\n-0.5";
  std::vector<std::string> values = {
      R"({"a": [1, "}\""]})", "12", R"("x")", "[[]]", "true", "-0.5"};
  // Strings, their escapes and brackets at all places of blocks.
  for (std::size_t n = 40; n < 140; ++n) {
    values.push_back("[{\"k\": [\"" + std::string(n, '{') + "\\\\\", \"\\\"]\"]}, []]");
    text += values.back();
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{64}, text.size()}) {
    ValueStream stream(registry().codec("json"));
    std::vector<std::string> found;
    Value value;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      stream.feed(std::string_view(text).substr(at, piece));
      while (stream.next(value)) found.push_back(to_json(value.view()));
    }
    stream.end();
    while (stream.next(value)) found.push_back(to_json(value.view()));
    EXPECT_EQ(found, values) << piece;
  }
  const auto failure = [](std::string_view bytes) {
    ValueStream stream(registry().codec("json"));
    stream.feed(bytes);
    stream.end();
    Value value;
    return error_of([&] {
      while (stream.next(value)) {
      }
    });
  };
  EXPECT_EQ(failure("1\n[2, ").code(), Status::truncated);
  EXPECT_EQ(failure("1\n[2, ").offset(), 6u);
  EXPECT_EQ(failure("1\n[2 3]\n").code(), Status::malformed);
  EXPECT_EQ(failure("1\n[2 3]\n").offset(), 5u);
  EXPECT_EQ(failure("]").code(), Status::malformed);
}

// Long keys at every depth. mallinfo2() says nothing under AddressSanitizer.
TEST(Json, AStreamForgetsWhatALargeValueNeeded) {
  constexpr std::size_t values = 60, key = 100'000;
  ValueStream stream(registry().codec("json"));
  Value value;
  const auto in_use = [] {
    const auto all = ::mallinfo2();
    return all.uordblks + all.hblkhd;
  };
  std::size_t before = 0;
  for (std::size_t depth = 0; depth < values; ++depth) {
    stream.feed(std::string(depth, '[') + "{\"" + std::string(key, 'k') + "\": 1}" +
                std::string(depth, ']') + "\n");
    ASSERT_TRUE(stream.next(value)) << depth;
    if (depth == 5) before = in_use();
  }
  EXPECT_LT(in_use(), before + 10 * key);
}

}  // namespace
}  // namespace polycodec
