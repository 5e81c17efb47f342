// SPDX-License-Identifier: MIT
#include "core/frame/message.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/frame/frame.hpp"
#include "core/text/json_text.hpp"

#include <algorithm>
#include <charconv>

namespace polycodec {

namespace {

constexpr std::string_view the_header = "the message header";

[[noreturn]] void refuse(std::string_view member, const std::string& why, std::uint64_t offset) {
  throw Error(Status::malformed, std::string(the_header) + ": " + std::string(member) + " " + why,
              offset)
      .detail("message.header")
      .path("$." + std::string(member));
}

std::uint64_t read_size(const JsonMember& member, std::string_view name) {
  const std::string_view text = member.value;
  if (text.front() == '-') refuse(name, "is negative", member.offset);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc::result_out_of_range)
    refuse(name, "does not fit in 64 bits", member.offset);
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
  for (JsonMember& member : json_members(meta.value, the_header)) {
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
void read_top(Header& header, const std::vector<JsonMember>& members, bool has_meta,
              bool& has_size) {
  const bool names_codec = std::any_of(members.begin(), members.end(),
                                       [](const JsonMember& m) { return m.name == "codec"; });
  for (const JsonMember& member : members) {
    if (member.name == "__meta__") continue;
    const char first = member.value.front();
    if (member.name == "type_in_data" && !has_meta &&
        (member.value == "true" || member.value == "false")) {
      header.in_data = member.value == "true";
    } else if (member.name == "size" && !has_meta) {
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
    throw Error(Status::limit,
                std::string(the_header) + " has " + std::to_string(json.size()) +
                    " bytes, more than the limit of " + std::to_string(limits.max_header_bytes),
                0)
        .detail("message.header");
  try {
    check_json(json, limits.max_depth, the_header);
    return json_members(json, the_header);
  } catch (Error& e) {
    // Where the parser does not say where, the header is to blame.
    if (e.offset() == Error::no_offset) e.offset(0);
    throw Error(e).detail("message.header");
  }
}

}  // namespace

const std::string* Header::find(std::string_view name, bool in_meta) const noexcept {
  for (const HeaderField& field : in_meta ? meta : fields) {
    if (field.name == name) return &field.json;
  }
  return nullptr;
}

std::size_t find_separator(std::string_view bytes, std::size_t from) noexcept {
  constexpr char rare = '_';
  constexpr std::size_t before = message_separator.find(rare);
  for (std::size_t at = from; at < bytes.size() && bytes.size() - at >= message_separator.size();
       ++at) {
    const std::size_t found = bytes.find(rare, at + before);
    if (found == std::string_view::npos) break;
    at = found - before;
    if (bytes.substr(at, message_separator.size()) == message_separator) return at;
  }
  return std::string_view::npos;
}

Frame parse_frame(std::string_view bytes, const Limits& limits) {
  constexpr std::size_t width = message_separator.size();
  if (!is_framed(bytes)) {
    if (bytes.size() < width && message_separator.substr(0, bytes.size()) == bytes)
      throw Error(Status::truncated,
                  "the message is incomplete: it ends inside its first YGG_MSG_HEAD", bytes.size())
          .detail("message.incomplete");
    throw Error(Status::malformed, "the message does not start with YGG_MSG_HEAD", 0)
        .detail("message.no_frame");
  }
  const std::string_view rest = bytes.substr(width);
  const bool cut = rest.size() > width && rest.size() - width > limits.max_header_bytes;
  const std::string_view head =
      cut ? rest.substr(0, static_cast<std::size_t>(limits.max_header_bytes) + width) : rest;
  const std::size_t end = find_separator(head);
  if (end == std::string_view::npos) {
    if (cut)
      throw Error(Status::limit,
                  std::string(the_header) + " has more bytes than the limit of " +
                      std::to_string(limits.max_header_bytes),
                  width)
          .detail("message.header");
    throw Error(Status::truncated,
                "the message is incomplete: it ends before its second YGG_MSG_HEAD", bytes.size())
        .detail("message.incomplete");
  }
  return {rest.substr(0, end), rest.substr(end + width)};
}

Header parse_header(std::string_view json, const Limits& limits) {
  const auto members = members_of(json, limits);
  Header header;
  bool has_size = false;
  const auto meta = std::find_if(members.begin(), members.end(),
                                 [](const JsonMember& m) { return m.name == "__meta__"; });
  const bool has_meta = meta != members.end();
  header.legacy = !has_meta;
  if (has_meta) read_meta(header, *meta, has_size);
  read_top(header, members, has_meta, has_size);
  if (!has_size) refuse(has_meta ? "__meta__.size" : "size", "is missing", 0);
  return header;
}

void check_body_size(const Header& header, std::string_view body) {
  const std::string sizes = std::to_string(body.size()) + " of the " + std::to_string(header.size) +
                            " bytes that the header declares";
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

void unfold_header(Message& message, const Limits& limits) {
  if (!message.header.in_data) return;
  // The rest of the header is before the body, without a separator in front of it.
  const std::size_t most = limits.max_header_bytes < message.body.size()
                               ? static_cast<std::size_t>(limits.max_header_bytes)
                               : message.body.size();
  const std::size_t end = find_separator(message.body.substr(0, most + message_separator.size()));
  if (end == std::string_view::npos) {
    if (most < message.body.size())
      throw Error(Status::limit,
                  "the rest of " + std::string(the_header) + " has more bytes than the limit of " +
                      std::to_string(limits.max_header_bytes),
                  0)
          .detail("message.header");
    throw Error(Status::malformed,
                "the header says in_data, but the body does not hold the rest of it", 0)
        .detail("message.header");
  }
  const auto members = members_of(message.body.substr(0, end), limits);
  Header& header = message.header;
  for (const JsonMember& member : members) {
    if (member.name == "__meta__" || header.find(member.name) != nullptr ||
        (header.legacy && (member.name == "size" || member.name == "id")) ||
        (member.name == "codec" && !header.codec.empty()) ||
        (member.name == "type" && !header.type.empty()))
      refuse(member.name, "occurs in both parts of the header", member.offset);
  }
  bool has_size = true;
  read_top(header, members, true, has_size);
  message.body.remove_prefix(end + message_separator.size());
  header.size = message.body.size();
  header.in_data = false;
}

Message parse_message(std::string_view bytes, const Limits& limits) {
  const Frame frame = parse_frame(bytes, limits);
  const auto offset_of = [&](std::string_view part) {
    return static_cast<std::uint64_t>(part.data() - bytes.data());
  };
  Message message;
  std::string_view part = frame.header;
  try {
    message = {parse_header(frame.header, limits), frame.body};
    part = frame.body;
    check_body_size(message.header, message.body);
    unfold_header(message, limits);
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + offset_of(part));
    throw;
  }
  return message;
}

bool is_codec_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > 63 || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace polycodec
