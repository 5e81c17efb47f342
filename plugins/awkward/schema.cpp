// SPDX-License-Identifier: MIT
#include "schema.hpp"

#include <polycodec/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <vector>

namespace polycodec::awkward {
namespace {

bool is_word(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// The step of a path to a member.
std::string step(std::string_view key) {
  const std::string shown(key.substr(0, 80));
  return is_word(shown) ? "." + shown : "[\"" + shown + "\"]";
}

/// Builds nodes from the parser's events: those of the open containers stand in one stack.
class Nodes final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Nodes(Builder& out, std::string_view text, const polycodec_limits& limits)
      : out_(out),
        text_(text),
        max_nodes_(limits.max_nodes),
        // An expression is an object in a list of an object: two levels of JSON for each of its own.
        max_depth_(std::uint64_t{limits.max_depth} * 2 + 16) {}

  polycodec_node root() const noexcept { return nodes_.front(); }

  bool null() override { return add(Builder::null()); }
  bool boolean(bool value) override { return add(Builder::boolean(value)); }
  bool number_integer(number_integer_t value) override { return add(Builder::integer(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    return add(value <= INT64_MAX ? Builder::integer(static_cast<std::int64_t>(value))
                                  : Builder::unsigned_integer(value));
  }
  bool number_float(number_float_t value, const string_t& token) override {
    if (token.find_first_not_of("-0123456789") == token.npos)
      fail(Status::unsupported, "json.number", "the integer " + token.substr(0, 40) + " has more than 64 bits");
    return add(Builder::real(value));
  }
  bool string(string_t& value) override { return add(out_.string_copy(value)); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& value) override { return add(out_.string_copy(value)); }
  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_array() override {
    const std::size_t first = close();
    const polycodec_node list = out_.list(std::span<const polycodec_node>(nodes_).subspan(first));
    nodes_.resize(first);
    return add(list);
  }
  bool end_object() override {
    const std::size_t first = close();
    const auto entries = std::span<const polycodec_node>(nodes_).subspan(first);
    std::unordered_set<std::string_view> keys;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = View(&entries[i]).as_string();
      if (!keys.insert(key).second)
        throw Error(Status::malformed, "the key '" + std::string(key.substr(0, 80)) + "' stands twice in an object")
            .detail("json.duplicate_key")
            .path(path(first) + step(key));
    }
    polycodec_node* to;
    const polycodec_node object = out_.object(entries.size() / 2, &to);
    std::copy(entries.begin(), entries.end(), to);
    nodes_.resize(first);
    return add(object);
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) override {
    const std::uint64_t offset = std::min<std::uint64_t>(position == 0 ? 0 : position - 1, text_.size());
    std::string_view what = e.what();
    if (const auto at = what.find("syntax error"); at != what.npos) what.remove_prefix(at);
    throw Error(offset >= text_.size() ? Status::truncated : Status::malformed,
                "the schema is not JSON: " + std::string(what.substr(0, 200)), offset)
        .detail("json.syntax");
  }

 private:
  [[noreturn]] void fail(Status status, std::string_view word, const std::string& why) const {
    throw Error(status, why).detail(word).path(path(nodes_.size()));
  }
  /// Where the node is that comes next, if `end` nodes of the open containers have come.
  std::string path(std::size_t end) const {
    std::string text = "$";
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      if (text.size() > 400) return text + "...";
      const std::size_t stop = i + 1 < starts_.size() ? starts_[i + 1] : end;
      const std::size_t count = stop - starts_[i];
      // In an object a key stands before each value.
      if (!objects_[i])
        text += "[" + std::to_string(count) + "]";
      else if (count % 2 == 1)
        text += step(View(&nodes_[stop - 1]).as_string());
    }
    return text;
  }
  bool add(const polycodec_node& node) {
    if (++count_ > max_nodes_) fail(Status::limit, "limit", "the schema has more nodes than the limit (max_nodes)");
    nodes_.push_back(node);
    return true;
  }
  bool open(bool object) {
    if (starts_.size() >= max_depth_)
      fail(Status::limit, "limit", "the schema is nested deeper than the limit (max_depth)");
    starts_.push_back(nodes_.size());
    objects_.push_back(object);
    return true;
  }
  std::size_t close() {
    const std::size_t first = starts_.back();
    starts_.pop_back();
    objects_.pop_back();
    return first;
  }

  Builder& out_;
  std::string_view text_;
  std::uint64_t max_nodes_, max_depth_;
  std::uint64_t count_ = 0;
  std::vector<polycodec_node> nodes_;
  std::vector<std::size_t> starts_;
  std::vector<bool> objects_;  // for each of them
};

}  // namespace

const polycodec_node* parse_schema(Builder& out, std::string_view text, const polycodec_limits& limits) {
  Nodes nodes(out, text, limits);
  nlohmann::json::sax_parse(text.begin(), text.end(), &nodes);
  return out.root(nodes.root());
}

std::string path_to(const polycodec_node& root, const polycodec_node* part) {
  struct Step {
    const polycodec_node* node;
    std::uint64_t next;  // node of it that is looked at next
  };
  std::vector<Step> steps{{&root, 0}};
  while (!steps.empty()) {
    Step& top = steps.back();
    if (top.node == part) break;
    const bool object = top.node->kind == POLYCODEC_OBJECT;
    const std::uint64_t size =
        object || top.node->kind == POLYCODEC_LIST ? polycodec_node_size(top.node) * (object ? 2 : 1) : 0;
    if (top.next >= size) {
      steps.pop_back();
      continue;
    }
    const polycodec_node* child = &top.node->as.nodes[object ? top.next + 1 : top.next];
    top.next += object ? 2 : 1;
    steps.push_back({child, 0});
  }
  std::string path = "$";
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const auto& [node, next] = steps[i];
    if (node->kind == POLYCODEC_LIST) {
      path += "[" + std::to_string(next - 1) + "]";
      continue;
    }
    path += step(View(&node->as.nodes[next - 2]).as_string());
  }
  return path;
}

}  // namespace polycodec::awkward
