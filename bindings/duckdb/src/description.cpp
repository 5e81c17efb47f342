// SPDX-License-Identifier: MIT
#include "description.hpp"

namespace polycodec_sql {
namespace {

std::optional<std::string> unit_in(const View& metadata) {
  for (const char* const name : {"units", "unit"})
    if (const auto unit = metadata.find(name); unit && unit->is_string())
      return std::string(unit->as_string());
  return std::nullopt;
}

class Describer {
 public:
  Describer(const Registry& registry, const Settings& settings, const Budget& budget,
            bool addresses)
      : registry_(registry), settings_(settings), budget_(budget), addresses_(addresses) {}

  /// Fills in what is known of a value as a whole.
  void value(const Value& value, Description& out) const {
    out.type = value.type();
    if (const polycodec_node* metadata = value.view().metadata()) {
      const polycodec_item notes{metadata, nullptr, 0};
      out.notes = value.text({.plain = true}, &notes);
      out.unit = unit_in(View(metadata));
    }
    if (addresses_) out.address = registry_.address(value, polycodec::Address::logical);
  }

  /// Adds the columns of all tables at or below `at`.
  void tables(const Value& value, const std::string& at, std::uint32_t depth,
              std::vector<Description>& out) const {
    budget_.spend(units_of_part, sizeof(Description) + at.size());
    const View found = value.find(at);
    if (found.node() != nullptr && found.is_object() && depth < most_depth) {
      for (std::uint64_t i = 0; i < found.size(); ++i)
        tables(value, polycodec::member_path(at, found.name(i)), depth + 1, out);
      return;
    }
    try {
      table(value, at, out);
    } catch (const Error& e) {
      Description& broken = out.emplace_back();
      broken.at = at;
      broken.error = text_of(e);
    }
  }

 private:
  static constexpr std::uint32_t most_depth = 32;
  static constexpr std::uint64_t units_of_part = 500;

  void table(const Value& whole, const std::string& at, std::vector<Description>& out) const {
    const Table table(whole, at, settings_);
    for (std::size_t i = 0; i < table.type().names.size(); ++i) {
      Description column;
      column.at = at;
      column.column = table.type().names[i];
      column.sql_type = to_text(table.type().children[i]);
      column.rows = table.rows();
      if (const Value part = table.column(i)) value(part, column);
      out.push_back(std::move(column));
    }
  }

  const Registry& registry_;
  const Settings& settings_;
  const Budget& budget_;
  bool addresses_;
};

}  // namespace

std::vector<Description> describe(const Registry& registry, const Files& files,
                                  const std::string& path, const Request& request, bool addresses) {
  std::vector<Description> all(1);
  const Source source = files.open(path);
  all[0].file_bytes = source.bytes().size();
  all[0].at.emplace("$");
  try {
    polycodec::Match match;
    const Value value = decode(registry, files, path, request, std::nullopt, UINT64_MAX, &match);
    all[0].codec = request.codec.empty() ? match.codec : request.codec;
    const Budget budget = value.budget(files.settings().limits_now());
    const Describer describer(registry, files.settings(), budget, addresses && !value.is_partial());
    budget.walk([&] {
      describer.value(value, all[0]);
      describer.tables(value, request.at, 0, all);
    });
    for (Description& each : all) each.codec = all[0].codec;
  } catch (const Error& e) {
    all[0].error = text_of(e);
  }
  return all;
}

}  // namespace polycodec_sql
