// SPDX-License-Identifier: MIT
#include "table.hpp"

#include "path.hpp"

#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace polycodec_sql {
namespace {

constexpr std::uint64_t most_columns = 4096;

/// Whether `is(array)` holds for an array or one below it. Each is looked at once.
template <class Test>
bool any_array(const polycodec_array& root, const Test& is) {
  std::vector<const polycodec_array*> next{&root};
  std::unordered_set<const polycodec_array*> seen{&root};
  while (!next.empty()) {
    const polycodec_array& array = *next.back();
    next.pop_back();
    if (is(array)) return true;
    for (std::uint32_t i = 0; i < array.n_children; ++i)
      if (seen.insert(array.children[i]).second) next.push_back(array.children[i]);
  }
  return false;
}

bool has_documents(const polycodec_array& root) {
  return any_array(root,
                   [](const polycodec_array& a) { return a.layout == POLYCODEC_LAYOUT_DOCUMENT; });
}

void check_columns(std::uint64_t columns) {
  if (columns > most_columns)
    throw Failure(std::to_string(columns) + " columns: a table has at most " +
                  std::to_string(most_columns) + "; choose a part with 'at'");
}

/// Whether the items are records, found in place or elsewhere.
bool is_records(const polycodec_array& array) {
  const bool found_elsewhere =
      array.layout >= POLYCODEC_LAYOUT_OPTION_BYTES && array.layout <= POLYCODEC_LAYOUT_CHUNKED;
  if (found_elsewhere) return array.n_children != 0 && is_records(*array.children[0]);
  return array.layout == POLYCODEC_LAYOUT_RECORD;
}

bool has_lengths_of_rows(const polycodec_array& root) {
  return any_array(root, [](const polycodec_array& array) {
    const bool text = (array.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0;
    return array.layout == POLYCODEC_LAYOUT_CHUNKED ||
           (array.layout == POLYCODEC_LAYOUT_LIST_FIXED && !text) ||
           (array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim > 1);
  });
}

/// The node without metadata and references.
const polycodec_node* proper(const polycodec_node* node) {
  for (int i = 0; i < 64; ++i) {  // a chain of references may have no end
    node = polycodec_node_proper(node);
    if (node->kind != POLYCODEC_KIND_REFERENCE) return node;
    node = node->as.node;
  }
  throw Failure("references that refer to each other: there is no value to read");
}

/// The paths of a projection. For columns that are in no object or record by their names, such as
/// those of a tuple, it is all that `at` names.
std::vector<std::string> projected(const std::string& at,
                                   const std::optional<std::vector<std::string>>& columns) {
  const std::string base = without_items(at);
  std::vector<std::string> paths;
  if (columns)
    for (const std::string& name : *columns) paths.push_back(member_path(base, name));
  if (paths.empty() && base != "$" && !base.empty()) paths.push_back(base);
  return paths;
}

}  // namespace

Value decode(const polycodec_registry* registry, const Files& files, const std::string& path,
             const Request& request, const std::optional<std::vector<std::string>>& columns,
             std::uint64_t most_rows, polycodec_match* match) {
  const Source source = files.open(path);
  const std::vector<std::string> paths = projected(request.at, columns);
  std::vector<polycodec_bytes> path_bytes;
  for (const std::string& p : paths) path_bytes.push_back(bytes_of(p));
  polycodec_projection projection{};
  projection.struct_size = sizeof projection;
  projection.n_paths = static_cast<std::uint32_t>(paths.size());
  projection.paths = path_bytes.data();
  projection.n_rows = most_rows;
  const polycodec_limits limits = files.settings().limits_now();
  polycodec_call_options call{};
  call.struct_size = sizeof call;
  call.limits = &limits;
  call.projection = paths.empty() && most_rows == UINT64_MAX ? nullptr : &projection;
  // The engine was asked for this file, and for none beside it.
  call.flags = files.settings().external_access ? 0 : POLYCODEC_CALL_NO_COMPANIONS;
  polycodec_format format{};
  format.struct_size = sizeof format;
  // Who writes a query may not do what the engine may: the engine decides which files are open to
  // it.
  format.flags = POLYCODEC_FORMAT_OF_OTHERS;
  format.codec = bytes_of(request.codec);
  format.options = bytes_of(request.options);
  Check check;
  polycodec_value* value = nullptr;
  check.check(polycodec_decode(registry, source.get(), request.codec.empty() ? nullptr : &format,
                               &call, &value, match, check.error()));
  return Value(value);
}

Table::Table(Value value, const std::string& at, const Settings& settings)
    : value_(std::move(value)), budget_(budget_of(value_, settings.limits)) {
  const Budget budget = budget_of(value_, settings.limits_now());
  walk(budget, [&] { read(at, budget); });
}

void Table::read(const std::string& at, const Budget& budget) {
  array_ = part_at(at);
  type_ = TypeWalk(budget).type_of(*array_);
  check_columns(type_.children.size());
  if (type_.id != DUCKDB_TYPE_STRUCT || !is_records(*array_)) {
    array_ = record({only_column}, {array_}, array_->length);
    type_ = SqlType{DUCKDB_TYPE_STRUCT, {only_column}, {std::move(type_)}, 0};
  }
}

Value Table::column(std::size_t i) const {
  if (array_->layout != POLYCODEC_LAYOUT_RECORD) return nullptr;
  return part_of(parts_.empty() ? value_ : parts_.back(), array_->children[i]);
}

bool Table::is_typed_by_rows() const noexcept {
  return has_documents_ || has_lengths_of_rows(*array_);
}

const polycodec_array* Table::part_at(const std::string& path) {
  Check call;
  polycodec_item item{};
  call.check(polycodec_value_find(value_.get(), bytes_of(path), &item, call.error()));
  if (item.node == nullptr && (item.array == nullptr || item.index != POLYCODEC_WHOLE))
    return in_columns(part_of(value_, item));
  const polycodec_array* array = item.array;
  if (item.node != nullptr) {
    const polycodec_node* const node = proper(item.node);
    if (node->kind == POLYCODEC_KIND_OBJECT && polycodec_node_size(node) != 0) return object(*node);
    if (node->kind != POLYCODEC_KIND_ARRAY) return array_of(node);
    array = node->as.array;
  }
  if (!has_documents(*array)) return array;
  return in_columns(part_of(value_, array));
}

const polycodec_array* Table::array_of(const polycodec_node* node) {
  return in_columns(part_of(value_, polycodec_item{node, nullptr, 0}));
}

const polycodec_array* Table::in_columns(Value part) {
  has_documents_ = true;
  ArrowSchema schema{};
  ArrowArray array{};
  polycodec_exchange exchange{};
  exchange.struct_size = sizeof exchange;
  exchange.schema = &schema;
  exchange.array = &array;
  Check out, in;
  out.check(polycodec_value_export(part.get(), nullptr, &exchange, out.error()));
  polycodec_value* columns = nullptr;
  in.check(polycodec_value_import(&exchange, nullptr, &columns, in.error()));
  parts_.emplace_back(columns);
  const polycodec_node* root = proper(polycodec_value_root(columns));
  if (root->kind != POLYCODEC_KIND_ARRAY)
    throw Failure("the value has no columns: convert the file");
  return root->as.array;
}

const polycodec_array* Table::object(const polycodec_node& node) {
  std::vector<std::string> names;
  std::vector<const polycodec_array*> members;
  check_columns(polycodec_node_size(&node));
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < polycodec_node_size(&node); ++i) {
    const polycodec_node& key = node.as.nodes[2 * i];
    names.emplace_back(text_of({key.as.data, polycodec_node_size(&key)}));
    if (!known.insert(names.back()).second)
      throw Failure("member '" + names.back() +
                    "' occurs twice: a table has one column of a name; choose with 'at'");
    const polycodec_node* member = proper(&node.as.nodes[2 * i + 1]);
    const bool array = member->kind == POLYCODEC_KIND_ARRAY;
    const bool single = array && member->as.array->layout == POLYCODEC_LAYOUT_NDARRAY &&
                        member->as.array->ndim == 0;
    const bool whole = array && !has_documents(*member->as.array);
    try {
      const polycodec_array* items = whole   ? member->as.array
                                     : array ? in_columns(part_of(value_, member->as.array))
                                             : array_of(member);
      const bool list = (array && !single) || member->kind == POLYCODEC_KIND_LIST;
      members.push_back(list ? one_list(items) : items);
    } catch (const Failure& failure) {
      throw Failure("member '" + names.back() + "': " + failure.what());
    }
  }
  return record(std::move(names), std::move(members), 1);
}

const polycodec_array* Table::one_list(const polycodec_array* items) {
  Record& made = made_.emplace_back();
  made.children = {items};
  made.offsets[1] = static_cast<std::int64_t>(items->length);
  made.array.struct_size = sizeof made.array;
  made.array.layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
  made.array.length = 1;
  made.array.n_children = 1;
  made.array.children = made.children.data();
  made.array.offsets = {made.offsets, sizeof made.offsets[0], POLYCODEC_DTYPE_INT64, 0};
  return &made.array;
}

const polycodec_array* Table::record(std::vector<std::string> names,
                                     std::vector<const polycodec_array*> children,
                                     std::uint64_t length) {
  Record& made = made_.emplace_back();
  made.names = std::move(names);
  made.children = std::move(children);
  for (const std::string& name : made.names) made.name_bytes.push_back(bytes_of(name));
  made.array.struct_size = sizeof made.array;
  made.array.layout = POLYCODEC_LAYOUT_RECORD;
  made.array.length = length;
  made.array.n_children = static_cast<std::uint32_t>(made.children.size());
  made.array.children = made.children.data();
  made.array.names = made.name_bytes.data();
  return &made.array;
}

}  // namespace polycodec_sql
