// SPDX-License-Identifier: MIT
#include <polycodec/json.hpp>
#include <polycodec/text.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <nlohmann/json.hpp>

namespace polycodec::kit {
namespace {

using Json = nlohmann::json;

void open_with(const Settings& settings, const std::string& codec, const Json& options) {
  Plugin& plugin = Plugin::get(settings);
  note("opening with " + options.dump());
  const Value parsed = parse_json(options.dump());
  const Instance instance(plugin, plugin.codec(codec), parsed.view());
}

void check_defaults(const Settings& settings, const CodecInfo& info) {
  open_with(settings, info.name, nullptr);
  open_with(settings, info.name, Json::object());
}

// Each default and each listed choice alone, and all defaults together.
void check_documented(const Settings& settings, const CodecInfo& info) {
  const Json schema = Json::parse(info.options_schema);
  const Json properties = schema.value("properties", Json::object());
  if (properties.empty()) skip("the codec has no options");
  Json all = Json::object();
  Problems problems;
  for (const auto& [name, rules] : properties.items()) {
    std::vector<Json> values;
    if (rules.contains("default")) values.push_back(all[name] = rules["default"]);
    for (const Json& choice : rules.value("enum", Json::array())) values.push_back(choice);
    for (const Json& value : values)
      problems.run("{\"" + name + "\": " + value.dump() + "}", [&, key = name] {
        open_with(settings, info.name, Json{{key, value}});
      });
  }
  problems.run("all defaults", [&] { open_with(settings, info.name, all); });
  problems.check();
}

void check_expected_error(const Answer& answer, const Json& expected) {
  require(!answer.ok(), "decoded, but " + expected["error"].dump() + " was expected");
  require(status_name(static_cast<Status>(answer.code)) == expected["error"].get<std::string>(),
          "expected " + expected["error"].dump() + ", got " + answer.text());
  if (expected.contains("offset"))
    require(answer.error.offset == expected["offset"].get<std::uint64_t>(),
            "expected offset " + expected["offset"].dump() + ", got " + answer.text());
  if (expected.contains("detail"))
    require(answer.error.detail == expected["detail"].get<std::string>(),
            "expected detail " + expected["detail"].dump() + ", got " + answer.text());
}

void check_fixture(const Settings& settings, const CodecInfo& info, const Fixture& fixture) {
  Plugin& plugin = Plugin::get(settings);
  const Value own = fixture.options.empty() ? Value() : parse_json(read_text(fixture.options));
  const RunOptions given(settings, info.name);
  const Instance instance(plugin, plugin.codec(info.name), fixture.options.empty() ? given.view : own.view());
  const std::string expected = read_text(fixture.expected);
  Value value;
  const Answer answer = instance.decode(read_input(fixture.input), value);

  const Json json = Json::parse(expected, nullptr, false);
  if (json.is_object() && json.contains("error")) return check_expected_error(answer, json);
  require(answer.ok(), "refused: " + answer.text());
  const Value wanted = parse_text(expected);
  std::string why = first_difference(Item(wanted.view()), Item(value.view()), ChangeSet());
  if (why.empty()) why = first_difference(Item(value.view()), Item(wanted.view()), ChangeSet());
  require(why.empty(), why + "\nis " + to_text(value.view()));
}

}  // namespace

void add_option_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  const std::string prefix = "codec/" + info.name + "/";
  cases.push_back({prefix + "defaults", "opens without options", [&s, info] { check_defaults(s, info); }});
  cases.push_back({prefix + "options", "opens with every documented default and choice",
                   [&s, info] { check_documented(s, info); }});
}

void add_fixture_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  if (!info.can_decode) return;
  for (const Fixture& fixture : fixtures_of(s, info.name))
    cases.push_back({"codec/" + info.name + "/fixture/" + fixture.name, "decodes to what the fixture says",
                     [&s, info, fixture] { check_fixture(s, info, fixture); }});
}

}  // namespace polycodec::kit
