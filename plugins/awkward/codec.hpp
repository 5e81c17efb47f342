// SPDX-License-Identifier: MIT
// The codec as a class, without what the manifest says about it: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "read_settings.hpp"
#include "write_settings.hpp"

#include <cstdint>

namespace polycodec::awkward {

/// Awkward Array 0.x. The members are those that make_codec() asks for. All are [thread-safe].
class Awkward {
 public:
  Awkward(Host, const Options& options)
      : reading_(ReadSettings::from(options)), writing_(WriteSettings::from(options)) {}

  static constexpr std::uint32_t takes = POLYCODEC_TAKES_STORE;

  /// One array, or an OBJECT of all arrays of the store (see README.md). Blobs are viewed, not copied.
  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const;
  /// Sure if a blob is called as schemas are and begins as they do.
  static Sniff sniff_store(const Input& input);
  /// Writes the blobs of a store, the schema last.
  void encode(const Call& call, View value, Writer& out) const;

 private:
  void check_others(const Input& input) const;

  ReadSettings reading_;
  WriteSettings writing_;
};

}  // namespace polycodec::awkward
