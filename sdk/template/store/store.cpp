// SPDX-License-Identifier: MIT
// A file of named blobs, `name size\n` and the bytes for each: a working example of a store, to be replaced by yours.
#include <polycodec/store_format.hpp>

#include <algorithm>
#include <vector>

using namespace polycodec;

class Blobs {
 public:
  Blobs(Call& call, const File& file) : bytes_(file.view(0, file.size())) {
    Meter meter(call);
    for (std::size_t at = 0; at < bytes_.size(); meter.tick()) {
      const std::size_t space = bytes_.find(' ', at), end = bytes_.find('\n', at);
      if (end == std::string_view::npos || space >= end || end - space > 19)
        throw Error(Status::malformed, "expected a name, a space, a size and a newline", at);
      Entry entry{bytes_.substr(at, space - at), end + 1, 0};
      for (std::size_t i = space + 1; i < end; ++i) {
        if (bytes_[i] < '0' || bytes_[i] > '9') throw Error(Status::malformed, "expected the size of a blob", i);
        entry.size = entry.size * 10 + static_cast<std::uint64_t>(bytes_[i] - '0');
      }
      if (entry.size > bytes_.size() - entry.at) throw Error(Status::truncated, "the blob is cut off", entry.at);
      at = entry.at + static_cast<std::size_t>(entry.size);
      entries_.push_back(entry);
    }
  }

  std::uint64_t count() const { return entries_.size(); }
  Blob entry(Call&, std::uint64_t i) const { return {entries_.at(i).name, {}, entries_.at(i).size}; }
  std::optional<std::uint64_t> find(Call& call, std::string_view name) const {
    call.tick(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].name == name) return i;
    return std::nullopt;
  }
  std::string_view read(Call&, std::uint64_t i, std::uint64_t offset, std::uint64_t size) const {
    const Entry& entry = entries_.at(i);
    offset = std::min(offset, entry.size);
    return bytes_.substr(entry.at + offset, std::min(size, entry.size - offset));
  }

 private:
  struct Entry {
    std::string_view name;
    std::size_t at;
    std::uint64_t size;
  };
  std::string_view bytes_;
  std::vector<Entry> entries_;
};

struct Format {
  static constexpr const char* name = "@PLUGIN_ID@";
  static std::unique_ptr<Blobs> open(Call& call, const File& file, const Options&) {
    return std::make_unique<Blobs>(call, file);
  }
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::StoreFormats<Format>)
