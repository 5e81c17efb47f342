// SPDX-License-Identifier: MIT
// Typed scalars and arrays, and words of our own (leaf.hpp).
#include <base/base64.hpp>
#include <base/dtype_names.hpp>
#include <base/fixed_text.hpp>
#include <base/nodes.hpp>
#include <base/swap_copy.hpp>
#include <base/utf8.hpp>
#include <base/utf_convert.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"
#include "leaf.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>
#include <vector>

namespace polycodec::yggdrasil {
namespace {

bool is_ascii(std::string_view text) noexcept {
  std::uint8_t all = 0;
  for (const char c : text) all |= static_cast<std::uint8_t>(c);
  return all < 0x80;
}

}  // namespace

polycodec_node Decoder::scalar(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  std::byte bytes[16] = {};
  if (found.raw || !base64_decode_number(bytes, leaf.bytes, found.data)) [[unlikely]]
    fill(found, bytes, leaf.bytes);
  else
    call_.tick(1);
  if constexpr (std::endian::native == std::endian::big) {
    const std::uint32_t width = dtype_swap_width(leaf.dtype);
    swap_copy(bytes, bytes, leaf.bytes / width, width);
  }
  const polycodec_node node = number_node(out_, leaf.dtype, bytes);
  const bool plain = leaf.dtype == POLYCODEC_DTYPE_INT64 || leaf.dtype == POLYCODEC_DTYPE_FLOAT64 ||
                     (leaf.dtype == POLYCODEC_DTYPE_UINT64 && node.as.i64 < 0);
  return with_attributes(found, node, plain);
}

polycodec_node Decoder::text_scalar(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  const std::span<std::byte> bytes = data(found, 1);
  if (leaf.encoding == Encoding::none)
    return with_attributes(found, Builder::bytes_view(bytes_of(bytes)), false);
  const auto bad = [&](std::size_t at) {
    fail(Status::malformed, "yggdrasil.bad_text",
         "byte " + std::to_string(at) + " of a string is not " +
             std::string(to_string(leaf.encoding)),
         found.data_at);
  };
  const std::string_view chars(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (leaf.encoding <= Encoding::utf8) {
    const std::size_t fault = validate_utf8(chars);
    if (fault != utf8_npos) bad(fault);
    if (leaf.encoding == Encoding::ascii && !is_ascii(chars))
      bad(static_cast<std::size_t>(
          std::find_if(chars.begin(), chars.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) -
          chars.begin()));
    return with_attributes(found, Builder::string_view(chars), !looks_typed(chars));
  }
  const std::size_t unit = leaf.encoding == Encoding::utf16 ? 2 : 4;
  if (bytes.size() % unit != 0) bad(bytes.size() / unit * unit);
  try {
    const std::string text =
        unit == 2 ? utf8_from_utf16(bytes.data(), bytes.size() / 2, std::endian::little)
                  : utf8_from_utf32(bytes.data(), bytes.size() / 4, std::endian::little);
    return with_attributes(found, out_.string_copy(text), false);
  } catch (const Error& e) {
    if (e.code() != Status::malformed) throw;
    bad(static_cast<std::size_t>(e.offset()));
    throw;
  }
}

polycodec_node Decoder::array(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  if (leaf.count > call_.limits().max_elements)
    fail(Status::limit, "yggdrasil.limit",
         "an array of " + std::to_string(leaf.count) + " elements", found.start);
  take_nodes(1, found.start);
  constexpr std::uint64_t long_array = 4096;
  const std::span<std::byte> bytes = data(found, leaf.bytes >= long_array ? 64 : 16);
  if (is_fixed(leaf.dtype) && leaf.dtype != POLYCODEC_DTYPE_FIXED_BYTES && leaf.item_size != 0)
    check_array_texts(found, bytes.data());
  return with_attributes(found,
                         Builder::array(out_.ndarray(bytes_of(bytes), leaf.dtype, leaf.item_size,
                                                     leaf.shape, POLYCODEC_LITTLE_ENDIAN)),
                         false);
}

void Decoder::check_array_texts(const Found& found, const std::byte* elements) const {
  const Leaf& leaf = found.schema->leaf;
  const std::size_t size = leaf.item_size;
  for (std::uint64_t i = 0; i < leaf.count; ++i, elements += size) {
    const std::string_view text(reinterpret_cast<const char*>(elements), size);
    const bool good = is_fixed_text(elements, leaf.dtype, leaf.item_size, std::endian::little) &&
                      (leaf.encoding != Encoding::ascii || is_ascii(text));
    if (!good)
      fail(Status::malformed, "yggdrasil.bad_text",
           "element " + std::to_string(i) + " of an array of strings is not " +
               std::string(to_string(leaf.encoding)),
           found.data_at);
  }
}

namespace {

// Its address tells a marker from any extension that a body can hold.
constexpr char marker_name[] = "polycodec";

[[noreturn]] void bad(const std::string& what) {
  throw Error(Status::malformed, what).detail("yggdrasil.bad_own");
}

std::string_view word(NodeView schema, std::string_view key) {
  const auto found = schema.find(key);
  if (!found || !found->is_string())
    bad("a leaf of type polycodec has no text \"" + std::string(key) + '"');
  return found->as_string();
}

bool is_table_key(NodeView key) {
  return key.as_string().data() == own_table_key.data();
}

std::uint32_t unit_of(NodeView schema) {
  const std::uint32_t unit = time_unit_from_name(word(schema, "unit"));
  if (unit == POLYCODEC_UNIT_COUNT)
    bad("unknown unit of time \"" + std::string(word(schema, "unit")) + '"');
  return unit;
}

}  // namespace

bool Decoder::is_marker(const polycodec_node& node) noexcept {
  return node.as.extension->name.data == static_cast<const void*>(marker_name);
}

polycodec_node Decoder::own(const Found& found) {
  const NodeView schema = found.schema->object;
  const OwnKind kind = own_kind(word(schema, "kind"));
  if (kind <= OwnKind::member) {
    // It says what the array is that it is first in; elsewhere it says nothing.
    const bool first = !frames_.empty() && frames_.back().label == nullptr &&
                       !frames_.back().object && frames_.back().first == stack_.size();
    if (!first || !found.data.empty())
      bad("a leaf of type polycodec and kind " + std::string(to_string(kind)) +
          " must not be first in an array");
    auto node = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0);
    node.as.extension =
        out_.store(polycodec_extension{{marker_name, sizeof marker_name - 1}, schema.raw()});
    return node;
  }
  const polycodec_node node = own_value(found, kind);
  const auto attributes = schema.find("attributes");
  if (!attributes) return node;
  if (!attributes->is_object()) bad("the attributes of a polycodec value are not an object");
  return out_.annotated(node, *attributes->raw());
}

polycodec_node Decoder::own_value(const Found& found, OwnKind kind) {
  const NodeView schema = found.schema->object;
  if (kind == OwnKind::none)
    bad("a leaf of type polycodec of unknown kind \"" +
        std::string(word(schema, "kind").substr(0, 32)) + '"');
  const std::uint8_t dtype = own_dtype(word(schema, "dtype"));
  if (dtype == POLYCODEC_DTYPE_NONE)
    bad("unknown dtype of a polycodec value: \"" +
        std::string(word(schema, "dtype").substr(0, 32)) + '"');
  const bool time = dtype >= POLYCODEC_DTYPE_TIMESTAMP64;
  if (kind == OwnKind::ndarray) {
    // As an array of strings of that size, but of another type.
    Schema same = *found.schema;
    same.leaf.type = TypeWord::ndarray;
    same.leaf.subtype = Subtype::string;
    same.leaf.precision = dtype_size(dtype);
    same.leaf.has_precision = true;
    same.leaf.resolve();
    same.leaf.dtype = dtype;
    Found other = found;
    other.schema = &same;
    const polycodec_node node = array(other);
    if (time) const_cast<polycodec_array*>(node.as.array)->unit = unit_of(schema);
    return node;
  }
  std::byte bytes[16] = {};
  if (!time) {
    const std::uint32_t size = dtype_size(dtype);
    fill(found, bytes, size);
    if constexpr (std::endian::native == std::endian::big)
      swap_copy(bytes, bytes, size / dtype_swap_width(dtype), dtype_swap_width(dtype));
    return out_.wide(dtype, bytes);
  }
  const bool point = dtype == POLYCODEC_DTYPE_TIMESTAMP64;
  fill(found, bytes, point ? 12 : 8);
  const auto count = load<std::int64_t>(bytes, std::endian::little);
  const std::uint32_t unit = unit_of(schema);
  if (!point) return out_.duration(count, unit);
  const auto nanoseconds = load<std::uint32_t>(bytes + 8, std::endian::little);
  if (nanoseconds > 999999999 ||
      (nanoseconds != 0 && (!is_subsecond_unit(unit) || count == INT64_MIN)))
    bad("a time with " + std::to_string(nanoseconds) + " nanoseconds");
  return out_.timestamp(count, nanoseconds, unit);
}

// A JSON array whose first item says what it is.
polycodec_node Decoder::own_list(const polycodec_node* nodes, std::uint64_t count,
                                 std::uint64_t offset) {
  const NodeView schema(nodes->as.extension->payload);
  const OwnKind kind = own_kind(word(schema, "kind"));
  const auto wrong = [&](const char* what) {
    fail(Status::malformed, "yggdrasil.bad_own", std::string("an array that stands for a ") + what,
         offset);
  };
  --count;
  ++nodes;
  if (kind == OwnKind::map) {
    if (count % 2 != 0) wrong("map has a key without a value");
    polycodec_node* entries = nullptr;
    const polycodec_node node = out_.map(count / 2, &entries);
    std::copy_n(nodes, count, entries);
    return node;
  }
  if (count != 1) wrong("single value has another number of items");
  if (kind == OwnKind::extension) {
    const std::string_view name = word(schema, "name");
    if (name.empty()) wrong("extension has no name");
    return out_.extension(name, *nodes);
  }
  const auto tag = schema.find("tag");
  if (!tag || !tag->is_integer()) wrong("member of a union has no tag");
  return out_.tagged(tag->as_int64(), *nodes);
}

// True for the columns of a table that we wrote: arrays of one dimension and one length, with
// different titles.
bool Decoder::is_table(const polycodec_node* nodes, std::uint64_t count) {
  const auto first = NodeView(nodes).metadata();
  if (!first || !NodeView(nodes).is_array()) return false;
  bool marked = false;
  for (std::uint64_t i = 0; i < first->size(); ++i) marked = marked || is_table_key(first->key(i));
  if (!marked) return false;
  std::unordered_set<std::string_view> titles;
  for (std::uint64_t i = 0; i < count; ++i) {
    const NodeView column(&nodes[i]);
    const auto attributes = column.metadata();
    const auto title = attributes ? attributes->find("title") : std::nullopt;
    if (!column.is_array() || !title || !title->is_string() ||
        !titles.insert(title->as_string()).second)
      return false;
    const ArrayView array = column.as_array();
    if (array.ndim() != 1 || array.length() != NodeView(nodes).as_array().length) return false;
  }
  return true;
}

polycodec_node Decoder::table(const polycodec_node* nodes, std::uint64_t count) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (std::uint64_t i = 0; i < count; ++i) {
    const NodeView attributes = *NodeView(&nodes[i]).metadata();
    auto* const column = out_.store(*NodeView(&nodes[i]).node()->as.array);
    names.push_back(attributes.at("title").as_string());
    polycodec_node* members = nullptr;
    auto rest = out_.object(attributes.size(), &members);
    std::uint64_t kept = 0;
    for (std::uint64_t m = 0; m < attributes.size(); ++m) {
      const std::string_view key = attributes.key(m).as_string();
      if (key == "title" || is_table_key(attributes.key(m))) continue;
      members[2 * kept] = *attributes.key(m).raw();
      members[2 * kept + 1] = *attributes.value(m).raw();
      ++kept;
    }
    if (kept != 0) {
      rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept);
      rest.as.nodes = members;
      column->metadata = out_.root(rest);
    }
    columns.push_back(column);
  }
  return Builder::array(out_.record(NodeView(nodes).as_array().length, names, columns));
}

}  // namespace polycodec::yggdrasil
