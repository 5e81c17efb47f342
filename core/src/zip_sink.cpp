// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>

#include "posix_file.hpp"
#include "quote.hpp"

#include <unistd.h>
#include <zip.h>

#include <algorithm>

namespace polycodec {

struct ZipSink::Archive {
  AtomicFile file;
  zipFile zip = nullptr;
  std::uint64_t at = 0;   // where minizip writes next
  std::uint64_t end = 0;  // size of the file so far
  int error = 0;          // errno of the first failure

  Archive(const std::filesystem::path& path, const WriteOptions& options) : file(path, options) {
    if (!file.is_seekable())
      throw Error(Status::unsupported,
                  "a ZIP archive cannot be written to '" + path.native() + "', which has no size");
    zlib_filefunc64_def functions{};
    functions.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
    functions.zread_file = [](voidpf, voidpf, void*, uLong) { return uLong{0}; };
    functions.zwrite_file = [](voidpf, voidpf self, const void* data, uLong size) {
      return static_cast<Archive*>(self)->write(data, size);
    };
    functions.ztell64_file = [](voidpf, voidpf self) -> ZPOS64_T { return static_cast<Archive*>(self)->at; };
    functions.zseek64_file = [](voidpf, voidpf self, ZPOS64_T offset, int origin) {
      return static_cast<Archive*>(self)->seek(offset, origin);
    };
    functions.zclose_file = [](voidpf, voidpf) { return 0; };
    functions.zerror_file = [](voidpf, voidpf self) { return static_cast<Archive*>(self)->error; };
    functions.opaque = this;
    zip = ::zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    if (zip == nullptr) throw std::bad_alloc();
  }
  ~Archive() {
    if (zip != nullptr) ::zipClose(zip, nullptr);  // frees; what it writes is removed with the temporary file
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  uLong write(const void* data, uLong size) noexcept {
    uLong done = 0;
    while (done < size && error == 0) {
      const ssize_t got = ::pwrite(file.descriptor(), static_cast<const char*>(data) + done, size - done,
                                   static_cast<off_t>(at + done));
      if (got < 0 && errno != EINTR) error = errno;
      if (got == 0) error = EIO;
      if (got > 0) done += static_cast<uLong>(got);
    }
    at += done;
    end = std::max(end, at);
    return done;
  }
  long seek(ZPOS64_T offset, int origin) noexcept {
    const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET ? 0 : origin == ZLIB_FILEFUNC_SEEK_CUR ? at : end;
    return checked_add(from, offset, at) && at <= INT64_MAX ? 0 : -1;
  }
  void check(int status, const std::string& what) const {
    if (error != 0) posix::throw_errno("write", what, error);
    if (status != ZIP_OK) throw Error(Status::io, "cannot write " + quote(what) + " to the ZIP archive");
  }
};

ZipSink::ZipSink(const std::filesystem::path& path, const WriteOptions& options, std::uint64_t max_bytes)
    : BlobSink(max_bytes), path_(path), options_(options), archive_(new Archive(path, options)) {}

ZipSink::~ZipSink() = default;

void ZipSink::do_drop() noexcept {
  archive_.reset();
}

void ZipSink::do_blob(const std::string& name, std::span<const Segment> segments) {
  if (archive_ == nullptr) archive_ = std::make_unique<Archive>(path_, options_);
  std::uint64_t size = 0;
  for (const Segment& segment : segments) size += segment.size;
  constexpr uLong date_1980_01_01 = (1u << 21) | (1u << 16);
  constexpr uLong regular_file_0644 = 0100644ul << 16;
  constexpr uLong made_by_unix = (3u << 8) | 45u;
  constexpr uLong name_is_utf8 = 1u << 11;
  constexpr std::uint64_t needs_zip64 = 0xfffffff0u;
  zip_fileinfo info{};
  info.dosDate = date_1980_01_01;
  info.external_fa = regular_file_0644;
  archive_->check(::zipOpenNewFileInZip4_64(archive_->zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0,
                                            0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0,
                                            made_by_unix, name_is_utf8, size >= needs_zip64 ? 1 : 0),
                  name);
  for (const Segment& segment : segments) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t done = 0; done < segment.size;) {
      const std::size_t count = std::min(segment.size - done, most);
      archive_->check(::zipWriteInFileInZip(archive_->zip, static_cast<const char*>(segment.data) + done,
                                            static_cast<unsigned>(count)),
                      name);
      done += count;
    }
  }
  archive_->check(::zipCloseFileInZip(archive_->zip), name);
}

void ZipSink::do_finish() {
  if (archive_ == nullptr) archive_ = std::make_unique<Archive>(path_, options_);
  const int status = ::zipClose(std::exchange(archive_->zip, nullptr), nullptr);
  archive_->check(status, "the directory");
  archive_->file.commit();
  archive_.reset();
}

}  // namespace polycodec
