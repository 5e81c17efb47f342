// SPDX-License-Identifier: MIT
#include "leaf_schemas.hpp"

#include <base/base64.hpp>

#include "decode.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polycodec::yggdrasil {
namespace {

// How many schemas are remembered.
constexpr std::size_t remembered = 16;

}  // namespace

void LeafSchema::find_attributes(Builder& out) {
  const bool typed = leaf.dtype != 0;
  if (leaf.type == TypeWord::other || leaf.type == TypeWord::own) return;
  polycodec_node* members = nullptr;
  const auto made = out.object(object.size() + 3, &members);
  std::uint64_t count = 0;
  const auto add = [&](std::string_view name, const polycodec_node& value) {
    members[2 * count] = Builder::string_view(name);
    members[2 * count + 1] = value;
    ++count;
  };
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    std::string_view key = object.key(i).as_string();
    if (key == "type" || (typed && is_leaf_key(key))) continue;
    // The name as we write it has an address of its own: no other attribute is taken for it.
    if (key == own_table_key) {
      key = own_table_key;
    } else if (key.starts_with(own_prefix)) {
      key.remove_prefix(own_prefix.size());
    }
    add(key, *object.value(i).raw());
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
    attributes.as.nodes = made.as.nodes;
    metadata = out.root(attributes);
    nodes += 2 + 2 * count;
    levels = std::max<std::uint32_t>(levels, 1);
    return;
  }
  if (!leaf.is_scalar()) return;
  const bool is_text = leaf.is_string();
  mark = out.root(out.object(
      {{is_text ? "encoding" : "type", Builder::string_view(is_text ? "UTF8" : "scalar")}}));
}

const LeafSchema* LeafSchemas::same(const char* p, const char* end) const noexcept {
  if (latest_ == nullptr) return nullptr;
  const std::string_view text = latest_->base64;
  const bool is_same = static_cast<std::size_t>(end - p) > text.size() && p[text.size()] == '-' &&
                       std::memcmp(p, text.data(), text.size()) == 0;
  return is_same ? latest_ : nullptr;
}

const LeafSchema& LeafSchemas::take(const LeafSchema& known, std::uint64_t at,
                                    std::uint32_t depth) {
  if (known.nodes != 0) {
    state_.take_nodes(known.nodes, at);
    state_.take_levels(depth + known.levels, at);
  }
  latest_ = &known;
  return known;
}

const LeafSchema& LeafSchemas::read(std::string_view base64, std::uint64_t at, bool exact,
                                    std::uint32_t depth) {
  for (const auto& known : schemas_)
    if (known->base64 == base64) return take(*known, at, depth);
  const auto capacity = base64_decoded_bound(base64.size());
  auto* const bytes = state_.out.allocate<char>(capacity);
  const Base64Result result = base64_decode(bytes, capacity, base64);
  if (result.status != Base64Status::ok)
    state_.fail(Status::malformed, "yggdrasil.bad_base64",
                "the schema of a typed value: " + std::string(base64_message(result.status)),
                exact ? at + result.consumed : at);
  auto made = std::make_unique<LeafSchema>();
  made->base64 = base64;
  made->text = {bytes, result.written};
  const std::uint64_t nodes_before = state_.nodes_left;
  const std::uint32_t deepest_before = state_.deepest;
  state_.deepest = depth;
  made->object =
      NodeView(state_.out.root(json_.within("<schema>", made->text, {at, true, exact}, {}, depth)));
  made->levels = state_.deepest - depth;
  state_.deepest = std::max(state_.deepest, deepest_before);
  made->nodes = nodes_before - state_.nodes_left;
  made->leaf = Leaf::from(made->object, state_.settings.dialect != Dialect::current);
  made->leaf.resolve();
  made->find_attributes(state_.out);
  if (made->metadata == nullptr && made->leaf.type != TypeWord::own) {
    // What the schema took is not part of the value.
    state_.nodes_left = nodes_before;
    made->nodes = 0;
  }
  latest_ = made.get();
  if (schemas_.size() < remembered) return *schemas_.emplace_back(std::move(made));
  next_ = (next_ + 1) % remembered;
  return *(schemas_[next_] = std::move(made));
}

}  // namespace polycodec::yggdrasil
