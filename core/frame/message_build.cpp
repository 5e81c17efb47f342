// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/json_writer.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/frame/frame.hpp"
#include "core/frame/message.hpp"
#include "core/io/random_bytes.hpp"
#include "core/text/json_text.hpp"

#include <array>

namespace polycodec {

namespace {

/// Fields are checked one by one, so that none can smuggle in members of the object that it becomes
/// a part of.
void check_field(std::string_view name, std::string_view json) {
  try {
    check_json(json, Limits().max_depth, "the header field " + quote(name));
  } catch (const Error& e) {
    if (e.code() == Status::limit) throw;  // the value may be sound, and its type deep
    throw Error(Status::invalid, e.message(), e.offset());
  }
}

}  // namespace

std::string escape_separators(std::string json) {
  constexpr std::string_view escaped = "\\u0059GG_MSG_HEAD";
  std::size_t at = find_separator(json);
  if (at == std::string::npos) return json;
  std::string out;
  std::size_t done = 0;
  for (; at != std::string::npos; at = find_separator(json, done)) {
    out.append(json, done, at - done);
    out += escaped;
    done = at + message_separator.size();
  }
  return out.append(json, done);
}

namespace {

/// The members that are at the top level in every style, in the order in which they are written.
void add_own(JsonObjectText& top, const Header& header) {
  if (!header.codec.empty()) {
    top.add("codec", to_json_string(header.codec));
    if (!header.codec_version.empty())
      top.add("codec_version", to_json_string(header.codec_version));
    if (!header.options.empty()) top.add("options", header.options);
  }
  for (const HeaderField& field : header.fields) top.add(field.name, field.json);
}

/// Size, id and the other members of `__meta__`, which in headers without it are at the top
/// level. No id: none.
void add_meta(JsonObjectText& top, const Header& header, const std::string& size,
              const std::string& id, bool legacy) {
  JsonObjectText own;
  JsonObjectText& meta = legacy ? top : own;
  meta.add("size", size);
  if (!id.empty()) meta.add("id", id);
  if (header.in_data) meta.add(legacy ? "type_in_data" : "in_data", "true");
  for (const HeaderField& field : header.meta) meta.add(field.name, field.json);
  if (!legacy) top.add("__meta__", own.end());
}

/// Checks the whole, and hides the separator where it is in a string: an escape means the same
/// there, and valid JSON holds it nowhere else.
std::string finished(JsonObjectText& top) {
  std::string json = top.end();
  try {
    check_json(json, Limits().max_depth, "the message header");
  } catch (const Error& e) {
    if (e.code() == Status::limit) throw;  // the value may be sound, and its type deep
    throw Error(Status::invalid, e.message(), e.offset());
  }
  return escape_separators(json);
}

void check(const Header& header) {
  if (!header.codec.empty() && !is_codec_name(header.codec))
    throw Error(Status::invalid, quote(header.codec) + " is not the name of a codec");
  if (header.codec.empty() && (!header.codec_version.empty() || !header.options.empty()))
    throw Error(Status::invalid,
                "a message header has a codec version or options but names no codec");
  for (const HeaderField& field : header.meta) check_field(field.name, field.json);
  for (const HeaderField& field : header.fields) check_field(field.name, field.json);
  if (!header.options.empty()) check_field("options", header.options);
}

}  // namespace

std::string build_frame(const Header& header, std::uint64_t body_size, HeaderStyle style) {
  check(header);
  const std::string size = std::to_string(body_size);
  const std::string id = to_json_string(header.id.empty() ? make_message_id() : header.id);
  JsonObjectText top;
  add_meta(top, header, size, id, style == HeaderStyle::legacy);
  if (!header.type.empty()) top.add("type", to_json_string(header.type));
  if (style == HeaderStyle::full) {
    if (header.find("size") == nullptr) top.add("size", size);
    if (header.find("id") == nullptr) top.add("id", id);
  }
  add_own(top, header);
  return std::string(message_separator) + finished(top) + std::string(message_separator);
}

std::string header_to_json(const Header& header) {
  check(header);
  Header whole = header;
  whole.in_data = false;
  JsonObjectText top;
  add_meta(top, whole, std::to_string(header.size),
           header.id.empty() ? std::string() : to_json_string(header.id), header.legacy);
  if (!header.type.empty()) top.add("type", to_json_string(header.type));
  add_own(top, header);
  return finished(top);
}

std::string build_rest_of_header(const Header& header) {
  check(header);
  JsonObjectText rest;
  if (!header.type.empty()) rest.add("type", to_json_string(header.type));
  add_own(rest, header);
  return finished(rest) + std::string(message_separator);
}

std::string make_message_id() {
  std::array<std::uint8_t, 16> bytes;
  random_bytes(bytes);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  std::string id;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    append_hex(id, bytes[i], 2);
  }
  return id;
}

}  // namespace polycodec
