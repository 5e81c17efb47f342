// SPDX-License-Identifier: MIT
// The kinds of expression, but for calls.
#include "array_parts.hpp"
#include "evaluator.hpp"
#include "frame.hpp"
#include "schema.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace polycodec::awkward {

polycodec_node Evaluator::read(const polycodec_node&, const Members& m) {
  if (m.value->kind != POLYCODEC_KIND_STRING)
    fail(*m.value, Status::malformed, "read.name",
         "the name of a blob must be a text, not " + shown_kind(*m.value));
  bool absolute = false;
  if (const polycodec_node* given = m.find("absolute")) {
    if (given->kind != POLYCODEC_KIND_BOOLEAN)
      fail(*given, Status::malformed, "read.absolute", "'absolute' must be true or false");
    absolute = given->as.u64 != 0;
  }
  const std::string_view part = NodeView(m.value).as_string();
  const std::string name = absolute ? std::string(part) : std::string(prefix_) + std::string(part);
  std::string_view content;
  try {
    content = input_.blob(name);
  } catch (Error& e) {
    if (e.path().empty()) e.path(path_to(document_, m.value));
    throw;
  }
  return Builder::bytes_view(bytes_of(std::span(content)));
}

polycodec_node Evaluator::sequence(const polycodec_node& items, std::uint8_t kind) {
  if (items.kind != POLYCODEC_KIND_LIST)
    fail(items, Status::malformed, "expression.items",
         "expected a list of expressions, not " + shown_kind(items));
  polycodec_node* nodes;
  polycodec_node list = out_.list(polycodec_node_size(&items), &nodes);
  list.kind = kind;
  for (const polycodec_node& item : NodeView(&items).items()) *nodes++ = evaluate(item);
  return list;
}

polycodec_node Evaluator::dict(const polycodec_node& entries) {
  if (entries.kind != POLYCODEC_KIND_OBJECT)
    fail(entries, Status::malformed, "expression.items",
         "expected an object of expressions, not " + shown_kind(entries));
  polycodec_node* nodes;
  const polycodec_node object = out_.object(polycodec_node_size(&entries), &nodes);
  const auto all = NodeView(&entries).entries();
  for (std::size_t i = 0; i < all.size(); i += 2) {
    *nodes++ = all[i];
    *nodes++ = evaluate(all[i + 1]);
  }
  return object;
}

polycodec_node Evaluator::pairs(const polycodec_node& items, bool select) {
  if (items.kind != POLYCODEC_KIND_LIST)
    fail(items, Status::malformed, "expression.items",
         "expected a list of pairs, not " + shown_kind(items));
  std::vector<polycodec_node> made;
  for (const polycodec_node& pair : NodeView(&items).items()) {
    if (pair.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&pair) != 2 ||
        pair.as.nodes[0].kind != POLYCODEC_KIND_STRING)
      fail(pair, Status::malformed, "expression.pair", "a pair must be [name, expression]");
    const std::string_view name = NodeView(&pair.as.nodes[0]).as_string();
    if (select) columns_met_.push_back(name);
    // Columns that nobody wants are not evaluated, so that their blobs are not read.
    if (select && std::find(settings_.columns->begin(), settings_.columns->end(), name) ==
                      settings_.columns->end())
      continue;
    made.push_back(out_.tuple({pair.as.nodes[0], evaluate(pair.as.nodes[1])}));
  }
  return out_.list(std::span<const polycodec_node>(made));
}

polycodec_node Evaluator::function(const polycodec_node& spec) {
  static_cast<void>(spec_of(spec));
  return out_.extension(function_name_word, spec);
}

// A float is the only pickle that anything but Python can read: 21 bytes, of which 8 are the
// number.
polycodec_node Evaluator::python(const polycodec_node& text) {
  constexpr std::string_view before =
      "gASVCgAAAAAAAABH";  // protocol 4, a frame of 10 bytes, BINFLOAT
  const std::string_view given =
      text.kind == POLYCODEC_KIND_STRING ? NodeView(&text).as_string() : std::string_view();
  const auto refuse = [&] {
    fail(text, Status::denied, "expression.python",
         "a pickle can run any code, and is not read; only that of a float is known");
  };
  if (given.size() != 28 || !given.starts_with(before)) refuse();
  std::uint64_t bits = 0;  // 12 characters: 8 bytes of the number, and a full stop
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t last = 0;
  for (std::size_t i = 16; i < 28; ++i) {
    const auto digit = digits.find(given[i]);
    if (digit == digits.npos) refuse();
    if (i < 26)
      bits = bits << 6 | digit;
    else
      last = last << 6 | static_cast<std::uint32_t>(digit);
  }
  // 60 bits are in `bits`, 12 in `last`: 4 of the number, 8 of the full stop.
  if ((last & 0xffu) != '.') refuse();
  return Builder::real(std::bit_cast<double>(bits << 4 | last >> 8));
}

polycodec_node Evaluator::reference(const polycodec_node& id) {
  const auto found = slots_.find(id_key(id));
  if (found == slots_.end())
    fail(id, Status::malformed, "expression.dangling_reference",
         "no expression has the id " + shown_id(id) + ", which is referred to here");
  Slot& slot = found->second;
  switch (slot.state) {
    case Slot::State::done:
      return slot.value;
    case Slot::State::untouched: {
      // It stands further on, or in a column that is not read.
      const std::uint32_t tables = std::exchange(tables_, 1);
      const polycodec_node value = evaluate(*slot.expression);
      tables_ = tables;
      return value;
    }
    default:
      if (slot.document) {
        // What a list contains may be the list: a reference to where its node will be.
        if (slot.target == nullptr) {
          slot.target = out_.allocate<polycodec_node>(1);
          *slot.target = Builder::null();
        }
        return Builder::reference(slot.target);
      }
      if (slot.deferred == nullptr) slot.deferred = make_deferred(out_);
      cyclic_ = true;
      return Builder::array(slot.deferred);
  }
}

}  // namespace polycodec::awkward
