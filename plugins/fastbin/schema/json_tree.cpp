// SPDX-License-Identifier: MIT
#include "json_tree.hpp"

#include <base/json_reader.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <charconv>
#include <cstddef>
#include <utility>

namespace polycodec::fastbin {
namespace {

[[noreturn]] void refuse(std::string_view origin, std::uint32_t line, const std::string& what) {
  const std::string where = line == 0 ? std::string() : ":" + std::to_string(line);
  throw Error(Status::option, std::string(origin) + where + ": " + what).detail("fastbin.schema");
}

/// Builds the tree from the events of the reader.
class Tree {
 public:
  explicit Tree(std::string_view text) : text_(text), reader_(text, max_json_depth) {}

  JsonNode read() {
    for (;;) {
      switch (const JsonEvent event = reader_.next()) {
        case JsonEvent::end:
          return std::move(root_);
        case JsonEvent::key:
          name_ = reader_.text();
          break;
        case JsonEvent::end_object:
        case JsonEvent::end_list:
          stack_.pop_back();
          break;
        case JsonEvent::null:
          add(JsonNode::Kind::null);
          break;
        case JsonEvent::boolean:
          add(JsonNode::Kind::boolean)->boolean = reader_.boolean();
          break;
        case JsonEvent::number:
          number();
          break;
        case JsonEvent::string:
          add(JsonNode::Kind::text)->text = reader_.text();
          break;
        case JsonEvent::begin_object:
        case JsonEvent::begin_list:
          // Parents stay where they are while they are open: only the innermost container grows.
          stack_.push_back(add(event == JsonEvent::begin_object ? JsonNode::Kind::object
                                                                : JsonNode::Kind::list));
      }
    }
  }

 private:
  void number() {
    std::string_view digits = reader_.text();
    const bool negative = digits.starts_with('-');
    std::uint64_t magnitude = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + (negative ? 1 : 0), end, magnitude);
    if (read.ec != std::errc() || read.ptr != end ||
        (negative && magnitude > std::uint64_t{1} << 63)) {
      add(JsonNode::Kind::real)->text = digits;
      return;
    }
    JsonNode* const node = add(JsonNode::Kind::integer);
    node->negative = negative && magnitude != 0;
    node->magnitude = magnitude;
  }

  JsonNode* add(JsonNode::Kind kind) {
    for (; counted_ < reader_.begin(); ++counted_) line_ += text_[counted_] == '\n' ? 1u : 0u;
    JsonNode node;
    node.kind = kind;
    node.line = line_;
    if (stack_.empty()) return &(root_ = std::move(node));
    JsonNode& parent = *stack_.back();
    if (parent.kind == JsonNode::Kind::list) return &parent.items.emplace_back(std::move(node));
    return &parent.members.emplace_back(JsonMember{std::move(name_), std::move(node)}).value;
  }

  std::string_view text_;
  JsonReader reader_;
  JsonNode root_;
  std::vector<JsonNode*> stack_;
  std::string name_;
  std::size_t counted_ = 0;  // bytes before it are counted in line_
  std::uint32_t line_ = 1;
};

JsonNode copy(NodeView view, std::string_view origin, std::size_t depth) {
  if (depth > max_json_depth)
    refuse(origin, 0, "nested deeper than " + std::to_string(max_json_depth) + " levels");
  JsonNode node;
  switch (view.kind()) {
    case POLYCODEC_KIND_NULL:
      return node;
    case POLYCODEC_KIND_BOOLEAN:
      node.kind = JsonNode::Kind::boolean;
      node.boolean = view.as_bool();
      return node;
    case POLYCODEC_KIND_SIGNED:
      node.kind = JsonNode::Kind::integer;
      node.negative = view.as_int64() < 0;
      node.magnitude = static_cast<std::uint64_t>(view.as_int64());
      if (node.negative) node.magnitude = std::uint64_t{0} - node.magnitude;
      return node;
    case POLYCODEC_KIND_UNSIGNED:
      node.kind = JsonNode::Kind::integer;
      node.magnitude = view.as_uint64();
      return node;
    case POLYCODEC_KIND_FLOAT:
      node.kind = JsonNode::Kind::real;
      node.text = "a number with a fraction";
      return node;
    case POLYCODEC_KIND_STRING:
      node.kind = JsonNode::Kind::text;
      node.text = std::string(view.as_string());
      return node;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      node.kind = JsonNode::Kind::list;
      for (std::uint64_t i = 0; i < view.size(); ++i)
        node.items.push_back(copy(view[i], origin, depth + 1));
      return node;
    case POLYCODEC_KIND_OBJECT: {
      node.kind = JsonNode::Kind::object;
      SeededSet<std::string> names;
      for (std::uint64_t i = 0; i < view.size(); ++i) {
        std::string name(view.key(i).as_string());
        if (!names.insert(name).second)
          refuse(origin, 0, quote(name) + " occurs twice in an object");
        node.members.push_back({std::move(name), copy(view.value(i), origin, depth + 1)});
      }
      return node;
    }
    default:
      refuse(origin, 0, "a schema has no " + std::string(kind_name(view.node()->kind)));
  }
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const noexcept {
  for (const JsonMember& m : members)
    if (m.name == name) return &m.value;
  return nullptr;
}

const char* JsonNode::kind_text() const noexcept {
  constexpr const char* words[] = {"null",   "a boolean", "an integer", "a number with a fraction",
                                   "a text", "a list",    "an object"};
  return words[static_cast<std::size_t>(kind)];
}

JsonNode parse_json_tree(std::string_view text, std::string_view origin) {
  if (text.empty()) refuse(origin, 1, "there is no text");
  try {
    return Tree(text).read();
  } catch (const Error& e) {
    const std::string where = e.path().empty() ? "not JSON" : e.path();
    const auto line = static_cast<std::uint32_t>(line_column(text, e.offset()).line);
    refuse(origin, line, (where.starts_with("$.") ? where.substr(2) : where) + ": " + e.message());
  }
}

JsonNode json_tree_from_view(NodeView document, std::string_view origin) {
  return copy(document, origin, 0);
}

}  // namespace polycodec::fastbin
