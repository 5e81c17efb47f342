// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <algorithm>
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
  if (polycodec_is_choice(&array) != 0)
    return array.n_children != 0 && is_records(*array.children[0]);
  return array.layout == POLYCODEC_LAYOUT_RECORD;
}

bool has_lengths_of_rows(const polycodec_array& root) {
  return any_array(root, [](const polycodec_array& array) {
    return array.layout == POLYCODEC_LAYOUT_CHUNKED ||
           (array.layout == POLYCODEC_LAYOUT_LIST_FIXED && polycodec_is_text(&array) == 0) ||
           (array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim > 1);
  });
}

/// What a view refers to.
View resolved(View view) {
  for (int i = 0; i < 64; ++i) {  // a chain of references may have no end
    if (view.kind() != POLYCODEC_KIND_REFERENCE) return view;
    view = view.target();
  }
  throw Failure("references that refer to each other: there is no value to read");
}

Value part_of(const Value& value, const polycodec_array* array) {
  return value.part(polycodec_item{nullptr, array, POLYCODEC_WHOLE});
}

/// The path without its steps to items, as a projection wants it: `$.a` for `$.a[3]`.
std::string without_items(std::string_view path) {
  std::string result;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i + 1;
    const bool bracket = path[i] == '[';
    const bool quoted = bracket && end < path.size() && path[end] == '"';
    if (quoted) {
      ++end;
      while (end < path.size() && path[end] != '"') end += path[end] == '\\' ? 2 : 1;
    }
    if (bracket) end = std::min(path.find(']', std::min(end, path.size())), path.size() - 1) + 1;
    if (!bracket || quoted) result += path.substr(i, end - i);
    i = end;
  }
  return result;
}

/// The paths of a projection. For columns that are in no object or record by their names, such as
/// those of a tuple, it is all that `at` names.
std::vector<std::string> projected(const std::string& at,
                                   const std::optional<std::vector<std::string>>& columns) {
  const std::string base = without_items(at);
  std::vector<std::string> paths;
  if (columns)
    for (const std::string& name : *columns) paths.push_back(polycodec::member_path(base, name));
  if (paths.empty() && base != "$" && !base.empty()) paths.push_back(base);
  return paths;
}

}  // namespace

Value decode(const Registry& registry, const Files& files, const std::string& path,
             const Request& request, const std::optional<std::vector<std::string>>& columns,
             std::uint64_t most_rows, polycodec::Match* match) {
  const Source source = files.open(path);
  const Settings& settings = files.settings();
  // The engine was asked for this file, and for none beside it. Who writes a query may not do what
  // the engine may: the engine decides which files are open to it.
  return registry.decode(source,
                         {.columns = projected(request.at, columns),
                          .rows = most_rows,
                          .flags = settings.external_access ? 0 : POLYCODEC_CALL_NO_COMPANIONS,
                          .limits = settings.limits_now()},
                         {.codec = request.codec, .options = request.options, .of_others = true},
                         match);
}

Table::Table(Value value, const std::string& at, const Settings& settings)
    : value_(std::move(value)), budget_(value_.budget(settings.limits)) {
  const Budget budget = value_.budget(settings.limits_now());
  budget.walk([&] { read(at, budget); });
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
  if (array_->layout != POLYCODEC_LAYOUT_RECORD) return Value();
  return part_of(parts_.empty() ? value_ : parts_.back(), array_->children[i]);
}

bool Table::is_typed_by_rows() const noexcept {
  return has_documents_ || has_lengths_of_rows(*array_);
}

const polycodec_array* Table::part_at(const std::string& path) {
  const View found = resolved(value_.find(path));
  if (const polycodec_array* const array = found.array())
    return has_documents(*array) ? in_columns(part_of(value_, array)) : array;
  // A row or an item of an array has no node, and a missing one none of the value.
  if (found.node() == nullptr || found.is_null()) return in_columns(value_.part(path));
  if (found.is_object() && found.size() != 0) return object(found);
  return in_columns(value_.part(polycodec_item{found.node(), nullptr, 0}));
}

const polycodec_array* Table::in_columns(Value part) {
  has_documents_ = true;
  ArrowSchema schema{};
  ArrowArray array{};
  part.to_arrow(&schema, &array);
  parts_.push_back(Value::from_arrow(&schema, &array));
  const polycodec_array* const columns = resolved(parts_.back().view()).array();
  if (columns == nullptr) throw Failure("the value has no columns: convert the file");
  return columns;
}

const polycodec_array* Table::object(const View& object) {
  std::vector<std::string> names;
  std::vector<const polycodec_array*> members;
  check_columns(object.size());
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    names.emplace_back(object.name(i));
    if (!known.insert(names.back()).second)
      throw Failure("member '" + names.back() +
                    "' occurs twice: a table has one column of a name; choose with 'at'");
    const View member = resolved(object.child(i));
    const polycodec_array* const array = member.array();
    try {
      const polycodec_array* items =
          array == nullptr ? in_columns(value_.part(polycodec_item{member.node(), nullptr, 0}))
          : has_documents(*array) ? in_columns(part_of(value_, array))
                                  : array;
      members.push_back(member.kind() == POLYCODEC_KIND_LIST ? one_list(items) : items);
    } catch (const Error& e) {
      throw Failure("member '" + names.back() + "': " + text_of(e));
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
  for (const std::string& name : made.names) made.name_bytes.push_back(polycodec::to_bytes(name));
  made.array.struct_size = sizeof made.array;
  made.array.layout = POLYCODEC_LAYOUT_RECORD;
  made.array.length = length;
  made.array.n_children = static_cast<std::uint32_t>(made.children.size());
  made.array.children = made.children.data();
  made.array.names = made.name_bytes.data();
  return &made.array;
}

}  // namespace polycodec_sql
