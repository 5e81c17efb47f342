// SPDX-License-Identifier: MIT
#include "json_tree.hpp"

#include <polycodec/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace polycodec::fastbin {
namespace {

[[noreturn]] void refuse(std::string_view origin, std::uint32_t line, const std::string& what) {
  const std::string where = line == 0 ? std::string() : ":" + std::to_string(line);
  throw Error(Status::option, std::string(origin) + where + ": " + what).detail("schema");
}

/// How far the parser has read.
struct Progress {
  std::uint32_t line = 1;
  bool behind_line_end = false;

  /// The line of a number: it has ended only when the character behind it, perhaps a line end, was read.
  std::uint32_t line_of_number() const noexcept { return line - (behind_line_end ? 1 : 0); }
};

/// Iterates over characters and counts the lines that the parser has passed.
class LineIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineIterator(const char* at, Progress* progress) : at_(at), progress_(progress) {}
  reference operator*() const { return *at_; }
  LineIterator& operator++() {
    progress_->behind_line_end = *at_++ == '\n';
    progress_->line += progress_->behind_line_end ? 1u : 0u;
    return *this;
  }
  LineIterator operator++(int) {
    LineIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineIterator& other) const { return at_ == other.at_; }
  bool operator!=(const LineIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Progress* progress_;
};

class Handler {
 public:
  using Json = nlohmann::json;

  explicit Handler(const Progress* progress) : progress_(progress) {}

  bool null() { return add(JsonNode::Kind::null, progress_->line) != nullptr; }
  bool boolean(bool v) {
    add(JsonNode::Kind::boolean, progress_->line)->truth = v;
    return true;
  }
  bool number_integer(Json::number_integer_t v) {
    JsonNode* node = add(JsonNode::Kind::integer, progress_->line_of_number());
    node->negative = v < 0;
    node->magnitude = v < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    return true;
  }
  bool number_unsigned(Json::number_unsigned_t v) {
    add(JsonNode::Kind::integer, progress_->line_of_number())->magnitude = v;
    return true;
  }
  bool number_float(Json::number_float_t, const std::string& digits) {
    add(JsonNode::Kind::real, progress_->line_of_number())->text = digits;
    return true;
  }
  bool string(std::string& v) {
    add(JsonNode::Kind::text, progress_->line)->text = std::move(v);
    return true;
  }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) { return open(JsonNode::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (!names_.back().insert(name).second) {
      problem = path() + "'" + name + "' stands twice in an object";
      return false;
    }
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    // The library's text repeats the position; what follows the first ": " is the reason.
    const std::string_view what = e.what();
    const auto reason = what.find(": ");
    problem = "not JSON: " + std::string(reason == std::string_view::npos ? what : what.substr(reason + 2));
    return false;
  }

  JsonNode root;
  std::string problem;

 private:
  /// Of the object that is open, for people: `structs.Trade.members: `.
  std::string path() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      const bool list = stack_[i]->kind == JsonNode::Kind::list;
      if (list)
        path += "[" + std::to_string(stack_[i]->items.size() - 1) + "]";
      else
        path += (path.empty() ? "" : ".") + stack_[i]->members.back().name;
    }
    return path.empty() ? path : path + ": ";
  }

  JsonNode* add(JsonNode::Kind kind, std::uint32_t line) {
    JsonNode node;
    node.kind = kind;
    node.line = line;
    if (stack_.empty()) return &(root = std::move(node));
    JsonNode& parent = *stack_.back();
    if (parent.kind == JsonNode::Kind::list) return &parent.items.emplace_back(std::move(node));
    return &parent.members.emplace_back(JsonMember{std::move(name_), std::move(node)}).value;
  }
  bool open(JsonNode::Kind kind) {
    if (stack_.size() == max_json_depth) {
      problem = "nested deeper than " + std::to_string(max_json_depth) + " levels";
      return false;
    }
    // Parents stay where they are while they are open: only the innermost container grows.
    stack_.push_back(add(kind, progress_->line));
    names_.emplace_back();
    return true;
  }
  bool close() {
    stack_.pop_back();
    names_.pop_back();
    return true;
  }

  const Progress* progress_;
  std::vector<JsonNode*> stack_;
  std::vector<std::unordered_set<std::string>> names_;
  std::string name_;
};

JsonNode copy(View view, std::string_view origin, std::size_t depth) {
  if (depth > max_json_depth) refuse(origin, 0, "nested deeper than " + std::to_string(max_json_depth) + " levels");
  JsonNode node;
  switch (view.kind()) {
    case POLYCODEC_NULL:
      return node;
    case POLYCODEC_BOOLEAN:
      node.kind = JsonNode::Kind::boolean;
      node.truth = view.as_bool();
      return node;
    case POLYCODEC_SIGNED:
      node.kind = JsonNode::Kind::integer;
      node.negative = view.as_int64() < 0;
      node.magnitude = static_cast<std::uint64_t>(view.as_int64());
      if (node.negative) node.magnitude = std::uint64_t{0} - node.magnitude;
      return node;
    case POLYCODEC_UNSIGNED:
      node.kind = JsonNode::Kind::integer;
      node.magnitude = view.as_uint64();
      return node;
    case POLYCODEC_REAL:
      node.kind = JsonNode::Kind::real;
      node.text = "a number with a fraction";
      return node;
    case POLYCODEC_STRING:
      node.kind = JsonNode::Kind::text;
      node.text = std::string(view.as_string());
      return node;
    case POLYCODEC_LIST:
    case POLYCODEC_TUPLE:
      node.kind = JsonNode::Kind::list;
      for (std::uint64_t i = 0; i < view.size(); ++i) node.items.push_back(copy(view[i], origin, depth + 1));
      return node;
    case POLYCODEC_OBJECT: {
      node.kind = JsonNode::Kind::object;
      std::unordered_set<std::string> names;
      for (std::uint64_t i = 0; i < view.size(); ++i) {
        std::string name(view.key(i).as_string());
        if (!names.insert(name).second) refuse(origin, 0, "'" + name + "' stands twice in an object");
        node.members.push_back({std::move(name), copy(view.value(i), origin, depth + 1)});
      }
      return node;
    }
    default:
      refuse(origin, 0, "a schema has no " + std::string(View::kind_name(view.node()->kind)));
  }
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const noexcept {
  for (const JsonMember& m : members)
    if (m.name == name) return &m.value;
  return nullptr;
}

const char* JsonNode::kind_text() const noexcept {
  constexpr const char* words[] = {"null",   "a truth value", "an integer", "a number with a fraction",
                                   "a text", "a list",        "an object"};
  return words[static_cast<std::size_t>(kind)];
}

JsonNode parse_json_tree(std::string_view text, std::string_view origin) {
  if (text.empty()) refuse(origin, 1, "there is no text");
  Progress progress;
  Handler handler(&progress);
  const LineIterator begin(text.data(), &progress);
  const LineIterator end(text.data() + text.size(), &progress);
  if (!nlohmann::json::sax_parse(begin, end, &handler))
    refuse(origin, progress.line, handler.problem.empty() ? "not JSON" : handler.problem);
  return std::move(handler.root);
}

JsonNode json_tree_from_view(View document, std::string_view origin) {
  return copy(document, origin, 0);
}

}  // namespace polycodec::fastbin
