// SPDX-License-Identifier: MIT
// An OBJ value as elements of a PLY file that hold all of it, and back: docs/mesh.md says what
// stands where.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/mesh.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

/// More columns of faces, and comments that name textures.
struct FaceColumns {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  std::vector<std::string> textures;
};

/// Returns an OBJ value as elements: one vertex for each combination of position, texture
/// coordinate and normal that corners use, with the first one of each position in the place of the
/// position. What programs do not know is in columns and elements that start with `obj_` and in
/// lines of comment. Faces have the columns of `more`, too, and the header its comments. `losses`
/// is notified of the rest. Throws Error with the path of what does not fit.
polycodec_node statements_to_elements(const View& root, Builder& out, Losses& losses,
                                      const FaceColumns& more = {});

/// Returns a mesh as such elements; nothing for one with faces of fewer than three corners, which
/// no OBJ file has.
std::optional<polycodec_node> whole_elements(const Mesh& m, const FaceColumns& more, Builder& out,
                                             Losses& losses);

/// True for elements that statements_to_elements() made with columns or lines of its own.
bool holds_statements(const View& root);

/// Returns the OBJ value that such elements hold; nothing where somebody changed them, so that
/// lines and rows do not belong to each other any more. Foreign columns and elements are reported
/// to `losses`.
std::optional<polycodec_node> elements_to_statements(const View& root, Builder& out,
                                                     Losses& losses);

namespace detail {

/// What starts the names of columns and elements that only elements_to_statements() reads.
inline constexpr std::string_view whole_prefix = "obj_";
/// What starts a line of counts (`obj.rows v 1 vn 1 * 8`: both, eight times; `-` are blank lines),
/// a statement
/// (`obj.text usemtl dark blue`), and the scale of colors (`obj.colors 255`).
inline constexpr std::string_view rows_line = "obj.rows";
inline constexpr std::string_view text_line = "obj.text";
inline constexpr std::string_view colors_line = "obj.colors";
/// What starts a comment that names a texture, which the materials say as well.
inline constexpr std::string_view texture_line = "TextureFile ";

/// The bytes of color that fractions of one were: as a float has them, as a double has them, or
/// the numbers from 0 to 255 themselves.
enum class ColorScale : std::uint8_t { single_fraction, double_fraction, byte };

/// The fraction that a byte of color is in an OBJ file.
double color_fraction(std::uint8_t byte, ColorScale scale, bool single);

/// One statement of an OBJ value.
struct StatementLine {
  std::string code;
  std::uint64_t count = 1;
  std::string text;
};

/// The kinds of rows that statements count.
inline constexpr std::string_view row_codes[] = {"v", "vt", "vn", "vp", "p", "l", "f"};
inline constexpr std::size_t row_kinds = 7;
/// The number of the kind, or row_kinds for statements of text.
std::size_t row_kind(std::string_view code) noexcept;

/// The statements of an OBJ value of which each kind has `totals` rows: those that it says, then
/// rows that none mentions, in the order in which an encoder writes them. Throws Error(invalid,
/// `obj.bad_statement`) for more rows than there are.
std::vector<StatementLine> statement_lines(const View& root,
                                           const std::uint64_t (&totals)[row_kinds]);

/// A line of the header of a PLY file.
struct HeaderLine {
  bool info = false;  ///< obj_info, not comment
  std::string text;
};

/// Statements as lines, and back; nothing for lines that cannot be read, or that count more than
/// `rows` rows of all kinds. Comments that name a texture are not statements.
std::vector<HeaderLine> header_lines(const std::vector<StatementLine>& statements);
std::optional<std::vector<StatementLine>> statements_of(const std::vector<HeaderLine>& lines,
                                                        std::uint64_t rows);

/// All lines of elements: those of the header, or of the element that stands for it.
std::vector<HeaderLine> lines_of(const View& root);
/// The attribute `comments` of elements. Views nothing.
polycodec_node comments_node(const std::vector<HeaderLine>& lines, Builder& out);

}  // namespace detail

}  // namespace polycodec::mesh
