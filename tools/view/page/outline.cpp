// SPDX-License-Identifier: MIT
#include "outline.hpp"

#include <polycodec/path.hpp>

#include "table.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

namespace polycodec::page {
namespace {

constexpr std::size_t most_nodes = 6000;
constexpr std::size_t most_tables = 40;
constexpr std::size_t most_text = 500'000;  // bytes of all nodes
constexpr std::size_t type_bytes = 160;

class Outline {
 public:
  Outline(const Value& value, const Budget& budget) : value_(value), meter_(budget) {
    add({value.view(), 0, "$", 0});
    while (!waiting_.empty()) {
      const Entry entry = std::move(waiting_.front());
      waiting_.pop_front();
      children(entry);
    }
  }

  Json take() {
    Json all = Json::object();
    all["nodes"] = std::move(nodes_);
    all["tables"] = std::move(tables_);
    return all;
  }

 private:
  struct Entry {
    View view;
    std::size_t parent;  // after add(): the number of this node
    std::string step;
    std::size_t depth;
  };

  /// A record by its columns, whose children are the columns and not the rows.
  static const polycodec_array* columns_of(const View& view) {
    const polycodec_array* array = view.array();
    return array != nullptr && array->layout == POLYCODEC_LAYOUT_RECORD && array->n_children != 0
               ? array
               : nullptr;
  }

  static std::uint64_t child_count(const View& view) {
    if (const polycodec_array* columns = columns_of(view)) return columns->n_children;
    if (view.kind() == POLYCODEC_KIND_REFERENCE) return 0;
    return view.size();
  }

  /// How many children of a node are shown from the front, and from the back.
  static std::pair<std::uint64_t, std::uint64_t> window(std::size_t depth) {
    if (depth == 0) return {400, 40};
    return depth == 1 ? std::pair<std::uint64_t, std::uint64_t>{100, 10}
                      : std::pair<std::uint64_t, std::uint64_t>{30, 3};
  }

  /// The type of arrays and scalars. Types of containers would be looked for again on each level.
  std::string what(const View& view) const {
    if (view.is_null()) return "null";  // a missing item has no node
    const polycodec_array* array = view.array();
    if (view.node() == nullptr && array == nullptr)
      return view.dtype() != POLYCODEC_DTYPE_NONE ? std::string(dtype_name(view.dtype()))
                                                  : std::string(kind_name(view.kind()));
    const bool is_time =
        view.kind() == POLYCODEC_KIND_TIMESTAMP || view.kind() == POLYCODEC_KIND_DURATION;
    if (array == nullptr && view.kind() >= POLYCODEC_KIND_LIST && !is_time) {
      if (view.kind() == POLYCODEC_KIND_EXTENSION) return cut(std::string(view.name()), type_bytes);
      return std::string(kind_name(view.kind()));
    }
    const polycodec_item whole{array != nullptr ? nullptr : view.node(), array,
                               array != nullptr ? POLYCODEC_WHOLE : 0};
    return cut(value_.type(&whole), type_bytes);
  }

  void add(Entry entry) {
    meter_.tick(16);
    const View& view = entry.view;
    const std::uint64_t count = child_count(view);
    const auto [first, last] = window(entry.depth);
    const std::uint64_t gap = count > first + last ? count - first - last : 0;
    int table = -1;
    if (table_count_ < most_tables)
      if (auto made = table_of(view, meter_)) {
        table = static_cast<int>(table_count_++);
        tables_.push_back(std::move(*made));
      }
    std::string attributes;
    if (const polycodec_node* metadata = view.metadata())
      attributes = plain_text(View(metadata), 300);
    const std::string type = what(view);
    const std::string preview = plain_text(view, 80);
    text_ += entry.step.size() + type.size() + preview.size() + attributes.size() + 24;
    Json node = Json::array();
    node.push_back(entry.parent);
    node.push_back(entry.step);
    node.push_back(kind_name(view.kind()));
    node.push_back(type);
    node.push_back(preview);
    node.push_back(count);
    node.push_back(gap);
    node.push_back(table);
    node.push_back(attributes);
    nodes_.push_back(std::move(node));
    entry.parent = node_count_++;
    if (count != 0) waiting_.push_back(std::move(entry));
  }

  void children(const Entry& entry) {
    const View& view = entry.view;
    const std::uint64_t count = child_count(view);
    const auto [first, last] = window(entry.depth);
    const polycodec_array* columns = columns_of(view);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (node_count_ >= most_nodes || text_ > most_text) return;
      if (count > first + last && i == first) i = count - last;
      std::string step;
      View child;
      if (columns != nullptr) {
        child = View(*columns->children[i]);
        if (columns->names != nullptr)
          append_key(step, to_string_view(columns->names[i]));
        else
          append_part(step, Part::field, i);
      } else {
        child = view.child(i);
        step = step_to(view, i);
      }
      add({child, entry.parent, std::move(step), entry.depth + 1});
    }
  }

  static std::string step_to(const View& view, std::uint64_t i) {
    std::string step;
    switch (view.kind()) {
      case POLYCODEC_KIND_OBJECT:
        append_key(step, view.name(i));
        break;
      case POLYCODEC_KIND_MAP:
        if (view.key(i).is_string())
          append_key(step, view.key(i).as_string());
        else
          step.append("<")
              .append(part_word(Part::value))
              .append(" of " + plain_text(view.key(i), 40) + ">");
        break;
      case POLYCODEC_KIND_EXTENSION:
        append_part(step, Part::payload);
        break;
      case POLYCODEC_KIND_UNION:
        append_part(step, Part::member, static_cast<std::uint64_t>(view.tag()));
        break;
      default:
        append_index(step, i);
    }
    return step;
  }

  const Value& value_;
  cli::Meter meter_;
  Json tables_ = Json::array(), nodes_ = Json::array();
  std::deque<Entry> waiting_;
  std::size_t node_count_ = 0, table_count_ = 0, text_ = 0;
};

}  // namespace

Json outline(const Value& value, const Budget& budget) {
  return Outline(value, budget).take();
}

}  // namespace polycodec::page
