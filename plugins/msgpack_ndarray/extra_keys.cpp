// SPDX-License-Identifier: MIT
// Attributes of arrays as further keys of the map in an array ext.
#include <base/words.hpp>
#include <model/loss_search.hpp>
#include <polycodec/node_view.hpp>

#include "ndarray.hpp"

#include <msgpack.hpp>

#include <algorithm>

namespace polycodec::msgpack_ndarray {
namespace {

/// Levels of lists and objects in an attribute that is written.
constexpr unsigned most_levels = 16;

/// What msgpack::packer writes to.
struct Packed {
  std::string& bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

/// Appends a value as msgpack. Returns false for one that is neither JSON nor bytes, or too deep.
bool pack(::msgpack::packer<Packed>& to, NodeView value, unsigned levels) {
  if (value.metadata()) return false;
  const auto size = [&] { return static_cast<std::uint32_t>(value.size()); };
  switch (value.kind()) {
    case POLYCODEC_KIND_NULL:
      return to.pack_nil(), true;
    case POLYCODEC_KIND_BOOLEAN:
      return value.as_bool() ? to.pack_true() : to.pack_false(), true;
    case POLYCODEC_KIND_SIGNED:
      return to.pack_int64(value.as_int64()), true;
    case POLYCODEC_KIND_UNSIGNED:
      return to.pack_uint64(value.as_uint64()), true;
    case POLYCODEC_KIND_FLOAT:
      if (value.node()->dtype == POLYCODEC_DTYPE_FLOAT32)
        return to.pack_float(value.node()->as.f32), true;
      if (value.node()->dtype != POLYCODEC_DTYPE_FLOAT64) return false;
      return to.pack_double(value.as_double()), true;
    case POLYCODEC_KIND_STRING:
      to.pack_str(size());
      return to.pack_str_body(value.as_string().data(), size()), true;
    case POLYCODEC_KIND_BINARY:
      to.pack_bin(size());
      return to.pack_bin_body(static_cast<const char*>(value.node()->as.data), size()), true;
    case POLYCODEC_KIND_LIST:
      to.pack_array(size());
      return levels != 0 && std::ranges::all_of(value.items(), [&](const polycodec_node& item) {
               return pack(to, NodeView(&item), levels - 1);
             });
    case POLYCODEC_KIND_OBJECT: {
      to.pack_map(size());
      bool all = levels != 0;
      for (std::uint64_t i = 0; all && i < value.size(); ++i)
        all = pack(to, value.key(i), 0) && pack(to, value.value(i), levels - 1);
      return all;
    }
    default:
      return false;
  }
}

}  // namespace

bool is_array_key(std::string_view name) noexcept {
  return has_word("shape typestr data version strides mask offset descr", name);
}

bool add_extra_key(ExtraKeys& keys, NodeView name, NodeView value) {
  if (name.size() > UINT32_MAX || is_array_key(name.as_string())) return false;
  const std::size_t before = keys.bytes.size();
  Packed packed{keys.bytes};
  ::msgpack::packer<Packed> to(packed);
  if (pack(to, name, 0) && pack(to, value, most_levels)) {
    ++keys.count;
    return true;
  }
  keys.bytes.resize(before);
  return false;
}

ExtraKeys extra_keys_of(const polycodec_node* attributes) {
  ExtraKeys keys;
  if (attributes == nullptr) return keys;
  const NodeView all(attributes);
  for (std::uint64_t i = 0; i < all.size(); ++i)
    if (!is_layout_attribute(all.key(i).as_string()))
      keys.are_all = add_extra_key(keys, all.key(i), all.value(i)) && keys.are_all;
  return keys;
}

}  // namespace polycodec::msgpack_ndarray
