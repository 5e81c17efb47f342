// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/frame/message.hpp"
#include "core/text/json_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace polycodec {

namespace {

struct Sign {
  ControlSign sign;
  std::string_view text;
  std::string_view name;
  bool has_argument;
};

constexpr std::array signs{
    Sign{ControlSign::end_of_stream, end_of_stream_body, "end_of_stream", false},
    Sign{ControlSign::begin_client, "YGG_BEGIN_CLIENT", "begin_client", false},
    Sign{ControlSign::end_client, "YGG_END_CLIENT", "end_client", false},
    Sign{ControlSign::client_sign_on, "CLIENT_SIGNON::", "client_sign_on", true},
    Sign{ControlSign::server_sign_on, "SERVER_SIGNON::", "server_sign_on", true},
};

const Sign* find_sign(std::string_view body) noexcept {
  const auto found = std::find_if(signs.begin(), signs.end(), [&](const Sign& sign) {
    return sign.has_argument ? body.starts_with(sign.text) : body == sign.text;
  });
  return found == signs.end() ? nullptr : &*found;
}

enum class Reading : std::uint8_t { yggdrasil, raw, own_codec, code };

struct Seritype {
  std::string_view word;
  Reading reading;
};

constexpr std::array seritypes{
    Seritype{"default", Reading::yggdrasil}, Seritype{"json", Reading::yggdrasil},
    Seritype{"direct", Reading::raw},        Seritype{"ply", Reading::own_codec},
    Seritype{"obj", Reading::own_codec},     Seritype{"table", Reading::own_codec},
    Seritype{"yaml", Reading::own_codec},    Seritype{"map", Reading::own_codec},
    Seritype{"mat", Reading::own_codec},     Seritype{"pandas", Reading::own_codec},
    Seritype{"cabo", Reading::own_codec},    Seritype{"pickle", Reading::code},
    Seritype{"functional", Reading::code},
};

/// Members at the top level of a header in the layout of the specification that describe the body,
/// beside `type`.
constexpr std::array<std::string_view, 11> schema_keywords{
    "subtype",    "precision", "units", "shape", "length", "encoding",
    "properties", "items",     "title", "args",  "kwargs"};

/// False for a header whose type says too little to read bare base64 by: its body has to describe
/// itself.
bool describes_body(const Header& header) {
  const bool needs_subtype =
      header.type == "scalar" || header.type == "ndarray" || header.type == "1darray";
  return !needs_subtype || header.find("subtype") != nullptr;
}

/// The members of `serializer`; none if there is no such field.
std::vector<JsonMember> serializer_members(const Header& header) {
  const std::string* const json = header.find("serializer");
  if (json == nullptr) return {};
  if (json->front() != '{')
    throw Error(Status::malformed, "the message header: serializer is not an object")
        .detail("message.header")
        .path("$.serializer");
  return json_members(*json, "serializer");
}

const JsonMember* find(const std::vector<JsonMember>& members, std::string_view name) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
  return found == members.end() ? nullptr : &*found;
}

void choose_by_seritype(BodyFormat& format, std::string_view word) {
  const auto known = std::find_if(seritypes.begin(), seritypes.end(),
                                  [&](const Seritype& s) { return s.word == word; });
  if (known == seritypes.end()) {
    std::string words;
    for (const Seritype& s : seritypes)
      if (s.reading != Reading::code) words += (words.empty() ? "" : ", ") + std::string(s.word);
    throw Error(Status::unsupported, "the message header names the serializer " + quote(word) +
                                         ": expected one of (" + words + ")")
        .detail("message.seritype")
        .path("$.serializer.seritype");
  }
  format.reason = "the message header names the serializer " + quote(word);
  switch (known->reading) {
    case Reading::yggdrasil:
      format.codec = default_message_codec;
      break;
    case Reading::raw:
      format.kind = BodyFormat::Kind::raw;
      break;
    case Reading::own_codec:
      format.codec = known->word;
      break;
    case Reading::code:
      throw Error(Status::denied, "the message header names the serializer " + quote(word) +
                                      ", whose bodies are code to be run; they are never read")
          .detail("message.seritype")
          .path("$.serializer.seritype");
  }
}

}  // namespace

ControlSign control_sign(std::string_view body) noexcept {
  const Sign* const sign = find_sign(body);
  return sign == nullptr ? ControlSign::none : sign->sign;
}

BodyFormat body_format(const Header& header, std::string_view body) {
  BodyFormat format;
  if (!header.codec.empty()) {
    format.codec = header.codec;
    format.options = header.options;
    format.reason = "the message header names codec " + quote(header.codec);
    return format;
  }
  if (const Sign* const sign = find_sign(body)) {
    format.kind = BodyFormat::Kind::control;
    format.reason = "the body is the control message " + std::string(sign->name);
    return format;
  }
  if (const std::string* const raw = header.find("raw"); raw != nullptr && *raw == "true") {
    format.kind = BodyFormat::Kind::raw;
    format.reason = "the message header says raw";
    return format;
  }
  const auto serializer = serializer_members(header);
  if (const JsonMember* const seritype = find(serializer, "seritype")) {
    if (seritype->value.front() != '"')
      throw Error(Status::malformed, "the message header: serializer.seritype is not a string")
          .detail("message.header")
          .path("$.serializer.seritype");
    choose_by_seritype(format, json_string(seritype->value));
    return format;
  }
  format.codec = default_message_codec;
  format.is_default = true;
  format.reason = "the message header names no codec, as those of yggdrasil programs do not";
  if (!header.legacy) return format;
  const bool old = header.find("datatype") != nullptr;
  const std::string datatype = header_datatype(header);
  // Bare base64 has no '-': such a body says itself what it is, whatever its header looks like.
  if (datatype.empty() || (!old && !describes_body(header)) || body.starts_with("\"-YGG-"))
    return format;
  format.options = JsonObjectText()
                       .add("dialect", old ? R"("legacy-1.8")" : R"("document")")
                       .add("datatype", datatype)
                       .end();
  format.reason =
      old ? "the message header is that of yggdrasil before version 1.9"
          : "the message header has the type of the body, as yggdrasil's specification says";
  return format;
}

std::string header_datatype(const Header& header) {
  const auto serializer = serializer_members(header);
  if (const JsonMember* const datatype = find(serializer, "datatype"))
    return std::string(datatype->value);
  if (!header.legacy) return {};
  if (const std::string* const old = header.find("datatype")) return *old;
  if (header.type.empty()) return {};
  JsonObjectText datatype;
  datatype.add("type", to_json_string(header.type));
  for (const std::string_view keyword : schema_keywords) {
    if (const std::string* const json = header.find(keyword)) datatype.add(keyword, *json);
  }
  return datatype.end();
}

}  // namespace polycodec
