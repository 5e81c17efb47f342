// SPDX-License-Identifier: MIT
// What the body of a message is, as its header and, for control messages, its first bytes say.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/message.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// Name of the codec of bodies whose header names none: messages of yggdrasil programs.
inline constexpr std::string_view default_message_codec = "yggdrasil";

/// Messages between programs rather than between models. They may come with a header or without
/// one.
enum class ControlSign : std::uint8_t {
  none,            ///< an ordinary body
  end_of_stream,   ///< `EOF!!!`: the sender closes the channel
  begin_client,    ///< `YGG_BEGIN_CLIENT`
  end_client,      ///< `YGG_END_CLIENT`: a client leaves
  client_sign_on,  ///< `CLIENT_SIGNON::` and who it is
  server_sign_on,  ///< `SERVER_SIGNON::` and the answer
};

/// The body of an end-of-stream message.
inline constexpr std::string_view end_of_stream_body = "EOF!!!";

/// Which control message a body is. The bytes of the sign must be the whole body (those that end in
/// `::`: its beginning).
POLYCODEC_API ControlSign control_sign(std::string_view body) noexcept;
/// What follows the `::` of a sign-on; empty for all others.
POLYCODEC_API std::string_view control_argument(std::string_view body) noexcept;
/// The word for a sign, such as "end_of_stream".
POLYCODEC_API std::string_view control_sign_name(ControlSign sign) noexcept;

/// How a body is to be read.
struct BodyFormat {
  enum class Kind : std::uint8_t {
    coded,   ///< by the codec
    raw,     ///< it is a value of bytes as it stands
    control  ///< likewise; see control_sign()
  };
  Kind kind = Kind::coded;
  std::string codec;        ///< canonical name; empty unless coded
  bool is_default = false;  ///< coded, and no member of the header chose the codec
  std::string options;      ///< options that the header has for the codec, as JSON; or empty
  std::string reason;       ///< which member of the header decided, for people
};

/// How the header says that its body is to be read. The member `codec` counts most; then `raw:
/// true`; then the `serializer.seritype` of yggdrasil programs: `default` and `json` are the codec
/// yggdrasil, `direct` raw bytes, `ply` and `obj` the codecs of that name, as `table`, `yaml`,
/// `map`, `mat`, `pandas` and `cabo` are where somebody has installed such a codec; `pickle` and
/// `functional` would run code and are refused with Status::denied, other words with
/// Status::unsupported (detail `message.seritype`). Without any of them it is the codec yggdrasil,
/// which gets
/// `{"dialect": "legacy-1.8", "datatype": ..}` as options for a header of programs before
/// version 1.9 (no `__meta__`, but `datatype`), and `{"dialect": "document", "datatype": ..}` for
/// one in the layout of yggdrasil's specification (neither of these, but a `type` that says
/// enough), unless the body says itself what it is, as those of today do. A control message is told
/// by its body, unless the header names a codec. Never gives a path.
POLYCODEC_API BodyFormat body_format(const Header& header, std::string_view body);

/// The schema of the body as JSON text: `serializer.datatype` (precision in bytes); in headers
/// without `__meta__` `datatype`, or what the members type, subtype, precision, units, .. at the
/// top level say (precision in bits). Empty if there is none. Throws Status::malformed if
/// `serializer` is no object.
POLYCODEC_API std::string header_datatype(const Header& header);

}  // namespace polycodec
