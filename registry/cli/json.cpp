// SPDX-License-Identifier: MIT
#include "json.hpp"

#include <base/utf8.hpp>
#include <polycodec/json.hpp>
#include <polycodec/value.hpp>

#include <algorithm>
#include <cmath>

namespace polycodec::cli {

Json::Json(std::string_view text) : kind_(POLYCODEC_KIND_STRING) {
  if (is_utf8(text)) {
    text_ = text;
    return;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    text_ += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
}

Json::Json(std::initializer_list<std::pair<std::string_view, Json>> members)
    : Json(POLYCODEC_KIND_OBJECT) {
  for (const auto& [key, value] : members) items_.emplace_back(key, value);
}

Json::Json(NodeView view) : kind_(view.kind()) {
  switch (kind_) {
    case POLYCODEC_KIND_NULL:
      break;
    case POLYCODEC_KIND_BOOLEAN:
      number_ = view.as_bool();
      break;
    case POLYCODEC_KIND_SIGNED:
      number_ = static_cast<std::uint64_t>(view.as_int64());
      break;
    case POLYCODEC_KIND_UNSIGNED:
      number_ = view.as_uint64();
      break;
    case POLYCODEC_KIND_FLOAT:
      real_ = view.as_double();
      break;
    case POLYCODEC_KIND_STRING:
      text_ = view.as_string();
      break;
    case POLYCODEC_KIND_LIST:
      for (std::uint64_t i = 0; i < view.size(); ++i) push_back(Json(view[i]));
      break;
    default:
      kind_ = POLYCODEC_KIND_OBJECT;
      for (std::uint64_t i = 0; i < view.size(); ++i)
        items_.emplace_back(view.key(i).as_string(), Json(view.value(i)));
  }
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == POLYCODEC_KIND_NULL) kind_ = POLYCODEC_KIND_OBJECT;
  const auto at = std::ranges::find(items_, key, &Object::value_type::first);
  return at != items_.end() ? at->second : items_.emplace_back(std::string(key), Json()).second;
}

polycodec_node Json::node(Builder& out) const {
  switch (kind_) {
    case POLYCODEC_KIND_BOOLEAN:
      return Builder::boolean(number_ != 0);
    case POLYCODEC_KIND_SIGNED:
      return Builder::integer(static_cast<std::int64_t>(number_));
    case POLYCODEC_KIND_UNSIGNED:
      return Builder::unsigned_integer(number_);
    case POLYCODEC_KIND_FLOAT:
      return std::isfinite(real_) ? Builder::real(real_) : Builder::null();
    case POLYCODEC_KIND_STRING:
      return Builder::string_view(text_);
    case POLYCODEC_KIND_LIST: {
      polycodec_node* nodes;
      const polycodec_node list = out.list(items_.size(), &nodes);
      for (const auto& item : items_) *nodes++ = item.second.node(out);
      return list;
    }
    case POLYCODEC_KIND_OBJECT: {
      polycodec_node* nodes;
      const polycodec_node object = out.object(items_.size(), &nodes);
      for (const auto& [key, value] : items_) {
        *nodes++ = Builder::string_view(key);
        *nodes++ = value.node(out);
      }
      return object;
    }
    default:
      return Builder::null();
  }
}

std::string Json::text(unsigned indent) const {
  const Value document = Value::build([&](Builder& out) { return node(out); });
  return to_json(document.view(), indent, UINT32_MAX);
}

}  // namespace polycodec::cli
