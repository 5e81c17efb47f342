// SPDX-License-Identifier: MIT
#include "description.hpp"

#include "path.hpp"

#include <array>

namespace polycodec_sql {
namespace {

/// The metadata of a node or array: an OBJECT, or null.
const polycodec_node* metadata_of(const polycodec_node* node) {
  if (node->kind == POLYCODEC_KIND_ANNOTATED) return node->as.annotated->metadata;
  return node->kind == POLYCODEC_KIND_ARRAY ? node->as.array->metadata : nullptr;
}

std::string as_json(const Value& value, const polycodec_node* node) {
  Check call;
  const Sink sink = make_sink();
  const polycodec_item item{node, nullptr, 0};
  polycodec_text_options options{};
  options.struct_size = sizeof options;
  options.flags = POLYCODEC_TEXT_PLAIN;
  call.check(polycodec_value_print(value.get(), &item, &options, sink.get(), call.error()));
  return taken(sink);
}

std::optional<std::string> unit_in(const polycodec_node* metadata) {
  for (std::uint64_t i = 0; i < polycodec_node_size(metadata); ++i) {
    const polycodec_node& key = metadata->as.nodes[2 * i];
    const polycodec_node* value = polycodec_node_proper(&metadata->as.nodes[2 * i + 1]);
    const std::string_view name = text_of({key.as.data, polycodec_node_size(&key)});
    if ((name == "units" || name == "unit") && value->kind == POLYCODEC_KIND_STRING)
      return std::string(text_of({value->as.data, polycodec_node_size(value)}));
  }
  return std::nullopt;
}

class Describer {
 public:
  Describer(const polycodec_registry* registry, const Settings& settings, const Budget& budget,
            bool addresses)
      : registry_(registry), settings_(settings), budget_(budget), addresses_(addresses) {}

  /// Fills in what is known of a value as a whole.
  void value(const Value& value, Description& out) const {
    out.type = type_notation(value);
    if (const polycodec_node* metadata = metadata_of(polycodec_value_root(value.get()))) {
      out.notes = as_json(value, metadata);
      out.unit = unit_in(metadata);
    }
    if (!addresses_) return;
    std::array<char, 65> digest{};
    Check call;
    call.check(polycodec_value_address(registry_, value.get(), POLYCODEC_ADDRESS_LOGICAL,
                                       digest.data(), call.error()));
    out.address = digest.data();
  }

  /// Adds the columns of all tables at or below `at`.
  void tables(const Value& value, const std::string& at, std::uint32_t depth,
              std::vector<Description>& out) const {
    spend(budget_, units_of_part, sizeof(Description) + at.size());
    Check call;
    polycodec_item item{};
    call.check(polycodec_value_find(value.get(), bytes_of(at), &item, call.error()));
    if (item.node != nullptr) {
      const polycodec_node* const node = polycodec_node_proper(item.node);
      if (node->kind == POLYCODEC_KIND_OBJECT && depth < most_depth) {
        for (std::uint64_t i = 0; i < polycodec_node_size(node); ++i) {
          const polycodec_node& key = node->as.nodes[2 * i];
          tables(value, member_path(at, text_of({key.as.data, polycodec_node_size(&key)})),
                 depth + 1, out);
        }
        return;
      }
    }
    try {
      table(value, at, out);
    } catch (const Failure& e) {
      Description& broken = out.emplace_back();
      broken.at = at;
      broken.error = e.what();
    }
  }

 private:
  static constexpr std::uint32_t most_depth = 32;
  static constexpr std::uint64_t units_of_part = 500;

  void table(const Value& whole, const std::string& at, std::vector<Description>& out) const {
    const Table table(Value(polycodec_value_retain(whole.get())), at, settings_);
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

  const polycodec_registry* registry_;
  const Settings& settings_;
  const Budget& budget_;
  bool addresses_;
};

}  // namespace

std::vector<Description> describe(const polycodec_registry* registry, const Files& files,
                                  const std::string& path, const Request& request, bool addresses) {
  std::vector<Description> all(1);
  const Source source = files.open(path);
  Check size;
  polycodec_bytes bytes{};
  size.check(polycodec_source_bytes(source.get(), &bytes, size.error()));
  all[0].file_bytes = bytes.size;
  all[0].at.emplace("$");
  try {
    polycodec_match match{};
    match.struct_size = sizeof match;
    const Value value = decode(registry, files, path, request, std::nullopt, UINT64_MAX, &match);
    all[0].codec = request.codec.empty() ? std::string(text_of(match.codec)) : request.codec;
    const Budget budget = budget_of(value, files.settings().limits_now());
    const Describer describer(registry, files.settings(), budget,
                              addresses && polycodec_value_is_partial(value.get()) == 0);
    walk(budget, [&] {
      describer.value(value, all[0]);
      describer.tables(value, request.at, 0, all);
    });
    for (Description& each : all) each.codec = all[0].codec;
  } catch (const Failure& e) {
    all[0].error = e.what();
  }
  return all;
}

}  // namespace polycodec_sql
