// SPDX-License-Identifier: MIT
// Bytes as changes of a store: after each change it is opened anew and holds what a map holds. The
// first byte chooses the container; each operation takes three bytes.
#include <polycodec/error.hpp>

#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/open.hpp"
#include "core/store/sinks.hpp"
#include "files.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

using namespace polycodec;

namespace {

struct Blob {
  std::string content, owner;
  bool operator==(const Blob&) const = default;
};
using Model = std::map<std::string, Blob>;

void require(bool right, const char* what, const std::string& about) {
  if (right) return;
  std::fprintf(stderr, "%s: %s\n", what, about.c_str());
  std::abort();
}

/// Writes as an encoder does.
void write(polycodec_sink& sink, const std::string& bytes) {
  auto error = make_error();
  for (const char byte : bytes) {
    if (sink.cursor == sink.limit && sink.grow(&sink, 1, &error) != POLYCODEC_OK)
      throw Error(Status::io, "no room");
    *sink.cursor++ = static_cast<std::uint8_t>(byte);
  }
}

class Changes {
 public:
  Changes(std::filesystem::path path, bool is_directory)
      : path_(std::move(path)), is_directory_(is_directory) {}

  void apply(unsigned operation, unsigned name_byte, unsigned content_byte) {
    static constexpr const char* names[] = {"a", "b", "c", "d/e", "d/f", "g", "h-1", "h-2"};
    static constexpr const char* owners[] = {"", "x", "y"};
    const std::string name = names[name_byte % 8], owner = owners[name_byte / 8 % 3];
    switch (operation % 8) {
      case 0:
      case 1:
      case 2:
        return add(name, {std::string(content_byte * content_byte, 'x'), owner});
      case 3:
      case 4:
        return remove(name, owner);
      case 5:
        sink_.reset();  // given up
        next_ = held_;
        added_.clear();
        return;
      default:
        return finish();
    }
  }

  void finish() {
    if (!sink_) return;
    sink_->finish();
    sink_.reset();
    held_ = next_;
    added_.clear();
    compare();
  }

 private:
  std::shared_ptr<BlobStore> open() const {
    if (!std::filesystem::exists(path_)) return nullptr;
    if (is_directory_) return std::make_shared<DirectoryStore>(path_);
    return open_store(Source::file(path_.string()));
  }

  BlobSink& sink() {
    if (sink_) return *sink_;
    if (is_directory_) {
      sink_ = std::make_unique<DirectorySink>(path_, WriteOptions{}, UINT64_MAX, open());
    } else {
      sink_ = std::make_unique<ZipSink>(path_, WriteOptions{}, UINT64_MAX, open());
    }
    return *sink_;
  }

  void add(const std::string& name, Blob blob) {
    try {
      write(*sink().begin_blob(name, blob.owner).abi(), blob.content);
      require(!next_.contains(name), "a taken name was given again", name);
      next_[name] = std::move(blob);
      added_.insert(name);
    } catch (const Error& error) {
      require(error.code() == Status::invalid && next_.contains(name), "not added",
              name + ": " + error.message());
    }
  }

  void remove(const std::string& name, const std::string& owner) {
    // A blob of nobody may be removed by all. A blob that this change has added stays.
    const auto at = next_.find(name);
    const bool may_go = at != next_.end() && !added_.contains(name) &&
                        (at->second.owner.empty() || at->second.owner == owner);
    try {
      sink().remove(name, owner);
      require(may_go, "removed", name);
      next_.erase(at);
    } catch (const Error& error) {
      require(!may_go, "not removed", name + ": " + error.message());
    }
  }

  void compare() const {
    const auto store = open();
    if (!store) return require(held_.empty(), "no store", path_.string());
    Model found;
    for (const BlobStore::Entry& entry : store->entries())
      found[entry.name] = {std::string(store->read(entry.name)), entry.owner};
    std::string differences;
    for (const auto& [name, blob] : held_)
      if (!found.contains(name) || found[name] != blob) differences += name + " ";
    for (const auto& [name, blob] : found)
      if (!held_.contains(name)) differences += "+" + name + " ";
    require(differences.empty(), "the store differs", differences);
  }

  std::filesystem::path path_;
  bool is_directory_;
  std::unique_ptr<BlobSink> sink_;
  Model held_, next_;
  std::set<std::string> added_;  // by the change that is open
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const test::TemporaryDirectory directory;
  Changes changes(directory.path() / (data[0] % 2 == 0 ? "s.zip" : "s"), data[0] % 2 == 1);
  for (std::size_t i = 1; i + 3 <= std::min<std::size_t>(size, 300); i += 3)
    changes.apply(data[i], data[i + 1], data[i + 2] % 64u);
  changes.finish();
  return 0;
}
