// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include "schema/parse.hpp"

#include <cstdio>
#include <utility>

namespace polycodec::fastbin {
namespace {

constexpr std::size_t max_schema_bytes = std::size_t{16} << 20;

void fill(EnumPlan& plan, const Enum& e) {
  plan.offsets.push_back(0);
  plan.values_are_indices = e.storage != Primitive::boolean;
  for (std::size_t i = 0; i < e.members.size(); ++i) {
    const EnumMember& m = e.members[i];
    plan.text += m.name;
    plan.offsets.push_back(static_cast<std::uint32_t>(plan.text.size()));
    plan.values_are_indices = plan.values_are_indices && m.bits == i;
    plan.bits_of.emplace(m.name, m.bits);
  }
  for (const EnumMember& m : e.members)
    for (const std::string& text : m.texts) plan.bits_of.emplace(text, m.bits);

  plan.shape = static_cast<std::int64_t>(plan.text.size());
  polycodec_array& content = plan.content;
  content.struct_size = sizeof content;
  content.form = POLYCODEC_FORM_NDARRAY;
  content.dtype = POLYCODEC_UINT8;
  content.byte_order = host_byte_order;
  content.item_size = 1;
  content.length = content.buffer_size = plan.text.size();
  content.data = content.buffer = plan.text.data();
  content.ndim = 1;
  content.shape = &plan.shape;
  content.strides = &plan.stride;

  polycodec_array& names = plan.names;
  names.struct_size = sizeof names;
  names.form = POLYCODEC_FORM_LIST_OFFSETS;
  names.flags = POLYCODEC_ARRAY_TEXT;
  names.byte_order = host_byte_order;
  names.length = e.members.size();
  names.index = Builder::column(std::span<const std::uint32_t>(plan.offsets));
  names.n_children = 1;
  plan.child = &plan.content;
  names.children = &plan.child;
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
  if (all.empty()) throw Error(Status::option, "the schema has no structs").detail("schema");
  if (!name.empty())
    throw Error(Status::option,
                "option 'root': the schema has no struct '" + std::string(name) + "'; it has " + names_of(all))
        .detail("schema");
  if (tops.size() != 1)
    throw Error(Status::option, "option 'root' must say which struct the bytes hold: " + names_of(tops))
        .detail("schema");
  return top;
}

/// The text of a file, which the host or the command line has named.
std::string read_schema_file(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw Error(Status::option, "option 'schema_file': '" + path + "' " + why).detail("schema");
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) fail("cannot be opened");
  std::string text;
  char piece[16384];
  for (std::size_t size = 0; (size = std::fread(piece, 1, sizeof piece, file.get())) != 0;) {
    text.append(piece, size);
    if (text.size() > max_schema_bytes) fail("is larger than 16 MiB");
  }
  if (std::ferror(file.get()) != 0) fail("cannot be read");
  return text;
}

}  // namespace

Plan::Plan(Schema schema, std::string_view root, const Settings& settings)
    : schema_(std::move(schema)), settings_(settings), root_(find_root(schema_, root)) {
  enums_.resize(schema_.enums.size());
  structs_.resize(schema_.structs.size());
  for (std::size_t i = 0; i < enums_.size(); ++i) fill(enums_[i], schema_.enums[i]);
  for (std::size_t i = 0; i < structs_.size(); ++i) {
    const Struct& s = schema_.structs[i];
    for (const Field& f : s.fields) {
      structs_[i].keys.push_back(Builder::string_view(f.name));
      structs_[i].names.push_back(to_bytes(f.name));
      const bool boolean = f.type.kind == Kind::primitive && f.type.primitive == Primitive::boolean;
      structs_[i].has_booleans = structs_[i].has_booleans || boolean;
      structs_[i].has_enums = structs_[i].has_enums || f.type.kind == Kind::enumeration;
      if (f.type.kind != Kind::structure) continue;
      structs_[i].has_booleans = structs_[i].has_booleans || structs_[f.type.index].has_booleans;
      structs_[i].has_enums = structs_[i].has_enums || structs_[f.type.index].has_enums;
    }
  }
}

std::shared_ptr<const Plan> plan_of(const Options& options) {
  const Settings settings = Settings::from(options);
  const auto inline_schema = options.find("schema");
  const std::string file = options.get("schema_file", "");
  const std::string root = options.get("root", "");
  if (!inline_schema && file.empty()) {
    if (!root.empty()) throw Error(Status::option, "option 'root' needs a schema: 'schema' or 'schema_file'");
    return nullptr;
  }
  if (inline_schema && !file.empty())
    throw Error(Status::option, "options 'schema' and 'schema_file' exclude each other");
  Schema schema = inline_schema ? schema_from_view(*inline_schema, "option 'schema'")
                                : parse_schema(read_schema_file(file), file);
  return std::make_shared<const Plan>(std::move(schema), root, settings);
}

}  // namespace polycodec::fastbin
