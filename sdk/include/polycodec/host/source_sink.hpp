// SPDX-License-Identifier: MIT
// Where bytes come from and where they go to. A program includes polycodec.hpp.
#pragma once

#include <polycodec/host/options.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polycodec {
inline namespace host {
namespace border {

inline void release_file(const polycodec_file* file) noexcept {
  file->release(file);
}
inline void release_store(const polycodec_store* store) noexcept {
  store->release(store);
}
inline void release_writer(polycodec_store_writer* writer) noexcept {
  writer->release(writer);
}

}  // namespace border

/// How a source is made.
struct SourceOptions {
  std::string name = {};  ///< for messages and hints: a file name
  /// Bytes in memory: others may change them, so structure is copied out of them.
  bool changing = false;
  bool copy = false;  ///< a file: read it into memory instead of mapping it
  bool map = false;   ///< a descriptor of a file that is at its start: map it as one of a path
  /// A file: not it, but those beside it, as a store; see POLYCODEC_SOURCE_COMPANIONS.
  bool companions = false;
  Limits limits = {};  ///< of files and descriptors
};

/// A file for objects of the program; see polycodec_file. One owner.
class OpenedFile : public border::Owned<const polycodec_file, border::release_file> {
 public:
  using Owned::Owned;
  explicit OpenedFile(std::string_view path, const SourceOptions& options = {})
      : OpenedFile(border::make<OpenedFile>(polycodec_file_open, to_bytes(path),
                                            options.copy ? POLYCODEC_SOURCE_COPY : 0u)) {}
};

/// What is decoded: bytes, a file, or a store. Counted, for any thread. It and all values from it
/// keep what they view.
class Source
    : public border::Counted<polycodec_source, polycodec_source_retain, polycodec_source_release> {
 public:
  using Counted::Counted;

  /// A file, which is mapped, or a directory as a store.
  static Source file(std::string_view path, const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_PATH, options);
    raw.path = to_bytes(path);
    return border::make<Source>(polycodec_source_open, &raw);
  }
  /// Bytes that the caller keeps as long as the source and all values from it, and that nobody
  /// changes so long (but see SourceOptions::changing).
  static Source view(std::string_view bytes, const SourceOptions& options = {}) {
    return adopt(bytes, nullptr, nullptr, options);
  }
  /// A temporary object would not keep them: use owned().
  template <class Bytes>
  requires(!std::is_lvalue_reference_v<Bytes> && !std::is_trivially_copyable_v<Bytes>) static Source
      view(Bytes&& bytes, const SourceOptions& options = {}) = delete;
  /// The elements of a container, such as a std::string or a std::vector, that is moved here.
  template <class Bytes>
  requires std::is_object_v<Bytes> &&(!std::is_trivially_copyable_v<Bytes>)static Source
      owned(Bytes bytes, const SourceOptions& options = {}) {
    auto kept = std::make_unique<Bytes>(std::move(bytes));
    const std::string_view all =
        to_string_view(std::data(*kept), std::size(*kept) * sizeof(*std::data(*kept)));
    return adopt(all, kept.release(), &border::give_back<Bytes>, options);
  }
  /// Bytes that `owner` keeps.
  static Source shared(std::shared_ptr<const void> owner, std::string_view bytes,
                       const SourceOptions& options = {}) {
    using Owner = std::shared_ptr<const void>;
    auto kept = std::make_unique<Owner>(std::move(owner));
    return adopt(bytes, kept.release(), &border::give_back<Owner>, options);
  }
  /// Bytes that `owner` keeps until release(owner), which is called once, on any thread, when
  /// nothing views them any more, also if this throws. Both null: as view().
  static Source adopt(std::string_view bytes, void* owner, void (*release)(void* owner),
                      const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_BYTES, options);
    raw.bytes = to_bytes(bytes);
    raw.owner = owner;
    raw.release = release;
    return border::make<Source>(polycodec_source_open, &raw);
  }
  /// What can be read from an open descriptor up to its end. It is not closed.
  static Source descriptor(int descriptor, const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_DESCRIPTOR, options);
    raw.descriptor = descriptor;
    return border::make<Source>(polycodec_source_open, &raw);
  }
  /// A file, which stays the caller's; see polycodec_source_options.
  static Source of(const polycodec_file* file, const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_FILE, options);
    raw.file = file;
    return border::make<Source>(polycodec_source_open, &raw);
  }
  /// A store, which stays the caller's; see polycodec_source_options.
  static Source of(const polycodec_store* store, const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_STORE, options);
    raw.store = store;
    return border::make<Source>(polycodec_source_open, &raw);
  }
  /// A store of the program's own, whose release() is called once, also if this throws.
  static Source adopt(const polycodec_store* store, const SourceOptions& options = {}) {
    auto raw = raw_of(POLYCODEC_SOURCE_STORE, options);
    raw.store = store;
    raw.owner = const_cast<polycodec_store*>(store);
    raw.release = [](void* owner) { border::release_store(static_cast<polycodec_store*>(owner)); };
    return border::make<Source>(polycodec_source_open, &raw);
  }

  /// The bytes, which live as long as the source; none for a store.
  std::string_view bytes() const& {
    polycodec_bytes all{};
    border::call(polycodec_source_bytes, raw(), &all);
    return to_string_view(all);
  }
  std::string_view bytes() const&& = delete;

 private:
  static polycodec_source_options raw_of(std::int32_t from, const SourceOptions& options) noexcept {
    auto raw = border::empty<polycodec_source_options>();
    raw.from = from;
    raw.flags = (options.copy ? POLYCODEC_SOURCE_COPY : 0u) |
                (options.changing ? POLYCODEC_SOURCE_CHANGING : 0u) |
                (options.map ? POLYCODEC_SOURCE_MAP : 0u) |
                (options.companions ? POLYCODEC_SOURCE_COMPANIONS : 0u);
    raw.name = to_bytes(options.name);
    raw.limits = options.limits.raw();
    return raw;
  }
};

/// The named blobs of a source; see polycodec_store. One owner, for any thread.
class OpenedStore : public border::Owned<const polycodec_store, border::release_store> {
 public:
  using Owned::Owned;
  /// Throws Status::unsupported if the source is not a store.
  OpenedStore(const Registry& registry, const Source& source);
  /// Blobs in memory, which are copied. Throws Status::denied for an unsafe name.
  static OpenedStore of(const std::vector<std::pair<std::string, std::string>>& blobs) {
    std::vector<polycodec_bytes> names, contents;
    for (const auto& [name, content] : blobs) {
      names.push_back(to_bytes(name));
      contents.push_back(to_bytes(content));
    }
    return border::make<OpenedStore>(polycodec_store_from_memory, names.data(), contents.data(),
                                     std::uint64_t{names.size()});
  }
  /// The blobs, in the order of the store, whose names live as long as this.
  std::vector<polycodec_store_entry> entries() const& {
    if (raw() == nullptr) throw Error(Status::invalid, "the store is null");
    const std::uint64_t n = raw()->count(raw());
    std::vector<polycodec_store_entry> all;
    for (std::uint64_t i = 0; i < n; ++i) {
      all.push_back(border::empty<polycodec_store_entry>());
      border::call(raw()->entry, raw(), nullptr, i, &all.back());
    }
    return all;
  }
  std::vector<polycodec_store_entry> entries() const&& = delete;
  /// The content of the blob of this name, which lives as long as this. Throws Status::not_found,
  /// Status::denied for an unsafe name.
  std::string_view read(std::string_view name) const& {
    if (raw() == nullptr) throw Error(Status::invalid, "the store is null");
    std::uint64_t i = 0;
    polycodec_bytes content{};
    border::call(raw()->find, raw(), nullptr, to_bytes(name), &i);
    border::call(raw()->read, raw(), nullptr, i, std::uint64_t{0}, UINT64_MAX, &content);
    return to_string_view(content);
  }
  std::string_view read(std::string_view name) const&& = delete;
};

/// A change of a store, of which nothing is seen before commit(). For one thread.
class StoreChange : public border::Owned<polycodec_store_writer, border::release_writer> {
 public:
  using Owned::Owned;
  /// A new store at `path`. `format`: "zip", "directory", a store format, or empty: as the name
  /// says.
  static StoreChange create(const Registry& registry, std::string_view path,
                            std::string_view format = {}, const WriteOptions& options = {});
  /// A change of the store at `path`, which may be missing; others wait until it ends.
  static StoreChange edit(const Registry& registry, std::string_view path,
                          const WriteOptions& options = {});
  /// Adds a blob, whose bytes are copied. Throws Status::denied for an unsafe name and
  /// Status::invalid for one that is taken.
  void add(std::string_view name, std::string_view bytes) const {
    polycodec_store_writer* const writer = need();
    polycodec_sink* sink = nullptr;
    border::call(writer->begin_blob, writer, nullptr, to_bytes(name), polycodec_bytes{}, &sink);
    border::call(polycodec_sink_put, sink, bytes.data(), std::uint64_t{bytes.size()});
  }
  void commit() const { border::call(need()->commit, need(), nullptr); }

 private:
  polycodec_store_writer* need() const {
    if (raw() == nullptr) throw Error(Status::invalid, "the change of the store is null");
    return raw();
  }
};

/// Where bytes and text are written, after what is there. A call that fails leaves it empty. It
/// keeps the values that its segments view. For one thread.
class Sink : public border::Owned<polycodec_sink, polycodec_sink_free> {
 public:
  /// Segments: large arrays are referenced and not copied. At most `max_bytes`; 0: no bound.
  explicit Sink(std::uint64_t max_bytes = 0) : Sink(0, max_bytes) {}
  /// One buffer.
  static Sink contiguous(std::uint64_t max_bytes = 0) {
    return Sink(POLYCODEC_SINK_CONTIGUOUS, max_bytes);
  }

  /// What was written, in order, with the layout of `struct iovec`. Valid until the next call.
  std::span<const polycodec_bytes> segments() const& {
    const polycodec_bytes* first = nullptr;
    std::uint64_t n = 0;
    border::call(polycodec_sink_segments, raw(), &first, &n);
    return {first, static_cast<std::size_t>(n)};
  }
  std::span<const polycodec_bytes> segments() const&& = delete;
  /// How many bytes that is.
  std::uint64_t size() const {
    std::uint64_t all = 0;
    for (const polycodec_bytes& segment : segments()) all += segment.size;
    return all;
  }
  /// What was written, in one piece that a NUL follows; segments are copied for it. Valid until the
  /// next call.
  std::string_view bytes() const& {
    polycodec_bytes all{};
    border::call(polycodec_sink_bytes, raw(), &all);
    return to_string_view(all);
  }
  std::string_view bytes() const&& = delete;
  /// Drops what was written, and keeps the memory.
  void reset() { border::call(polycodec_sink_reset, raw()); }

 private:
  Sink(std::uint32_t flags, std::uint64_t max_bytes)
      : Owned(border::make<Owned>(polycodec_sink_create, flags, max_bytes)) {}
};

namespace border {

/// The text that `write(sink)` writes.
template <class Write>
std::string text_of(const Write& write) {
  const Sink out = Sink::contiguous();
  write(out.raw());
  return std::string(out.bytes());
}

}  // namespace border
}  // namespace host
}  // namespace polycodec
