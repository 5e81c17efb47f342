// SPDX-License-Identifier: MIT
#include "core/text/attributes.hpp"

#include <model/type/infer.hpp>
#include <polycodec/utf.hpp>

#include "core/text/parse.hpp"
#include "core/text/print.hpp"

#include <algorithm>
#include <cmath>

namespace polycodec::text {

namespace {

// What stands under this key is typed JSON of all attributes.
constexpr std::string_view all_key = "$json";

std::string as_text(const polycodec_node& n, const Limits& limits) {
  std::string text;
  const TextOptions options{.limits = limits};
  HostMeter meter(NodeView(&n), limits, nullptr);
  TextOut out(text);
  Printer(out, options, meter).any(n);
  out.finish();
  return text;
}

/// The value of a node as an annotation has it, if it can say exactly that.
std::optional<type::AnnotationValue> plain_value(const polycodec_node& n) {
  if (n.kind == POLYCODEC_KIND_STRING && is_utf8(NodeView(&n).as_string()))
    return std::string(NodeView(&n).as_string());
  if (n.kind == POLYCODEC_KIND_SIGNED && n.dtype == POLYCODEC_DTYPE_INT64) return n.as.i64;
  if (n.kind == POLYCODEC_KIND_FLOAT && n.dtype == POLYCODEC_DTYPE_FLOAT64 &&
      std::isfinite(n.as.f64) && !(n.as.f64 == 0 && std::signbit(n.as.f64)))
    return n.as.f64;
  return std::nullopt;
}

bool has_string_keys(std::span<const polycodec_node> entries) noexcept {
  for (std::size_t i = 0; i < entries.size(); i += 2)
    if (entries[i].kind != POLYCODEC_KIND_STRING) return false;
  return true;
}

}  // namespace

bool has_text_keys(std::span<const polycodec_node> entries) {
  return has_string_keys(entries) && has_record_keys(entries);
}

bool has_record_keys(std::span<const polycodec_node> entries) {
  std::vector<std::string_view> keys;
  keys.reserve(entries.size() / 2);
  for (std::size_t i = 0; i < entries.size(); i += 2)
    keys.push_back(NodeView(&entries[i]).as_string());
  return type::are_field_names(std::move(keys));
}

bool has_record_names(const polycodec_array& record) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < record.n_children; ++i)
    names.push_back(to_string_view(record.names[i]));
  return type::are_field_names(std::move(names));
}

std::vector<type::Annotation> annotations_of(NodeView attributes, const Limits& limits) {
  const auto entries = attributes.entries();
  std::vector<type::Annotation> annotations;
  if (!has_text_keys(entries)) return {{std::string(all_key), as_text(*attributes.node(), limits)}};
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const std::string_view key = NodeView(&entries[i]).as_string();
    if (auto value = plain_value(entries[i + 1])) {
      annotations.push_back(
          {(key.starts_with('$') ? "$" : "") + std::string(key), *std::move(value)});
    } else {
      annotations.push_back(
          {std::string(coded_key) + std::string(key), as_text(entries[i + 1], limits)});
    }
  }
  return annotations;
}

polycodec_node attributes_of(Builder& builder, std::span<const type::Annotation> annotations,
                             const Limits& limits) {
  std::vector<Member> members;
  for (const type::Annotation& annotation : annotations) {
    std::string_view key = annotation.key;
    const auto* text = std::get_if<std::string>(&annotation.value);
    if (key == all_key && text != nullptr && annotations.size() == 1) {
      polycodec_node all = parse_any(builder, *text, limits);
      const auto size = static_cast<std::size_t>(polycodec_node_size(&all));
      // An object with keys that no record has is written as a map.
      if (all.kind == POLYCODEC_KIND_MAP && has_string_keys({all.as.nodes, 2 * size}))
        all.kind = POLYCODEC_KIND_OBJECT;
      if (all.kind == POLYCODEC_KIND_OBJECT) return all;
    }
    if (key.starts_with(coded_key) && text != nullptr) {
      members.push_back({key.substr(coded_key.size()), parse_any(builder, *text, limits)});
      continue;
    }
    if (key.starts_with("$$")) key.remove_prefix(1);
    polycodec_node value = Builder::null();
    if (text != nullptr) value = builder.string_copy(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&annotation.value))
      value = Builder::integer(*whole);
    if (const auto* number = std::get_if<double>(&annotation.value)) value = Builder::real(*number);
    members.push_back({key, value});
  }
  return builder.object(members);
}

}  // namespace polycodec::text
