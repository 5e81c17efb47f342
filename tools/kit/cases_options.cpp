// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <base/quote.hpp>
#include <polycodec/text.hpp>

#include "cases.hpp"
#include "changes.hpp"

namespace polycodec::kit {
namespace {

void open_with(const Settings& settings, const Entry& entry, const Json& options) {
  const std::string text = options.text(0);
  note("opening with " + text);
  const Value value = parse_json(text);
  static_cast<void>(open_subject(settings, entry, &value));
}

void check_defaults(const Settings& settings, const Entry& entry) {
  open_with(settings, entry, nullptr);
  open_with(settings, entry, Json::object());
}

// Each default and each listed choice alone, and all defaults together.
void check_documented(const Settings& settings, const Entry& entry) {
  const View schema = entry.json.find("options").value_or(View());
  const auto properties = schema.is_object() ? schema.find("properties") : std::nullopt;
  if (!properties || properties->size() == 0) skip("there are no options");
  Json all = Json::object();
  Problems problems;
  const auto try_value = [&](std::string_view name, View value) {
    const Json options{{name, Json(NodeView(value.node()))}};
    problems.run(options.text(0), [&] { open_with(settings, entry, options); });
  };
  for (std::uint64_t i = 0; i < properties->size(); ++i) {
    const std::string_view name = properties->name(i);
    const View rules = properties->child(i);
    if (const auto value = rules.find("default")) {
      all[name] = Json(NodeView(value->node()));
      try_value(name, *value);
    }
    if (const auto choices = rules.find("enum"))
      for (const View choice : *choices) try_value(name, choice);
  }
  problems.run("all defaults", [&] { open_with(settings, entry, all); });
  problems.check();
}

void check_expected_error(const Answer& answer, View expected) {
  const std::string status(expected["error"].as_string());
  require(!answer.ok(), "read, but the error " + quote(status) + " was expected");
  const auto same = [&](bool equal, const char* name, const std::string& wanted) {
    require(equal, "expected " + std::string(name) + " " + wanted + ", got " + answer.text());
  };
  same(status_name(static_cast<Status>(answer.code)) == status, "error", quote(status));
  if (const auto offset = expected.find("offset"))
    same(answer.error.offset == offset->as_uint64(), "offset", std::to_string(offset->as_uint64()));
  if (const auto detail = expected.find("detail"))
    same(answer.error.detail == detail->as_string(), "detail", quote(detail->as_string()));
}

void check_fixture(const Settings& settings, const Entry& entry, const Fixture& fixture) {
  const Value own = fixture.options.empty() ? Value() : parse_json(read_text(fixture.options));
  const SubjectPointer subject =
      open_subject(settings, entry, fixture.options.empty() ? nullptr : &own);
  const std::string expected = read_text(fixture.expected);
  Reading value;
  const Answer answer = subject->read(read_input(fixture.input), value);

  const Value json = parsed(expected);
  if (json.view().is_object() && json.view().find("error"))
    return check_expected_error(answer, json.view());
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
