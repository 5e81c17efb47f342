// SPDX-License-Identifier: MIT
// A codec with byte codecs behind it: compressed, checksummed. See docs/pipelines.md.
#pragma once

#include <polycodec/call_options.hpp>
#include <polycodec/codec_handle.hpp>
#include <polycodec/export.hpp>
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The most byte codecs behind a codec.
inline constexpr std::size_t max_pipeline_stages = 8;

/// Stages in the order of encoding: a codec that turns a value into bytes, and byte codecs (CodecRole::bytes) that
/// turn bytes into bytes. Checked when it is made, so that encoding fails only for what the value is. A cheap handle
/// as Codec is; all members may be called from several threads at once.
class POLYCODEC_API Pipeline {
 public:
  /// Reads `{"codec": NAME, "options": {..}, "then": [{"id": NAME, <option>: <value>, ..}, ..]}`; "options" and
  /// "then" may be absent. Throws Status::option with the line and key for anything else (a stage that is no byte
  /// codec, a byte codec as "codec", more than max_pipeline_stages, an option that a codec does not know),
  /// Status::not_found and Status::denied as Registry::codec does.
  static Pipeline parse(const Registry& registry, std::string_view json);
  /// The same from its parts: `options` a JSON object, `then` a JSON list; empty texts for none.
  static Pipeline make(const Registry& registry, std::string_view codec, std::string_view options,
                       std::string_view then);

  const CodecInfo& info() const noexcept { return codec_.info(); }
  /// The codec at the front, and the byte codecs in the order of encoding.
  const Codec& codec() const noexcept { return codec_; }
  const std::vector<Codec>& stages() const noexcept { return stages_; }
  /// The "then" list as JSON text, or empty if there are no stages.
  const std::string& then() const noexcept { return then_; }
  /// As parse() takes it.
  std::string to_json() const;

  /// Names the pipeline in a message header: codec, codec_version, options and the field `then`. Replaces what the
  /// header said of a codec.
  void describe(Header& header) const;

  /// Runs all stages. What Codec::encode says of sink, value and errors holds. What comes between the stages is kept
  /// in segments and, where the last stage refers to it, owned by the sink.
  void encode(View value, Sink& sink, const CallOptions& options = {}) const;
  std::string encode_to_string(View value, const CallOptions& options = {}) const;

  /// Undoes all stages, last one first. limits.max_ratio holds for all stages together, the other limits for each.
  /// Throws as Codec::decode; the error names the codec of the stage that refused.
  Value decode(const Source& source, const CallOptions& options = {}) const;
  /// Undoes the byte codecs alone: the bytes that codec() wrote.
  Source unwrap(const Source& source, const CallOptions& options = {}) const;

 private:
  Pipeline(Codec codec, std::string options, const Limits& limits)
      : codec_(std::move(codec)), options_(std::move(options)), limits_(limits) {}

  Codec codec_;
  std::string options_;  // JSON text, or empty
  Limits limits_;        // of the registry
  std::vector<Codec> stages_;
  std::string then_;
};

}  // namespace polycodec
