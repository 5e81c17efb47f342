// SPDX-License-Identifier: MIT
// A file of named blobs, `name size\n` and the bytes for each: a working example of a store, to be replaced by yours.
#include <polycodec/reader.hpp>
#include <polycodec/store_format.hpp>

#include <algorithm>
#include <vector>

using namespace polycodec;

class Blobs {
 public:
  Blobs(Call& call, const File& file) : bytes_(file.view(0, file.size())) {
    Meter meter(call);
    for (Reader in(bytes_); !in.at_end(); meter.tick()) {
      const std::size_t at = static_cast<std::size_t>(in.position()), space = bytes_.find_first_of(" \n", at);
      if (space == std::string_view::npos || bytes_[space] != ' ')
        throw Error(Status::malformed, "expected a name, a space, a size and a newline", at);
      in.seek(space + 1);
      const auto size = in.decimal<std::uint64_t>("the size");
      if (in.u8("the newline") != '\n')
        throw Error(Status::malformed, "expected a newline after the size", in.position() - 1);
      entries_.push_back({bytes_.substr(at, space - at), static_cast<std::size_t>(in.position()), size});
      in.skip(size, "the blob");
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
