// SPDX-License-Identifier: MIT
// Inference of types, over documents (infer.cpp) and columnar arrays (infer_array.cpp).
#pragma once

#include <base/utf8.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/infer.hpp>

#include "core/convert/type_join.hpp"
#include "core/value/attributes.hpp"

#include <unordered_map>
#include <vector>

namespace polycodec::text {

/// One inference: what is shared (targets of references, arrays that several others contain) is
/// worked out once.
class Inference {
 public:
  explicit Inference(const Limits& limits) noexcept : limits_(limits) {}

  type::Type node(const polycodec_node& n);
  /// Of the array with all its items, its attributes outside.
  type::Type array(const polycodec_array& a);
  /// Of one item of the array, its attributes included.
  type::Type item(const polycodec_array& a);

 private:
  /// Joins the types of nodes, making as few types as possible.
  class NodeJoin {
   public:
    explicit NodeJoin(Inference& inference) noexcept : inference_(inference) {}
    /// False if there is no common type.
    bool add(const polycodec_node& n);
    type::Type type() const { return join_.type(); }

   private:
    Inference& inference_;
    Join join_;
    std::uint64_t seen_ = 0;  // one bit for each class of leaves that the joined type includes
  };

  /// One level of nesting, against the limit.
  class Level {
   public:
    explicit Level(Inference& inference) : depth_(inference.depth_) {
      if (depth_ >= inference.limits_.max_depth)
        throw Error(Status::limit, "the value nests deeper than the limit of " +
                                       std::to_string(inference.limits_.max_depth))
            .detail("type.limit");
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::uint32_t& depth_;
  };

  /// The common type of nodes, or `any`.
  type::Type nodes(std::span<const polycodec_node> all);
  type::Type list(std::span<const polycodec_node> items);
  type::Type tuple(std::vector<type::Type> items);
  type::Type object(std::span<const polycodec_node> entries);
  type::Type map(std::span<const polycodec_node> entries);
  type::Type extension(const polycodec_extension& extension);
  type::Type variant(const polycodec_tagged& variant);
  type::Type reference(const polycodec_node* target);
  type::Type annotated(const polycodec_annotated& annotated);

  type::Type bare_item(const polycodec_array& a);
  type::Type record(const polycodec_array& a);
  type::Type chunked(const polycodec_array& a);

  const Limits& limits_;
  std::uint32_t depth_ = 0;
  std::unordered_map<const polycodec_node*, type::Type> known_nodes_;
  std::unordered_map<const polycodec_array*, type::Type> known_items_;
};

/// The type of one element of a leaf.
type::Type element_type(const polycodec_array& leaf);

}  // namespace polycodec::text
