// SPDX-License-Identifier: MIT
#include "evaluator.hpp"

#include <polycodec/checked.hpp>
#include <polycodec/quote.hpp>

#include "deferred.hpp"
#include "expression_walk.hpp"
#include "extras.hpp"
#include "frame.hpp"
#include "numpy.hpp"
#include "schema.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polycodec::awkward {
namespace {

constexpr std::string_view kind_words[] = {"call",  "read",     "list", "tuple",  "dict", "pairs",
                                           "dtype", "function", "json", "python", "ref"};

/// The machine's stack ends where limits may not.
constexpr std::uint32_t greatest_depth = 1024;

}  // namespace

Evaluator::Evaluator(const Call& call, const Input& input, Builder& out,
                     std::string_view schema_blob, const polycodec_node& document,
                     const ReadSettings& settings)
    : call_(call),
      input_(input),
      out_(out),
      document_(document),
      settings_(settings),
      max_depth_(std::min(call.limits().max_depth, greatest_depth)) {
  const NodeView top(&document);
  if (!top.is_object())
    fail(document, Status::malformed, "schema.not_an_object", "a schema must be a JSON object");
  if (!top.find("awkward0") && !top.find("awkward"))
    fail(document, Status::malformed, "schema.signature",
         "this JSON object is not a schema: it has neither 'awkward0' nor 'awkward'");
  const auto schema = top.find("schema");
  if (!schema)
    fail(document, Status::malformed, "schema.no_schema", "the member 'schema' is missing");
  schema_ = schema->raw();
  if (const auto prefix = top.find("prefix")) {
    if (!prefix->is_string())
      fail(*prefix->raw(), Status::malformed, "schema.prefix", "the prefix must be a text");
    prefix_ = prefix->as_string();
  }
  group_ = group_of(schema_blob, prefix_);
}

void Evaluator::fail(const polycodec_node& at, Status status, std::string_view word,
                     const std::string& why) const {
  throw Error(status, why).detail(word).path(path_to(document_, &at));
}

const polycodec_node* Evaluator::Members::find(std::string_view key) const {
  const auto found = object.find(key);
  return found ? found->raw() : nullptr;
}

Evaluator::Members Evaluator::members(const polycodec_node& expression) const {
  if (expression.kind != POLYCODEC_KIND_OBJECT)
    fail(expression, Status::malformed, "expression.not_an_object",
         "an expression must be a JSON object, not " + shown_kind(expression));
  Members found{Kind::call, nullptr, NodeView(&expression)};
  const auto entries = found.object.entries();
  std::string names;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const std::string_view key = NodeView(&entries[i]).as_string();
    const auto* word = std::find(std::begin(kind_words), std::end(kind_words), key);
    if (names.size() < 200) names += (i == 0 ? "'" : ", '") + std::string(key.substr(0, 40)) + "'";
    if (word == std::end(kind_words)) continue;
    if (found.value != nullptr)
      fail(expression, Status::malformed, "expression.two_kinds",
           "an expression has one identifying key; this one has " +
               quote(kind_words[static_cast<std::size_t>(found.kind)]) + " and " + quote(key));
    found.kind = static_cast<Kind>(word - std::begin(kind_words));
    found.value = &entries[i + 1];
  }
  if (found.value == nullptr)
    fail(expression, Status::malformed, "expression.no_kind",
         "an expression needs one of the keys call, read, list, tuple, dict, pairs, dtype, "
         "function, json, python, "
         "ref; "
         "this one has " +
             (names.empty() ? std::string("none") : names));
  return found;
}

std::string Evaluator::id_key(const polycodec_node& id) const {
  switch (id.kind) {
    case POLYCODEC_KIND_SIGNED:
      return "n" + std::to_string(id.as.i64);
    case POLYCODEC_KIND_UNSIGNED:
      return "n" + std::to_string(id.as.u64);
    case POLYCODEC_KIND_STRING:
      return "s" + std::string(NodeView(&id).as_string());
    case POLYCODEC_KIND_NULL:
      return "null";
    // What is equal in Python is the same id: 1, 1.0 and true.
    case POLYCODEC_KIND_BOOLEAN:
      return id.as.u64 != 0 ? "n1" : "n0";
    case POLYCODEC_KIND_FLOAT: {
      const double d = id.as.f64;
      if (d == std::trunc(d) && std::abs(d) < 0x1p63)
        return "n" + std::to_string(static_cast<std::int64_t>(d));
      return "f" + std::to_string(std::bit_cast<std::uint64_t>(d));
    }
    default:
      fail(id, Status::malformed, "expression.id",
           "an id must be a number, a text, true, false or null, not " + shown_kind(id));
  }
}

std::string Evaluator::shown_id(const polycodec_node& id) const {
  std::string key = id_key(id);
  if (id.kind == POLYCODEC_KIND_STRING) return quote(key.substr(1));
  if (id.kind == POLYCODEC_KIND_FLOAT) return std::to_string(id.as.f64);
  return key.starts_with('n') && key != "null" ? key.substr(1) : key;
}

// Every expression that has an id is found before any is evaluated, so that references may point
// forward.
std::vector<const polycodec_node*> Evaluator::index() {
  std::vector<const polycodec_node*> buffers, references;
  for_each_expression({schema_}, [&](NodeView expression) {
    if (has_three_arguments(expression)) buffers.push_back(expression.raw());
    const auto entries = expression.entries();
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = NodeView(&entries[i]).as_string();
      const polycodec_node* const value = &entries[i + 1];
      if (key == "ref") references.push_back(value);
      if (key != "id") continue;
      const auto [other, fresh] = slots_.emplace(id_key(*value), Slot{expression.raw()});
      if (!fresh)
        fail(*value, Status::malformed, "expression.duplicate_id",
             "two expressions have the id " + shown_id(*value) + "; the other is " +
                 path_to(document_, other->second.expression));
    }
  });
  for (const polycodec_node* id : references) {
    const bool is_id = id->kind != POLYCODEC_KIND_LIST && id->kind != POLYCODEC_KIND_OBJECT;
    if (const auto found = is_id ? slots_.find(id_key(*id)) : slots_.end(); found != slots_.end())
      found->second.referred = true;
  }
  return buffers;
}

polycodec_node Evaluator::root(const Wanted& wanted) {
  const auto buffers = index();
  // Of part of a value, blobs that nobody wants are not read. The others are found on the way.
  if (wanted.all()) unpack_buffers(buffers);
  polycodec_node value = evaluate(*schema_, wanted);
  if (!cyclic_) return value;
  DeferredTargets targets;
  for (auto& [id, slot] : slots_) {
    if (slot.target != nullptr)
      fail(*slot.expression, Status::unsupported, "expression.cycle",
           "a value cannot hold arrays and lists that contain themselves");
    if (slot.deferred == nullptr) continue;
    if (slot.value.kind != POLYCODEC_KIND_ARRAY)
      fail(*slot.expression, Status::malformed, "expression.cycle",
           "this expression refers to itself: it must be an array, not " + shown_kind(slot.value));
    targets.emplace(deferred_id(*slot.deferred), slot.value.as.array);
  }
  try {
    return resolve_cycles(out_, call_, value, targets);
  } catch (Error& e) {
    if (e.path().empty()) e.path(path_to(document_, schema_));
    throw;
  }
}

polycodec_node Evaluator::evaluate(const polycodec_node& expression, const Wanted& wanted) {
  if (depth_ >= max_depth_)
    fail(expression, Status::limit, "awkward.limit",
         "expressions are nested more than " + std::to_string(max_depth_) + " deep (max_depth)");
  call_.tick(64);
  call_.check_stack();
  const Members m = members(expression);
  Slot* slot = nullptr;
  if (const polycodec_node* id = m.find("id")) {
    const auto found = slots_.find(id_key(*id));
    // What is inside of values, such as in an unknown field, has no slot.
    if (found != slots_.end() && found->second.expression == &expression) slot = &found->second;
  }
  if (slot != nullptr && slot->state == Slot::State::done) return slot->value;
  if (slot != nullptr) {
    slot->state = Slot::State::running;
    slot->document = m.kind == Kind::list || m.kind == Kind::tuple || m.kind == Kind::dict;
  }
  ++depth_;
  const auto hint = std::exchange(size_hint_, std::nullopt);
  // What others may refer to is made whole: they may need more of it.
  if (m.kind == Kind::call && slot == nullptr) size_hint_ = hint;
  // What others refer to they may want more of.
  const bool shared = slot != nullptr && slot->referred;
  polycodec_node value = evaluate_members(expression, m, shared ? all_wanted : wanted);
  size_hint_ = std::nullopt;
  const polycodec_node* extras = m.find(extra_key);
  if (extras != nullptr || m.find(rowname_key) != nullptr) {
    try {
      value = with_extras(out_, value, m.object, call_.limits());
    } catch (Error& e) {
      if (e.path().empty()) e.path(path_to(document_, &expression));
      throw;
    }
    if (extras != nullptr && extras->kind == POLYCODEC_KIND_OBJECT) {
      if (const auto attributes = NodeView(extras).find(extra::attributes)) {
        const polycodec_node given = evaluate(*attributes->raw());
        if (given.kind != POLYCODEC_KIND_OBJECT)
          fail(*attributes->raw(), Status::malformed, "expression.metadata",
               "attributes must be an object");
        value = with_attributes(out_, value, given);
      }
    }
  }
  --depth_;
  if (slot != nullptr) {
    slot->value = value;
    if (slot->target != nullptr) *slot->target = value;
    slot->state = Slot::State::done;
  }
  return value;
}

polycodec_node Evaluator::evaluate_members(const polycodec_node& expression, const Members& m,
                                           const Wanted& wanted) {
  const polycodec_node& value = *m.value;
  switch (m.kind) {
    case Kind::call:
      return call(expression, m, wanted);
    case Kind::read:
      return read(input_, m);
    case Kind::list:
      return sequence(value, POLYCODEC_KIND_LIST);
    case Kind::tuple:
      return sequence(value, POLYCODEC_KIND_TUPLE);
    case Kind::dict:
      return dict(value, wanted);
    case Kind::pairs:
      return pairs(value, all_wanted);
    case Kind::dtype:
      try {
        static_cast<void>(parse_numpy_type(NodeView(&value)));
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

}  // namespace polycodec::awkward
