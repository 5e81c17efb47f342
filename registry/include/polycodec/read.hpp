// SPDX-License-Identifier: MIT
// Reading a source in full: one call for files, messages and typed JSON. See Registry::read.
#pragma once

#include <polycodec/codec_handle.hpp>
#include <polycodec/plugins.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The name that stands for typed JSON where a codec is named. No codec has it.
inline constexpr std::string_view typed_json_name = "text";
/// The name that stands for the body of a message that no codec has encoded.
inline constexpr std::string_view raw_body_name = "raw";

/// How a codec was chosen.
enum class ChosenBy : std::uint8_t { name, header, content, extension };

/// The word for it, such as "content".
POLYCODEC_API std::string_view chosen_by_name(ChosenBy by) noexcept;

/// For Registry::read. `codec` may be typed_json_name.
struct ReadOptions : DecodeOptions {
  /// Filters after `codec` as a JSON list; it then must be named. A message names its filters
  /// itself.
  std::string filters;
  /// Makes the value of a message fit the datatype that its header declares, as Channel::unpack
  /// does.
  bool fit = true;
  /// Lets a codec that asks for it look at the files beside a file.
  bool companions = true;
};

/// A source that was read.
struct Read {
  Value value = {};
  const CodecInfo* codec = nullptr;  ///< null for typed JSON and raw bodies
  bool raw = false;                  ///< the body of a message that no codec has encoded
  ChosenBy by = ChosenBy::name;
  std::string reason;   ///< human-readable; may be empty
  std::string options;  ///< of the codec as the message header has them, as JSON; or empty
  std::string filters;  ///< after the codec, as a JSON list; or empty

  /// The codec's name, or the one that stands for it.
  std::string_view codec_name() const noexcept {
    return codec != nullptr ? std::string_view(codec->name) : raw ? raw_body_name : typed_json_name;
  }
};

}  // namespace polycodec
