// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/writer.hpp>

#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/arena.hpp"
#include "core/value/differences.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/regions.hpp"
#include "core/value/value_parts.hpp"
#include "registry/c/descriptions.hpp"
#include "registry/c/find_part.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"

#include <cmath>

namespace polycodec::c {
namespace {

/// True for the end of text and types by their own depth, whatever depth the value was made with.
bool is_of_depth(const Error& error) {
  return error.code() == Status::limit && error.message().find("max_depth (") != std::string::npos;
}

/// Checks what a program built. `advice`: what to do about a pointer to other memory.
void validate_built(const polycodec_node* root, const Limits& limits, const Regions* memory,
                    const char* advice) {
  try {
    validate(root, limits, Validation::full, memory);
  } catch (const Error& e) {
    if (e.code() != Status::plugin) throw;
    throw Error(Status::invalid, e.message() + advice).path(e.path());
  }
}

CompareOptions compare_options(const polycodec_compare_options& o) {
  flags(o.flags,
        POLYCODEC_COMPARE_NUMBERS | POLYCODEC_COMPARE_FLOATS | POLYCODEC_COMPARE_LISTS |
            POLYCODEC_COMPARE_UNORDERED | POLYCODEC_COMPARE_NO_METADATA,
        "polycodec_compare_options.flags");
  for (const double most : {o.absolute, o.relative})
    if (!(most >= 0) || !std::isfinite(most))
      throw Error(Status::option, "a tolerance is a number of at least 0");
  const bool has_tolerance = o.absolute > 0 || o.relative > 0;
  if (has_tolerance && o.max_groups == 0)
    throw Error(Status::option, "a tolerance is for all differences: set max_groups");
  CompareOptions options;
  options.numbers_by_value = (o.flags & POLYCODEC_COMPARE_NUMBERS) != 0;
  options.floats_by_value = (o.flags & POLYCODEC_COMPARE_FLOATS) != 0 || has_tolerance;
  options.lists_by_content = (o.flags & POLYCODEC_COMPARE_LISTS) != 0;
  options.unordered_objects = (o.flags & POLYCODEC_COMPARE_UNORDERED) != 0;
  options.metadata = (o.flags & POLYCODEC_COMPARE_NO_METADATA) == 0;
  return options;
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

const polycodec_node* polycodec_value_root(const polycodec_value* value) {
  return value == nullptr || value->kind != polycodec_value::own_kind ? nullptr
                                                                      : value->value.root();
}

int32_t polycodec_value_is_partial(const polycodec_value* value) {
  return value != nullptr && value->kind == polycodec_value::own_kind && value->value.is_partial()
             ? 1
             : 0;
}

polycodec_value* polycodec_value_retain(polycodec_value* value) {
  return c::retain(value);
}
void polycodec_value_release(polycodec_value* value) {
  c::release(value);
}

int32_t polycodec_value_find(const polycodec_value* value, polycodec_bytes path,
                             polycodec_item* item, polycodec_error* error) {
  return c::enter(error, [&] {
    const polycodec_value& in = c::need(value, "value");
    c::place(item, "item") = c::find_part(in, c::text(path, "path"));
  });
}

int32_t polycodec_value_create(uint64_t max_memory, polycodec_value** value,
                               polycodec_arena** arena, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(value, "value");
    c::place(arena, "arena");
    auto made = std::make_unique<polycodec_value>();
    *arena = made->value.prepare(max_memory == 0 ? UINT64_MAX : max_memory);
    made->building = true;
    *value = made.release();
  });
}

int32_t polycodec_value_finish(polycodec_value* value, const polycodec_node* root,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    Value& made = c::need(value, "value").value;
    c::place(root, "root");
    if (!value->building) c::throw_argument("value", "is not one that is being built");
    if (!made.contains(root, sizeof *root)) c::throw_argument("root", "is not in the arena");
    c::validate_built(root, Limits{}, &made.arena(),
                      ": build it in its arena, or adopt the memory into that");
    made.set_root(root);
    value->building = false;
  });
}

int32_t polycodec_node_check(const polycodec_node* root, const polycodec_limits* limits,
                             const polycodec_bytes* regions, uint64_t n, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(root, "root");
    c::items(regions, n, "regions");
    std::uint64_t deadline = UINT64_MAX;
    const Limits most = c::limits_of(limits, {}, &deadline);
    MemoryParts parts;
    for (std::uint64_t i = 0; i < n; ++i) parts.push_back(c::text(regions[i], "regions"));
    unite(parts);
    const LazyRegions memory([&] { return parts; });
    if (n != 0 && !memory.contains(root, sizeof *root))
      c::throw_argument("root", "is in none of the regions");
    c::validate_built(root, most, n == 0 ? nullptr : &memory, ": it is in none of the regions");
  });
}

int32_t polycodec_value_parse(const polycodec_registry* registry, polycodec_bytes text,
                              polycodec_bytes type, polycodec_value** value,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view json = c::text(text, "text");
    const std::string_view notation = c::text(type, "type");
    c::place(value, "value");
    const Registry* const names =
        registry == nullptr ? nullptr : &c::need(registry, "registry").registry;
    const Limits limits = names == nullptr ? Limits{} : names->options().limits;
    if (notation.empty()) return c::make(value, parse_text(json, limits));
    const type::Type wanted =
        names == nullptr ? type::parse(notation) : names->parse_type(notation);
    c::make(value, parse_text(json, wanted, limits));
  });
}

int32_t polycodec_value_print(const polycodec_value* value, const polycodec_item* item,
                              const polycodec_text_options* options, polycodec_sink* sink,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& what = c::need(value, "value");
    Sink& to = c::sink_of(sink);
    const auto o = c::read_struct(options, "polycodec_text_options");
    c::flags(o.flags, POLYCODEC_TEXT_PLAIN | POLYCODEC_TEXT_EXACT, "polycodec_text_options.flags");
    TextOptions how;
    how.plain = (o.flags & POLYCODEC_TEXT_PLAIN) != 0;
    how.exact = (o.flags & POLYCODEC_TEXT_EXACT) != 0;
    if (how.plain && how.exact)
      c::throw_argument("polycodec_text_options.flags", "has PLAIN and EXACT: choose one");
    how.indent = o.indent;
    if (o.width != 0) how.width = o.width;
    const ValueBudget walk(what.value);
    const auto part = c::read_part(what, item);
    try {
      Writer out(to.abi());
      print_text(part->view(), out, how);
      out.flush();
      c::check_bound(to);
    } catch (const Error& e) {
      to.reset();
      if (!c::is_of_depth(e)) throw;
      throw Error(Status::limit, "nested deeper than the limit of text, " +
                                     std::to_string(how.limits.max_depth) + " levels")
          .detail(e.detail())
          .path(e.path());
    } catch (...) {
      to.reset();
      throw;
    }
  });
}

int32_t polycodec_value_type(const polycodec_value* value, const polycodec_item* item,
                             polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& what = c::need(value, "value");
    Sink& to = c::sink_of(sink);
    const ValueBudget walk(what.value);
    const auto part = c::read_part(what, item);
    std::string text = "any";
    try {
      text = type::print(infer_type(part->view()));
    } catch (const Error& e) {
      if (!c::is_of_depth(e)) throw;
    }
    c::put(to, text);
  });
}

int32_t polycodec_value_compare(const polycodec_value* a, const polycodec_value* b,
                                const polycodec_compare_options* options, uint64_t* differences,
                                polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& left = c::need(a, "a").value;
    const Value& right = c::need(b, "b").value;
    c::place(differences, "differences");
    Sink* const to = sink == nullptr ? nullptr : &c::sink_of(sink);
    const auto o = c::read_struct(options, "polycodec_compare_options");
    const CompareOptions how = c::compare_options(o);
    const ValueBudget walk(left, &right);
    Differences found;
    if (o.max_groups != 0) {
      DifferenceBounds bounds;
      bounds.groups = static_cast<std::size_t>(o.max_groups);
      found = all_differences(View(left.view()), View(right.view()), how, {o.absolute, o.relative},
                              bounds);
    } else if (auto first = first_difference(left.view(), right.view(), how)) {
      found.count = 1;
      found.groups.push_back({first->path, DifferenceKind::value, 1, {*first}, 0});
    }
    if (to != nullptr)
      c::put(*to,
             Json{{"count", found.count}, {"groups", groups_json(found, o.max_groups != 0)}}.text(
                 json_compact));
    *differences = found.count;
  });
}

int32_t polycodec_value_address(const polycodec_registry* registry, const polycodec_value* value,
                                int32_t address, char digest[65], uint64_t* bytes,
                                polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    const Value& what = c::need(value, "value").value;
    c::place(digest, "digest");
    if (address != POLYCODEC_ADDRESS_EXACT && address != POLYCODEC_ADDRESS_LOGICAL)
      c::throw_argument("address", "is not a POLYCODEC_ADDRESS_*");
    if (what.is_partial())
      throw Error(Status::invalid, "a partial value has no content address: decode all of it");
    CallOptions options;
    options.budget = c::walking_budget();
    if (options.budget == nullptr) {
      options.budget = make_budget(in.options().limits);
      earn(*options.budget, what);
    }
    std::uint64_t size = 0;
    const std::string text = in.address(
        what.view(), address == POLYCODEC_ADDRESS_LOGICAL ? Address::logical : Address::exact,
        options, &size);
    std::memcpy(digest, text.c_str(), 65);
    if (bytes != nullptr) *bytes = size;
  });
}
