// SPDX-License-Identifier: MIT
#include "core/text/print.hpp"

#include <model/type/build.hpp>
#include <model/type/print.hpp>

#include "core/text/column.hpp"
#include "core/text/document.hpp"

#include <algorithm>

namespace polycodec::text {

using type::any_type;
using type::Kind;
using type::Type;

namespace {

/// The type of part `i` of a value of type `t`: `any` where `t` says nothing about it.
const Type& part(const Type& t, std::size_t i) {
  return i < t.items().size() ? t.items()[i] : any_type();
}

bool is_flat(const polycodec_node& n) noexcept {
  return n.kind <= POLYCODEC_KIND_BINARY || n.kind == POLYCODEC_KIND_TIMESTAMP ||
         n.kind == POLYCODEC_KIND_DURATION;
}

bool is_flat_list(std::span<const polycodec_node> items) noexcept {
  return std::ranges::all_of(items, [](const polycodec_node& n) { return is_flat(n); });
}

}  // namespace

const Type& bare(const Type& t) noexcept {
  const Type* inner = &t;
  while (inner->is(Kind::annotated) || inner->is(Kind::option) || inner->is(Kind::pointer) ||
         inner->is(Kind::indexed))
    inner = &inner->element();
  return *inner;
}

bool is_flat(const Type& t) noexcept {
  const Kind kind = bare(t).kind();
  return kind == Kind::scalar || kind == Kind::string || kind == Kind::bytes ||
         kind == Kind::fixed_bytes || kind == Kind::fixed_string || kind == Kind::null ||
         kind == Kind::datetime || kind == Kind::timedelta;
}

void Printer::list(const polycodec_node& n, const Type& t) {
  const std::span<const polycodec_node> items(n.as.nodes,
                                              static_cast<std::size_t>(polycodec_node_size(&n)));
  Bracket bracket(writer_, '[', ']', writer_.pretty() && !is_flat_list(items));
  for (std::size_t i = 0; i < items.size(); ++i) {
    bracket.next();
    node(items[i], t.is(Kind::tuple) ? part(t, i) : t.is_dim() ? t.element() : any_type());
  }
  bracket.end();
}

void Printer::tuple(const polycodec_node& n, const Type& t) {
  out_.put(R"({"$tuple": )");
  list(n, t);
  out_.put('}');
}

void Printer::object(std::span<const polycodec_node> entries, const Type& t) {
  Bracket bracket(writer_, '{', '}', true);
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    bracket.next();
    writer_.key(NodeView(&entries[i]).as_string());
    node(entries[i + 1], t.is(Kind::map)      ? part(t, 1)
                         : t.is(Kind::record) ? part(t, i / 2)
                                              : any_type());
  }
  bracket.end();
}

void Printer::map(const polycodec_node& n, const Type& t, bool may_be_object) {
  const auto entries = NodeView(&n).entries();
  if (may_be_object && has_text_keys(entries)) return object(entries, t);
  this->entries(R"({"$map": )", n, t);
}

void Printer::entries(std::string_view form, const polycodec_node& n, const Type& t) {
  const auto entries = NodeView(&n).entries();
  out_.put(form);
  Bracket bracket(writer_, '[', ']', true);
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    bracket.next();
    Bracket entry(writer_, '[', ']', false);
    entry.hide();
    entry.next();
    node(entries[i], part(t, 0));
    entry.next();
    node(entries[i + 1], part(t, 1));
    entry.end();
  }
  bracket.end();
  out_.put('}');
}

void Printer::extension(const polycodec_extension& extension, const Type& payload) {
  out_.put(R"({"$ext": )");
  Bracket bracket(writer_, '[', ']', false);
  bracket.hide();
  bracket.next();
  put_text(out_, to_string_view(extension.name));
  bracket.next();
  node(*extension.payload, payload);
  bracket.end();
  out_.put('}');
}

void Printer::variant(const polycodec_tagged& variant, const Type& t) {
  out_.put(R"({"$union": )");
  Bracket bracket(writer_, '[', ']', false);
  bracket.hide();
  bracket.next();
  out_.put_with([&](char* p) { return write_signed(p, variant.tag); });
  bracket.next();
  const bool known = t.is(Kind::union_type) && variant.tag >= 0;
  node(*variant.node, known ? part(t, static_cast<std::size_t>(variant.tag)) : any_type());
  bracket.end();
  out_.put('}');
}

void Printer::node(const polycodec_node& n, const Type& type) {
  if (label(n, type)) return;
  // A null that is there: without metadata it would be a missing value.
  if (marks_ && type.is(Kind::option) && n.kind == POLYCODEC_KIND_ANNOTATED &&
      View(&n).kind() == POLYCODEC_KIND_NULL)
    return out_.put(R"({"$value": {"type": "null", "value": null}})");
  const Type& t = bare(type);
  if (t.is(Kind::any)) {
    // The type around may say the metadata of what it does not describe.
    const bool said = type.is(Kind::annotated) && n.kind == POLYCODEC_KIND_ANNOTATED;
    return any(said ? *n.as.annotated->node : n);
  }
  if (print_leaf(writer_, n)) return;
  switch (n.kind) {
    case POLYCODEC_KIND_LIST:
      if (is_taken_for_array(n, t)) return mark("$list", true, [&] { list(n, t); });
      return list(n, t);
    case POLYCODEC_KIND_TUPLE:
      return tuple(n, t);
    case POLYCODEC_KIND_OBJECT:
      if (!options_.plain && t.is(Kind::map)) return entries(R"({"$object": )", n, t);
      if (t.is(Kind::map)) return map(n, t, has_record_keys(NodeView(&n).entries()));
      return object(NodeView(&n).entries(), t);
    case POLYCODEC_KIND_MAP:
      return map(n, t, true);
    case POLYCODEC_KIND_ARRAY:
      return array(*n.as.array, t);
    case POLYCODEC_KIND_EXTENSION:
      return extension(*n.as.extension, t.is(Kind::extension) ? t.element() : any_type());
    case POLYCODEC_KIND_ANNOTATED:
      return node(*n.as.annotated->node, t);
    case POLYCODEC_KIND_UNION:
      return variant(*n.as.tagged, t);
    case POLYCODEC_KIND_REFERENCE:
      return reference(*n.as.node, type);
    default:
      throw Error(Status::invalid, "a node of unknown kind " + std::to_string(n.kind));
  }
}

void Printer::any(const polycodec_node& n) {
  if (label(n, any_type())) return;
  if (is_default_leaf(n)) {
    if (print_leaf(writer_, n)) return;
    switch (n.kind) {
      case POLYCODEC_KIND_LIST:
        return list(n, any_type());
      case POLYCODEC_KIND_TUPLE:
        return tuple(n, any_type());
      case POLYCODEC_KIND_OBJECT: {
        const auto entries = NodeView(&n).entries();
        if (has_record_keys(entries)) return object(entries, any_type());
        if (!options_.plain) break;
        return map(n, any_type(), false);
      }
      case POLYCODEC_KIND_MAP:
        return map(n, any_type(), false);
      case POLYCODEC_KIND_EXTENSION:
        return extension(*n.as.extension, any_type());
      case POLYCODEC_KIND_UNION:
        return variant(*n.as.tagged, any_type());
      case POLYCODEC_KIND_REFERENCE:
        return reference(*n.as.node, any_type());
      default:
        break;
    }
  }
  const Type t = types_.of(n);
  // What reads back as a list of documents needs no type.
  if (!marks_ && n.kind == POLYCODEC_KIND_ARRAY && t.is(Kind::fixed_dim) &&
      is_document_column(t.element(), false))
    return array(*n.as.array, any_type());
  out_.put(R"({"$value": )");
  typed(n, t);
  out_.put('}');
}

void Printer::typed(const polycodec_node& n, const Type& t) {
  Bracket bracket(writer_, '{', '}', true);
  bracket.hide();
  bracket.next();
  out_.put("\"type\": ");
  out_.put_quoted(type::print(t));
  bracket.next();
  out_.put("\"value\": ");
  const bool outside = documents_;
  documents_ = false;
  node(n, t);
  documents_ = outside;
  bracket.end();
}

void Printer::print(const polycodec_node& root) {
  if (options_.plain && !writer_.pretty() &&
      is_document(root, options_.limits.max_depth, writer_.meter())) {
    print_document(root, out_, writer_.meter());
    return writer_.meter().check_output(out_.position());
  }
  const Type t = types_.of(root);
  bool repeats = false;
  if (!options_.plain) {
    targets_.emplace(root, writer_.meter());
    // Without marks, a cycle of references would have no end.
    marks_ = marks_ || targets_->has_cycle(root, writer_.meter());
    repeats = !marks_ && !targets_->empty();
    if (!marks_) targets_.reset();
  }
  try {
    if (options_.plain)
      node(root, t);
    else
      typed(root, t);
    writer_.meter().check_output(out_.position());
  } catch (const Error& e) {
    if (e.code() != Status::limit || !e.path().empty()) throw;
    if (!repeats || !e.detail().starts_with("limit.")) throw Error(e).path(writer_.path());
    throw Error(e.code(), e.message() + ", or print exact text, which has shared parts once")
        .detail(e.detail())
        .path(writer_.path());
  }
}

}  // namespace polycodec::text

namespace polycodec {

void print_text(NodeView value, std::string& out, const TextOptions& options) {
  HostMeter meter(value, options.limits, options.budget);
  text::TextOut target(out);
  text::Printer(target, options, meter).print(*value.raw());
}

void print_text(NodeView value, Writer& out, const TextOptions& options) {
  HostMeter meter(value, options.limits, options.budget);
  text::TextOut target(out);
  text::Printer(target, options, meter).print(*value.raw());
}

std::string to_text(NodeView value, const TextOptions& options) {
  std::string out;
  print_text(value, out, options);
  return out;
}

}  // namespace polycodec
