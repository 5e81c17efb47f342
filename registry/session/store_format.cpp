// SPDX-License-Identifier: MIT
#include "registry/session/store_format.hpp"

#include <polycodec/quote.hpp>
#include <polycodec/sink.hpp>

#include "core/call/plugin_error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/blob_sink_state.hpp"
#include "core/io/blob_store_state.hpp"
#include "core/io/file_lock.hpp"
#include "core/io/posix_file.hpp"
#include "core/store/open.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_store.hpp"
#include "core/value/arena.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/instance.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// A file in the making as plugins write it.
class OutputFile {
 public:
  /// Empty, or with the content of the file at `path` if `copy`.
  OutputFile(const std::filesystem::path& path, const WriteOptions& options, bool copy)
      : file_(path, options) {
    if (!file_.is_seekable())
      throw Error(Status::io, "cannot write a store to " + quote_path(path.native()) +
                                  ": it is not a regular file; name one");
    read_.struct_size = sizeof read_;
    read_.flags = POLYCODEC_FILE_STABLE;
    read_.descriptor = -1;
    read_.private_data = this;
    read_.size = &size;
    read_.read_at = &read_at;
    read_.view = &view;
    read_.release = [](const polycodec_file*) {};
    abi_.struct_size = sizeof abi_;
    abi_.file = &read_;
    abi_.private_data = this;
    abi_.write_at = &write_at;
    abi_.truncate = &truncate;
    abi_.sync = [](polycodec_output_file*, polycodec_call*, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};  // commit() does it where it is wanted
    };
    if (copy) copy_from(path);
  }
  polycodec_output_file* abi() noexcept { return &abi_; }
  void commit() { file_.commit(); }

 private:
  /// Shares the blocks of the file where the file system can do that.
  void copy_from(const std::filesystem::path& path) {
    const posix::Descriptor from(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!from) posix::throw_errno("open", path.native());
    if (::ioctl(file_.descriptor(), FICLONE, from.get()) == 0) return;
    for (;;) {
      const ssize_t n = ::copy_file_range(from.get(), nullptr, file_.descriptor(), nullptr,
                                          std::size_t{1} << 30, 0);
      if (n == 0) return;
      if (n < 0 && errno != EINTR) break;
    }
    if (::lseek(from.get(), 0, SEEK_SET) != 0 || ::ftruncate(file_.descriptor(), 0) != 0 ||
        ::lseek(file_.descriptor(), 0, SEEK_SET) != 0)
      posix::throw_errno("copy", path.native());
    const auto content = posix::load(from.get(), path.native(), Limits{}, FileAccess::map);
    const Segment segment{content->bytes().data(), content->bytes().size()};
    file_.write({&segment, 1});
  }
  static int descriptor(const void* private_data) noexcept {
    return static_cast<const OutputFile*>(private_data)->file_.descriptor();
  }
  [[noreturn]] static void fail(const char* what) {
    throw Error(Status::io, std::string("cannot ") + what +
                                " the file: " + std::generic_category().message(errno));
  }
  static std::int32_t size(const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                           polycodec_error* error) {
    return guard(error, [&] {
      struct stat status {};
      if (::fstat(descriptor(self->private_data), &status) != 0) fail("examine");
      *size = static_cast<std::uint64_t>(status.st_size);
    });
  }
  static std::int32_t read_at(const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                              void* buffer, std::uint64_t size, std::uint64_t* got,
                              polycodec_error* error) {
    return guard(error, [&] {
      *got = 0;
      while (*got < size) {
        const ssize_t n =
            ::pread(descriptor(self->private_data), static_cast<char*>(buffer) + *got,
                    static_cast<std::size_t>(size - *got), static_cast<off_t>(offset + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("read");
        if (n == 0) break;
        *got += static_cast<std::uint64_t>(n);
      }
    });
  }
  static std::int32_t view(const polycodec_file* self, polycodec_call* call, std::uint64_t offset,
                           std::uint64_t size, polycodec_bytes* bytes, polycodec_error* error) {
    std::uint64_t all = 0;
    if (const auto code = self->size(self, call, &all, error); code != POLYCODEC_OK) return code;
    size = std::min(size, all - std::min(all, offset));
    void* memory = polycodec_arena_alloc(call->arena, size, 16, error);
    if (memory == nullptr) return error->code;
    bytes->data = memory;
    return self->read_at(self, call, offset, memory, size, &bytes->size, error);
  }
  static std::int32_t write_at(polycodec_output_file* self, polycodec_call*, std::uint64_t offset,
                               const void* data, std::uint64_t size, polycodec_error* error) {
    return guard(error, [&] {
      for (std::uint64_t done = 0; done < size;) {
        const ssize_t n =
            ::pwrite(descriptor(self->private_data), static_cast<const char*>(data) + done,
                     static_cast<std::size_t>(size - done), static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("write");
        done += static_cast<std::uint64_t>(n);
      }
    });
  }
  static std::int32_t truncate(polycodec_output_file* self, polycodec_call*, std::uint64_t size,
                               polycodec_error* error) {
    return guard(error, [&] {
      if (::ftruncate(descriptor(self->private_data), static_cast<off_t>(size)) != 0) fail("cut");
    });
  }

  AtomicFile file_;
  polycodec_file read_{};
  polycodec_output_file abi_{};
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

/// The format whose magic number fits, or null.
const CodecSlot* format_of(const Catalog& catalog, std::string_view bytes) noexcept {
  const CodecSlot* best = nullptr;
  std::uint32_t score = 0;
  for (const CodecInfo& info : catalog.of_kind(Kind::store)) {
    const std::uint32_t found = magic_score_of(info, bytes);
    if (found <= score || !info.can_decode || !catalog.slot(info).decode_refusal.empty()) continue;
    score = found;
    best = &catalog.slot(info);
  }
  return best;
}

std::shared_ptr<BlobStore> open_plugin_store(const Session& session, const polycodec_input& input,
                                             std::uint64_t physical,
                                             std::shared_ptr<const void> keep) {
  const CodecSlot* slot = format_of(session.catalog, to_string_view(input.bytes));
  if (slot == nullptr) return nullptr;
  const std::string_view name = to_string_view(input.name);
  return std::make_shared<BlobStore>(std::make_unique<PluginStore>(
      session, *slot, input.file, name.empty() ? slot->info->name + " file" : std::string(name),
      to_string_view(input.bytes), physical, std::move(keep)));
}

}  // namespace

bool is_archive(const Catalog& catalog, std::string_view bytes) noexcept {
  return ZipStore::looks_like_zip(bytes) || format_of(catalog, bytes) != nullptr;
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
