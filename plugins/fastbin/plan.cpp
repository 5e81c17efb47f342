// SPDX-License-Identifier: MIT
#include <model/loss_search.hpp>
#include <polycodec/quote.hpp>

#include "codec.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "schema/parse.hpp"

#include <utility>

namespace polycodec::fastbin {

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict_utf8 = options.choice<bool>("utf8", {{"lenient", false}, {"strict", true}});
  settings.known_enums = options.choice<bool>("unknown_enum", {{"keep", false}, {"refuse", true}});
  settings.skip_slack = options.choice<bool>("slack", {{"strict", false}, {"lenient", true}});
  settings.allow_absent = options.choice<bool>("absent", {{"refuse", false}, {"null", true}});
  settings.whole_input = options.choice<bool>("trailing", {{"ignore", false}, {"refuse", true}});
  settings.aligned_input = options.choice<bool>("alignment", {{"any", false}, {"word", true}});
  return settings;
}

namespace {

void fill(EnumPlan& plan, const Enum& e, Builder& out) {
  std::vector<std::uint32_t> offsets{0};
  std::string names;
  plan.values_are_indices = e.storage != Primitive::boolean;
  for (std::size_t i = 0; i < e.members.size(); ++i) {
    const EnumMember& m = e.members[i];
    names += m.name;
    offsets.push_back(static_cast<std::uint32_t>(names.size()));
    plan.values_are_indices = plan.values_are_indices && m.bits == i;
    plan.bits_of.emplace(m.name, m.bits);
  }
  for (const EnumMember& m : e.members)
    for (const std::string& text : m.texts) plan.bits_of.emplace(text, m.bits);
  const std::string_view text = out.copy_text(names);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto kept = std::span<const std::uint32_t>(offsets);
  plan.names = out.list_offsets(std::span<const std::uint32_t>(out.store_all(kept), kept.size()),
                                out.vector(std::span(bytes, text.size())), POLYCODEC_ARRAY_STRING);
}

std::string names_of(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

void mark_used(const Type& type, std::vector<bool>& used) {
  if (type.kind == Kind::structure) used[type.index] = true;
  for (const Type& part : type.of) mark_used(part, used);
}

/// The struct of this name; without a name the one that no other struct uses.
std::uint32_t find_root(const Schema& schema, std::string_view name) {
  std::vector<bool> used(schema.structs.size());
  for (const Struct& s : schema.structs)
    for (const Field& f : s.fields) mark_used(f.type, used);
  std::vector<std::string_view> all, tops;
  std::uint32_t top = 0;
  for (std::uint32_t i = 0; i < schema.structs.size(); ++i) {
    if (schema.structs[i].name == name) return i;
    if (all.size() < 8) all.push_back(schema.structs[i].name);
    if (used[i]) continue;
    top = i;
    if (tops.size() < 8) tops.push_back(schema.structs[i].name);
  }
  if (all.empty())
    throw Error(Status::option, "the schema has no structs").detail("fastbin.schema");
  if (!name.empty())
    throw Error(Status::option, "option 'root': the schema has no struct " + quote(name) +
                                    "; it has " + names_of(all))
        .detail("fastbin.schema");
  if (tops.size() != 1)
    throw Error(Status::option,
                "option 'root' must say which struct the bytes hold: " + names_of(tops))
        .detail("fastbin.schema");
  return top;
}

}  // namespace

Plan::Plan(Schema schema, std::string_view root, const Settings& settings, Builder& out)
    : schema_(std::move(schema)), settings_(settings), root_(find_root(schema_, root)) {
  enums_.resize(schema_.enums.size());
  structs_.resize(schema_.structs.size());
  for (std::size_t i = 0; i < enums_.size(); ++i) fill(enums_[i], schema_.enums[i], out);
  for (std::size_t i = 0; i < structs_.size(); ++i) {
    const Struct& s = schema_.structs[i];
    auto* names = out.allocate<polycodec_bytes>(s.fields.size());
    structs_[i].names = names;
    for (const Field& f : s.fields) {
      structs_[i].keys.push_back(out.string_copy(f.name));
      *names++ = to_bytes(NodeView(&structs_[i].keys.back()).as_string());
      const bool boolean = f.type.kind == Kind::primitive && f.type.primitive == Primitive::boolean;
      structs_[i].has_booleans = structs_[i].has_booleans || boolean;
      structs_[i].has_enums = structs_[i].has_enums || f.type.kind == Kind::enumeration;
      if (f.type.kind != Kind::structure) continue;
      structs_[i].has_booleans = structs_[i].has_booleans || structs_[f.type.index].has_booleans;
      structs_[i].has_enums = structs_[i].has_enums || structs_[f.type.index].has_enums;
    }
  }
}

std::unique_ptr<const Plan> plan_of(Call& call, const Options& options) {
  const Settings settings = Settings::from(options);
  const auto inline_schema = options.find("schema");
  const std::string file = options.get("schema_file", "");
  const std::string root = options.get("root", "");
  if (!inline_schema && file.empty()) {
    if (!root.empty())
      throw Error(Status::option, "option 'root' needs a schema: 'schema' or 'schema_file'");
    return nullptr;
  }
  if (inline_schema && inline_schema->node() == nullptr)
    throw Error(Status::option, "option 'schema' must be a string or a plain object");
  if (inline_schema && !file.empty())
    throw Error(Status::option, "options 'schema' and 'schema_file' exclude each other");
  Schema schema = inline_schema
                      ? schema_from_view(NodeView(inline_schema->node()), "option 'schema'")
                      : parse_schema(file, "option 'schema_file'");
  Builder out(call);
  return std::make_unique<const Plan>(std::move(schema), root, settings, out);
}

const Plan& Fastbin::plan() const {
  if (plan_ == nullptr)
    throw Error(Status::unsupported,
                "a buffer does not say what is in it: give its schema with the option 'schema' or "
                "'schema_file'")
        .detail("fastbin.schema");
  return *plan_;
}

Node Fastbin::decode(Call& call, const Input& input, Builder& out) const {
  return fastbin::decode(plan(), call, input.steady_bytes(), out);
}

void Fastbin::encode(const Call& call, NodeView value, Writer& out) const {
  Encoder encoder(plan(), call);
  Losses losses;
  add_attribute_losses(value, losses, call);
  losses.settle(call, "fastbin", "fastbin.lossy");
  const View root(value);
  out.expect(encoder.measure(root));
  encoder.write(root, out);
}

std::uint64_t Fastbin::encoded_size(const Call& call, NodeView value) const {
  return Encoder(plan(), call).measure(View(value));
}

}  // namespace polycodec::fastbin
