// SPDX-License-Identifier: MIT
#include "registry/session/store_format.hpp"

#include <polycodec/quote.hpp>

#include "core/call/plugin_error.hpp"
#include "core/io/blob_sink_state.hpp"
#include "core/io/blob_store_state.hpp"
#include "core/io/file_lock.hpp"
#include "core/io/output_file.hpp"
#include "core/io/posix_file.hpp"
#include "core/io/sink.hpp"
#include "core/store/open.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_store.hpp"
#include "core/value/arena.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/instance.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

constexpr std::uint64_t max_entries = std::uint64_t{1} << 20;

/// What an opened store or writer of a plugin needs: its plugin, an arena that lives as long, and
/// the terms of its calls.
class StoreObject : public Opened {
 public:
  StoreObject(const Session& owner, const CodecSlot& of)
      : Opened(owner, of), keep_(owner.shared_from_this()), terms_(owner, options_) {}

  const polycodec_store_format& format() const noexcept { return object<polycodec_store_format>(); }
  NodeView defaults() const noexcept { return slot.default_options.view(); }
  const polycodec_node* default_root() const noexcept {
    return defaults().is_null() ? nullptr : defaults().raw();
  }
  Budget& pool() const noexcept { return terms_.budget; }
  /// Calls a function of the plugin: `run(call)` gives its status.
  template <class Run>
  void invoke_in(Run&& run) {
    CallContext context(terms_, arena_.abi());
    PluginError error;
    if (const std::int32_t code = invoke([&] { return run(context.abi(), error.raw()); });
        code != POLYCODEC_OK)
      throw error.error(code).codec(info().name);
    context.settle();
  }

 private:
  std::shared_ptr<const Session> keep_;
  CallOptions options_;
  CallTerms terms_;
};

/// A store of a plugin, with the host's checks of names around it.
class PluginStore final : public BlobStoreState {
 public:
  PluginStore(const Session& session, const CodecSlot& slot, const polycodec_file* file,
              std::string label, std::string_view bytes, std::uint64_t physical,
              std::shared_ptr<const void> keep)
      : BlobStoreState(std::move(label)),
        keep_(std::move(keep)),
        bytes_(bytes),
        object_(session, slot) {
    if ((file->flags & POLYCODEC_FILE_STABLE) == 0) set_unstable();
    object_.pool().add_input(physical);
    const auto& format = object_.format();
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      return format.open(&format, call, file, object_.default_root(), &store_, error);
    });
    if (store_ == nullptr) throw Error(Status::plugin, "open() made no store").codec(format.name);
    try {
      list();
    } catch (...) {
      give_back([&] { store_->release(store_); });
      throw;
    }
  }
  ~PluginStore() override {
    give_back([&] { store_->release(store_); });
  }

 private:
  void list() {
    const std::uint64_t count = across_border([&] { return store_->count(store_); });
    if (count > max_entries)
      throw Error(Status::limit,
                  quote_path(label()) + " has more than " + std::to_string(max_entries) + " blobs");
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      polycodec_store_entry entry{};
      entry.struct_size = sizeof entry;
      object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
        return store_->entry(store_, call, i, &entry, error);
      });
      entries.push_back({std::string(to_string_view(entry.name)), entry.size,
                         std::string(to_string_view(entry.owner))});
    }
    set_entries(std::move(entries));
  }
  std::string_view read_number(std::uint64_t i) {
    polycodec_bytes content{};
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      return store_->read(store_, call, i, 0, UINT64_MAX, &content, error);
    });
    if (!object_.contains(content.data, content.size) &&
        region_around(bytes_, content.data, content.size).empty())
      throw Error(Status::plugin, "stray pointer to blob " + std::to_string(i) + " (" +
                                      std::to_string(content.size) +
                                      " bytes): a store gives views of its file or memory of its "
                                      "calls; use call->arena or adopt()")
          .codec(object_.info().name);
    return to_string_view(content);
  }
  std::string_view do_read(std::size_t index) override {
    const std::scoped_lock lock(mutex_);
    auto& known = read_[index];
    if (known.data() == nullptr) known = read_number(index);
    return known;
  }
  std::string_view do_read_unlisted(std::string_view name) override {
    const std::scoped_lock lock(mutex_);
    std::uint64_t i = 0;
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      return store_->find(store_, call, to_bytes(name), &i, error);
    });
    return read_number(i);
  }

  std::shared_ptr<const void> keep_;  // the file
  std::string_view bytes_;            // of the file
  StoreObject object_;
  const polycodec_store* store_ = nullptr;
  std::mutex mutex_;  // one arena for all reads
  std::map<std::size_t, std::string_view> read_;
};

/// A store that a plugin writes or changes. `path` is as it was before all is done.
class PluginSink final : public BlobSinkState {
 public:
  PluginSink(const Session& session, const CodecSlot& slot, std::filesystem::path path,
             const WriteOptions& options, std::uint64_t max_bytes, std::shared_ptr<BlobStore> base)
      : BlobSinkState(max_bytes, base),
        object_(session, slot),
        path_(std::move(path)),
        options_(options),
        edits_(base != nullptr && slot.info->can_edit) {
    begin();
  }
  ~PluginSink() override { drop(); }

 private:
  void begin() {
    file_ = std::make_unique<OutputFile>(path_, options_, edits_);
    const auto& format = object_.format();
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      return (edits_ ? format.edit : format.create)(&format, call, file_->abi(),
                                                    object_.default_root(), &writer_, error);
    });
    if (writer_ == nullptr || (edits_ && writer_->base == nullptr))
      throw Error(Status::plugin, edits_ ? "edit() made no writer, or one without its base"
                                         : "create() made no writer")
          .codec(format.name);
  }
  void do_remove(const BlobStore::Entry& entry) override {
    if (!edits_) return;
    const polycodec_store* const base = writer_->base;
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      std::uint64_t i = 0;
      const std::int32_t code = base->find(base, call, to_bytes(entry.name), &i, error);
      return code != POLYCODEC_OK ? code
                                  : writer_->remove(writer_, call, i, to_bytes(entry.owner), error);
    });
  }
  void drop() noexcept {
    if (writer_ != nullptr) give_back([&] { writer_->release(writer_); });
    writer_ = nullptr;
    file_.reset();
  }
  void do_blob(const std::string& name, const std::string& owner,
               std::span<const Segment> segments) override {
    if (writer_ == nullptr) begin();
    std::uint64_t bytes = 0;
    for (const Segment& segment : segments) bytes += segment.size;
    object_.pool().add_input(bytes);
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      polycodec_sink* sink = nullptr;
      std::int32_t code =
          writer_->begin_blob(writer_, call, to_bytes(name), to_bytes(owner), &sink, error);
      for (const Segment& segment : segments)
        if (code == POLYCODEC_OK)
          code = polycodec_sink_put(sink, segment.data, segment.size, error);
      return code;
    });
  }
  void do_finish() override {
    if (writer_ == nullptr) begin();
    if (!edits_) copy_base();
    object_.invoke_in([&](polycodec_call* call, polycodec_error* error) {
      return writer_->commit(writer_, call, error);
    });
    auto* const done = std::exchange(writer_, nullptr);
    across_border([&] { done->release(done); });
    file_->commit();
    file_.reset();
  }
  void do_drop() noexcept override { drop(); }

  StoreObject object_;
  std::filesystem::path path_;
  WriteOptions options_;
  bool edits_;  // the plugin changes the file of the store that is there
  std::unique_ptr<OutputFile> file_;
  polycodec_store_writer* writer_ = nullptr;
};

/// The format whose magic number fits, or else the one that has the extension of the name, which no
/// other has; or null.
const CodecSlot* format_of(const Catalog& catalog, std::string_view bytes,
                           std::string_view name = {}) {
  const CodecSlot* best = nullptr;
  const CodecSlot* named = nullptr;
  std::uint32_t score = 0, names = 0;
  for (const CodecInfo& info : catalog.of_kind(Kind::store)) {
    if (!info.can_decode || !catalog.slot(info).decode_refusal.empty()) continue;
    if (const std::uint32_t found = magic_score_of(info, bytes); found > score) {
      score = found;
      best = &catalog.slot(info);
    }
    // The bytes of a format with a magic number have answered.
    if (info.magic.empty() && std::ranges::any_of(info.extensions, [&](const auto& extension) {
          return has_extension(extension, name);
        })) {
      ++names;
      named = &catalog.slot(info);
    }
  }
  return best != nullptr || names != 1 ? best : named;
}

std::shared_ptr<BlobStore> open_plugin_store(const Session& session, const polycodec_input& input,
                                             std::uint64_t physical,
                                             std::shared_ptr<const void> keep) {
  const std::string_view name = to_string_view(input.name);
  const CodecSlot* slot = format_of(session.catalog, to_string_view(input.bytes), name);
  if (slot == nullptr) return nullptr;
  return std::make_shared<BlobStore>(std::make_unique<PluginStore>(
      session, *slot, input.file, name.empty() ? slot->info->name + " file" : std::string(name),
      to_string_view(input.bytes), physical, std::move(keep)));
}

}  // namespace

bool is_archive(const Catalog& catalog, std::string_view bytes, std::string_view name) {
  return ZipStore::looks_like_zip(bytes) || format_of(catalog, bytes, name) != nullptr;
}

std::shared_ptr<BlobStore> open_store_of(const Session& session, const Source& source) {
  if (auto zip = open_store(source, session.catalog.options.limits)) return zip;
  return open_plugin_store(session, source.input(), source.physical_bytes(),
                           std::make_shared<const Source>(source));
}

const polycodec_store* open_archive(CallContext& call, const polycodec_input& input) {
  // The bytes live as long as the value: whoever decodes has promised that.
  const Source view =
      Source::view(to_string_view(input.bytes), std::string(to_string_view(input.name)));
  std::shared_ptr<BlobStore> store;
  if (ZipStore::looks_like_zip(view.bytes())) {
    // Checksums take a pass over all bytes: input that is trusted has none of it.
    const bool trusted = call.terms().options.validation == Validation::structure;
    store =
        std::make_shared<ZipStore>(view, call.limits(), trusted ? ZipCheck::none : ZipCheck::crc);
  } else {
    const polycodec_input& with_file = input.file == nullptr ? view.input() : input;
    store = open_plugin_store(Session::of(call), with_file, input.bytes.size,
                              std::make_shared<const Source>(view));
  }
  if (store == nullptr)
    throw Error(Status::malformed,
                "this codec reads a store of blobs: a directory, a ZIP archive or a file of a "
                "store format that is installed; the input is something else",
                0)
        .detail("store.not_an_archive");
  if (input.file != nullptr && (input.file->flags & POLYCODEC_FILE_STABLE) == 0)
    store->state().set_unstable();
  const polycodec_store* abi = &store->abi();
  const Regions* const blobs = &store->state();
  static_cast<Arena*>(call.abi()->arena->private_data)->keep(std::move(store), {}, blobs);
  return abi;
}

std::string store_format_at(const Catalog& catalog, const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code missing;
  const auto status = fs::status(path, missing);
  if (fs::is_directory(status)) return "directory";
  if (fs::is_regular_file(status) && fs::file_size(path, missing) != 0) {
    const Source source = Source::file(path);
    if (const CodecSlot* slot = format_of(catalog, source.bytes())) return slot->info->name;
    if (ZipStore::looks_like_zip(source.bytes())) return "zip";
  }
  const std::string extension = lower_case(path.extension().native());
  for (const CodecInfo& info : catalog.of_kind(Kind::store))
    if (std::ranges::find(info.extensions, extension) != info.extensions.end()) return info.name;
  const bool device = fs::exists(status) && !fs::is_regular_file(status);
  return extension.empty() && !device ? "directory" : "zip";
}

namespace {

std::unique_ptr<BlobSink> make_store_of(const Session& session, std::string_view format,
                                        const std::filesystem::path& path,
                                        const WriteOptions& options, std::uint64_t max_bytes,
                                        std::shared_ptr<BlobStore> base) {
  if (format == "zip") return std::make_unique<ZipSink>(path, options, max_bytes, std::move(base));
  if (format == "directory")
    return std::make_unique<DirectorySink>(path.has_filename() ? path : path.parent_path(), options,
                                           max_bytes, std::move(base));
  const CodecSlot& slot = session.catalog.need(Kind::store, format);
  if (!slot.encode_refusal.empty())
    throw Error(Status::denied, slot.encode_refusal).codec(slot.info->name);
  if (!slot.info->can_encode)
    throw Error(Status::unsupported, "this store format can be read, not written")
        .codec(slot.info->name);
  return std::make_unique<BlobSink>(
      std::make_unique<PluginSink>(session, slot, path, options, max_bytes, std::move(base)));
}

}  // namespace

std::unique_ptr<BlobSink> create_store_of(const Session& session, std::string_view format,
                                          const std::filesystem::path& path,
                                          const WriteOptions& options, std::uint64_t max_bytes) {
  auto sink = make_store_of(session, format, path, options, max_bytes, nullptr);
  // Others may change the old store until the new one takes its place.
  sink->state().lock_to_finish(
      [path, seconds = options.lock_seconds] { return lock_path(path, seconds); });
  return sink;
}

std::unique_ptr<BlobSink> edit_store_of(const Session& session, const std::filesystem::path& path,
                                        const WriteOptions& given, std::uint64_t max_bytes) {
  struct Held {
    std::shared_ptr<const void> source;
    std::shared_ptr<BlobStore> store;
  };
  auto lock = lock_path(path, given.lock_seconds);
  WriteOptions options = given;
  std::shared_ptr<BlobStore> base;
  if (std::filesystem::exists(path)) {
    const Source source = open_source(path, session.catalog.options.limits);
    auto store = source.store() ? source.store() : open_store_of(session, source);
    if (store == nullptr)
      throw Error(Status::malformed, quote_path(path.native()) +
                                         " is not a directory, ZIP archive or file of an installed "
                                         "store format");
    // The whole file is written anew; in a directory no file of others is.
    if (source.has_bytes()) options.overwrite = true;
    auto held = std::make_shared<Held>(Held{source.pin(), store});
    base = {held, store.get()};
  }
  auto sink = make_store_of(session, store_format_at(session.catalog, path), path, options,
                            max_bytes, std::move(base));
  sink->state().hold(std::move(lock));
  return sink;
}

}  // namespace polycodec
