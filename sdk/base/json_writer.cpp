// SPDX-License-Identifier: MIT
#include "json_writer.hpp"

#include <base/json_number.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <cmath>

namespace polycodec {

namespace {

/// `text` with U+FFFD for bytes that are not UTF-8.
std::string repaired(std::string_view text) {
  std::string out;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace

std::string to_json_string(std::string_view text) {
  if (!is_utf8(text)) throw Error(Status::invalid, quote(text) + " is not UTF-8");
  std::string out;
  text::TextOut(out).put_quoted(text);
  return out;
}

JsonObjectText& JsonObjectText::add(std::string_view name, std::string_view json) {
  text_ += text_.size() == 1 ? "" : ",";
  text_ += to_json_string(name);
  text_ += ':';
  text_ += json;
  return *this;
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

void Json::write(JsonWriter& to) const {
  text::TextOut& out = to.out();
  switch (kind_) {
    case POLYCODEC_KIND_BOOLEAN:
      return out.put(number_ != 0 ? "true" : "false");
    case POLYCODEC_KIND_SIGNED:
      return out.put_with(
          [&](char* p) { return text::write_signed(p, static_cast<std::int64_t>(number_)); });
    case POLYCODEC_KIND_UNSIGNED:
      return out.put_with([&](char* p) { return text::write_unsigned(p, number_); });
    case POLYCODEC_KIND_FLOAT:
      if (!std::isfinite(real_)) return out.put("null");
      return out.put_with([&](char* p) { return text::write_double(p, real_); });
    case POLYCODEC_KIND_STRING:
      return out.put_quoted(is_utf8(text_) ? text_ : repaired(text_));
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_OBJECT:
      to.open(is_object() ? '{' : '[');
      for (const auto& [key, value] : items_) {
        if (is_object())
          to.key(is_utf8(key) ? key : repaired(key));
        else
          to.item();
        value.write(to);
      }
      return to.close(is_object() ? '}' : ']');
    default:
      return out.put("null");
  }
}

std::string Json::text(unsigned indent) const {
  std::string text;
  text::TextOut out(text);
  JsonWriter writer(out, indent);
  write(writer);
  out.finish();
  return text;
}

}  // namespace polycodec
