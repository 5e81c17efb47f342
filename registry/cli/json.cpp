// SPDX-License-Identifier: MIT
#include "json.hpp"

#include <base/utf8.hpp>
#include <polycodec/json.hpp>
#include <polycodec/value.hpp>

#include <algorithm>
#include <cmath>

namespace polycodec::cli {

Json::Json(std::string_view text) : value_(std::string()) {
  auto& out = std::get<std::string>(value_);
  if (is_utf8(text)) {
    out = text;
    return;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
}

Json::Json(std::initializer_list<std::pair<std::string_view, Json>> members) : value_(Object()) {
  for (const auto& [key, value] : members) std::get<Object>(value_).emplace_back(key, value);
}

Json::Json(NodeView view) {
  switch (view.kind()) {
    case POLYCODEC_KIND_NULL:
      break;
    case POLYCODEC_KIND_BOOLEAN:
      value_ = view.as_bool();
      break;
    case POLYCODEC_KIND_SIGNED:
      value_ = view.as_int64();
      break;
    case POLYCODEC_KIND_UNSIGNED:
      value_ = view.as_uint64();
      break;
    case POLYCODEC_KIND_FLOAT:
      value_ = view.as_double();
      break;
    case POLYCODEC_KIND_STRING:
      value_ = std::string(view.as_string());
      break;
    case POLYCODEC_KIND_LIST:
      value_ = List();
      for (std::uint64_t i = 0; i < view.size(); ++i) push_back(Json(view[i]));
      break;
    default:
      value_ = Object();
      for (std::uint64_t i = 0; i < view.size(); ++i)
        std::get<Object>(value_).emplace_back(view.key(i).as_string(), Json(view.value(i)));
  }
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Object();
  auto& members = std::get<Object>(value_);
  const auto at = std::ranges::find(members, key, &Object::value_type::first);
  return at != members.end() ? at->second : members.emplace_back(std::string(key), Json()).second;
}

bool Json::empty() const {
  if (const auto* items = std::get_if<List>(&value_)) return items->empty();
  return !is_object() || members().empty();
}

polycodec_node Json::node(Builder& out) const {
  struct Make {
    Builder& out;
    polycodec_node operator()(std::monostate) const { return Builder::null(); }
    polycodec_node operator()(bool value) const { return Builder::boolean(value); }
    polycodec_node operator()(std::int64_t value) const { return Builder::integer(value); }
    polycodec_node operator()(std::uint64_t value) const {
      return Builder::unsigned_integer(value);
    }
    polycodec_node operator()(double value) const {
      return std::isfinite(value) ? Builder::real(value) : Builder::null();
    }
    polycodec_node operator()(const std::string& text) const { return Builder::string_view(text); }
    polycodec_node operator()(const List& items) const {
      polycodec_node* nodes;
      const polycodec_node list = out.list(items.size(), &nodes);
      for (const Json& item : items) *nodes++ = item.node(out);
      return list;
    }
    polycodec_node operator()(const Object& members) const {
      polycodec_node* nodes;
      const polycodec_node object = out.object(members.size(), &nodes);
      for (const auto& [key, value] : members) {
        *nodes++ = Builder::string_view(key);
        *nodes++ = value.node(out);
      }
      return object;
    }
  };
  return std::visit(Make{out}, value_);
}

std::string Json::text(unsigned indent) const {
  const Value document = Value::build([&](Builder& out) { return node(out); });
  return to_json(document.view(), indent, UINT32_MAX);
}

}  // namespace polycodec::cli
