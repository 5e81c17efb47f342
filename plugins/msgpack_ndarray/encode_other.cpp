// SPDX-License-Identifier: MIT
// What is rare in a tree of nodes: extensions, times, typed scalars, numeric arrays.
#include <base/contiguous.hpp>
#include <base/dtype_names.hpp>
#include <model/loss_search.hpp>
#include <polycodec/quote.hpp>

#include "encode.hpp"
#include "heads.hpp"
#include "ndarray.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::msgpack_ndarray {
namespace {

[[noreturn]] void unsupported(const std::string& what) {
  throw Error(Status::unsupported, "msgpack has nothing for " + what);
}

// What msgpack has nothing for, beside attributes: a member of a union is written as what it is by
// itself.
struct Lacks {
  const char* operator()(const polycodec_node& node) const noexcept {
    return node.kind == POLYCODEC_KIND_UNION ? "which member of a union this is" : nullptr;
  }
  const char* operator()(const polycodec_array& array) const noexcept {
    return array.layout == POLYCODEC_LAYOUT_UNION ? "which member of a union each item is"
                                                  : nullptr;
  }
  /// True for an attribute that goes with the array, which is a whole value.
  static bool keeps(const polycodec_array& array, const polycodec_node& name,
                    const polycodec_node& value) {
    ExtraKeys keys;
    return array.layout == POLYCODEC_LAYOUT_NDARRAY &&
           !typestr_of(array.dtype, array.byte_order, array.unit).empty() &&
           add_extra_key(keys, NodeView(&name), NodeView(&value));
  }
};

}  // namespace

void Encoder::head(std::uint8_t* (*write)(std::uint8_t*, std::uint64_t) noexcept,
                   std::uint64_t size) {
  if (size > UINT32_MAX)
    throw Error(
        Status::range,
        std::to_string(size) + " bytes or items do not fit in msgpack, whose sizes have 32 bits");
  std::uint8_t* const o = out_.reserve(max_head);
  out_.commit(static_cast<std::uint64_t>(write(o, size) - o));
}

void Encoder::ext(std::int8_t code, std::string_view body) {
  if (body.size() > UINT32_MAX)
    throw Error(Status::range, "an ext of 4 GiB or more does not fit in msgpack");
  std::uint8_t* const o = out_.reserve(max_head);
  out_.commit(static_cast<std::uint64_t>(write_ext_head(o, body.size(), code) - o));
  out_.reference(body.data(), body.size());
}

// Looking for all of them costs a walk, which only a value that has one takes.
void Encoder::settle_losses() {
  if (losses_settled_) return;
  if (is_part_) throw Error(Status::unsupported, "the losses are found in the whole value");
  losses_settled_ = true;
  Losses losses;
  add_losses(NodeView(root_), losses, call_, Lacks());
  losses.settle(call_, "msgpack", "msgpack.lossy");
}

void Encoder::lose_attributes(const polycodec_node* attributes) {
  if (has_lossy_attribute(attributes)) settle_losses();
}

void Encoder::other(const polycodec_node& node, std::uint64_t depth) {
  check_depth(depth);
  switch (node.kind) {
    case POLYCODEC_KIND_ARRAY:
      return array(*node.as.array, node.as.array->metadata, depth);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return time(*node.as.time, node.kind == POLYCODEC_KIND_DURATION);
    case POLYCODEC_KIND_WIDE:
      return typed_scalar(node);
    case POLYCODEC_KIND_EXTENSION:
      return extension(*node.as.extension);
    case POLYCODEC_KIND_ANNOTATED: {
      const polycodec_annotated& about = *node.as.annotated;
      if (about.node->kind == POLYCODEC_KIND_ARRAY)
        return array(*about.node->as.array, about.metadata, depth + 1);
      lose_attributes(about.metadata);
      return this->node(about.node, depth + 1);
    }
    case POLYCODEC_KIND_UNION:
      settle_losses();
      return this->node(node.as.tagged->node, depth + 1);
    case POLYCODEC_KIND_REFERENCE:
      unsupported("references to other parts of a value");
    default:
      unsupported("this kind of node (" + std::string(kind_name(node.kind)) + ")");
  }
}

void Encoder::extension(const polycodec_extension& extension) {
  const std::string_view name = to_string_view(extension.name);
  if (name == "stream")
    throw Error(Status::unsupported, "a stream of documents can only be the whole value");
  if (name != "msgpack.ext") unsupported("the extension " + quote(name));
  const NodeView payload(extension.payload);
  if (!payload.is_object())
    throw Error(Status::type, "the payload of msgpack.ext is not an object");
  const NodeView number = payload.at("code");
  if (!number.is_integer())
    throw Error(Status::type, "the code of an ext is an integer").path(".code");
  if (number.kind() == POLYCODEC_KIND_UNSIGNED && number.as_uint64() > 127)
    throw Error(Status::range,
                "the code of an ext is -128 to 127, not " + std::to_string(number.as_uint64()))
        .path(".code");
  const std::int64_t code = number.as_int64();
  if (code < INT8_MIN || code > INT8_MAX)
    throw Error(Status::range, "the code of an ext is -128 to 127, not " + std::to_string(code))
        .path(".code");
  const auto bytes = payload.at("data").as_bytes();
  const std::string_view body(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (code == settings_.ext_code)
    throw Error(Status::unsupported,
                "an ext with code " + std::to_string(code) +
                    " would be read back as an array; the option 'ext_code' gives arrays another")
        .path(".code");
  if (code == -1 && !read_timestamp(body))
    throw Error(Status::invalid, "an ext with code -1 must be a timestamp, and these bytes are not")
        .detail("msgpack.bad_timestamp")
        .path(".data");
  ext(static_cast<std::int8_t>(code), body);
}

// What no timestamp holds is an array of no dimensions: durations, "not a time", and times that are
// too far away or finer than nanoseconds.
void Encoder::time(const polycodec_time& time, bool is_duration) {
  const auto stamp = is_duration ? std::nullopt : to_timestamp(time);
  if (!stamp) {
    const std::string typestr =
        typestr_of(is_duration ? POLYCODEC_DTYPE_DURATION64 : POLYCODEC_DTYPE_TIMESTAMP64,
                   host_byte_order, time.unit);
    return ndarray_bytes(typestr, &time.count, sizeof time.count);
  }
  std::uint8_t* const o = out_.reserve(15);
  out_.commit(write_timestamp(*stamp, o));
}

void Encoder::typed_scalar(const polycodec_node& node) {
  const std::string typestr = typestr_of(node.dtype, host_byte_order);
  if (typestr.empty()) unsupported("numbers of type " + std::string(dtype_name(node.dtype)));
  if (node.kind == POLYCODEC_KIND_WIDE)
    return ndarray_bytes(typestr, node.as.data, dtype_size(node.dtype));
  const auto bits = static_cast<std::uint16_t>(node.as.u64);
  ndarray_bytes(typestr, &bits, sizeof bits);
}

// An array of no dimensions: the one form of msgpack that keeps the type of a scalar.
void Encoder::ndarray_bytes(std::string_view typestr, const void* data, std::uint64_t size) {
  const NdarrayHead head = make_head(typestr, {}, size, settings_.ext_code);
  out_.put_bytes(head.bytes, head.size);
  out_.put_bytes(data, size);
}

void Encoder::array(const polycodec_array& array, const polycodec_node* attributes,
                    std::uint64_t depth) {
  check_depth(depth);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY) {
    const std::string typestr = typestr_of(array.dtype, array.byte_order, array.unit);
    if (!typestr.empty()) return leaf(array, typestr, attributes);
  }
  lose_attributes(attributes);
  if (!rows_of_numbers(array, depth)) item(View(ArrayView(array)), depth);
}

void Encoder::leaf(const polycodec_array& array, std::string_view typestr,
                   const polycodec_node* attributes) {
  const ArrayView view(array);
  const std::uint64_t size = contiguous_size(view);
  const ExtraKeys more = extra_keys_of(attributes);
  if (!more.are_all) settle_losses();
  const NdarrayHead head = make_head(typestr, view.shape(), size, settings_.ext_code, more);
  out_.put_bytes(head.bytes, head.size);
  if (view.is_contiguous())
    out_.reference(array.data, size);
  else
    put_elements(call_, out_, array, array.byte_order);
  out_.put_text(more.bytes);
}

// Option pack_lists: a list of numbers of one type becomes an array. True if it did.
bool Encoder::packed_list(const polycodec_node& list) {
  const std::span<const polycodec_node> items = NodeView(&list).items();
  if (items.empty()) return false;
  const auto all = [&](auto&& fits) { return std::all_of(items.begin(), items.end(), fits); };
  const auto is_real = [](std::uint8_t dtype) {
    return [dtype](const polycodec_node& n) {
      return n.kind == POLYCODEC_KIND_FLOAT && n.dtype == dtype;
    };
  };
  const auto is_int64 = [](const polycodec_node& n) {
    return n.kind == POLYCODEC_KIND_SIGNED || (n.kind == POLYCODEC_KIND_UNSIGNED && n.as.i64 >= 0);
  };
  const auto is_uint64 = [](const polycodec_node& n) {
    return n.kind == POLYCODEC_KIND_UNSIGNED || (n.kind == POLYCODEC_KIND_SIGNED && n.as.i64 >= 0);
  };
  std::uint8_t dtype;
  if (items[0].kind == POLYCODEC_KIND_FLOAT) {
    dtype = items[0].dtype;
    if (!all(is_real(dtype))) return false;
  } else if (all(is_int64)) {
    dtype = POLYCODEC_DTYPE_INT64;
  } else if (all(is_uint64)) {
    dtype = POLYCODEC_DTYPE_UINT64;
  } else {
    return false;
  }
  const std::uint64_t width = dtype_size(dtype);
  const std::int64_t shape[] = {static_cast<std::int64_t>(items.size())};
  const NdarrayHead head = make_head(typestr_of(dtype, POLYCODEC_LITTLE_ENDIAN), shape,
                                     items.size() * width, settings_.ext_code);
  out_.put_bytes(head.bytes, head.size);
  for (const polycodec_node& item : items) {
    // Every dtype here keeps its bits in the low bytes of the payload, except float32, which has a
    // member of its own.
    const std::uint64_t bits = item.kind == POLYCODEC_KIND_FLOAT && dtype == POLYCODEC_DTYPE_FLOAT32
                                   ? std::bit_cast<std::uint32_t>(item.as.f32)
                                   : item.as.u64;
    switch (width) {
      case 2:
        out_.put_le(static_cast<std::uint16_t>(bits));
        break;
      case 4:
        out_.put_le(static_cast<std::uint32_t>(bits));
        break;
      default:
        out_.put_le(bits);
        break;
    }
  }
  return true;
}

std::uint64_t encoded_size(const Settings& settings, NodeView value) {
  if (value.kind() != POLYCODEC_KIND_ARRAY || value.as_array().layout != POLYCODEC_LAYOUT_NDARRAY)
    return POLYCODEC_SIZE_UNKNOWN;
  const ArrayView array = value.as_array();
  const std::string typestr = typestr_of(array.dtype(), array.raw().byte_order, array.raw().unit);
  if (typestr.empty()) return POLYCODEC_SIZE_UNKNOWN;
  const std::uint64_t size = contiguous_size(array);
  const auto around = value.metadata();
  const ExtraKeys more = extra_keys_of(around ? around->raw() : array.raw().metadata);
  return make_head(typestr, array.shape(), size, settings.ext_code, more).size + size +
         more.bytes.size();
}

}  // namespace polycodec::msgpack_ndarray
