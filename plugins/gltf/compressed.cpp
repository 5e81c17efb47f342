// SPDX-License-Identifier: MIT
#include "compressed.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <limits>
#include <tuple>

namespace polycodec::gltf {
namespace {

/// Decodes with a codec that may not be installed. `extension` names what it unpacks.
View unpack(const Call& call, std::string_view codec, std::string_view extension,
            const Node* options, std::string_view bytes, const std::string& path) {
  try {
    return View(call.decode_with(codec, options, bytes));
  } catch (const Error& error) {
    const std::string name(codec);
    if (error.code() == Status::not_found)
      refuse(Status::unsupported, "extension",
             "the file needs the codec '" + name + "' for " + std::string(extension) +
                 ", which is not installed; install the plugin " + name +
                 " of polycodec, or write the file without compression",
             path);
    throw Error(error.code(), name + ": " + error.message()).detail(error.detail()).path(path);
  }
}

/// The array of this member, or nothing.
const polycodec_array* array_at(View object, std::string_view name) {
  const auto found = object.find(name);
  return found ? found->array() : nullptr;
}

[[noreturn]] void refuse_values(const std::string& what, const std::string& path) {
  refuse(Status::malformed, "bad_accessor", what + " in " + std::string(draco_extension), path);
}

/// The bounds of an integer type of components; both 0 for other types.
std::pair<double, double> bounds_of(std::uint32_t dtype) noexcept {
  switch (dtype) {
    case POLYCODEC_DTYPE_INT8:
      return {-128, 127};
    case POLYCODEC_DTYPE_UINT8:
      return {0, 255};
    case POLYCODEC_DTYPE_INT16:
      return {-32768, 32767};
    case POLYCODEC_DTYPE_UINT16:
      return {0, 65535};
    case POLYCODEC_DTYPE_INT32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case POLYCODEC_DTYPE_UINT32:
      return {0, std::numeric_limits<std::uint32_t>::max()};
    default:
      return {0, 0};
  }
}

/// What the codec gave, as the elements that the accessor says. Integers may have another width.
const polycodec_array* elements_as(const Call& call, const polycodec_array& given,
                                   const Layout& layout, const std::string& path, Builder& out) {
  const Components numbers(given, layout, path);
  if (static_cast<std::uint64_t>(given.shape[0]) != layout.count)
    refuse_values("the accessor has " + std::to_string(layout.count) + " elements, and " +
                      std::to_string(given.shape[0]) + " are",
                  path + ".count");
  if (numbers.is_packed(layout)) return &given;
  const auto [least, most] = bounds_of(layout.dtype);
  if (most == 0 || bounds_of(given.dtype).second == 0 || layout.type->columns != 1)
    refuse_values("the accessor has another type of components than the elements",
                  path + ".componentType");
  const std::uint32_t rows = layout.type->rows;
  const std::uint64_t size = layout.count * layout.element_size();
  call.tick(layout.count * rows);
  auto* const made = out.allocate<char>(size);
  char* to = made;
  for (std::uint64_t i = 0; i < layout.count; ++i)
    for (std::uint32_t k = 0; k < rows; ++k, to += layout.item_size) {
      const double number = numbers.number(i, k);
      if (number < least || number > most)
        refuse_values("the number " + std::to_string(static_cast<std::int64_t>(number)) +
                          " of element " + std::to_string(i) +
                          " does not fit the type of components, and is",
                      path + ".componentType");
      const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
      if (layout.item_size == 1) store_le(to, static_cast<std::uint8_t>(bits));
      if (layout.item_size == 2) store_le(to, static_cast<std::uint16_t>(bits));
      if (layout.item_size == 4) store_le(to, bits);
    }
  return elements_of(layout, {made, size}, made, static_cast<std::int64_t>(layout.element_size()),
                     out);
}

/// The corners of triangles in one row.
const polycodec_array* corners_of(View decoded, const std::string& path, Builder& out) {
  const polycodec_array* const faces = array_at(decoded, "faces");
  if (faces == nullptr) refuse_values("the primitive has indices, and no triangles are", path);
  Layout layout{.type = &element_types[2], .dtype = POLYCODEC_DTYPE_UINT32, .item_size = 4};
  const Components rows(*faces, layout, path);
  layout.count = static_cast<std::uint64_t>(faces->shape[0]);
  if (!rows.is_packed(layout)) refuse_values("the triangles are not uint32", path);
  const std::string_view memory(reinterpret_cast<const char*>(rows.data()), 12 * layout.count);
  layout.type = &element_types[0];
  layout.count *= 3;
  return elements_of(layout, memory, memory.data(), 4, out);
}

/// Unpacks the primitives of a document, each buffer view once.
class Primitives {
 public:
  Primitives(const Call& call, View document, const ViewBytes& bytes_of_view, Builder& out)
      : call_(call), document_(document), bytes_of_view_(bytes_of_view), out_(out) {}

  std::map<std::uint64_t, const polycodec_array*> run() {
    const bool required = requires_extension(document_, draco_extension);
    const View meshes = list_at(document_, "meshes", "$");
    for (std::uint64_t m = 0; m < meshes.size(); ++m) {
      const std::string mesh = at("$.meshes", m) + ".primitives";
      const View primitives = list_at(meshes.child(m), "primitives", at("$.meshes", m));
      for (std::uint64_t i = 0; i < primitives.size(); ++i) {
        call_.tick(16);
        const View primitive = primitives.child(i);
        const std::string path = at(mesh, i);
        const auto extensions = object_at(primitive, "extensions", path);
        if (!extensions) continue;
        const std::string where = path + ".extensions";
        const auto packed = object_at(*extensions, draco_extension, where);
        if (packed && (required || lacks_elements(primitive, *packed, path)))
          add(primitive, *packed, path, where + "." + std::string(draco_extension));
      }
    }
    std::map<std::uint64_t, const polycodec_array*> made;
    for (const auto& [accessor, source] : sources_) made.emplace(accessor, source.elements);
    return made;
  }

 private:
  /// Where the elements of an accessor come from.
  struct Source {
    std::uint64_t view, id;
    const polycodec_array* elements;
  };
  static constexpr std::uint64_t corners = UINT64_MAX;  // in place of the id of an attribute

  View accessor(std::uint64_t number) const {
    return list_at(document_, "accessors", "$").child(number);
  }
  bool lacks_elements(View primitive, View packed, const std::string& path) const {
    const auto lacks = [&](View object, std::string_view name) {
      const auto number = integer_at(object, name, UINT64_MAX - 1, path);
      return number && !accessor(*number).find("bufferView") && !accessor(*number).find("sparse");
    };
    if (lacks(primitive, "indices")) return true;
    const View attributes = primitive["attributes"];
    const auto named = object_at(packed, "attributes", path);
    for (std::uint64_t i = 0; named && i < named->size(); ++i)
      if (lacks(attributes, named->name(i))) return true;
    return false;
  }

  void add(View primitive, View packed, const std::string& path, const std::string& where) {
    if (integer_at(primitive, "mode", 6, path).value_or(4) != 4)
      refuse(Status::unsupported, "bad_primitive",
             "a compressed primitive of another mode than triangles (4)", path + ".mode");
    const std::uint64_t view = need_integer(packed, "bufferView", UINT32_MAX, where);
    const auto named = object_at(packed, "attributes", where);
    if (!named)
      refuse(Status::malformed, "bad_member", "the member is missing", where + ".attributes");
    const View decoded = decode(view, where);
    const auto indices = integer_at(primitive, "indices", UINT64_MAX - 1, path);
    if (!indices)
      refuse(Status::malformed, "bad_primitive", "a compressed primitive without indices",
             path + ".indices");
    put(*indices, view, corners, path + ".indices",
        [&] { return corners_of(decoded, where, out_); });
    const View attributes = primitive["attributes"];
    for (std::uint64_t i = 0; i < named->size(); ++i) {
      const std::string name(named->name(i));
      const std::string at_name = where + ".attributes." + name;
      const std::uint64_t id = need_integer(*named, name, UINT32_MAX, where + ".attributes");
      const auto number = integer_at(attributes, name, UINT64_MAX - 1, path + ".attributes");
      if (!number)
        refuse(Status::malformed, "bad_primitive", "the primitive has no such attribute", at_name);
      put(*number, view, id, at_name, [&] { return values_of(decoded, id, at_name); });
    }
  }

  View decode(std::uint64_t view, const std::string& where) {
    const auto known = decoded_.find(view);
    if (known != decoded_.end()) return known->second;
    const View made = unpack(call_, "draco", draco_extension, nullptr,
                             bytes_of_view_(view, where + ".bufferView"), where);
    return decoded_.emplace(view, made).first->second;
  }

  /// The values of the attribute with this unique id.
  const polycodec_array* values_of(View decoded, std::uint64_t id, const std::string& path) {
    const View attributes = list_at(decoded, "attributes", path);
    call_.tick(attributes.size());
    for (std::uint64_t i = 0; i < attributes.size(); ++i) {
      const View attribute = attributes.child(i);
      const polycodec_array* const values = array_at(attribute, "values");
      if (values != nullptr && integer_at(attribute, "id", UINT64_MAX - 1, path) == id)
        return values;
    }
    refuse(Status::malformed, "bad_index",
           "the compressed mesh has no attribute with the id " + std::to_string(id), path);
  }

  template <class Elements>
  void put(std::uint64_t number, std::uint64_t view, std::uint64_t id, const std::string& from,
           const Elements& elements) {
    const std::string path = at("$.accessors", number);
    if (const auto known = sources_.find(number); known != sources_.end()) {
      if (known->second.view != view || known->second.id != id)
        refuse(Status::malformed, "bad_primitive",
               "accessor " + std::to_string(number) + " has its elements in two compressed meshes",
               from);
      return;
    }
    const View description = accessor(number);
    if (description.find("sparse"))
      refuse(Status::unsupported, "bad_accessor", "a sparse accessor with compressed elements",
             path + ".sparse");
    const Layout layout = layout_of(description, path);
    sources_.emplace(number, Source{view, id, elements_as(call_, *elements(), layout, path, out_)});
  }

  const Call& call_;
  const View document_;
  const ViewBytes& bytes_of_view_;
  Builder& out_;
  std::map<std::uint64_t, View> decoded_;    // by buffer view
  std::map<std::uint64_t, Source> sources_;  // by accessor
};

}  // namespace

bool is_compression(std::string_view extension) noexcept {
  return extension == meshopt_extension || extension == draco_extension;
}

bool requires_extension(View document, std::string_view extension) {
  const View required = list_at(document, "extensionsRequired", "$");
  for (std::uint64_t i = 0; i < required.size(); ++i)
    if (required.child(i).as_string() == extension) return true;
  return false;
}

std::optional<View> meshopt_of(View description, const std::string& path) {
  const auto extensions = object_at(description, "extensions", path);
  if (!extensions) return std::nullopt;
  return object_at(*extensions, meshopt_extension, path + ".extensions");
}

std::string_view unpack_meshopt(const Call& call, View extension, View description,
                                std::string_view packed, const std::string& path, Builder& out) {
  const std::uint64_t count = need_integer(extension, "count", INT64_MAX, path);
  const std::uint64_t stride = need_integer(extension, "byteStride", 256, path);
  const std::uint64_t size = need_integer(description, "byteLength", UINT64_MAX / 4, path);
  // What the codec makes is no larger than the document says, before it makes it.
  if (stride == 0 || size / stride != count || size % stride != 0)
    refuse(Status::malformed, "bad_length",
           std::to_string(count) + " elements of " + std::to_string(stride) +
               " bytes: must be the " + std::to_string(size) + " bytes of the buffer view",
           path + ".count");
  auto options = out.object();
  options.push("count", Builder::unsigned_integer(count));
  options.push("byte_stride", Builder::unsigned_integer(stride));
  for (const char* name : {"mode", "filter"})
    if (const std::string_view word = string_at(extension, name, path); !word.empty())
      options.push(name, Builder::string_view(word));
  const View bytes = unpack(call, "meshopt", meshopt_extension, out.root(options), packed, path);
  if (bytes.kind() != POLYCODEC_KIND_BINARY || bytes.as_bytes().size() != size)
    refuse(Status::malformed, "bad_length",
           "the codec 'meshopt' did not make " + std::to_string(size) + " bytes", path);
  return bytes.as_bytes();
}

std::map<std::uint64_t, const polycodec_array*> unpack_draco(const Call& call, View document,
                                                             const ViewBytes& bytes_of_view,
                                                             Builder& out) {
  return Primitives(call, document, bytes_of_view, out).run();
}

}  // namespace polycodec::gltf
