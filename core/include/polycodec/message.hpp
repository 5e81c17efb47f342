// SPDX-License-Identifier: MIT
// Framed messages: a header that says what the body is, and the body.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A message is separator, header, separator, body. Only the first two separators count: the body
/// may hold more.
inline constexpr std::string_view message_separator = "YGG_MSG_HEAD";

/// True if `bytes` start with the separator.
inline bool is_framed(std::string_view bytes) noexcept {
  return bytes.substr(0, message_separator.size()) == message_separator;
}

/// The two parts of a framed message, as views.
struct Frame {
  std::string_view header;  ///< JSON text
  std::string_view body;
};

/// Splits a framed message. Throws Status::malformed if it does not start with the separator,
/// Status::truncated if it ends before the second one, Status::limit if the header is longer than
/// limits.max_header_bytes. Looks at no more than the header.
POLYCODEC_API Frame parse_frame(std::string_view bytes, const Limits& limits = {});

/// A member of a header that polycodec does not interpret, kept as it was written.
struct HeaderField {
  std::string name;
  std::string json;  ///< the value, as JSON text
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

/// A message header. Two layouts are read: `size` and `id` inside `__meta__` (what yggdrasil
/// programs write today), and at the top level (what its specification says, and what programs
/// before version 1.9 write). If both are there,
/// `__meta__` counts.
struct POLYCODEC_API Header {
  std::uint64_t size = 0;     ///< bytes of the body; build_frame() ignores it
  std::string id;             ///< usually a UUID; empty if there is none
  std::string type;           ///< `type` at the top level, if it is a string
  std::string codec;          ///< canonical name of the codec of the body; empty: none is named
  std::string codec_version;  ///< version of that codec's format, or empty
  std::string options;        ///< options of that codec: text of a JSON object, or empty
  bool in_data = false;       ///< the header goes on inside the body; parse_message() undoes that
  bool legacy = false;        ///< it has no `__meta__`; build_frame() goes by the style alone
  std::vector<HeaderField> meta;    ///< other members of `__meta__`, in order
  std::vector<HeaderField> fields;  ///< other members of the top level, in order

  /// The JSON text of a member of `fields` or, with `in_meta`, of `meta`; null if there is none.
  const std::string* find(std::string_view name, bool in_meta = false) const noexcept;
  friend bool operator==(const Header&, const Header&) = default;
};

/// Reads the text of a header. Refuses, with Status::malformed and the byte offset in the text:
/// what is not a JSON object, invalid UTF-8, a name that occurs twice in one object, a size that is
/// absent, negative or no integer, an id that is no string, a `codec` that is not a canonical codec
/// name (so never a path). Status::limit: longer than limits.max_header_bytes, which is checked
/// before anything is parsed, or nested deeper than limits.max_depth. `codec_version` and `options`
/// are interpreted only beside a `codec`.
POLYCODEC_API Header parse_header(std::string_view json, const Limits& limits = {});

/// Compares the size that the header declares with the body: Status::truncated ("incomplete", with
/// how many bytes are missing) or Status::trailing if they differ.
POLYCODEC_API void check_body_size(const Header& header, std::string_view body);

/// A whole message; `body` views the bytes it was read from.
struct Message {
  Header header;
  std::string_view body;
};

/// parse_frame(), parse_header() and check_body_size() in one. If the header says `in_data` (or
/// `type_in_data` without a `__meta__`), the rest of it is taken from the front of the body, merged
/// into the header, and in_data is reset; header.size is then the size of `body`. Offsets of errors
/// count from the start of `bytes`.
POLYCODEC_API Message parse_message(std::string_view bytes, const Limits& limits = {});

enum class HeaderStyle : std::uint8_t {
  full,  ///< `__meta__` as yggdrasil programs read it, and type, size and id at the top level as
         ///< specified
  meta_only,  ///< nothing at the top level but the codec's members and `fields`
  legacy,  ///< no `__meta__`, as programs before version 1.9 have it: its members stand at the top
           ///< level
};

/// What goes before a body of `body_size` bytes: separator, header, separator. An empty id is
/// replaced by a new UUID. A member of `fields` called type, size or id is written instead of the
/// generated one. The separator never occurs in the header: in a string its first letter is written
/// as \u0059. Throws Status::invalid if header.codec is not a codec name, if the JSON of a field or
/// of the options is not valid, or if a name would occur twice.
POLYCODEC_API std::string build_frame(const Header& header, std::uint64_t body_size,
                                      HeaderStyle style = HeaderStyle::full);

/// The JSON text of a header as it stands, for people and logs: its own size, no id where it has
/// none, no `in_data`. Throws as build_frame().
POLYCODEC_API std::string header_to_json(const Header& header);

/// A new random UUID (version 4), such as "0b0f2a6e-3d53-4b54-9a6c-0f5f1c8d2e11". [thread-safe]
POLYCODEC_API std::string make_message_id();

/// True if `name` is a canonical codec name: ^[a-z][a-z0-9._-]{0,62}$
POLYCODEC_API bool is_codec_name(std::string_view name) noexcept;

}  // namespace polycodec
