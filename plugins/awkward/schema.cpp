// SPDX-License-Identifier: MIT
#include "schema.hpp"

#include <base/json_reader.hpp>
#include <base/path.hpp>
#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include <charconv>
#include <vector>

namespace polycodec::awkward {
namespace {

polycodec_node number_node(Builder&, std::string_view token) {
  const char* const end = token.data() + token.size();
  if (token.find_first_of(".eE") != token.npos) {
    double value = 0;
    if (std::from_chars(token.data(), end, value).ec == std::errc()) return Builder::real(value);
    throw Error(Status::range, "the number " + quote(token, 40) + " does not fit a float64")
        .detail("json.number");
  }
  std::int64_t integer = 0;
  std::uint64_t magnitude = 0;
  if (std::from_chars(token.data(), end, integer).ec == std::errc())
    return Builder::integer(integer);
  if (std::from_chars(token.data(), end, magnitude).ec == std::errc())
    return Builder::unsigned_integer(magnitude);
  throw Error(Status::unsupported, "the integer " + quote(token, 40) + " has more than 64 bits")
      .detail("json.number");
}

}  // namespace

const polycodec_node* parse_schema(Builder& out, std::string_view text,
                                   const polycodec_limits& limits) {
  // An expression is an object in a list of an object: two levels of JSON for each of its own.
  const JsonOptions options{.max_nodes = limits.max_nodes,
                            .max_depth = std::uint64_t{limits.max_depth} * 2 + 16,
                            .limit_word = "awkward.limit",
                            .number = number_node};
  return out.root(read_json(out, text, options));
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
    const bool object = top.node->kind == POLYCODEC_KIND_OBJECT;
    const std::uint64_t size = object || top.node->kind == POLYCODEC_KIND_LIST
                                   ? polycodec_node_size(top.node) * (object ? 2 : 1)
                                   : 0;
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
    if (node->kind == POLYCODEC_KIND_LIST) {
      append_index(path, next - 1);
      continue;
    }
    path += key_step(NodeView(&node->as.nodes[next - 2]).as_string());
  }
  return path;
}

}  // namespace polycodec::awkward
