// SPDX-License-Identifier: MIT
// The header of a PLY file: what it declares, read from and written as text.
#pragma once

#include <base/line_ending.hpp>
#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/tolerant.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::ply {

enum class Format : std::uint8_t { ascii, little_endian, big_endian };
/// Which spelling of the types to write: as the value came, the original eight, or those that tell
/// the size.
enum class Spelling : std::uint8_t { keep, old_names, new_names };

std::string_view format_name(Format format) noexcept;
bool format_from_name(std::string_view name, Format& format) noexcept;

/// The type that a word of the header means, or POLYCODEC_DTYPE_NONE.
polycodec_dtype type_from_word(std::string_view word) noexcept;
/// The word for a type that PLY has: char or int8, .. double or float64.
std::string_view type_word(std::uint32_t dtype, bool old_name) noexcept;

/// Calls visit() with a number of the C++ type of a dtype that PLY has.
template <class Visit>
auto with_type(std::uint32_t dtype, Visit&& visit) {
  switch (dtype) {
    case POLYCODEC_DTYPE_INT8:
      return visit(std::int8_t{});
    case POLYCODEC_DTYPE_UINT8:
      return visit(std::uint8_t{});
    case POLYCODEC_DTYPE_INT16:
      return visit(std::int16_t{});
    case POLYCODEC_DTYPE_UINT16:
      return visit(std::uint16_t{});
    case POLYCODEC_DTYPE_INT32:
      return visit(std::int32_t{});
    case POLYCODEC_DTYPE_UINT32:
      return visit(std::uint32_t{});
    case POLYCODEC_DTYPE_FLOAT32:
      return visit(float{});
    default:
      return visit(double{});
  }
}

/// A property of an element. The strings are views, as in all of the header.
struct Property {
  std::string_view name;
  std::string_view type_word;
  std::string_view count_word;                         ///< empty unless it is a list
  polycodec_dtype dtype = POLYCODEC_DTYPE_NONE;        ///< of the number, or of the items
  polycodec_dtype count_dtype = POLYCODEC_DTYPE_NONE;  ///< DTYPE_NONE unless it is a list
  bool is_list() const noexcept { return count_dtype != POLYCODEC_DTYPE_NONE; }
};

struct Element {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

/// A comment or obj_info line. `after` is how many other lines of the header are before it (the
/// `ply` line is one).
struct Comment {
  std::uint64_t after = 0;
  bool is_obj_info = false;
  std::string_view text;
};

struct Header {
  Format format = Format::ascii;
  LineEnding line_ending = LineEnding::lf;
  std::vector<Element> elements;
  std::vector<Comment> comments;
  std::size_t size = 0;  ///< bytes of the header, with the newline of its last line
};

/// Reads the header at the start of `file`; the strings are views into it. `strict` refuses empty
/// lines; with `notes`, what is wrong is mended and reported to them (docs/tolerant.md). Names that
/// this makes are in the arena of `out`. Throws Error with the detail words of the README, byte
/// offset and, in the message, the line.
Header parse_header(std::string_view file, std::uint64_t max_bytes, bool strict, MendNotes* notes,
                    Builder& out);

/// The text of a header, with the newline behind `end_header`.
std::string print_header(const Header& header);

}  // namespace polycodec::ply
