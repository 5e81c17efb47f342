// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/store.hpp>
#include <polycodec/utf8.hpp>

#include "quote.hpp"

#include <algorithm>

namespace polycodec {

const char* unsafe_name_reason(std::string_view name) noexcept {
  if (name.empty()) return "it is empty";
  if (name.size() > 4096) return "it is longer than 4096 bytes";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "it has a control character";
    if (c == '\\') return "it has a backslash";
  }
  if (!is_utf8(name)) return "it is not UTF-8";
  if (name.front() == '/') return "it is absolute";
  const char first = static_cast<char>(name[0] | 0x20);
  if (name.size() >= 2 && name[1] == ':' && first >= 'a' && first <= 'z') return "it has a drive letter";
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty()) return "a part of it is empty";
    if (part == "." || part == "..") return "a part of it is '.' or '..'";
    at = end + 1;
  }
  return nullptr;
}

void check_blob_name(std::string_view name) {
  if (const char* reason = unsafe_name_reason(name))
    throw Error(Status::denied, quote(name) + " may not name a blob: " + reason).detail("store.unsafe_name");
}

struct Store::Thunks {
  static std::int32_t entry(void* context, std::uint64_t i, polycodec_bytes* name, std::uint64_t* size,
                            polycodec_error* error) {
    return guard(error, [&] {
      const auto entries = static_cast<const Store*>(context)->entries();
      if (i >= entries.size())
        throw Error(Status::range, "no blob " + std::to_string(i) + " of " + std::to_string(entries.size()));
      const Entry& e = entries[static_cast<std::size_t>(i)];
      *name = {e.name.data(), e.name.size()};
      *size = e.size;
    });
  }
  static std::int32_t read(void* context, polycodec_bytes name, polycodec_bytes* content, polycodec_error* error) {
    return guard(error, [&] {
      const std::string_view bytes = static_cast<Store*>(context)->read(
          {static_cast<const char*>(name.data), static_cast<std::size_t>(name.size)});
      *content = {bytes.data(), bytes.size()};
    });
  }
};

Store::Store(std::string label)
    : label_(std::move(label)), abi_{sizeof(polycodec_store), 0, this, 0, &Thunks::entry, &Thunks::read} {}

Store::~Store() = default;

void Store::set_entries(std::vector<Entry> entries) {
  entries_ = std::move(entries);
  index_.clear();
  index_.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    check_blob_name(entries_[i].name);
    if (!index_.emplace(entries_[i].name, i).second)
      throw Error(Status::malformed, "two blobs of '" + label_ + "' are called " + quote(entries_[i].name))
          .detail("store.duplicate_name");
  }
  abi_.count = entries_.size();
}

bool Store::contains(std::string_view name) const noexcept {
  return index_.find(name) != index_.end();
}

std::string_view Store::read(std::string_view name) {
  check_blob_name(name);
  const auto found = index_.find(name);
  return found != index_.end() ? do_read(found->second) : do_read_unlisted(name);
}

std::string_view Store::do_read_unlisted(std::string_view name) {
  throw_not_found(name);
}

void Store::throw_not_found(std::string_view name) const {
  throw Error(Status::not_found, "no blob " + quote(name) + " in '" + label_ + "'").detail("store.no_such_blob");
}

MemoryStore::MemoryStore(std::vector<std::pair<std::string, std::string>> blobs, std::string label)
    : Store(std::move(label)), blobs_(std::move(blobs)) {
  std::vector<Entry> entries;
  entries.reserve(blobs_.size());
  for (const auto& [name, content] : blobs_) entries.push_back({name, content.size()});
  set_entries(std::move(entries));
}

MemoryStore::~MemoryStore() = default;

std::string_view MemoryStore::do_read(std::size_t index) {
  return blobs_[index].second;
}

}  // namespace polycodec
