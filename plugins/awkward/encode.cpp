// SPDX-License-Identifier: MIT
// Documents.
#include "encode.hpp"

#include <base/base64.hpp>
#include <base/utf8.hpp>
#include <polycodec/byte_order.hpp>

#include "codec.hpp"
#include "extras.hpp"
#include "schema.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

std::string prefix_of(const std::string& name, const BlobNames& names) {
  return name.empty() ? std::string() : name + names.delimiter;
}

std::string kind_extra(std::string_view word) {
  return SchemaText().string(extra::kind).raw(": ").string(word).text();
}

// Arrays of documents have nodes inside; what other arrays hold are not nodes.
bool has_parts(const polycodec_node& n) noexcept {
  if (n.kind == POLYCODEC_KIND_ARRAY) return n.as.array->layout == POLYCODEC_LAYOUT_DOCUMENT;
  return (n.kind >= POLYCODEC_KIND_LIST && n.kind <= POLYCODEC_KIND_MAP) ||
         n.kind == POLYCODEC_KIND_EXTENSION || n.kind == POLYCODEC_KIND_ANNOTATED ||
         n.kind == POLYCODEC_KIND_UNION;
}

template <class Visit>
void for_each_part(const polycodec_node& n, Visit visit) {
  if (!has_parts(n)) return;
  switch (n.kind) {
    case POLYCODEC_KIND_ARRAY:
      for (std::uint64_t i = 0; i < n.as.array->length; ++i) visit(n.as.array->nodes[i]);
      return;
    case POLYCODEC_KIND_EXTENSION:
      return visit(*n.as.extension->payload);
    case POLYCODEC_KIND_UNION:
      return visit(*n.as.tagged->node);
    case POLYCODEC_KIND_ANNOTATED:
      visit(*n.as.annotated->node);
      return visit(*n.as.annotated->metadata);
    default: {
      const bool pairs = n.kind == POLYCODEC_KIND_OBJECT || n.kind == POLYCODEC_KIND_MAP;
      const std::uint64_t count = polycodec_node_size(&n) * (pairs ? 2 : 1);
      for (std::uint64_t i = 0; i < count; ++i) visit(n.as.nodes[i]);
    }
  }
}

// Attributes belong to what is inside, and so does a reference.
const polycodec_node* target_of(const polycodec_node& reference) noexcept {
  const polycodec_node* target = reference.as.node;
  return target->kind == POLYCODEC_KIND_ANNOTATED ? target->as.annotated->node : target;
}

}  // namespace

Encoder::Encoder(const Call& call, const WriteSettings& settings, std::string name, Writer& out)
    : call_(call),
      settings_(settings),
      name_(std::move(name)),
      prefix_(prefix_of(name_, settings.names)),
      out_(out),
      id_(settings.first_id) {
  if (out.base() != nullptr)  // what is replaced keeps its blobs until all is written
    id_ = std::max(id_, free_id(Store(call, out.base()), prefix_));
}

void Encoder::refuse(const std::string& why, Status status) const {
  throw Error(status, why).path(path_);
}

void Encoder::check_name(std::string_view name) const {
  if (!is_utf8(name)) refuse("a name is not UTF-8, which JSON cannot hold");
}

void Encoder::work(std::uint64_t bytes) {
  call_.tick(bytes / 16 + 4);
}

void Encoder::call(std::initializer_list<std::string_view> function) {
  schema_.begin("{\"call\": ").strings(function).raw(", \"args\": [");
}

void Encoder::end_call(std::uint64_t id, std::string_view extra, const polycodec_node* attributes,
                       std::initializer_list<std::string_view> own) {
  schema_.raw("], \"id\": ").number(id);
  extra_of_array(extra, attributes, own);
  schema_.raw("}");
}

void Encoder::extra_of_array(std::string_view extra, const polycodec_node* attributes,
                             std::initializer_list<std::string_view> own) {
  if (attributes == nullptr) return extra_member(extra, nullptr);
  std::vector<polycodec_node> kept;
  for (std::uint64_t i = 0; i < polycodec_node_size(attributes); ++i) {
    const std::string_view name = text_of(attributes->as.nodes[2 * i]);
    if (std::ranges::find(own, name) != own.end()) continue;
    kept.insert(kept.end(), attributes->as.nodes + 2 * i, attributes->as.nodes + 2 * i + 2);
  }
  polycodec_node object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
  object.as.nodes = kept.data();
  // Arrays have not been looked through before: what their attributes refer to may be written
  // already.
  const std::size_t targets = targets_.size();
  survey(object);
  if (targets_.size() != targets) refuse("the attributes of an array have a reference");
  extra_member(extra, &object);
  // The memory of these nodes will be that of others.
  not_plain_.erase(&object);
  for (const polycodec_node& n : kept) not_plain_.erase(&n);
}

void Encoder::extra_member(std::string_view extra, const polycodec_node* attributes) {
  const bool any = attributes != nullptr && polycodec_node_size(attributes) != 0;
  if (extra.empty() && !any) return;
  schema_.raw(", ").string(extra_key).raw(": {").raw(extra);
  if (any) {
    schema_.begin().string(extra::attributes).raw(": ");
    const PathStep step(path_, Part::attributes);
    node(*attributes);
  }
  schema_.raw("}");
}

void Encoder::end_node(const polycodec_node& n, std::string_view extra,
                       const polycodec_node* attributes) {
  if (const auto id = node_ids_.find(&n); id != node_ids_.end())
    schema_.raw(", \"id\": ").number(id->second);
  extra_member(extra, attributes);
  schema_.raw("}");
}

void Encoder::write(NodeView root) {
  survey(*root.raw());
  if (!targets_.empty()) tie(*root.raw());
  // What references alone lead to is looked through as well, which may find more of them.
  for (std::size_t at = 0; at < found_.size(); ++at) {
    const polycodec_node& target = *found_[at];
    if (tied_.contains(&target)) continue;
    outside_.insert(&target);
    survey(target);
    tie(target);
  }
  schema_.raw("{\"awkward0\": \"0.15.5\", \"schema\": ");
  node(*root.raw());
  if (!prefix_.empty()) schema_.raw(", \"prefix\": ").string(prefix_);
  schema_.raw("}");
  write_compressed();
  out_.begin_blob(name_ + settings_.names.schema_suffix, name_);
  const std::string& text = schema_.text();
  out_.put_text(text);
}

bool Encoder::survey(const polycodec_node& n) {
  work(sizeof n);
  if (n.kind == POLYCODEC_KIND_REFERENCE) {
    if (targets_.insert(target_of(n)).second) found_.push_back(target_of(n));
    return false;
  }
  if (!has_parts(n)) return is_json_scalar(n);
  const Level level(*this);
  const bool plain = survey_parts(n);
  if (!plain) not_plain_.insert(&n);
  return plain;
}

bool Encoder::tie(const polycodec_node& n) {
  work(sizeof n);
  bool tied = n.kind == POLYCODEC_KIND_REFERENCE || targets_.contains(&n);
  for_each_part(n, [&](const polycodec_node& part) { tied = tie(part) || tied; });
  if (tied) tied_.insert(&n);
  return tied;
}

bool Encoder::survey_parts(const polycodec_node& n) {
  bool plain = n.kind == POLYCODEC_KIND_LIST || n.kind == POLYCODEC_KIND_OBJECT;
  for_each_part(n, [&](const polycodec_node& part) { plain = survey(part) && plain; });
  return plain;
}

bool Encoder::is_plain(const polycodec_node& n) const {
  return has_parts(n) ? !not_plain_.contains(&n) : is_json_scalar(n);
}

void Encoder::node(const polycodec_node& n) {
  const bool annotated = n.kind == POLYCODEC_KIND_ANNOTATED;
  bare_node(annotated ? *n.as.annotated->node : n, annotated ? n.as.annotated->metadata : nullptr);
}

void Encoder::bare_node(const polycodec_node& n, const polycodec_node* attributes) {
  const Level level(*this, has_parts(n) || n.kind == POLYCODEC_KIND_ARRAY);
  work(sizeof n);
  if (targets_.contains(&n)) {
    // Numbered when it is met, or when a reference to it was.
    const auto [at, fresh] = node_ids_.try_emplace(&n, 0);
    if (fresh) at->second = next_id();
  }
  switch (n.kind) {
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return list(n, attributes);
    case POLYCODEC_KIND_OBJECT:
      return members(n, attributes);
    case POLYCODEC_KIND_MAP:
      return map(n, attributes);
    case POLYCODEC_KIND_ARRAY:
      return array(*n.as.array, attributes);
    case POLYCODEC_KIND_EXTENSION: {
      if (inert(n, attributes)) return;
      const auto name = Builder::string_view(to_string_view(n.as.extension->name));
      return pair(name, *n.as.extension->payload, kind::extension, attributes);
    }
    case POLYCODEC_KIND_UNION:
      return pair(Builder::integer(n.as.tagged->tag), *n.as.tagged->node, kind::variant,
                  attributes);
    case POLYCODEC_KIND_REFERENCE: {
      // The first reference to what is nowhere else is where it is.
      if (outside_.contains(target_of(n)) && !node_ids_.contains(target_of(n)))
        return bare_node(*target_of(n),
                         attributes != nullptr || n.as.node->kind != POLYCODEC_KIND_ANNOTATED
                             ? attributes
                             : n.as.node->as.annotated->metadata);
      const auto [at, fresh] = node_ids_.try_emplace(target_of(n), 0);
      if (fresh) at->second = next_id();
      schema_.begin("{\"ref\": ").number(at->second);
      extra_member({}, attributes);
      schema_.raw("}");
      return;
    }
    default:
      return scalar(n, attributes);
  }
}

void Encoder::json(const polycodec_node& n) {
  const std::uint64_t size = polycodec_node_size(&n);
  if (n.kind == POLYCODEC_KIND_LIST) {
    schema_.begin("[");
    for (std::uint64_t i = 0; i < size; ++i) json(n.as.nodes[i]);
    schema_.raw("]");
  } else if (n.kind == POLYCODEC_KIND_OBJECT) {
    check_members(n);
    schema_.begin("{");
    for (std::uint64_t i = 0; i < size; ++i) {
      schema_.begin().string(text_of(n.as.nodes[2 * i])).raw(": ");
      json(n.as.nodes[2 * i + 1]);
    }
    schema_.raw("}");
  } else {
    schema_.begin().scalar(n);
  }
}

void Encoder::list(const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  const bool tuple = n.kind == POLYCODEC_KIND_TUPLE;
  std::vector<const polycodec_node*> items;
  const bool tied = tied_.contains(&n);
  if (!tuple && size != 0 && !tied && attributes == nullptr) {
    items.reserve(static_cast<std::size_t>(size));
    for (std::uint64_t i = 0; i < size; ++i) items.push_back(&n.as.nodes[i]);
    if (is_columnar(items)) return column(items, {});
  }
  if (!tuple && !tied && is_plain(n)) {
    schema_.begin("{\"json\": ");
    json(n);
    return end_node(n, {}, attributes);
  }
  schema_.begin(tuple ? "{\"tuple\": [" : "{\"list\": [");
  for (std::uint64_t i = 0; i < size; ++i) {
    const PathStep step(path_, i);
    node(n.as.nodes[i]);
  }
  schema_.raw("]");
  end_node(n, {}, attributes);
}

void Encoder::check_members(const polycodec_node& n) const {
  std::unordered_set<std::string_view> names;
  for (std::uint64_t i = 0; i < polycodec_node_size(&n); ++i) {
    const std::string_view name = text_of(n.as.nodes[2 * i]);
    check_name(name);
    if (!names.insert(name).second) refuse("a member occurs twice, which the format cannot hold");
  }
}

void Encoder::members(const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  check_members(n);
  schema_.begin("{\"dict\": {");
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::string_view name = text_of(n.as.nodes[2 * i]);
    schema_.begin().string(name).raw(": ");
    const PathStep step(path_, name);
    node(n.as.nodes[2 * i + 1]);
  }
  schema_.raw("}");
  end_node(n, {}, attributes);
}

void Encoder::map(const polycodec_node& n, const polycodec_node* attributes) {
  const std::uint64_t size = polycodec_node_size(&n);
  schema_.begin("{\"list\": [");
  for (std::uint64_t i = 0; i < size; ++i) {
    schema_.begin("{\"tuple\": [");
    const PathStep step(path_, i);
    node(n.as.nodes[2 * i]);
    node(n.as.nodes[2 * i + 1]);
    schema_.raw("]}");
  }
  schema_.raw("]");
  end_node(n, kind_extra(kind::map), attributes);
}

void Encoder::pair(const polycodec_node& first, const polycodec_node& second, std::string_view kind,
                   const polycodec_node* attributes) {
  if (first.kind == POLYCODEC_KIND_STRING) check_name(text_of(first));
  schema_.begin("{\"tuple\": [");
  schema_.begin("{\"json\": ").scalar(first).raw("}");
  {
    const PathStep step(path_, Part::payload);
    node(second);
  }
  schema_.raw("]");
  extra_member(kind_extra(kind), attributes);
  schema_.raw("}");
}

void Encoder::scalar(const polycodec_node& n, const polycodec_node* attributes) {
  if (is_json_scalar(n)) {
    schema_.begin("{\"json\": ").scalar(n);
    return end_node(n, {}, attributes);
  }
  if (n.kind == POLYCODEC_KIND_STRING) refuse("a text is not UTF-8, which JSON cannot hold");
  if (n.kind == POLYCODEC_KIND_BINARY) {
    const std::uint64_t id = next_id();
    begin_blob(id);
    out_.reference(n.as.data, polycodec_node_size(&n));
    schema_.begin("{\"read\": ").string(std::to_string(id) + settings_.names.suffix);
    return end_node(n, {}, attributes);
  }
  if (n.kind == POLYCODEC_KIND_FLOAT && n.dtype == POLYCODEC_DTYPE_FLOAT64) {
    // As the Python library writes it: a pickle of the number, protocol 4 with a frame of 10 bytes.
    std::uint8_t pickle[21] = {0x80, 0x04, 0x95, 0x0a, 0, 0, 0, 0, 0, 0, 0, 'G'};
    store(pickle + 12, n.as.f64, std::endian::big);
    pickle[20] = '.';
    char text[28];
    base64_encode(text, pickle, sizeof pickle);
    schema_.begin("{\"python\": ").string({text, sizeof text});
    return end_node(n, {}, attributes);
  }
  single(n, attributes);
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
