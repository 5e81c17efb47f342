// SPDX-License-Identifier: MIT
#include "registry/c/store.hpp"

#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/io/blob_store_state.hpp"
#include "registry/c/options.hpp"

#include <mutex>

namespace polycodec::c {
namespace {

constexpr std::uint64_t max_blobs = std::uint64_t{1} << 20;

/// A store of this library's, as a struct that its holder releases.
struct OwnedStore {
  explicit OwnedStore(std::shared_ptr<BlobStore> from) : store(std::move(from)) {
    abi.struct_size = sizeof abi;
    abi.flags = store->abi().flags;
    abi.private_data = this;
    abi.count = [](const polycodec_store* self) {
      return std::uint64_t{of(self).entries().size()};
    };
    abi.entry = [](const polycodec_store* self, polycodec_call*, std::uint64_t i,
                   polycodec_store_entry* entry, polycodec_error* error) {
      return enter(error, [&] {
        const auto& found = entry_of(self, i);
        if (place(entry, "entry").struct_size < sizeof *entry)
          throw_struct_size("polycodec_store_entry", entry->struct_size, sizeof *entry);
        entry->name = to_bytes(found.name);
        entry->owner = to_bytes(found.owner);
        entry->size = found.size;
      });
    };
    abi.find = [](const polycodec_store* self, polycodec_call*, polycodec_bytes name,
                  std::uint64_t* i, polycodec_error* error) {
      const std::int32_t code = enter(error, [&] {
        text(name, "name");
        place(i, "i");
      });
      const polycodec_store& inner = of(self).abi();
      return code != POLYCODEC_OK ? code : inner.find(&inner, nullptr, name, i, error);
    };
    abi.read = [](const polycodec_store* self, polycodec_call*, std::uint64_t i,
                  std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                  polycodec_error* error) {
      const std::int32_t code = enter(error, [&] { place(content, "content"); });
      const polycodec_store& inner = of(self).abi();
      return code != POLYCODEC_OK ? code
                                  : inner.read(&inner, nullptr, i, offset, size, content, error);
    };
    abi.release = &release;
  }

  static BlobStore& of(const polycodec_store* self) noexcept {
    return *static_cast<const OwnedStore*>(self->private_data)->store;
  }
  static const BlobStore::Entry& entry_of(const polycodec_store* self, std::uint64_t i) {
    const auto all = of(self).entries();
    if (i >= all.size())
      throw Error(Status::not_found, "the store has no blob number " + std::to_string(i));
    return all[static_cast<std::size_t>(i)];
  }
  static void release(const polycodec_store* self) {
    delete static_cast<const OwnedStore*>(self->private_data);
  }

  std::shared_ptr<BlobStore> store;
  polycodec_store abi{};
};

/// A store of the program's own.
class ProgramStore final : public BlobStoreState {
 public:
  ProgramStore(const polycodec_store& store, const std::string& label,
               std::shared_ptr<const void> owner)
      : BlobStoreState(label, store.flags & POLYCODEC_STORE_OWNERS),
        owner_(std::move(owner)),
        store_(store) {
    const std::uint64_t count = across_border([&] { return store.count(&store); });
    if (count > max_blobs)
      throw Error(Status::limit, "the store has " + std::to_string(count) + " blobs, at most " +
                                     std::to_string(max_blobs) + " are read");
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      polycodec_store_entry entry{};
      entry.struct_size = sizeof entry;
      call([&](polycodec_error* error) { return store.entry(&store, nullptr, i, &entry, error); });
      entries.push_back({string(entry.name, "name"), entry.size, string(entry.owner, "owner")});
    }
    set_entries(std::move(entries));
    set_unstable();  // the program may change what it hands out
  }

 private:
  template <class Run>
  static void call(const Run& run) {
    PluginError error;
    const std::int32_t code = across_border([&] { return run(error.raw()); });
    if (code != POLYCODEC_OK) throw error.error(code);
  }
  std::string_view do_read(std::size_t index) override {
    const std::scoped_lock lock(mutex_);
    polycodec_bytes content{};
    call([&](polycodec_error* error) {
      return store_.read(&store_, nullptr, index, 0, UINT64_MAX, &content, error);
    });
    return text(content, "content");
  }

  const std::shared_ptr<const void> owner_;
  const polycodec_store& store_;
  std::mutex mutex_;
};

/// A sink of blobs as a struct that its holder releases.
struct OwnedWriter {
  explicit OwnedWriter(std::unique_ptr<BlobSink> from) : sink(std::move(from)) {
    abi.struct_size = sizeof abi;
    abi.flags = sink->abi()->flags;
    abi.private_data = this;
    if (sink->base()) {
      base = std::make_unique<OwnedStore>(sink->base());
      base->abi.release = [](const polycodec_store*) {};  // it is the writer's
      abi.base = &base->abi;
    }
    abi.begin_blob = [](polycodec_store_writer* self, polycodec_call*, polycodec_bytes name,
                        polycodec_bytes owner, polycodec_sink** to, polycodec_error* error) {
      return enter(error, [&] {
        place(to, "sink") =
            writer_of(self).begin_blob(text(name, "name"), text(owner, "owner")).abi();
      });
    };
    abi.remove = [](polycodec_store_writer* self, polycodec_call*, std::uint64_t i,
                    polycodec_bytes owner, polycodec_error* error) {
      return enter(error, [&] {
        if (self->base == nullptr) throw Error(Status::not_found, "a new store has no blobs");
        const std::string name = OwnedStore::entry_of(self->base, i).name;
        writer_of(self).remove(name, text(owner, "owner"));
      });
    };
    abi.commit = [](polycodec_store_writer* self, polycodec_call*, polycodec_error* error) {
      return enter(error, [&] { writer_of(self).finish(); });
    };
    abi.release = &release;
  }
  static void release(polycodec_store_writer* self) {
    delete static_cast<OwnedWriter*>(self->private_data);
  }

  std::unique_ptr<OwnedStore> base;
  std::unique_ptr<BlobSink> sink;
  polycodec_store_writer abi{};
};

}  // namespace

std::shared_ptr<BlobStore> store_of(const polycodec_store* store, const std::string& label,
                                    std::shared_ptr<const void> owner) {
  place(store, "store");
  if (!POLYCODEC_HAS(polycodec_store, store, release) || store->count == nullptr ||
      store->entry == nullptr || store->read == nullptr || store->release == nullptr)
    throw_argument("store", "is too short or lacks a function");
  if (store->release == &OwnedStore::release)
    return static_cast<const OwnedStore*>(store->private_data)->store;
  return std::make_shared<BlobStore>(
      std::make_unique<ProgramStore>(*store, label, std::move(owner)));
}

BlobSink& writer_of(polycodec_store_writer* writer) {
  place(writer, "writer");
  if (writer->struct_size != sizeof *writer || writer->release != &OwnedWriter::release)
    throw_argument("writer", "is not from polycodec_store_edit");
  return *static_cast<OwnedWriter*>(writer->private_data)->sink;
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_store_open(const polycodec_registry* registry, const polycodec_source* source,
                             const polycodec_store** store, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& from = c::need(source, "source").source;
    auto found = c::need(registry, "registry").registry.open_store(from);
    c::place(store, "store");
    if (found == nullptr)
      throw Error(Status::unsupported,
                  quote(from.name()) +
                      " is not a store: give a directory, an archive or a file of a "
                      "store format");
    *store = &(new c::OwnedStore(std::move(found)))->abi;
  });
}

int32_t polycodec_store_from_memory(const polycodec_bytes* names, const polycodec_bytes* contents,
                                    uint64_t n, const polycodec_store** store,
                                    polycodec_error* error) {
  return c::enter(error, [&] {
    c::items(names, n, "names");
    c::items(contents, n, "contents");
    c::place(store, "store");
    std::vector<std::pair<std::string, std::string>> blobs;
    for (std::uint64_t i = 0; i < n; ++i)
      blobs.emplace_back(c::string(names[i], "names"), c::string(contents[i], "contents"));
    auto made = std::make_shared<MemoryStore>(std::move(blobs));
    *store = &(new c::OwnedStore(std::move(made)))->abi;
  });
}

int32_t polycodec_store_edit(const polycodec_registry* registry, polycodec_bytes path,
                             polycodec_bytes format, uint32_t flags,
                             const polycodec_write_options* options,
                             polycodec_store_writer** writer, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    c::place(writer, "writer");
    const std::string to = c::string(path, "path");
    std::string as = c::string(format, "format");
    const WriteOptions how = c::write_options(options);
    std::unique_ptr<BlobSink> made;
    if (c::flags(flags, POLYCODEC_STORE_NEW, "flags") != 0) {
      if (as.empty()) as = in.store_format_at(to);
      made = in.create_store(as, to, how);
    } else {
      if (!as.empty()) c::throw_argument("format", "is for POLYCODEC_STORE_NEW alone");
      made = in.edit_store(to, how);
    }
    *writer = &(new c::OwnedWriter(std::move(made)))->abi;
  });
}
