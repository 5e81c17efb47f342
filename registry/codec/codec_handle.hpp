// SPDX-License-Identifier: MIT
// Codecs with their options and filters, ready to decode and encode values: one a call, or a
// stream.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "core/value/value.hpp"
#include "registry/call/call_options.hpp"
#include "registry/load/plugins.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace polycodec {

class CodecInstance;
struct CodecFilters;
struct Header;

/// Holds a T (of void: nothing) or an Error. Test it before use: value() throws the Error if it
/// holds no value.
template <class T>
class [[nodiscard]] Result {
 public:
  using Held = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
  Result(Held value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  Held& value() & { return check(), *std::get_if<0>(&state_); }
  const Held& value() const& { return check(), *std::get_if<0>(&state_); }
  Held&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  Held& operator*() & { return value(); }
  const Held& operator*() const& { return value(); }
  Held&& operator*() && { return std::move(*this).value(); }
  Held* operator->() { return &value(); }
  const Held* operator->() const { return &value(); }

  /// The error; only to be called if there is one.
  const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  void check() const {
    if (!ok()) throw error();
  }
  std::variant<Held, Error> state_;
};

/// Runs `body` and returns what it returns, or the Error for what it threw. Other exceptions become
/// Status::memory or Status::internal.
template <class Body>
auto attempt(Body&& body) -> Result<std::invoke_result_t<Body>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      std::forward<Body>(body)();
      return std::monostate();
    } else {
      return std::forward<Body>(body)();
    }
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(Status::memory, "out of memory");
  } catch (const std::exception& e) {
    return Error(Status::internal, e.what());
  }
}

/// The most filters of a codec.
inline constexpr std::size_t max_filters = 8;

/// An opened codec: its options were checked once. It may have filters, in the order of encoding,
/// which turn the bytes that it writes into other bytes: compressed, checksummed. A cheap handle
/// that keeps the registry's catalog alive; copies share the instance. All members may be called
/// from several threads at once. Got from Registry::codec.
///
/// Errors carry the codec's name. What a plugin returns is validated: one that breaks the contract
/// gives Status::plugin or Status::invalid. For results instead of exceptions: attempt().
class Codec {
 public:
  const CodecInfo& info() const noexcept;
  /// The filters, in the order of encoding.
  std::vector<const CodecInfo*> filters() const;
  /// The list of filters as JSON text, or empty if there are none.
  const std::string& filters_json() const noexcept;
  /// True if its option `tolerant` is true.
  bool is_tolerant() const noexcept;
  /// `{"codec": NAME, "options": {...}, "filters": [...]}`, for Registry::codec_from_json().
  std::string to_json() const;
  /// Replaces codec, codec_version, options and the field `filters` of a message header.
  void describe(Header& header) const;

  /// Undoes the filters, last one first, and decodes all of `source`. The value keeps the source's
  /// memory alive (but not that of a Source::view). Throws what the codec throws; Status::limit;
  /// Status::unsupported for no decoder or another kind of source; Status::denied by the policy.
  Value decode(const Source& source, const CallOptions& options = none()) const;
  /// The same into a value whose memory is used again. On failure `value` is null.
  void decode_into(Value& value, const Source& source, const CallOptions& options = none()) const;
  /// The same from bytes that the caller keeps unchanged as long as the value: the least work.
  void decode_into(Value& value, std::string_view bytes, const CallOptions& options = none()) const;
  /// Undoes the filters alone: the bytes that the codec itself wrote.
  Source unwrap(const Source& source, const CallOptions& options = none()) const;
  /// Throws what encode() throws for a codec that cannot or may not write.
  void require_encode() const;
  /// Throws Status::unsupported for a compressed source, which no ValueStream takes.
  void refuse_compressed(const Source& source) const;
  /// What a store holds, without decoding it; see polycodec_instance.list.
  Value list(const Source& source, const CallOptions& options = none()) const;

  /// Encodes `value` to `sink`, after the bytes that the sink holds. On failure the sink is reset.
  /// The value must live, unchanged, until the sink's segments have been used: large arrays are
  /// referenced. Throws Status::plugin if the codec refers to memory that is not the value's, and
  /// Status::invalid for a partial Value unless options.allow_partial. The size of nodes without a
  /// Value counts as the input that limits grow with.
  void encode(NodeView value, Sink& sink, const CallOptions& options = none()) const;
  void encode(const Value& value, Sink& sink, const CallOptions& options = none()) const;
  /// The same to named blobs; the caller finishes the sink. `member`: the name under which a codec
  /// that keeps several values in one store keeps this one. Codecs of bytes have no blobs.
  void encode(NodeView value, BlobSink& sink, const CallOptions& options = none()) const;
  /// All of the output as one string. Throws Error.
  std::string encode_to_string(NodeView value, const CallOptions& options = none()) const;
  /// How many bytes encode() without filters will write, if that is known beforehand. Throws Error.
  std::optional<std::uint64_t> encoded_size(NodeView value,
                                            const CallOptions& options = none()) const;

  /// The plugin's codec object and instance, for the conformance kit and for measuring.
  const polycodec_codec* abi() const noexcept;
  const polycodec_instance* instance() const noexcept;

 private:
  friend class Registry;
  friend class ValueStream;
  friend class ValueWriter;
  explicit Codec(std::shared_ptr<const CodecInstance> instance) noexcept
      : instance_(std::move(instance)) {}
  struct Work;
  static const CallOptions& none() noexcept;
  std::shared_ptr<const CodecInstance> instance_;
  std::string options_json_;                     // or empty
  std::shared_ptr<const CodecFilters> filters_;  // null: none
};

/// Values of a stream that follow each other, in one arena: small ones cost less so.
struct ValueRun {
  /// The most that are wanted. A run ends sooner with the bytes that are there, or with the value
  /// that makes it larger than that.
  std::size_t most = 1024;
  std::uint64_t most_bytes = std::uint64_t{1} << 18;
  std::vector<const polycodec_node*> roots;
};

/// Decodes values from bytes that arrive in any pieces. max_memory_bytes and max_input_bytes bound
/// the bytes without a complete value. The budget is one for the stream, whose bytes it grows with.
/// For one thread.
class ValueStream {
 public:
  /// Throws Status::unsupported unless codec.info().can_read_stream and the codec has no filters.
  explicit ValueStream(Codec codec, CallOptions options = {});
  ~ValueStream();
  ValueStream(const ValueStream&) = delete;
  ValueStream& operator=(const ValueStream&) = delete;

  /// Takes a copy of `bytes`.
  void feed(std::string_view bytes);
  /// The other way, without a copy: fill a part of the window and commit() how much.
  std::span<char> window();
  void commit(std::size_t bytes) noexcept;
  /// Says that no more bytes will come.
  void end() noexcept;

  /// Decodes the next value if all of it is there; false: feed more, or after end() there is none.
  /// The value keeps the bytes alive that it views. Decoding is tried anew only when the codec's
  /// minimum of bytes is there. Throws what the codec throws, offsets counting from the first byte
  /// that was fed; Status::limit; after end() Status::truncated if the last value is incomplete.
  /// After an error the stream is lost.
  bool next(Value& value);
  /// The same for a run of at least one value: `list` is the list of them. What the value after it
  /// fails with is thrown by the next call. Not for options with a projection.
  bool next(Value& list, ValueRun& run);
  /// True if next() would try to decode. While bytes are there and next() has just failed, read on:
  /// so a long value in small pieces is not tried once a piece. read_value() does so.
  bool is_worth_trying() const noexcept;

  /// Bytes that are held and belong to no decoded value yet.
  std::size_t held() const noexcept;
  /// Where the next value begins, in bytes since the start.
  std::uint64_t position() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads the next value from the bytes that `stream` holds, then from `fd`, and waits for no more
/// than one. False at the end. Throws as ValueStream::next(), and Status::io.
bool read_value(int fd, ValueStream& stream, Value& value, std::string_view name);

/// Encodes values one after another, with what they share (a schema, a dictionary). For one thread.
class ValueWriter {
 public:
  /// Throws Status::unsupported unless codec.info().can_write_stream and the codec has no filters.
  explicit ValueWriter(Codec codec, CallOptions options = {});
  ~ValueWriter();
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  /// Encodes the next value to `sink`, whose segments must be used before the value dies. Throws
  /// Error; the stream is lost then.
  void append(NodeView value, Sink& sink);
  /// The same for a run that ValueStream::next() gave. Calls begin(i) before value `i` of it.
  void append(NodeView list, const ValueRun& run, Sink& sink,
              const std::function<void(std::size_t i)>& begin);
  /// Writes what ends the stream. To be called once.
  void finish(Sink& sink);

 private:
  struct State;
  std::shared_ptr<State> state_;  // sinks keep it
};

}  // namespace polycodec
