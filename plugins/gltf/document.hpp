// SPDX-License-Identifier: MIT
// Parts of a glTF file: its chunks, its JSON, base64, and the rules of the document.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/view.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::gltf {

/// The parts of a file.
struct File {
  bool binary = false;         ///< a GLB file
  std::string_view json = {};  ///< the text of the document
  std::uint64_t json_offset = 0;
  std::optional<std::string_view> bin = {};  ///< the binary chunk
  std::uint64_t bin_offset = 0;
};

/// The value of a JSON text; numbers are int64, uint64 or float64. `offset` is of the text, for
/// errors.
Node read_json(const Call& call, std::string_view text, std::uint64_t offset, Builder& out);

/// Appends a value as JSON. Throws Error(unsupported) with the path of what JSON does not have.
void write_json(const Call& call, View value, const std::string& path, std::string& out);

/// The bytes of base64 text, in the arena; nothing if it is none.
std::optional<std::string_view> decode_base64(std::string_view text, Builder& out);
void encode_base64(std::string_view bytes, std::string& out);

/// Throws Error(`gltf.*`) with the path of what breaks a rule of the document.
[[noreturn]] void refuse(Status status, const char* word, const std::string& message,
                         const std::string& path);

/// The list of this name; an empty one if it is absent.
View list_at(View object, std::string_view name, const std::string& path);
/// The object of this name, or nothing.
std::optional<View> object_at(View object, std::string_view name, const std::string& path);
/// The integer of this name, 0 to `most`, or nothing.
std::optional<std::uint64_t> integer_at(View object, std::string_view name, std::uint64_t most,
                                        const std::string& path);
/// The same where the member must be there.
std::uint64_t need_integer(View object, std::string_view name, std::uint64_t most,
                           const std::string& path);
/// The string of this name, or empty text. Throws for another kind.
std::string_view string_at(View object, std::string_view name, const std::string& path);
/// `path[i]`.
std::string at(const std::string& path, std::uint64_t i);

/// Checks what the document requires, and that it is glTF 2. Throws Error(unsupported) with the
/// names of extensions that this codec does not know. It reads those that compress, and writes
/// none.
void check_required(View document, bool reading);
/// Checks that every index of the document is in range and that its nodes are trees.
void check_references(const Call& call, View document);

/// A type of accessor.
struct ElementType {
  std::string_view name;
  std::uint32_t columns, rows;
};
inline constexpr ElementType element_types[] = {{"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3},
                                                {"VEC4", 1, 4},   {"MAT2", 2, 2}, {"MAT3", 3, 3},
                                                {"MAT4", 4, 4}};

/// What an accessor says of its elements.
struct Layout {
  const ElementType* type = nullptr;
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;
  std::uint32_t item_size = 0;  ///< of a component
  std::uint64_t count = 0;

  /// Bytes from one column of a matrix to the next: they begin at multiples of 4.
  std::uint64_t column_stride() const noexcept {
    const std::uint64_t size = std::uint64_t{type->rows} * item_size;
    return type->columns == 1 ? size : (size + 3) / 4 * 4;
  }
  std::uint64_t element_size() const noexcept { return type->columns * column_stride(); }
  std::uint32_t components() const noexcept { return type->columns * type->rows; }
};

/// The layout that the members of an accessor say.
Layout layout_of(View accessor, const std::string& path);
/// The number for a dtype in `componentType`; 0 if there is none.
std::uint32_t component_type(std::uint32_t dtype) noexcept;

/// The elements as an array: [count], [count][rows] or [count][columns][rows]. `first` lies in
/// `memory`, elements are `stride` bytes apart.
const polycodec_array* elements_of(const Layout& layout, std::string_view memory, const void* first,
                                   std::int64_t stride, Builder& out);

/// Numbers of an array that elements_of() made, or of the same shape.
class Components {
 public:
  /// Throws Error(type) if `array` is not of this shape.
  Components(const polycodec_array& array, const Layout& layout, const std::string& path);
  const std::byte* at(std::uint64_t i, std::uint32_t column, std::uint32_t row) const noexcept {
    return data_ + static_cast<std::int64_t>(i) * strides_[0] +
           static_cast<std::int64_t>(column) * strides_[1] +
           static_cast<std::int64_t>(row) * strides_[2];
  }
  /// Component k of element i.
  double number(std::uint64_t i, std::uint32_t k) const noexcept;
  std::uint32_t dtype() const noexcept { return dtype_; }
  /// True if the elements lie in memory as glTF has them, `size` bytes each.
  bool is_packed(const Layout& layout) const noexcept;
  const std::byte* data() const noexcept { return data_; }

 private:
  const std::byte* data_;
  std::array<std::int64_t, 3> strides_{};
  std::uint32_t dtype_, rows_;
  std::uint8_t byte_order_;
};

}  // namespace polycodec::gltf
