// SPDX-License-Identifier: MIT
// Values to buffers: sizes first, since every size word is before what it counts, then all
// bytes in one pass.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include "codec.hpp"
#include "words.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// Encodes one value. Members come in any order; values come as documents or as columns. Nesting is
/// bounded by that of the schema. For one thread.
class Encoder {
 public:
  Encoder(const Plan& plan, const Call& call)
      : plan_(plan), schema_(plan.schema()), settings_(plan.settings()), call_(call), pace_(call) {}

  /// Finds all sizes; returns that of the whole buffer. Throws Error(type) with the path where the
  /// value does not have the shape of the schema, and Error(limit) for more than max_output_bytes.
  std::uint64_t measure(const View& root);
  /// Writes what measure() has measured. Throws Error(range) for numbers that their type does not
  /// hold.
  void write(const View& root, Writer& out);

 private:
  /// What a variant is to hold.
  struct Choice {
    std::size_t index;
    View held;
    bool empty;
  };

  // Sizes, and what must be known again when writing, in the order of writing.
  std::uint64_t measure_struct(const Struct& s, const View& item, const Place& place);
  std::uint64_t measure_member(const Type& type, const View& item, const Place& place);
  std::uint64_t measure_vector(const Type& type, const View& item, const Place& place);
  std::uint64_t measure_variant(const Type& type, const View& item, const Place& place);
  std::uint64_t measure_payload(const Type& type, const View& item, const Place& place);
  std::uint64_t packed_size(const Type& item_type, const View& item, const Place& place) const;
  std::uint64_t text_size(const View& item, const Place& place);
  std::uint64_t sum(std::uint64_t a, std::uint64_t b, const Place& place) const;
  [[noreturn]] void too_large(const Place& place) const;

  void write_struct(const Struct& s, const View& item, Writer& out, const Place& place);
  void write_member(const Type& type, const View& item, Writer& out, const Place& place);
  void write_vector(const Type& type, const View& item, Writer& out, const Place& place);
  void write_variant(const Type& type, const View& item, Writer& out, const Place& place);
  void write_payload(const Type& type, const View& item, Writer& out, const Place& place);
  void write_scalars(const Type& item_type, const View& item, Writer& out, const Place& place);
  bool write_rows(const Struct& s, const View& item, Writer& out, const Place& place);

  /// The native bytes of a scalar, little-endian.
  void scalar_bytes(const Type& type, const View& item, std::uint8_t (&bytes)[16],
                    const Place& place);
  std::uint64_t enum_bits(const Type& type, const View& item, const Place& place);
  Choice choose(const Type& type, const View& item, const Place& place);
  bool looks_like(const Type& type, const View& item) const;

  /// The members of `s` that are written: all, but for those that are absent at the end where the
  /// settings allow it.
  std::size_t written_fields(const Struct& s, const View& item, const Place& place) const;
  /// The value of member `i`; NULL where there is none.
  static std::optional<View> field_of(const Struct& s, const View& item, std::size_t i);
  [[noreturn]] void wrong_members(const Struct& s, const View& item, const Place& place) const;

  const Plan& plan_;
  const Schema& schema_;
  const Settings& settings_;
  const Call& call_;
  Meter pace_;
  std::vector<std::uint64_t> notes_;  // what measure() leaves for write()
  std::size_t next_note_ = 0;
  std::string scratch_;
};

}  // namespace polycodec::fastbin
