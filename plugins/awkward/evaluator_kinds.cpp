// SPDX-License-Identifier: MIT
// The kinds of expression.
#include <base/base64.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/quote.hpp>

#include "deferred.hpp"
#include "evaluator.hpp"
#include "frame.hpp"
#include "numpy.hpp"
#include "schema.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace polycodec::awkward {

polycodec_node Evaluator::read(const Input& input, const Members& m) const {
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
  const std::string name =
      group_ + std::string(absolute ? std::string_view() : prefix_) + std::string(part);
  std::string_view content;
  try {
    content = input.blob(name);
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

polycodec_node Evaluator::dict(const polycodec_node& entries, const Wanted& wanted) {
  if (entries.kind != POLYCODEC_KIND_OBJECT)
    fail(entries, Status::malformed, "expression.items",
         "expected an object of expressions, not " + shown_kind(entries));
  const auto all = NodeView(&entries).entries();
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < all.size() && !wanted.all(); i += 2)
    names.push_back(NodeView(&all[i]).as_string());
  const Wanted& members = wanted.of(names);
  std::vector<Column> chosen;
  for (std::size_t i = 0; i < all.size(); i += 2)
    if (const Wanted* const member = members.find(NodeView(&all[i]).as_string()))
      chosen.push_back({&all[i], &all[i + 1], member});
  if (!members.all()) unpack_columns(chosen);
  polycodec_node* nodes;
  const polycodec_node object = out_.object(chosen.size(), &nodes);
  for (const Column& member : chosen) {
    *nodes++ = *member.name;
    *nodes++ = evaluate(*member.expression, *member.wanted);
  }
  return object;
}

polycodec_node Evaluator::pairs(const polycodec_node& items, const Wanted& wanted) {
  if (items.kind != POLYCODEC_KIND_LIST)
    fail(items, Status::malformed, "expression.items",
         "expected a list of pairs, not " + shown_kind(items));
  for (const polycodec_node& pair : NodeView(&items).items()) {
    if (pair.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&pair) != 2 ||
        pair.as.nodes[0].kind != POLYCODEC_KIND_STRING)
      fail(pair, Status::malformed, "expression.pair", "a pair must be [name, expression]");
  }
  const auto name_of = [](const polycodec_node& pair) {
    return NodeView(&pair.as.nodes[0]).as_string();
  };
  const Wanted& columns = wanted.of(NodeView(&items).items(), name_of);
  // Columns that nobody wants are not evaluated, so that their blobs are not read.
  std::vector<Column> chosen;
  for (const polycodec_node& pair : NodeView(&items).items())
    if (const Wanted* const column = columns.find(name_of(pair)))
      chosen.push_back({&pair.as.nodes[0], &pair.as.nodes[1], column});
  if (!columns.all()) unpack_columns(chosen);
  std::vector<polycodec_node> made;
  for (const Column& column : chosen)
    made.push_back(out_.tuple({*column.name, evaluate(*column.expression, *column.wanted)}));
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
  std::uint8_t pickle[21];
  if (!given.starts_with(before) || given.size() != 28 ||
      base64_decode(pickle, sizeof pickle, given).status != Base64Status::ok || pickle[20] != '.')
    fail(text, Status::denied, "expression.python",
         "a pickle can run any code, and is not read; only that of a float is known");
  return Builder::real(load<double>(pickle + 12, std::endian::big));
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
      // It is further on, or in a column that is not read.
      return evaluate(*slot.expression);
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
      if (slot.deferred == nullptr)
        slot.deferred = make_deferred(out_, call_.limits().max_elements);
      cyclic_ = true;
      return Builder::array(slot.deferred);
  }
}

std::vector<std::string_view> Evaluator::spec_of(const polycodec_node& spec) const {
  if (spec.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&spec) < 2)
    fail(spec, Status::malformed, "function.name",
         "the name of a function must be a list of at least two strings: a module, and a name in "
         "it");
  std::vector<std::string_view> parts;
  for (const polycodec_node& part : NodeView(&spec).items()) {
    if (part.kind != POLYCODEC_KIND_STRING)
      fail(part, Status::malformed, "function.name", "a part of a function's name must be a text");
    parts.push_back(NodeView(&part).as_string());
  }
  return parts;
}

std::optional<std::uint64_t> Evaluator::needed_bytes(const polycodec_node& type,
                                                     const polycodec_node& count) const {
  if (type.kind != POLYCODEC_KIND_EXTENSION || count.kind != POLYCODEC_KIND_SIGNED ||
      count.as.i64 < 0)
    return std::nullopt;
  std::uint64_t bytes = 0;
  if (!checked_mul(parse_numpy_type(NodeView(type.as.extension->payload)).item_size,
                   static_cast<std::uint64_t>(count.as.i64), bytes))
    return std::nullopt;
  return bytes;
}

polycodec_node Evaluator::call(const polycodec_node& expression, const Members& m,
                               const Wanted& wanted) {
  const auto spec = spec_of(*m.value);
  const auto hint = std::exchange(size_hint_, std::nullopt);
  const polycodec_node* args = m.find("args");
  const polycodec_node* kwargs = m.find("kwargs");
  if (args != nullptr && args->kind != POLYCODEC_KIND_LIST)
    fail(*args, Status::malformed, "call.args",
         "the arguments must be a list, not " + shown_kind(*args));
  if (kwargs != nullptr && kwargs->kind != POLYCODEC_KIND_OBJECT)
    fail(*kwargs, Status::malformed, "call.kwargs",
         "the arguments by name must be an object, not " + shown_kind(*kwargs));
  for (const std::string_view word : {"cacheable", "whitelistable"})
    if (const polycodec_node* given = m.find(word);
        given != nullptr && given->kind != POLYCODEC_KIND_BOOLEAN)
      fail(*given, Status::malformed, "call.flag", quote(word) + " must be true or false");

  // -- arguments --
  const auto given = args == nullptr ? std::span<const polycodec_node>() : NodeView(args).items();
  polycodec_node* nodes;
  const polycodec_node list = out_.list(given.size(), &nodes);
  // A view and the table that it is of are one table.
  const bool table = spec[1] == "Table" && spec.back() != "fromview";
  const bool ours = spec[0] == "awkward0" || spec[0] == "awkward";
  // Of an array around tables the same columns are wanted as of the tables.
  const bool around = ours && !table && spec[1] != "VirtualArray" && spec[1] != "ObjectArray";
  const Wanted& inside = around ? wanted : all_wanted;
  const bool buffer = spec.back() == "frombuffer" && given.size() == 3;
  if (buffer) {
    // Type and count first: then no more is unpacked than is needed.
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) nodes[i] = evaluate(given[i]);
    size_hint_ = needed_bytes(nodes[1], nodes[2]);
    nodes[0] = evaluate(given[0]);
    size_hint_ = std::nullopt;
  } else {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool are_pairs = table && !wanted.all() && given[i].kind == POLYCODEC_KIND_OBJECT &&
                             polycodec_node_size(&given[i]) == 1 &&
                             NodeView(&given[i]).find("pairs");
      nodes[i] = are_pairs ? pairs(*NodeView(&given[i]).find("pairs")->raw(), wanted)
                           : evaluate(given[i], inside);
    }
  }

  // -- keywords --
  std::vector<Member> named;
  if (kwargs != nullptr) {
    if (const polycodec_node* found = find_reserved(NodeView(kwargs)))
      fail(*found, Status::malformed, "call.kwargs", reserved_text);
    const auto entries = NodeView(kwargs).entries();
    for (std::size_t i = 0; i < entries.size(); i += 2)
      named.push_back({NodeView(&entries[i]).as_string(), evaluate(entries[i + 1], inside)});
  }
  if (!settings_.check && ours && spec[1] == "JaggedArray")
    named.push_back({unchecked_keyword, Builder::boolean(true)});
  if (is_decompressor(spec)) {
    const auto found = unpacked_.find(&expression);
    if (found != unpacked_.end() && hint == found->second.first) return found->second.second;
    if (hint)
      named.push_back({size_keyword, Builder::integer(static_cast<std::int64_t>(
                                         std::min<std::uint64_t>(*hint, INT64_MAX)))});
  }
  const polycodec_node keywords = out_.object(named);
  return apply(expression, spec, list, named.empty() ? nullptr : &keywords);
}

polycodec_node Evaluator::apply(const polycodec_node& expression,
                                std::span<const std::string_view> spec, const polycodec_node& args,
                                const polycodec_node* kwargs) {
  try {
    if (cyclic_ && !is_own_function(spec)) refuse_deferred(call_, args, kwargs);
    return *call_.call_function(spec, args, kwargs);
  } catch (Error& e) {
    const std::string& below = e.path();
    e.path(path_to(document_, &expression) + (below.starts_with('$') ? below.substr(1) : below));
    throw;
  }
}

}  // namespace polycodec::awkward
