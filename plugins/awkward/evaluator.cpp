// SPDX-License-Identifier: MIT
#include "evaluator.hpp"

#include <polycodec/checked.hpp>

#include "array_parts.hpp"
#include "cyclic.hpp"
#include "extras.hpp"
#include "extras_read.hpp"
#include "frame.hpp"
#include "numpy_type.hpp"
#include "schema.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

constexpr std::string_view kind_words[] = {"call",  "read",     "list", "tuple",  "dict", "pairs",
                                           "dtype", "function", "json", "python", "ref"};

/// The machine's stack ends where limits may not.
constexpr std::uint32_t greatest_depth = 1024;

bool is_decompressor(std::span<const std::string_view> spec) {
  return spec.size() == 2 && spec[1] == "decompress" &&
         (spec[0] == "zlib" || spec[0] == "lzma" || spec[0] == "backports.lzma");
}

std::string shown_kind(const polycodec_node& node) {
  return std::string(View::kind_name(node.kind));
}

}  // namespace

Evaluator::Evaluator(const Call& call, const Input& input, Builder& out, const polycodec_node& document,
                     const ReadSettings& settings)
    : call_(call),
      input_(input),
      out_(out),
      document_(document),
      settings_(settings),
      max_depth_(std::min(call.limits().max_depth, greatest_depth)) {
  const View top(&document);
  if (!top.is_object()) fail(document, Status::malformed, "schema.not_an_object", "a schema must be a JSON object");
  if (!top.find("awkward0") && !top.find("awkward"))
    fail(document, Status::malformed, "schema.signature",
         "this JSON object is no schema: it has neither 'awkward0' nor 'awkward'");
  const auto schema = top.find("schema");
  if (!schema) fail(document, Status::malformed, "schema.no_schema", "the member 'schema' is missing");
  schema_ = schema->raw();
  if (const auto prefix = top.find("prefix")) {
    if (!prefix->is_string()) fail(*prefix->raw(), Status::malformed, "schema.prefix", "the prefix must be a text");
    prefix_ = prefix->as_string();
  }
}

void Evaluator::fail(const polycodec_node& at, Status status, std::string_view word, const std::string& why) const {
  throw Error(status, why).detail(word).path(path_to(document_, &at));
}

const polycodec_node* Evaluator::Members::find(std::string_view key) const {
  const auto found = object.find(key);
  return found ? found->raw() : nullptr;
}

Evaluator::Members Evaluator::members(const polycodec_node& expression) const {
  if (expression.kind != POLYCODEC_OBJECT)
    fail(expression, Status::malformed, "expression.not_an_object",
         "an expression must be a JSON object, not " + shown_kind(expression));
  Members found{Kind::call, nullptr, View(&expression)};
  const auto entries = found.object.entries();
  std::string names;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const std::string_view key = View(&entries[i]).as_string();
    const auto* word = std::find(std::begin(kind_words), std::end(kind_words), key);
    if (names.size() < 200) names += (i == 0 ? "'" : ", '") + std::string(key.substr(0, 40)) + "'";
    if (word == std::end(kind_words)) continue;
    if (found.value != nullptr)
      fail(expression, Status::malformed, "expression.two_kinds",
           "an expression has one identifying key; this one has '" +
               std::string(kind_words[static_cast<std::size_t>(found.kind)]) + "' and '" + std::string(key) + "'");
    found.kind = static_cast<Kind>(word - std::begin(kind_words));
    found.value = &entries[i + 1];
  }
  if (found.value == nullptr)
    fail(expression, Status::malformed, "expression.no_kind",
         "an expression needs one of the keys call, read, list, tuple, dict, pairs, dtype, function, json, python, "
         "ref; "
         "this one has " +
             (names.empty() ? std::string("none") : names));
  return found;
}

std::string Evaluator::id_key(const polycodec_node& id) const {
  switch (id.kind) {
    case POLYCODEC_SIGNED:
      return "n" + std::to_string(id.as.i64);
    case POLYCODEC_UNSIGNED:
      return "n" + std::to_string(id.as.u64);
    case POLYCODEC_STRING:
      return "s" + std::string(View(&id).as_string());
    case POLYCODEC_NULL:
      return "null";
    default:
      fail(id, Status::malformed, "expression.id", "an id must be a number, a text or null, not " + shown_kind(id));
  }
}

// Every expression that has an id is found before any is evaluated, so that references may point forward.
void Evaluator::index_ids() {
  std::vector<const polycodec_node*> open{schema_};
  const auto push_all = [&](const polycodec_node* node, std::uint64_t from, std::uint64_t step) {
    if (node == nullptr || (node->kind != POLYCODEC_LIST && node->kind != POLYCODEC_OBJECT)) return;
    const std::uint64_t count = polycodec_node_size(node) * (node->kind == POLYCODEC_OBJECT ? 2 : 1);
    for (std::uint64_t i = from; i < count; i += step) open.push_back(&node->as.nodes[i]);
  };
  while (!open.empty()) {
    const polycodec_node& expression = *open.back();
    open.pop_back();
    if (expression.kind != POLYCODEC_OBJECT) continue;  // evaluating it says what is wrong
    const View object(&expression);
    const auto entries = object.entries();
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = View(&entries[i]).as_string();
      const polycodec_node* value = &entries[i + 1];
      if (key == "id") {
        if (!slots_.emplace(id_key(*value), Slot{&expression}).second)
          fail(*value, Status::malformed, "expression.duplicate_id", "two expressions have this id");
      } else if (key == "args" || key == "list" || key == "tuple") {
        if (value->kind == POLYCODEC_LIST) push_all(value, 0, 1);
      } else if (key == "kwargs" || key == "dict") {
        if (value->kind == POLYCODEC_OBJECT) push_all(value, 1, 2);
      } else if (key == "pairs" && value->kind == POLYCODEC_LIST) {
        for (const polycodec_node& pair : View(value).items())
          if (pair.kind == POLYCODEC_LIST && polycodec_node_size(&pair) == 2) open.push_back(&pair.as.nodes[1]);
      } else if (key == extra_key && value->kind == POLYCODEC_OBJECT) {
        if (const auto attributes = View(value).find(extra::attributes)) open.push_back(attributes->raw());
      }
    }
  }
}

polycodec_node Evaluator::root() {
  index_ids();
  polycodec_node value = evaluate(*schema_);
  if (!cyclic_) return value;
  DeferredTargets targets;
  for (auto& [id, slot] : slots_) {
    if (slot.deferred == nullptr) continue;
    if (slot.value.kind != POLYCODEC_ARRAY)
      fail(*slot.expression, Status::malformed, "expression.cycle",
           "this expression refers to itself, and is no array but " + shown_kind(slot.value));
    targets.emplace(slot.deferred, slot.value.as.array);
  }
  try {
    return resolve_cycles(out_, value, targets, call_.limits());
  } catch (Error& e) {
    if (e.path().empty()) e.path(path_to(document_, schema_));
    throw;
  }
}

polycodec_node Evaluator::evaluate(const polycodec_node& expression) {
  if (depth_ >= max_depth_)
    fail(expression, Status::limit, "limit",
         "expressions are nested more than " + std::to_string(max_depth_) + " deep (max_depth)");
  const Members m = members(expression);
  Slot* slot = nullptr;
  if (const polycodec_node* id = m.find("id")) {
    const auto found = slots_.find(id_key(*id));
    // What stands inside of values, such as in an unknown field, has no slot.
    if (found != slots_.end() && found->second.expression == &expression) slot = &found->second;
  }
  if (slot != nullptr && slot->state == Slot::State::done) return slot->value;
  if (slot != nullptr) slot->state = Slot::State::running;
  ++depth_;
  const auto hint = std::exchange(size_hint_, std::nullopt);
  if (m.kind == Kind::call) size_hint_ = hint;
  polycodec_node value = evaluate_members(expression, m);
  size_hint_ = std::nullopt;
  const polycodec_node* extras = m.find(extra_key);
  if (extras != nullptr || m.find(rowname_key) != nullptr) {
    try {
      value = with_extras(out_, value, m.object, call_.limits());
    } catch (Error& e) {
      if (e.path().empty()) e.path(path_to(document_, &expression));
      throw;
    }
    if (extras != nullptr && extras->kind == POLYCODEC_OBJECT) {
      if (const auto attributes = View(extras).find(extra::attributes)) {
        const polycodec_node given = evaluate(*attributes->raw());
        if (given.kind != POLYCODEC_OBJECT)
          fail(*attributes->raw(), Status::malformed, "expression.attributes", "attributes must be an object");
        value = with_attributes(out_, value, given);
      }
    }
  }
  --depth_;
  if (slot != nullptr) {
    slot->value = value;
    slot->state = Slot::State::done;
  }
  return value;
}

polycodec_node Evaluator::evaluate_members(const polycodec_node& expression, const Members& m) {
  const polycodec_node& value = *m.value;
  switch (m.kind) {
    case Kind::call:
      return call(expression, m);
    case Kind::read:
      return read(expression, m);
    case Kind::list:
      return sequence(value, POLYCODEC_LIST);
    case Kind::tuple:
      return sequence(value, POLYCODEC_TUPLE);
    case Kind::dict:
      return dict(value);
    case Kind::pairs:
      return pairs(value, false);
    case Kind::dtype:
      try {
        static_cast<void>(parse_numpy_type(View(&value)));
      } catch (Error& e) {
        e.path(path_to(document_, &value) + e.path().substr(1));
        throw;
      }
      return out_.extension(dtype_name_word, value);
    case Kind::function:
      return function(value);
    case Kind::json:
      return value;
    case Kind::python:
      return python(value);
    case Kind::ref:
      return reference(value);
  }
  return Builder::null();
}

polycodec_node Evaluator::read(const polycodec_node&, const Members& m) {
  if (m.value->kind != POLYCODEC_STRING)
    fail(*m.value, Status::malformed, "read.name", "the name of a blob must be a text, not " + shown_kind(*m.value));
  bool absolute = false;
  if (const polycodec_node* given = m.find("absolute")) {
    if (given->kind != POLYCODEC_BOOLEAN)
      fail(*given, Status::malformed, "read.absolute", "'absolute' must be true or false");
    absolute = given->as.u64 != 0;
  }
  const std::string_view part = View(m.value).as_string();
  const std::string name = absolute ? std::string(part) : std::string(prefix_) + std::string(part);
  std::string_view content;
  try {
    content = input_.blob(name);
  } catch (Error& e) {
    if (e.path().empty()) e.path(path_to(document_, m.value));
    throw;
  }
  blobs_.push_back({out_.copy_text(name), content.size(), {}});
  return Builder::bytes_view(std::as_bytes(std::span(content)));
}

polycodec_node Evaluator::sequence(const polycodec_node& items, std::uint8_t kind) {
  if (items.kind != POLYCODEC_LIST)
    fail(items, Status::malformed, "expression.items", "expected a list of expressions, not " + shown_kind(items));
  polycodec_node* nodes;
  polycodec_node list = out_.list(polycodec_node_size(&items), &nodes);
  list.kind = kind;
  for (const polycodec_node& item : View(&items).items()) *nodes++ = evaluate(item);
  return list;
}

polycodec_node Evaluator::dict(const polycodec_node& entries) {
  if (entries.kind != POLYCODEC_OBJECT)
    fail(entries, Status::malformed, "expression.items",
         "expected an object of expressions, not " + shown_kind(entries));
  polycodec_node* nodes;
  const polycodec_node object = out_.object(polycodec_node_size(&entries), &nodes);
  const auto all = View(&entries).entries();
  for (std::size_t i = 0; i < all.size(); i += 2) {
    *nodes++ = all[i];
    *nodes++ = evaluate(all[i + 1]);
  }
  return object;
}

polycodec_node Evaluator::pairs(const polycodec_node& items, bool select) {
  if (items.kind != POLYCODEC_LIST)
    fail(items, Status::malformed, "expression.items", "expected a list of pairs, not " + shown_kind(items));
  std::vector<polycodec_node> made;
  for (const polycodec_node& pair : View(&items).items()) {
    if (pair.kind != POLYCODEC_LIST || polycodec_node_size(&pair) != 2 || pair.as.nodes[0].kind != POLYCODEC_STRING)
      fail(pair, Status::malformed, "expression.pair", "a pair must be [name, expression]");
    const std::string_view name = View(&pair.as.nodes[0]).as_string();
    // Columns that nobody wants are not evaluated, so that their blobs are not read.
    if (select && std::find(settings_.columns->begin(), settings_.columns->end(), name) == settings_.columns->end())
      continue;
    made.push_back(out_.tuple({pair.as.nodes[0], evaluate(pair.as.nodes[1])}));
  }
  return out_.list(std::span<const polycodec_node>(made));
}

std::vector<std::string_view> Evaluator::spec_of(const polycodec_node& spec) const {
  if (spec.kind != POLYCODEC_LIST || polycodec_node_size(&spec) < 2)
    fail(spec, Status::malformed, "function.name",
         "the name of a function must be a list of at least two texts: a module, and a name in it");
  std::vector<std::string_view> parts;
  for (const polycodec_node& part : View(&spec).items()) {
    if (part.kind != POLYCODEC_STRING)
      fail(part, Status::malformed, "function.name", "a part of a function's name must be a text");
    parts.push_back(View(&part).as_string());
  }
  return parts;
}

polycodec_node Evaluator::function(const polycodec_node& spec) {
  static_cast<void>(spec_of(spec));
  return out_.extension(function_name_word, spec);
}

// A float is the only pickle that anything but Python can read: 21 bytes, of which 8 are the number.
polycodec_node Evaluator::python(const polycodec_node& text) {
  constexpr std::string_view before = "gASVCgAAAAAAAABH";  // protocol 4, a frame of 10 bytes, BINFLOAT
  const std::string_view given = text.kind == POLYCODEC_STRING ? View(&text).as_string() : std::string_view();
  const auto refuse = [&] {
    fail(text, Status::denied, "expression.python",
         "a pickle can run any code, and is not read; only that of a float is known");
  };
  if (given.size() != 28 || !given.starts_with(before)) refuse();
  std::uint64_t bits = 0;  // 12 characters: 8 bytes of the number, and a full stop
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
    fail(id, Status::malformed, "expression.dangling_reference", "no expression has the id that is referred to");
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
      if (slot.deferred == nullptr) slot.deferred = make_deferred(out_);
      cyclic_ = true;
      return Builder::array(slot.deferred);
  }
}

std::optional<std::uint64_t> Evaluator::needed_bytes(const polycodec_node& type, const polycodec_node& count) const {
  if (type.kind != POLYCODEC_EXTENSION || count.kind != POLYCODEC_SIGNED || count.as.i64 < 0) return std::nullopt;
  std::uint64_t bytes = 0;
  if (!checked_mul(parse_numpy_type(View(type.as.extension->payload)).item_size,
                   static_cast<std::uint64_t>(count.as.i64), bytes))
    return std::nullopt;
  return bytes;
}

polycodec_node Evaluator::call(const polycodec_node& expression, const Members& m) {
  const auto spec = spec_of(*m.value);
  const auto hint = std::exchange(size_hint_, std::nullopt);
  const std::size_t blobs_before = blobs_.size();
  const polycodec_node* args = m.find("args");
  const polycodec_node* kwargs = m.find("kwargs");
  if (args != nullptr && args->kind != POLYCODEC_LIST)
    fail(*args, Status::malformed, "call.args", "the arguments must be a list, not " + shown_kind(*args));
  if (kwargs != nullptr && kwargs->kind != POLYCODEC_OBJECT)
    fail(*kwargs, Status::malformed, "call.kwargs",
         "the arguments by name must be an object, not " + shown_kind(*kwargs));
  for (const std::string_view word : {"cacheable", "whitelistable"})
    if (const polycodec_node* given = m.find(word); given != nullptr && given->kind != POLYCODEC_BOOLEAN)
      fail(*given, Status::malformed, "call.flag", "'" + std::string(word) + "' must be true or false");

  // -- arguments --
  const auto given = args == nullptr ? std::span<const polycodec_node>() : View(args).items();
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
      const bool select = table && tables_ == 1 && settings_.columns && given[i].kind == POLYCODEC_OBJECT &&
                          polycodec_node_size(&given[i]) == 1 && View(&given[i]).find("pairs");
      nodes[i] = select ? pairs(*View(&given[i]).find("pairs")->raw(), true) : evaluate(given[i]);
    }
    tables_ -= table ? 1 : 0;
  }

  // -- keywords --
  std::vector<Member> named;
  if (kwargs != nullptr) {
    const auto entries = View(kwargs).entries();
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = View(&entries[i]).as_string();
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
      named.push_back(
          {size_keyword, Builder::integer(static_cast<std::int64_t>(std::min<std::uint64_t>(*hint, INT64_MAX)))});
    for (std::size_t i = blobs_before; i < blobs_.size(); ++i)
      if (blobs_[i].unpacker.empty()) blobs_[i].unpacker = spec[0];
  }
  const polycodec_node keywords = out_.object(named);
  return apply(expression, spec, list, named.empty() ? nullptr : &keywords);
}

polycodec_node Evaluator::apply(const polycodec_node& expression, std::span<const std::string_view> spec,
                                const polycodec_node& args, const polycodec_node* kwargs) {
  try {
    return *call_.call_function(spec, args, kwargs, out_).raw();
  } catch (Error& e) {
    const std::string& below = e.path();
    e.path(path_to(document_, &expression) + (below.starts_with('$') ? below.substr(1) : below));
    throw;
  }
}

}  // namespace polycodec::awkward
