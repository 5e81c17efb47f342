// SPDX-License-Identifier: MIT
#include "ndarray.hpp"

#include <polycodec/checked.hpp>

#include "item_head.hpp"

#include <msgpack.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace polycodec::msgpack_ndarray {
namespace {

[[noreturn]] void refuse(const char* detail, const char* path, std::string message,
                         Status status = Status::malformed) {
  throw Error(status, std::move(message)).detail(detail).path(path);
}

/// The parts of a body as they were found: shape and typestr may come after data, so all is checked
/// at the end.
struct Parts {
  bool has_shape = false, has_typestr = false, has_data = false, has_version = false;
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> shape;
  std::size_t ndim = 0;
  bool has_oversized = false, has_zero = false;  // extents above 2^63 - 1, extents of 0
  NumpyType element;
  std::string_view data;
  bool has_strides = false;
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> strides;
  std::size_t n_strides = 0;
};

class BodyReader {
 public:
  BodyReader(std::string_view body, const Settings& settings, std::vector<FoundKey>& others)
      : others_(others),
        at_(reinterpret_cast<const std::uint8_t*>(body.data())),
        end_(at_ + body.size()),
        settings_(settings) {}

  Parts read() {
    if (at_ == end_) refuse("ndarray.not_a_map", "", "the array ext is empty: expected a map");
    const ItemHead map = next("the map");
    if (map.kind != ItemKind::map)
      refuse("ndarray.not_a_map", "", "the array ext does not hold a map");
    for (std::uint64_t i = 0; i < map.size; ++i) entry();
    if (at_ != end_)
      refuse(
          "ndarray.trailing_bytes", "",
          std::to_string(end_ - at_) + " bytes follow the map of the array ext, which must fill it",
          Status::trailing);
    require(parts_.has_shape, "shape");
    require(parts_.has_typestr, "typestr");
    require(parts_.has_data, "data");
    require(parts_.has_version, "version");
    return parts_;
  }

 private:
  ItemHead next(const char* what) {
    ItemHead head;
    if (at_ == end_ || read_head(at_, end_, head) != 0)
      refuse("ndarray.truncated_map", "", std::string("the array ext ends within ") + what);
    if (head.kind == ItemKind::reserved)
      throw Error(Status::malformed, "byte 0xc1 is never used in msgpack")
          .detail("msgpack.reserved_byte");
    at_ = head.next;
    return head;
  }

  // Leaves out the items of a container, however nested.
  void skip(const ItemHead& head) {
    std::uint64_t pending = items_of(head);
    while (pending != 0) {
      if (pending > static_cast<std::uint64_t>(end_ - at_))
        refuse("ndarray.truncated_map", "", "the array ext ends within a list or map");
      pending += items_of(next("a value"));
      --pending;
    }
  }
  static std::uint64_t items_of(const ItemHead& head) noexcept {
    return head.kind == ItemKind::list ? head.size : head.kind == ItemKind::map ? 2 * head.size : 0;
  }

  static void require(bool present, const char* key) {
    if (!present)
      refuse("ndarray.missing_key", "", std::string("the array ext has no key '") + key + "'");
  }
  static void once(bool& seen, const char* key) {
    if (seen)
      refuse("ndarray.duplicate_key", "",
             std::string("the array ext has the key '") + key + "' more than once");
    seen = true;
  }

  bool is_text(const ItemHead& head) const noexcept {
    return head.kind == ItemKind::text || (settings_.legacy && head.kind == ItemKind::binary);
  }

  void entry() {
    const ItemHead key = next("a key");
    if (!is_text(key)) {
      skip(key);
      skip(next("a value"));
      others_.push_back({});
      return;
    }
    const std::string_view name = key.text();
    const std::uint8_t* const item = at_;
    const ItemHead value = next("a value");
    if (name == "shape") {
      once(parts_.has_shape, "shape");
      shape(value);
    } else if (name == "typestr") {
      once(parts_.has_typestr, "typestr");
      if (!is_text(value)) refuse("ndarray.bad_typestr", ".typestr", "typestr is not a string");
      try {
        parts_.element = parse_typestr(value.text());
      } catch (Error& e) {
        e.path(".typestr");
        throw;
      }
    } else if (name == "data") {
      once(parts_.has_data, "data");
      if (value.kind != ItemKind::binary && !(settings_.legacy && value.kind == ItemKind::text))
        refuse("ndarray.bad_data", ".data", "data is not bin");
      parts_.data = value.text();
    } else if (name == "version") {
      once(parts_.has_version, "version");
      if (value.kind != ItemKind::integer || (!value.above_int64 && value.number < 3))
        refuse("ndarray.bad_version", ".version", "version is not an integer of at least 3");
    } else if (name == "strides") {
      strides(value);
    } else if (name == "mask" && value.kind != ItemKind::nil) {
      refuse("ndarray.unsupported_key", ".mask",
             "a mask is given, and without it the elements would be wrong", Status::unsupported);
    } else if (name == "offset" && value.kind != ItemKind::nil &&
               (value.kind != ItemKind::integer || value.number != 0)) {
      refuse("ndarray.unsupported_key", ".offset",
             "an offset is given: elements must start with the data", Status::unsupported);
    } else {
      skip(value);
      if (!is_array_key(name))
        others_.push_back({name, to_string_view(item, static_cast<std::uint64_t>(at_ - item))});
    }
  }

  void shape(const ItemHead& list) {
    if (list.kind != ItemKind::list) refuse("ndarray.bad_shape", ".shape", "shape is not an array");
    if (list.size > POLYCODEC_MAX_NDIM)
      refuse("ndarray.too_many_dims", ".shape",
             std::to_string(list.size) + " dimensions: at most " +
                 std::to_string(POLYCODEC_MAX_NDIM) + " are supported",
             Status::limit);
    for (std::uint64_t i = 0; i < list.size; ++i) {
      const ItemHead extent = next("shape");
      if (extent.kind != ItemKind::integer)
        refuse("ndarray.bad_shape", ".shape", "an extent of shape is not an integer");
      if (!extent.above_int64 && extent.number < 0)
        refuse("ndarray.bad_shape", ".shape", "an extent of shape is negative");
      parts_.has_oversized = parts_.has_oversized || extent.above_int64;
      parts_.has_zero = parts_.has_zero || (!extent.above_int64 && extent.number == 0);
      parts_.shape[parts_.ndim++] = extent.number;
    }
  }

  void strides(const ItemHead& value) {
    if (value.kind == ItemKind::nil) return;
    if (value.kind != ItemKind::list || value.size > POLYCODEC_MAX_NDIM || parts_.has_strides)
      refuse("ndarray.strided", ".strides", "strides are neither nil nor one array of integers");
    parts_.has_strides = true;
    for (std::uint64_t i = 0; i < value.size; ++i) {
      const ItemHead stride = next("strides");
      if (stride.kind != ItemKind::integer || stride.above_int64)
        refuse("ndarray.strided", ".strides", "a stride is not an integer");
      parts_.strides[parts_.n_strides++] = stride.number;
    }
  }

  std::vector<FoundKey>& others_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  const Settings& settings_;
  Parts parts_;
};

void check_strides(const Parts& parts) {
  if (!parts.has_strides) return;
  if (parts.n_strides != parts.ndim)
    refuse("ndarray.strided", ".strides", "there are not as many strides as dimensions");
  auto expected = static_cast<std::uint64_t>(parts.element.item_size);
  for (std::size_t axis = parts.ndim; axis-- > 0;) {
    if (parts.strides[axis] < 0 || static_cast<std::uint64_t>(parts.strides[axis]) != expected)
      refuse("ndarray.strided", ".strides",
             "strides differ from C order: ignoring them would give wrong data");
    expected *= static_cast<std::uint64_t>(parts.shape[axis]);
  }
}

}  // namespace

std::uint64_t checked_byte_size(std::span<const std::int64_t> shape, std::uint32_t item_size) {
  constexpr std::uint64_t most = INT64_MAX;
  std::uint64_t size = item_size;
  bool empty = false;
  bool overflow = false;
  for (const std::int64_t extent : shape) {
    if (extent == 0) {
      empty = true;
    } else if (!checked_mul(size, static_cast<std::uint64_t>(extent), size) || size > most) {
      overflow = true;
      size = most;
    }
  }
  if (overflow && empty)
    refuse("ndarray.bad_shape", ".shape",
           "shape has a zero, but its other extents exceed 2^63 bytes");
  if (overflow)
    refuse("ndarray.size_overflow", ".shape",
           "shape times the element size exceeds 2^63 - 1 bytes");
  return empty ? 0 : size;
}

void check_booleans(std::string_view bytes) {
  // Blocks without a branch inside, so that the compiler can use vector instructions.
  constexpr std::size_t block = 4096;
  for (std::size_t i = 0; i < bytes.size(); i += block) {
    unsigned char any = 0;
    for (const char b : bytes.substr(i, block)) any |= static_cast<unsigned char>(b);
    if (any > 1) refuse("ndarray.bad_bool", ".data", "a boolean element is neither 0 nor 1");
  }
}

const polycodec_array* read_ndarray(std::string_view body, const Settings& settings,
                                    const polycodec_limits& limits, std::vector<FoundKey>& others,
                                    Builder& out) {
  const Parts parts = BodyReader(body, settings, others).read();
  if (parts.has_oversized)
    refuse(parts.has_zero ? "ndarray.bad_shape" : "ndarray.size_overflow", ".shape",
           "an extent of shape is above 2^63 - 1");
  const std::span<const std::int64_t> shape(parts.shape.data(), parts.ndim);
  const std::uint64_t size = checked_byte_size(shape, parts.element.item_size);
  check_strides(parts);
  if (size != parts.data.size())
    refuse("ndarray.size_mismatch", ".data",
           "shape and typestr ask for " + std::to_string(size) + " bytes, data has " +
               std::to_string(parts.data.size()));
  if (size / parts.element.item_size > limits.max_elements)
    refuse("", "",
           "the array has more elements than max_elements (" + std::to_string(limits.max_elements) +
               ")",
           Status::limit);
  return numpy_leaf(parts.element, parts.data, parts.data.data(), shape, std::nullopt, out);
}

void NdarrayHead::write(const char* data, std::size_t count) {
  if (count > sizeof bytes - size)
    throw Error(Status::internal, "the head of an array is larger than it can be");
  std::memcpy(bytes + size, data, count);
  size += static_cast<std::uint32_t>(count);
}

NdarrayHead make_head(std::string_view typestr, std::span<const std::int64_t> shape,
                      std::uint64_t data_size, std::int8_t ext_code, const ExtraKeys& more) {
  if (shape.size() > POLYCODEC_MAX_NDIM)
    throw Error(Status::unsupported, "an array of more than 64 dimensions");
  NdarrayHead body;
  ::msgpack::packer<NdarrayHead> pack(body);
  const auto text = [&](std::string_view s) {
    pack.pack_str(static_cast<std::uint32_t>(s.size()));
    pack.pack_str_body(s.data(), static_cast<std::uint32_t>(s.size()));
  };
  constexpr std::uint64_t most = UINT32_MAX;
  constexpr const char* too_large =
      "the array does not fit in one msgpack ext, which holds less than 4 GiB";
  if (data_size > most) throw Error(Status::range, too_large).detail("ndarray.too_large");
  pack.pack_map(4 + more.count);
  text("shape");
  pack.pack_array(static_cast<std::uint32_t>(shape.size()));
  for (const std::int64_t extent : shape) pack.pack_int64(extent);
  text("typestr");
  text(typestr);
  text("version");
  pack.pack_int64(3);
  text("data");
  pack.pack_bin(static_cast<std::uint32_t>(data_size));
  if (body.size + data_size + more.bytes.size() > most)
    throw Error(Status::range, too_large).detail("ndarray.too_large");

  NdarrayHead head;
  ::msgpack::packer<NdarrayHead> outer(head);
  const std::uint64_t total = body.size + data_size + more.bytes.size();
  // msgpack-c's pack_ext would choose a fixext for 1, 2, 4, 8 and 16 bytes; a body has at least 37.
  outer.pack_ext(static_cast<std::size_t>(total), ext_code);
  head.write(reinterpret_cast<const char*>(body.bytes), body.size);
  return head;
}

}  // namespace polycodec::msgpack_ndarray
