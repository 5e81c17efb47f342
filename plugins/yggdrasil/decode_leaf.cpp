// SPDX-License-Identifier: MIT
// Typed leaves: "-YGG-" schema "-YGG-" data "-YGG-", both parts in base64.
#include <base/base64.hpp>
#include <base/byte_slices.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"

#include <atomic>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

// How many schemas are remembered.
constexpr std::size_t remembered = 16;

bool starts_with_marker(const char* p, const char* end) noexcept {
  return static_cast<std::size_t>(end - p) >= marker.size() &&
         std::memcmp(p, marker.data(), marker.size()) == 0;
}

}  // namespace

// The schema of the leaf before if the text from `p` on begins with it, or NULL.
const Decoder::Schema* Decoder::same_schema(const char* p, const char* end) const noexcept {
  if (latest_ == nullptr) return nullptr;
  const std::string_view text = latest_->base64;
  const bool is_same = static_cast<std::size_t>(end - p) > text.size() && p[text.size()] == '-' &&
                       std::memcmp(p, text.data(), text.size()) == 0;
  return is_same ? latest_ : nullptr;
}

// A leaf whose schema tells how long its data is: the end of the string is known without looking
// for it. Returns what follows the string, or NULL if it is something else, or wrong: then the
// whole string is looked at.
const char* Decoder::quick_leaf(const char* const p, const char* const end, const Origin& origin,
                                const char* const begin, std::uint32_t depth,
                                polycodec_node* node) {
  const char* const base64 = p + marker.size();
  const Schema* const same = same_schema(base64, end);
  const auto* const stop = same != nullptr
                               ? base64 + same->base64.size()
                               : static_cast<const char*>(std::memchr(
                                     base64, '-', static_cast<std::size_t>(end - base64)));
  if (stop == nullptr || !starts_with_marker(stop, end)) return nullptr;
  const char* const text = stop + marker.size();
  const auto offset = [&](const char* at) {
    return origin.offset(static_cast<std::uint64_t>(at - begin));
  };
  Found found{nullptr, {}, offset(text), offset(p), depth, origin.exact && !origin.base64};
  const std::size_t frames = frames_.size();
  const std::size_t nodes = stack_.size();
  try {
    found.schema = same != nullptr ? &take_schema(*same, offset(base64), depth)
                                   : &schema({base64, static_cast<std::size_t>(stop - base64)},
                                             offset(base64), found.exact, depth);
  } catch (const Error& e) {
    if (e.code() == Status::limit) throw;
    frames_.resize(frames);
    stack_.set_size(nodes);
    return nullptr;  // it may be a text that only begins like a leaf
  }
  if (!found.schema->leaf.sized) return nullptr;
  const auto left = static_cast<std::uint64_t>(end - text);
  // No overflow: the bytes were checked to be less than 2^63.
  const std::uint64_t size =
      found.schema->leaf.bytes / 3 * 4 + (found.schema->leaf.bytes % 3 != 0 ? 4 : 0);
  if (left <= marker.size() || size > left - marker.size() - 1) return nullptr;
  const char* const behind = text + size;
  if (!starts_with_marker(behind, end) || behind[marker.size()] != '"') return nullptr;
  found.data = {text, static_cast<std::size_t>(size)};
  try {
    *node = leaf(found);
  } catch (const Error& e) {
    fail_at(e, found.start);
  }
  return behind + marker.size() + 1;
}

// Any string that looks like a leaf.
polycodec_node Decoder::whole_leaf(std::string_view text, std::uint64_t at, bool exact,
                                   std::uint32_t depth) {
  const auto offset = [&](std::size_t place) { return exact ? at + place : at; };
  const std::size_t schema_at = marker.size();
  const std::size_t behind = text.size() - marker.size();
  const std::size_t middle = text.find(marker, schema_at);
  if (middle == std::string_view::npos || middle + marker.size() > behind)
    fail(Status::malformed, "yggdrasil.markers",
         "a typed value has three markers -YGG-: before its schema, before its data and after its "
         "data",
         at);
  const std::size_t data_at = middle + marker.size();
  try {
    const Schema& found =
        schema(text.substr(schema_at, middle - schema_at), offset(schema_at), exact, depth);
    return leaf(
        {&found, text.substr(data_at, behind - data_at), offset(data_at), at, depth, exact});
  } catch (const Error& e) {
    fail_at(e, at);
  }
}

// Another leaf has a schema that was read before.
const Decoder::Schema& Decoder::take_schema(const Schema& known, std::uint64_t at,
                                            std::uint32_t depth) {
  if (known.nodes != 0) {
    take_nodes(known.nodes, at);
    take_levels(depth + known.levels, at);
  }
  latest_ = &known;
  return known;
}

const Decoder::Schema& Decoder::schema(std::string_view base64, std::uint64_t at, bool exact,
                                       std::uint32_t depth) {
  for (const auto& known : schemas_)
    if (known->base64 == base64) return take_schema(*known, at, depth);
  const auto capacity = base64_decoded_bound(base64.size());
  auto* const bytes = out_.allocate<char>(capacity);
  const Base64Result result = base64_decode(bytes, capacity, base64);
  if (result.status != Base64Status::ok)
    fail(Status::malformed, "yggdrasil.bad_base64",
         "the schema of a typed value: " + std::string(base64_message(result.status)),
         exact ? at + result.consumed : at);
  auto made = std::make_unique<Schema>();
  made->base64 = base64;
  made->text = {bytes, result.written};
  const std::uint64_t nodes_before = nodes_left_;
  const std::uint32_t deepest_before = deepest_;
  deepest_ = depth;
  frames_.push_back({stack_.size(), false, nullptr, "<schema>"});
  made->object = NodeView(out_.root(parse(made->text, {at, true, exact}, {}, nullptr, depth)));
  frames_.pop_back();
  made->levels = deepest_ - depth;
  deepest_ = std::max(deepest_, deepest_before);
  made->nodes = nodes_before - nodes_left_;
  made->leaf = Leaf::from(made->object, settings_.dialect != Dialect::current);
  made->leaf.resolve();
  find_attributes(*made);
  if (made->metadata == nullptr && made->leaf.type != TypeWord::own) {
    // What the schema took is not part of the value.
    nodes_left_ = nodes_before;
    made->nodes = 0;
  }
  latest_ = made.get();
  if (schemas_.size() < remembered) return *schemas_.emplace_back(std::move(made));
  next_schema_ = (next_schema_ + 1) % remembered;
  return *(schemas_[next_schema_] = std::move(made));
}

// Attributes are what the node itself does not say: units, titles, and the words of the schema
// where several would do.
void Decoder::find_attributes(Schema& schema) {
  const Leaf& leaf = schema.leaf;
  const bool typed = leaf.dtype != 0;
  if (leaf.type == TypeWord::other || leaf.type == TypeWord::own) return;
  polycodec_node* members = nullptr;
  const auto object = out_.object(schema.object.size() + 3, &members);
  std::uint64_t count = 0;
  const auto add = [&](std::string_view name, const polycodec_node& value) {
    members[2 * count] = Builder::string_view(name);
    members[2 * count + 1] = value;
    ++count;
  };
  for (std::uint64_t i = 0; i < schema.object.size(); ++i) {
    std::string_view key = schema.object.key(i).as_string();
    if (key == "type" || (typed && is_leaf_key(key))) continue;
    // The name as we write it has an address of its own: no other attribute is taken for it.
    if (key == own_table_key) {
      key = own_table_key;
    } else if (key.starts_with(own_prefix)) {
      key.remove_prefix(own_prefix.size());
    }
    add(key, *schema.object.value(i).raw());
  }
  if (leaf.type != TypeWord::scalar && leaf.type != TypeWord::ndarray && typed)
    add("type", Builder::string_view(to_string(leaf.type)));
  if (leaf.is_string() && leaf.subtype != Subtype::string && leaf.type == TypeWord::scalar)
    add("subtype", Builder::string_view(to_string(leaf.subtype)));
  const bool unicode = leaf.type == TypeWord::unicode || leaf.subtype == Subtype::unicode;
  const bool implied =
      leaf.is_array() ? leaf.encoding != Encoding::ascii && leaf.encoding != Encoding::utf32
      : unicode       ? leaf.encoding == Encoding::ucs4
                      : leaf.encoding == Encoding::none || leaf.encoding == Encoding::utf8;
  if (leaf.is_string() && !implied) add("encoding", Builder::string_view(to_string(leaf.encoding)));
  if (count != 0) {
    auto attributes = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, count);
    attributes.as.nodes = object.as.nodes;
    schema.metadata = out_.root(attributes);
    schema.nodes += 2 + 2 * count;
    schema.levels = std::max<std::uint32_t>(schema.levels, 1);
    return;
  }
  if (!leaf.is_scalar()) return;
  const bool text = leaf.is_string();
  schema.mark = out_.root(
      out_.object({{text ? "encoding" : "type", Builder::string_view(text ? "UTF8" : "scalar")}}));
}

polycodec_node Decoder::leaf(const Found& found) {
  switch (found.schema->leaf.type) {
    case TypeWord::ndarray:
    case TypeWord::array1d:
      return array(found);
    case TypeWord::class_name:
      return name(found, "yggdrasil.class");
    case TypeWord::function_name:
      return name(found, "yggdrasil.function");
    case TypeWord::instance:
      return json(found, "yggdrasil.instance");
    case TypeWord::schema:
      return json(found, "yggdrasil.schema");
    case TypeWord::ply:
      return geometry(found, "ply");
    case TypeWord::obj:
      return geometry(found, "obj");
    case TypeWord::own:
      return own(found);
    case TypeWord::other:
      return unknown(found);
    default:
      return found.schema->leaf.is_string() ? text_scalar(found) : scalar(found);
  }
}

// `plain`: without attributes, the node would be written without a schema.
polycodec_node Decoder::with_attributes(const Found& found, const polycodec_node& node,
                                        bool plain) {
  const Schema& schema = *found.schema;
  if (schema.metadata != nullptr) return out_.annotated(node, *schema.metadata);
  if (!plain || schema.mark == nullptr) return node;
  take_nodes(4, found.start);
  take_levels(found.depth + 1, found.start);
  return out_.annotated(node, *schema.mark);
}

// Why the data are not `size` bytes.
void Decoder::fail_data(const Found& found, std::uint64_t size) const {
  std::byte piece[3072];
  constexpr std::size_t step = sizeof piece / 3 * 4;
  std::uint64_t bytes = found.raw ? found.data.size() : 0;
  for (std::size_t at = 0; at < found.data.size() && !found.raw; at += step) {
    const std::string_view text = found.data.substr(at, step);
    Base64Result result = base64_decode(piece, sizeof piece, text);
    // Padding has its place at the end only.
    if (result.status == Base64Status::ok && text.ends_with('=') && at + step < found.data.size())
      result = {text.find('='), 0, Base64Status::bad_padding};
    if (result.status != Base64Status::ok)
      fail(Status::malformed, "yggdrasil.bad_base64",
           "the data of a typed value: " + std::string(base64_message(result.status)),
           found.exact ? found.data_at + at + result.consumed : found.data_at);
    bytes += result.written;
  }
  fail(Status::malformed, "yggdrasil.size_mismatch",
       "the schema says " + std::to_string(size) + " bytes, the data has " + std::to_string(bytes),
       found.data_at);
}

// Decodes the data, which must be `size` bytes, to `to`.
void Decoder::fill(const Found& found, void* to, std::uint64_t size) const {
  // Characters of a slice; a multiple of four.
  constexpr std::uint64_t slice = std::uint64_t{1} << 18;
  auto* const out = static_cast<char*>(to);
  const std::string_view text = found.data;
  if (found.raw) [[unlikely]] {
    if (text.size() != size) fail_data(found, size);
    if (size != 0) std::memcpy(out, text.data(), text.size());
    return;
  }
  if (text.size() <= slice) [[likely]] {
    call_.tick(text.size() / 8);
    const Base64Result result = base64_decode(out, static_cast<std::size_t>(size), text);
    if (result.status != Base64Status::ok || result.written != size) fail_data(found, size);
    return;
  }
  std::atomic<bool> is_sound = size <= base64_decoded_bound(text.size());
  for_each_slice(call_, text.size(), slice, 8, [&](std::uint64_t from, std::uint64_t end) {
    // Slices before the last have no padding, so all know where their bytes go.
    const std::uint64_t at = std::min(size, from / 4 * 3);
    const std::uint64_t room = end == text.size() ? size - at : slice / 4 * 3;
    if (room > size - at || !is_sound.load(std::memory_order_relaxed)) {
      is_sound = false;
      return;
    }
    const Base64Result result = base64_decode(
        out + at, static_cast<std::size_t>(room),
        text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(end - from)));
    if (result.status != Base64Status::ok || result.written != room) is_sound = false;
  });
  if (!is_sound) fail_data(found, size);
}

// The bytes of the data, in the memory of the value.
std::span<std::byte> Decoder::data(const Found& found, std::uint64_t alignment) {
  const Leaf& leaf = found.schema->leaf;
  const std::size_t padding = found.raw                    ? 0
                              : found.data.ends_with("==") ? 2
                              : found.data.ends_with('=')  ? 1
                                                           : 0;
  const std::size_t bound = found.raw ? found.data.size() : base64_decoded_bound(found.data.size());
  const std::uint64_t size = leaf.sized ? leaf.bytes : bound < padding ? 0 : bound - padding;
  // Nothing is allocated for bytes that are not there.
  if (size > bound || (found.data.size() % 4 != 0 && !found.raw)) fail_data(found, size);
  auto error = make_error();
  void* const bytes = polycodec_arena_alloc(out_.arena(), size, alignment, &error);
  if (bytes == nullptr) throw to_error(error.code, error);
  fill(found, bytes, size);
  return {static_cast<std::byte*>(bytes), static_cast<std::size_t>(size)};
}

}  // namespace polycodec::yggdrasil
