// SPDX-License-Identifier: MIT
#include "rewrite.hpp"

#include <base/depth.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace polycodec::schema {
namespace {

constexpr std::array<std::string_view, 6> order_of_cpp = {"type",  "subtype", "precision",
                                                          "units", "shape",   "encoding"};
constexpr std::array<std::string_view, 6> order_of_python = {"type",  "subtype", "precision",
                                                             "shape", "units",   "encoding"};

class Copier {
 public:
  Copier(Builder& out, const RewriteOptions& options, const Limits& limits)
      : out_(out), options_(options), limits_(limits) {}

  polycodec_node schema(NodeView from, std::string& path, std::uint32_t depth) {
    check(depth, path);
    if (!from.is_object()) return data(from, path, depth);
    const std::uint64_t size = from.size();
    polycodec_node* nodes = nullptr;
    const polycodec_node made = out_.object(size, &nodes);
    for (const std::uint64_t i : order(from)) {
      const std::string_view key = from.key(i).as_string();
      *nodes++ = out_.string_copy(key);
      const PathStep step(path, key);
      *nodes++ = keyword(key, from.value(i), path, depth + 1);
    }
    return made;
  }

  polycodec_node data(NodeView from, std::string& path, std::uint32_t depth) {
    check(depth, path);
    switch (from.kind()) {
      case POLYCODEC_KIND_NULL:
      case POLYCODEC_KIND_BOOLEAN:
      case POLYCODEC_KIND_SIGNED:
      case POLYCODEC_KIND_UNSIGNED:
      case POLYCODEC_KIND_FLOAT:
        return *from.node();
      case POLYCODEC_KIND_WIDE:
        return out_.wide(from.node()->dtype, from.node()->as.data);
      case POLYCODEC_KIND_STRING:
        return out_.string_copy(from.as_string());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return list(from, path,
                    [&](NodeView item, std::string& at) { return data(item, at, depth + 1); });
      case POLYCODEC_KIND_OBJECT:
        return object(from, path,
                      [&](NodeView item, std::string& at) { return data(item, at, depth + 1); });
      default:
        throw Error(Status::type,
                    "a schema is plain JSON, and this is " + std::string(kind_name(from.kind())))
            .path(path);
    }
  }

 private:
  void check(std::uint32_t depth, const std::string& path) {
    check_depth(depth, limits_.max_depth, path);
    if (++nodes_ > limits_.max_nodes)
      throw Error(Status::limit,
                  "the schema has more than " + std::to_string(limits_.max_nodes) + " parts")
          .path(path);
  }

  std::vector<std::uint64_t> order(NodeView from) const {
    std::vector<std::uint64_t> indices(from.size());
    for (std::uint64_t i = 0; i < indices.size(); ++i) indices[i] = i;
    if (!options_.order) return indices;
    const auto& first = options_.python_order ? order_of_python : order_of_cpp;
    const auto rank = [&](std::uint64_t i) {
      return std::find(first.begin(), first.end(), from.key(i).as_string()) - first.begin();
    };
    std::stable_sort(indices.begin(), indices.end(),
                     [&](auto a, auto b) { return rank(a) < rank(b); });
    return indices;
  }

  template <class Each>
  polycodec_node list(NodeView from, std::string& path, const Each& each) {
    polycodec_node* nodes = nullptr;
    const polycodec_node made = out_.list(from.size(), &nodes);
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const PathStep step(path, i);
      nodes[i] = each(from[i], path);
    }
    return made;
  }

  template <class Each>
  polycodec_node object(NodeView from, std::string& path, const Each& each) {
    polycodec_node* nodes = nullptr;
    const polycodec_node made = out_.object(from.size(), &nodes);
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const std::string_view key = from.key(i).as_string();
      nodes[2 * i] = out_.string_copy(key);
      const PathStep step(path, key);
      nodes[2 * i + 1] = each(from.value(i), path);
    }
    return made;
  }

  polycodec_node keyword(std::string_view key, NodeView value, std::string& path,
                         std::uint32_t depth) {
    switch (holds(key, value)) {
      case Holds::schema:
        return schema(value, path, depth);
      case Holds::schemas:
        check(depth, path);
        return list(value, path,
                    [&](NodeView item, std::string& at) { return schema(item, at, depth + 1); });
      case Holds::map_of_schemas:
        check(depth, path);
        return object(value, path,
                      [&](NodeView item, std::string& at) { return schema(item, at, depth + 1); });
      default:
        break;
    }
    if (key == "precision" && options_.multiply != options_.divide && value.is_integer())
      return precision(value, path);
    return data(value, path, depth);
  }

  polycodec_node precision(NodeView value, const std::string& path) const {
    std::uint64_t scaled = 0;
    if (value.kind() == POLYCODEC_KIND_SIGNED && value.as_int64() < 0) return *value.node();
    if (!checked_mul(value.as_uint64(), options_.multiply, scaled) || scaled % options_.divide != 0)
      throw Error(Status::malformed, "a precision of " + std::to_string(value.as_uint64()) +
                                         " bits is not a number of whole bytes")
          .detail("schema.keyword")
          .path(path);
    scaled /= options_.divide;
    return scaled > static_cast<std::uint64_t>(INT64_MAX)
               ? Builder::unsigned_integer(scaled)
               : Builder::integer(static_cast<std::int64_t>(scaled));
  }

  Builder& out_;
  const RewriteOptions& options_;
  const Limits& limits_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

Holds holds(std::string_view keyword, NodeView value) noexcept {
  const auto among = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), keyword) != words.end();
  };
  if (value.is_list())
    return among({"items", "allOf", "anyOf", "oneOf", "args"}) ? Holds::schemas : Holds::data;
  if (!value.is_object()) return Holds::data;
  if (among({"items", "additionalItems", "additionalProperties", "not", "args"}))
    return Holds::schema;
  if (among({"properties", "patternProperties", "definitions", "dependencies", "kwargs"}))
    return Holds::map_of_schemas;
  return Holds::data;
}

polycodec_node rewrite(NodeView schema, Builder& out, const RewriteOptions& options,
                       const Limits& limits) {
  std::string path(path_root);
  return Copier(out, options, limits).schema(schema, path, 0);
}

polycodec_node copy_document(NodeView document, Builder& out, const Limits& limits) {
  std::string path(path_root);
  return Copier(out, {}, limits).data(document, path, 0);
}

}  // namespace polycodec::schema
