// SPDX-License-Identifier: MIT
#include "core/store/zip_store.hpp"

#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/blob_store_state.hpp"
#include "core/io/sink.hpp"
#include "core/store/checksum.hpp"
#include "core/store/zip_members.hpp"
#include "core/store/zip_records.hpp"

#include <libdeflate.h>
#include <unzip.h>

#include <algorithm>
#include <mutex>

namespace polycodec {

namespace {

constexpr uLong method_deflated = 8;

struct ZipMember {
  std::uint64_t offset;  // of the packed bytes in the archive
  std::uint64_t packed_size;
  std::uint64_t size;
  std::uint32_t crc;
  bool deflated;
};

// -- the archive's bytes as the file that minizip reads --

struct Cursor {
  std::string_view bytes;
  std::uint64_t at = 0;
  std::uint64_t lowest = 0;  // nothing before it can be read
  bool passed_end = false;   // minizip takes what it could not read for zeros; we do not
};

voidpf open_bytes(voidpf opaque, const void*, int) {
  return opaque;
}
uLong read_bytes(voidpf, voidpf stream, void* buffer, uLong size) {
  auto& cursor = *static_cast<Cursor*>(stream);
  const std::uint64_t rest = cursor.bytes.size() - cursor.at;
  const std::uint64_t count = std::min<std::uint64_t>(size, rest);
  std::copy_n(cursor.bytes.data() + cursor.at, count, static_cast<char*>(buffer));
  cursor.at += count;
  cursor.passed_end = cursor.passed_end || count < size;
  return static_cast<uLong>(count);
}
ZPOS64_T tell_bytes(voidpf, voidpf stream) {
  return static_cast<const Cursor*>(stream)->at;
}
long seek_bytes(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  auto& cursor = *static_cast<Cursor*>(stream);
  const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? cursor.at
                                                                : cursor.bytes.size();
  // minizip goes back over extra fields that it has read, by a negative number in an unsigned one.
  const bool back = origin == ZLIB_FILEFUNC_SEEK_CUR && offset > INT64_MAX;
  std::uint64_t to = from + offset;
  if (back ? to >= from : !checked_add(from, offset, to)) return -1;
  if (to > cursor.bytes.size() || to < cursor.lowest) return -1;
  cursor.at = to;
  return 0;
}
int close_bytes(voidpf, voidpf) {
  return 0;
}
int no_error(voidpf, voidpf) {
  return 0;
}

constexpr std::size_t end_record_size = 22, locator_size = 20;

/// True if the archive ends with an end record that has no comment and no locator of another one.
bool ends_plainly(std::string_view bytes) noexcept {
  if (bytes.size() < end_record_size + locator_size) return false;
  const std::string_view end = bytes.substr(bytes.size() - end_record_size);
  const std::string_view before = bytes.substr(bytes.size() - end_record_size - locator_size, 4);
  return end.starts_with(std::string_view("PK\5\6", 4)) &&
         end.ends_with(std::string_view("\0\0", 2)) && before != std::string_view("PK\6\7", 4);
}

using Archive = std::unique_ptr<void, int (*)(void*)>;

Archive open_archive(Cursor& cursor) {
  zlib_filefunc64_def functions{};
  functions.zopen64_file = &open_bytes;
  functions.zread_file = &read_bytes;
  functions.ztell64_file = &tell_bytes;
  functions.zseek64_file = &seek_bytes;
  functions.zclose_file = &close_bytes;
  functions.zerror_file = &no_error;
  functions.opaque = &cursor;
  // minizip searches the last 64 KiB for a locator, and what it finds in a member it believes. It
  // also goes to the first entry, which the caller does again.
  constexpr std::uint64_t searched = 2048;
  const bool is_plain = ends_plainly(cursor.bytes) && cursor.bytes.size() > searched;
  if (is_plain) cursor.lowest = cursor.bytes.size() - searched;
  Archive archive(::unzOpen2_64("", &functions), [](void* opened) { return ::unzClose(opened); });
  cursor.lowest = 0;
  if (is_plain) cursor.passed_end = false;  // after the entry that was out of reach
  return archive;
}

using zip::throw_broken;

/// Refuses what is not a plain member.
void check_kind(const std::string& label, const std::string& name, const unz_file_info64& info) {
  constexpr uLong encrypted = 0x1 | 0x40 | 0x2000;
  const auto refuse = [&](Status status, const char* why, std::string_view word) {
    throw Error(status, quote(name) + " in " + quote_path(label) + " " + why).detail(word);
  };
  if ((info.flag & encrypted) != 0) refuse(Status::unsupported, "is encrypted", "zip.encrypted");
  constexpr uLong made_by_unix = 3;
  constexpr uLong type_mask = 0170000;
  constexpr uLong symbolic_link = 0120000;
  if ((info.version >> 8) == made_by_unix &&
      ((info.external_fa >> 16) & type_mask) == symbolic_link)
    refuse(Status::denied, "is a symbolic link", "zip.symlink");
  if (info.compression_method != 0 && info.compression_method != method_deflated)
    refuse(Status::unsupported, "is neither stored nor deflated", "zip.method");
}

void check_overlap(const std::string& label, const std::vector<ZipMember>& members) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  ranges.reserve(members.size());
  for (const ZipMember& m : members) {
    if (m.packed_size != 0) ranges.emplace_back(m.offset, m.offset + m.packed_size);
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) throw_broken(label, "members share bytes");
  }
}

std::string inflate_all(std::string_view packed, std::uint64_t size, const std::string& name) {
  const auto broken = [&](const std::string& why) {
    throw Error(Status::malformed, "the member " + quote(name) + " cannot be inflated: " + why)
        .detail("zip.deflate");
  };
  std::string out;
  out.resize(static_cast<std::size_t>(size));
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      ::libdeflate_alloc_decompressor(), &::libdeflate_free_decompressor);
  if (decompressor == nullptr) throw std::bad_alloc();
  std::size_t read = 0;
  std::size_t written = 0;
  const libdeflate_result result = ::libdeflate_deflate_decompress_ex(
      decompressor.get(), packed.data(), packed.size(), out.data(), out.size(), &read, &written);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) broken("it has more bytes than its entry declares");
  if (result != LIBDEFLATE_SUCCESS) broken("bad data, or it ends too early");
  if (written != out.size()) broken("it has fewer bytes than its entry declares");
  if (read != packed.size()) broken("bytes follow its end");
  return out;
}

/// An archive without members is its end record alone; minizip does not find one at offset 0.
bool is_empty_archive(std::string_view bytes) noexcept {
  if (bytes.size() < end_record_size || bytes.substr(0, 4) != std::string_view("PK\5\6", 4))
    return false;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  return bytes.substr(4, 16) == std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16) &&
         bytes.size() == end_record_size + byte(20) + (byte(21) << 8);
}

}  // namespace

class ZipStore::State final : public BlobStoreState {
 public:
  State(Source archive, const Limits& limits, ZipCheck check, std::uint64_t max_entries);

  std::vector<zip::Member> members() const {
    return zip::members_at(archive_.bytes(), directory_, label());
  }
  std::string_view comment() const noexcept { return comment_; }

 private:
  std::string_view do_read(std::size_t index) override;

  Source archive_;
  std::uint64_t max_memory_;
  ZipCheck check_;
  std::vector<ZipMember> all_;
  std::vector<std::uint64_t> directory_;  // where its entries are
  std::string comment_;
  std::mutex mutex_;  // guards what follows
  struct Loaded {
    bool unpacked = false, checked = false;
    std::string inflated;  // does not change once it is unpacked
  };
  std::vector<Loaded> loaded_;
  std::uint64_t memory_ = 0;
};

ZipStore::ZipStore(Source archive, const Limits& limits, ZipCheck check, std::uint64_t max_entries)
    : BlobStore(std::make_unique<State>(std::move(archive), limits, check, max_entries)) {}

ZipStore::State::State(Source archive, const Limits& limits, ZipCheck check,
                       std::uint64_t max_entries)
    : BlobStoreState(
          archive.name().empty() ? std::string("ZIP archive") : std::string(archive.name()),
          POLYCODEC_STORE_OWNERS),
      archive_(std::move(archive)),
      max_memory_(limits.memory_for(archive_.bytes().size())),
      check_(check) {
  const std::string_view bytes = archive_.bytes();
  if (!archive_.is_stable()) set_unstable();
  if (!looks_like_zip(bytes))
    throw Error(Status::malformed, quote_path(label()) + " is not a ZIP archive", 0)
        .detail("zip.magic");
  if (is_empty_archive(bytes)) return;
  Cursor cursor{bytes};
  const Archive zip = open_archive(cursor);
  if (zip == nullptr || cursor.passed_end)
    throw Error(
        Status::truncated,
        quote_path(label()) + " is a broken or truncated ZIP archive: its directory is missing",
        bytes.size())
        .detail("zip.directory");
  unz_global_info64 global{};
  if (::unzGetGlobalInfo64(zip.get(), &global) != UNZ_OK)
    throw_broken(label(), "its directory cannot be read");
  comment_.resize(global.size_comment);
  if (::unzGetGlobalComment(zip.get(), comment_.data(), global.size_comment) < 0)
    throw_broken(label(), "its comment cannot be read");
  std::vector<Entry> entries;
  std::uint64_t seen = 0;
  int status = global.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : ::unzGoToFirstFile(zip.get());
  for (; status == UNZ_OK; status = ::unzGoToNextFile(zip.get())) {
    if (++seen > max_entries)
      throw Error(Status::limit, quote_path(label()) + " has more than " +
                                     std::to_string(max_entries) + " members");
    unz_file_info64 info{};
    if (::unzGetCurrentFileInfo64(zip.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
      throw_broken(label(),
                   "entry " + std::to_string(seen - 1) + " of its directory cannot be read");
    std::string name(info.size_filename, '\0');
    std::string extra(info.size_file_extra, '\0');
    if (info.size_filename != 0 &&
        ::unzGetCurrentFileInfo64(zip.get(), &info, name.data(), info.size_filename, extra.data(),
                                  static_cast<uLong>(extra.size()), nullptr, 0) != UNZ_OK)
      throw_broken(label(), "a name cannot be read");
    const bool directory = !name.empty() && name.back() == '/';
    check_blob_name(directory ? std::string_view(name).substr(0, name.size() - 1) : name);
    check_kind(label(), name, info);
    directory_.push_back(::unzGetOffset64(zip.get()));
    const auto far = zip::far_place(bytes, directory_.back(), label());
    if (far) {
      info.compressed_size = far->packed_size;
      info.uncompressed_size = far->size;
    }
    if (directory && info.uncompressed_size == 0) continue;
    const bool deflated = info.compression_method == method_deflated;
    if (deflated && info.uncompressed_size > max_memory_)
      throw Error(Status::limit, quote(name) + " in " + quote_path(label()) + " declares " +
                                     std::to_string(info.uncompressed_size) +
                                     " bytes, more than the limit of " +
                                     std::to_string(max_memory_) + " (max_memory_bytes)");
    if (!deflated && info.compressed_size != info.uncompressed_size)
      throw_broken(label(), "the stored member " + quote(name) + " has two sizes");
    const auto near_offset = [&]() -> std::uint64_t {
      int method = 0;
      int level = 0;
      // Compares the entry with the member's own header, and finds where its bytes are; nothing is
      // inflated here.
      if (::unzOpenCurrentFile2(zip.get(), &method, &level, 1) != UNZ_OK)
        throw_broken(label(), "the header of " + quote(name) +
                                  " cannot be read or contradicts the directory");
      const std::uint64_t at = ::unzGetCurrentFileZStreamPos64(zip.get());
      static_cast<void>(::unzCloseCurrentFile(zip.get()));
      return at;
    };
    const std::uint64_t offset = far ? far->offset : near_offset();
    if (!range_fits(offset, info.compressed_size, bytes.size()))
      throw Error(Status::truncated,
                  quote_path(label()) + " is truncated: member " + quote(name) +
                      " extends past the end of the file",
                  bytes.size())
          .detail("zip.truncated");
    all_.push_back({offset, info.compressed_size, info.uncompressed_size,
                    static_cast<std::uint32_t>(info.crc), deflated});
    entries.push_back({std::move(name), info.uncompressed_size, zip::owner_in(extra)});
  }
  if (status != UNZ_END_OF_LIST_OF_FILE || cursor.passed_end)
    throw_broken(label(), "its directory ends too early");
  check_overlap(label(), all_);
  loaded_.resize(all_.size());
  set_entries(std::move(entries));
}

bool ZipStore::looks_like_zip(std::string_view bytes) noexcept {
  const std::string_view magic = bytes.substr(0, 4);
  return magic == std::string_view("PK\3\4", 4) || magic == std::string_view("PK\5\6", 4);
}

std::vector<zip::Member> ZipStore::members() const {
  return static_cast<const State&>(state()).members();
}

std::string_view ZipStore::comment() const noexcept {
  return static_cast<const State&>(state()).comment();
}

std::string_view ZipStore::State::do_read(std::size_t index) {
  const ZipMember& member = all_[index];
  const std::string& name = entries()[index].name;
  const std::string_view packed = archive_.bytes().substr(
      static_cast<std::size_t>(member.offset), static_cast<std::size_t>(member.packed_size));
  Loaded& loaded = loaded_[index];
  const auto content = [&] { return member.deflated ? std::string_view(loaded.inflated) : packed; };
  {
    const std::lock_guard lock(mutex_);
    if (loaded.checked) return content();
    if (member.deflated && !loaded.unpacked) {
      if (member.size > max_memory_ - memory_)
        throw Error(Status::limit, "the members of " + quote_path(label()) +
                                       " take more than the limit of " +
                                       std::to_string(max_memory_) + " bytes (max_memory_bytes)");
      loaded.inflated = inflate_all(packed, member.size, name);
      memory_ += member.size;
      loaded.unpacked = true;
    }
  }
  // Other threads may help: they must not find the lock taken.
  if (check_ == ZipCheck::crc && crc32_shared(0, content().data(), content().size()) != member.crc)
    throw Error(Status::malformed,
                "the checksum of " + quote(name) + " in " + quote_path(label()) + " is wrong",
                member.offset)
        .detail("zip.crc");
  const std::lock_guard lock(mutex_);
  loaded.checked = true;
  return content();
}

}  // namespace polycodec
