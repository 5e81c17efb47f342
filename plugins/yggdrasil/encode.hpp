// SPDX-License-Identifier: MIT
// Values to bodies.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "leaf_writer.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// Encodes values of the model. One object a call.
class Encoder {
 public:
  Encoder(const Settings& settings, const Call& call, Writer& out)
      : state_(settings, call, out), leaves_(state_) {}

  /// The whole value, which must have been validated. Throws Error with the path of what cannot be
  /// written.
  void value(const polycodec_node* root);
  /// A node at this depth, and all in it.
  void node(const polycodec_node* root, std::uint64_t depth);
  /// A node that is not plain JSON.
  void other(const polycodec_node& node, const polycodec_node* attributes, std::uint64_t depth);
  void text(std::string_view text, bool lenient, const polycodec_node* attributes);
  /// Bytes of a body that is one array or POLYCODEC_SIZE_UNKNOWN.
  static std::uint64_t size_of(const Settings& settings, const Call& call, NodeView value);

 private:
  friend std::string json_of(const Writing& around, const polycodec_node& value,
                             std::uint64_t depth, std::string_view part, bool plain);

  template <class Integer>
  void plain_integer(Integer value);
  void real(const polycodec_node& node);
  void key(const polycodec_node& node);
  void extension(const polycodec_extension& extension, const polycodec_node* attributes,
                 std::uint64_t depth);
  bool known_extension(std::string_view name, NodeView payload, const polycodec_node* attributes);
  void json_leaf(TypeWord type, NodeView payload, const polycodec_node* attributes);

  Writing state_;
  LeafWriter leaves_;
};

/// Columnar arrays: numbers and fixed strings as one leaf, all others item by item as nested JSON.
class ArrayWriter {
 public:
  ArrayWriter(Encoder& encoder, Writing& state, LeafWriter& leaves) noexcept
      : encoder_(encoder), state_(state), leaves_(leaves) {}

  void array(const polycodec_array& array, const polycodec_node* attributes, std::uint64_t depth);

 private:
  void table(const polycodec_array& record);
  void item(const View& item, std::uint64_t depth);
  void scalar(const View& item, const polycodec_node* attributes);

  Encoder& encoder_;
  Writing& state_;
  LeafWriter& leaves_;
};

}  // namespace polycodec::yggdrasil
