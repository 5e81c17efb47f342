// SPDX-License-Identifier: MIT
// Documents as values: accessors as views of the buffers.
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/uri.hpp>
#include <polycodec/error.hpp>

#include "codec.hpp"
#include "compressed.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::gltf {
namespace {

/// A buffer, or a view of one, with the offset in the file where it has one.
struct Bytes {
  std::string_view bytes;
  std::uint64_t offset = Error::no_offset;
  std::uint64_t stride = 0;
};

/// The name of a file in a URI, whose parts "." say nothing.
std::string name_in(std::string_view uri) {
  std::string name = detail::name_of_uri(uri);
  for (std::size_t at = 0; at < name.size();) {
    if (name.compare(at, 2, "./") == 0)
      name.erase(at, 2);
    else
      at = std::min(name.find('/', at), name.size() - 1) + 1;
  }
  return name;
}

class Loader {
 public:
  Loader(const Call& call, const Input& input, const File& file, View document, Builder& out)
      : call_(call),
        input_(input),
        file_(file),
        document_(document),
        out_(out),
        meshopt_required_(requires_extension(document, meshopt_extension)) {}

  const Bytes& view(std::uint64_t i, const std::string& path) {
    if (!views_loaded_) load_views();
    if (i >= views_.size())
      refuse(Status::range, "bad_index",
             "buffer view " + std::to_string(i) + " of " + std::to_string(views_.size()), path);
    const View description = list_at(document_, "bufferViews", "$").child(i);
    Bytes& view = views_[static_cast<std::size_t>(i)];
    if (view.bytes.data() != nullptr) return view;
    const std::string where = at("$.bufferViews", i);
    if (!description.is_object()) refuse(Status::type, "bad_member", "expected an object", where);
    const auto packed = packed_view(description, where);
    if (packed) {
      const std::string inner = where + ".extensions." + std::string(meshopt_extension);
      view.bytes =
          unpack_meshopt(call_, *packed, description, part_of(*packed, inner).bytes, inner, out_);
    } else {
      view = part_of(description, where);
    }
    view.stride = integer_at(description, "byteStride", 252, where).value_or(0);
    return view;
  }

  /// The elements of an accessor.
  const polycodec_array* values(View accessor, const std::string& path) {
    const Layout layout = layout_of(accessor, path);
    if (layout.count > call_.limits().max_elements)
      refuse(Status::limit, "limit",
             "an accessor of " + std::to_string(layout.count) + " elements exceeds max_elements (" +
                 std::to_string(call_.limits().max_elements) + ")",
             path);
    const auto sparse = object_at(accessor, "sparse", path);
    const auto number = integer_at(accessor, "bufferView", UINT32_MAX, path);
    if (!number && !sparse) {
      // Zeros, which take the memory of one.
      const std::uint64_t size = layout.element_size();
      auto* zeros = out_.allocate<char>(size);
      std::fill_n(zeros, size, char{});
      return elements_of(layout, {zeros, size}, zeros, 0, out_);
    }
    std::string_view base;
    std::uint64_t stride = layout.element_size();
    if (number) {
      const Bytes& view = this->view(*number, path + ".bufferView");
      if (view.stride != 0) stride = view.stride;
      const std::uint64_t from =
          integer_at(accessor, "byteOffset", UINT64_MAX / 4, path).value_or(0);
      base = range(view, from, layout, stride, path);
    }
    if (!sparse) return elements_of(layout, base, base.data(), signed_of(stride), out_);
    return substituted(layout, base, stride, *sparse, path + ".sparse");
  }

 private:
  static std::int64_t signed_of(std::uint64_t n) noexcept { return static_cast<std::int64_t>(n); }

  [[noreturn]] static void outside(const Bytes& of, const std::string& what,
                                   const std::string& path) {
    throw Error(Status::range, what + ": ranges lie inside",
                of.offset == Error::no_offset ? of.offset : of.offset + of.bytes.size())
        .detail("gltf.out_of_range")
        .path(path);
  }

  /// The bytes of `layout.count` elements from `from` on.
  static std::string_view range(const Bytes& view, std::uint64_t from, const Layout& layout,
                                std::uint64_t stride, const std::string& path) {
    const std::uint64_t element = layout.element_size();
    if (stride < element)
      refuse(Status::malformed, "bad_stride",
             "elements of " + std::to_string(element) + " bytes every " + std::to_string(stride) +
                 " bytes: they must not overlap",
             path);
    const std::uint64_t size = view.bytes.size();
    if (from > size || element > size - from ||
        (layout.count - 1) > (size - from - element) / stride)
      outside(view,
              std::to_string(layout.count) + " elements of " + std::to_string(element) +
                  " bytes from byte " + std::to_string(from) +
                  " on do not fit into the buffer view of " + std::to_string(size) + " bytes",
              path);
    return view.bytes.substr(from, (layout.count - 1) * stride + element);
  }

  const polycodec_array* substituted(const Layout& layout, std::string_view base,
                                     std::uint64_t stride, View sparse, const std::string& path) {
    const std::uint64_t element = layout.element_size();
    const std::uint64_t count = need_integer(sparse, "count", layout.count, path);
    if (count == 0)
      refuse(Status::malformed, "bad_accessor", "a sparse accessor of 0 elements", path + ".count");
    const auto indices = object_at(sparse, "indices", path);
    const auto values = object_at(sparse, "values", path);
    if (!indices || !values)
      refuse(Status::malformed, "bad_member", "'indices' or 'values' is missing", path);
    call_.tick(layout.count * (1 + element / 16) + count);
    if (layout.count > UINT64_MAX / 2 / element)
      refuse(Status::limit, "limit", "too many elements", path);
    auto* const made = out_.allocate<char>(layout.count * element);
    for (std::uint64_t i = 0; i < layout.count; ++i) {
      if (base.empty()) {
        std::fill_n(made + i * element, element, char{});
      } else {
        std::copy_n(base.data() + i * stride, element, made + i * element);
      }
    }
    Layout index{.type = &element_types[0], .dtype = 0, .item_size = 0, .count = count};
    const std::uint64_t code =
        need_integer(*indices, "componentType", UINT32_MAX, path + ".indices");
    index.item_size = code == 5121 ? 1 : code == 5123 ? 2 : code == 5125 ? 4 : 0;
    if (index.item_size == 0)
      refuse(Status::malformed, "bad_accessor",
             std::to_string(code) + " is not a type of indices: must be 5121, 5123 or 5125",
             path + ".indices.componentType");
    const auto part = [&](View of, const Layout& as, const char* name) {
      const std::string where = path + "." + name;
      const Bytes& view =
          this->view(need_integer(of, "bufferView", UINT32_MAX, where), where + ".bufferView");
      return range(view, integer_at(of, "byteOffset", UINT64_MAX / 4, where).value_or(0), as,
                   as.element_size(), where);
    };
    Layout value = layout;
    value.count = count;
    const std::string_view rows = part(*indices, index, "indices");
    const std::string_view items = part(*values, value, "values");
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const char* p = rows.data() + i * index.item_size;
      const std::uint64_t row = index.item_size == 1   ? load_le<std::uint8_t>(p)
                                : index.item_size == 2 ? load_le<std::uint16_t>(p)
                                                       : load_le<std::uint32_t>(p);
      if (row < next || row >= layout.count)
        refuse(Status::malformed, "bad_index",
               "index " + std::to_string(row) +
                   " of a sparse accessor: indices grow and are below " +
                   std::to_string(layout.count),
               at(path + ".indices", i));
      next = row + 1;
      std::copy_n(items.data() + i * element, element, made + row * element);
    }
    return elements_of(layout, {made, layout.count * element}, made, signed_of(element), out_);
  }

  /// The part of a buffer that a buffer view, or an extension in its place, says.
  Bytes part_of(View of, const std::string& path) {
    const std::uint64_t number = need_integer(of, "buffer", UINT32_MAX, path);
    const Bytes& buffer = load_buffer(number, path + ".buffer");
    const std::uint64_t from = integer_at(of, "byteOffset", UINT64_MAX / 4, path).value_or(0);
    const std::uint64_t size = need_integer(of, "byteLength", UINT64_MAX / 4, path);
    if (from > buffer.bytes.size() || size > buffer.bytes.size() - from)
      outside(buffer,
              "bytes " + std::to_string(from) + " to " + std::to_string(from + size) +
                  " of buffer " + std::to_string(number) + ", which has " +
                  std::to_string(buffer.bytes.size()),
              path);
    return {buffer.bytes.substr(from, size),
            buffer.offset == Error::no_offset ? buffer.offset : buffer.offset + from};
  }

  /// The extension that compresses a buffer view, unless the file has the bytes themselves, too.
  std::optional<View> packed_view(View description, const std::string& path) {
    const auto packed = meshopt_of(description, path);
    if (!packed || meshopt_required_) return packed;
    const std::uint64_t number = need_integer(description, "buffer", UINT32_MAX, path);
    const View buffers = list_at(document_, "buffers", "$");
    if (number >= buffers.size()) return packed;
    const View buffer = buffers.child(number);
    const bool chunk = number == 0 && file_.bin && !meshopt_of(buffer, at("$.buffers", number));
    return chunk || buffer.find("uri") ? std::nullopt : packed;
  }

  void load_views() {
    views_.resize(static_cast<std::size_t>(list_at(document_, "bufferViews", "$").size()));
    buffers_.resize(static_cast<std::size_t>(list_at(document_, "buffers", "$").size()));
    views_loaded_ = true;
  }

  const Bytes& load_buffer(std::uint64_t i, const std::string& from) {
    if (i >= buffers_.size())
      refuse(Status::range, "bad_index",
             "buffer " + std::to_string(i) + " of " + std::to_string(buffers_.size()), from);
    Bytes& buffer = buffers_[static_cast<std::size_t>(i)];
    if (buffer.bytes.data() != nullptr) return buffer;
    const std::string path = at("$.buffers", i);
    const View description = list_at(document_, "buffers", "$").child(i);
    if (!description.is_object()) refuse(Status::type, "bad_member", "expected an object", path);
    const std::uint64_t size = need_integer(description, "byteLength", UINT64_MAX / 4, path);
    if (description.find("uri")) {
      buffer.bytes = content(string_at(description, "uri", path), path + ".uri");
    } else if (i == 0 && file_.bin) {
      buffer = {*file_.bin, file_.bin_offset, 0};
    } else {
      refuse(Status::malformed, "bad_buffer",
             "the buffer has no 'uri': only the first one of a GLB file is its binary chunk", path);
    }
    if (size > buffer.bytes.size())
      throw Error(
          Status::truncated,
          "the buffer has " + std::to_string(buffer.bytes.size()) + " of " + std::to_string(size) +
              " bytes",
          buffer.offset == Error::no_offset ? buffer.offset : buffer.offset + buffer.bytes.size())
          .detail("gltf.truncated")
          .path(path);
    buffer.bytes = buffer.bytes.substr(0, size);
    if (buffer.bytes.data() == nullptr) buffer.bytes = std::string_view("", 0);
    return buffer;
  }

  std::string_view content(std::string_view uri, const std::string& path) {
    if (detail::is_data_uri(uri)) {
      const auto digits = detail::base64_of_data_uri(uri);
      if (!digits)
        refuse(Status::unsupported, "bad_uri", "a data URI in another form than base64", path);
      call_.tick(digits->size() / 8);
      const auto bytes = decode_base64(*digits, out_);
      if (!bytes) refuse(Status::malformed, "bad_uri", "the data URI is not base64", path);
      return *bytes;
    }
    const std::string name = name_in(uri);
    if (name.empty() || name.find_first_of(":\\") != std::string::npos || name.front() == '/')
      refuse(Status::unsupported, "bad_uri",
             "'" + name.substr(0, 60) + "' does not name a file beside this one", path);
    if (!input_.has_store())
      refuse(Status::not_found, "missing_file",
             "the buffer is in the file '" + name.substr(0, 60) +
                 "', and no directory is given: open the file by its path",
             path);
    try {
      return input_.blob(name);
    } catch (Error& error) {
      if (error.detail().empty()) error.detail("gltf.missing_file");
      throw error.path(path);
    }
  }

  const Call& call_;
  const Input& input_;
  const File& file_;
  const View document_;
  Builder& out_;
  const bool meshopt_required_;
  std::vector<Bytes> buffers_, views_;
  bool views_loaded_ = false;
};

/// True if a member of this name is in the value, however deep; arrays have none.
bool names(const Call& call, NodeView value, std::string_view wanted) {
  call.check_stack();
  call.tick();
  if (value.is_object() && value.find(wanted)) return true;
  for (std::uint64_t i = 0; (value.is_object() || value.is_list()) && i < value.size(); ++i)
    if (names(call, value.is_object() ? value.value(i) : value[i], wanted)) return true;
  return false;
}

/// The value without extensions that refer to buffer views, which are gone. Reports each.
Node without_views(const Call& call, NodeView value, const std::string& path, Builder& out) {
  call.check_stack();
  call.tick();
  if (value.is_list()) {
    auto list = out.list();
    for (std::uint64_t i = 0; i < value.size(); ++i)
      list.push(without_views(call, value[i], at(path, i), out));
    return list;
  }
  if (!value.is_object()) return *value.raw();
  auto object = out.object();
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    const std::string name(value.key(i).as_string());
    const std::string where = path + "." + name;
    const NodeView member = value.value(i);
    if (name != "extensions" || !member.is_object()) {
      object.push(name, without_views(call, member, where, out));
      continue;
    }
    auto kept = out.object();
    for (std::uint64_t k = 0; k < member.size(); ++k) {
      if (member.key(k).as_string() == draco_extension) continue;  // it is undone
      if (names(call, member.value(k), "bufferView"))
        call.report_loss(LossClass::data, where + "." + std::string(member.key(k).as_string()),
                         "an extension with buffer views of its own");
      else
        kept.push(member.key(k).as_string(), *member.value(k).raw());
    }
    if (kept.size() != 0) object.push(name, kept);
  }
  return object;
}

}  // namespace

Node to_value(const Call& call, const Input& input, const File& file, Builder& out) {
  const Node* root = out.root(read_json(call, file.json, file.json_offset, out));
  check_required(View(root), true);
  check_references(call, View(root));
  const View document(root);
  Loader loader(call, input, file, document, out);
  const auto copy = [&](auto& object, View from, std::initializer_list<std::string_view> dropped) {
    for (std::uint64_t i = 0; i < from.size(); ++i)
      if (std::find(dropped.begin(), dropped.end(), from.name(i)) == dropped.end())
        object.push(from.name(i), *from.child(i).node());
  };
  const auto unpacked = unpack_draco(
      call, document,
      [&](std::uint64_t view, const std::string& path) { return loader.view(view, path).bytes; },
      out);
  auto made = out.object();
  for (std::uint64_t i = 0; i < document.size(); ++i) {
    const std::string_view name = document.name(i);
    const View member = document.child(i);
    if (name == "buffers" || name == "bufferViews") continue;
    const std::string path = "$." + std::string(name);
    if (name == "extensionsUsed" || name == "extensionsRequired") {
      auto list = out.list();
      for (std::uint64_t k = 0; k < list_at(document, name, "$").size(); ++k)
        if (!member.child(k).is_string() || !is_compression(member.child(k).as_string()))
          list.push(*member.child(k).node());
      if (list.size() != 0 || member.size() == 0) made.push(name, list);
      continue;
    }
    if (name != "accessors" && name != "images") {
      made.push(name, *member.node());
      continue;
    }
    auto list = out.list();
    for (std::uint64_t k = 0; k < member.size(); ++k) {
      call.tick(16);
      const View item = member.child(k);
      auto object = out.object();
      if (name == "accessors") {
        if (item.find("values"))
          refuse(Status::unsupported, "bad_member", "a member that glTF does not have",
                 at(path, k) + ".values");
        copy(object, item, {"bufferView", "byteOffset", "sparse"});
        const auto found = unpacked.find(k);
        object.push("values",
                    Builder::array(found != unpacked.end() ? found->second
                                                           : loader.values(item, at(path, k))));
      } else {
        copy(object, item, {"bufferView"});
        if (const auto view = integer_at(item, "bufferView", UINT32_MAX, at(path, k)))
          object.push("data",
                      Builder::bytes_view(loader.view(*view, at(path, k) + ".bufferView").bytes));
      }
      list.push(object);
    }
    made.push(name, list);
  }
  const Node* value = out.root(made);
  if (!names(call, NodeView(value), "bufferView")) return *value;
  return without_views(call, NodeView(value), "$", out);
}

}  // namespace polycodec::gltf
