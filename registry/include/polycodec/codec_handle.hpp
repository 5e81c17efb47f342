// SPDX-License-Identifier: MIT
// A codec with its options, ready to decode and encode.
#pragma once

#include <polycodec/call_options.hpp>
#include <polycodec/export.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/result.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

struct CodecInstance;

/// What Codec::stream_next found at the front of the bytes.
struct StreamProgress {
  bool found = false;          ///< a value was decoded
  std::uint64_t consumed = 0;  ///< bytes that it took
  std::uint64_t wanted = 0;    ///< nothing found: bytes from the start that are needed at least
};

/// An opened codec: its options were checked once. A cheap handle that keeps the registry's catalog alive; copies
/// share the instance. All members may be called from several threads at once. Got from Registry::codec.
///
/// Errors carry the codec's name. What a plugin returns is validated before it is handed out; a plugin that breaks
/// the contract (no root, an unknown status, an invalid value) gives Status::plugin or Status::invalid.
class POLYCODEC_API Codec {
 public:
  const CodecInfo& info() const noexcept;

  /// Decodes all of `source`. The value keeps the source's memory alive (but not that of a Source::view).
  /// Throws Error: what the codec says; Status::limit; Status::unsupported if the codec does not decode or does not
  /// take such a source; Status::denied if the policy does not let it decode.
  Value decode(const Source& source, const CallOptions& options = {}) const;
  /// The same into a value whose memory is used again. On failure `value` is null.
  void decode_into(Value& value, const Source& source, const CallOptions& options = {}) const;
  /// The same from bytes that the caller keeps alive and unchanged as long as the value: the least work per call.
  void decode_into(Value& value, std::string_view bytes, const CallOptions& options = {}) const;
  /// The non-throwing form of decode().
  Result<Value> try_decode(const Source& source, const CallOptions& options = {}) const;

  /// Encodes `value` to `sink`, after what the sink holds. On failure the sink is reset. The value must live,
  /// unchanged, until the sink's segments have been used: large arrays are referenced. limits.max_output_bytes bounds
  /// what the sink holds in all. Throws Error.
  void encode(View value, Sink& sink, const CallOptions& options = {}) const;
  /// All of the output as one string. Throws Error.
  std::string encode_to_string(View value, const CallOptions& options = {}) const;
  /// The non-throwing form of encode().
  Result<void> try_encode(View value, Sink& sink, const CallOptions& options = {}) const;
  /// How many bytes encode() will write, if that can be known beforehand. Throws Error if the value cannot be
  /// encoded.
  std::optional<std::uint64_t> encoded_size(View value, const CallOptions& options = {}) const;

  /// Decodes one value from the front of `bytes`, which may hold less or more than one; `final`: no more will come.
  /// The value views `bytes`. Throws Status::unsupported unless info().can_stream.
  StreamProgress stream_next(Value& value, std::string_view bytes, bool final, const CallOptions& options = {}) const;

  /// The plugin's codec object, for the conformance kit and for measuring.
  const polycodec_codec* abi() const noexcept;
  /// The plugin's instance, as abi()'s functions take it.
  void* instance() const noexcept;
  /// The host table that the instance was opened with.
  const polycodec_host* host() const noexcept;

 private:
  friend class Registry;
  explicit Codec(std::shared_ptr<const CodecInstance> instance) noexcept : instance_(std::move(instance)) {}
  std::shared_ptr<const CodecInstance> instance_;
};

}  // namespace polycodec
