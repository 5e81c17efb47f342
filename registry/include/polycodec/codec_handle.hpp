// SPDX-License-Identifier: MIT
// A codec with its options and filters, ready to decode and encode.
#pragma once

#include <polycodec/call_options.hpp>
#include <polycodec/export.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

class CodecInstance;
class FilterInstance;
struct Header;

/// The most filters of a codec.
inline constexpr std::size_t max_filters = 8;

/// An opened codec: its options were checked once. It may have filters, in the order of encoding,
/// which turn the bytes that it writes into other bytes: compressed, checksummed. A cheap handle
/// that keeps the registry's catalog alive; copies share the instance. All members may be called
/// from several threads at once. Got from Registry::codec.
///
/// Errors carry the codec's name. What a plugin returns is validated before it is handed out; a
/// plugin that breaks the contract (no root, an unknown status, an invalid value) gives
/// Status::plugin or Status::invalid. For results instead of exceptions: attempt().
class POLYCODEC_API Codec {
 public:
  const CodecInfo& info() const noexcept;
  /// The filters, in the order of encoding.
  std::vector<const CodecInfo*> filters() const;
  /// The list of filters as JSON text, or empty if there are none.
  const std::string& filters_json() const noexcept;
  /// `{"codec": NAME, "options": {..}, "filters": [..]}`, as Registry::codec_from_json() takes it.
  std::string to_json() const;
  /// Names codec and filters in a message header: codec, codec_version, options and the field
  /// `then`. Replaces what the header said of a codec.
  void describe(Header& header) const;

  /// Undoes the filters, last one first, and decodes all of `source`. The value keeps the source's
  /// memory alive (but not that of a Source::view). Throws Error: what the codec says;
  /// Status::limit; Status::unsupported if the codec does not decode or does not take such a
  /// source; Status::denied if the policy does not let it decode.
  Value decode(const Source& source, const CallOptions& options = {}) const;
  /// The same into a value whose memory is used again. On failure `value` is null.
  void decode_into(Value& value, const Source& source, const CallOptions& options = {}) const;
  /// The same from bytes that the caller keeps alive and unchanged as long as the value: the least
  /// work per call.
  void decode_into(Value& value, std::string_view bytes, const CallOptions& options = {}) const;
  /// Undoes the filters alone: the bytes that the codec itself wrote.
  Source unwrap(const Source& source, const CallOptions& options = {}) const;
  /// What a store holds, without decoding it; see polycodec_instance.list.
  Value list(const Source& source, const CallOptions& options = {}) const;

  /// Encodes `value` to `sink`, after what the sink holds. On failure the sink is reset. The value
  /// must live, unchanged, until the sink's segments have been used: large arrays are referenced.
  /// limits.max_output_bytes bounds what the sink holds in all. Throws Error.
  ///
  /// A Value is checked: Status::plugin if the codec refers to memory that is not the value's,
  /// Status::invalid for a partial value unless options.allow_partial. Nodes of a program's own are
  /// not, and have no input that their budget grows with: limits of work and memory are as for an
  /// input of limits.max_input_bytes.
  void encode(NodeView value, Sink& sink, const CallOptions& options = {}) const;
  void encode(const Value& value, Sink& sink, const CallOptions& options = {}) const;
  /// The same to named blobs; the caller finishes the sink. `member`: the name under which a codec
  /// that keeps several values in one store keeps this one. Codecs of bytes have no blobs.
  void encode(NodeView value, BlobSink& sink, const CallOptions& options = {}) const;
  /// All of the output as one string. Throws Error.
  std::string encode_to_string(NodeView value, const CallOptions& options = {}) const;
  /// How many bytes encode() without filters will write, if that can be known beforehand. Throws
  /// Error if the value cannot be encoded.
  std::optional<std::uint64_t> encoded_size(NodeView value, const CallOptions& options = {}) const;

  /// The plugin's codec object and instance, for the conformance kit and for measuring.
  const polycodec_codec* abi() const noexcept;
  const polycodec_instance* instance() const noexcept;

 private:
  friend class Registry;
  friend class ValueStream;
  friend class ValueWriter;
  struct Filters;
  struct Terms;
  Codec(std::shared_ptr<const CodecInstance> instance, std::shared_ptr<const Filters> filters,
        std::string options);
  void decode_input(Value& value, const polycodec_input& input,
                    const std::shared_ptr<const void>& pin, const Regions* blobs,
                    std::uint64_t physical, const CallOptions& options) const;
  void encode_checked(NodeView root, const Value* value, Sink& sink,
                      const CallOptions& options) const;

  std::shared_ptr<const CodecInstance> instance_;
  std::shared_ptr<const Filters> filters_;  // null: none
  std::string options_;                     // JSON text, or empty
};

}  // namespace polycodec
