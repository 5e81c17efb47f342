// SPDX-License-Identifier: MIT
#include <polycodec/json.hpp>
#include <polycodec/text.hpp>

#include "cases.hpp"
#include "changes.hpp"

#include <nlohmann/json.hpp>

namespace polycodec::kit {
namespace {

using Json = nlohmann::json;

void open_with(const Settings& settings, const Entry& entry, const Json& options) {
  note("opening with " + options.dump());
  const Value parsed = parse_json(options.dump());
  static_cast<void>(open_subject(settings, entry, &parsed));
}

void check_defaults(const Settings& settings, const Entry& entry) {
  open_with(settings, entry, nullptr);
  open_with(settings, entry, Json::object());
}

// Each default and each listed choice alone, and all defaults together.
void check_documented(const Settings& settings, const Entry& entry) {
  const Json schema = Json::parse(entry.json).value("options", Json::object());
  const Json properties = schema.value("properties", Json::object());
  if (properties.empty()) skip("there are no options");
  Json all = Json::object();
  Problems problems;
  for (const auto& [name, rules] : properties.items()) {
    std::vector<Json> values;
    if (rules.contains("default")) values.push_back(all[name] = rules["default"]);
    for (const Json& choice : rules.value("enum", Json::array())) values.push_back(choice);
    for (const Json& value : values)
      problems.run("{\"" + name + "\": " + value.dump() + "}", [&, key = name] {
        open_with(settings, entry, Json{{key, value}});
      });
  }
  problems.run("all defaults", [&] { open_with(settings, entry, all); });
  problems.check();
}

void check_expected_error(const Answer& answer, const Json& expected) {
  require(!answer.ok(), "read, but " + expected["error"].dump() + " was expected");
  require(status_name(static_cast<Status>(answer.code)) == expected["error"].get<std::string>(),
          "expected " + expected["error"].dump() + ", got " + answer.text());
  if (expected.contains("offset"))
    require(answer.error.offset == expected["offset"].get<std::uint64_t>(),
            "expected offset " + expected["offset"].dump() + ", got " + answer.text());
  if (expected.contains("detail"))
    require(answer.error.detail == expected["detail"].get<std::string>(),
            "expected detail " + expected["detail"].dump() + ", got " + answer.text());
}

void check_fixture(const Settings& settings, const Entry& entry, const Fixture& fixture) {
  const Value own = fixture.options.empty() ? Value() : parse_json(read_text(fixture.options));
  const SubjectPointer subject =
      open_subject(settings, entry, fixture.options.empty() ? nullptr : &own);
  const std::string expected = read_text(fixture.expected);
  Reading value;
  const Answer answer = subject->read(read_input(fixture.input), value);

  const Json json = Json::parse(expected, nullptr, false);
  if (json.is_object() && json.contains("error")) return check_expected_error(answer, json);
  require(answer.ok(), "refused: " + answer.text());
  const Value wanted = parse_text(expected);
  std::string why = first_difference(wanted.view(), value.view(), ChangeSet());
  if (why.empty()) why = first_difference(value.view(), wanted.view(), ChangeSet());
  require(why.empty(), why + "\nis " + to_text(NodeView(value.root)));
}

}  // namespace

void add_option_cases(std::vector<Case>& cases, const Settings& s, const Entry& entry) {
  if (entry.kind == Kind::function) return;
  cases.push_back({entry.case_name("defaults"), "opens without options",
                   [&s, entry] { check_defaults(s, entry); }});
  cases.push_back({entry.case_name("options"), "opens with every documented default and choice",
                   [&s, entry] { check_documented(s, entry); }});
}

void add_fixture_cases(std::vector<Case>& cases, const Settings& s, const Entry& entry) {
  if (!entry.can_read) return;
  for (const Fixture& fixture : fixtures_of(s, entry.name))
    cases.push_back({entry.case_name("fixture/" + fixture.name), "reads what the fixture says",
                     [&s, entry, fixture] { check_fixture(s, entry, fixture); }});
}

}  // namespace polycodec::kit
