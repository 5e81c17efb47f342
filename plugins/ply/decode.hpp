// SPDX-License-Identifier: MIT
// PLY files to values.
#pragma once

#include <model/loss.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/tolerant.hpp>

#include "codec.hpp"
#include "header.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::ply {

/// Where in the file something is wrong.
struct Place {
  std::uint64_t offset = 0;
  const Element* element = nullptr;
  std::uint64_t row = 0;
  const Property* property = nullptr;
};

/// What the readers of the two kinds of body share.
struct Decoding {
  const Settings& settings;
  const Call& call;
  std::string_view file;
  const Header& header;
  Builder& out;
  std::uint64_t first_row;  // rows of the element that were read before
  std::uint64_t declared;   // rows of the element in the header
  MendNotes& notes;         // with Settings::tolerant: what was mended
  std::uint64_t& complete;  // where the file ends too early: the rows before

  /// Throws an error whose path is `$.element[row].property`; in ascii files the message starts
  /// with the line.
  [[noreturn]] void fail(Status status, const char* detail, const std::string& message,
                         const Place& place) const;
  /// The note that something was mended: its place, what is wrong, and what it was read as.
  void note(LossClass loss, const std::string& message, const Place& place) const;
  /// `message` behind the line (of ascii files), the element, the row and the property.
  std::string described(const std::string& message, const Place& place) const;
  /// False if the rows of the element, of at least `row_size` bytes each, cannot be in the
  /// `left` bytes. Throws `ply.limit` for more rows than an array may have. To be called before
  /// anything is allocated for them.
  bool has_room(const Element& element, std::uint64_t row_size, std::uint64_t left,
                std::uint64_t offset) const;
};

/// The columns of one element, in the order of its properties; null for those that nobody wants.
using Columns = std::vector<polycodec_array*>;
/// Which properties of an element are wanted.
using Chosen = std::vector<bool>;

/// Reads one element of a binary body at `offset`, which is moved after it. Rows of one size
/// become views.
Columns decode_binary_element(const Decoding& decoding, const Element& element,
                              const Chosen& chosen, std::uint64_t& offset);
/// Reads one element of an ascii body at `offset`, which is moved after it. Numbers that nobody
/// wants are passed without a look at them.
Columns decode_ascii_element(const Decoding& decoding, const Element& element, const Chosen& chosen,
                             std::uint64_t& offset);

/// Makes float32 columns of those of doubles, and says so in the properties of `element`. Each one
/// is a loss: of the class `retyped` where all numbers are equal.
void narrow_doubles(const Call& call, Builder& out, Element& element, Columns& columns,
                    bool old_names, Losses& losses);

}  // namespace polycodec::ply
