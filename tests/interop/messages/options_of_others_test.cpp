// SPDX-License-Identifier: MIT
// Options that only the host may give, of every codec and filter there is, at every door by which
// others can bring options.
#include <polycodec/host.h>

#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "files.hpp"
#include "host_calls.h"
#include "registry/channel/channel.hpp"
#include "registry/codec/collection.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// A filter of the program with an option that names a file, as no filter of the package has.
struct PathFilter {
  polycodec_filter abi{};
  PathFilter() {
    abi.struct_size = sizeof abi;
    abi.capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE;
    abi.name = "test.path";
    abi.manifest = R"({"name": "test.path", "summary": "s", "format_version": "1", "aliases": [],
"media_types": [], "extensions": [], "magic": [], "decode": true, "encode": true,
"options": {"type": "object", "additionalProperties": false,
"properties": {"directory": {"type": "string", "role": "file"}}}})";
    abi.open = [](const polycodec_filter*, polycodec_call*, const polycodec_node*,
                  const polycodec_filter_instance** instance, polycodec_error*) {
      static const polycodec_filter_instance made = [] {
        polycodec_filter_instance one{};
        one.struct_size = sizeof one;
        one.encode = [](const polycodec_filter_instance*, polycodec_call*, const polycodec_bytes*,
                        uint64_t, polycodec_sink*,
                        polycodec_error*) { return std::int32_t{POLYCODEC_OK}; };
        one.decode = [](const polycodec_filter_instance*, polycodec_call*, polycodec_bytes,
                        uint64_t, polycodec_sink*,
                        polycodec_error*) { return std::int32_t{POLYCODEC_OK}; };
        one.release = [](const polycodec_filter_instance*) {};
        return one;
      }();
      *instance = &made;
      return std::int32_t{POLYCODEC_OK};
    };
  }
};

struct HostOption {
  const CodecInfo* of;
  std::string name;
  std::string value;  // as JSON
};

/// A value that the schema of an option accepts.
std::string sample_of(NodeView schema) {
  const auto type = schema.find("type");
  const std::string_view word = type && type->is_string() ? type->as_string() : "string";
  if (word == "boolean") return "true";
  if (word == "integer" || word == "number") return "1";
  if (word == "array") return "[]";
  if (word == "object") return "{}";
  const auto words = schema.find("enum");
  return words ? to_json((*words)[0], json_compact) : "\"/etc/hostname\"";
}

class OptionsOfOthers : public ::testing::Test {
 protected:
  OptionsOfOthers() {
    RegistryOptions options;
    static const PathFilter filter;
    options.objects.filters.push_back(&filter.abi);
    registry = Registry::open(options);
    for (const auto all : {registry->codecs(), registry->filters(), registry->stores()})
      for (const CodecInfo& info : all) {
        const auto properties = info.options_schema.find("properties");
        for (std::uint64_t i = 0; properties && i < properties->size(); ++i) {
          const NodeView option = properties->value(i);
          const auto alone = option.find("host_only"), role = option.find("role");
          if ((alone && alone->as_bool()) || (role && role->as_string() == "file"))
            found.push_back(
                {&info, std::string(properties->key(i).as_string()), sample_of(option)});
        }
      }
  }

  static std::string options_of(const HostOption& option) {
    return "{\"" + option.name + "\":" + option.value + "}";
  }
  static std::string filters_of(const HostOption& option) {
    return "[{\"id\":\"" + option.of->name + "\",\"" + option.name + "\":" + option.value + "}]";
  }
  /// A message whose header brings the option.
  static std::string message_of(const HostOption& option) {
    const bool is_filter = option.of->kind == Kind::filter;
    Header header;
    header.codec = is_filter ? "msgpack-ndarray" : option.of->name;
    if (is_filter)
      header.fields.push_back({"filters", filters_of(option)});
    else
      header.options = options_of(option);
    return build_frame(header, 1) + "\xc0";
  }

  void expect_denied(const char* door, const HostOption& option,
                     const std::function<void()>& body) {
    SCOPED_TRACE(std::string(door) + ": " + option.of->name + "." + option.name);
    try {
      body();
      ADD_FAILURE() << "it was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::denied) << e.describe();
      EXPECT_NE(e.message().find("'" + option.name + "' is for the host alone"), std::string::npos)
          << e.message();
      EXPECT_NE(e.message().find("configuration"), std::string::npos) << e.message();
    }
  }

  std::optional<Registry> registry;
  std::vector<HostOption> found;
  const test::TemporaryDirectory temporary_;
};

TEST_F(OptionsOfOthers, ThereAreSome) {
  std::set<std::string> names;
  for (const HostOption& option : found) names.insert(option.of->name + "." + option.name);
  for (const char* known : {"fastbin.schema_file", "awkward.check", "test.path.directory"})
    EXPECT_TRUE(names.contains(known)) << known;
}

TEST_F(OptionsOfOthers, EveryDoorInCppDeniesThem) {
  constexpr auto others = OptionsFrom::others;
  for (const HostOption& option : found) {
    const bool is_filter = option.of->kind == Kind::filter;
    const std::string codec = is_filter ? "msgpack-ndarray" : option.of->name;
    const std::string options = is_filter ? "" : options_of(option);
    const std::string filters = is_filter ? filters_of(option) : "";
    const Value document = options.empty() ? Value() : parse_json(options);
    const Value value = parse_text("5");
    const auto door = [&](const char* name, const std::function<void()>& body) {
      expect_denied(name, option, body);
    };
    door("codec_with_json",
         [&] { (void)registry->codec_with_json(codec, options, filters, others); });
    const std::string whole = "{\"codec\":\"" + codec + "\"" +
                              (is_filter ? ",\"filters\":" + filters : ",\"options\":" + options) +
                              "}";
    door("codec_from_json", [&] { (void)registry->codec_from_json(whole, others); });
    const std::string message = message_of(option);
    door("choose", [&] { (void)registry->choose(Source::view(message)); });
    door("decode a message", [&] { (void)registry->decode(Source::view(message)); });
    door("read a message", [&] { (void)registry->read(Source::view(message)); });
    door("a channel", [&] { (void)Channel(*registry).unpack(parse_message(message)); });
    ReadOptions reading;
    reading.codec = codec;
    reading.options_from = others;
    reading.options = document.view();
    reading.filters = filters;
    door("read", [&] { (void)registry->read(Source::view("x"), reading); });
    if (is_filter) continue;
    door("codec", [&] { (void)registry->codec(codec, document.view(), others); });
    door("decode", [&] { (void)registry->decode(Source::view("x"), reading); });
    if ((option.of->outputs & POLYCODEC_INPUT_BYTES) == 0)
      door("encode_to_container", [&] {
        (void)encode_to_container(*registry, value.view(), codec, options,
                                  temporary_.path() / "a.zip", {}, {}, others);
      });
    if (option.of->can_list)
      door("Collection", [&] {
        (void)Collection(*registry, temporary_.path() / "b.zip", codec, options, {}, others);
      });
  }
}

polycodec_bytes bytes_of(std::string_view text) {
  return to_bytes(text);
}

/// The functions of host.h that take a polycodec_format.
std::set<std::string> doors_of_header() {
  std::string text =
      test::read_file(std::string(POLYCODEC_SOURCE_DIR) + "/sdk/include/polycodec/host.h");
  std::set<std::string> names;
  for (std::size_t at = 0; (at = text.find("const polycodec_format*", at)) != std::string::npos;
       ++at) {
    const std::size_t open = text.rfind('(', at);
    const std::size_t start = text.rfind(' ', open) + 1;
    names.insert(text.substr(start, open - start));
  }
  return names;
}

TEST_F(OptionsOfOthers, EveryFunctionInCDeniesThem) {
  polycodec_registry_options given{};
  given.struct_size = sizeof given;
  static const PathFilter filter;
  const polycodec_filter* const filters[] = {&filter.abi};
  polycodec_objects objects{};
  objects.struct_size = sizeof objects;
  objects.filters = filters;
  objects.n_filters = 1;
  given.objects = &objects;
  given.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT;
  polycodec_registry* in = nullptr;
  auto error = make_error();
  ASSERT_EQ(polycodec_registry_open(&given, &in, &error), POLYCODEC_OK) << error.message;
  polycodec_source* source = nullptr;
  ASSERT_EQ(from_bytes(bytes_of("x"), nullptr, nullptr, bytes_of(""), &source, &error),
            POLYCODEC_OK);
  polycodec_value* value = nullptr;
  ASSERT_EQ(polycodec_value_parse(in, bytes_of("5"), bytes_of(""), &value, &error), POLYCODEC_OK);
  std::set<std::string> tried;
  for (const HostOption& option : found) {
    const bool is_filter = option.of->kind == Kind::filter;
    const std::string codec = is_filter ? "msgpack-ndarray" : option.of->name;
    const std::string options = is_filter ? "" : options_of(option);
    const std::string list = is_filter ? filters_of(option) : "";
    polycodec_format format{};
    format.struct_size = sizeof format;
    format.flags = POLYCODEC_FORMAT_OF_OTHERS;
    format.codec = bytes_of(codec);
    format.options = bytes_of(options);
    format.filters = bytes_of(list);
    const std::string path = temporary_.path() / "out";
    polycodec_format json{};
    json.struct_size = sizeof json;
    json.codec = bytes_of("json");
    const auto door = [&](const std::string& name, std::int32_t code) {
      tried.insert(name);
      EXPECT_EQ(code, POLYCODEC_ERROR_DENIED)
          << name << " " << codec << " " << option.name << ": " << error.message;
    };
    polycodec_opened_codec* opened = nullptr;
    door("polycodec_registry_open_codec",
         polycodec_registry_open_codec(in, &format, &opened, &error));
    polycodec_value* decoded = nullptr;
    door("polycodec_decode",
         polycodec_decode(in, source, &format, nullptr, &decoded, nullptr, &error));
    door("polycodec_encode_file", polycodec_encode_file(in, value, bytes_of(path), &format, nullptr,
                                                        nullptr, nullptr, &error));
    door("polycodec_convert", polycodec_convert(in, source, &format, bytes_of(path), &json, nullptr,
                                                nullptr, nullptr, &error));
    if (is_filter || !option.of->can_list) continue;
    polycodec_collection* collection = nullptr;
    door("polycodec_collection_open",
         polycodec_collection_open(in, bytes_of(path + ".zip"), &format, nullptr, &collection,
                                   &error));
  }
  EXPECT_EQ(tried, doors_of_header()) << "a function that takes a format is not tried";
  polycodec_value_release(value);
  polycodec_source_release(source);
  polycodec_registry_release(in);
}

TEST_F(OptionsOfOthers, TheHostStillGivesThem) {
  const std::string schema =
      R"({"namespace": "n", "structs": {"One": {"members": {"s": "string"}}}})";
  test::write_file(temporary_.path() / "s.json", schema);
  const std::string file = temporary_.path() / "s.json";
  (void)registry->codec_with_json("fastbin", "{\"schema_file\":\"" + file + "\"}");
  RegistryOptions options;
  options.default_options["fastbin"] = "{\"schema_file\":\"" + file + "\"}";
  // What the configuration sets stays where others give further options.
  (void)Registry::open(options).codec_with_json("fastbin", R"({"root":"One"})", {},
                                                OptionsFrom::others);
}

TEST_F(OptionsOfOthers, APipeInPlaceOfAFileIsAnErrorAndNoWait) {
  const std::string pipe = temporary_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), temporary_.path().string()}) try {
      (void)registry->codec_with_json("fastbin", "{\"schema_file\":\"" + path + "\"}");
      ADD_FAILURE() << path;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::option);
      EXPECT_NE(e.message().find("'schema_file'"), std::string::npos) << e.message();
    }
}

}  // namespace
}  // namespace polycodec
