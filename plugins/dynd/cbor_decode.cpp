// SPDX-License-Identifier: MIT
// Native CBOR is rewritten as the data form while its type is found out; then the data form is
// decoded.
#include <base/varint.hpp>
#include <model/type/build.hpp>
#include <model/type/print.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/call.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/utf.hpp>

#include "cbor.hpp"
#include "decode.hpp"
#include "fault.hpp"
#include "skip.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::dynd {

namespace {

using type::Kind;
using type::Type;

struct Head {
  unsigned major = 0;
  unsigned info = 0;  ///< the low five bits of the first byte
  std::uint64_t value = 0;
  std::uint64_t offset = 0;
};

[[noreturn]] void refuse_type(std::string message, std::uint64_t offset) {
  refuse(Status::malformed, "dynd.cbor_no_dynd_type", std::move(message), offset);
}
[[noreturn]] void refuse_form(std::string message, std::uint64_t offset) {
  refuse(Status::malformed, "dynd.cbor_nondeterministic", std::move(message), offset);
}
[[noreturn]] void refuse_end(const char* what, std::uint64_t offset) {
  refuse(Status::truncated, "dynd.cbor_syntax", std::string("the input ends within ") + what,
         offset);
}

/// Stands for the type of the items of lists that have none.
const Type& unknown() {
  static const Type type = type::variable("Unknown");
  return type;
}

std::optional<Type> unify(const Type& a, const Type& b) {
  if (a == b || b == unknown()) return a;
  if (a == unknown()) return b;
  if (a.is(Kind::var_dim) && b.is(Kind::var_dim)) {
    auto inner = unify(a.element(), b.element());
    return inner ? std::optional(type::var(*std::move(inner))) : std::nullopt;
  }
  if (!a.is(Kind::record) || !b.is(Kind::record) || a.items().size() != b.items().size())
    return std::nullopt;
  std::vector<type::Field> fields;
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    auto item = unify(a.items()[i], b.items()[i]);
    if (!item || a.names()[i] != b.names()[i]) return std::nullopt;
    fields.push_back({a.names()[i], *std::move(item)});
  }
  return type::record(std::move(fields));
}

class NativeReader {
 public:
  NativeReader(const Call& call, std::string_view bytes, Growing<std::uint8_t>& data)
      : in_(bytes),
        data_(data),
        pace_(call),
        depth_left_(std::min<std::uint32_t>(call.limits().max_depth, 250)) {}

  BytesIn& in() noexcept { return in_; }

  Head head() {
    Head h;
    h.offset = in_.offset();
    if (in_.left() == 0) refuse_end("an item", h.offset);
    const std::uint8_t first = *in_.take(1, "an item");
    h.major = first >> 5;
    h.info = first & 0x1f;
    h.value = h.info;
    if (h.info < 24) return h;
    if (h.info == 31) {
      if (h.major == 7 || h.major < 2 || h.major == 6)
        refuse(Status::malformed, "dynd.cbor_syntax",
               "a break or an indefinite length where none can be", h.offset);
      refuse_form("an indefinite length", h.offset);
    }
    if (h.info > 27) refuse(Status::malformed, "dynd.cbor_syntax", "a reserved head", h.offset);
    const std::uint64_t size = std::uint64_t{1} << (h.info - 24);
    if (size > in_.left()) refuse_end("a head", h.offset);
    const std::uint8_t* p = in_.take(size, "a head");
    h.value = 0;
    for (std::uint64_t i = 0; i < size; ++i) h.value = h.value << 8 | p[i];
    if (h.major == 7) return h;
    if (h.value < 24 || (size > 1 && h.value >> (4 * size) == 0))
      refuse_form("a head that could be shorter", h.offset);
    return h;
  }

  Type item() {
    pace_.step();
    const Head h = head();
    switch (h.major) {
      case 0:
      case 1: {
        if (h.value > static_cast<std::uint64_t>(INT64_MAX))
          refuse_type("an integer beyond int64: native integers have no other type", h.offset);
        const std::uint64_t bits = h.major == 1 ? ~h.value : h.value;
        store(data_.reserve(8), bits, std::endian::little);
        data_.commit(8);
        return int64_;
      }
      case 2:
      case 3:
        return text(h);
      case 4:
        return list(h);
      case 5:
        return record(h);
      case 6:
        return tagged(h);
      default:
        return simple(h);
    }
  }

  std::string_view content(const Head& h) {
    if (h.value > in_.left()) refuse_end("a string", h.offset);
    const std::uint8_t* p = in_.take(h.value, "a string");
    pace_.step(h.value);
    const std::string_view bytes(reinterpret_cast<const char*>(p),
                                 static_cast<std::size_t>(h.value));
    if (h.major == 3)
      if (const std::size_t bad = validate_utf8(bytes); bad != utf8_npos)
        refuse(Status::malformed, "dynd.utf8", "a string is not UTF-8",
               in_.offset() - bytes.size() + bad);
    return bytes;
  }

 private:
  void put_count(std::uint64_t value) {
    data_.commit(encode_varint(value, data_.reserve(max_varint_size)));
  }
  void put(std::string_view bytes) {
    data_.append(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }

  Type text(const Head& h) {
    const std::string_view bytes = content(h);
    put_count(bytes.size());
    put(bytes);
    return h.major == 3 ? string_ : bytes_;
  }

  void check_count(const Head& h, std::uint64_t least) {
    if (h.value > in_.left() / least) refuse_end("a list", h.offset);
  }

  Type list(const Head& h) {
    check_count(h, 1);
    const Level level(depth_left_, h.offset);
    put_count(h.value);
    Type items = unknown();
    each_item(h.value, [&](std::uint64_t) {
      const std::uint64_t start = in_.offset();
      auto joined = unify(items, item());
      if (!joined) refuse_type("an item of another type than those before it in the list", start);
      items = *std::move(joined);
    });
    return type::var(std::move(items));
  }

  Type record(const Head& h) {
    check_count(h, 2);
    const Level level(depth_left_, h.offset);
    std::vector<type::Field> fields;
    std::string_view before;
    for (std::uint64_t i = 0; i < h.value; ++i) {
      const Head key = head();
      if (key.major != 3) refuse_type("a key that is not a text string", key.offset);
      const std::string_view name = content(key);
      if (i != 0 &&
          (name.size() < before.size() || (name.size() == before.size() && name <= before)))
        refuse_form("keys that are not in order", key.offset);
      before = name;
      try {
        fields.push_back({std::string(name), item()});
      } catch (Error& e) {
        prefix_path(e, key_step(name));
        throw;
      }
    }
    return type::record(std::move(fields));
  }

  Type simple(const Head& h) {
    if (h.info == 24) {
      if (h.value < 32)
        refuse(Status::malformed, "dynd.cbor_syntax", "a simple value in two bytes", h.offset);
      refuse_type(no_simple_type, h.offset);
    }
    switch (h.info) {
      case 20:
      case 21:
        data_.push(h.info == 21 ? 1 : 0);
        return bool_;
      case 23:
        return void_;
      case 25:
      case 26:
      case 27:
        return real(h);
      default:
        refuse_type(h.info == 22 ? "null stands for no DyND value: expected undefined (f7) for void"
                                 : no_simple_type,
                    h.offset);
    }
  }

  /// `shorter`: the payload would fit in fewer bytes.
  [[noreturn]] static void refuse_nan(bool shorter, std::uint64_t offset) {
    if (shorter) refuse_form("a NaN in a longer form than its payload needs", offset);
    refuse_type("another NaN than f97e00: such have no native form", offset);
  }

  Type real(const Head& h) {
    std::uint64_t bits = h.value;
    if (h.info == 25) {
      if ((bits & 0x7fff) > 0x7c00 && bits != 0x7e00) refuse_nan(false, h.offset);
      bits = bits == 0x7e00 ? 0x7ff8000000000000u
                            : std::bit_cast<std::uint64_t>(static_cast<double>(
                                  half_to_float(static_cast<std::uint16_t>(bits))));
    } else {
      if (h.info == 26) {
        const auto narrow = static_cast<std::uint32_t>(bits);
        if ((narrow & 0x7fffffff) > 0x7f800000) refuse_nan((narrow & 0x1fff) == 0, h.offset);
        bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(narrow)));
      } else if ((bits & INT64_MAX) > 0x7ff0000000000000u) {
        refuse_nan((bits & 0x1fffffff) == 0, h.offset);
      }
      const auto value = std::bit_cast<double>(bits);
      const bool half = std::bit_cast<std::uint64_t>(
                            static_cast<double>(half_to_float(double_to_half(value)))) == bits;
      const bool single =
          std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value))) == bits;
      if (half || (single && h.info == 27)) refuse_form("a float that could be shorter", h.offset);
    }
    store(data_.reserve(8), bits, std::endian::little);
    data_.commit(8);
    return float64_;
  }

  Type tagged(const Head& h) {
    const Level level(depth_left_, h.offset);
    if (h.value != tag_multi_dim) {
      Array array = array_of(h);
      return type::fixed(array.count, std::move(array.element));
    }
    const Head pair = head();
    if (pair.major != 4 || pair.value != 2)
      refuse_type("a multi-dimensional array without shape and items", h.offset);
    const Head dims = head();
    if (dims.major != 4 || dims.value < 2)
      refuse_type("a multi-dimensional array of fewer than two dimensions", h.offset);
    check_count(dims, 1);
    if (dims.value > 256) refuse_limit("an array of more than 256 dimensions", dims.offset);
    std::vector<std::uint64_t> shape;
    std::uint64_t product = 1;
    for (std::uint64_t i = 0; i < dims.value; ++i) {
      const Head extent = head();
      if (extent.major != 0 || extent.value == 0 || !checked_mul(product, extent.value, product))
        refuse_type("a dimension that is not a length above 0", extent.offset);
      shape.push_back(extent.value);
    }
    Array array = array_of(head());
    if (array.count != product)
      refuse_type("the number of items is not that of the shape", h.offset);
    Type type = std::move(array.element);
    for (std::size_t axis = shape.size(); axis-- > 0;)
      type = type::fixed(shape[axis], std::move(type));
    return type;
  }

  struct Array {
    std::uint64_t count;
    Type element;
  };

  /// The typed or homogeneous array whose tag has been read; the items go to the data.
  Array array_of(const Head& tag) {
    if (tag.major != 6) refuse_type("items that are not a typed array", tag.offset);
    if (tag.value == tag_homogeneous) return homogeneous(tag);
    for (const TypedArray& typed : typed_arrays) {
      if (typed.tag != tag.value) continue;
      const Head h = head();
      if (h.major != 2) refuse_type("a typed array that is not a byte string", tag.offset);
      const std::string_view bytes = content(h);
      if (bytes.size() % typed.size != 0)
        refuse_type("a typed array with a part of an item", tag.offset);
      put(bytes);
      return {bytes.size() / typed.size, type::scalar(typed.dtype)};
    }
    refuse_type(
        "tag " + std::to_string(tag.value) +
            " stands for no DyND type here: expected one of a little-endian typed array, 40, or 41",
        tag.offset);
  }

  Array homogeneous(const Head& tag) {
    const Head h = head();
    if (h.major != 4) refuse_type("a homogeneous array that is not an array", tag.offset);
    if (h.value == 0) refuse_type("a homogeneous array without items", tag.offset);
    check_count(h, 1);
    std::optional<Type> element;
    each_item(h.value, [&](std::uint64_t) {
      const std::uint64_t start = in_.offset();
      const Type type = item();
      if (type != bool_ && type != string_ && type != bytes_)
        refuse_type("a homogeneous array of other items than bool, string or bytes", start);
      if (element && *element != type)
        refuse_type("items of different types in a homogeneous array", start);
      element = type;
    });
    return {h.value, *element};
  }

  struct Level {
    Level(std::uint32_t& left, std::uint64_t offset) : left_(left) {
      if (left_ == 0)
        refuse_limit("the value nests deeper than the limits allow (max_depth, at most 250 levels)",
                     offset);
      --left_;
    }
    ~Level() { ++left_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    std::uint32_t& left_;
  };

  static constexpr const char* no_simple_type =
      "a simple value that stands for no DyND value: expected false, true or undefined";

  BytesIn in_;
  Growing<std::uint8_t>& data_;
  Meter pace_;
  std::uint32_t depth_left_;
  const Type bool_ = type::scalar(POLYCODEC_DTYPE_BOOLEAN),
             int64_ = type::scalar(POLYCODEC_DTYPE_INT64),
             float64_ = type::scalar(POLYCODEC_DTYPE_FLOAT64), string_ = type::string(),
             bytes_ = type::bytes(), void_ = type::void_type();
};

void check_end(NativeReader& reader) {
  if (reader.in().left() != 0)
    refuse(Status::trailing, "dynd.trailing_bytes",
           std::to_string(reader.in().left()) + " bytes follow the value", reader.in().offset());
}

void check_type(const Settings& settings, const Program& program) {
  if (settings.program == nullptr || settings.program->type == program.type) return;
  refuse(Status::type, "dynd.type_mismatch",
         "the value has the type " + type::print(program.type).substr(0, 120), 0);
}

const polycodec_node* decode_fallback(const Settings& settings, const Call& call,
                                      NativeReader& reader, Builder& out) {
  const auto part = [&reader](unsigned major) {
    const Head h = reader.head();
    if (h.major != major)
      refuse(Status::malformed, "dynd.cbor_structure", "tag 27 is not [\"dynd\", type, data]",
             h.offset);
    return reader.content(h);
  };
  const Head h = reader.head();
  if (h.major != 4 || h.value != 3)
    refuse(Status::malformed, "dynd.cbor_structure", "tag 27 is not [\"dynd\", type, data]",
           h.offset);
  const std::uint64_t name_at = reader.in().offset();
  if (part(3) != "dynd")
    refuse(Status::malformed, "dynd.cbor_structure", "tag 27 of another object than \"dynd\"",
           name_at);
  const std::string_view text = part(3);
  const std::uint64_t text_at = reader.in().offset() - text.size();
  const std::string_view data = part(2);
  const std::uint64_t data_at = reader.in().offset() - data.size();
  check_end(reader);
  PlanCache plans;
  std::shared_ptr<const Program> program;
  try {
    program = plans.find(text);
  } catch (Error& e) {
    throw e.offset(text_at + (e.offset() == Error::no_offset ? 0 : e.offset()));
  }
  check_type(settings, *program);
  try {
    Decoder decoder(call, data, out, settings.max_zero_size_items);
    const polycodec_node* root = decoder.data_form(*program);
    decoder.expect_end();
    if (has_native_form(*program, View(root), call))
      refuse(Status::malformed, "dynd.fallback_not_needed", "the value has a native form", 0);
    return root;
  } catch (Error& e) {
    if (e.offset() != Error::no_offset && e.detail() != "dynd.fallback_not_needed")
      e.offset(data_at + e.offset());
    throw;
  }
}

}  // namespace

const polycodec_node* decode_cbor(const Settings& settings, const Call& call,
                                  std::string_view bytes, Builder& out) {
  Growing<std::uint8_t> data(out);
  NativeReader reader(call, bytes, data);
  if (bytes.starts_with("\xd8\x1b")) {
    reader.head();
    return decode_fallback(settings, call, reader, out);
  }
  const Type type = reader.item();
  check_end(reader);
  if (!type.is_concrete())
    refuse(Status::malformed, "dynd.cbor_type_undetermined",
           "a list without items, whose type nothing tells", 0);
  const Program program(type);
  check_type(settings, program);
  const std::uint64_t size = data.size();
  const auto* p = reinterpret_cast<const char*>(data.take().data());
  Decoder decoder(call, {p, static_cast<std::size_t>(size)}, out, settings.max_zero_size_items);
  try {
    return decoder.data_form(program);
  } catch (Error& e) {
    // Offsets in the data form mean nothing to the reader of CBOR.
    throw e.offset(Error::no_offset);
  }
}

}  // namespace polycodec::dynd
