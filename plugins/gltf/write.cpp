// SPDX-License-Identifier: MIT
// Writing documents: one buffer with a view for each accessor and each image.
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace polycodec::gltf {
namespace {

constexpr std::uint32_t target_attributes = 34962;
constexpr std::uint32_t target_indices = 34963;

/// What primitives and animations use an accessor for.
struct Use {
  bool attribute = false;
  bool indices = false;
  bool bounds = false;  ///< its least and greatest elements must be said
};

/// A part of the buffer: memory of the value or of the arena.
struct Part {
  std::string_view bytes;
  std::uint64_t offset = 0;
};

std::uint64_t padded(std::uint64_t size) noexcept {
  return (size + 3) / 4 * 4;
}

class Composer {
 public:
  Composer(const Call& call, View document, Builder& out)
      : call_(call), meter_(call), document_(document), out_(out) {}

  /// The document as it is written, without the URI of its buffer.
  Node run() {
    find_uses();
    auto made = out_.object();
    for (std::uint64_t i = 0; i < document_.size(); ++i) {
      const std::string_view name = document_.name(i);
      if (name == "buffers" || name == "bufferViews")
        refuse(Status::unsupported, "bad_member",
               "the member is made of the values of accessors: leave it out",
               "$." + std::string(name));
      if (name == "accessors") {
        list(made, name, [&](View item, std::uint64_t k) { return accessor(item, k); });
      } else if (name == "images") {
        list(made, name, [&](View item, std::uint64_t k) { return image(item, k); });
      } else {
        lose_metadata(document_.child(i), "$" + key_step(name));
        member(made, name, document_.child(i));
      }
    }
    if (views_.size() != 0) made.push("bufferViews", views_);
    return made;
  }
  const std::vector<Part>& parts() const noexcept { return parts_; }
  std::uint64_t size() const noexcept { return size_; }

 private:
  void lose_metadata(View of, const std::string& path) {
    if (of.metadata() != nullptr) call_.report_loss(LossClass::data, path, "metadata");
  }
  /// A member as it is. It may be a part of an array, which no node has: then it is copied.
  template <class Object>
  void member(Object& object, std::string_view name, View value) {
    object.push(name, node_of(value));
  }
  Node node_of(View value) {
    call_.check_stack();
    meter_.tick();
    if (value.node() != nullptr) return *value.node();
    if (value.array() != nullptr) return Builder::array(value.array());
    if (value.is_object()) {
      auto object = out_.object();
      for (std::uint64_t i = 0; i < value.size(); ++i)
        member(object, value.name(i), value.child(i));
      return object;
    }
    if (value.is_list()) {
      auto items = out_.list();
      for (std::uint64_t i = 0; i < value.size(); ++i) items.push(node_of(value.child(i)));
      return items;
    }
    if (value.is_string()) return out_.string_copy(value.as_string(scratch_));
    if (value.is_binary()) return Builder::bytes_view(value.as_bytes());
    if (value.kind() == POLYCODEC_KIND_BOOLEAN) return Builder::boolean(value.as_bool());
    if (value.kind() == POLYCODEC_KIND_SIGNED) return Builder::integer(value.as_int64());
    if (value.kind() == POLYCODEC_KIND_UNSIGNED)
      return Builder::unsigned_integer(value.as_uint64());
    if (value.kind() == POLYCODEC_KIND_FLOAT)
      return value.dtype() == POLYCODEC_DTYPE_FLOAT32
                 ? Builder::real32(static_cast<float>(value.as_double()))
                 : Builder::real(value.as_double());
    if (value.is_null()) return Builder::null();
    refuse(Status::unsupported, "bad_member",
           "JSON has nothing for this kind of value: " + std::string(kind_name(value.kind())), "$");
  }

  template <class Object, class Make>
  void list(Object& object, std::string_view name, const Make& make) {
    const View items = list_at(document_, name, "$");
    const std::string path = "$" + key_step(name);
    lose_metadata(items, path);
    auto made = out_.list();
    for (std::uint64_t k = 0; k < items.size(); ++k) {
      meter_.tick(32);
      if (items.child(k).metadata() != nullptr) lose_metadata(items.child(k), path + index_step(k));
      made.push(make(items.child(k), k));
    }
    object.push(name, made);
  }

  Use* use(View object, std::string_view name) {
    const auto found = integer_at(object, name, UINT64_MAX - 1, "$");
    return found && *found < uses_.size() ? &uses_[static_cast<std::size_t>(*found)] : nullptr;
  }
  void attributes(View of) {
    for (std::uint64_t i = 0; i < of.size(); ++i)
      if (Use* const found = use(of, of.name(i))) {
        found->attribute = true;
        found->bounds = found->bounds || of.name(i) == "POSITION";
      }
  }
  void find_uses() {
    uses_.resize(static_cast<std::size_t>(list_at(document_, "accessors", "$").size()));
    for (View mesh : list_at(document_, "meshes", "$"))
      for (View primitive : list_at(mesh, "primitives", "$")) {
        meter_.tick(8);
        attributes(*object_at(primitive, "attributes", "$"));
        for (View target : list_at(primitive, "targets", "$")) attributes(target);
        if (Use* const found = use(primitive, "indices")) found->indices = true;
      }
    for (View animation : list_at(document_, "animations", "$"))
      for (View sampler : list_at(animation, "samplers", "$"))
        if (Use* const found = use(sampler, "input")) found->bounds = true;
  }

  /// Adds a part to the buffer, and the view of it. Returns the number of the view.
  std::int64_t add(std::string_view bytes, std::uint64_t stride, std::uint32_t target) {
    parts_.push_back({bytes, size_});
    auto view = out_.object();
    const auto number = [&](const char* name, std::uint64_t value) {
      view.push(name, Builder::integer(static_cast<std::int64_t>(value)));
    };
    number("buffer", 0);
    number("byteOffset", size_);
    number("byteLength", bytes.size());
    if (stride != 0) number("byteStride", stride);
    if (target != 0) number("target", target);
    size_ = padded(size_ + bytes.size());
    views_.push(view);
    return static_cast<std::int64_t>(views_.size() - 1);
  }

  static double exact(View number, const std::string& path) {
    try {
      return number.as_double();
    } catch (const Error& error) {
      if (error.code() != Status::range) throw;
      refuse(Status::range, "bad_number",
             "the component type of the accessor does not hold a number", path);
    }
  }
  /// The values as an array, gathered where they are lists of numbers.
  const polycodec_array* array_of(View values, const Layout& layout, const std::string& path) {
    if (values.array() != nullptr && values.array()->layout == POLYCODEC_LAYOUT_NDARRAY)
      return values.array();
    if (!values.is_list()) refuse(Status::type, "bad_accessor", "expected a list", path);
    if (values.size() != layout.count) return nullptr;
    auto* to = out_.allocate<double>(layout.count * layout.components());
    std::uint64_t at = 0;
    const auto numbers = [&](auto&& self, View list, std::uint32_t depth) -> void {
      const std::uint64_t wanted = depth == 0                               ? layout.count
                                   : depth == 1 && layout.type->columns > 1 ? layout.type->columns
                                                                            : layout.type->rows;
      if (!list.is_list() || list.size() != wanted)
        refuse(Status::type, "bad_accessor", "the values have another shape than the type says",
               path);
      const std::uint32_t last = layout.type->columns > 1 ? 2u : layout.type->rows > 1 ? 1u : 0u;
      for (std::uint64_t i = 0; i < list.size(); ++i) {
        meter_.tick();
        if (depth < last) {
          self(self, list.child(i), depth + 1);
        } else if (!list.child(i).is_number()) {
          refuse(Status::type, "bad_accessor", "expected numbers", path);
        } else {
          to[at++] = exact(list.child(i), path);
        }
      }
    };
    numbers(numbers, values, 0);
    Layout real = layout;
    real.dtype = POLYCODEC_DTYPE_FLOAT64;
    real.item_size = 8;
    return elements_of(real, {reinterpret_cast<const char*>(to), at * 8}, to,
                       static_cast<std::int64_t>(8 * layout.components()), out_);
  }

  Node accessor(View given, std::uint64_t k) {
    const std::string path = at("$.accessors", k);
    const Layout layout = layout_of(given, path);
    const Use use = uses_[static_cast<std::size_t>(k)];
    const auto values = given.find("values");
    if (!values)
      refuse(Status::malformed, "bad_accessor", "the member is missing", path + ".values");
    const polycodec_array* array = array_of(*values, layout, path + ".values");
    if (array == nullptr || array->length != layout.count)
      refuse(Status::malformed, "bad_accessor",
             "the accessor counts " + std::to_string(layout.count) + " elements, and has " +
                 std::to_string(values->size()),
             path + ".count");
    const Components from(*array, layout, path + ".values");
    meter_.tick(layout.count * layout.components());
    // Attributes begin at multiples of 4.
    const std::uint64_t element = layout.element_size();
    const std::uint64_t stride = use.attribute ? padded(element) : element;
    std::vector<double> least(layout.components(), INFINITY);
    std::vector<double> greatest(layout.components(), -INFINITY);
    const bool packed = stride == element && from.is_packed(layout);
    const bool bounds = use.bounds || given.find("min") || given.find("max");
    std::string_view bytes = to_string_view(from.data(), layout.count * element);
    if (!packed || bounds || layout.dtype == POLYCODEC_DTYPE_FLOAT32)
      bytes = packed ? (copy(layout, from, stride, nullptr, least, greatest, path), bytes)
                     : copied(layout, from, stride, least, greatest, path);
    const std::uint32_t target = use.attribute == use.indices ? 0
                                 : use.attribute              ? target_attributes
                                                              : target_indices;
    auto made = out_.object();
    made.push("bufferView", Builder::integer(add(
                                bytes, use.attribute && stride != element ? stride : 0, target)));
    for (std::uint64_t i = 0; i < given.size(); ++i) {
      const std::string_view name = given.name(i);
      if (name == "bufferView" || name == "byteOffset" || name == "sparse")
        refuse(Status::unsupported, "bad_member", "the member is made of the values: leave it out",
               path + "." + std::string(name));
      const bool is_bound = name == "min" || name == "max";
      if (name == "values" ||
          (is_bound && !is_same(given.child(i), name == "min" ? least : greatest)))
        continue;
      member(made, name, given.child(i));
    }
    for (const std::string_view name : {"min", "max"}) {
      const std::vector<double>& bound = name == "min" ? least : greatest;
      const auto own = given.find(name);
      if (bounds && !(own && is_same(*own, bound))) made.push(name, numbers(layout, bound));
    }
    return made;
  }

  /// True if a member has these numbers, and so can stay as it is.
  static bool is_same(const View& given, const std::vector<double>& numbers) {
    if (!given.is_list() || given.size() != numbers.size()) return false;
    for (std::uint64_t i = 0; i < given.size(); ++i) {
      const View number = given.child(i);
      if (!number.is_number() || number.as_double() != numbers[static_cast<std::size_t>(i)])
        return false;
    }
    return true;
  }

  Node numbers(const Layout& layout, const std::vector<double>& values) {
    auto made = out_.list();
    for (const double value : values)
      made.push(layout.dtype == POLYCODEC_DTYPE_FLOAT32
                    ? Builder::real(value)
                    : Builder::integer(static_cast<std::int64_t>(value)));
    return made;
  }

  std::string_view copied(const Layout& layout, const Components& from, std::uint64_t stride,
                          std::vector<double>& least, std::vector<double>& greatest,
                          const std::string& path) {
    auto* to = out_.allocate<char>(layout.count * stride);
    std::memset(to, 0, layout.count * stride);
    copy(layout, from, stride, to, least, greatest, path);
    return {to, layout.count * stride};
  }

  /// Copies the elements (not to NULL), and finds the bounds of their components.
  void copy(const Layout& layout, const Components& from, std::uint64_t stride, char* to,
            std::vector<double>& least, std::vector<double>& greatest, const std::string& path) {
    std::uint64_t rounded = 0;
    for (std::uint64_t i = 0; i < layout.count; ++i)
      for (std::uint32_t k = 0; k < layout.components(); ++k) {
        double number = from.number(i, k);
        if (layout.dtype == POLYCODEC_DTYPE_FLOAT32) {
          const auto single = static_cast<double>(static_cast<float>(number));
          if (!std::isfinite(single))
            refuse(Status::range, "not_finite",
                   "a number of an accessor is not finite: glTF has neither NaN nor infinity",
                   at(path + ".values", i));
          rounded += single != number ? 1 : 0;
          number = single;
        }
        least[k] = std::min(least[k], number);
        greatest[k] = std::max(greatest[k], number);
        char* const p = to == nullptr
                            ? nullptr
                            : to + i * stride + k / layout.type->rows * layout.column_stride() +
                                  k % layout.type->rows * layout.item_size;
        if (!put(layout, p, number))
          refuse(Status::range, "bad_number",
                 "the component type of the accessor does not hold a number",
                 at(path + ".values", i));
      }
    if (rounded != 0)
      call_.report_loss(LossClass::note, path + ".values",
                        std::to_string(rounded) + " numbers that float32 rounds");
  }

  /// Writes a number (not to NULL) if the component type holds it.
  template <class T>
  static bool put_as(char* p, double number) {
    if (!(number >= static_cast<double>(std::numeric_limits<T>::min()) &&
          number <= static_cast<double>(std::numeric_limits<T>::max())) ||
        number != std::floor(number))
      return false;
    if (p != nullptr) store_le(p, static_cast<T>(number));
    return true;
  }
  static bool put(const Layout& layout, char* p, double number) {
    switch (layout.dtype) {
      case POLYCODEC_DTYPE_INT8:
        return put_as<std::int8_t>(p, number);
      case POLYCODEC_DTYPE_UINT8:
        return put_as<std::uint8_t>(p, number);
      case POLYCODEC_DTYPE_INT16:
        return put_as<std::int16_t>(p, number);
      case POLYCODEC_DTYPE_UINT16:
        return put_as<std::uint16_t>(p, number);
      case POLYCODEC_DTYPE_UINT32:
        return put_as<std::uint32_t>(p, number);
      default:
        if (p != nullptr) store_le(p, static_cast<float>(number));
        return true;
    }
  }

  Node image(View given, std::uint64_t k) {
    const std::string path = at("$.images", k);
    auto made = out_.object();
    bool typed = false;
    for (std::uint64_t i = 0; i < given.size(); ++i) {
      typed = typed || given.name(i) == "mimeType";
      if (given.name(i) == "bufferView")
        refuse(Status::unsupported, "bad_member", "the member is made of the data: leave it out",
               path + ".bufferView");
      if (given.name(i) != "data") member(made, given.name(i), given.child(i));
    }
    const auto data = given.find("data");
    if (!data) return made;
    if (!data->is_binary()) refuse(Status::type, "bad_member", "expected bytes", path + ".data");
    const std::string_view bytes = data->as_bytes();
    const char* const type = bytes.starts_with("\x89PNG")        ? "image/png"
                             : bytes.starts_with("\xff\xd8\xff") ? "image/jpeg"
                                                                 : nullptr;
    if (!typed && type == nullptr)
      refuse(Status::malformed, "bad_image",
             "the image has no 'mimeType', and is neither PNG nor JPEG", path);
    if (!typed) made.push("mimeType", Builder::string_view(type));
    made.push("bufferView", Builder::integer(add(bytes, 0, 0)));
    return made;
  }

  const Call& call_;
  Meter meter_;
  const View document_;
  Builder& out_;
  std::vector<Use> uses_;
  std::vector<Part> parts_;
  ListBuilder views_ = out_.list();
  std::uint64_t size_ = 0;
  std::string scratch_;
};

/// The text of the document with its one buffer.
std::string text_of(const Call& call, const Node& made, const Composer& composer,
                    std::string_view uri, Builder& out) {
  auto whole = out.object();
  const NodeView object(&made);
  for (std::uint64_t i = 0; i < object.size(); ++i)
    whole.push(object.key(i).as_string(), *object.value(i).raw());
  if (!composer.parts().empty()) {
    auto buffer = out.object();
    if (!uri.empty()) buffer.push("uri", Builder::string_view(uri));
    buffer.push("byteLength", Builder::integer(static_cast<std::int64_t>(composer.size())));
    whole.push("buffers", out.list({buffer}));
  }
  std::string text;
  write_json(call, View(out.root(whole)), "$", text);
  return text;
}

constexpr std::string_view data_prefix = "data:application/octet-stream;base64,";

/// Writes bytes as base64, piece by piece.
class Base64Pieces {
 public:
  explicit Base64Pieces(Writer& out) : out_(out) { bytes_.reserve(piece); }
  void put(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t n = std::min(piece - bytes_.size(), bytes.size());
      bytes_.append(bytes.substr(0, n));
      bytes.remove_prefix(n);
      if (bytes_.size() == piece) flush();
    }
  }
  void flush() {
    digits_.clear();
    encode_base64(bytes_, digits_);
    out_.put_text(digits_);
    bytes_.clear();
  }

 private:
  static constexpr std::size_t piece = 3 * 16384;
  Writer& out_;
  std::string bytes_, digits_;
};

}  // namespace

void write(const Call& call, View document, bool binary, Builder& scratch, Writer& out) {
  check_required(document, false);
  check_references(call, document);
  Composer composer(call, document, scratch);
  const Node made = composer.run();
  if (!binary) {
    const bool has_data = !composer.parts().empty();
    const std::string text = text_of(call, made, composer, has_data ? data_prefix : "", scratch);
    if (!has_data) {
      out.put_text(text);
      return out.put_u8('\n');
    }
    // The buffer is the last member, so its URI is the last one.
    const std::size_t data = text.rfind(data_prefix) + data_prefix.size();
    out.put_text(std::string_view(text).substr(0, data));
    Base64Pieces pieces(out);
    for (const Part& part : composer.parts()) {
      call.tick(1 + part.bytes.size() / 4);
      pieces.put(part.bytes);
      pieces.put(std::string_view("\0\0\0", padded(part.bytes.size()) - part.bytes.size()));
    }
    pieces.flush();
    out.put_text(std::string_view(text).substr(data));
    return out.put_u8('\n');
  }
  std::string text = text_of(call, made, composer, {}, scratch);
  text.resize(static_cast<std::size_t>(padded(text.size())), ' ');
  const std::uint64_t bin = composer.parts().empty() ? 0 : 8 + composer.size();
  const std::uint64_t size = 20 + text.size() + bin;
  if (size > UINT32_MAX)
    refuse(Status::limit, "limit",
           "a GLB file of " + std::to_string(size) + " bytes: it has at most 2^32 - 1", "$");
  out.expect(size);
  out.put_text("glTF");
  out.put_le(std::uint32_t{2});
  out.put_le(static_cast<std::uint32_t>(size));
  out.put_le(static_cast<std::uint32_t>(text.size()));
  out.put_text("JSON");
  out.put_text(text);
  if (bin == 0) return;
  out.put_le(static_cast<std::uint32_t>(composer.size()));
  out.put_text(std::string_view("BIN\0", 4));
  for (const Part& part : composer.parts()) {
    out.reference(part.bytes);
    out.put_fill(0, padded(part.bytes.size()) - part.bytes.size());
  }
}

}  // namespace polycodec::gltf
