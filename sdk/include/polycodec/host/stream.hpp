// SPDX-License-Identifier: MIT
// Values one after another, and named values in one file. A program includes polycodec.hpp.
#pragma once

#include <polycodec/host/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
inline namespace host {

/// Values that are decoded one after another, for a codec with `read_stream` and no filters. After
/// an error it is lost. For one thread.
class Stream {
 public:
  /// Of a source. Memory is bounded by the largest value.
  Stream(const Codec& codec, const Source& source, const CallOptions& options = default_call)
      : Stream(codec, options, [&] {
          auto from = border::empty<polycodec_stream_options>();
          from.from = POLYCODEC_STREAM_SOURCE;
          from.source = source.raw();
          return from;
        }()) {}
  /// Of a file of the caller's, which lives as long; it is read in parts, in order.
  Stream(const Codec& codec, const polycodec_file* file, const CallOptions& options = default_call)
      : Stream(codec, options, [&] {
          auto from = border::empty<polycodec_stream_options>();
          from.from = POLYCODEC_STREAM_FILE;
          from.file = file;
          return from;
        }()) {}
  /// Of an open descriptor, which is not closed. A complete value does not wait for more bytes.
  static Stream descriptor(const Codec& codec, int descriptor,
                           const CallOptions& options = default_call) {
    auto from = border::empty<polycodec_stream_options>();
    from.from = POLYCODEC_STREAM_DESCRIPTOR;
    from.descriptor = descriptor;
    return Stream(codec, options, from);
  }
  /// Of the bytes that feed() gives.
  static Stream fed(const Codec& codec, const CallOptions& options = default_call) {
    return Stream(codec, options, border::empty<polycodec_stream_options>());
  }

  /// Takes a copy of bytes of any number.
  void feed(std::string_view bytes) {
    border::call(polycodec_stream_feed, stream_.raw(), to_bytes(bytes), std::int32_t{0});
  }
  /// Says that no more bytes will be fed.
  void end_of_input() {
    border::call(polycodec_stream_feed, stream_.raw(), polycodec_bytes{}, std::int32_t{1});
  }
  /// The next value; nothing at the end, and where more bytes must be fed first. Offsets of errors
  /// count from the first byte of the stream. Throws Status::truncated for an incomplete last
  /// value.
  std::optional<Value> next() {
    Value value;
    call_->call(polycodec_stream_next, stream_.raw(), border::Place::of(value), &position_);
    if (!value) return std::nullopt;
    return value;
  }
  /// Where the next value begins, in bytes since the start.
  std::uint64_t position() const noexcept { return position_; }

  /// `for (const Value& value : stream)`: all that next() gives.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using reference = const Value&;
    using pointer = const Value*;
    using difference_type = std::ptrdiff_t;
    Iterator() noexcept = default;
    explicit Iterator(Stream& stream) : stream_(&stream) { ++*this; }
    reference operator*() const noexcept { return *value_; }
    pointer operator->() const noexcept { return &*value_; }
    Iterator& operator++() {
      value_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const noexcept { return !value_; }

   private:
    Stream* stream_ = nullptr;
    std::optional<Value> value_;
  };
  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  using Handle = border::Owned<polycodec_stream, polycodec_stream_free>;
  Stream(const Codec& codec, const CallOptions& options, const polycodec_stream_options& from)
      : call_(options),
        stream_(call_->make<Handle>(polycodec_stream_open, codec.raw(), &from, call_->raw())) {}

  border::KeptCall call_;  // before the stream, which uses it
  Handle stream_;
  std::uint64_t position_ = 0;
};

/// Encodes values one after another, for a codec with `write_stream`. After an error it is lost.
/// For one thread.
class StreamWriter {
 public:
  /// Values go to sinks.
  explicit StreamWriter(const Codec& codec, const CallOptions& options = default_call)
      : StreamWriter(codec, std::string_view(), WriteOptions(), options) {}
  /// Values go to the file `path`, which finish() replaces, and which stays as it was without that.
  StreamWriter(const Codec& codec, std::string_view path, const WriteOptions& write = {},
               const CallOptions& options = default_call)
      : call_(options), writer_(opened(codec, path, write, *call_)) {}

  /// Encodes the next value to a sink, which then keeps it, or to the file.
  void append(const Value& value, Sink& sink) { append(value, sink.raw()); }
  void append(const Value& value) { append(value, static_cast<polycodec_sink*>(nullptr)); }
  /// Writes what ends the stream, and puts the file in place. Nothing follows.
  void finish(Sink& sink) { finish(sink.raw()); }
  void finish() { finish(static_cast<polycodec_sink*>(nullptr)); }

 private:
  using Handle = border::Owned<polycodec_stream_writer, polycodec_stream_writer_free>;
  static Handle opened(const Codec& codec, std::string_view path, const WriteOptions& write,
                       border::CallScope& call) {
    const polycodec_write_options raw_write = border::raw_of(write);
    return call.make<Handle>(polycodec_stream_writer_open, codec.raw(), to_bytes(path), &raw_write,
                             call.raw());
  }
  void append(const Value& value, polycodec_sink* sink) {
    call_->call(polycodec_stream_writer_append, writer_.raw(), value.raw(), sink);
  }
  void finish(polycodec_sink* sink) {
    call_->call(polycodec_stream_writer_finish, writer_.raw(), sink);
  }

  border::KeptCall call_;
  Handle writer_;
};

/// A ZIP archive, directory or file of a store format as a dictionary of values. Each change is
/// complete on the disk or has not happened, and waits for those of other programs. For one thread.
class Collection {
 public:
  /// Without a codec, content or name of `path` choose. Throws Status::unsupported for a codec of
  /// one value.
  Collection(const Registry& registry, std::string_view path, const Format& format = {},
             const CallOptions& options = default_call)
      : call_(options), collection_(opened(registry, path, format, *call_)) {}

  /// What there is, without decoding; see polycodec_collection_list.
  Value list() const {
    return Value::parse(border::text_of([&](polycodec_sink* out) {
      border::call(polycodec_collection_list, collection_.raw(), out);
    }));
  }
  /// The names of the values, in the order of the file.
  std::vector<std::string> names() const {
    const Value facts = list();
    std::vector<std::string> all;
    for (const View value : facts.find("values")) all.emplace_back(value["name"].as_string());
    return all;
  }
  /// Decodes a value. Throws Status::not_found.
  Value read(std::string_view name) const {
    return call_->make<Value>(polycodec_collection_read, collection_.raw(), to_bytes(name));
  }
  /// Adds a value. Throws Status::invalid if the name is taken.
  void add(std::string_view name, const Value& value) {
    call_->call(polycodec_collection_put, collection_.raw(), to_bytes(name), value.raw(), 0u,
                nullptr);
  }
  /// Puts a value in the place of the one of this name. Throws Status::not_found. `unowned`: blobs
  /// of no recorded owner that the value reads go too. Returns the names of the blobs that it read
  /// and that stay.
  std::vector<std::string> replace(std::string_view name, const Value& value,
                                   bool unowned = false) {
    return change(name, value.raw(), unowned);
  }
  /// Removes the value of this name. As replace().
  std::vector<std::string> remove(std::string_view name, bool unowned = false) {
    return change(name, nullptr, unowned);
  }

 private:
  using Handle = border::Owned<polycodec_collection, polycodec_collection_free>;
  static Handle opened(const Registry& registry, std::string_view path, const Format& format,
                       border::CallScope& call) {
    const polycodec_format raw_format = border::raw_of(format);
    return call.make<Handle>(polycodec_collection_open, registry.raw(), to_bytes(path), &raw_format,
                             call.raw());
  }
  std::vector<std::string> change(std::string_view name, const polycodec_value* value,
                                  bool unowned) {
    const Value kept = Value::parse(border::text_of([&](polycodec_sink* out) {
      call_->call(polycodec_collection_put, collection_.raw(), to_bytes(name), value,
                  POLYCODEC_COLLECTION_REPLACE | (unowned ? POLYCODEC_COLLECTION_UNOWNED : 0u),
                  out);
    }));
    std::vector<std::string> all;
    for (const View blob : kept.view()) all.emplace_back(blob.as_string());
    return all;
  }

  border::KeptCall call_;
  Handle collection_;
};

}  // namespace host
}  // namespace polycodec
