// SPDX-License-Identifier: MIT
// Documents.
#include "encode.hpp"

#include <base/base64.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include "codec.hpp"
#include "extras.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

std::string kind_extra(std::string_view word) {
  return SchemaText().string(extra::kind).raw(": ").string(word).text();
}

void check_members(Encoder& e, const polycodec_node& n) {
  SeededSet<std::string_view> names;
  for (std::uint64_t i = 0; i < polycodec_node_size(&n); ++i) {
    const std::string_view name = text_of(n.as.nodes[2 * i]);
    e.check_name(name);
    if (!names.insert(name).second) e.refuse("a member occurs twice, which the format cannot hold");
  }
}

void put_members(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  check_members(e, n);
  e.schema.begin("{\"dict\": {");
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::string_view name = text_of(n.as.nodes[2 * i]);
    e.schema.begin().string(name).raw(": ");
    const PathStep step(e.path, name);
    put_node(e, n.as.nodes[2 * i + 1]);
  }
  e.schema.raw("}");
  end_node(e, n, {}, attributes);
}

void put_map(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  e.schema.begin("{\"list\": [");
  for (std::uint64_t i = 0; i < size; ++i) {
    e.schema.begin("{\"tuple\": [");
    const PathStep step(e.path, i);
    put_node(e, n.as.nodes[2 * i]);
    put_node(e, n.as.nodes[2 * i + 1]);
    e.schema.raw("]}");
  }
  e.schema.raw("]");
  end_node(e, n, kind_extra(kind::map), attributes);
}

void put_pair(Encoder& e, const polycodec_node& first, const polycodec_node& second,
              std::string_view kind, const polycodec_node* attributes) {
  if (first.kind == POLYCODEC_KIND_STRING) e.check_name(text_of(first));
  e.schema.begin("{\"tuple\": [");
  e.schema.begin("{\"json\": ").scalar(first).raw("}");
  {
    const PathStep step(e.path, Part::payload);
    put_node(e, second);
  }
  e.schema.raw("]");
  extra_member(e, kind_extra(kind), attributes);
  e.schema.raw("}");
}

void put_scalar(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  if (is_json_scalar(n)) {
    e.schema.begin("{\"json\": ").scalar(n);
    return end_node(e, n, {}, attributes);
  }
  if (n.kind == POLYCODEC_KIND_STRING) e.refuse("a text is not UTF-8, which JSON cannot hold");
  if (n.kind == POLYCODEC_KIND_BINARY) {
    const std::uint64_t id = e.next_id();
    e.blobs.begin(id).reference(n.as.data, polycodec_node_size(&n));
    e.schema.begin("{\"read\": ").string(e.blobs.short_name(id));
    return end_node(e, n, {}, attributes);
  }
  if (n.kind == POLYCODEC_KIND_FLOAT && n.dtype == POLYCODEC_DTYPE_FLOAT64) {
    // As the Python library writes it: a pickle of the number, protocol 4 with a frame of 10 bytes.
    std::uint8_t pickle[21] = {0x80, 0x04, 0x95, 0x0a, 0, 0, 0, 0, 0, 0, 0, 'G'};
    store(pickle + 12, n.as.f64, std::endian::big);
    pickle[20] = '.';
    char text[28];
    base64_encode(text, pickle, sizeof pickle);
    e.schema.begin("{\"python\": ").string({text, sizeof text});
    return end_node(e, n, {}, attributes);
  }
  put_single(e, n, attributes);
}

void put_bare_node(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const Level level(e, has_parts(n) || n.kind == POLYCODEC_KIND_ARRAY);
  e.work(sizeof n);
  // Numbered when it is met, or when a reference to it was.
  if (e.survey.is_target(n)) e.survey.number(n);
  switch (n.kind) {
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return put_list(e, n, attributes);
    case POLYCODEC_KIND_OBJECT:
      return put_members(e, n, attributes);
    case POLYCODEC_KIND_MAP:
      return put_map(e, n, attributes);
    case POLYCODEC_KIND_ARRAY:
      return put_array(e, *n.as.array, attributes);
    case POLYCODEC_KIND_EXTENSION: {
      if (put_inert(e, n, attributes)) return;
      const auto name = Builder::string_view(to_string_view(n.as.extension->name));
      return put_pair(e, name, *n.as.extension->payload, kind::extension, attributes);
    }
    case POLYCODEC_KIND_UNION:
      return put_pair(e, Builder::integer(n.as.tagged->tag), *n.as.tagged->node, kind::variant,
                      attributes);
    case POLYCODEC_KIND_REFERENCE: {
      // The first reference to what is nowhere else is where it is.
      if (e.survey.is_due(target_of(n)))
        return put_bare_node(e, target_of(n),
                             attributes != nullptr || n.as.node->kind != POLYCODEC_KIND_ANNOTATED
                                 ? attributes
                                 : n.as.node->as.annotated->metadata);
      e.schema.begin("{\"ref\": ").number(e.survey.number(target_of(n)));
      extra_member(e, {}, attributes);
      e.schema.raw("}");
      return;
    }
    default:
      return put_scalar(e, n, attributes);
  }
}

}  // namespace

void Writing::check_name(std::string_view name) const {
  if (!is_utf8(name)) refuse("a name is not UTF-8, which JSON cannot hold");
}

namespace {

/// Levels of lists and objects in an attribute that becomes a member of the schema.
constexpr unsigned most_levels = 32;

/// True for plain JSON.
bool is_json(const polycodec_node& n, unsigned levels) {
  if (n.kind != POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_OBJECT) return is_json_scalar(n);
  bool all = levels != 0;
  for (std::uint64_t i = 0; all && i < polycodec_node_size(&n); ++i)
    all = n.kind == POLYCODEC_KIND_LIST
              ? is_json(n.as.nodes[i], levels - 1)
              : is_json_scalar(n.as.nodes[2 * i]) && is_json(n.as.nodes[2 * i + 1], levels - 1);
  return all;
}

/// True for an attribute of the root that is a member of the schema.
bool is_about(const polycodec_node& name, const polycodec_node& value) {
  return std::ranges::find(about_keys, text_of(name)) != std::end(about_keys) &&
         is_json(value, most_levels);
}

}  // namespace

void Encoder::write(NodeView root) {
  survey.look_through(*root.raw());
  schema.raw("{\"awkward0\": \"0.15.5\", ");
  const polycodec_node* const attributes = View(root.raw()).metadata();
  for (std::uint64_t i = 0; attributes != nullptr && i < polycodec_node_size(attributes); ++i) {
    const polycodec_node* const entry = attributes->as.nodes + 2 * i;
    if (!is_about(entry[0], entry[1])) continue;
    about = attributes;
    schema.raw("\"").raw(text_of(entry[0])).raw("\": ");
    put_json(*this, entry[1]);
    schema.raw(", ");
  }
  schema.raw("\"schema\": ");
  put_node(*this, *root.raw());
  if (!blobs.prefix().empty()) schema.raw(", \"prefix\": ").string(blobs.prefix());
  schema.raw("}");
  blobs.finish(schema.text());
}

void put_node(Encoder& e, const polycodec_node& n) {
  const bool annotated = n.kind == POLYCODEC_KIND_ANNOTATED;
  put_bare_node(e, annotated ? *n.as.annotated->node : n,
                annotated ? n.as.annotated->metadata : nullptr);
}

void put_json(Encoder& e, const polycodec_node& n) {
  const std::uint64_t size = polycodec_node_size(&n);
  if (n.kind == POLYCODEC_KIND_LIST) {
    e.schema.begin("[");
    for (std::uint64_t i = 0; i < size; ++i) put_json(e, n.as.nodes[i]);
    e.schema.raw("]");
  } else if (n.kind == POLYCODEC_KIND_OBJECT) {
    check_members(e, n);
    e.schema.begin("{");
    for (std::uint64_t i = 0; i < size; ++i) {
      e.schema.begin().string(text_of(n.as.nodes[2 * i])).raw(": ");
      put_json(e, n.as.nodes[2 * i + 1]);
    }
    e.schema.raw("}");
  } else {
    e.schema.begin().scalar(n);
  }
}

void put_list(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  const bool tuple = n.kind == POLYCODEC_KIND_TUPLE;
  std::vector<const polycodec_node*> items;
  const bool tied = e.survey.is_tied(n);
  if (!tuple && size != 0 && !tied && attributes == nullptr) {
    items.reserve(static_cast<std::size_t>(size));
    for (std::uint64_t i = 0; i < size; ++i) items.push_back(&n.as.nodes[i]);
    if (is_columnar(e, items)) return put_column(e, items, {});
  }
  if (!tuple && !tied && e.survey.is_plain(n)) {
    e.schema.begin("{\"json\": ");
    put_json(e, n);
    return end_node(e, n, {}, attributes);
  }
  e.schema.begin(tuple ? "{\"tuple\": [" : "{\"list\": [");
  for (std::uint64_t i = 0; i < size; ++i) {
    const PathStep step(e.path, i);
    put_node(e, n.as.nodes[i]);
  }
  e.schema.raw("]");
  end_node(e, n, {}, attributes);
}

void end_call(Encoder& e, std::uint64_t id, std::string_view extra,
              const polycodec_node* attributes, std::initializer_list<std::string_view> own) {
  e.schema.raw("], \"id\": ").number(id);
  extra_of_array(e, extra, attributes, own);
  e.schema.raw("}");
}

void extra_of_array(Encoder& e, std::string_view extra, const polycodec_node* attributes,
                    std::initializer_list<std::string_view> own) {
  if (attributes == nullptr) return extra_member(e, extra, nullptr);
  std::vector<polycodec_node> kept;
  for (std::uint64_t i = 0; i < polycodec_node_size(attributes); ++i) {
    const std::string_view name = text_of(attributes->as.nodes[2 * i]);
    if (std::ranges::find(own, name) != own.end()) continue;
    if (attributes == e.about &&
        is_about(attributes->as.nodes[2 * i], attributes->as.nodes[2 * i + 1]))
      continue;
    kept.insert(kept.end(), attributes->as.nodes + 2 * i, attributes->as.nodes + 2 * i + 2);
  }
  polycodec_node object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
  object.as.nodes = kept.data();
  e.survey.look_through_attributes(object);
  extra_member(e, extra, &object);
  e.survey.forget({&object, 1});
  e.survey.forget(kept);
}

void extra_member(Encoder& e, std::string_view extra, const polycodec_node* attributes) {
  if (attributes != nullptr && attributes == e.about)
    return extra_of_array(e, extra, attributes, {});
  const bool any = attributes != nullptr && polycodec_node_size(attributes) != 0;
  if (extra.empty() && !any) return;
  e.schema.raw(", ").string(extra_key).raw(": {").raw(extra);
  if (any) {
    e.schema.begin().string(extra::attributes).raw(": ");
    const PathStep step(e.path, Part::attributes);
    put_node(e, *attributes);
  }
  e.schema.raw("}");
}

void end_node(Encoder& e, const polycodec_node& n, std::string_view extra,
              const polycodec_node* attributes) {
  if (const std::uint64_t* id = e.survey.find_number(n)) e.schema.raw(", \"id\": ").number(*id);
  extra_member(e, extra, attributes);
  e.schema.raw("}");
}

void Awkward::encode(const Call& call, NodeView value, Writer& out) const {
  const std::string array = writing_.array.empty() ? std::string(out.member()) : writing_.array;
  if (!writing_.members || !out.member().empty())
    return Encoder(call, writing_, array, out).write(value);
  if (value.kind() != POLYCODEC_KIND_OBJECT)
    throw Error(Status::unsupported,
                "each array needs a name here: give the option 'array', or an object whose members "
                "are the arrays")
        .path(std::string(path_root));
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    const std::string_view member = value.key(i).as_string();
    std::string prefix =
        writing_.array.empty() ? std::string() : writing_.array + writing_.names.delimiter;
    try {
      Encoder(call, writing_, prefix + std::string(member), out).write(value.value(i));
    } catch (Error& e) {
      std::string path(path_root);
      append_key(path, member);
      if (e.path().starts_with(path_root)) e.path(path + e.path().substr(1));
      throw;
    }
  }
}

}  // namespace polycodec::awkward
