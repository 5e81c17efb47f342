// SPDX-License-Identifier: MIT
// Calls.
#include <base/quote.hpp>
#include <polycodec/checked.hpp>

#include "evaluator.hpp"
#include "frame.hpp"
#include "numpy_type.hpp"
#include "schema.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

bool is_decompressor(std::span<const std::string_view> spec) {
  return spec.size() == 2 && spec[1] == "decompress" &&
         (spec[0] == "zlib" || spec[0] == "lzma" || spec[0] == "backports.lzma");
}

}  // namespace

std::vector<std::string_view> Evaluator::spec_of(const polycodec_node& spec) const {
  if (spec.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&spec) < 2)
    fail(spec, Status::malformed, "function.name",
         "the name of a function must be a list of at least two texts: a module, and a name in it");
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

polycodec_node Evaluator::call(const polycodec_node& expression, const Members& m) {
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
  const bool buffer = spec.back() == "frombuffer" && given.size() == 3;
  if (buffer) {
    // Type and count first: then no more is unpacked than is needed.
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) nodes[i] = evaluate(given[i]);
    size_hint_ = needed_bytes(nodes[1], nodes[2]);
    nodes[0] = evaluate(given[0]);
    size_hint_ = std::nullopt;
  } else {
    tables_ += table ? 1 : 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool select = table && tables_ == 1 && settings_.columns &&
                          given[i].kind == POLYCODEC_KIND_OBJECT &&
                          polycodec_node_size(&given[i]) == 1 && NodeView(&given[i]).find("pairs");
      nodes[i] =
          select ? pairs(*NodeView(&given[i]).find("pairs")->raw(), true) : evaluate(given[i]);
    }
    tables_ -= table ? 1 : 0;
  }

  // -- keywords --
  std::vector<Member> named;
  if (kwargs != nullptr) {
    const auto entries = NodeView(kwargs).entries();
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = NodeView(&entries[i]).as_string();
      if (key.starts_with("polycodec."))
        fail(entries[i + 1], Status::malformed, "call.kwargs",
             "a keyword that begins with 'polycodec.' is not for files");
      named.push_back({key, evaluate(entries[i + 1])});
    }
  }
  const bool ours = spec[0] == "awkward0" || spec[0] == "awkward";
  if (!settings_.check && ours && spec[1] == "JaggedArray")
    named.push_back({unchecked_keyword, Builder::boolean(true)});
  if (is_decompressor(spec)) {
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
    return *call_.call_function(spec, args, kwargs);
  } catch (Error& e) {
    const std::string& below = e.path();
    e.path(path_to(document_, &expression) + (below.starts_with('$') ? below.substr(1) : below));
    throw;
  }
}

}  // namespace polycodec::awkward
