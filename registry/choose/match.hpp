// SPDX-License-Identifier: MIT
// The codec that was chosen for an input, and why.
#pragma once

#include <polycodec/node_view.hpp>

#include "registry/call/call_options.hpp"
#include "registry/load/plugins.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The codec of typed JSON, and the name of the body of a message that no codec has encoded.
inline constexpr std::string_view typed_json_name = "text", raw_body_name = "raw";

/// How a codec was chosen.
enum class ChosenBy : std::uint8_t { name, header, content, extension };

/// For Registry::decode, which also chooses the codec.
struct DecodeOptions : CallOptions {
  std::string codec;  ///< name or alias; empty: the message header chooses, else the first bytes do
  NodeView options;   ///< options of the codec: an OBJECT, or null for the defaults
  OptionsFrom options_from = OptionsFrom::host;  ///< and filters
};

/// A codec that may fit an input, and what of the input it is to decode.
struct Match {
  /// Null for a message whose body is a value of bytes as it is (raw bodies and control messages,
  /// see body_format()).
  const CodecInfo* codec = nullptr;
  ChosenBy by = ChosenBy::content;
  std::uint32_t score = 0;  ///< 0 to 100; see polycodec_sniff
  std::string reason;       ///< human-readable
  bool extension = false;   ///< the file name has one of the codec's extensions
  /// The codec alone has the extension, and says that the bytes are hardly its own: what it reads
  /// is not to be used, and its error is the reason why no codec was chosen.
  bool doubtful = false;
  std::string options;  ///< options that the message header names, as JSON; or empty
  std::string filters;  ///< filters that it names, as JSON; or empty. Both are OptionsFrom::others
  std::uint64_t body_offset = 0;  ///< where the body begins: after a message header
  std::uint64_t body_size = 0;    ///< bytes of the body; 0 for a store
};

}  // namespace polycodec
