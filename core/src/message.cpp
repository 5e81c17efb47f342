// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/message.hpp>

#include "json_text.hpp"
#include "quote.hpp"
#include "random_bytes.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace polycodec {

namespace {

constexpr std::string_view what = "the message header";

[[noreturn]] void refuse(std::string_view member, const std::string& why, std::uint64_t offset) {
  throw Error(Status::malformed, std::string(what) + ": " + std::string(member) + " " + why, offset)
      .detail("message.header")
      .path("$." + std::string(member));
}

std::uint64_t read_size(const JsonMember& member, std::string_view name) {
  const std::string_view text = member.value;
  if (text.front() == '-') refuse(name, "is negative", member.offset);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc::result_out_of_range) refuse(name, "does not fit in 64 bits", member.offset);
  if (error != std::errc() || end != text.data() + text.size())
    refuse(name, "is not an integer but " + quote(text), member.offset);
  return size;
}

std::string read_string(const JsonMember& member, std::string_view name) {
  if (member.value.front() != '"') refuse(name, "is not a string", member.offset);
  return json_string(member.value);
}

HeaderField keep(const JsonMember& member) {
  return {member.name, std::string(member.value)};
}

void read_meta(Header& header, const JsonMember& meta, bool& has_size) {
  if (meta.value.front() != '{') refuse("__meta__", "is not an object", meta.offset);
  for (JsonMember& member : json_members(meta.value, what)) {
    member.offset += meta.offset;
    if (member.name == "size") {
      header.size = read_size(member, "__meta__.size");
      has_size = true;
    } else if (member.name == "id") {
      header.id = read_string(member, "__meta__.id");
    } else if (member.name == "in_data" && (member.value == "true" || member.value == "false")) {
      header.in_data = member.value == "true";
    } else {
      header.meta.push_back(keep(member));
    }
  }
}

/// The members of the top level, except `__meta__`. With `has_meta`, size and id mean nothing here.
void read_top(Header& header, const std::vector<JsonMember>& members, bool has_meta, bool& has_size) {
  const bool names_codec =
      std::any_of(members.begin(), members.end(), [](const JsonMember& m) { return m.name == "codec"; });
  for (const JsonMember& member : members) {
    if (member.name == "__meta__") continue;
    const char first = member.value.front();
    if (member.name == "size" && !has_meta) {
      header.size = read_size(member, "size");
      has_size = true;
    } else if (member.name == "size" && member.value == std::to_string(header.size)) {
      // The same as in __meta__: written again, with the size of then, by build_frame().
    } else if (member.name == "id" && !has_meta) {
      header.id = read_string(member, "id");
    } else if (member.name == "id" && first == '"' && json_string(member.value) == header.id) {
      // Likewise.
    } else if (member.name == "type" && first == '"') {
      header.type = json_string(member.value);
    } else if (member.name == "codec") {
      header.codec = read_string(member, "codec");
      if (!is_codec_name(header.codec))
        refuse("codec", quote(header.codec) + " is not the name of a codec", member.offset);
    } else if (member.name == "codec_version" && names_codec) {
      header.codec_version = read_string(member, "codec_version");
    } else if (member.name == "options" && names_codec) {
      if (first != '{') refuse("options", "is not an object", member.offset);
      header.options = member.value;
    } else {
      header.fields.push_back(keep(member));
    }
  }
}

std::vector<JsonMember> members_of(std::string_view json, const Limits& limits) {
  if (json.size() > limits.max_header_bytes)
    throw Error(Status::limit, std::string(what) + " has " + std::to_string(json.size()) +
                                   " bytes, more than the limit of " + std::to_string(limits.max_header_bytes))
        .detail("message.header");
  check_json(json, limits.max_depth, what);
  return json_members(json, what);
}

/// Fields are checked one by one, so that none can smuggle in members of the object that it becomes a part of.
void check_field(std::string_view name, std::string_view json) {
  try {
    check_json(json, Limits().max_depth, "the header field " + quote(name));
  } catch (const Error& e) {
    throw Error(Status::invalid, e.message(), e.offset());
  }
}

/// Writes the members of one object.
class ObjectText {
 public:
  void add(std::string_view name, std::string_view json) {
    text_ += text_.size() == 1 ? "" : ",";
    text_ += to_json_string(name);
    text_ += ':';
    text_ += json;
  }
  std::string end() { return std::move(text_) + "}"; }

 private:
  std::string text_ = "{";
};

}  // namespace

const std::string* Header::find(std::string_view name, bool in_meta) const noexcept {
  for (const HeaderField& field : in_meta ? meta : fields) {
    if (field.name == name) return &field.json;
  }
  return nullptr;
}

Frame parse_frame(std::string_view bytes, const Limits& limits) {
  constexpr std::size_t width = message_separator.size();
  if (!is_framed(bytes)) {
    if (bytes.size() < width && message_separator.substr(0, bytes.size()) == bytes)
      throw Error(Status::truncated, "the message is incomplete: it ends inside its first YGG_MSG_HEAD", bytes.size())
          .detail("message.incomplete");
    throw Error(Status::malformed, "the message does not start with YGG_MSG_HEAD", 0).detail("message.no_frame");
  }
  const std::string_view rest = bytes.substr(width);
  const bool cut = rest.size() > width && rest.size() - width > limits.max_header_bytes;
  const std::string_view head =
      cut ? rest.substr(0, static_cast<std::size_t>(limits.max_header_bytes) + width) : rest;
  const std::size_t end = head.find(message_separator);
  if (end == std::string_view::npos) {
    if (cut)
      throw Error(Status::limit,
                  std::string(what) + " has more bytes than the limit of " + std::to_string(limits.max_header_bytes),
                  width)
          .detail("message.header");
    throw Error(Status::truncated, "the message is incomplete: it ends before its second YGG_MSG_HEAD", bytes.size())
        .detail("message.incomplete");
  }
  return {rest.substr(0, end), rest.substr(end + width)};
}

Header parse_header(std::string_view json, const Limits& limits) {
  const auto members = members_of(json, limits);
  Header header;
  bool has_size = false;
  const auto meta =
      std::find_if(members.begin(), members.end(), [](const JsonMember& m) { return m.name == "__meta__"; });
  const bool has_meta = meta != members.end();
  if (has_meta) read_meta(header, *meta, has_size);
  read_top(header, members, has_meta, has_size);
  if (!has_size) refuse(has_meta ? "__meta__.size" : "size", "is missing", 0);
  return header;
}

void check_body_size(const Header& header, std::string_view body) {
  const std::string sizes =
      std::to_string(body.size()) + " of the " + std::to_string(header.size) + " bytes that the header declares";
  if (body.size() < header.size)
    throw Error(Status::truncated,
                "the message is incomplete: " + std::to_string(header.size - body.size()) +
                    " bytes missing; the body has " + sizes,
                body.size())
        .detail("message.incomplete");
  if (body.size() > header.size)
    throw Error(Status::trailing,
                "the message has " + std::to_string(body.size() - header.size) +
                    " bytes too many: the body should have " + std::to_string(header.size),
                header.size)
        .detail("message.too_long");
}

Message parse_message(std::string_view bytes, const Limits& limits) {
  const Frame frame = parse_frame(bytes, limits);
  Message message{parse_header(frame.header, limits), frame.body};
  check_body_size(message.header, message.body);
  if (!message.header.in_data) return message;
  // The rest of the header stands before the body, without a separator in front of it.
  const std::size_t end = message.body.find(message_separator);
  if (end == std::string_view::npos)
    throw Error(Status::malformed, "the header says in_data, but the body does not hold the rest of it")
        .detail("message.header");
  const auto members = members_of(message.body.substr(0, end), limits);
  for (const JsonMember& member : members) {
    if (member.name == "__meta__" || message.header.find(member.name) != nullptr)
      refuse(member.name, "occurs in both parts of the header", member.offset);
  }
  bool has_size = true;
  read_top(message.header, members, true, has_size);
  message.body.remove_prefix(end + message_separator.size());
  message.header.size = message.body.size();
  message.header.in_data = false;
  return message;
}

std::string build_frame(const Header& header, std::uint64_t body_size, HeaderStyle style) {
  if (!header.codec.empty() && !is_codec_name(header.codec))
    throw Error(Status::invalid, quote(header.codec) + " is not the name of a codec");
  if (header.codec.empty() && (!header.codec_version.empty() || !header.options.empty()))
    throw Error(Status::invalid, "a message header has a codec version or options but names no codec");
  const std::string size = std::to_string(body_size);
  const std::string id = to_json_string(header.id.empty() ? make_message_id() : header.id);
  ObjectText meta;
  meta.add("size", size);
  meta.add("id", id);
  if (header.in_data) meta.add("in_data", "true");
  for (const HeaderField& field : header.meta) check_field(field.name, field.json);
  for (const HeaderField& field : header.fields) check_field(field.name, field.json);
  if (!header.options.empty()) check_field("options", header.options);
  for (const HeaderField& field : header.meta) meta.add(field.name, field.json);
  ObjectText top;
  top.add("__meta__", meta.end());
  if (!header.type.empty()) top.add("type", to_json_string(header.type));
  if (style == HeaderStyle::full) {
    if (header.find("size") == nullptr) top.add("size", size);
    if (header.find("id") == nullptr) top.add("id", id);
  }
  if (!header.codec.empty()) {
    top.add("codec", to_json_string(header.codec));
    if (!header.codec_version.empty()) top.add("codec_version", to_json_string(header.codec_version));
    if (!header.options.empty()) top.add("options", header.options);
  }
  for (const HeaderField& field : header.fields) top.add(field.name, field.json);
  std::string json = top.end();
  try {
    check_json(json, Limits().max_depth, what);
  } catch (const Error& e) {
    throw Error(Status::invalid, e.message(), e.offset());
  }
  // Valid JSON holds the separator only inside strings, where an escape means the same.
  for (std::size_t at = 0; (at = json.find(message_separator, at)) != std::string::npos;)
    json.replace(at, 1, "\\u0059");
  std::string frame(message_separator);
  frame += json;
  frame += message_separator;
  return frame;
}

std::string make_message_id() {
  std::array<std::uint8_t, 16> bytes;
  random_bytes(bytes);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  std::string id;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += "0123456789abcdef"[bytes[i] >> 4];
    id += "0123456789abcdef"[bytes[i] & 15];
  }
  return id;
}

bool is_codec_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > 63 || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace polycodec
