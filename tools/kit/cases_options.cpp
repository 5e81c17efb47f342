// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "samples.hpp"

namespace polycodec::kit {
namespace {

void open_with(const Settings& settings, Entry entry, const Json& options) {
  note("opening with " + text_of(options));
  entry.options = options;
  static_cast<void>(open_subject(settings, entry));
}

void check_defaults(const Settings& settings, const Entry& entry) {
  open_with(settings, entry, nullptr);
  open_with(settings, entry, Json::object());
}

// Each default and each listed choice alone, and all defaults together.
void check_documented(const Settings& settings, const Entry& entry) {
  const Json& properties = object_at(object_at(entry.json, "options"), "properties");
  if (properties.empty()) skip("there are no options");
  Json all = Json::object();
  Problems problems;
  const auto try_value = [&](const std::string& name, const Json& value) {
    Json options = Json::object();
    options[name] = value;
    problems.run(text_of(options), [&] { open_with(settings, entry, options); });
  };
  for (const auto& [name, rules] : properties.items()) {
    if (const auto value = rules.find("default"); value != rules.end()) {
      all[name] = *value;
      try_value(name, *value);
    }
    for (const Json& choice : list_at(rules, "enum")) try_value(name, choice);
  }
  problems.run("all defaults", [&] { open_with(settings, entry, all); });
  problems.check();
}

void check_expected_error(const Answer& answer, const Json& expected) {
  const std::string status = text_at(expected, "error");
  require(!answer.ok(), "read, but the error " + quote(status) + " was expected");
  const auto same = [&](bool equal, const char* name, const std::string& wanted) {
    require(equal, "expected " + std::string(name) + " " + wanted + ", got " + answer.text());
  };
  same(status_name(static_cast<Status>(answer.code)) == status, "error", quote(status));
  if (const auto offset = expected.find("offset"); offset != expected.end())
    same(*offset == answer.error.offset, "offset", text_of(*offset));
  if (const auto detail = expected.find("detail"); detail != expected.end())
    same(*detail == answer.error.detail, "detail", text_of(*detail));
}

/// The usual limits, but for those that `json` names.
CallSettings limited(const Json& json) {
  CallSettings settings;
  const auto take = [&](const std::string& name, auto& limit, const Json& value) {
    require(value.is_number_unsigned(), quote(name) + " of a fixture is not a number");
    limit = value.get<std::decay_t<decltype(limit)>>();
  };
  polycodec_limits& limits = settings.limits;
  for (const auto& [name, value] : json.items()) {
    if (name == "max_depth")
      take(name, limits.max_depth, value);
    else if (name == "max_header_bytes")
      take(name, limits.max_header_bytes, value);
    else if (name == "max_nodes")
      take(name, limits.max_nodes, value);
    else if (name == "max_elements")
      take(name, limits.max_elements, value);
    else if (name == "max_memory_bytes")
      take(name, limits.max_memory_bytes, value);
    else
      fail("unknown limit " + quote(name) +
           " of a fixture: must be max_depth, max_header_bytes, max_nodes, max_elements or "
           "max_memory_bytes");
  }
  return settings;
}

void check_fixture(const Settings& settings, Entry entry, const Fixture& fixture) {
  if (!fixture.options.empty()) entry.options = read_json(fixture.options);
  const SubjectPointer subject = open_subject(settings, entry);
  const std::string expected = read_text(fixture.expected);
  const Json json = parsed(expected);
  const bool is_error = json.is_object() && json.contains("error");
  Reading value;
  const Answer answer =
      subject->read(read_input(fixture.input), value,
                    is_error ? limited(object_at(json, "limits")) : CallSettings());
  if (is_error) return check_expected_error(answer, json);
  require(answer.ok(), "rejected: " + answer.text());
  const Value wanted = Value::parse(expected);
  std::string why = first_difference(wanted.view(), value.view(), ChangeSet());
  if (why.empty()) why = first_difference(value.view(), wanted.view(), ChangeSet());
  require(why.empty(), why + "\nis " + text_of(value));
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
