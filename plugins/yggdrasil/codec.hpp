// SPDX-License-Identifier: MIT
// The datatype of a header, the options of an instance, and the codec as a class, which tests
// and benchmarks call directly.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/node_view.hpp>

#include "leaf.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::yggdrasil {

/// A schema with those of its parts. Owns all that it says.
struct Datatype {
  std::optional<Leaf> leaf;  ///< of a scalar, an array, or another type that is sent as a string
  std::vector<std::pair<std::string, std::string>>
      texts;                       ///< attributes that are strings: units, title
  std::vector<std::string> names;  ///< of the properties
  std::vector<Datatype> properties;
  std::vector<Datatype> items;
  bool one_item = false;  ///< items[0] is the type of all items

  /// Reads a schema whose precisions count bits. Throws Error(Status::option).
  static Datatype from(NodeView schema);

  /// The type of a member, or NULL if the schema does not say.
  const Datatype* member(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return &properties[i];
    return nullptr;
  }
  /// The type of item `i`, or NULL.
  const Datatype* item(std::size_t i) const noexcept {
    if (one_item) return items.data();
    return i < items.size() ? &items[i] : nullptr;
  }
};

enum class Dialect {
  current,   ///< typed values say what they are
  document,  ///< bare base64, described by the header, precision in bits
  legacy,    ///< likewise, in lines of 76 characters
};

enum class Duplicates { keep, last, refuse };

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool tolerant = false;
  bool python = false;
  Dialect dialect = Dialect::current;
  std::optional<Datatype> datatype;
  bool bare_nonfinite = false;
  bool geometry_as_text = false;
  Duplicates duplicates = Duplicates::keep;
  bool lenient_utf8 = false;
  bool refuse_foreign = false;
  bool escape_separator = true;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

/// Bodies of yggdrasil messages. The members are those that make_codec() asks for; all are
/// [thread-safe].
class Yggdrasil {
 public:
  static constexpr const char* name = "yggdrasil";

  Yggdrasil(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

}  // namespace polycodec::yggdrasil
