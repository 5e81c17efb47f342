// SPDX-License-Identifier: MIT
// Inference of types, over documents (infer.cpp) and columnar arrays (infer_array.cpp).
#pragma once

#include <model/type/build.hpp>
#include <model/type/join.hpp>
#include <polycodec/node_view.hpp>

#include <unordered_map>

namespace polycodec::type {

class Fitting;

/// One inference. It looks once at what is shared: targets of references, and arrays that several
/// others contain. The virtual functions are what notations differ in; the defaults are datashape.
/// Throws Error(limit) where documents or arrays nest deeper than `max_depth`.
class Inference {
 public:
  Inference(Words words, std::uint32_t max_depth)
      : words_(std::move(words)), max_depth_(max_depth) {}
  explicit Inference(std::uint32_t max_depth) : Inference({null(), any(), any()}, max_depth) {}
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;
  virtual ~Inference() = default;

  Type node(const polycodec_node& n);
  /// Of the array with all its items, its metadata outside.
  Type array(const polycodec_array& a);
  /// Of one item of the array, its metadata included.
  Type item(const polycodec_array& a);
  /// Forgets the targets of references, whose types depend on where a cycle is entered.
  void forget_targets() noexcept { known_nodes_.clear(); }
  /// `type`, or `any` where it is too large or too deep for a part of another type.
  Type small(const Type& type) const { return clip(type, words_); }

 protected:
  /// One level of nesting, against the limit.
  class Level {
   public:
    explicit Level(Inference& inference);
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::uint32_t& depth_;
  };

  /// Called for each node and each level of arrays, and for `count` steps of other work.
  virtual void visit(std::uint64_t count) = 0;
  virtual Type number(std::uint32_t dtype) { return scalar(dtype); }
  virtual Type time(std::uint32_t dtype, std::uint32_t unit);
  virtual Type tagged(std::int64_t tag, Type member);
  virtual Type alternatives(std::vector<Type> members);
  virtual Type map_of(std::uint64_t size, Type key, Type value);
  virtual Type extended(std::string_view name, Type payload);
  /// Of a record whose column names cannot be those of fields.
  virtual Type odd_record(std::span<const std::string_view> names, std::span<const Type> columns);
  virtual Type annotated_node(const polycodec_annotated& n) {
    return described(small(node(*n.node)), *n.metadata);
  }
  /// `type` of values with this metadata.
  virtual Type described(Type type, const polycodec_node& metadata);

  const Words words_;

 private:
  friend class Fitting;

  /// Joins the types of nodes and makes as few types as possible.
  class NodeJoin {
   public:
    explicit NodeJoin(Inference& inference) noexcept
        : inference_(inference), join_(inference.words_) {}
    /// Returns false if there is no common type.
    bool add(const polycodec_node& n);
    Type type() const { return inference_.small(join_.type()); }

   private:
    Inference& inference_;
    Join join_;
    std::uint64_t seen_ = 0;  // one bit for each class of leaves that the joined type includes
  };

  Type leaf_type(unsigned leaf);
  Type element(const polycodec_array& leaf);
  /// The common type of nodes, or `any`.
  Type common(std::span<const polycodec_node> nodes);
  Type list(std::span<const polycodec_node> items);
  Type tuple_of(std::vector<Type> items);
  Type record_of(std::span<const std::string_view> names, std::vector<Type> columns);
  Type object(std::span<const polycodec_node> entries);
  Type map(std::span<const polycodec_node> entries);
  Type reference(const polycodec_node* target);
  Type bare_item(const polycodec_array& a);
  Type record(const polycodec_array& a);
  bool too_large(std::span<const Type> parts) const noexcept;

  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0;
  std::unordered_map<const polycodec_node*, Type> known_nodes_;
  std::unordered_map<const polycodec_array*, Type> known_items_;
};

/// The type of one element of a leaf.
Type element_type(const polycodec_array& leaf);

/// True if `names` are UTF-8 and differ, as the fields of a record do.
bool are_field_names(std::vector<std::string_view> names);

}  // namespace polycodec::type
