// SPDX-License-Identifier: MIT
// The codec as a class, which tests and benchmarks call directly, and the functions.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/plugin.hpp>

#include "settings.hpp"

#include <cstdint>

namespace polycodec::awkward {

/// Awkward Array 0.x. The members are those that make_codec() asks for. All are [thread-safe].
class Awkward {
 public:
  static constexpr const char* name = "awkward";

  Awkward(Call&, const Options& options)
      : reading_(ReadSettings::from(options)), writing_(WriteSettings::from(options)) {}

  static constexpr std::uint32_t inputs = POLYCODEC_INPUT_STORE;
  static constexpr std::uint32_t outputs = POLYCODEC_INPUT_STORE;

  /// One array, or an OBJECT of all arrays of the store (see README.md). Blobs are viewed, not
  /// copied.
  Node decode(Call& call, const Input& input, Builder& out) const;
  /// The arrays of the store and the blobs of each, without evaluating one.
  Node list(Call& call, const Store& store, Builder& out) const;
  /// Sure if a blob is called as schemas are and begins as they do.
  static Sniff sniff(Call& call, const Input& input);
  /// Writes the blobs of a store, the schema last.
  void encode(const Call& call, NodeView value, Writer& out) const;

 private:
  void check_others(const Input& input) const;

  ReadSettings reading_;
  WriteSettings writing_;
};

/// The type `awkward_table`, which the manifest names with the same notation.
inline constexpr polycodec_type table_type =
    make_type("awkward_table", "Rows * {...}", "A table of columns");

/// The functions that files may call, under every name that files know them by. They take values
/// and make values; none of them reads a file, looks a name up, or runs anything that data brings.
struct Functions {
  static constexpr const char* id = POLYCODEC_FUNCTIONS_INTERFACE;
  /// The polycodec_functions table.
  static const void* get() noexcept;
};

}  // namespace polycodec::awkward
